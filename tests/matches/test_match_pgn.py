"""PGN of matches: python-chess reads the same games."""

import re

import chess
import chess.pgn
import pytest

import zermelo as z
from engine_process import SlowChess
from match_games import Countdown
from zermelo import GameError, rules
from zermelo.app.commands.match_command import write_pgn


def first_move(game, state):
    return rules.legal_actions(game, state)[0]


def failing(game, state):
    raise ValueError('a "quoted" {reason}')


def read(path):
    with open(path) as file:
        return list(iter(lambda: chess.pgn.read_game(file), None))


def unescaped(text):
    """A tag's value: the standard escapes quotes and backslashes, which python-chess leaves as they are."""
    return re.sub(r"\\(.)", r"\1", text)


def test_python_chess_reads_the_games(tmp_path):
    file = tmp_path / "games.pgn"
    game = SlowChess()
    result = z.match(game, {"depth": 1, "name": 'A "B" \\ C'}, first_move, games=4, openings=3, max_plies=14)
    write_pgn(game, result.games, file)
    found = read(file)
    assert len(found) == 4
    for pgn, record in zip(found, sorted(result.games, key=lambda each: each["number"]), strict=True):
        assert pgn.errors == []
        board, sans = pgn.board(), []
        for move in pgn.mainline_moves():
            sans.append(board.san(move))
            board.push(move)
        assert sans == record["moves"]
        assert [unescaped(pgn.headers[side]) for side in ("White", "Black")] == record["players"]
        assert pgn.headers["Result"] == {None: "1/2-1/2", 0: "1-0", 1: "0-1"}[record["winner"]]
    assert max(map(len, file.read_text().splitlines())) <= 79 + len('[White ""]')


def test_positions_and_faults(tmp_path):
    fen = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 3 40"
    (tmp_path / "openings.txt").write_text(fen)
    game = SlowChess()
    result = z.match(game, first_move, failing, games=2, openings=tmp_path / "openings.txt")
    write_pgn(game, result.games, tmp_path / "games.pgn")
    found = read(tmp_path / "games.pgn")
    assert [pgn.board().fen() for pgn in found] == [fen, fen]
    assert all(pgn.errors == [] and pgn.headers["Termination"] == "rules infraction" for pgn in found)
    assert "40..." in (tmp_path / "games.pgn").read_text()


def test_pgn_is_for_chess(tmp_path):
    with pytest.raises(GameError, match="PGN is for chess"):
        write_pgn(Countdown(), [], tmp_path / "games.pgn")
    assert not (tmp_path / "games.pgn").exists()


def test_the_option(tmp_path, capsys):
    from zermelo.app.cli import run

    line = ["match", "random", "random", "--games", "2", "--max-plies", "10", "--pgn", str(tmp_path / "games.pgn")]
    assert run([*line, "--game", "nim"]) == 1
    assert "PGN is for chess" in capsys.readouterr().err
    assert run([*line, "--game", "chess", "--openings", "0", "--json"]) == 0
    assert len(read(tmp_path / "games.pgn")) == 2
