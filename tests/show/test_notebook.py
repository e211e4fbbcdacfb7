"""The example notebook, executed; and the widget, in Python and in a real browser."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from playwright.sync_api import Page, expect

import zermelo as z
from browser import opened
from zermelo.show.board_widget import HERE, BoardWidget

NOTEBOOK = Path(__file__).parents[2] / "examples" / "zermelo.ipynb"


# -- the notebook ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def executed():
    """The example notebook after all its cells have run; one that raises fails here."""
    notebook = nbformat.read(NOTEBOOK, 4)
    client = NotebookClient(notebook, timeout=300, kernel_name="python3")
    with ThreadPoolExecutor(1) as other:  # a browser of other tests may have the event loop of this thread
        other.submit(client.execute).result()
    return notebook


def shown(notebook, source: str) -> str:
    """All that the cell shows whose source contains this text."""
    (cell,) = [cell for cell in notebook.cells if cell.cell_type == "code" and source in cell.source]
    return "\n".join(str(output.get("data", output.get("text", ""))) for output in cell.outputs)


def test_the_notebook_is_kept_without_outputs():
    for cell in nbformat.read(NOTEBOOK, 4).cells:
        assert cell.cell_type == "markdown" or (cell.outputs == [] and cell.execution_count is None)


@pytest.mark.parametrize(
    ("source", "there"),
    [
        ("z.picture(game, state)", ["<svg", 'data-square="38"']),
        ("report = z.search(", ["<svg", "<table", "depth 12"]),
        ("z.plots.progress(reports)", ["image/png"]),
        ("solution = z.solve(", ["765 states", "<svg"]),
        ("z.plots.distances(", ["image/png"]),
        ("values=solution.moves(state)", ["<svg", "L2"]),
        ("trace = z.Trace()", ["+3 by B C 2 (11 nodes, 5 leaves, 2 cut-offs)", "<svg"]),
        ("z.plots.nodes_by_depth", ["image/png"]),
        ("class Subtraction", ["<svg", 'data-square="0"']),
        ("z.search(Subtraction()", ["win in 11"]),
        ("board = z.widget", ["application/vnd.jupyter.widget-view+json"]),
        ("board.play(", ["'4'"]),
    ],
)
def test_what_the_notebook_shows(executed, source, there):
    found = shown(executed, source)
    for text in there:
        assert text in found


# -- the widget ------------------------------------------------------------------------------------------------------


def send(board: BoardWidget, **message) -> None:
    """What the page sends."""
    board._handle_custom_msg(message, [])


def test_clicks_become_moves():
    board = z.widget(z.load("connect_four"))
    told = []
    board.observe(lambda change: told.append(change["new"]), "moves")
    for square in (3, 10, 38):
        send(board, click=square)
    assert board.moves == ["4", "4", "4"] == told[-1]
    assert board.state == board.session.game.state_text(board.session.state)
    assert board.picture.count('class="square"') == 42
    assert board.status == "Second player to move."


def test_a_play_of_backgammon_is_clicked_in_any_order():
    game = z.load("backgammon")
    board = z.widget(game, z.position(game, "31"))
    for square in (5, 4, 7):
        send(board, click=square)
    assert board.moves == []
    assert board.clicked == [5, 4, 7]
    assert board.picture.count('<polygon class="zb-arrow"') == 1  # the step that is complete
    send(board, click=4)
    assert board.moves[0] == "8/5 6/5"


def test_the_opponent_answers():
    board = z.widget(z.load("tic_tac_toe"), opponent=z.Limit(depth=9))
    send(board, play="b2")
    assert len(board.moves) == 2
    assert board.status == "Your move."
    assert board.remark.startswith("Zermelo plays ")
    send(board, do="undo")
    assert (board.moves, board.remark) == ([], "")
    send(board, do="redo")
    assert len(board.moves) == 2
    send(board, do="new")
    assert board.moves == []
    assert board.session.undone == []


def test_the_person_has_the_side_that_is_to_move():
    game = z.load("tic_tac_toe")
    board = z.widget(game, z.position(game, "a1 b1 a2"), z.Limit(depth=9))
    assert board.status == "Your move."
    send(board, play="c1")
    assert board.status == "Zermelo wins."
    assert board.legal == []


def test_hints_are_on_the_board():
    game = z.load("tic_tac_toe")
    board = z.widget(game, z.position(game, "a1 b1 a2 b2"))
    send(board, do="hint")
    assert "W1" in board.picture
    assert board.remark == "Best is a3: win in 1."
    send(board, click=0)
    assert board.status == "First player wins."
    send(board, do="hint")
    assert board.remark == ""


def test_dice_and_choices():
    pig = z.widget(z.load("pig"), seed=3)
    send(pig, play="roll")
    assert len(pig.moves) == 2
    assert pig.remark == f"Chance: {pig.moves[1]}."
    nim = z.widget(z.load("nim((5, 31))"))  # too large for matches that are clicked one by one
    send(nim, click=0)
    assert (nim.status, nim.legal, nim.clicked) == ("Which one?", ["5-1", "5-2", "5-3", "5-4", "5-5"], [0])
    send(nim, play="5-2")
    assert (nim.moves, nim.clicked) == (["5-2"], [])


@pytest.mark.parametrize("message", [{"play": "z9"}, {"play": 3}, {"do": "session"}, {"click": "x"}, {"click": 99}, {}])
def test_nonsense_changes_nothing(message):
    board = z.widget(z.load("tic_tac_toe"))
    board._handle_custom_msg(message, [])
    assert board.moves == []
    assert ("'z9' is not a legal move" in board.remark) == (message.get("play") == "z9")


def test_sentences(monkeypatch):
    game = z.load("tic_tac_toe")
    with pytest.raises(z.GameError, match=r"opponent must be a Limit, as in Limit\(seconds=1\), not 3"):
        z.widget(game, opponent=3)
    with pytest.raises(z.GameError, match="widget takes a game, not 'nim'"):
        z.widget("nim")
    monkeypatch.delitem(sys.modules, "zermelo.show.board_widget")
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(z.GameError, match=r"pip install 'zermelo\[notebook\]'"):
        z.widget(game)


# -- the widget in a browser -----------------------------------------------------------------------------------------

TRAITS = ("picture", "clicked", "status", "remark", "moves", "legal")

PAGE = """
<style>CSS</style><div id="here"></div>
<script type="module">
const source = new Blob([WIDGET], { type: "text/javascript" });
const { default: widget } = await import(URL.createObjectURL(source));
let traits = await window.heard(null);
const listeners = [];
const model = {
  get: (name) => traits[name],
  on: (name, listener) => listeners.push([name, listener]),
  off: () => {},
  send: async (message) => {
    traits = await window.heard(message);
    for (const [, listener] of listeners) listener();
  },
};
widget.render({ model, el: document.getElementById("here") });
</script>
"""


@pytest.fixture
def placed(chromium):
    """Puts a widget on a page: the real script, with a model that talks to the real widget in Python."""
    with opened(chromium, "http://localhost/") as page:

        def put(board: BoardWidget) -> Page:
            def heard(message: dict | None) -> dict:
                if message is not None:
                    board._handle_custom_msg(message, [])
                return {name: getattr(board, name) for name in TRAITS}

            page.expose_function("heard", heard)
            script = json.dumps((HERE / "widget.js").read_text())
            page.set_content(PAGE.replace("CSS", (HERE / "widget.css").read_text()).replace("WIDGET", script))
            return page

        yield put


def test_a_game_in_the_browser(placed):
    page = placed(z.widget(z.load("tic_tac_toe")))
    for square in (4, 0, 2, 6, 3, 5, 1, 7, 8):
        page.locator(f'[data-square="{square}"]').click()
    expect(page.locator(".zw-status")).to_have_text("Draw.")
    expect(page.locator(".zw-legal button")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".zw-status")).to_have_text("First player to move.")
    page.get_by_role("button", name="c1", exact=True).last.click()
    expect(page.locator(".zw-past")).to_have_text("b2 a3 c3 a1 a2 c2 b3 b1 c1")


def test_keys_in_the_browser(placed):
    page = placed(z.widget(z.load("tic_tac_toe")))
    page.locator('[data-square="0"]').focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".zw-past")).to_have_text("b2")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    expect(page.locator(".zw-past")).to_have_text("b2 b3")


def test_what_is_clicked_is_framed(placed):
    page = placed(z.widget(z.load("nim((5, 31))")))
    page.locator('[data-square="0"]').click()
    expect(page.locator(".zw-clicked")).to_have_count(1)
    expect(page.locator(".zw-status")).to_have_text("Which one?")
    page.get_by_role("button", name="5-5").click()
    expect(page.locator(".zw-past")).to_have_text("5-5")
