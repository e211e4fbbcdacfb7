"""Move buffers: a rule that yields is rewritten into one that stores.

    yield x        becomes      if _n < len(_out):
                                    _out[_n] = x
                                _n += 1

and the function returns how many there were. A caller whose buffer was too small learns so from the count: nothing is
ever written beyond its end. The same rewrite makes rules fit for a GPU, where generators do not compile.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from collections.abc import Callable
from typing import Any


def yields_to_buffer(rule: types.FunctionType, buffers: tuple[str, ...] = ("_out",)) -> types.FunctionType | None:
    """The rewritten rule, which takes its buffers after its own arguments; None where its source is out of reach.

    With several buffers the rule yields tuples, spread over them: `(outcome, probability)` into two arrays.
    """
    function = _parsed(rule)
    if function is None or not _only_plain_yields(function):
        return None
    function.args.args += [ast.arg(name) for name in buffers]
    body = [_StoreYields(buffers).visit(statement) for statement in function.body]
    function.body = [*_statements("_n = 0"), *_flat(body), *_statements("return _n")]
    return _compiled(function, rule)


def yields_one_by_one(rule: types.FunctionType) -> types.FunctionType:
    """The rule with `yield from` written as a loop, which is how Numba knows it; the rule itself if it has none."""
    function = _parsed(rule)
    if function is None or not any(isinstance(node, ast.YieldFrom) for node in ast.walk(function)):
        return rule
    function.body = _flat([_LoopYields().visit(statement) for statement in function.body])
    return _compiled(function, rule)


def _parsed(rule: types.FunctionType) -> ast.FunctionDef | None:
    """The syntax tree of a rule, its lines numbered as in its file; None where its source is out of reach."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(rule)))
    except (OSError, TypeError, SyntaxError):
        return None
    function = tree.body[0]
    if not isinstance(function, ast.FunctionDef):
        return None
    ast.increment_lineno(tree, rule.__code__.co_firstlineno - 1)
    function.decorator_list = []
    function.returns = None
    return function


def _compiled(function: ast.FunctionDef, rule: types.FunctionType) -> types.FunctionType:
    """The changed syntax tree as a function that sees what the rule sees."""
    tree = ast.fix_missing_locations(ast.Module([function], []))
    scope = {**rule.__globals__, **inspect.getclosurevars(rule).nonlocals}
    exec(compile(tree, rule.__code__.co_filename, "exec"), scope)
    rewritten: types.FunctionType = scope[function.name]
    rewritten.__defaults__ = rule.__defaults__
    return rewritten


def _only_plain_yields(function: ast.FunctionDef) -> bool:
    """Whether every yield is a statement of its own, which is how moves are yielded."""
    yields = [node for node in ast.walk(function) if isinstance(node, ast.Yield | ast.YieldFrom)]
    plain = [node for node in ast.walk(function) if isinstance(node, ast.Expr) and node.value in yields]
    inner = [node for node in ast.walk(function) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    return bool(yields) and len(plain) == len(yields) and len(inner) == 1


def _statements(text: str) -> list[ast.stmt]:
    """Statements from text; they may include a bare return."""
    return ast.parse(f"def f():\n{textwrap.indent(text, '    ')}").body[0].body  # type: ignore[attr-defined, no-any-return]


def _flat(parts: list[Any]) -> list[ast.stmt]:
    return [statement for part in parts for statement in (part if isinstance(part, list) else [part])]


def _loop_over(values: ast.expr, body: Callable[[ast.expr], list[ast.stmt]]) -> ast.For:
    """`for _each in values:` with what `body` makes of each."""
    loop = _statements("for _each in ():\n    pass")[0]
    assert isinstance(loop, ast.For)
    loop.iter = values
    loop.body = body(ast.Name("_each", ast.Load()))
    return loop


class _LoopYields(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> Any:
        if not isinstance(node.value, ast.YieldFrom):
            return node
        return _located([_loop_over(node.value.value, lambda each: [ast.Expr(ast.Yield(each))])], node)


class _StoreYields(ast.NodeTransformer):
    def __init__(self, buffers: tuple[str, ...]) -> None:
        self.buffers = buffers

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.YieldFrom):
            return _located([_loop_over(node.value.value, self._store)], node)
        if isinstance(node.value, ast.Yield):
            return _located(self._store(node.value.value or ast.Constant(None)), node)
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        return _located(_statements("return _n"), node)

    def _store(self, value: ast.expr) -> list[ast.stmt]:
        first = self.buffers[0]
        parts = [f"_part{i}" for i in range(len(self.buffers))]
        assign = _statements(f"{', '.join(parts)} = 0")[0]
        assert isinstance(assign, ast.Assign)
        assign.value = value
        stores = "".join(f"\n    {name}[_n] = {part}" for name, part in zip(self.buffers, parts, strict=True))
        return [assign, *_statements(f"if _n < len({first}):{stores}\n_n += 1")]


def _located(statements: list[ast.stmt], origin: ast.AST) -> list[ast.stmt]:
    """Give new statements the line of the one they replace, so that errors point at the author's text."""
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.stmt | ast.expr):
                ast.copy_location(node, origin)
    return statements
