"""Arrays in which nothing stands twice: the same as Python's sets, and nothing of ours asks numpy, which takes far longer."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from anoptima.distinct import distinct, union
from tests.loops import each

SOURCES = Path(__file__).parents[1] / "src" / "anoptima"


@each("count", range(40))
def test_what_is_found_is_what_sets_hold(count: int) -> None:
    chance = np.random.default_rng(count)
    for kind in (np.int32, np.int64, np.bool_, np.float64):
        one, other = (chance.integers(0, 9, size).astype(kind) for size in (count, 7))
        assert distinct(one).tolist() == sorted(set(one.tolist()))
        assert distinct(one).dtype == kind
        assert union(one, other).tolist() == sorted({*one.tolist(), *other.tolist()})
    assert distinct(np.array([[2, 1], [1, 3]])).tolist() == [1, 2, 3]


def slow(tree: ast.AST) -> Iterator[str]:
    """Yield the calls of numpy that find distinct values in a hash table."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            given = {keyword.arg for keyword in node.keywords}
            name = ast.unparse(node.func)
            if name == "np.unique" and not any(str(one).startswith(("return_", "axis")) for one in given):
                yield ast.unparse(node)
            if name in {"np.union1d", "np.setdiff1d", "np.intersect1d", "np.setxor1d"} and "assume_unique" not in given:
                yield ast.unparse(node)


def test_numpy_is_asked_for_more_than_distinct_values_alone() -> None:
    files = sorted(SOURCES.rglob("*.py"))
    assert len(files) > 300
    found = [f"{file.name}: {call}" for file in files for call in slow(ast.parse(file.read_text("utf-8")))]
    assert not found, "anoptima.distinct sorts, which is faster: " + "; ".join(found)


def test_what_is_slow_is_seen() -> None:
    text = "np.unique(a)\nnp.unique(a, return_inverse=True)\nnp.union1d(a, b)\nnp.setdiff1d(a, b, assume_unique=True)"
    assert list(slow(ast.parse(text))) == ["np.unique(a)", "np.union1d(a, b)"]
