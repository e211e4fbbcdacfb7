"""Files that somebody changed, by accident or on purpose: each is a sentence or a right answer, and never a fault.

Changes to databases and checkpoints have their checksums made right, but for those to single bytes. A database that
agrees with itself and lies about a value is one that `verify` finds.
"""

import json
import os
import random
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import zermelo as z
from hostile import change_bytes, change_json, interpreted, rewritten
from zermelo import GameError, files, rules
from zermelo.files import FileError
from zermelo.matches.match_record import MatchRecord, recorded
from zermelo.matches.match_result import MatchResult
from zermelo.matches.statistics import Sprt
from zermelo.play.books.learned_book import LearnedBook, open_learned
from zermelo.play.books.proven_book import Answer, Book, checksum, open_book
from zermelo.play.record import resume, save
from zermelo.play.session import Session
from zermelo.solving.storage.archive import Archive, write
from zermelo.solving.storage.archive_format import BLOCK_ROW, MAGIC, PREFIX, TRAILER, VERSION

WORKER = Path(__file__).parents[1] / "helpers" / "hostile_worker.py"


def slow(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("what", "count"),
    [
        ("database-listed", 150),
        ("database-chance", 40),
        ("database-stairs", 60),
        ("checkpoint-stairs", 30),
        slow("database-chance", 200),
        slow("database-squares", 60),
        slow("checkpoint-stairs", 120),
        slow("database-four", 150),
        slow("database-depths", 100),
        slow("database-lots", 100),
        slow("database-turns", 100),
        slow("database-rooms", 100),
        slow("checkpoint-depths", 60),
        slow("checkpoint-squares", 60),
        slow("checkpoint-lots", 60),
        slow("checkpoint-turns", 60),
    ],
)
def test_changed_files_are_sentences_or_right(what, count):
    command = [sys.executable, str(WORKER), what, "0", str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    answers = dict(json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 0, (len(answers), done.stderr[-2000:])
    assert len(answers) == count
    assert {seed: answer for seed, answer in answers.items() if answer not in ("sentence", "right")} == {}
    assert {*answers.values()} == {"sentence", "right"}  # some changes change nothing that matters


# -- databases, one by one -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nim(tmp_path_factory):
    """A file with the solution of Nim."""
    path = tmp_path_factory.mktemp("solved") / "nim"
    z.solve(interpreted("nim(piles=(2, 3))"), path)
    return path


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"method": "dense"}, "no 'packing'|is not that of|no section"),
        ({"method": "reachable"}, "has no 'packing'"),
        ({"values": "chance"}, "has no 'stages'"),
        ({"values": "points"}, "its header is not that of a solution of Nim"),
        ({"order": "retrograde"}, "its header is not that of a solution of Nim"),
        ({"staged": 1}, "has no 'staged'"),
        ({"error": float("nan")}, "has no 'error'"),
        ({"error": 0.5}, "has no 'error'"),
        ({"why": "\x1b[2J"}, "has no 'why'"),
        ({"name": 7}, "has no 'name'"),
        ({"name": "no_such_game"}, "cannot be loaded: There is no game called no_such_game"),
        ({"name": "nim(piles=7)"}, "cannot be loaded: "),
        ({"name": "nim"}, r"was made for Nim\(piles=\(2, 3\)"),
        ({"packing": [[0, 4, -1, 0]]}, "has no 'packing'"),
        ({"stages": []}, "has no 'stages'"),
        ({"stages": [{"stage": 0, "length": 1 << 60, "bits": 8, "base": 0}]}, "has no 'stages'"),
        ({"stages": [{"stage": 0, "length": 8, "bits": 8, "base": 0}]}, "has no 'counts'"),
        ({"stages": [{"stage": 0, "length": 9, "bits": 0, "base": 0}]}, "has no 'stages'"),
        ({"stages": [{"stage": 0, "length": 9, "bits": 16, "base": 0}]}, "'entries_0' is not as long"),
        ({"counts": []}, "has no 'counts'"),
        ({"counts": [[0, 8, 9, 9]]}, "'entries_0' does not hold what its header counts"),
        ({"counts": [[0, 8, -1, 9]]}, "has no 'counts'"),
        ({"counts": [[0, 8, True, 9]]}, "has no 'counts'"),
        ({"kind": "book"}, "holds no solution of a game"),
    ],
)
def test_a_header_that_does_not_fit_is_named(nim, tmp_path, change, words):
    path = rewritten(nim, tmp_path / "changed", lambda header, sections: header.update(change))
    with pytest.raises(z.GameError, match=words) as refused:
        z.Solution.open(path)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize("field", ["low", "bits", "word", "shift"])
def test_a_packing_that_kernels_must_not_see(field, tmp_path):
    """A word below zero made a kernel write before its memory."""
    from zermelo.solving.enumeration.state_packing import Packing, Range

    ranges = (0, 9, 15), (-5, 5, -1), (0, 1 << 63, 1 << 63), (3, 3, 3)
    rows = Packing.fitting([Range(*row) for row in ranges]).to_list()
    assert Packing.from_list(rows).is_valid
    place = ("low", "bits", "word", "shift").index(field)
    for row in range(len(rows)):
        for odd in (-1, 65, 1 << 40, -(1 << 63), 1 << 64):
            changed = [list(each) for each in rows]
            changed[row][place] = odd
            fits = field == "low" and -(1 << 63) <= odd < 1 << 64
            assert Packing.from_list(changed).is_valid == fits


def test_brackets_without_end_are_a_sentence(tmp_path, monkeypatch):
    from zermelo.solving.storage import archive

    monkeypatch.setattr(archive, "to_json", lambda data: "[" * 200_000)
    write(tmp_path / "deep", {}, [])
    with pytest.raises(FileError, match="deep is damaged: its index cannot be read"):
        Archive.open(tmp_path / "deep")


@pytest.mark.parametrize(
    "index",
    [
        [], {}, {"header": 1, "sections": []}, {"header": {}, "sections": {}}, {"header": {}, "sections": [["x"]]},
        {"header": {}, "sections": [["x", "O", 0]]}, {"header": {}, "sections": [["x", "<i8", -1]]},
        {"header": {}, "sections": [["x", "<i8", 0.0]]}, {"header": {}, "sections": [["x", "<i8", 1 << 90]]},
        {"header": {}, "sections": [["x", "<i8", 0], ["x", "<i8", 0]]}, {"header": {}, "sections": [[[], "<i8", 0]]},
        {"header": {}, "sections": [["x", "<i8", 1 << 40]]}, {"header": {}, "sections": None},
    ],
)  # fmt: skip
def test_an_index_that_is_none_is_a_sentence(index, tmp_path, monkeypatch):
    from zermelo.solving.storage import archive

    monkeypatch.setattr(archive, "to_json", lambda data: json.dumps(index))
    write(tmp_path / "odd", {}, [])
    with pytest.raises(FileError, match="odd is damaged: its "):
        Archive.open(tmp_path / "odd")


def test_a_section_that_no_memory_holds_is_not_begun(tmp_path, monkeypatch):
    from zermelo.solving import memory_budget
    from zermelo.solving.storage import archive_reader

    write(tmp_path / "zeros", {}, [("zeros", np.zeros(1 << 20, np.uint8))])
    monkeypatch.setattr(archive_reader, "MEMORY_CHECK_SIZE", 1 << 16)
    monkeypatch.setattr(memory_budget, "available_memory", lambda: 1 << 19)
    with Archive.open(tmp_path / "zeros") as archive, pytest.raises(FileError, match=r"'zeros' takes 1\.\d+ MB of mem"):
        archive.array("zeros")


@pytest.mark.parametrize("room", [0, 9])
def test_a_file_of_holes_takes_no_memory(room, tmp_path):
    """Its trailer tells of a table that the disk never held, with room for the frames of its blocks or none."""
    path, blocks = tmp_path / "holes", 4_000_000
    length = PREFIX.size + (room + BLOCK_ROW.itemsize) * blocks + TRAILER.size
    with path.open("wb") as file:
        file.write(PREFIX.pack(MAGIC, VERSION))
        file.seek(length - TRAILER.size)
        file.write(TRAILER.pack(0, blocks, length, 0))
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match="holes is damaged: its sections are not those of its blocks"):
            Archive.open(path)
        assert tracemalloc.get_traced_memory()[1] < BLOCK_ROW.itemsize * blocks / 4
    finally:
        tracemalloc.stop()


# -- files that change while they are open ---------------------------------------------------------------------------

READER = """
import sys, os
from pathlib import Path
import numpy as np
from zermelo import rules
from zermelo.files import FileError
from zermelo.solving.storage.archive import Archive, write
path = Path(sys.argv[1])
rng = np.random.default_rng(1)
write(path, {}, [("noise", rng.integers(0, 256, 1 << 20, np.uint8))])
archive = Archive.open(path, check=False)
first = archive.item("noise", 0)
with open(path, "r+b") as file:
    file.truncate(100_000 if sys.argv[2] == "cut" else 1 << 21)
    if sys.argv[2] == "replaced":
        file.write(bytes(1 << 20))
for place in range(0, 1 << 20, 1 << 16):
    try:
        archive.item("noise", place)
    except FileError as error:
        print(error)
"""


@pytest.mark.parametrize(
    ("how", "words"), [("cut", "was cut short while it was open"), ("replaced", "is not as it was written")]
)
def test_a_file_that_is_cut_or_replaced_while_it_is_open(how, words, tmp_path):
    """In a process of its own, which a mapped file would end."""
    command = [sys.executable, "-c", READER, str(tmp_path / "file"), how]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) >= 13
    assert all("file is damaged: " in line and words in line for line in done.stdout.splitlines())


def test_archives_that_nobody_closes_leave_no_handle(tmp_path):
    write(tmp_path / "file", {}, [("values", np.arange(10))])
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    for _ in range(50):
        Archive.open(tmp_path / "file").item("values", 3)
    after = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    assert after < before + 10


# -- books and records -----------------------------------------------------------------------------------------------


def asked(ask):
    """What was asked for, or the sentence that refuses it."""
    try:
        return ask(), ""
    except z.GameError as error:
        sentence = str(error)
    assert "\n" not in sentence
    return None, sentence


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    game = interpreted("tic_tac_toe")
    found = Book(game, {game.canonical(game.initial()): Answer(4, 0)})
    for move in (0, 1, 2):
        state = game.play(game.initial(), move)
        found.answers[game.canonical(state)] = Answer(next(iter(game.moves(game.canonical(state)))), 0)
    path = tmp_path_factory.mktemp("book") / "book.json"
    found.save(path)
    return found, path


@pytest.mark.parametrize("seed", range(200))
def test_a_changed_book_is_a_sentence_or_the_same(seed, book, tmp_path):
    """Bytes are changed, or rows; the checksum of every third one is made right, and then its moves are legal ones."""
    found, path = book
    dice = random.Random(seed)
    if seed % 3 == 0:
        changed = change_bytes(path.read_bytes(), dice)
    else:
        data = json.loads(path.read_text())
        change_json(data, dice)
        if seed % 3 == 2 and isinstance(data.get("positions"), list):
            data["checksum"] = checksum(data["positions"])
        changed = json.dumps(data).encode()
    (tmp_path / "book.json").write_bytes(changed)
    again, sentence = asked(lambda: open_book(found.game, tmp_path / "book.json"))
    if again is None:
        assert "book.json" in sentence
        return
    if seed % 3 != 2:
        assert again.answers == found.answers
    for state, answer in again.answers.items():
        assert answer.move in found.game.moves(state)
        assert answer.outcome in (-1, 0, 1)


@pytest.mark.parametrize("seed", range(150))
def test_a_changed_learned_book_is_a_sentence_or_a_book(seed, tmp_path):
    """Rows or facts are changed, and the checksum of two in three is made right: its moves are legal ones."""
    game, dice, path = interpreted("tic_tac_toe"), random.Random(seed), tmp_path / "book.json"
    book = LearnedBook(game)
    for moves in ([4, 0, 8], [4, 0, 2], [0, 4]):
        book.learn(game.initial(), moves, 0)
    book.known(game.initial(), 4).evaluation = 0.5
    book.save(path)
    data = json.loads(path.read_text())
    change_json(data["positions"] if seed % 2 else data, dice)
    if seed % 3 and isinstance(data.get("positions"), list):
        data["checksum"] = checksum(data["positions"])
    path.write_text(json.dumps(data))
    again, sentence = asked(lambda: open_learned(game, path))
    if again is None:
        assert "book.json" in sentence
        return
    for state, rows in again.positions.items():
        assert rows.keys() <= {*game.moves(state)}
        report = again.report(state)
        assert report is None or all(abs(line.value.score) < 1e6 for line in report.lines)


@pytest.mark.parametrize("seed", range(150))
def test_a_changed_record_of_a_match_is_a_sentence_or_games(seed, tmp_path):
    """The file of a match that goes on: what is not as it was written stays as it is, but for a line without an end."""
    dice, path, header = random.Random(seed), tmp_path / "match.jsonl", {"event": "match", "game": "nim", "seed": 3}
    game = {"game": "nim", "start": "5 4 3", "moves": ["5-1"], "winner": 0, "result": "", "players": ["A", "B"]}
    game["fault"] = True
    record = MatchRecord(path, header)
    for number in range(3):
        record.append({**game, "number": number, "pair": number // 2, "seats": [0, 1], "seed": number})
    record.close()
    lines = path.read_text().splitlines(keepends=True)
    if seed % 3 == 0:
        path.write_bytes(change_bytes(path.read_bytes(), dice))
    else:
        number = dice.randrange(len(lines))
        data = json.loads(lines[number])
        change_json(data, dice)
        lines[number] = json.dumps(data) + "\n"
        path.write_text("".join(lines))
    before = path.read_bytes()
    again, sentence = asked(lambda: MatchRecord(path, header))
    if again is None:
        assert "match.jsonl" in sentence
        assert path.read_bytes() == before
        return
    again.close()
    assert before.startswith(path.read_bytes()) or before in (b"", path.read_bytes()[: len(before)])
    for game in again.games:
        assert type(game["number"]) is int
        asked(lambda game=game: recorded(game))
    result = MatchResult(("A", "B"), tuple(again.games), Sprt(0, 5))
    assert sum(result.counts) == len(again.games)
    assert str(result)


def test_a_book_of_the_first_format_still_opens(book, tmp_path):
    found, path = book
    data = json.loads(path.read_text())
    del data["checksum"]
    (tmp_path / "old.json").write_text(json.dumps({**data, "format": "zermelo book 1"}))
    assert open_book(found.game, tmp_path / "old.json").answers == found.answers
    (tmp_path / "new.json").write_text(json.dumps(data))
    with pytest.raises(FileError, match=r"new\.json is damaged: its positions are not as they were written"):
        open_book(found.game, tmp_path / "new.json")


RECORDS = [("nim", "5-1 4-2 3-3"), ("tic_tac_toe", "b2 a1 c3"), ("connect_four", "4 4 3"), ("pig", "")]


@pytest.mark.parametrize("seed", range(200))
def test_a_changed_record_is_a_sentence_or_a_game(seed, tmp_path):
    dice = random.Random(seed)
    name, moves = RECORDS[seed % 4]
    session = Session(z.load(name), seed=1)
    for move in moves.split():
        session.enter(move)
    path = tmp_path / "game.json"
    save(session, path)
    if seed % 2:
        path.write_bytes(change_bytes(path.read_bytes(), dice))
    else:
        data = json.loads(path.read_text())
        change_json(data, dice)
        path.write_text(json.dumps(data))
    again, _ = asked(lambda: resume(path))
    if again is None:
        return
    state = again.start  # whatever was changed, what was taken up is a game by its rules
    for turn in again.history:
        assert turn.state == state
        assert turn.move in rules.legal_actions(again.game, state)
        state = again.game.play(state, turn.move)
    assert again.state == state


# -- what is no file ---------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices are those of Unix")
def test_pipes_devices_and_files_that_hardly_end_are_sentences(tmp_path):
    pipe, large, zeros = (tmp_path / f"{name}.py" for name in ("pipe", "large", "zeros"))
    os.mkfifo(pipe)
    with large.open("wb") as file:
        file.truncate(20 << 30)
    zeros.symlink_to("/dev/zero")
    for read in (lambda name: open_book(interpreted("nim"), name), resume, lambda name: z.load(str(name))):
        for name, words in ((pipe, "is not a file"), (zeros, "is not a file"), (large, "has more than")):
            with pytest.raises(GameError, match=rf"{name.stem}\.py cannot be read: it {words}"):
                read(name)


def test_a_text_may_be_so_long_and_no_longer(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_FILE_SIZE", 5)
    (tmp_path / "short").write_bytes(b"12345")
    assert files.read_file(tmp_path / "short") == b"12345"
    (tmp_path / "long").write_bytes(b"123456")
    with pytest.raises(FileError, match="long cannot be read: it has more than 5 bytes"):
        files.read_file(tmp_path / "long")
