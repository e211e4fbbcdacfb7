"""Solving from the page: the stream of /api/solve, what it leaves behind, statistics and perfect play."""

import json
import time

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

import zermelo as z
from zermelo.app.web import models, solution_handlers
from zermelo.app.web.pools.process_pool import ProcessPool
from zermelo.app.web.server import create_app
from zermelo.app.web.solved_games import MAX_SOLVED_GAMES, SolvedGames

SMALL = "tic_tac_toe(width=3, height=2, in_a_row=2)"


@pytest.fixture
def client():
    with TestClient(create_app(), base_url="http://localhost") as client:
        yield client


def solve(client: TestClient, game: str) -> list[dict]:
    with client.stream("GET", "/api/solve", params={"game": game}) as stream:
        return [json.loads(line) for line in stream.iter_lines()]


def test_a_game_is_solved_and_the_solution_is_there_for_every_request(client):
    assert client.get("/api/probe", params={"game": SMALL}).status_code == 404
    told = solve(client, SMALL)
    assert told[-1]["phase"] == "done"
    assert client.get("/api/position", params={"game": SMALL}).json()["database"]
    probed = client.get("/api/probe", params={"game": "tic_tac_toe(3, 2, 2)"}).json()  # the same game by another name
    assert probed["value"]["text"] == str(z.solve(z.load(SMALL)).value())
    assert client.get("/api/move", params={"game": SMALL}).json()["report"]["source"] == "database"
    assert [line["phase"] for line in solve(client, SMALL)] == ["done"]  # nothing is left to do


def test_statistics_count_what_the_solution_holds(client):
    solve(client, SMALL)
    told = models.StatisticsRecord.model_validate(client.get("/api/statistics", params={"game": SMALL}).json())
    solution = z.solve(z.load(SMALL))
    assert (told.states, told.positions) == (len(solution), solution.positions)
    values = list(solution.values())
    for name, outcome in (("win", z.WIN), ("draw", z.DRAW), ("loss", z.LOSS)):
        number = sum(value.outcome == outcome for value in values)
        assert told.outcomes.get(name, 0) == sum(getattr(stage, name) for stage in told.stages) == number
    assert {each.value.plies for each in told.longest} == {max(value.plies or 0 for value in values)}
    assert all(each.svg.startswith("<svg") for each in told.longest)


def test_zugzwang_is_a_position_where_a_pass_would_be_better(monkeypatch):
    monkeypatch.setattr(solution_handlers, "ZUGZWANG_SECONDS", 60)  # the machine may be busy
    solution = z.solve(z.load("three_mens_morris"))
    found = solution_handlers.zugzwang(solution)
    assert found["examined"] == len(solution)
    game, examples = solution.game, [each["state"] for each in found["examples"]]
    assert found["found"] == len(examples) == 2
    for text in examples:
        state, passed = game.parse_state(text), game.parse_state(text[:-1] + {"X": "O", "O": "X"}[text[-1]])
        assert -solution[passed].outcome > solution[state].outcome


def test_the_tree_of_perfect_play_has_best_moves_alone(client):
    solve(client, SMALL)
    told = models.PerfectRecord.model_validate(client.get("/api/perfect", params={"game": SMALL}).json())
    solution = z.solve(z.load(SMALL))
    seen = []

    def walk(moves: list[models.PerfectMove], state) -> None:
        best = [solution.game.move_text(state, move) for move in solution.best(state)] if moves else []
        assert [move.text for move in moves] == best[: solution_handlers.PERFECT_TREE_BRANCHES]
        for move in moves:
            seen.append(move.text)
            walk(move.moves, solution.game.play(state, solution.game.parse_move(state, move.text)))

    walk(told.moves, solution.game.initial())
    assert 1 < len(seen) <= solution_handlers.PERFECT_TREE_NODES
    response = client.get("/api/perfect", params={"game": SMALL, "moves": "a1 b1 a2"})
    assert (response.status_code, "the game is over" in response.json()["detail"]) == (422, True)


def test_a_game_that_is_too_large_is_refused_with_its_size(client, monkeypatch):
    monkeypatch.setattr(solution_handlers, "MAX_SOLVED_STATES", 10)
    told = solve(client, SMALL)
    assert "Tic Tac Toe (height 2, in_a_row 2) is too large to be solved here: it has" in told[-1]["error"]
    assert client.get("/api/probe", params={"game": SMALL}).status_code == 404


def test_the_size_in_a_refusal_is_that_of_the_full_estimate(client, monkeypatch):
    monkeypatch.setattr(solution_handlers, "MAX_SOLVED_STATES", 1_000_000)
    game = z.load("connect_four(5,4)")
    assert z.estimate(game, quick=True).states_text != z.estimate(game).states_text == "1,974,174 states"
    assert "it has 1,974,174 states" in solve(client, "connect_four(5,4)")[-1]["error"]


def test_a_solve_without_news_tells_that_it_is_alive(client, monkeypatch):
    def slow(*args, **options):
        time.sleep(1)
        return z.estimate(*args, **options)

    monkeypatch.setattr(solution_handlers, "HEARTBEAT", 0.01)
    monkeypatch.setattr(solution_handlers, "estimate", slow)
    phases = [line["phase"] for line in solve(client, SMALL)]
    assert phases.count("preparing") > 3
    assert phases[-1] == "done"


def test_solutions_are_files_that_make_room_and_are_removed():
    solved, solution = SolvedGames(), z.solve(z.load("nim(piles=(1, 1))"))
    for number in range(MAX_SOLVED_GAMES + 2):
        solved.add(f"nim {number}", solution)
    assert solved.find("nim 0", solution.game) is None
    kept = solved.find(f"nim {MAX_SOLVED_GAMES + 1}", solution.game)
    assert kept.counts() == solution.counts()
    assert SolvedGames(str(solved.folder)).find("nim 5", solution.game) is not None  # as another process sees it
    assert solved.find("../../etc/passwd", solution.game) is None
    for number in range(2 * MAX_SOLVED_GAMES):
        solved.add(f"more {number}", solution)
        assert solved.find(f"more {number}", solution.game) is not None
    assert len(solved._opened) <= MAX_SOLVED_GAMES  # what was removed is not kept open
    solved.close()
    assert not solved.folder.exists()


def test_a_game_of_a_file_is_solved_too(tmp_path):
    (tmp_path / "halving.py").write_text(
        "from zermelo import LOSS, ONGOING, Game\n\n\nclass Halving(Game):\n    start: int = 9\n\n"
        "    def initial(self):\n        return self.start\n\n    def moves(self, state):\n        yield 1\n"
        "        if state > 1:\n            yield 2\n\n    def play(self, state, move):\n"
        "        return state - move\n\n"
        "    def result(self, state):\n        return LOSS if state == 0 else ONGOING\n"
    )
    games = ProcessPool([f"{tmp_path / 'halving.py'}:Halving"], [], 2)  # its rules run in other processes
    with TestClient(create_app(games), base_url="http://localhost") as client:
        assert solve(client, "halving")[-1]["phase"] == "done"
        assert client.get("/api/probe", params={"game": "halving"}).json()["value"]["outcome"] == "loss"


def test_solve_now_on_the_page(page: Page):
    page.goto("/?game=nim(piles=(2, 2))&mode=explore")
    page.click("#solve")
    expect(page.locator("#value")).to_have_text("Second player wins in 4")
    expect(page.locator(".perfect .step").first).to_be_visible()
    page.click("#statistics summary")
    expect(page.locator(".statistics .bars").first).to_be_visible()
    page.locator(".cards.solved .card").first.click()
    expect(page.locator("#game-start")).not_to_have_value("")
    page.click("#browse")
    expect(page.locator("#gallery .card[data-game=nim] .badge")).to_have_text("solved here")
