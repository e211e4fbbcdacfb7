"""Games in their own notation over the API: what is exported is imported again, and nonsense is refused."""

import pytest
from fastapi.testclient import TestClient

from zermelo.app.web import models
from zermelo.app.web.server import create_app


@pytest.fixture(scope="module")
def client():
    with TestClient(create_app(), base_url="http://localhost") as client:
        yield client


@pytest.mark.parametrize(
    ("game", "form", "lines"),
    [
        ("chess", "pgn", ["e4 e5 Nf3 Nc6", "e4 c5 Nf3", "e4 c5 Nc3 Nc6", "d4"]),
        ("checkers", "pdn", ["11-15 23-19", "11-15 22-18"]),
        ("othello", "sgf", ["d3 c3 c4", "d3 c5"]),
        ("othello", "ggf", ["d3 c3 c4"]),
        ("gomoku", "sgf", ["h8 h9", "a1 b2"]),
        ("hex(7)", "sgf", ["a1 b2"]),
        ("backgammon", "mat", ["31 8/5 6/5 42 8/4 6/4"]),
    ],
)
def test_what_is_exported_is_imported_again(client, game, form, lines):
    assert form in client.get("/api/position", params={"game": game}).json()["formats"]
    told = client.get("/api/export", params={"game": game, "format": form, "lines": "\n".join(lines)})
    assert told.status_code == 200, told.json()
    found = client.get("/api/import", params={"format": form, "text": told.json()["text"], "game": game})
    record = models.ImportRecord.model_validate(found.json())
    assert {" ".join(line) for line in record.lines} == set(lines)
    assert " ".join(record.lines[0]) == lines[0]
    position = client.get("/api/position", params={"game": record.game, "start": record.start, "moves": lines[0]})
    assert position.status_code == 200


def test_comments_are_read_with_the_paths_to_their_moves(client):
    text = "1. e4 {best by test} e5 (1... c5 {sharp}) 2. Nf3 *"
    told = client.get("/api/import", params={"format": "pgn", "text": text}).json()
    assert told["comments"] == [
        {"moves": ["e4"], "text": "best by test"},
        {"moves": ["e4", "c5"], "text": "sharp"},
    ]


@pytest.mark.parametrize(
    ("game", "form", "lines", "path"),
    [
        ("chess", "pgn", "e4 e5\ne4 c5 Nf3", "e4 c5"),
        ("checkers", "pdn", "11-15 23-19", "11-15"),
        ("othello", "sgf", "d3 c3\nd3 c5 d6", "d3 c5 d6"),
    ],
)
def test_comments_are_written_and_read_again(client, game, form, lines, path):
    question = {
        "game": game,
        "format": form,
        "lines": lines,
        "comments": f'{path}\ta "fine" [move]\nxx\tnowhere\nno tab',
    }
    text = client.get("/api/export", params=question).json()["text"]
    assert "nowhere" not in text
    found = client.get("/api/import", params={"format": form, "text": text, "game": game}).json()
    assert found["comments"] == [{"moves": path.split(), "text": 'a "fine" [move]'}]


@pytest.mark.parametrize(
    ("path", "question", "words"),
    [
        ("import", {"format": "pgn", "text": "1. e4 Ke3 *"}, "move 2, 'Ke3', is not legal"),
        ("import", {"format": "sgf", "text": "nothing"}, "This text has no game in SGF."),
        ("import", {"format": "pgn", "text": "(" * 9000}, ""),
        ("import", {"format": "mat", "text": " " * 11_000 + "x"}, "it has no line with the players"),
        ("import", {"format": "sgf", "text": "(;GM[4];B[aa]" + "(;W[ab])(;W[ac]" * 600 + ")" * 601}, "50 deep"),
        ("import", {"format": "pgn", "text": "x" * 12_001}, "text: it may have 12000 characters at most."),
        ("import", {"format": "exe", "text": ""}, "format: it must be 'pgn'"),
        ("export", {"format": "sgf", "game": "nim"}, "is not written as sgf; its formats are none but JSON."),
        ("export", {"format": "pgn", "game": "chess", "lines": "e4 e5\ne4 Ke9"}, "is not a legal move"),
    ],
)
def test_what_cannot_be_read_or_written_is_a_sentence(client, path, question, words):
    response = client.get(f"/api/{path}", params=question)
    assert response.status_code == 422
    assert words in response.json()["detail"]
    assert "Traceback" not in response.text
