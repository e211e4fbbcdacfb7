"""What a command was started with: streams that are closed, full or left by their reader, little memory, a bad date."""

import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a POSIX shell")

COMMANDS = [
    "games",
    "games --json",
    "--help",
    "--version",
    "perft tic_tac_toe 2 --divide --interpreted",
    "tree tic_tac_toe --depth 2",
]


def shell(line, **env):
    """What a line of the shell says and leaves with; $Z is the command."""
    command = f"{sys.executable} -m zermelo"
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line.replace('$Z', command)}"],
        env={**os.environ, "NO_COLOR": "1", **env},
        capture_output=True,
        text=True,
        timeout=200,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_an_answer_that_nobody_can_read_is_a_failure_in_one_sentence(command):
    closed = shell(f"$Z {command} >&-")
    assert (closed.returncode, closed.stderr) == (1, "The answer cannot be printed: the output is closed.\n")
    if os.path.exists("/dev/full"):
        full = shell(f"$Z {command} >/dev/full")
        assert (full.returncode, full.stderr) == (1, "The answer cannot be printed: no space left on device.\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_who_has_seen_enough_is_no_failure(command):
    """The reader has gone before anything is written: however little that is, it is the same."""
    found = shell(f"(sleep 0.1; $Z {command}) | true")
    assert (found.returncode, found.stderr) == (0, "")


TALKATIVE = """
from zermelo.app import cli, output
cli.run = lambda _: [output.say(f"step {number}") for number in range(3)] and print("answer") or 0
cli.main()
"""


@pytest.mark.parametrize("errors", ["2>/dev/full", "2>&-", "2> >(true)"])
def test_messages_that_nobody_can_read_change_nothing(errors, tmp_path):
    """Neither how the command ends nor what it answers: a long solve says something now and then."""
    if "full" in errors and not os.path.exists("/dev/full"):
        pytest.skip("no such device")
    (tmp_path / "talkative.py").write_text(TALKATIVE)
    found = shell(f"(sleep 0.1; {sys.executable} {tmp_path / 'talkative.py'}) {errors}")
    assert (found.returncode, found.stdout) == (0, "answer\n")
    assert shell(f"(sleep 0.1; $Z nosuch) {errors}").returncode == 2


def test_a_closed_input_has_nothing_to_read():
    found = shell("$Z play tic_tac_toe --depth 2 <&-")
    assert found.returncode == 0
    assert found.stdout.endswith("Good-bye.\n")
    assert found.stderr == ""


def test_without_any_stream_there_is_still_an_exit_code():
    assert shell("$Z nosuch <&- >&- 2>&-").returncode == 2
    assert shell("$Z games <&- >&- 2>&-").returncode == 1


@pytest.mark.parametrize("date", ["99999999999999999999", "-1", "1e5", "soon"])
def test_a_date_that_is_none_is_a_sentence(date):
    found = shell("$Z solve 'nim((2, 2))'", SOURCE_DATE_EPOCH=date)
    assert found.returncode == 1
    assert found.stderr == f"SOURCE_DATE_EPOCH must be a number of seconds since 1970, not '{date}'.\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of the address space")
def test_memory_that_does_not_suffice_for_the_libraries_is_a_sentence():
    found = shell("ulimit -v 80000; $Z perft tic_tac_toe 2", OPENBLAS_NUM_THREADS="1")
    assert (found.returncode, found.stderr) == (1, "There is not enough memory for this.\n")


HOLDING = """
import zermelo as z


class Holding(z.Game):
    native = False

    def initial(self):
        return 0

    def moves(self, state):
        print("holding", flush=True)
        sum(range(10**12))
        return [1]

    def play(self, state, move):
        return move

    def result(self, state):
        return z.LOSS if state else z.ONGOING
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a C library with `sysv_signal`")
@pytest.mark.parametrize("command", ["analyze", "play"])
def test_a_second_ctrl_c_ends_a_rule_that_holds_pythons_lock(command, tmp_path):
    (tmp_path / "holding.py").write_text(HOLDING)
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # though it was ignored here
    script = f"{heard}; from zermelo.app.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", script, command, str(tmp_path / "holding.py")],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout.readline() == "holding\n"
        for _ in range(100):
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                time.sleep(0.1)
        assert process.poll() in (-signal.SIGINT, 130)  # ended by the second, or in time by the first
        process.kill()
