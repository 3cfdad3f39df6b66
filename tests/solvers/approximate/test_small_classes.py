from __future__ import annotations

import pandas as pd

import anoptima as ao


def solved(rows: list[str], k: int) -> ao.Answer[ao.Partition]:
    frame = pd.DataFrame([list(row) for row in rows]).rename(columns=str)
    return ao.solve(
        ao.CellSuppression(ao.Table.from_frame(frame, list(frame.columns)), ao.KAnonymity(k)), "small-classes"
    )


def test_large_classes_stay_and_small_ones_are_one_group() -> None:
    answer = solved(["00", "00", "11", "22"], 2)
    assert (answer.cost, answer.require_solution().groups()) == (4, [[0, 1], [2, 3]])


def test_where_the_small_ones_are_too_few_the_class_with_least_to_lose_joins() -> None:
    answer = solved(["00", "00", "00", "11", "11", "23"], 2)
    assert (answer.cost, answer.require_solution().groups()) == (6, [[0, 1, 2], [3, 4, 5]])


def test_nothing_is_starred_where_nothing_has_to_be() -> None:
    assert solved(["00", "00", "11", "11"], 2).claim is ao.Claim.OPTIMAL


def test_it_stars_everything_where_two_columns_would_do() -> None:
    assert solved(["000", "001", "110", "111"], 2).cost == 12
