"""Tournaments: who meets whom, ratings, standings, and going on after a stop."""

import json
import math
import random
from itertools import combinations

import pytest

import match_games
import zermelo as z
from match_games import Countdown, Perfect, drawing_lots
from zermelo import GameError
from zermelo.files import FileError
from zermelo.matches.match_record import read_games
from zermelo.matches.pairings import swiss_round
from zermelo.matches.statistics import expected_score
from zermelo.matches.tournament_result import TournamentResult, fit_ratings


def one(game, state):
    """Always takes one."""
    return 1


PLAYERS = [one, Perfect, drawing_lots, "random"]


def meetings(result):
    return {frozenset(game["seats"]) for game in result.games}


def test_everybody_meets_everybody():
    result = z.tournament(Countdown(), PLAYERS, games=4, openings=2)
    assert meetings(result) == {frozenset(pair) for pair in combinations(range(4), 2)}
    assert len(result.games) == 24
    assert result.standings[0].name == "Perfect"
    assert [row.games for row in result.standings] == [12] * 4
    assert sum(row.points for row in result.standings) == 24
    assert sum(row.rating for row in result.standings) == pytest.approx(0)
    for player, other in combinations(range(4), 2):
        assert result.score(player, other)[0] + result.score(other, player)[0] == 4
    assert sorted(game["number"] for game in result.games) == list(range(24))
    pairs = {}
    for game in result.games:
        pairs.setdefault(game["pair"], []).append(game)
    assert all(a["seats"] == b["seats"][::-1] and a["moves"][:2] == b["moves"][:2] for a, b in pairs.values())


def test_a_gauntlet_is_run_by_the_first():
    result = z.tournament(Countdown(), PLAYERS, kind="gauntlet", games=2)
    assert meetings(result) == {frozenset({0, other}) for other in (1, 2, 3)}


def test_a_swiss_tournament_pairs_by_points_and_goes_on(tmp_path):
    file = tmp_path / "swiss.jsonl"
    options = {"kind": "swiss", "games": 2, "rounds": 3, "openings": 2}
    whole = z.tournament(Countdown(), PLAYERS, **options, record=file)
    assert len(meetings(whole)) == 6  # three rounds of four players: everybody has met everybody
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:6]))  # the header and five of four games a round
    again = z.tournament(Countdown(), PLAYERS, **options, record=file)
    assert [row.points for row in again.standings] == [row.points for row in whole.standings]
    assert sorted(game["number"] for game in read_games(file)) == list(range(12))
    with pytest.raises(FileError, match="another match"):
        z.tournament(Countdown(), PLAYERS, games=2, record=file)


def test_swiss_rounds_avoid_a_second_meeting():
    dice = random.Random(6)
    for _ in range(60):
        count = dice.randint(2, 9)
        points, met, resting = [0.0] * count, set(), []
        for _ in range((count - 1) // 2):  # so many rounds are always possible without repeating one
            pairs, rests = swiss_round(points, met, resting)
            players = [player for pair in pairs for player in pair] + ([] if rests is None else [rests])
            assert sorted(players) == list(range(count))
            assert not {frozenset(pair) for pair in pairs} & met
            assert rests not in resting
            met |= {frozenset(pair) for pair in pairs}
            resting += [] if rests is None else [rests]
            for first, second in pairs:
                points[dice.choice((first, second))] += 1


def test_odd_numbers_rest_in_turn():
    result = z.tournament(Countdown(), PLAYERS[:3], kind="swiss", rounds=3, games=2)
    assert sorted(row.games for row in result.standings) == [4, 4, 4]


def test_ratings_find_the_true_differences():
    dice = random.Random(2)
    truth = [120, 40, -40, -120]
    games = []
    for first, second in combinations(range(4), 2):
        for _ in range(1500):
            won = dice.random() < expected_score(truth[first] - truth[second])
            games.append({"seats": (first, second), "winner": 0 if won else 1})
    assert fit_ratings(4, games) == pytest.approx(truth, abs=15)


def test_ratings_of_players_who_only_won_are_finite():
    games = [{"seats": (0, 1), "winner": 0}] * 20
    assert all(math.isfinite(rating) for rating in fit_ratings(3, games))
    assert fit_ratings(3, games)[2] == pytest.approx(0)


def test_a_bad_player_loses_its_games():
    result = z.tournament(Countdown(), [match_games.leaving, "random", one], games=2, concurrency=2)
    assert result.standings[-1].name == "leaving"
    assert len(result.faults) == 4
    assert "4 faults" in str(result)


def test_an_empty_result_prints():
    result = TournamentResult("round robin", ("a", "b"), ())
    assert "0 games" in str(result)
    assert "<table>" in result._repr_html_()


@pytest.mark.parametrize(
    ("players", "options", "words"),
    [
        (["random"], {}, "at least two players"),
        ("random", {}, "at least two players"),
        (PLAYERS, {"kind": "knockout"}, "kind must be"),
        (PLAYERS, {"games": 3}, "games must be even"),
        (PLAYERS, {"rounds": 3}, "rounds are for a Swiss"),
    ],
)
def test_bad_options(players, options, words):
    with pytest.raises(GameError, match=words):
        z.tournament(Countdown(), players, **options)


def test_the_command(capsys):
    from zermelo.app.cli import run

    game = f"{match_games.__file__}:Countdown(12)"
    line = ["tournament", "random", "random", f"{match_games.__file__}:Perfect", "--game", game, "--games", "2"]
    assert run([*line, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 6
    assert {row["name"] for row in found["standings"]} >= {"random", "random #2"}
