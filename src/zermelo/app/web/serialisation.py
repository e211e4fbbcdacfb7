"""Records: positions, reports and values as the API hands them out."""

from __future__ import annotations

import random
from typing import Any

from zermelo import rules
from zermelo.app.output import odds, plain
from zermelo.app.web.game_catalog import Ready, check_width
from zermelo.board import Board, Grid, Marks, parts_of, sides_of, turns
from zermelo.game import Game, GameError, Move, State
from zermelo.games.registry import TextError
from zermelo.games.support.position import position as position_of
from zermelo.play.session import Session, Turn
from zermelo.searching import Line, Report
from zermelo.show.clicks import stepwise
from zermelo.show.scene.board_scene import board_of
from zermelo.show.svg.board_svg import svg
from zermelo.show.text.board_text import text
from zermelo.solving.solution import Solution
from zermelo.value import DRAW, LOSS, WIN, Value

MOST_PLAYED = 1000
"""Moves that a request may play."""

MOST_SQUARES = 1024
"""Squares of a board that can be drawn."""

LONGEST_MOVE = 8
"""Words of which a move may consist."""

LONGEST_PART = 16
"""Letters of a move that is written together with the next."""

LONGEST_TEXT = 10_000
"""Letters of a state or a move that is shown."""

LOOKED_AHEAD = 40
"""Plies that are played from a start which somebody wrote down, before it is searched as machine code."""

TONES = {WIN: "win", DRAW: "draw", LOSS: "loss"}


# -- reading ---------------------------------------------------------------------------------------------------------


def session_of(game: Game, start: str, moves: str) -> Session:
    """The game that a request describes: where it starts, and what was played from there."""
    first, start = rules.initial_state(game), start.strip()
    usual = start in ("", game.state_text(first))  # a game that reads no states still knows its own start
    session = Session(game, first if usual else position_of(game, start))
    words = moves.split()
    if len(words) > MOST_PLAYED:
        raise TextError(f"{game!r}: {len(words)} moves are too many; a request may play {MOST_PLAYED}.")
    while words:
        check_width(game, session.state)
        words = _enter(session, words)
        if len(session.history) > MOST_PLAYED:
            raise TextError(f"{game!r}: a request may play {MOST_PLAYED} moves.")
    check_width(game, session.state)
    _check_notation(session)
    if not usual:
        try_out(game, session.state)
    return session


def _enter(session: Session, words: list[str]) -> list[str]:
    """Play what the first words say, and return those that are left.

    That is the first word mostly. Some games write a move in several, and people write several moves in one.
    """
    refusals: list[GameError] = []
    several = [(" ".join(words[:count]), words[count:]) for count in range(1, min(len(words), LONGEST_MOVE) + 1)]
    lengths = range(min(len(words[0]), LONGEST_PART) - 1, 0, -1)
    parts = [(words[0][:length], [words[0][length:], *words[1:]]) for length in lengths]
    for words_of_move, rest in several + parts:
        try:
            session.enter(words_of_move)
            return rest
        except GameError as error:
            refusals.append(error)
    raise refusals[0]


def _check_notation(session: Session) -> None:
    """A sentence where the rules write a state or a move as something else than a text that can be shown."""
    written = [("state_text", session.game.state_text(session.state))]
    written += [("move_text", text) for text in session.notation]
    for rule, text_of_it in written:
        if not isinstance(text_of_it, str):
            raise GameError(f"{session.game!r}: `{rule}` returns {text_of_it!r} in {session.state!r}, not a text.")
        if len(text_of_it) > LONGEST_TEXT:
            length = f"a text of {len(text_of_it)} letters"
            raise GameError(f"{session.game!r}: `{rule}` returns {length}; {LONGEST_TEXT} are the most that is shown.")


def try_out(game: Game, state: State) -> None:
    """Ask the rules about what follows a state that no play has led to: what they raise is better raised here.

    Machine code looks for no mistakes in a state: it might never end, or read what is not there.
    """
    for move in rules.legal_actions(game, state):
        rules.payoff(game, game.play(state, move))
    dice = random.Random(0)
    for _ in range(LOOKED_AHEAD):
        moves = rules.legal_actions(game, state)
        if not moves:
            return
        state = game.play(state, dice.choice(moves))


def record(parts: dict[str, Any]) -> dict[str, Any]:
    """The parts as JSON knows them."""
    return {name: plain(part) for name, part in parts.items()}


# -- positions -------------------------------------------------------------------------------------------------------


def position(ready: Ready, session: Session) -> dict[str, Any]:
    """Everything a page needs to show a position and to play on."""
    game, state, outcome = session.game, session.state, session.outcome
    history = [_turn(game, turn) for turn in session.history]
    last = history[-1]["squares"] if history else []
    board = _board(game, state)
    return record({
        "game": ready.name,
        "source": ready.source,
        "title": title(ready),
        "start": game.state_text(session.start),
        "moves": [turn.text for turn in session.history],
        "state": game.state_text(state),
        "player": session.player,
        "chance": session.is_chance,
        "outcome": outcome and {"winner": outcome.winner, "words": outcome.words(session.names)},
        "legal": _legal(session),
        "history": history,
        "last": last,
        "board": board,
        "svg": svg(game, state, Marks(last=last), interactive=True),
        "text": text(game, state, squares=last),
        "loops": game.loops,
        "chances": rules.has_chance(game),
        "database": ready.solution is not None,
    })  # fmt: skip


SPELLED = {"and": "and", "cant": "Can't", "dawsons": "Dawson's", "einstein": "EinStein", "mens": "Men's",
           "twenty48": "2048"}  # fmt: skip
"""Words of names as people write them, where that is more than a capital."""


def heading(name: str) -> str:
    """A game's name as people write it.

    >>> heading("connect_four"), heading("three_mens_morris"), heading("hare_and_hounds")
    ('Connect Four', "Three Men's Morris", 'Hare and Hounds')
    """
    return " ".join(SPELLED.get(word, word[:1].upper() + word[1:]) for word in name.split("_"))


def title(ready: Ready) -> str:
    """The game's name for people, with those parameters that are not as usual.

    >>> from zermelo.app.web.game_catalog import served
    >>> title(served().load("connect_four(5, 4)"))
    'Connect Four (width 5, height 4)'
    """
    name, _, parameters = ready.name.partition("(")
    words = heading(name)
    if not parameters:
        return words
    changed = [key for key in vars(ready.game) if f"{key}={getattr(ready.game, key)!r}" in parameters]
    return f"{words} ({', '.join(f'{key} {getattr(ready.game, key)}' for key in changed)})"


def _turn(game: Game, turn: Turn) -> dict[str, Any]:
    squares = _squares(game, turn.state, turn.move)
    return {"text": turn.text, "player": turn.player, "chance": turn.chance, "squares": squares}


def _legal(session: Session) -> list[dict[str, Any]]:
    game, state = session.game, session.state
    chances = {outcome: float(probability) for outcome, probability in game.chances(state)} if session.is_chance else {}
    return [_move(game, state, move, chances.get(move)) for move in session.moves]


def _move(game: Game, state: State, move: Move, probability: float | None) -> dict[str, Any]:
    text = game.move_text(state, move)
    label = text if probability is None else f"{text} ({odds(probability)})"
    return {"text": text, "squares": _squares(game, state, move), "probability": probability, "label": label}


def _squares(game: Game, state: State, move: Move) -> list[int]:
    squares = game.squares(state, move)
    if not isinstance(squares, tuple | list) or any(not isinstance(square, int) for square in squares):
        where = f"{game.move_text(state, move)} in {game.state_text(state)}"
        raise GameError(f"{game!r}: `squares` of {where} is {squares!r}, not a tuple of the numbers of squares.")
    return list(squares)


def _board(game: Game, state: State) -> dict[str, Any]:
    """What a page must know of a board to read clicks on it."""
    board = board_of(game, state)
    if len(board) > MOST_SQUARES:
        raise GameError(f"{game!r}: a board of {len(board)} squares is too large to draw; {MOST_SQUARES} are the most.")
    grid = _grid(board)
    return {
        "kind": type(board).__name__,
        "drop": grid is not None and grid.drop,
        "columns": None if grid is None else len(grid.cells[0]),
        "steps": stepwise(board),
        "sides": sides_of(board),
        "turns": turns(board),
    }


def _grid(board: Board) -> Grid | None:
    """The grid that a board is, or the first one in it."""
    return next((part for part in parts_of(board) if isinstance(part, Grid)), None)


# -- values and reports ----------------------------------------------------------------------------------------------


def value(found: Value) -> dict[str, Any]:
    """A value with its tone: win, draw, loss or estimate.

    >>> value(Value.win(3))["tone"], value(Value.estimate(0.5))["tone"]
    ('win', 'estimate')
    """
    return {**found.to_dict(), "tone": "estimate" if found.outcome is None else TONES[found.outcome]}


def report(found: Report, *, database: bool = False) -> dict[str, Any]:
    """A report of a search, with the value of each move that it knows; or of a `database`, which searches nothing."""
    told: dict[str, Any] = found.to_dict()
    values = [value(line.value) for line in found.lines]
    lines = [{**line, "value": each} for line, each in zip(told["lines"], values, strict=True)]
    return record(told | {
        "value": values[0],
        "lines": lines,
        "legal": {line["pv"][0]: line["value"] for line in lines},
        "proven": found.value.exact,
        "database": database,
        "nodes_per_second": round(found.nodes / found.seconds) if found.seconds > 0 else None,
    })  # fmt: skip


# -- solutions -------------------------------------------------------------------------------------------------------


def known(solution: Solution | None, state: State) -> Report | None:
    """What a solution says of a state, as a report on every move; None where it cannot tell best play."""
    if solution is None or solution.header.wdl or state not in solution or not solution.best(state):
        return None
    lines: list[Line] = []
    for move, found in solution.moves(state).items():
        rest = solution.line(solution.game.play(state, move)) if not lines else []
        lines.append(Line(found, (move, *rest)))
    return Report(solution.game, state, tuple(lines), 0, 0, 0.0, bounds=(lines[0].value.score,) * 2)


def probed(solution: Solution, state: State) -> dict[str, Any]:
    """What a solution says of a state: its value, those of its moves, the best ones and a perfect game."""
    game = solution.game
    moves = [
        {"text": game.move_text(state, move), "squares": _squares(game, state, move), "value": value(found)}
        for move, found in solution.moves(state).items()
    ]
    best = [game.move_text(state, move) for move in solution.best(state)]
    return record({"value": value(solution.value(state)), "moves": moves, "best": best, "line": _line(solution, state)})


def _line(solution: Solution, state: State) -> list[str]:
    texts = []
    for move in solution.line(state):
        texts.append(solution.game.move_text(state, move))
        state = solution.game.play(state, move)
    return texts


def longest(solution: Solution) -> dict[str, Any]:
    """Some of the positions farthest from their end."""
    states = solution.longest()
    found = [{"state": solution.game.state_text(state), "value": value(solution.value(state))} for state in states]
    return record({"positions": found})
