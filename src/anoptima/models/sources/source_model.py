"""The common part of models of source problems: a size from counts, 0/1 values of the choice."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar

import numpy as np

from anoptima.models.base import BuiltModel, Language, Model, ModelSize, Values
from anoptima.problems.base import Problem

S = TypeVar("S")

BYTES: dict[Language, int] = {Language.PYOMO: 700, Language.CP_SAT: 300}
"""A variable, row or coefficient in memory. Measured on vertex covers of 100,000 edges: 420 and 200 here, and the solver's copy."""


class SourceModel(Model[S]):
    """A model whose size follows from counts.

    Attributes
    ----------
    built
        The class of its built models.
    """

    built: ClassVar[type[Any]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.language = cls.built.language

    @abstractmethod
    def counts(self, problem: Any) -> tuple[int, int, int]:
        """Return how many variables, constraints and coefficients there will be at most."""

    def estimate(self, problem: Problem[S]) -> ModelSize:
        """Count from the problem's data."""
        counts = self.counts(problem)
        return ModelSize(*counts, memory=sum(counts) * BYTES[self.language])

    def build_unchecked(self, problem: Problem[S], size: ModelSize) -> BuiltModel[S]:
        """Build the program. O(coefficients)."""
        built: BuiltModel[S] = self.built(problem, size)
        return built


def ones(length: int, places: Iterable[int]) -> Values:
    """Return 1 at some places and 0 elsewhere.

    >>> ones(3, [1]).tolist()
    [0.0, 1.0, 0.0]
    """
    values = np.zeros(length)
    values[list(places)] = 1
    return values


def chosen(values: Values) -> list[int]:
    """Return the places where 0/1 values are 1.

    >>> chosen(np.array([0.0, 1.0, 0.9999999]))
    [1, 2]
    """
    return [int(place) for place in np.flatnonzero(np.asarray(values) > 0.5)]
