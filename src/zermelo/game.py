"""Game: the rules of a two-player zero-sum game of perfect information, as one plain class.

A game is (states, initial state, successors, terminal states, values). Its author writes four rules,
`initial`, `moves`, `play` and `result`; everything else on this page is optional, has a default,
and is found by name.

Conventions:

- Everything is seen by the player to move: `result`, `stuck`, `evaluate`, `bounds`.
- A state is a small immutable value (a NamedTuple of ints; nested tuples are fine), a move is an int.
  Such games compile to machine code. Any other hashable state and move still work, interpreted.
- Rules are called with positional arguments, so an author names the arguments freely.
- Payoffs are ints: WIN, DRAW, LOSS, or any int where `margin = True`.
- A rule depends on its arguments and the parameters alone, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, dataclass_transform

from zermelo.board import Board
from zermelo.constant_properties import remember_properties
from zermelo.declaration import check_parameters, declare
from zermelo.formatting import plain_repr
from zermelo.state_literals import plain, read_literal
from zermelo.value import INFINITY, loss_in, win_in

ONGOING = 1 << 40
"""What `result` says of a game that is not over: no payoff is as large."""

State = Any
Move = Any
"""The states and moves of some game, where nothing is known of it."""

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    StateT = TypeVar("StateT", default=Any)
    MoveT = TypeVar("MoveT", default=Any)
else:  # a type variable has a default in Python 3.13, and only type checkers need it
    from typing import TypeVar

    StateT = TypeVar("StateT")
    MoveT = TypeVar("MoveT")

REQUIRED = ("initial", "moves", "play", "result")
OPTIONAL = (
    "mover", "stuck", "is_chance", "chances", "evaluate", "features", "order", "noisy", "forcing", "skip", "bounds",
    "candidates", "symmetries", "canonical", "key", "stage", "size", "index", "at", "predecessors", "same_stage",
    "board", "squares", "highlights", "move_text", "parse_move", "state_text", "parse_state",
)  # fmt: skip


class GameError(ValueError):
    """An error whose message is a sentence: the game, the state, and the rule or argument that is wrong."""


@dataclass_transform(frozen_default=True)
class Game(Generic[StateT, MoveT]):
    """Base class of every game. Annotated class fields are its parameters: a Game is a frozen dataclass.

    `class Nim(Game[State, int])` names the types of states and moves, and a type checker then checks the rules.
    `class Nim(Game)` leaves them open.

    >>> class Countdown(Game):
    ...     '''Take one or two; the player who takes the last one wins.'''
    ...     start: int = 4
    ...     def initial(self):
    ...         return self.start
    ...     def moves(self, left):
    ...         return range(1, min(left, 2) + 1)
    ...     def play(self, left, taken):
    ...         return left - taken
    ...     def result(self, left):
    ...         return LOSS if left == 0 else ONGOING
    >>> Countdown(start=5)
    Countdown(start=5)
    >>> Countdown().has("mover")
    False
    """

    # -- facts -------------------------------------------------------------------------------------------------

    loops: ClassVar[bool] = False
    """Play can repeat a state."""

    margin: ClassVar[bool] = False
    """Payoffs are points to be maximized; how soon the game ends does not matter."""

    native: ClassVar[bool | None] = None
    """True: rules that do not compile are an error at once, not a slow game. False: they are never compiled."""

    alternates: ClassVar[bool | None] = None
    """The players strictly take turns. None: they do, unless there is a `mover` rule."""

    payoff_bounds: ClassVar[tuple[int, int]] = (-1, 1)
    """The least and the greatest payoff of the first player, in a game of points or of chance."""

    reductions: ClassVar[bool] = False
    """Moves late in the ordering may be searched less deeply: estimates get deeper, and a short win may be missed."""

    futility: ClassVar[float] = 0.0
    """How much a quiet move usually changes the evaluation. Above 0, moves near the horizon that cannot matter by this
    measure are not searched: estimates get deeper, and some are wrong."""

    singular: ClassVar[float] = 0.0
    """How much better a move must be than every other, for each ply of depth, to be searched a ply deeper. 0: no move
    is."""

    replies: ClassVar[int] = 0
    """In games of chance, how many moves of a state below the root are searched further: the best by evaluation. 0 is
    all of them. Estimates get deeper, and some are wrong."""

    monte_carlo: ClassVar[Any] = None
    """A MonteCarlo: the settings with which engines search by Monte Carlo; None: they search by alpha-beta.
    `zermelo tune` plays the matches that tell which is better."""

    weights: ClassVar[tuple[float, ...]] = ()
    """With `features`: evaluate(state) is the sum of weights[i] * features(state)[i]."""

    # -- the four rules ----------------------------------------------------------------------------------------

    def initial(self) -> StateT:
        """The state in which the game begins."""
        raise NotImplementedError

    def moves(self, state: StateT, /) -> Iterable[MoveT]:
        """The legal moves of a state that is ONGOING, without duplicates, always in the same order."""
        raise NotImplementedError

    def play(self, state: StateT, move: MoveT, /) -> StateT:
        """The state after `move`, or after the outcome `move` of a chance state."""
        raise NotImplementedError

    def result(self, state: StateT, /) -> int:
        """ONGOING, or what the player to move gets: WIN, DRAW, LOSS, or a margin."""
        raise NotImplementedError

    # -- turns and endings -------------------------------------------------------------------------------------

    def mover(self, state: StateT, /) -> int:
        """0 or 1: whose state this is. Needed when turns do not strictly alternate, chance and ends included."""
        raise GameError(f"{self!r} has no `mover` rule: its states do not say who is to move.")

    def stuck(self, state: StateT, /) -> int:
        """What the mover gets when the state is ONGOING and `moves` is empty."""
        raise GameError(
            f"{self!r}: {self.state_text(state)} is ONGOING and has no moves, and there is no `stuck` rule to say "
            "what the player to move gets."
        )

    # -- chance ------------------------------------------------------------------------------------------------

    def is_chance(self, state: StateT, /) -> bool:
        """Whether chance, not a player, moves here. The state's value is still seen by its `mover`."""
        return False

    def chances(self, state: StateT, /) -> Iterable[tuple[MoveT, float]]:
        """The outcomes of a chance state, each with its probability; they sum to 1."""
        raise GameError(f"{self!r} has `is_chance` but no `chances` rule.")

    # -- static evaluation and search hooks --------------------------------------------------------------------

    def evaluate(self, state: StateT, /) -> float:
        """The static evaluation of an unfinished state for the mover, between -900000 and 900000; 0 is level."""
        if not self.has("features"):
            return 0
        return sum(weight * feature for weight, feature in zip(self.weights, self.features(state), strict=True))

    def features(self, state: StateT, /) -> tuple[float, ...]:
        """Numbers that `weights` turn into an evaluation."""
        return ()

    def order(self, state: StateT, move: MoveT, /) -> int:
        """A static estimate of how good the move is; higher is tried first."""
        return 0

    def noisy(self, state: StateT, move: MoveT, /) -> bool:
        """The move can swing the evaluation: it is searched beyond the horizon."""
        return False

    def forcing(self, state: StateT, /) -> bool:
        """The player to move has little choice, as in check: the state is searched one ply deeper."""
        return False

    def skip(self, state: StateT, /) -> StateT:
        """The state after a null move; the state itself where passing could be better than every move (zugzwang).

        With this rule a search prunes a state that is good enough even for a player who passes, which is a heuristic,
        not a proof.
        """
        return state

    def bounds(self, state: StateT, /) -> tuple[int, int]:
        """Scores (low, high) between which the value is proven to lie: `win_in(n)`, `loss_in(n)`, 0, or margins."""
        return loss_in(0), win_in(0)

    def candidates(self, state: StateT, /) -> Iterable[MoveT]:
        """A subset of `moves` that keeps the state's value."""
        return self.moves(state)

    # -- symmetry ----------------------------------------------------------------------------------------------

    def symmetries(self, state: StateT, /) -> Iterable[StateT]:
        """States equivalent to this one (it may be among them)."""
        return (state,)

    def canonical(self, state: StateT, /) -> StateT:
        """The canonical one of all states equivalent to this one; by default the least of `symmetries`."""
        return min((state, *self.symmetries(state))) if self.has("symmetries") else state  # type: ignore[type-var]

    def key(self, state: StateT, /) -> int:
        """64 bits that tell states apart."""
        raise GameError(f"{self!r} has no `key` rule.")

    # -- solving -----------------------------------------------------------------------------------------------

    def stage(self, state: StateT, /) -> int:
        """The state's layer: a move never leads to a lower one, and loops stay inside one."""
        return 0

    def size(self, stage: int, /) -> int:
        """How many indices the stage has."""
        raise GameError(f"{self!r} has no `size` rule.")

    def index(self, state: StateT, /) -> int:
        """The state's number within its stage, from 0 to size - 1."""
        raise GameError(f"{self!r} has no `index` rule.")

    def at(self, stage: int, index: int, /) -> StateT:
        """The state with this number: the inverse of `index`."""
        raise GameError(f"{self!r} has no `at` rule.")

    def predecessors(self, state: StateT, /) -> Iterable[StateT]:
        """Every state from which one move leads here."""
        raise GameError(f"{self!r} has no `predecessors` rule.")

    def same_stage(self, other: Game[StateT, MoveT], stage: int, /) -> int | None:
        """The stage of this game with the states, indices and values of a stage of another game; None if there is none.

        Both games are of one class. A solve can read such stages from databases of the other game (`reuse`).
        """
        return stage if other == self else None

    def _probe(self, state: StateT, ply: int, memory: Any, /) -> tuple[int, int]:
        """Bounds of the state's score from a tablebase; without one, none (searching/runtime/tablebase_probing.py)."""
        return -INFINITY, INFINITY

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state: StateT, /) -> Board | None:
        """A declarative picture, from which text, SVG and the web page come."""
        return None

    def squares(self, state: StateT, move: MoveT, /) -> tuple[int, ...]:
        """The squares of the board that a move touches."""
        return ()

    def highlights(self, state: StateT, /) -> tuple[int, ...]:
        """The squares that a picture points out: a winning line, or a king in check."""
        return ()

    def move_text(self, state: StateT, move: MoveT, /) -> str:
        """The move in the game's own notation."""
        return str(move)

    def parse_move(self, state: StateT, text: str, /) -> MoveT:
        """The legal move (or chance outcome) that `text` names."""
        over = self.result(state) != ONGOING
        outcomes = [outcome for outcome, _ in self.chances(state)] if self.is_chance(state) else self.moves(state)
        for move in () if over else outcomes:
            if self.move_text(state, move) == text:
                return move
        raise GameError(f"{self!r}: {text!r} is not a legal move in {self.state_text(state)}.")

    def state_text(self, state: StateT, /) -> str:
        """The state in the game's own notation."""
        return plain_repr(plain(state))

    def parse_state(self, text: str, /) -> StateT:
        """The state that `text` describes."""
        try:
            found: StateT = read_literal(text, self.initial())
            return found
        except (ValueError, LookupError, SyntaxError, TypeError, MemoryError, RecursionError):
            example = self.state_text(self.initial())
            raise GameError(f"{self!r}: {text!r} does not describe a state; one looks like {example!r}.") from None

    # -- queries -----------------------------------------------------------------------------------------------

    def has(self, rule: str) -> bool:
        """Whether the author wrote this rule."""
        return getattr(type(self), rule) is not getattr(Game, rule)

    @property
    def native_error(self) -> str | None:
        """Why the rules do not compile: which rule, which line and the reason; None if they do."""
        from zermelo.native import native_error

        return native_error(self)

    @property
    def cuda_error(self) -> str | None:
        """Why the rules do not compile for a GPU: which rule, which line and the reason; None if they do.

        Without a GPU, what only its compiler would find is not known.
        """
        from zermelo.native import cuda_error

        return cuda_error(self)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        remember_properties(cls, Game)
        declare(cls, GameError)

    def __new__(cls, *args: Any, **parameters: Any) -> Self:
        missing = [rule for rule in REQUIRED if getattr(cls, rule) is getattr(Game, rule)]
        if missing:
            rules = ", ".join(f"`{rule}`" for rule in missing)
            needs = "a game needs initial, moves, play and result"
            raise GameError(f"{cls.__name__} has no {rules} rule; {needs}.{_misspelt(cls, missing)}")
        check_parameters(cls, args, parameters, GameError)
        return super().__new__(cls)

    def __getstate__(self) -> dict[str, Any]:
        """Parameters only: what the compiler stores on an instance stays in this process."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def _misspelt(cls: type[Game], missing: list[str]) -> str:
    """A question about each method of a class whose name is close to a rule that it lacks; "" if there is none."""
    import difflib

    members = {name for base in cls.__mro__[: cls.__mro__.index(Game)] for name in vars(base)}
    own = sorted(name for name in members - {*REQUIRED, *OPTIONAL} if callable(getattr(cls, name)))
    found = ((difflib.get_close_matches(rule, own, 1), rule) for rule in missing)
    return "".join(f" Is `{near[0]}` meant to be `{rule}`?" for near, rule in found if near)
