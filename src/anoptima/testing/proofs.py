"""What every kind of proof promises (`proofs.kinds`), asked of proofs for problems that are small enough to try everything."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.proofs.kinds import WrittenProof, proof_as_json, proof_from_json
from anoptima.testing.checks import Check, Checklist, demand, demand_true
from anoptima.testing.examples import describe, optimum
from anoptima.testing.proof_examples import Case, proofs_of

MOST = 4
"""How many proofs of a kind are looked at."""

CHANGES = 400
"""How many changes of a proof are tried."""

_FRACTION = re.compile(r"-?\d{1,20}(/0*[1-9]\d{0,19})?")

checklist: Checklist[tuple[Case, ...]] = Checklist()


def check_proof(kind: type[WrittenProof], *cases: Case) -> Iterator[Check]:
    """Yield a check of every promise that a kind of proof makes, on given problems with proofs, or else on those of `proof_examples`.

    The problems must be small enough to try every solution.

    >>> from anoptima.proofs.hitting import HittingProof
    >>> next(check_proof(HittingProof))().state.value
    'green'
    """
    return checklist.of(kind.kind, cases or proofs_of(kind.kind)[:MOST])


NONE = "nothing here gives one; `check_proof(kind, (problem, proof), ...)` checks those that it is given"


@checklist("it is written down and read back")
def is_written(cases: tuple[Case, ...]) -> str | None:
    """As JSON, with the same bound."""
    for problem, proof in cases:
        again = proof_from_json(json.loads(json.dumps(proof_as_json(proof))))
        demand(
            again.proved(problem) == proof.proved(problem), f"{describe(problem)}: read back, it proves another bound"
        )
    return None if cases else NONE


@checklist("it proves no more than is true")
def is_true(cases: tuple[Case, ...]) -> str | None:
    """Its value is what it proves, and no solution costs less."""
    for problem, proof in cases:
        proved = proof.proved(problem)
        demand_true(proved >= proof.value, f"{describe(problem)}: it is to prove {proof.value}, and proves {proved}")
        _require_true(problem, proved, _least(problem))
    return None if cases else NONE


@checklist("changed, it is refused or proves no more than is true")
def stands_changes(cases: tuple[Case, ...]) -> str | None:
    """One number at a time, fractions that are written as texts among them."""
    for problem, proof in cases:
        data, least = json.loads(json.dumps(proof_as_json(proof))), _least(problem)
        for _, changed in zip(range(CHANGES), _changed(data), strict=False):
            _require_true(problem, _proved(problem, changed), least)
    return None if cases else NONE


@checklist("for another problem, it is refused or proves no more than is true")
def stands_others(cases: tuple[Case, ...]) -> str | None:
    """Every proof is held against the other cases' problems."""
    for other, _ in cases:
        least = _least(other)
        for _, proof in cases:
            _require_true(other, _proved(other, proof_as_json(proof)), least)
    return None if cases else NONE


def _proved(problem: Problem[Any], data: Any) -> Exact | None:
    try:
        return proof_from_json(data).proved(problem)
    except BadInput:
        return None


def _least(problem: Problem[Any]) -> Exact:
    """Return the optimum of a problem that is small enough to find it by trying everything."""
    best = optimum(problem)
    demand(
        best is not None, f"{describe(problem)} has no solution, or too many to try them all; give a smaller problem"
    )
    assert best is not None
    return best


def _require_true(problem: Problem[Any], proved: Exact | None, best: Exact) -> None:
    wrong = f"{describe(problem)}: it proves {proved}, and a solution costs {best}"
    demand_true(proved is None or proved <= best, wrong)


def _changed(data: Any) -> Iterator[Any]:
    """Yield copies of plain data with one number one more, one less, or ten times as large."""
    for path, number in _numbers(data, ()):
        for new in (number + 1, number - 1, 10 * number):
            whole = copy.deepcopy(data)
            place = whole
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = new if isinstance(new, int) else str(new)
            yield whole


def _numbers(data: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Exact]]:
    if type(data) is int:
        yield path, data
    elif isinstance(data, str) and _FRACTION.fullmatch(data):
        yield path, Fraction(data)
    elif isinstance(data, dict | list):
        for step, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _numbers(value, (*path, step))
