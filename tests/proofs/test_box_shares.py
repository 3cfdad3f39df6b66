"""Shares of test boxes: what they prove, read back from a file, and what they may not be."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import anoptima as ao
from anoptima.documents.pages import table_text
from anoptima.documents.proofs import read_proof
from anoptima.proofs import check_anoptima
from anoptima.proofs.box_shares import BoxShares
from anoptima.proofs.box_trees import BoxEnd, BoxFork, Share
from anoptima.proofs.statements import table_of
from tests.proofs.javascript import run

PROBLEM = ao.FakePoints([(2,), ("12/5",), ("14/5",)], 2)


def place(*coordinates: Any) -> tuple[Fraction, ...]:
    """Return a place."""
    return tuple(map(Fraction, coordinates))


ONE, TWO = Share(place("6/5"), (), 1), Share(place("14/5"), (), 1)
PROOF = BoxShares(2, 2, BoxEnd((ONE, TWO), ()))


def test_a_file_is_verified_by_all_three_on_coordinates_however_they_are_written(tmp_path: Path) -> None:
    proof, table = tmp_path / "proof.json", tmp_path / "table.csv"
    problems: list[Any] = [PROBLEM, ao.FakeBoxes.of(PROBLEM)]
    for problem in problems:
        answer = ao.solve(problem, "box-cases")
        ao.save_proof(answer, proof)
        table.write_text(table_text(table_of(problem)))
        assert read_proof(proof).proved(problem) == 2
        assert "2 or more" in check_anoptima.check(str(table), str(proof))
        assert run(table, proof).returncode == 0
        ao.save_page(answer, tmp_path / "page.html")
        assert "box-shares" in (tmp_path / "page.html").read_text().split('id="carried"')[1]
    ao.save_proof(ao.solve(PROBLEM, "box-cases"), proof)
    table.write_text("name;x1\na;2.0\nb;24e-1\nc;14/5\n")
    assert "VERIFIED" in check_anoptima.check(str(table), str(proof))
    assert run(table, proof).returncode == 0
    assert read_proof(proof).problem_on(ao.Table.read_csv(table, ["x1"], separator=";")) == PROBLEM


def test_what_is_no_share_is_refused() -> None:
    assert PROOF.proved(PROBLEM) == 2
    with pytest.raises(ao.BadInput, match="counts 2 of 1"):
        replace(PROOF, denominator=1).proved(PROBLEM)
    with pytest.raises(ao.BadInput, match="prove 1, not 2"):
        replace(PROOF, denominator=4).proved(PROBLEM)
    for share, words in (
        (Share(place(7), (), 1), "nothing says that it is not empty"),
        (Share(place(2), (), 1), "lacks nothing"),
        (Share(place("6/5"), (place("2"),), 1), "bare corner whose test box holds data"),
        (Share(place("6/5"), (), 0), "below 1"),
        (Share(place(1, 1), (), 1), "2 coordinates"),
    ):
        with pytest.raises(ao.BadInput, match=words):
            BoxShares(0, 9, BoxEnd((share,), ())).proved(PROBLEM)
    primal = ao.FakePoints(PROBLEM.points, 2, [("3/2", 4)])
    with pytest.raises(ao.BadInput, match="not tested"):
        PROOF.proved(primal)


def test_a_side_with_many_fakes_says_that_a_box_is_not_empty() -> None:
    lower, upper, far = place(7), place("15/2"), Share(place("27/4"), (), 1)
    few, many = BoxEnd((ONE, TWO), (0,)), BoxEnd((ONE, TWO, far), (0,))
    tree = BoxFork(lower, upper, 0, few, many)
    assert BoxShares(2, 2, tree).proved(PROBLEM) == 2
    # Two more fakes are there on the side of many, which proves 4; the other still proves 2.
    with pytest.raises(ao.BadInput, match="prove 2, not 4"):
        BoxShares(4, 2, tree).proved(PROBLEM)
    with pytest.raises(ao.BadInput, match="nothing says that it is not empty"):
        BoxShares(2, 2, BoxFork(lower, upper, 0, many, many)).proved(PROBLEM)
    with pytest.raises(ao.BadInput, match="a price of at least 0 for each"):
        BoxShares(2, 2, BoxFork(lower, upper, 0, replace(few, prices=()), many)).proved(PROBLEM)
    with pytest.raises(ao.BadInput, match="are none"):
        BoxShares(2, 2, BoxFork(upper, lower, 0, few, many)).proved(PROBLEM)


FEW = BoxEnd((ONE, TWO), (0,))
FAR = Share(place("27/4"), (), 1)
FORKED = BoxShares(2, 2, BoxFork(place(7), place("15/2"), 0, FEW, BoxEnd((ONE, TWO, FAR), (0,))))


def test_fakes_are_counted_in_the_case_that_they_fall_under() -> None:
    assert "most 0 from (7) to (7.5)" in FORKED.explain([(2,), ("14/5",)], PROBLEM)
    words = FORKED.explain([(2,), ("14/5",), (7,), (7,)], PROBLEM).splitlines()
    assert words[:2] == [
        "4 fakes; the proof says that each solution has 2 or more.",
        "They are in the case of more than 0 from (7) to (7.5).",
    ]
    assert "The test box at (6.75) holds 0 of 2 points: fakes there count 2, of 2 or more in a solution." in words
    assert words[-1] == "In all, a solution counts 4 or more, and no fake counts more than 1."
    alone = FORKED.explain([(2,), ("14/5",), (7,)], PROBLEM).splitlines()
    assert alone[-1].endswith("fakes there count 1, of 2 or more in a solution. So this is no solution.")
    with pytest.raises(ao.BadInput, match="fakes must have 1 coordinate, as"):
        PROOF.explain([(1, 2)], PROBLEM)


def test_boxes_are_counted_by_the_points_that_they_stand_for() -> None:
    boxes = ao.FakeBoxes.of(PROBLEM)
    assert PROOF.explain([(1,), ("9/5",)], boxes) == PROOF.explain([(2,), ("14/5",)], PROBLEM)


def test_what_is_said_of_every_set_of_fakes_is_so() -> None:
    places = [place(x) for x in ("3/2", "2", "12/5", "14/5", "7")]
    for count in range(4):
        for fakes in itertools.combinations_with_replacement(places, count):
            words = FORKED.explain(fakes, PROBLEM)
            is_solution = not PROBLEM.violations(ao.AddedPoints(fakes))
            assert not (is_solution and "no solution" in words)


def test_only_so_many_boxes_are_named() -> None:
    problem = ao.FakePoints([(3 * i,) for i in range(20)], 2)
    found = ao.solve(problem, "box-cases")
    assert isinstance(found.proof, BoxShares)
    assert found.solution is not None
    words = found.proof.explain(found.solution.points, problem).splitlines()
    assert len(words) == 1 + 12 + 2
    assert words[-2] == "Another 8 are like this."


def test_cases_shares_and_bare_corners_that_do_nothing_go() -> None:
    bare = Share(place("14/5"), (place(9),), 1)
    idle = BoxShares(
        2, 4, BoxFork(place(7), place(8), 3, *(BoxEnd((replace(ONE, share=2), replace(bare, share=2)), (1,)),) * 2)
    )
    assert idle.proved(PROBLEM) == 2
    simpler = idle.simplified(PROBLEM)
    assert simpler == PROOF
    assert idle.simplified(PROBLEM, 0) == idle
    boxes = ao.FakeBoxes.of(PROBLEM)
    assert idle.simplified(boxes).proved(boxes) == 2
