"""Lines that say `no mutant`: the tests that they mean, and that these notice every change of those lines but those proved equivalent."""

from __future__ import annotations

import importlib
import inspect
import itertools
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.instances import graphs
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduction
from anoptima.testing.line_mutants import MARK, line_mutants

Functions = Mapping[str, Any]


def nearer_is_the_simplest(functions: Functions) -> bool:
    """All k < n <= 8 and some t: the first denominator with a fraction in (t n / (n - k + 1), t n / (n - k)], and its largest numerator."""
    for n in range(2, 9):
        for k, t in itertools.product(range(1, n), (Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(3, 5))):
            if t < 1 - Fraction(k, n):
                above, most = t * n / (n - k + 1), t * n / (n - k)
                simplest = next(
                    max(found)
                    for height in itertools.count(1)
                    if (
                        found := [
                            Fraction(up, height) for up in range(height + 1) if above < Fraction(up, height) <= most
                        ]
                    )
                )
                if functions["nearer"](n, k, t) != simplest:
                    return False
    return True


def values_are_at_the_distance(functions: Functions) -> bool:
    """Two of the values 0, ..., n - 1 are as far apart as asked for, and each of them is 1 from the other value."""
    for n, distance in itertools.product((2, 3), (Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(5, 6))):
        space = functions["at_distance"](n, distance)
        here = [int(i == 0) for i in range(n)]
        there = [int(i == 1) for i in range(n)]
        if space.fit(list(range(n))).emd(here, there) != distance:
            return False
    return True


def rows_are_those_of_the_theorem(functions: Functions) -> bool:
    """R with lambda = R / (3 n + R) at most 2 t, (1 - lambda) / 2 at most t, 1/2 - (1 - lambda) / 6 above t."""
    for n, t in itertools.product(range(1, 5), (Fraction(1, 3), Fraction(2, 5), Fraction(3, 7), Fraction(9, 20))):
        shares = ((rows, Fraction(rows, 3 * n + rows)) for rows in range(1, 300))
        allowed = [
            rows
            for rows, share in shares
            if share <= 2 * t and (1 - share) / 2 <= t and Fraction(1, 2) - (1 - share) / 6 > t
        ]
        if list(functions["new_rows"](n, t)) != allowed:
            return False
    return True


def pulled_cliques_cost_what_sizes_allow(functions: Functions) -> bool:
    """All numbers of saved stars: the fewest edges e with s e >= saved and e <= C(n - s, 2), over all s from n/2 to N - n/2."""
    theorem = functions["HalfCliqueToShareAnonymity"]
    for n, c in itertools.product((6, 8, 10), (Fraction(3, 8), Fraction(9, 25), Fraction(5, 11))):
        half, problem = n // 2, ao.HalfClique(graphs.complete_graph(n))
        if theorem(c).why_not(problem) is None:
            reduced = theorem(c).apply(problem)
            rows = reduced.target.size()["rows"]
            everything = rows * len(problem.graph.edges)
            for saved in range(half * math.comb(half, 2) + 1):
                fewest = min(
                    edges
                    for s in range(half, rows - half + 1)
                    for edges in range(math.comb(n - s, 2) + 1)
                    if s * edges >= saved
                )
                if reduced.source_cost(everything - saved) != math.comb(half, 2) - fewest:
                    return False
    return True


def new_rows_are_like_no_vertex(functions: Functions) -> bool:
    """In no column does a new row agree with a vertex, the last one included; new rows agree with each other."""
    reduced = functions["HalfCliqueToShareAnonymity"](Fraction(3, 8)).apply(ao.HalfClique(graphs.complete_graph(6)))
    cells = reduced.target.table.frame.to_numpy()
    return (
        not any(np.isin(cells[:6, j], cells[6:, j]).any() for j in range(cells.shape[1]))
        and len({*cells[6:].flat}) == 1
    )


def names_are_the_first_free_ones(functions: Functions) -> bool:
    """new-1, new-2, ... without those that are taken, whichever they are."""
    names = [f"new-{number}" for number in range(1, 7)]
    for count, taken in itertools.product(
        range(4), itertools.chain(*(itertools.combinations(names[:3], r) for r in range(4)))
    ):
        if functions["fresh_names"](taken, count) != tuple(name for name in names if name not in taken)[:count]:
            return False
    return True


def cells_are_those_of_the_construction(functions: Functions) -> bool:
    """Rows agree in a column exactly if the construction has one symbol there: 1a to 1e for each vertex, two rows an edge, 3a and 3b."""
    once = itertools.count()
    for graph in (graphs.complete_graph(4), graphs.prism()):
        rows: list[tuple[Any, ...]] = []
        for u in graph.vertices:
            rows += [(0, u, u)] * 6 + [(("?", next(once)), u, u)]
            rows += [(("?", next(once)), u, ("?", next(once))) for _ in range(7)]
            rows += [(0, u, "Z")] * 3 + [(0, "Z", u)] * 3
        rows += [(0, *ends) for x, y in graph.edges for ends in ((x, y), (y, x))]
        rows += [(0, ("?", next(once)), "Z") for _ in range(7)] + [(0, "Z", ("?", next(once))) for _ in range(7)]
        cells = functions["VertexCoverToKAnonymity"]().apply(ao.VertexCover(graph)).target.table.frame
        for name, column in zip(cells, zip(*rows, strict=True), strict=True):
            if pd.factorize(cells[name])[0].tolist() != [[*dict.fromkeys(column)].index(symbol) for symbol in column]:
                return False
    return True


def covers_come_back(functions: Functions) -> bool:
    """A pushed cover of K4, pulled, is as large; the constants of the L-reduction are those of the theorem."""
    theorem = functions["VertexCoverToKAnonymity"]()
    reduced = theorem.apply(ao.VertexCover(graphs.complete_graph(4)))
    pulled = reduced.pull(reduced.push(ao.VertexSet.of([1, 2, 3])))
    alphas = [theorem.alpha(cover) for cover in (1, 7, 14)]
    gaps = [theorem.gap(Fraction(100, 99), cover) for cover in (7, 14)]
    return (
        len(pulled.vertices) == 3
        and alphas == [75, 63, 62]
        and gaps == [Fraction(6238, 6237), Fraction(99 * 62 + 1, 99 * 62)]
    )


def halves_are_groups(functions: Functions) -> bool:
    """A half and the others."""
    reduced = functions["MinimumBisectionToHalfAnonymity"]().apply(ao.MinimumBisection(graphs.cycle(4)))
    groups = reduced.push(ao.VertexSet.of([2, 3])).groups()
    return bool(groups == [[0, 3], [1, 2]])


def shares_are_those_of_the_table(functions: Functions) -> bool:
    """c for every t, and the steps with t, with c, with both and with neither."""
    theorem, third = functions["MinimumBisectionToTCloseness"], Fraction(1, 3)
    shares = {
        "1/10": None,
        "2/5": None,
        "1/2": None,
        "3/5": third,
        "2/3": third,
        "3/4": Fraction(1, 4),
        "9/10": Fraction(1, 10),
    }
    if any(functions["chosen_share"](Fraction(t)) != c for t, c in shares.items()):
        return False
    for t, c, steps in (
        (None, None, [{}, {"t": Fraction(1, 2)}]),
        ("3/4", None, [{}, {"c": Fraction(1, 4)}, {"t": Fraction(3, 4)}]),
        (None, "1/5", [{}, {"c": Fraction(1, 5)}, {"t": Fraction(4, 5)}]),
        ("1/2", "1/4", [{}, {"c": Fraction(1, 4)}, {"t": Fraction(1, 2)}]),
    ):
        if [step.parameters for step in theorem(t, c).steps] != steps:
            return False
    return True


def copies_are_told(functions: Functions) -> bool:
    """Variables 3 and 4 are copies of 2 and 1."""
    problem = ao.PlanarThreeSat(ao.Formula(2, [(1, 2)]))
    copied = functions["OnALine"](problem, problem, (2, 1)).copied
    return bool([copied(variable) for variable in range(1, 6)] == [None, None, 2, 1, None])


def loop_of(literals: tuple[int, ...]) -> ao.PlanarThreeSat:
    """Return one variable with a clause for each literal, above its line."""
    formula = ao.Formula(1, [(literal,) for literal in literals])
    return ao.PlanarThreeSat(formula, ao.RectilinearEmbedding((1,), (True,) * len(literals)))


def windows_too_many_are_pulled_well(functions: Functions) -> bool:
    """Three clauses that ask for one value, covered as they should be, and any one window more: none fails."""
    for sign in (1, -1):
        reduced = functions["RectilinearThreeSatToPatchCover"]().apply(loop_of((sign,) * 3))
        pushed = reduced.push(ao.TruthAssignment.of([1] if sign > 0 else []))
        for corner in reduced.target.maximal:
            pulled = reduced.pull(ao.Windows(pushed.corners | {corner}))
            if reduced.source.cost(pulled) > 0:
                return False
    return True


def windows_too_many_count_for_half_the_clauses(functions: Functions) -> bool:
    """max(1, floor(D / 2)) clauses for each, for D clauses with the variable."""
    for largest in range(1, 5):
        reduced = functions["RectilinearThreeSatToPatchCover"]().apply(loop_of((1,) * largest))
        if reduced.source_cost(reduced.layout.threshold + 3) != 3 * max(1, largest // 2):
            return False
    return True


def new_columns_tell_new_rows_from_old_ones(functions: Functions) -> bool:
    """On one column and on two: old rows agree in every new column, new rows in all columns, and no old row with a new one."""
    for values in ({"a": [1, 2, 2, 3]}, {"a": [1, 2, 2, 3], "b": [1, 1, 2, 2]}):
        table = ao.Table.from_frame(pd.DataFrame(values), [*values], weights=dict(zip(values, (3, 5), strict=False)))
        reduced = functions["HalfAnonymityToShareAnonymity"](Fraction(1, 4)).apply(
            ao.CellSuppression(table, ao.KAnonymity(2))
        )
        cells, m = reduced.target.table.frame.to_numpy(), len(values)
        old, new = cells[:4, m:], cells[4:]
        if len({*old.flat}) > 1 or len({*map(tuple, new)}) > 1 or (old[:1] == new[:1, m:]).any():
            return False
        if sum(reduced.target.table.weights[m:]) <= sum(reduced.target.table.weights[:m]):
            return False
    return True


def numbers_left_over_cost_two(functions: Functions) -> bool:
    """What is pushed costs no less than is promised."""
    problem = ao.ThreePartition([0, 1, 2, 0, 1, 2, 1, 1, 1])
    reduced = functions["ThreePartitionToTCloseness"]().apply(problem)
    for triples in ([], [(1, 2, 3)], [(1, 2, 3), (4, 5, 6), (7, 8, 9)]):
        matching = ao.Matching.of(triples)
        if reduced.target.cost(reduced.push(matching)) != reduced.target_cost(problem.cost(matching)):
            return False
    return True


CASES: dict[str, tuple[Callable[[Functions], bool], ...]] = {
    "3-partition-to-t-closeness": (numbers_left_over_cost_two,),
    "3d-matching-to-looser-t-closeness": (rows_are_those_of_the_theorem,),
    "clique-to-half-clique": (names_are_the_first_free_ones,),
    "half-anonymity-to-share-anonymity": (new_columns_tell_new_rows_from_old_ones,),
    "half-clique-to-share-anonymity": (pulled_cliques_cost_what_sizes_allow, new_rows_are_like_no_vertex),
    "k-anonymity-to-t-closeness": (nearer_is_the_simplest, values_are_at_the_distance),
    "minimum-bisection-to-half-anonymity": (halves_are_groups,),
    "minimum-bisection-to-t-closeness": (shares_are_those_of_the_table,),
    "planar-3-sat-to-rectilinear-3-sat": (copies_are_told,),
    "rectilinear-3-sat-to-patch-cover": (windows_too_many_count_for_half_the_clauses, windows_too_many_are_pulled_well),
    "vertex-cover-to-k-anonymity": (cells_are_those_of_the_construction, covers_come_back),
}

EQUIVALENT = {
    # Of n names more than are asked for, n can be taken; one more to choose from is never looked at.
    "clique-to-half-clique": ["1 -> 2"],
    # As 0 < t < 1 - k/n, 0 < t n / (n - k) < 1, so there is no fraction of denominator 1 to find.
    "k-anonymity-to-t-closeness": ["1 -> 2"],
    # A symbol means nothing: n + 2 is as fresh as n + 1.
    "half-clique-to-share-anonymity": ["1 -> 2"],
    # 2 is as little 0 as 1 is. With weights w, the new columns weigh sum(w) + w_i > sum(w) for any i.
    "half-anonymity-to-share-anonymity": ["1 -> 2"],
    # The complement of a half has the same two groups.
    "minimum-bisection-to-half-anonymity": ["name in solution.vertices -> name not in solution.vertices"],
    # At a tie, as many clauses are served by one value as by the other.
    "rectilinear-3-sat-to-patch-cover": ["true > false -> true >= false"],
    # Symbols mean nothing, and only within a column: of those used once, the first two are in the column `mark`, which has nothing but 0
    # beside them, and the third is two more than the first. Extras of 1c: see the docstring of the reduction.
    "vertex-cover-to-k-anonymity": ["1 -> 2", "1 -> 2", "z + 1 -> z - 1", "1 -> 2", "1 -> 0", "2 -> 3"],
}
"""For each reduction, the changes that change nothing, and why."""


def marked_lines(reduction: Reduction[Any, Any]) -> list[str]:
    """Return the lines of a reduction's module that are not to be changed."""
    module = importlib.import_module(type(reduction).__module__)
    return [line for line in inspect.getsource(module).splitlines() if MARK in line]


def test_every_marked_line_has_its_test() -> None:
    assert {reduction.name for reduction in reductions.all() if marked_lines(reduction)} == {*CASES}


@pytest.mark.parametrize("name", CASES)
def test_every_change_of_a_marked_line_is_noticed(name: str) -> None:
    checks = CASES[name]
    reduction = reductions.get(name)
    original = inspect.getmodule(type(reduction)).__dict__
    assert all(check(original) for check in checks)
    tried, missed = set(), []
    for mutant in line_mutants(reduction, marked=True):
        functions = next(its for its in vars(type(mutant.broken)).values() if inspect.isfunction(its)).__globals__
        if name == "k-anonymity-to-t-closeness":  # A search that would never end ends.
            functions["itertools"] = SimpleNamespace(count=lambda start: iter(range(start, 100)))
        tried.add(mutant.change.partition(",")[0])
        try:
            noticed = not all(check(functions) for check in checks)
        except Exception:  # noqa: BLE001  (whatever breaks is what is wanted here)
            noticed = True
        if not noticed:
            missed.append(mutant.change)
    assert len(tried) == len(marked_lines(reduction)), "a mark is on a line that no mutant changes"
    assert [change.partition(": ")[2] for change in missed] == EQUIVALENT.get(name, [])
