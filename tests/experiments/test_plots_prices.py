"""Prices beside a release, and groups beside their prices."""

from __future__ import annotations

import io
import itertools

import matplotlib as mpl
import pandas as pd
import pytest

import anoptima as ao
from anoptima.exact import Exact
from anoptima.experiments.plots_prices import group_cost
from anoptima.proofs.own_bound import OwnBound

mpl.use("agg")

PROBLEM = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))


def test_a_release_shows_its_prices_and_their_sum() -> None:
    prices = ao.row_prices(PROBLEM).prices
    axes = ao.plots.release(ao.solve(PROBLEM), prices=prices)
    assert "add up to 54" in axes.get_title()
    cells = axes.tables[0].get_celld()
    last = max(column for _, column in cells)
    assert cells[0, last].get_text().get_text() == "price"
    for line in range(1, 11):
        row = int(cells[line, 0].get_text().get_text()) - 1
        assert cells[line, last].get_text().get_text() == str(prices[row])


def test_groups_stand_on_the_side_of_the_diagonal_that_their_cost_puts_them() -> None:
    prices = list(ao.row_prices(PROBLEM).prices)
    assert labels(prices).keys() == {"cost more", "cost their prices"}
    raised = [prices[0] + 9, *prices[1:]]
    groups = itertools.combinations(range(10), 3)
    expected = sum(sum(raised[row] for row in group) > group_cost(PROBLEM, group) for group in groups)
    assert labels(raised)["cost less: sum not proved"] == expected > 0


def test_numbers_beside_dots_count_the_groups() -> None:
    axes = ao.plots.group_prices(PROBLEM, ao.row_prices(PROBLEM).prices)
    assert sum(int(text.get_text()) for text in axes.texts) == 120


def test_a_proof_shows_prices_beside_rows_and_a_group_against_its_prices() -> None:
    proof = ao.row_prices(PROBLEM).proof
    figure = ao.plots.proof(proof, PROBLEM, [0, 1, 2])
    left, right = figure.axes
    assert "proved: 54" in left.get_title()
    prices = proof.row_prices(PROBLEM)
    cells = left.tables[0].get_celld()
    last = max(column for _, column in cells)
    assert [cells[line + 1, last].get_text().get_text() for line in range(10)] == list(map(str, prices))
    marked = {
        row
        for (row, column), cell in cells.items()
        if column == 0 and cell.get_facecolor() != cells[4, 0].get_facecolor()
    }
    assert {1, 2, 3} <= marked
    assert right.texts[-1].get_text() == f"rows 0, 1, 2: cost 15, prices {sum(prices[:3])}"
    with pytest.raises(ao.NotApplicable, match=r"no proof by row prices; `row_prices\(problem\).proof` is one"):
        ao.plots.proof(OwnBound(1), PROBLEM)  # type: ignore[arg-type]


def labels(prices: list[Exact]) -> dict[str, int]:
    """Return how many groups the legend says there are of each sort."""
    texts = ao.plots.group_prices(PROBLEM, prices).get_legend().get_texts()  # type: ignore[union-attr]
    return {what: int(number) for number, what in (text.get_text().split(" ", 1) for text in texts)}


def test_a_group_costs_what_it_does_in_a_partition_of_its_own() -> None:
    assert group_cost(PROBLEM, range(10)) == PROBLEM.cost(PROBLEM.trivial())
    assert group_cost(PROBLEM, [4]) == 0


def test_wrong_prices_are_refused() -> None:
    with pytest.raises(ao.BadInput, match="2 prices for 10 rows"):
        ao.plots.group_prices(PROBLEM, [1, 2])
    with pytest.raises(ao.BadInput, match="2 prices for 10 rows"):
        ao.plots.release(ao.solve(PROBLEM), prices=[1, 2])
    with pytest.raises(ao.BadInput, match="size is 11"):
        ao.plots.group_prices(PROBLEM, [0] * 10, 11)


def test_groups_that_the_principle_forbids_break_no_proof_and_are_not_drawn() -> None:
    """Prices hold for groups that a release may have: others may cost less."""
    with pytest.raises(ao.BadInput, match="size is 2; no group of fewer than 3 rows"):
        ao.plots.group_prices(PROBLEM, [0] * 10, 2)
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3) & ao.LDiversity(3))
    sick = ao.ten_rows().frame["disease"].tolist()
    diverse = sum(len({sick[row] for row in group}) == 3 for group in itertools.combinations(range(10), 3))
    texts = ao.plots.group_prices(problem, [100] * 10).get_legend().get_texts()  # type: ignore[union-attr]
    assert [text.get_text() for text in texts] == [f"{diverse} cost less: sum not proved"]
    same = ao.Table.from_frame(pd.DataFrame({"age": list("abcdef"), "ill": list("xxxxyy")}), ["age"], "ill")
    with pytest.raises(ao.NotApplicable, match="no group of 4 rows satisfies"):
        ao.plots.group_prices(ao.CellSuppression(same, ao.TCloseness(0)), [0] * 6, 4)
    axes = ao.plots.group_prices(ao.CellSuppression(same, ao.TCloseness(0)), [0] * 6)
    assert axes.get_xlabel() == "prices of the group's 3 rows, added up"


def test_dollars_in_a_table_are_no_formula() -> None:
    pay = ["$10-$20", "$10-$20", "$20-$30^{", "$20-$30^{"]
    table = ao.Table.from_frame(
        pd.DataFrame({"$ in $_{": pay, "job": list("abcd"), "ill $x_{$": pay}), ["$ in $_{", "job"], "ill $x_{$"
    )
    problem = ao.CellSuppression(table, ao.KAnonymity(2) & ao.LDiversity(1, "ill $x_{$"))
    release = ao.plots.release(ao.solve(problem))
    emd = ao.plots.emd(table, [0, 1])
    rows = ao.CellSuppression(table, ao.KAnonymity(2))
    proof = ao.plots.proof(ao.row_prices(rows).proof, rows)
    for figure in (release.get_figure(root=True), emd.get_figure(root=True), proof):
        assert figure is not None
        figure.savefig(io.BytesIO(), format="svg")
    assert release.tables[0][1, 1].get_text().get_text() == r"\$10-\$20"


def test_a_value_of_two_lines_stays_in_its_row() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"where\nit is": ["ward 3\nbed 1"] * 2}), ["where\nit is"])
    drawn = ao.plots.release(ao.solve(ao.CellSuppression(table, ao.KAnonymity(2)))).tables[0]
    assert [drawn[row, 1].get_text().get_text() for row in (0, 1)] == ["where it is", "ward 3 bed 1"]


def test_a_proof_of_wide_rows_leaves_room_for_their_prices() -> None:
    columns = {f"a name of {number} and no fewer letters": [1, 1, 2, 2] for number in range(100, 112)}
    problem = ao.CellSuppression(ao.Table.from_frame(pd.DataFrame(columns), list(columns)), ao.KAnonymity(2))
    figure = ao.plots.proof(ao.row_prices(problem).proof, problem)
    figure.draw_without_rendering()
    left, right = figure.axes
    assert left.tables[0].get_window_extent().x1 < right.get_window_extent().x0
    assert left.tables[0].get_window_extent().x0 >= 0
