"""The proof that needs no data: the problem's own arithmetic, done again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_text
from anoptima.problems.base import Problem
from anoptima.proofs.kinds import register
from anoptima.proofs.plain_data import PlainData


@register
@dataclass(frozen=True)
class OwnBound(PlainData):
    """No solution costs less than `value`: by the problem's own `lower_bound`. For any problem."""

    value: Exact

    kind: ClassVar[str] = "own-bound"

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` if the problem does not prove it.

        >>> from anoptima import CellSuppression, KAnonymity, ten_rows
        >>> OwnBound(52).proved(CellSuppression(ten_rows(), KAnonymity(3)))
        52
        """
        impossible = problem.why_infeasible()
        if impossible is not None:
            raise BadInput(f"no solution exists, so there is no least cost: {impossible}")
        own = problem.lower_bound()
        if own < self.value:
            raise BadInput(f"the problem's own arithmetic proves {exact_text(own)}, not {exact_text(self.value)}")
        return self.value
