"""Dobutsu shogi."""

from zermelo.games.dobutsu_shogi.dobutsu_rules import DobutsuShogi

__all__ = ["DobutsuShogi"]
