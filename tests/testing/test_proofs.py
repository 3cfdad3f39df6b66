"""Kinds of proofs keep what they promise; one that proves too much is told so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import pytest

import anoptima as ao
from anoptima.exact import Exact, simplest
from anoptima.problems.base import Problem
from anoptima.proofs.kinds import proof_kinds
from anoptima.testing import State, Verdict, check_proof
from anoptima.testing.proof_examples import proofs_of


def problem() -> ao.CellSuppression:
    frame = ao.ten_rows().frame.head(6)
    return ao.CellSuppression(ao.Table.from_frame(frame, quasi=ao.ten_rows().quasi[:3]), ao.KAnonymity(2))


def test_every_kind_of_ours_keeps_its_promises_on_proofs_that_say_something() -> None:
    for kind in proof_kinds.all():
        cases = proofs_of(kind.kind)
        assert any(proof.proved(problem) > 0 for problem, proof in cases), kind.kind
        assert {check.require().state for check in check_proof(kind)} == {State.GREEN}


def test_a_kind_is_checked_on_what_is_given() -> None:
    asked = problem()
    proof: Any = ao.solve(asked, "subset-dp").proof
    states = [check.require().state for check in check_proof(type(proof), (asked, proof))]
    assert states == [State.GREEN] * 4


@dataclass(frozen=True)
class Oath:
    """Proves whatever it says."""

    kind: ClassVar[str] = "oath"
    value: int

    def proved(self, problem: Problem[Any]) -> Exact:
        return self.value

    def as_json(self) -> dict[str, Any]:
        return {"value": self.value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(data["value"])


def test_one_that_proves_too_much_is_a_false_claim() -> None:
    proof_kinds.add(Oath)
    try:
        asked = problem()
        best = ao.solve(asked).cost
        assert isinstance(best, int)

        def verdicts(value: int) -> list[Verdict]:
            return [check() for check in check_proof(Oath, (asked, Oath(value)))]

        assert [verdict.state.value for verdict in verdicts(best)] == ["green", "green", "red", "green"]
        assert verdicts(best)[2].reason.startswith("a false claim: ")
        assert f"it proves {best + 1}, and a solution costs {best}" in verdicts(best)[2].words
        assert [verdict.state.value for verdict in verdicts(best + 1)] == ["green", "red", "red", "red"]
    finally:
        proof_kinds.remove("oath")
    with pytest.raises(ao.BadInput):
        proof_kinds.get("oath")


@dataclass(frozen=True)
class WrittenOath(Oath):
    """One whose number is a text, as fractions are written."""

    kind: ClassVar[str] = "written-oath"

    def as_json(self) -> dict[str, Any]:
        return {"value": f"{2 * self.value}/2"}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(simplest(Fraction(data["value"])))  # type: ignore[arg-type]


def test_fractions_in_texts_are_changed_too() -> None:
    proof_kinds.add(WrittenOath)
    try:
        asked = problem()
        best = ao.solve(asked).cost
        assert isinstance(best, int)
        verdicts = [check() for check in check_proof(WrittenOath, (asked, WrittenOath(best)))]
        assert [verdict.state.value for verdict in verdicts] == ["green", "green", "red", "green"]
        assert f"it proves {best + 1}, and a solution costs {best}" in verdicts[2].words
    finally:
        proof_kinds.remove("written-oath")
