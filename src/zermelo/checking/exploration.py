"""Explore a game breadth first, then by random games, and check the basic rules at every state."""

from __future__ import annotations

import math
from collections import Counter, deque
from typing import Any

from zermelo.checking.answer_types import described, is_bool, is_hashable, is_int, is_number, shown
from zermelo.checking.counterexample import Visit
from zermelo.checking.examiner import Examiner
from zermelo.checking.symmetry import check_equal_state
from zermelo.game import ONGOING, State
from zermelo.rules import alternates
from zermelo.value import DECISIVE, DRAW, LOSS, WIN

MAX_GAME_PLIES = 1000
"""Plies after which a random game is stopped."""

EXPLORED_GAMES = 30
"""Random games in which states are visited."""

MAX_MOVES_PLAYED = 100
"""Moves that are played from one state, chosen at random if there are more."""


def explore(examiner: Examiner, states: int) -> bool:
    """Visit about `states` states, half of them breadth first. Return whether these are all that can be reached."""
    root = _arrive(examiner, None, None, examiner.ask("initial", None))
    if not root.ongoing:
        examiner.note("result", root, "says that the game is over before the first move", "game.result(state)")
    complete = _breadth_first(examiner, root, states // 2)
    games = 0
    while games < EXPLORED_GAMES and (games == 0 or len(examiner.visits) < states) and not examiner.late:
        _random_game(examiner, root, patient=games % 2 == 1)
        games += 1
    return complete


def first_ply(examiner: Examiner) -> None:
    """Visit the initial state and the states one move after it."""
    _breadth_first(examiner, _arrive(examiner, None, None, examiner.ask("initial", None)), 2)


def _breadth_first(examiner: Examiner, root: Visit, states: int) -> bool:
    """Visit states until there are enough or all are expanded; return whether they are."""
    queue, complete = deque([root]), True
    while queue and len(examiner.visits) < states and not examiner.late:
        visit = queue.popleft()
        visit.expanded = True
        moves = visit.moves
        if len(moves) > MAX_MOVES_PLAYED:
            moves, complete = examiner.random.sample(moves, MAX_MOVES_PLAYED), False
        for move in moves:
            known = len(examiner.visits)
            child = _step(examiner, visit, move)
            if len(examiner.visits) > known:
                queue.append(child)
    return complete and not queue


def _random_game(examiner: Examiner, root: Visit, patient: bool) -> None:
    """Play at random to the end. A repetition ends a game that says it has none.

    A patient game tries a few moves for one that does not end it: it leads to late states, whose trees are small.
    """
    visit, plies, seen = root, 0, {root.state}
    while visit.moves and plies < MAX_GAME_PLIES:
        tries = examiner.random.sample(visit.moves, min(len(visit.moves), 4 if patient else 1))
        for move in tries:
            child = _step(examiner, visit, move)
            if child.ongoing:
                break
        visit = child
        plies += 1
        if visit.state in seen and not examiner.game.loops:
            return
        seen.add(visit.state)
    if visit.moves and not examiner.game.loops:
        examiner.note("play", root, f"did not come to an end within {MAX_GAME_PLIES} plies of random play", "game")


def _step(examiner: Examiner, visit: Visit, move: Any) -> Visit:
    """Play one move, visit the state it leads to, and record the edge."""
    known = next((child for played, child in visit.children if played == move), None)
    if known is not None:
        return known
    child = _arrive(examiner, visit, move, examiner.ask("play", visit, visit.state, move))
    visit.children.append((move, child))
    if visit.mover is not None and alternates(examiner.game) and visit.mover == child.mover:
        problem = f"says {child.mover} both before and after {_move(move)}, although the players alternate"
        examiner.fail("mover", visit, problem, f"game.mover(state), game.mover(game.play(state, {move!r}))")
    return child


def _move(move: Any) -> str:
    return f"the move {shown(move)}"


# -- one state -------------------------------------------------------------------------------------------------


def _arrive(examiner: Examiner, parent: Visit | None, move: Any, state: State) -> Visit:
    """The visit of a state; its basic rules are checked the first time."""
    if state in examiner.visits:
        check_equal_state(examiner, examiner.visits[state], parent, move, state)
        return examiner.visits[state]
    visit = examiner.visits[state] = Visit(state, parent, move, parent.plies + 1 if parent else 0)
    visit.result = examiner.ask("result", visit, state)
    check_payoff(examiner, "result", visit, visit.result)
    _check_turn(examiner, visit)
    if visit.ongoing:
        _check_chances(examiner, visit) if visit.chance else _check_moves(examiner, visit)
    else:
        _check_no_moves_after_end(examiner, visit)
    return visit


def check_payoff(examiner: Examiner, rule: str, visit: Visit, answer: Any) -> None:
    """A payoff is an int: WIN, DRAW or LOSS, or a margin inside the band of values; `result` may say ONGOING."""
    problem = ""
    if not is_int(answer):
        problem = f"returns {described(answer)}; a payoff is an int{_payoffs(examiner, rule)}"
    elif answer == ONGOING:
        problem = "returns ONGOING, although no move is left" if rule == "stuck" else ""
    elif not examiner.game.margin and answer not in (WIN, DRAW, LOSS):
        problem = f"returns {answer}, not WIN, DRAW, LOSS or ONGOING; a game that counts points says margin = True"
    elif abs(answer) >= DECISIVE:
        problem = f"returns {answer}; a margin lies between -{DECISIVE} and {DECISIVE}"
    if problem:
        examiner.fail(rule, visit, problem, f"game.{rule}(state)")


def _check_turn(examiner: Examiner, visit: Visit) -> None:
    game, state = examiner.game, visit.state
    if game.has("is_chance"):
        visit.chance = examiner.ask("is_chance", visit, state)
        if not is_bool(visit.chance):
            examiner.fail(
                "is_chance",
                visit,
                f"returns {described(visit.chance)}, not True or False",
                "game.is_chance(state)",
            )
    if game.has("mover"):
        visit.mover = examiner.ask("mover", visit, state)
        if not is_int(visit.mover) or visit.mover not in (0, 1):
            examiner.fail("mover", visit, f"returns {described(visit.mover)}, not 0 or 1", "game.mover(state)")


def _payoffs(examiner: Examiner, rule: str) -> str:
    """The payoffs of a game, as they are written."""
    if examiner.game.margin:
        return ", or ONGOING" if rule == "result" else ""
    return ": WIN, DRAW or LOSS, or ONGOING" if rule == "result" else ": WIN, DRAW or LOSS"


def _check_moves(examiner: Examiner, visit: Visit) -> None:
    moves = visit.moves = examiner.ask("moves", visit, visit.state)
    _check_distinct(examiner, "moves", visit, moves)
    if moves:
        return
    if not examiner.game.has("stuck"):
        problem = "is empty and `result` says ONGOING; a `stuck` rule must say what the player to move gets"
        problem += ", or `result` that the game is over here"
        examiner.fail("moves", visit, problem, "game.result(state), list(game.moves(state))")
    check_payoff(examiner, "stuck", visit, examiner.ask("stuck", visit, visit.state))


def _check_distinct(examiner: Examiner, rule: str, visit: Visit, moves: list[Any]) -> None:
    code = f"list(game.{rule}(state))"
    for move in moves:
        if move is None or not is_hashable(move):
            kind = "an outcome" if rule == "chances" else "a move"
            why = "but None says that there is none" if move is None else "which is no hashable value"
            examiner.fail(rule, visit, f"gives {shown(move)} as {kind}, {why}", code)
        if move != move:
            examiner.fail(rule, visit, f"gives {_move(move)}, which is not equal to itself", code)
    for move, count in Counter(moves).items():
        if count > 1:
            examiner.fail(rule, visit, f"gives {_move(move)} {'twice' if count == 2 else f'{count} times'}", code)


def _check_chances(examiner: Examiner, visit: Visit) -> None:
    chances, code = examiner.ask("chances", visit, visit.state), "list(game.chances(state))"
    for pair in chances:
        if not isinstance(pair, tuple) or len(pair) != 2:
            examiner.fail("chances", visit, f"yields {shown(pair)}, not a pair of an outcome and its probability", code)
        if not is_number(pair[1]) or not 0 < pair[1] <= 1 + 1e-9:
            problem = f"gives {shown(pair[0])} the probability {shown(pair[1])}, not above 0 and up to 1"
            swapped = isinstance(pair[0], float) and 0 < pair[0] <= 1
            hint = "; a pair is the outcome first, then its probability" if swapped else ""
            examiner.fail("chances", visit, problem + hint, code)
    visit.moves = [outcome for outcome, _ in chances]
    _check_distinct(examiner, "chances", visit, visit.moves)
    total = math.fsum(probability for _, probability in chances)
    if abs(total - 1) > 1e-9:
        examiner.fail(
            "chances",
            visit,
            f"has probabilities that sum to {total:.10g}, not 1",
            "sum(p for _, p in game.chances(state))",
        )


def _check_no_moves_after_end(examiner: Examiner, visit: Visit) -> None:
    """Moves of a finished game are never used, so they may be anything; a strict check allows none."""
    if not examiner.strict:
        return
    try:
        moves = list(examiner.game.moves(visit.state))
    except Exception:
        return
    if moves:
        examiner.note(
            "moves", visit, "still lists moves after the end, where nobody asks for them", "list(game.moves(state))"
        )
