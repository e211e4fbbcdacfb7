"""Checks: `check(game)` tests a game against the contract of Game; `verify(solution)` recomputes a solution."""

from zermelo.checking.check_api import check, glance
from zermelo.checking.check_report import CheckError, CheckReport
from zermelo.checking.compiled_rules import compiled

__all__ = ["CheckError", "CheckReport", "check", "compiled", "glance"]
