from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run
from tests.documents.test_exports import LINEAR, alone

ASKED = ("--quasi", "zip,age,sex", "--sensitive", "disease", "--keep", "name", "-k", 2, "--weight", "age=1/2")


def test_out_and_back(run: Run, patients: Path) -> None:
    said = run("export", patients, *ASKED, "--model", "pattern", "--format", "mps", "-o", "model.mps")
    assert said.code == 0
    assert "its objective is 2 x cost; what the columns mean is in model.json" in said.out
    alone(LINEAR, "model.mps", "found.sol", 0)
    back = run(
        "import-solution", patients, "model.json", "found.sol", "-o", "release.csv", "--answer", "answer.json", "--json"
    )
    assert back.code == 0
    best = run("solve", patients, *ASKED, "--json").json
    assert back.json["cost"] == best["cost"]
    assert back.json["solver"] == "imported"
    assert run("verify", patients, "release.csv", "answer.json").code == 0


def test_another_table_is_refused(run: Run, patients: Path) -> None:
    run("export", patients, *ASKED, "--model", "pattern", "-o", "model.lp")
    patients.write_text(patients.read_text().replace("38", "37"))
    said = run("import-solution", patients, "model.json", "found.sol")
    assert said.code == 2
    assert "model.json is of another table" in said.err


def test_a_wrong_format_and_the_table_itself_are_refused(run: Run, patients: Path) -> None:
    said = run("export", patients, *ASKED, "--model", "assignment", "-o", "model.lp")
    assert said.code == 2
    assert "the assignment model is written in cp-sat, and lp is for pyomo; it can be written as pbtxt" in said.err
    said = run("export", patients, *ASKED, "--model", "pattern", "-o", patients)
    assert said.code == 2
    assert "is the table itself" in said.err
