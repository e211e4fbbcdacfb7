"""Contests of alpha-beta on plain games, against each library's own games and against the same games written for it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from statistics import median

import plain_games
from contest import ZERMELO, Answer, Systems, against, figures, interleaved, ratio, say
from worker import BenchError, Worker

import zermelo as z

RATE_NODES = 3_000_000
ENDINGS = 12


@dataclass(frozen=True)
class Opponent:
    """A system, its name for the game, and how many times its nodes a second Zermelo wants to reach."""

    system: str
    package: str
    game: str
    target: float


@dataclass(frozen=True)
class PlainContest:
    """A hook-free game, searched to one depth from the start and from a few random states."""

    name: str
    game: str
    depth: int
    plies: int
    opponents: tuple[Opponent, ...]
    starts: int = 4


CONTESTS = (
    PlainContest(
        "four in a row on 4x4",
        "InARow",
        depth=8,
        plies=5,
        opponents=(
            Opponent("OpenSpiel, Python game written with ints", "open_spiel", "python_in_a_row", 300),
            Opponent("OpenSpiel, its own C++ game", "open_spiel", "mnk(m=4,n=4,k=4)", 20),
            Opponent("easyAI, with ints and unmake_move", "easyAI", "InARow", 1000),
        ),
    ),
    PlainContest(
        "four in a row on 4x4",
        "InARow",
        depth=6,
        plies=8,
        opponents=(
            Opponent("OpenSpiel, Python game in its own manner", "open_spiel", "python_in_a_row_array", 300),
            Opponent("easyAI, in its own manner, copied", "easyAI", "InARowOnAList", 1000),
            Opponent("easyAI, in its own manner, unmake_move", "easyAI", "InARowTakenBack", 1000),
        ),
    ),
    PlainContest(
        "Connect Four",
        "FourInAColumn",
        depth=9,
        plies=10,
        opponents=(
            Opponent("OpenSpiel, Python game written with ints", "open_spiel", "python_four_in_a_column", 300),
            Opponent("OpenSpiel, its own C++ game", "open_spiel", "connect_four", 20),
        ),
    ),
    PlainContest(
        "Connect Four",
        "FourInAColumn",
        depth=5,
        plies=10,
        opponents=(Opponent("easyAI, its own game", "easyAI", "ConnectFour", 1000),),
    ),
    PlainContest(
        "Breakthrough on 6x6",
        "Breakthrough",
        depth=6,
        plies=12,
        opponents=(
            Opponent("OpenSpiel, Python game written with ints", "open_spiel", "python_breakthrough", 300),
            Opponent("OpenSpiel, its own C++ game", "open_spiel", "breakthrough(rows=6,columns=6)", 20),
        ),
    ),
)
"""A game in the manner of a library's own is slow enough for a contest of less depth."""


def searching(contest: PlainContest, zermelo: Worker, peers: dict[str, Worker], rounds: int, seed: int) -> Answer:
    """A record of the contest: nodes a second, and CPU seconds to the same values, for each system that is there."""
    say(f"Searching {contest.name} to depth {contest.depth} ...")
    starts = random_starts(contest, seed)
    opponents = [each for each in contest.opponents if each.package in peers]
    checked = [*starts, *endings(contest, seed)]
    rules = {each.system: same_rules(contest, each, zermelo, peers[each.package], checked) for each in opponents}
    ask = {"starts": starts, "depth": contest.depth}
    systems: Systems = {ZERMELO: lambda: zermelo.ask("search", game=contest.game, **ask)}
    for each in opponents:
        systems[each.system] = lambda each=each: peers[each.package].ask("search", game=each.game, **ask)  # type: ignore[misc]
    answers = interleaved(systems, rounds)
    measured = {name: figures(found, 1) for name, found in answers.items()}
    measured[ZERMELO]["rate"] = median(_rate(zermelo, contest.game) for _ in range(rounds))
    for each in opponents:
        found = measured[each.system]
        found["nodes"] = peers[each.package].ask("nodes", game=each.game, **ask)["nodes"]
        found["rate"] = found["nodes"] / found["cpu"]
        found["time_ratio"] = ratio(found["cpu"], measured[ZERMELO]["cpu"])
        against(found, measured[ZERMELO]["rate"] / found["rate"], each.target)
    values = {name: found[0]["values"] for name, found in answers.items()}
    return {
        "game": contest.name,
        "depth": contest.depth,
        "starts": starts,
        "rounds": rounds,
        "values": values[ZERMELO],
        "differences": [name for name in values if values[name] != values[ZERMELO] or not rules.get(name, True)],
        "systems": measured,
    }


def same_rules(
    contest: PlainContest, opponent: Opponent, zermelo: Worker, peer: Worker, starts: list[list[int]]
) -> bool:
    """Whether both systems count as many move sequences of three plies from every start, and see the same values."""
    ask = {"starts": starts, "depth": 3}
    ours, theirs = zermelo.ask("search", game=contest.game, **ask), peer.ask("search", game=opponent.game, **ask)
    return bool(ours["values"] == theirs["values"]) and all(
        zermelo.ask("leaves", game=contest.game, start=start, depth=3)
        == peer.ask("leaves", game=opponent.game, start=start, depth=3)
        for start in starts
    )


def random_starts(contest: PlainContest, seed: int) -> list[list[int]]:
    """The start of the game, and states after random moves in which it goes on."""
    game = getattr(plain_games, contest.game)()
    chosen = random.Random(f"{seed} {contest.name}")
    starts: list[list[int]] = [[]]
    while len(starts) < contest.starts:
        moves, result = random_game(game, chosen, contest.plies)
        if result == z.ONGOING:
            starts.append(moves)
    return starts


def endings(contest: PlainContest, seed: int) -> list[list[int]]:
    """States one to three plies before a random game was won: wins and losses within reach, where rules show."""
    game = getattr(plain_games, contest.game)()
    chosen = random.Random(f"{seed} endings of {contest.name}")
    found: list[list[int]] = []
    while len(found) < ENDINGS:
        moves, result = random_game(game, chosen)
        if result == z.LOSS:
            found.append(moves[: -1 - len(found) % 3])
    return found


def random_game(game: z.Game, chosen: random.Random, plies: int | None = None) -> tuple[list[int], int]:
    """The moves of a random game, with a limit on their number, and the result of the state that they lead to."""
    state, moves = game.initial(), list[int]()
    while game.result(state) == z.ONGOING and len(moves) != plies:
        moves.append(chosen.choice(list(game.moves(state))))
        state = game.play(state, moves[-1])
    return moves, game.result(state)


def _rate(zermelo: Worker, game: str) -> float:
    """Nodes a second of a search long enough for what every search costs once not to count."""
    answer = zermelo.ask("rate", game=game, nodes=RATE_NODES)
    if not answer["cpu"]:
        raise BenchError(f"The clock of this machine is too coarse to time a search of {answer['nodes']} nodes.")
    return float(answer["nodes"] / answer["cpu"])
