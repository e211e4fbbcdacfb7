"""Retrograde analysis: games with loops, by a table of W, L and ? that is filled backward from the ends.

    W   the player to move wins: some successor is lost for the other
    L   the player to move loses: every successor is won for the other
    D   drawn by the rules: one of the players can force the game to end in a draw
    ?   not decided yet, and in the end: nobody can force an end, drawn by repetition

Two bits an entry are enough, four entries to a byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo import rules
from zermelo.game import Game, GameError, State
from zermelo.textbook.game_graph import Edge, Graph, begin, reachable, trace_entry
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tree_node import check_game
from zermelo.textbook.value_table import Table, table_of
from zermelo.value import DRAW, LOSS, WIN, Value

UNKNOWN, WON, LOST, DRAWN = range(4)
LETTERS = "?WLD"
TURNED = (UNKNOWN, LOST, WON, DRAWN)
"""An entry as the other player sees it."""


class TwoBits:
    """An array of numbers from 0 to 3, four to a byte.

    >>> table = TwoBits(5)
    >>> table[4] = 3
    >>> table[3], table[4], len(table.data)
    (0, 3, 2)
    """

    def __init__(self, length: int) -> None:
        self.length = length
        self.data = bytearray((length + 3) // 4)

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> int:
        if not 0 <= index < self.length:
            raise IndexError(index)
        return self.data[index >> 2] >> 2 * (index & 3) & 3

    def __setitem__(self, index: int, entry: int) -> None:
        shift = 2 * (index & 3)
        self.data[index >> 2] = self.data[index >> 2] & ~(3 << shift) | entry << shift

    def __iter__(self) -> Iterator[int]:
        return (self[index] for index in range(self.length))

    def __str__(self) -> str:
        return "".join(LETTERS[entry] for entry in self)


@dataclass(frozen=True, kw_only=True)
class Retrograde(Table):
    """A table with its entries as they are stored, and how many passes it took to fill."""

    entries: TwoBits
    passes: int

    def counts(self) -> dict[str, int]:
        """How many states are won, lost, drawn by rule, drawn by repetition."""
        letters = str(self.entries)
        return {letter: letters.count(letter) for letter in "WLD?"}


def retrograde(game: Game, state: State = None, *, symmetric: bool = False, trace: Trace | None = None) -> Retrograde:
    """The value of every state that can be reached from `state`, in a game that may go round in loops.

    Pass n finds the states decided n plies before the end, until a pass finds none. What is still ? then is a
    draw: by rule (D) where a player can force a drawn end, else by repetition. Wins and losses have their distance.

    >>> import zermelo as z
    >>> table = retrograde(z.load("nim(piles=(2,2),misere=True)"), symmetric=True)
    >>> print(table.value, table.counts(), table.passes)
    loss in 3 {'W': 4, 'L': 2, 'D': 0, '?': 0} 3
    """
    check_game("retrograde", game, trace)
    _check(game)
    graph = reachable(game, state, symmetric=symmetric)
    begin(trace, "retrograde")
    entries, distances = TwoBits(len(graph.states)), [0] * len(graph.states)
    found = _ends(graph)
    passes = -1
    while found:
        passes += 1
        for number, entry in found.items():
            entries[number], distances[number] = entry, passes
            trace_entry(trace, graph, number, _value(entry, passes).score, f"{LETTERS[entry]} in pass {passes}")
        found = _pass(graph, entries)
    drawn = _drawn_by_rule(graph, entries)
    for number in [number for number, entry in enumerate(entries) if entry == UNKNOWN]:
        entries[number] = DRAWN if number in drawn else UNKNOWN
        why = "drawn by rule" if number in drawn else "drawn by repetition"
        trace_entry(trace, graph, number, 0, f"{LETTERS[entries[number]]}, {why}", leaf=why)
    values = [_value(entry, distance) for entry, distance in zip(entries, distances, strict=True)]
    return Retrograde(**table_of("retrograde", graph, values), entries=entries, passes=max(passes, 0))


def _check(game: Game) -> None:
    if rules.has_chance(game):
        raise GameError(f"retrograde of {game!r}: its table knows no chance; use value_iteration.")
    if game.margin:
        raise GameError(f"retrograde of {game!r}: its table knows wins and losses, not points; use backward_induction.")


def _ends(graph: Graph) -> dict[int, int]:
    """Pass 0: the finished states that are won or lost."""
    kinds = {WIN: WON, LOSS: LOST}
    return {number: kinds[payoff] for number, payoff in enumerate(graph.payoffs) if payoff in kinds}


def _pass(graph: Graph, entries: TwoBits) -> dict[int, int]:
    """The undecided states that the entries so far decide."""
    found = {}
    for number, edges in enumerate(graph.edges):
        if entries[number] == UNKNOWN and edges:
            seen = {_seen(edge, entries) for edge in edges}
            if WON in seen:
                found[number] = WON
            elif seen == {LOST}:
                found[number] = LOST
    return found


def _seen(edge: Edge, entries: TwoBits) -> int:
    """A successor's entry as the state's own player sees it."""
    return TURNED[entries[edge.target]] if edge.turns else entries[edge.target]


# -- draws: by rule or by repetition -----------------------------------------------------------------------------


def _drawn_by_rule(graph: Graph, entries: TwoBits) -> set[int]:
    """The undecided states from which one of the players can force the game to end in a draw.

    Of each state it is found whether its own player can (`mine`) and whether the other one can (`theirs`). The player
    to move needs one way, the other one needs all ways that do not lose.
    """
    ends = {number for number, payoff in enumerate(graph.payoffs) if payoff == DRAW}
    mine, theirs = set(ends), set(ends)
    grown = bool(ends)
    while grown:
        before = len(mine) + len(theirs)
        for number, edges in enumerate(graph.edges):
            if entries[number] == UNKNOWN and number not in ends:
                ways = [edge for edge in edges if _seen(edge, entries) != LOST]
                if any(edge.target in (theirs if edge.turns else mine) for edge in ways):
                    mine.add(number)
                if all(edge.target in (mine if edge.turns else theirs) for edge in ways):
                    theirs.add(number)
        grown = len(mine) + len(theirs) > before
    return mine | theirs


def _value(entry: int, distance: int) -> Value:
    if entry == WON:
        return Value.win(distance)
    if entry == LOST:
        return Value.loss(distance)
    return Value.draw() if entry == DRAWN else Value.draw_by_repetition()
