"""Instances of every family keep what they promise; one that does not is told which promise, and how."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import anoptima as ao
from anoptima.instances import records
from anoptima.instances.library import Instance, by_family
from anoptima.instances.records import Submission, submit
from anoptima.testing import State, Verdict, check_instance


def verdicts(instance: Instance) -> dict[str, Verdict]:
    return {check.name: check() for check in check_instance(instance)}


def red(instance: Instance) -> list[str]:
    return [verdict.words for verdict in verdicts(instance).values() if verdict.state is State.RED]


def test_the_smallest_of_every_family_keeps_its_promises() -> None:
    for members in by_family().values():
        small = [one for one in members if "census" not in one.name][:1]
        for check in itertools.chain.from_iterable(map(check_instance, small)):
            assert check.require().state is State.GREEN


def question(number: int = 0) -> ao.CellSuppression:
    frame = ao.ten_rows().frame.iloc[number : number + 6]
    return ao.CellSuppression(ao.Table.from_frame(frame, quasi=ao.ten_rows().quasi), ao.KAnonymity(2))


def test_what_an_instance_gets_wrong_is_said() -> None:
    good = Instance("mine", "six of ten rows", question, "the ten rows")
    assert not red(good)
    assert verdicts(good)["its record holds"].words == "it has no record"
    assert red(replace(good, about="")) == ["`about` must be a line of text, and is ''"]
    turn = itertools.count()
    assert red(replace(good, making=lambda: question(next(turn) % 4))) == [
        "made twice, it is two problems; draw from a seed that is fixed"
    ]
    nothing: Any = lambda: SimpleNamespace()  # noqa: E731
    assert "`load` must make a problem, and makes a SimpleNamespace" in red(replace(good, making=nothing))


def test_a_record_of_another_problem_is_a_false_claim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "records_folder", lambda: tmp_path)
    problem = question()
    submit(problem, "mine", Submission(ao.solve(problem).solution, by="me"), tmp_path)
    good = Instance("mine", "six of ten rows", question, "the ten rows")
    assert verdicts(good)["its record holds"].state is State.GREEN
    other = Instance("mine", "others of ten rows", lambda: question(4), "the ten rows")
    verdict = verdicts(other)["its record holds"]
    assert verdict.state is State.RED
    assert verdict.reason == "a false claim: it is about another instance than mine: the digest is another"
