"""Syzygy tables of chess endings, probed by python-chess where the user has them.

They say who wins, with the rule of fifty moves, and how many plies until a capture or a move of a pawn (DTZ). The moves
that keep the best outcome are ordered by that, as tablebase users do, so that a win is brought home.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo import rules
from zermelo.files import FileError
from zermelo.game import ONGOING, Game, Move, State
from zermelo.play.books.polyglot_book import check_chess, chess_board, chess_module
from zermelo.play.books.proven_book import outcome_value
from zermelo.searching import Line, Report
from zermelo.value import DRAW, LOSS, WIN


class NotInTables(Exception):
    """The tables do not tell the outcome of a position."""


class SyzygyTables:
    """The tables in a folder. `report` ranks every move of a position that they have."""

    def __init__(self, game: Game, folder: str | Path) -> None:
        """Open the tables. Raise FileError if the folder has none."""
        chess_module("syzygy", "Syzygy tables")
        check_chess(game, "A Syzygy table")
        if not Path(folder).is_dir():
            raise FileError(f"{folder} cannot be read: it is no folder of Syzygy tables.")
        self.game = game
        from zermelo.play.syzygy_files import Tables

        self._tables: Any = Tables(folder)
        files = [path for path in Path(folder).iterdir() if path.suffix == ".rtbw"]
        if not files:
            raise FileError(f"{folder} holds no Syzygy tables: their names end in .rtbw and .rtbz.")
        self.most_pieces = max(len(path.stem.replace("v", "")) for path in files)

    def report(self, state: State) -> Report | None:
        """All moves of a position, best first; None where a table is missing, or castling is still possible."""
        board = chess_board(self.game, state)
        if board.castling_rights or len(board.piece_map()) > self.most_pieces:
            return None
        try:
            ranked = [(self._rank(state, move), move) for move in rules.legal_actions(self.game, state)]
        except NotInTables:
            return None
        lines = [
            Line(outcome_value(rank[0]), (move,)) for rank, move in sorted(ranked, key=lambda e: e[0], reverse=True)
        ]
        return Report(self.game, state, tuple(lines), depth=0, nodes=0, seconds=0.0) if lines else None

    def _rank(self, state: State, move: Move) -> tuple[int, int]:
        """The outcome of a move for the player to move, and how good it is among those with the same outcome."""
        child = self.game.play(state, move)
        payoff = rules.payoff(self.game, child)
        if payoff != ONGOING:  # the rule of fifty moves included, of which tables know nothing
            return -payoff, 1 << 20 if payoff < 0 else 0
        board = chess_board(self.game, child)
        wdl, dtz = self._probe(board)
        outcome = outcome_before(wdl, dtz, board.halfmove_clock)
        if outcome == WIN:
            zeroing = board.halfmove_clock == 0
            return outcome, (1 << 19) - abs(dtz) if zeroing else (1 << 18) - abs(dtz)
        return outcome, abs(dtz) if outcome == LOSS else -wdl

    def _probe(self, board: Any) -> tuple[int, int]:
        """WDL and DTZ of a position. Raise NotInTables where a table is missing or damaged."""
        try:
            return self._tables.probe_wdl(board), self._tables.probe_dtz(board)
        except Exception as error:  # python-chess trusts the files, so those that are damaged raise anything
            raise NotInTables from error


def outcome_before(wdl: int, dtz: int, clock: int) -> int:
    """The outcome of a move for the one who made it, by the tables' values of the position after it.

    They are those of a clock of 0, the number of plies since the last capture or move of a pawn. A win that would take
    until after ply 100 is a draw. DTZ may be a ply too small, so raise NotInTables where that decides.

    >>> outcome_before(-2, -53, 0), outcome_before(-2, -53, 46), outcome_before(-2, -53, 48), outcome_before(1, 102, 0)
    (1, 1, 0, 0)
    """
    from zermelo.games.chess.chess_rules import FIFTY_MOVES  # only who plays chess needs its rules

    plies = abs(dtz) + clock if clock else 0
    if abs(wdl) < 2 or plies > FIFTY_MOVES:
        return DRAW
    if plies == FIFTY_MOVES:
        raise NotInTables
    return WIN if wdl < 0 else LOSS
