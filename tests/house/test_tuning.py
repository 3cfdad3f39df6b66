"""Every number of the engine says what it is: its unit, what it trades off, and where its figure is from."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOLVERS = Path(__file__).parents[2] / "src" / "anoptima" / "solvers"
ENGINE = (SOLVERS / "exact" / "sifting", SOLVERS / "approximate" / "near_patterns")


def is_number(value: ast.expr) -> bool:
    """Tell whether an expression is a number, or made of some: a tuple, an object that is given numbers."""
    match value:
        case ast.Constant():
            return isinstance(value.value, int | float) and not isinstance(value.value, bool)
        case ast.UnaryOp():
            return is_number(value.operand)
        case ast.BinOp():
            return is_number(value.left) and is_number(value.right)
        case ast.Tuple() | ast.List():
            return any(map(is_number, value.elts))
        case ast.Dict():
            return any(map(is_number, value.values))
        case ast.Call(func=ast.Name()):
            return any(map(is_number, value.args)) or any(is_number(keyword.value) for keyword in value.keywords)
    return False


def silent(tree: ast.Module) -> Iterator[str]:
    """Yield the numeric constants of a module that no docstring stands under."""
    for statement, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        says = (
            isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str)
        )
        if is_number(statement.value) and not says:
            yield ast.unparse(statement)


def test_every_numeric_constant_of_the_engine_is_explained() -> None:
    files = [file for folder in ENGINE for file in sorted(folder.rglob("*.py"))]
    found = [
        f"{file.relative_to(SOLVERS)}: {constant}"
        for file in files
        for constant in silent(ast.parse(file.read_text(encoding="utf-8")))
    ]
    assert len(files) > 60
    assert not found, "say in a docstring below what unit it has, and what it trades off: " + "; ".join(sorted(found))


def test_what_is_silent_is_seen() -> None:
    text = 'A = 1\n"""Rows."""\nB, C = 2, -3.5\nD = Course(passes=4)\nE = "word"\nF = True\nG = {"a": (1, 2)}\n"""Shares."""\nH = 1 << 4\n'
    assert list(silent(ast.parse(text))) == ["B, C = (2, -3.5)", "D = Course(passes=4)", "H = 1 << 4"]
