"""Coroutines in tests that may share their thread with a browser's event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine returns, run in a thread of its own: Playwright leaves a running loop in the one it uses."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(asyncio.run, coroutine).result()
