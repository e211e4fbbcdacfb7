"""Rewrite a rule that yields into a rule that stores into buffers.

    yield x        becomes      if count < len(out):
                                    out[count] = int_move(x)
                                count += 1

and the function returns the number of items. Nothing is written beyond the end of the buffer: a count above its length
tells the caller that it was too small. A rule that yields states stores their numbers, a row for each. The same rewrite
prepares rules for a GPU, where generators do not compile.

The rewrite starts from the source text, which may be out of date. It is used only if it compiles to the rule's own
bytecode.
"""

from __future__ import annotations

import ast
import dis
import inspect
import operator
import textwrap
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

COUNT_NAME, ITEM_NAME, VALUE_NAME, INT_NAME = "_zermelo_count", "_zermelo_each", "_zermelo_part", "_zermelo_int"
ROW_NAME, ROWS_NAME = "_zermelo_store_row", "_zermelo_rows"


def int_move(move: Any) -> int:
    """A move or an outcome as the int that compiled code needs. Raise TypeError if it is not an integer."""
    return operator.index(move)


def store_row(game: Any, state: Any, rows: Any, place: int) -> None:
    """Store the numbers of a state as the row of a place, if `rows` has room for it."""
    raise NotImplementedError


def yields_to_buffer(rule: types.FunctionType, buffers: int = 1) -> types.FunctionType | None:
    """The rewritten rule, which takes its buffers after its own arguments; None if its source is not available.

    With several buffers the rule yields tuples, one item for each: `(outcome, probability)` into two arrays, the first
    of ints. With none it only counts.
    """
    names = [f"_zermelo_out{i}" for i in range(buffers)]
    return _rewritten(rule, names, _StoreYields(names))


def yields_to_rows(rule: types.FunctionType) -> types.FunctionType | None:
    """A rule that yields states, rewritten to take the room for their rows after its own arguments; None as above."""
    return _rewritten(rule, [ROWS_NAME], _StoreRows(rule.__code__.co_varnames[0]))


def _rewritten(rule: types.FunctionType, names: list[str], change: ast.NodeTransformer) -> types.FunctionType | None:
    """The rule with these arguments after its own, its statements changed, that returns how much it yielded."""
    function = parsed_function(rule)
    if function is None or not _only_plain_yields(function) or not _reaches_yield(rule):
        return None
    function.args.args += [ast.arg(name) for name in names]
    body = [change.visit(statement) for statement in function.body]
    function.body = [*_statements(f"{COUNT_NAME} = 0"), *_flat(body), *_statements(f"return {COUNT_NAME}")]
    return _function(function, rule)


def yields_one_by_one(rule: types.FunctionType) -> types.FunctionType:
    """The rule with `yield from` written as a loop, which Numba supports; the rule itself if it has none."""
    function = parsed_function(rule)
    if function is None or not any(isinstance(node, ast.YieldFrom) for node in ast.walk(function)):
        return rule
    function.body = _flat([_LoopYields().visit(statement) for statement in function.body])
    return _function(function, rule)


# -- from a function to its syntax tree and back --------------------------------------------------------------------


def parsed_function(rule: types.FunctionType) -> ast.FunctionDef | None:
    """The syntax tree of a rule with the line numbers of its file; None if its source is missing or out of date."""
    try:
        source = inspect.getsource(rule.__code__)
        tree = ast.parse(f"if True:\n{source}" if source[:1].isspace() else f"\n{source}")  # a docstring stays as it is
    except (OSError, TypeError, SyntaxError):
        return None
    outer = tree.body[0]
    function = outer.body[0] if isinstance(outer, ast.If) else outer
    if not isinstance(function, ast.FunctionDef):
        return None
    ast.increment_lineno(tree, rule.__code__.co_firstlineno - 2)
    function.decorator_list = []
    function.returns = None
    for argument in ast.walk(function.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return function if any(_same_code(code, rule.__code__) for code in _codes(function, rule)) else None


def _codes(function: ast.FunctionDef, rule: types.FunctionType) -> Iterator[types.CodeType]:
    """Compile the tree as it stands, and with names imported: Python calls `bits.lsb(x)` otherwise if `bits` is."""
    names = [name for name in rule.__code__.co_names if name in rule.__globals__]
    modules = [name for name in names if isinstance(rule.__globals__[name], types.ModuleType)]
    for imported in ([], modules, names):
        yield _code(function, rule, imported)


def _code(function: ast.FunctionDef, rule: types.FunctionType, imported: Sequence[str] = ()) -> types.CodeType:
    """Compile the tree inside a class of the rule's class name, which mangles private names, and inside its closure."""
    home = rule.__qualname__.split(".")[-2:-1]
    inner: ast.stmt = function
    if home and home[0].isidentifier():
        inner = _statements(f"class {home[0]}:\n    pass")[0]
        inner.body = [function]  # type: ignore[attr-defined]
    outer = ast.parse(f"def _zermelo_home({', '.join(rule.__code__.co_freevars)}):\n    pass").body[0]
    calls_itself = inner is function and function.name not in rule.__code__.co_freevars  # if so, by a global name
    outer.body = [*([ast.Global([function.name])] if calls_itself else []), inner]  # type: ignore[attr-defined]
    imports: list[ast.stmt] = [ast.Import([ast.alias(name)]) for name in imported]
    tree = ast.fix_missing_locations(ast.Module([*imports, outer], []))
    code = compile(tree, rule.__code__.co_filename, "exec")
    while code.co_name != function.name or code.co_name == "<module>":
        code = next(constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return code


def _function(function: ast.FunctionDef, rule: types.FunctionType) -> types.FunctionType:
    """The changed tree as a function with the globals and the closure of the rule."""
    code = _code(function, rule)
    known = dict(zip(rule.__code__.co_freevars, rule.__closure__ or (), strict=True))
    closure = tuple(known[name] for name in code.co_freevars)
    scope = {**rule.__globals__, INT_NAME: int_move, ROW_NAME: store_row}
    return types.FunctionType(code, scope, rule.__name__, rule.__defaults__, closure)


def _same_code(one: types.CodeType, other: types.CodeType) -> bool:
    """Whether two code objects are equal apart from their place in a file."""
    names = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_argcount")
    if any(getattr(one, name) != getattr(other, name) for name in names) or len(one.co_consts) != len(other.co_consts):
        return False
    return all(
        _same_code(a, b) if isinstance(a, types.CodeType) and isinstance(b, types.CodeType) else repr(a) == repr(b)
        for a, b in zip(one.co_consts, other.co_consts, strict=True)
    )


# -- rewriting -------------------------------------------------------------------------------------------------------


def _only_plain_yields(function: ast.FunctionDef) -> bool:
    """Whether every yield is a statement of its own."""
    yields = [node for node in ast.walk(function) if isinstance(node, ast.Yield | ast.YieldFrom)]
    plain = [node for node in ast.walk(function) if isinstance(node, ast.Expr) and node.value in yields]
    inner = [node for node in ast.walk(function) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    return bool(yields) and len(plain) == len(yields) and len(inner) == 1


def _reaches_yield(rule: types.FunctionType) -> bool:
    """Whether Python kept a yield: one after a return is gone. Numba tells the author of a rule that has none."""
    return any(each.opname == "YIELD_VALUE" for each in dis.get_instructions(rule))


def _statements(text: str) -> list[ast.stmt]:
    """Statements from text; they may include a bare return."""
    return ast.parse(f"def f():\n{textwrap.indent(text, '    ')}").body[0].body  # type: ignore[attr-defined, no-any-return]


def _flat(parts: list[Any]) -> list[ast.stmt]:
    return [statement for part in parts for statement in (part if isinstance(part, list) else [part])]


def _loop_over(values: ast.expr, body: Callable[[ast.expr], list[ast.stmt]]) -> ast.For:
    """`for item in values:` with the statements that `body` returns for the item."""
    loop = _statements(f"for {ITEM_NAME} in ():\n    pass")[0]
    assert isinstance(loop, ast.For)
    loop.iter = values
    loop.body = body(ast.Name(ITEM_NAME, ast.Load()))
    return loop


class _LoopYields(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> Any:
        if not isinstance(node.value, ast.YieldFrom):
            return node
        return _located([_loop_over(node.value.value, lambda each: [ast.Expr(ast.Yield(each))])], node)


class _StoreYields(ast.NodeTransformer):
    def __init__(self, buffers: list[str]) -> None:
        self.buffers = buffers

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.YieldFrom):
            return _located([_loop_over(node.value.value, self._store)], node)
        if isinstance(node.value, ast.Yield):
            return _located(self._store(node.value.value or ast.Constant(None)), node)
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        return _located(_statements(f"return {COUNT_NAME}"), node)

    def _store(self, value: ast.expr) -> list[ast.stmt]:
        parts = [f"{VALUE_NAME}{i}" for i in range(len(self.buffers))]
        assign = _statements(f"{', '.join(parts) or VALUE_NAME} = 0")[0]
        assert isinstance(assign, ast.Assign)
        assign.value = value
        if not self.buffers:
            return [assign, *_statements(f"{COUNT_NAME} += 1")]
        values = [f"{INT_NAME}({parts[0]})", *parts[1:]]  # storing into the array would truncate 1.5
        stores = "".join(
            f"\n    {name}[{COUNT_NAME}] = {each}" for name, each in zip(self.buffers, values, strict=True)
        )
        return [assign, *_statements(f"if {COUNT_NAME} < len({self.buffers[0]}):{stores}\n{COUNT_NAME} += 1")]


class _StoreRows(_StoreYields):
    def __init__(self, game: str) -> None:
        self.game = game

    def _store(self, value: ast.expr) -> list[ast.stmt]:
        store = _statements(f"{ROW_NAME}({self.game}, 0, {ROWS_NAME}, {COUNT_NAME})")[0]
        assert isinstance(store, ast.Expr)
        assert isinstance(store.value, ast.Call)
        store.value.args[1] = value
        return [store, *_statements(f"{COUNT_NAME} += 1")]


def _located(statements: list[ast.stmt], origin: ast.AST) -> list[ast.stmt]:
    """Give new statements the line of the one they replace, so that errors name the author's line."""
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.stmt | ast.expr):
                ast.copy_location(node, origin)
    return statements
