"""A server of the page in a thread, on a port of its own, for tests that need real connections."""

import threading
import time
from contextlib import contextmanager

import uvicorn

from zermelo.app.serve import bound
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
def serving(games=None, places=None):
    app = create_app(games, places)
    listener = bound("127.0.0.1", 0)
    config = uvicorn.Config(app, log_level="critical", access_log=False, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    running = Serving(app, listener.getsockname()[1])
    running.wait_until(lambda: server.started)
    try:
        yield running
    finally:
        server.should_exit = True
        thread.join(60)
