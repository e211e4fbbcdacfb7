"""z.check: sound games pass, and every broken one gets its sentence, its rule, its state and a way to see it again."""

import json
import os
import subprocess
import sys
import time

import pytest

import broken_games as broken
import zermelo as z
from ataxx import InterpretedNoisyAtaxx
from zermelo import LOSS, ONGOING, WIN, Game
from zermelo.board import Fields
from zermelo.checking import compiled, glance
from zermelo.games.registry import GAMES

SENTENCES = [
    # game, rule, words of the sentence in their order
    (broken.ChangesItsState(), "play", "initial state Box(4), `play` changes its argument"),
    (broken.CountsCalls(), "moves", "asked again, ... depends on its arguments"),
    (broken.Shuffles(), "moves", "answers [ ... asked again, [ ... depends on its arguments"),
    (broken.RandomStart(), "initial", "`initial` answers ... asked again"),
    (broken.KeepsALog(), "play", "`play` (1) calls append of self.log (line"),
    (broken.SharesItsList(), "moves", "`moves` returned the list [1, 2], which a later call changed to [1]"),
    (broken.ListInside(), "initial", "`initial` returns Cells(mine=[0], theirs=0), which cannot be hashed"),
    (broken.NotEqualToItsCopy(), "initial", "`initial` returns ... not equal to its copy ... `__eq__`"),
    (broken.ForgetsToReturn(), "play", "initial state 6, `play` (1) returns None (is a `return` missing?)"),
    (broken.NoNumber(), "play", "`play` (2) returns (4, nan); nan is not equal to itself, so no state can hold it"),
    (
        broken.ClassesAlone(),
        "moves",
        "in Yours(left=4) (after 2), `moves` answers [1], but [1, 2] in Mine(left=4), which is equal to Yours(left=4)",
    ),
    (broken.Twice(), "moves", "in 2 (after 2 2), `moves` gives the move 1 twice"),
    (broken.MoveList(), "moves", "initial state 6, `moves` gives [1] as a move, which is no hashable value"),
    (broken.MoveOfNone(), "moves", "initial state 6, `moves` gives None as a move, but None says that there is none."),
    (broken.NoMoves(), "moves", "initial state 6, `moves` returns None (is a `return` or `yield` missing?)"),
    (broken.EndlessMoves(), "moves", "`moves` yields more than 100000 things and may never end"),
    (broken.IllegalMove(), "play", "state Cells(mine=0, theirs=0), `play` (9) raises IndexError at line ... of broken"),
    (broken.NoResult(), "result", "initial state 6, `result` returns None (is a `return` missing?); a payoff"),
    (broken.FloatResult(), "result", "in 0 (after 2 2 2), `result` returns -1.0, a float; a payoff is an int"),
    (broken.BoolResult(), "result", "in 0 (after 2 2 2), `result` returns False, a bool; a payoff is an int: WIN,"),
    (broken.PointsWithoutMargin(), "result", "`result` returns ... not WIN, DRAW, LOSS or ONGOING ... margin = True"),
    (broken.NoStuck(), "moves", "in 0 (after 2 2 2), `moves` is empty and `result` says ONGOING; a `stuck` rule must"),
    (broken.StuckGoesOn(), "stuck", "in 0 (after 2 2 2), `stuck` returns ONGOING, although no move is left"),
    (broken.TwoArguments(), "result", "`result` takes (self, left, taken), but is called with (self, state)"),
    (broken.NoSelf(), "moves", "`moves` takes (left), but is called with (self, state) (is `self` missing?)."),
    (
        broken.ParameterNamedSize(),
        "size",
        "`size` is a parameter, 4, but there is a rule of that name; give the parameter",
    ),
    (broken.ReductionsPlies(), "reductions", "`reductions` is 2, an int, not True or False"),
    (broken.MonteCarloSwitch(), "monte_carlo", "`monte_carlo` is True, a bool, not a MonteCarlo or None"),
    (broken.RepliesShare(), "replies", "`replies` is 0.5, a float, not a whole number of 0 or more"),
    (broken.FutilitySwitch(), "futility", "`futility` is 'much', a str, not a number of 0 or more"),
    (broken.SingularSwitch(), "singular", "`singular` is 'much', a str, not a number of 0 or more"),
    (broken.LongShuffle(), "moves", "`moves` answers ... and, asked again, ... as number ... of the list; a"),
    (broken.Raises(), "play", "in 2 (after 2 2), `play` (1) raises ZeroDivisionError at line ... integer division"),
    (broken.ThirdPlayer(), "mover", "player=1, tossing=False) (after 1 1), `mover` returns 2, an int, not 0 or 1"),
    (broken.SaysItAlternates(), "mover", "`mover` says 0 both before and after the move 1 ... alternate"),
    (broken.DoesNotAlternate(), "alternates", "`alternates` is False, and there is no `mover` rule"),
    (broken.SumsToLess(), "chances", "tossing=True) (after 1), `chances` has probabilities that sum to 0.9, not 1"),
    (broken.NegativeChance(), "chances", "`chances` gives 0 the probability 1.5, not above 0 and up to 1"),
    (
        broken.SameOutcomeTwice(),
        "chances",
        "in Toss(left=4, player=0, tossing=True) (after 1), `chances` gives the move 0",
    ),
    (broken.ChanceIsANumber(), "is_chance", "`is_chance` returns 0, an int, not True or False"),
    (broken.NobodyMoves(), "is_chance", "`is_chance` needs the rule `mover` beside it"),
    (
        broken.BoundsTooNarrow(),
        "result",
        "`result` returns ... by payoff_bounds = (-2, 2) the player to move gets from -2 to 2",
    ),
    (
        broken.BoundsOfOnePlayer(),
        "result",
        "`result` returns ... payoff_bounds = (-5, 0) the player to move gets from 0 to 5",
    ),
    (
        broken.BoundsInDisorder(),
        "payoff_bounds",
        "`payoff_bounds` is (7, -7), a tuple, not the least and the greatest payoff",
    ),
    (broken.StuckBeyondBounds(), "stuck", "`stuck` returns ... the player to move gets from -7 to 7"),
    (
        broken.EstimatesInCoins(),
        "evaluate",
        "`evaluate` returns 5.0; by payoff_bounds = (-1, 1) the player to move gets",
    ),
    (broken.NotANumber(), "evaluate", "initial state 6, `evaluate` returns nan, a float, not a finite number"),
    (broken.InfinitelySure(), "evaluate", "initial state 6, `evaluate` returns inf, a float, not a finite number"),
    (broken.OutcomeList(), "chances", "`chances` gives [0] as an outcome, which is no hashable value"),
    (broken.TooSure(), "evaluate", "`evaluate` returns 1000000; an estimate lies between -900000 and 900000"),
    (broken.OneWeight(), "features", "`features` returns 2 numbers, and there are 1 `weights`"),
    (broken.HalfOrder(), "order", "`order` returns 0.5, a float for the move 1; it must be an int"),
    (broken.NoisyNumber(), "noisy", "`noisy` returns 0, an int for the move 1, not True or False"),
    (broken.ForcingNumber(), "forcing", "initial state 6, `forcing` returns 0, an int, not True or False"),
    (broken.SkipsToNothing(), "skip", "initial state 6, `skip` returns None (is a `return` missing?)"),
    (broken.SkipsToAPair(), "skip", "initial state 6, `skip` returns (6, 1), a tuple, not a state like 6"),
    (broken.SkipsToAList(), "skip", "`skip` returns [0, 0], which cannot be hashed"),
    (broken.SkipsAtRandom(), "skip", "initial state 6, `skip` answers ... asked again"),
    (broken.SkipsOutside(), "skip", "in 1 (after ... `skip` leads to -1, where `result` returns None"),
    (broken.KeepsTheMove(), "skip", "`skip` leads to Toss(left=6, player=0, tossing=False), where the same player"),
    (broken.WrongBounds(), "bounds", "`bounds` says win in 3 to win in 1, but the value is loss in 2"),
    (broken.PayoffBounds(), "bounds", "`bounds` says -1 to +1, but the value is win in 1 (bounds are scores"),
    (broken.BoundsUpsideDown(), "bounds", "`bounds` returns (999999, -999998), where low is above high"),
    (broken.DropsTheBest(), "candidates", "`candidates` leaves [1], worth loss in 2; the value is win in 1"),
    (broken.InventsAMove(), "candidates", "`candidates` gives 2, which is not among the moves"),
    (broken.WrongMirror(), "symmetries", "`symmetries` gives ... as the same state, but"),
    (broken.SymmetryChangesTheValue(), "symmetries", "`symmetries` gives 2 as the same state, but the value there"),
    (broken.HalfASymmetry(), "symmetries", "`symmetries` makes ... of this state, but ... symmetric to it"),
    (broken.CanonicalChangesTheValue(), "canonical", "in 3 (after 1 2), `canonical` gives 2 ... there is win in 1"),
    (broken.CanonicalGoesOn(), "canonical", "initial state 9, `canonical` leads to 6, and from there on to 3; once"),
    (broken.OtherPlayersState(), "canonical", "`canonical` gives ... the other player is to move"),
    (broken.KeysCollide(), "key", "`key` returns 3, which is also the key of the different state"),
    (broken.WideKey(), "key", "initial state 6, `key` returns -9223372036854775809, an int, not an int of 64 bits"),
    (broken.OneWord(), "key", "`key` returns -1, which is also the key of the different state 6"),
    (broken.StageGoesBack(), "stage", "initial state 6 left, `stage` goes back from 6 to 5 with the move 1"),
    (broken.StageOfTheRightHalf(), "stage", "`stage` returns 2, but 1 for ... which stands for this state"),
    (broken.AtIsNotTheInverse(), "at", "`at` makes 7 of stage 0 and index 0, which is not the state with this index"),
    (broken.OneIndexForAll(), "index", "in 5 left (after take 1), `index` returns 0, ... the index of 6 left"),
    (broken.IndexTooLarge(), "index", "`index` returns 1, an int, not an int from 0 to 0, below the size of stage 0"),
    (broken.IndexOfNothing(), "index", "`index` returns 0 for 6 left, which is `at` number 1 of stage 0"),
    (broken.NoAt(), "size", "`size` needs the rule `at` beside it"),
    (broken.ForgetsAPredecessor(), "predecessors", "`predecessors` does not give 0, from where the move 5 leads"),
    (broken.InventsAPredecessor(), "predecessors", "`predecessors` gives 6 left, from where no move leads here"),
    (broken.PredecessorAfterTheEnd(), "predecessors", "`predecessors` gives 3, where the game is over"),
    (broken.LoopsInSecret(), "play", "`play` comes back to this state by [1, 5] ... loops = True"),
    (broken.SameTextTwice(), "move_text", "initial state 6, `move_text` writes 'take' for two moves, 1 and 2"),
    (broken.MisreadsMoves(), "parse_move", "`parse_move` reads 'take 2', the text of the move 2, as 1"),
    (broken.MoveAfterTheEnd(), "parse_move", "in 0 left (after ... `parse_move` reads 'take 1' as 1 ... after the end"),
    (broken.TakesMoreThanThereIs(), "parse_move", "in 1 left ... `parse_move` reads 'take 2' as 2 ... no legal move"),
    (broken.MisreadsStates(), "parse_state", "`parse_state` reads '6 left', the text of this state, as '6', a str"),
    (broken.NoPicture(), "board", "`board` returns '... ... ...', a str, not a board of zermelo.board, such as a Grid"),
    (broken.SquareOutside(), "squares", "`squares` returns (1,), a tuple for the move 1, not a tuple of ints"),
]

NATIVE_SENTENCES = [
    (broken.WrapsAround(), "play", "`play` (1) says Dice( ... compiled and Dice( ... interpreted"),
    (broken.SignedWord(), "result", "`result` says -1 compiled and 1 interpreted"),
    (broken.Grows(), "play", "leads to a state that does not fit its machine types ... 64-bit int"),
    (broken.LongDifference(), "moves", "`moves` says ... compiled and ... interpreted as number 60 of the list."),
    (broken.OneBitTooMany(), "order", "`order` (1) says ... compiled and ... interpreted; ... has 64 bits"),
    (broken.SkipsTooFar(), "skip", "initial state 6, `skip` says ... compiled and ... interpreted"),
    (broken.MustCompile(), "native", "says native = True, but its rules do not compile"),
]

compiler = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="the compiler is turned off")


def names(cases):
    return [type(case[0] if isinstance(case, tuple) else case).__name__ for case in cases]


def failure(game):
    with pytest.raises(z.CheckError) as caught:
        z.check(game)
    return caught.value


def holds(sentence, words):
    """The parts between the dots occur in the sentence, one after the other."""
    place = 0
    for part in words.split(" ... "):
        place = sentence.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return True


def assert_sentence(game, rule, words):
    error = failure(game)
    assert holds(str(error), words), str(error)
    assert error.rule == rule
    assert str(error).startswith(repr(game))
    assert str(error).endswith(".")
    assert "\n" not in str(error)
    return error


@pytest.mark.parametrize(("game", "rule", "words"), SENTENCES, ids=names(SENTENCES))
def test_broken_game_gets_its_sentence(game, rule, words):
    assert_sentence(game, rule, words)


@compiler
@pytest.mark.parametrize(("game", "rule", "words"), NATIVE_SENTENCES, ids=names(NATIVE_SENTENCES))
def test_compiled_difference_gets_its_sentence(game, rule, words):
    assert_sentence(game, rule, words)


@compiler
def test_a_read_beyond_an_array_is_the_same_in_both_worlds():
    """Compiled code would read what lies there; in what authors write, indices are checked."""
    assert z.check(broken.ReadsBeyond()).native


def test_memory_that_runs_out_is_no_fault_of_the_game(monkeypatch):
    """A library that does not fit into memory says so in an error of its own."""

    def exhausted(*_):
        try:
            raise ImportError("libopenblas.so: failed to map segment from shared object")
        except ImportError as error:
            raise ImportError("Please read this for advice") from error

    monkeypatch.setattr("zermelo.checking.compiled_agreement.ask_compiled", exhausted)
    with pytest.raises(ImportError, match="advice"):
        z.check(broken.Countdown())


@pytest.mark.parametrize("game", [case[0] for case in SENTENCES], ids=names(SENTENCES))
def test_reproduction_is_python_that_runs(game):
    """It makes the game, goes to the state and calls the rule; what the rule then does is the bug."""
    error = failure(game)
    assert repr(game) in error.reproduction
    try:
        exec(error.reproduction, vars(broken).copy())
    except (NameError, SyntaxError):
        pytest.fail(error.reproduction)
    except Exception:
        pass  # the rule raises, which is what the author wants to see


def test_reproduction_shows_the_failure():
    error = failure(broken.Twice())
    assert error.state == 2
    *setup, last = error.reproduction.split("\n")
    exec("\n".join(setup), scope := vars(broken).copy())
    assert scope["state"] == 2
    assert eval(last, scope) == [1, 1]


def test_reproduction_of_equal_states_shows_both_answers():
    *setup, last = failure(broken.ClassesAlone()).reproduction.split("\n")
    exec("\n".join(setup), scope := vars(broken).copy())
    assert eval(last, scope) == ([1], [1, 2])


@compiler
def test_reproduction_of_a_compiled_difference():
    error = failure(broken.SignedWord())
    *setup, last = error.reproduction.split("\n")
    exec("\n".join(setup), scope := vars(broken).copy())
    assert eval(last, scope) == (-1, 1)


def test_traceback_carries_the_reproduction():
    assert any("list(game.moves(state))" in note for note in failure(broken.Twice()).__notes__)


# -- games that keep the contract ------------------------------------------------------------------------------

SOUND = [
    broken.Countdown(), broken.Noughts(), broken.Greedy(), broken.Coin(), broken.Walk(), broken.Kayles(),
    broken.Spoken(), broken.Complete(),
]  # fmt: skip


@pytest.mark.parametrize("game", SOUND, ids=names(SOUND))
def test_sound_game_passes(game):
    report = z.check(game)
    assert report.game == repr(game)
    assert set(report.rules) >= {"initial", "moves", "play", "result"}


NEEDS_PARAMETERS = {"game_tree": lambda: z.GameTree([[3, 12], [8, 2]]), "random_tree": lambda: z.RandomTree(3, 4)}


QUICK = ("tic_tac_toe", "connect_four", "nim", "pig", "game_tree", "random_tree")
"""Games whose rules are soon compiled; the others have checks in tests of their own, and all are here in the end."""


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in GAMES]
)
def test_games_of_the_catalog_pass(name):
    report = z.check(NEEDS_PARAMETERS[name]() if name in NEEDS_PARAMETERS else z.load(name))
    assert report.native == (os.environ.get("NUMBA_DISABLE_JIT") != "1")


@compiler
def test_compiled_rules_are_compared():
    report = z.check(broken.Complete())
    assert report.native
    assert report.compared == report.states == 7
    assert report.solved == 6  # all but the finished one


@pytest.mark.parametrize("game", [broken.Kayles(), broken.Spoken()])
def test_interpreted_game_says_why(game):
    report = z.check(game)
    assert not report.native
    assert report.native_error
    assert report.compared == 0


def test_report_counts_and_prints():
    report = z.check(broken.Noughts(), states=200, games=5, seconds=60)
    assert report.states >= 100
    assert report.max_moves == 9
    assert (report.play.games, report.play.ended) == (5, 5)
    assert 5 <= report.play.shortest <= report.play.mean <= report.play.longest <= 9
    assert str(report).startswith(f"Noughts() keeps the contract on {report.states} states and in 5 random games to")
    assert json.loads(json.dumps(report.to_dict()))["play"]["ended"] == 5


# -- how much was seen, and what of it -------------------------------------------------------------------------------


class Quick(Game):
    """Interpreted noughts and crosses, so that nothing is compiled; `result` may be seen by the wrong player."""

    native = False
    wrong: bool = False

    def initial(self):
        return "." * 9

    def moves(self, cells):
        return [at for at in range(9) if cells[at] == "."]

    def play(self, cells, at):
        mark = "O" if cells.count("X") > cells.count("O") else "X"
        return cells[:at] + mark + cells[at + 1 :]

    def result(self, cells):
        lines = ("012", "345", "678", "036", "147", "258", "048", "246")
        if any(cells[int(a)] == cells[int(b)] == cells[int(c)] != "." for a, b, c in lines):
            return WIN if self.wrong else LOSS
        return ONGOING if "." in cells else 0


def test_random_play_shows_a_result_that_is_seen_by_the_wrong_player():
    """The first player of noughts and crosses wins 58.5 % of random games, draws 12.7 % and loses 28.8 %."""
    right = z.check(Quick(), games=2000, seconds=60)
    assert right.play.games == right.play.ended == 2000
    assert abs(right.play.wins / 2000 - 0.585) < 0.04
    assert abs(right.play.draws / 2000 - 0.127) < 0.03
    assert right.play.last_mover == right.play.wins + right.play.losses
    assert "lost 29 %; the winner made the last move in 100 % of the decided games" in str(right)
    wrong = z.check(Quick(wrong=True), games=200, seconds=60)
    assert wrong.play.losses > wrong.play.wins
    assert "the winner made the last move in 0 % of the decided games" in str(wrong)


@pytest.mark.parametrize(
    ("texts", "note"),
    [
        (("(0, 1)", "(0, 2)"), ""),
        (("take 1", "take 2"), ""),
        (("take", "take both"), "writes 'take both', in which z.position reads the move 1 and then 'both'"),
        (("b,1", "b, 1"), "writes 'b, 1', in which z.position reads the move 1"),
        (("one", 60 * "t" + 60 * "2"), f"writes '{60 * 't'}{60 * '2'}', in which z.position reads no move"),
        ((",", "2"), "writes ',', in which z.position reads no move"),
    ],
)
def test_texts_of_moves_that_are_not_read_in_a_line_are_noted(texts, note):
    class Named(broken.Countdown):
        native = False

        def move_text(self, left, taken):
            return texts[taken - 1]

    notes = [each for each in z.check(Named(), games=1).notes if "z.position" in each]
    assert notes == ([f"`move_text` {note}; write each move as one short word"] if note else [])


def test_points_and_players_who_move_twice_are_counted_for_the_first_player():
    class Pair(Game):
        """The first player throws twice and has the sum, less one that the second throws."""

        native, margin = False, True

        def initial(self):
            return ()

        def mover(self, thrown):
            return int(len(thrown) == 2)

        def moves(self, thrown):
            return (1, 3)

        def play(self, thrown, points):
            return (*thrown, points)

        def result(self, thrown):
            return thrown[0] + thrown[1] - thrown[2] if len(thrown) == 3 else ONGOING

    report = z.check(Pair(), games=400, seconds=60)
    assert report.complete
    assert report.play.shortest == report.play.longest == 3
    assert report.play.wins + report.play.losses + report.play.draws == 400
    assert 30 < report.play.losses < 70  # 1 + 1 - 3 in one of eight
    assert 1.7 < report.play.points < 2.3
    assert "points on average" in str(report)
    assert "after 3 plies\n" in str(report)


def test_a_report_says_that_no_end_was_seen():
    report = z.check(broken.NeverEnds())
    assert report.play.ended == report.ends == 0
    assert "states; the end of a game was never seen." in str(report).splitlines()[0]
    assert "at random: none ended within 1000 plies" in str(report)
    assert "outcomes" not in str(report)


def test_a_report_says_that_time_was_short():
    class Slow(Quick):
        def result(self, cells):
            time.sleep(0.01)
            return super().result(cells)

    report = z.check(Slow(), seconds=0.05)
    assert report.hurried
    assert report.states < 50
    assert "more took too long (z.check(game, seconds=10) waits for them)" in str(report)
    assert not z.check(broken.Countdown(), seconds=60).hurried


def test_all_states_of_a_small_game():
    report = z.check(broken.Countdown(start=50))
    assert (report.complete, report.ends) == (True, 1)
    assert "keeps the contract on all of its states and in 100 random games to the end." in str(report)


def test_a_rule_that_fails_in_random_play_alone_has_its_sentence():
    class Late(Game):
        """Count up; deep states are reached by long random games only."""

        native, loops = False, False

        def initial(self):
            return (0, 0)

        def moves(self, state):
            return range(50)

        def play(self, state, move):
            return (state[0] + 1, move)

        def result(self, state):
            return ONGOING if state[0] < 5 else [LOSS, "lost"][state[1] == 49]

    with pytest.raises(z.CheckError, match=r"\(after .*49\), `result` returns 'lost', a str; a payoff is an int"):
        z.check(Late(), states=60, games=1000, seconds=60)


class Evaluated(Quick):
    def evaluate(self, cells):
        return 0.5


class Featured(Evaluated):
    """`features` without effect: the `evaluate` that is inherited takes its place."""

    weights = (1.0,)

    def features(self, cells):
        return (cells.count("."),)


class Reading(Featured):
    """An `evaluate` that reads the features, by another method."""

    def evaluate(self, cells):
        return self.sum(cells)

    def sum(self, cells):
        return sum(self.features(cells))


def test_features_that_evaluate_replaces_are_noted():
    note = "`features` is read by nothing, since the `evaluate` of Evaluated takes its place"
    assert note in z.check(Featured(), states=50).notes
    assert z.check(Reading(), states=50).notes == ()


def test_the_cost_of_a_noisy_rule_is_measured():
    report = z.check(InterpretedNoisyAtaxx(), seconds=60)
    assert report.noise is not None
    assert 0.4 < report.noise.noisy / report.noise.moves < 0.7
    assert report.noise.with_rule > 3 * report.noise.without > 0
    assert "% of the moves; searches of two plies take " in str(report)
    assert " times as many" in str(report)
    assert z.check(Quick()).noise is None


def test_a_noisy_rule_without_effect_is_noted():
    class Fair(broken.Coin):
        native = False

        def noisy(self, toss, move):
            return True

    report = z.check(Fair())
    assert report.noise is None
    assert report.notes == ("`noisy` has no effect: a game of chance is searched without quiescence",)


def test_a_board_of_wrong_types_is_an_error():
    class Numbers(Quick):
        def board(self, cells):
            return Fields(("left",), (cells.count("."),))

    with pytest.raises(z.CheckError, match=r"`board` raises ValueError at line .*: Fields: values are texts, not 9"):
        z.check(Numbers())


def test_same_seed_same_report():
    assert z.check(broken.Noughts(), seed=3, seconds=60) == z.check(broken.Noughts(), seed=3, seconds=60)


def test_moves_after_the_end_are_an_error_only_to_a_strict_check():
    assert z.check(broken.Noughts()).notes == ()
    with pytest.raises(z.CheckError, match="`moves` still lists moves after the end"):
        z.check(broken.Noughts(), strict=True)


def test_a_game_without_a_first_move_is_noted():
    assert z.check(broken.Countdown(start=0)).notes == ("`result` says that the game is over before the first move",)


def test_a_game_that_does_not_end_is_noted():
    assert any("1000 plies" in note for note in z.check(broken.NeverEnds()).notes)


def test_floats_that_differ_by_rounding_are_noted():
    (note,) = z.check(broken.Tenths()).notes
    assert "differ by rounding alone and count as two states" in note


def test_small_game_is_explored_completely():
    assert z.check(broken.Countdown(start=50)).states == 51


def test_a_class_is_not_a_game():
    with pytest.raises(z.GameError, match=r"check takes a game, not its class: check\(Countdown\(\)\)"):
        z.check(broken.Countdown)
    with pytest.raises(z.GameError, match="check takes a game, not 5"):
        z.check(5)


def test_options_must_be_above_zero():
    with pytest.raises(z.GameError, match="states must be a whole number above zero, not 0"):
        z.check(broken.Countdown(), states=0)


class Wheel(z.Game):
    """A wheel of 100 places, each of which is symmetric to all others."""

    weights = (1.0, 0.5, 2.0)

    def initial(self):
        return (7, -1)

    def moves(self, state):
        return range(1, 3)

    def play(self, state, move):
        return ((state[0] + move) % 100, state[1])

    def result(self, state):
        return z.WIN if state[0] == 0 else z.ONGOING

    def features(self, state):
        return state[0], state[0] // 4, -state[0]

    def symmetries(self, state):
        for turn in range(1, 100):
            yield ((state[0] + turn) % 100, state[1])

    def key(self, state):
        return (1 << 63) + state[0]


@compiler
def test_compiled_answers_of_any_length_and_type():
    game = Wheel()
    state = game.initial()
    assert compiled(game, "symmetries", state) == list(game.symmetries(state))
    assert compiled(game, "features", state) == (7, 1, -7)
    assert compiled(game, "key", state) == (1 << 63) + 7
    assert compiled(game, "initial") == (7, -1)
    assert compiled(game, "play", state, 2) == (9, -1)
    assert compiled(game, "evaluate", state) == 7 + 0.5 - 14


@compiler
def test_compiled_answers_like_the_rule():
    game = broken.Complete()
    assert compiled(game, "result", 6) == z.ONGOING
    assert compiled(game, "play", 6, 2) == 4
    assert compiled(game, "moves", 6) == [1, 2]
    assert compiled(game, "at", 2, 0) == 4
    assert compiled(game, "predecessors", 3) == [4, 5]
    assert compiled(broken.Coin(), "chances", broken.Toss(3, 0, True)) == [(0, 0.5), (1, 0.5)]


def test_import_loads_no_compiler():
    code = "import sys, zermelo; zermelo.check; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_interrupting_a_check_tells_which_rule_was_running():
    with pytest.raises(KeyboardInterrupt) as caught:
        z.check(broken.Interrupted())
    (note,) = caught.value.__notes__
    assert note.startswith("Interrupted(start=6): in the initial state 6, `play` (1) was running at line ")


def test_a_number_of_numpy_is_shown_as_a_number():
    with pytest.raises(z.CheckError) as caught:
        z.check(broken.NumpyMove())
    assert "gives the move 1 twice" in str(caught.value)


def test_a_glance_sees_what_would_go_on_silently():
    with pytest.raises(z.CheckError, match=r"`result` returns None \(is a `return` missing\?\)"):
        glance(broken.NoResult())
    with pytest.raises(z.CheckError, match="`play` changes its argument"):
        glance(broken.ChangesItsState())
    assert glance(broken.NoPicture()) is None  # a search asks for no board
    with pytest.raises(z.CheckError, match=r"`board` returns .*, not a board"):
        glance(broken.NoPicture(), raising=True)
    assert glance(broken.Raises()) is None
    assert glance(broken.IllegalMove()) is None  # it raises, and will say so itself


class Misspelt(broken.Countdown):
    """Three names that are almost a rule's or a fact's, and helpers that something reads."""

    loop = True
    step = 1

    def evalute(self, left):
        return self.orders(left)

    def same_stages(self, other, stage):
        return stage

    def orders(self, left):
        return self.step * left

    def stages(self):
        return 3

    @property
    def twice(self):
        return self.stages() * 2


def test_names_that_are_almost_rules_are_noted():
    assert z.check(Misspelt()).notes == (
        "`loop` is read by nothing; is it meant to be `loops`?",
        "`evalute` is read by nothing; is it meant to be `evaluate`?",
        "`same_stages` is read by nothing; is it meant to be `same_stage`?",
    )
    with pytest.raises(z.GameError, match="is it meant to be `loops`"):
        z.check(Misspelt(), strict=True)


class Stones(Game):
    """Both players put stones on 24 cells; keys of few bits are those of several states."""

    bits: int = 48

    def initial(self):
        return (0, 0)

    def moves(self, state):
        for cell in range(24):
            if (state[0] | state[1]) >> cell & 1 == 0:
                yield cell

    def play(self, state, move):
        return (state[1], state[0] | 1 << move)

    def result(self, state):
        return WIN if state[0] | state[1] == (1 << 24) - 1 else ONGOING

    def key(self, state):
        return (state[0] << 24 | state[1]) % ((1 << self.bits) - 1)


def test_two_states_with_one_key_are_found_among_millions():
    with pytest.raises(z.CheckError, match="also the key of the different state") as caught:
        z.check(Stones(39), states=50, games=1, seconds=5)
    assert caught.value.rule == "key"
    scope = {"Stones": Stones}
    *lines, last = caught.value.reproduction.splitlines()
    exec("\n".join(lines), scope)
    one, other = eval(last, scope)
    assert one == other
    report = z.check(Stones(48), states=50, games=1, seconds=0.5)
    assert report.keys > 50
    assert "keys" in str(report)


class Signed(Game):
    """Count down; keys have a sign."""

    native = False

    def initial(self):
        return 6

    def moves(self, left):
        return range(1, min(left, 2) + 1)

    def play(self, left, move):
        return left - move

    def result(self, left):
        return LOSS if left == 0 else ONGOING

    def key(self, left):
        return left - (1 << 63)


def test_a_key_that_searches_take_is_a_key():
    assert z.check(Signed()).states == 7
    assert str(z.search(Signed()).value) == "loss in 4"


class Swapped(broken.NegativeChance):
    def chances(self, state):
        yield 0.5, 2
        yield 0.5, 3


class InPlace(broken.Countdown):
    def play(self, left, taken):
        (left,)[0] = left - taken
        return left


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Swapped(), "gives 0.5 the probability 2, not above 0 and up to 1; a pair is the outcome first, then"),
        (InPlace(), "'tuple' object does not support item assignment; a rule changes no state, it makes a new one."),
        (broken.NoStuck(), "a `stuck` rule must say what the player to move gets, or `result` that the game is over"),
    ],
)
def test_what_to_write_instead(game, words):
    with pytest.raises(z.CheckError) as found:
        z.check(game)
    assert words in str(found.value)
