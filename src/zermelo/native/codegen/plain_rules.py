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
import builtins
import copy
import inspect
import types
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.game import Game, GameError
from zermelo.native.codegen.yield_buffers import ITEM_NAME, parsed_function

TABLES_NAME = "_zermelo_tables"
"""The argument that a function without a game gets: the arrays of the game."""

LIBRARY_MODULES = ("numpy", "math", "numba", "cupy")
"""Modules whose functions the compiler knows."""

TABLE_LENGTH = 5
"""Items of a constant tuple from which a variable index reads an array: compiled, an index into a tuple branches."""


class NotPlain(GameError):
    """A function cannot be rewritten. `line` is where."""

    def __init__(self, function: Any, line: int, reason: str) -> None:
        self.function, self.line, self.reason = function, line, reason
        super().__init__(f"line {line}: {reason}")


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


@dataclass
class _Context:
    """A function whose tree is being rewritten."""

    function: types.FunctionType
    games: frozenset[str]
    tables: str
    names: dict[str, str]
    """New names of local variables: those of a generator that is inlined must not meet those of its caller."""
    defined_in: type | None = None
    locals: frozenset[str] = field(default_factory=frozenset)


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
        names = ", ".join(f"a{i}" for i in range(len(_parameters(function))))
        scope = {"inner": self.function(function, games), "cast": cast}
        exec(f"def {rule}({names}):\n    return cast(inner({names}))", scope)
        return self.library.compile(scope[rule])

    def _compiled(self, function: types.FunctionType, games: Sequence[int]) -> Any:
        tree = _parsed(function)
        names = _parameters(function)
        bound = frozenset(names[i] for i in games)
        first = names[games[0]] if games else TABLES_NAME
        context = _Context(function, bound, first, {}, self._class_of(function), _local_names(function))
        writer = _Writer(self, {})
        tree.body = _statements(writer.rewrite(tree.body, context))
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
                return self.library.chosen[member](self.game) if _in(member, self.library.chosen) else member
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


class _Writer:
    """One function that is being written: its statements and the names they use."""

    def __init__(self, rules: PlainRules, scope: dict[str, Any]) -> None:
        self.rules = rules
        self.scope = scope
        self.inlined = 0

    def rewrite(self, body: list[ast.stmt], context: _Context) -> list[ast.stmt]:
        return _flat(_Rewrite(self, context).visit(statement) for statement in body)

    def bind(self, value: Any, hint: str) -> str:
        """A name for a constant."""
        name = f"{hint}_{id(value):x}"
        self.scope[name] = value
        return name


class _Rewrite(ast.NodeTransformer):
    """Rewrites the statements of one function."""

    def __init__(self, writer: _Writer, context: _Context) -> None:
        self.writer = writer
        self.rules = writer.rules
        self.context = context

    def fail(self, node: ast.AST, reason: str) -> NotPlain:
        return NotPlain(self.context.function, getattr(node, "lineno", 0), reason)

    # -- names and constants -----------------------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> Any:
        context = self.context
        if node.id in context.games:
            return ast.copy_location(ast.Name(context.tables, node.ctx), node)
        if node.id in context.locals:
            return ast.copy_location(ast.Name(context.names.get(node.id, node.id), node.ctx), node)
        if isinstance(node.ctx, ast.Load):
            found, value = self.value(node)
            if found:
                return self.constant(node, value, node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        found, value = self.value(node)
        if self.of_library(node.value):
            return self.generic_visit(node)  # the compiler knows np.uint64 under this name
        return self.constant(node, value, node.attr) if found else self.generic_visit(node)

    def value(self, node: ast.AST) -> tuple[bool, Any]:
        """Whether an expression is a constant of the module, the closure or the game, and which."""
        context = self.context
        if isinstance(node, ast.Name) and node.id not in context.locals:
            return _global(context.function, node.id)
        if not isinstance(node, ast.Attribute):
            return False, None
        name = self.mangled(node.attr)
        if isinstance(node.value, ast.Name) and node.value.id in context.games:
            member = inspect.getattr_static(self.rules.game, name, None)
            if isinstance(member, types.FunctionType | staticmethod | classmethod):
                return False, None
            try:
                return True, getattr(self.rules.game, name)
            except Exception as error:
                raise self.fail(node, f"the game has no {name!r} ({error})") from None
        found, owner = self.value(node.value)
        if found and isinstance(owner, types.ModuleType | type) and hasattr(owner, name):
            return True, getattr(owner, name)
        return False, None

    def of_library(self, node: ast.AST) -> bool:
        """Whether an expression is a module that the compiler knows."""
        found, value = self.value(node)
        return found and isinstance(value, types.ModuleType) and value.__name__.split(".")[0] in LIBRARY_MODULES

    def mangled(self, name: str) -> str:
        home = self.context.defined_in
        if home is not None and name.startswith("__") and not name.endswith("__"):
            return f"_{home.__name__.lstrip('_')}{name}"
        return name

    def constant(self, node: ast.AST, value: Any, hint: str) -> ast.expr:
        if type(value) in (bool, float) or (type(value) is int and abs(value) < 1 << 62):
            new: ast.expr = ast.Constant(value)  # larger ones stay names: Python would compute ~x beyond 64 bits
        elif _is_array(value):
            new = self.table(value)
        elif isinstance(value, types.ModuleType) or not hint.isidentifier():
            new = ast.Name(self.writer.bind(value, "constant"), ast.Load())
        else:
            known = self.rules.library.known
            new = ast.Name(self.writer.bind(known[value] if _in(value, known) else value, hint), ast.Load())
        return ast.copy_location(new, node)

    def table(self, array: Any) -> ast.expr:
        number = ast.Constant(self.rules.table(array))
        return ast.Subscript(ast.Name(self.context.tables, ast.Load()), number, ast.Load())

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """Read a constant tuple of ints, or of rows of them, from an array where a variable indexes it."""
        rows = node.value
        inner = isinstance(rows, ast.Subscript)
        found, value = self.value(rows.value if isinstance(rows, ast.Subscript) else rows)
        if found and isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Slice | ast.Constant):
            array = _int_table(value, 2 if inner else 1)
            if array is not None:
                indices = [rows.slice, node.slice] if isinstance(rows, ast.Subscript) else [node.slice]
                new: ast.expr = self.table(array)
                for each in indices:
                    new = ast.Subscript(new, self.visit(each), ast.Load())
                return ast.fix_missing_locations(ast.copy_location(new, node))
        return self.generic_visit(node)

    # -- calls -------------------------------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> Any:
        found, value = self.value(node.func)
        if found and _in(value, self.rules.library.spelled):
            return self.spelled(node, self.rules.library.spelled[value])
        target = self.target(node)
        if target is None:
            return self.generic_visit(node)
        function, games, arguments, rule = target
        if not isinstance(function, types.FunctionType):
            return ast.copy_location(ast.Constant(function), node)
        if inspect.isgeneratorfunction(function):
            raise self.fail(node, f"{function.__name__} yields, and only a loop can take what it yields")
        name = self.writer.rules.call_target(function, games, rule, self.writer.scope)
        passed = [self.visit(each) for each in arguments]
        if not games:
            passed.insert(0, ast.Name(self.context.tables, ast.Load()))
        return ast.fix_missing_locations(ast.copy_location(ast.Call(ast.Name(name, ast.Load()), passed, []), node))

    def spelled(self, node: ast.Call, text: str) -> ast.expr:
        """A call written as another expression."""
        self.writer.scope.update(self.rules.library.scope)
        expression = ast.parse(text.format(*(f"_argument{i}" for i in range(len(node.args)))), mode="eval").body
        values = {f"_argument{i}": self.visit(each) for i, each in enumerate(node.args)}
        new = _Substitute(values).visit(expression)
        for each in ast.walk(new):
            ast.copy_location(each, node)
        return new  # type: ignore[no-any-return]

    def target(self, node: ast.Call) -> tuple[Any, tuple[int, ...], list[ast.expr], str] | None:
        """What a call runs: the function, which arguments are the game, all arguments in order, and the rule."""
        function, rule, arguments = self.called(node)
        if function is None:
            return None
        library = self.rules.library
        if _in(function, library.chosen):
            function, rule = library.chosen[function](self.rules.game), ""
            if not isinstance(function, types.FunctionType):
                return function, (), [], ""
        if _in(function, library.known) or not isinstance(function, types.FunctionType) or _of_library(function):
            return None
        if any(isinstance(each, ast.Starred) for each in arguments) or any(each.arg is None for each in node.keywords):
            raise self.fail(node, "a call with * or ** does not compile")
        complete = _in_order(function, arguments, node.keywords)
        if complete is None:
            raise self.fail(node, f"the arguments of {function.__name__} do not match its parameters")
        games = tuple(i for i, each in enumerate(complete) if isinstance(each, ast.Name) and self.is_game(each))
        return function, games, complete, rule

    def is_game(self, name: ast.Name) -> bool:
        return name.id in self.context.games

    def called(self, node: ast.Call) -> tuple[Any, str, list[ast.expr]]:
        """The function that is called, its name if it is a method, and the arguments, with the game of a method."""
        call = node.func
        if isinstance(call, ast.Attribute):
            owner, name = call.value, self.mangled(call.attr)
            if isinstance(owner, ast.Name) and owner.id in self.context.games:
                member = inspect.getattr_static(type(self.rules.game), name, None)
                return (*self.method(member, name), self.passed(member, owner, node))
            if _is_super(owner):
                member = self.rules._member(name, self.context.defined_in)
                game = ast.Name(next(iter(self.context.games)), ast.Load())
                return (*self.method(member, name), self.passed(member, game, node))
        found, value = self.value(call)
        if hasattr(value, "python") and hasattr(value, "inner"):  # a Kernel
            value = value.python
        return (value if found else None), "", list(node.args)

    def method(self, member: Any, name: str) -> tuple[Any, str]:
        chosen = self.rules.library.chosen
        if _in(member, chosen):
            member = chosen[member](self.rules.game)
        if isinstance(member, staticmethod):
            return member.__func__, ""
        return (member if isinstance(member, types.FunctionType) else None), name

    def passed(self, member: Any, game: ast.Name, node: ast.Call) -> list[ast.expr]:
        return list(node.args) if isinstance(member, staticmethod) else [game, *node.args]

    # -- loops over generators ---------------------------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> Any:
        if isinstance(node.iter, ast.GeneratorExp | ast.ListComp):
            return self.loop_over_expression(node, node.iter)
        if isinstance(node.iter, ast.Call):
            target = self.target(node.iter)
            if target is not None and _yields(target[0], self):
                return self.loop_over_generator(node, *target)
        return self.generic_visit(node)

    def loop_over_expression(self, node: ast.For, values: ast.GeneratorExp | ast.ListComp) -> Any:
        """`for x in (f(y) for y in z if c)` as nested loops."""
        body: list[ast.stmt] = [ast.Assign([node.target], values.elt), *node.body]
        for clause in reversed(values.generators):
            for condition in reversed(clause.ifs):
                body = [ast.If(condition, body, [])]
            body = [ast.For(clause.target, clause.iter, body, [])]
        if len(values.generators) > 1 and _leaves(node.body):
            raise self.fail(node, "a `break` out of a loop over nested loops does not compile")
        self.context.locals = self.context.locals | _assigned(body)
        for statement in body:
            for each in ast.walk(statement):
                if "lineno" not in vars(each) and "lineno" in each._attributes:
                    ast.copy_location(each, node)
        return _flat(self.visit(statement) for statement in body)

    def loop_over_generator(
        self, node: ast.For, function: types.FunctionType, games: tuple[int, ...], arguments: list[ast.expr], rule: str
    ) -> list[ast.stmt]:
        """The statements of a generator, with the body of the loop in place of each yield."""
        if node.orelse:
            raise self.fail(node, "`else` of a loop over a generator does not compile")
        self.writer.inlined += 1
        if self.writer.inlined > 200:
            raise self.fail(node, f"{function.__name__} yields from itself, or from too many generators")
        suffix = f"_{self.writer.inlined}"
        names = _parameters(function)
        inner = _Context(
            function,
            frozenset(names[i] for i in games),
            self.context.tables,
            {name: name + suffix for name in _local_names(function)},
            self.rules._class_of(function),
            _local_names(function),
        )
        tree = _parsed(function)
        if not inspect.isgeneratorfunction(function):
            tree.body = _flat(_YieldReturned().visit(statement) for statement in tree.body)
        statements: list[ast.stmt] = [
            ast.Assign([ast.Name(inner.names[name], ast.Store())], self.visit(argument))
            for i, (name, argument) in enumerate(zip(names, arguments, strict=True))
            if i not in games
        ]
        leave = f"_leave{suffix}"
        body = _Leave(leave).body([self.visit(each) for each in copy.deepcopy(node.body)], node.body)
        cast = self.rules.library.items(self.rules.game, rule) if rule else None
        splice = _Splice(self.visit(copy.deepcopy(node.target)), body, leave, self.writer, cast)
        inside = splice.block(self.writer.rewrite(tree.body, inner), False)
        statements.append(ast.Assign([ast.Name(leave, ast.Store())], ast.Constant(False)))
        once = ast.Call(ast.Name("range", ast.Load()), [ast.Constant(1)], [])
        statements.append(ast.For(ast.Name(f"_once{suffix}", ast.Store()), once, inside, []))
        for statement in statements:
            for each in ast.walk(statement):
                if "lineno" not in vars(each) and "lineno" in each._attributes:
                    ast.copy_location(each, node)
        return statements

    # -- what does not compile ---------------------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        raise self.fail(node, "a function inside a rule does not compile for a GPU")

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        raise self.fail(node, "a lambda inside a rule does not compile for a GPU")

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        raise self.fail(node, "a generator expression does not compile for a GPU unless a loop runs over it")

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        raise self.fail(node, "a list does not compile for a GPU")

    def visit_List(self, node: ast.List) -> Any:
        raise self.fail(node, "a list does not compile for a GPU; use a tuple")

    def visit_Dict(self, node: ast.Dict) -> Any:
        raise self.fail(node, "a dict does not compile for a GPU")

    def visit_Try(self, node: ast.Try) -> Any:
        raise self.fail(node, "`try` does not compile for a GPU")

    def visit_Raise(self, node: ast.Raise) -> Any:
        """An exception ends the thread; its text needs the interpreter."""
        error = ast.Name(self.writer.bind(ValueError, "ValueError"), ast.Load())
        return ast.copy_location(ast.Raise(ast.copy_location(error, node), None), node)

    def visit_Assert(self, node: ast.Assert) -> Any:
        return ast.copy_location(ast.Pass(), node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.YieldFrom):
            return self.visit(_loop_that_yields(node.value.value, node))
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)  # a docstring

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return None
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))


class _Substitute(ast.NodeTransformer):
    """Puts expressions in place of names."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> Any:
        return self.values.get(node.id, node)


class _Leave(ast.NodeTransformer):
    """Rewrites the body of a loop that stands inside the loops of a generator: `break` must leave all of them."""

    def __init__(self, leave: str) -> None:
        self.leave = leave

    def body(self, statements: list[Any], original: list[ast.stmt]) -> list[ast.stmt]:
        flat = _flat(statements)
        if not _jumps(original):
            return flat
        inside = _flat(self.visit(each) for each in flat)
        once = ast.Call(ast.Name("range", ast.Load()), [ast.Constant(1)], [])
        return [
            ast.For(ast.Name(f"{self.leave}_body", ast.Store()), once, inside, []),
            *([_leave_if(self.leave)] if _leaves(original) else []),
        ]

    def visit_Break(self, node: ast.Break) -> Any:
        return [ast.Assign([ast.Name(self.leave, ast.Store())], ast.Constant(True)), node]

    def visit_For(self, node: ast.For) -> Any:
        return node  # its own breaks

    def visit_While(self, node: ast.While) -> Any:
        return node


class _Splice:
    """Puts the body of a loop in place of the yields of a generator."""

    def __init__(self, target: ast.expr, body: list[ast.stmt], leave: str, writer: _Writer, cast: Any) -> None:
        self.target, self.insert, self.leave, self.cast = target, body, leave, cast
        self.writer = writer
        self.breaks = any(isinstance(each, ast.Name) and each.id == leave for s in body for each in ast.walk(s))

    def block(self, statements: Iterable[ast.stmt], in_loop: bool) -> list[ast.stmt]:
        return _flat(self.statement(each, in_loop) for each in statements) or [ast.Pass()]

    def statement(self, node: ast.stmt, in_loop: bool) -> list[ast.stmt]:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield):
            return self.yielded(node.value)
        if isinstance(node, ast.Return):
            return [ast.Assign([ast.Name(self.leave, ast.Store())], ast.Constant(True)), ast.Break()]
        if isinstance(node, ast.If):
            return [ast.If(node.test, self.block(node.body, in_loop), node.orelse and self.block(node.orelse, in_loop))]
        if isinstance(node, ast.For | ast.While):
            returns = any(isinstance(each, ast.Return) for each in ast.walk(node))
            yields = any(isinstance(each, ast.Yield) for each in ast.walk(node))
            node.body = self.block(node.body, True)
            return [node, *([_leave_if(self.leave)] if returns or (yields and self.breaks) else [])]
        return [node]

    def yielded(self, node: ast.Yield) -> list[ast.stmt]:
        value: Any = node.value or ast.Constant(None)
        if self.cast is not None:
            if isinstance(self.cast, tuple) and isinstance(value, ast.Tuple):
                casts = [ast.Name(self.writer.bind(cast, "cast"), ast.Load()) for cast in self.cast]
                value = ast.Tuple(
                    [ast.Call(cast, [item], []) for cast, item in zip(casts, value.elts, strict=True)], ast.Load()
                )
            elif not isinstance(self.cast, tuple):
                value = ast.Call(ast.Name(self.writer.bind(self.cast, "cast"), ast.Load()), [value], [])
        return [ast.Assign([copy.deepcopy(self.target)], value), *copy.deepcopy(self.insert)]


class _YieldReturned(ast.NodeTransformer):
    """`return values` becomes a loop that yields them."""

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is None:
            return node
        return [_loop_that_yields(node.value, node), ast.copy_location(ast.Return(None), node)]


def _loop_that_yields(values: ast.expr, origin: ast.stmt) -> ast.For:
    """`for item in values: yield item`."""
    item = ast.Name(ITEM_NAME, ast.Load())
    loop = ast.For(ast.Name(ITEM_NAME, ast.Store()), values, [ast.Expr(ast.Yield(item))], [])
    return ast.fix_missing_locations(ast.copy_location(loop, origin))


# -- syntax trees ------------------------------------------------------------------------------------------------------


def _leave_if(name: str) -> ast.If:
    return ast.If(ast.Name(name, ast.Load()), [ast.Break()], [])


def _jumps(body: list[ast.stmt]) -> bool:
    return any(isinstance(each, ast.Break | ast.Continue) for each in _own(body))


def _leaves(body: list[ast.stmt]) -> bool:
    return any(isinstance(each, ast.Break) for each in _own(body))


def _own(body: Iterable[ast.AST]) -> Iterable[ast.AST]:
    """The nodes of some statements without those of loops among them."""
    for node in body:
        yield node
        if not isinstance(node, ast.For | ast.While):
            yield from _own(ast.iter_child_nodes(node))


def _flat(parts: Iterable[Any]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for part in parts:
        if isinstance(part, list):
            found += part
        elif part is not None:
            found.append(part)
    return found


def _statements(body: list[ast.stmt]) -> list[ast.stmt]:
    return body or [ast.Pass()]


def _is_super(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _parsed(function: types.FunctionType) -> ast.FunctionDef:
    tree = parsed_function(function)
    if tree is None:
        line = function.__code__.co_firstlineno
        raise NotPlain(function, line, f"the source of {function.__name__} is not available, and a GPU needs it")
    return tree


def _parameters(function: types.FunctionType) -> list[str]:
    code = function.__code__
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def _local_names(function: types.FunctionType) -> frozenset[str]:
    return frozenset([*function.__code__.co_varnames, *function.__code__.co_cellvars, ITEM_NAME])


def _assigned(body: list[ast.stmt]) -> set[str]:
    stores = (each for statement in body for each in ast.walk(statement) if isinstance(each, ast.Name))
    return {each.id for each in stores if isinstance(each.ctx, ast.Store)}


def _in_order(
    function: types.FunctionType, arguments: list[ast.expr], named: list[ast.keyword]
) -> list[ast.expr] | None:
    """All arguments of a call by position, with the defaults; None if some are missing or too many."""
    names = _parameters(function)
    given: dict[str, ast.expr] = dict(zip(names, arguments, strict=False))
    given |= {str(each.arg): each.value for each in named}
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is not parameter.empty
    }
    for name, value in defaults.items():
        given.setdefault(name, ast.Constant(value))
    if len(arguments) > len(names) or set(given) != set(names):
        return None
    return [given[name] for name in names]


def _yields(function: Any, rewrite: _Rewrite) -> bool:
    """Whether a function is a generator, or returns what one yields."""
    if not isinstance(function, types.FunctionType):
        return False
    if inspect.isgeneratorfunction(function):
        return True
    tree = parsed_function(function)
    games = frozenset(_parameters(function)[:1])
    context = _Context(function, games, "", {}, rewrite.rules._class_of(function), _local_names(function))
    inner = _Rewrite(rewrite.writer, context)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Return) and node.value is not None:
            if isinstance(node.value, ast.GeneratorExp | ast.ListComp):
                return True
            if isinstance(node.value, ast.Call):
                target = inner.target(node.value)
                if target is not None and target[0] is not function and _yields(target[0], inner):
                    return True
    return False


# -- values ------------------------------------------------------------------------------------------------------------


def _global(function: types.FunctionType, name: str) -> tuple[bool, Any]:
    """The value of a name that is not local, and whether there is one; builtins are left as they are."""
    free = function.__code__.co_freevars
    if name in free:
        try:
            return True, function.__closure__[free.index(name)].cell_contents  # type: ignore[index]
        except ValueError:
            return False, None
    if name in function.__globals__:
        return True, function.__globals__[name]
    return False, getattr(builtins, name, None)


def _in(value: Any, known: dict[Any, Any]) -> bool:
    try:
        return value in known
    except TypeError:
        return False


def _is_array(value: Any) -> bool:
    return not isinstance(value, type) and hasattr(value, "dtype") and getattr(value, "shape", ()) != ()


def _of_library(function: Any) -> bool:
    return str(function.__module__).split(".")[0] in LIBRARY_MODULES


def _int_table(value: Any, dimensions: int) -> Any:
    """A long tuple of ints, or of rows of equal length, as an array; None for anything else."""
    import numpy as np

    if type(value) is not tuple or len(value) < TABLE_LENGTH:
        return None
    rows = value if dimensions == 2 else (value,)
    if any(type(row) is not tuple or len(row) != len(rows[0]) or not row for row in rows):
        return None
    if any(type(each) is not int or not -(1 << 63) <= each < 1 << 63 for row in rows for each in row):
        return None
    return np.array(value, np.int64)
