"""Connect Four positions to solve, and the score that the published sets give them.

A position is the columns played, 1 to 7, from the empty board: "4453".
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from worker import BenchError

import zermelo as z

CELLS = 42
STAGES = {
    "29 to 38 stones": (29, 38, 1000),
    "19 to 28 stones": (19, 28, 500),
    "12 to 18 stones": (12, 18, 100),
    "8 to 11 stones": (8, 11, 10),
}
"""The generated sets: the fewest and the most stones, and how many positions."""

QUICK = 5
"""A quick run takes one position of this many."""


@dataclass(frozen=True)
class PositionSet:
    """Positions to be solved in one go; `scores` are the published ones, where there are any."""

    name: str
    positions: tuple[str, ...]
    scores: tuple[int, ...] | None = None
    rounds: int = 1
    source: str = "generated"


EMPTY = PositionSet("empty board", ("",), (1,), source="Allen and Allis, 1988")
"""The first player wins with the 41st stone."""


def published_score(value: z.Value, stones: int) -> int:
    """The score of a value after `stones` moves: 1 for a win with one's last stone, 2 a stone earlier, and so on.

    >>> published_score(z.Value.win(41), 0), published_score(z.Value.win(1), 39), published_score(z.Value.loss(2), 38)
    (1, 2, -2)
    """
    if value.outcome == z.DRAW:
        return 0
    if value.outcome is None or value.plies is None:
        raise BenchError(f"{value} is not a proven value, so it has no published score.")
    return value.outcome * ((CELLS - stones - value.plies) // 2 + 1)


def generated(counts: dict[str, int], seed: int, rounds: int) -> list[PositionSet]:
    """A set of positions for each stage of the game; the same seed makes the same ones."""
    return [
        PositionSet(name, tuple(random_positions(low, high, counts[name], seed)), rounds=rounds)
        for name, (low, high, _) in STAGES.items()
        if counts[name]
    ]


def random_positions(low: int, high: int, count: int, seed: int) -> list[str]:
    """Different positions of `low` to `high` stones, by random play, in which the mover has no win at once."""
    chosen = random.Random(f"{seed} {low} {high}")
    game = z.load("connect_four")
    found: dict[str, None] = {}
    while len(found) < count:
        text = _random_game(game, chosen, chosen.randint(low, high))
        if text is not None:
            found[text] = None
    return list(found)


def _random_game(game: z.Game, chosen: random.Random, stones: int) -> str | None:
    """The moves of a random game that has not ended, nor ends at the next ply; None where it has or does."""
    state, text = game.initial(), ""
    for _ in range(stones):
        if game.result(state) != z.ONGOING:
            return None
        move = chosen.choice(list(game.moves(state)))
        state, text = game.play(state, move), text + game.move_text(state, move)
    if game.result(state) != z.ONGOING:
        return None
    ends = any(game.result(game.play(state, move)) == z.LOSS for move in game.moves(state))
    return None if ends else text


def from_directory(folder: Path, most: int, options: list[str], rounds: int) -> list[PositionSet]:
    """A set for each text file of the folder, named after it: a line is the columns played and the score."""
    files = {file.stem: file for file in sorted(folder.glob("*.txt"))}
    if not files:
        raise BenchError(f"--positions {folder}: there is no .txt file in it, so there are no positions to solve.")
    counts = chosen_counts(dict.fromkeys(files, most), options)
    return [_from_file(file, counts[name], rounds) for name, file in files.items() if counts[name]]


def _from_file(file: Path, count: int, rounds: int) -> PositionSet:
    text = file.read_text(encoding="utf-8", errors="replace")
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()][:count]
    if not lines:
        raise BenchError(f"{file.name} has no positions; a line is the columns played and the score, as in '4453 2'.")
    pairs = [_from_line(line, f"{file.name}, line {number}") for number, line in lines]
    positions, scores = zip(*pairs, strict=True)
    return PositionSet(file.stem, positions, scores, rounds, file.name)


def _from_line(line: str, where: str) -> tuple[str, int]:
    parts = line.split()
    try:
        position, score = parts[0], int(parts[1])
        game = z.load("connect_four")
        over = game.result(z.position(game, position)) != z.ONGOING
    except (ValueError, IndexError) as error:
        raise BenchError(f"{where}: {line!r} is not the columns played and the score, as in '4453 2'.") from error
    if over or not position.isdigit():
        raise BenchError(f"{where}: {position!r} is not an unfinished game written in columns 1 to 7.")
    return position, score


def chosen_counts(counts: dict[str, int], options: list[str]) -> dict[str, int]:
    """How many positions of each set `--count` asks for: a number for all sets, or NAME=NUMBER for one; 0 for none.

    >>> chosen_counts({"easy": 100, "hard": 100}, ["20", "hard=5"])
    {'easy': 20, 'hard': 5}
    """
    chosen = dict(counts)
    for option in options:
        name, equals, number = option.rpartition("=")
        if not number.isdecimal() or (equals and name not in counts):
            known = ", ".join(repr(known) for known in counts)
            raise BenchError(f"--count {option}: give a number, or NAME=NUMBER with a name of {known}.")
        chosen.update({name: int(number)} if equals else dict.fromkeys(counts, int(number)))
    return chosen
