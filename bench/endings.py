"""Chess endings solved: counts, longest mates beside the published ones, samples beside python-chess, time and memory.

    python bench/endings.py KBBKN KRPKR [--on cuda] [--samples 2000] [--threads 16] [--folder DIR]

Each ending is solved with all endings that it becomes, into DIR if one is given; those that are there already are read.
A sample is a random position. python-chess plays all its moves, and the values of what follows must lead to its own.
If it is decided within a few plies, python-chess alone searches for the mate as well.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from pathlib import Path
from typing import Any

import chess

import zermelo as z
from zermelo.games.chess_endgame.endgame_notation import colours_exchanged
from zermelo.games.chess_endgame.endgame_tables import EP_PLACEMENTS, HALF_SIZES, KING_PAIR_COUNTS
from zermelo.games.chess_endgame.longest_wins import LONGEST_WINS
from zermelo.solving.retrograde.entries import DECIDED, plies_of

SEARCHED_PLIES = 4
"""Plies within which python-chess searches for a mate."""

CHUNK = 1 << 24
"""Entries that are looked at together."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("endings", nargs="+")
    parser.add_argument("--on", default="cpu")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    for ending in options.endings:
        game: Any = z.load(f"chess_endgame({ending})")
        start = time.perf_counter()
        settings: dict[str, Any] = {"on": options.on, "threads": options.threads, "force": options.on == "cuda"}
        if options.folder is not None:
            settings |= {"path": options.folder / f"{ending}.zermelo", "reuse": options.folder}
        solution = z.solve(game, **settings)
        seconds = time.perf_counter() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"{ending}: {len(solution):,} states, {len(game.endings)} endings, {seconds:.1f} s, {memory:.1f} GB")
        wrong = sum(not is_as_published(solution, stage) for stage in solution.tables)
        dice = random.Random(ending)
        right = sum(agrees(solution, random_state(game, dice)) for _ in range(options.samples))
        print(f"  {right} of {options.samples} samples agree; longest mates that differ: {wrong}", flush=True)


def is_as_published(solution: Any, stage: int) -> bool:
    """Print what was found for one ending. Return whether the longest mates of both sides are the published ones."""
    name = solution.game.endings[stage]
    found = [longest_mate(half) for half in halves(solution, stage)]
    published = [LONGEST_WINS.get(each, (0, ""))[0] for each in (name, colours_exchanged(name))][: len(found)]
    right = found == published
    counts = ", ".join(f"{number:,} {outcome}" for outcome, number in solution.counts(stage).items())
    print(f"  {name}: {counts}; longest mates {found}, published {published}{'' if right else ' WRONG'}")
    return right


def halves(solution: Any, stage: int) -> list[Any]:
    """The entries with White and with Black to move; one part if these are the same. En passant is left out."""
    game, table = solution.game, solution.tables[stage]
    entries = table.entries.array().view(f"uint{table.bits}")
    size = int(HALF_SIZES[game.kinds[2 * stage]])
    parts = 1 if game.kinds[2 * stage + 1] < 0 else 2
    return [entries[part * size : (part + 1) * size] for part in range(parts)]


def longest_mate(entries: Any) -> int:
    """The moves of the longest win among entries; 0 if there is none."""
    longest = 0
    for start in range(0, len(entries), CHUNK):
        part = entries[start : start + CHUNK]
        longest = max(longest, int(part[(part >= DECIDED) & (part & 1 == 0)].max(initial=0)))
    return (plies_of(longest) + 1) // 2 if longest else 0


# -- samples -----------------------------------------------------------------------------------------------------------


def random_state(game: Any, dice: random.Random) -> Any:
    """A random position of the ending; one in four may have an en passant capture, if there are such."""
    passing = KING_PAIR_COUNTS[1] * int(EP_PLACEMENTS[game.kinds[0]]) * (1 if game.kinds[1] < 0 else 2)
    while True:
        size = game.size(0)
        number = dice.randrange(size - passing if passing and dice.random() < 0.25 else 0, size)
        state = game.at(0, number)
        if game.index(state) == number:
            return state._replace(player=dice.randrange(2))


def agrees(solution: Any, state: Any) -> bool:
    """Whether python-chess confirms a value: by its moves and the values after them, and near mate by a search."""
    game, value = solution.game, solution[state]
    board = chess.Board(game.state_text(state))
    replies = []
    for move in () if board.is_insufficient_material() else board.legal_moves:
        board.push(move)
        replies.append(solution[game.parse_state(board.fen())])
        board.pop()
    if not replies:
        mated = board.is_checkmate()
        right = (value.outcome, value.plies) == (z.LOSS, 0) if mated else value.outcome == z.DRAW
    else:
        right = plain_value(value) == best_of(replies)
    if not right or (value.outcome == z.DRAW or value.plies > SEARCHED_PLIES):
        return right
    outcome = searched(board, value.plies)
    return outcome == (value.outcome, value.plies)


def plain_value(value: Any) -> tuple[int, int]:
    """Outcome and plies; a draw has none."""
    return value.outcome, 0 if value.outcome == z.DRAW else value.plies


def best_of(replies: list[Any]) -> tuple[int, int]:
    """The value of a position whose moves lead to these."""
    lost = [reply.plies for reply in replies if reply.outcome == z.LOSS]
    if lost:
        return z.WIN, min(lost) + 1
    if any(reply.outcome == z.DRAW for reply in replies):
        return z.DRAW, 0
    return z.LOSS, max(reply.plies for reply in replies) + 1


def searched(board: chess.Board, plies: int) -> tuple[int, int]:
    """Outcome and plies of a position that is decided within `plies` plies; a draw if it is not."""
    if board.is_checkmate():
        return z.LOSS, 0
    if board.is_insufficient_material() or board.is_stalemate():
        return z.DRAW, 0
    for depth in range(1, plies + 1):
        outcome = z.WIN if depth % 2 else z.LOSS
        if (outcome == z.WIN and mates(board, depth)) or (outcome == z.LOSS and is_mated(board, depth)):
            return outcome, depth
    return z.DRAW, 0


def mates(board: chess.Board, plies: int) -> bool:
    """Whether the player to move can mate within `plies` plies."""
    for move in board.legal_moves:
        board.push(move)
        done = board.is_checkmate() or (plies > 2 and is_mated(board, plies - 1))
        board.pop()
        if done:
            return True
    return False


def is_mated(board: chess.Board, plies: int) -> bool:
    """Whether the player to move is mated within `plies` plies."""
    if board.is_insufficient_material() or not any(board.legal_moves):
        return board.is_checkmate()
    for move in board.legal_moves:
        board.push(move)
        held = not mates(board, plies - 1)
        board.pop()
        if held:
            return False
    return True


if __name__ == "__main__":
    main()
