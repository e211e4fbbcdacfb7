"""The cost of a `noisy` rule: the nodes of shallow searches with the rule and without it.

The searches are interpreted, since compiling one takes longer than a check. Both visit the same nodes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from zermelo.checking.counterexample import Visit
from zermelo.checking.examiner import Examiner
from zermelo.formatting import exception_text, percent_text
from zermelo.game import Game
from zermelo.limits import Limit
from zermelo.rules import has_chance, has_noise
from zermelo.searching import search

SAMPLED_STATES = 8
"""States from which the searches start, spread over the plies of the visited ones."""

NOISE_SEARCH_NODES = 4000
"""Nodes of one search, at most."""

WIDE_GAME_MOVES = 60
"""The mean number of moves above which the searches are one ply deep, not two."""


@dataclass(frozen=True, slots=True)
class NoiseCost:
    """Nodes of searches to `depth` with the rule and without it; `capped` if a search with it had too many to finish.

    `noisy` of the `moves` of the visited states are noisy.
    """

    depth: int
    with_rule: int
    without: int
    capped: bool
    noisy: int
    moves: int

    def __str__(self) -> str:
        share = f"{percent_text(self.noisy, self.moves)} of the moves"
        if not self.without:
            return share
        plies = "one ply" if self.depth == 1 else "two plies"
        ratio = self.with_rule / self.without
        more = f"{'more than ' * self.capped}{ratio:.1f} times as many"
        nodes = f"searches of {plies} take {self.with_rule:,} nodes with the rule and {self.without:,} without"
        return f"{share}; {nodes}, {more}"


def noise_cost(examiner: Examiner) -> NoiseCost | None:
    """Measure what `noisy` costs. Return None if the game has no such rule, or note that it has no effect."""
    game = examiner.game
    if not has_noise(game):
        return None
    if has_chance(game):
        examiner.note("noisy", None, "has no effect: a game of chance is searched without quiescence", "game.noisy")
        return None
    visits = [visit for visit in examiner.visits.values() if visit.ongoing and visit.moves]
    flags = [bool(examiner.call(game, "noisy", visit, visit.state, move)) for visit in visits for move in visit.moves]
    depth = 1 if len(flags) > WIDE_GAME_MOVES * len(visits) else 2
    noisy, quiet = _variant(game, {}), _variant(game, {"noisy": Game.noisy})
    with_rule = without = 0
    capped = False
    for visit in _spread(visits):
        plain = _nodes(examiner, quiet, visit, depth)
        found = _nodes(examiner, noisy, visit, depth)
        if examiner.late:  # the clock may have ended a search
            break
        if plain < NOISE_SEARCH_NODES:  # else there is nothing to compare
            with_rule, without, capped = with_rule + found, without + plain, capped or found >= NOISE_SEARCH_NODES
    return NoiseCost(depth, with_rule, without, capped, sum(flags), len(flags))


def _variant(game: Game, members: dict[str, object]) -> Game:
    """The same game, interpreted, with other members of its class."""
    cls = type(type(game).__name__, (type(game),), {"native": False, "__module__": type(game).__module__, **members})
    made: Game = cls(**{field.name: getattr(game, field.name) for field in fields(game) if field.init})  # type: ignore[arg-type]
    return made


def _spread(visits: list[Visit]) -> list[Visit]:
    """Some of the visits, evenly by their distance from the initial state; those of the middle game come first."""
    ordered = sorted(visits, key=lambda visit: visit.plies)
    step = max(len(ordered) // SAMPLED_STATES, 1)
    chosen = ordered[step // 2 :: step][:SAMPLED_STATES]
    return sorted(chosen, key=lambda visit: abs(chosen.index(visit) - len(chosen) // 2))


def _nodes(examiner: Examiner, game: Game, visit: Visit, depth: int) -> int:
    try:
        limit = Limit(seconds=examiner.seconds, depth=depth, nodes=NOISE_SEARCH_NODES)
        return search(game, visit.state, limit).nodes
    except Exception as error:
        problem = f"is followed by a search that raises {type(error).__name__}: {exception_text(error).rstrip('.')}"
        code = f"import zermelo as z\nz.search(game, state, z.Limit(depth={depth}))"
        examiner.fail("noisy", visit, problem, code)
