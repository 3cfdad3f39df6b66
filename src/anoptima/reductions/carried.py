"""A proof about one problem by way of another: a reduction, and a proof about its target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from anoptima.answer import Proof
from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_text
from anoptima.problems.base import Problem
from anoptima.reductions.base import Reduction


@dataclass(frozen=True)
class CarriedProof:
    """No solution of a reduction's source costs less than `value`: by a proof about its target.

    Any source solution of cost c is pushed to a target solution of at most `Reduced.target_cost(c)`, so a lower
    bound on the target gives one on the source (`Reduced.source_bound`). The reduction is applied anew when the proof is checked.

    >>> import anoptima as ao
    >>> from anoptima.proofs.own_bound import OwnBound
    >>> from anoptima.reductions import reductions
    >>> reduction = reductions.get("minimum-bisection-to-half-anonymity")
    >>> square = ao.MinimumBisection(ao.Graph("abcd", ["ab", "bc", "cd", "da"]))
    >>> CarriedProof(0, reduction, OwnBound(0)).proved(square)
    0
    >>> CarriedProof(3, reduction, OwnBound(0)).proved(square)
    Traceback (most recent call last):
    anoptima.errors.BadInput: by minimum-bisection-to-half-anonymity, the target's proof proves 2, not 3
    """

    value: Exact
    reduction: Reduction[Any, Any]
    proof: Proof

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold. Applies the reduction, and checks the target's proof."""
        reason = self.reduction.why_not(problem)
        if reason is not None:
            raise BadInput(f"the proof goes by {self.reduction.name}, and {reason}")
        reduced = self.reduction.apply(problem)
        least = reduced.source_bound(self.proof.proved(reduced.target))
        if least < self.value:
            raise BadInput(
                f"by {self.reduction.name}, the target's proof proves {exact_text(least)}, not {exact_text(self.value)}"
            )
        return self.value
