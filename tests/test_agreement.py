"""Random tiny tables: every method against a search through all partitions that shares no code with any of them.

The examples in plain sight are the corners; the rest is drawn. `make test-deep` draws many thousands; `benchmarks/agreement.py` counts.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import anoptima as ao
from anoptima.models import models
from anoptima.solvers.base import Kind, Solver
from tests.cases import Case, Closeness, Distinct, Equal, Frequency, InOrder, Numbers, Size, Spelled
from tests.sizing import asked
from tests.strategies import cases
from tests.trial import Question, judge_answer, judge_model, judge_problem, judge_solver, judged, models_for, questions
from tests.turns import in_turn

T = TypeVar("T", bound=Callable[..., None])

X, Y = ("x",), ("x", "y")
LETTERS = (("a", "b"), ("a", "c"), ("b", "b"), ("b", "c"))

MANY = asked(10, max(settings().max_examples, 40))
FEW = asked(8, settings().max_examples)

CORNERS = {
    "one row": Case((("a",),), (Size(1),)),
    "one row type": Case((("a", 1),) * 5, (Size(2),)),
    "one column": Case((("a",), ("b",), ("b",), ("a",), ("c",)), (Size(2),)),
    "n = k": Case(LETTERS, (Size(4),)),
    "n < k": Case(LETTERS, (Size(5),)),
    "constant columns": Case(tuple(("same", *row, 0) for row in LETTERS), (Size(2),)),
    "duplicates": Case(LETTERS + LETTERS, (Size(3),)),
    "all different": Case(tuple((i, -i) for i in range(6)), (Size(2),)),
    "missing values are equal": Case(((None, 1), (None, 2), ("a", 1), ("a", None)), (Size(2),), dtype="inferred"),
    "all missing": Case(((None,), (None,), (None,)), (Size(3),), dtype="inferred"),
    "weights": Case(LETTERS, (Size(2),), weights=(Fraction(1, 3), Fraction(7, 4))),
    "diverse on the nose": Case(LETTERS, (Frequency(Fraction(4, 3), 0),), (("x", "y", "x", "x"),)),
    "diverse by a hair": Case(LETTERS, (Frequency(Fraction(4001, 3000), 0),), (("x", "y", "x", "x"),)),
    "distinct, unsplittable": Case((*LETTERS, ("a", "b")), (Distinct(2, 0),), (("x", "x", "x", "x", "y"),)),
    "more values than there are": Case(LETTERS, (Distinct(3, 0),), (("x", "y", "x", "x"),)),
    "one sensitive value": Case(LETTERS, (Closeness(Fraction(0), 0, Numbers()),), ((1, 1, 1, 1),)),
    "the same distribution": Case(LETTERS, (Closeness(Fraction(0), 0, Equal()),), (("x", "y", "x", "y"),)),
    "anything goes": Case(LETTERS, (Closeness(Fraction(1), 0, Equal()),), (("x", "y", "x", "y"),)),
    "two sensitive columns": Case(
        LETTERS,
        (Frequency(Fraction(2), 0), Closeness(Fraction(1, 4), 1, InOrder((1, 2, 3)))),
        (("x", "y", "x", "y"), (1, 3, 3, 1)),
    ),
    "everything at once": Case(
        LETTERS + LETTERS,
        (Size(3), Distinct(2, 1), Closeness(Fraction(1, 3), 0, Spelled(Numbers()))),
        ((1, 2, 4, 4, 2, 1, 1, 2), tuple("xyzxyzxy")),
        (Fraction(1, 2), Fraction(3)),
        "category",
    ),
}


def corners(test: T) -> T:
    """Show the corners to a test before anything is drawn."""
    for case in CORNERS.values():
        test = example(case)(test)
    return test


def ours(question: Question) -> list[Solver[Any]]:
    """All but solvers that Pyomo starts as programs: their wrong answers are refused with an error, which is no agreement.

    Where backends are asked by turns, what is drawn says whose turn it is.
    """
    solvers = {solver.name: solver for solver in ao.solvers_for(question.problem) if "/pyomo:" not in solver.name}
    return [solvers[name] for name in in_turn(solvers, crc32(repr(question.case).encode()))]


def a_third_of_ours(question: Question) -> list[Solver[Any]]:
    """Every third of them, for what all do in one way: limits and starts. What is drawn says which third."""
    return ours(question)[crc32(repr(question.case).encode()) % 3 :: 3]


def silent(question: Question, method: str, wrong: Iterable[str]) -> None:
    complaints = list(wrong)
    assert not complaints, f"{method} on {question.problem.name}: {complaints[0]}\n{question.case!r}"


def right(question: Question, solver: Solver[Any], **options: Any) -> ao.Answer[Any]:
    answer, wrong = judged(question, solver, **options)
    silent(question, solver.name, wrong)
    assert answer is not None
    return answer


@pytest.mark.slow
@settings(max_examples=MANY)
@given(cases())
@corners
def test_every_solver_finds_the_optimum(case: Case) -> None:
    for question in questions(case):
        for solver in ours(question):
            silent(question, solver.name, judge_solver(question, solver))


@settings(max_examples=MANY)
@given(cases())
@corners
def test_checkers_and_cheap_bounds_are_right(case: Case) -> None:
    for question in questions(case):
        silent(question, "the problem", judge_problem(question))


@settings(max_examples=MANY)
@given(cases(), st.integers(0, 99))
def test_solutions_go_into_models_and_come_out(case: Case, seed: int) -> None:
    for question in questions(case):
        for model in models_for(question.problem):
            silent(question, model.name, judge_model(question, model, random.Random(seed)))


@pytest.mark.slow
@settings(max_examples=FEW)
@given(cases())
@corners
def test_no_time_at_all_is_answered_honestly(case: Case) -> None:
    for question in questions(case):
        for solver in a_third_of_ours(question):
            answer = right(question, solver, time_limit=0, start="auto")
            if answer.claim is ao.Claim.FEASIBLE:
                assert answer.stop is ao.Stop.TIME, solver.name
            else:
                assert answer.stop is ao.Stop.PROVED, solver.name


@pytest.mark.slow
@settings(max_examples=FEW)
@given(cases(), st.integers(0, 99))
def test_no_answer_is_worse_than_its_start(case: Case, seed: int) -> None:
    for question in questions(case):
        for start in itertools.islice(question.others(random.Random(seed)), 1):
            paid = question.problem.cost(start)
            for solver in a_third_of_ours(question):
                for time_limit in (0, None):
                    answer = right(question, solver, start=start, time_limit=time_limit)
                    assert answer.cost is not None
                    assert answer.cost <= paid, f"{solver.name} makes {answer.cost} of a start that costs {paid}"


@settings(max_examples=asked(5, 10))
@given(cases(), st.sampled_from([Fraction(1, 20), Fraction(1, 2), Fraction(1)]))
def test_a_gap_is_kept_to(case: Case, gap: Fraction) -> None:
    for question in questions(case):
        for solver in ours(question):
            answer = right(question, solver, gap=gap, threads=None)
            if solver.kind is not Kind.APPROXIMATE and question.optimum is not None:
                assert answer.gap is not None
                assert answer.gap <= gap, f"{solver.name} stops ({answer.stop.value}) at a gap of {answer.gap}"


@given(cases())
def test_auto_finds_the_optimum_and_says_how(case: Case) -> None:
    for question in questions(case):
        answer = ao.solve(question.problem)
        silent(question, "auto", judge_answer(question, answer))
        assert answer.reason
        assert (answer.cost if answer.claim is ao.Claim.OPTIMAL else None) == question.optimum


ELSEWHERE = {
    "tests/models/test_quasi_identifier_models.py": {"anchor-rows", "maximal-gaps", "pair-differences"},
    "tests/models/test_fakes.py": {"fake-depths", "fake-grid"},
    "tests/models/test_grouping_agreement.py": {
        "diameter-assignment",
        "diameter-groups",
        "facilities",
        "facilities-aggregated",
        "facilities-big-m",
        "facility-loads",
        "given-patterns",
        "given-patterns-seats",
        "pattern-aggregated",
        "pattern-big-m",
    },
    "tests/models/test_assignment_mip.py": {"assignment-mip"},
    "tests/models/test_pattern_flows.py": {"pattern-flows"},
    "tests/models/sources/test_agreement.py": {
        model.name for model in models.all() if ".sources." in type(model).__module__
    },
}
"""Where the models that take no part here are held against a brute force."""


def test_every_model_takes_part() -> None:
    taking_part = {model.name for question in questions(CORNERS["n = k"]) for model in models_for(question.problem)}
    elsewhere = set().union(*ELSEWHERE.values())
    taking_part -= {model.name for model in models.all() if model.for_study}
    assert taking_part | elsewhere == {model.name for model in models.all()}
    assert all(Path(path).is_file() for path in ELSEWHERE)


@pytest.mark.parametrize("quasi", [[], ()])
def test_a_table_without_columns_to_hide_is_refused(quasi: Any) -> None:
    with pytest.raises(ao.BadInput, match="no quasi-identifying column is named"):
        ao.Table.from_frame(pd.DataFrame({"a": [1, 2]}), quasi)


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(ao.BadInput, match="no rows"):
        ao.Table.from_frame(pd.DataFrame({"a": []}), ["a"])
