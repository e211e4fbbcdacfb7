"""Zermelo as an engine of the Go Text Protocol (GTP), version 2, for boards on which pieces are placed.

Black is the first player. A vertex has the notation of the game, in any case.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from zermelo.formatting import one_line
from zermelo.game import Game, GameError
from zermelo.protocols.engine_base import EngineBase

COMMAND = re.compile(r"\s*(?:(?P<id>\d{1,9})\s+)?(?P<words>\S.*)?", re.DOTALL)

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}

SIZE_PARAMETERS = (("side",), ("size",), ("width", "height"))
"""The parameters of games that are the size of a board."""


class GtpProtocol(EngineBase):
    """Answers every command, with `=` or with `?` and the reason."""

    def __init__(
        self, load: Callable[[], Game], write: Callable[[str], object], name: str = "Zermelo", version: str = ""
    ) -> None:
        self.version = version
        self.id = ""
        self.seconds: float | None = None
        self.control: tuple[float, float, int] | None = None
        """Main time, time of a period, and stones in it."""
        self.left: dict[int, tuple[float, int]] = {}
        super().__init__(load, write, name)

    def obey(self, line: str) -> bool:
        """Obey a command; return whether to go on."""
        text = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line.partition("#")[0].replace("\t", " "))
        found = COMMAND.fullmatch(text)
        if found is None or found["words"] is None:
            return True
        self.id = found["id"] or ""
        words = found["words"].split()
        if words[0] == "quit":
            self._reply("")
            return False
        return super().obey(" ".join(words))

    def _obey(self, words: list[str]) -> None:
        command = getattr(self, f"_do_{words[0]}", None) if words[0].isidentifier() else None
        if command is None:
            raise GameError("unknown command")
        self._reply(str(command(words[1:]) or ""))

    def _complain(self, sentence: str) -> None:
        self._say(f"?{self.id} {sentence}\n")

    def _reply(self, text: str) -> None:
        self._say(f"={self.id} {text}\n")

    # -- about the engine --------------------------------------------------------------------------------------------

    def _do_protocol_version(self, words: list[str]) -> str:
        return "2"

    def _do_name(self, words: list[str]) -> str:
        return self.name

    def _do_version(self, words: list[str]) -> str:
        return self.version

    def _do_list_commands(self, words: list[str]) -> str:
        return "\n".join(_commands())

    def _do_known_command(self, words: list[str]) -> str:
        return "true" if words[:1] and words[0] in _commands() else "false"

    # -- the board ---------------------------------------------------------------------------------------------------

    def _do_boardsize(self, words: list[str]) -> None:
        """Another size, where the game has a parameter for it."""
        sized = resized(self.game, _number(words))
        if sized != self.game:
            self._game, self._engine, self._compiling = sized, None, None
        self._line = None

    def _do_clear_board(self, words: list[str]) -> None:
        self._line = None

    def _do_komi(self, words: list[str]) -> None:
        """There is no komi outside of Go."""

    def _do_play(self, words: list[str]) -> None:
        colour, *vertex = words or [""]
        if COLOURS.get(colour.lower()) is None or not vertex:
            raise GameError("syntax error: play needs a colour and a vertex")
        self._check_turn(colour)
        self.line.set(self.line.start, [*self.line.words, self._word("_".join(vertex))])

    def _do_undo(self, words: list[str]) -> None:
        if not self.line.words:
            raise GameError("cannot undo")
        self.line.set(self.line.start, self.line.words[:-1])

    def _do_showboard(self, words: list[str]) -> str:
        return f"\n{self.game.state_text(self.line.state)}"

    def _do_final_score(self, words: list[str]) -> str:
        from zermelo import rules
        from zermelo.game import ONGOING

        payoff = rules.payoff(self.game, self.line.state)
        if payoff == ONGOING:
            raise GameError("cannot score: the game is not over")
        winner = "BW"[self.line.player if payoff > 0 else 1 - self.line.player]
        return "0" if payoff == 0 else f"{winner}+{abs(payoff)}"

    def _check_turn(self, colour: str) -> None:
        if COLOURS.get(colour.lower()) != self.line.player:
            raise GameError(f"illegal move: it is the turn of {'black' if self.line.player == 0 else 'white'}")

    def _word(self, vertex: str) -> str:
        """The word of the legal move that a vertex names, in any case."""
        from zermelo.protocols.move_words import move_word
        from zermelo.rules import legal_actions

        words = [move_word(self.game, self.line.state, move) for move in legal_actions(self.game, self.line.state)]
        same = [word for word in words if word == vertex] or [word for word in words if word.lower() == vertex.lower()]
        if len(same) != 1:
            raise GameError("illegal move")
        return same[0]

    # -- moves -------------------------------------------------------------------------------------------------------

    def _do_time_settings(self, words: list[str]) -> None:
        """Main time, time of a period and stones in it, in seconds; 0 stones and a period are no limit."""
        if len(words) != 3 or not all(re.fullmatch(r"\d{1,9}", word) for word in words):
            raise GameError("syntax error: time_settings needs three numbers")
        main, period, stones = map(int, words)
        self.control = None if period > 0 and stones == 0 else (main, period, stones)
        self.left = {}

    def _do_time_left(self, words: list[str]) -> None:
        if len(words) != 3 or words[0].lower() not in COLOURS or not all(word.isdecimal() for word in words[1:]):
            raise GameError("syntax error: time_left needs a colour, seconds and stones")
        self.left[COLOURS[words[0].lower()]] = (int(words[1][:9]), int(words[2][:9]))

    def _do_genmove(self, words: list[str]) -> str:
        """Choose a move and play it."""
        word = self._do_reg_genmove(words)
        if word != "resign":
            self.line.set(self.line.start, [*self.line.words, word])
        return word

    def _do_reg_genmove(self, words: list[str]) -> str:
        """Choose a move."""
        from zermelo.play.engine import MOVE_LIMIT
        from zermelo.protocols.move_words import move_word
        from zermelo.rules import legal_actions

        self._check_turn((words or [""])[0])
        state = self.line.state
        if not legal_actions(self.game, state):
            return "resign"  # the game is over, and GTP has no word for that
        self.engine.limit, self.engine.clock = MOVE_LIMIT, self._clock()
        report = self.engine.choose(state, history=self.line.history)
        return move_word(self.game, state, report.move)

    def _clock(self) -> Any:
        """The clock of the player to move; None where no time was set."""
        from zermelo.play.clock import Clock

        if self.control is None:
            return None
        main, period, stones = self.control
        seconds, to_go = self.left.get(self.line.player, (main or period, 0 if main else stones))
        return Clock(max(seconds - self.options.overhead, 0.001), 0, to_go or None)


def _commands() -> list[str]:
    """The names of all commands."""
    return sorted([name.removeprefix("_do_") for name in dir(GtpProtocol) if name.startswith("_do_")] + ["quit"])


def resized(game: Game, size: int) -> Game:
    """The same game on a board of another size. Raise GameError if it has no such board.

    >>> from zermelo.games.registry import load
    >>> resized(load("othello"), 6)
    Othello(side=6)
    """
    from dataclasses import fields, replace

    names = {each.name for each in fields(game)}  # type: ignore[arg-type]
    for parameters in SIZE_PARAMETERS:
        if set(parameters) <= names:
            try:
                return replace(game, **dict.fromkeys(parameters, size))  # type: ignore[type-var]
            except (GameError, ValueError) as error:
                raise GameError(f"unacceptable size: {one_line(str(error))}") from None
    raise GameError("unacceptable size")


def _number(words: list[str]) -> int:
    if len(words) != 1 or not re.fullmatch(r"\d{1,4}", words[0]):
        raise GameError("syntax error: a number is needed")
    return int(words[0])
