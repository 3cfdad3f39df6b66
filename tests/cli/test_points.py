from __future__ import annotations

from pathlib import Path

import pytest

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
    assert "data and fakes are in published.csv" in said.out
    published = Path("published.csv").read_text().splitlines()
    assert published[0] == "x"
    assert len(published) == 1 + 3 + 2
    assert {"2", "12/5", "14/5"} <= set(published)
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
        (["--columns", "x", "-k", "two"], "k is 'two'; it has to be a whole number"),
        (["--columns", "x", "-k", 0], "k is 0; it has to be at least 1"),
        (["--columns", "x", "-k", 2, "--domain", "0-4"], "the domain is '0-4'; it has to be LOW:HIGH for each axis"),
        (["--columns", "x", "-k", 2, "--domain", "0:2"], "point 1, (2), lies outside the domain along axis 1"),
        (["--columns", "x", "-k", 2, "--domain", "2:2.5"], "it has to be at least 1 wide"),
        (["--columns", "x", "-k", 2, "--regime", "dual"], "the dual regime needs a domain"),
        (["--columns", "x", "-k", 2, "-o", "points.csv"], "is the table itself"),
    ],
)
def test_bad_input(run: Run, points: Path, words: list[object], complaint: str) -> None:
    said = run("points", points, *words)
    assert said.code == 2
    assert complaint in said.err
    assert points.read_text().startswith("x,y,name\n2.0")
