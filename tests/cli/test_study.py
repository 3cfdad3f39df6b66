from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from anoptima.experiments.studies.findings import read_runs
from anoptima.experiments.studies.study import Study
from tests.cli.conftest import Run

STUDY = """
instances = "ten-rows-k3"
solvers = ["peel", "mondrian"]
seconds = 60
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "small.toml"
    path.write_text(STUDY)
    return path


def test_a_study_from_plan_to_report(run: Run, file: Path) -> None:
    said = run("study", "plan", file)
    assert said.code == 0
    assert said.out.startswith("2 runs: 1 questions, 2 solvers\n0 are done, 0 do not apply, 2 are left\n")
    said = run("study", "run", file, "--jobs", 1)
    assert said.code == 0
    assert said.out.endswith("     2  feasible\n")
    assert "ten-rows-k3, peel, 60 s, seed 0: feasible 58" in said.err
    assert run("study", "status", file, "--json").json["statuses"] == {"feasible": 2}
    said = run("study", "report", file, "-o", "page.html", "--table", "runs.parquet")
    assert said.out == "the report is in page.html\nthe runs are in runs.parquet\n"
    assert pd.read_parquet("runs.parquet")["cost"].tolist() == ["57", "58"]
    for name in ("first.csv.gz", "again.csv.gz"):
        run("study", "report", file, "--table", name)
    assert Path("first.csv.gz").read_bytes() == Path("again.csv.gz").read_bytes()
    assert read_runs("first.csv.gz")["cost"].tolist() == ["57", "58"]


def test_runs_under_several_values_of_l_are_a_column_of_texts(
    run: Run, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("two.csv").write_text("zip,ill,rich\n1,a,u\n1,b,v\n2,a,v\n2,b,u\n")
    both = ", ".join(
        f'{{principle = "l-diversity", l = "{l}", column = "{column}", version = "frequency"}}'
        for l, column in (("2", "ill"), ("3/2", "rich"))  # noqa: E741
    )
    table = '[[tables]]\nfile = "two.csv"\nquasi = ["zip"]\nsensitive = ["ill", "rich"]\n'
    asked = f'ask = [{{l = 2, column = "ill"}}, {{k = 2}}, {{principle = {{principle = "all", members = [{both}]}}}}]\n'
    file.write_text(f'solvers = "peel"\nseconds = 60\n{table}{asked}')
    assert run("study", "run", file, "--quiet").code == 0
    assert run("study", "report", file, "--table", "runs.parquet").code == 0
    assert sorted(pd.read_parquet("runs.parquet")["l"].dropna()) == ["2", "2, 1.5"]
    monkeypatch.setattr("anoptima.cli.study.is_installed", lambda name: False)
    assert (
        "install anoptima[parquet], or write a .csv file" in run("study", "report", file, "--table", "runs.parquet").err
    )


def test_what_cannot_be_done_is_said(run: Run, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "holds no run of the study" in run("study", "report", file).err
    assert "nowhere.toml: there is no such file" in run("study", "plan", "nowhere.toml").err
    assert "jobs is 'many'; it must be a whole number" in run("study", "run", file, "--jobs", "many").err
    monkeypatch.setattr("anoptima.experiments.studies.dask.CONNECT_S", 0.2)
    said = run("study", "plan", file, "--dask", "nothing://nowhere:1", "--table", "t.csv")
    assert "--dask, --table would have no effect beside plan; leave them out" in said.err
    assert "no Dask scheduler answers" in run("study", "run", file, "--dask", "nothing://nowhere:1").err
    run("study", "run", file)
    report = ("study", "report", file, "-o", "refused.html", "--table", "runs.xls")
    assert "must end in .csv, .csv.gz or .parquet" in run(*report).err
    assert not Path("refused.html").exists()
    file.rename("bare")
    for doing in ("plan", "run", "status", "report"):
        assert (
            "bare is the study itself; name a folder for its records with --folder" in run("study", doing, "bare").err
        )


def test_an_interrupt_is_one_sentence(run: Run, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("anoptima.cli.study.run_study", interrupted)
    said = run("study", "run", file)
    assert (said.code, said.out) == (130, "")
    folder = file.with_suffix("")
    assert said.err == f"anoptima: interrupted; finished runs are in {folder}, and `anoptima study run` continues\n"


def test_a_study_that_cannot_begin_leaves_no_folder(run: Run, file: Path) -> None:
    file.write_text('solvers = "peel"\n[[tables]]\nfile = "nowhere.csv"\nquasi = ["zip"]\nk = 2\n')
    for doing in ("plan", "status", "run"):
        assert run("study", doing, file).code == 2
        assert not file.with_suffix("").exists()


def test_a_plan_leaves_no_folder(run: Run, file: Path) -> None:
    assert run("study", "plan", file).code == 0
    assert not file.with_suffix("").exists()


@pytest.mark.parametrize("size", ["memory = 2147483648", 'memory = "2G"', 'memory = "2 GiB"'])
def test_memory_has_a_unit(file: Path, size: str) -> None:
    file.write_text(f"{size}\n{STUDY}")
    assert Study.read(file).memory == 2 << 30


def test_memory_that_is_no_size_is_refused(run: Run, file: Path) -> None:
    file.write_text(f'memory = "much"\n{STUDY}')
    assert "the memory is 'much'; it must be a size such as 500M or 4G" in run("study", "plan", file).err
