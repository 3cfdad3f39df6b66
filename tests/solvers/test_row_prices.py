from __future__ import annotations

import itertools
from fractions import Fraction
from random import Random

import pandas as pd
import pytest

import anoptima as ao
from anoptima.solvers.row_prices import row_prices


def test_the_ten_rows_have_prices_that_prove_the_optimum() -> None:
    for k, optimum in ((2, 46), (3, 54)):
        problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(k))
        found = row_prices(problem)
        assert sum(found.prices) == found.proof.proved(problem) == optimum


def test_no_group_costs_less_than_its_prices_and_no_other_whole_prices_add_up_to_more() -> None:
    random = Random(7)
    for seed in range(12):
        rows = random.randint(4, 7)
        frame = pd.DataFrame({name: [random.choice("ab") for _ in range(rows)] for name in "xyz"})
        weights = {"x": 1, "y": random.choice((1, 2)), "z": random.choice((1, "1/2"))}
        table = ao.Table.from_frame(frame, list("xyz"), weights=weights)
        problem = ao.CellSuppression(table, ao.KAnonymity(2))
        found = row_prices(problem)
        best = ao.solve(problem, "subset-dp").require_solution()
        assert found.proof.proved(problem) == sum(found.prices) <= problem.cost(best), seed
        costs = {
            group: len(group)
            * sum(Fraction(w) for name, w in weights.items() if frame[name].iloc[list(group)].nunique() > 1)
            for size in (2, 3)
            for group in itertools.combinations(range(rows), size)
        }
        assert len(costs) == found.groups
        assert all(sum(found.prices[row] for row in group) <= cost for group, cost in costs.items())
        # Raising one row's price by the least step breaks some group: no price is too low.
        step = Fraction(1, table.weight_scale)
        equal = table.type_of_row.tolist()
        for raised in range(rows):
            prices = [p + step * (equal[row] == equal[raised]) for row, p in enumerate(found.prices)]
            assert any(sum(prices[row] for row in group) > cost for group, cost in costs.items()), (seed, raised)


def weighted(*weights: int | str) -> ao.CellSuppression:
    """Return a question about seven rows, for which HiGHS looks for whole prices for minutes if they may be any large numbers."""
    frame = pd.DataFrame([tuple(f"{row:03b}") for row in range(1, 8)], columns=list("xyz"))
    return ao.CellSuppression(
        ao.Table.from_frame(frame, list("xyz"), weights=dict(zip("xyz", weights, strict=True))), ao.KAnonymity(4)
    )


def test_a_common_factor_of_large_weights_does_no_harm() -> None:
    prices = [row_prices(weighted(*(factor * weight for weight in (3, 1, 2)))).prices for factor in (1, 10**9)]
    assert prices[1] == tuple(10**9 * price for price in prices[0])


def test_what_has_no_prices_says_why() -> None:
    table = ao.ten_rows()
    for problem, why in (
        (ao.CellSuppression(table, ao.LDiversity(2)), "row prices prove bounds under k-anonymity"),
        (ao.CellSuppression(table, ao.KAnonymity(11)), "there is nothing to price"),
        (ao.CellSuppression(ao.census(), ao.KAnonymity(2)), "groups to look at; row prices are for at most 20,000"),
        (
            weighted(826_772_103, "957012033/2", 856_947_659),
            "row prices are for at most 10,000,000: give weights with fewer",
        ),
    ):
        with pytest.raises(ao.NotApplicable, match=why):
            row_prices(problem)
