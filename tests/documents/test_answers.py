from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given

import anoptima as ao
from anoptima.answer import Compiled, RunRecord, StartFate
from anoptima.documents.answers import ANSWER_SCHEMA, answer_document, bound_document, read_answer, stars_by_column
from anoptima.documents.writing import to_json
from anoptima.principles.in_a_table import principle_on
from anoptima.problems.base import Problem
from tests.cases import Case
from tests.strategies import cases

FRAME = pd.DataFrame({"zip": [1, 1, 2, 2], "age": [3, 4, 5, 5], "ill": ["a", "b", "a", "c"], "id": [7, 8, 9, 10]})
TABLE = ao.Table.from_frame(FRAME, ["zip", "age"], "ill", keep=["id"], weights={"age": "1/3"})
PROBLEM = ao.CellSuppression(TABLE, ao.KAnonymity(2) & ao.TCloseness("1/4", space=ao.Ordered(["a", "b", "c"])))
RUN = RunRecord(
    "pattern/highs",
    ao.Budget.of(seconds=9.5, gap="1/100", threads=2, memory=2**30, seed=3),
    {"highspy": "1.14.0"},
    0.5,
    0.25,
    {"variables": 10},
    StartFate.ACCEPTED,
    ("a note",),
    prepare_seconds=0.125,
    compiled=Compiled(0.2, "still being prepared"),
)
ANSWER: ao.Answer[ao.Partition] = ao.Answer(
    PROBLEM,
    ao.Claim.FEASIBLE,
    ao.Stop.TIME,
    ao.Partition.from_groups([[0, 1], [2, 3]], 4),
    Fraction(2, 3),
    ao.Bound(Fraction(1, 3), ao.Origin.BACKEND, "highs"),
    (ao.Progress(0.1, 4, None), ao.Progress(0.2, Fraction(2, 3), Fraction(1, 3))),
    RUN,
    "auto chose pattern/highs",
)


def written(tmp_path: Path, document: Any) -> Path:
    path = tmp_path / "answer.json"
    path.write_text(to_json(document), encoding="utf-8")
    return path


def test_a_document_says_everything_and_every_exact_number_exactly() -> None:
    assert answer_document(ANSWER, {"file": "patients.csv"}) == {
        "schema": "anoptima/answer/1",
        "claim": "feasible",
        "stop": "time",
        "reason": "auto chose pattern/highs",
        "cost": "2/3",
        "bound": {"value": "1/3", "origin": "backend", "by": "highs"},
        "proved": None,
        "gap": "1/2",
        "unit": "stars",
        "stars": {"zip": 0, "age": 2},
        "problem": {
            "name": "cell-suppression",
            "principle": {
                "principle": "all",
                "members": [
                    {"principle": "k-anonymity", "k": 2},
                    {
                        "principle": "t-closeness",
                        "t": "1/4",
                        "column": None,
                        "space": {"kind": "ordered", "order": ["a", "b", "c"]},
                    },
                ],
            },
            "size": {"rows": 4, "row types": 3, "records": 4, "columns": 2},
        },
        "table": {
            "digest": TABLE.digest,
            "quasi": ["zip", "age"],
            "sensitive": ["ill"],
            "keep": ["id"],
            "weights": {"zip": 1, "age": "1/3"},
            "source": {"file": "patients.csv"},
        },
        "solver": "pattern/highs",
        "versions": {"highspy": "1.14.0"},
        "budget": {"seconds": 9.5, "gap": "1/100", "threads": 2, "memory": 1073741824, "seed": 3, "options": {}},
        "start": "accepted",
        "seconds": 0.5,
        "build seconds": 0.25,
        "start seconds": 0.0,
        "prepare seconds": 0.125,
        "compiled": {"since": 0.2, "why": "still being prepared"},
        "model size": {"variables": 10},
        "notes": ["a note"],
        "confirmed": None,
        "trace": [{"seconds": 0.1, "cost": 4, "bound": None}, {"seconds": 0.2, "cost": "2/3", "bound": "1/3"}],
    }


def test_a_document_is_json_and_comes_back(tmp_path: Path) -> None:
    back = read_answer(written(tmp_path, answer_document(ANSWER, {"separator": ";"})))
    assert (back.claim, back.stop, back.cost, back.bound) == (ANSWER.claim, ANSWER.stop, ANSWER.cost, ANSWER.bound)
    assert (back.quasi, back.sensitive, back.keep) == (TABLE.quasi, TABLE.sensitive, TABLE.keep)
    assert back.weights == dict(zip(TABLE.quasi, TABLE.weights, strict=True))
    assert (back.solver, back.source) == ("pattern/highs", {"separator": ";"})
    problem = back.problem_on(TABLE)
    assert type(problem) is ao.CellSuppression
    assert problem.principle == PROBLEM.principle


@given(cases())
def test_the_problem_of_any_answer_comes_back(tmp_path_factory: pytest.TempPathFactory, case: Case) -> None:
    for problem in (case.cells(), case.columns()):
        answer: ao.Answer[Any] = ao.Answer(problem, ao.Claim.UNKNOWN, ao.Stop.TIME, None, None, None, (), RUN)
        back = read_answer(written(tmp_path_factory.mktemp("documents"), answer_document(answer)))
        again = back.problem_on(problem.table)
        assert type(again) is type(problem)
        assert again.principle.as_json() == problem.principle.as_json()
        assert (again.why_infeasible() is None) == (problem.why_infeasible() is None)


def test_an_answer_without_a_solution_has_a_document(tmp_path: Path) -> None:
    nothing = replace(ANSWER, claim=ao.Claim.INFEASIBLE, solution=None, cost=None, bound=None, trace=())
    document = answer_document(nothing)
    assert (document["cost"], document["bound"], document["gap"], document["stars"]) == (None, None, None, None)
    back = read_answer(written(tmp_path, document))
    assert (back.claim, back.cost, back.bound) == (ao.Claim.INFEASIBLE, None, None)


def test_an_answer_to_another_table_is_refused(tmp_path: Path) -> None:
    back = read_answer(written(tmp_path, answer_document(ANSWER)))
    other = ao.Table.from_frame(FRAME.assign(age=[3, 4, 5, 6]), ["zip", "age"], "ill", weights={"age": "1/3"})
    with pytest.raises(
        ao.BadInput, match=r"answer\.json is an answer for another table: it speaks of a table with digest"
    ):
        back.problem_on(other, "answer.json")


def test_values_in_a_document_are_those_of_the_column_that_write_the_same() -> None:
    frame = pd.DataFrame({"q": [1, 2], "n": [1, 2], "d": pd.to_datetime(["2020-01-01", "2021-01-01"])})
    table = ao.Table.from_frame(frame, ["q"], ["n", "d"])
    for column, order in (("n", ["2", "1"]), ("d", ["2020-01-01 00:00:00", "2021-01-01 00:00:00"])):
        data = {"principle": "t-closeness", "t": "0.5", "column": column, "space": {"kind": "ordered", "order": order}}
        principle = principle_on(table, data)
        assert isinstance(principle, ao.TCloseness)
        principle.require_columns(table)
    tree = {"kind": "hierarchical", "tree": {"x": ["1"], "y": ["2"]}}
    both = {"principle": "all", "members": [{"principle": "t-closeness", "t": "1", "column": "n", "space": tree}]}
    principle_on(table, both).require_columns(table)


def test_values_that_write_the_same_are_told_apart_in_a_document(tmp_path: Path) -> None:
    mixed = pd.Series([1, 1, "1", "1", None, None, "None", "None"], dtype=object)
    table = ao.Table.from_frame(pd.DataFrame({"q": mixed, "ill": mixed}), ["q"], "ill")
    problem = ao.GivenPatterns(table, ao.KAnonymity(2), [(value,) for value in (1, "1", None, "None")])
    back = read_answer(written(tmp_path, answer_document(ao.solve(problem)))).problem_on(table)
    assert isinstance(back, ao.GivenPatterns)
    assert list(map(repr, back.patterns)) == list(map(repr, problem.patterns))
    # Sensitive values that are written alike are one, named as the first of them is.
    for value in (1, None, "None"):
        rare = ao.CellSuppression(table, ao.AlphaKAnonymity("1/2", 2, values=[value]))
        back = read_answer(written(tmp_path, answer_document(ao.solve(rare)))).problem_on(table)
        assert isinstance(back, ao.CellSuppression)
        assert repr(back.principle) == repr(rare.principle)


def test_dates_are_written_as_texts_and_found_again(tmp_path: Path) -> None:
    frame = pd.DataFrame({"q": [1, 2], "d": pd.to_datetime(["2020-01-01", "2021-01-01"])})
    table = ao.Table.from_frame(frame, ["q"], "d")
    problem = ao.CellSuppression(table, ao.TCloseness(1, space=ao.Ordered([*table.sensitive_column("d").values])))
    answer = replace(ANSWER, problem=problem, solution=problem.trivial(), cost=2)
    back = read_answer(written(tmp_path, answer_document(answer))).problem_on(table)
    assert isinstance(back, ao.CellSuppression)
    assert back.principle == problem.principle


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: "text", "is no answer that can be read here: its schema is None; it must be 'anoptima/answer/1'"),
        (lambda d: [d], "is no answer that can be read here: its schema is None"),
        (
            lambda d: d | {"schema": "anoptima/answer/2"},
            "is no answer that can be read here: its schema is 'anoptima/answer/2'",
        ),
        (lambda d: {"schema": ANSWER_SCHEMA}, "is no whole answer: 'bound' is not in it"),
        (lambda d: d | {"claim": "perfect"}, "is no answer that makes sense: there is no Claim 'perfect'"),
        (
            lambda d: d | {"cost": "dear"},
            "is no answer that makes sense: the cost is 'dear'; it must be a finite number",
        ),
        (lambda d: d | {"bound": 3}, "is no answer that makes sense"),
        (lambda d: d | {"bound": {"value": 3, "by": "x"}}, "is no whole answer: 'origin' is not in it"),
        (lambda d: d | {"table": None}, "is no answer that makes sense"),
        (
            lambda d: d | {"problem": {**d["problem"], "name": "sudoku"}},
            "is no answer that makes sense: its problem is 'sudoku'",
        ),
    ],
)
def test_what_is_no_answer_is_refused(tmp_path: Path, change: Any, message: str) -> None:
    path = written(tmp_path, change(answer_document(ANSWER)))
    with pytest.raises(ao.BadInput) as caught:
        read_answer(path)
    assert str(caught.value).startswith(f"{path} {message}")


def test_json_can_be_had_in_ascii() -> None:
    assert json.loads(to_json({"größe": "ß"}, ascii_only=True)) == {"größe": "ß"}
    assert to_json({"größe": 1}, ascii_only=True).isascii()
    assert "größe" in to_json({"größe": 1})


def test_what_is_not_there_has_no_plain_data() -> None:
    assert bound_document(None) is None
    assert stars_by_column(replace(ANSWER, solution=None)) is None


def test_a_problem_without_a_table_has_no_document() -> None:
    class Other(Problem[int]):
        name = "other"

    make: Any = Other
    make.__abstractmethods__ = frozenset()
    with pytest.raises(
        ao.NotApplicable,
        match="other releases no table, or cannot be written down; only answers to problems that do have documents",
    ):
        answer_document(replace(ANSWER, problem=make()))


def test_a_file_that_calls_a_proof_a_certificate_is_read(tmp_path: Path) -> None:
    document = answer_document(ANSWER)
    del document["proved"]
    old = {**document, "certified": 1, "bound": {"value": 1, "origin": "certificate", "by": "sifting"}}
    back = read_answer(written(tmp_path, old))
    assert (back.bound, back.proved) == (ao.Bound(1, ao.Origin.PROOF, "sifting"), 1)
