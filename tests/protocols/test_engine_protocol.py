"""Zermelo as an engine of UCI and UGI: dialogues, limits, stop, and what it answers to nonsense."""

import io
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import chess
import chess.engine
import pytest

import match_games
import zermelo as z
from match_games import Countdown, Rolling
from zermelo import GameError
from zermelo.games.registry import load
from zermelo.play import Engine
from zermelo.protocols import engine_base
from zermelo.protocols.clients.external_program import ProgramError
from zermelo.protocols.clients.protocol_client import ProtocolClient
from zermelo.protocols.dialects import UCI, UGI
from zermelo.protocols.engine_protocol import EngineProtocol
from zermelo.protocols.move_words import PlayedLine, move_word, read_word
from zermelo.searching.runtime.analysis_stream import Analysis


class Gui:
    """The other side of a dialogue."""

    def __init__(self, game, dialect=UGI):
        self.lines = []
        self.heard = threading.Condition()
        self.engine = EngineProtocol(dialect, lambda: game, self.write)

    def write(self, line):
        with self.heard:
            self.lines.append(line)
            self.heard.notify_all()

    def ask(self, *commands, until=""):
        """Say these lines, and return what comes back up to a line that begins like this."""
        begin = len(self.lines)
        for command in commands:
            assert self.engine.obey(command)
        with self.heard:
            if until:
                self.heard.wait_for(lambda: any(line.startswith(until) for line in self.lines[begin:]), 60)
            return self.lines[begin:]

    def best(self, *commands):
        """The engine's move."""
        return self.ask(*commands, until="bestmove")[-1].split()[1]


@pytest.fixture
def gui():
    made = Gui(Countdown())
    yield made
    made.engine.obey("quit")


def test_greeting(gui):
    lines = gui.ask("ugi", until="ugiok")
    assert lines[0].startswith("id name Zermelo")
    assert lines[-1] == "ugiok"
    options = [re.match(r"option name (.+?) type (\w+) default \S+", line) for line in lines[2:-1]]
    assert {found[1] for found in options} > {"Hash", "Threads", "MultiPV", "Book", "Database"}
    assert gui.ask("isready", until="readyok") == ["readyok"]


def test_the_greeting_does_not_wait_for_the_game():
    ready = threading.Event()
    lines = []

    def slow():
        ready.wait()
        return Countdown()

    engine = EngineProtocol(UGI, slow, lines.append)
    engine.obey("ugi")
    assert lines[-1] == "ugiok"
    engine.obey("isready")  # waits, but not for ever
    assert lines[-1] == "readyok"
    ready.set()
    engine.obey("query p1turn")
    assert lines[-1] == "response true"


def test_ready_is_who_has_loaded_the_game(monkeypatch):
    """What follows, `stop` too, need not wait for it then."""
    monkeypatch.setattr(engine_base, "LOADING_SECONDS", 60)
    asked, lines = threading.Event(), []

    def slow():
        asked.wait()
        return Countdown()

    engine = EngineProtocol(UGI, slow, lines.append)
    threading.Timer(0.05, asked.set).start()
    engine.obey("isready")
    assert lines == ["readyok"]
    assert engine._game == Countdown()


def test_a_game_that_was_announced_is_compiled_before_its_clock(monkeypatch):
    """`isready` waits once, after the announcement of a game; not in the greeting."""
    waited = []
    gui = Gui(Countdown())
    monkeypatch.setattr(gui.engine, "_wait_for_compiler", lambda: waited.append(len(gui.lines)))
    gui.ask("ugi", "isready", until="readyok")
    assert waited == []
    gui.ask("uginewgame", "isready", until="readyok")
    assert waited == [len(gui.lines) - 1]


def test_moves_within_limits(gui):
    assert gui.best("position startpos moves 1 2 1", "go depth 8") == "1"  # 17 are left
    assert gui.best("position fen 7", "go nodes 500") == "3"
    assert gui.best("position fen 6", "go movetime 5000") == "2"
    assert gui.best("position fen 6", "go p1time 600000 p2time 600000 p1inc 0 p2inc 0") == "2"
    assert gui.best("position fen 5", "go mate 1") in "123"


def test_info_lines(gui):
    lines = gui.ask("setoption name MultiPV value 3", "position fen 7", "go depth 9", until="bestmove")
    last = [line for line in lines if line.startswith("info depth")][-3:]
    assert [re.search(r"multipv (\d) score (\S+ \S+)", line)[2] for line in last] == ["mate 3", "mate -4", "mate -4"]
    for line in last:
        assert re.fullmatch(r"info depth \d+ multipv \d score mate -?\d+ nodes \d+ nps \d+ time \d+ pv( \d)+", line)
    assert lines[-1].startswith("bestmove 3 ponder ")


def test_an_infinite_search_waits_for_stop(gui):
    lines = gui.ask("position fen 7", "go infinite", until="info depth 3")
    time.sleep(0.05)
    assert not any(line.startswith("bestmove") for line in lines + gui.lines)
    assert gui.ask("isready", until="readyok")[-1] == "readyok"
    assert gui.best("stop") == "3"
    assert gui.best("go", "stop") in "123"
    count = len(gui.lines)
    gui.engine.obey("stop")  # nothing runs, so nothing is said
    assert len(gui.lines) == count


def test_stop_at_any_moment(gui):
    """However soon `stop` comes, there is one answer, and it is legal."""
    for delay in (0, 0, 0.001, 0.003, 0.01):
        gui.ask("position startpos", "go infinite")
        time.sleep(delay)
        assert gui.best("stop") in "123"
    assert sum(line.startswith("bestmove") for line in gui.lines) == 5


@pytest.fixture
def busy(monkeypatch):
    """An engine that is busy with something that `stop` cannot end, until the event is set."""
    free, begun = threading.Event(), threading.Event()

    def wait(engine):
        begun.set()
        free.wait(60)

    monkeypatch.setattr(Engine, "require_native", wait)
    yield SimpleNamespace(free=free, begun=begun)
    free.set()


def test_stop_is_answered_whatever_the_engine_does(gui, busy):
    """The answer is a legal move, it is given once, and the next search waits until the engine is free."""
    for go in ("go infinite", "go depth 3", "go p1time 60000 p2time 60000"):
        busy.begun.clear()
        gui.ask("position fen 7", go)
        assert gui.best("stop") in "123"
        assert not busy.free.is_set()
    abandoned = gui.engine._search
    gui.ask("position fen 7", "go depth 9")
    busy.free.set()
    abandoned.join()
    gui.engine._search.join()
    answers = [line for line in gui.lines if line.startswith("bestmove")]
    assert len(answers) == 4
    assert answers[-1].startswith("bestmove 3")
    assert gui.lines[-1] == answers[-1]  # what was abandoned says nothing more


def test_an_answered_search_is_not_waited_for_again(gui, busy):
    """A new position comes at once, though the thread of the last search is still busy."""
    gui.ask("position fen 7", "go infinite", "stop", until="bestmove")
    gui.engine._search._job = SimpleNamespace(join=pytest.fail)
    gui.ask("position fen 6", "stop")
    assert gui.engine.line.state == 6


def test_a_search_waits_for_what_is_being_loaded(gui):
    """It would only take turns with it; `stop` is answered all the same."""
    waited = threading.Event()
    loading = SimpleNamespace(compiling=True, loading=True, wait_for_compiler=lambda seconds: waited.set())
    gui.engine._compiling = loading
    gui.ask("position fen 7", "go depth 9")
    assert waited.wait(60)
    assert gui.engine._engine is None  # nothing searches
    assert gui.best("stop") in "123"
    gui.ask("position fen 7", "go depth 9")
    loading.loading = False
    gui.engine._search.join()
    assert gui.lines[-1].startswith("bestmove 3")


@pytest.mark.parametrize(
    ("go", "waits"), [("go movetime 400", 0.2), ("go p1time 30000 p2time 30000", None), ("go depth 9", 2.0)]
)
def test_the_wait_for_what_is_being_loaded_is_part_of_the_move(gui, monkeypatch, go, waits):
    now, chosen = [0.0], []

    def wait_for_compiler(seconds):
        now[0] += seconds + 1e-9

    def choose(engine, *position):
        chosen.append((now[0], engine.limit.seconds, engine.clock and engine.clock.left))
        return analyzed(engine, *position)

    analyzed = Engine.choose
    monkeypatch.setattr(Engine, "choose", choose)
    monkeypatch.setattr(engine_base, "time", SimpleNamespace(monotonic=lambda: now[0]))
    gui.engine.check_loaded()
    gui.engine._compiling = SimpleNamespace(compiling=True, loading=True, wait_for_compiler=wait_for_compiler)
    assert gui.best("position fen 6", go) == "2"
    [(waited, seconds, left)] = chosen
    if waits is None:
        assert 0.01 < waited < 0.5  # half of what a move takes of the clock
        assert left == pytest.approx(29.99 - waited)
    else:
        assert waited == pytest.approx(waits, abs=1e-6)
        assert seconds == (pytest.approx(0.2) if "movetime" in go else None)


def test_an_option_of_an_abandoned_search_is_not_used_again(gui, busy):
    gui.ask("position fen 7", "go infinite", "stop", "setoption name MultiPV value 2", "go depth 9")
    busy.free.set()
    gui.engine._search.join()
    assert any(" multipv 2 " in line for line in gui.lines)


def test_a_ponder_hit_at_any_moment(gui, busy):
    """Its clock ends a search that has not begun yet."""
    gui.ask("position fen 7", "go ponder p1time 50 p2time 50")
    assert gui.best("ponderhit") in "123"


def test_a_style_that_searches_replies_stops_too(monkeypatch):
    """One `stop` ends all searches of a move."""
    stopped = []
    begin = Analysis._begin

    def watched(analysis):
        if analysis._thread is None:
            stopped.append(analysis._search.stopped)
        begin(analysis)

    monkeypatch.setattr(Analysis, "_begin", watched)
    engine = Engine(Countdown(20), z.Limit(depth=9), style="trickiest")  # all first moves lose
    engine.choose(20, lambda report: engine.stop())
    assert len(stopped) > 1
    assert stopped == [False] + [True] * (len(stopped) - 1)
    stopped.clear()
    engine.choose(20, lambda report: None)
    assert not any(stopped)


def test_pondering(gui):
    gui.ask("position fen 7", "go ponder p1time 60000 p2time 60000", until="info depth 3")
    assert not any(line.startswith("bestmove") for line in gui.lines)
    assert gui.best("ponderhit") == "3"
    gui.ask("position startpos", "go ponder movetime 60000", until="info depth 1")
    assert gui.best("stop") in "123"


def test_one_thread_searches_while_the_search_compiles(gui):
    """Several threads would wait for the compiler, and `stop` would wait with them."""
    gui.ask("setoption name Threads value 2", "position fen 7")
    for compiling, threads in ((True, 1), (False, 2)):
        gui.engine._compiling = SimpleNamespace(compiling=compiling, loading=False)
        assert gui.best("go depth 3") == "3"
        assert gui.engine.engine.threads == threads


def test_a_quick_search_runs_where_it_was_asked_for():
    """Its answer is given before the next command is read; a longer one has a thread."""
    gui = Gui(load("connect_four"))
    gui.ask("setoption name OwnBook value false", "uginewgame", "isready", until="readyok")
    gui.engine._compiling.wait_for_compiler(60)
    gui.best("go p1time 60000 p2time 60000")
    gui.engine._search.join()
    for _ in range(3):
        before = len(gui.lines)
        assert gui.engine.obey("go p1time 20 p2time 20")
        assert [line.split()[0] for line in gui.lines[before:]].count("bestmove") == 1
        assert not gui.engine._search.running
    gui.engine.obey("go infinite")
    assert gui.engine._search.running
    assert gui.best("stop")


def test_queries(gui):
    def answer(query):
        return gui.ask(f"query {query}", until="response")[-1]

    gui.ask("position startpos")
    assert [answer(query) for query in ("p1turn", "gameover", "result")] == [
        "response true", "response false", "response none"
    ]  # fmt: skip
    gui.ask("position fen 3 moves 3")
    assert [answer(query) for query in ("p1turn", "gameover", "result")] == [
        "response false", "response true", "response p1win"
    ]  # fmt: skip
    assert gui.best("go depth 3") == "(none)"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("position", "A position is"),
        ("position fen", "A position is"),
        ("position fen nonsense", "nonsense"),
        ("position startpos moves 1 9", "'9' is not a legal move in 20"),
        ("go depth many", "go depth needs a number"),
        ("go movetime", "go movetime needs a number"),
        ("setoption name Nothing value 3", "no option 'Nothing'"),
        ("setoption name Hash value lots", "Hash cannot be 'lots'"),
        ("setoption name Level value 11", "Level cannot be '11'"),
        ("setoption name Threads value 0", "Threads cannot be '0'"),
        ("setoption name Threads value 99999999999999999999999", "Threads cannot be"),
        ("query weather", "no query 'weather'"),
    ],
)
def test_what_cannot_be_obeyed_is_said(gui, command, words):
    before = gui.engine.line.state
    said = gui.ask(command, until="info string")
    assert words in said[0]
    assert gui.engine.line.state == before
    assert gui.best("go depth 2") in "123"


def test_nonsense_is_ignored(gui):
    for line in ("", "\n", "debug on", "hello world", "__class__", "_load", "\x00\xff", "on_go"):
        assert gui.engine.obey(line)
    assert gui.lines == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["Database value /no/such/file"], "/no/such/file"),
        (["Book value /no/such/file"], "/no/such/file"),
        (["Level value 3", "Style value longest"], "style longest is for level 10"),
    ],
)
def test_options_that_cannot_be_used_are_said_once_and_left_out(gui, options, words):
    gui.ask(*(f"setoption name {option}" for option in options), "position fen 6")
    for times in (1, 1):
        assert gui.best("go depth 9") in ("123" if "Level" in options[0] else "2")
        assert sum(words in line for line in gui.lines) == times


def test_each_option_that_cannot_be_used_is_named_and_the_others_count(gui, tmp_path):
    file = tmp_path / "countdown.zermelo"
    z.solve(Countdown(), file)
    gui.ask(f"setoption name Database value {file}", "setoption name Book value /no/such/book")
    gui.ask("setoption name Weights value /no/such/weights", "position fen 6")
    for _ in range(2):
        assert gui.best("go depth 9") == "2"
    said = [line for line in gui.lines if line.startswith("info string")]
    assert len(said) == 2
    assert ["/no/such/book" in line for line in said] == [False, True]
    assert "/no/such/weights" in said[0]
    assert gui.engine.engine.probe(6).value == z.Value.win(3)
    assert gui.engine.engine.book is None


def test_a_rule_that_raises_is_said():
    class Broken(Countdown):
        def play(self, left, taken):
            if left < 10:
                raise KeyError("nothing left")
            return left - taken

    gui = Gui(Broken())
    lines = gui.ask("position fen 12", "go depth 6", until="bestmove")
    assert any("nothing left" in line for line in lines)
    assert lines[-1] == "bestmove 1"


def test_a_stream_is_obeyed_until_its_end():
    lines = []
    engine = EngineProtocol(UGI, lambda: Countdown(), lines.append)
    engine.run(io.BytesIO(b"ugi\nposition fen 7\ngo depth 5\n"))
    assert lines[-1].startswith("bestmove 3")
    engine.run(io.BytesIO(b"go infinite\n"))
    assert lines[-1].startswith("bestmove ")
    assert sum(line.startswith("bestmove") for line in lines) == 2
    engine.run(io.BytesIO(b"quit\nposition fen 6\n"))
    assert engine.line.state == 7


def test_a_game_that_cannot_be_loaded_is_said():
    lines = []
    engine = EngineProtocol(UGI, lambda: load("no_such_game"), lines.append)
    engine.obey("position startpos")
    assert "no_such_game" in lines[0]
    with pytest.raises(GameError, match="no_such_game"):
        engine.check_loaded()


# -- moves as words ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["backgammon", "chess", "checkers", "nim", "dots_and_boxes(2, 2)", "quarto"])
def test_words_name_moves(name):
    import random

    game, dice = z.load(name), random.Random(5)
    state = game.initial()
    for _ in range(12):
        moves = z.rules.legal_actions(game, state)
        words = [move_word(game, state, move) for move in moves]
        assert len(set(words)) == len(moves)
        assert not any(re.search(r"\s", word) for word in words)
        move = dice.choice(moves)
        assert read_word(game, state, move_word(game, state, move)) == move
        state = game.play(state, move)
        if z.rules.payoff(game, state) != z.ONGOING:
            break


def test_a_line_that_grows_is_read_once():
    played = []

    class Watched(Countdown):
        def play(self, left, taken):
            played.append(taken)
            return left - taken

    line = PlayedLine(Watched())
    line.set("", ["1", "2"])
    assert (line.state, line.history, line.player) == (18, [21, 20], 0)
    played.clear()
    line.set("", ["1", "2", "3"])
    assert played == [3]
    line.set("", ["3"])
    assert line.state == 18
    with pytest.raises(GameError, match="not a legal move"):
        line.set("", ["3", "4"])
    assert line.state == 18


def test_chance_is_played_by_the_gui():
    gui = Gui(Rolling())
    assert gui.best("position startpos moves 1 6", "go depth 2") == "1"
    assert gui.best("position startpos moves 1", "go depth 2") == "(none)"


# -- real counterparts -------------------------------------------------------------------------------------------------


def test_python_chess_plays_with_it():
    """python-chess checks every move and every line that it gets."""
    command = [sys.executable, "-m", "zermelo", "uci"]
    environment = {**os.environ, "ZERMELO_INTERPRET_FIRST": "1"}  # as users have it: nothing waits for the compiler
    with chess.engine.SimpleEngine.popen_uci(command, timeout=120, env=environment) as engine:
        assert engine.id["name"].startswith("Zermelo")
        assert {"Hash", "Threads", "MultiPV", "Database", "Book"} <= set(engine.options)
        board = chess.Board("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2")
        assert engine.play(board, chess.engine.Limit(depth=2)).move == chess.Move.from_uci("d8h4")
        infos = engine.analyse(chess.Board(), chess.engine.Limit(time=0.2), multipv=2)
        assert len({info["pv"][0] for info in infos}) == 2
        board = chess.Board()
        for _ in range(4):
            board.push(engine.play(board, chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.1)).move)
        with engine.analysis(board) as analysis:  # until it is stopped
            analysis.next()
            analysis.stop()
            assert analysis.wait().move in board.legal_moves


def test_it_plays_against_itself_by_ugi(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(Path(match_games.__file__).read_text())
    command = f"name=Perfect,depth=6,ugi:{sys.executable} -m zermelo ugi mine.py:Countdown(9)"
    result = z.match(load("mine.py:Countdown(9)"), command, "random", games=2, openings=0)
    assert result.faults == []
    assert result.counts[0] >= 1  # nine are won for the first player


FAIRY = """
import sys
for line in sys.stdin:
    print(line.strip(), file=open(sys.argv[1], "a"), flush=True)
    answers = {"uci": "uciok", "isready": "readyok", "go": "bestmove " + sys.argv[2]}
    if (word := line.split()[0]) in answers:
        print(answers[word], flush=True)
"""


@pytest.mark.parametrize("answer", ["d7d6", "d7d5"])
def test_a_chess_program_plays_a_variant(tmp_path, answer):
    """Fairy-Stockfish is told the variant, and moves are squares."""
    game, heard = load("breakthrough"), tmp_path / "heard"
    client = ProtocolClient(UCI, [sys.executable, "-c", FAIRY, str(heard), answer], game)
    moves = [game.parse_move(game.initial(), "a2-b3")]
    try:
        if answer == "d7d5":
            with pytest.raises(ProgramError, match="'bestmove d7d5', which is no legal move"):
                client.choose(game.initial(), moves, z.Limit(seconds=1))
        else:
            move = client.choose(game.initial(), moves, z.Limit(seconds=1))
            assert game.move_text(game.play(game.initial(), moves[0]), move) == "d7-d6"
        with pytest.raises(ProgramError, match="middle of a game"):
            client.choose(game.play(game.initial(), moves[0]), [], z.Limit(seconds=1))
    finally:
        client.close()
    told = heard.read_text().splitlines()
    assert told[:2] == ["uci", "setoption name UCI_Variant value breakthrough"]
    assert "position startpos moves a2b3" in told


def test_uci_speaks_of_mates_in_moves():
    from zermelo.protocols.search_info import score_words
    from zermelo.value import Value

    plies = [Value.win(1), Value.win(2), Value.win(3), Value.loss(2), Value.loss(4)]
    assert [score_words(UCI, value) for value in plies] == ["mate 1", "mate 1", "mate 2", "mate -1", "mate -2"]


FIRST_SEARCH = """
import sys, threading
import zermelo.native.compile_process
from zermelo.games.registry import load
from zermelo.protocols.dialects import UGI
from zermelo.protocols.engine_protocol import EngineProtocol
lines = []
if sys.argv[2]:
    zermelo.native.compile_process.start_compiling = lambda game, kernels: True
    zermelo.native.compile_process.wait_for = lambda game, kernel: threading.Event().wait()
engine = EngineProtocol(UGI, lambda: load("connect_four"), lines.append)
engine.obey("ugi")
engine.obey("isready")
engine._loading.join()
while engine._compiling.loading:  # on a busy machine isready does not wait for it
    engine._compiling.wait_for_compiler(1)
before = {*sys.modules}
assert "zermelo.native.linking.loader" in before
engine.obey(f"go nodes {sys.argv[1]}")
engine._search.join()
print(lines[-1].split()[0], sorted({*sys.modules} - before))
"""


@pytest.mark.parametrize(("nodes", "compiles"), [("300000", ""), ("500", "for ever")])
def test_the_first_search_imports_nothing(tmp_path, nodes, compiles):
    """While a library is loaded, no other thread runs, and `stop` is not heard. So it is where the cache is empty."""
    command = [sys.executable, "-c", FIRST_SEARCH, nodes, compiles]
    variables = os.environ | ({"ZERMELO_CACHE": str(tmp_path)} if compiles else {})
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=variables)
    assert done.stdout.split("\n")[0] == "bestmove []"
