"""Reductions: an instance map, solution maps forwards and backwards, and the relation between the costs, all checked.

A theorem that says 'source <= bound if and only if target <= threshold' is two promises about solutions, and both are functions here:

- `target_cost(c)`: the most that a source solution of cost c costs once it is pushed. Hence OPT(target) <= target_cost(OPT(source)).
- `source_cost(C)`: the most that a target solution of cost C costs once it is pulled. Hence OPT(source) <= source_cost(OPT(target)).

The question 'is the source's optimum at most b?' is decided by the target's optimum where `source_cost(target_cost(b)) <= b`: then
`OPT(source) <= b` exactly if `OPT(target) <= target_cost(b)`, which is the threshold. Where that holds for every b, an optimum is pulled
to an optimum. Every push and every pull is held to its promise, on the numbers of both problems' own checkers.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Generic, Self, TypeVar

from anoptima.arguments import checked
from anoptima.errors import BadInput, FalseClaim, NotApplicable
from anoptima.exact import Exact, exact_text, simplest
from anoptima.problems.base import Problem, why_another

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Reduced(ABC, Generic[S, T]):
    """A reduction applied: both instances and both maps.

    Subclasses write `forward` and `backward`, the maps of the theorem, and the two cost functions, which never fall as costs rise.
    Callers use `push` and `pull`, which check what the maps return.
    """

    source: Problem[S]
    target: Problem[T]
    title: str = field(default="a reduction", init=False)
    """The reduction's name, for messages; `Reduction.apply` enters it."""

    @abstractmethod
    def forward(self, solution: S) -> T:
        """Carry a feasible solution of the source forward."""

    @abstractmethod
    def backward(self, solution: T) -> S:
        """Carry any feasible solution of the target back."""

    @abstractmethod
    def target_cost(self, source_cost: Exact) -> Exact:
        """Return the most that a source solution of this cost costs once it is pushed."""

    @abstractmethod
    def source_cost(self, target_cost: Exact) -> Exact:
        """Return the most that a target solution of this cost costs once it is pulled."""

    @checked
    def push(self, solution: S) -> T:
        """Carry a feasible solution forward; `FalseClaim` if the result is infeasible or costs more than `target_cost` promises."""
        self._require(self.source, solution)
        pushed = self.forward(solution)
        self._hold(self.target, pushed, self.target_cost(self.source.cost(solution)), "pushed")
        return pushed

    @checked
    def pull(self, solution: T) -> S:
        """Carry any feasible solution back; `FalseClaim` if the result is infeasible or costs more than `source_cost` promises."""
        self._require(self.target, solution)
        pulled = self.backward(solution)
        self._hold(self.source, pulled, self.source_cost(self.target.cost(solution)), "pulled")
        return pulled

    @checked
    def decides(self, bound: Exact) -> bool:
        """Tell whether the target's optimum answers if the source's is at most `bound`."""
        return self.source_cost(self.target_cost(bound)) <= bound

    @checked
    def threshold(self, bound: Exact = 0) -> Exact:
        """Return the threshold: the target's optimum is at most this exactly if the source's optimum is at most `bound`.

        `NotApplicable` where the theorem does not decide that question.
        """
        if not self.decides(bound):
            raise NotApplicable(
                f"{self.title}: whether the optimum is at most {exact_text(bound)} is not decided by the target's optimum"
            )
        return self.target_cost(bound)

    @checked
    def source_bound(self, target_bound: Exact) -> Exact:
        """Return a lower bound on the source, given the lower bound `target_bound` on the target.

        It is the least cost c with `target_cost(c) >= target_bound`: a cheaper solution would be pushed below the bound. Found by
        bisection between the source's own bound and the cost of its trivial solution, in units of its `cost_scale`.
        """
        scale = self.source.cost_scale
        low = -(-self.source.lower_bound() * scale // 1)
        high = int(self.source.cost(self.source.trivial()) * scale)
        if self.target_cost(simplest(Fraction(high, scale))) < target_bound:
            raise FalseClaim(
                self.title,
                f"the target is said to cost {exact_text(target_bound)} or more, and a pushed solution costs less",
            )
        while low < high:
            middle = (low + high) // 2
            if self.target_cost(simplest(Fraction(middle, scale))) >= target_bound:
                high = middle
            else:
                low = middle + 1
        return simplest(Fraction(low, scale))

    def _require(self, problem: Problem[Any], solution: Any) -> None:
        wrong = problem.violations(solution)
        if wrong:
            raise BadInput(f"{self.title} carries solutions, and this is none of {problem.name}: {wrong[0]}")

    def _hold(self, problem: Problem[Any], solution: Any, most: Exact, how: str) -> None:
        wrong = problem.violations(solution)
        if wrong:
            raise FalseClaim(self.title, f"a solution is {how} to what is none of {problem.name}: {wrong[0]}")
        cost = problem.cost(solution)
        if cost > most:
            raise FalseClaim(
                self.title, f"a solution is {how} to one of cost {exact_text(cost)}; {exact_text(most)} is promised"
            )


class Affine(Reduced[S, T]):
    """The optima are tied exactly: OPT(target) = `offset` + `factor` * OPT(source)."""

    @property
    @abstractmethod
    def offset(self) -> Exact:
        """The target's cost where the source costs nothing."""

    @property
    def factor(self) -> Exact:
        """The worth of one unit of the source's cost in the target; positive."""
        return 1

    def target_cost(self, source_cost: Exact) -> Exact:
        """Return offset + factor * cost."""
        return simplest(Fraction(self.offset + self.factor * source_cost))

    def source_cost(self, target_cost: Exact) -> Exact:
        """Return (cost - offset) / factor."""
        return simplest(Fraction(target_cost - self.offset) / self.factor)


class Reduction(ABC, Generic[S, T]):
    """A theorem that maps one problem to another. Stateless; registered by name.

    Parameters of a theorem, such as a share c or a closeness t, are the fields of a frozen dataclass with defaults;
    `with_parameters` makes one with others.

    Attributes
    ----------
    name
        `source-to-target`.
    cites
        Paper and theorem.
    problems
        The kinds of problems that it is for, unless `why_not` says otherwise.
    composed
        Whether it runs other registered reductions one after the other; the self-test tries those instead.
    """

    name: str
    cites: str
    problems: ClassVar[tuple[type[Problem[Any]], ...]] = ()
    composed: bool = False

    @property
    def source_kind(self) -> str:
        """The kind of its source in the graph of reductions (`reductions.kinds`): the part of the name before `-to-`."""
        return self.name.partition("-to-")[0]

    @property
    def target_kind(self) -> str:
        """The kind of its target in the graph of reductions: the part of the name after `-to-`."""
        return self.name.partition("-to-")[2]

    def why_not(self, problem: Problem[Any]) -> str | None:
        """Say why the theorem does not apply to `problem`; None if it does."""
        return why_another(problem, self.problems, "it")

    @abstractmethod
    def target_size(self, problem: Problem[S]) -> Mapping[str, int]:
        """Return quantities of the target's `size` by formula, before the target exists; `apply` checks them."""

    @abstractmethod
    def apply_unchecked(self, problem: Problem[S]) -> Reduced[S, T]:
        """Build the target. Call `apply`, which asks `why_not` first."""

    @checked
    def apply(self, problem: Problem[S]) -> Reduced[S, T]:
        """Return the reduction applied to `problem`, or raise `NotApplicable` with the reason; `FalseClaim` if its size is another one."""
        reason = self.why_not(problem)
        if reason is not None:
            raise NotApplicable(f"{self.name}: {reason}")
        reduced = self.apply_unchecked(problem)
        object.__setattr__(reduced, "title", self.name)
        built = reduced.target.size()
        for quantity, announced in self.target_size(problem).items():
            if built.get(quantity) != announced:
                raise FalseClaim(
                    self.name, f"the target has {built.get(quantity)} {quantity}, and {announced} are announced"
                )
        return reduced

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The theorem's parameters with their values."""
        names: list[str] = [own.name for own in dataclasses.fields(self)] if dataclasses.is_dataclass(self) else []
        return {name: getattr(self, name) for name in names}

    def with_parameters(self, **values: Any) -> Self:
        """Return the reduction with other parameters.

        >>> from anoptima.reductions import reductions
        >>> reductions.get("3d-matching-to-t-closeness").with_parameters(t="1/4").parameters
        {'t': Fraction(1, 4)}
        """
        for name in values:
            if name not in self.parameters:
                raise BadInput(
                    f"{self.name} has no parameter {name!r}; it has {', '.join(self.parameters) or 'none at all'}"
                )
        return dataclasses.replace(self, **values) if values else self  # type: ignore[type-var]
