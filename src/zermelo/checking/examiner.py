"""The examiner calls the rules and compares their answers.

Every rule is called twice: on the game, and on another instance with a copy of the arguments. In the end all calls are
repeated in another order. A rule that changes its arguments or answers differently depends on something that is not in
the state.
"""

from __future__ import annotations

import copy
import inspect
import random
import time
import traceback
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from os.path import basename
from typing import Any, NoReturn

from zermelo.checking.answer_types import first_difference, is_hashable, same, shown
from zermelo.checking.check_report import CheckError
from zermelo.checking.counterexample import LIST_RULES, Describer, Visit, is_visited_state
from zermelo.declaration import ChangedGame
from zermelo.formatting import exception_text
from zermelo.game import Game, State
from zermelo.native.fingerprints import COMPUTED, author_members, fingerprint
from zermelo.native.side_effects import SideEffect, side_effect
from zermelo.rules import MAX_YIELDED
from zermelo.state_literals import plain

PLAIN_TYPES = {int, float, complex, bool, str, bytes, type(None)}
"""Types of values that cannot change and equal their copies."""

MAX_RECORDED = 30_000
"""Calls that are recorded to be repeated."""


class Examiner(Describer):
    """Calls the rules of one game, records the visited states, and raises a CheckError at the first failure."""

    def __init__(self, game: Game, seed: int, seconds: float, strict: bool) -> None:
        super().__init__(game)
        self.seed = seed
        self.random = random.Random(seed)
        self.seconds = seconds
        self.restart_clock()
        self.strict = strict
        self.visits: dict[State, Visit] = {}
        self.notes: dict[str, None] = {}  # in order, each once
        self._records: list[tuple[str, Visit | None, tuple[Any, ...], Any]] = []
        self._held: dict[str, tuple[Visit | None, Any, list[Any]]] = {}
        self._name = fingerprint(self.another())
        self.twin = self.another()

    def restart_clock(self) -> None:
        """Give the next part of the check its own time."""
        self.deadline = time.monotonic() + self.seconds

    @property
    def late(self) -> bool:
        """Whether the time to visit further states is over."""
        return time.monotonic() > self.deadline

    @property
    def has_symmetry(self) -> bool:
        return self.game.has("symmetries") or self.game.has("canonical")

    def another(self) -> Game:
        """A fresh instance of the same game."""
        try:
            return replace(self.game)  # type: ignore[type-var]
        except Exception as error:
            problem = f"cannot be made again from its parameters: {type(error).__name__}: {_message(error)}"
            raise CheckError(f"{self.game!r} {problem}.", "__init__", None, f"{self.game!r}") from error

    # -- calling ----------------------------------------------------------------------------------------------

    def ask(self, rule: str, visit: Visit | None, *args: Any) -> Any:
        """The answer of a rule, as a list for the rules in LIST_RULES. `visit` is the state that a failure names."""
        before = _copied(args)
        answer = self.call(self.game, rule, visit, *args)
        if not same(args, before):
            if visit is not None and args[0] is visit.state:
                visit.state = before[0]
            problem = f"changes its argument from {shown(before)} to {shown(args)}; a rule changes nothing"
            self.fail(rule, visit, problem, self.code(rule, visit, before))
        if rule in ("initial", "play", "skip"):
            self._check_state(rule, visit, args, answer)
        self._compare(rule, visit, before, answer, self.call(self.twin, rule, visit, *before))
        if len(self._records) < MAX_RECORDED:
            self._records.append((rule, visit, args, answer))
        return answer

    def call(self, game: Game, rule: str, visit: Visit | None, *args: Any) -> Any:
        """Call a rule once. Raise CheckError if it raises."""
        try:
            answer = getattr(game, rule)(*args)
            return self._listed(rule, visit, args, answer) if rule in LIST_RULES else answer
        except CheckError:
            raise
        except ChangedGame as error:
            self.fail(rule, visit, error.problem, self.code(rule, visit, args), args)
        except Exception as error:
            problem = f"raises {type(error).__name__}{_line_of(error, game, rule)}: {_message(error)}"
            if isinstance(error, TypeError) and "does not support item assignment" in str(error):
                problem += "; a rule changes no state, it makes a new one"
            self.fail(rule, visit, problem, self.code(rule, visit, args), args)
        except KeyboardInterrupt as stop:  # perhaps the rule does not end
            stop.add_note(self.sentence(rule, visit, f"was running{_line_of(stop, game, rule)}", args))
            raise

    def ask_again(self) -> None:
        """Repeat every recorded call, on a third instance and in another order."""
        third = self.another()
        self.random.shuffle(self._records)
        for rule, visit, args, answer in self._records:
            self._compare(rule, visit, args, answer, self.call(third, rule, visit, *args))
        if fingerprint(self.another()) != self._name:
            self._find_mutating_rule()
        self._check_properties()

    def _check_state(self, rule: str, visit: Visit | None, args: tuple[Any, ...], state: State) -> None:
        """Check that a state is a value: not None, hashable, and equal to its copies."""
        code = self.code(rule, visit, args)
        if state is None:
            self.fail(rule, visit, "returns None (is a `return` missing?)", code, args)
        if not is_hashable(state):
            problem = f"returns {shown(state)}, which cannot be hashed; a state is an immutable value (a NamedTuple)"
            self.fail(rule, visit, problem, f"hash({code})", args)
        if _holds_nan(state):
            problem = f"returns {shown(state)}; nan is not equal to itself, so no state can hold it"
            self.fail(rule, visit, problem, code, args)
        (twin,) = _copied((state,))
        if twin != state or hash(twin) != hash(state):
            problem = f"returns {shown(state)}, which is not equal to its copy; a state needs `__eq__` and `__hash__`"
            self.fail(rule, visit, problem, f"import copy\nnew = {code}\ncopy.deepcopy(new) == new", args)

    def _compare(self, rule: str, visit: Visit | None, args: tuple[Any, ...], first: Any, second: Any) -> None:
        if not same(first, second):
            before, now, where = first_difference(first, second)
            problem = (
                f"answers {before} and, asked again, {now}{where}; "
                "a rule depends on its arguments and the parameters alone"
            )
            self.fail(rule, visit, problem, "\n".join([self.code(rule, visit, args)] * 2), args)

    def _listed(self, rule: str, visit: Visit | None, args: tuple[Any, ...], answer: Any) -> list[Any]:
        """The answer as a list. Check that the list which the rule returned before has not changed."""
        if not isinstance(answer, Iterable):
            missing = " (is a `return` or `yield` missing?)" if answer is None else ""
            problem = f"returns {shown(answer)}{missing}, where several things are expected"
            self.fail(rule, visit, problem, self.code(rule, visit, args), args)
        listed = list(islice(answer, MAX_YIELDED + 1))
        if len(listed) > MAX_YIELDED:
            call = self.code(rule, visit, args).removeprefix("list(").removesuffix(")")
            code = f"from itertools import islice\nlen(list(islice({call}, {MAX_YIELDED + 1})))"
            self.fail(rule, visit, f"yields more than {MAX_YIELDED} things and may never end", code, args)
        origin, held, content = self._held.get(rule, (None, [], []))
        if not same(list(held), content):
            problem = f"returned the list {shown(content)}, which a later call changed to {shown(list(held))}"
            self.fail(rule, origin, problem, self.code(rule, origin, (origin.state,) if origin else ()))
        if isinstance(answer, list):
            self._held[rule] = (visit, answer, list(listed))
        return listed

    def _find_mutating_rule(self) -> NoReturn:
        """Find the rule that changes a global or class constant which the rules read, by calling them once more."""
        name = fingerprint(self.another())
        for rule, visit, args, _ in self._records:
            self.call(self.game, rule, visit, *args)
            if fingerprint(self.another()) != name:
                found = side_effect(getattr(type(self.game), rule), self.game)
                problem = "changes a constant that the rules read; a rule changes nothing"
                problem = _in_words(found) if found else problem
                self.fail(rule, visit, problem, self.code(rule, visit, args), args)
        self._fail_changing_rule()  # a memo has changed at the first call alone
        raise CheckError(
            f"{self.game!r}: a constant that the rules read has changed since they were first asked.", "play"
        )

    def _check_properties(self) -> None:
        """Check that no rule has changed the value of a property, by computing it on two fresh instances."""
        games = (self.game, self.another(), self.another())
        for name, member in author_members(type(self.game)):
            if not isinstance(member, COMPUTED):
                continue
            try:
                here, fresh, again = (getattr(game, name) for game in games)
            except Exception:  # it is reported where a rule reads it
                continue
            if same(fresh, again) and not same(here, fresh):  # objects that equal themselves alone tell nothing
                self._fail_changing_rule(f".{name}")
                problem = f"is {shown(here)} and, computed again, {shown(fresh)}; a property is computed once, and "
                self.fail(name, None, f"{problem}no rule changes its value", f"game.{name}")

    def _fail_changing_rule(self, member: str = "") -> None:
        """Raise CheckError if the source of a rule changes this member of the game, as in ".log", or anything."""
        for rule, visit, args, _ in self._records:
            found = side_effect(getattr(type(self.game), rule), self.game)
            if found is not None and found.variable.endswith(member):
                self.fail(rule, visit, _in_words(found), self.code(rule, visit, args), args)

    # -- failing -----------------------------------------------------------------------------------------------

    def fail(self, rule: str, visit: Visit | None, problem: str, code: str, args: tuple[Any, ...] = ()) -> NoReturn:
        """Raise CheckError: in this state, this rule has this problem. `args` other than the state are named."""
        sentence = self.sentence(rule, visit, problem, args)
        raise CheckError(sentence, rule, visit.state if visit else None, self.reproduction(visit, code))

    def sentence(self, rule: str, visit: Visit | None, problem: str, args: tuple[Any, ...] = ()) -> str:
        more = [shown(plain(arg)) for arg in args[is_visited_state(rule, visit, args) :]]
        asked = f" ({', '.join(more)})" if more else ""
        return f"{self.game!r}: {self.where(visit)}`{rule}`{asked} {problem}."

    def note(self, rule: str, visit: Visit | None, text: str, code: str) -> None:
        """Record something odd that does not break the contract; raise CheckError if the check is strict."""
        if self.strict:
            self.fail(rule, visit, text, code)
        self.notes.setdefault(f"`{rule}` {text}")


def _copied(args: tuple[Any, ...]) -> tuple[Any, ...]:
    if _is_plain(args):  # most are, and a copy takes as long as the rule
        return args
    try:
        return copy.deepcopy(args)
    except Exception:  # something in the state cannot be copied; there is nothing to compare with
        return args


def _holds_nan(part: Any) -> bool:
    """Whether a part of a state is a float that is no number; tuples find it equal to itself while it is one object."""
    if isinstance(part, tuple):
        return any(map(_holds_nan, part))
    return isinstance(part, float) and part != part


def _is_plain(value: Any) -> bool:
    """Whether a value cannot change and equals its copies: numbers, texts, and tuples of them."""
    kind: Any = type(value)
    if kind in PLAIN_TYPES:
        return True
    is_tuple = isinstance(value, tuple) and kind.__eq__ is tuple.__eq__ and kind.__hash__ is tuple.__hash__
    return is_tuple and all(_is_plain(part) for part in value)


def _message(error: Exception) -> str:
    """The text of an exception, on one line without the full stop."""
    return exception_text(error).rstrip(".") or "without a word"


def _line_of(error: BaseException, game: Game, rule: str) -> str:
    """The line of the author's file that raised the exception."""
    function = inspect.unwrap(getattr(type(game), rule))
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f" at line {lines[-1]} of {basename(file)}" if lines and file else ""


def _in_words(found: SideEffect) -> str:
    return f"{found.what} (line {found.line}), but {found.why}"
