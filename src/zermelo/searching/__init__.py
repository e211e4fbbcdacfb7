"""Search: `search`, `analyze`, `search_many`, `prove`, `monte_carlo`, and the Reports they return."""

from zermelo.searching.report import Line, Report
from zermelo.searching.search_api import TABLE, analyze, monte_carlo, prove, search, search_many

__all__ = ["TABLE", "Line", "Report", "analyze", "monte_carlo", "prove", "search", "search_many"]
