"""zermelo serve: the web page and its API on this machine."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from zermelo.app.error_messages import debugging
from zermelo.app.output import say
from zermelo.game import GameError

if TYPE_CHECKING:
    from fastapi import FastAPI

    from zermelo.app.web.game_catalog import Served
    from zermelo.app.web.process_pool import Workers

PORT = 8000
TRIED = 20
"""Ports that are tried one after the other where none was named."""

IDLE = 15
"""Seconds for which a connection is kept for the next request."""

EVERYWHERE = ("0.0.0.0", "::")


def serve(
    texts: Sequence[str],
    host: str,
    port: int | None,
    databases: Sequence[Path],
    *,
    opens: bool | None,
    threads: int | None,
) -> None:
    """Serve the games until Ctrl-C."""
    try:
        import uvicorn  # noqa: F401

        from zermelo.app.web.server import create_app
    except ImportError as error:
        raise GameError(f"`zermelo serve` needs {error.name}: pip install 'zermelo[web]'") from None

    games = _games(texts, databases, threads)
    listener = bound(host, port)
    app = create_app(games, threads, [host, *([socket.gethostname()] if host in EVERYWHERE else [])])
    address = _address(host, listener.getsockname()[1])
    config = configured(app)
    what = _listed(games.named) if games.named else "its games"
    say(f"Zermelo serves {what} at {address} (Ctrl-C ends it).")
    if _can_open() if opens is None else opens:
        threading.Timer(0.5, webbrowser.open, [address]).start()
    _server(config, app).run([listener])


def configured(app: FastAPI) -> Any:
    """How the application is served: quietly, and to nobody who only holds a connection."""
    import uvicorn

    from zermelo.app.web.connection_limits import bounded

    config = uvicorn.Config(
        app,
        log_level="warning" if debugging() else "critical",
        access_log=False,
        server_header=False,
        ws_max_size=1 << 15,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=1,
    )
    config.load()
    config.http_protocol_class = bounded(config.http_protocol_class)
    return config


def _games(texts: Sequence[str], databases: Sequence[Path], places: int | None) -> Served | Workers:
    """The games, looked at: those of a file in processes of their own, since nothing is known of their rules."""
    from zermelo.app.web.game_catalog import named_by_file, served
    from zermelo.app.web.process_pool import Workers
    from zermelo.app.web.search_pool import places_of

    if not named_by_file(texts):
        return served(texts, databases)
    games = Workers(texts, databases, places_of(places))
    try:
        games.look()
    except BaseException:
        games.close()
        raise
    return games


def _server(config: Any, app: FastAPI) -> Any:
    """A server that ends its searches at the first Ctrl-C, so that nothing is left to wait for.

    A signal only says that it is to end: it may come while the thread of the server has a lock that ending takes.
    Where Ctrl-C was ignored when it was started, as shells have it in the background, it stays so.
    """
    import uvicorn

    ignored = [signal.SIGINT] if signal.getsignal(signal.SIGINT) is signal.SIG_IGN else []

    class Serving(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            if sig not in ignored:
                super().handle_exit(sig, frame)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.server.close()
            await super().shutdown(sockets)

    return Serving(config)


def bound(host: str, port: int | None) -> socket.socket:
    """A socket that listens there; without a port, on the first free one from 8000 on."""
    ports = range(PORT, PORT + TRIED) if port is None else [port]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for each in ports:
        listener = socket.socket(family)
        if os.name == "posix":  # elsewhere this would share a port that is in use
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, each))
            listener.listen()
        except (OSError, OverflowError) as error:
            listener.close()
            problem = getattr(error, "strerror", None) or str(error)
            continue
        listener.set_inheritable(True)
        return listener
    where = f"port {port}" if port is not None else f"ports {PORT} to {PORT + TRIED - 1}"
    raise GameError(f"`zermelo serve` cannot listen at {host}, {where}: {problem}; choose another --port or --host.")


def _listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> _listed(["nim"]), _listed(["nim", "pig", "hex"])
    ('nim', 'nim, pig and hex')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _address(host: str, port: int) -> str:
    name = "127.0.0.1" if host in EVERYWHERE else host
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def _can_open() -> bool:
    """Whether somebody sits in front of a screen."""
    screen = os.name == "nt" or sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    return sys.stdout.isatty() and screen
