"""Problems: questions with a cost and a checker, independent of any solver."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Generic, Self, TypeVar

from anoptima.arguments import checked
from anoptima.errors import BadInput, InfeasibleProblem, NotApplicable
from anoptima.exact import Exact, counted
from anoptima.html import lines, text
from anoptima.registry import Kinds
from anoptima.table import Table

S = TypeVar("S")
"""The type of a problem's solutions: plain data, no behaviour."""


T = TypeVar("T")


def orderly(made: type[T]) -> type[T]:
    """Let a dataclass show its sets in order, so that it is shown the same in every run.

    >>> from anoptima.problems.attribute_suppression import DroppedColumns
    >>> DroppedColumns(frozenset({"zip", "age"}))
    DroppedColumns(names=frozenset({'age', 'zip'}))
    """

    def show(self: Any) -> str:
        parts = ((part.name, getattr(self, part.name)) for part in fields(self))
        return f"{made.__name__}({', '.join(f'{name}={_in_order(part)}' for name, part in parts)})"

    made.__repr__ = show  # type: ignore[method-assign]
    return made


def _in_order(part: object) -> str:
    if not isinstance(part, frozenset) or not part:
        return repr(part)
    try:
        members = sorted(part)
    except TypeError:
        members = sorted(part, key=repr)
    return f"frozenset({{{', '.join(map(repr, members))}}})"


@checked
class Problem(ABC, Generic[S]):
    """A minimisation problem. Subclasses are frozen dataclasses, hold exact data, and import nothing that solves.

    Required: `violations`, `cost`, `trivial`, `lower_bound`, `why_infeasible`, `solutions`, `size`, and the class attribute
    `name`, the word a person types; `examples` for whatever is to be tried on it. Derived: `is_feasible`, `require_feasible`.
    """

    name: str

    @abstractmethod
    def violations(self, solution: S) -> list[str]:
        """Say in words what is wrong with `solution`, one entry a violated condition; empty when it is feasible."""

    @abstractmethod
    def cost(self, solution: S) -> Exact:
        """Return the exact cost of `solution`, computed from the data alone."""

    @abstractmethod
    def trivial(self) -> S:
        """Return an obvious feasible solution; raise `InfeasibleProblem` if the problem has none."""

    @abstractmethod
    def lower_bound(self) -> Exact:
        """Return a cheap bound, proved by the problem's own arithmetic, that no feasible solution's cost is below."""

    @abstractmethod
    def why_infeasible(self) -> str | None:
        """Say why no solution can exist, in the problem's words ('k = 5 but the table has 4 rows'); None if one does."""

    @abstractmethod
    def solutions(self) -> Iterator[S]:
        """Yield every candidate solution, feasible or not: for tiny instances, to search by brute force."""

    @abstractmethod
    def size(self) -> Mapping[str, int]:
        """Return the named quantities that measure the instance."""

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield tiny instances that differ in what matters, small enough to try every candidate: the conformance suites use them."""
        return iter(())

    def as_json(self) -> dict[str, Any]:
        """Return the problem's statement, without its table, as plain data for `from_json`."""
        raise NotApplicable(f"{self.name} cannot be written to a document")

    @classmethod
    def from_json(cls, table: Table, data: Mapping[str, Any]) -> Self:
        """Return the problem on `table` that `as_json` wrote down."""
        raise NotApplicable(f"{cls.name} cannot be read from a document")

    @classmethod
    def has_documents(cls) -> bool:
        """Return whether problems of this kind can be written down, and read back on a table."""
        return getattr(cls.from_json, "__func__", None) is not Problem.from_json.__func__  # type: ignore[attr-defined]

    @property
    @abstractmethod
    def cost_scale(self) -> int:
        """The least integer that makes the cost of every solution whole; a model multiplies its objective by it."""

    @property
    @abstractmethod
    def unit(self) -> str:
        """The unit of cost, in the plural: 'stars', 'columns'."""

    def describe_cost(self, cost: Exact) -> str:
        """Say a cost in words: '54 stars'. Problems that have a natural 'out of' say that too."""
        return counted(cost, self.unit)

    @property
    def plain(self) -> Problem[S]:
        """The same question without repeated or void conditions; solvers use it to choose their methods."""
        return self

    def _repr_html_(self) -> str:
        principle = getattr(self, "principle", None)
        size = ", ".join(f"{text(name)}: {count:,}" for name, count in self.size().items())
        return lines(
            text(self.name), "" if principle is None else text(principle), size, text(self.why_infeasible() or "")
        )

    def is_feasible(self, solution: S) -> bool:
        """Return whether `solution` violates nothing."""
        return not self.violations(solution)

    def require_feasible(self) -> None:
        """Raise `InfeasibleProblem`, with the reason, when no solution can exist."""
        reason = self.why_infeasible()
        if reason is not None:
            raise InfeasibleProblem(reason)


problem_kinds: Kinds[type[Problem[Any]]] = Kinds(
    "problem", Problem, "anoptima.problems", "anoptima.problems", "anoptima.problems.sources", word="name"
)
"""Every kind of problem, by the word that a person types."""


def every_subset(things: Sequence[T], least: int = 0, most: int | None = None) -> Iterator[tuple[T, ...]]:
    """Yield the subsets of some things that have at least `least` and at most `most` of them, the smallest first.

    >>> list(every_subset("ab"))
    [(), ('a',), ('b',), ('a', 'b')]
    """
    sizes = range(least, (len(things) if most is None else most) + 1)
    return itertools.chain.from_iterable(itertools.combinations(things, size) for size in sizes)


def why_another(problem: Problem[Any], kinds: tuple[type[Problem[Any]], ...], who: str) -> str | None:
    """Say that `who` is for problems of some `kinds`, not for this one; None if it is of one of them.

    >>> from anoptima import CellSuppression, DiameterSum, KAnonymity, ten_rows
    >>> why_another(CellSuppression(ten_rows(), KAnonymity(2)), (DiameterSum,), "that solver")
    'that solver is for diameter-sum, not for cell-suppression'
    """
    if isinstance(problem, kinds):
        return None
    return f"{who} is for {' and '.join(kind.name for kind in kinds) or 'no problem'}, not for {problem.name}"


def entry(data: Mapping[str, Any], name: str) -> Any:
    """Return an entry of what a problem wrote down, or say that it is missing."""
    if name not in data:
        raise BadInput(f"the problem lacks the entry {name!r}")
    return data[name]
