"""Generators as plain loops: the body of a loop takes the place of each `yield` of the generator that it runs over."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable
from typing import Any

from zermelo.native.codegen.syntax_trees import flat
from zermelo.native.codegen.yield_buffers import ITEM_NAME

Bind = Callable[[Any, str], str]
"""Gives a constant a name that resembles a hint."""


class Leave(ast.NodeTransformer):
    """Rewrites the body of a loop that stands inside the loops of a generator: `break` must leave all of them."""

    def __init__(self, leave: str) -> None:
        self.leave = leave

    def body(self, statements: list[Any], original: list[ast.stmt]) -> list[ast.stmt]:
        plain = flat(statements)
        if not _jumps(original):
            return plain
        inside = flat(self.visit(each) for each in plain)
        once = ast.Call(ast.Name("range", ast.Load()), [ast.Constant(1)], [])
        return [
            ast.For(ast.Name(f"{self.leave}_body", ast.Store()), once, inside, []),
            *([_leave_if(self.leave)] if leaves_loop(original) else []),
        ]

    def visit_Break(self, node: ast.Break) -> Any:
        return [ast.Assign([ast.Name(self.leave, ast.Store())], ast.Constant(True)), node]

    def visit_For(self, node: ast.For) -> Any:
        return node  # its own breaks

    def visit_While(self, node: ast.While) -> Any:
        return node


class Splice:
    """Puts the body of a loop in place of the yields of a generator."""

    def __init__(self, target: ast.expr, body: list[ast.stmt], leave: str, bind: Bind, cast: Any) -> None:
        self.target, self.insert, self.leave, self.cast = target, body, leave, cast
        self.bind = bind
        self.breaks = any(isinstance(each, ast.Name) and each.id == leave for s in body for each in ast.walk(s))

    def block(self, statements: Iterable[ast.stmt], in_loop: bool) -> list[ast.stmt]:
        return flat(self.statement(each, in_loop) for each in statements) or [ast.Pass()]

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
                casts = [ast.Name(self.bind(cast, "cast"), ast.Load()) for cast in self.cast]
                value = ast.Tuple(
                    [ast.Call(cast, [item], []) for cast, item in zip(casts, value.elts, strict=True)], ast.Load()
                )
            elif not isinstance(self.cast, tuple):
                value = ast.Call(ast.Name(self.bind(self.cast, "cast"), ast.Load()), [value], [])
        return [ast.Assign([copy.deepcopy(self.target)], value), *copy.deepcopy(self.insert)]


class YieldReturned(ast.NodeTransformer):
    """`return values` becomes a loop that yields them."""

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is None:
            return node
        return [loop_that_yields(node.value, node), ast.copy_location(ast.Return(None), node)]


def loop_that_yields(values: ast.expr, origin: ast.stmt) -> ast.For:
    """`for item in values: yield item`."""
    item = ast.Name(ITEM_NAME, ast.Load())
    loop = ast.For(ast.Name(ITEM_NAME, ast.Store()), values, [ast.Expr(ast.Yield(item))], [])
    return ast.fix_missing_locations(ast.copy_location(loop, origin))


# -- statements --------------------------------------------------------------------------------------------------------


def _leave_if(name: str) -> ast.If:
    return ast.If(ast.Name(name, ast.Load()), [ast.Break()], [])


def _jumps(body: list[ast.stmt]) -> bool:
    return any(isinstance(each, ast.Break | ast.Continue) for each in _own(body))


def leaves_loop(body: list[ast.stmt]) -> bool:
    return any(isinstance(each, ast.Break) for each in _own(body))


def _own(body: Iterable[ast.AST]) -> Iterable[ast.AST]:
    """The nodes of some statements without those of loops among them."""
    for node in body:
        yield node
        if not isinstance(node, ast.For | ast.While):
            yield from _own(ast.iter_child_nodes(node))
