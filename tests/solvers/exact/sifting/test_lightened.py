"""Heavy weights: whatever they are, the engine answers, and neither its cost nor its bound is on the wrong side of the optimum."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from fractions import Fraction

import pandas as pd
import pytest

import anoptima as ao
from anoptima.errors import BadInput
from anoptima.proofs.kinds import proof_as_json, proof_from_json
from anoptima.proofs.rounded import RoundedProof
from anoptima.solvers.exact.sifting.lightened import unit_of
from tests import brute_force
from tests.sizing import asked

ILL = [1, 2, 3, 5]
SPACES: list[tuple[ao.Space, Callable[[Sequence[Hashable]], brute_force.Distance]]] = [
    (ao.EqualDistance(), lambda _: brute_force.equal_distance),
    (ao.Numeric(), brute_force.numeric_distance),
    (ao.Ordered(ILL), lambda _: brute_force.ordered_distance(ILL)),
    (
        ao.Hierarchical({"a": [1, 2], "b": [3, 5]}),
        lambda _: brute_force.tree_distance({"a": [1, 2], "b": [3, 5]}),
    ),
]


def question(chance: random.Random) -> tuple[ao.CellSuppression, Fraction | None]:
    """Return a tiny question with weights of up to 16 digits, many or few of them apart, and its optimum."""
    rows, columns = chance.randint(4, 6), chance.randint(1, 3)
    names = [f"q{j}" for j in range(columns)]
    cells = [tuple(chance.randint(0, 2) for _ in names) for _ in range(rows)]
    ill = [chance.choice(ILL[: chance.randint(2, 4)]) for _ in range(rows)]
    weights = [Fraction(int(10 ** chance.uniform(0, chance.choice([3, 9, 12, 15.95]))) or 1) for _ in names]
    if chance.random() < 0.2:
        weights = [weight / chance.randint(1, 9) for weight in weights]
    space, distance = chance.choice(SPACES)
    k, t = chance.randint(2, 3), chance.choice(["1/10", "3/10", "1/2"])
    members: dict[str, tuple[ao.Principle, brute_force.Rule]] = {
        "k": (ao.KAnonymity(k), brute_force.k_anonymous(k)),
        "l": (ao.LDiversity("3/2", column="ill"), brute_force.frequency_diverse(ill, Fraction(3, 2))),
        "d": (ao.LDiversity(2, column="ill", version="distinct"), brute_force.distinct_diverse(ill, 2)),
        "t": (ao.TCloseness(t, column="ill", space=space), brute_force.close(ill, Fraction(t), distance(ill))),
    }
    chosen = [members[letter] for letter in chance.choice(["k", "l", "d", "t", "t", "kt", "lt", "kd"])]
    principle = chosen[0][0]
    for other, _ in chosen[1:]:
        principle = principle & other
    frame = pd.DataFrame(cells, columns=names).assign(ill=ill)
    table = ao.Table.from_frame(frame, names, "ill", weights=dict(zip(names, weights, strict=True)))
    best = brute_force.best_partition(cells, weights, brute_force.all_of(rule for _, rule in chosen))
    return ao.CellSuppression(table, principle), None if best is None else best[0]


@pytest.mark.slow
def test_no_weight_makes_it_fail() -> None:
    exact, near, heavy = 0, 0, 0
    for seed in range(asked(10, 24)):
        problem, best = question(random.Random(seed))
        if best is None:
            continue
        answer = ao.solve(problem, "sifting", time_limit=10)
        assert answer.cost is not None, seed
        assert answer.bound is not None, seed
        assert answer.bound.value <= best <= answer.cost, seed
        assert not answer.verify().wrong, seed
        heavy += unit_of(problem) > 1
        exact += answer.claim is ao.Claim.OPTIMAL
        near += answer.cost == best
    assert heavy >= asked(2, 5)
    assert exact >= asked(5, 12)
    assert near >= exact


def heavy_problem(weight: int) -> ao.CellSuppression:
    table = ao.ten_rows()
    return ao.CellSuppression(
        ao.Table.from_frame(table.frame, table.quasi, weights=dict.fromkeys(table.quasi, weight)), ao.KAnonymity(3)
    )


def test_a_common_factor_is_no_weight() -> None:
    problem = heavy_problem(2**53)
    assert unit_of(problem) == 2**53
    answer = ao.solve(problem, "sifting")
    assert (answer.claim, answer.cost, answer.proved) == (ao.Claim.OPTIMAL, 54 * 2**53, 54 * 2**53)
    assert answer.run.notes == ()
    assert isinstance(answer.proof, RoundedProof)
    assert proof_from_json(proof_as_json(answer.proof)) == answer.proof


def test_a_proof_by_lighter_weights_proves_no_more_than_it_says() -> None:
    problem = heavy_problem(10**12)
    proof = ao.solve(problem, "sifting").proof
    assert isinstance(proof, RoundedProof)
    assert proof.proved(problem) == 54 * 10**12
    for wrong, words in (
        (replace(proof, value=54 * 10**12 + 1), "the lighter weights prove 54,000,000,000,000, not 54,000,000,000,001"),
        (
            replace(proof, unit=10**12 + 1),
            "the weights are rounded to 1000000000001; that must be from 1 to 1000000000000",
        ),
        (replace(proof, unit=0), "the weights are rounded to 0"),
        (replace(proof, unit=10**11), "the proof is about another table"),
        (replace(proof, digest="0"), "the proof is about another table"),
    ):
        with pytest.raises(BadInput, match=words):
            wrong.proved(problem)


def test_what_is_lost_by_rounding_is_said() -> None:
    frame = pd.DataFrame({"a": [1, 1, 2, 3], "b": [1, 2, 2, 1]})
    table = ao.Table.from_frame(frame, ["a", "b"], weights={"a": 2**53, "b": 2**53 - 1})
    answer = ao.solve(ao.CellSuppression(table, ao.KAnonymity(2)), "sifting", time_limit=10)
    assert answer.bound is not None
    assert answer.cost is not None
    assert answer.bound.value <= answer.cost == 4 * 2**53
    assert answer.claim is ao.Claim.OPTIMAL or "weights were rounded down to multiples of" in answer.run.notes[0]
