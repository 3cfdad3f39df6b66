from __future__ import annotations

import json
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from anoptima.cli import conform
from anoptima.errors import BadInput, SolverFailure
from anoptima.testing.checks import Broken, Check, Untrue, Verdict
from anoptima.testing.suites import SUITES, Suite
from tests.cli.conftest import Run


@dataclass(frozen=True)
class Thing:
    name: str


def refusing() -> str:
    return "it does not claim that"


def breaking() -> None:
    raise Broken("it did not\n  keep its word")


def lying() -> None:
    raise Untrue("it claims 7, and it is 8")


def checks_of(thing: Thing) -> Iterator[Check]:
    """Of what is called 'highs' a promise is refused, of what is called 'cp-sat' one is broken, and one a lie."""
    yield Check(thing.name, "it says what it is", lambda: None)
    yield Check(thing.name, "a limit", refusing if thing.name == "highs" else breaking)
    if thing.name != "highs":
        yield Check(thing.name, "an optimum", lying)


def on_each_other(backends: Iterable[Thing] | None, models: Iterable[Thing] | None) -> Iterator[Check]:
    for model in models or map(Thing, ("one", "another")):
        for backend in backends or map(Thing, ("highs", "cp-sat")):
            yield Check(
                model.name, backend.name, breaking if (model.name, backend.name) == ("one", "highs") else refusing
            )


def suite(kind: str, *names: str) -> Suite:
    def get(name: str) -> Thing:
        if name == "moon":
            raise SolverFailure("moon", "the backend at moon:Moon cannot be loaded")
        if name not in names:
            raise BadInput(f"there is no {kind} named {name!r}")
        return Thing(name)

    return Suite(kind, lambda: [*names], get, checks_of)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    suites = (suite("backend", "highs", "cp-sat"), suite("model", "one", "highs"), suite("solver", "cp-sat"))
    monkeypatch.setattr(conform, "SUITES", {one.kind: one for one in suites})
    monkeypatch.setattr(conform, "check_table", on_each_other)


@pytest.mark.usefixtures("few")
def test_one_thing_is_a_list(run: Run) -> None:
    said = run("conform", "--backend", "cp-sat")
    assert said.code == 1
    assert said.err == ""
    assert said.out == (
        "it says what it is  green\n"
        "a limit             red      a bug: it did not keep its word\n"
        "an optimum          red      a false claim: it claims 7, and it is 8\n"
        "\n"
        "1 green, 0 refused, 2 red (1 a false claim, 1 a bug)\n"
    )


@pytest.mark.usefixtures("few")
def test_a_name_is_looked_for_among_all_kinds(run: Run) -> None:
    kinds = {check["kind"] for check in run("conform", "highs", "--json").json["checks"]}
    assert kinds == {"backend", "model"}


@pytest.mark.usefixtures("few")
def test_several_are_a_table(run: Run) -> None:
    said = run("conform", "--backend", "*")
    assert said.out == (
        "backend             highs  cp-sat\n"
        "it says what it is  green  green\n"
        "a limit             -      RED\n"
        "an optimum                 RED\n"
        "\n"
        "red, because:\n"
        "  a limit (cp-sat): a bug: it did not keep its word\n"
        "  an optimum (cp-sat): a false claim: it claims 7, and it is 8\n"
        "\n"
        "refused, because:\n"
        "  a limit (highs): it does not claim that\n"
        "\n"
        "2 green, 1 refused, 2 red (1 a false claim, 1 a bug)\n"
    )


@pytest.mark.usefixtures("few")
def test_everything_ends_with_models_on_backends(run: Run) -> None:
    said = run("conform", "--all")
    assert said.code == 1
    assert said.out.endswith(
        "model  highs  cp-sat\n"
        "one    RED    -\n"
        "highs  -      -\n"
        "\n"
        "red, because:\n"
        "  one on highs: a bug: it did not keep its word\n"
        "\n"
        "refused, because:\n"
        "  all on cp-sat: it does not claim that\n"
        "  highs on highs: it does not claim that\n"
        "\n"
        "5 green, 5 refused, 7 red (3 a false claim, 4 a bug)\n"
    )


@pytest.mark.usefixtures("few")
def test_everything_is_narrowed_by_what_is_named(run: Run) -> None:
    def kinds(*words: str) -> list[tuple[str, str]]:
        checks = run("conform", "--all", "--json", *words).json["checks"]
        return sorted({(check["kind"], check["subject"]) for check in checks})

    assert kinds("--model", "one") == [("model", "one"), ("model on backend", "one")]
    assert kinds("--backend", "highs") == [("backend", "highs"), *(("model on backend", m) for m in ("another", "one"))]
    both = run("conform", "--all", "--model", "one", "--backend", "cp-sat", "--json").json["checks"]
    assert [check["check"] for check in both if check["kind"] == "model on backend"] == ["cp-sat"]
    assert kinds("--solver", "*") == [("solver", "cp-sat")]


def test_many_checks_of_many_things_are_numbered(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def many(thing: Thing) -> Iterator[Check]:
        return (Check(thing.name, f"promise number {n}", refusing if n == 3 else lambda: None) for n in range(1, 4))

    names = [f"a-thing-with-a-long-name-{letter}" for letter in "abcdefgh"]
    monkeypatch.setattr(conform, "SUITES", {"model": Suite("model", lambda: names, Thing, many)})
    said = run("conform", "--model", "*")
    assert said.out.startswith(
        "model                       1      2      3\na-thing-with-a-long-name-a  green  green  -\n"
    )
    assert " 3  promise number 3\n\nrefused, because:\n  promise number 3 (all): it does not claim that\n" in said.out


@pytest.mark.usefixtures("few")
def test_the_document(run: Run) -> None:
    document = run("conform", "--backend", "cp-sat", "--json").json
    assert document["conforms"] is False
    assert document["checks"][2] == {
        "kind": "backend",
        "subject": "cp-sat",
        "check": "an optimum",
        "state": "red",
        "fault": "a false claim",
        "words": "it claims 7, and it is 8",
    }


@pytest.mark.usefixtures("few")
def test_an_interrupted_run_goes_on_from_its_results(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, tried = tmp_path / "results.jsonl", []

    def count(check: Check) -> Verdict:
        tried.append((check.subject, check.name))
        return CALL(check)

    monkeypatch.setattr(Check, "__call__", count)
    words = ("conform", "--all", "--results", str(file))
    first = run(*words)
    lines = file.read_text().splitlines()
    assert len(tried) == len(lines) > 5
    red = [line for line in lines if '"state": "red"' in line]
    tried.clear()
    second = run(*words)
    assert (second.out, second.code) == (first.out, first.code)
    assert len(tried) == len(red) > 0
    # One line was cut off in the middle, and one is of another version.
    left = [line.replace('"version": "', '"version": "0.0.', 1) for line in lines[:1]] + lines[1:3]
    file.write_text("\n".join(left) + "\n" + lines[3][:20])
    tried.clear()
    assert run(*words).out == first.out
    known = sum('"state": "red"' not in line for line in lines[1:3])
    assert len(tried) == len(lines) - known
    assert all(json.loads(line) for line in file.read_text().splitlines())
    file.write_text("zip,age\n")
    said = run(*words)
    assert (said.code, "line 1 of" in said.err) == (2, True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_run_and_not_one_check(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    went_on: list[str] = []

    def interrupted() -> None:
        try:
            signal.raise_signal(number)
        except KeyboardInterrupt:
            went_on.append("in the check")

    def checks(thing: Thing) -> Iterator[Check]:
        yield Check(thing.name, "one", lambda: None)
        yield Check(thing.name, "two", interrupted)
        yield Check(thing.name, "three", lambda: went_on.append("after the check"))

    monkeypatch.setattr(conform, "SUITES", {"model": Suite("model", lambda: ["m"], Thing, checks)})
    before, file = {one: signal.getsignal(one) for one in (signal.SIGINT, number)}, tmp_path / "results.jsonl"
    for one in before:
        signal.signal(one, signal.default_int_handler)
    try:
        said, unkept = run("conform", "m", "--results", str(file)), run("conform", "m")
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
    assert (said.code, unkept.code, went_on, said.out) == (130, 130, [], "")
    done = "anoptima: interrupted; 1 of 3 checks were done; "
    assert said.err.splitlines()[-1] == f"{done}{file} has their results, and the next run goes on"
    assert unkept.err.splitlines()[-1] == f"{done}--results FILE would have kept their results"
    assert [json.loads(line)["check"] for line in file.read_text().splitlines()] == ["one"]


CALL = Check.__call__


@pytest.mark.usefixtures("few")
def test_progress_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from anoptima.cli import live, main

    shown: list[Any] = []
    monkeypatch.setattr(live.PlainLines, "__call__", lambda self, progress: shown.append(progress.phase))
    main(["conform", "--backend", "cp-sat"])
    assert shown == [
        "0 of 3 done; cp-sat: it says what it is",
        "1 of 3 done; cp-sat: a limit",
        "2 of 3 done; cp-sat: an optimum",
    ]
    main(["conform", "--backend", "cp-sat", "--quiet"])
    assert len(shown) == 3
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", ["attributes", "peel", "k-anonymity-to-t-closeness", "hierarchical"])
def test_one_of_each_kind(run: Run, name: str) -> None:
    said = run("conform", name, "--quiet")
    assert said.code == 0, said.out
    assert said.out.endswith("0 refused, 0 red\n")


@pytest.mark.parametrize("words", [(), ("highs", "--all"), ("highs", "--model", "pattern")])
def test_what_is_to_be_checked_is_said_once(run: Run, words: tuple[str, ...]) -> None:
    said = run("conform", *words)
    assert said.code == 2
    assert said.err.startswith("anoptima: give ")
    assert "NAME of what is to be checked, or --all" in said.err


def test_an_unknown_name(run: Run) -> None:
    said = run("conform", "gurobi")
    assert said.code == 2
    assert said.err.startswith("anoptima: there is no backend named 'gurobi'; did you mean pyomo:")
    assert said.err.endswith(f"; nor is there a {', '.join([*SUITES][1:-1])} or {[*SUITES][-1]} of that name\n")
    said = run("conform", "--model", "moon*")
    assert said.code == 2
    assert said.err.startswith("anoptima: no model has a name like 'moon*'; there are anchor-rows, ")


@pytest.mark.usefixtures("few")
def test_a_plugin_that_does_not_load(run: Run) -> None:
    said = run("conform", "moon")
    assert (said.code, said.err) == (3, "anoptima: moon: the backend at moon:Moon cannot be loaded\n")
