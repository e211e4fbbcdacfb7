"""Retrograde analysis of games with cycles: a table of W, L and ? is filled backward from the terminal states.

    W   the player to move wins: some successor is lost for the other player
    L   the player to move loses: every successor is won for the other player
    D   drawn by rule: a player can force the game to end in a draw
    ?   unknown; after the last pass, drawn by repetition

An entry has two bits, four entries to a byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo import rules
from zermelo.game import Game, GameError, State
from zermelo.textbook.game_graph import (
    Edge,
    Graph,
    ProgressCallback,
    ignore_progress,
    reachable_graph,
    start_trace,
    trace_entry,
)
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tree_node import check_game
from zermelo.textbook.value_table import Table, table_of
from zermelo.value import DRAW, LOSS, WIN, Value

UNKNOWN, WON, LOST, DRAWN = range(4)
LETTERS = "?WLD"
NEGATED = (UNKNOWN, LOST, WON, DRAWN)
"""An entry seen by the other player."""


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
    """A table with its packed entries and the number of passes."""

    entries: TwoBits
    passes: int

    def counts(self) -> dict[str, int]:
        """The number of states that are won, lost, drawn by rule and drawn by repetition."""
        letters = str(self.entries)
        return {letter: letters.count(letter) for letter in "WLD?"}


def retrograde(
    game: Game,
    state: State = None,
    *,
    symmetric: bool = False,
    trace: Trace | None = None,
    progress: ProgressCallback = ignore_progress,
) -> Retrograde:
    """The value of every state reachable from `state`, in a game that may have cycles.

    Pass n finds the states that are decided in n plies, until a pass finds none. States that are still ? are draws: by
    rule (D) if a player can force a drawn end, otherwise by repetition. Wins and losses have their distance. `progress`
    is called after each state with "forward" or "backward", the number of states that are finished, and that of all.

    >>> import zermelo as z
    >>> table = retrograde(z.load("nim(piles=(2,2),misere=True)"), symmetric=True)
    >>> print(table.value, table.counts(), table.passes)
    loss in 3 {'W': 4, 'L': 2, 'D': 0, '?': 0} 3
    """
    check_game("retrograde", game, trace)
    _check(game)
    graph = reachable_graph(game, state, symmetric=symmetric, progress=progress)
    start_trace(trace, "retrograde")
    entries, distances = TwoBits(len(graph.states)), [0] * len(graph.states)
    found = _terminal_entries(graph)
    passes, done = -1, 0
    while found:
        passes += 1
        done += len(found)
        progress("backward", done, len(graph.states))
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
        raise GameError(f"retrograde of {game!r}: its table has no chance nodes; use value_iteration.")
    if game.margin:
        raise GameError(f"retrograde of {game!r}: its table has wins and losses, no points; use backward_induction.")


def _terminal_entries(graph: Graph) -> dict[int, int]:
    """Pass 0: the terminal states that are won or lost."""
    kinds = {WIN: WON, LOSS: LOST}
    return {number: kinds[payoff] for number, payoff in enumerate(graph.payoffs) if payoff in kinds}


def _pass(graph: Graph, entries: TwoBits) -> dict[int, int]:
    """The unknown states that the entries so far decide."""
    found = {}
    for number, edges in enumerate(graph.edges):
        if entries[number] == UNKNOWN and edges:
            seen = {_entry_seen(edge, entries) for edge in edges}
            if WON in seen:
                found[number] = WON
            elif seen == {LOST}:
                found[number] = LOST
    return found


def _entry_seen(edge: Edge, entries: TwoBits) -> int:
    """A successor's entry seen by the player to move in the state."""
    return NEGATED[entries[edge.target]] if edge.changes_player else entries[edge.target]


# -- draws: by rule or by repetition -----------------------------------------------------------------------------


def _drawn_by_rule(graph: Graph, entries: TwoBits) -> set[int]:
    """The unknown states from which a player can force the game to end in a draw.

    `mine` holds the states where the player to move can force it, `theirs` those where the other player can. The player
    to move needs one such successor; for the other player, all successors that do not lose must be such.
    """
    ends = {number for number, payoff in enumerate(graph.payoffs) if payoff == DRAW}
    mine, theirs = set(ends), set(ends)
    grown = bool(ends)
    while grown:
        before = len(mine) + len(theirs)
        for number, edges in enumerate(graph.edges):
            if entries[number] == UNKNOWN and number not in ends:
                ways = [edge for edge in edges if _entry_seen(edge, entries) != LOST]
                if any(edge.target in (theirs if edge.changes_player else mine) for edge in ways):
                    mine.add(number)
                if all(edge.target in (mine if edge.changes_player else theirs) for edge in ways):
                    theirs.add(number)
        grown = len(mine) + len(theirs) > before
    return mine | theirs


def _value(entry: int, distance: int) -> Value:
    if entry == WON:
        return Value.win(distance)
    if entry == LOST:
        return Value.loss(distance)
    return Value.draw() if entry == DRAWN else Value.draw_by_repetition()
