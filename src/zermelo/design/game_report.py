"""The figures of a game, as data, as text and for JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist, mean
from typing import Any

from zermelo.design.drama import Drama, drama_of
from zermelo.design.rule_coverage import DeadLine
from zermelo.design.sample_games import PlayedGame
from zermelo.formatting import Pretty, count_text
from zermelo.game import Game
from zermelo.matches.match_result import elo_text
from zermelo.matches.statistics import Sample
from zermelo.simulation.playouts_result import Playouts
from zermelo.solving.estimation.size_estimate import Estimate


@dataclass(frozen=True)
class Level:
    """Games of an engine against itself, and the nodes that it visits for a move."""

    nodes: int
    games: tuple[PlayedGame, ...]

    @property
    def counts(self) -> tuple[int, int, int]:
        """Wins of the first player, draws, wins of the second."""
        winners = [game.winner for game in self.games]
        return winners.count(0), winners.count(None), winners.count(1)

    @property
    def length(self) -> float:
        return mean(len(game.moves) for game in self.games)

    @property
    def endless(self) -> int:
        """Games that were given up, or ended by repetition."""
        return sum(game.endless or game.repeated for game in self.games)


@dataclass(frozen=True)
class SkillStep:
    """A player with twice the nodes against one with `nodes`: the points of each pair of games."""

    nodes: int
    pairs: tuple[tuple[float, float], ...]

    @property
    def sample(self) -> Sample:
        counts = [0] * 5
        for first, second in self.pairs:
            counts[round(2 * (first + second))] += 1
        return Sample.of_pairs(counts)


@dataclass(frozen=True)
class PieRule:
    """First moves by the first player's win probability, best first; under a pie rule the most level one is played."""

    moves: tuple[tuple[str, float], ...]

    @property
    def without(self) -> float:
        """The first player's win probability."""
        return self.moves[0][1]

    @property
    def fairest(self) -> tuple[str, float]:
        """The first move after which it matters least who has which side, and the win probability of the first."""
        text, chance = min(self.moves, key=lambda move: abs(move[1] - 0.5))
        return text, min(chance, 1 - chance)


@dataclass(frozen=True)
class GameReport(Pretty):
    """The figures that designers ask for. What could not be computed is None."""

    game: Game
    seconds: float
    playouts: Playouts
    levels: tuple[Level, ...]
    skill: tuple[SkillStep, ...]
    pie: PieRule | None
    proven: str | None
    estimate: Estimate | None
    dead: tuple[DeadLine, ...] = field(default=())
    notes: tuple[str, ...] = ()
    """What could not be computed, as sentences."""

    @property
    def drama(self) -> Drama | None:
        """Of the games of the strongest level."""
        return drama_of(self.levels[-1].games) if self.levels else None

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Names and values."""
        play = self.playouts
        rows = [
            (
                "moves to choose from",
                f"{play.mean_branching:.1f} in random play, {max(play.branching, default=0)} at most",
            ),
            ("length", f"{play.mean_length:.1f} plies in random play{self._lengths()}"),
            ("first player, random play", _rates(play.wins, play.draws, play.n - play.wins - play.draws)),
        ]
        for level in self.levels:
            rows.append((f"first player, {level.nodes:,} nodes a move", _rates(*level.counts)))
        rows.append(("proven", self.proven or "not within the time"))
        if (drama := self.drama) is not None:
            rows += [
                ("lead changes", f"{drama.lead_changes:.1f} a game"),
                ("comebacks", f"{drama.comebacks:.0%} of the games that were won"),
                ("decided", f"after {drama.decided:.0%} of the game"),
            ]
        rows.append(("skill", self._skill()))
        if self.pie is not None:
            rows.append(("pie rule", self._pie()))
        rows.append(("stalling", self._stalling()))
        if self.estimate is not None:
            rows.append(("positions", self.estimate.states_text))
        rows.append(("rules that never fire", self._dead()))
        return rows

    def _lengths(self) -> str:
        return f", {self.levels[-1].length:.1f} in the strongest self-play" if self.levels else ""

    def _skill(self) -> str:
        if not self.skill:
            return "not measured"
        total = [0] * 5
        for step in self.skill:
            for first, second in step.pairs:
                total[round(2 * (first + second))] += 1
        sample = Sample.of_pairs(total)
        low, high = sample.interval()
        return f"{elo_text(sample.elo)} Elo for twice the nodes, 95 % between {elo_text(low)} and {elo_text(high)}"

    def _pie(self) -> str:
        assert self.pie is not None
        text, chance = self.pie.fairest
        return f"the first player has {self.pie.without:.0%} without it, {chance:.0%} with it, by {text}"

    def _stalling(self) -> str:
        endless = sum(level.endless for level in self.levels)
        games = sum(len(level.games) for level in self.levels)
        unfinished = self.playouts.unfinished / self.playouts.n
        return f"{unfinished:.1%} of random games do not end, {endless} of {games} games of self-play"

    def _dead(self) -> str:
        return count_text(len(self.dead), "line") if self.dead else "none"

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self.rows)
        lines = [f"{self.game!r}, {self.seconds:.0f} s", *(f"  {name:<{width}}  {value}" for name, value in self.rows)]
        lines += [f"  line {line.number} of {line.rule}: {line.text}" for line in self.dead]
        return "\n".join([*lines, *self.notes])

    def to_dict(self) -> dict[str, Any]:
        """The figures for JSON."""
        levels = [
            {"nodes": level.nodes, "games": len(level.games), "counts": level.counts, "length": level.length,
             "endless": level.endless}
            for level in self.levels
        ]  # fmt: skip
        skill = [{"nodes": step.nodes, "pairs": len(step.pairs), "elo": step.sample.elo} for step in self.skill]
        return {
            "game": repr(self.game),
            "seconds": self.seconds,
            "playouts": self.playouts.to_dict(),
            "levels": levels,
            "skill": skill,
            "drama": None if self.drama is None else vars(self.drama),
            "pie": None if self.pie is None else dict(self.pie.moves),
            "proven": self.proven,
            "estimate": None if self.estimate is None else self.estimate.to_dict(),
            "dead": [vars(line) for line in self.dead],
            "notes": list(self.notes),
        }

    def save(self, path: Any, *others: GameReport) -> None:
        """Write the report as a page with plots that needs no other file; beside it those of other versions."""
        from zermelo.show.report_page import save_page

        save_page(path, [self, *others])


def score_interval(points: float, games: int) -> tuple[float, float]:
    """The shares of points between which the true one lies with 95 % probability (Wilson's score interval).

    >>> [round(bound, 2) for bound in score_interval(5, 5)], score_interval(0, 0)
    ([0.57, 1.0], (0.0, 1.0))
    """
    if games == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.975)
    share, extra = points / games, z * z / games
    centre = (share + extra / 2) / (1 + extra)
    spread = sqrt(extra * share * (1 - share) + extra * extra / 4) / (1 + extra)
    return max(centre - spread, 0.0), min(centre + spread, 1.0)


def _rates(wins: int, draws: int, losses: int) -> str:
    total, points = wins + draws + losses, wins + draws / 2
    drawn = f", {draws / total:.0%} drawn" if draws else ""
    low, high = score_interval(points, total)
    bounds = f"{count_text(total, 'game')}, 95 % between {low:.0%} and {high:.0%}"
    return f"{points / max(total, 1):.1%} of the points{drawn} ({bounds})"
