"""Walk: what all recursive searches share. It enters and leaves nodes, scores leaves, counts and records the trace.

So an algorithm is as short as its pseudocode: enter a node, loop over its successors, leave it with a value.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

from zermelo import rules
from zermelo.game import ONGOING, Game, GameError, Move, State
from zermelo.limits import Limit
from zermelo.textbook.pseudocode import search_code
from zermelo.textbook.search_result import Result
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tree_node import NAME_LENGTH, LimitReached, Node, RepetitionError, check_game, check_options
from zermelo.value import DECISIVE, EXACT, INFINITY, Score, Value, ending


class Walk:
    """One search of one tree. Max is the player to move at its root.

    Scores are seen by Max; with `negamax`, by the player to move at each node. A chance node is an error
    unless `chance`.
    """

    def __init__(
        self,
        algorithm: str,
        game: Game,
        state: State = None,
        *,
        depth: int | None = None,
        repetition: str | None = None,
        trace: Trace | None = None,
        order: bool = False,
        negamax: bool = False,
        chance: bool = False,
    ) -> None:
        check_game(algorithm, game, trace)
        check_options(algorithm, game, depth, repetition)
        self.algorithm, self.game, self.depth, self.repetition = algorithm, game, depth, repetition
        self.trace, self.order, self.negamax, self.chance = trace, order, negamax, chance
        self.nodes = self.leaves = self.cutoffs = 0
        self.horizon = False  # whether a leaf was scored by the static evaluation
        self.found_chance = False
        self.found_repetition = False
        self.first: tuple[Move, ...] = ()  # a line of moves to try before others
        self.unlimited = depth is None  # without a limit, a repetition would never end
        self.max_nodes: float = math.inf
        self.deadline = math.inf
        self.code = search_code(algorithm)
        self.distance = rules.has_distance(game)
        self._may_chance = rules.has_chance(game)
        self._path: dict[State, int] = {}
        self.root = Node(rules.given_state(game, state))
        self.root.chance = self.is_chance(self.root.state)

    def apply_limit(self, limit: Limit, start: float, nodes: int) -> None:
        """Apply what is left of a limit: `nodes` are used, and the clock started at `start`."""
        self.max_nodes = math.inf if limit.nodes is None else limit.nodes - nodes
        self.deadline = math.inf if limit.seconds is None else start + limit.seconds
        self.unlimited = limit.unlimited

    def run(self, search: Callable[[Node], Score], title: str = "") -> Score:
        """The score of the root by `search`. Raise GameError if the recursion is too deep for Python."""
        if self.trace is not None:
            self.trace.game, self.trace.code = self.game, self.code
            self.trace.search(title or self.algorithm)
        try:
            return search(self.root)
        except RecursionError:
            raise GameError(
                f"{self.algorithm} of {self.game!r} went {len(self._path)} plies deep, which is more than Python's "
                "recursion allows; give a `depth`, or use backward_induction or retrograde."
            ) from None

    # -- nodes -------------------------------------------------------------------------------------------------

    def enter(self, node: Node, alpha: Score = -INFINITY, beta: Score = INFINITY) -> Score | None:
        """Enter a node: return its score if it is a leaf, otherwise None, and then `leave` must follow."""
        self._count()
        if node.chance and not self.chance:
            self._refuse_chance(node)
        if self.trace is not None:
            self._trace_enter(node, *self.shown_window(node, alpha, beta))
        score = self._leaf_score(node)
        if score is None:
            self._path.setdefault(node.state, node.ply)
            self.found_chance |= node.chance
            return None
        self.leaves += 1
        score = score if self.negamax else node.sign * score
        if self.trace is not None:
            self.trace.leaf(self.shown(node, score), node.leaf)
        return score

    def leave(self, node: Node, score: Score, bound: str = "") -> Score:
        """Close a node with its score, or with a `bound` on it that a probe found."""
        if self._path[node.state] == node.ply:  # it is not a repetition of an earlier ply
            del self._path[node.state]
        if self.trace is not None:
            self.trace.leave(self.shown(node, score), bound)
        return score

    def children(self, node: Node) -> Iterator[Node]:
        """Iterate over the successors of a node."""
        node.rest = self._moves(node)
        while node.rest:
            yield self.child(node, node.rest.pop(0))

    def child(self, node: Node, move: Move) -> Node:
        state = rules.checked_play(self.game, node.state, move)
        sign = -node.sign if rules.changes_player(self.game, node.state, state) else node.sign
        on_pv = node.on_pv and node.ply < len(self.first) and self.first[node.ply] == move
        return Node(state, sign, node.ply + 1, move, chance=self.is_chance(state), on_pv=on_pv)

    def is_chance(self, state: State) -> bool:
        return self._may_chance and self.game.result(state) == ONGOING and self.game.is_chance(state)

    def outcomes(self, node: Node) -> list[tuple[Node, float]]:
        """The successors of a chance node, with their probabilities."""
        chances = rules.listed_chances(self.game, node.state)
        return [(self.child(node, outcome), probability) for outcome, probability in chances]

    def seen_by_parent(self, node: Node, child: Node, score: Score) -> Score:
        """The child's score seen by the player of the node: negated if the player changes."""
        return score if node.sign == child.sign else -score

    # -- events at a node ------------------------------------------------------------------------------------------

    def update(
        self,
        node: Node,
        child: Node | None,
        score: Score,
        alpha: Score = -INFINITY,
        beta: Score = INFINITY,
        note: str = "",
    ) -> None:
        """The node's score changed; `child` is its best successor now."""
        node.best = child
        if self.trace is not None:
            self.trace.update(self.shown(node, score), *self.shown_window(node, alpha, beta), note)

    def known(self, node: Node, child: Node, score: Score) -> None:
        """A successor's score is used again."""
        if self.trace is not None:
            self.trace.known(self._move_text(node, child.move), self.shown(child, score))

    def cut(self, node: Node, score: Score, bound: Score, *, strict: bool = False, name: str = "") -> None:
        """Cut off the rest of the node: its score is at or above beta for Max, at or below alpha for Min."""
        self.cutoffs += 1
        if self.trace is not None:
            name = name or ("beta" if node.sign > 0 else "alpha")
            sign = (">" if name == "beta" else "<") + ("" if strict else "=")
            self.trace.cut(self.shown(node, score), self.shown(node, bound), name, sign, self._rest(node))

    def probe(self, probing: bool) -> None:
        """The open chance node begins, or ends, to probe its successors."""
        if self.trace is not None:
            self.trace.probe(probing)

    def postpone(self, node: Node) -> None:
        """The node was only probed: the rest of its successors may never be visited."""
        if self.trace is not None:
            self.trace.postpone(self._rest(node))

    def shown(self, node: Node, score: Score) -> Score:
        """A score of this node seen by Max, as traces write it."""
        return score * node.sign if self.negamax else score

    def shown_window(self, node: Node, alpha: Score, beta: Score) -> tuple[Score, Score]:
        return (-beta, -alpha) if self.negamax and node.sign < 0 else (alpha, beta)

    # -- results ---------------------------------------------------------------------------------------------------

    def result(self, score: Score, bound: str = EXACT) -> Result:
        """The result of this walk, whose root has `score`."""
        pv = self.pv()
        return Result(
            algorithm=self.algorithm,
            value=self.value(score, bound),
            move=pv[0] if pv else None,
            pv=pv,
            line=self.line(),
            nodes=self.nodes,
            leaves=self.leaves,
            cutoffs=self.cutoffs,
            depth=self.depth,
            bound=bound,
        )

    def value(self, score: Score, bound: str = EXACT) -> Value:
        """The root's value from its score, seen by the player to move."""
        exact = not self.horizon and not (self.found_chance and self.found_repetition)
        margin = self.game.margin
        chance = self.found_chance or not (self.distance or margin)
        value = Value.of(score, exact=exact, margin=margin, chance=chance, bound=bound)
        if value.exact and value.score == 0 and not margin and self._last().leaf == "repetition":
            value = Value.draw_by_repetition()
        return value.seen_by(rules.mover(self.game, self.root.state))

    def pv(self) -> tuple[Move, ...]:
        return tuple(node.move for node in self._line()[1:])

    def line(self) -> tuple[str, ...]:
        """The principal variation in the game's notation."""
        nodes = self._line()
        pairs = pairwise(nodes)
        return tuple(self.game.move_text(node.state, child.move) for node, child in pairs)

    def _line(self) -> list[Node]:
        nodes = [self.root]
        while nodes[-1].best is not None:
            nodes.append(nodes[-1].best)
        return nodes

    def _last(self) -> Node:
        return self._line()[-1]

    # -- helpers -------------------------------------------------------------------------------------------------

    def _count(self) -> None:
        if self.nodes >= self.max_nodes:
            raise LimitReached("nodes")
        if time.perf_counter() >= self.deadline:
            raise LimitReached("seconds")
        self.nodes += 1

    def _leaf_score(self, node: Node) -> Score | None:
        """The score of a leaf seen by its player to move; None for an inner node."""
        payoff = rules.payoff(self.game, node.state)
        if payoff != ONGOING:
            node.leaf = "stuck" if self.game.result(node.state) == ONGOING else "end"
            return ending(payoff, node.ply) if self.distance else self._points(node, payoff)
        if node.state in self._path and self._repeats(node):
            node.leaf, self.found_repetition = "repetition", True
            return 0
        if node.ply == self.depth:
            node.leaf, self.horizon = "evaluate", True
            return rules.static_eval(self.game, node.state)
        node.leaf = ""
        return None

    def _points(self, node: Node, payoff: int) -> int:
        if abs(payoff) >= DECISIVE:
            raise GameError(
                f"{self.algorithm} of {self.game!r}: {self.game.state_text(node.state)} is worth {payoff} points, and "
                f"scores have room for less than {DECISIVE}."
            )
        return payoff

    def _repeats(self, node: Node) -> bool:
        """Whether a repetition is a draw. Raise RepetitionError if that is not given and no limit ends the search."""
        if self.repetition is None and self.unlimited:
            problem = (
                f"{self.algorithm} of {self.game!r} would not end: {self.game.state_text(node.state)}, at ply "
                f"{node.ply}, repeats ply {self._path[node.state]}"
            )
            raise RepetitionError(problem, "value_iteration" if self._may_chance else "retrograde")
        return self.repetition == "draw"

    def _moves(self, node: Node) -> list[Move]:
        moves = rules.listed_moves(self.game, node.state)
        if self.order:
            moves.sort(key=lambda move: -self.game.order(node.state, move))
        if node.on_pv and node.ply < len(self.first):
            moves.sort(key=lambda move: move != self.first[node.ply])
        return moves

    def _refuse_chance(self, node: Node) -> None:
        raise GameError(
            f"{self.algorithm} cannot search {self.game!r}: chance moves in {self.game.state_text(node.state)}; "
            "use expectiminimax, star1 or star2."
        )

    # -- the trace ---------------------------------------------------------------------------------------------------

    def _trace_enter(self, node: Node, alpha: Score, beta: Score) -> None:
        assert self.trace is not None
        move = "" if node.ply == 0 else self.game.move_text(self.trace.state(), node.move)
        text = self.game.state_text(node.state)
        name = text if self._short(text) else " ".join([*self.trace.path(), move]).strip() or "root"
        self.trace.enter(name, move, node.kind, node.ply, alpha, beta, node.state, text)

    def _name(self, child: Node, node: Node) -> str:
        """The name of a successor that is not entered."""
        assert self.trace is not None
        text = self.game.state_text(child.state)
        return text if self._short(text) else " ".join([*self.trace.path(), self._move_text(node, child.move)])

    def _rest(self, node: Node) -> list[tuple[str, str]]:
        """The names and moves of the successors that were not tried."""
        return [(self._name(self.child(node, move), node), self._move_text(node, move)) for move in node.rest]

    def _move_text(self, node: Node, move: Move) -> str:
        return self.game.move_text(node.state, move)

    def _short(self, text: str) -> bool:
        """Whether a state's text is its name in a trace: the author wrote `state_text`, and the text is short."""
        return self.game.has("state_text") and "\n" not in text and 0 < len(text) <= NAME_LENGTH
