"""Minimum bisection to t-closeness for every t with 0 < t < 1 (Liang and Yuan 2013, Theorem 1).

Construction, in steps that are reductions of their own: bisection as (n/2)-anonymity (Theorem 3), a smaller share c of more rows where one
is needed (Theorem 4), and k-anonymity as t-closeness (Lemma 1). Unless c is given, t chooses it:

    t >= 2/3          c = 1 - t
    1/2 < t < 2/3     c = 1/3, and a hierarchy of the sensitive values
    t = 1/2           k stays half of the rows
    t < 1/2           k stays half of the rows, and a hierarchy of the sensitive values

Relation and maps: those of the steps.
What is ours: the hierarchies. With equal distances a partition has more than one group only if t >= 1/2 (c <= 1/2), so the paper has 1/2 <
t < 2/3 from half-clique (`half_clique_to_t_closeness`) and t < 1/2 from three-dimensional matching, t = 0 among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduction
from anoptima.reductions.half_anonymity_to_share_anonymity import HalfAnonymityToShareAnonymity
from anoptima.reductions.k_anonymity_to_t_closeness import KAnonymityToTCloseness
from anoptima.reductions.minimum_bisection_to_half_anonymity import MinimumBisectionToHalfAnonymity
from anoptima.reductions.path import NamedPath


def chosen_share(t: Fraction) -> Fraction | None:
    """Return the share c of Theorem 4 that serves t; None where k stays half of the rows.

    >>> [str(chosen_share(Fraction(t))) for t in ("1/3", "1/2", "3/5", "2/3", "9/10")]
    ['None', 'None', '1/3', '1/3', '1/10']
    """
    c = min(Fraction(1, 3), 1 - t)  # no mutant: tests try every case
    return None if t <= Fraction(1, 2) else c  # no mutant: as above


@reductions.register
@dataclass(frozen=True)
class MinimumBisectionToTCloseness(NamedPath):
    """Minimum bisection as cell suppression for t-closeness, for every t above 0 and below 1.

    Parameters
    ----------
    t
        How close; 1/2, or 1 - c where c is given, unless it is given.
    c
        The share of Theorem 4, at most 1/3 and at most 1 - t; as t needs it, unless it is given.

    Examples
    --------
    >>> [step.parameters for step in MinimumBisectionToTCloseness("3/4").steps]
    [{}, {'c': Fraction(1, 4)}, {'t': Fraction(3, 4)}]
    >>> [step.parameters for step in MinimumBisectionToTCloseness("1/3").steps]
    [{}, {'t': Fraction(1, 3)}]
    """

    t: Fraction | None
    c: Fraction | None

    name = "minimum-bisection-to-t-closeness"
    cites = (
        "Liang, Yuan: On the complexity of t-closeness anonymization and related problems (2013), Theorem 1, "
        "by Theorem 3, Theorem 4 and Lemma 1"
    )

    def __init__(self, t: Number | None = None, c: Number | None = None) -> None:
        object.__setattr__(self, "t", None if t is None else as_fraction(t, "t"))
        object.__setattr__(self, "c", None if c is None else as_fraction(c, "c"))
        if self.t is not None and self.c is not None and self.t > 1 - self.c:
            raise BadInput(f"t is {self.t} and c is {self.c}; t must be at most 1 - c")
        if self.c is not None:
            HalfAnonymityToShareAnonymity(self.c)
        if self.t is not None:
            KAnonymityToTCloseness(self.t)

    @property
    def steps(self) -> tuple[Reduction[Any, Any], ...]:
        """Theorem 3, Theorem 4 where k must be less than half of the rows, and Lemma 1."""
        widest = Fraction(1, 2) if self.c is None else self.c  # no mutant: as above
        t = self.t if self.t is not None else 1 - widest
        c = chosen_share(t) if self.c is None else self.c  # no mutant: as above
        fewer = () if c is None else (HalfAnonymityToShareAnonymity(c),)
        return (MinimumBisectionToHalfAnonymity(), *fewer, KAnonymityToTCloseness(t))
