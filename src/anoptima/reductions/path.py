"""Paths: reductions one after the other are a reduction, and a reduction with a solver behind it is a solver."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from anoptima.answer import Answer, Budget, Listener, Origin, Proof, Stop
from anoptima.errors import BadInput, NotApplicable
from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.proofs.own_bound import OwnBound
from anoptima.reductions.base import Reduced, Reduction
from anoptima.reductions.carried import CarriedProof
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.ledger import Ledger


@dataclass(frozen=True, eq=False)
class PathReduced(Reduced[Any, Any]):
    """Reductions applied one after the other; every step checks what it carries."""

    steps: tuple[Reduced[Any, Any], ...]

    def forward(self, solution: Any) -> Any:
        """Push through every step."""
        for step in self.steps:
            solution = step.push(solution)
        return solution

    def backward(self, solution: Any) -> Any:
        """Pull through every step."""
        for step in reversed(self.steps):
            solution = step.pull(solution)
        return solution

    def target_cost(self, source_cost: Exact) -> Exact:
        """Apply every step's function."""
        for step in self.steps:
            source_cost = step.target_cost(source_cost)
        return source_cost

    def source_cost(self, target_cost: Exact) -> Exact:
        """Apply every step's function, the last one first."""
        for step in reversed(self.steps):
            target_cost = step.source_cost(target_cost)
        return target_cost


class Path(Reduction[Any, Any]):
    """Reductions one after the other: the first is for the source, and each makes what the next one takes.

    >>> from anoptima.reductions.graph import path
    >>> way = path("minimum-bisection", "k-anonymity", c="1/4")
    >>> [step.name for step in way.steps]
    ['minimum-bisection-to-half-anonymity', 'half-anonymity-to-share-anonymity']
    """

    def __init__(self, steps: tuple[Reduction[Any, Any], ...]) -> None:
        if not steps:
            raise BadInput("a path has no step; it needs one at least")
        self.steps = steps

    @property
    def name(self) -> str:  # type: ignore[override]
        """The names of the steps, one after the other."""
        return " then ".join(step.name for step in self.steps)

    @property
    def cites(self) -> str:  # type: ignore[override]
        """The citations of the steps."""
        return "; ".join(step.cites for step in self.steps)

    @property
    def source_kind(self) -> str:
        """The source kind of the first step."""
        return self.steps[0].source_kind

    @property
    def target_kind(self) -> str:
        """The target kind of the last step."""
        return self.steps[-1].target_kind

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters of all steps."""
        return {name: value for step in self.steps for name, value in step.parameters.items()}

    def with_parameters(self, **values: Any) -> Path:
        """Return the path with other parameters, each for every step that has one of that name."""
        unknown = values.keys() - self.parameters.keys()
        if unknown:
            known = ", ".join(self.parameters) or "none at all"
            raise BadInput(f"{self.name} has no parameter {min(unknown)!r}; it has {known}")
        return Path(
            tuple(
                step.with_parameters(**{name: value for name, value in values.items() if name in step.parameters})
                for step in self.steps
            )
        )

    def why_not(self, problem: Problem[Any]) -> str | None:
        """Apply all steps but the last, and return the reason of the first step that is not for what it gets."""
        for step in self.steps[:-1]:
            reason = step.why_not(problem)
            if reason is not None:
                return reason if step is self.steps[0] else f"{step.name}: {reason}"
            problem = step.apply(problem).target
        last = self.steps[-1].why_not(problem)
        return last if last is None or len(self.steps) == 1 else f"{self.steps[-1].name}: {last}"

    def target_size(self, problem: Problem[Any]) -> Mapping[str, int]:
        """Build what all steps but the last make, and return the last step's formula on it."""
        for step in self.steps[:-1]:
            problem = step.apply(problem).target
        return self.steps[-1].target_size(problem)

    def apply(self, problem: Problem[Any]) -> Reduced[Any, Any]:
        """Return the path applied to `problem`; every step asks for itself, so nothing is built twice."""
        reduced = self.apply_unchecked(problem)
        object.__setattr__(reduced, "title", self.name)
        return reduced

    def apply_unchecked(self, problem: Problem[Any]) -> Reduced[Any, Any]:
        """Apply the steps one after the other."""
        steps = tuple(self._applied(problem))
        return PathReduced(problem, steps[-1].target, steps)

    def _applied(self, problem: Problem[Any]) -> Iterator[Reduced[Any, Any]]:
        for step in self.steps:
            reduced = step.apply(problem)
            yield reduced
            problem = reduced.target


class NamedPath(Reduction[Any, Any]):
    """A path with a name of its own, whose parameters choose the steps: a theorem that follows from others, applied in turn."""

    @property
    @abstractmethod
    def steps(self) -> tuple[Reduction[Any, Any], ...]:
        """The reductions that the parameters choose."""

    def why_not(self, problem: Problem[Any]) -> str | None:
        """As the path of the steps has it."""
        return Path(self.steps).why_not(problem)

    def target_size(self, problem: Problem[Any]) -> Mapping[str, int]:
        """As the path of the steps has it."""
        return Path(self.steps).target_size(problem)

    def apply_unchecked(self, problem: Problem[Any]) -> Reduced[Any, Any]:
        """Apply the steps one after the other."""
        return Path(self.steps).apply_unchecked(problem)


def plain_steps(reduction: Reduction[Any, Any]) -> tuple[Reduction[Any, Any], ...]:
    """Return what a reduction consists of: the steps of a path, and those of the paths among them; itself, if it is no path.

    >>> from anoptima.reductions import reductions
    >>> [step.name for step in plain_steps(reductions.get("minimum-bisection-to-t-closeness"))]
    ['minimum-bisection-to-half-anonymity', 'k-anonymity-to-t-closeness']
    """
    if not isinstance(reduction, Path | NamedPath):
        return (reduction,)
    return tuple(plain for step in reduction.steps for plain in plain_steps(step))


class Reducing(Solver[Any]):
    """Solves a problem by a reduction: pushes the start, lets `solver` answer the target, pulls its solution and its bound back.

    The answer is about the source: its cost is the source's own, and its bound is what the target's bound proves
    (`Reduced.source_bound`), so a reduction that decides a threshold only may end with a gap. A proof of the target's bound is
    carried along (`CarriedProof`); what a backend claims stays its claim.

    >>> import anoptima as ao
    >>> from anoptima.reductions import reductions
    >>> square = ao.MinimumBisection(ao.Graph("abcd", ["ab", "bc", "cd", "da"]))
    >>> way = Reducing(reductions.get("minimum-bisection-to-half-anonymity"), ao.get_solver("pattern/highs"))
    >>> answer = ao.solve(square, way)
    >>> answer.claim.name, answer.cost
    ('OPTIMAL', 2)
    """

    def __init__(self, reduction: Reduction[Any, Any], solver: Solver[Any]) -> None:
        self.reduction = reduction
        self.solver = solver
        self.name = f"{reduction.name}, {solver.name}"
        self.kind: Kind = solver.kind

    def why_not(self, problem: Problem[Any]) -> str | None:
        """The reduction's reason, or the solver's on the target."""
        reason = self.reduction.why_not(problem)
        return self.solver.why_not(self.reduction.apply(problem).target) if reason is None else reason

    def solve(
        self,
        problem: Problem[Any],
        budget: Budget | None = None,
        start: Any | None = None,
        listener: Listener | None = None,
        proof: Proof | None = None,
    ) -> Answer[Any]:
        """Answer `problem` by way of the target."""
        budget = budget or Budget()
        ledger: Ledger[Any] = Ledger(problem, self.name, budget, listener)
        impossible = ledger.open(start, proof)
        if impossible is not None:
            return impossible
        reduced = self.reduction.apply(problem)
        reason = self.solver.why_not(reduced.target)
        if reason is not None:
            raise NotApplicable(f"{self.name}: {reason}")
        first = None if start is None else reduced.push(start)
        # A gap of the target, whose cost may have a large constant in it, is none of the source.
        found = self.solver.solve(reduced.target, replace(budget, seconds=ledger.clock.left(), gap=Fraction(0)), first)
        if found.solution is not None:
            ledger.offer(reduced.pull(found.solution), self.name)
        if found.bound is not None:
            origin = Origin.BACKEND if found.bound.origin is Origin.BACKEND else Origin.THEOREM
            ledger.raise_bound(reduced.source_bound(found.bound.value), origin, found.bound.by)
            known = found.proof
            if known is None and found.bound.origin is Origin.PROBLEM:
                known = OwnBound(found.bound.value)
            if known is not None:
                carried = CarriedProof(reduced.source_bound(known.value), self.reduction, known)
                ledger.raise_bound(carried.value, Origin.PROOF, found.bound.by, carried)
        ledger.notes.append(f"the target: {found}")
        run = found.run
        ledger.prepare_seconds, ledger.compiled = run.prepare_seconds, run.compiled
        return ledger.answer(
            ledger.why_over(Stop.COMPLETE if found.stop is Stop.PROVED else found.stop),
            versions=run.versions,
            build_seconds=run.build_seconds,
            model_size=run.model_size,
            start=run.start,
            start_seconds=run.start_seconds,
        )
