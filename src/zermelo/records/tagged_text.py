"""The text of PGN and PDN: tags in brackets, then numbered moves with comments and variations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

from zermelo.formatting import one_line, shortened
from zermelo.game import Game
from zermelo.records.game_record import MAX_NESTING, GameRecord, RecordedMove, RecordError
from zermelo.records.record_stream import games_by_lines
from zermelo.value import DECISIVE, WIN_SCORE, loss_in, win_in

LINE_LENGTH = 79
"""Letters of a line of moves; PGN allows no more in its export format."""

TAG = re.compile(r'^\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$')
TOKEN = re.compile(
    r"\{(?P<comment>[^}]*)\}|;(?P<rest>[^\n]*)|(?P<open>\()|(?P<close>\))|\$\d+|"
    r"(?P<result>1-0|0-1|1/2-1/2|2-0|0-2|1-1|\*)(?=[\s){]|$)|(?P<number>\d+\s*\.+)|(?P<move>[^\s(){};]+)|(?P<bad>\S)"
)
EVALUATION = re.compile(r"\[%eval\s+(?:(?P<points>[+-]?\d{1,6}(?:\.\d{1,6})?)|#(?P<mate>[+-]?\d{1,4}))(?:,\d+)?\s*\]")
CLOCK = re.compile(r"\[%clk\s+(\d{1,4}):(\d{1,2}):(\d{1,2}(?:\.\d{1,3})?)\s*\]")

MAX_CLOCK = 3600 * 9999
"""More seconds are not written, since they would not be read."""

COMMAND_SPACE, NO_BREAK = re.compile(r"(?<=\[%eval) |(?<=\[%clk) "), "\0"
"""The space within a command in a comment, and what stands for it where lines are broken."""

NULL_MOVES = {"--", "Z0", "@@@@", "0000", "null"}
"""How programs write that a player does not move, to show a threat in a variation. No rules have such a move."""

EVENT_TAGS = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"}
"""Tags that every game has, and what they say where nothing is known."""


def is_tag(line: str) -> bool:
    return TAG.match(line) is not None


def begins_game(line: str, last: str) -> bool:
    """Whether a line begins another game: the first tag after moves."""
    return is_tag(line) and not is_tag(last)


def read_tags(text: str) -> tuple[dict[str, str], str]:
    """The tags of a game, and its text without them.

    >>> read_tags('[White "A"]\\n[Black "B \\\\"the\\\\" C"]\\n\\n1. e4')
    ({'White': 'A', 'Black': 'B "the" C'}, '\\n1. e4')
    """
    tags: dict[str, str] = {}
    rest: list[str] = []
    begun = False  # whether something other than tags has been read
    for line in text.split("\n"):
        found = None if begun else TAG.match(line)
        if found:
            tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        elif not line.startswith("%"):  # an escape line, for programs
            rest.append(line)
            begun = begun or bool(line.strip())
    return tags, "\n".join(rest)


def head_tags(record: GameRecord, game: Game, sides: Sequence[str], **more: str) -> dict[str, str]:
    """The tags with which a game begins: its event, the players of these sides, others, and where it starts."""
    tags = {name: record.tags.get(name, unknown) for name, unknown in EVENT_TAGS.items()}
    tags |= {side: name or "?" for side, name in zip(sides, record.players, strict=True)} | more
    if record.start and record.start != game.state_text(game.initial()):
        tags |= {"SetUp": "1", "FEN": record.start}
    return tags


def split(parts: Iterator[str]) -> Iterator[str]:
    """The texts of the games of a file."""
    return games_by_lines(parts, begins_game)


@dataclass
class _Draft:
    """A move that is being read. What belongs to it is joined once, so that reading takes linear time."""

    text: str
    comments: list[str]
    evaluation: float | None = None
    clock: float | None = None
    variations: list[tuple[RecordedMove, ...]] = field(default_factory=list)

    def move(self) -> RecordedMove:
        comment = " ".join(filter(None, self.comments))
        return RecordedMove(self.text, comment, self.evaluation, self.clock, tuple(self.variations))


class _Reader:
    """Reads moves into lines; a bracket begins a line that replaces the last move."""

    def __init__(self) -> None:
        self.lines: list[list[_Draft]] = [[]]
        self.result = ""
        self.before: list[str] = []
        """Comments before the first move of a line."""

    def add(self, text: str) -> None:
        move = text.rstrip("!?")
        if move and move not in ("...", "..", "e.p.", "ep"):
            self.lines[-1].append(_Draft(move, self.before))
            self.before = []

    def note(self, comment: str) -> None:
        evaluation, clock, words = read_comment(comment)
        if not self.lines[-1]:
            self.before.append(words)
            return
        move = self.lines[-1][-1]
        move.comments.append(words)
        move.evaluation = move.evaluation if evaluation is None else evaluation
        move.clock = move.clock if clock is None else clock

    def open(self) -> None:
        if not self.lines[-1] or len(self.lines) > MAX_NESTING:
            raise RecordError("a variation begins before a move" if not self.lines[-1] else "variations nest too deep")
        self.lines.append([])

    def close(self) -> None:
        if len(self.lines) == 1:
            raise RecordError("a variation ends that did not begin")
        line, main = self.lines.pop(), self.lines[-1][-1]
        end = next((at for at, draft in enumerate(line) if draft.text in NULL_MOVES), len(line))
        if rest := line[end:]:  # what follows a threat is words, without its variations
            words = [word for draft in rest for word in (draft.text, *draft.comments) if word]
            (line[end - 1] if end else main).comments.append(" ".join(words))
        if end:
            main.variations.append(tuple(draft.move() for draft in line[:end]))


def read_moves(text: str) -> tuple[tuple[RecordedMove, ...], str]:
    """The moves of a game as they are written, and its result; empty where there is none.

    >>> moves, result = read_moves("1. e4 {[%eval 0.3] best} (1. d4 d5) e5 2. Nf3!? 1-0")
    >>> [move.text for move in moves], moves[0].evaluation, moves[0].variations[0][1].text, result
    (['e4', 'e5', 'Nf3'], 0.3, 'd5', '1-0')
    >>> read_moves("1. e4 (1. Nf3 -- 2. e4) e5")[0][0].variations
    ((RecordedMove(text='Nf3', comment='-- e4', evaluation=None, clock=None, variations=()),),)
    """
    reader = _Reader()
    for found in TOKEN.finditer(text):
        if found["comment"] is not None or found["rest"] is not None:
            reader.note(found["comment"] or found["rest"] or "")
        elif found["open"]:
            reader.open()
        elif found["close"]:
            reader.close()
        elif found["result"]:
            if len(reader.lines) == 1:
                reader.result = found["result"]
        elif found["move"]:
            reader.add(found["move"])
        elif found["bad"]:
            raise RecordError(f"{shortened(text[found.start() :], 30)!r} cannot be read")
    if len(reader.lines) > 1:
        raise RecordError("a variation does not end")
    return tuple(draft.move() for draft in reader.lines[0]), reader.result


def read_comment(comment: str) -> tuple[float | None, float | None, str]:
    """The evaluation, the clock and the words of a comment; a mate is a score as in value.py.

    >>> read_comment("[%eval -1.25,18] [%clk 0:01:02] a mistake"), read_comment("[%eval #-2]")
    ((-1.25, 62.0, 'a mistake'), (-999997.0, None, ''))
    """
    evaluation, clock = EVALUATION.search(comment), CLOCK.search(comment)
    words = CLOCK.sub("", EVALUATION.sub("", comment))
    seconds = None if clock is None else 3600 * int(clock[1]) + 60 * int(clock[2]) + float(clock[3])
    return None if evaluation is None else _points(evaluation), seconds, " ".join(words.split())


def _points(evaluation: re.Match[str]) -> float:
    """An evaluation in points; that of a mate in n moves is the score of a win or loss in about 2n plies."""
    if evaluation["mate"] is None:
        return float(evaluation["points"])
    moves = int(evaluation["mate"])
    return float(win_in(2 * moves - 1) if moves > 0 else loss_in(max(-2 * moves - 1, 0)))


def _evaluation_text(points: float) -> str:
    """An evaluation as `read_comment` reads it, with two decimals: python-chess reads no more.

    >>> _evaluation_text(0.354), _evaluation_text(win_in(3)), _evaluation_text(loss_in(4)), _evaluation_text(-DECISIVE)
    ('0.35', '#2', '#-2', '-900000')
    """
    if not DECISIVE < abs(points) <= WIN_SCORE:
        return f"{round(points, 2):g}"
    moves = (round(WIN_SCORE - abs(points)) + 1) // 2
    return f"#{moves if points > 0 else -moves}"


# -- writing -----------------------------------------------------------------------------------------------------------


def tagged_text(
    tags: dict[str, str], moves: Sequence[RecordedMove], result: str, *, number: int = 1, second: bool = False
) -> str:
    """A game as text; `number` is that of the first move, and `second` says that the second player makes it."""
    head = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    words = " ".join([*_words(moves, 2 * (number - 1) + int(second)), result])
    bound = COMMAND_SPACE.sub(NO_BREAK, words)  # other programs read no evaluation that is spread over two lines
    lines = wrap(bound, LINE_LENGTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*head, "", *(line.replace(NO_BREAK, " ") for line in lines), ""])


def _words(moves: Sequence[RecordedMove], ply: int) -> Iterator[str]:
    """The words of a line that begins at a ply."""
    again = True  # whether the number is to be said though the second player moves
    for at, move in enumerate(moves, ply):
        if at % 2 == 0:
            yield f"{at // 2 + 1}."
        elif again:
            yield f"{at // 2 + 1}..."
        yield move.text
        comment = comment_text(move)
        if comment:
            yield "{" + comment + "}"
        for variation in move.variations:
            inner = " ".join(_words(variation, at))
            yield f"({inner})"
        again = bool(comment or move.variations)


def comment_text(move: RecordedMove) -> str:
    """What was noted of a move, without brackets.

    >>> comment_text(RecordedMove("e4", "best", 0.3, 62.5))
    '[%eval 0.3] [%clk 0:01:02.5] best'
    """
    parts = []
    if move.evaluation is not None and abs(move.evaluation) <= WIN_SCORE:
        parts.append(f"[%eval {_evaluation_text(move.evaluation)}]")
    if move.clock is not None and 0 <= move.clock < MAX_CLOCK:
        minutes, seconds = divmod(round(move.clock, 1), 60)
        hours, minutes = divmod(int(minutes), 60)
        whole = f"{seconds:04.1f}".removesuffix(".0")
        parts.append(f"[%clk {hours}:{minutes:02}:{whole.zfill(2)}]")
    return " ".join([*parts, re.sub("[{}]", "", one_line(move.comment))]).strip()


def _escaped(text: str) -> str:
    return one_line(text).replace("\\", "\\\\").replace('"', '\\"')
