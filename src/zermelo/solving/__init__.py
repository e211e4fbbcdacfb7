"""Strong solutions: the exact value of every state of a game, in a database that can be trusted."""

from zermelo.solving.progress import Progress
from zermelo.solving.solve_api import solve

__all__ = ["Progress", "solve"]
