"""The disk cache: the next process finds its kernels, and nothing that happens to the folder gives a wrong answer."""

import hashlib
import json
import os
import pickle
import shutil
import stat
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import pytest

GAME = """
from typing import NamedTuple
from zermelo import LOSS, ONGOING, Game

class State(NamedTuple):
    left: int
    taken: int

LARGEST = 3

def smaller(a, b):
    return a if a < b else b

class Take(Game):
    start: int = 12

    def initial(self):
        return State(self.start, 0)

    def moves(self, state):
        for take in range(1, smaller(LARGEST, state.left) + 1):
            yield take

    def play(self, state, take):
        return State(state.left - take, take)

    def result(self, state):
        return LOSS if state.left == 0 else ONGOING
"""

REPORT = """
import json
import zermelo as z
answer = [z.perft(game, 5)]
if searched:
    answer.append(z.search(game).value.plies)
from zermelo.native import cache_statistics
hits, misses = cache_statistics()
print(json.dumps({"answer": answer, "hits": hits, "misses": misses}))
"""

OWN_KERNEL = """
@z.kernel
def leaves(game, state, depth):
    if depth == 0:
        return 1
    total = 0
    if game.result(state) != ONGOING:
        return total
    for move in game.moves(state):
        total += leaves(game, game.play(state, move), depth - 1)
    return total

answer = [leaves(game, game.initial(), 5)]
"""
"""The same count by a kernel of the author's own, which is compiled with each game and has entries of another form."""


def run(script, cache, *arguments, cwd=None):
    """What a new process prints, as JSON."""
    process = subprocess.run(
        [sys.executable, *arguments, script] if arguments else [sys.executable, script],
        env={**os.environ, "ZERMELO_CACHE": str(cache)},
        capture_output=True,
        text=True,
        cwd=cwd,
    )
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


@pytest.fixture
def script(tmp_path):
    """A game in `__main__`, and what its process found: by perft alone, whose kernel is soon compiled."""
    path = tmp_path / "main.py"
    path.write_text(f"searched = False\n{GAME}\ngame = Take()\n{REPORT}")
    return path


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """The script, and a cache with its kernel."""
    folder = tmp_path_factory.mktemp("filled")
    (folder / "main.py").write_text(f"searched = False\n{GAME}\ngame = Take()\n{REPORT}")
    run(folder / "main.py", folder / "cache")
    return folder


@pytest.fixture
def cache(filled, tmp_path):
    """A copy of that cache, to be spoiled."""
    shutil.copytree(filled / "cache", tmp_path / "cache")
    return tmp_path / "cache"


def specialise(script):
    """Let a script count with a kernel of its author's own."""
    script.write_text(script.read_text().replace("answer = [z.perft(game, 5)]\n", OWN_KERNEL))


def expected():
    return {"answer": [_count(12, 5)], "hits": 1, "misses": 0}


def _count(left, depth):
    if depth == 0:
        return 1
    return sum(_count(left - take, depth - 1) for take in range(1, min(3, left) + 1))


def test_a_game_in_main_is_found_by_the_next_process(script, tmp_path):
    script.write_text(script.read_text().replace("searched = False", "searched = True"))
    first, second = run(script, tmp_path / "cache"), run(script, tmp_path / "cache")
    # 12 is a multiple of 4: the second player answers every take of t with 4 - t, and wins after 12 / 4 such pairs
    assert first == {"answer": [_count(12, 5), 6], "hits": 0, "misses": 2}
    assert second == {**first, "hits": 2, "misses": 0}


def test_a_specialised_kernel_is_found_by_the_next_process(script, tmp_path):
    specialise(script)
    assert run(script, tmp_path / "cache") == {**expected(), "hits": 0, "misses": 1}
    assert run(script, tmp_path / "cache") == expected()


def test_the_same_rules_in_another_file_hit_the_same_kernels(script, cache, tmp_path):
    (tmp_path / "rules_elsewhere.py").write_text(GAME)
    other = tmp_path / "other.py"
    other.write_text("from rules_elsewhere import Take\nsearched = False\ngame = Take()\n" + REPORT)
    assert run(other, cache)["misses"] == 0


def test_code_without_a_file_hits_too(script, cache):
    assert run(script.read_text(), cache, "-c")["misses"] == 0


@pytest.mark.parametrize(
    ("old", "new"), [("LARGEST = 3", "LARGEST = 2"), ("a < b", "a <= b - 1"), ("start: int = 12", "start: int = 13")]
)
def test_a_changed_constant_function_or_parameter_is_compiled_anew(script, cache, old, new):
    script.write_text(script.read_text().replace(old, new))
    assert run(script, cache)["misses"] == 1


def test_what_the_standard_library_keeps_for_itself_does_not_count(script, tmp_path):
    asked = "int(re.sub('x', '', f'x{self.start}'))"
    text = (
        script.read_text()
        .replace("State(self.start, 0)", f"State({asked}, 0)")
        .replace("class State", "import re\n\nclass State")
    )
    script.write_text(text)
    run(script, tmp_path / "cache")
    script.write_text("import re\nre.compile('something else')\n" + text)
    assert run(script, tmp_path / "cache")["misses"] == 0


def test_a_module_called_like_one_of_the_library_is_read(script, tmp_path):
    (tmp_path / "colorsys.py").write_text("def smaller(a, b):\n    return a if a < b else b\n")
    text = script.read_text()
    begin, end = text.index("def smaller"), text.index("class Take")
    script.write_text(text[:begin] + "from colorsys import smaller\n\n" + text[end:])
    first = run(script, tmp_path / "cache")
    (tmp_path / "colorsys.py").write_text("def smaller(a, b):\n    return 1\n")
    second = run(script, tmp_path / "cache")
    assert second["misses"] == 1
    assert second["answer"] != first["answer"]


@pytest.mark.parametrize("specialised", [False, True])
def test_functions_may_call_each_other_in_a_circle(script, tmp_path, specialised):
    circle = "\ndef even(n):\n    return True if n == 0 else odd(n - 1)\n"
    circle += "\ndef odd(n):\n    return False if n == 0 else even(n - 1)\n\nclass Take(Game)"
    text = script.read_text().replace("\nclass Take(Game)", circle)
    script.write_text(text.replace("if state.left == 0", "if even(2 * state.left) and state.left == 0"))
    if specialised:
        specialise(script)
    first, second = run(script, tmp_path / "cache"), run(script, tmp_path / "cache")
    assert first["answer"] == second["answer"] == expected()["answer"]
    assert second["misses"] == specialised  # whose code has addresses of the process, and is in no cache


def test_rules_that_print_and_raise_do_so_compiled_and_from_the_cache(script, tmp_path):
    """Both lean on objects of Python, which compiled code has to be given."""
    talking = (
        "        print('take', take)\n        if state.left == 7:\n            raise ValueError('seven left', take)\n"
    )
    text = script.read_text().replace(
        "    def play(self, state, take):\n", f"    def play(self, state, take):\n{talking}"
    )
    asked = "try:\n    z.perft(game, 5)\nexcept ValueError as error:\n    print(*error.args)\n"
    script.write_text(
        text.replace("answer = [z.perft(game, 5)]\n", f"assert not game.native_error\n{asked}answer = []\n")
    )
    command, env = [sys.executable, "-u", script], {**os.environ, "ZERMELO_CACHE": str(tmp_path / "cache")}
    first, second = (subprocess.run(command, env=env, capture_output=True, text=True, timeout=300) for _ in range(2))
    *lines, found = first.stdout.splitlines()
    assert lines[-2:] == ["take 1", "seven left 1"]  # before that, the rules were tried in Python too
    assert second.stdout.splitlines()[:-1] == lines
    assert json.loads(found)["misses"] == 1
    assert json.loads(second.stdout.splitlines()[-1])["misses"] == 0


def test_a_changed_docstring_board_or_blank_line_is_not(script, cache):
    board = "\n\n    def board(self, state):\n        return None\n\n    def initial(self)"
    script.write_text("\n\n" + script.read_text().replace("\n    def initial(self)", board))
    assert run(script, cache)["misses"] == 0


def test_notebook_cells_hit_the_cache(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")

    def executed():
        cells = ["searched = False", GAME, "game = Take()", textwrap.dedent(REPORT)]
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
        return json.loads(notebook.cells[-1].outputs[0].text)

    before = os.environ["ZERMELO_CACHE"]
    os.environ["ZERMELO_CACHE"] = str(tmp_path / "cache")
    try:
        assert executed()["misses"] == 1
        assert executed()["misses"] == 0
    finally:
        os.environ["ZERMELO_CACHE"] = before


def test_processes_that_share_an_empty_cache_all_answer_right(script, tmp_path):
    env = {**os.environ, "ZERMELO_CACHE": str(tmp_path / "cache")}
    other = tmp_path / "main10.py"
    other.write_text(script.read_text().replace("Take()", "Take(10)"))
    scripts = [script, other]
    processes = [
        subprocess.Popen([sys.executable, path], env=env, stdout=subprocess.PIPE, text=True) for path in scripts * 2
    ]
    answers = [json.loads(process.communicate()[0])["answer"] for process in processes]
    assert answers == [[_count(start, 5)] for start in (12, 10)] * 2
    assert all(run(path, tmp_path / "cache")["misses"] == 0 for path in scripts)
    assert not list((tmp_path / "cache").glob(".writing-*"))


@pytest.mark.parametrize("damage", [b"", b"short", None])
def test_a_damaged_file_is_compiled_anew(script, cache, damage):
    spoil(cache, damage)
    again = run(script, cache)
    assert (again["misses"], again["answer"]) == (1, [_count(12, 5)])
    assert run(script, cache)["misses"] == 0


def test_a_damaged_file_of_a_specialised_kernel_is_compiled_anew(script, tmp_path):
    specialise(script)
    run(script, tmp_path / "cache")
    spoil(tmp_path / "cache", None)
    again = run(script, tmp_path / "cache")
    assert (again["misses"], again["answer"]) == (1, [_count(12, 5)])


def spoil(cache, damage):
    """Replace the kernels in a cache by some bytes, or change one bit of each."""
    for path in cache.glob("*.kernel"):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data if damage is None else damage)


def test_a_folder_that_cannot_be_written_only_costs_time(script, tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert run(script, tmp_path / "file" / "cache")["answer"][0] == _count(12, 5)


# -- who may have written there --------------------------------------------------------------------------------------

posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes of files")


def kernel_in(cache):
    (path,) = cache.glob("*.kernel")
    return path


class Planted:
    """What makes a folder when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_nothing_in_the_cache_is_unpickled(filled, cache, tmp_path):
    payload = pickle.dumps(Planted(tmp_path / "planted"))
    kernel_in(cache).write_bytes(hashlib.sha256(payload).digest() + payload)
    assert run(filled / "main.py", cache)["misses"] == 1
    assert not (tmp_path / "planted").exists()
    assert b"pickle" not in kernel_in(cache).read_bytes()


def test_an_entry_under_the_name_of_another_is_not_run(script, filled, cache):
    """As one of another processor or version would be, which somebody copied: they differ in the name alone."""
    path = kernel_in(cache)
    script.write_text(script.read_text().replace("Take()", "Take(5)"))
    run(script, cache)
    (other,) = set(cache.glob("*.kernel")) - {path}
    path.write_bytes(other.read_bytes())
    assert run(filled / "main.py", cache) == {**expected(), "hits": 0, "misses": 1}


@posix
@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_others_can_write_is_not_used_and_said_once(what, filled, cache):
    path = kernel_in(cache)
    (cache if what == "folder" else path).chmod(0o777)
    before, names = path.read_bytes(), set(cache.iterdir())
    command = [sys.executable, filled / "main.py"]
    env = {**os.environ, "ZERMELO_CACHE": str(cache)}
    found = subprocess.run(command, env=env, capture_output=True, text=True)
    assert json.loads(found.stdout) == {**expected(), "hits": 0, "misses": 1}
    assert found.stderr.count("Others can write to ") == 1, found.stderr
    if what == "folder":
        assert path.read_bytes() == before
        assert set(cache.iterdir()) == names


@pytest.fixture
def private(monkeypatch):
    """The module, as it is before anything was looked at."""
    from zermelo.native.cache import private_folder as private

    monkeypatch.setattr(private, "_checked", {})
    monkeypatch.setattr(private, "_warned", set())
    return private


@posix
def test_a_folder_is_made_for_the_user_alone(private, tmp_path):
    before = os.umask(0)
    try:
        folder = private.resolve_private_folder(tmp_path / "a" / "b", create=True)
    finally:
        os.umask(before)
    assert folder == (tmp_path / "a" / "b").resolve()
    assert {stat.S_IMODE(path.stat().st_mode) for path in (folder, folder.parent)} == {0o700}


@posix
def test_a_folder_that_is_not_there_is_not_made_to_look_into_it(private, tmp_path):
    assert private.resolve_private_folder(tmp_path / "a") is None
    assert not (tmp_path / "a").exists()
    assert private.resolve_private_folder(tmp_path / "a", create=True) is not None


@posix
@pytest.mark.parametrize(
    ("mode", "trusted"), [(0o755, True), (0o1777, True), (0o775, True), (0o777, False), (0o757, False)]
)
def test_others_must_not_be_able_to_put_another_folder_in_its_place(private, tmp_path, mode, trusted):
    folder = tmp_path / "parent" / "cache"
    folder.mkdir(parents=True, mode=0o700)
    folder.parent.chmod(mode)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = [private.resolve_private_folder(folder) for _ in range(2)]
    assert found == [folder.resolve() if trusted else None] * 2
    assert len(said) == (not trusted)
    assert trusted or "since they can write to" in str(said[0].message)


@posix
def test_a_link_leads_to_what_is_looked_at(private, tmp_path):
    """Whoever turns the link round afterwards leads nobody astray: the folder itself is used from then on."""
    (tmp_path / "mine").mkdir(mode=0o700)
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    for target in ("mine", "open"):
        (tmp_path / f"to-{target}").symlink_to(tmp_path / target)
    assert private.resolve_private_folder(tmp_path / "to-mine") == (tmp_path / "mine").resolve()
    with pytest.warns(RuntimeWarning, match="Others can write to the cache folder"):
        assert private.resolve_private_folder(tmp_path / "to-open") is None


@posix
def test_what_belongs_to_somebody_else_is_not_used(private, tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    file = folder / "file"
    private.write_private(file, b"mine")
    assert private.read_private(file) == b"mine"
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.warns(RuntimeWarning, match="cache folder .* belongs to somebody else"):
        assert private.resolve_private_folder(folder) is None
    with pytest.warns(RuntimeWarning, match="file in the cache belongs to somebody else"):
        assert private.read_private(file) is None


@posix
def test_only_files_are_read(private, tmp_path):
    (tmp_path / "file").write_bytes(b"told")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    os.mkfifo(tmp_path / "pipe", 0o600)
    assert private.read_private(tmp_path / "file") == b"told"
    assert private.read_private(tmp_path / "link") is None
    assert private.read_private(tmp_path / "none") is None
    with pytest.warns(RuntimeWarning, match="is no file"):
        assert private.read_private(tmp_path / "pipe") is None
    with pytest.warns(RuntimeWarning, match="is no file"):
        assert private.read_private(tmp_path) is None


def test_a_user_without_a_home_has_no_cache(monkeypatch):
    from zermelo.native.cache import kernel_cache as cache

    def nowhere():
        raise RuntimeError("Could not determine home directory.")

    for name in ("ZERMELO_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    assert cache.load_entry("anything") is None
    cache.save_entry("anything", b"data")


def test_importing_zermelo_loads_no_compiler_and_no_arrays(tmp_path):
    script = "import json, sys, zermelo; print(json.dumps([m for m in ('numba', 'numpy') if m in sys.modules]))"
    assert run(script, tmp_path, "-c") == []


def test_the_cache_folder_is_the_users_own(monkeypatch):
    from zermelo.native.cache.kernel_cache import cache_folder

    monkeypatch.delenv("ZERMELO_CACHE")
    if sys.platform.startswith("linux"):
        monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
        assert cache_folder() == Path("/somewhere/zermelo")
    monkeypatch.setenv("ZERMELO_CACHE", "/elsewhere")
    assert cache_folder() == Path("/elsewhere")


def test_that_a_game_does_not_compile_is_remembered(script, tmp_path):
    script.write_text(script.read_text().replace("LOSS if state.left == 0", "LOSS if f'{state.left:>2}' == ' 0'"))
    cache = tmp_path / "cache"
    run(script, cache)
    (error,) = cache.glob("*.error")
    assert error.read_text().startswith("Take.result, line ")
    again = run(script, cache)
    assert (again["hits"], again["misses"]) == (0, 0)
    assert again["answer"] == expected()["answer"]
