"""Contests: the same work given to each system in turn, round after round, and answers that must agree.

A ratio is the peer's CPU time over Zermelo's (or Zermelo's nodes a second over the peer's): above 1, Zermelo is faster.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from statistics import median
from typing import Any

from positions import PositionSet

ZERMELO = "zermelo"

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
