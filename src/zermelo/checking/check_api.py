"""check(game): test any game against the contract of Game.

The parts of the contract, and the modules that check them:

- facts of the game and arguments of its rules                            game_facts
- states, moves, results, players and chances                             exploration
- states that are equal, but of different classes, are one state          symmetry
- a rule changes nothing and depends on its arguments alone               examiner
- evaluations and move-ordering scores are numbers, `skip` makes a state  evaluation_rules
- payoffs and evaluations lie inside `payoff_bounds`                      evaluation_rules
- texts are read back, boards can be drawn                                notation_roundtrip
- symmetries, canonical states and keys                                   symmetry
- stages, indices, predecessors and loops                                 solver_rules
- bounds, candidates and symmetries keep the minimax value                soundness
- compiled rules agree with interpreted ones                              compiled_agreement
- who wins random games, and after how many plies                         playout_statistics
- what a `noisy` rule costs a search                                      noise_cost
- a `key` rule has no collision among millions of states                  key_collisions

Moves after the end: `moves` is called for ONGOING states only, so moves of a finished state are an error only with
`strict=True`. But `parse_move` must reject every move there, and `predecessors` must not yield a finished state, since
both would let play continue.
"""

from __future__ import annotations

from zermelo.arguments import check_int, check_number, checked_game
from zermelo.checking.check_report import CheckError, CheckReport
from zermelo.checking.compiled_agreement import check_agreement
from zermelo.checking.compiled_rules import compiled
from zermelo.checking.evaluation_rules import check_evaluation, check_payoffs
from zermelo.checking.examiner import Examiner
from zermelo.checking.exploration import explore, first_ply
from zermelo.checking.game_facts import check_facts, written_rules
from zermelo.checking.key_collisions import check_key_collisions
from zermelo.checking.measures.noise_cost import noise_cost
from zermelo.checking.measures.playout_statistics import play_at_random
from zermelo.checking.notation_roundtrip import check_boards, check_notation
from zermelo.checking.solver_rules import check_solving
from zermelo.checking.soundness import check_soundness
from zermelo.checking.symmetry import check_symmetry
from zermelo.game import Game

__all__ = ["CheckError", "CheckReport", "check", "compiled", "glance"]


def check(
    game: Game, *, states: int = 1000, games: int = 100, seed: int = 0, seconds: float = 1.0, strict: bool = False
) -> CheckReport:
    """A report on a game that keeps the contract. Raise CheckError with the rule, the state and a reproduction if not.

    About `states` states are visited, breadth first and at random. Up to `games` games are played at random, for their
    outcomes and lengths. The same `seed` chooses the same ones. Each part of the check ends after about `seconds`. With
    `strict`, the notes of the report are errors.

    >>> import zermelo as z
    >>> report = z.check(z.load("tic_tac_toe"), seconds=60)
    >>> report.play.ended, report.play.shortest, report.play.longest
    (100, 5, 9)
    """
    _check_options(game, states, games, seconds)
    examiner = Examiner(game, seed, seconds, strict)
    check_facts(examiner)
    complete = explore(examiner, states)
    hurried = examiner.late and not complete
    examiner.ask_again()
    for part in (check_evaluation, check_payoffs, check_notation, check_symmetry, check_solving):
        examiner.restart_clock()
        part(examiner)
    examiner.restart_clock()
    solved = check_soundness(examiner)
    examiner.ask_again()
    examiner.restart_clock()
    play = play_at_random(examiner, games)
    examiner.restart_clock()
    compared, reason = check_agreement(examiner)
    examiner.restart_clock()
    keys = check_key_collisions(examiner, compiled=reason is None)
    examiner.restart_clock()
    noise = noise_cost(examiner)
    return CheckReport(
        game=repr(game),
        native=reason is None,
        native_error=reason,
        states=len(examiner.visits),
        complete=complete,
        hurried=hurried,
        ends=sum(not visit.moves for visit in examiner.visits.values()),
        play=play,
        margin=game.margin,
        max_moves=max(len(visit.moves) for visit in examiner.visits.values()),
        compared=compared,
        solved=solved,
        rules=written_rules(game),
        notes=tuple(examiner.notes),
        keys=keys,
        noise=noise,
    )


def glance(game: Game, *, raising: bool = False) -> None:
    """Check the initial state and the states one move after it, quickly. Raise CheckError if a rule is wrong there.

    This finds errors that would pass silently, such as a `result` of None. A rule that raises an exception is ignored
    unless `raising`: it raises again where it is needed. With `raising`, boards are checked as well, which takes
    longer.
    """
    examiner = Examiner(game, 0, 1.0, False)
    try:
        check_facts(examiner)
        first_ply(examiner)
        if raising:
            examiner.restart_clock()
            check_boards(examiner)
    except CheckError as found:
        if raising or found.__context__ is None:
            raise


def _check_options(game: Game, states: int, games: int, seconds: float) -> None:
    checked_game("check", game)
    check_int(f"check of {game!r}", least=1, states=states, games=games)
    check_number(f"check of {game!r}", above_zero=True, seconds=seconds)
