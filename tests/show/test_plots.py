"""Plots: what they draw is what the algorithms count, and they draw without a display."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import naive
import taking
import zermelo as z
from zermelo.app.cli import run
from zermelo.show import plots

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("Agg")
font_manager = pytest.importorskip("matplotlib.font_manager")

LETTERS = str(Path(__file__).parents[1] / "bad_games" / "interpreted.py")


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def lines(axes) -> dict[str, list[float]]:
    return {line.get_label(): list(line.get_ydata()) for line in axes.get_lines()}


class Tree(z.RandomTree):
    """A random tree that is not worth compiling."""

    native = False


# -- nodes by depth --------------------------------------------------------------------------------------------------


def test_the_counts_are_those_of_the_textbook():
    game = z.load("tic_tac_toe")
    state = z.position(game, "b2 a1")
    axes = plots.nodes_by_depth(game, state, depth=4)
    drawn = lines(axes)
    for depth in (1, 2, 3, 4):
        assert drawn["minimax"][depth - 1] == z.textbook.minimax(game, state, depth=depth).nodes
        assert drawn["minimax"][depth - 1] == 1 + sum(z.perft(game, ply, state) for ply in range(1, depth + 1))
        assert drawn["alpha-beta"][depth - 1] == z.textbook.alphabeta(game, state, depth=depth).nodes
    assert drawn["alpha-beta, ordered"][0] == z.textbook.root_search(game, state, depth=1, order=True).nodes
    assert drawn["alpha-beta, ordered"][3] <= drawn["alpha-beta"][3] < drawn["minimax"][3]
    assert list(axes.get_lines()[0].get_xdata()) == [1, 2, 3, 4]
    assert axes.get_yscale() == "log"


@pytest.mark.parametrize("branching", [2, 4])
def test_a_regular_tree_lies_between_the_curves_of_theory(branching):
    nodes = plots.node_counts(Tree(branching=branching, depth=6, seed=5), depth=5)
    assert nodes.branching == branching
    assert nodes.counts["minimax"] == nodes.full == [sum(branching**i for i in range(d + 1)) for d in range(1, 6)]
    minimal = [sum(branching ** ((i + 1) // 2) + branching ** (i // 2) - 1 for i in range(d + 1)) for d in range(1, 6)]
    assert nodes.minimal == minimal
    for name in ("alpha-beta", "alpha-beta, ordered"):
        assert all(
            least <= count <= most for least, count, most in zip(minimal, nodes.counts[name], nodes.full, strict=True)
        )


def test_the_best_order_reaches_the_minimal_tree():
    """Every move first that is best: `ordered` trees are made so, and alpha-beta cannot do with less."""
    nodes = plots.node_counts(Tree(branching=3, depth=5, seed=2, ordered=True), depth=5)
    assert nodes.counts["alpha-beta"][-1] == nodes.minimal[-1]


def test_games_of_chance_have_their_own_searches():
    game = z.load("pig(10)")
    axes = plots.nodes_by_depth(game, depth=3)
    drawn = lines(axes)
    assert drawn["expectiminimax"] == [z.textbook.expectiminimax(game, depth=depth).nodes for depth in (1, 2, 3)]
    assert {"Star1", "Star2"} <= set(drawn)
    assert not any("minimal" in name for name in drawn)


def test_own_axes_are_drawn_on():
    _, (left, right) = plt.subplots(ncols=2)
    assert plots.nodes_by_depth(Tree(branching=2, depth=4), depth=2, axes=right) is right
    assert not left.get_lines()


@pytest.mark.parametrize("depth", [0, True, 2.5])
def test_a_depth_that_cannot_be(depth):
    with pytest.raises(z.GameError, match="depth must be a whole number above zero"):
        plots.nodes_by_depth(Tree(), depth=depth)


# -- distances -------------------------------------------------------------------------------------------------------


def heights(axes) -> dict[str, dict[int, int]]:
    found = {}
    for bars in axes.containers:
        found[bars.get_label()] = {round(bar.get_x() + bar.get_width() / 2): int(bar.get_height()) for bar in bars}
    return found


def test_distances_are_those_of_the_referee():
    game = Countdown(start=9)
    states = {state for state, _ in naive.reachable(game)}
    values = [z.Value.of(naive.value(game, state), exact=True) for state in states]
    expected = Counter((value.outcome, value.plies) for value in values)
    drawn = heights(z.plots.distances(z.solve(game)))
    assert set(drawn) == {"win (6)", "loss (4)"}
    assert drawn["win (6)"] == {plies: n for (outcome, plies), n in expected.items() if outcome == z.WIN}
    assert drawn["loss (4)"] == {plies: -n for (outcome, plies), n in expected.items() if outcome == z.LOSS}


class Countdown(taking.Countdown):
    native = False


class Points(Countdown):
    """Each taken match is a point; the state knows the lead."""

    margin = True
    payoff_bounds = (-9, 9)

    def result(self, left):
        return -left - 2 if left <= 1 else z.ONGOING


def test_points_are_counted_by_what_they_are_worth():
    solution = z.solve(Points(start=6))
    axes = z.plots.distances(solution)
    assert [int(bar.get_height()) for bar in axes.patches] == list(solution.counts().values())
    assert axes.get_xlabel() == "points"


class Slow(z.games.Pig):
    """A game that is not worth compiling."""

    native = False


def test_expectations_have_no_distance():
    with pytest.raises(z.GameError, match="keeps expectations, which have no distance"):
        z.plots.distances(z.solve(Slow(target=4)))
    with pytest.raises(z.GameError, match=r"plots.distances takes a Solution, as z.solve returns it, not 3"):
        z.plots.distances(3)


# -- progress --------------------------------------------------------------------------------------------------------


def test_progress_is_what_the_reports_say():
    game = z.load("tic_tac_toe")
    with z.analyze(game, z.position(game, "b2 a1")) as analysis:
        reports = list(analysis)
    value, depth, nodes = plots.progress(reports)
    assert list(depth.get_lines()[0].get_ydata()) == [report.depth for report in reports]
    assert list(nodes.get_lines()[0].get_ydata()) == [report.nodes for report in reports]
    assert list(nodes.get_lines()[0].get_xdata()) == [report.seconds for report in reports]
    assert value.texts[0].get_text() == str(reports[-1].value) == "draw"


def test_progress_of_a_game_that_is_won():
    game = z.load("tic_tac_toe")
    value, _, _ = plots.progress(game, z.position(game, "a1 b1 a2 b2"), z.Limit(depth=3))
    assert value.texts[0].get_text() == "win in 1"
    assert max(abs(height) for height in value.get_lines()[0].get_ydata()) < 1000


def test_progress_of_nothing():
    for nothing in ([], [3]):
        with pytest.raises(z.GameError, match="at least one report"):
            plots.progress(nothing)


# -- the command -----------------------------------------------------------------------------------------------------


def test_lines_that_coincide_are_all_seen():
    """Minimax visits every node of a tree without cut-offs, as the full tree has them: one lies upon the other."""
    axes = z.plots.nodes_by_depth(z.RandomTree(branching=3, depth=6, seed=1), depth=3)
    full, minimax, *others = axes.get_lines()
    assert list(full.get_ydata()) == list(minimax.get_ydata())
    assert full.get_zorder() > minimax.get_zorder()
    assert full.get_linewidth() < minimax.get_linewidth()
    widths = [line.get_linewidth() for line in (minimax, *others[:2])]
    assert widths == sorted(set(widths), reverse=True)


def test_plots_from_the_command_line(tmp_path, capsys):
    assert run(["plot", "nodes", "tic_tac_toe", "b2", "--depth", "3", "-o", str(tmp_path / "nodes.svg")]) == 0
    assert (tmp_path / "nodes.svg").read_text().startswith("<?xml")
    assert run(["plot", "progress", "tic_tac_toe", "--depth", "3", "-o", str(tmp_path / "progress.png")]) == 0
    assert (tmp_path / "progress.png").read_bytes().startswith(b"\x89PNG")
    solution = tmp_path / "solved.zermelo"
    z.solve(z.load(LETTERS)).save(solution)
    for source in ([str(solution), "--game", LETTERS], [LETTERS]):
        assert run(["plot", "distances", *source, "-o", str(tmp_path / "distances.svg")]) == 0
    assert f"Wrote {tmp_path / 'distances.svg'}." in capsys.readouterr().out


def test_a_list_of_fonts_that_lacks_most_is_no_matter(tmp_path):
    """Matplotlib keeps its list in the user's folder, and warned of each missing font."""
    manager = font_manager.FontManager()
    manager.ttflist = [font for font in manager.ttflist if font.name == "DejaVu Sans"]
    font_manager.json_dump(manager, tmp_path / f"fontlist-v{manager.__version__}.json")
    plot = ["plot", "nodes", "tic_tac_toe", "b2", "--depth", "3", "-o", "nodes.svg"]
    process = subprocess.run(
        [sys.executable, "-m", "zermelo", *plot],
        cwd=tmp_path,
        env={**os.environ, "MPLCONFIGDIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (process.returncode, process.stdout, process.stderr) == (0, "Wrote nodes.svg.\n", "")


def test_mistakes_are_sentences(monkeypatch, capsys):
    assert run(["plot", "nodes", "tic_tac_toe", "-o", "nodes.doc"]) == 1
    assert (
        "nodes.doc cannot be written as a plot; its name should end in .svg, .png or .pdf." in capsys.readouterr().err
    )
    assert run(["plot", "nodes", "tic_tac_toe", "--depth", "1", "-o", "/no/such/nodes.svg"]) == 1
    assert "/no/such/nodes.svg cannot be written: there is no folder /no/such." in capsys.readouterr().err
    assert run(["plot"]) == 2
    assert "Missing command" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert run(["plot", "nodes", "tic_tac_toe"]) == 1
    assert "pip install 'zermelo[plot]'" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(z.GameError, match=r"plots are drawn with Matplotlib: pip install 'zermelo\[plot\]'"):
        plots.nodes_by_depth(Tree(), depth=1)
