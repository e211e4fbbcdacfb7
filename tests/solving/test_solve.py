"""solve: every value of hundreds of random games against the referee and the textbook, and what a solution answers."""

import json
import math
import sys
from dataclasses import replace
from types import ModuleType

import pytest

import naive
import zermelo as z
from hostile import interpreted
from solve_games import (
    Boxes,
    Depths,
    Landings,
    Lots,
    Overflow,
    Rooms,
    Rounds,
    Scores,
    Spot,
    Squares,
    Stairs,
    Throws,
    Turns,
    Ways,
)
from zermelo import DRAW, LOSS, ONGOING, WIN, Game, GameError, rules, textbook
from zermelo.native import Kernel
from zermelo.solving.retrograde import worker_pool as pool

WDL = [Stairs(), Depths(), Landings(), Rounds(), Rooms(), Squares(), Ways()]
MARGIN = [Scores(), Turns()]
solutions = {}


def solved(game):
    """The solution of a game, found once."""
    if game not in solutions:
        assert game.native_error is None
        solutions[game] = z.solve(game, threads=2)
    return solutions[game]


def textbook_values(game):
    """{state: value} of every state that can be reached, none left out for being equivalent to another."""
    find = textbook.value_iteration if game.loops else textbook.backward_induction
    table = (textbook.retrograde if game.loops and not rules.has_chance(game) else find)(game)
    return dict(zip(table, table.values, strict=True))


def told(value):
    """What a value says, apart from how it was found."""
    return value.score, value.outcome, value.plies, value.repetition, value.player, value.exact


def starts(game):
    """The random games behind the first move."""
    return [game.play(game.initial(), move) for move in game.moves(game.initial())]


# -- the referee -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", WDL + MARGIN, ids=repr)
def test_every_value_is_that_of_the_textbook(game):
    solution, values = solved(game), textbook_values(game)
    assert len({value.score for value in values.values()}) > 5
    for state, value in values.items():
        assert told(solution.value(state)) == told(value)


@pytest.mark.parametrize("game", WDL, ids=repr)
def test_every_outcome_is_that_of_the_referee(game):
    solution = solved(game)
    for start in starts(game)[:40]:
        for (state, _), (outcome, plies) in naive.outcomes(game, start).items():
            value = solution.value(state)
            assert (value.outcome, value.repetition) == (
                DRAW if outcome == "repetition" else outcome,
                outcome == "repetition",
            )
            assert value.plies == (plies if outcome in (WIN, LOSS) else None)


@pytest.mark.parametrize("game", [Scores(), Turns(), Throws()], ids=repr)
def test_every_payoff_is_that_of_the_referee(game):
    solution = solved(game)
    for start in starts(game):
        for state, player in naive.reachable(game, start):
            expected = naive.sign(player) * naive.tree_value(game, state, player, {})
            assert solution.value(state).score == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("game", [Lots(), Boxes()], ids=repr)
def test_expectations_with_loops_are_those_of_the_textbook_and_of_the_referee(game):
    solution = solved(game)
    for state, value in textbook_values(game).items():
        assert solution.value(state).score == pytest.approx(value.score, abs=2e-9)
    small = 0
    for start in starts(game):
        positions = naive.reachable(game, start)
        if math.prod(len(to) for (state, _), to in positions.items() if to and not naive.is_chance(game, state)) <= 64:
            small += 1
            for (state, _), expected in naive.expectations(game, start).items():
                assert solution.value(state).score == pytest.approx(expected, abs=1e-9)
    assert small > 3


class Lottery(Game):
    """Draw until the lot falls; it rarely does, and a change of 1e-12 from sweep to sweep is no proof of anything."""

    loops = True
    native = False

    def initial(self):
        return 0

    def mover(self, state):
        return 0

    def moves(self, state):
        return ()

    def is_chance(self, state):
        return state == 0

    def chances(self, state):
        yield 0, 1 - 1 / 2048
        yield 1, 1 / 2048

    def play(self, state, outcome):
        return outcome

    def result(self, state):
        return WIN if state == 1 else ONGOING


def test_the_error_of_an_interpreted_solve_is_proven():
    for epsilon in (1e-6, 1e-9, 1e-11):
        solution = z.solve(Lottery(), epsilon=epsilon)
        assert abs(solution.value(0).score - 1) <= solution.header.error <= epsilon


def test_states_may_hold_numbers_that_no_random_game_shows():
    game = Overflow()
    solution, values = solved(game), textbook_values(game)
    assert len(solution) == len(values)
    for state, value in values.items():
        assert told(solution.value(state)) == told(value)


# -- the same by other ways ------------------------------------------------------------------------------------------


def contents(solution):
    return [(state, told(value)) for state, value in solution.items()]


def test_ways_back_by_rule_and_by_search_lead_to_the_same():
    assert contents(solved(Squares())) == contents(solved(Ways()))


@pytest.mark.parametrize("game", [Depths(), Rooms(), Ways(), Turns(), Lots()], ids=repr)
def test_threads_change_nothing(game, monkeypatch):
    monkeypatch.setattr(pool, "MIN_CHUNK", 50)
    expected = solved(game)
    for threads in (1, 5):
        solution = z.solve(game, threads=threads)
        assert contents(solution) == contents(expected)
        assert solution.header.counts == expected.header.counts


@pytest.mark.parametrize("game", [Stairs(), Depths(), Rooms(), Ways()], ids=repr)
def test_without_distances_outcomes_are_the_same(game):
    solution, plain = solved(game), z.solve(game, wdl=True)
    assert len(plain) == len(solution)
    for state, value in solution.items():
        assert (plain.value(state).outcome, plain.value(state).plies) == (value.outcome, None)
    counts = solution.counts()
    assert plain.counts()["win"] == counts["win"]
    assert plain.counts()["draw"] == counts["draw"] + counts.get("draw by repetition", 0)
    assert (plain.distances(), plain.longest()) == ({}, [])


@pytest.mark.parametrize("game", [Stairs(), Landings(), Rounds(), Rooms(), Turns(), Lots(), Squares()], ids=repr)
def test_compiled_and_interpreted_games_have_the_same_solution(game):
    slow = type("Slow", (type(game),), {"__module__": __name__, "native": False})()
    compiled, plain = solved(game), z.solve(slow)
    assert plain.header.method == "interpreted"
    assert len(compiled) == len(plain) or rules.has_index(game)  # numbers may name states that no play reaches
    for state, value in plain.items():
        assert told(compiled.value(state)) == pytest.approx(told(value), abs=2e-9)
    if not rules.has_index(game):
        assert (compiled.counts(), compiled.distances()) == (plain.counts(), plain.distances())
        assert compiled.positions == plain.positions


@pytest.mark.parametrize("game", [Depths(), Rooms(), Ways(), Turns(), Lots()], ids=repr)
def test_kernels_do_the_same_interpreted(game, monkeypatch):
    few = {"__module__": __name__, "games": 7}
    expected = contents(solved(game))
    monkeypatch.setattr(Kernel, "__call__", lambda kernel, game, *args: kernel.interpreted(game, *args))
    small = type("Small", (type(game),), few)()
    known = dict(expected)
    solution = contents(z.solve(small, threads=1))
    assert len(solution) > 10
    for state, value in solution:
        if state != small.initial():
            assert value == pytest.approx(known[state], abs=1e-12)  # sums may be rounded in other places


# -- rules that are not what they say --------------------------------------------------------------------------------


class NoLoops(Rounds):
    """Play repeats, and the author does not know."""

    games = 5
    loops = False


class NoLoopsInStages(Rooms):
    games = 5
    loops = False


@pytest.mark.parametrize("game", [NoLoops(), NoLoopsInStages()], ids=repr)
def test_loops_that_are_not_declared_are_a_sentence(game):
    with pytest.raises(GameError, match=rf"solve of {game!r}.*: play repeats .* not say loops = True"):
        z.solve(game)


class Back(Stairs):
    """The third place is a stage below the second."""

    games = 3

    def stage(self, spot):
        return spot.place if spot.place < 3 else 1


class Gaps(Stairs):
    games = 3

    def stage(self, spot):
        return spot.place * 10_000


class Abyss(Stairs):
    games = 3

    def stage(self, spot):
        return spot.place * 1_000_000_000_000


def test_stages_that_go_back_are_a_sentence():
    with pytest.raises(
        GameError, match=r"solve of Back\(\): `stage` goes back from 2 to 1 after \(\d, 2\); a move never"
    ):
        z.solve(Back())


@pytest.mark.slow
def test_stages_may_have_gaps():
    solution = z.solve(Gaps())
    for state, value in textbook_values(Gaps()).items():
        assert told(solution.value(state)) == told(value)
    with pytest.raises(
        GameError, match=r"solve of Abyss\(\): `stage` runs from 0 to \d+000000000000; number the stages"
    ):
        z.solve(Abyss())


class Unnumbered(Squares):
    """Some states that can be reached have no number."""

    games = 3

    def index(self, spot):
        if spot.game == 0:
            return 0
        return (spot.game - 1) * 7 + spot.place % 7 if spot.place % 7 in (1, 2, 3) else -1


class Overnumbered(Unnumbered):
    """Some numbers are beyond the size."""

    def index(self, spot):
        if spot.game == 0:
            return 0
        return ((spot.game - 1) * 7 + spot.place % 7) * (1_000_000_000 if spot.place % 7 > 3 else 1)


@pytest.mark.slow
@pytest.mark.parametrize("game", [Unnumbered(), Overnumbered()], ids=repr)
def test_states_without_a_number_are_a_sentence(game):
    with pytest.raises(
        GameError, match=rf"solve of {game!r}.*: a move in \(\d, \d+\) leads to a state that `index` gives no"
    ):
        z.solve(game)


class Long(Game):
    """Count down from a thousand, each number a stage with its own numbering."""

    def initial(self):
        return 1000

    def moves(self, left):
        return range(1, min(left, 3) + 1)

    def play(self, left, taken):
        return left - taken

    def result(self, left):
        return LOSS if left == 0 else ONGOING

    def stage(self, left):
        return 1000 - left

    def size(self, stage):
        return 1

    def index(self, left):
        return 0

    def at(self, stage, index):
        return 1000 - stage


def test_one_stage_and_those_that_it_leads_to():
    solution = z.solve(Long(), stage=990)
    assert len(solution) == 11
    assert str(solution.value(9)) == "win in 5"
    assert 11 not in solution
    with pytest.raises(GameError, match="11 is not among the 11 states that were solved"):
        solution.value(11)
    with pytest.raises(GameError, match=r"stage chooses among states that a rule numbers, and there is no `index`"):
        z.solve(Stairs(), stage=2)


def test_a_thousand_stages_are_not_too_deep():
    solution = z.solve(Long())
    assert len(solution) == 1001
    assert str(solution.value()) == "loss in 500"


class Floats(Game):
    """A state with a fraction, which no key can hold."""

    def initial(self):
        return (0, 0.0)

    def moves(self, state):
        return range(2)

    def play(self, state, move):
        return (state[0] + 1, state[1] + move * 0.25)

    def result(self, state):
        return ONGOING if state[0] < 4 else LOSS if state[1] < 0.6 else WIN


def test_states_with_fractions():
    game = Floats()
    try:
        solution = z.solve(game)
    except GameError as error:
        assert "Floats" in str(error)  # noqa: PT017
    else:
        for state, value in textbook_values(game).items():
            assert told(solution.value(state)) == told(value)


class Millions(Scores):
    games = 3

    def result(self, spot):
        return ONGOING if spot.place < 3 else (-1) ** spot.game * 3_000_000_000


@pytest.mark.slow
def test_points_that_entries_have_no_room_for_are_a_sentence():
    with pytest.raises(GameError, match=r"solve of Millions\(\): .*3000000000"):
        z.solve(Millions())


class Endless(Lots):
    """Nobody has to end the game."""

    games = 3

    def chances(self, seat):
        yield 0, 0.5
        yield 1, 0.5


class SlowEndless(Endless):
    native = False


@pytest.mark.parametrize("game", [pytest.param(Endless(), marks=pytest.mark.slow), SlowEndless()], ids=repr)
def test_play_that_need_not_end_has_no_proven_expectation(game):
    with pytest.raises(
        GameError, match=r"solve of \w+\(\): in stage \d+ the bounds stay .* apart; some play there never"
    ):
        z.solve(game)


class Rich(Lots):
    """Payoffs are beyond the payoff_bounds."""

    games = 3

    def result(self, seat):
        return ONGOING if seat.place < self.places else 5


class SlowRich(Rich):
    native = False


@pytest.mark.parametrize("game", [pytest.param(Rich(), marks=pytest.mark.slow), SlowRich()], ids=repr)
def test_payoffs_beyond_their_bounds_prove_nothing(game):
    with pytest.raises(GameError, match=r"Rich\(\): .* is worth .*, which is not between the payoff_bounds -1 and 1"):
        z.solve(game)


# -- what a solution answers -----------------------------------------------------------------------------------------


class Race(Game):
    """Five steps to the end, one or two at a time; from three one may go back to the start. Small enough to see."""

    loops = True
    native = False

    def initial(self):
        return (0, 0)

    def mover(self, state):
        return state[1]

    def moves(self, state):
        return ("one", "two", "back") if state[0] == 3 else ("one", "two")

    def play(self, state, move):
        place, player = state
        return (0 if move == "back" else place + (1 if move == "one" else 2), 1 - player)

    def result(self, state):
        return ONGOING if state[0] < 4 else DRAW if state[0] == 5 else LOSS


def test_moves_have_values_and_the_best_come_first():
    for game in (Rooms(), Turns(), Stairs()):
        solution = solved(game)
        for state, value in solution.items():
            moves = solution.moves(state)
            if game.result(state) != ONGOING or not list(game.moves(state)):
                assert (moves, solution.best(state)) == ({}, [])
                continue
            assert sorted(moves) == list(game.moves(state))
            scores = [found.score for found in moves.values()]
            assert scores == sorted(scores, reverse=True)
            assert scores[0] == value.score
            assert {found.player for found in moves.values()} == {value.player}
            assert solution.best(state) == [move for move, found in moves.items() if found.score == value.score]
            if value.plies:
                assert moves[solution.best(state)[0]].plies == value.plies


def test_chance_has_no_best_move_and_its_outcomes_have_values():
    game = Throws()
    solution = solved(game)
    state = next(state for state in solution if game.is_chance(state))
    assert solution.best(state) == []
    outcomes = solution.moves(state)
    assert sum(p * outcomes[outcome].score for outcome, p in game.chances(state)) == pytest.approx(
        solution.value(state).score
    )


@pytest.mark.parametrize("game", [Stairs(), Rooms(), Squares()], ids=repr)
def test_a_line_is_a_perfect_game(game):
    solution = solved(game)
    for state, value in list(solution.items())[:300]:
        here, line = state, solution.line(state)
        for move in line:
            assert move in solution.best(here)
            here = game.play(here, move)
        if value.plies is not None:
            assert len(line) == value.plies
            assert rules.payoff(game, here) != ONGOING


@pytest.mark.parametrize("game", WDL, ids=repr)
def test_counts_are_those_of_the_states(game):
    solution = solved(game)
    values = [value for _, value in solution.items()]
    assert len(values) == len(solution) == len(set(solution))
    assert solution.counts() == {name: n for name in NAMES if (n := sum(name_of(value) == name for value in values))}
    found = {}
    for value in values:
        if value.plies is not None:
            found[name_of(value), value.plies] = found.get((name_of(value), value.plies), 0) + 1
    assert solution.distances() == found
    stages = {game.stage(state) for state in solution}
    if game.has("stage"):
        parts = [solution.counts(stage) for stage in stages]
        assert {name: sum(part.get(name, 0) for part in parts) for name in solution.counts()} == solution.counts()
    images = sum(len({state, *game.symmetries(state)}) for state in solution)
    assert solution.positions == sum(solution.counts(positions=True).values()) == images
    farthest = max(value.plies for value in values if value.plies is not None)
    longest = solution.longest(1000)
    assert {solution.value(state).plies for state in longest} == {farthest}
    assert len(longest) == sum(value.plies == farthest for value in values)
    assert len(solution.longest(1)) == 1


NAMES = ("win", "draw", "draw by repetition", "loss")


def name_of(value):
    return "draw by repetition" if value.repetition else {WIN: "win", DRAW: "draw", LOSS: "loss"}[value.outcome]


def test_positions_count_equivalent_states_where_there_is_chance():
    solution = solved(Lots())
    assert solution.positions == 2 * len(solution)
    assert len(solved(Boxes())) == len(list(solved(Boxes())))


def test_a_small_solution_in_full():
    solution = z.solve(Race())
    assert {state: str(value) for state, value in solution.items() if state[1] == 0} == {
        (0, 0): "win in 3", (1, 0): "loss in 2", (2, 0): "win in 1", (3, 0): "win in 1", (4, 0): "loss in 0",
        (5, 0): "draw",
    }  # fmt: skip


def test_a_summary_says_what_was_solved_and_how():
    assert solved(Stairs()).summary().splitlines() == str(solved(Stairs())).splitlines()
    lines = solved(Rooms()).summary().splitlines()
    assert lines[0] == f"Rooms(): {len(solved(Rooms())):,} states ({solved(Rooms()).positions:,} positions)"
    assert lines[1].startswith("method: reachable, retrograde: play can repeat")
    assert lines[2].startswith("value of the initial state: ")
    assert lines[3] == ", ".join(f"{number:,} {name}" for name, number in solved(Rooms()).counts().items())
    assert "error: at most 1e-09, proven" in solved(Lots()).summary()
    assert all(len(line) < 200 for line in solved(Scores()).summary().splitlines())
    assert repr(solved(Stairs())) == f"<Solution of Stairs(): {len(solved(Stairs())):,} states>"


def test_a_record_for_json():
    for game in (Stairs(), Rooms(), Scores(), Lots(), Squares()):
        solution = solved(game)
        record = json.loads(json.dumps(solution.to_dict()))
        assert (record["game"], record["states"], record["positions"]) == (
            repr(game),
            len(solution),
            solution.positions,
        )
        assert record["value"] == json.loads(json.dumps(solution.value().to_dict()))
        assert record["counts"] == {str(name): number for name, number in solution.counts().items()}
        assert {(name, plies): number for name, plies, number in record["distances"]} == solution.distances()


def test_states_that_are_not_there_are_sentences():
    solution = solved(Stairs())
    with pytest.raises(GameError, match=r"Stairs\(\): \(9999, 3\) is not among the \d+ states that were solved"):
        solution.value(Spot(9999, 3))
    with pytest.raises(GameError, match=r"Stairs\(\): 'here' cannot be a state"):
        solution.value("here")
    with pytest.raises(GameError, match=r"Stairs\(\): 7 cannot be a state"):
        solution.best(7)
    assert Spot(9999, 3) not in solution
    assert (1, 0) in solution
    assert solution.value((1, 0)) == solution.value(Spot(1, 0))
    for nonsense in ("here", 7, None, (1, 2, 3)):
        assert nonsense not in solution


def test_options_that_make_no_sense_are_sentences():
    for options, words in (
        ({"threads": 0}, "threads must be a whole number from 1 to 1024 or None, not 0"),
        ({"threads": 2.5}, "threads must be a whole number"),
        ({"epsilon": 0}, "epsilon must be a number from 1e-12 up and below 1, not 0"),
        ({"epsilon": True}, "epsilon must be"),
        ({"wdl": 3}, "wdl must be True or False, not 3"),
    ):
        with pytest.raises(GameError, match=words):
            z.solve(Stairs(), **options)
    with pytest.raises(GameError, match=r"solve takes a game, not its class: solve\(Stairs\(\)\)"):
        z.solve(Stairs)
    with pytest.raises(GameError, match=r"solve takes a game, not 'nim'; write z.load\('nim'\)"):
        z.solve("nim")
    with pytest.raises(GameError, match="wdl keeps wins, draws and losses, and this game counts points"):
        z.solve(Scores(), wdl=True)
    with pytest.raises(GameError, match="wdl keeps wins, draws and losses, and this game counts expectations"):
        z.solve(Lots(), wdl=True)
    with pytest.raises(GameError, match="wdl is for games whose rules compile, and these do not"):
        z.solve(Race(), wdl=True)


def test_a_frame_has_a_row_for_each_state(monkeypatch):
    class Fake(ModuleType):
        DataFrame = list

    monkeypatch.setitem(sys.modules, "pandas", Fake("pandas"))
    rows = z.solve(Race()).to_frame()
    assert {"state": "(0, 0)", "outcome": "win", "plies": 3, "score": 999997} in rows
    assert {"state": "(5, 1)", "outcome": "draw", "plies": None, "score": 0} in rows
    assert len(rows) == 12
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", Fake("polars"))
    assert z.solve(Race()).to_frame() == rows
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(GameError, match="to_frame makes a data frame, for which pandas or polars is needed"):
        z.solve(Race()).to_frame()


def test_a_real_frame():
    assert len(z.solve(Race()).to_frame()) == 12


def test_a_plot_needs_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(GameError, match=r"plot draws with Matplotlib: pip install 'zermelo\[plot\]'"):
        z.solve(Race()).plot()


def test_a_plot_shows_wins_and_losses_by_distance():
    drawn = []

    class Axes:
        def bar(self, places, heights, label):
            drawn.append((label, dict(zip(places, heights, strict=True))))

        def set(self, **texts):
            drawn.append(texts["title"])

        def legend(self):
            pass

    plotted(z.solve(Race()), Axes())
    assert drawn == [("win (6)", {1: 4, 3: 2}), ("loss (4)", {0: -2, 2: -2}), "Race(), 2 drawn"]


def plotted(solution, axes):
    """Draw on these axes, with a stand-in where there is no Matplotlib."""
    with pytest.MonkeyPatch.context() as patch:
        if "matplotlib" not in sys.modules:
            patch.setitem(sys.modules, "matplotlib", ModuleType("matplotlib"))
            patch.setitem(sys.modules, "matplotlib.pyplot", ModuleType("matplotlib.pyplot"))
            sys.modules["matplotlib"].pyplot = sys.modules["matplotlib.pyplot"]
        assert solution.plot(axes) is axes


def test_progress_is_told():
    told = []
    z.solve(
        Stairs(), progress=lambda progress: told.append((progress.phase, progress.stage, progress.done, progress.total))
    )
    assert {phase for phase, *_ in told} >= {"forward", "backward"}
    assert all(done <= total for _, _, done, total in told if total)


@pytest.mark.parametrize("name", ["nim", "tic_tac_toe(2, 2, 2)", "pig(3)", "mu_torere"])
def test_progress_of_an_interpreted_solve_is_told(name, monkeypatch):
    game = interpreted(name)
    told = []
    monkeypatch.setattr("zermelo.solving.progress.REPORT_INTERVAL", -1.0)
    solution = z.solve(game, progress=lambda progress: told.append(replace(progress)))
    assert list(dict.fromkeys(each.phase for each in told)) == ["estimating", "forward", "backward"]
    assert [each.done for each in told if each.phase == "forward"][-1] == len(solution)
    assert {each.total for each in told if each.phase == "forward"} == {0}
    solved = [each.solved for each in told if each.phase == "backward"]
    assert solved == sorted(solved)
    assert solved[-1] <= len(solution)
    assert all(each.states == len(solution) for each in told if each.phase == "backward" and each.done)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["checkers", "cant_stop", "chess"])
def test_a_game_with_loops_that_would_not_fit_is_not_begun(name):
    """What random play shows of the opening again and again says nothing of how many states come later."""
    with pytest.raises(GameError, match=r"at least about .* states, .* of memory"):
        z.solve(z.load(name))
