"""`--proof`, and `verify` with what it wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

QUASI = ("--quasi", "zip,age,sex", "-k", 2, "--weight", "age=1/2")
TWELVE = Path(__file__).parents[1] / "proofs" / "twelve_rows.csv"
OPTIMAL = (
    "VERIFIED  the release is true to the table and satisfies 3-anonymity, at 27 stars of 48 cells\n"
    "proved here, with no solver: no release costs less than 27\n"
    "so this release is optimal\n"
)


@pytest.fixture
def proved(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table, its release, its answer and the proof in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text(TWELVE.read_text())
    said = run(
        "solve",
        "rows.csv",
        "--quasi",
        "a,b,c,d",
        "-k",
        3,
        "--solver",
        "sifting",
        "-o",
        "release.csv",
        "--answer",
        "answer.json",
        "--proof",
        "proof.json",
    )
    assert said.code == 0, said.err
    assert said.out.endswith("\nthe proof is in proof.json: nothing costs less than 27\n")
    return tmp_path


def change(path: Path, name: str, value: Any) -> None:
    data = json.loads(path.read_text())
    data["proof"][name] = value
    path.write_text(json.dumps(data))


@pytest.mark.parametrize(
    "files",
    [
        ("release.csv", "proof.json"),
        ("release.csv", "answer.json", "proof.json"),
        ("release.csv", "proof.json", "answer.json"),
    ],
)
def test_a_release_is_verified_by_its_proof(run: Run, proved: Path, files: tuple[str, ...]) -> None:
    said = run("verify", "rows.csv", *files)
    assert (said.code, said.out) == (0, OPTIMAL)
    found = run("verify", "rows.csv", *files, "--json").json
    assert found["proved"] == {"value": 27, "origin": "proof", "by": "sifting"}


def test_the_bound_alone_is_verified(run: Run, proved: Path) -> None:
    said = run("verify", "rows.csv", "proof.json")
    assert said.code == 0
    assert said.out == (
        "VERIFIED  proved here, with no solver: nothing solves cell-suppression under 3-anonymity at less than 27 stars of 48 cells\n"
    )
    change(proved / "proof.json", "value", 28)
    said = run("verify", "rows.csv", "proof.json", "--json")
    assert (said.code, said.json["proved"]) == (1, None)
    assert said.json["wrong"] == ["the proof does not hold: the multipliers prove 27, not 28"]


def test_an_answer_says_how_far_its_proof_goes(run: Run, proved: Path) -> None:
    document = json.loads((proved / "answer.json").read_text())
    assert (document["proved"], document["bound"]["origin"]) == (27, "proof")
    document["bound"] = {"value": 27, "origin": "backend", "by": "highs"}
    document["proved"] = 26
    (proved / "answer.json").write_text(json.dumps(document))
    said = run("verify", "rows.csv", "release.csv", "answer.json")
    assert said.code == 0
    assert said.out.endswith(
        "claimed by highs, not proved here: no release costs less than 27 (the proof, which is not here, goes to 26)\n"
    )


def test_a_proof_that_does_not_hold_refutes_nothing_but_itself(run: Run, proved: Path) -> None:
    tree = case = json.loads((proved / "proof.json").read_text())["proof"]["tree"]
    while "low" in case:
        case = case["low"]
    case["prices"] = [-1]
    change(proved / "proof.json", "tree", tree)
    said = run("verify", "rows.csv", "release.csv", "proof.json")
    assert said.code == 1
    assert said.out == ("NOT VERIFIED\n  the proof does not hold: there must be one price a cut, and none below 0\n")


def test_a_proof_for_another_table_is_refused(run: Run, proved: Path) -> None:
    path = proved / "rows.csv"
    path.write_text(path.read_text().replace("0", "1", 1))
    for files in (("release.csv", "proof.json"), ("proof.json",)):
        said = run("verify", "rows.csv", *files)
        assert said.code == 2
        assert said.err.startswith(
            "anoptima: proof.json is a proof for another table: it speaks of a table with digest "
        )


def test_files_in_the_wrong_place_are_refused(run: Run, proved: Path) -> None:
    said = run("verify", "rows.csv", "proof.json", "release.csv")
    assert (said.code, said.err) == (
        2,
        "anoptima: proof.json is a proof and stands before release.csv; give RELEASE, ANSWER and PROOF in that order\n",
    )
    said = run("verify", "rows.csv", "release.csv", "proof.json", "proof.json")
    assert said.err == "anoptima: proof.json and proof.json are two proofs; give one\n"
    said = run("verify", "rows.csv", "release.csv", "answer.json", "answer.json")
    assert said.err == "anoptima: answer.json is no proof that can be read here: it must be what --proof wrote\n"
    said = run("verify", "rows.csv", "release.csv", "proof.json", "-k", 2)
    assert said.err == "anoptima: -k cannot be given beside proof.json, which says that itself\n"


def test_two_files_of_one_name_and_the_table_itself_are_refused(run: Run, patients: Path) -> None:
    said = run("solve", patients, *QUASI, "--proof", "x.json", "--answer", "x.json")
    assert said.err == "anoptima: x.json is to hold both the answer and the proof; give them two names\n"
    said = run("solve", patients, *QUASI, "--proof", patients)
    assert said.err == f"anoptima: {patients} is the table itself; give the proof another name\n"


def test_keys_refuse_one_file_for_proof_and_checkpoint(run: Run, patients: Path) -> None:
    said = run("keys", patients, "--quasi", "zip,age,sex", "--proof", "x.json", "--checkpoint", "x.json")
    assert said.code == 2
    assert said.err == "anoptima: x.json is to hold both the proof and the checkpoint; give them two names\n"


def test_a_solver_without_proofs_leaves_the_bound_of_the_problem_itself(run: Run, patients: Path) -> None:
    said = run("solve", patients, *QUASI, "--solver", "pattern/highs", "--proof", "proof.json")
    assert (said.code, said.out.splitlines()[-1]) == (0, "the proof is in proof.json: nothing costs less than 9")
    assert json.loads(Path("proof.json").read_text())["proof"] == {"kind": "own-bound", "value": 18}
    assert run("verify", patients, "proof.json").code == 0
    change(Path("proof.json"), "value", 19)
    said = run("verify", patients, "proof.json")
    assert said.code == 1
    assert said.out.endswith("the proof does not hold: the problem's own arithmetic proves 9, not 19/2\n")


def test_of_what_has_no_solution_no_proof_is_written(run: Run, patients: Path) -> None:
    said = run("solve", patients, "--quasi", "zip", "-k", 7, "--proof", "proof.json")
    assert said.code == 1
    assert said.out.endswith("\nproof.json is not written: there is no solution that could cost less\n")
    assert not Path("proof.json").exists()


def test_keys_are_proved_and_verified_without_a_release(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bits = [
        f"{n:08b}" for n in (3, 9, 14, 21, 38, 57, 66, 75, 88, 101, 111, 120, 133, 150, 162, 171, 190, 201, 222, 250)
    ]
    Path("t.csv").write_text("a,b,c,d,e,f,g,h\n" + "".join(",".join(row) + "\n" for row in bits))
    for k in ((), ("-k", 2)):
        said = run("keys", "t.csv", "--quasi", "a,b,c,d,e,f,g,h", *k, "--proof", "proof.json")
        assert said.code == 0
        said = run("verify", "t.csv", "proof.json")
        assert said.code == 0
        assert said.out.startswith("VERIFIED  proved here, with no solver: nothing solves ")
        said = run("verify", "t.csv", "t.csv", "proof.json")
        assert said.code == 2
        assert "which releases no table; leave t.csv out" in said.err
        Path("proof.json").unlink()


def test_attribute_suppression_is_proved(run: Run, patients: Path) -> None:
    said = run(
        "solve",
        patients,
        *QUASI,
        "--problem",
        "attributes",
        "--solver",
        "column-lattice",
        "-o",
        "r.csv",
        "--proof",
        "proof.json",
    )
    assert said.code == 0
    said = run("verify", patients, "r.csv", "proof.json")
    assert (said.code, said.out.splitlines()[-1]) == (0, "so this release is optimal")


def test_a_bound_of_what_has_no_solution_is_not_verified(run: Run, proved: Path) -> None:
    data = json.loads((proved / "proof.json").read_text())
    data["problem"]["principle"][0]["k"] = 13
    (proved / "proof.json").write_text(json.dumps(data))
    said = run("verify", "rows.csv", "proof.json")
    assert (said.code, said.out) == (
        1,
        "NOT VERIFIED\n  no solution exists, so there is no least cost: k = 13 but there are only 12 rows\n",
    )
