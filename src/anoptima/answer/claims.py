"""What may be claimed, and by whom: outcomes, bounds with their sources, and proofs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from anoptima.arguments import Choice, checked
from anoptima.exact import Exact, exact_text
from anoptima.problems.base import Problem


class Claim(Choice):
    """What an answer claims about its problem.

    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> ao.solve(problem).claim.name, ao.solve(problem, "mondrian").claim.name
    ('OPTIMAL', 'FEASIBLE')
    """

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


class Stop(Choice):
    """Why the search ended.

    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4))
    >>> ao.solve(problem).stop.name, ao.solve(problem, "mondrian").stop.name, ao.solve(problem, "sifting", time_limit=0).stop.name
    ('PROVED', 'COMPLETE', 'TIME')
    """

    PROVED = "proved"
    GAP = "gap"
    TIME = "time"
    MEMORY = "memory"
    NODES = "nodes"
    CANCELLED = "cancelled"
    COMPLETE = "complete"
    """An algorithm without a proof of optimality ran to its end."""
    FAILED = "failed"


class Origin(Choice):
    """The sources of bounds, the most trustworthy first.

    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> ao.solve(problem, "subset-dp").bound.origin.name, ao.solve(problem, "mondrian").bound.origin.name
    ('PROOF', 'PROBLEM')
    """

    PROOF = "proof"
    """Proved in exact arithmetic from data that travels with the answer."""
    PROBLEM = "problem"
    """Proved by the problem's own exact arithmetic; recomputed whenever the answer is verified."""
    THEOREM = "theorem"
    """Follows by a theorem: from what an approximation found and its ratio, or from a bound on what a reduction leads to."""
    BACKEND = "backend"
    """Claimed by a backend's floating-point or integer search."""


class StartFate(Choice):
    """How a solver treated the solution that it was given as a start."""

    NONE = "none given"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNSUPPORTED = "unsupported"
    UNUSED = "unused"
    """The search ended before the start was looked at."""


@checked
@dataclass(frozen=True, slots=True)
class Bound:
    """A number that every solution costs at least, with its source and the name of who says so. It compares with numbers as its value.

    >>> bound = Bound(30991, Origin.PROOF, "sifting")
    >>> print(bound, bound.value, bound == 30991, bound < 31000)
    30,991 (proof) 30991 True True
    """

    value: Exact
    origin: Origin
    by: str

    def __str__(self) -> str:
        return f"{exact_text(self.value)} ({self.origin.value})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Bound):
            return (self.value, self.origin, self.by) == (other.value, other.origin, other.by)
        return self.value == other if isinstance(other, Exact) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: Bound | Exact) -> bool:
        return self.value < _value_of(other)

    def __le__(self, other: Bound | Exact) -> bool:
        return self.value <= _value_of(other)

    def __gt__(self, other: Bound | Exact) -> bool:
        return self.value > _value_of(other)

    def __ge__(self, other: Bound | Exact) -> bool:
        return self.value >= _value_of(other)


def _value_of(number: Bound | Exact) -> Exact:
    return number.value if isinstance(number, Bound) else number


class Proof(Protocol):
    """Data that travels with an answer and from which a bound is proved in exact arithmetic, with no solver."""

    @property
    def value(self) -> Exact:
        """The bound that it is to prove."""

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound that follows for `problem`; raise `BadInput` with the step that does not hold."""


def relative_gap(cost: Exact | None, bound: Exact | None) -> Fraction | None:
    """Return (cost - bound) / |cost|, None while either is unknown. A cost of 0 has the gap 0 or, above a lower bound, 1.

    >>> relative_gap(54, 51), relative_gap(0, 0), relative_gap(-2, -3), relative_gap(54, None)
    (Fraction(1, 18), Fraction(0, 1), Fraction(1, 2), None)
    """
    if cost is None or bound is None:
        return None
    return abs(Fraction(cost - bound) / cost) if cost else Fraction(int(bound < 0))
