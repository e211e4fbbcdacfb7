"""Mutations: deliberate faults in a copy of the source, each of which the fuzzer must find within two minutes.

    python tests/fuzz/mutations.py                   all of them, and how long each took to be found
    python tests/fuzz/mutations.py table repetition  those of some parts
    python tests/fuzz/mutations.py 13 30             those of some numbers

A fault is a file, a text that stands there once, and what takes its place. A text that is not there any more is an
error: the list is kept true together with the source. What the fuzzer finds must hold in the source as it is, so that
no fault is found for the wrong reason.
"""

from __future__ import annotations

import os
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import zermelo
from random_graphs import KINDS

SECONDS = 120
SOURCE = Path(zermelo.__file__).parents[1]
RUN = Path(__file__).parent / "run.py"

EVERY = ",".join(KINDS)
LOOPS = "cyclic,free_cyclic,points_cyclic"
CHANCE = "chance,chance_cyclic"


class Fault(NamedTuple):
    """One deliberate fault, and the games in which it is looked for."""

    part: str
    file: str
    old: str
    new: str
    kinds: str = EVERY
    checks: str = ""


FAULTS = (
    # -- the tables
    Fault(
        "table",
        "searching/alphabeta/transposition_table.py",
        "return min(score + ply, WIN_SCORE)",
        "return min(score, WIN_SCORE)",
    ),
    Fault("table", "searching/alphabeta/transposition_table.py", "return score - ply\n    if", "return score\n    if"),
    Fault(
        "table",
        "searching/alphabeta/transposition_table.py",
        "upper = min(upper, upper_of(known))",
        "upper = min(upper, lower_of(known))",
    ),
    Fault(
        "table",
        "searching/alphabeta/static_bounds.py",
        "if depth_of(data) != UNLIMITED and lower < DECISIVE:",
        "if False:",
    ),
    Fault("table", "searching/alphabeta/pvs.py", "if memory[HEURISTIC_LEAVES] == heuristic_leaves:", "if True:"),
    Fault(
        "table",
        "searching/chance/expectation_table.py",
        "upper = min(upper, bounds[1])",
        "upper = min(upper, bounds[0])",
        CHANCE,
        "search",
    ),
    # -- bounds and windows
    Fault(
        "bounds",
        "searching/alphabeta/pvs.py",
        "if best < beta:\n            upper",
        "if best <= beta:\n            upper",
    ),
    Fault(
        "bounds",
        "searching/alphabeta/pvs.py",
        "if best > start:\n            lower",
        "if best >= start:\n            lower",
    ),
    Fault("bounds", "searching/alphabeta/pvs.py", "elif top < beta and score < beta:", "elif False:"),
    Fault(
        "bounds",
        "searching/alphabeta/static_bounds.py",
        "high = min(high, score_from_table(int(most), ply))",
        "high = min(high, int(most))",
    ),
    Fault(
        "bounds", "searching/runtime/mtd_bisection.py", "max(self.low, score), line", "max(self.low, score) + 1, line"
    ),
    Fault("bounds", "searching/proof/proof_search.py", "else self.goal - 1)", "else self.goal - 2)"),
    Fault(
        "bounds",
        "searching/mcts/uct_tree.py",
        "high = max(high, tree[child + HIGH])",
        "high = min(high, tree[child + HIGH])",
    ),
    # -- what is called exact, and its line
    Fault(
        "exact",
        "searching/runtime/iterative_deepening.py",
        "WIN_SCORE - abs(score) <= depth",
        "WIN_SCORE - abs(score) <= depth + 2",
    ),
    Fault("exact", "searching/principal_variation.py", "score - 1, score) >= score", "score - 1, score) >= score - 1"),
    # -- repetition
    Fault(
        "repetition",
        "searching/proof/dfpn.py",
        "if since == NO_REPETITION and not memory[STOP] and",
        "if not memory[STOP] and",
        LOOPS,
        "prove",
    ),
    Fault(
        "repetition",
        "searching/proof/dfpn.py",
        "solved_numbers(goal <= 0, earlier)",
        "solved_numbers(goal <= 0, NO_REPETITION)",
        LOOPS,
        "prove",
    ),
    Fault(
        "repetition",
        "searching/proof/dfpn.py",
        "solved_numbers(goal <= 0, earlier)",
        "solved_numbers(goal > 0, earlier)",
        LOOPS,
    ),
    Fault(
        "repetition",
        "searching/alphabeta/pvs.py",
        "    memory[HEURISTIC_LEAVES] += 1\n                memory[STOP] |=",
        "    memory[STOP] |=",
        LOOPS,
    ),
    Fault(
        "repetition",
        "searching/alphabeta/pvs.py",
        "played_twice(game, key, check, memory):\n            memory[HEURISTIC_LEAVES] += 1",
        "played_twice(game, key, check, memory):",
        LOOPS,
        "shared",
    ),
    # -- ordering, pruning, and moves that are lost
    Fault(
        "ordering", "searching/alphabeta/pvs.py", "for tried in range(count):", "for tried in range(max(1, count - 1)):"
    ),
    Fault(
        "ordering",
        "searching/alphabeta/static_bounds.py",
        "moves[kept] = move\n            lows",
        "moves[kept] = moves[0]\n            lows",
    ),
    Fault(
        "ordering",
        "searching/alphabeta/pvs.py",
        "    memory[HEURISTIC_LEAVES] += 1\n                return beta",
        "    return beta",
        "leaps",
        "search",
    ),
    # -- retrograde analysis
    Fault("retrograde", "textbook/retrograde_analysis.py", "elif seen == {LOST}:", "elif LOST in seen:"),
    Fault(
        "retrograde",
        "solving/retrograde/propagation.py",
        "add_narrow(counts, count_width, number, -1) == 1 and not",
        "add_narrow(counts, count_width, number, -1) <= 2 and not",
        "rounds",
        "solve",
    ),
    Fault(
        "retrograde",
        "solving/retrograde/propagation.py",
        "plies = max(wave + 1, latest_loss",
        "plies = min(wave + 1, latest_loss",
        "rounds",
        "solve",
    ),
    Fault(
        "retrograde",
        "solving/retrograde/wdl.py",
        "plies_of(entry) + 1)\n    else:",
        "plies_of(entry))\n    else:",
        "rounds",
        "solve",
    ),
    # -- chance
    Fault(
        "chance",
        "searching/chance/star2.py",
        "(inner_alpha - (ceiling - p * highs[i])) / p",
        "(inner_alpha - (floor - p * lows[i])) / p",
        CHANCE,
    ),
    Fault("chance", "searching/chance/star2.py", "if best < beta and tries == ALL_MOVES:", "if best < beta:", CHANCE),
    Fault(
        "chance",
        "searching/principal_variation.py",
        "found.exact and not worker.sampling.samples",
        "found.exact",
        CHANCE,
    ),
    Fault("chance", "textbook/expectiminimax_search.py", "total += probability * ", "total += ", CHANCE),
    Fault(
        "chance", "solving/interpreted_solver.py", "(sum(least), sum(most)) if", "(max(least), max(most)) if", CHANCE
    ),
    Fault(
        "chance",
        "searching/chance/star2.py",
        "memory[HEURISTIC_LEAVES] += 1  # what follows is no proof",
        "pass",
        CHANCE,
        "search",
    ),
    Fault(
        "chance",
        "searching/chance/star2.py",
        "key = state_key(game, here) ^ memory[SALT]",
        "key = state_key(game, here)",
        CHANCE,
        "shared",
    ),
    # -- keys and symmetry
    Fault("keys", "keys.py", "self.shape += (TUPLE, len(part))", "self.shape += (TUPLE, 0)"),
    Fault("keys", "keys.py", "& WORD for i in range(length)", "& WORD for i in range(1)"),
    Fault("keys", "keys.py", "bits.signed(bits.mix(key))", "bits.signed(bits.mix(key & 7))"),
    Fault(
        "keys",
        "searching/alphabeta/transposition_table.py",
        "if data == 0 or table[at] ^ data != key:",
        "if data == 0:",
    ),
)


def mutated(fault: Fault, folder: Path) -> Path:
    """A copy of the source with the fault in it."""
    copy = folder / "src"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    path = copy / "zermelo" / fault.file
    text = path.read_text()
    if text.count(fault.old) != 1:
        raise SystemExit(f"{fault.file} has {text.count(fault.old)} places that read {fault.old!r}; there must be one.")
    path.write_text(text.replace(fault.old, fault.new))
    return copy


def fuzzed(fault: Fault, kinds: str, checks: str, seconds: float) -> tuple[str, float]:
    """The first failure that the fuzzer finds, '' for none, and after how long."""
    with tempfile.TemporaryDirectory() as folder:
        source = mutated(fault, Path(folder))
        command = [sys.executable, str(RUN), "--kinds", kinds, "--minutes", str(seconds / 60), "--first"]
        command += ["--checks", checks] if checks else []
        places = {"PYTHONPATH": str(source), "ZERMELO_CACHE": str(Path(folder) / "cache")}
        start = _processor_time()
        done = subprocess.run(command, env=os.environ | places, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(done.stderr)
        found = [line for line in done.stdout.splitlines() if line.startswith("python ")]
        return (found[0] if found else ""), _processor_time() - start


def _processor_time() -> float:
    """Seconds of the processor that all runs so far have taken: a busy machine finds a fault no later."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def holds_without(found: str) -> bool:
    """Whether the check of a failure holds in the source as it is."""
    _, _, *options = shlex.split(found, comments=True)
    command, places = [sys.executable, str(RUN), *options], {"PYTHONPATH": str(SOURCE)}
    return subprocess.run(command, env=os.environ | places, capture_output=True, check=False).returncode == 0


def main() -> int:
    chosen = sys.argv[1:]
    faults = [
        (number, fault)
        for number, fault in enumerate(FAULTS, start=1)
        if not chosen or fault.part in chosen or str(number) in chosen
    ]
    missed = 0
    for number, fault in faults:
        found, seconds = fuzzed(fault, fault.kinds, fault.checks, SECONDS)
        if found and not holds_without(found):
            print(f"The source as it is fails, so that no fault can be told: {found}")
            return 1
        missed += not found
        said = f"found after {seconds:.0f} s by {found.partition('run.py ')[2][:100]}" if found else "NOT FOUND"
        print(f"{number:2} {fault.part:11} {fault.file}: {' '.join(fault.new.split())[:60]}: {said}", flush=True)
    print(f"{len(faults) - missed} of {len(faults)} faults were found.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
