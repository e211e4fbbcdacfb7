"""Compile into the package what is the same for every user: the linked kernels, and the rules of the larger games.

    python -m zermelo.games.support.build_kernels

The build of the package runs it. A first analysis of such a game then only links and optimises; one of another game
compiles nothing but its rules. Several processes share the work.
"""

from __future__ import annotations

import gc
import os
from concurrent.futures import ProcessPoolExecutor

from zermelo.games.support.compile_worker import linked_kernels
from zermelo.native.linking import prebuilt
from zermelo.native.linking.rule_code import build_rules

RULES_BUILT = ("chess", "gomoku", "backgammon", "awari", "connect_four", "othello", "checkers")
"""Games whose rules are compiled with the package: those that are searched most, and compile longest."""


def main() -> None:
    """Build what is missing or out of date, and remove the rest."""
    with ProcessPoolExecutor(os.cpu_count(), initializer=gc.disable) as pool:
        kernels = [*pool.map(build_kernel, linked_kernels())]
        rules = [file for files in pool.map(build_game, RULES_BUILT) for file in files]
    prebuilt.remove_others([*kernels, *rules])


def build_kernel(name: str) -> str:
    """Build one kernel; return the name of its file."""
    kernel = linked_kernels()[name]
    assert kernel.kinds is not None
    return prebuilt.build_kernel(name, kernel.python, kernel.kinds)


def build_game(name: str) -> list[str]:
    """Build the rules of a game that its search calls; return the names of their files."""
    from zermelo.games.registry import load
    from zermelo.searching.runtime.search_worker import search_kernel

    game = load(name)
    kernel = search_kernel(game)
    assert kernel.kinds is not None
    header, _ = prebuilt.kernel_code(kernel.name, kernel.python, kernel.kinds)
    return build_rules(game, header["rules"])


if __name__ == "__main__":
    main()
