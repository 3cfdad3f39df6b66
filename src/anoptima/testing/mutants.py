"""Broken reductions, and whether the checks of `soundness` notice: one change each, made by rule, so that no reduction is let off.

Three sorts of change:

- *a line*: in the code of the construction and of its maps a number is one more or one less, a sum becomes a difference, a product a
  quotient, a comparison is turned round, a principle's parameter is off. Functions named `why...` and `target_size` are left alone.
- *the data*: in every table that is built, a symbol is copied to another row, a row or a column takes the place of another, two columns
  change places, a sensitive value is another row's, a principle asks for a row more or less.
- *the relation*: a cost function promises one more or one less.

A change that changes nothing that matters (one fresh symbol for another) is no break. Lines with the comment `no mutant: why` are
therefore left alone; the comment says why any other value does as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.reductions.base import Reduced, Reduction
from anoptima.testing.data_mutants import data_mutants
from anoptima.testing.line_mutants import line_mutants
from anoptima.testing.mutant import Changed, Mutant


def mutants_of(reduction: Reduction[Any, Any], problem: Problem[Any]) -> Iterator[Mutant]:
    """Yield every mutant of `reduction`; which changes of data there are depends on what `problem` is mapped to."""
    yield from line_mutants(reduction)
    yield from data_mutants(reduction, problem)
    yield from relation_mutants(reduction)


# ---- relations ----------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class Shifted(Reduced[Any, Any]):
    """A reduction applied that promises too much or too little."""

    inner: Reduced[Any, Any]
    more_forward: int
    more_back: int

    def forward(self, solution: Any) -> Any:
        """As it was."""
        return self.inner.forward(solution)

    def backward(self, solution: Any) -> Any:
        """As it was."""
        return self.inner.backward(solution)

    def target_cost(self, source_cost: Exact) -> Exact:
        """Shift."""
        return self.inner.target_cost(source_cost) + self.more_forward

    def source_cost(self, target_cost: Exact) -> Exact:
        """Shift."""
        return self.inner.source_cost(target_cost) + self.more_back


def relation_mutants(reduction: Reduction[Any, Any]) -> Iterator[Mutant]:
    """Yield the reduction with cost functions that are one off."""
    for forward, back, words in (
        (1, 0, "pushed solutions may cost one more"),
        (-1, 0, "pushed solutions may cost one less"),
        (0, 1, "pulled solutions may cost one more"),
        (0, -1, "pulled solutions may cost one less"),
    ):

        def shifted(reduced: Reduced[Any, Any], forward: int = forward, back: int = back) -> Reduced[Any, Any]:
            return Shifted(reduced.source, reduced.target, reduced, forward, back)

        yield Mutant(reduction.name, "relation", words, Changed(reduction, shifted))
