"""Build hook: compile the kernels of the package, which are the same for every game, and rules of games into LLVM IR.

An installation without them works too: then a kernel is compiled when it is first needed, once for all games.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelBuildHook(BuildHookInterface):  # type: ignore[misc]
    """Runs zermelo.games.support.build_kernels before files are collected."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        source = Path(self.root) / "src"
        command = [sys.executable, "-m", "zermelo.games.support.build_kernels"]
        subprocess.run(command, cwd=source, check=False)
        build_data["artifacts"].append("src/zermelo/native/prebuilt/*.ir")
