"""Code stays small enough to be read: files, classes and signatures have limits, and exceptions are named one by one.

Loops that are compiled take arrays, not objects: folders named `kernels` may have longer signatures.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

N = TypeVar("N", bound=ast.AST)

PACKAGE = Path(__file__).parents[2] / "src" / "anoptima"

MOST_LINES = 400
MOST_ATTRIBUTES = 12
MOST_PARAMETERS = 7

KEYWORDS_ARE_THE_INTERFACE = {
    "problems/fake_points.py read_csv",  # as `Table.read_csv`
    "experiments/together.py solve_together",  # as `solve`, of several runs at once
    "solvers/solving.py solve",  # what a person may say about one run
    "solvers/solving_models.py solve_model",  # the same of a model
    "table/tables.py read_csv",  # what a person may say about one file
}
"""Public functions with more parameters: each is one keyword that a person types, with a default."""

TOO_LONG: set[str] = set()
"""Files beyond the limit, each to be split where a seam is found. This list and the next two only ever get shorter."""

ONE_FILE = {
    "proofs/check_anoptima.py",
}
"""Programs that people copy and read as one file, whatever its length."""

TOO_MANY_ATTRIBUTES = {
    "solvers/backends/running.py Run",
    "solvers/exact/sifting/kernels/repair_board.py Board",
}
"""Classes beyond the limit, each of which hides another one."""

TOO_MANY_PARAMETERS = {
    "solvers/exact/covering_kernel.py _search",
}
"""Functions beyond the limit, whose arguments hide an object."""


def modules() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every module."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")


@cache
def parsed() -> list[tuple[str, ast.Module]]:
    return [(name, ast.parse(text)) for name, text in modules()]


def nodes(kind: type[N]) -> Iterator[tuple[str, N]]:
    """Yield every node of a kind with its module's name."""
    for name, tree in parsed():
        for node in ast.walk(tree):
            if isinstance(node, kind):
                yield name, node


def attributes(node: ast.ClassDef) -> set[str]:
    """Return what a class declares or assigns to `self`."""
    declared = {
        target.id
        for statement in node.body
        for target in (
            [statement.target]
            if isinstance(statement, ast.AnnAssign)
            else statement.targets
            if isinstance(statement, ast.Assign)
            else []
        )
        if isinstance(target, ast.Name)
    }
    assigned = {
        found.attr
        for found in ast.walk(node)
        if isinstance(found, ast.Attribute)
        and isinstance(found.ctx, ast.Store)
        and isinstance(found.value, ast.Name)
        and found.value.id == "self"
    }
    return declared | assigned


def parameters(node: ast.FunctionDef) -> list[str]:
    """Return what a function is called with, beside the object or the class that it belongs to."""
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [one.arg for one in every if one is not None and one.arg not in ("self", "cls")]


def long_files() -> set[str]:
    return {name for name, text in modules() if text.count("\n") > MOST_LINES}


def large_classes() -> set[str]:
    """Members of an enumeration are a list of names, not attributes."""
    return {
        f"{name} {node.name}"
        for name, node in nodes(ast.ClassDef)
        if len(attributes(node)) > MOST_ATTRIBUTES and "Enum" not in map(ast.unparse, node.bases)
    }


def long_signatures() -> set[str]:
    return {
        f"{name} {node.name}"
        for name, node in nodes(ast.FunctionDef)
        if len(parameters(node)) > MOST_PARAMETERS and "kernels" not in name.split("/")[:-1]
    }


@pytest.mark.parametrize(
    ("look", "excepted", "allowed"),
    [
        (long_files, TOO_LONG, ONE_FILE),
        (large_classes, TOO_MANY_ATTRIBUTES, set()),
        (long_signatures, TOO_MANY_PARAMETERS, KEYWORDS_ARE_THE_INTERFACE),
    ],
    ids=["files", "classes", "signatures"],
)
def test_nothing_grows_beyond_its_limit(look: Callable[[], set[str]], excepted: set[str], allowed: set[str]) -> None:
    found = look()
    new = found - excepted - allowed
    assert not new, f"too large: {', '.join(sorted(new))}; split it where a seam is, or give what goes together a name"
    mended = (excepted | allowed) - found
    assert not mended, f"no longer too large, so no exceptions: {', '.join(sorted(mended))}"
