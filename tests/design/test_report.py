"""Reports for designers: the figures agree with games whose answers are known, and pages hold no stranger's markup."""

import json
import re

import pytest

import zermelo as z
from match_games import Countdown, Endless, Rolling, Turning
from zermelo import GameError
from zermelo.design import sample_games
from zermelo.design.drama import decided_at, drama_of, is_comeback, lead_changes
from zermelo.design.game_report import PieRule, SkillStep, score_interval
from zermelo.design.rule_coverage import dead_lines
from zermelo.design.sample_games import PlayedGame, engine_of, play_game, random_opening
from zermelo.show.report_page import page

QUICK = 0.01


@pytest.fixture(scope="module")
def countdown():
    return z.report(Countdown(9), minutes=QUICK)


def test_figures_of_a_known_game(countdown):
    """Nine counters are won for the first player, in five plies at best; every game takes three to nine."""
    assert countdown.proven == "win in 5"
    assert set(countdown.playouts.branching) <= {1, 2, 3}
    assert min(countdown.playouts.lengths) >= 3
    assert max(countdown.playouts.lengths) <= 9
    strongest = countdown.levels[-1]
    assert strongest.counts[1] == 0  # nothing is drawn
    assert countdown.estimate.states == 10
    assert countdown.pie.without == 1.0
    assert countdown.pie.fairest[1] == 0.0  # the second player would take over whatever is played
    assert countdown.dead == ()


def test_text_json_and_page(countdown, tmp_path):
    text = str(countdown)
    for words in ("moves to choose from", "first player, random play", "win in 5", "Elo for twice the nodes"):
        assert words in text
    found = json.loads(json.dumps(countdown.to_dict()))
    assert found["proven"] == "win in 5"
    countdown.save(tmp_path / "a.html")
    html = (tmp_path / "a.html").read_text()
    assert html.count("<article>") == 1
    assert html.count("<svg") >= 4
    assert not re.search(r"(src|href)=|@import|url\(|<script", html)  # it needs no other file
    both = page([countdown, countdown])
    assert both.count("<article>") == 2


def test_names_of_others_are_text(countdown):
    class Evil(Countdown):
        def __repr__(self):
            return "<script>alert(1)</script>"

        def move_text(self, left, taken):
            return f"<b>{taken}"

    html = page([z.report(Evil(5), minutes=QUICK / 2)])
    assert "<script>" not in html
    assert "<b>" not in html


def test_games_with_chance_and_without_end():
    rolling = z.report(Rolling(), minutes=QUICK / 2)
    assert rolling.pie is None  # there is one first move
    assert rolling.playouts.draws > 0
    turning = z.report(Turning(), minutes=QUICK / 2)
    assert turning.playouts.unfinished == turning.playouts.n
    assert all(level.endless == len(level.games) for level in turning.levels)
    assert "100.0% of random games do not end" in str(turning)


def test_a_game_without_end_is_given_up(monkeypatch):
    monkeypatch.setattr(sample_games, "MAX_PLIES", 12)
    engine = engine_of(Endless(), 20)
    played = play_game(Endless(), (engine, engine), [], 0)
    assert (played.endless, played.winner, len(played.moves)) == (True, None, 12)


def test_games_follow_from_the_seed():
    game = Countdown(15)
    engine = engine_of(game, 50)
    games = [play_game(game, (engine, engine), random_opening(game, 3), 3) for _ in range(2)]
    assert games[0] == games[1]
    assert random_opening(game, 3) != random_opening(game, 5) or random_opening(game, 4) != random_opening(game, 5)


def test_drama():
    swinging = PlayedGame((), 1, (0.5, 0.9, 0.3, 0.8, 0.05))
    steady = PlayedGame((), 0, (0.95, 0.95, 1.0))
    assert lead_changes(swinging.chances) == 3
    assert (is_comeback(swinging), is_comeback(steady)) == (True, False)
    assert (decided_at(swinging), decided_at(steady)) == (0.8, 0.0)
    found = drama_of([swinging, steady])
    assert (found.lead_changes, found.comebacks, found.decided) == (1.5, 0.5, 0.4)
    assert drama_of([PlayedGame((), 0, ())]) is None


def test_skill_and_pie():
    step = SkillStep(100, ((1.0, 1.0), (1.0, 0.5), (0.5, 0.5), (1.0, 0.0)))
    assert step.sample.elo > 0
    pie = PieRule((("a", 0.9), ("b", 0.6), ("c", 0.45), ("d", 0.1)))
    assert pie.without == 0.9
    assert pie.fairest == ("c", 0.45)


class Unfair(Countdown):
    """With a rule that cannot apply."""

    def play(self, left, taken):
        if taken > 3:
            left = left + 100
        return left - taken

    def result(self, left):
        if left < 0:
            return z.WIN
        return z.LOSS if left == 0 else z.ONGOING


def test_the_pie_rule_knows_what_is_proven():
    """Connect Four is won by the middle, drawn by its neighbours and lost by the others (Allis, 1988)."""
    pie = z.report(z.load("connect_four"), minutes=0.002).pie
    assert dict(pie.moves) == {"4": 1.0, "3": 0.5, "5": 0.5, "1": 0.0, "2": 0.0, "6": 0.0, "7": 0.0}
    assert pie.without == 1.0
    assert pie.fairest[1] == 0.5


def test_few_games_say_little():
    """Wilson's interval for 0 and for 5 games of ten; it is never a point."""
    assert score_interval(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert score_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    low, high = score_interval(500, 1000)
    assert high - low < 0.07


def test_rules_that_never_fire():
    found = dead_lines(Unfair(9), [], 0.05)
    assert {(line.rule, line.text) for line in found} == {("play", "left = left + 100"), ("result", "return z.WIN")}
    assert dead_lines(Countdown(9), [], 0.05) == []


def test_the_command(tmp_path, monkeypatch, capsys):
    from pathlib import Path

    import match_games
    from zermelo.app.cli import run

    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(Path(match_games.__file__).read_text())
    line = ["report", "mine.py:Countdown(9)", "--minutes", "0.005"]
    assert run([*line, "--versus", "mine.py:Countdown(8)", "-o", "page.html"]) == 0
    out = capsys.readouterr().out
    assert "win in 5" in out
    assert "loss in 4" in out
    assert (tmp_path / "page.html").read_text().count("<article>") == 2
    assert run([*line, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["proven"] == "win in 5"
    assert run([*line[:3], "0"]) == 2
    with pytest.raises(GameError, match="minutes must be a number above zero"):
        z.report(Countdown(9), minutes=-1)
