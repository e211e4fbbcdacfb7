"""The examiner asks the rules, and trusts none of them.

Every question is put twice: to the game, and to another instance of it with a copy of the arguments. In the end all
are put a third time, in another order. A rule that changes its arguments, or answers differently, depends on something
that is not in the state.
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

from zermelo.checking.answer_types import is_hashable, parted, same, shown
from zermelo.checking.check_report import CheckError
from zermelo.checking.counterexample import LISTS, Visit, Writer, about_state
from zermelo.formatting import exception_text
from zermelo.game import Game, State, plain
from zermelo.native.fingerprints import fingerprint
from zermelo.rules import MAX_YIELDED

RECORDS = 30_000
"""How many questions are kept to be put again."""


class Examiner(Writer):
    """Asks the rules of one game, keeps what was seen, and raises a CheckError at the first failure."""

    def __init__(self, game: Game, seed: int, seconds: float, strict: bool) -> None:
        super().__init__(game)
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
        """A new part of the check has its own time."""
        self.deadline = time.monotonic() + self.seconds

    @property
    def late(self) -> bool:
        """Whether the time to look at further states is over."""
        return time.monotonic() > self.deadline

    @property
    def has_sameness(self) -> bool:
        return self.game.has("symmetries") or self.game.has("canonical")

    def another(self) -> Game:
        """A fresh instance of the same game."""
        try:
            return replace(self.game)  # type: ignore[type-var]
        except Exception as error:
            problem = f"cannot be made again from its parameters: {type(error).__name__}: {_line(error)}"
            raise CheckError(f"{self.game!r} {problem}.", "__init__", None, f"{self.game!r}") from error

    # -- asking ------------------------------------------------------------------------------------------------

    def ask(self, rule: str, visit: Visit | None, *args: Any) -> Any:
        """What the rule says; the answer of a rule in LISTS is a list. `visit` is where the question comes from."""
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
        if len(self._records) < RECORDS:
            self._records.append((rule, visit, args, answer))
        return answer

    def call(self, game: Game, rule: str, visit: Visit | None, *args: Any) -> Any:
        """One call of a rule, with whatever it raises turned into a sentence."""
        try:
            answer = getattr(game, rule)(*args)
            return self._listed(rule, visit, args, answer) if rule in LISTS else answer
        except CheckError:
            raise
        except Exception as error:
            problem = f"raises {type(error).__name__}{_place(error, game, rule)}: {_line(error)}"
            self.fail(rule, visit, problem, self.code(rule, visit, args), args)
        except KeyboardInterrupt as stop:  # perhaps because the rule does not end
            stop.add_note(self.sentence(rule, visit, f"was running{_place(stop, game, rule)}", args))
            raise

    def ask_again(self) -> None:
        """Put every recorded question once more, to a third instance and in another order."""
        third = self.another()
        self.random.shuffle(self._records)
        for rule, visit, args, answer in self._records:
            self._compare(rule, visit, args, answer, self.call(third, rule, visit, *args))
        if fingerprint(self.another()) != self._name:
            self._find_the_changer()

    def _check_state(self, rule: str, visit: Visit | None, args: tuple[Any, ...], state: State) -> None:
        """A state is a value: not None, hashable, and equal to its copies."""
        code = self.code(rule, visit, args)
        if state is None:
            self.fail(rule, visit, "returns None (is a `return` missing?)", code, args)
        if not is_hashable(state):
            problem = f"returns {shown(state)}, which cannot be hashed; a state is an immutable value (a NamedTuple)"
            self.fail(rule, visit, problem, f"hash({code})", args)
        (twin,) = _copied((state,))
        if twin != state or hash(twin) != hash(state):
            problem = (
                f"returns {shown(state)}, which is not equal to its own copy; a state needs `__eq__` and `__hash__`"
            )
            self.fail(rule, visit, problem, f"import copy\nnew = {code}\ncopy.deepcopy(new) == new", args)

    def _compare(self, rule: str, visit: Visit | None, args: tuple[Any, ...], first: Any, second: Any) -> None:
        if not same(first, second):
            before, now, where = parted(first, second)
            problem = (
                f"answers {before} and, asked again, {now}{where}; "
                "a rule depends on its arguments and the parameters alone"
            )
            self.fail(rule, visit, problem, "\n".join([self.code(rule, visit, args)] * 2), args)

    def _listed(self, rule: str, visit: Visit | None, args: tuple[Any, ...], answer: Any) -> list[Any]:
        """The answer as a list; a list that the rule returned earlier must still be what it was."""
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

    def _find_the_changer(self) -> NoReturn:
        """The rules read a global or class constant that changed: ask once more, to see which rule changes it."""
        name = fingerprint(self.another())
        for rule, visit, args, _ in self._records:
            self.call(self.game, rule, visit, *args)
            if fingerprint(self.another()) != name:
                problem = "changes a constant that the rules read; a rule changes nothing"
                self.fail(rule, visit, problem, self.code(rule, visit, args), args)
        raise CheckError(
            f"{self.game!r}: a constant that the rules read has changed since they were first asked.", "play"
        )

    # -- failing -----------------------------------------------------------------------------------------------

    def fail(self, rule: str, visit: Visit | None, problem: str, code: str, args: tuple[Any, ...] = ()) -> NoReturn:
        """Raise the sentence: in this state, this rule does this. `args` are named where they say more."""
        sentence = self.sentence(rule, visit, problem, args)
        raise CheckError(sentence, rule, visit.state if visit else None, self.reproduction(visit, code))

    def sentence(self, rule: str, visit: Visit | None, problem: str, args: tuple[Any, ...] = ()) -> str:
        more = [shown(plain(arg)) for arg in args[about_state(rule, visit, args) :]]
        asked = f" ({', '.join(more)})" if more else ""
        return f"{self.game!r}: {self.where(visit)}`{rule}`{asked} {problem}."

    def note(self, rule: str, visit: Visit | None, text: str, code: str) -> None:
        """Something odd that breaks no promise; a failure when the check is strict."""
        if self.strict:
            self.fail(rule, visit, text, code)
        self.notes.setdefault(f"`{rule}` {text}")


def _copied(args: tuple[Any, ...]) -> tuple[Any, ...]:
    try:
        return copy.deepcopy(args)
    except Exception:  # something in the state cannot be copied; then there is nothing to compare with
        return args


def _line(error: Exception) -> str:
    """What an exception says, in one line without the full stop."""
    return exception_text(error).rstrip(".") or "without a word"


def _place(error: BaseException, game: Game, rule: str) -> str:
    """The line of the author's file in which the exception came up."""
    function = inspect.unwrap(getattr(type(game), rule))
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f" at line {lines[-1]} of {basename(file)}" if lines and file else ""
