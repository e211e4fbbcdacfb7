"""Seals: a checkpoint is gone on from if this user has made it, or if somebody says to trust it."""

import hashlib
import os
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from test_database_files import interrupted

import zermelo as z
from hostile import contents, rewritten
from solve_games import Stairs
from zermelo.files import FileError
from zermelo.native.cache import private_folder
from zermelo.solving.storage import checkpoint_seal
from zermelo.solving.storage.archive import Archive, write
from zermelo.solving.storage.checkpoint import Checkpoint

NIM = {"game": "nim"}
REFUSED = r"was not made by this user on this machine, or was changed; begin anew with --fresh .* --trust"

posix = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are those of Unix")


@pytest.fixture
def state(tmp_path, monkeypatch):
    """A folder of the user's without a key."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    monkeypatch.setattr(private_folder, "_checked", {})
    return tmp_path / "state"


def left(folder, identity=NIM):
    with Checkpoint(folder, identity) as checkpoint:
        checkpoint.put("a", values=np.arange(4), wins=2)
        checkpoint.put("b", values=np.arange(9))
    return folder


def layers(folder, identity=NIM, **options):
    with Checkpoint(folder, identity, **options) as checkpoint:
        return {name: checkpoint.get(name) for name in checkpoint.names()}


def other_number(header, sections):
    sections["values"][1] = 7


def other_item(header, sections):
    header["items"]["wins"] = 3


@pytest.mark.parametrize("change", [other_number, other_item])
def test_a_layer_with_right_checksums_that_was_changed_is_refused_unless_trusted(tmp_path, change):
    folder = left(tmp_path / "x.partial")
    rewritten(folder / "a.layer", folder / "a.layer", change)
    with pytest.raises(FileError, match=rf"a\.layer {REFUSED}"):
        layers(folder)
    assert layers(folder, trust=True)["a"].keys() == {"values", "wins"}


def test_a_seal_is_good_for_nothing_else(tmp_path):
    """Neither for other blocks or another header, nor under another key."""
    folder = left(tmp_path / "x.partial")
    with Archive.open(folder / "a.layer") as archive:
        seal = archive.seal
    header, sections = contents(folder / "a.layer")

    class Borrowed:
        update = staticmethod(lambda data: None)
        hexdigest = staticmethod(lambda: seal)

    for changed in ({**sections, "values": np.arange(5)}, {"other": sections["values"]}):
        write(folder / "a.layer", header, changed.items(), seal=Borrowed())
        with pytest.raises(FileError, match=REFUSED):
            layers(folder)
    write(folder / "a.layer", header, sections.items(), seal=hashlib.blake2b(key=bytes(32), digest_size=32))
    with pytest.raises(FileError, match=REFUSED):
        layers(folder)
    write(folder / "a.layer", header, sections.items(), seal=Borrowed())
    assert layers(folder)["a"]["wins"] == 2


def test_own_layers_of_another_solve_are_none_of_this(tmp_path):
    """The identity is sealed as well: another's token in it would have rules run on states of another game."""
    folder, other = left(tmp_path / "x.partial"), left(tmp_path / "y.partial", {"game": "chess"})
    token = contents(other / "identity")[0]["token"]
    rewritten(folder / "identity", folder / "identity", lambda header, _: header.update(token=token))
    for name in ("a.layer", "b.layer"):
        (folder / name).write_bytes((other / name).read_bytes())
    with pytest.raises(FileError, match=rf"identity {REFUSED}"):
        layers(folder)


def test_a_checkpoint_whose_key_is_lost_can_be_trusted(tmp_path, state):
    folder = left(tmp_path / "x.partial")
    (found,) = state.rglob(checkpoint_seal.KEY_FILE)
    found.unlink()
    with pytest.raises(FileError, match=REFUSED):
        layers(folder)
    assert list(layers(folder, trust=True)) == ["a", "b"]


@posix
def test_the_key_is_for_the_user_alone(state):
    key = checkpoint_seal.user_key()
    (found,) = state.rglob(checkpoint_seal.KEY_FILE)
    assert found.read_bytes() == key == checkpoint_seal.user_key()
    assert (stat.S_IMODE(found.stat().st_mode), stat.S_IMODE(found.parent.stat().st_mode)) == (0o600, 0o700)
    assert os.listdir(found.parent) == [checkpoint_seal.KEY_FILE]


@posix
def test_a_key_that_others_can_read_is_not_used(state, tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    key = checkpoint_seal.user_key()
    (found,) = state.rglob(checkpoint_seal.KEY_FILE)
    found.chmod(0o644)
    with pytest.warns(RuntimeWarning, match=r"Others can read .*checkpoint-key"):
        assert checkpoint_seal.user_key() != key
    assert (tmp_path / "cache" / checkpoint_seal.KEY_FILE).read_bytes() == checkpoint_seal.user_key()


def test_a_damaged_key_is_named(state):
    checkpoint_seal.user_key()
    (found,) = state.rglob(checkpoint_seal.KEY_FILE)
    found.write_bytes(b"short")
    with pytest.raises(FileError, match=r"checkpoint-key is damaged: a key has 32 bytes\. Delete it"):
        checkpoint_seal.user_key()


def test_without_a_place_for_a_key_a_process_has_one_of_its_own(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA", "ZERMELO_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / "file" / "below"))
    assert len(checkpoint_seal.user_key()) == 32
    assert checkpoint_seal.user_key() == checkpoint_seal.user_key()


def test_processes_that_begin_at_once_share_a_key(state):
    program = "from zermelo.solving.storage.checkpoint_seal import user_key; print(user_key().hex())"
    started = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert {process.communicate()[0].strip() for process in started} == {checkpoint_seal.user_key().hex()}


def test_a_solve_does_not_go_on_from_entries_that_somebody_changed(tmp_path, monkeypatch):
    path = tmp_path / "file"
    interrupted(Stairs(), path, monkeypatch)
    layer = sorted(Path(f"{path}.partial").glob("forward-*.layer"))[0]
    rewritten(layer, layer, lambda header, sections: None)
    with pytest.raises(FileError, match=REFUSED):
        z.solve(Stairs(), path)
    assert dict(z.solve(Stairs(), path, trust=True).items()) == dict(z.solve(Stairs()).items())


def test_trust_needs_a_file(capfd):
    from zermelo.app.cli import run

    assert run(["solve", "nim", "--trust"]) == 2
    assert "no file is named; give it with -o" in capfd.readouterr().err
