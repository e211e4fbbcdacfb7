"""Games that end by agreement of both players, and what a record notes of each move."""

import json

import chess.pgn
import pytest

import zermelo as z
from engine_process import SlowChess
from match_games import Countdown, Endless
from zermelo import GameError
from zermelo.app.commands.match_command import write_pgn
from zermelo.matches.adjudication import Adjudication, DrawAgreement, Resignation
from zermelo.matches.match_record import read_games
from zermelo.searching import Line, Report
from zermelo.value import Value


def saying(points):
    """A player that makes the first move and says that it is worth so many points to it; None says nothing."""

    def player(game, state):
        move = game.moves(state)[0]
        return move if points is None else Report(game, state, (Line(Value.estimate(points), (move,)),), 1, 1, 0.0)

    player.__name__ = f"saying {points}"
    return player


def ending(one, other, **options):
    (game,) = z.match(Endless(), saying(one), saying(other), games=1, openings=0, max_plies=40, **options).games
    return game["winner"], len(game["moves"]), game["result"]


def test_both_must_agree_who_wins():
    assert ending(9, -9, resign=(8, 3))[:2] == (0, 6)
    assert ending(-9, 9, resign=(8, 3))[:2] == (1, 6)
    assert "by agreement" in ending(9, -9, resign=(8, 3))[2]
    for disagreeing in ((9, -7), (9, 9), (-9, -9), (9, None), (None, None)):
        assert ending(*disagreeing, resign=(8, 3))[:2] == (None, 40)
    assert ending(9, -9)[:2] == (None, 40)


def test_both_must_agree_on_a_draw():
    assert ending(0.1, -0.1, draw=(0.1, 3, 0))[:2] == (None, 6)
    assert ending(0.1, 0.1, draw=(0.1, 3, 21)) == (None, 21, "Draw by agreement.")
    for disagreeing in ((0.1, 0.2), (0, None)):
        assert ending(*disagreeing, draw=(0.1, 3, 0))[1] == 40


def test_only_the_last_evaluations_in_a_row_count():
    told = Adjudication(Resignation(5, 2), DrawAgreement(1, 2))
    for one, other in ((6, 6), (0, 6), (6, 6), (6, 6)):
        assert told.winner is None
        told.note(0, one)
        told.note(1, other)
    assert told.winner == 0
    assert not told.drawn(8)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"resign": 5}, "resign must be points and moves, not 5"),
        ({"resign": (0, 3)}, "points must be a number above zero"),
        ({"resign": (5, 0)}, "moves must be a whole number above zero"),
        ({"resign": (5, 1.5)}, "moves must be a whole number"),
        ({"draw": (0.1, 3)}, "draw must be points, moves and a ply"),
        ({"draw": (-1, 3, 0)}, "points must be"),
        ({"draw": (1, 3, -1)}, "ply must be"),
    ],
)
def test_bad_agreements(options, words):
    with pytest.raises(GameError, match=words):
        z.match(Countdown(), "random", "random", **options)


def test_a_record_has_evaluations_and_clocks(tmp_path):
    """Evaluations are the first player's, whoever makes the move."""
    file = tmp_path / "match.jsonl"
    z.match(Countdown(6), "depth=9", "depth=9,name=B", games=1, openings=0, record=file)
    (game,) = read_games(file)
    assert len(game["notes"]) == len(game["moves"])
    assert all(note["evaluation"] > 900_000 for note in game["notes"].values())
    z.match(Countdown(6), "zermelo", "random", games=1, openings=0, clock="1+1", record=tmp_path / "clocks.jsonl")
    (game,) = read_games(tmp_path / "clocks.jsonl")
    clocks = [game["notes"][str(number)]["clock"] for number in range(len(game["moves"]))]
    assert all(59 < left <= 60 + 1 + number for number, left in enumerate(clocks))
    assert "evaluation" not in game["notes"]["1"]


def test_agreements_are_part_of_the_match(tmp_path):
    file = tmp_path / "match.jsonl"
    options = {"games": 2, "resign": (3, 2), "draw": (0.1, 2, 4), "record": file}
    z.match(Countdown(), "random", "random", **options)
    header = json.loads(file.read_text().splitlines()[0])
    assert header["resign"] == {"points": 3, "moves": 2}
    with pytest.raises(GameError, match="another match: its resign"):
        z.match(Countdown(), "random", "random", **{**options, "resign": None})


def test_pgn_has_evaluations_and_clocks(tmp_path):
    """python-chess reads them as they were told."""
    game = SlowChess()
    result = z.match(game, "depth=1", "depth=1,name=B", games=2, openings=2, max_plies=8, clock=None)
    write_pgn(game, result.games, tmp_path / "games.pgn")
    with open(tmp_path / "games.pgn") as file:
        for record in sorted(result.games, key=lambda each: each["number"]):
            nodes = list(chess.pgn.read_game(file).mainline())
            for number, note in record["notes"].items():
                told = nodes[int(number)].eval().white().score(mate_score=1)
                assert told == pytest.approx(100 * note["evaluation"], abs=1)
            assert len(record["notes"]) == len(nodes) - 2
