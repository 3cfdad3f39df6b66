"""The questions of a comparison: problems with the names that people give them, and columns of a table that state what each asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from anoptima.argument_kinds import described
from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.instances.library import Instance, instances_named
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.problems.base import Problem
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.problems.fake_points import FakePoints
from anoptima.table import Table

Asked = Problem[Any] | Instance | str
"""A problem, an instance of the library, or the name of one or several: 'census-four' stands for all that begin with it."""

_DIGITS = 12
"""Characters of a table's digest that distinguish it from others."""


@dataclass(frozen=True)
class Question:
    """A problem, and the name of its data."""

    number: int
    name: str
    problem: Problem[Any]

    @property
    def asks(self) -> str:
        """The question in words: the problem's name, and its principle if it has one."""
        principle = getattr(self.problem, "principle", None)
        return self.problem.name if principle is None else f"{self.problem.name}, {principle}"

    def columns(self) -> dict[str, Any]:
        """Return the question as a row: None where a column makes no sense for the problem; numbers are numbers.

        A principle with several values of l or t, of different sensitive columns, has them as a text.
        """
        problem = self.problem
        principle: Principle | None = getattr(problem, "principle", None)
        parts = () if principle is None else principle.parts
        ks = [part.k for part in parts if isinstance(part, KAnonymity)]
        close = [part for part in parts if isinstance(part, TCloseness)]
        rows, columns = _shape(problem)
        return {
            "question": self.number,
            "problem": problem.name,
            "table": self.name,
            "rows": rows,
            "columns": columns,
            "k": max(ks) if ks else getattr(problem, "k", None),
            "l": _number([part.l for part in parts if isinstance(part, LDiversity)]),
            "t": _number([part.t for part in close]),
            "space": ", ".join(dict.fromkeys(part.space.kind for part in close)) or None,
            "asks": self.asks,
        }


def questions(asked: Asked | Iterable[Asked] | Mapping[str, Asked]) -> list[Question]:
    """Return the named problems, in order, each with the name of its data: its key, or the library's name, or a digest.

    >>> [question.name for question in questions(["ten-rows"])]
    ['ten-rows-k2', 'ten-rows-k3']
    """
    if isinstance(asked, Mapping):
        listed = [(name, one) for key, value in asked.items() for name, one in _meant(value, key)]
    else:
        each = [asked] if isinstance(asked, Problem | Instance | str) else asked
        listed = [(name, one) for value in each for name, one in _meant(value, None)]
    return [Question(number, name, problem) for number, (name, problem) in enumerate(listed)]


def _meant(value: Asked, key: str | None) -> list[tuple[str, Problem[Any]]]:
    if isinstance(value, str):
        found = instances_named(value)
        return [(key if key and len(found) == 1 else one.name, one.load()) for one in found]
    if isinstance(value, Instance):
        return [(key or value.name, value.load())]
    if not isinstance(value, Problem):
        raise BadInput(f"a problem to compare on is {described(value)}; it must be a Problem, an Instance or its name")
    table = getattr(value, "table", None)
    return [(key or (table.digest[:_DIGITS] if isinstance(table, Table) else value.name), value)]


def _shape(problem: Problem[Any]) -> tuple[int | None, int | None]:
    table = getattr(problem, "table", None)
    if isinstance(table, Table):
        return table.rows, len(table.quasi)
    if isinstance(problem, FakePoints | FakeBoxes):
        points = problem.points if isinstance(problem, FakePoints) else problem.corners
        return len(points), len(points[0])
    return None, None


def _number(values: list[Exact]) -> int | float | str | None:
    if not values:
        return None
    plain = [int(value) if value.denominator == 1 else float(value) for value in values]
    return plain[0] if len(set(plain)) == 1 else ", ".join(map(str, plain))
