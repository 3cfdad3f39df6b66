"""Errors in the paper on quasi-identifiers (Yuan, Wang)."""

from __future__ import annotations

import itertools

from anoptima.instances.errata import Figures, erratum
from anoptima.instances.matchings import cover_of_five
from anoptima.packages import pd
from anoptima.problems.base import every_subset
from anoptima.problems.quasi_identifier import IdentifyingColumns, QuasiIdentifier, WitnessColumns
from anoptima.problems.sources.minimum_cover import MinimumCover
from anoptima.solvers.solving import solve
from anoptima.table import Table

_YW = "Yuan and Wang"


def example_of_five_rows() -> Table:
    """Return the example in section 5.2 of Yuan and Wang: five rows, five columns.

    >>> example_of_five_rows()
    Table(5 rows, 5 row types, quasi a, b, c, d, e)
    """
    rows = ["x1x6x", "xx27x", "x3x8x", "xx4x9", "5xxx0"]
    return Table.from_frame(pd.DataFrame([list(row) for row in rows], columns=list("abcde")), quasi=list("abcde"))


@erratum(
    "quasi-identifier-trace",
    paper=_YW,
    place="section 5.2",
    claim=(
        "On the example, {b, c} does not identify the rows, and the algorithm returns the minimal "
        "quasi-identifier {a, b, c}."
    ),
    truth=(
        "The rows on {b, c} are (1, x), (x, 2), (3, x), (x, 4), (x, x), all different. {a, b, c} is not "
        "minimal; the algorithm returns {b, c}."
    ),
)
def quasi_identifier_trace() -> Figures:
    """The algorithm, run on the example."""
    problem = IdentifyingColumns(example_of_five_rows())
    found = solve(problem, "greedy-descent", start=None).require_solution()
    smallest = int(solve(problem, "hitting-set").cost or 0)
    sets = [QuasiIdentifier(frozenset(c)) for c in itertools.combinations("abcde", smallest)]
    minimum = ["".join(sorted(chosen.names)) for chosen in sets if problem.is_feasible(chosen)]
    return {
        "distinct rows on {b, c}": len(set(example_of_five_rows().classes(["b", "c"]).tolist())),
        "the algorithm returns": "".join(sorted(found.names)),
        "fewest columns": smallest,
        "all identifying sets of this size": ", ".join(minimum),
    }


@erratum(
    "quasi-identifier-sets",
    paper=_YW,
    place="Definitions 1 and 2",
    claim=(
        "A database is a set of rows; it is k-anonymous if every row has at least k rows equal to it on "
        "every set of columns."
    ),
    truth=(
        "In a set no two rows are equal on all columns, so nothing but the empty database is 2-anonymous. "
        "Rows must be counted as often as they occur."
    ),
)
def quasi_identifier_sets() -> Figures:
    """Two rows, each there twice."""
    frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 0, 1, 1]})
    figures = {}
    for words, kept in (("counted as often as they occur", frame), ("as a set", frame.drop_duplicates())):
        problem = WitnessColumns(Table.from_frame(kept, quasi=["a", "b"]), 2)
        figures[f"smallest class of 00, 00, 11, 11, {words}"] = problem.smallest_class([0, 1])
    return figures


@erratum(
    "quasi-identifier-minimal",
    paper=_YW,
    place="Definition 5",
    claim="A quasi-identifier Q is minimal if no Q' ⊆ Q is one.",
    truth="Q is a subset of itself, so nothing is minimal by that. *Proper* subsets are meant.",
)
def quasi_identifier_minimal() -> Figures:
    """Both readings on the example of section 5.2."""
    problem = IdentifyingColumns(example_of_five_rows())
    everything = [frozenset(c) for c in every_subset("abcde")]
    good = {chosen for chosen in everything if problem.is_feasible(QuasiIdentifier(chosen))}
    printed = [q for q in good if not any(part <= q for part in good)]
    meant = [q for q in good if not any(part < q for part in good)]
    return {"minimal sets as printed": len(printed), "minimal sets with proper subsets": len(meant)}


@erratum(
    "quasi-identifier-notions",
    paper=_YW,
    place="Definition 3 and Proposition 2",
    claim=(
        "Finding a smallest quasi-identifier, a set of columns that shows a violation of k-anonymity, is "
        "NP-hard by reduction from minimum cover."
    ),
    truth=(
        "The reduction is about columns that identify *every* row. Under Definition 3 with k = 2 one column "
        "with one element in it is enough, "
        "whatever the cover. With k copies of every element's row it is right for Definition 3, too."
    ),
)
def quasi_identifier_notions() -> Figures:
    """The paper's example of a cover, five elements by four sets."""
    cover = cover_of_five()
    return {
        "fewest sets that cover": int(solve(cover, "cover-sets/highs").cost or 0),
        "fewest columns that identify every row": int(
            solve(IdentifyingColumns(_of_cover(cover)), "hitting-set").cost or 0
        ),
        "fewest columns that show a violation of 2-anonymity": int(
            solve(WitnessColumns(_of_cover(cover), 2), "hitting-set").cost or 0
        ),
        "the same with two copies of every element's row": int(
            solve(WitnessColumns(_of_cover(cover, 2), 2), "hitting-set").cost or 0
        ),
    }


@erratum(
    "quasi-identifier-cover",
    paper=_YW,
    place="proof of Proposition 2",
    claim="Columns identify all rows exactly if their sets cover all elements.",
    truth=(
        "Only if all sets together do: otherwise an element that no set holds has the same row as the extra one, and no columns "
        "have to tell the two apart."
    ),
)
def quasi_identifier_cover() -> Figures:
    """Two elements and one set, which holds one of them."""
    frame = pd.DataFrame({"c1": ["a", "⊥", "⊥"]})
    problem = IdentifyingColumns(Table.from_frame(frame, quasi=["c1"]))
    return {
        "sets that cover a and b by {a}": "none",
        "fewest columns that identify": int(solve(problem, "hitting-set").cost or 0),
    }


def _of_cover(cover: MinimumCover, copies: int = 1) -> Table:
    """Return the table of a cover: an element's row has the element where it is in the column's set; and one row of ⊥."""
    rows = [
        [element if element in members else "⊥" for members in cover.sets]
        for element in cover.universe
        for _ in range(copies)
    ]
    frame = pd.DataFrame([*rows, ["⊥"] * len(cover.names)], columns=list(map(str, cover.names)))
    return Table.from_frame(frame, quasi=list(frame.columns))


@erratum(
    "quasi-identifier-time",
    paper=_YW,
    place="section 5.1",
    claim="The algorithm's running time is the sum of i for i from 1 to |D|, so O(|D|²), with |D| the number of rows.",
    truth="Each round leaves out one column, so the sum runs to the number of columns: at most |C| (|C| + 1) / 2 projections, each of "
    "which reads all rows. One pass, which tries each column once, needs |C| projections and returns the same set.",
)
def quasi_identifier_time() -> Figures:
    """Two rows that differ in the first of twelve columns alone."""
    columns = [f"c{number}" for number in range(12)]
    frame = pd.DataFrame([[0] * 12, [1] + [0] * 11], columns=columns)
    problem = IdentifyingColumns(Table.from_frame(frame, quasi=columns))
    found, projections = _as_printed(problem, columns)
    return {
        "1 + ... + |D|, for two rows": sum(range(3)),
        "projections of the algorithm as printed": projections,
        "1 + ... + |C|, for twelve columns": sum(range(13)),
        "columns left": len(found),
        "columns left by one pass": len(solve(problem, "greedy-descent", start=None).require_solution().names),
    }


def _as_printed(problem: IdentifyingColumns, columns: list[str]) -> tuple[list[str], int]:
    """Run the algorithm of section 5.1 as it is printed; return what it returns, and how often it projects the table."""
    fields, projections, found = columns, 0, True
    while found and fields:
        found = False
        for fewer in itertools.combinations(fields, len(fields) - 1):
            projections += 1
            if problem.is_feasible(QuasiIdentifier(frozenset(fewer))):
                fields, found = list(fewer), True
                break
    return fields, projections
