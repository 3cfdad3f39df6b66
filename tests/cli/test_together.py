"""`anoptima solve --together`: several runs at once from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_several_runs_answer_as_one(run: Run, patients: Path, tmp_path: Path) -> None:
    asked = ("solve", patients, "--quasi", "age,sex", "-k", 2)
    alone = run(*asked, "--json").json
    file, release = tmp_path / "all.json", tmp_path / "release.csv"
    said = run(*asked, "--together", 1, "--checkpoint", file, "-o", release, "--json")
    assert said.code == 0
    assert (said.json["claim"], said.json["cost"]) == (alone["claim"], alone["cost"])
    assert said.json["bound"]["value"] == alone["bound"]["value"]
    assert file.exists()
    assert run("verify", patients, release, "--quasi", "age,sex", "-k", 2).code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--leg", "5"], "--leg is for several runs at once; say how many with --together"),
        (["--dask", "tcp://127.0.0.1:1"], "--dask is for several runs at once"),
        (["--together", "2", "--cross-check"], "--cross-check is for a single run; leave it or --together out"),
        (["--together", "two"], "--together is 'two'; it must be a whole number"),
        (["--together", "1", "--leg", "never"], "--leg is 'never'; it must be a number of seconds from 0 up"),
        (["--together", "0"], "anoptima: --together is 0; it must be at least 1\n"),
        (["--together", "1", "--leg", "0"], "anoptima: --leg is 0; it must be a number of seconds above 0\n"),
    ],
)
def test_bad_input(run: Run, patients: Path, words: list[str], message: str) -> None:
    said = run("solve", patients, "--quasi", "age,sex", "-k", 2, *words)
    assert said.code == 2
    assert message in said.err
