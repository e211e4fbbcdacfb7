"""Lines of moves read by machine code, where each move has one name in all states.

The kernel compares the names of the legal moves with the line, as `MoveReader` does. It leaves a line to the reader if
it meets a move whose name it does not know, or cannot go on.

    table:   MASK | a slot for each hash: move, first letter and length of its name, words of the name after the first
    rows:    for each line 1 if it was read, and the numbers of its state
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo import bits
from zermelo.game import ONGOING, State
from zermelo.games.support.move_reading import MAX_MOVE_LENGTH, MoveReader
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import chances_into, moves_into, numbers, state_to_words
from zermelo.solving.enumeration.state_rows import state_maker
from zermelo.word_arrays import Words

MAX_MOVES = 4096
"""Moves of a state; a line that meets more of them is left to the reader."""

LINES_AT_A_TIME = 4096
"""Lines between which the names of new moves are added to the table."""

SLOT_SIZE = 4
MOVE, START, LENGTH, SPACES = range(SLOT_SIZE)
"""Offsets in a slot; a length of 0 is an empty slot."""

SPACE = 32
"""The letter between words."""


class CompiledReader:
    """Reads many lines at once, with the names that a MoveReader has seen."""

    def __init__(self, reader: MoveReader) -> None:
        self.reader = reader
        self.width = 1 + sum(1 for _ in numbers(reader.first))
        self.known = -1
        self.table = self.names = Words.zeros(1)
        self.lists = Words.zeros(2 * MAX_MOVES)
        self.signed: dict[int, bool] = {}
        self.build = state_maker(reader.game)

    @classmethod
    def of(cls, reader: MoveReader) -> CompiledReader | None:
        """Return the compiled reader of a game. None if its rules do not compile, or texts depend on the state."""
        if not is_readable(reader):
            return None
        compiled = cls(reader)
        return compiled if read_lines.ready(reader.game, *compiled.arguments([""])) else None

    def read(self, lines: list[str]) -> list[State | None]:
        """The state after each line of moves; None for a line that is left to the reader."""
        arguments = self.arguments(lines)
        try:
            read_lines.call_compiled(self.reader.game, *arguments)
        except Exception:  # raised by a rule; the reader will say by which and where
            return [None] * len(lines)
        rows = arguments[-2].array.reshape(len(lines), self.width)
        right, words = rows[:, 0] == 1, rows[:, 1:].tolist()
        for number in np.flatnonzero(right & (rows < 0).any(axis=1)).tolist():
            right[number] = self._restore_signs(words[number])
        return [self.build(row) if read else None for read, row in zip(right.tolist(), words, strict=True)]

    def learn(self, state: State) -> None:
        """Note the numbers of a state that interpreted rules made: which are negative, and which are beyond 63 bits."""
        for place, number in enumerate(numbers(state)):
            if not 0 <= number < 1 << 63:
                self.signed[place] = number < 0

    def _restore_signs(self, row: list[int]) -> bool:
        """Write numbers as interpreted rules do: 2**64 - 1 and -1 are one word. Return False if that is not known."""
        for place, word in enumerate(row):
            if word < 0 and place not in self.signed:
                return False
            if word < 0 and not self.signed[place]:
                row[place] = bits.unsigned(word)
        return True

    def arguments(self, lines: list[str]) -> tuple[Any, ...]:
        """The arguments of the kernel after the game."""
        if len(self.reader.names or ()) != self.known:
            self._learn(self.reader.names or {})
        letters = letters_of("".join(lines))
        starts = np.zeros(len(lines) + 1, np.int64)
        np.cumsum([len(line) for line in lines], out=starts[1:])
        rows = Words.zeros(len(lines) * self.width)
        return self.reader.first, letters, Words(starts), self.table, self.names, rows, self.lists

    def _learn(self, names: dict[int, str]) -> None:
        """Put all names into the table that are texts of moves as they are; lines of others may describe a state."""
        self.known = len(names)
        usable = {
            move: name
            for move, name in names.items()
            if -1 << 63 <= move < 1 << 63
            and 0 < len(name) <= MAX_MOVE_LENGTH
            and (not self.reader.has_odd_texts or self.reader.game.move_text(self.reader.first, move) == name)
        }
        slots = 64
        while slots < 2 * len(usable):
            slots *= 2
        self.names = letters_of("".join(usable.values()))
        self.table = Words.zeros(1 + SLOT_SIZE * slots)
        self.table[0] = slots - 1
        start = 0
        for move, name in usable.items():
            slot = find_name(self.table, move)
            for offset, word in enumerate((move, start, len(name), name.count(" "))):
                self.table[slot + offset] = word
            start += len(name)


def is_readable(reader: MoveReader) -> bool:
    """Return whether lines can be compared with names of moves, and states are whole numbers."""
    return not reader.has_parser and reader.names is not None and all(type(n) is int for n in numbers(reader.first))


def letters_of(text: str) -> Words:
    """The letters of a text, one to a word."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.int32)
    return Words(codes.astype(np.int64) if len(codes) else np.zeros(1, np.int64))


def find_name(table, move):
    """Return the offset of the slot of a move, or of the empty one where it would be."""
    place = bits.signed(bits.mix(move)) & table[0]
    while True:
        slot = 1 + SLOT_SIZE * place
        if table[slot + LENGTH] == 0 or table[slot + MOVE] == move:
            return slot
        place = place + 1 & table[0]


def names_here(letters, at, end, names, start, length):
    """Return whether a line, from `at` on, begins with a name."""
    if at + length > end:
        return False
    i = 0
    while i < length and letters[at + i] == names[start + i]:
        i += 1
    return i == length


@kernel(kinds="state words words words words words words")
def read_lines(game, state, letters, starts, table, names, rows, lists):
    """Play the moves that each line names from `state` on, and write the states that they lead to into `rows`."""
    moves, weights = lists.part(0, MAX_MOVES), lists.reals(MAX_MOVES, MAX_MOVES)
    width = len(rows) // (len(starts) - 1)
    for line in range(len(starts) - 1):
        at, end = starts[line], starts[line + 1]
        reached = state
        while at < end and game.result(reached) == ONGOING:
            if game.is_chance(reached):
                count = chances_into(game, reached, moves, weights)
            else:
                count = moves_into(game, reached, moves)
            best, longest, least = -1, 0, MAX_MOVE_LENGTH
            for i in range(count if count <= MAX_MOVES else 0):
                slot = find_name(table, moves[i])
                length, spaces = table[slot + LENGTH], table[slot + SPACES]
                if length == 0:
                    best = -1
                    break
                better = spaces < least or (spaces == least and length > longest)
                if better and names_here(letters, at, end, names, table[slot + START], length):
                    best, longest, least = i, length, spaces
            if best < 0:
                break
            reached = game.play(reached, moves[best])
            at += longest
            if at < end and letters[at] == SPACE:
                at += 1
        if at == end:
            rows[line * width] = 1
            state_to_words(game, reached, rows.part(line * width + 1, width - 1))
    return len(starts) - 1
