"""What `auto` takes for cell suppression: rules in order, each of which chooses or passes.

What is asked and how large it is decide, never a problem's or a principle's name. The figures are those of `benchmarks.auto`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any

from anoptima.patterns import why_too_many
from anoptima.proofs.all_partitions import MOST_ROWS
from anoptima.proofs.group_cases import has_cases
from anoptima.solvers.base import Solver
from anoptima.solvers.choices.asked import Asked
from anoptima.solvers.choices.choice import Choice
from anoptima.solvers.portfolio import Portfolio
from anoptima.solvers.starts import INSURANCE_SHARE, SHARE, QuickApproximations

_TINY_LOOKS = 1 << 12
"""Sifting answers questions with at most this many looks before any start would be found, unless they ask for closeness or for large
groups: ten rows and eight columns take 2,560."""
_SIFTED_SIZE = 15
"""Of tiny questions those are left to sifting alone whose groups need at most this number of rows: up to 12 a program only slows it down,
from 20 on it proves more. Of `uniform-200x3`, k = 50, 64 records, it proves 450 stars, and sifting leaves 485 in 10 s on a busy
machine (`python -m benchmarks.auto --limits 2,10 --questions 'cells uniform-*x3*,cells uniform-100x5*'`)."""
_LOOKS_ON_A_LINE = 1 << 17
"""The pattern program is asked questions with at most this many looks under closeness on a line: of 300 rows its bounds are the better ones
after some seconds."""
_BY_VALUE_RECORDS = 150
"""But of at most so many records closeness along edges is left to sifting alone, which prices whole groups: 100 rows in an order, t = 0.2,
are proved in 2 s; with the program beside it in 7 s, with local search in 5. Of 1,000 rows of randhie, t = 0.3, the program proves 8 stars
in 10 s, sifting 6."""
_CASES_RECORDS = 300
"""And of at most so many records it goes without the program if time is limited: of 200 made rows of 6 columns, 5 s, sifting proves 87
stars at numeric distance, t = 0.2, where the program beside it leaves 94 and a bound of 77; at that of a hierarchy, t = 0.3, it leaves 308
of 333. On a line local search beside it finds better releases of so few records: 171 stars where it leaves 181 alone, t = 0.1."""
_ON_A_LINE_A_SECOND = 8_500
"""And only with a second for this many looks: 643 records of randhie, t = 0.3, 82,304 looks, are proved by it in 4 s, and not by sifting
in 10."""
_PARTITIONED_ROWS = 20
"""Up to this many rows, where there are too many columns for the program, `subset-dp` is asked as well: 18 rows of 16 to 40 columns, k = 3,
take it a second, and others more than ten; prices of rows prove most of them in a tenth of a second, and others not in thirty."""
_PRICED_ROWS = 60
"""Up to this many rows of a wide table are asked for by prices of rows, too: of 50 rows of 24 columns, k = 3, they prove 661 stars in 20 s,
near patterns 543; and 40 rows of 16 columns, k = 2, are proved at once, which take sifting seconds."""
_PRICED_A_SECOND = 200
"""Where patterns cannot be listed, they are asked for by prices of groups with a second for so many rows: of 300 rows of 30 columns, k = 3,
these leave 4,680 stars and a bound of 4,657 after 4 s, near patterns 4,719 and 3,522 after any time. So they are where listing takes long:
of 700 uniform rows of 14 columns, l = 3, on a busy machine 5,215 and 4,640 after 10 s, and 8,867 and 3,381 by sifting."""
_NEAR_RECORDS = 3_000
"""Near patterns improve the starts of tables with at most this many records: of more they find no release in a tenth of a few seconds. Of
20,000, in 5 s, a search beside sifting costs it 5 % of the stars."""
_BOUNDED_RECORDS, _BOUNDED_S = 1_000, 8.0
"""Without time to list patterns, near ones prove something under l-diversity of at most this many records: 3,683 of 4,145 stars of 500
uniform rows of 16 columns, l = 3, in 20 s. With so many seconds they do of `_NEAR_RECORDS`: of 3,000 uniform rows of 12 columns, l = 3,
they leave 16,108 stars and a bound of 14,643 in 10 s, local search 16,106 and 11,979; of 20,000 rows of 16 columns a sixth more stars."""
_NEAR_LONG_S = 30.0
"""And of more records with this much time, while sifting lists patterns: 30,000 rows of 12 columns, k = 5, have 73,177 stars after 60 s
and a bound of 58,889, where sifting alone comes to 75,372 and 59,553."""
_STARTED_RECORDS, _SEARCHED_RECORDS, _OWN_RECORDS = 300, 100, 150
"""Up to the first number of records sifting gains from a start under equal closeness, and under k-anonymity, above the last number, from
one of near patterns: of 300 it finds 866 census stars instead of 871 in 2 s, k = 5; of 150 the start only costs time. Up to the second
number, near patterns, or sifting under equal closeness with a size, gain from a start that local search has improved."""
_MOVED_S = 5.0
"""With less time than this, sifting under equal closeness gains from such a start, too: of 100 census rows, t = 0.3, it leaves 389 stars
after 2 s without, where local search finds 355. And so do near patterns of wide tables: of 1,000 rows of 24 columns, t = 0.3, by 7 %."""
_BESIDE_RECORDS, _BESIDE_SINGLE_RECORDS = 1_000, 5_000
"""Local search stands beside sifting for at most the first number of records where that makes no small changes, and for at most the second
where a row alone may be close on a line."""
_BESIDE_SHARE = 0.3
"""The part of the time that quick approximations may take before that: peeling 6,366 rows takes some tenths of a second."""
_LATE_RECORDS, _SEARCHED_A_SECOND, _LATE_START_SHARE = 50_000, 10_000, 0.9
"""Of more records than the first number sifting may have no release within the time: it takes 4 s for the 200,000 rows of `large-200000x8`,
t = 0.2, where a start has 1,547,122 stars, and quick approximations beside it leave 1,108,646. Of more than the second number for each
second that is left, local search gains next to nothing, and starts may take the third number of the time: of those rows, l = 3, that leaves
1,262,302 stars after 2 s instead of 1,533,177. Of `large-uniform-100000x12`, k = 5, 5 s leave 262,909 stars, of 1,200,000 cells."""
_SIFTED_A_SECOND, _SIFTED_OF_SIZES_A_SECOND = 10_000, 15_000
"""With a second for so many records sifting has a release in time, and is surer of it alone: of those 87,177 records, 10 s leave 547,097
stars for l = 3 and 579,475 for entropy 3 in each of two runs, and 1,206,673 and 1,288,363 in one of two beside quick approximations
(`benchmarks.tuned`); without these, 5 s leave 1,600,000 for l = 3, and with them 1,206,673. The second number is for
groups of which a size is asked: with k = 5, 5 s leave 146,733 without them on a quiet machine, and all 1,600,000 on a busy one; with them
152,973 at most on either."""
_ROOM_FOR_TWO_S, _ROOM_FOR_TINY_S = 5.0, 1.0
"""With less time than this, a program beside sifting would only slow it down; and the same for tiny questions that ask for closeness
or for large groups."""
_BEFORE_SEARCH_SHARE = 0.5
"""The part of the time that quick approximations may take before local search, or near patterns of many records:
of 3,000 uniform rows of 12 columns, l = 2, they leave 18,269 stars after a tenth of 2 s, and local search makes that 14,396; peeling takes
half a second, and leaves 7,246. Of 30,000 rows of 12 columns, k = 5, near patterns find 95,051 in 10 s, and peeling 76,053."""

_BRACKETS = "sifting can price a part of what is asked, and that proves its bound"
_BOUNDS_SIZES = "it soon has good releases, and bounds what a size alone costs, which is what can be priced"
_SOON = "which soon has good releases"
_SEARCHES = "it searches to optimality, with a proof where it can"
_MATCHES = "and beside it {}, which is exact for groups of two and three"
_FEW_AND_WIDE = "it has a proof where it can; and beside it {}, for so few rows of so many columns"


def choose_for_cells(asked: Asked) -> Choice[Any] | None:
    """Return what the first of the rules chooses that does not pass; None if all do, and a model may prove more."""
    return next((choice for rule in RULES if (choice := rule(asked)) is not None), None)


def _a_dozen_rows(asked: Asked) -> Choice[Any] | None:
    if asked.rows > MOST_ROWS:
        return None
    # Imported by itself, since importing all algorithms takes longer than the answer.
    from anoptima.solvers.exact.subset_dp import SubsetDp

    why = "it proves optimality at once, by trying every partition of so few rows"
    return _alone(SubsetDp(), why, start=False, improver="")


def _few_rows_of_many_columns(asked: Asked) -> Choice[Any] | None:
    """Partitions beside prices of rows, or prices beside sifting: neither needs a pattern."""
    if asked.is_small:
        return None
    improver = "" if asked.bounded is None else asked.bounded.name
    prices = _priced(asked)
    partitions = _partitions(asked)
    proving = prices or _foremost(asked)
    if partitions is not None and proving is not None:
        return _both(proving, partitions, _FEW_AND_WIDE, asked, improver)
    if asked.sifting is not None and asked.is_listed and prices is not None:
        return _both(prices, asked.sifting, _FEW_AND_WIDE, asked, improver)
    return None


def _where_sifting_has_no_rule(asked: Asked) -> Choice[Any] | None:
    """Bracketing asks sifting about principles on either side; of few rows `subset-dp` proves more.

    Where what can be priced is a size alone, near patterns bound it as well, and have the better releases of tables that are not large.
    """
    if asked.bracketing is None or not asked.is_listed:
        return None
    if asked.proof:
        return _alone(asked.bracketing, _BRACKETS)
    partitions = _partitions(asked)
    if partitions is not None:
        return _both(asked.bracketing, partitions, f"{_BRACKETS}; and beside it {{}}, for so few rows", asked)
    if asked.local_search is not None and not asked.is_listed_soon:
        why = "there is little time to list all patterns"
        return _alone(asked.local_search, why, share=_BEFORE_SEARCH_SHARE)
    if asked.near_patterns is not None and asked.records <= _NEAR_RECORDS and asked.is_between_sizes:
        return _alone(asked.near_patterns, _BOUNDS_SIZES)
    return _alone(asked.bracketing, _BRACKETS)


def _where_patterns_are_listed(asked: Asked) -> Choice[Any] | None:
    """Sifting: with a search beside it where listing takes long, with the pattern program for small tables, or alone."""
    if asked.sifting is None:
        return None
    is_long = not asked.is_small and not asked.is_listed_soon
    is_last = asked.bounded is None and asked.proof
    is_grouped = is_long and (asked.matching is not None or _group_prices(asked) is not None)
    if not is_last and (not asked.is_listed or is_grouped):
        return None
    improver, share = _improver_for_sifting(asked), SHARE
    if improver is None and asked.left is not None and not asked.is_small:
        improver, share = "", INSURANCE_SHARE
    start, improver = improver is not None, improver or ""
    program = _program(asked)
    if program is None and asked.matching is not None and asked.threads > 1 and asked.has_time(_ROOM_FOR_TWO_S):
        both = _both(asked.sifting, asked.matching, f"{_SEARCHES}; {_MATCHES}", asked, improver, share, head_start=True)
        return replace(both, start=start)
    partitions = _partitions(asked)
    if partitions is not None and asked.able("pattern/highs") is None:
        return replace(
            _both(asked.sifting, partitions, f"{_SEARCHES}; and beside it {{}}, for so few rows", asked), start=start
        )
    if program is not None:
        why = f"{_SEARCHES}; and beside it {{}}, for so small a table"
        both = _both(asked.sifting, program, why, asked, improver, share, head_start=not asked.is_close_on_a_line)
        return replace(both, start=start)
    search = _beside_sifting(asked, is_long, improver)
    if search is not None:
        why = f"{_SEARCHES}; and beside it {{}}, {_SOON}"
        return _both(asked.sifting, search, why, asked, share=SHARE if is_long else _BESIDE_SHARE)
    return _alone(asked.sifting, _SEARCHES, start, improver, share)


def _where_they_are_not(asked: Asked) -> Choice[Any] | None:
    """What looks at groups of rows, however wide the table is; near patterns where they prove something; else local search."""
    most = _NEAR_RECORDS if asked.has_time(_BOUNDED_S) else _BOUNDED_RECORDS
    is_bounded = asked.is_of_sizes or asked.sifting is None or asked.closeness or asked.records <= most
    near = asked.near_patterns if is_bounded else None
    search = near or asked.local_search
    if search is None:
        return None
    lacking = "listing all patterns takes long" if asked.is_listed else "there is no time to list all patterns"
    if why_too_many(asked.problem) is not None:
        lacking = "of so wide a table patterns cannot be listed"
    elif asked.sifting is None and asked.bracketing is None:
        lacking = "nothing that could be priced follows from what is asked"
    why = lacking if asked.bounded is None else f"it proves a bound at any size, and optimality where it can; {lacking}"
    if asked.matching is not None:
        beside = asked.near_patterns or search
        why = f"it is exact for groups of two and three, and {lacking}; and beside it {{}}, {_SOON}"
        return _both(asked.matching, beside, why, asked, head_start=True)
    is_slow = search is not near or asked.records > _NEAR_RECORDS or (asked.sifting is not None and not asked.bounded)
    share = _BEFORE_SEARCH_SHARE if is_slow else SHARE
    if asked.left is not None and asked.records > asked.left * _SEARCHED_A_SECOND:
        share = _LATE_START_SHARE
    prices = _priced(asked)
    if prices is not None:
        why += "; and beside it {}, whose bounds are the better ones of few rows"
        return _both(search, prices, why, asked)
    prices = _group_prices(asked)
    if prices is not None:
        why = f"it prices groups of the least size, however wide a table is, and {lacking}; and beside it {{}}, {_SOON}"
        return _both(prices, search, why, asked, share=share)
    few = asked.records <= _SEARCHED_RECORDS
    if few and asked.sifting is None and asked.bounded is None:
        # Of few rows a model may prove more.
        return None
    is_short = near is not None and not asked.has_time(_MOVED_S)
    if is_short and asked.bounded is not None and asked.local_search is not None and asked.records > _STARTED_RECORDS:
        why += f"; and beside it {{}}, {_SOON}"
        return _both(search, asked.local_search, why, asked, share=share)
    is_moved = is_short if asked.bounded is None else few and asked.sifting is not None
    return _alone(search, why, improver="local-search" if is_moved else "", share=share)


RULES: tuple[Callable[[Asked], Choice[Any] | None], ...] = (
    _a_dozen_rows,
    _few_rows_of_many_columns,
    _where_sifting_has_no_rule,
    _where_patterns_are_listed,
    _where_they_are_not,
)
"""In the order in which they are asked."""


def _improver_for_sifting(asked: Asked) -> str | None:
    """Return what improves the start of sifting, '' for nothing; None where sifting begins as well by itself.

    The time that more than a quick start takes is worth more wherever its own first release comes soon: under k-anonymity of tables that
    are neither tiny nor large for the time, and under l-diversity. On some hundred rows near patterns find better releases in a tenth of
    the time. Under closeness sifting makes small changes until little of a start is left, unless what is joined with it forbids that; where
    a row alone may be close on a line local search is the better at them. Otherwise only small tables with more than equal closeness, or
    with little time, gain from it.
    """
    if _is_by_value(asked):
        return None
    if asked.bounded is not None:
        if asked.left is not None and not asked.is_small and _OWN_RECORDS < asked.records <= _STARTED_RECORDS:
            return asked.bounded.name
        is_own = asked.looks <= _TINY_LOOKS or asked.is_listed_soon or asked.records > _NEAR_RECORDS
        return None if is_own else asked.bounded.name
    if not asked.closeness:
        return None if asked.is_of_values else ""
    if not asked.is_repaired:
        return "local-search" if asked.records <= _BESIDE_RECORDS else None
    if asked.is_close_on_a_line and asked.may_be_single:
        return "local-search" if asked.records <= _BESIDE_SINGLE_RECORDS else None
    if asked.is_close_on_a_line and len(asked.conditions) == 1 and asked.records <= _CASES_RECORDS:
        return "local-search"
    is_helped = len(asked.conditions) > 1 or not asked.is_close_at_equal_distance or not asked.has_time(_MOVED_S)
    if asked.records <= _SEARCHED_RECORDS and is_helped:
        return "local-search"
    return "" if asked.records <= _STARTED_RECORDS else None


def _partitions(asked: Asked) -> Solver[Any] | None:
    """Return what tries all partitions of few rows, and has no proof."""
    return asked.able("subset-dp") if asked.rows <= _PARTITIONED_ROWS and not asked.proof else None


def _is_by_value(asked: Asked) -> bool:
    """Tell whether sifting prices whole groups along edges exactly, and dives for releases, best with nothing beside it."""
    return asked.records <= _BY_VALUE_RECORDS and _is_along_edges(asked)


def _is_along_edges(asked: Asked) -> bool:
    """Tell whether sifting has cases of closeness along the edges of a tree or line, at distances that are not all equal."""
    return any(not one.metric.is_equal for one in asked.closeness) and has_cases(asked.conditions)


def _program(asked: Asked) -> Solver[Any] | None:
    """Return the pattern program where the table is small, and there is time for two.

    Tiny questions need it under closeness, or where groups are large; under closeness on a line its bounds are the better ones up to some
    hundred rows.
    """
    if asked.is_close_at_equal_distance or asked.proof:
        return None
    if _is_by_value(asked) or (asked.left is not None and asked.records <= _CASES_RECORDS and _is_along_edges(asked)):
        return None
    is_small = asked.is_small
    if asked.is_close_on_a_line:
        is_small = asked.looks <= _LOOKS_ON_A_LINE
        needed_s = max(_ROOM_FOR_TINY_S, asked.looks / _ON_A_LINE_A_SECOND)
    elif asked.looks > _TINY_LOOKS:
        needed_s = _ROOM_FOR_TWO_S
    else:
        needed_s = _ROOM_FOR_TINY_S if asked.closeness or asked.least_size > _SIFTED_SIZE else inf
    return asked.able("pattern/highs") if is_small and asked.has_time(needed_s) else None


def _beside_sifting(asked: Asked, is_long: bool, improver: str | None) -> Solver[Any] | None:
    """Return the search that stands beside sifting, which has a release late, or would begin from one that a search improves.

    Beside it the search does better than before it.
    """
    if asked.threads == 1 or asked.left is None or _is_by_value(asked):
        return None
    is_late = is_long and (asked.records <= _NEAR_RECORDS or asked.has_time(_NEAR_LONG_S))
    sifted_a_second = _SIFTED_A_SECOND if asked.bounded is None else _SIFTED_OF_SIZES_A_SECOND
    if is_long and asked.records > max(_LATE_RECORDS, asked.left * sifted_a_second):
        return QuickApproximations()
    if asked.bounded is not None:
        return asked.bounded if is_late else None
    if asked.records > _LATE_RECORDS:
        return None
    if not asked.closeness:
        return asked.near_patterns if is_late and asked.records <= _STARTED_RECORDS else None
    if is_late and asked.near_patterns is not None:
        return asked.near_patterns
    is_searched = improver == "local-search" and not asked.is_close_at_equal_distance
    return asked.local_search if is_late or is_searched else None


def _foremost(asked: Asked) -> Solver[Any] | None:
    """Return near patterns where they bound what is best and there is no time to list all patterns, else sifting."""
    if asked.sifting is None or not asked.is_listed:
        return asked.bounded or asked.sifting
    return asked.sifting


def _priced(asked: Asked) -> Solver[Any] | None:
    """Return the search by prices of rows if it is for the problem, and rows are few."""
    return asked.able("group-prices") if asked.rows <= _PRICED_ROWS else None


def _group_prices(asked: Asked) -> Solver[Any] | None:
    """Return the search by prices of groups if it is for the problem, and there is time for so many rows."""
    return asked.able("group-prices") if asked.has_time(asked.rows / _PRICED_A_SECOND) else None


def _alone(solver: Solver[Any], why: str, start: bool = True, improver: str = "", share: float = SHARE) -> Choice[Any]:
    return Choice(solver, f"auto chose {solver.name}: {why}", start, improver, share)


def _both(
    first: Solver[Any],
    second: Solver[Any],
    why: str,
    asked: Asked,
    improver: str = "",
    share: float = SHARE,
    head_start: bool = False,
) -> Choice[Any]:
    both = Portfolio(first, second, patient=asked.proof is not False, head_start=head_start)
    return Choice(both, f"auto chose {first.name}: {why.format(second.name)}", True, improver, share)
