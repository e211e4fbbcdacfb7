"""Serialisation: positions, reports, values and solutions as the records of the API."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from statistics import mean
from typing import Any

from zermelo import rules
from zermelo.app.output import odds, plain
from zermelo.app.web.game_catalog import LoadedGame
from zermelo.app.web.record_handlers import formats_of
from zermelo.board import Board, Dice, Grid, Marks, Scores, Tables, Together, Track, parts_of, sides_of, turns
from zermelo.game import Game, GameError, Move, State
from zermelo.native.interpretation import why_interpreted
from zermelo.play.move_choice import Source
from zermelo.play.session import Outcome, Session, Turn
from zermelo.play.win_probability import win_probability
from zermelo.searching import Report
from zermelo.show.clicks import alike, stepwise
from zermelo.show.laid_tiles import tiles_laid
from zermelo.show.scene.board_scene import board_of, scene
from zermelo.show.svg.board_svg import board_svg
from zermelo.show.text.board_text import text
from zermelo.solving.progress import Progress
from zermelo.solving.solution import Solution
from zermelo.value import DRAW, LOSS, WIN, Value, ending

THUMBNAIL_CELL = 16.0
"""The width of a cell of a thumbnail, in pixels."""

MAX_SQUARES = 1024
"""Squares of a board that can be drawn."""

FACES = tuple("123456")
"""Outcomes of chance that a die can show."""

TONES = {WIN: "win", DRAW: "draw", LOSS: "loss"}


def json_record(parts: dict[str, Any]) -> dict[str, Any]:
    """The parts as JSON types."""
    return {name: plain(part) for name, part in parts.items()}


# -- positions -------------------------------------------------------------------------------------------------------


def position(loaded: LoadedGame, session: Session) -> dict[str, Any]:
    """Everything a page needs to show a position and to play on."""
    game, state, outcome = session.game, session.state, session.outcome
    history = [_turn(game, turn) for turn in session.history]
    last = history[-1]["squares"] if history else []
    board = _board(game, state)
    return json_record({
        "game": loaded.name,
        "source": loaded.source,
        "title": title(loaded),
        "start": game.state_text(session.start),
        "moves": [turn.text for turn in session.history],
        "state": game.state_text(state),
        "player": session.player,
        "chance": session.is_chance,
        "outcome": outcome and _outcome(session, outcome),
        "legal": _legal(session),
        "history": history,
        "last": last,
        "board": board,
        "svg": _picture(session, last),
        "text": text(game, state, squares=last),
        "loops": game.loops,
        "chances": rules.has_chance(game),
        "database": loaded.solution is not None,
        "formats": formats_of(game),
    })  # fmt: skip


SPELLINGS = {"and": "and", "cant": "Can't", "dawsons": "Dawson's", "einstein": "EinStein", "mens": "Men's",
           "twenty48": "Small 2048"}  # fmt: skip
"""Words of names as people write them, where that is more than a capital."""


def display_name(name: str) -> str:
    """A game's name as people write it.

    >>> display_name("connect_four"), display_name("three_mens_morris"), display_name("hare_and_hounds")
    ('Connect Four', "Three Men's Morris", 'Hare and Hounds')
    """
    return " ".join(SPELLINGS.get(word, word[:1].upper() + word[1:]) for word in name.split("_"))


def title(loaded: LoadedGame) -> str:
    """The game's name for people, with those parameters that are not as usual.

    >>> from zermelo.app.web.game_catalog import open_catalog
    >>> title(open_catalog().load("connect_four(5, 4)"))
    'Connect Four (width 5, height 4)'
    """
    name, _, parameters = loaded.name.partition("(")
    words = display_name(name)
    if not parameters:
        return words
    changed = [key for key in vars(loaded.game) if f"{key}={getattr(loaded.game, key)!r}" in parameters]
    return f"{words} ({', '.join(f'{key} {getattr(loaded.game, key)}' for key in changed)})"


def _picture(session: Session, last: list[int]) -> str:
    """The board as SVG, as it is seen across a table, which a state alone does not say.

    Points are numbered as the first player counts them, whichever player is to move. A die that the state has
    forgotten still shows what was rolled last.
    """
    game, state = session.game, session.state
    board = board_of(game, state)
    if isinstance(board, Tables):
        board = replace(board, names=())
    elif session.history and session.history[-1].chance:
        board = _rolled(board, session.history[-1].text)
    return board_svg(
        board,
        Marks(last=last, highlights=_highlights(game, state), laid=tiles_laid(game, board, session.history)),
        title=f"{game!r}: {game.state_text(state)}",
        interactive=True,
    )


def _highlights(game: Game, state: State) -> tuple[int, ...]:
    """The squares that the game points out; a rule of the user's may return anything."""
    found = game.highlights(state)
    if not isinstance(found, tuple | list) or any(not isinstance(square, int) for square in found):
        where = f"`highlights` of {game.state_text(state)}"
        raise GameError(f"{game!r}: {where} is {found!r}, not a tuple of the numbers of squares.")
    return tuple(found)


def _rolled(part: Any, outcome: str) -> Any:
    """A board whose single die is not rolled yet, with an outcome; any other one as it is."""
    if isinstance(part, Together):
        return replace(part, parts=tuple(_rolled(each, outcome) for each in part.parts))
    if isinstance(part, Track | Scores) and part.dice == (0,) and outcome in FACES:
        return replace(part, dice=(int(outcome),))
    return Dice((int(outcome),)) if part == Dice((0,)) and outcome in FACES else part


def _outcome(session: Session, outcome: Outcome) -> dict[str, Any]:
    """Who has won, in words, and how much that is worth to the first player."""
    game = session.game
    points = 0 if outcome.winner is None else outcome.points if outcome.winner == 0 else -outcome.points
    final = Value.of(ending(points, 0), exact=True) if rules.has_distance(game) else Value.margin(points)
    words, share = outcome.words(session.names), win_probability(game, final)
    return {"winner": outcome.winner, "words": words, "reason": outcome.reason, "share": share}


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
    """What the page needs to know of a board to interpret clicks on it."""
    board = board_of(game, state)
    if len(board) > MAX_SQUARES:
        raise GameError(f"{game!r}: a board of {len(board)} squares is too large to draw; {MAX_SQUARES} are the most.")
    grid = _grid(board)
    return {
        "kind": type(board).__name__,
        "drop": grid is not None and grid.drop,
        "columns": None if grid is None else len(grid.cells[0]),
        "steps": stepwise(board),
        "alike": {str(square): twin for square, twin in alike(board).items()},
        "sides": sides_of(board),
        "turns": turns(board),
        "first_on_top": _first_on_top(game),
        "mates": _has_mates(game),
    }


@lru_cache(256)
def _first_on_top(game: Game) -> bool:
    """Whether the first player begins at the top of the board, as in checkers.

    >>> from zermelo.games.registry import load
    >>> [_first_on_top(load(name)) for name in ("checkers", "chess", "tic_tac_toe")]
    [True, False, False]
    """
    places = scene(board_of(game, rules.initial_state(game))).places
    heights: list[list[float]] = [[], []]
    for place in places:
        side = place.side if place.piece is None else place.piece.side
        if side in (0, 1):
            heights[side].append(place.y)
    return all(heights) and mean(heights[0]) < mean(heights[1])


@lru_cache(256)
def _has_mates(game: Game) -> bool:
    """Whether a player who cannot move is mated in check and draws otherwise, so that people count moves to the mate.

    >>> from zermelo.games.registry import load
    >>> [_has_mates(load(name)) for name in ("chess", "chess_endgame", "checkers", "nim")]
    [True, True, False, False]
    """
    if not (game.has("forcing") and game.has("stuck")):
        return False
    try:
        return bool(game.stuck(rules.initial_state(game)) == DRAW)
    except Exception:  # a rule that is only written for states without moves
        return False


def _grid(board: Board) -> Grid | None:
    """The grid that a board is, or the first one in it."""
    return next((part for part in parts_of(board) if isinstance(part, Grid)), None)


# -- values and reports ----------------------------------------------------------------------------------------------


def value(game: Game, found: Value, player: int) -> dict[str, Any]:
    """A value that `player` sees, with its tone (win, draw, loss or estimate) and the first player's share.

    >>> from zermelo.games.registry import load
    >>> record = value(load("chess"), Value.win(3), player=1)
    >>> record["tone"], record["player"], record["share"]
    ('win', 1, 0.0)
    """
    return {
        **found.to_dict(),
        "tone": "estimate" if found.outcome is None else TONES[found.outcome],
        "player": player,
        "share": win_probability(game, found, player),
    }


def report(
    found: Report, player: int, source: Source = Source.SEARCH, *, compiling: bool = False, threads: int = 1
) -> dict[str, Any]:
    """A report with the value of each move in its lines, seen by `player`, and where it comes from."""
    parts: dict[str, Any] = found.to_dict()
    values = [value(found.game, line.value, player) for line in found.lines]
    lines = [{**line, "value": each} for line, each in zip(parts["lines"], values, strict=True)]
    return json_record(parts | {
        "value": values[0],
        "lines": lines,
        "legal": {line["pv"][0]: line["value"] for line in lines},
        "proven": found.value.exact,
        "source": source.value,
        "compiling": compiling,
        "interpreted": why_interpreted(found.game),
        "nodes_per_second": round(found.nodes / found.seconds) if found.seconds > 0 else None,
        "threads": threads,
    })  # fmt: skip


# -- solutions -------------------------------------------------------------------------------------------------------


def probed(solution: Solution, state: State, player: int) -> dict[str, Any]:
    """The values of a state and its moves in a solution, seen by `player`, the best moves and a perfect game."""
    game = solution.game
    moves = [
        {
            "text": game.move_text(state, move),
            "squares": _squares(game, state, move),
            "value": value(game, found, player),
        }
        for move, found in solution.moves(state).items()
    ]
    best = [game.move_text(state, move) for move in solution.best(state)]
    found = value(game, solution.value(state), player)
    return json_record({"value": found, "moves": moves, "best": best, "line": _line(solution, state)})


def _line(solution: Solution, state: State) -> list[str]:
    texts = []
    for move in solution.line(state):
        texts.append(solution.game.move_text(state, move))
        state = solution.game.play(state, move)
    return texts


def longest(solution: Solution) -> dict[str, Any]:
    """Some of the positions farthest from their end."""
    return json_record({"positions": [thumbnail(solution, state) for state in solution.longest()]})


def thumbnail(solution: Solution, state: State) -> dict[str, Any]:
    """A position of a solution, its value and a picture. If states do not say who moves, the first player does."""
    game = solution.game
    return {
        "state": game.state_text(state),
        "value": value(game, solution.value(state), rules.mover(game, state) or 0),
        "svg": board_svg(board_of(game, state), size=THUMBNAIL_CELL),
    }


def mover_after(game: Game, state: State, before: int) -> int:
    """Who is to move in a state, after a move of `before`; where states do not say, the players take turns."""
    mover = rules.mover(game, state)
    return 1 - before if mover is None else mover


def solve_progress(progress: Progress) -> dict[str, Any]:
    """How far a solve is."""
    left = progress.seconds_left
    return json_record({
        "phase": progress.phase,
        "states": progress.states,
        "solved": progress.solved,
        "expected": progress.expected,
        "seconds_left": None if left is None else round(left, 1),
    })  # fmt: skip
