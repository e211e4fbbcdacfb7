"""Domineering, on boards of up to 63 cells in one word, and up to 126 in two."""

from zermelo.games.domineering.domineering_rules import Domineering, State
from zermelo.games.domineering.large_domineering import LargeDomineering, LargeState

__all__ = ["Domineering", "LargeDomineering", "LargeState", "State"]
