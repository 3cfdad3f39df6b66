"""A proof by lighter weights: what a table costs at weights that are rounded down, times the unit that they are rounded to.

A release pays for each star the weight of its column. With each weight w replaced by floor(w / u) for a whole u it pays no more than
1 / u of that. So a bound on what releases cost at those weights, times u, is one on what they cost. Columns that come to weigh nothing are
left out: the same groups publish the table of the others, under the same principle. Weights of fifteen digits thus have proofs whose
sums fit into 64 bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_text, simplest
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.branched import BranchedProof
from anoptima.proofs.cases import CasesProof
from anoptima.proofs.group_cases import GroupCasesProof
from anoptima.proofs.group_cuts import GroupCutsProof
from anoptima.proofs.groups import GroupProof
from anoptima.proofs.kinds import register
from anoptima.proofs.multipliers import MultiplierProof
from anoptima.proofs.near import NearProof
from anoptima.proofs.own_bound import OwnBound
from anoptima.proofs.plain_data import PlainData

Lighter = (
    NearProof | MultiplierProof | BranchedProof | GroupProof | GroupCutsProof | GroupCasesProof | CasesProof | OwnBound
)


def lighter(problem: CellSuppression, unit: int) -> CellSuppression:
    """Return the problem with weights in whole numbers of `unit`, rounded down, without the columns that then weigh nothing.

    >>> from anoptima import KAnonymity, ten_rows
    >>> heavy = ten_rows().restricted(("zip1", "age1"), (3_000_001, 7))
    >>> light = lighter(CellSuppression(heavy, KAnonymity(2)), 1_000_000).table
    >>> light.quasi, light.weights
    (('zip1',), (3,))
    """
    table = problem.table
    scaled = [int(weight) // unit for weight in table.scaled_weights]
    kept = {name: weight for name, weight in zip(table.quasi, scaled, strict=True) if weight}
    return CellSuppression(table.restricted(tuple(kept), tuple(kept.values())), problem.principle)


def weighed(problem: CellSuppression, unit: int, cost: Exact) -> Exact:
    """Return what a cost at the lighter weights is at those of `problem`, at least."""
    return simplest(Fraction(unit * cost) / problem.cost_scale)


@register
@dataclass(frozen=True)
class RoundedProof(PlainData):
    """No release costs less than `value`: by a proof about the same table with lighter weights.

    Attributes
    ----------
    digest
        The table's.
    unit
        u, in the table's cost unit (`Problem.cost_scale`).
    proof
        The proof about the table with the lighter weights.
    """

    value: Exact
    digest: str
    unit: int
    proof: Lighter

    kind: ClassVar[str] = "rounded-weights"

    @classmethod
    def of(cls, problem: CellSuppression, unit: int, proof: Lighter) -> RoundedProof:
        """Return what a proof about `lighter(problem, unit)` proves of `problem`."""
        return cls(weighed(problem, unit, proof.value), problem.table.digest, unit, proof)

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. As long as the lighter table's proof takes.

        >>> from anoptima import KAnonymity, ten_rows
        >>> heavy = ten_rows().restricted(("zip1", "age1"), (10**15, 10**15 + 1))
        >>> problem = CellSuppression(heavy, KAnonymity(6))
        >>> least = OwnBound(lighter(problem, 10**15).lower_bound())
        >>> RoundedProof.of(problem, 10**15, least).proved(problem) == 10**15 * least.value
        True
        """
        if not isinstance(problem, CellSuppression):
            raise BadInput(f"the proof is about cell-suppression, and this is {problem.name}")
        if problem.table.digest != self.digest:
            raise BadInput(f"the proof is about another table, with digest {self.digest[:12]}...")
        heaviest = int(problem.table.scaled_weights.max())
        if not 1 <= self.unit <= heaviest:
            raise BadInput(f"the weights are rounded to {self.unit}; that must be from 1 to {heaviest}")
        proved = weighed(problem, self.unit, self.proof.proved(lighter(problem, self.unit)))
        if proved < self.value:
            raise BadInput(f"the lighter weights prove {exact_text(proved)}, not {exact_text(self.value)}")
        return self.value
