"""Reductions with one line of their code changed."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from anoptima.reductions.base import Reduction
from anoptima.testing.mutant import Mutant

MARK = "no mutant:"
"""What a line says that is not to be changed."""

SPARED = ("why", "target_size", "__init__", "__post_init__")
"""Functions that no map and no table depends on alone begin with one of these."""


# ---- lines --------------------------------------------------------------------------------------------------------------------
def line_mutants(reduction: Reduction[Any, Any], *, marked: bool = False) -> Iterator[Mutant]:
    """Yield the reduction with one line of its module changed, for every change there is; or only the lines that are not to be changed."""
    module, name = importlib.import_module(type(reduction).__module__), type(reduction).__name__
    source = inspect.getsource(module)
    lines, tree = source.splitlines(), _unregistered(ast.parse(source))
    for parent, field, at, node in _places(tree):
        spot = getattr(node, "lineno", None)
        if spot is None or (MARK in lines[spot - 1]) is not marked:
            continue
        for changed in _changes(node):
            words = (
                f"line {spot}, column {getattr(node, 'col_offset', 0)}: {ast.unparse(node)} -> {ast.unparse(changed)}"
            )
            _put(parent, field, at, ast.fix_missing_locations(ast.copy_location(changed, node)))
            try:
                broken = _compiled(tree, module, name)
            finally:
                _put(parent, field, at, node)
            yield Mutant(reduction.name, "line", words, broken(**reduction.parameters))


def run_anew(reduction: Reduction[Any, Any]) -> Mutant:
    """Return the reduction with its module run anew and no line changed: whoever complains of it does not notice changes."""
    module, name = importlib.import_module(type(reduction).__module__), type(reduction).__name__
    same = _compiled(_unregistered(ast.parse(inspect.getsource(module))), module, name)
    return Mutant(reduction.name, "line", "nothing", same(**reduction.parameters))


def _unregistered(tree: ast.Module) -> ast.Module:
    """Return a module that defines what it defines when it runs, and registers or does nothing."""
    tree.body = [node for node in tree.body if not isinstance(node, ast.Expr) and "__name__" not in _condition(node)]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            node.decorator_list = [d for d in node.decorator_list if not ast.unparse(d).endswith("register")]
    return tree


def _condition(node: ast.stmt) -> str:
    return ast.unparse(node.test) if isinstance(node, ast.If) else ""


def _places(tree: ast.Module) -> list[tuple[ast.AST, str, int | None, ast.AST]]:
    """Return every node of what runs, with where it is: its parent, the parent's field, and its number there where the field is a list."""
    found: list[tuple[ast.AST, str, int | None, ast.AST]] = []
    for function in _functions(tree):
        for parent in ast.walk(function):
            for field, there in ast.iter_fields(parent):
                if isinstance(there, list):
                    found += [(parent, field, at, node) for at, node in enumerate(there) if isinstance(node, ast.AST)]
                elif isinstance(there, ast.AST):
                    found.append((parent, field, None, there))
    return found


def _put(parent: ast.AST, field: str, at: int | None, node: ast.AST) -> None:
    if at is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[at] = node


def _functions(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield what runs when a reduction is applied or a solution is carried: the bodies of functions, without their docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith(SPARED):
            documented = ast.get_docstring(node) is not None
            yield from node.body[documented:]


_OTHER: dict[type[Any], type[Any]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def _changes(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
        if node.value:
            yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.BinOp) and type(node.op) in _OTHER:
        yield ast.BinOp(node.left, _OTHER[type(node.op)](), node.right)
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in _OTHER:
        yield ast.Compare(node.left, [_OTHER[type(node.ops[0])](), *node.ops[1:]], node.comparators)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)


def _compiled(tree: ast.Module, module: ModuleType, name: str) -> Any:
    """Run a changed module, and return its class called `name`."""
    namespace: dict[str, Any] = {"__name__": module.__name__, "__file__": module.__file__}
    exec(compile(tree, module.__file__ or name, "exec"), namespace)
    return namespace[name]
