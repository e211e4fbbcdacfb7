"""check(game): the contract of a Game, for any author.

What is promised, and where it is looked at:

- facts and arguments of the rules (`facts`); states, moves, results, turns and chances (`explore`)
- every rule changes nothing and depends on its arguments alone (`examiner`)
- estimates and guesses are numbers, and who passes leaves a state (`judgement`); payoffs keep their bounds (`payoffs`)
- texts and pictures (`notation`)
- symmetries, representatives and keys (`sameness`); layers, which equivalent states share, numbers, un-moves and loops
  (`solving`)
- bounds, candidates and symmetries keep the minimax value (`soundness`)
- compiled rules answer as interpreted ones do (`agreement`)
- a `key` rule tells states apart, on millions of them where the rules compile (`keys`)

A move after the end: `moves` is asked only of ONGOING states, so what it lists after the end is an error only with
`strict=True`. But `parse_move` must refuse every move there, and `predecessors` must not name a finished
state, since both would let play go on.
"""

from __future__ import annotations

from zermelo.arguments import check_int, check_number, checked_game
from zermelo.checking.answer_types import in_words
from zermelo.checking.check_report import CheckError, CheckReport
from zermelo.checking.compiled_agreement import check_agreement
from zermelo.checking.compiled_rules import compiled
from zermelo.checking.evaluation_rules import check_judgement
from zermelo.checking.examiner import Examiner
from zermelo.checking.exploration import explore, first_ply
from zermelo.checking.game_facts import check_facts, written_rules
from zermelo.checking.key_collisions import compare_many_keys
from zermelo.checking.notation_roundtrip import check_notation
from zermelo.checking.payoff_bounds import check_payoffs
from zermelo.checking.solver_rules import check_solving
from zermelo.checking.soundness import check_soundness
from zermelo.checking.symmetry import check_sameness
from zermelo.game import Game

__all__ = ["CheckError", "CheckReport", "check", "compiled", "glance"]


def check(
    game: Game, *, states: int = 1000, games: int = 30, seed: int = 0, seconds: float = 1.0, strict: bool = False
) -> CheckReport:
    """A report on a game that keeps the contract; else a CheckError with the rule, the state and a reproduction.

    About `states` states are visited, breadth first and in up to `games` random games, the same ones for the same
    `seed`. Each part of the check stops looking at further states after about `seconds`. With `strict`, what would be a
    note in the report is an error.

    >>> import zermelo as z
    >>> print(z.check(z.load("tic_tac_toe"), games=10).game)
    TicTacToe(width=3, height=3, in_a_row=3)
    """
    _check_options(game, states, games, seconds)
    examiner = Examiner(game, seed, seconds, strict)
    check_facts(examiner)
    played, longest = explore(examiner, states, games)
    examiner.ask_again()
    for part in (check_judgement, check_payoffs, check_notation, check_sameness, check_solving):
        examiner.restart_clock()
        part(examiner)
    examiner.restart_clock()
    solved = check_soundness(examiner)
    examiner.ask_again()
    examiner.restart_clock()
    compared, reason = check_agreement(examiner)
    examiner.restart_clock()
    keys = compare_many_keys(examiner, compiled=reason is None)
    return CheckReport(
        game=repr(game),
        native=reason is None,
        native_error=None if reason is None else in_words(reason),
        states=len(examiner.visits),
        games=played,
        longest=longest,
        max_moves=max(len(visit.moves) for visit in examiner.visits.values()),
        compared=compared,
        solved=solved,
        rules=written_rules(game),
        notes=tuple(examiner.notes),
        keys=keys,
    )


def glance(game: Game, *, raising: bool = False) -> None:
    """Raise a CheckError where the rules go wrong in the initial state or one move after it: a moment's look.

    A rule that raises is left to raise where it is needed, unless `raising`; this is for what would go on silently,
    such as a `result` of None.
    """
    examiner = Examiner(game, 0, 1.0, False)
    try:
        check_facts(examiner)
        first_ply(examiner)
    except CheckError as found:
        if raising or found.__context__ is None:
            raise


def _check_options(game: Game, states: int, games: int, seconds: float) -> None:
    checked_game("check", game)
    check_int(f"check of {game!r}", least=1, states=states, games=games)
    check_number(f"check of {game!r}", above_zero=True, seconds=seconds)
