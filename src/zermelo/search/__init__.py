"""The engine's search."""

from zermelo.search.deepening import search
from zermelo.search.report import Report

__all__ = ["Report", "search"]
