"""Tables that are drawn are the same ones everywhere: records are about them."""

from __future__ import annotations

from anoptima.instances import drawn
from anoptima.instances.library import instances

DIGESTS = {
    "uniform": "e4547a41",
    "skewed": "334f7b9a",
    "clustered": "f5b69fbc",
    "planted": "2bc4ea81",
    "twins": "2d6b0bf4",
}


def test_every_record_is_about_the_table_that_is_drawn_today() -> None:
    tables = {
        "uniform": drawn.uniform(12, 6, 3, 12),
        "skewed": drawn.skewed(80, 5, 6, 1, 7, 4),
        "clustered": drawn.clustered(120, 7, 5, 5, 0.1, 11),
        "planted": drawn.planted(12, 2, 6, 1, 13),
        "twins": drawn.near_duplicates(30, 6, 3, 1, 17),
    }
    assert {name: table.digest[:8] for name, table in tables.items()} == DIGESTS


def test_no_noise_needs_no_star_and_planted_groups_cost_what_was_planted() -> None:
    assert instances.get("clustered-0-k5").best == 0
    for differing in (1, 2, 3):
        for k in (2, 3, 4):
            known = instances.get(f"planted-{differing}-k{k}")
            assert known.is_solved
            assert known.best is not None
            assert known.best <= 12 * k * differing


def test_a_share_of_the_cells_is_missing() -> None:
    table = drawn.with_missing(drawn.uniform(200, 5, 3, 1), 0.25, 2)
    assert 200 < int(table.frame.isna().sum().sum()) < 300
