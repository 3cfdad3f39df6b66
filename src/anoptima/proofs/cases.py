"""A proof by cases with all that the rule of cases allows together (`case_bounds`), as no solver here writes it; others may."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.case_bounds import Ended, Said, bound
from anoptima.proofs.cuts import Cut
from anoptima.proofs.group_pricing import Potentials
from anoptima.proofs.kinds import register
from anoptima.proofs.multipliers import require_proved
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.records import asked_about
from anoptima.proofs.trees import AboutSize, ends


@dataclass(frozen=True, slots=True)
class CasesEnd(PlainData):
    """An end of the tree, as in `Ended`."""

    worth: tuple[int, ...]
    prices: tuple[int, ...]
    limited: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CasesFork(AboutSize):
    """At most so many rows on the low side, more on the high one."""

    low: CasesTree
    high: CasesTree


CasesTree = CasesFork | CasesEnd


@register
@dataclass(frozen=True)
class CasesProof(PlainData):
    """No release under `principle` costs less than `value`: by a tree of cases with worths, cuts, potentials, whole rows and a reach."""

    value: Exact
    digest: str
    principle: Mapping[str, Any]
    denominator: int
    reach: int | None
    whole: bool
    cuts: tuple[Cut, ...]
    potentials: tuple[Potentials, ...]
    tree: CasesTree

    kind: ClassVar[str] = "mixed-cases"

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. O(2^m R (m + log R log n)) for each end without a reach.

        >>> from anoptima import LDiversity, ten_rows
        >>> problem = CellSuppression(ten_rows(), LDiversity(2))
        >>> end = CasesEnd((1,) * 10, (), ())
        >>> CasesProof(10, problem.table.digest, problem.principle.as_json(), 1, 2, False, (), (), end).proved(problem)
        10
        """
        about = asked_about(problem, self.digest, self.principle, self.denominator)
        require_proved(self.value, self.proves(about), about)
        return self.value

    def proves(self, problem: CellSuppression) -> int:
        """Return the bound that the ends give for this very problem, in parts of the cost unit, whatever `value` is."""
        said = Said(self.denominator, self.cuts, self.potentials, self.reach, self.whole)
        every = ends(self.tree, "low", "high")
        return bound(problem, said, (Ended(end.worth, end.prices, end.limited, path) for end, path in every))
