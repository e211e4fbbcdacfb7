"""Search: `search`, `analyze`, `search_many`, `prove`, `monte_carlo`, and the Reports they return."""

from zermelo.searching.report import Line, Report
from zermelo.searching.search_api import analyze, monte_carlo, prove, search, search_many
from zermelo.searching.search_arguments import DEFAULT_MEGABYTES

__all__ = ["DEFAULT_MEGABYTES", "Line", "Report", "analyze", "monte_carlo", "prove", "search", "search_many"]
