"""What a reduction is: an instance map with solution maps forwards and backwards, and the relation between the two optima."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from anoptima.errors import NotApplicable
from anoptima.exact import Exact
from anoptima.problems.base import Problem

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Reduced(ABC, Generic[S, T]):
    """A reduction applied: both instances and both maps.

    `push` takes a feasible solution of the source to one of the target, `pull` any feasible solution of the target to one of the
    source; `target_cost(c)` is what a source solution of cost c costs once pushed, at most.
    """

    source: Problem[S]
    target: Problem[T]

    @abstractmethod
    def push(self, solution: S) -> T:
        """Carry a solution forward."""

    @abstractmethod
    def pull(self, solution: T) -> S:
        """Carry a solution back."""

    @abstractmethod
    def target_cost(self, source_cost: Exact) -> Exact:
        """Return the cost in the target that a cost in the source turns into."""


class Reduction(ABC, Generic[S, T]):
    """A theorem that maps one problem to another. Stateless; registered by name.

    Attributes
    ----------
    name
        `source-to-target`.
    cites
        Paper and theorem.
    """

    name: str
    cites: str

    @abstractmethod
    def why_not(self, problem: Problem[Any]) -> str | None:
        """Say why the theorem does not speak of `problem`; None if it does."""

    @abstractmethod
    def apply_unchecked(self, problem: Problem[S]) -> Reduced[S, T]:
        """Build the target. Call `apply`, which asks `why_not` first."""

    def apply(self, problem: Problem[S]) -> Reduced[S, T]:
        """Return the reduction applied to `problem`, or raise `NotApplicable` with the reason."""
        reason = self.why_not(problem)
        if reason is not None:
            raise NotApplicable(f"{self.name}: {reason}")
        return self.apply_unchecked(problem)
