"""The clock: how it is written, the account it keeps, and whole games in which time is only counted."""

import random

import pytest

import zermelo as z
from zermelo.play import Clock, Engine
from zermelo.play.clock import Budget
from zermelo.play.move_overhead import MoveOverhead, crowding
from zermelo.searching.runtime import analysis_stream, search_threads


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """What else this machine does is not to count."""
    monkeypatch.setattr("os.getloadavg", lambda: (0.0, 0.0, 0.0), raising=False)


@pytest.mark.parametrize(
    ("text", "seconds", "increment", "moves"),
    [
        ("5+3", 300, 3, None),
        ("40/90+30", 5400, 30, 40),
        ("40/90", 5400, 0, 40),
        ("0.5", 30, 0, None),
        (" 1+0.5 ", 60, 0.5, None),
        ("1s+0.01", 1, 0.01, None),
        ("40/30s", 30, 0, 40),
    ],
)
def test_clocks_as_they_are_written(text, seconds, increment, moves):
    clock = Clock.parse(text)
    assert (clock.left, clock.increment, clock.moves_to_go) == (seconds, increment, moves)


@pytest.mark.parametrize(
    "text", ["", "5:3", "5+", "+3", "0+3", "0/5", "40/", "-5+3", "5 + 3", "5m", "0s", "five", "nan", "1e3"]
)
def test_bad_text_gets_a_sentence(text):
    with pytest.raises(z.GameError, match=r"is not a clock; write minutes\+seconds, such as 5\+3"):
        Clock.parse(text)


@pytest.mark.parametrize(
    "wrong",
    [{"seconds": 0}, {"seconds": True}, {"seconds": float("inf")}, {"seconds": 1, "increment": -1},
     {"seconds": 1, "moves": 0}, {"seconds": 1, "moves": 1.5}],
)  # fmt: skip
def test_impossible_clocks_get_a_sentence(wrong):
    with pytest.raises(ValueError, match=r"^Clock: .* must be a .*(number above zero|from 0 up)"):
        Clock(**wrong)


def test_the_account():
    clock = Clock(60, 2, 3)
    clock.spend(10)
    assert (clock.left, clock.moves_to_go, clock.flag) == (52, 2, False)
    clock.spend(10)
    clock.spend(10)
    assert (clock.left, clock.moves_to_go) == (96, 3)  # the third move brings another sixty seconds
    clock.spend(97)
    assert clock.flag
    assert repr(Clock(60, 2, 3)) == "Clock(60, 2, 3)"


@pytest.mark.parametrize(
    ("seconds", "text"), [(3725, "1:02:05"), (300, "5:00"), (59.97, "0:59"), (9.99, "0:09.9"), (0.04, "0:00.0")]
)
def test_the_time_left_is_never_rounded_up(seconds, text):
    assert str(Clock(seconds)) == text


class Timer:
    """Time that passes when told to."""

    now = 100.0

    def __call__(self):
        return self.now


def test_start_and_stop_book_the_time_between():
    timer = Timer()
    clock = Clock(60, 1, timer=timer)
    assert clock.spent == 0
    clock.start()
    timer.now += 7
    assert clock.spent == 7
    clock.stop()
    assert (clock.left, clock.spent) == (54, 0)


# -- budgets ---------------------------------------------------------------------------------------------------------

CONTROLS = ["0.1", "1+0", "1+1", "5+3", "40/90+30", "40/5", "3/0.1", "1/0.05+1", "15+10"]


def test_more_time_gives_a_larger_budget():
    for longer, shorter in [((60,), (59,)), ((60, 1), (60,)), ((60, 0, 10), (60, 0, 20)), ((3,), (2,))]:
        more, less = Clock(*longer).budget(), Clock(*shorter).budget()
        assert more.soft > less.soft
        assert more.hard >= less.hard


def test_a_budget_leaves_a_reserve():
    for tenths in range(1, 5000):
        for increment in (0, 1, 30):
            for moves in (None, 1, 2, 40):
                clock = Clock(tenths / 10, increment, moves)
                soft, hard = clock.budget()
                assert 0 < soft <= hard < clock.left
                reserve = 0.03 if increment else 0.03 + 0.015 * ((moves or 100) - 1)
                assert hard <= clock.left - reserve + 1e-9 or hard <= 0.02 * clock.left + 1e-9


@pytest.mark.parametrize("text", CONTROLS)
def test_nobody_loses_on_time(text):
    """Every move to the hard limit and a hundredth of a second more; and long games with searches of any length."""
    rng = random.Random(text)
    for moves, part in [(100, lambda: 1.0), (180, lambda: rng.choice((0.05, 0.15, 0.3, 1.0)))]:
        clock = Clock.parse(text)
        for _ in range(moves):
            clock.spend(clock.budget().hard * part() + 0.01)
            assert not clock.flag, clock


@pytest.mark.parametrize("text", CONTROLS)
def test_the_time_is_used(text):
    """A player whose rounds end somewhat after the soft limit, for forty moves."""
    clock, spent = Clock.parse(text), 0.0
    given = clock.seconds * (40 // clock.moves if clock.moves else 1) + 39 * clock.increment
    for _ in range(40):
        budget = clock.budget()
        spent += min(1.7 * budget.soft, budget.hard)
        clock.spend(min(1.7 * budget.soft, budget.hard))
    assert spent > 0.55 * given


@pytest.mark.parametrize("lag", [0.0005, 0.003, 0.01, 0.018])
def test_the_overhead_is_measured(lag):
    """One second and a hundredth a move, for eighty moves: time is used where moves cost little, and never exceeded."""
    rng = random.Random(lag)
    clock, overhead, searched = Clock(1, 0.01), MoveOverhead(), 0.0
    for ply in range(0, 160, 2):
        overhead.prepare(clock, ply)
        budget = clock.budget()
        search = min(rng.choice((1.0, 1.5, 3.0)) * budget.soft, budget.hard)
        overhead.planned(clock, ply, search)
        clock.spend(search + rng.uniform(0.5, 1.5) * lag)
        searched += search
        assert not clock.flag, ply
    assert searched > 0.85 * (1.8 - 80 * lag)
    assert overhead.mean == pytest.approx(lag, rel=0.4)


def test_the_worst_overhead_is_kept_in_reserve():
    """A move that took half a second more than it should may come again, and is forgotten slowly."""
    overhead, clock, budgets = MoveOverhead(), Clock(1, 0.01), []
    for ply in range(0, 1000, 2):
        clock.left = 0.6 + 0.01 - 0.02 - (0.5 if ply == 22 else 0.001)  # after a move of 20 ms
        overhead.prepare(clock, ply)
        clock.left = 0.6
        budgets.append(clock.budget().hard)
        overhead.planned(clock, ply, 0.02)
    assert budgets[11] < 0.3 * budgets[10]
    assert budgets[15] < 0.6 - 0.5 * 0.99**4
    assert budgets[-1] > 0.9 * budgets[10]


def test_other_games_do_not_count_as_overhead():
    overhead, clock = MoveOverhead(), Clock(60)
    before = overhead.mean
    for ply, left in ((10, 60), (0, 50), (2, 58), (7, 57)):  # a new game, more time, plies of another game
        clock.left = left
        overhead.prepare(clock, ply)
        overhead.planned(clock, ply, 0.5)
    assert overhead.mean == before


def test_on_a_busy_machine_moves_are_expected_to_cost_more(monkeypatch):
    usual = MoveOverhead().mean
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr("os.getloadavg", lambda: (9.0, 1.0, 1.0), raising=False)
    assert crowding() == 4.5
    assert MoveOverhead().mean == 4.5 * usual
    monkeypatch.delattr("os.getloadavg", raising=False)
    assert crowding() == 1


def test_no_round_is_begun_that_will_not_finish():
    budget = Budget(soft=2, hard=8)
    assert not budget.over(1, 6.9)
    assert budget.over(1, 7.1)
    assert budget.over(2, 0)
    assert budget.part(2) == (1, 4)


# -- the engine on a clock -------------------------------------------------------------------------------------------


class CountedAnalysis:
    """Reports whose time is counted, in place of a search that runs."""

    def __init__(self, reports):
        self.reports = reports

    def __iter__(self):
        return self.reports

    def leave_after(self, seconds): ...

    def leave(self): ...

    def join(self): ...


def counted_time(monkeypatch, timer, growth, first=0.001, lag=0.01):
    """Let rounds of the search take time that is only counted: each `growth` times as long as the one before."""
    asked = []

    def analyze(game, state, limit, *, lines, threads, table, history):
        asked.append(limit.seconds)
        return CountedAnalysis(stream(game, state, limit.seconds, lines, threads))

    def stream(game, state, seconds, lines, threads):
        end = timer.now + seconds
        for depth in range(1, 100):
            timer.now += min(first * growth**depth, end - timer.now)
            report = z.search(game, state, z.Limit(depth=1), lines=lines, threads=threads)
            rounds = tuple(int(1000 * growth**round) for round in range(depth))
            yield z.Report(game, state, report.lines, depth, report.nodes, 0.0, rounds)
            if timer.now >= end:
                timer.now += lag
                return

    monkeypatch.setattr("zermelo.play.move_search.analyze", analyze)
    return asked


class Walk(z.Game):
    """Eighty plies with two moves each."""

    native = False

    def initial(self):
        return 0

    def moves(self, state):
        return (1, 2)

    def play(self, state, move):
        return state + 1

    def result(self, state):
        return z.DRAW if state == 80 else z.ONGOING


@pytest.mark.parametrize("growth", [1.3, 2.5, 6])
@pytest.mark.parametrize("text", ["1+0", "0.2+1", "20/0.5"])
def test_whole_games_on_the_clock(monkeypatch, growth, text):
    timer = Timer()
    asked = counted_time(monkeypatch, timer, growth)
    clock = Clock.parse(text)
    clock.timer = timer
    engine = Engine(Walk(), clock)
    for ply in range(0, 80, 2):
        budget, before = clock.budget(), timer.now
        assert engine.choose(ply).move in (1, 2)
        assert asked[-1] == budget.hard
        assert timer.now - before <= budget.hard + 0.02
    assert len(asked) == 40
    assert not clock.flag
    assert timer.now - 100 > 0.3 * clock.seconds


def test_the_engine_stops_between_rounds(monkeypatch):
    timer = Timer()
    counted_time(monkeypatch, timer, growth=10)
    clock = Clock(100, timer=timer)
    budget = clock.budget()  # 2 and 13 seconds: after rounds of 0.01, 0.1 and 1 one of 10 is begun, one of 100 is not
    assert (budget.soft, budget.hard) == (pytest.approx(1.96), pytest.approx(13.07, abs=0.01))
    assert Engine(Walk(), clock).choose(0).depth == 4
    assert clock.left == pytest.approx(100 - 11.11)


def test_a_quick_move_needs_no_other_thread(monkeypatch):
    """Where little time is left, and the speed is known, the search has nodes for a limit and runs at once."""
    game = z.load("connect_four")
    engine = Engine(game, Clock(60), book=False)
    engine.prepare()
    engine.wait_for_compiler(60)
    first = engine.choose(game.initial())
    assert not engine.is_quick(Clock(60), 2)

    def refuse(*_):
        raise AssertionError("a thread was started")

    for module in (analysis_stream, search_threads):
        monkeypatch.setattr(module, "start_thread", refuse)
    with pytest.raises(AssertionError, match="a thread was started"):
        engine.choose(game.initial())
    engine.clock = Clock(0.05)
    assert engine.is_quick(engine.clock, 2)
    told = []
    report = engine.choose(game.initial(), told.append)
    assert told[-1].move == report.move
    assert 0 < report.nodes < first.nodes


class OneMove(Walk):
    def moves(self, state):
        return (1,)


def test_a_forced_move_takes_no_time(monkeypatch):
    timer = Timer()
    asked = counted_time(monkeypatch, timer, growth=2)
    clock = Clock(60, timer=timer)
    assert Engine(OneMove(), clock).choose(0).move == 1
    assert (asked, clock.left) == ([], 60)


def test_an_error_stops_the_clock_too():
    clock = Clock(60)
    with pytest.raises(z.GameError, match="the game is over"):
        Engine(Walk(), clock).choose(80)
    assert clock.spent == 0


def test_a_real_game_on_a_real_clock():
    game = z.load("tic_tac_toe")
    clocks = Clock(60), Clock(60)
    engines = [Engine(game, clock) for clock in clocks]
    state, ply = game.initial(), 0
    while game.result(state) == z.ONGOING:
        state = game.play(state, engines[ply % 2].choose(state).move)
        ply += 1
    assert game.result(state) == z.DRAW
    assert all(0 < clock.left < 60 and not clock.flag for clock in clocks)


def test_sentences_for_times_that_make_no_sense():
    with pytest.raises(z.GameError, match="5 is not a clock; write minutes"):
        Clock.parse(5)
    for seconds in (-4, float("nan"), "4"):
        with pytest.raises(ValueError, match=r"^Clock\.spend: seconds must be a number from 0 up, not "):
            Clock(60).spend(seconds)


def test_a_move_is_made_though_no_time_is_left():
    clock = Clock(1)
    clock.spend(2)
    assert (clock.left, clock.flag) == (0, True)
    game = z.load("tic_tac_toe")
    assert Engine(game, clock).choose(z.position(game, "a1 b1 a2 b2")).pv_text == ["a3"]
