"""Solvers, which answer problems: a model on a backend, an exact algorithm, or an approximation."""

from __future__ import annotations

import enum
import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

from anoptima.answer import Answer, Budget, Listener, OptionValue, Origin, Proof
from anoptima.argument_kinds import described
from anoptima.errors import BadInput, FalseClaim
from anoptima.exact import Exact, exact_text
from anoptima.html import first_sentence, lines, text
from anoptima.origins import OURS
from anoptima.problems.base import Problem

S = TypeVar("S")


class Kind(enum.Enum):
    """The promise of a solver."""

    MODEL = "model"
    """Optimal, by a backend's search, given enough time."""
    EXACT = "exact"
    """Optimal, by an algorithm of ours."""
    APPROXIMATE = "approximate"
    """Feasible, within `ratio` of the optimum where a theorem says so."""


class Solver(ABC, Generic[S]):
    """Answers problems. Stateless; registered by name."""

    def __init_subclass__(cls, **more: Any) -> None:
        """Have each answer checked that a plug-in makes itself: no ledger has seen its solution."""
        super().__init_subclass__(**more)
        own = vars(cls).get("solve")
        if own is not None and not cls.__module__.startswith(f"{OURS}."):
            setattr(cls, "solve", _held_true(own))  # noqa: B010 - the type checker knows methods only

    name: str
    kind: Kind
    quick: int | None = None
    """The place among those cheap enough to make a start for an exact solver, the cheapest first; None if it is not one."""

    gives_proofs: bool = False
    """Whether its bounds come with proofs."""

    for_study: bool = False
    """Whether it is slower than another solver on purpose: `auto` passes it over, and so does `solvers_for` unless asked."""

    family: str = ""
    """The page of docs/algorithms that has it; solvers of other packages need none."""

    uses_seed: bool = True
    """Whether the seed can change the answer. A study runs a solver that does not use the seed once, however many seeds it names."""

    uses_limit: bool = True
    """Whether the limit decides more than when a run is cut short. If not, a run that ended by itself stands for longer limits, too."""

    @abstractmethod
    def why_not(self, problem: Problem[Any]) -> str | None:
        """Return why this solver does not apply to `problem`, naming what it applies to; None if it does."""

    @abstractmethod
    def solve(
        self,
        problem: Problem[S],
        budget: Budget | None = None,
        start: S | None = None,
        listener: Listener | None = None,
        proof: Proof | None = None,
    ) -> Answer[S]:
        """Answer `problem` within `budget`; never worse than `start`, nor its bound than what `proof` proves.

        `listener` hears events in the problem's own terms. A `proof` that does not hold is refused.
        """

    def seeks_proof(self, problem: Problem[S]) -> bool:
        """Tell whether the run goes on to a proof of its own where the bound that the problem itself proves is the cost already."""
        return False

    def prepare(self, problem: Problem[S]) -> None:
        """Prepare for a later `solve` without waiting: start the processes and loops that take time to start."""

    def improver(self, problem: Problem[S]) -> Solver[S]:
        """Return what improves a start of `problem` for another search: itself, or a version of it that ends sooner."""
        return self

    def in_this_process(self) -> Solver[S]:
        """Return this solver with its backend, if it has one, in the process of the caller."""
        return self

    def check_options(self, options: Mapping[str, OptionValue]) -> None:
        """Raise `BadInput`, naming the option, unless there is a backend behind this solver that takes `options`."""
        if options:
            raise BadInput(
                f"the option {next(iter(options))!r} is for a backend, and {self.name} has none that would take it; "
                "options go with a model on a backend, such as pattern/highs"
            )

    def __repr__(self) -> str:
        return f"<solver {self.name}>"

    def _repr_html_(self) -> str:
        promise = "bounds come with proofs" if self.gives_proofs else ""
        return lines(f"solver {text(self.name)}", text(first_sentence(self)), f"kind: {self.kind.value}", promise)

    def ratio(self, problem: Problem[S]) -> Exact | None:
        """Return an upper limit of cost / optimum that a theorem guarantees; None without a guarantee."""
        return None


def _held_true(own: Callable[..., Any]) -> Callable[..., Any]:
    """Return a `solve` whose answers are to the problem that was asked, and hold: `FalseClaim` names the solver of one that does not."""

    @functools.wraps(own)
    def solve(self: Solver[Any], problem: Problem[Any], *given: Any, **named: Any) -> Answer[Any]:
        answer = own(self, problem, *given, **named)
        if not isinstance(answer, Answer):
            raise FalseClaim(self.name, f"returned {described(answer)}; its solve must return an Answer")
        # What it has answered may be another problem, such as a looser one.
        answer = replace(answer, problem=problem)
        try:
            wrong = answer.verify().wrong
        except BadInput as error:
            raise FalseClaim(self.name, f"claimed what is no solution at all: {error}") from error
        if wrong:
            raise FalseClaim(self.name, f"claimed what does not hold: {wrong[0]}")
        if answer.proof is None and answer.bound is not None and answer.bound.origin is Origin.PROOF:
            raise FalseClaim(
                self.name, f"called a bound of {exact_text(answer.bound.value)} proved without giving the proof"
            )
        return answer

    return solve
