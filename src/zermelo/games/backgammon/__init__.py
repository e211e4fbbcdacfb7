"""Backgammon and Hypergammon, without the doubling cube and with it."""

from zermelo.games.backgammon.backgammon_rules import Backgammon, Hypergammon
from zermelo.games.backgammon.cube_rules import CubeBackgammon

__all__ = ["Backgammon", "CubeBackgammon", "Hypergammon"]
