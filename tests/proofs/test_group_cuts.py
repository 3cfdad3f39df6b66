"""The proof by worths and cuts under principles: never above the optimum whatever its numbers, and the same to three checkers."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import anoptima as ao
from anoptima.documents.proofs import proof_document
from anoptima.errors import BadInput
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.cuts import Cut, Term
from anoptima.proofs.group_cuts import GroupCutsProof
from anoptima.proofs.records import Ground
from tests.loops import each
from tests.proof_agreement import VERIFIED, Judge, Proved
from tests.proofs.javascript import Checker
from tests.solvers.exact.sifting.cases_under_rules import optimum_of, problem_of


def random_proof(problem: CellSuppression, chance: random.Random, d: int = 3) -> GroupCutsProof:
    """Return a proof with small worths and prices, of cuts with random sets and terms of all sorts."""
    records = len({*zip(*_codes(problem), strict=True)})
    walk = Ground(problem)
    classes = [on.types[on.owner == place].tolist() for on in walk.patterns() for place in range(len(on.start))]
    cuts = [cut for _ in range(4) if (cut := _random_cut(problem, walk, classes, chance)) is not None]
    most = d * (sum(walk.weights) + 1)
    return GroupCutsProof(
        0,
        problem.table.digest,
        problem.principle.as_json(),
        d,
        tuple(chance.randint(-1, most) for _ in range(records)),
        tuple(cuts),
        tuple(chance.randint(0, d) for _ in cuts),
    )


def _codes(problem: CellSuppression) -> list[list[Any]]:
    table = problem.table
    named = {name for condition in problem.principle.conditions(table) for name in condition.columns}
    return [table.frame[name].tolist() for name in [*table.quasi, *(c for c in table.sensitive if c in named)]]


def _random_cut(problem: CellSuppression, walk: Ground, classes: list[list[int]], chance: random.Random) -> Cut | None:
    records, copies, names = len(walk.copies), walk.copies.tolist(), problem.table.quasi
    chosen = sorted(chance.sample(range(records), chance.randint(1, records)))
    divisor = chance.randint(2, min(5, problem.table.rows))
    if sum(copies[r] for r in chosen) % divisor == 0:
        return None
    terms: dict[tuple[frozenset[str], int], Term] = {}
    for members in chance.sample(classes, min(3, len(classes))):
        same = (walk.codes[members] == walk.codes[members[0]]).all(axis=0)
        kept = frozenset(name for name, agrees in zip(names, same, strict=True) if agrees)
        # The closed pattern of these records may match more of them.
        all_members = [r for r in range(records) if (walk.codes[r] == walk.codes[members[0]])[same].all()]
        inside = chance.random() < 0.5
        able = [r for r in all_members if (r in chosen) == inside]
        if sum(copies[r] for r in all_members) >= walk.k:
            its = tuple(sorted(chance.sample(able, chance.randint(0, len(able)))))
            terms[kept, all_members[0]] = Term(kept, all_members[0], inside, its)
    return Cut(tuple(chosen), divisor, tuple(terms.values()))


@each("seed", range(50))
def test_nothing_proves_more_than_the_optimum(seed: int) -> None:
    problem, chance = problem_of(seed, 6), random.Random(seed)
    most = optimum_of(problem) * problem.cost_scale
    for _ in range(6):
        proof = random_proof(problem, chance)
        assert proof.proves(problem) <= most, proof


def test_three_checkers_prove_the_same_number(tmp_path: Path) -> None:
    positive = 0
    with Checker() as node:
        for seed in range(50):
            problem, chance = problem_of(seed, 6), random.Random(seed)
            judge = Judge(tmp_path, problem.table, node)
            for _ in range(3):
                proof = random_proof(problem, chance, d=1)
                value = proof.proves(problem)
                if value < 0:
                    continue
                positive += value > 0
                for claimed in (value, value + 1):
                    answer: Any = Proved(problem, replace(proof, value=problem.unscale(claimed)))
                    document = json.loads(json.dumps(proof_document(answer)))
                    alone, why = judge.alone(document)
                    said, words = judge.javascript()
                    assert (alone == VERIFIED) == (said == VERIFIED), (seed, why, words, document)
                    # anoptima's own checker may prove less at equal distance, and never more.
                    assert alone == VERIFIED or claimed > value, (seed, why, document)
                    if "equal" not in json.dumps(document["problem"]):
                        assert (alone == VERIFIED) == (claimed == value), (seed, why, document)
    assert positive > 20


def test_what_does_not_hold_is_said() -> None:
    problem = CellSuppression(ao.ten_rows(), ao.LDiversity(2))
    nothing = GroupCutsProof(
        0, problem.table.digest, problem.principle.as_json(), 1, (0,) * 10, (Cut((0, 1, 2), 2),), (0,)
    )
    assert nothing.proved(problem) == 0
    for wrong, complaint in (
        (replace(nothing, value=1), "prove 0, not 1"),
        (replace(nothing, prices=()), "one price a cut"),
        (replace(nothing, prices=(-1,)), "none below 0"),
        (replace(nothing, prices=(2**61,)), "64 bits"),
        (replace(nothing, denominator=0), "at least 1"),
        (replace(nothing, digest="0" * 64), "another table"),
        (replace(nothing, principle=ao.KAnonymity(9).as_json()), "another principle"),
        (replace(nothing, worth=(0,) * 9), "9 worths for 10 records"),
        (replace(nothing, cuts=(Cut((0, 1), 2),)), "rounds nothing"),
        (replace(nothing, cuts=(Cut((0, 1, 2), 11),)), "from 2 to"),
        (replace(nothing, cuts=(Cut((0, 1, 10), 2),)), "no set of row types"),
    ):
        with pytest.raises(BadInput, match=complaint):
            wrong.proved(problem)


def test_cuts_of_no_use_are_left_out() -> None:
    problem = CellSuppression(ao.ten_rows(), ao.LDiversity(2))
    cuts = (Cut((0, 1, 2), 2), Cut((3, 4, 5), 2))
    proof = GroupCutsProof(0, problem.table.digest, problem.principle.as_json(), 1, (1,) * 10, cuts, (0, 0))
    assert proof.simplified(problem).cuts == ()
