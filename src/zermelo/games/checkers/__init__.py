"""Checkers."""

from zermelo.games.checkers.checkers_rules import Checkers

__all__ = ["Checkers"]
