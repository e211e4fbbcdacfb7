"""The peers' own virtual environment: what is missing in it is installed from PyPI, a package at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / ".venv"
BUILT = ("bitbully", "open_spiel")
"""Packages of C++: taken as wheels only, since building one may take an hour."""


def python() -> str:
    """The environment's Python."""
    return str(FOLDER / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))


def missing(package: str, install: bool) -> str | None:
    """None where the package can be used, and otherwise a sentence that says why not."""
    if not Path(python()).exists():
        if not install:
            return f"{package} is left out: {FOLDER.name} does not exist, and nothing is to be installed."
        made = _run([sys.executable, "-m", "venv", str(FOLDER)])
        if made.returncode:
            return f"{package} is left out: no virtual environment can be made ({_last_line(made)})."
    if not _run([python(), "-m", "pip", "show", "--quiet", package]).returncode:
        return None
    if not install:
        return f"{package} is left out: it is not installed in {FOLDER.name}, and nothing is to be installed."
    print(f"Installing {package} ...", file=sys.stderr, flush=True)
    wheels = ["--only-binary", package] if package in BUILT else []
    installed = _run([python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wheels, package])
    return _why_not(package, installed) if installed.returncode else None


def _why_not(package: str, failed: subprocess.CompletedProcess[str]) -> str:
    if "No matching distribution" in failed.stderr and package in BUILT:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        return f"{package} is left out: there is no wheel of it for Python {version} on this machine."
    return f"{package} is left out: it cannot be installed ({_last_line(failed)})."


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True)


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return lines[-1] if lines else f"exit code {done.returncode}"
