"""The HTTP API: what it answers, whom it lets in, and what it refuses with a sentence."""

import json
import random
import threading
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import zermelo as z
from awaited import awaited
from zermelo.app.web import gallery, game_catalog, handlers, models
from zermelo.app.web.pools import rule_pool
from zermelo.app.web.pools.search_pool import SearchControl
from zermelo.app.web.position_parsing import parse_session
from zermelo.app.web.server import STATIC, create_app
from zermelo.game import GameError
from zermelo.games.registry import GAMES
from zermelo.play.books.opening_lines import OpeningLines
from zermelo.play.engine import Engine
from zermelo.play.session import Session

STRANGE = '''
"""Games that do what no game should."""

import zermelo as z
from zermelo.board import Fields, Piles


class Strange(z.Game):
    """Take one or two; what goes wrong is a parameter."""

    kind: str = "nothing"
    native = False

    def initial(self):
        return 7

    def moves(self, left):
        while self.kind == "endless":
            pass
        number = 0
        while self.kind == "many":
            number += 1
            yield number
        if self.kind == "raises":
            raise IndexError("out of matches")
        yield 1
        if left > 1:
            yield 2

    def play(self, left, taken):
        if self.kind == "deep" and left < 4:
            raise KeyError("deep")
        return left - taken

    def result(self, left):
        return z.LOSS if left <= 0 else z.ONGOING

    def squares(self, left, taken):
        return 7 if self.kind == "squares" else ()

    def board(self, left):
        if self.kind == "board":
            raise ZeroDivisionError
        return Piles((left,)) if self.kind == "squares" else Fields(("left",), (str(left),))

    def move_text(self, left, taken):
        return f"take {taken}" if self.kind == "words" else str(taken)

    def state_text(self, left):
        return None if self.kind == "silent" else str(left)

    def parse_state(self, text):
        return int(text)


class Other(Strange):
    """Another one in the same file, which writes states and reads none."""

    def parse_state(self, text):
        raise ValueError(text)
'''


@pytest.fixture(scope="module", autouse=True)
def no_machine_code():
    """Nothing is compiled that is only looked at, and no request waits for a compiler that was not started."""
    wait = game_catalog.LoadedGame.wait_for_compiler

    def wait_if_started(loaded, *limits):
        if loaded.compilation_started:
            wait(loaded, *limits)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_catalog.GameCatalog, "compile_in_background", lambda self, loaded: None)
        patch.setattr(game_catalog.LoadedGame, "wait_for_compiler", wait_if_started)
        yield


@pytest.fixture(scope="module")
def client():
    with TestClient(create_app(), base_url="http://localhost") as client:
        yield client


@pytest.fixture(scope="module")
def strange_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "strange.py"
    path.write_text(STRANGE)
    return path


@pytest.fixture(scope="module")
def strange(strange_file):
    with TestClient(
        create_app(game_catalog.open_catalog([f"{strange_file}:Strange"])), base_url="http://localhost"
    ) as client:
        yield client


def answer(client, path, status=200, /, **question):
    response = client.get(f"/api/{path}", params=question)
    assert response.status_code == status, response.text
    return response.json()


def sentence(client, path, status, /, **question):
    """What is said of a question that cannot be answered: one sentence."""
    detail = answer(client, path, status, **question)["detail"]
    assert "\n" not in detail
    assert detail.endswith((".", ")", "?"))
    return detail


# -- positions -------------------------------------------------------------------------------------------------------


def test_games(client):
    told = models.GamesRecord.model_validate(answer(client, "games"))
    assert [game.name for game in told.games] == [entry.name for entry in z.catalog()]
    assert told.default == "connect_four"
    titles = {game.name: game.title for game in told.games}
    assert titles["connect_four"] == "Connect Four"
    assert titles["nine_mens_morris"] == "Nine Men's Morris"
    assert titles["dots_and_boxes"] == answer(client, "position", game="dots_and_boxes")["title"] == "Dots and Boxes"
    four = next(game for game in told.games if game.name == "connect_four")
    assert [(each.name, each.type, each.default) for each in four.parameters] == [
        ("width", "int", 7),
        ("height", "int", 6),
    ]


def test_position(client):
    told = answer(client, "position", game="connect_four(5, 4)", moves="3 3 4")
    assert told["game"] == "connect_four(width=5, height=4)"
    assert told["title"] == "Connect Four (width 5, height 4)"
    assert told["moves"] == ["3", "3", "4"]
    assert told["state"] == "...../...../..O../..XX."
    assert (told["player"], told["chance"], told["outcome"], told["last"]) == (1, False, None, [18])
    assert told["legal"][2] == {"text": "3", "squares": [7], "probability": None, "label": "3"}
    assert told["history"][0] == {"text": "3", "player": 0, "chance": False, "squares": [17]}
    assert told["board"] == {
        "kind": "Grid", "drop": True, "columns": 5, "steps": False, "alike": {}, "sides": None, "turns": True,
        "first_on_top": False, "mates": False,
    }  # fmt: skip
    assert told["svg"].startswith("<svg")
    assert "data-square" in told["svg"]
    assert "X X" in told["text"]
    assert answer(client, "position", game="connect_four(5, 4)", moves="334") == told
    start = answer(client, "position", game="connect_four(5, 4)", start=told["state"])
    assert start["legal"] == told["legal"]


@pytest.mark.parametrize("name", [entry.name for entry in z.catalog()])
def test_every_game_can_be_played_to_its_end(client, name):
    dice = random.Random(name)
    moves = []
    for _ in range(25):
        record = answer(client, "position", game=name, moves=" ".join(moves))
        told = models.PositionRecord.model_validate(record, strict=True)
        assert told.moves == moves
        assert (told.outcome is not None) == (not told.legal)
        if told.chance:
            assert sum(each.probability for each in told.legal) == pytest.approx(1)
        if not told.legal:
            break
        moves += [dice.choice(told.legal).text]


def test_an_end_is_announced(client):
    told = answer(client, "position", game="tic_tac_toe", moves="a1 b1 a2 b2 a3")
    assert told["outcome"] == {"winner": 0, "words": "First player wins.", "reason": "", "share": 1.0}
    assert told["legal"] == []


def test_white_and_black_are_told_by_name(client):
    told = answer(client, "position", game="chess", moves="f3 e5 g4 Qh4#")
    assert told["outcome"] == {"winner": 1, "words": "Black wins by checkmate.", "reason": "by checkmate", "share": 0.0}
    assert told["board"]["sides"] == ["White", "Black"]
    assert answer(client, "position", game="nim")["board"]["sides"] is None


def test_which_boards_can_be_turned_round(client):
    games = ("tic_tac_toe", "dobutsu_shogi", "nine_mens_morris", "einstein", "backgammon", "nannon", "nim", "pig")
    turned = [answer(client, "position", game=name)["board"]["turns"] for name in games]
    assert turned == [True] * 5 + [False] * 3


def test_dice_are_for_the_page_to_roll(client):
    told = answer(client, "position", game="pig", moves="roll")
    assert told["chance"]
    assert [round(each["probability"], 3) for each in told["legal"]] == [0.167] * 6
    assert told["legal"][0]["label"].endswith("(1/6)")


# -- a game that its author just wrote -------------------------------------------------------------------------------


def test_an_authors_game_is_first_and_has_a_short_name(strange, strange_file):
    told = answer(strange, "games")
    assert told["default"] == "strange"
    assert [game["name"] for game in told["games"]] == ["strange", "game_tree"]
    for name in ("", "strange", "Strange", "Strange()", "strange(nothing)", "strange(kind='nothing')"):
        assert answer(strange, "position", game=name)["game"] == "strange"
    assert answer(strange, "move", moves="1", depth=4)["move"] in ("1", "2")
    assert answer(strange, "tree", depth=2)["svg"].startswith("<svg")
    assert str(strange_file) not in strange.get("/api/position").text


def test_the_command_line_names_a_game_as_it_was_typed(strange_file, monkeypatch):
    monkeypatch.chdir(strange_file.parent.parent)
    relative = f"{strange_file.parent.name}/strange.py:Strange"
    for typed, source in ((f"{strange_file}:Strange", "strange.py:Strange"), (relative, relative)):
        with TestClient(create_app(game_catalog.open_catalog([typed, "nim"])), base_url="http://localhost") as client:
            assert answer(client, "position")["source"] == source
            assert answer(client, "position", game="Strange(words)")["source"] == f"{source}(kind='words')"
            assert answer(client, "position", game="nim((2, 2))")["source"] == "nim(piles=(2, 2))"


def test_only_served_games_can_be_reached(strange, strange_file, monkeypatch):
    monkeypatch.setattr("zermelo.games.support.game_files.class_of", pytest.fail)
    names = (
        f"{strange_file}", f"{strange_file}:Strange", f"{strange_file}:Other", "strange.py", "Other", "other", "\0",
        "strange:Other", "zermelo.games.nim:Nim", "os:system", "os:system('true')", "../strange", "__import__('os')",
    )  # fmt: skip
    for path in ("position", "move", "analyze", "probe", "longest", "tree"):
        for name in names:
            assert strange.get(f"/api/{path}", params={"game": name}).status_code in (404, 422), (path, name)
    assert "strange, game_tree" in sentence(strange, "position", 404, game="connect_four")


def test_two_games_with_the_same_class_name_have_two_names(tmp_path):
    """The first is found by the name of its class too, the other one by its number."""
    texts = []
    for folder, start in (("one", 5), ("two", 6)):
        path = tmp_path / folder / "strange.py"
        path.parent.mkdir()
        path.write_text(STRANGE.replace("return 7\n\n    def moves", f"return {start}\n\n    def moves"))
        texts.append(f"{path}:Strange")
    served = game_catalog.open_catalog(texts)
    assert [*served.entries] == ["strange", "strange_2", "game_tree"]
    names = {name: served.load(name) for name in ("strange", "Strange", "strange_2")}
    assert [(loaded.name, loaded.game.initial()) for loaded in names.values()] == [
        ("strange", 5), ("strange", 5), ("strange_2", 6),
    ]  # fmt: skip


def test_a_start_that_only_the_game_itself_can_read(strange_file):
    """A record names the start: where that is the game's own, it needs no `parse_state`."""
    with TestClient(
        create_app(game_catalog.open_catalog([f"{strange_file}:Other"])), base_url="http://localhost"
    ) as client:
        assert answer(client, "position", start="7", moves="1")["state"] == "6"
        sentence(client, "position", 422, start="5")


def test_moves_of_several_words(strange):
    told = answer(strange, "position", game="strange(words)", moves="take 1 take 2")
    assert told["moves"] == ["take 1", "take 2"]
    assert told["state"] == "4"


def test_a_move_of_several_words_may_begin_like_a_shorter_one():
    game, start = z.load("hypergammon"), "------------A--A----Aa-aa-:0:0:-1:00:0:0:0:0:10"
    texts = ["52", "4/off 2/off", "61"]  # 4/off alone would bear off with the five and move nothing with the two
    session = parse_session(game, start, " ".join(texts))
    assert [turn.text for turn in session.history] == texts
    assert [turn.text for turn in parse_session(game, start, "52 4/off 61").history] == ["52", "4/off", "61"]
    with pytest.raises(GameError, match="7/1"):
        parse_session(game, start, "52 4/off 7/1")


def test_nobody_hears_where_a_file_lies(strange, strange_file, monkeypatch):
    monkeypatch.setattr("zermelo.app.web.serialisation.title", lambda loaded: loaded.game.nothing)
    said = sentence(strange, "position", 422)
    assert "try `zermelo check strange.py:Strange`" in said
    assert str(strange_file.parent) not in said


@pytest.mark.parametrize(
    ("kind", "path", "words"),
    [
        ("raises", "position", "'raises'): the rule `moves` raised IndexError: out of matches (strange.py, line"),
        ("raises", "position", ") in 7."),
        ("board", "position", "the rule `board` raised ZeroDivisionError"),
        ("squares", "position", "`squares` of 1 in 7 is 7, not a tuple of the numbers of squares"),
        ("silent", "position", "`state_text` returns None"),
        ("many", "position", "7 has more than 1000 moves"),
        ("many", "move", "7 has more than 1000 moves"),
        ("deep", "move", "the rule `play` raised KeyError: 'deep'"),
        ("deep", "tree", "the rule `play` raised KeyError: 'deep'"),
    ],
)
def test_what_rules_raise_is_a_sentence(strange, kind, path, words):
    assert words in sentence(strange, path, 422, game=f"strange('{kind}')")


def test_what_rules_raise_in_a_stream_is_its_last_line(strange):
    response = strange.get("/api/analyze", params={"game": "strange(deep)"})
    last = json.loads(response.text.splitlines()[-1])
    assert "the rule `play` raised KeyError" in (last["error"] if response.status_code == 200 else last["detail"])


def test_rules_that_do_not_end_are_ended(strange, monkeypatch):
    monkeypatch.setattr(rule_pool, "UNWIND_TIMEOUT", 60)
    with monkeypatch.context() as hurried:
        hurried.setattr(strange.app.state.server.rules, "timeout", 0.2)
        said = sentence(strange, "position", 422, game="strange(endless)")
    assert "the rule `moves` had not ended after 0.2 seconds (strange.py, line" in said
    for thread in threading.enumerate():
        if thread.name == "rules":
            thread.join(20)
            assert not thread.is_alive()
    assert answer(strange, "position")["state"] == "7"


def test_rules_that_nobody_waits_for_are_ended(strange):
    """Many questions by one socket, each in the place of the one before, leave the threads free."""
    with strange.websocket_connect("ws://localhost/api/analyze") as socket:
        for _ in range(rule_pool.MAX_RULE_THREADS + 1):
            socket.send_json({"game": "strange(endless)"})
        socket.send_json({"game": "strange", "lines": 1})
        assert "report" in socket.receive_json()


def test_an_interruption_that_comes_late_is_a_refusal(monkeypatch):
    """The rules have raised in time, and time runs out while the sentence is being found."""
    slow = threading.Event()

    def worded(error):
        if not isinstance(error, rule_pool.RuleTimeout):
            slow.set()
            while True:
                pass
        return rule_pool.ApiError(422, "Too late.")

    monkeypatch.setattr(rule_pool, "as_api_error", worded)
    monkeypatch.setattr(rule_pool, "UNWIND_TIMEOUT", 60)
    with pytest.raises(rule_pool.ApiError, match="Too late"):
        awaited(rule_pool.RulePool(0.2).run(lambda: 1 // 0))
    assert slow.is_set()


def test_rules_that_a_busy_machine_lets_wait_are_not_ended(monkeypatch):
    """A rule that waits takes no time of the processor, just as one whose process does not get any."""
    monkeypatch.setattr("zermelo.app.rule_watchdog.is_busy", lambda: True)
    assert awaited(rule_pool.RulePool(0.5).run(lambda: threading.Event().wait(0.6))) is False


@pytest.mark.parametrize("busy", [False, True])
def test_rules_that_only_wait_are_ended_too(busy, monkeypatch):
    monkeypatch.setattr("zermelo.app.rule_watchdog.is_busy", lambda: busy)
    with pytest.raises(rule_pool.ApiError, match=r"had not ended after 0\.05 seconds"):
        awaited(rule_pool.RulePool(0.05).run(lambda: [threading.Event().wait(0.01) for _ in range(10**5)]))


def test_who_waits_too_long_for_a_turn_is_told_to_come_back(monkeypatch):
    async def waited():
        work = rule_pool.RulePool()
        for _ in range(rule_pool.MAX_RULE_THREADS):
            await work._threads.acquire()
        await work.run(lambda: None)

    monkeypatch.setattr(rule_pool, "QUEUE_TIMEOUT", 0.05)
    with pytest.raises(rule_pool.ServerBusy):
        awaited(waited())


# -- bounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "question", "words"),
    [
        ("position", {"game": "connect_four(9999)"}, "the parameter width goes beyond 1000"),
        ("position", {"game": f"nim(({'1,' * 65}))"}, "64 values at most"),
        ("position", {"game": "nim(((1e999,),))"}, "goes beyond 1000"),
        ("position", {"game": "x" * 4001}, "game: it may have 4000 characters at most."),
        ("position", {"start": "x" * 2001}, "start: it may have 2000 characters at most."),
        ("position", {"moves": "x" * 8001}, "moves: it may have 8000 characters at most."),
        ("position", {"game": "pig", "moves": "roll " * 1001}, "1001 moves are too many; a request may play 1000."),
        ("position", {"game": "nim((1000, 999))"}, "has more than 1000 moves"),
        ("position", {"game": "connect_four(wide=7)"}, "unknown parameter wide"),
        ("position", {"game": "connect_four("}, "its brackets do not match"),
        ("position", {"moves": "9"}, "'9' is not a legal move"),
        ("position", {"start": "nowhere"}, "describes no state"),
        ("move", {"seconds": 61}, "seconds: it must be at most 60."),
        ("move", {"seconds": 0}, "seconds: it must be above 0."),
        ("move", {"seconds": "nan"}, "seconds: it must be a finite number."),
        ("move", {"depth": 201}, "depth: it must be at most 200."),
        ("move", {"depth": "deep"}, "depth: it must be a whole number."),
        ("move", {"style": "wild"}, "style: it must be 'exact', 'longest' or 'trickiest'."),
        ("move", {"game": "tic_tac_toe", "moves": "a1 b1 a2 b2 a3"}, "the game is over"),
        ("move", {"game": "pig", "moves": "roll"}, "chance moves"),
        ("analyze", {"seconds": 601}, "seconds: it must be at most 600."),
        ("analyze", {"lines": 0}, "lines: it must be at least 1."),
        ("move", {"level": 11}, "level: it must be at most 10."),
        ("move", {"level": "expert"}, "level: it must be a whole number."),
        ("move", {"level": 3, "style": "longest"}, "style longest is for level 10; level 3 draws its moves."),
        ("match", {"first": 0}, "first: it must be at least 1."),
        ("match", {"games": 1000}, "games: it must be at most 200."),
        ("analyze", {"lines": 1001}, "lines: it must be at most 1000."),
        ("analyze", {"game": "tic_tac_toe", "moves": "a1 b1 a2 b2 a3"}, "the game is over"),
        ("tree", {"game": "tic_tac_toe"}, "the tree has more than 2000 nodes"),
        ("tree", {"depth": 41}, "depth: it must be at most 40."),
        ("tree", {"algorithm": "guessing"}, "There is no algorithm called guessing"),
        ("tree", {"window": "1"}, "window: '1' is not two numbers LOW,HIGH"),
        ("tree", {"algorithm": "minimax", "fail": "hard"}, "minimax has no option"),
        ("tree", {"order": "random"}, "order: it must be 'game', 'best' or 'worst'."),
        ("position", {"colour": "red"}, "colour: there is no such parameter here."),
        ("games", {"game": "nim"}, "game: there is no such parameter here."),
        ("probe", {"depth": 3}, "depth: there is no such parameter here."),
        ("tree", {"moves": "4", "lines": 3}, "lines: there is no such parameter here."),
    ],
)  # fmt: skip
def test_inputs_are_bounded(client, path, question, words):
    assert words in sentence(client, path, 422, **question)


LONG = ", ".join(f"B{number}({number}, {number + 1})" for number in range(90))


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (f'game_tree("A({LONG}")', "has the end at character"),
        (f'game_tree("A({LONG}, B7(1, 2))")', "two nodes are called B7"),
        (f"game_tree(A({LONG}", "cannot be read"),
        (f'game_tree(twig="A({LONG})")', "unknown parameter twig"),
        (f"game_tree(A({LONG}, Q[1/2: 3, 1/2: 4]))", "chance moves in Q"),
        ("x" * 3000, "There is no game called xxx"),
    ],
)
def test_a_long_text_is_not_said_again_as_a_whole(strange, game, words):
    said = strange.get("/api/tree", params={"game": game, "algorithm": "minimax"}).json()["detail"]
    assert words in said
    assert len(said) < 260


def test_only_so_many_games_get_machine_code(monkeypatch):
    monkeypatch.setattr(game_catalog, "MAX_COMPILED_GAMES", 2)
    games = game_catalog.open_catalog()
    ready = [games.load(f"connect_four({width}, 4)") for width in (4, 5, 4, 6)]
    assert [each.compiling for each in ready] == [True, True, True, False]
    assert [each.game.native for each in ready] == [None, None, None, False]
    assert games.load("connect_four(4, 4)") is ready[0]


# -- searches --------------------------------------------------------------------------------------------------------


def test_move(client):
    told = models.MoveRecord.model_validate(answer(client, "move", game="tic_tac_toe", moves="a1 b1 a2 b2", depth=3))
    assert told.move == told.report.move == "a3"
    assert (told.report.value.text, told.report.value.tone, told.report.proven) == ("win in 1", "win", True)
    assert told.report.legal["a3"] == told.report.value
    for style in ("longest", "trickiest"):
        assert answer(client, "move", game="tic_tac_toe", moves="a1 b1 a2 b2", style=style, seconds=0.2)["move"]


def test_a_level_draws_its_move_by_the_seed_and_does_not_open_the_book(client):
    question = {"game": "connect_four", "level": 2}
    told = [answer(client, "move", **question, seed=seed) for seed in (1, 1, 2, 3, 4, 5)]
    moves = [each["move"] for each in told]
    assert moves[0] == moves[1]
    assert len(set(moves)) > 1
    assert {each["report"]["source"] for each in told} == {"search"}
    assert answer(client, "move", game="connect_four")["report"]["source"] == "book"


def test_a_match_is_streamed(client):
    """Every line holds the whole game so far, and the score."""
    question = {"game": "tic_tac_toe", "first": 10, "second": 1, "games": 4, "seed": 1}
    response = client.get("/api/match", params=question)
    assert "content-encoding" not in response.headers  # which would keep lines back
    assert response.headers["content-type"].startswith("application/x-ndjson")
    records = [json.loads(line) for line in response.text.splitlines()]
    last = records[-1]
    assert (last["number"], last["games"], sum(last["counts"])) == (4, 4, 4)
    assert last["counts"][2] == 0  # perfect play does not lose
    assert last["elo"]
    game = z.load("tic_tac_toe")
    for record in records:
        z.position(game, " ".join(record["moves"]))
        assert 0 <= record["share"] <= 1
    assert records[-1]["result"]
    assert client.app.state.server.searches.running == 0


def test_a_match_ends_in_time(client, monkeypatch):
    monkeypatch.setattr("zermelo.app.web.match_handler.MAX_MATCH_SECONDS", 0.0)
    question = {"game": "tic_tac_toe", "first": 1, "second": 1, "games": 4}
    last = json.loads(client.get("/api/match", params=question).text.splitlines()[-1])
    assert last["result"] == "The match ends here: it may take half an hour."
    assert (last["number"], last["counts"]) == (1, [0, 0, 0])


def test_analyze_streams_lines(client):
    response = client.get("/api/analyze", params={"game": "tic_tac_toe", "lines": 9, "seconds": 20})
    assert response.headers["content-type"].startswith("application/x-ndjson")
    reports = [models.ReportRecord.model_validate_json(line) for line in response.text.splitlines()]
    assert reports[-1].proven
    assert reports[-1].value.text == "draw"
    assert len(reports[-1].legal) == 9
    assert client.app.state.server.searches.running == 0


def socket(client):
    return client.websocket_connect("ws://localhost/api/analyze")


def received(socket, until):
    while until not in (message := socket.receive_json()):
        assert "report" in message, message
    return message


def test_a_report_says_why_a_search_is_interpreted(client):
    game = Path(__file__).parents[1] / "bad_games" / "interpreted.py"
    with TestClient(create_app(game_catalog.open_catalog([str(game)])), base_url="http://localhost") as own:
        for record in (own.get("/api/analyze?depth=2").text.splitlines()[-1], own.get("/api/move?depth=2").text):
            told = json.loads(record)
            report = models.ReportRecord.model_validate(told.get("report", told))
            assert report.interpreted.startswith("Interpreted.initial: the state is 'abcde', a str")
    assert answer(client, "move", game="tic_tac_toe", depth=1)["report"]["interpreted"] is None


def test_analyze_by_socket(client):
    with socket(client) as live:
        live.send_json({"game": "tic_tac_toe", "lines": 9})
        last = live.receive_json()
        while "done" not in (message := live.receive_json()):
            last = message
        assert last["report"]["proven"]
        live.send_json({"game": "connect_four", "lines": 7})
        while len(received(live, "report")["report"]["legal"]) < 7:
            pass
        live.send_json({"game": "tic_tac_toe", "moves": "a1 b1 a2 b2"})  # replaces the search
        received(live, "done")
        assert client.app.state.server.searches.running <= 1
        for wrong, words in (
            ("{", "The request: Invalid JSON"),
            ('{"lines": 0}', "lines: it must be at least 1."),
            ('{"game": "halma"}', "There is no game called halma here"),
            ('{"moves": "9"}', "'9' is not a legal move"),
            ("[]", "The request: it must be an object."),
            ('{"colour": "red"}', "colour: there is no such parameter here."),
        ):
            live.send_text(wrong)
            assert words in live.receive_json()["error"]
        live.send_json({"stop": True})
        live.send_json({"game": "tic_tac_toe", "moves": "a1 b1 a2 b2"})
        received(live, "done")


def test_busy_is_polite(monkeypatch):
    monkeypatch.setattr("zermelo.app.web.pools.search_pool.SLOT_TIMEOUT", 0.05)
    with TestClient(create_app(slots=2), base_url="http://localhost") as client:
        searches = client.app.state.server.searches
        with socket(client) as live:
            live.send_json({"game": "connect_four"})
            received(live, "report")
            assert searches.running == 1
            response = client.get("/api/analyze")  # one slot is reserved for moves
            assert response.status_code == 503
            assert int(response.headers["retry-after"]) > 0
            assert "busy" in response.json()["detail"]
            with pytest.raises(Exception) as denied, socket(client):
                pass
            assert denied.value.status_code == 503
            assert int(denied.value.headers["retry-after"]) > 0
            assert answer(client, "move", game="tic_tac_toe", depth=2)["move"]
            assert answer(client, "position")["legal"]


def test_too_many_who_wait(client, monkeypatch):
    monkeypatch.setattr(rule_pool, "MAX_QUEUED_REQUESTS", 0)
    assert client.get("/api/position").status_code == 503


def test_a_head_is_answered_as_a_get_without_its_body(client):
    for path in (
        "games",
        "position",
        "move?depth=1",
        "tree?depth=1&game=tic_tac_toe",
        "openapi.json",
        "probe",
        "nothing",
    ):
        asked, looked = client.get(f"/api/{path}"), client.head(f"/api/{path}")
        assert (looked.status_code, looked.content) == (asked.status_code, b"")
        assert looked.headers["content-type"] == asked.headers["content-type"]
    looked = client.head("/api/analyze?seconds=600")
    assert looked.status_code == 200
    assert looked.headers["content-type"] == client.get("/api/analyze?depth=1").headers["content-type"]


def test_the_least_of_all_times_is_enough_for_every_style(client):
    for style in ("exact", "longest", "trickiest"):
        assert answer(client, "move", game="tic_tac_toe", seconds=5e-324, depth=1, style=style)["move"]


# -- databases -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    path = tmp_path_factory.mktemp("solved") / "tic_tac_toe.zsol"
    z.solve(z.load("tic_tac_toe")).save(path)
    return path


def test_database(solved):
    games = game_catalog.open_catalog(["connect_four", "tic_tac_toe"], [solved])
    with TestClient(create_app(games), base_url="http://localhost") as client:
        assert [game["database"] for game in answer(client, "games")["games"]] == [False, True, False]
        place = {"game": "tic_tac_toe", "moves": "a1 b1"}
        assert answer(client, "position", **place)["database"]
        told = models.ProbeRecord.model_validate(answer(client, "probe", **place))
        assert told.value.text == "win in 5"
        assert told.best == [move.text for move in told.moves if move.value.text == "win in 5"]
        assert len(told.line) == 5
        longest = models.LongestRecord.model_validate(answer(client, "longest", game="tic_tac_toe"))
        assert {each.value.plies for each in longest.positions} == {longest.positions[0].value.plies}
        chosen = answer(client, "move", **place)
        assert chosen["move"] == told.best[0]
        assert (chosen["report"]["nodes"], chosen["report"]["proven"]) == (0, True)
        assert len(chosen["report"]["legal"]) == 7
        assert chosen["report"]["source"] == "database"
        weak = answer(client, "move", **place, depth=1)["report"]  # to look one ply ahead is to be as weak as that
        assert (weak["source"], weak["depth"], weak["proven"]) == ("search", 1, False)
        analysis = client.get("/api/analyze", params=place).text.splitlines()
        assert [json.loads(line)["source"] for line in analysis] == ["database"]
        for path in ("probe", "longest"):
            assert "No database of connect_four" in sentence(client, path, 404, game="connect_four")
            assert "No database" in sentence(client, path, 404, game="tic_tac_toe(4, 4, 4)")


@pytest.mark.parametrize("style", ["exact", "longest", "trickiest"])
@pytest.mark.parametrize("wdl", [False, True])
def test_a_move_does_not_load_the_database_into_memory(monkeypatch, style, wdl):
    solution = z.solve(z.load("tic_tac_toe"), wdl=wdl)
    monkeypatch.setattr(z.Solution, "state_tables", lambda self: pytest.fail("loaded"))
    loaded = game_catalog.LoadedGame("tic_tac_toe", "tic_tac_toe", solution.game, solution, None)
    request = handlers.PositionRequest.parse(loaded, "", "a1 b1 a2 b2")
    [found] = handlers.choose_move(request, 0.5, None, style)(SearchControl())
    assert (found["report"]["source"] == "database") == (style == "exact" and not wdl)
    assert solution.moves(request.state)[request.game.parse_move(request.state, found["move"])].outcome == z.WIN
    reports = list(handlers.analyze_position(request, 0.5, None, 1)(SearchControl()))
    assert {report["source"] for report in reports} == {"search" if wdl else "database"}


def test_opening_lines_are_played_and_do_not_stand_for_an_analysis(monkeypatch):
    monkeypatch.setattr("zermelo.play.books.any_book.own_lines", lambda game: OpeningLines(game, "1 a1 b2"))
    loaded = game_catalog.LoadedGame("tic_tac_toe", "tic_tac_toe", z.load("tic_tac_toe"), None, None)
    request = handlers.PositionRequest.parse(loaded, "", "a1")
    [found] = handlers.choose_move(request, 0.5, None, "exact")(SearchControl())
    assert (found["move"], found["report"]["source"]) == ("b2", "book")
    reports = list(handlers.analyze_position(request, 0.5, None, 1)(SearchControl()))
    assert {report["source"] for report in reports} == {"search"}
    assert reports[-1]["value"]["text"] == "draw"


class Preparing(Engine):
    """An engine whose compiler is never ready; it counts the seconds that are waited for it."""

    compiling = True
    waited = 0.0

    def wait_for_compiler(self, seconds):
        self.waited += seconds
        time.sleep(seconds)


def test_a_move_waits_for_the_compiler_as_long_as_it_may_think_and_says_if_that_was_in_vain():
    game = z.load("connect_four")
    engine = Preparing(game)
    loaded = game_catalog.LoadedGame("connect_four", "connect_four", game, None, engine, compilation_started=True)
    beyond_the_book = handlers.PositionRequest.parse(loaded, "", "4 4 4 4 4 2 1 2 1 7 6 6")
    [found] = handlers.choose_move(beyond_the_book, 0.3, None, "exact")(SearchControl())
    assert found["report"]["source"] == "search"
    assert found["report"]["compiling"] == (not found["report"]["proven"])
    assert engine.waited > 0.25
    engine.waited = 0.0
    start = handlers.PositionRequest.parse(loaded, "", "")
    [found] = handlers.choose_move(start, 0.3, None, "exact")(SearchControl())
    assert (found["report"]["source"], found["report"]["compiling"], engine.waited) == ("book", False, 0.0)
    first, *_, last = handlers.analyze_position(start, 0.3, 3, 7)(SearchControl())
    for report in (first, last):
        assert (report["source"], report["value"]["text"], report["value"]["share"]) == ("book", "win", 1)
    assert (len(first["lines"]), len(last["lines"])) == (1, 7)


def test_every_game_has_one_category_and_a_picture():
    placed = [name for names in gallery.CATEGORIES.values() for name in names]
    assert sorted(placed) == sorted(GAMES)
    listed = {game["name"]: game for game in game_catalog.open_catalog().listing()["games"]}
    assert [listed[name]["chance"] for name in ("pig", "chess")] == [True, False]
    assert [listed[name]["book"] for name in ("connect_four", "chess", "othello")] == [True, True, False]
    assert {game["category"] for game in listed.values()} == set(gallery.CATEGORIES)
    for name in GAMES:
        drawn = gallery.picture(Session(z.load(name)))["svg"]
        assert drawn.startswith("<svg"), name


def test_a_tree_that_does_not_fit_is_searched_less_deep(client):
    place = {"game": "chess", "depth": 3, "algorithm": "minimax"}
    assert "more than 2000 nodes" in sentence(client, "tree", 422, **place)
    found = models.TreeRecord.model_validate(answer(client, "tree", **place, fit=True))
    assert found.depth == 2
    assert found.counts["nodes"] == 421
    assert answer(client, "tree", game="tic_tac_toe", depth=2, fit=True)["depth"] == 2
    assert answer(client, "engine", game="tic_tac_toe")["compiling"] in (False, True)


def test_a_database_alone_names_its_game(solved, tmp_path):
    assert game_catalog.open_catalog([], [solved]).default == "tic_tac_toe"
    broken = tmp_path / "broken.zsol"
    broken.write_bytes(b"nothing")
    with pytest.raises(z.GameError, match=r"broken\.zsol"):
        game_catalog.open_catalog([], [broken])


# -- who knocks ------------------------------------------------------------------------------------------------------


def test_where_nothing_is(client):
    response = client.get("/no/such")
    assert response.status_code == 404
    assert response.headers["content-type"].startswith("text/html")
    assert '<a href="/">All games</a>' in response.text
    for nothing in ("nothing", "position/", "games/more"):
        assert f"There is no /api/{nothing} here" in sentence(client, nothing, 404)
    for path in ("/api", "/api/"):
        assert client.get(path).json()["paths"].keys() >= {"/api/games", "/api/position"}  # led to the description


def test_headers(client):
    for path in ("/api/games", "/api/nothing", "/api/position?game=halma", "/nothing"):
        headers = client.get(path, headers={"Origin": "http://elsewhere.example"}).headers
        assert "'unsafe-inline'" not in headers["content-security-policy"].split("script-src")[1].split(";")[0]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200), ("localhost:8000", 200), ("127.0.0.1:8000", 200), ("[::1]:8000", 200), ("192.168.1.5", 200),
        ("elsewhere.example", 400), ("localhost.elsewhere.example", 400), ("", 400), ("[", 400), ("127.0.0.1.org", 400),
    ],
)  # fmt: skip
def test_host(client, host, status):
    assert client.get("/api/games", headers={"Host": host}).status_code == status


def test_a_name_of_ones_own_in_any_letters():
    with TestClient(create_app(hosts=["Games.Example.org"]), base_url="http://games.example.org") as client:
        assert client.get("/api/games").status_code == 200


def test_other_sites(client):
    with (
        pytest.raises(Exception) as denied,
        client.websocket_connect("ws://localhost/api/analyze", headers={"Origin": "http://elsewhere.example"}),
    ):
        pass
    assert denied.value.status_code == 403
    with client.websocket_connect("ws://localhost/api/analyze", headers={"Origin": "http://localhost"}):
        pass
    for place, status in (("image", 403), ("iframe", 403), ("document", 200)):
        foreign = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": place}
        assert client.get("/api/position", headers=foreign).status_code == status


def test_static_files_are_kept_and_compressed(client):
    file = max(STATIC.rglob("*.js"), key=lambda file: file.stat().st_size)
    response = client.get(f"/{file.relative_to(STATIC).as_posix()}")
    assert response.status_code == 200
    assert response.headers["content-encoding"] == "gzip"
    assert response.headers["cache-control"] == "no-cache"
    again = client.get(f"/{file.relative_to(STATIC).as_posix()}", headers={"If-None-Match": response.headers["etag"]})
    assert again.status_code == 304
    for path in ("/../server.py", "/%2e%2e/server.py", "/..%2fserver.py", "//etc/passwd"):
        assert client.get(path).status_code in (400, 404)
