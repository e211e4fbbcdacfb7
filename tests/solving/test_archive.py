"""Archives: what is written comes back, and whatever happened to the file is told in a sentence."""

import os
import resource
import subprocess
import sys
import tempfile
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from zermelo import GameError, files
from zermelo.files import TEMPORARY_PREFIX, FileError
from zermelo.solving.storage import archive as archive_module
from zermelo.solving.storage import archive_format as archive_format
from zermelo.solving.storage.archive import Archive, Section, write
from zermelo.solving.storage.archive_format import BLOCK_SIZE, DTYPES, VERSION

LENGTHS = [0, 1, 2, 1000, BLOCK_SIZE - 1, BLOCK_SIZE, BLOCK_SIZE + 1, 3 * BLOCK_SIZE + 5]


def numbers(length, dtype="u1", seed=0):
    """Numbers with some pattern and some noise, as values of states have."""
    random = np.random.default_rng(seed)
    return (np.arange(length) // 100 % 7 + random.integers(0, 3, length)).astype(dtype)


def leftovers(folder):
    return [path.name for path in Path(folder).iterdir() if path.name.startswith(TEMPORARY_PREFIX)]


def small(path):
    """A small archive with all that one can have: many blocks, one block, no block, a header."""
    pattern = np.zeros(2 * BLOCK_SIZE + 100, np.uint8)
    pattern[:: BLOCK_SIZE // 2] = 7
    sections = [("pattern", pattern), ("few", np.arange(20, dtype=np.int16)), ("none", np.zeros(0))]
    write(path, {"game": "nim", "counts": [1, 2, 3]}, sections)
    return path


def load(path):
    """All that is in an archive, read the lazy way."""
    with Archive.open(path, check=False) as archive:
        return archive.header, {name: archive.array(name, threads=1) for name in archive.names}


# -- what is written comes back ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_of_every_kind_and_length_come_back(tmp_path, dtype):
    arrays = {str(length): numbers(length, dtype) for length in LENGTHS}
    write(tmp_path / "file", {"dtype": dtype}, arrays.items())
    with Archive.open(tmp_path / "file") as archive:
        assert archive.header == {"dtype": dtype}
        assert archive.names == list(arrays)
        for name, array in arrays.items():
            back = archive.array(name)
            assert back.dtype.str == dtype
            assert (archive.entry(name).dtype, archive.entry(name).length) == (array.dtype, len(array))
            np.testing.assert_array_equal(back, array)
            back[:] = 0  # it is the caller's own


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
ARRAYS = st.sampled_from(DTYPES).flatmap(lambda dtype: arrays_of.arrays(dtype, st.integers(0, 50)))


@settings(max_examples=60, deadline=None)
@given(
    header=st.dictionaries(st.text(), JSON, max_size=4),
    sections=st.dictionaries(st.text(), ARRAYS, max_size=4),
    parts=st.data(),
)
def test_any_header_and_any_arrays_come_back(header, sections, parts):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        write(path, header, sections.items())
        with Archive.open(path) as archive:
            assert archive.header == header
            assert archive.names == list(sections)
            for name, array in sections.items():
                assert archive.array(name).tobytes() == array.tobytes()
                start = parts.draw(st.integers(0, len(array)))
                stop = parts.draw(st.integers(start, len(array)))
                assert archive.read(name, start, stop).tobytes() == array[start:stop].tobytes()


def test_random_access_equals_the_whole(tmp_path):
    arrays = {
        "bytes": numbers(5 * BLOCK_SIZE + 77),
        "words": numbers(3 * BLOCK_SIZE, "<i8", 1),
        "floats": numbers(BLOCK_SIZE, "<f8"),
    }
    write(tmp_path / "file", {}, arrays.items())
    random = np.random.default_rng(2)
    with Archive.open(tmp_path / "file", cache=2 * BLOCK_SIZE) as archive:
        for name, array in arrays.items():
            for _ in range(200):
                start, stop = sorted(random.integers(0, len(array) + 1, 2).tolist())
                stop = min(stop, start + int(random.integers(0, 3 * BLOCK_SIZE)))
                np.testing.assert_array_equal(archive.read(name, start, stop), array[start:stop])
            for place in [0, len(array) - 1, *random.integers(0, len(array), 300).tolist()]:
                assert archive.item(name, place) == array[place]
                assert type(archive.item(name, place)) in (int, float)
        assert archive._block.cache_info().currsize == 2  # the cache has its bound


def test_places_and_names_that_are_not_there(tmp_path):
    with Archive.open(small(tmp_path / "file")) as archive:
        for place in (-1, 20, 1 << 70):
            with pytest.raises(FileError, match=f"20 items in 'few', and none at {place}"):
                archive.item("few", place)
        for start, stop in ((-1, 3), (3, 2), (0, 21)):
            with pytest.raises(FileError, match=f"not those from {start} to {stop}"):
                archive.read("few", start, stop)
        for ask in (archive.array, archive.entry, lambda name: archive.item(name, 0)):
            with pytest.raises(FileError, match="has no section 'many'"):
                ask("many")
    for ask in (lambda: archive.array("few"), lambda: archive.item("few", 0), lambda: archive.read("few", 0, 1)):
        with pytest.raises(FileError, match="was closed"):
            ask()


def test_the_same_input_gives_the_same_bytes_with_any_number_of_threads(tmp_path):
    array = numbers(20 * BLOCK_SIZE + 3)
    files = []
    for threads in (1, 2, 3, 8, None, 1):
        write(tmp_path / "file", {"a": 1}, [("values", array), ("more", array[::-2])], threads=threads)
        files.append((tmp_path / "file").read_bytes())
    assert len(set(files)) == 1
    with Archive.open(tmp_path / "file") as archive:
        for threads in (1, 2, 8, None):
            np.testing.assert_array_equal(archive.array("values", threads), array)


def test_threads_may_read_at_once(tmp_path):
    array = numbers(30 * BLOCK_SIZE)
    write(tmp_path / "file", {}, [("values", array)])
    wrong = []

    def probe(seed):
        for place in np.random.default_rng(seed).integers(0, len(array), 500).tolist():
            if archive.item("values", place) != array[place]:
                wrong.append(place)

    with Archive.open(tmp_path / "file", cache=4 * BLOCK_SIZE) as archive:
        threads = [threading.Thread(target=probe, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


def test_sections_are_copied_as_they_are(tmp_path):
    first, second = numbers(4 * BLOCK_SIZE + 9), numbers(300, "<f8")
    write(tmp_path / "one", {}, [("noise", numbers(70000, seed=5)), ("values", first)])
    write(tmp_path / "two", {}, [("values", second)])
    write(tmp_path / "copied", {"x": 1}, [("a", Section(tmp_path / "one", "values")), ("b", second)])
    write(tmp_path / "made", {"x": 1}, [("a", first), ("b", Section(tmp_path / "two", "values"))])
    assert (tmp_path / "copied").read_bytes() == (tmp_path / "made").read_bytes()


def test_an_archive_may_be_rewritten_from_itself(tmp_path):
    path = small(tmp_path / "file")
    before = load(path)[1]
    write(path, {"new": True}, [(name, Section(path, name)) for name in before])
    header, after = load(path)
    assert header == {"new": True}
    assert {name: array.tobytes() for name, array in before.items()} == {k: a.tobytes() for k, a in after.items()}


def test_a_damaged_source_is_not_copied(tmp_path):
    path = small(tmp_path / "file")
    data = bytearray(path.read_bytes())
    data[20] ^= 1
    path.write_bytes(data)
    with pytest.raises(FileError, match="block 0 of 'pattern'"):
        write(tmp_path / "copy", {}, [("pattern", Section(path, "pattern"))])
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_header_may_be_filled_on_the_way_and_hold_numbers_of_numpy(tmp_path):
    header = {}

    def sections():
        for i in range(3):
            header[f"count {i}"] = np.int64(i)
            yield str(i), np.full(i, i)

    write(tmp_path / "file", header, sections())
    assert load(tmp_path / "file")[0] == {"count 0": 0, "count 1": 1, "count 2": 2}


@pytest.mark.parametrize(
    "array", [np.zeros((2, 2)), np.array(3), np.array([True]), np.array([1j]), np.array(["a"]), np.array([None])]
)
def test_what_an_archive_cannot_hold(tmp_path, array):
    with pytest.raises(FileError, match=r"cannot hold .* as 'values', only one row of ints or floats"):
        write(tmp_path / "file", {}, [("values", array)])
    assert not list(tmp_path.iterdir())


def test_big_endian_and_strided_arrays_are_stored_in_the_one_way(tmp_path):
    array = np.arange(1000)
    write(tmp_path / "one", {}, [("a", array.astype(">i8")), ("b", array[::3])])
    write(tmp_path / "two", {}, [("a", array), ("b", array[::3].copy())])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_two_sections_of_one_name(tmp_path):
    with pytest.raises(FileError, match="two sections 'a'"):
        write(tmp_path / "file", {}, [("a", np.zeros(1)), ("a", np.zeros(1))])


# -- damage --------------------------------------------------------------------------------------------------------


def refusal(path, check):
    """The sentence with which an archive is refused, or the pieces that came back in spite of all."""
    try:
        if not check:
            return load(path)
        Archive.open(path).close()
    except FileError as error:
        return str(error)
    return None


def assert_refused(path, data, check=True):
    path.write_bytes(data)
    sentence = refusal(path, check)
    assert isinstance(sentence, str), sentence
    assert sentence.startswith(str(path))
    assert sentence.endswith(".")
    return sentence


@pytest.mark.parametrize("check", [True, False])
def test_every_flipped_byte_is_found(tmp_path, check):
    data = small(tmp_path / "good").read_bytes()
    said = set()
    for place in range(len(data)):
        for flip in (0x01, 0xFF):
            bad = bytearray(data)
            bad[place] ^= flip
            said.add(assert_refused(tmp_path / "bad", bad, check).split(" ", 1)[1].split(":")[0])
    assert {"is damaged", "is not a file of Zermelo."} < said


@pytest.mark.slow
def test_every_bit_is_found(tmp_path):
    data = small(tmp_path / "good").read_bytes()
    for place in range(8 * len(data)):
        bad = bytearray(data)
        bad[place // 8] ^= 1 << place % 8
        assert_refused(tmp_path / "bad", bad)


def test_every_truncation_and_every_appended_byte_is_found(tmp_path):
    data = small(tmp_path / "good").read_bytes()
    for length in range(len(data)):
        sentence = assert_refused(tmp_path / "bad", data[:length])
        assert "cut short" in sentence or length == 0
    for byte in range(256):
        assert "appended" in assert_refused(tmp_path / "bad", data + bytes([byte]))
    assert_refused(tmp_path / "bad", data + data)
    assert_refused(tmp_path / "bad", data + data[-32:])


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_bytes_that_were_swapped_zeroed_or_cut_out_are_found(pieces):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        data = small(path).read_bytes()
        start = pieces.draw(st.integers(0, len(data) - 1))
        stop = pieces.draw(st.integers(start + 1, len(data)))
        filling = pieces.draw(
            st.sampled_from([b"", bytes(stop - start), b"\xff" * (stop - start), data[start:stop][::-1]])
        )
        bad = data[:start] + filling + data[stop:]
        if bad != data:
            assert_refused(path, bad)


def test_other_files_are_refused_with_their_reason(tmp_path):
    cases = {b"": "is empty", b"PK\x03\x04 and so on": "not a file of Zermelo", b"x" * 100_000: "not a file of Zermelo"}
    for data, reason in cases.items():
        assert reason in assert_refused(tmp_path / "other", data)
    with pytest.raises(FileError, match="cannot be read: no such file"):
        Archive.open(tmp_path / "missing")
    with pytest.raises(FileError, match="cannot be read: is a directory"):
        Archive.open(tmp_path)
    assert issubclass(FileError, GameError)


def test_another_format_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(archive_module, "VERSION", VERSION + 1)
    small(tmp_path / "newer")
    monkeypatch.undo()
    with pytest.raises(FileError, match=f"has format {VERSION + 1}; this Zermelo reads format {VERSION}"):
        Archive.open(tmp_path / "newer")


def test_blocks_of_another_size_are_noticed(tmp_path, monkeypatch):
    """Somebody changes BLOCK and forgets VERSION."""
    for module in (archive_module, archive_format):
        monkeypatch.setattr(module, "BLOCK_SIZE", BLOCK_SIZE // 2)
    write(tmp_path / "file", {}, [("values", numbers(3 * BLOCK_SIZE))])
    monkeypatch.undo()
    with pytest.raises(FileError, match="its sections are not those of its blocks"):
        Archive.open(tmp_path / "file")


@pytest.mark.parametrize("whole", [0, 1, 5])
def test_a_frame_that_unpacks_to_another_size_is_damage(tmp_path, monkeypatch, whole):
    honest = archive_format.compress_run
    monkeypatch.setattr(archive_module, "compress_run", lambda items: honest(items[1:]))
    write(tmp_path / "file", {}, [("values", numbers(whole * BLOCK_SIZE + 100))])
    with pytest.raises(FileError, match=f"block {whole} of 'values'"):
        load(tmp_path / "file")


@pytest.mark.parametrize("at_once", [True, False])
def test_blocks_packed_one_by_one_or_together_are_the_same(monkeypatch, at_once):
    items = numbers(3 * BLOCK_SIZE + 40)
    frames = [frame for frame, _ in archive_format.compress_run(items)]
    assert len(frames) == 4
    monkeypatch.setattr(archive_format, "ONE_CALL", at_once)
    assert [frame for frame, _ in archive_format.compress_run(items)] == frames
    sizes = [BLOCK_SIZE] * 3 + [40]
    assert b"".join(map(bytes, archive_format.decompress_run(frames, sizes))) == items.tobytes()


# -- a disk that is full, folders that cannot be written -------------------------------------------------------------


def test_a_path_below_a_file_or_in_no_folder(tmp_path):
    (tmp_path / "file").write_text("mine")
    for path, reason in ((tmp_path / "file" / "below", "not a directory"), (tmp_path / "no" / "x", "no such file")):
        with pytest.raises(FileError, match=f"{path} cannot be written: {reason}"):
            small(path)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_or_a_device_is_not_replaced(tmp_path):
    with pytest.raises(FileError, match="it is a folder"):
        small(tmp_path)
    with pytest.raises(FileError, match="it is not a file"):
        small("/dev/null")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_must_not_be_written(tmp_path):
    (tmp_path / "folder").mkdir(mode=0o500)
    with pytest.raises(FileError, match="cannot be written: permission denied"):
        small(tmp_path / "folder" / "file")


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere" / "file")
    small(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert load(tmp_path / "elsewhere" / "file")[0]["game"] == "nim"


class Full:
    """A file on a disk that has room for so many bytes."""

    def __init__(self, file, room):
        self.file, self.room = file, room

    def write(self, data):
        if self.room == 0:
            raise OSError(28, "No space left on device")
        taken = self.file.write(data[: self.room])
        self.room -= taken
        return taken

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()


def full(monkeypatch, room):
    """Let the disk have room for so many bytes of each file."""

    def opened(*arguments, **options):
        return Full(open(*arguments, **options), room)

    monkeypatch.setattr(files, "open", opened, raising=False)


@pytest.mark.parametrize("old", [True, False])
def test_a_disk_that_is_full_at_any_byte_loses_nothing(tmp_path, monkeypatch, old):
    size = small(tmp_path / "sample").stat().st_size
    (tmp_path / "sample").unlink()
    path = tmp_path / "file"
    if old:
        write(path, {"old": True}, [])
    for room in range(size):
        full(monkeypatch, room)
        with pytest.raises(FileError, match=f"{path} cannot be written: no space left on device"):
            small(path)
        assert [path.name for path in tmp_path.iterdir()] == (["file"] if old else [])
    assert not old or load(path)[0] == {"old": True}
    full(monkeypatch, size)
    small(path)
    assert load(path)[0]["game"] == "nim"


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_what_fails_last_leaves_the_old_file(tmp_path, monkeypatch, call):
    path = tmp_path / "file"
    write(path, {"old": True}, [])

    def fail(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(files.os, call, fail)
    with pytest.raises(FileError, match="cannot be written: input/output error"):
        small(path)
    monkeypatch.undo()
    assert load(path)[0] == {"old": True}
    assert not leftovers(tmp_path)


def test_an_interrupt_or_an_error_of_the_source_leaves_the_old_file(tmp_path):
    write(tmp_path / "file", {"old": True}, [])

    def sections(error):
        yield "first", numbers(10 * BLOCK_SIZE)
        raise error

    for error in (KeyboardInterrupt(), OSError("of the source"), MemoryError()):
        with pytest.raises(type(error)):
            write(tmp_path / "file", {}, sections(error))
    assert load(tmp_path / "file")[0] == {"old": True}
    assert not leftovers(tmp_path)


SCRIPT = """
import sys
import numpy as np
from zermelo.files import FileError
from zermelo.solving.storage.archive import write
try:
    write(sys.argv[1], {}, [("values", np.random.default_rng(0).integers(0, 255, 4 << 20, np.uint8))])
except FileError as error:
    print(error)
"""


def test_a_limit_on_the_size_of_files(tmp_path):
    write(tmp_path / "file", {"old": True}, [])
    process = subprocess.run(
        [sys.executable, "-c", SCRIPT, tmp_path / "file"],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)),
    )
    assert process.stdout == f"{tmp_path / 'file'} cannot be written: file too large.\n", process.stderr
    assert load(tmp_path / "file")[0] == {"old": True}
    assert not leftovers(tmp_path)


def test_a_file_system_that_is_really_full(tmp_path):
    """A file system of 1 MB, in a name space of its own, where the system lets us make one."""
    script = textwrap.dedent("""
        mount -t tmpfs -o size=1m none "$1" || { echo unmountable; exit; }
        "$2" -c "$3" "$1/file"
        ls -A "$1"
    """)
    try:
        command = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", tmp_path, sys.executable, SCRIPT]
        said = subprocess.run(command, capture_output=True, text=True).stdout
    except FileNotFoundError:
        said = ""
    if said in ("", "unmountable\n"):
        pytest.skip("this system lets us mount nothing")
    assert said == f"{tmp_path / 'file'} cannot be written: no space left on device.\n"
