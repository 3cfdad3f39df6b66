"""Half-clique to t-closeness for 1/2 < t < 2/3 with equal distances (Liang and Yuan 2013, Theorem 1).

Construction: half-clique as (cN)-anonymity with c = 1 - t (Theorem 5), then k-anonymity as t-closeness (Lemma 1).
Relation and maps: those of the steps. A half-clique exists exactly if OPT is at most the threshold of Theorem 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduction
from anoptima.reductions.half_clique_to_share_anonymity import HalfCliqueToShareAnonymity
from anoptima.reductions.k_anonymity_to_t_closeness import KAnonymityToTCloseness
from anoptima.reductions.path import NamedPath


@reductions.register
@dataclass(frozen=True)
class HalfCliqueToTCloseness(NamedPath):
    """A clique of half of the vertices as cell suppression for t-closeness, t between 1/2 and 2/3.

    Parameters
    ----------
    t
        How close; above 1/2, below 2/3.

    Examples
    --------
    >>> [step.parameters for step in HalfCliqueToTCloseness("3/5").steps]
    [{'c': Fraction(2, 5)}, {'t': Fraction(3, 5)}]
    """

    t: Fraction

    name = "half-clique-to-t-closeness"
    cites = (
        "Liang, Yuan: On the complexity of t-closeness anonymization and related problems (2013), Theorem 1, "
        "by Theorem 5 and Lemma 1"
    )

    def __init__(self, t: Number = Fraction(5, 8)) -> None:
        object.__setattr__(self, "t", as_fraction(t, "t"))
        if not Fraction(1, 2) < self.t < Fraction(2, 3):
            raise BadInput(
                f"t is {self.t}; it must be above 1/2 and below 2/3 (minimum bisection serves every t between 0 and 1)"
            )

    @property
    def steps(self) -> tuple[Reduction[Any, Any], ...]:
        """Theorem 5 with c = 1 - t, and Lemma 1."""
        return (HalfCliqueToShareAnonymity(1 - self.t), KAnonymityToTCloseness(self.t))
