"""Rewriting the syntax tree of one function into plain code: constants, tables, calls and loops over generators."""

from __future__ import annotations

import ast
import copy
import inspect
import types
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from zermelo.native.codegen.device_limits import DeviceLimits
from zermelo.native.codegen.generator_inlining import Leave, Splice, YieldReturned, leaves_loop, loop_that_yields
from zermelo.native.codegen.syntax_trees import (
    LIBRARY_MODULES,
    NotPlain,
    Substitute,
    assigned_names,
    flat,
    global_value,
    in_order,
    int_table,
    is_array,
    is_key,
    is_library_function,
    is_super,
    local_names,
    parameters,
    parsed_source,
)
from zermelo.native.codegen.yield_buffers import parsed_function

if TYPE_CHECKING:
    from zermelo.native.codegen.plain_rules import PlainRules


@dataclass
class Context:
    """A function whose tree is being rewritten."""

    function: types.FunctionType
    games: frozenset[str]
    tables: str
    names: dict[str, str]
    """New names of local variables: those of a generator that is inlined must not meet those of its caller."""
    defined_in: type | None = None
    locals: frozenset[str] = field(default_factory=frozenset)


class Writer:
    """One function that is being written: its statements and the names they use."""

    def __init__(self, rules: PlainRules, scope: dict[str, Any]) -> None:
        self.rules = rules
        self.scope = scope
        self.inlined = 0

    def rewrite(self, body: list[ast.stmt], context: Context) -> list[ast.stmt]:
        return flat(Rewrite(self, context).visit(statement) for statement in body)

    def bind(self, value: Any, hint: str) -> str:
        """A name for a constant."""
        name = f"{hint}_{id(value):x}"
        self.scope[name] = value
        return name


class Rewrite(DeviceLimits):
    """Rewrites the statements of one function."""

    def __init__(self, writer: Writer, context: Context) -> None:
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
            return global_value(context.function, node.id)
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
        elif is_array(value):
            new = self.table(value)
        elif isinstance(value, types.ModuleType) or not hint.isidentifier():
            new = ast.Name(self.writer.bind(value, "constant"), ast.Load())
        else:
            known = self.rules.library.known
            new = ast.Name(self.writer.bind(known[value] if is_key(value, known) else value, hint), ast.Load())
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
            array = int_table(value, 2 if inner else 1)
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
        if found and is_key(value, self.rules.library.spelled):
            return self.spelled(node, self.rules.library.spelled[value])
        target = self.target(node)
        if target is None:
            builtin = isinstance(node.func, ast.Name) and node.func.id not in self.context.locals
            reason = self.rules.library.limit(value) if found or builtin else None
            if reason is not None:
                raise self.fail(node, reason)
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
        new = Substitute(values).visit(expression)
        for each in ast.walk(new):
            ast.copy_location(each, node)
        return new  # type: ignore[no-any-return]

    def target(self, node: ast.Call) -> tuple[Any, tuple[int, ...], list[ast.expr], str] | None:
        """What a call runs: the function, which arguments are the game, all arguments in order, and the rule."""
        function, rule, arguments = self.called(node)
        if function is None:
            return None
        library = self.rules.library
        if is_key(function, library.chosen):
            function, rule = library.chosen[function](self.rules.game), ""
            if not isinstance(function, types.FunctionType):
                return function, (), [], ""
        if is_key(function, library.known) or not isinstance(function, types.FunctionType):
            return None
        if is_library_function(function):
            return None
        if any(isinstance(each, ast.Starred) for each in arguments) or any(each.arg is None for each in node.keywords):
            raise self.fail(node, "a call with * or ** does not compile")
        complete = in_order(function, arguments, node.keywords)
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
            if is_super(owner):
                member = self.rules._member(name, self.context.defined_in)
                game = ast.Name(next(iter(self.context.games)), ast.Load())
                return (*self.method(member, name), self.passed(member, game, node))
        found, value = self.value(call)
        if hasattr(value, "python") and hasattr(value, "inner"):  # a Kernel
            value = value.python
        return (value if found else None), "", list(node.args)

    def method(self, member: Any, name: str) -> tuple[Any, str]:
        chosen = self.rules.library.chosen
        if is_key(member, chosen):
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
        if len(values.generators) > 1 and leaves_loop(node.body):
            raise self.fail(node, "a `break` out of a loop over nested loops does not compile")
        self.context.locals = self.context.locals | assigned_names(body)
        for statement in body:
            for each in ast.walk(statement):
                if "lineno" not in vars(each) and "lineno" in each._attributes:
                    ast.copy_location(each, node)
        return flat(self.visit(statement) for statement in body)

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
        names = parameters(function)
        inner = Context(
            function,
            frozenset(names[i] for i in games),
            self.context.tables,
            {name: name + suffix for name in local_names(function)},
            self.rules._class_of(function),
            local_names(function),
        )
        tree = parsed_source(function)
        if not inspect.isgeneratorfunction(function):
            tree.body = flat(YieldReturned().visit(statement) for statement in tree.body)
        statements: list[ast.stmt] = [
            ast.Assign([ast.Name(inner.names[name], ast.Store())], self.visit(argument))
            for i, (name, argument) in enumerate(zip(names, arguments, strict=True))
            if i not in games
        ]
        leave = f"_leave{suffix}"
        body = Leave(leave).body([self.visit(each) for each in copy.deepcopy(node.body)], node.body)
        cast = self.rules.library.items(self.rules.game, rule) if rule else None
        splice = Splice(self.visit(copy.deepcopy(node.target)), body, leave, self.writer.bind, cast)
        inside = splice.block(self.writer.rewrite(tree.body, inner), False)
        statements.append(ast.Assign([ast.Name(leave, ast.Store())], ast.Constant(False)))
        once = ast.Call(ast.Name("range", ast.Load()), [ast.Constant(1)], [])
        statements.append(ast.For(ast.Name(f"_once{suffix}", ast.Store()), once, inside, []))
        for statement in statements:
            for each in ast.walk(statement):
                if "lineno" not in vars(each) and "lineno" in each._attributes:
                    ast.copy_location(each, node)
        return statements

    # -- other statements ----------------------------------------------------------------------------------------------

    def visit_Raise(self, node: ast.Raise) -> Any:
        """An exception ends the thread; its text needs the interpreter."""
        error = ast.Name(self.writer.bind(ValueError, "ValueError"), ast.Load())
        return ast.copy_location(ast.Raise(ast.copy_location(error, node), None), node)

    def visit_Assert(self, node: ast.Assert) -> Any:
        return ast.copy_location(ast.Pass(), node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.YieldFrom):
            return self.visit(loop_that_yields(node.value.value, node))
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)  # a docstring

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return None
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))


def _yields(function: Any, rewrite: Rewrite) -> bool:
    """Whether a function is a generator, or returns what one yields."""
    if not isinstance(function, types.FunctionType):
        return False
    if inspect.isgeneratorfunction(function):
        return True
    tree = parsed_function(function)
    games = frozenset(parameters(function)[:1])
    context = Context(function, games, "", {}, rewrite.rules._class_of(function), local_names(function))
    inner = Rewrite(rewrite.writer, context)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Return) and node.value is not None:
            if isinstance(node.value, ast.GeneratorExp | ast.ListComp):
                return True
            if isinstance(node.value, ast.Call):
                target = inner.target(node.value)
                if target is not None and target[0] is not function and _yields(target[0], inner):
                    return True
    return False
