"""Strong solutions: the exact value of every state of a game, in a database that can be trusted."""

from zermelo.solving.progress import Progress
from zermelo.solving.size_estimate import Estimate, estimate
from zermelo.solving.solve_api import solve

__all__ = ["Estimate", "Progress", "estimate", "solve"]
