"""Parts of a solve on a cluster: what is read is what was written, or an error; parts cover a stage and are alike."""

import numpy as np
import pytest

from zermelo.files import FileError
from zermelo.solving.cluster import stage_pieces
from zermelo.solving.cluster.part_format import DamagedPart, Keys, Packed
from zermelo.solving.cluster.part_storage import PartStorage
from zermelo.solving.cluster.stage_plan import Run, StagePlan, plan_stage, quantiles_of
from zermelo.solving.retrograde.entries import pack_entries
from zermelo.solving.storage.archive import write
from zermelo.solving.storage.stage_records import encode_keys

KEY = b"k" * 32


def some_keys(seed, count=40_000, words=1):
    rng = np.random.default_rng(seed)
    if words == 1:
        return np.unique(rng.integers(1, 1 << 50, count))
    firsts = np.sort(rng.integers(1, count // 3, count))  # several keys share their first word
    return np.stack([firsts, np.arange(count)], axis=1).reshape(-1)


@pytest.fixture(params=["folder", "memory://"])
def storage(request, tmp_path):
    place = str(tmp_path / "parts") if request.param == "folder" else f"memory://{tmp_path.name}"
    made = PartStorage(place, KEY)
    made.create()
    yield made
    made.clear()


def test_a_part_has_what_was_written(storage):
    keys, rows = some_keys(1), some_keys(2, words=2)
    floats, small = np.array([0.5, np.nan, -1.0]), np.arange(200_000, dtype=np.uint16)
    sections = {"keys": Keys(keys, 1), "rows": Keys(rows, 2), "floats": floats, "small": small}
    storage.put("keys-1-0", {"states": 7}, {**sections, "raw": Packed(np.arange(9, dtype=np.uint8)), "none": keys[:0]})
    part = storage.open("keys-1-0")
    assert part.facts == {"states": 7}
    assert storage.names() == {"keys-1-0"}
    assert np.array_equal(part.array("keys"), keys)
    assert np.array_equal(part.array("rows"), rows)
    assert np.array_equal(part.array("floats"), floats, equal_nan=True)
    assert np.array_equal(part.array("raw"), np.arange(9))
    assert np.array_equal(part.slice("small", 70_000, 140_001), small[70_000:140_001])
    assert len(part.array("none")) == len(part.array("missing")) == 0
    storage.put("keys-1-0", {"states": 8}, {})
    assert storage.facts("keys-1-0") == {"states": 8}
    storage.remove("keys-1-0")
    assert storage.facts("keys-1-0") is None


@pytest.mark.parametrize("words", [1, 2])
def test_keys_are_found_by_their_range(storage, words):
    keys = some_keys(3, words=words)
    storage.put("runs-1-0", {}, {"to_2": Keys(keys, words)})
    part, rows = storage.open("runs-1-0"), keys.reshape(-1, words)
    rng = np.random.default_rng(4)
    edges = [*rng.choice(rows[:, 0], 30), *rng.integers(1, rows[-1, 0], 30)]
    for low, high in zip(edges, reversed(edges), strict=True):
        expected = rows[(rows[:, 0] >= low) & (rows[:, 0] < high)].reshape(-1)
        assert np.array_equal(part.keys_between("to_2", words, int(low), int(high)), expected)
    assert np.array_equal(part.keys_between("to_2", words, None, None), keys)


def test_every_changed_byte_is_found(tmp_path):
    storage = PartStorage(str(tmp_path), KEY)
    storage.put("entries-1-0", {"length": 300}, {"entries": np.arange(300) % 7, "keys": Keys(some_keys(5, 500), 1)})
    path = tmp_path / "entries-1-0.part"
    whole = path.read_bytes()
    for place in range(0, len(whole), 11):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        assert not storage.is_whole("entries-1-0")
    for length in range(0, len(whole), 29):
        path.write_bytes(whole[:length])
        assert not storage.is_whole("entries-1-0")
    path.write_bytes(whole)
    assert storage.is_whole("entries-1-0")


def test_a_part_of_another_name_or_key_is_not_used(tmp_path):
    storage = PartStorage(str(tmp_path), KEY)
    storage.put("keys-1-0", {}, {"keys": Keys(some_keys(6, 100), 1)})
    (tmp_path / "keys-1-1.part").write_bytes((tmp_path / "keys-1-0.part").read_bytes())
    with pytest.raises(DamagedPart, match="keys-1-1 is damaged: its name"):
        storage.open("keys-1-1")
    with pytest.raises(DamagedPart, match="its index"):
        PartStorage(str(tmp_path), b"other" * 6).open("keys-1-0")
    with pytest.raises(DamagedPart, match="keys-2-0 is missing"):
        storage.open("keys-2-0")


def test_a_link_is_replaced_not_followed(tmp_path):
    """Somebody else may put links where parts are to be: what they lead to stays as it is."""
    (tmp_path / "mine").write_text("precious")
    (tmp_path / "keys-1-0.part").symlink_to(tmp_path / "mine")
    storage = PartStorage(str(tmp_path), KEY)
    storage.put("keys-1-0", {"states": 1}, {})
    assert (tmp_path / "mine").read_text() == "precious"
    assert storage.facts("keys-1-0") == {"states": 1}


def test_storage_that_cannot_be_used_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be used"):
        PartStorage(str(tmp_path / "file"), KEY).create()
    with pytest.raises(FileError, match="nowhere://x cannot be used as storage"):
        PartStorage("nowhere://x", KEY)


@pytest.mark.parametrize(("words", "bits", "bases"), [(1, 8, (0, 0, 0)), (2, 16, (5, 3, 9)), (1, 2, (0, 0, 0))])
def test_pieces_make_the_archive_that_is_written_at_once(words, bits, bases, tmp_path, monkeypatch):
    monkeypatch.setattr(stage_pieces, "PIECE_STATES", 1 << 18 if bits == 2 else 1 << 16)
    storage = PartStorage(str(tmp_path / "parts"), KEY)
    storage.create()
    keys = some_keys(7, 300_000, words)
    count = len(keys) // words
    entries = np.random.default_rng(8).integers(20 if bits > 2 else 1, {2: 4, 8: 256, 16: 900}[bits], count)
    cuts, facts = [0, count // 5, count // 2, count], []
    for part, base in enumerate(bases):
        start, stop = cuts[part], cuts[part + 1]
        codes = (entries[start:stop] + min(bases) - base).astype(np.uint16 if bits == 16 else np.uint8)
        facts.append({"length": stop - start, "bits": bits, "base": base, "counts": [[int(codes.max()), 1, 1]]})
        storage.put(f"keys-4-{part}", {}, {"keys": Keys(keys[start * words : stop * words], words)})
        storage.put(f"entries-4-{part}", facts[-1], {"entries": codes})
    record, solved = stage_pieces.combined(4, facts)
    assert (solved.length, record.bits, record.base) == (count, bits, min(bases))
    for piece in range(record.pieces):
        stage_pieces.write_piece(storage, 4, piece, record, words)
    assert record.pieces > 1
    write(tmp_path / "pieces", {}, stage_pieces.stage_sections(storage, 4, 4, record))
    whole = [("keys_4", encode_keys(keys, words)), ("entries_4", pack_entries(entries, bits))]
    write(tmp_path / "whole", {}, whole)
    assert (tmp_path / "pieces").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_parts_cover_a_stage_and_are_alike(workers):
    arrays = [some_keys(seed, 30_000 + 20_000 * seed) for seed in range(6)]
    runs = [Run(f"0-{i}", len(keys), quantiles_of(keys, 1)) for i, keys in enumerate(arrays)]
    plan = plan_stage(1, runs, workers, True)
    assert plan.parts == workers
    assert StagePlan.from_dict(plan.to_dict()) == plan
    whole = np.unique(np.concatenate(arrays))
    sizes = plan.counts(whole)
    assert sum(sizes) == len(whole)
    assert max(sizes) < 1.1 * len(whole) / workers
    for part, size in enumerate(sizes):
        low, high = plan.bounds(part)
        assert size == np.sum((whole >= (low or 0)) & (whole < (high or 1 << 62)))
    assert plan_stage(1, runs, workers, False).parts == 1


def test_small_and_strange_stages_are_divided_too():
    assert plan_stage(1, [Run("seed", 1, [5])], 8, True).splitters == ()
    same = Run("0-0", 1 << 22, [7] * 256)  # all keys have one first word: nothing can be divided
    assert plan_stage(1, [same], 4, True).parts == 1
    huge = [Run(f"0-{i}", 1 << 40, range(i, 1 << 20, 4096)) for i in range(64)]
    assert 1000 < plan_stage(1, huge, 48, True).parts <= 4096
