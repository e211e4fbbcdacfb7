"""Backgammon and Hypergammon."""

from zermelo.games.backgammon.backgammon_rules import Backgammon, Hypergammon

__all__ = ["Backgammon", "Hypergammon"]
