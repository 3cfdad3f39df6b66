"""The checker that stands alone, against anoptima's own on proofs of every kind, and on files that are wrong, each in its way."""

from __future__ import annotations

import gzip
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import anoptima as ao
from anoptima.documents.pages import table_text
from anoptima.proofs import check_anoptima
from tests.proof_agreement import VERIFIED, Judge, best, changed, questions
from tests.proofs.attacks import attacks
from tests.proofs.javascript import Checker
from tests.proofs.wrong_proofs import CODES, own_verdict, wrong_proofs
from tests.sizing import asked


@pytest.mark.slow
def test_three_checkers_agree_on_proofs_of_every_kind_and_on_their_changes(tmp_path: Path) -> None:
    judge: Judge | None = None
    kinds: set[str] = set()
    chance = random.Random(5)
    with Checker() as node:
        for answer in questions(asked(4, 0)):
            judge = judge or Judge(tmp_path, answer.problem.table, node)
            document = best(judge, answer)
            said, fault = judge.fault(document)
            assert not fault, fault
            if said == f"{VERIFIED} / {VERIFIED} / {VERIFIED}":
                kinds.add(document["proof"]["kind"])
            found = list(changed(document, chance, []))
            attacked = list(attacks(document, judge.texts(), chance))
            for what, new in [*chance.sample(found, asked(2, 4)), *chance.sample(attacked, asked(2, 4))]:
                assert not judge.fault(new)[1], (what, judge.fault(new), new)
            for what, new in attacked:
                if what == f"the numbers times {10**200}" and said.startswith(VERIFIED):
                    assert (judge.alone(new)[0], judge.javascript()[0]) == (VERIFIED, VERIFIED), what
    assert kinds == {kind for rules in check_anoptima.RULES.values() for kind in rules}


def test_a_wrong_proof_is_refused_by_all_for_what_is_wrong_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    corpus = wrong_proofs()
    assert len(corpus) >= 100
    with Checker() as node:
        for wrong in corpus:
            assert check_anoptima.main([str(wrong.table), str(wrong.path)]) == CODES[wrong.verdict], wrong.path.stem
            said = capsys.readouterr().out.splitlines()
            assert said[0].startswith("check_anoptima.py, SHA-256 ")
            assert said[1].startswith(f"{wrong.verdict.upper()}: ")
            verdict, words = node.says(table=wrong.table, proof=wrong.path)
            assert verdict == wrong.verdict, (wrong.path.stem, words)
            assert words.startswith(f"{wrong.verdict.upper()}: ")
            assert (own_verdict(wrong) == VERIFIED) == wrong.is_accepted, wrong.path.stem


@pytest.fixture
def ten(tmp_path: Path) -> Any:
    answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), "sifting")
    ao.save_proof(answer, tmp_path / "proof.json")
    ao.ten_rows().frame.to_csv(tmp_path / "table.csv", index=False)
    answer.release.to_csv(tmp_path / "release.csv", index=False)
    return answer


def test_it_runs_as_one_copied_file_and_says_the_gap(tmp_path: Path, ten: Any) -> None:
    shutil.copy(check_anoptima.__file__, tmp_path / "check.py")
    found = subprocess.run(
        [sys.executable, "-I", "-S", "check.py", "table.csv", "proof.json", "--release", "release.csv"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.endswith("costs 54 stars or more.\nThe release costs 54: it is optimal.\n")


@pytest.mark.parametrize(
    ("principle", "solver"),
    [(ao.KAnonymity(3), "sifting"), (ao.LDiversity(2), "sifting"), (ao.KAnonymity(3), "subset-dp")],
)
def test_a_shorter_checker_checks_the_proof_that_it_was_cut_for(
    tmp_path: Path, principle: ao.Principle, solver: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = ao.solve(ao.CellSuppression(ao.ten_rows(), principle), solver)
    ao.save_proof(answer, tmp_path / "proof.json")
    ao.ten_rows().frame.to_csv(tmp_path / "table.csv", index=False)
    asked, short = [str(tmp_path / "table.csv"), str(tmp_path / "proof.json")], tmp_path / "short.py"
    assert check_anoptima.main([*asked, "--shorter", str(short)]) == 0
    _, verdict, words = capsys.readouterr().out.splitlines()
    lines = short.read_text().splitlines()
    assert f"rests on {sum(map(bool, map(str.strip, lines)))} lines" in words
    assert len(lines) < len(Path(check_anoptima.__file__).read_text().splitlines()) // 2
    assert not {"def hitting_set(problem", "def box_shares(problem"} & {line[:25] for line in lines}

    def run() -> tuple[int, list[str], str]:
        its = subprocess.run([sys.executable, "-I", "-S", short, *asked], capture_output=True, text=True, check=False)
        return its.returncode, its.stdout.splitlines()[1:], its.stderr

    assert run() == (0, [verdict], "")
    data = json.loads((tmp_path / "proof.json").read_text())
    data["claim"]["bound"][0] += 1
    data["proof"]["value"] += 1
    (tmp_path / "proof.json").write_text(json.dumps(data))
    assert run()[0] == 1
    data["proof"] = {"kind": "own-bound", "value": data["proof"]["value"]}
    (tmp_path / "proof.json").write_text(json.dumps(data))
    assert run() == (5, ["BEYOND THE LIMITS: the proof (own-bound): this shorter checker has no own_bound"], "")


def test_a_shorter_checker_that_cannot_be_written_is_said(tmp_path: Path, ten: Any) -> None:
    asked = [str(tmp_path / "table.csv"), str(tmp_path / "proof.json"), "--shorter", str(tmp_path / "no" / "short.py")]
    with pytest.raises(SystemExit) as stopped:
        check_anoptima.main(asked)
    assert stopped.value.code == 2


@pytest.mark.parametrize("separator", ["", "ab", '"', "\n"])
def test_a_separator_of_another_length_is_wrong_usage(tmp_path: Path, separator: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        check_anoptima.main([str(tmp_path / "table.csv"), str(tmp_path / "proof.json"), "--separator", separator])
    assert stopped.value.code == 2


def test_a_release_is_checked_cell_by_cell_and_group_by_group(tmp_path: Path, ten: Any) -> None:
    given = [str(tmp_path / "table.csv"), str(tmp_path / "proof.json"), str(tmp_path / "changed.csv")]
    lines = (tmp_path / "release.csv").read_text().splitlines()
    true = (tmp_path / "table.csv").read_text().splitlines()
    for rows, said in (
        ([*lines[:-1]], "another number of rows than the table, 9 and not 10"),
        ([lines[0], lines[2].replace("*", "x"), *lines[3:]], "row 1, column"),
        ([lines[0], true[1], *lines[2:]], "has not at least 3 rows"),
        ([lines[0], lines[1].replace("*", "x", 1), *lines[2:]], "row 1, column"),
    ):
        (tmp_path / "changed.csv").write_text("\n".join(rows) + "\n")
        with pytest.raises(check_anoptima.Rejected, match=said):
            check_anoptima.check(*given)
    data = json.loads((tmp_path / "proof.json").read_text())
    data["claim"]["bound"] = [53, 1]
    data["proof"]["value"] = 53
    (tmp_path / "proof.json").write_text(json.dumps(data))
    assert check_anoptima.check(given[0], given[1], str(tmp_path / "release.csv")).endswith(
        "from 53 to 54, a gap of 1."
    )


def test_a_table_with_missing_values_is_numbered_as_its_texts_are(tmp_path: Path) -> None:
    chance = random.Random(1)
    rows = [[chance.choice((None, "u", "v", "w")) for _ in range(4)] for _ in range(14)]
    table = ao.Table.from_frame(pd.DataFrame(rows, columns=list("abcd"), dtype=object), list("abcd"))
    answer = ao.solve(ao.CellSuppression(table, ao.KAnonymity(3)), "sifting")
    ao.save_proof(answer, tmp_path / "proof.json")
    (tmp_path / "table.csv").write_text(table_text(table))
    found = check_anoptima.check(str(tmp_path / "table.csv"), str(tmp_path / "proof.json"))
    assert f"costs {answer.cost} stars or more" in found
    with Checker() as checker:
        assert checker.says(table=tmp_path / "table.csv", proof=tmp_path / "proof.json")[0] == VERIFIED
    read = ao.Table.read_csv(tmp_path / "table.csv", list("abcd"))
    assert read.types.tolist() == table.types.tolist()


def test_a_damaged_archive_is_malformed(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(b"".join(b"%d,%d\n" % (row * row, row) for row in range(300))))
    packed[40:60] = bytes(byte ^ 0x5A for byte in packed[40:60])
    (tmp_path / "t.csv.gz").write_bytes(packed)
    with pytest.raises(check_anoptima.Malformed, match="cannot be read as a CSV file"):
        check_anoptima.Rows(str(tmp_path / "t.csv.gz"), None)


def test_the_code_says_the_verdict_where_there_is_no_output(
    tmp_path: Path, ten: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "table.csv").write_text(table_text(ten.problem.table))
    ao.save_proof(ten, tmp_path / "proof.json")
    monkeypatch.setattr(sys, "stdout", None)
    assert check_anoptima.main([str(tmp_path / "table.csv"), str(tmp_path / "proof.json")]) == 0
