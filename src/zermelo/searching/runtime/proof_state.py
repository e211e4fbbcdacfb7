"""The state of a proof: of an exact search, or of proofs that are tried between rounds of deepening."""

from __future__ import annotations

from zermelo.searching.runtime.mtd_bisection import Proof
from zermelo.searching.runtime.search_worker import RootMove, Worker
from zermelo.value import INFINITY, Score


class ProofState:
    """The Proof of the root's value, once it has begun. Callers hold the lock of the search."""

    def __init__(self, exact: bool, between_rounds: bool) -> None:
        self.exact = exact
        self.between_rounds = between_rounds
        self.too_deep = False
        """Whether a line is too long to be proven."""
        self._proof: Proof | None = None

    def begin(self, worker: Worker, count: int) -> None:
        """Begin the proof of `count` lines, unless it has begun."""
        self._proof = self._proof or Proof(worker, count)

    @property
    def proof(self) -> Proof:
        """The proof that has begun."""
        assert self._proof is not None
        return self._proof

    @property
    def bounds(self) -> tuple[Score, Score]:
        """Proven bounds of the root's score."""
        return (-INFINITY, INFINITY) if self._proof is None else self._proof.bounds

    def corrected(self, found: list[RootMove]) -> list[RootMove]:
        """Correct the lines of a round by what is proven between rounds."""
        if self.exact or self._proof is None or self._proof.complete:
            return found
        return self._proof.corrected(found)

    def best_lines(self, lines: list[RootMove]) -> list[RootMove]:
        """The best lines after a test: those of the proof, or of the rounds while a proof between them is open."""
        if self.exact or self.proof.complete:
            return self.proof.best_lines(lines)
        return self.corrected(lines)
