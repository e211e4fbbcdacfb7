"""The algorithms of the lectures, short and exact, on any Game. Each takes a `trace=` that records every step.

By what they find:

    minimax, negamax            the value of a tree, in two forms
    alphabeta, root_search      without visiting what cannot change it; with a line for each move
    aspiration, deepening       alpha-beta around a guess; to growing depth, under a clock
    win_loss                    who wins, stopping at the first winning successor
    expectiminimax              with chance nodes
    star1, star2                with chance nodes, and cut-offs
    backward_induction          every state, level by level
    retrograde                  every state of a game with loops: W, L, ?
    value_iteration             every state of a game of chance with loops
"""

from zermelo.textbook.alphabeta import Line, RootResult, alphabeta, root_search
from zermelo.textbook.aspiration import AspirationResult, Window, aspiration
from zermelo.textbook.backward_induction import Induction, backward_induction
from zermelo.textbook.deepening import DeepeningResult, deepening
from zermelo.textbook.expectiminimax import expectiminimax
from zermelo.textbook.minimax import minimax, negamax
from zermelo.textbook.replay import OpenNode, Picture, Replay
from zermelo.textbook.result import Result
from zermelo.textbook.retrograde import Retrograde, TwoBits, retrograde
from zermelo.textbook.star import star1, star2
from zermelo.textbook.steps import Cut, Step, TraceNode
from zermelo.textbook.table import Table
from zermelo.textbook.trace import Trace
from zermelo.textbook.value_iteration import Iteration, value_iteration
from zermelo.textbook.win_loss import win_loss

__all__ = [
    "AspirationResult", "Cut", "DeepeningResult", "Induction", "Iteration", "Line", "OpenNode", "Picture", "Replay",
    "Result", "Retrograde", "RootResult", "Step", "Table", "Trace", "TraceNode", "TwoBits", "Window", "alphabeta",
    "aspiration", "backward_induction", "deepening", "expectiminimax", "minimax", "negamax", "retrograde",
    "root_search", "star1", "star2", "value_iteration", "win_loss",
]  # fmt: skip
