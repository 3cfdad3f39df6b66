"""Files at the edge of the format: the three checkers say the same of them, in a sentence, and soon."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import anoptima as ao
from anoptima.cli import main
from anoptima.documents.proofs import PROOF_SCHEMA, proof_document, proof_text
from anoptima.proofs import check_anoptima
from tests.processes import PATIENCE
from tests.proofs import javascript

NO_CUTS: dict[str, list[object]] = {"cuts": [], "potentials": []}
HELD = pd.DataFrame({"a": ["*", "x", "y"], "b": ["1", "1", "1"]})


@pytest.fixture
def table(tmp_path: Path) -> Path:
    HELD.to_csv(tmp_path / "table.csv", index=False)
    return tmp_path / "table.csv"


def verdicts(table: Path, proof: Path) -> list[str]:
    """Return the last lines of both checkers that stand alone."""
    command: list[str | Path] = [sys.executable, check_anoptima.__file__, table, proof]
    python = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    said = javascript.run(table, proof, timeout=PATIENCE)
    assert python.stderr == said.stderr == ""
    assert python.returncode == said.returncode
    return [python.stdout.splitlines()[-1], said.stdout.splitlines()[-1]]


def test_columns_may_be_chosen_of_a_table_that_holds_stars(table: Path, tmp_path: Path) -> None:
    answer = ao.solve(ao.IdentifyingColumns(ao.Table.read_csv(table, ["a", "b"])))
    proof = tmp_path / "proof.json"
    proof.write_text(proof_text(proof_document(answer)))
    assert [said.split(":")[0] for said in verdicts(table, proof)] == ["VERIFIED"] * 2
    assert main(["verify", str(table), str(proof)]) == 0


def test_cells_cannot_be_starred_beside_stars(table: Path, tmp_path: Path) -> None:
    free = HELD.replace("*", "z")
    answer = ao.solve(ao.CellSuppression(ao.Table.from_frame(free, ["a", "b"]), ao.KAnonymity(3)))
    stated = proof_document(answer)
    held = ao.solve(ao.IdentifyingColumns(ao.Table.read_csv(table, ["a", "b"])))
    stated["table"]["digest"] = proof_document(held)["table"]["digest"]
    proof = tmp_path / "proof.json"
    proof.write_text(proof_text(stated))
    assert [said.split(":")[0] for said in verdicts(table, proof)] == ["MALFORMED"] * 2


@pytest.mark.parametrize("text", ['"' + '\\"' * 60_000, '"' + '\\"' * 60_000 + "\\"], ids=["odd", "even"])
def test_a_text_that_does_not_end_is_found_in_one_pass(table: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "proof.json").write_text(text)
    assert [said.split(":")[0] for said in verdicts(table, tmp_path / "proof.json")] == ["MALFORMED"] * 2


def test_half_a_letter_in_a_digest_is_written_as_a_number(table: Path, tmp_path: Path) -> None:
    answer = ao.solve(ao.IdentifyingColumns(ao.Table.read_csv(table, ["a", "b"])))
    stated = proof_document(answer)
    stated["table"]["digest"] = "\ud800"
    (tmp_path / "proof.json").write_text(json.dumps(stated, separators=(",", ":"), sort_keys=True))
    assert [said.split(":")[0] for said in verdicts(table, tmp_path / "proof.json")] == ["REJECTED"] * 2


@pytest.mark.parametrize(("packed", "said"), [(True, "MALFORMED"), (False, "VERIFIED")])
def test_a_table_is_not_packed_whatever_its_name(table: Path, tmp_path: Path, packed: bool, said: str) -> None:
    proof = tmp_path / "proof.json"
    proof.write_text(proof_text(proof_document(ao.solve(ao.IdentifyingColumns(ao.Table.read_csv(table, ["a", "b"]))))))
    content = table.read_bytes()
    (tmp_path / "table.csv.gz").write_bytes(gzip.compress(content) if packed else content)
    assert [words.split(":")[0] for words in verdicts(tmp_path / "table.csv.gz", proof)] == [said] * 2


def test_a_release_without_rows_does_not_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is a table as a file, so all three say what is wrong with it as a release."""
    frame = pd.DataFrame({"a": list("xxyy")})
    frame.to_csv(tmp_path / "table.csv", index=False)
    answer = ao.solve(ao.CellSuppression(ao.Table.from_frame(frame, ["a"]), ao.KAnonymity(2)))
    (tmp_path / "proof.json").write_text(proof_text(proof_document(answer)))
    (tmp_path / "release.csv").write_text("a\n")
    paths = [str(tmp_path / name) for name in ("table.csv", "proof.json", "release.csv")]
    with pytest.raises(check_anoptima.Rejected, match="another number of rows"):
        check_anoptima.check(*paths)
    with javascript.Checker() as checker:
        files = {"table": paths[0], "proof": paths[1], "release": paths[2]}
        assert checker.says(**{name: Path(path) for name, path in files.items()})[0] == "rejected"
    assert main(["verify", paths[0], paths[2], paths[1]]) == 1
    assert "the release has 0 rows, the table 4" in capsys.readouterr().out


@pytest.mark.parametrize("content", ["", "a,b\n"], ids=["nothing", "a header"])
def test_a_table_without_rows_is_malformed(table: Path, tmp_path: Path, content: str) -> None:
    proof = tmp_path / "proof.json"
    proof.write_text(proof_text(proof_document(ao.solve(ao.IdentifyingColumns(ao.Table.read_csv(table, ["a", "b"]))))))
    table.write_text(content)
    assert [said.split(":")[0] for said in verdicts(table, proof)] == ["MALFORMED"] * 2


def stated_on(
    table: pd.DataFrame, quasi: list[str], problem: object, proof: object, bound: int, folder: Path
) -> list[str]:
    """Return what both checkers say of a proof that is written by hand."""
    table.to_csv(folder / "table.csv", index=False)
    names = [*quasi, *(name for name in table.columns if name not in quasi)]
    digest = check_anoptima.digest_of(names, [table[name].tolist() for name in names], len(quasi))
    stated = {"digest": digest, "quasi": quasi, "sensitive": names[len(quasi) :], "weights": [[1, 1]] * len(quasi)}
    claim = {"bound": [bound, 1]}
    whole = {
        "schema": check_anoptima.VERSION,
        "about": {},
        "problem": problem,
        "table": stated,
        "claim": claim,
        "proof": proof,
    }
    (folder / "proof.json").write_text(json.dumps(whole))
    return [said.split(":")[0] for said in verdicts(folder / "table.csv", folder / "proof.json")]


def whole_rows_of(values: list[str], t: list[int], space: str, worth: int) -> tuple[pd.DataFrame, object, object]:
    """Return a table of two equal halves, what is asked of it, and a proof by whole rows with a worth where all rows are one group."""
    table = pd.DataFrame({"q": [str(row % 2) for row in range(len(values))], "s": values})
    condition = {"kind": "t-closeness", "t": t, "column": "s", "space": {"kind": space}}
    low, high = ({"worth": [its] * len(values), "prices": [], "limited": []} for its in (0, worth))
    tree = {"kept": [], "example": 0, "value": None, "most": 0, "low": low, "high": high}
    parts = {"denominator": 1, "reach": None, "whole": True, **NO_CUTS, "tree": tree}
    return table, {"name": "cell-suppression", "principle": [condition]}, {"kind": "cases", "value": 0, **parts}


def test_worths_may_be_larger_than_any_float(tmp_path: Path) -> None:
    table, problem, proof = whole_rows_of(["x", "y"], [0, 1], "equal", 10**350)
    assert stated_on(table, ["q"], problem, proof, 0, tmp_path) == ["VERIFIED"] * 2


def test_a_line_may_have_thousands_of_values(tmp_path: Path) -> None:
    table, problem, proof = whole_rows_of(list(map(str, range(2_100))), [1, 1], "numeric", 0)
    assert stated_on(table, ["q"], problem, proof, 0, tmp_path) == ["VERIFIED"] * 2


def test_boxes_may_lie_anywhere_in_a_domain_of_boxes(tmp_path: Path) -> None:
    """A domain of lower corners from 0 to 1 is tested from 0 on, where a test box holds but one of these points."""
    problem = {"name": "fake-boxes", "k": 2, "regime": "primal", "domain": [[[0, 1], [1, 1]]]}
    tree = {"shares": [[[[1, 2]], [], 1]], "prices": []}
    proof = {"kind": "box-shares", "value": 1, "denominator": 2, "tree": tree}
    table = pd.DataFrame({"x": ["0", "9/10"]})
    assert stated_on(table, ["x"], problem, proof, 1, tmp_path) == ["VERIFIED"] * 2
    assert main(["verify", str(tmp_path / "table.csv"), str(tmp_path / "proof.json")]) == 0


def verified_by_all_three(folder: Path) -> bool:
    """Tell whether the package verifies what `stated_on` wrote, too."""
    return main(["verify", str(folder / "table.csv"), str(folder / "proof.json")]) == 0


@pytest.mark.parametrize(("rows", "said"), [(23, "VERIFIED"), (24, "BEYOND THE LIMITS"), (32, "BEYOND THE LIMITS")])
def test_every_set_of_rows_is_looked_at_and_counts(tmp_path: Path, rows: int, said: str) -> None:
    """All rows are one group, so there are few pairs of a set and a group in it, but 2^n sets."""
    table = pd.DataFrame({"a": [str(row % 2) for row in range(rows)]})
    proof = {"kind": "all-partitions", "value": 1}
    assert stated_on(table, ["a"], {"name": "diameter-sum", "k": rows - 3}, proof, 1, tmp_path) == [said] * 2
    assert verified_by_all_three(tmp_path) == (said == "VERIFIED")


def short_rows(worth: list[int], value: int) -> dict[str, object]:
    """Return a short proof by worths of rows, without cases and sets."""
    end = {"worth": worth, "prices": list[int]()}
    return {"kind": "row-cases", "value": value, "denominator": 1, "sets": [], "tree": end}


@pytest.mark.parametrize(
    ("values", "k", "said"),
    [
        (["same"] * 40 + [f"{row}" for row in range(20)], 50, "VERIFIED"),
        (["same"] * 505, 500, "REJECTED"),
        (["same"] * 1_203, 1_200, "REJECTED"),
    ],
    ids=["too few are equal", "500 are equal", "1,200 are equal"],
)
def test_large_groups_are_left_out_soon_or_found(tmp_path: Path, values: list[str], k: int, said: str) -> None:
    """Of 40 equal rows that gain together, 50 are not tried; groups of hundreds of rows take no call for each row."""
    problem = {"name": "cell-suppression", "principle": [{"kind": "k-anonymity", "k": k}]}
    proof = short_rows([1] * len(values), len(values))
    assert stated_on(pd.DataFrame({"a": values}), ["a"], problem, proof, len(values), tmp_path) == [said] * 2
    assert verified_by_all_three(tmp_path) == (said == "VERIFIED")


@pytest.mark.parametrize(("value", "said"), [(80, "VERIFIED"), (81, "REJECTED")])
def test_an_own_bound_out_of_reach_is_seen_soon(tmp_path: Path, value: int, said: str) -> None:
    """Two rows differ in all of 40 columns; no set of fewer columns makes them pay less, and there are 2^40 such sets."""
    table = pd.DataFrame({f"c{column}": ["x", "y"] for column in range(40)})
    problem = {"name": "cell-suppression", "principle": [{"kind": "k-anonymity", "k": 2}]}
    proof = {"kind": "own-bound", "value": value}
    assert stated_on(table, [*table], problem, proof, value, tmp_path) == [said] * 2
    assert verified_by_all_three(tmp_path) == (said == "VERIFIED")


def test_thousands_of_places_on_a_line_take_little_memory(tmp_path: Path) -> None:
    """No list of values is kept for each step of a line."""
    table = pd.DataFrame({"a": ["x"] * 5_000, "s": [str(row) for row in range(5_000)]})
    condition = {"kind": "t-closeness", "t": [1, 1], "column": "s", "space": {"kind": "numeric"}}
    problem = {"name": "cell-suppression", "principle": [condition]}
    stated_on(table, ["a"], problem, {"kind": "own-bound", "value": 0}, 0, tmp_path)
    files = [tmp_path / "table.csv", tmp_path / "proof.json"]
    command: list[str | Path] = [javascript.node(), "--max-old-space-size=100", javascript.CHECK, *files]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.stdout.splitlines()[-1].startswith("VERIFIED")


def test_the_package_says_where_lengths_are_too_large_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of whole rows, it counts what groups pay in 64 bits; the other checkers take lengths of any size."""
    values = ["0", "0", "1", "1", "2", "2", "1" + "0" * 19, "1" + "0" * 19]
    condition = {"kind": "t-closeness", "t": [0, 1], "column": "s", "space": {"kind": "numeric"}}
    parts = {"denominator": 1, "reach": None, "whole": True, **NO_CUTS}
    end = {"worth": [1] * 4, "prices": list[int](), "limited": list[int]()}
    proof = {"kind": "cases", "value": 0, **parts, "tree": end}
    table = pd.DataFrame({"a": list("xxyyxxyy"), "s": values})
    problem = {"name": "cell-suppression", "principle": [condition]}
    assert stated_on(table, ["a"], problem, proof, 0, tmp_path) == ["VERIFIED"] * 2
    assert not verified_by_all_three(tmp_path)
    assert "the distances are too large for sums of them to be counted in 64 bits" in capsys.readouterr().out


def test_potentials_count_where_no_distribution_is_too_far(tmp_path: Path) -> None:
    """At equal distance and t = 1 there are no slots: potentials raise what groups gain, and so prove less than none."""
    table = pd.DataFrame({"q": ["0", "1", "0", "1"], "s": ["x", "x", "y", "y"]})
    condition = {"kind": "t-closeness", "t": [1, 1], "column": "s", "space": {"kind": "equal"}}
    problem = {"name": "cell-suppression", "principle": [condition]}
    end: dict[str, object] = {"worth": [1] * 4, "prices": [], "limited": []}
    raised = {"part": 0, "kept": [0], "example": 0, "values": [2, 0]}
    for potentials, said in (([], "VERIFIED"), ([raised], "REJECTED")):
        parts = {"denominator": 1, "reach": None, "whole": False, "cuts": [], "potentials": potentials}
        proof = {"kind": "cases", "value": 0, **parts, "tree": end}
        assert stated_on(table, ["q"], problem, proof, 0, tmp_path) == [said] * 2
        assert verified_by_all_three(tmp_path) == (said == "VERIFIED")


@pytest.mark.parametrize("forks", [300, 490])
@pytest.mark.parametrize("condition", ["k-anonymity", "distinct-l-diversity", "t-closeness"])
def test_hundreds_of_cases_lie_in_each_other(tmp_path: Path, condition: str, forks: int) -> None:
    """The format has room for 500 levels."""
    conditions: dict[str, dict[str, object]] = {
        "k-anonymity": {"k": 2},
        "distinct-l-diversity": {"l": 2, "column": "s"},
        "t-closeness": {"t": [0, 1], "column": "s", "space": {"kind": "numeric"}},
    }
    asked = conditions[condition]
    records = 2 if condition == "k-anonymity" else 4
    end: dict[str, object] = {"worth": [0] * records, "prices": [], "limited": []}
    tree = end
    for _ in range(forks):
        tree = {"kept": [], "example": 0, "value": None, "most": 0, "low": end, "high": tree}
    parts = {"denominator": 1, "reach": None, "whole": "space" in asked, **NO_CUTS}
    proof = {"kind": "cases", "value": 0, **parts, "tree": tree}
    problem = {"name": "cell-suppression", "principle": [{"kind": condition, **asked}]}
    table = pd.DataFrame({"a": list("xxyy"), "s": list("1212")})
    assert stated_on(table, ["a"], problem, proof, 0, tmp_path) == ["VERIFIED"] * 2
    assert verified_by_all_three(tmp_path)


def test_hundreds_of_boxes_are_decided_on_one_after_the_other(tmp_path: Path) -> None:
    tree: dict[str, object] = {"shares": list[int](), "prices": [0] * 490}
    for fork in reversed(range(490)):
        few = {"shares": list[int](), "prices": [0] * (fork + 1)}
        tree = {"lower": [[fork, 1]], "upper": [[fork + 1, 1]], "most": 0, "few": few, "many": tree}
    problem = {"name": "fake-points", "k": 2, "regime": "unrestricted", "domain": None, "widths": [[1, 1]]}
    proof = {"kind": "box-shares", "value": 0, "denominator": 1, "tree": tree}
    assert stated_on(pd.DataFrame({"x": ["0"]}), ["x"], problem, proof, 0, tmp_path) == ["VERIFIED"] * 2
    assert verified_by_all_three(tmp_path)


def test_hundreds_of_columns_are_decided_on_one_after_the_other(tmp_path: Path) -> None:
    names = [f"c{column}" for column in range(490)]
    tree: dict[str, object] = {"shares": list[int]()}
    for column in range(490):
        tree = {"column": column, "taken": {"shares": list[int]()}, "left": tree}
    proof = {"kind": "hitting-set", "value": 0, "barriers": [], "denominator": 1, "tree": tree}
    table = pd.DataFrame([["x"] * 490, ["y"] * 490], columns=names)
    assert stated_on(table, names, {"name": "identifying-columns"}, proof, 0, tmp_path) == ["VERIFIED"] * 2
    assert verified_by_all_three(tmp_path)


def test_where_all_values_are_rare_groups_have_as_many_as_the_shares_ask_for(tmp_path: Path) -> None:
    table = pd.DataFrame({"a": list("xxxyyyzz"), "b": list("ppqqppqq"), "s": list("uuuvvvuv")})
    condition = {"kind": "rare-values", "l": [2, 1], "column": "s", "values": ["u", "v"]}
    problem = {"name": "cell-suppression", "principle": [condition]}
    proof = {"kind": "own-bound", "value": 6}
    assert stated_on(table, ["a", "b"], problem, proof, 6, tmp_path) == ["VERIFIED"] * 2
    assert verified_by_all_three(tmp_path)


def test_a_cut_may_round_by_more_than_the_least_size_of_groups(tmp_path: Path) -> None:
    table = pd.DataFrame({"a": list("000111"), "b": list("012012")})
    cut = {"records": [0, 1, 2, 3, 4], "divisor": 4, "terms": list[int]()}
    end = {"worth": [1] * 6, "prices": [1], "limited": list[int]()}
    parts = {"denominator": 1, "reach": None, "whole": False, "cuts": [cut], "potentials": list[int]()}
    proof = {"kind": "cases", "value": 3, **parts, "tree": end}
    problem = {"name": "cell-suppression", "principle": [{"kind": "k-anonymity", "k": 2}]}
    assert stated_on(table, ["a", "b"], problem, proof, 3, tmp_path) == ["VERIFIED"] * 2
    assert verified_by_all_three(tmp_path)


def test_a_part_may_have_cuts_under_closeness(tmp_path: Path) -> None:
    table = pd.DataFrame({"a": list("001000"), "s": list("131101")})
    term = {"kept": [], "example": 0, "together": True, "records": [2]}
    cut = {"records": [0, 2], "divisor": 3, "terms": [term]}
    end = {"worth": [4, 0, 7, 2], "prices": [1], "limited": list[int]()}
    cases = {"denominator": 6, "reach": None, "whole": False, "cuts": [cut], "potentials": list[int](), "tree": end}
    part = {"columns": [0], "weights": [1], "unit": 1, "proof": {"kind": "cases", "value": 4, **cases}}
    condition = {"kind": "t-closeness", "t": [0, 1], "column": "s", "space": {"kind": "equal"}}
    problem = {"name": "cell-suppression", "principle": [condition, {"kind": "k-anonymity", "k": 1}]}
    proof = {"kind": "parts", "value": 4, "parts": [part]}
    assert stated_on(table, ["a"], problem, proof, 4, tmp_path) == ["VERIFIED"] * 2
    assert verified_by_all_three(tmp_path)


ODD_NUMBERS = ["+1", "1.", ".5", " 2", "1_0", "\uff11", "1/-2", "1/0", "1" * 401, "1e401", "0x1"]


@pytest.mark.parametrize("written", ODD_NUMBERS)
def test_a_number_is_written_as_the_format_says(
    tmp_path: Path, written: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is no number, or too long a one, is the same for all three: in a numeric column, and as a coordinate."""
    condition = {"kind": "t-closeness", "t": [1, 1], "column": "s", "space": {"kind": "numeric"}}
    problem: dict[str, object] = {"name": "cell-suppression", "principle": [condition]}
    table = pd.DataFrame({"a": list("xxyy"), "s": ["0", written, "3", "4"]})
    said = stated_on(table, ["a"], problem, {"kind": "own-bound", "value": 0}, 0, tmp_path)
    assert said[0] == said[1] in ("REJECTED", "BEYOND THE LIMITS")
    assert not verified_by_all_three(tmp_path)
    assert repr(written)[:10] in "".join(capsys.readouterr())
    problem = {"name": "fake-points", "k": 1, "regime": "unrestricted", "domain": None, "widths": [[1, 1]]}
    proof = {"kind": "box-shares", "value": 0, "denominator": 1, "tree": {"shares": [], "prices": []}}
    said = stated_on(pd.DataFrame({"x": ["0", written]}), ["x"], problem, proof, 0, tmp_path)
    assert said[0] == said[1] in ("REJECTED", "BEYOND THE LIMITS")
    assert not verified_by_all_three(tmp_path)
    assert repr(written)[:10] in "".join(capsys.readouterr())


@pytest.mark.parametrize("written", ["-1", "1.50", "2e+3", "2E-3", "-1/3", "007", "1/02"])
def test_numbers_may_be_written_in_these_ways(tmp_path: Path, written: str) -> None:
    condition = {"kind": "t-closeness", "t": [1, 1], "column": "s", "space": {"kind": "numeric"}}
    problem = {"name": "cell-suppression", "principle": [condition]}
    table = pd.DataFrame({"a": list("xxyy"), "s": ["0", written, "3", "4"]})
    proof = {"kind": "own-bound", "value": 0}
    assert stated_on(table, ["a"], problem, proof, 0, tmp_path) == ["VERIFIED"] * 2
    assert verified_by_all_three(tmp_path)


def test_numbers_that_the_format_does_not_have_are_proved_in_the_first_version(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": list("xxyy"), "s": ["+1", "2", "+1", "2"]})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["a"], "s"), ao.TCloseness("0.1", space=ao.Numeric()))
    assert proof_document(ao.solve(problem))["schema"] == PROOF_SCHEMA
    ao.save_proof(ao.solve(problem), tmp_path / "proof.json")
    assert ao.read_proof(tmp_path / "proof.json").proved(problem) == 0
