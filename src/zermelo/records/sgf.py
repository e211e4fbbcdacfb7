"""SGF, the Smart Game Format, version 4: for Othello (GM 2), Gomoku (GM 4) and Hex (GM 11)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from zermelo.formatting import one_line
from zermelo.game import Game, GameError
from zermelo.games.gomoku import Gomoku
from zermelo.games.hex import Hex
from zermelo.games.othello import Othello
from zermelo.games.registry import load
from zermelo.records.game_record import (
    ENDED,
    MAX_NESTING,
    UNFINISHED,
    GameRecord,
    RecordedMove,
    RecordError,
    checked,
    movers,
)
from zermelo.records.property_text import Node, escaped, read_tree
from zermelo.records.record_stream import games_by_brackets

COLOURS = ("B", "W")
SGF_TAGS = {"EV": "Event", "PC": "Site", "DT": "Date", "RO": "Round", "GN": "Name", "GC": "Comment"}
"""Properties of the first node by the names of their tags."""


@dataclass(frozen=True)
class Kind:
    """One of the games: its number in SGF, its name for a side, and how its cells are written."""

    number: int
    cls: type[Game]
    name: Callable[[int], str]
    default_side: int
    rows_from_top: bool
    letters: bool
    """Whether a cell is two letters, as in Go; else it is written as on the board."""
    mover: bool
    """Whether the text of a state ends with the player to move."""

    def to_text(self, value: str, side: int) -> str:
        """A cell in the game's own notation."""
        if not self.letters:
            return value.lower()
        if value in ("", "tt"):
            return "pass"
        if not re.fullmatch("[a-z]{2}", value):
            raise RecordError(f"{value[:10]!r} is no cell")
        row = ord(value[1]) - ord("a")
        return f"{value[0]}{row + 1 if self.rows_from_top else side - row}"

    def to_value(self, text: str, side: int) -> str:
        if not self.letters:
            return text
        if text == "pass":
            return ""
        row = int(text[1:])
        return text[0] + chr(ord("a") + (row - 1 if self.rows_from_top else side - row))


KINDS = (
    Kind(2, Othello, lambda side: f"othello({side})", 8, True, True, True),
    Kind(4, Gomoku, lambda side: f"gomoku({side})", 15, False, True, False),
    Kind(11, Hex, lambda side: f"hex({side})", 11, True, False, True),
)


def split(parts: Iterator[str]) -> Iterator[str]:
    return games_by_brackets(parts)


def read(text: str, game: Game | None) -> GameRecord:
    """Read a game; without `game`, it is the one that the file names.

    >>> record = read("(;GM[4]FF[4]SZ[15]PB[A]PW[B];B[hh];W[hg])", None)
    >>> record.game, record.texts, record.players
    ('gomoku', ['h8', 'h9'], ('A', 'B'))
    """
    root = read_tree(text)
    kind = _kind_of_number(root.first("GM"))
    size = root.first("SZ")
    if size and not re.fullmatch(r"\d{1,2}", size):
        raise RecordError(f"its size {size[:10]!r} is no number")
    side = int(size) if size else kind.default_side
    game = load(kind.name(side)) if game is None else game
    if not isinstance(game, kind.cls) or game.side != side:  # type: ignore[attr-defined]
        raise RecordError(f"it is a game of {kind.name(side)}, not of {game!r}")
    moves = _line(root.children, kind, side)
    winner, words = _result(root.first("RE"))
    tags = {tag: one_line(root.first(name)) for name, tag in SGF_TAGS.items() if root.first(name)}
    players = root.first("PB"), root.first("PW")
    return checked(game, GameRecord("", moves, _start(root, kind, side), players, winner, words, tags))


def _kind_of_number(text: str) -> Kind:
    for kind in KINDS:
        if text == str(kind.number):
            return kind
    raise RecordError(
        f"its game is number {text[:10] or 1}, and only {', '.join(str(k.number) for k in KINDS)} can be read"
    )


def _start(root: Node, kind: Kind, side: int) -> str:
    """The text of the state that stones set up before the first move make; empty where there are none."""
    stones = {name: root.properties.get(name, []) for name in ("AB", "AW")}
    if not any(stones.values()):
        return ""
    rows = [["."] * side for _ in range(side)]
    for name, letter in (("AB", "X"), ("AW", "O")):
        for value in stones[name]:
            found = re.fullmatch(r"([a-z])(\d{1,2})", kind.to_text(value, side))
            column, number = (ord(found[1]) - ord("a"), int(found[2])) if found else (side, 0)
            row = number - 1 if kind.rows_from_top else side - number
            if not (0 <= column < side and 0 <= row < side):
                raise RecordError(f"{value[:10]!r} is no cell")
            rows[row][column] = letter
    mover = " O" if root.first("PL").upper().startswith("W") else " X"
    return "/".join("".join(row) for row in rows) + (mover if kind.mover else "")


def _line(nodes: Sequence[Node], kind: Kind, side: int, nesting: int = 0) -> tuple[RecordedMove, ...]:
    """The moves after a node, each with the lines that begin beside it."""
    if nesting > MAX_NESTING:
        raise RecordError(f"variations are nested more than {MAX_NESTING} deep")
    moves = []
    while nodes:
        node = nodes[0]
        colour = next((name for name in COLOURS if name in node.properties), None)
        if colour is not None:
            others = tuple(line for line in (_line([other], kind, side, nesting + 1) for other in nodes[1:]) if line)
            moves.append(_move(node, colour, kind, side, others))
        nodes = node.children
    return tuple(moves)


def _move(node: Node, colour: str, kind: Kind, side: int, others: tuple[tuple[RecordedMove, ...], ...]) -> RecordedMove:
    text = kind.to_text(node.first(colour), side)
    evaluation, clock = _number(node.first("V")), _number(node.first(f"{colour}L"))
    return RecordedMove(text, " ".join(node.first("C").split()), evaluation, clock, others)


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"[+-]?\d{1,9}(\.\d{1,9})?", text) else None


def _result(text: str) -> tuple[int | None, str]:
    """The winner and the words of a result such as B+4 or 0."""
    if text.startswith(("B+", "W+")):
        return 0 if text[0] == "B" else 1, ENDED
    return (None, ENDED) if text in ("0", "Draw", "draw") else (None, UNFINISHED)


# -- writing -----------------------------------------------------------------------------------------------------------


def write(record: GameRecord, game: Game) -> str:
    """A game as SGF.

    >>> import zermelo as z
    >>> game = z.load("gomoku")
    >>> write(read("(;GM[4]SZ[15];B[hh]C[the middle](;W[hg])(;W[gg]))", game), game).split("\\n")[1:]
    [';B[hh]C[the middle]', '(;W[hg])', '(;W[gg]))', '']
    """
    kind = _kind_of_game(game)
    side: int = game.side  # type: ignore[attr-defined]
    head = {"FF": "4", "GM": str(kind.number), "SZ": str(side), "AP": "Zermelo"}
    head |= {name: record.tags[tag] for name, tag in SGF_TAGS.items() if tag in record.tags}
    head |= {f"P{colour}": name for colour, name in zip(COLOURS, record.players, strict=True) if name}
    if record.finished:
        head["RE"] = "0" if record.winner is None else f"{COLOURS[record.winner]}+"
    text = "(;" + "".join(f"{name}[{escaped(value)}]" for name, value in head.items()) + _stones(record, game, kind)
    turns = list(movers(game, record))
    first = turns[0][0] if turns else 0
    return text + "\n" + _written(record.moves, first, kind, side) + ")\n"


def _written(moves: Sequence[RecordedMove], colour: int, kind: Kind, side: int) -> str:
    """A line of moves with its variations; after the first of these, all that follows is in brackets."""
    parts, closing = [], ""
    for move in moves:
        lines = "".join(f"\n({_written(line, colour, kind, side)})" for line in move.variations)
        parts.append(("\n(" if lines else "") + _node(move, COLOURS[colour], kind, side))
        if lines:
            closing = f"){lines}{closing}"
        colour = 1 - colour
    return "".join(parts).lstrip("\n") + closing


def _node(move: RecordedMove, colour: str, kind: Kind, side: int) -> str:
    text = f";{colour}[{kind.to_value(move.text, side)}]"
    text += f"C[{escaped(one_line(move.comment))}]" if move.comment else ""
    text += "" if move.evaluation is None else f"V[{move.evaluation:g}]"
    return text if move.clock is None else f"{text}{colour}L[{move.clock:g}]"


def _stones(record: GameRecord, game: Game, kind: Kind) -> str:
    """The stones of a start other than the initial state."""
    if not record.start or record.start == game.state_text(game.initial()):
        return ""
    rows, _, mover = record.start.partition(" ")
    found: dict[str, list[str]] = {"X": [], "O": []}
    lines = rows.split("/")
    for row, line in enumerate(lines):
        for column, letter in enumerate(line):
            if letter in found:
                number = row + 1 if kind.rows_from_top else len(lines) - row
                found[letter].append(kind.to_value(f"{chr(ord('a') + column)}{number}", len(lines)))
    text = "".join(
        f"{name}{''.join(f'[{cell}]' for cell in found[letter])}" for name, letter in (("AB", "X"), ("AW", "O"))
    )
    return f"{text}PL[{'W' if mover == 'O' else 'B'}]"


def _kind_of_game(game: Game) -> Kind:
    for kind in KINDS:
        if isinstance(game, kind.cls):
            return kind
    raise GameError(f"SGF is for Othello, Gomoku and Hex here, not for {game!r}; JSON holds the games of any game.")


def check_game(game: Game) -> None:
    """Raise GameError unless games of this kind can be written."""
    _kind_of_game(game)
