"""Principles: conditions on a group of rows that may be published with one image.

`KAnonymity(3)`, `LDiversity(2)`, `TCloseness(0.2)`; they combine with `&`. A principle decides on exact counts (`holds`), says why it
does not hold (`why_not`), and states itself as `Condition`s: linear conditions on the counts of a group, from which any model makes
its constraints. A new principle that can be said in the conditions that exist is one class here, and no model changes.

All principles here are *merge-closed*: the union of two groups that satisfy one satisfies it too. (Sizes add; shares of a union lie
between the shares; the earth mover's distance is convex; entropy is concave.) So a problem is feasible exactly when the whole table, as
one group, is. Every condition here but `NotLinear` is merge-closed, and one from outside says whether it is (`Condition.merge_closed`);
a principle that states `NotLinear` says so itself (`Principle.merge_closed`).
"""

from anoptima.principles.conditions import (
    AtLeastEntropy,
    AtLeastRows,
    AtLeastValues,
    AtMostShare,
    AtMostShareOf,
    Close,
    CloseByFlow,
    CloseOnTree,
    Condition,
    LimitedShares,
    NotLinear,
    Outweighed,
    least_rows,
    rows_alone,
)
from anoptima.principles.k_anonymity import KAnonymity
from anoptima.principles.l_diversity import LDiversity
from anoptima.principles.principle import All, Principle, Splitting, Truths, principle_from_json, principle_kinds
from anoptima.principles.t_closeness import TCloseness

__all__ = [
    "All",
    "AtLeastEntropy",
    "AtLeastRows",
    "AtLeastValues",
    "AtMostShare",
    "AtMostShareOf",
    "Close",
    "CloseByFlow",
    "CloseOnTree",
    "Condition",
    "KAnonymity",
    "LDiversity",
    "LimitedShares",
    "NotLinear",
    "Outweighed",
    "Principle",
    "Splitting",
    "TCloseness",
    "Truths",
    "least_rows",
    "principle_from_json",
    "principle_kinds",
    "rows_alone",
]
