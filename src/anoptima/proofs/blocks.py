"""A proof by blocks of columns: what each block costs on its own adds up.

Cut the quasi-identifying columns into blocks, no column in two of them. A release groups the rows, and pays for each group the stars in the
columns on which it is not constant. The same groups publish the table of one block alone, under the same principle, since which rows are
together has not changed; there they pay what they pay in those columns. So a release of the whole costs at least the sum of the blocks'
optima, and bounds on those add up to a bound. A table of 24 columns has too many patterns to look at; two tables of 12 columns have not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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

Part = (
    NearProof | MultiplierProof | BranchedProof | GroupProof | GroupCutsProof | GroupCasesProof | CasesProof | OwnBound
)


@dataclass(frozen=True)
class Block(PlainData):
    """Some of the quasi-identifying columns, and a proof about the table that has those alone."""

    columns: tuple[str, ...]
    proof: Part


@register
@dataclass(frozen=True)
class BlockProof(PlainData):
    """No release costs less than `value`: by adding up proofs about parts of the columns.

    Attributes
    ----------
    digest
        The table's.
    blocks
        Parts of the columns, none in two of them, each with its own proof.
    """

    value: Exact
    digest: str
    blocks: tuple[Block, ...]

    kind: ClassVar[str] = "blocks"

    @classmethod
    def of(cls, problem: CellSuppression, blocks: Sequence[Block]) -> BlockProof:
        """Return what proofs of blocks prove together."""
        value = simplest(sum((block.proof.value for block in blocks), start=0))
        return cls(value, problem.table.digest, tuple(blocks))

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. As long as the blocks' proofs take.

        >>> from anoptima import KAnonymity, ten_rows
        >>> problem = CellSuppression(ten_rows(), KAnonymity(3))
        >>> first, second = problem.table.quasi[:4], problem.table.quasi[4:]
        >>> BlockProof(47, problem.table.digest, (Block(first, OwnBound(17)), Block(second, OwnBound(30)))).proved(problem)
        47
        >>> BlockProof(34, problem.table.digest, (Block(first, OwnBound(17)), Block(first, OwnBound(17)))).proved(problem)
        Traceback (most recent call last):
        anoptima.errors.BadInput: column 'zip1' is in two blocks
        """
        if not isinstance(problem, CellSuppression):
            raise BadInput(f"the proof is about cell-suppression, and this is {problem.name}")
        table = problem.table
        if table.digest != self.digest:
            raise BadInput(f"the proof is about another table, with digest {self.digest[:12]}...")
        seen: set[str] = set()
        for number, block in enumerate(self.blocks):
            if not block.columns:
                raise BadInput(f"block {number} has no column")
            for name in block.columns:
                if name not in table.quasi:
                    raise BadInput(f"block {number} names {name!r}, which is no quasi-identifying column")
                if name in seen:
                    raise BadInput(f"column {name!r} is in two blocks")
                seen.add(name)
        total: Exact = 0
        for number, block in enumerate(self.blocks):
            try:
                total += block.proof.proved(CellSuppression(table.restricted(block.columns), problem.principle))
            except BadInput as error:
                raise BadInput(f"block {number} ({', '.join(block.columns)}): {error}") from None
        if total < self.value:
            raise BadInput(f"the blocks prove {exact_text(simplest(total))}, not {exact_text(self.value)}")
        return self.value
