"""A recorded game, whatever the format of its file: players, moves with comments and variations, result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from zermelo import rules
from zermelo.formatting import shortened
from zermelo.game import ONGOING, Game, GameError, State
from zermelo.games.registry import name_of
from zermelo.games.support.move_reading import legal_move
from zermelo.games.support.position_text import read_state
from zermelo.play.record import replayed
from zermelo.play.session import Session, player_names

UNFINISHED = "unfinished"
ENDED = ""
"""The result of a game that is over, until `checked` puts it into words."""

MAX_NESTING = 50
"""How deep variations may lie within variations."""


class RecordError(GameError):
    """A file holds no games, or one that cannot be played. The text is a sentence."""


@dataclass(frozen=True)
class RecordedMove:
    """A move in the game's notation, or the outcome of a roll, and what was noted of it."""

    text: str
    comment: str = ""
    evaluation: float | None = None
    """In points, seen by the first player."""
    clock: float | None = None
    """Seconds that the player has left after it."""
    variations: tuple[tuple[RecordedMove, ...], ...] = ()
    """Lines that might have been played instead of it."""

    @property
    def plain(self) -> bool:
        """Whether nothing was noted."""
        return not self.comment and self.evaluation is None and self.clock is None and not self.variations


@dataclass(frozen=True)
class GameRecord:
    """A game: its name, where it began (the initial state where this is empty), its moves, and how it ended."""

    game: str
    moves: tuple[RecordedMove, ...]
    start: str = ""
    players: tuple[str, str] = ("", "")
    winner: int | None = None
    result: str = UNFINISHED
    tags: dict[str, str] = field(default_factory=dict)
    seed: int | None = None

    @property
    def texts(self) -> list[str]:
        """The moves that were played."""
        return [move.text for move in self.moves]

    @property
    def finished(self) -> bool:
        return self.result != UNFINISHED

    def to_json(self, game: Game) -> dict[str, Any]:
        """The record as `zermelo play --load` and the page read it, with what was noted beside it."""
        found: dict[str, Any] = {
            "game": self.game,
            "start": self.start or game.state_text(rules.initial_state(game)),
            "seed": self.seed,
            "moves": self.texts,
            "winner": self.winner,
            "result": self.result,
            "players": list(self.players),
        }
        if self.tags:
            found["tags"] = self.tags
        if notes := _notes(self.moves):
            found["notes"] = notes
        return found

    def session(self, game: Game) -> Session:
        """The game as a session, all its moves played. Raise GameError if one is not legal."""
        return replayed(game, {**self.to_json(game), "seed": self.seed})


def _notes(moves: Sequence[RecordedMove]) -> dict[str, Any]:
    """What was noted of moves, by their number from 0 on."""
    notes: dict[str, Any] = {}
    for number, move in enumerate(moves):
        if not move.plain:
            found = {"comment": move.comment, "evaluation": move.evaluation, "clock": move.clock}
            note: dict[str, Any] = {name: value for name, value in found.items() if value not in ("", None)}
            if move.variations:
                note["variations"] = [{"moves": [m.text for m in v], "notes": _notes(v)} for v in move.variations]
            notes[str(number)] = note
    return notes


def checked(game: Game, record: GameRecord) -> GameRecord:
    """The record with its moves in the game's own notation. Raise RecordError for a move that is not legal.

    Where the file does not say how the game ended and its last state does, that is the result.
    """
    start = read_state(game, record.start) if record.start else rules.initial_state(game)
    moves, states = _line(game, [start], record.moves, 0)
    made = replace(record, game=name_of(game, folder=""), moves=moves)
    if made.result == ENDED:
        return replace(made, result=result_words(player_names(game, start), made.winner))
    payoff = rules.payoff(game, states[-1])
    if made.finished or payoff == ONGOING:
        return made
    mover = rules.mover(game, states[-1])
    player = len(moves) % 2 if mover is None else mover
    winner = None if payoff == 0 else player if payoff > 0 else 1 - player
    return replace(made, winner=winner, result=result_words(player_names(game, start), winner))


def result_words(names: tuple[str, str], winner: int | None) -> str:
    """How a game ended, as a sentence.

    >>> result_words(("White", "Black"), 1), result_words(("White", "Black"), None)
    ('Black wins.', 'Draw.')
    """
    return "Draw." if winner is None else f"{names[winner]} wins."


def _line(
    game: Game, states: list[State], moves: Sequence[RecordedMove], nesting: int
) -> tuple[tuple[RecordedMove, ...], list[State]]:
    """The moves of a line in the game's notation, and the states on the way; `states` ends where it begins."""
    if nesting > MAX_NESTING:
        raise RecordError(f"variations are nested more than {MAX_NESTING} deep")
    made = []
    for move in moves:
        state = states[-1]
        variations = tuple(_line(game, [state], each, nesting + 1)[0] for each in move.variations)
        try:
            found = legal_move(game, state, move.text)
        except GameError:
            where = game.state_text(state)
            raise RecordError(f"move {len(states)}, {shortened(move.text)!r}, is not legal in {where}") from None
        made.append(replace(move, text=game.move_text(state, found), variations=variations))
        states.append(rules.checked_play(game, state, found))
    return tuple(made), states


def movers(game: Game, record: GameRecord) -> Iterator[tuple[int, bool]]:
    """Yield for each move of a record whose it is, 0 or 1, and whether it is a roll."""
    state = read_state(game, record.start) if record.start else rules.initial_state(game)
    for number, move in enumerate(record.moves):
        mover = rules.mover(game, state)
        yield (number % 2 if mover is None else mover), bool(game.is_chance(state))
        state = game.play(state, legal_move(game, state, move.text))


def of_json(found: Any) -> GameRecord:
    """The record that a JSON object describes. Raise RecordError if it describes none."""
    kinds = {"game": str, "start": str, "moves": list}
    if not isinstance(found, dict):
        raise RecordError("it is no JSON object")
    for name, kind in kinds.items():
        if not isinstance(found.get(name), kind):
            raise RecordError(f"it has no {name!r}")
    players = found.get("players")
    named = isinstance(players, list) and len(players) == 2 and all(isinstance(name, str) for name in players)
    tags, winner, seed = found.get("tags"), found.get("winner"), found.get("seed")
    return GameRecord(
        found["game"],
        _moves_of_json(found, 0),
        found["start"],
        (players[0], players[1]) if named and players else ("", ""),
        winner if winner in (0, 1) and type(winner) is int else None,
        found["result"] if isinstance(found.get("result"), str) else UNFINISHED,
        {str(key): str(value) for key, value in tags.items()} if isinstance(tags, dict) else {},
        seed if type(seed) is int else None,
    )


def _moves_of_json(found: Any, nesting: int) -> tuple[RecordedMove, ...]:
    texts = found.get("moves") if isinstance(found, dict) else None
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise RecordError("its moves are not all text")
    if nesting > MAX_NESTING:
        raise RecordError(f"variations are nested more than {MAX_NESTING} deep")
    notes = found.get("notes")
    made = []
    for number, text in enumerate(texts):
        note = notes.get(str(number)) if isinstance(notes, dict) else None
        note = note if isinstance(note, dict) else {}
        variations = note.get("variations")
        lines = variations if isinstance(variations, list) else []
        made.append(
            RecordedMove(
                text,
                note["comment"] if isinstance(note.get("comment"), str) else "",
                _number(note.get("evaluation")),
                _number(note.get("clock")),
                tuple(_moves_of_json(line, nesting + 1) for line in lines),
            )
        )
    return tuple(made)


def _number(value: Any) -> float | None:
    return float(value) if type(value) in (int, float) and abs(value) < 1e12 else None
