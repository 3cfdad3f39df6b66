from __future__ import annotations

import time
from pathlib import Path

import pytest

from anoptima.proofs import check_anoptima
from tests.cli.conftest import Run


def test_the_fewest_columns_that_tell_rows_apart(run: Run, patients: Path) -> None:
    said = run("keys", patients, "--quasi", "age,sex,disease")
    assert said.code == 0
    assert said.out.startswith("OPTIMAL  1 column")
    assert "columns: age; proved here, with no solver: no choice costs less than 1" in said.out
    assert "auto chose hitting-set" in said.out


def test_weights_count(run: Run, patients: Path) -> None:
    document = run(
        "keys", patients, "--quasi", "age,sex,disease,name", "--weight", "age=1", "--weight", "name=1/2", "--json"
    ).json
    assert (document["solution"], document["cost"], document["claim"]) == (["name"], "1/2", "optimal")
    assert document["table"]["weights"]["name"] == "1/2"


def test_witness_columns_and_their_absence(run: Run, patients: Path) -> None:
    document = run("keys", patients, "--quasi", "sex,disease", "-k", 2, "--json").json
    assert (document["k"], document["solution"]) == (2, ["disease"])
    said = run("keys", patients, "--quasi", "sex", "-k", 3)
    assert said.code == 1
    assert "all columns together are no witness set: k = 3 and the smallest class on them has 3 rows" in said.out


def test_every_solver_finds_as_few(run: Run, patients: Path) -> None:
    costs = {
        solver: run("keys", patients, "--quasi", "zip,sex,disease", "--solver", solver, "--json").json["cost"]
        for solver in ("auto", "pair-differences/highs", "pair-differences/cp-sat", "greedy-descent")
    }
    assert set(costs.values()) == {1}


def test_bad_input(run: Run, patients: Path) -> None:
    said = run("keys", patients, "--quasi", "age", "-k", "two")
    assert (said.code, said.err) == (2, "anoptima: k is 'two'; it must be a whole number\n")
    said = run("keys", patients, "--quasi", "age", "-k", 0)
    assert (said.code, said.err) == (2, "anoptima: k is 0; it must be at least 1\n")
    said = run("keys", patients, "--quasi", "age", "--solver", "pattern/highs")
    assert said.code == 2
    assert "pattern" in said.err


def test_all_minimal_sets_and_the_maximal_others(run: Run, patients: Path) -> None:
    document = run("keys", patients, "--quasi", "zip,sex,disease", "--all", "--json").json
    assert document["complete"]
    assert document["keys"]
    fewest = run("keys", patients, "--quasi", "zip,sex,disease", "--json").json["cost"]
    assert min(map(len, document["keys"])) == len(document["keys"][0]) == fewest
    said = run("keys", patients, "--quasi", "zip,sex,disease", "--all")
    assert ": all there are, proved here\n" in said.out
    assert len(said.out.splitlines()) == 1 + len(document["keys"])
    one = run("keys", patients, "--quasi", "zip,sex,disease", "-k", 2, "--all", "--most", 1, "--json").json
    assert len(one["keys"]) == 1
    said = run("keys", patients, "--quasi", "sex", "--most", 1)
    assert (said.code, said.err) == (2, "anoptima: --most is for --all, which is not given\n")
    said = run("keys", patients, "--quasi", "sex", "--all", "--proof", patients.parent / "proof.json")
    assert said.code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("--solver", "hitting-set"),
        ("--start", "none"),
        ("--option", "presolve=on"),
        ("--log", "-"),
        ("--gap", "0.1"),
        ("--threads", "1"),
        ("--memory", "1G"),
        ("--checkpoint", "c.json"),
    ],
)
@pytest.mark.usefixtures("patients")
def test_what_has_no_effect_on_a_list_of_all_is_refused(run: Run, words: tuple[str, str]) -> None:
    said = run("keys", "patients.csv", "--quasi", "sex,zip", "--all", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err == f"anoptima: {words[0]} would have no effect beside --all; leave it out\n"


@pytest.mark.usefixtures("patients")
def test_a_list_of_all_keeps_its_limit_and_says_whether_it_was_checked_again(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("keys", "patients.csv", "--quasi", "zip,sex,disease", "--all")
    assert run(*words, "--time-limit", 60, "--json").json["checked"]
    said = run(*words, "--time-limit", 0)
    assert said.out.splitlines()[0].endswith(", stopped: time, not checked again")
    # Where none was found in time, the answer is no, as elsewhere.
    assert said.code == int(said.out.startswith("0 minimal keys"))

    def endless(*given: object) -> None:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr("anoptima.proofs.key_families.KeyFamilies.check", endless)
    began = time.monotonic()
    document = run(*words, "--time-limit", 1, "--json").json
    assert time.monotonic() - began < 10
    assert (document["complete"], document["checked"]) == (True, False)
    assert run(*words, "--time-limit", 0.5).out.splitlines()[0].endswith(": all there are, not checked again")


@pytest.mark.usefixtures("patients")
def test_control_c_while_a_list_is_checked_shows_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("anoptima.proofs.key_families.KeyFamilies.check", interrupted)
    said = run("keys", "patients.csv", "--quasi", "zip,sex,disease", "--all")
    assert said.code == 0
    assert "not checked again" in said.out


def test_keys_for_a_share_of_the_rows_and_ratios(run: Run, patients: Path) -> None:
    whole = run("keys", patients, "--quasi", "zip,sex,disease", "--share", "1/10", "--json").json
    assert (whole["share"], whole["claim"], whole["k"]) == ("1/10", "optimal", None)
    assert set(whole["ratios"]) == {"separation", "distinct"}
    assert "separation ratio " in run("keys", patients, "--quasi", "zip,sex,disease", "--share", "0.1").out
    assert run("keys", patients, "--quasi", "zip,sex,disease", "--share", "0.1", "--all", "--json").json["complete"]
    proof = patients.parent / "share.json"
    assert run("keys", patients, "--quasi", "zip,sex,disease", "--share", "0.5", "--proof", proof).code == 0
    assert run("verify", patients, proof).out.startswith("VERIFIED")
    assert check_anoptima.check(str(patients), str(proof)).startswith("VERIFIED: no columns")
    said = run("keys", patients, "--quasi", "sex", "--share", 2)
    assert (said.code, said.err) == (2, "anoptima: the share is 2; it must be above 0 and at most 1\n")
