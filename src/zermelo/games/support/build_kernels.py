"""Compile every linked kernel into the package: an installation then compiles nothing but the rules of a game.

    python -m zermelo.games.support.build_kernels

The build of the package runs it. Several processes share the work.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor

from zermelo.games.support.compile_worker import linked_kernels
from zermelo.native.linking.prebuilt import build_kernel


def main() -> None:
    """Build the kernels that are missing or out of date."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for name, built in zip(names := list(linked_kernels()), pool.map(build, names), strict=True):
            if built:
                print(f"compiled {name}", file=sys.stderr, flush=True)


def build(name: str) -> bool:
    """Build one kernel; return False if it was there."""
    kernel = linked_kernels()[name]
    assert kernel.kinds is not None
    return build_kernel(name, kernel.python, kernel.kinds)


if __name__ == "__main__":
    main()
