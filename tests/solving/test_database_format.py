"""The database format as docs/database-format.md describes it: a reader in C gives the answers of Solution."""

import json
import random
import subprocess
from pathlib import Path

import pytest
import xxhash
from test_solve import Race, solved

import zermelo as z
from solve_games import Depths, Landings, Layers, Lots, Rounds, Sparse, Squares, Stairs, Stakes, Turns
from zermelo import rules
from zermelo.solving.storage.archive_format import MAGIC, PREFIX, TRAILER, VERSION
from zermelo.solving.storage.archive_reader import Archive

SOURCE = Path(__file__).parents[2] / "examples" / "read_database.c"
LIBRARIES = (["-lzstd", "-lxxhash"], ["-l:libzstd.so.1", "-l:libxxhash.so.0"])
"""As they are found with their headers installed, and without."""

CHECKED = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
KINDS = [Stairs(), Depths(), Landings(), Rounds(), Squares(), Lots(), Turns(), Sparse(), Stakes(), Layers()]


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """A function that runs the reader on a file and lines of input."""
    program = tmp_path_factory.mktemp("reader") / "read_database"
    command = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", *CHECKED, "-o", str(program), str(SOURCE)]
    tries = [subprocess.run([*command, *libraries], capture_output=True, text=True) for libraries in LIBRARIES]
    assert program.exists(), (
        "The reader in C needs a compiler, libzstd and libxxhash, which `make test` installs "
        f"(on Debian: apt install gcc libzstd-dev libxxhash-dev).\n{tries[-1].stderr}"
    )

    def run(path, lines=()):
        return subprocess.run([str(program), str(path)], input="\n".join(lines), capture_output=True, text=True)

    return run


def query(solution, state):
    """The line that asks for a state: its stage, and the numbers of the canonical one, or its number."""
    stored = solution.game.canonical(state)
    numbers = map(int, rules.numbers(stored))
    place = [solution.game.index(stored)] if solution.header.method == "dense" else numbers
    return " ".join(map(str, [solution.stage_of(state), *place]))


def answer(solution, value):
    """What the reader says of a value."""
    if value is None:
        return "unknown"
    if solution.header.values == "chance":
        return f"expectation {value.score:.17g}"
    return f"margin {value.score}" if solution.header.values == "points" else str(value)


def asked(solution, count=400):
    """States in random order, some of them of no game."""
    states, source = list(solution), random.Random(3)
    found = source.choices(states, k=count)
    images = [image for state in found[:100] for image in solution.game.symmetries(state) if image in solution]
    return [*found, *images]


@pytest.mark.parametrize("game", KINDS, ids=repr)
def test_the_reader_in_c_gives_the_values_of_the_solution(game, reader, tmp_path):
    solution = solved(game).save(tmp_path / "file")
    states = asked(solution)
    ran = reader(tmp_path / "file", [query(solution, state) for state in states])
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == [answer(solution, solution[state]) for state in states]


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four(4,4)"])
def test_games_of_the_catalogue(name, reader, tmp_path):
    solution = z.solve(z.load(name), tmp_path / "file", threads=1)
    states = asked(solution)
    ran = reader(tmp_path / "file", [query(solution, state) for state in states])
    assert ran.stdout.splitlines() == [answer(solution, solution[state]) for state in states], ran.stderr


def test_without_distances(reader, tmp_path):
    solution = z.solve(Stairs(), tmp_path / "file", wdl=True, threads=1)
    states = asked(solution)
    ran = reader(tmp_path / "file", [query(solution, state) for state in states])
    assert ran.stdout.splitlines() == [answer(solution, solution[state]) for state in states], ran.stderr


def test_states_that_are_not_there(reader, tmp_path):
    solved(Landings()).save(tmp_path / "file")
    lines = ["0 777 5", "-1 0 0", "99999 1 1", "1 9999999999999999999999 1", "1 -5 3", "2 1", "2 1 2 3", "", "x y z"]
    ran = reader(tmp_path / "file", lines)
    assert ran.returncode == 0
    wrong = "a line has a stage and the numbers of a state"
    assert ran.stdout.splitlines() == ["unknown"] * 5 + [wrong] * 4
    dense = solved(Squares()).save(tmp_path / "dense")
    stage, *_ = (record.stage for record in dense.header.stages)
    assert reader(tmp_path / "dense", [f"{stage} -1", f"{stage} 18446744073709551615"]).stdout == "unknown\n" * 2


def test_files_that_are_none(reader, tmp_path):
    z.solve(Race()).save(tmp_path / "texts")
    (tmp_path / "empty").touch()
    (tmp_path / "text").write_text("x" * 100)
    for name, words in (
        ("texts", "its states are texts"), ("empty", "too short"), ("text", "no file of Zermelo"),
        ("none", "cannot be read"),
    ):  # fmt: skip
        ran = reader(tmp_path / name, ["0 0 0"])
        assert (ran.returncode, ran.stdout) == (1, "")
        assert ran.stderr.startswith("The file is damaged: ")
        assert words in ran.stderr


def test_a_changed_byte_is_noticed(reader, tmp_path):
    solution = solved(Stairs()).save(tmp_path / "file")
    lines = [query(solution, state) for state in solution]
    data, source = (tmp_path / "file").read_bytes(), random.Random(4)
    for place in [*range(12), *source.sample(range(len(data)), 20), len(data) - 1]:
        changed = bytearray(data)
        changed[place] ^= 1 << source.randrange(8)
        (tmp_path / "changed").write_bytes(changed)
        assert reader(tmp_path / "changed", lines).returncode == 1, place
        (tmp_path / "changed").write_bytes(data[:place])
        assert reader(tmp_path / "changed", lines).returncode == 1, place


def sealed(path, target, change):
    """Write the file with another index, whose checksum is right."""
    data = path.read_bytes()
    index_size, blocks, _, _ = TRAILER.unpack(data[-TRAILER.size :])
    table = data[len(data) - TRAILER.size - 12 * blocks : -TRAILER.size]
    start = len(data) - TRAILER.size - len(table) - index_size
    index = change(json.loads(data[start : start + index_size]))
    text = index if isinstance(index, bytes) else json.dumps(index).encode()
    sizes = TRAILER.pack(len(text), blocks, start + len(text) + len(table) + TRAILER.size, 0)[:-8]
    prefix = PREFIX.pack(MAGIC, VERSION)
    checksum = xxhash.xxh3_64_intdigest(prefix + text + table + sizes)
    target.write_bytes(data[:start] + text + table + sizes + checksum.to_bytes(8, "little"))


def changes():
    """Indexes that somebody made up: each has a name and a function that makes it from a right one."""

    def put(*path, value):
        def change(index):
            part = index
            for step in path[:-1]:
                part = part[step]
            part[path[-1]] = value
            return index

        return change

    wrong = [-1, 0, 1, 3, 63, 65, 1 << 31, 1 << 40, 1 << 63, -(1 << 63), (1 << 64) - 1, 10**30, "x", None, [], {}, 1.5]
    for value in wrong:
        for step in range(4):
            yield f"packing {step} {value}", put("header", "packing", 0, step, value=value)
        for name in ("stage", "length", "bits", "base"):
            yield f"stage {name} {value}", put("header", "stages", 1, name, value=value)
        yield f"section {value}", put("sections", 1, 2, value=value)
        yield f"type {value}", put("sections", 1, 1, value=value)
        yield f"name {value}", put("sections", 1, 0, value=value)
        for name in ("packing", "stages", "method", "values", "wdl", "kind"):
            yield f"{name} {value}", put("header", name, value=value)
        yield f"header {value}", put("header", value=value)
        yield f"sections {value}", put("sections", value=value)
    for text in (
        b"",
        b"{",
        b"[" * 100_000,
        b'"',
        b'"\\',
        b"{}",
        b"null",
        b'{"header": {}, "sections": []}',
        b"\0" * 50,
    ):
        yield f"text {text[:10]!r}", lambda index, text=text: text


def test_an_index_that_somebody_made_up_harms_nobody(reader, tmp_path):
    """The sanitizers end the program with another code where it reads or writes what it must not."""
    solution = solved(Stairs()).save(tmp_path / "file")
    lines = [query(solution, state) for state in list(solution)[:40]]
    for what, change in random.Random(5).sample(list(changes()), 100):
        sealed(tmp_path / "file", tmp_path / "crafted", change)
        ran = reader(tmp_path / "crafted", lines)
        assert ran.returncode in (0, 1), (what, ran.stderr)
        assert len(ran.stderr.splitlines()) == ran.returncode, (what, ran.stderr)


def test_the_file_is_as_the_page_says(tmp_path):
    """Every section that a database has, and every member of its header, is on the page."""
    page = (SOURCE.parents[1] / "docs" / "database-format.md").read_text()
    for number, game in enumerate(KINDS):
        solved(game).save(tmp_path / str(number))
        with Archive.open(tmp_path / str(number)) as archive:
            for member in archive.header:
                assert f"`{member}`" in page
            for entry in archive.entries.values():
                assert f'`"{entry.dtype.str}"`' in page
            for value in (archive.header["method"], archive.header["values"]):
                assert f'`"{value}"`' in page
