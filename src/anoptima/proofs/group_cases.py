"""A proof by cases for l-diversity or t-closeness, with k or without: how many rows groups have, and of a value.

It is a proof by cases without cuts (`case_bounds`). Under closeness groups are priced by whole rows, under diversity as in `groups`,
which knows no largest size: decisions say there whether a pattern has a group, and how many rows of a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.principles import AtLeastRows, AtLeastValues, AtMostShare, AtMostShareOf, CloseOnTree, Condition
from anoptima.problems.base import Problem
from anoptima.proofs.case_bounds import Ended, Said, bound
from anoptima.proofs.kinds import register
from anoptima.proofs.multipliers import require_proved
from anoptima.proofs.plain_data import PlainData
from anoptima.proofs.records import asked_about
from anoptima.proofs.trees import AboutSize, ends


@dataclass(frozen=True, slots=True)
class GroupLeaf(PlainData):
    """An end of the tree: D pi_r for each record, and D w for each limited pattern and value, in the order in which decisions name them."""

    worth: tuple[int, ...]
    prices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GroupFork(AboutSize):
    """At most so many rows on the low side, more on the high one."""

    low: GroupTree
    high: GroupTree


GroupTree = GroupFork | GroupLeaf


@register
@dataclass(frozen=True)
class GroupCasesProof(PlainData):
    """No release costs less than `value` under l-diversity or t-closeness on a line or a tree, with k or without: by a tree of cases."""

    value: Exact
    digest: str
    principle: Mapping[str, Any]
    denominator: int
    tree: GroupTree

    kind: ClassVar[str] = "group-cases"

    def proved(self, problem: Problem[Any]) -> Exact:
        """Return the bound, or raise `BadInput` with the step that does not hold.

        O(2^m R m), and O(A log A) for each end, size and case of it, for all arcs A.

        >>> from anoptima import CellSuppression, TCloseness, ten_rows
        >>> problem = CellSuppression(ten_rows(), TCloseness("0.5"))
        >>> nothing = GroupLeaf((0,) * 10, ())
        >>> GroupCasesProof(0, problem.table.digest, problem.principle.as_json(), 1, nothing).proved(problem)
        0
        """
        require_proved(self.value, self.proves(problem), problem)
        return self.value

    def proves(self, problem: Problem[Any]) -> int:
        """Return the bound that the ends give for this very problem, in parts of the cost unit, whatever `value` is."""
        about = asked_about(problem, self.digest, self.principle, self.denominator)
        conditions = about.principle.conditions(about.table)
        if not has_cases(conditions):
            raise BadInput(
                f"the proof is for l-diversity, or t-closeness along edges, in one column, not for {about.principle}"
            )
        said = Said(self.denominator, is_whole=any(isinstance(condition, CloseOnTree) for condition in conditions))
        every = ends(self.tree, "low", "high")
        return bound(about, said, (Ended(end.worth, (), end.prices, path) for end, path in every))


def has_cases(conditions: Iterable[Condition]) -> bool:
    """Tell whether there are proofs by cases of these conditions: of one diversity, or closeness along edges with diversity in its column.

    And of sizes. Where only some values have limited shares, that must be all that is asked but sizes.

    >>> from anoptima import KAnonymity, LDiversity, TCloseness, ten_rows
    >>> principles = KAnonymity(2), KAnonymity(3) & LDiversity(2), TCloseness("0.3"), TCloseness("0.3") & LDiversity(2)
    >>> [has_cases(principle.conditions(ten_rows())) for principle in principles]
    [False, True, True, True]
    """
    others = [condition for condition in conditions if not isinstance(condition, AtLeastRows)]
    diverse = sum(isinstance(condition, AtLeastValues | AtMostShare) for condition in others)
    rare = sum(isinstance(condition, AtMostShareOf) for condition in others)
    close = sum(isinstance(condition, CloseOnTree) for condition in others)
    is_one_column = len({name for condition in others for name in condition.columns}) == 1
    is_known = (close == 1 and not rare) or (close == 0 and diverse + rare == 1)
    return is_one_column and is_known and diverse + rare + close == len(others)
