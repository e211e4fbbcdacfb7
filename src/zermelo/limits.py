"""Limit: how far a search may go.

What `limit=None` means, in every verb: a call that promises a proof runs until it has the proof (`exact=True`,
`search_many`, `prove`), and a stream of reports until you leave it (`analyze`). A call that returns an estimate runs
until the value is proven, but no longer than DEFAULT_LIMIT (`search`, `monte_carlo`). `Limit()` is no limit at all.
"""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.arguments import check_int, check_number


@dataclass(frozen=True, slots=True)
class Limit:
    """The first of these that is reached ends a search; None means no limit.

    >>> Limit(seconds=1, depth=8)
    Limit(seconds=1, depth=8, nodes=None)
    >>> Limit().unlimited
    True
    """

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        check_number("Limit", above_zero=True, optional=True, seconds=self.seconds)
        check_int("Limit", least=1, optional=True, depth=self.depth, nodes=self.nodes)

    @property
    def unlimited(self) -> bool:
        """Whether nothing but a proof ends the search."""
        return self.seconds is None and self.depth is None and self.nodes is None


DEFAULT_LIMIT = Limit(seconds=10)
"""The limit of a call that returns an estimate, where none is given."""


def both(first: Limit, second: Limit) -> Limit:
    """The limit that ends a search as soon as one of two does.

    >>> both(Limit(seconds=1, depth=8), Limit(depth=3, nodes=100))
    Limit(seconds=1, depth=3, nodes=100)
    """
    pairs = ((first.seconds, second.seconds), (first.depth, second.depth), (first.nodes, second.nodes))
    seconds, depth, nodes = (min((each for each in pair if each is not None), default=None) for pair in pairs)
    return Limit(seconds, None if depth is None else int(depth), None if nodes is None else int(nodes))
