"""What people see: objects in a notebook, arguments that are wrong, the names of the package."""

from __future__ import annotations

import re

import pytest

import zermelo as z
from zermelo.formatting import Pretty, plain_repr
from zermelo.game import Game

LECTURE = "A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6)))"


def traced() -> tuple[object, z.Trace]:
    trace = z.Trace()
    return z.textbook.alphabeta(z.GameTree(LECTURE), trace=trace), trace


def test_a_notebook_shows_what_print_shows() -> None:
    ipython = pytest.importorskip("IPython.lib.pretty")
    result, trace = traced()
    table = z.textbook.backward_induction(z.GameTree(LECTURE))
    report = z.search(z.load("tic_tac_toe"), limit=z.Limit(depth=2))
    checked = z.check(z.GameTree(LECTURE))
    for thing in (result, trace, trace.replay(), trace.at(3), table, report, checked):
        assert isinstance(thing, Pretty)
        assert ipython.pretty(thing) == str(thing)


def test_a_notebook_draws_the_tree_of_a_trace() -> None:
    _, trace = traced()
    shown = trace._repr_html_()
    assert shown is not None
    assert shown.startswith("<svg ")


def test_a_notebook_writes_what_has_no_picture() -> None:
    result, _ = traced()
    assert isinstance(result, Pretty)
    assert result._repr_html_() is None


def test_a_number_of_numpy_in_a_state() -> None:
    numpy = pytest.importorskip("numpy")
    assert plain_repr((numpy.uint64(9), numpy.bool_(False))) == "(9, False)"
    assert Game.state_text(z.load("nim"), (numpy.int64(3), 4)) == "(3, 4)"


ENTRANCES = {
    "perft": lambda game: z.perft(game, 3),
    "divide": lambda game: z.divide(game, 3),
    "check": z.check,
    "position": z.position,
    **{
        name: getattr(z.textbook, name)
        for name in (
            "minimax", "negamax", "alphabeta", "root_search", "aspiration", "iterative_deepening", "win_loss",
            "expectiminimax", "star1", "star2", "backward_induction", "retrograde", "value_iteration",
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("name", ENTRANCES)
def test_what_is_no_game_gets_a_sentence(name: str) -> None:
    for wrong, words in (
        ("nim", f"{name} takes a game, not 'nim'; write z.load('nim')."),
        (z.games.Nim, f"{name} takes a game, not its class: {name}(Nim())."),
        (5, f"{name} takes a game, not 5."),
    ):
        with pytest.raises(z.GameError, match=f"^{re.escape(words)}$"):
            ENTRANCES[name](wrong)


@pytest.mark.parametrize("name", [name for name in ENTRANCES if hasattr(z.textbook, name)])
def test_what_is_no_trace_and_no_state_gets_a_sentence(name: str) -> None:
    game = z.load("tic_tac_toe")
    with pytest.raises(z.GameError, match=rf"^{name} of TicTacToe\(.*: trace must be a Trace, not True"):
        ENTRANCES[name](game, trace=True)
    with pytest.raises(z.GameError, match=r"'a1' cannot be a state; one looks like .*, and z\.position makes one"):
        ENTRANCES[name](game, "a1")


def test_a_plain_tuple_may_stand_for_a_named_one() -> None:
    game = z.load("tic_tac_toe")
    state = z.position(game, "a1 b2")
    assert z.perft(game, 2, tuple(state)) == z.perft(game, 2, state) == 42
    assert z.textbook.alphabeta(game, tuple(state), depth=2).value == z.textbook.alphabeta(game, state, depth=2).value


def test_the_names_of_the_package() -> None:
    names = dir(z)
    assert len(names) == len(set(names))
    assert set(z.__all__) <= set(names)
    assert all(name in z.__all__ or name.startswith("__") for name in names)
    assert all(hasattr(z, name) for name in names)


def test_the_bench_says_what_it_is_doing(capsys, monkeypatch) -> None:
    from zermelo.app.commands import bench_command

    monkeypatch.setattr(bench_command, "PARTS", [(name, doing, lambda: 7) for name, doing, _ in bench_command.PARTS])
    bench_command.bench(as_json=True)
    out, err = capsys.readouterr()
    assert '"signature": 7' in out
    assert err.startswith("Searching fixed positions ...\nCounting leaves, ")
    assert err.count("\n") == 3
