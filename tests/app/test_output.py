"""What a command says: text for people, and nothing in it that a terminal would obey."""

import json
import os
import re
import subprocess
import sys
import threading

from rich.text import Text

from zermelo.app import output
from zermelo.app.cli import run
from zermelo.solving.storage.archive import write


def test_a_terminal_is_told_nothing_by_a_text(capfd, monkeypatch):
    """Titles, the clipboard and whole screens are set by such characters; colours of our own are still there."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    evil = "nim\x1b]0;pwned\x07 \x9b2J \x08\r\x7f \u202emin\ud800"
    output.say(evil)
    output.console().print(Text(evil), evil)
    output.say_error(evil, evil)
    output.print_json({"game": evil})
    out, err = capfd.readouterr()
    assert r"nim\x1b]0;pwned \x9b2J" in err
    assert json.loads(out[out.index("{") :]) == {"game": evil}
    assert "\x1b[31mnim" in err
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", re.sub("\x1b\\[[0-9;]*m", "", out + err))


def test_lines_tabs_and_letters_of_all_languages_stay_as_they_are(capfd):
    output.say("κ\té\n♞\u00a0\u200d1")
    assert capfd.readouterr().err.split() == ["κ", "é", "♞", "\u200d1"]


def test_what_a_header_says_of_its_game_is_shown_and_not_obeyed(capfd, tmp_path):
    write(tmp_path / "x.zermelo", {"game": "\x1b[2J", "kind": "\x9b2J"}, [])
    for command in (["probe", str(tmp_path / "x.zermelo")], ["solve", "nim", "-o", str(tmp_path / "x.zermelo")]):
        assert run(command) != 0
        assert not {"\x1b", "\x9b"} & {*"".join(capfd.readouterr())}


def test_a_setting_that_numba_cannot_read_is_a_sentence(tmp_path):
    cache = tmp_path / "kernels"
    cache.mkdir(mode=0o700)  # an empty one: what is compiled already needs no Numba
    done = subprocess.run(
        [sys.executable, "-m", "zermelo", "perft", "nim", "1"],
        env={**os.environ, "NUMBA_NUM_THREADS": "x", "ZERMELO_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.split()[0]) == (0, "12")
    assert "'NUMBA_NUM_THREADS' is defined but its associated value 'x' could not be parsed." in done.stderr
    assert "Traceback" not in done.stderr


def test_an_error_needs_no_memory_for_colours(capfd, monkeypatch):
    def exhausted(*_, **__):
        raise MemoryError

    monkeypatch.setattr(output, "console", exhausted)
    output.say_error("There is not enough memory for this.")
    assert capfd.readouterr() == ("", "There is not enough memory for this.\n")


def test_a_thread_that_the_system_refuses_is_a_sentence(capfd, monkeypatch):
    def refused(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert run(["perft", "nim", "1", "--interpreted"]) == 1
    assert capfd.readouterr().err == "The system starts no other thread: memory or processes are limited.\n"
