"""The textbook algorithms, short and exact, on any Game. Each takes a `trace=` that records every step.

minimax, negamax            the value of a tree, in two forms
alphabeta, root_search      the same value with cut-offs; with a line for each move
aspiration                  alpha-beta with a window around a guess
iterative_deepening         alpha-beta to growing depth, under a limit
win_loss                    the winner only, stopping at the first winning successor
expectiminimax              trees with chance nodes
star1, star2                trees with chance nodes, with cut-offs
backward_induction          every state, level by level
retrograde                  every state of a game with cycles: W, L, ?
value_iteration             every state of a game of chance with cycles
"""

from zermelo.textbook.alphabeta_search import Line, RootResult, alphabeta, root_search
from zermelo.textbook.aspiration_windows import AspirationResult, Window, aspiration
from zermelo.textbook.backward_induction_table import Induction, backward_induction
from zermelo.textbook.expectiminimax_search import expectiminimax
from zermelo.textbook.iterative_deepening_search import DeepeningResult, iterative_deepening
from zermelo.textbook.minimax_search import minimax, negamax
from zermelo.textbook.retrograde_analysis import Retrograde, TwoBits, retrograde
from zermelo.textbook.search_result import Result
from zermelo.textbook.star_search import star1, star2
from zermelo.textbook.tracing.replay import OpenNode, Replay, Snapshot
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tracing.trace_steps import Cut, Step, TraceNode
from zermelo.textbook.value_iteration_table import Iteration, value_iteration
from zermelo.textbook.value_table import Table
from zermelo.textbook.win_loss_search import win_loss

__all__ = [
    "AspirationResult",
    "Cut",
    "DeepeningResult",
    "Induction",
    "Iteration",
    "Line",
    "OpenNode",
    "Replay",
    "Result",
    "Retrograde",
    "RootResult",
    "Snapshot",
    "Step",
    "Table",
    "Trace",
    "TraceNode",
    "TwoBits",
    "Window",
    "alphabeta",
    "aspiration",
    "backward_induction",
    "expectiminimax",
    "iterative_deepening",
    "minimax",
    "negamax",
    "retrograde",
    "root_search",
    "star1",
    "star2",
    "value_iteration",
    "win_loss",
]  # fmt: skip
