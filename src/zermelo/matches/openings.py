"""Openings of a match: short random sequences of legal moves, or those of a file: positions, games or a book.

Each opening is played twice, with colours swapped. Openings are distinct where the game has enough of them. Random
ones are balanced by a short search: where one player is ahead already, both games of the pair would only show that.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from zermelo import rules
from zermelo.files import file_errors, read_file
from zermelo.game import ONGOING, Game, GameError, Move, State
from zermelo.games.registry import position
from zermelo.games.support.move_reading import legal_move
from zermelo.games.support.position_text import read_state
from zermelo.limits import Limit
from zermelo.play.books.any_book import is_book, open_any_book
from zermelo.play.books.learned_book import LearnedBook
from zermelo.play.books.opening_lines import OpeningLines
from zermelo.play.books.polyglot_book import PolyglotBook
from zermelo.play.books.proven_book import Book
from zermelo.play.own_weights import evaluated
from zermelo.play.win_probability import win_probability
from zermelo.records.records_api import FORMATS, read_records
from zermelo.searching import search
from zermelo.value import DRAW

DEFAULT_PLIES = 4
"""Random plies of an opening."""

BALANCE_LIMIT = Limit(depth=4, nodes=1000)
"""The search that says how balanced an opening is. It is reproducible, since it has no time limit."""

MAX_IMBALANCE = 0.15
"""How far the win probability may be from one half: a pawn and a half in chess."""

TRIES = 40
"""Attempts to find an opening that is new and balanced; the best of them is taken then."""

MAX_PLIES_OF_FILE = 16
"""Plies that are taken of a recorded game, or of a book."""

EQUAL_IN_BOOK = 0.05
"""Win probability by which a move of a book may be worse than its best one."""


@dataclass(frozen=True)
class Opening:
    """Where a game begins: a state, and moves from it in the game's notation."""

    start: str
    moves: tuple[str, ...] = ()


def random_openings(game: Game, plies: int = DEFAULT_PLIES, seed: int = 0, balanced: bool = True) -> Iterator[Opening]:
    """Yield openings without end: the same for the same seed.

    >>> from zermelo.games.registry import load
    >>> openings = random_openings(load("tic_tac_toe"), plies=2, seed=1)
    >>> [" ".join(next(openings).moves) for _ in range(3)]
    ['a1 a2', 'a1 c1', 'a3 c3']
    """
    first = rules.initial_state(game)
    start = game.state_text(first)
    searched = evaluated(game, game, True)
    seen: set[State] = set()
    measured: dict[State, float] = {}  # a small game has few openings, which come again and again
    dice = random.Random(f"openings {seed}")
    while True:
        tries: list[tuple[float, list[str], State]] = []
        while len(tries) < TRIES and (not tries or tries[-1][0] > MAX_IMBALANCE):
            moves, state = _random_line(game, first, plies, dice)
            if balanced and plies and state not in measured:
                measured[state] = _imbalance(searched, state)
            tries.append((measured.get(state, 0.0) + (state in seen and plies > 0), moves, state))
        _, moves, state = min(tries, key=lambda each: each[0])
        seen.add(state)
        yield Opening(start, tuple(moves))


def _random_line(game: Game, state: State, plies: int, dice: random.Random) -> tuple[list[str], State]:
    """Random moves that do not end the game, as many as asked for or fewer; chance plays by its probabilities."""
    moves: list[str] = []
    while len(moves) < plies:
        if game.is_chance(state):
            outcomes, probabilities = zip(*game.chances(state), strict=True)
            ways = dice.choices(outcomes, probabilities)
        else:
            ways = rules.legal_actions(game, state)
            dice.shuffle(ways)
        for move in ways:
            child = rules.checked_play(game, state, move)
            if rules.payoff(game, child) == ONGOING:
                break
        else:
            break
        moves.append(game.move_text(state, move))
        state = child
    return moves, state


def _imbalance(game: Game, state: State) -> float:
    """How far the win probability is from one half, by a short search."""
    if game.is_chance(state):
        return 0.0
    return abs(win_probability(game, search(game, state, BALANCE_LIMIT).value) - 0.5)


def openings_of_file(game: Game, path: str | Path, seed: int = 0) -> Iterator[Opening]:
    """Yield the openings of a file without end: positions in lines, recorded games, or the lines of a book.

    Raise GameError for a file without openings, and for a line that cannot be read.
    """
    if is_book(path):
        book = open_any_book(game, path)
        return _of_proven_book(book, path, seed) if isinstance(book, Book) else _of_book(book, path, seed)
    return cycle(_of_records(game, path) if Path(path).suffix.lower() in FORMATS else _of_lines(game, path))


def _of_lines(game: Game, path: str | Path) -> list[Opening]:
    """The openings of a file with a position in each line, as moves or as a state."""
    with file_errors(path, "read"):
        content = read_file(Path(path))
    try:
        lines = [line.strip() for line in content.decode().splitlines()]
    except UnicodeDecodeError:
        raise GameError(f"{path} holds no openings: it is not UTF-8.") from None
    openings = []
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        try:
            state = position(game, line)
        except GameError as error:
            raise GameError(f"{path}, line {number}: {error}") from None
        if rules.payoff(game, state) != ONGOING:
            raise GameError(f"{path}, line {number}: the game is over in {game.state_text(state)}.")
        openings.append(Opening(game.state_text(state)))
    if not openings:
        raise GameError(f"{path} holds no openings: write a position in each line.")
    return openings


def _of_records(game: Game, path: str | Path) -> Iterator[Opening]:
    """Yield the beginnings of recorded games, new ones where play goes on; a file is read as far as it is needed."""
    seen: set[Opening] = set()
    for record in read_records(path, game):
        start = record.start or game.state_text(rules.initial_state(game))
        if rules.payoff(game, read_state(game, start)) != ONGOING:
            continue
        opening = _before_the_end(game, Opening(start, tuple(record.texts[:MAX_PLIES_OF_FILE])))
        if opening not in seen:
            seen.add(opening)
            yield opening
    if not seen:
        raise GameError(f"{path} holds no games.")


def _before_the_end(game: Game, opening: Opening) -> Opening:
    """The opening without the moves that end its game."""
    state, moves = read_state(game, opening.start), list[str]()
    for text in opening.moves:
        state = rules.checked_play(game, state, legal_move(game, state, text))
        if rules.payoff(game, state) != ONGOING:
            break
        moves.append(text)
    return Opening(opening.start, tuple(moves))


def _of_proven_book(book: Book, path: str | Path, seed: int) -> Iterator[Opening]:
    """Yield the positions of a book that are proven draws, in random order."""
    drawn = [state for state, answer in book.answers.items() if answer.outcome == DRAW]
    if not drawn:
        raise GameError(f"{path} has no position that is a draw.")
    random.Random(f"book {seed}").shuffle(drawn)
    return cycle(Opening(book.game.state_text(state)) for state in drawn)


def _of_book(book: LearnedBook | OpeningLines | PolyglotBook, path: str | Path, seed: int) -> Iterator[Opening]:
    """Yield lines of a book without end, new ones as far as there are some."""
    dice, seen = random.Random(f"book {seed}"), set()
    while True:
        for _ in range(TRIES):
            opening = _book_line(book, dice)
            if opening not in seen:
                break
        if not opening.moves:
            raise GameError(f"{path} has no move in {opening.start}.")
        seen.add(opening)
        yield opening


def _book_line(book: LearnedBook | OpeningLines | PolyglotBook, dice: random.Random) -> Opening:
    """A random line of good moves, as long as the book has some and the game goes on."""
    game = book.game
    state = rules.initial_state(game)
    start, moves = game.state_text(state), list[str]()
    while len(moves) < MAX_PLIES_OF_FILE and (move := _book_move(book, state, dice)) is not None:
        child = rules.checked_play(game, state, move)
        if rules.payoff(game, child) != ONGOING:
            break
        moves.append(game.move_text(state, move))
        state = child
    return Opening(start, tuple(moves))


def _book_move(book: LearnedBook | OpeningLines | PolyglotBook, state: State, dice: random.Random) -> Move | None:
    """One of the book's best moves, or one by its weight; an outcome of chance; None where the book has none."""
    if book.game.is_chance(state):
        outcomes, probabilities = zip(*book.game.chances(state), strict=True)
        return dice.choices(outcomes, probabilities)[0]
    if isinstance(book, OpeningLines):
        drawn = book.drawn(state, dice)
        return None if drawn is None else drawn.move
    report = book.report(state)
    if report is None:
        return None
    chances = [win_probability(book.game, line.value) for line in report.lines]
    best = max(chances) - EQUAL_IN_BOOK
    return dice.choice([line.pv[0] for line, chance in zip(report.lines, chances, strict=True) if chance >= best])
