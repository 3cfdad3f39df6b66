"""Whatever a solver proves under whatever principles, the file of it is verified, by the package and by the checker that stands alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import anoptima as ao
from anoptima.proofs import check_anoptima
from tests.loops import each
from tests.sizing import asked

SOLVERS = ("auto", "sifting", "group-prices", "near-patterns", "simplex-matching", "bracketing")
PRINCIPLES: list[Callable[[random.Random], ao.Principle]] = [
    lambda chance: ao.KAnonymity(chance.choice([1, 2, 2, 3])),
    lambda chance: ao.LDiversity(chance.choice(["1", "2", "2", "3", "3/2", "40/13", "27/13"])),
    lambda chance: ao.LDiversity(chance.choice([1, 2, 3]), version="distinct"),
    lambda chance: ao.EntropyDiversity(chance.choice(["1", "2", "3/2"])),
    lambda chance: ao.RecursiveDiversity(chance.choice(["1", "2", "1/2", "0.37", "1.9"]), 2),
    lambda chance: ao.AlphaKAnonymity(
        chance.choice(["1", "1/2", "2/3", "1/3", "0.41", "17/50"]), chance.choice([1, 2, 3])
    ),
    lambda chance: ao.TCloseness(chance.choice(["0.2", "0.4", "1/2", "0.9", "1"])),
]


def question(chance: random.Random) -> ao.CellSuppression:
    rows, columns = chance.randrange(3, 17), chance.randrange(1, 5)
    names = [f"q{j}" for j in range(columns)]
    letters = {name: "abcd"[: chance.choice([2, 3, 4])] for name in (*names, "s")}
    frame = pd.DataFrame({name: chance.choices(some, k=rows) for name, some in letters.items()})
    weights = {name: chance.choice(["1", "2", "1/2"]) for name in names} if chance.random() < 1 / 3 else None
    principle = chance.choice(PRINCIPLES)(chance)
    for _ in range(chance.choice([0, 1, 1, 2])):
        principle = principle & chance.choice(PRINCIPLES)(chance)
    return ao.CellSuppression(ao.Table.from_frame(frame, names, ["s"], weights=weights), principle)


@each("seed", range(asked(100, 1_000)))
@pytest.mark.filterwarnings("ignore:the proof reaches")
def test_the_file_proves_what_the_answer_says(seed: int, tmp_path: Path) -> None:
    problem = question(random.Random(seed))
    table, proof = tmp_path / "table.csv", tmp_path / "proof.json"
    problem.table.frame.to_csv(table, index=False)
    for solver in SOLVERS:
        try:
            answer = ao.solve(problem, solver, time_limit=2)
        except ao.NotApplicable:
            continue
        if answer.claim is ao.Claim.INFEASIBLE:
            return
        assert not answer.verify().wrong, (solver, problem.principle)
        ao.save_proof(answer, proof)
        assert check_anoptima.check(str(table), str(proof)).startswith("VERIFIED"), (solver, problem.principle)
        read = ao.read_proof(proof)
        assert answer.cost is not None
        assert read.proof.proved(problem) == read.proof.value <= answer.cost, (solver, problem.principle)
