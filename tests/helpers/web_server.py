"""A server of the page in a thread or a process, on a port of its own, for tests that need real connections."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import uvicorn

from zermelo.app.commands.serve_command import listening_socket, uvicorn_config
from zermelo.app.web.server import create_app


class Serving:
    """A running server: its port, its address, and what it counts."""

    def __init__(self, app, port):
        self.app = app
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    @property
    def searches(self):
        return self.app.state.server.searches

    def wait_until(self, true, seconds=300):
        """Poll until it is so; the bound is generous, for a busy machine."""
        patience = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < patience, "it never came about"
            time.sleep(0.01)


@contextmanager
def serving(games=None, slots=None):
    app = create_app(games, slots)
    listener = listening_socket("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn_config(app))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    running = Serving(app, listener.getsockname()[1])
    running.wait_until(lambda: server.started)
    try:
        yield running
    finally:
        server.should_exit = True
        thread.join(60)


def hear_ctrl_c():
    """A process that is started in the background may have been told to ignore it, and hands that on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class process:
    """`zermelo serve` as people run it."""

    def __init__(self, *args):
        self.args = args

    def __enter__(self):
        command = [sys.executable, "-m", "zermelo", "serve", "--port", "0", "--no-open", *self.args]
        environment = {**os.environ, "NO_COLOR": "1"}
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, env=environment, preexec_fn=hear_ctrl_c
        )
        self.before = []
        self.said = self.process.stderr.readline()
        while self.said and "Ctrl-C ends it" not in self.said:
            self.before.append(self.said)
            self.said = self.process.stderr.readline()
        assert "http://127.0.0.1:" in self.said, self.said + self.process.stderr.read()
        return self.process, int(self.said.partition("127.0.0.1:")[2].partition("/")[0])

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(20)
        self.process.stderr.close()
