"""The question that a hunt asks about its tables or points: the kind of problem, the principle, and the solver that knows the optimum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from anoptima.answer import Budget, Stop
from anoptima.errors import BadInput, SolverFailure
from anoptima.exact import Exact
from anoptima.experiments.hunting.grids import Grid
from anoptima.experiments.hunting.ground import Subject
from anoptima.experiments.hunting.places import Places
from anoptima.instances.numbered import QUESTIONS
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.principles.entropy_diversity import EntropyDiversity
from anoptima.principles.principle import principle_from_json
from anoptima.principles.recursive_diversity import RecursiveDiversity
from anoptima.problems.base import Problem
from anoptima.solvers.base import Solver
from anoptima.solvers.lookup import get_solver
from anoptima.spaces import EqualDistance

THREADS = 1
"""Every run of a hunt is small."""


EXACT = {
    "cell-suppression": "subset-dp",
    "diameter-sum": "subset-dp",
    "attribute-suppression": "hitting-set",
    "identifying-columns": "hitting-set",
    "lower-bounded-facilities": "place-prices",
    "fake-points": "fake-depths/cp-sat",
}
"""Who solves each kind of problem exactly."""

BY_POINTS = "fake-points"
ASKS_NOTHING = "identifying-columns"
"""The kind that is asked of points, and the one that asks no principle."""

_COUNTING = (KAnonymity, LDiversity, EntropyDiversity, RecursiveDiversity)
"""Principles that only count the rows of each sensitive value."""


@dataclass(frozen=True)
class Asked:
    """A kind of problem, and the principle that it asks; `k` stands for `KAnonymity(k)`.

    >>> asked = Asked("cell-suppression", KAnonymity(2))
    >>> str(asked), asked.optimum(asked.problem(Grid(((0, 0), (0, 1), (1, 1)))))
    ('cell-suppression, 2-anonymity', 6)
    """

    kind: str
    principle: Principle | None

    def __post_init__(self) -> None:
        if self.kind not in QUESTIONS:
            raise BadInput(f"{self.kind!r} cannot be hunted; what can is {', '.join(QUESTIONS)}")

    def __str__(self) -> str:
        shown = None if self.kind == ASKS_NOTHING else self.principle
        return self.kind if shown is None else f"{self.kind}, {shown}"

    @property
    def by_points(self) -> bool:
        """Whether it is asked of points, not of tables."""
        return self.kind == BY_POINTS

    @property
    def needs_values(self) -> bool:
        """Whether the principle speaks of sensitive values."""
        parts = () if self.principle is None else self.principle.parts
        return any(not isinstance(part, KAnonymity) for part in parts)

    @property
    def values_alike(self) -> bool:
        """Whether sensitive values may be renamed, since the principle asks how often each is there, and not which it is."""
        parts = () if self.principle is None else self.principle.parts
        return all(
            isinstance(part.space, EqualDistance) if isinstance(part, TCloseness) else isinstance(part, _COUNTING)
            for part in parts
        )

    def problem(self, subject: Subject) -> Problem[Any]:
        """Return the problem."""
        return QUESTIONS[self.kind](subject.data(), self.principle)

    def optimum(self, problem: Problem[Any]) -> Exact:
        """Solve a problem exactly; the solution has passed its checker."""
        solver = get_solver(EXACT[self.kind])
        cost, bound = solved(solver, problem)
        if cost != bound:
            raise SolverFailure(solver.name, f"found {cost} and proved {bound} where a hunt needs the optimum")
        return cost

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"problem": self.kind, "principle": None if self.principle is None else self.principle.as_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Asked:
        """Return what `as_json` wrote."""
        principle = data["principle"]
        return cls(data["problem"], None if principle is None else principle_from_json(principle))

    def subject(self, data: Mapping[str, Any]) -> Subject:
        """Return the table or the points that `as_json` of either wrote."""
        return Places.from_json(data) if self.by_points else Grid.from_json(data)


def solved(solver: Solver[Any], problem: Problem[Any]) -> tuple[Exact, Exact]:
    """Run a solver to its end; return the cost of what it found, which the problem has checked, and the best bound.

    An interrupt ends the solver with what it has; here it goes on to the caller.
    """
    answer = solver.solve(problem, Budget(threads=THREADS))
    if answer.stop is Stop.CANCELLED:
        raise KeyboardInterrupt
    if answer.cost is None or answer.bound is None:
        raise SolverFailure(solver.name, f"found nothing where there is a solution: {answer.reason}")
    return answer.cost, answer.bound.value


def kind_for(solver: Solver[Any], principle: Principle | None, kinds: Iterable[str] = tuple(QUESTIONS)) -> str:
    """Return the first kind of problem that a solver is for, among some.

    >>> kind_for(get_solver("forest"), KAnonymity(2)), kind_for(get_solver("greedy-descent"), None)
    ('cell-suppression', 'identifying-columns')
    """
    table: Subject = Grid(tuple((i % 3, i // 3, i % 4) for i in range(12)), has_sensitive=True)
    reasons = []
    for name in kinds:
        subject: Subject = Places(((0,), (3,))) if name == BY_POINTS else table
        try:
            problem = QUESTIONS[name](subject.data(), principle)
        except BadInput as refusal:
            reasons.append(str(refusal))
            continue
        why_not = solver.why_not(problem)
        if why_not is None:
            return name
        reasons.append(why_not)
    said = "" if len(reasons) == 1 else f"nothing that {solver.name} is for can be hunted: "
    raise BadInput(f"{said}{reasons[0]}")
