"""Debian's Firefox for the tests of the page, driven by its own WebDriver BiDi: nothing is downloaded."""

from __future__ import annotations

import base64
import itertools
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 1,
}
KEYS = {"Enter": "\ue007", "End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012", "ArrowRight": "\ue014",
        "PageUp": "\ue00e", "PageDown": "\ue00f"}  # fmt: skip
"""Keys that write no character, as WebDriver names them."""

MIDDLE = """(() => {
    const it = document.querySelector(%s);
    it.scrollIntoView({block: "center"});
    const box = it.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
})()"""
PATIENCE = 120.0
"""Seconds after which something that should be seen is not there."""


class Firefox:
    """A window of Firefox: one page at a time."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self.errors: list[str] = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.context: str = self.ask("browsingContext.create", type="tab")["context"]

    def ask(self, method: str, **params: Any) -> Any:
        """Send a command, and return its result."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(PATIENCE))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.errors.append(message["params"]["text"])
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]

    def goto(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def resize(self, width: int, height: int) -> None:
        self.ask("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def run(self, script: str) -> None:
        """Run a script on the page."""
        found = self.ask(
            "script.evaluate", expression=f"{script};0", target={"context": self.context}, awaitPromise=False
        )
        assert found["type"] == "success", found

    def evaluate(self, script: str) -> Any:
        """The value of an expression, which may be a promise; it travels as JSON."""
        target = {"context": self.context}
        wrapped = f"(async () => JSON.stringify(await ({script}) ?? null))()"
        found = self.ask("script.evaluate", expression=wrapped, target=target, awaitPromise=True)
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])

    def until(self, script: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(f"Boolean({script})"):
            if time.monotonic() > end:
                status = self.evaluate("document.getElementById('status')?.textContent")
                pytest.fail(f"{script} did not come true; the status is {status!r}.")
            time.sleep(0.05)

    def click(self, selector: str, *, touch: bool = False) -> None:
        """Click the middle of the first element, with the mouse or a finger."""
        self.until(f"document.querySelector({json.dumps(selector)})?.checkVisibility()")
        x, y = self.evaluate(MIDDLE % json.dumps(selector))
        moves = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        pointer = {"pointerType": "touch" if touch else "mouse"}
        source = {"type": "pointer", "id": "finger" if touch else "mouse", "parameters": pointer, "actions": moves}
        self.ask("input.performActions", context=self.context, actions=[source])

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        pairs = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask(
            "input.performActions", context=self.context, actions=[{"type": "key", "id": "keys", "actions": pairs}]
        )

    def screenshot(self, path: Path) -> None:
        data = self.ask("browsingContext.captureScreenshot", context=self.context)["data"]
        path.write_bytes(base64.b64decode(data))


@contextmanager
def firefox() -> Iterator[Firefox]:
    """Start Firefox without a window, with a profile that is thrown away."""
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    if path is None:
        pytest.fail(
            "The tests of the page need Firefox, which `make test` installs (on Debian: apt install firefox-esr)."
        )
    with tempfile.TemporaryDirectory() as profile:
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items())
        (Path(profile) / "user.js").write_text("\n".join(lines))
        command = [path, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", profile]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            with connect(f"{_listening(process)}/session", max_size=None) as socket:
                yield Firefox(socket)
        finally:
            process.kill()
            process.wait(60)


def _listening(process: subprocess.Popen[str]) -> str:
    """The address at which Firefox listens, which it says on its error output."""
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
            return found.group(1)
    pytest.fail("Firefox ended before it listened.")
