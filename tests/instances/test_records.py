from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import IO, Any

import pytest

import anoptima as ao
from anoptima.documents.proofs import proof_document, proof_text
from anoptima.documents.writing import Lock, atomic
from anoptima.instances import records, solving
from anoptima.instances.library import instances
from anoptima.instances.records import Finding, Record, Submission, digest_of, examined, record_of, submit
from tests.processes import PATIENCE
from tests.sizing import IS_DEEP

PROBLEM = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
BEST = ao.solve(PROBLEM)
GREEDY = ao.solve(PROBLEM, "peel")
PROOF = proof_text(proof_document(BEST))
NAME = "ten-rows-k3"

MOST_ROWS = 2_000

LONGEST = () if IS_DEEP else ("wide-12x50-k3", "wide-24x20-k3", "wide-24x50-k3", "wide-48x20-k3", "wide-48x50-k3")
"""Their proofs take more than half of the time of all; other tables of their family have proofs of the same kinds."""


@pytest.mark.slow
def test_every_record_of_up_to_2000_rows_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the record has a proof, that alone is tried first; where it does not suffice, what the problem proves by itself counts, too."""
    states: dict[str, int] = {}
    monkeypatch.setattr("anoptima.instances.families.census.census", cache(ao.census))
    for known in instances.all():
        record = known.record
        rows = record.stated.get("problem", {}).get("size", {}).get("rows", 0)
        if rows <= MOST_ROWS and known.name not in LONGEST:
            finding = None
            if record.proof_path is not None:
                with monkeypatch.context() as patches:
                    patches.setattr("anoptima.problems.levels.WORK", 10_000)
                    finding = examined(record, known.load())
            if finding is None or finding.bound != record.bound:
                finding = examined(record, known.load())
            assert not finding.wrong, known.name
            assert record.bound in (None, finding.bound), known.name
            states[finding.status] = states.get(finding.status, 0) + 1
    assert states["proved"] > 100
    assert set(states) <= {"proved", "bracketed", "feasible", "open", "infeasible"}


@pytest.mark.usefixtures("weak_bound")
def test_a_record_grows_by_what_is_better_and_by_nothing_else(tmp_path: Path) -> None:
    def state() -> tuple[object, object, str]:
        finding = examined(record_of(NAME, tmp_path), PROBLEM)
        return finding.cost, finding.bound, finding.status

    assert state() == (None, PROBLEM.lower_bound(), "open")
    assert len(submit(PROBLEM, NAME, Submission(GREEDY.solution, by="peel", seconds=0.1), tmp_path)) == 2
    assert state() == (58, 52, "bracketed")
    assert submit(PROBLEM, NAME, Submission(BEST.solution, PROOF, "auto"), tmp_path) == [
        "ten-rows-k3: 54 stars of 80 cells, was 58",
        "ten-rows-k3: nothing costs less than 54",
    ]
    assert state() == (54, 54, "proved")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.json")}
    assert submit(PROBLEM, NAME, Submission(GREEDY.solution, PROOF), tmp_path) == []
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.json")} == before
    assert [(entry["what"], entry["value"]) for entry in record_of(NAME, tmp_path).history] == [
        ("best", 58),
        ("bound", 52),
        ("best", 54),
        ("bound", 54),
    ]


@pytest.mark.usefixtures("weak_bound")
@pytest.mark.parametrize("known", [None, GREEDY.solution], ids=["the first", "a better one"])
@pytest.mark.parametrize("written", [1, 2, 3])
def test_a_record_that_was_written_in_part_is_completed_by_who_sends_it_again(
    written: int, known: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if known is not None:
        submit(PROBLEM, NAME, Submission(known), tmp_path)
    sent = Submission(BEST.solution, PROOF, "auto")
    with monkeypatch.context() as patched:
        parts = list[Path]()

        def until_the_power_fails(path: Path) -> AbstractContextManager[IO[bytes]]:
            parts.append(path)
            if len(parts) > written:
                raise SystemExit("the power failed")
            return atomic(path)

        patched.setattr(records, "atomic", until_the_power_fails)
        with pytest.raises(SystemExit):
            submit(PROBLEM, NAME, sent, tmp_path)
    assert not examined(record_of(NAME, tmp_path), PROBLEM).wrong
    submit(PROBLEM, NAME, Submission(GREEDY.solution), tmp_path)
    assert examined(record_of(NAME, tmp_path), PROBLEM).cost == 54, "what is worse took its place"
    submit(PROBLEM, NAME, sent, tmp_path)
    record = record_of(NAME, tmp_path)
    assert (record.cost, record.bound, examined(record, PROBLEM).status) == (54, 54, "proved")
    assert submit(PROBLEM, NAME, sent, tmp_path) == []


@pytest.mark.parametrize(("first", "second"), [(GREEDY, BEST), (BEST, GREEDY)], ids=["the better one", "the worse one"])
def test_of_two_who_submit_at_once_the_better_one_stays(
    first: ao.Answer[Any], second: ao.Answer[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken(record: Record, problem: Any) -> Finding:
        found = examined(record, problem)
        monkeypatch.undo()
        submit(PROBLEM, NAME, Submission(first.solution, by="first"), tmp_path)
        return found

    monkeypatch.setattr(records, "examined", overtaken)
    submit(PROBLEM, NAME, Submission(second.solution, by="second"), tmp_path)
    record = record_of(NAME, tmp_path)
    assert (record.cost, examined(record, PROBLEM).cost) == (54, 54)
    entered = [entry["by"] for entry in record.history if entry["what"] == "best"]
    assert entered == (["first", "second"] if first is GREEDY else ["first"])
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_who_submits_while_another_writes_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")
    comes, take, said = threading.Event(), fcntl.flock, list[str]()

    def flock(*asked: Any) -> None:
        comes.set()
        take(*asked)

    writing = Lock(tmp_path / NAME)
    monkeypatch.setattr(fcntl, "flock", flock)
    sender = threading.Thread(target=lambda: said.extend(submit(PROBLEM, NAME, Submission(BEST.solution), tmp_path)))
    sender.start()
    assert comes.wait(PATIENCE)
    writing.release()
    sender.join(PATIENCE)
    assert said[0] == f"{NAME}: 54 stars of 80 cells"


@pytest.mark.parametrize("first", ["history.json", "best.json"])
def test_a_record_that_is_written_while_it_is_read_is_not_wrong(
    first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit(PROBLEM, NAME, Submission(GREEDY.solution), tmp_path)
    read = Record._read

    def overtaken(record: Record, part: str, *asked: Any) -> Any:
        found = read(record, part, *asked)
        if part == first:
            monkeypatch.undo()
            submit(PROBLEM, NAME, Submission(BEST.solution, PROOF), tmp_path)
        return found

    monkeypatch.setattr(Record, "_read", overtaken)
    assert examined(record_of(NAME, tmp_path), PROBLEM).wrong == ()


def test_a_solution_is_kept_whose_proof_is_too_large_for_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MOST_BYTES", 300)
    monkeypatch.setattr(solving, "MOST_BYTES", 300)
    assert solving.solve_for_record(instances.get("uniform-12-k2"), "sifting", folder=tmp_path)
    record = record_of("uniform-12-k2", tmp_path)
    assert record.cost is not None
    assert record.proof_path is None


def test_what_does_not_hold_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    two = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)))
    with pytest.raises(ao.BadInput, match="no solution of ten-rows-k3"):
        submit(PROBLEM, NAME, Submission(two.solution), tmp_path)
    with pytest.raises(ao.BadInput, match="less than 55"):
        submit(PROBLEM, NAME, Submission(proof=PROOF.replace('"value": 54', '"value": 55')), tmp_path)
    other = ao.solve(ao.CellSuppression(ao.instance("uniform-12-k2").load().table, ao.KAnonymity(2)))  # type: ignore[attr-defined]
    with pytest.raises(ao.BadInput, match="another table"):
        submit(PROBLEM, NAME, Submission(proof=proof_text(proof_document(other))), tmp_path)
    with pytest.raises(ao.BadInput):
        submit(PROBLEM, NAME, Submission(proof="{}"), tmp_path)
    assert not list(tmp_path.rglob("*.json"))


def test_a_proof_for_a_weaker_principle_is_no_proof_here(tmp_path: Path) -> None:
    weaker = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)))
    stronger = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4)))
    submit(PROBLEM, NAME, Submission(BEST.solution, proof_text(proof_document(weaker))), tmp_path)
    assert examined(record_of(NAME, tmp_path), PROBLEM).bound <= 54
    with pytest.raises(ao.BadInput):
        submit(PROBLEM, NAME, Submission(proof=proof_text(proof_document(stronger))), tmp_path)


@pytest.mark.usefixtures("weak_bound")
def test_a_record_that_was_tampered_with_is_found_out(tmp_path: Path) -> None:
    submit(PROBLEM, NAME, Submission(BEST.solution, PROOF), tmp_path)
    folder = tmp_path / NAME
    changes: tuple[tuple[str, Callable[[Any], object], str], ...] = (
        ("best.json", lambda data: data["solution"]["labels"].__setitem__(0, 99), "row"),
        ("history.json", lambda data: data[0].__setitem__("value", 53), "the history says 53"),
        ("instance.json", lambda data: data.__setitem__("digest", "0"), "another instance"),
        (
            "history.json",
            lambda data: data[1].__setitem__("value", 55),
            "the history says that nothing costs less than 55",
        ),
        ("best.json", lambda data: data.clear(), "best.json is no whole part of a record: 'solution' is not in it"),
        ("best.json", lambda data: data["solution"].clear(), "best.json is no part of a record that makes sense"),
        ("bound.json", lambda data: data.clear(), "bound.json is no proof that can be read here"),
        (
            "history.json",
            lambda data: data[0].pop("by"),
            "history.json is no whole part of a record: 'by' is not in it",
        ),
        ("history.json", lambda data: data.__setitem__(0, 1), "history.json is no part of a record that makes sense"),
        (
            "instance.json",
            lambda data: data.__setitem__("problem", 3),
            "instance.json is no part of a record that makes sense",
        ),
    )
    for part, change, says in changes:
        whole = (folder / part).read_text()
        data = json.loads(whole)
        change(data)
        (folder / part).write_text(json.dumps(data))
        finding = examined(record_of(NAME, tmp_path), PROBLEM)
        assert finding.status == "wrong", part
        assert says in finding.wrong[0], finding.wrong
        (folder / part).write_text(whole)
    assert examined(record_of(NAME, tmp_path), PROBLEM).status == "proved"


def test_a_refused_proof_is_not_called_by_the_name_of_a_file_that_nobody_wrote(tmp_path: Path) -> None:
    with pytest.raises(ao.BadInput, match=r"^the proof is no proof that can be read here"):
        submit(PROBLEM, NAME, Submission(proof="{}"), tmp_path)


def test_columns_keys_and_points_have_records(tmp_path: Path) -> None:
    for problem in (
        ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(2)),
        ao.instance("patients-key").load(),
        ao.FakePoints([(Fraction(1, 3),), (2,)], k=2),
    ):
        answer = ao.solve(problem)
        submit(problem, "one", Submission(answer.solution), tmp_path / problem.name)
        record = record_of("one", tmp_path / problem.name)
        assert problem.cost(record.solution(problem)) == answer.cost
        assert record.stated["digest"] == digest_of(problem)


def test_seconds_of_a_history_stay_numbers(tmp_path: Path) -> None:
    for solution, seconds in ((GREEDY.solution, 1.25), (BEST.solution, 2.5)):
        submit(PROBLEM, NAME, Submission(solution, by="test", seconds=seconds), tmp_path)
    history = json.loads((tmp_path / NAME / "history.json").read_text(encoding="utf-8"))
    assert [entry["seconds"] for entry in history if entry["what"] == "best"] == [1.25, 2.5]
