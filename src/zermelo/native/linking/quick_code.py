"""Quick code: kernels linked with little optimisation, in a twentieth of the time.

A search then takes about twice as long, a solve half as long again; nodes and values are the same. The tests compile
hundreds of games and search each for milliseconds, so most of them run quick code.
"""

from __future__ import annotations

import os

QUICK_VARIABLE = "ZERMELO_QUICK_CODE"
"""Set to 1, kernels become quick code."""


def is_quick() -> bool:
    """Whether kernels become quick code in this process."""
    return os.environ.get(QUICK_VARIABLE, "0") == "1"
