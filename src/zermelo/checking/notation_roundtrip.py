"""Check that texts of moves and states are read back, and that boards can be drawn."""

from __future__ import annotations

from collections import Counter
from typing import Any

from zermelo.board import Board
from zermelo.checking.answer_types import described, is_int, shown
from zermelo.checking.counterexample import Visit
from zermelo.checking.examiner import Examiner
from zermelo.formatting import exception_text

NONSENSE = "no such move"

MAX_READ_IN_LINES = 5
"""Moves of a state whose texts are read as a line of moves, where they are more than a word."""


def check_notation(examiner: Examiner) -> None:
    """Check that texts of moves and states are read back, and that only legal moves are, none after the end."""
    strange: dict[str, None] = {NONSENSE: None}  # texts of moves that are legal elsewhere
    readable = True
    for visit in examiner.visits.values():
        if examiner.late:
            break
        _check_state_text(examiner, visit)
        texts = _check_move_texts(examiner, visit)
        readable = readable and _are_read_in_lines(examiner, visit, texts)
        if examiner.game.has("parse_move"):
            _check_refusals(examiner, visit, [text for text in strange if text not in texts])
            strange.update(dict.fromkeys([*texts][: 40 - len(strange)]))
        if examiner.game.has("board"):
            _check_board(examiner, visit)


# -- states and moves as text ----------------------------------------------------------------------------------


def _check_state_text(examiner: Examiner, visit: Visit) -> None:
    game, written = examiner.game, examiner.game.has("state_text") or examiner.game.has("parse_state")
    text = examiner.ask("state_text", visit, visit.state)
    if not isinstance(text, str) or not text:
        examiner.fail("state_text", visit, f"returns {described(text)}, not a text", "game.state_text(state)")
    code = "game.parse_state(game.state_text(state)), state"
    try:
        back = game.parse_state(text)
    except ValueError as error:
        if written:
            problem = f"does not read {text!r}, the text of this state ({exception_text(error)})"
            examiner.fail("parse_state", visit, problem, code)
        examiner.note("parse_state", visit, "cannot read back the text of a state of this kind", code)
        return
    same_type = type(back) is type(visit.state) or not isinstance(visit.state, tuple)  # 4 and np.int64(4) are one state
    if back != visit.state or not same_type:
        examiner.fail("parse_state", visit, f"reads {text!r}, the text of this state, as {described(back)}", code)


def _check_move_texts(examiner: Examiner, visit: Visit) -> dict[str, Any]:
    """The moves by their texts, each of which is read back by the parser."""
    texts: dict[str, Any] = {}
    for move in visit.moves:
        text, code = examiner.ask("move_text", visit, visit.state, move), f"game.move_text(state, {move!r})"
        if not isinstance(text, str) or not text:
            examiner.fail("move_text", visit, f"returns {described(text)} for the move {shown(move)}, not a text", code)
        if text in texts:
            problem = f"writes {text!r} for two moves, {shown(texts[text])} and {shown(move)}"
            examiner.fail("move_text", visit, problem, f"{code}, game.move_text(state, {texts[text]!r})")
        texts[text] = move
        if examiner.game.has("parse_move"):
            back = examiner.ask("parse_move", visit, visit.state, text)
            if back != move:
                problem = f"reads {text!r}, the text of the move {shown(move)}, as {described(back)}"
                examiner.fail("parse_move", visit, problem, f"game.parse_move(state, {text!r})")
    return texts


def _are_read_in_lines(examiner: Examiner, visit: Visit, texts: dict[str, Any]) -> bool:
    """Note a move that z.position cannot read, since its text is too long or like another one; False if there is one.

    A short text of one word without a comma is compared as it is, or parsed, which is checked above.
    """
    from zermelo.games.support.move_reading import MAX_MOVE_LENGTH, NO_MOVE, MoveReader, joined_words

    names = {text: joined_words(text) for text in texts}
    same = Counter(names.values())
    odd = [
        text
        for text, name in names.items()
        if name != text or " " in name or len(name) > MAX_MOVE_LENGTH or same[name] > 1
    ]
    for text in odd[:: len(odd) // MAX_READ_IN_LINES + 1]:
        try:
            move, rest = MoveReader.of(examiner.game).next_move(visit.state, text)
        except Exception:  # raised by the game's own parser for the first words of a text
            move, rest = NO_MOVE, text
        state = names[text] != text and _is_state(examiner, text)
        if move != texts[text] or rest or state:
            reads = "a state" if state else "no move" if move is NO_MOVE else f"the move {shown(move)}"
            after = f" and then {rest!r}" if rest and move is not NO_MOVE else ""
            problem = f"writes {text!r}, in which z.position reads {reads}{after}; write each move as one short word"
            examiner.note("move_text", visit, problem, f"game.move_text(state, {texts[text]!r})")
            return False
    return True


def _is_state(examiner: Examiner, text: str) -> bool:
    try:
        examiner.game.parse_state(text)
    except Exception:  # a parser of states may raise anything for a move
        return False
    return True


def _check_refusals(examiner: Examiner, visit: Visit, texts: list[str]) -> None:
    """Check that texts which are no legal move here are rejected; after the end, all of them."""
    if not visit.ongoing:
        parent = visit.parent
        texts = [*texts, *(_check_move_texts(examiner, parent) if parent else [])]
    for text in texts:
        try:
            move = examiner.game.parse_move(visit.state, text)
        except ValueError:
            continue
        except Exception as error:
            problem = f"raises {type(error).__name__} for {text!r}; a text that is no legal move is a GameError"
            examiner.fail("parse_move", visit, problem, f"game.parse_move(state, {text!r})")
        if not visit.ongoing:
            problem = f"reads {text!r} as {described(move)}, a move after the end; it must raise a GameError"
            examiner.fail("parse_move", visit, problem, f"game.result(state), game.parse_move(state, {text!r})")
        if move not in visit.moves:
            problem = f"reads {text!r} as {described(move)}, which is no legal move here; it must raise a GameError"
            examiner.fail("parse_move", visit, problem, f"game.parse_move(state, {text!r}), list(game.moves(state))")


# -- boards ----------------------------------------------------------------------------------------------------


def check_boards(examiner: Examiner) -> None:
    """Check the boards of the states that were visited."""
    if examiner.game.has("board"):
        for visit in examiner.visits.values():
            if examiner.late:
                break
            _check_board(examiner, visit)


def _check_board(examiner: Examiner, visit: Visit) -> None:
    board = examiner.ask("board", visit, visit.state)
    if not isinstance(board, Board):
        problem = f"returns {described(board)}, not a board of zermelo.board, such as a Grid"
        examiner.fail("board", visit, problem, "game.board(state)")
    if examiner.game.has("highlights"):
        _check_highlights(examiner, visit, len(board))
    if examiner.game.has("squares") and visit.ongoing and not visit.chance:
        for move in visit.moves:
            _check_squares(examiner, visit, move, len(board))


def _check_highlights(examiner: Examiner, visit: Visit, squares: int) -> None:
    found = examiner.ask("highlights", visit, visit.state)
    if not _are_squares(found, squares):
        problem = f"returns {described(found)}, not a tuple of ints below {squares}"
        examiner.fail("highlights", visit, problem, "game.highlights(state)")


def _are_squares(found: Any, squares: int) -> bool:
    return isinstance(found, tuple) and all(is_int(square) and 0 <= square < squares for square in found)


def _check_squares(examiner: Examiner, visit: Visit, move: Any, squares: int) -> None:
    touched = examiner.ask("squares", visit, visit.state, move)
    if not _are_squares(touched, squares):
        problem = f"returns {described(touched)} for the move {shown(move)}, not a tuple of ints below {squares}"
        examiner.fail("squares", visit, problem, f"game.squares(state, {move!r})")
