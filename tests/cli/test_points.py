from __future__ import annotations

from pathlib import Path

import pytest

from anoptima.proofs import check_anoptima
from tests.cli.conftest import Run


@pytest.fixture
def points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "points.csv"
    path.write_text("x,y,name\n2.0,0,a\n2.4,0,b\n2.8,1/3,c\n")
    return path


def test_fakes_are_found_and_published_among_the_data(run: Run, points: Path) -> None:
    said = run("points", points, "--columns", "x", "-k", 2, "-o", "published.csv")
    assert said.code == 0
    assert said.out.startswith("OPTIMAL  2 fake points, bound 2")
    assert "the data and fakes are in published.csv" in said.out
    published = Path("published.csv").read_text().splitlines()
    assert published[0] == "x"
    assert len(published) == 1 + 3 + 2
    assert {"2.0", "2.4", "2.8"} <= set(published)
    again = run("points", "published.csv", "--columns", "x", "-k", 2)
    assert again.out.startswith("OPTIMAL  0 fake points")
    assert "no fake is needed" in again.out


def test_domain_and_regime(run: Run, points: Path) -> None:
    document = run("points", points, "--columns", "x,y", "-k", 2, "--domain", "0:4,-1:2", "--json").json
    assert (document["regime"], document["claim"], document["axes"]) == ("primal", "optimal", ["x", "y"])
    assert len(document["solution"]) == document["cost"]
    dual = run("points", points, "--columns", "x,y", "-k", 2, "--domain", "0:4,-1:2", "--regime", "dual", "--json").json
    assert dual["cost"] >= document["cost"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--columns", "x,z", "-k", 2], "points.csv: there is no column 'z'; there are 'x', 'y', 'name'"),
        (["--columns", "x,name", "-k", 2], "row 1, column 'name', is 'a'"),
        (["--columns", "x,x", "-k", 2], "column 'x' is named twice as an axis; name each axis once"),
        (["--columns", "x", "-k", "two"], "k is 'two'; it must be a whole number"),
        (["--columns", "x", "-k", 0], "k is 0; it must be at least 1"),
        (["--columns", "x", "-k", 2, "--domain", "0-4"], "the domain is '0-4'; it must be LOW:HIGH for each axis"),
        (["--columns", "x", "-k", 2, "--domain", "0:2"], "point 1, (2), lies outside the domain along column 'x'"),
        (["--columns", "x", "-k", 2, "--domain", "2:2.5"], "it must be at least 1 wide"),
        (["--columns", "x", "-k", 2, "--regime", "dual"], "the dual regime needs a domain"),
        (["--columns", "x", "-k", 2, "-o", "points.csv"], "is the table itself"),
    ],
)
def test_bad_input(run: Run, points: Path, words: list[object], complaint: str) -> None:
    said = run("points", points, *words)
    assert said.code == 2
    assert complaint in said.err
    assert points.read_text().startswith("x,y,name\n2.0")


def test_coordinates_are_written_as_they_were_and_fakes_like_them(run: Run, points: Path) -> None:
    for given, published in (
        ("2.0 2.4 2.8", "2.0 2.0 2.4 2.8 2.8"),
        ("2 2.4 2.8", "2 2 2.4 2.8 2.8"),
        ("2 2.40 2.8", "2.00 2.00 2.40 2.80 2.80"),
        ("1/3 4/3", "1/3 1/3 4/3 4/3"),
        ("1/3 4.0", "1/3 1/3 4.0 4.0"),
        ("30.63518 31.5", "30.63518 30.63518 31.5 31.5"),
    ):
        points.write_text("\n".join(["x", *given.split()]))
        said = run("points", points, "--columns", "x", "-k", 2, "-o", "published.csv")
        assert Path("published.csv").read_text().split() == ["x", *published.split()], given
        kept = set(given.split()) <= set(published.split())
        assert kept == ("so that fakes look like data" not in said.out)


def test_the_fakes_alone(run: Run, points: Path) -> None:
    said = run("points", points, "--columns", "x", "-k", 2, "-o", "-", "--fakes", "fakes.csv")
    assert said.out == "x\n2.0\n2.0\n2.4\n2.8\n2.8\n"
    assert "the fakes alone are in fakes.csv\n" in said.err
    assert Path("fakes.csv").read_text() == "x\n2.0\n2.8\n"
    document = run("points", points, "--columns", "x", "-k", 2, "--fakes", "fakes.csv", "--json").json
    assert document["solution"] == [["2.0"], ["2.8"]]
    assert (document["written"], document["replaced"]) == ({"fakes alone": "fakes.csv"}, ["fakes.csv"])


def test_each_axis_may_have_a_width_of_its_own(run: Run, points: Path) -> None:
    points.write_text("age,income\n31,2400\n33,2900\n47,3100\n")
    words = ("points", points, "--columns", "age,income", "-k", 2, "--width", "age=5", "--width", "income=1000")
    document = run(*words, "--domain", "20:60,0:5000", "--json").json
    assert (document["widths"], document["claim"]) == (["5", "1000"], "optimal")
    for solver in ("fake-grid/highs", "fake-depths/cp-sat"):
        again = run(*words, "--domain", "20:60,0:5000", "--solver", solver, "--json").json
        assert again["cost"] == document["cost"]
        for age, income in again["solution"]:
            assert 20 <= float(age) < 60
            assert 0 <= float(income) < 5000
    for width, complaint in (
        ("zip=5", "points.csv: a width is given for 'zip', which is no axis; those are age, income"),
        ("age=0", "points.csv: the width of column 'age' is 0; it must be above 0"),
        ("age", "--width is 'age'; it must be AXIS=WIDTH, such as age=5"),
        ("age=wide", "the width of column 'age' is 'wide'; it must be a finite number"),
    ):
        said = run("points", points, "--columns", "age,income", "-k", 2, "--width", width)
        assert said.code == 2
        assert complaint in said.err


def test_a_proof_is_written_that_the_checker_verifies_on_the_same_file(run: Run, points: Path) -> None:
    said = run("points", points, "--columns", "x,y", "-k", 2, "--width", "y=1/2", "--proof", "proof.json")
    assert said.code == 0
    assert "the proof is in proof.json: nothing costs less than" in said.out
    assert "VERIFIED" in check_anoptima.check(str(points), "proof.json")
