from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import anoptima as ao
from anoptima.documents.sidecars import read_sidecar
from anoptima.models import models
from anoptima.solvers.backends.executables import program_of

LINEAR = """
import sys, highspy
h = highspy.Highs()
h.setOptionValue("output_flag", False)
h.setOptionValue("presolve", "off")
assert h.readModel(sys.argv[1]) == highspy.HighsStatus.kOk
h.run()
h.writeSolution(sys.argv[2], int(sys.argv[3]))
print(round(h.getInfo().objective_function_value))
"""
PROTO = """
import sys
from ortools.sat.python import cp_model
model, solver = cp_model.CpModel(), cp_model.CpSolver()
text = open(sys.argv[1]).read()
if hasattr(model.proto, "parse_text_format"):
    assert model.proto.parse_text_format(text)
else:
    from google.protobuf import text_format
    text_format.Parse(text, model.proto)
solver.parameters.num_workers = 1
solver.solve(model)
response = solver.response_proto
open(sys.argv[2], "w").write(str(response))
print(round(solver.objective_value))
"""
"""Solver processes that know nothing of this package."""


def alone(program: str, *words: object) -> int:
    done = subprocess.run(
        [sys.executable, "-I", "-c", program, *map(str, words)], capture_output=True, text=True, check=True
    )
    return int(done.stdout.split()[-1])


def small(**weights: str) -> ao.Table:
    rows = [("a", 1, "x"), ("a", 2, "y"), ("b", 1, "x"), ("b", 2, "z"), ("b", 3, "y"), ("a", 3, "x")]
    return ao.Table.from_frame(pd.DataFrame(rows, columns=["p", "q", "s"]), ["p", "q"], ["s"], weights=weights)


def ten() -> ao.CellSuppression:
    return ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))


PROBLEMS: dict[str, tuple[Any, str]] = {
    "anonymity": (ten, "pattern"),
    "diversity": (lambda: ao.CellSuppression(small(q="1/2"), ao.LDiversity(2)), "pattern"),
    "distinct": (lambda: ao.CellSuppression(small(), ao.LDiversity(2, version="distinct")), "pattern"),
    "attributes": (lambda: ao.AttributeSuppression(small(), ao.KAnonymity(2)), "attributes"),
}


@pytest.mark.parametrize("ending", ["mps", "lp"])
@pytest.mark.parametrize("case", PROBLEMS)
def test_a_linear_model_solved_elsewhere_comes_back_optimal(tmp_path: Path, case: str, ending: str) -> None:
    make, model = PROBLEMS[case]
    problem, path = make(), tmp_path / f"model.{ending}"
    sidecar = ao.export_model(problem, model, path)
    objective = alone(LINEAR, path, tmp_path / "model.sol", 0)
    answer = ao.import_solution(make(), sidecar, tmp_path / "model.sol")
    best = ao.solve(problem)
    assert answer.cost == best.cost
    assert objective == answer.cost * problem.cost_scale
    assert answer.solver == "imported"
    assert answer.bound is not None
    assert answer.bound.origin is ao.Origin.PROBLEM
    assert answer.verify()
    if case == "anonymity":
        assert answer.cost == 54


@pytest.mark.parametrize("case", ["anonymity", "diversity"])
def test_a_text_proto_solved_elsewhere_comes_back_optimal(tmp_path: Path, case: str) -> None:
    problem = PROBLEMS[case][0]()
    sidecar = ao.export_model(problem, "assignment", tmp_path / "model.pbtxt")
    objective = alone(PROTO, tmp_path / "model.pbtxt", tmp_path / "response.pbtxt")
    answer = ao.import_solution(problem, sidecar, tmp_path / "response.pbtxt")
    assert objective == answer.cost * problem.cost_scale
    assert answer.cost == ao.solve(problem).cost


@pytest.mark.parametrize(
    ("solver", "words"),
    [
        ("cbc", ["{model}", "solve", "solution", "{solution}"]),
        ("glpsol", ["--freemps", "{model}", "-o", "{solution}"]),
        ("glpsol", ["--lp", "{model}", "-o", "{solution}"]),
        ("scip", ["-c", "read {model} optimize write solution {solution} quit"]),
    ],
)
def test_other_solvers_read_the_files_and_are_read(tmp_path: Path, solver: str, words: list[str]) -> None:
    program = program_of([solver])
    if program is None:
        pytest.skip(f"{solver} is not here")
    path, solution = tmp_path / ("model.lp" if "--lp" in words else "model.mps"), tmp_path / "found.sol"
    sidecar = ao.export_model(ten(), "pattern", path)
    command = [str(program.path), *(word.format(model=path, solution=solution) for word in words)]
    subprocess.run(command, env={**os.environ, **program.environment()}, check=True, capture_output=True)
    assert ao.import_solution(ten(), sidecar, solution).cost == 54


def test_every_name_survives_both_formats(tmp_path: Path) -> None:
    for case, (make, model) in PROBLEMS.items():
        names = None
        for ending in ("mps", "lp"):
            path = tmp_path / f"{case}.{ending}"
            side = read_sidecar(ao.export_model(make(), model, path))
            known = [name for name, _ in side.columns]
            assert len(set(known)) == len(known)
            written = set(re.findall(r"[^\s:+-]+", path.read_text()))
            assert set(known) <= written, (case, ending)
            assert names in (None, known)
            names = known
    assert "cover(7)" in (tmp_path / "anonymity.mps").read_text()


def test_columns_mean_something(tmp_path: Path) -> None:
    side = read_sidecar(ao.export_model(ten(), "pattern", tmp_path / "model.lp"))
    meanings = dict(side.columns)
    assert meanings["x(3)"].startswith("rows of record 3 (")
    assert meanings["z(0)"] == "1 if rows may be published as '9 * * * * * * *'"
    side = read_sidecar(ao.export_model(ten(), "assignment", tmp_path / "model.pbtxt"))
    meanings = dict(side.columns)
    assert meanings["joins[2,1]"] == "1 if row 2 is in the group that row 1 leads"
    built = models.get("attributes").build(PROBLEMS["attributes"][0]())
    assert built.meaning(0) == "dropped, of 0"


def listing(names: dict[str, float]) -> str:
    return "".join(f"{name} {value:g}\n" for name, value in names.items())


@pytest.fixture
def exported(tmp_path: Path) -> tuple[Path, dict[str, float]]:
    """A sidecar, and the values of the trivial solution."""
    sidecar = ao.export_model(ten(), "pattern", tmp_path / "model.lp")
    values = models.get("pattern").build(ten()).encode(ten().trivial())
    names = [name for name, _ in read_sidecar(sidecar).columns]
    return sidecar, {name: value for name, value in zip(names, values.tolist(), strict=True) if value}


def test_what_is_not_listed_is_zero(exported: tuple[Path, dict[str, float]], tmp_path: Path) -> None:
    sidecar, values = exported
    path = tmp_path / "found.sol"
    path.write_text("# Objective value = 80\n" + listing(values))
    assert ao.import_solution(ten(), sidecar, path).cost == ten().cost(ten().trivial())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x(0) 1\ny(3) 1\n", "line 2: 'y(3) 1' names no column of the model"),
        ("x(0) 1\nx(0) 1\n", "line 2: x(0) has a value on line 1 already"),
        ("x(0) one\n", "line 1: the value of x(0) is 'one'; it must be a number"),
        ("x(0) nan\n", "line 1: the value of x(0) is 'nan'; it must be a number"),
        ("x(0)\n", "line 1: the value of x(0) is ''; it must be a number"),
        ("Model status\nInfeasible\n\n# Primal solution values\nNone\n", "gives no column of the model a value"),
        ("z(0) 0.5\n", "z(0) is 0.5; it must be whole"),
        ("z(0) 2\n", "z(0) is 2; it must lie between 0 and 1"),
        ("x(0) 1\n", "the values break the model's row link[0]"),
        ("z(0) 0\n", "the values break the model's row cover[0]"),
    ],
)
def test_a_mangled_solution_is_refused(
    exported: tuple[Path, dict[str, float]], tmp_path: Path, text: str, sentence: str
) -> None:
    path = tmp_path / "found.sol"
    path.write_text(text)
    with pytest.raises(ao.BadInput, match=re.escape(sentence)) as refusal:
        ao.import_solution(ten(), exported[0], path)
    assert str(path) in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("status: INFEASIBLE\n", "has a solution of 0 values, and the model has"),
        ("status: OPTIMAL\nsolution: x\n", "line 2: a value of the solution is 'x'; it must be a whole number"),
    ],
)
def test_a_mangled_response_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    sidecar = ao.export_model(ten(), "assignment", tmp_path / "model.pbtxt")
    (tmp_path / "r.pbtxt").write_text(text)
    with pytest.raises(ao.BadInput, match=re.escape(sentence)):
        ao.import_solution(ten(), sidecar, tmp_path / "r.pbtxt")


def test_a_response_outside_its_domains_is_refused_and_a_wrong_one_refuted(tmp_path: Path) -> None:
    problem = PROBLEMS["diversity"][0]()
    sidecar = ao.export_model(problem, "assignment", tmp_path / "model.pbtxt")
    count = len(read_sidecar(sidecar).columns)
    path = tmp_path / "r.pbtxt"
    path.write_text("solution: 2\n" + "solution: 0\n" * (count - 1))
    with pytest.raises(ao.BadInput, match=re.escape("joins[0,0] is 2; it must lie between 0 and 1")):
        ao.import_solution(problem, sidecar, path)
    alone_in_groups = [int(name in {f"joins[{i},{i}]" for i in range(6)}) for name, _ in read_sidecar(sidecar).columns]
    path.write_text("".join(f"solution: {value}\n" for value in alone_in_groups))
    with pytest.raises(ao.FalseClaim, match="claimed a solution that is none"):
        ao.import_solution(problem, sidecar, path)


def test_another_table_or_principle_is_refused(exported: tuple[Path, dict[str, float]], tmp_path: Path) -> None:
    sidecar = exported[0]
    path = tmp_path / "found.sol"
    path.write_text(listing(exported[1]))
    with pytest.raises(ao.BadInput, match="is of another table: it speaks of a table with digest"):
        ao.import_solution(ao.CellSuppression(small(), ao.KAnonymity(3)), sidecar, path)
    with pytest.raises(ao.BadInput, match=r"has principle .*, and this problem has"):
        ao.import_solution(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), sidecar, path)
    with pytest.raises(ao.BadInput, match="is of the problem 'cell-suppression', and this one is"):
        ao.import_solution(ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(3)), sidecar, path)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"schema": "other/1"}, "is no sidecar that can be read here: its schema is 'other/1'"),
        ({"columns": [["x(0)", "x"]]}, "has 1 columns, and the pattern model has 57"),
        ({"columns": 3}, "is no sidecar that makes sense"),
        ({"problem": {}}, "is no whole sidecar: 'name' is not in it"),
        ({"format": "pbtxt"}, "has the format 'pbtxt', which the pattern model is not written in"),
        ({"model": "none"}, "there is no model named 'none'"),
    ],
)
def test_a_mangled_sidecar_is_refused(
    exported: tuple[Path, dict[str, float]], tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    sidecar, values = exported
    sidecar.write_text(json.dumps(json.loads(sidecar.read_text()) | change))
    (tmp_path / "found.sol").write_text(listing(values))
    with pytest.raises(ao.BadInput, match=re.escape(sentence)):
        ao.import_solution(ten(), sidecar, tmp_path / "found.sol")


def test_a_sidecar_with_swapped_columns_is_refused(exported: tuple[Path, dict[str, float]], tmp_path: Path) -> None:
    data = json.loads(exported[0].read_text())
    data["columns"][0], data["columns"][1] = data["columns"][1], data["columns"][0]
    exported[0].write_text(json.dumps(data))
    (tmp_path / "found.sol").write_text(listing(exported[1]))
    with pytest.raises(ao.BadInput, match=re.escape("calls column 0 'x(1)', and the pattern model calls it 'x(0)'")):
        ao.import_solution(ten(), exported[0], tmp_path / "found.sol")


def test_what_cannot_be_written_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(ao.NotApplicable, match="the pattern model is written in pyomo, and pbtxt is for cp-sat"):
        ao.export_model(ten(), "pattern", tmp_path / "model.pbtxt")
    with pytest.raises(ao.NotApplicable, match="it can be written as pbtxt"):
        ao.export_model(ten(), "assignment", tmp_path / "model.out", "lp")
    with pytest.raises(ao.BadInput, match=re.escape("ends in '.nl'; a model is written as one of mps, lp, pbtxt")):
        ao.export_model(ten(), "pattern", tmp_path / "model.nl")
    with pytest.raises(ao.BadInput, match="is where the sidecar must go"):
        ao.export_model(ten(), "pattern", tmp_path / "model.json", "lp")
    with pytest.raises(ao.NotApplicable, match="the attributes model is for attribute-suppression"):
        ao.export_model(ten(), "attributes", tmp_path / "model.lp")
    with pytest.raises(ao.ModelTooLarge):
        ao.export_model(ten(), "pattern", tmp_path / "model.lp", memory=1)
    with pytest.raises(ao.InfeasibleProblem):
        ao.export_model(ao.CellSuppression(small(), ao.KAnonymity(7)), "pattern", tmp_path / "model.lp")
    assert not list(tmp_path.iterdir())
