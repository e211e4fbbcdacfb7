"""Fanorona."""

from zermelo.games.fanorona.fanorona_rules import Fanorona

__all__ = ["Fanorona"]
