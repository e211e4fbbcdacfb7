"""Rules that do their worst to the server: it answers with a sentence, and others are answered as before."""

import itertools
import time

import pytest

pytest.importorskip("fastapi")

from fastapi.testclient import TestClient

import zermelo as z
from taking import Takes
from zermelo.app.error_messages import describe_error
from zermelo.app.web.pools import worker_channel
from zermelo.app.web.pools.process_pool import ProcessPool
from zermelo.app.web.server import create_app

SPITEFUL = '''
import itertools
import os
import threading

import zermelo as z
from zermelo.board import Fields


class Odd(BaseException):
    pass


class Wordless(Exception):
    def __str__(self):
        raise RuntimeError("no words")

    __repr__ = __str__


class Spiteful(z.Game):
    """Take one to three of twelve; `moves` of three left does something, or that of any number."""

    way: str = ""
    at_once: bool = False
    native = False

    def initial(self):
        return 12

    def moves(self, left):
        if self.way and (left == 3 or self.at_once):
            return getattr(self, self.way)()
        return range(1, min(left, 3) + 1)

    def play(self, left, taken):
        return left - taken if isinstance(taken, int) else left - 1

    def result(self, left):
        return z.LOSS if left <= 0 else z.ONGOING

    def board(self, left):
        return Fields(("left",), (left,)) if self.way == "number" else None

    def number(self):
        return [1, 2, 3]

    def letters(self):
        raise ValueError("\\\\ud800 \\\\x00 \\\\x1b]0;title\\\\x07 \\\\x1b[31m" + "z" * 1_000_000)

    def wordless(self):
        raise Wordless

    def odd(self):
        raise Odd("odd")

    def unsayable(self):
        return ["\\\\ud800"]

    def long(self):
        return ["x" * 20_000_000]

    def endless(self):
        return itertools.repeat(1)

    def noise(self):
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b"\\\\x00\\\\x00\\\\x00\\\\x05[1,2]\\\\x7f\\\\xff\\\\xff\\\\xff")
            except OSError:
                pass
        return [1]

    def spoil(self):
        threading.excepthook = None
        return [1, 2, 3]
'''.replace("\\\\", "\\")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "spiteful.py"
    path.write_text(SPITEFUL)
    return path


@pytest.fixture(scope="module")
def client(file):
    with TestClient(create_app(ProcessPool([f"{file}:Spiteful", "nim"], [], 4)), base_url="http://localhost") as client:
        yield client


def asked(client, way, path="position", **options):
    """What is answered about three left."""
    return client.get(f"/api/{path}", params={"game": f"Spiteful(way={way!r})", "moves": "3 3 3", **options})


@pytest.mark.parametrize("path", ["position", "move", "analyze"])
@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("letters", "the rule `moves` raised ValueError: \ufffd \ufffd \ufffd]0;title"),
        ("wordless", "the rule `moves` raised Wordless: its own text raises RuntimeError (spiteful.py, line "),
        ("odd", "the rule `moves` raised Odd: odd"),
    ],
)
def test_whatever_a_rule_raises_becomes_a_sentence(client, way, said, path):
    answer = asked(client, way, path, depth=2) if path != "position" else asked(client, way)
    assert answer.status_code == 422
    sentence = answer.json()["detail"]
    assert said in sentence
    assert len(sentence) < 1000


def test_a_board_with_a_value_of_a_wrong_type_becomes_a_sentence(client):
    answer = client.get("/api/position", params={"game": "Spiteful(way='number')"})
    assert answer.status_code == 422
    assert "`board` of 12: Fields: values are texts, not 12 (str makes a text of it)." in answer.json()["detail"]


@pytest.mark.parametrize("way", ["letters", "wordless", "odd"])
def test_what_a_rule_raises_at_once_is_said_at_the_start(file, way):
    games = ProcessPool([f"{file}:Spiteful(way={way!r}, at_once=True)"], [], 4)
    with pytest.raises(z.GameError, match=r"`moves`.* raise"):
        games.check_games()
    games.close()


def test_a_game_that_cannot_be_written_is_complained_of():
    class Unwritten(Takes):
        def __repr__(self):
            raise SystemExit("no text")

        def initial(self):
            return 1 // 0

    with pytest.raises(ZeroDivisionError) as caught:
        Unwritten().initial()
    sentence = describe_error(caught.value).sentence
    assert sentence == "The rules raised ZeroDivisionError, and then SystemExit while it was being described."


@pytest.mark.parametrize("path", ["position", "move"])
def test_a_rule_that_writes_to_its_process_is_given_up(client, path):
    answer = asked(client, "noise", path)
    assert answer.status_code == 422
    assert "The process of Spiteful(way='noise') breaks the protocol" in answer.json()["detail"]
    assert client.get("/api/position", params={"game": "nim"}).status_code == 200


def test_a_spoilt_process_is_replaced(client, capfd):
    asked(client, "spoil")
    assert client.get("/api/position", params={"game": "nim"}).status_code == 200
    assert capfd.readouterr().err == ""


def test_a_text_that_is_too_long_is_not_sent(client):
    answer = asked(client, "long")
    assert answer.status_code == 422
    assert "`move_text` returns a text of 20000000 letters; 10000 are the most" in answer.json()["detail"]


def test_a_text_that_is_no_text_can_be_sent(client):
    answer = asked(client, "unsayable")
    assert answer.status_code == 200
    assert answer.json()["legal"][0]["text"] == "?"


def test_an_answer_that_is_too_long_is_refused():
    with pytest.raises(z.GameError, match=r"The answer has 20 MB, and 16\.8 MB are the most"):
        worker_channel.encode_message(["result", 1, {"text": "x" * 20_000_000}])


@pytest.mark.parametrize(
    "line",
    [b"", b"\xff", b"{}", b"[]", b'["done"]', b'["done", true]', b'["done", 1, 2]', b'["result", 1, 3]',
     b'[["done"], 1]', b'["error", 1, 200, "fine", null]', b'["duration", 1, NaN]', b'["duration", 1, -1]',
     b'["duration", 1, 1e999]', b'["result", 1, {"a": ' + b"9" * 5000 + b"}]", b"[" * 100_000],
)  # fmt: skip
def test_what_is_no_message_is_seen(line):
    with pytest.raises(worker_channel.ProtocolError):
        worker_channel.parse_message(line)


def test_a_message_that_does_not_end_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(worker_channel, "MAX_MESSAGE_BYTES", 1000)
    ours, theirs = worker_channel.Channel.pair()
    theirs.sendall(b'["done", 1]\n["done",')
    assert ours.receive(0) == ["done", 1]
    assert ours.receive(0) is None
    theirs.sendall(b"x" * 2000)
    with pytest.raises(worker_channel.ProtocolError):
        ours.receive(time.monotonic() + 60)
    theirs.close()
    ours.close()


@pytest.mark.parametrize("moves", ["3 3 3", "3 3"])
def test_moves_without_an_end_end_a_search(client, moves):
    game = "Spiteful(way='endless')"
    answer = client.get("/api/move", params={"game": game, "moves": moves, "seconds": 60, "depth": 9})
    assert answer.status_code == 422
    assert "more than 1000" in answer.json()["detail"]


def test_a_search_refuses_moves_without_an_end():
    class Endless(Takes):
        def moves(self, left):
            return itertools.repeat(1) if left == 3 else super().moves(left)

    with pytest.raises(z.GameError, match="`moves` yields more than 100000 things in 3 and may never end"):
        z.search(Endless(), limit=z.Limit(depth=6))
