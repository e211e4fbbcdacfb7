"""Contests: the same work given to each system in turn, round after round, and answers that must agree.

A ratio is the peer's CPU time over Zermelo's (or Zermelo's nodes a second over the peer's): above 1, Zermelo is faster.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

import plain_games
from positions import PositionSet
from worker import BenchError, Worker

import zermelo as z

ZERMELO = "zermelo"
RATE_NODES = 3_000_000

Answer = dict[str, Any]
Systems = dict[str, Callable[[], Answer]]


def interleaved(systems: Systems, rounds: int) -> dict[str, list[Answer]]:
    """The answers of each system, asked by turns; who begins changes from round to round."""
    answers: dict[str, list[Answer]] = {name: [] for name in systems}
    order = list(systems)
    for _ in range(rounds):
        for name in order:
            answers[name].append(systems[name]())
        order = order[1:] + order[:1]
    return answers


def figures(answers: list[Answer], count: int) -> dict[str, Any]:
    """The median, the least and the most CPU seconds of one of `count` tasks, and its nodes."""
    seconds = [answer["cpu"] / count for answer in answers]
    nodes = answers[0].get("nodes")
    return {
        "cpu": median(seconds),
        "least": min(seconds),
        "most": max(seconds),
        "setup": median(answer.get("setup", 0.0) for answer in answers),
        "nodes": None if nodes is None else nodes / count,
    }


def say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def ratio(over: float, under: float) -> float | None:
    """None where the clock was too coarse to tell."""
    return over / under if under > 0 else None


# -- Connect Four ------------------------------------------------------------------------------------------------------


def solving(
    sets: list[PositionSet], solvers: dict[str, Callable[[list[str]], Answer]], targets: dict[str, float]
) -> list[Answer]:
    """A record of each set: CPU seconds and nodes a position for each solver, ratios, and scores that differ."""
    records = []
    for each in sets:
        say(f"Solving {each.name}: {len(each.positions)} positions, {', '.join(solvers)} ...")
        records.append(_solved(each, solvers, targets))
    return records


def _solved(
    positions: PositionSet, solvers: dict[str, Callable[[list[str]], Answer]], targets: dict[str, float]
) -> Answer:
    texts = list(positions.positions)
    systems: Systems = {name: lambda solve=solve: solve(texts) for name, solve in solvers.items()}  # type: ignore[misc]
    answers = interleaved(systems, positions.rounds)
    measured = {name: figures(found, len(texts)) for name, found in answers.items()}
    ours = measured[ZERMELO]["cpu"]
    for name, found in measured.items():
        if name != ZERMELO:
            against(found, ratio(found["cpu"], ours), targets.get(name, 1.0))
    return {
        "set": positions.name,
        "source": positions.source,
        "positions": len(texts),
        "rounds": positions.rounds,
        "verified_by": verifiers(positions, list(solvers)),
        "differences": differences(positions, {name: found[0]["scores"] for name, found in answers.items()}),
        "systems": measured,
    }


def against(found: Answer, times: float | None, target: float) -> None:
    """Write down how a peer's figures compare: won, and whether by as much as was wanted."""
    known = times if times is not None else 0.0
    found.update(ratio=times, target=target, won=known > 1, met=known >= target)


def verifiers(positions: PositionSet, solvers: list[str]) -> list[str]:
    """What the scores were compared with."""
    published = [] if positions.scores is None else ["published scores"]
    return published + [name for name in solvers if name != ZERMELO]


def differences(positions: PositionSet, scores: dict[str, list[int]]) -> list[Answer]:
    """The positions on which not all scores are the same, each with everybody's."""
    published = {} if positions.scores is None else {"published": list(positions.scores)}
    everybody = published | scores
    found = []
    for i, text in enumerate(positions.positions):
        said = {name: each[i] for name, each in everybody.items()}
        if len(set(said.values())) > 1:
            found.append({"position": text, "scores": said})
    return found


# -- plain games -------------------------------------------------------------------------------------------------------


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
            Opponent("OpenSpiel, Python game", "open_spiel", "python_in_a_row", 300),
            Opponent("OpenSpiel, C++ game", "open_spiel", "mnk(m=4,n=4,k=4)", 20),
            Opponent("easyAI", "easyAI", "InARow", 1000),
        ),
    ),
    PlainContest(
        "Connect Four",
        "FourInAColumn",
        depth=9,
        plies=10,
        opponents=(Opponent("OpenSpiel, C++ game", "open_spiel", "connect_four", 20),),
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
        opponents=(Opponent("OpenSpiel, C++ game", "open_spiel", "breakthrough(rows=6,columns=6)", 20),),
    ),
)


def searching(contest: PlainContest, zermelo: Worker, peers: dict[str, Worker], rounds: int, seed: int) -> Answer:
    """A record of the contest: nodes a second, and CPU seconds to the same values, for each system that is there."""
    say(f"Searching {contest.name} to depth {contest.depth} ...")
    starts = random_starts(contest, seed)
    opponents = [each for each in contest.opponents if each.package in peers]
    rules = {each.system: same_rules(contest, each, zermelo, peers[each.package], starts) for each in opponents}
    ask = {"starts": starts, "depth": contest.depth}
    systems: Systems = {ZERMELO: lambda: zermelo.ask("search", game=contest.game, **ask)}
    for each in opponents:
        systems[each.system] = lambda each=each: peers[each.package].ask("search", game=each.game, **ask)  # type: ignore[misc]
    zermelo.ask("rate", game=contest.game, nodes=1000)  # machine code is made or fetched now
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
    """Whether both systems count the same number of move sequences of three plies from every start."""
    return all(
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
        state, moves = game.initial(), list[int]()
        while len(moves) < contest.plies and game.result(state) == z.ONGOING:
            moves.append(chosen.choice(list(game.moves(state))))
            state = game.play(state, moves[-1])
        if game.result(state) == z.ONGOING:
            starts.append(moves)
    return starts


def _rate(zermelo: Worker, game: str) -> float:
    """Nodes a second of a search long enough for what every search costs once not to count."""
    answer = zermelo.ask("rate", game=game, nodes=RATE_NODES)
    if not answer["cpu"]:
        raise BenchError(f"The clock of this machine is too coarse to time a search of {answer['nodes']} nodes.")
    return float(answer["nodes"] / answer["cpu"])
