"""Rules and kernels as plain functions: no methods, no generators, no game.

A processor without Numba's CPU extensions, such as a GPU, compiles functions of numbers, tuples and arrays. Here a
function that names a game is rewritten, from its syntax tree, for one game:

    self.width              becomes     the number
    self.table[i]           becomes     self[3][i]: the argument is a tuple of the game's arrays
    self.four(stones)       becomes     a call of a plain function, rewritten in the same way
    has_index(game)         becomes     True or False
    for x in ones(word):    becomes     the loops of the generator, with the body of the loop where it yields

A function that the rewritten one calls is rewritten too. The source must be available and up to date.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.game import Game
from zermelo.native.codegen.rule_rewriting import Context, Writer
from zermelo.native.codegen.syntax_trees import is_key, local_names, parameters, parsed_source

TABLES_NAME = "_zermelo_tables"
"""The argument that a function without a game gets: the arrays of the game."""


@dataclass
class Library:
    """What functions become where they are called."""

    compile: Callable[[types.FunctionType], Any]
    """Compile a rewritten function."""
    known: dict[Any, Any]
    """Functions that are replaced as they stand, such as those of bits.py."""
    chosen: dict[Any, Callable[[Game], Any]]
    """Functions that are replaced by another one, which is rewritten, or by a constant: both depend on the game."""
    results: Callable[[Game, str], Any]
    """The function that casts the result of a rule, by its name; None if it is not cast."""
    items: Callable[[Game, str], Any]
    """The function that casts what a rule yields, or one for each item of a tuple; None if it is not cast."""
    spelled: dict[Any, str] = field(default_factory=dict)
    """Functions whose calls become another expression: {0} is the first argument."""
    scope: dict[str, Any] = field(default_factory=dict)
    """Names that these expressions use."""
    limit: Callable[[Any], str | None] = lambda function: None
    """Return why a function that is not rewritten cannot be called; None if it can, or if only the compiler knows."""


class PlainRules:
    """The rules of one game as plain functions, and the arrays that they read."""

    def __init__(self, game: Game, library: Library) -> None:
        self.game = game
        self.library = library
        self.tables: list[Any] = []
        self._made: dict[Any, Any] = {}
        self._pending: dict[Any, list[tuple[dict[str, Any], str]]] = {}

    # -- functions ---------------------------------------------------------------------------------------------------

    def function(self, function: types.FunctionType, games: Sequence[int] = (0,), rule: str = "") -> Any:
        """Compile a function of which some arguments are the game; `rule` is its name if it is a rule."""
        key = (function, tuple(games), rule)
        if key not in self._made:
            self._pending[key] = []
            self._made[key] = self._cast_result(function, games, rule) or self._compiled(function, games)
            for scope, name in self._pending.pop(key):
                scope[name] = self._made[key]
        return self._made[key]

    def rule(self, name: str) -> Any:
        """Compile a rule of the game by its name."""
        return self.function(self._member(name), (0,), name)

    def _cast_result(self, function: types.FunctionType, games: Sequence[int], rule: str) -> Any:
        cast = self.library.results(self.game, rule) if rule else None
        if cast is None:
            return None
        names = ", ".join(f"a{i}" for i in range(len(parameters(function))))
        scope = {"inner": self.function(function, games), "cast": cast}
        exec(f"def {rule}({names}):\n    return cast(inner({names}))", scope)
        return self.library.compile(scope[rule])

    def _compiled(self, function: types.FunctionType, games: Sequence[int]) -> Any:
        tree = parsed_source(function)
        names = parameters(function)
        bound = frozenset(names[i] for i in games)
        first = names[games[0]] if games else TABLES_NAME
        context = Context(function, bound, first, {}, self._class_of(function), local_names(function))
        writer = Writer(self, {})
        tree.body = writer.rewrite(tree.body, context) or [ast.Pass()]
        tree.args = ast.arguments(
            [], [ast.arg(name) for name in ([] if games else [TABLES_NAME]) + names], None, [], [], None, []
        )
        tree.name = function.__name__ if function.__name__.isidentifier() else "function"
        module = ast.fix_missing_locations(ast.Module([tree], []))
        exec(compile(module, function.__code__.co_filename, "exec"), writer.scope)
        return self.library.compile(writer.scope[tree.name])

    def call_target(self, function: types.FunctionType, games: Sequence[int], rule: str, scope: dict[str, Any]) -> str:
        """The name, in a scope, of a compiled function; set later if it is being compiled."""
        key = (function, tuple(games), rule)
        name = f"{function.__name__}_{abs(hash(key)):x}"
        if not function.__name__.isidentifier():
            name = f"function_{abs(hash(key)):x}"
        if key in self._pending:
            self._pending[key].append((scope, name))
        else:
            scope[name] = self.function(function, games, rule)
        return name

    # -- members and tables ------------------------------------------------------------------------------------------

    def _member(self, name: str, after: type | None = None) -> Any:
        """A member of the game's class, or of the classes after one of its bases."""
        order = type(self.game).__mro__
        for base in order[order.index(after) + 1 :] if after else order:
            if name in vars(base):
                member = vars(base)[name]
                return self.library.chosen[member](self.game) if is_key(member, self.library.chosen) else member
        raise AttributeError(name)

    def _class_of(self, function: Any) -> type | None:
        return next((base for base in type(self.game).__mro__ if function in vars(base).values()), None)

    def table(self, array: Any) -> int:
        """The number of an array among the tables."""
        for number, known in enumerate(self.tables):
            if known is array or (known.dtype == array.dtype and known.shape == array.shape and (known == array).all()):
                return number
        self.tables.append(array)
        return len(self.tables) - 1
