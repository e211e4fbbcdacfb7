"""Refit weights to labels: values of deeper searches, or the exact ones of a database.

States come from self-play, as in training. What labels them is a search with the network as it is when a round begins,
or the solution of the game. The update is that of training: logistic regression, step by step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo import rules
from zermelo.game import Game, GameError
from zermelo.learning.state_labels import label_by_expectation, label_by_search
from zermelo.learning.training import Training
from zermelo.learning.training_format import RECORDS_HEAD, ROWS, TARGET
from zermelo.networks.learned_game import with_network
from zermelo.searching.alphabeta.transposition_table import new_table
from zermelo.searching.runtime.thread_memory import AGE, MAX_NODES, STOP, WIDTH_NEEDED, new_memory
from zermelo.solving.solution import Solution
from zermelo.value import WIN
from zermelo.word_arrays import Words

LABEL_NODES = 1 << 40
"""More nodes than a label takes: its search is limited by depth."""

TABLE_MEGABYTES = 1
"""Memory of the table of a labelling thread."""


class SearchLabels:
    """Labels by searches of a fixed depth, with a snapshot of the network."""

    def __init__(self, training: Training, depth: int) -> None:
        self.training, self.depth = training, depth
        self.game: Game = training.game
        self.width = 64

    def begin_round(self) -> None:
        """Take a new snapshot of the network."""
        self.game = with_network(self.training.game, self.training.result({}))

    def label(self, records: Words) -> None:
        """Set the targets of records."""
        kernel = label_by_expectation if rules.has_chance(self.game) else label_by_search
        settings, scale, row = self.training.settings(), self.training.scale, 0
        while row < records[ROWS]:
            memory, table = new_memory(self.width), new_table(TABLE_MEGABYTES)
            memory[AGE], memory[MAX_NODES] = 1, LABEL_NODES
            row = int(kernel(self.game, self.depth, row, scale, settings, records, table, memory))
            if memory[STOP] and not memory[WIDTH_NEEDED]:
                raise GameError(
                    f"learn of {self.game!r}: a search for a label was stopped; its evaluation is not finite."
                )
            self.width = max(self.width, 2 * memory[WIDTH_NEEDED])


class ExactLabels:
    """Labels from a database; states that it lacks keep their targets."""

    def __init__(self, training: Training, solution: Solution) -> None:
        self.training, self.solution = training, solution

    def begin_round(self) -> None:
        """Nothing changes from round to round."""

    def label(self, records: Words) -> None:
        """Set the targets of records."""
        size, length = self.training.record_words, rules.state_length(self.training.game)
        count = records[ROWS]
        rows = records.array[RECORDS_HEAD : RECORDS_HEAD + count * size].reshape(count, size)
        states = [
            rules.state_from_words(self.training.game, Words(np.ascontiguousarray(row[size - length :])))
            for row in rows
        ]
        found = self.solution.values(states, strict=False)
        values = self._normalised(found)
        known = ~np.isnan(values)
        rows[known, TARGET] = values[known].view(np.int64)

    def _normalised(self, found: Any) -> Any:
        """Values between -1 and 1; nan where the database has none."""
        if self.training.scale > 0:
            return np.clip(found.score / self.training.scale, -1.0, 1.0)
        return np.where(np.isnan(found.score), np.nan, np.where(abs(found.outcome) <= WIN, found.outcome, np.nan))


Labels = SearchLabels | ExactLabels


def labels_for(training: Training, depth: int, database: Any) -> Labels:
    """Return what labels states: the database where there is one, else searches of this depth."""
    if database is None:
        return SearchLabels(training, depth)
    from zermelo.searching.runtime.tablebase_probing import checked_solution

    return ExactLabels(training, checked_solution("learn", training.game, database))


def forget_step_sizes(training: Training) -> None:
    """Let every weight take full steps again: labels are other targets than those of self-play."""
    training.weights[training.weights.size // 3 :] = 0.0
