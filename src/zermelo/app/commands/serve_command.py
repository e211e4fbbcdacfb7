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

    from zermelo.app.web.game_catalog import GameCatalog
    from zermelo.app.web.pools.process_pool import ProcessPool

DEFAULT_PORT = 8000
PORTS_TRIED = 20
"""Ports that are tried in turn where none is named."""

KEEP_ALIVE_SECONDS = 15
"""Seconds for which an idle connection stays open."""

ALL_INTERFACES = ("0.0.0.0", "::")


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

    games = _open_games(texts, databases, threads)
    listener = listening_socket(host, port)
    app = create_app(games, threads, [host, *([socket.gethostname()] if host in ALL_INTERFACES else [])])
    address = _address(host, listener.getsockname()[1])
    config = uvicorn_config(app)
    what = _listed(games.named) if games.named else "its games"
    say(f"Zermelo serves {what} at {address} (Ctrl-C ends it).")
    if _has_display() if opens is None else opens:
        threading.Timer(0.5, webbrowser.open, [address]).start()
    _server(config, app).run([listener])


def uvicorn_config(app: FastAPI) -> Any:
    """The configuration of uvicorn: quiet, with limits on connections."""
    import uvicorn

    from zermelo.app.web.connection_limits import limit_connections

    config = uvicorn.Config(
        app,
        log_level="warning" if debugging() else "critical",
        access_log=False,
        server_header=False,
        ws_max_size=1 << 15,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=1,
    )
    config.load()
    config.http_protocol_class = limit_connections(config.http_protocol_class)
    return config


def _open_games(texts: Sequence[str], databases: Sequence[Path], slots: int | None) -> GameCatalog | ProcessPool:
    """Open and check the games: those named by file in processes of their own, since their rules may do anything."""
    from zermelo.app.web.game_catalog import named_by_file, open_catalog
    from zermelo.app.web.pools.process_pool import ProcessPool
    from zermelo.app.web.pools.search_pool import slot_count

    if not named_by_file(texts):
        return open_catalog(texts, databases)
    games = ProcessPool(texts, databases, slot_count(slots))
    try:
        games.check_games()
    except BaseException:
        games.close()
        raise
    return games


def _server(config: Any, app: FastAPI) -> Any:
    """A server that stops its searches at the first Ctrl-C, so that its shutdown need not wait for them.

    The searches are stopped in `shutdown` and not in the signal handler, which may run while their lock is held.
    Where Ctrl-C is ignored at the start, as in a shell's background jobs, it stays so.
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


def listening_socket(host: str, port: int | None) -> socket.socket:
    """A listening socket; without a port, on the first free one from 8000 on."""
    ports = range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED) if port is None else [port]
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
    where = f"port {port}" if port is not None else f"ports {DEFAULT_PORT} to {DEFAULT_PORT + PORTS_TRIED - 1}"
    raise GameError(f"`zermelo serve` cannot listen at {host}, {where}: {problem}; choose another --port or --host.")


def _listed(names: Sequence[str]) -> str:
    """Names as a list in a sentence.

    >>> _listed(["nim"]), _listed(["nim", "pig", "hex"])
    ('nim', 'nim, pig and hex')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _address(host: str, port: int) -> str:
    name = "127.0.0.1" if host in ALL_INTERFACES else host
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def _has_display() -> bool:
    """Whether a browser can be opened: there is a terminal and a display."""
    screen = os.name == "nt" or sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    return sys.stdout.isatty() and screen
