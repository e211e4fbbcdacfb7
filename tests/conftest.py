"""Tests keep their compiled kernels in the checkout, shared by all workers and by later runs."""

import os
from pathlib import Path

os.environ.setdefault("ZERMELO_CACHE", str(Path(__file__).parent.parent / ".pytest_cache" / "kernels"))
