"""The library's champions and the families: the cost of each solver on them, the optimum, and the theorem."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from anoptima.documents.writing import atomic
from anoptima.errors import BadInput, SolverFailure
from anoptima.exact import Exact, exact_text
from anoptima.experiments.hunting.archive import Champion, HuntArchive
from anoptima.experiments.hunting.asked import EXACT, Asked, solved
from anoptima.experiments.hunting.score import Score
from anoptima.instances.champions import SCHEMA, KnownChampion, read_champions
from anoptima.instances.worst_cases import CASES, WorstCase
from anoptima.packages import pd
from anoptima.problems.base import Problem
from anoptima.solvers import algorithms
from anoptima.solvers.lookup import get_solver
from anoptima.solvers.solving import solve

T = TypeVar("T")

MOST_ROWS = 12
"""Up to this number of rows every optimum has a proof that tries all partitions again."""


def front(archive: HuntArchive) -> list[Champion]:
    """Return the champions that are worse than all with fewer rows, up to `MOST_ROWS`: those under a theorem first, then the others."""
    able = [one for one in archive.champions if one.size[1] <= MOST_ROWS and one.score > Score(1, 1)]
    able.sort(key=lambda one: one.size[1:])
    return [
        one
        for promised in (True, False)
        for one in _rising([(one.score, one.size[1], one) for one in able if (one.promised is not None) is promised])
    ]


def _rising(ranked: list[tuple[Score, int, T]]) -> list[T]:
    """Return of things with scores and numbers of rows, by rows, those that score more than all others with no more rows."""
    found: list[tuple[Score, int, T]] = []
    for score, rows, thing in ranked:
        if not found or score > found[-1][0]:
            if found and found[-1][1] == rows:
                found.pop()
            found.append((score, rows, thing))
    return [thing for _, _, thing in found]


def require_algorithm(quarry: str) -> None:
    """Raise `BadInput` unless the champions of a quarry can be kept: it must be an algorithm."""
    if quarry not in algorithms.names():
        raise BadInput(f"champions of algorithms are kept; this hunt was for {quarry}")


def keep(archive: HuntArchive, path: Path, command: str) -> int:
    """Put the front of an archive into a file of champions where it is worse than what is there; return how many came in.

    Solvers and optima are run again for both. A champion is dropped if one with no more rows scores at least as high.
    """
    solver = archive.quarry
    require_algorithm(solver)
    known = read_champions(path) if path.exists() else []
    stated = {"solver": solver, "asked": archive.asked.as_json()}
    new = [
        KnownChampion({**stated, **one.subject.as_json(), "theorem": one.promised is not None, "found": command})
        for one in front(archive)
    ]
    same = [one for one in known if one.solver == solver and one.data["asked"] == stated["asked"]]
    by_rows = sorted([*same, *new], key=lambda one: one.rows)
    best = [
        one
        for promised in (True, False)
        for one in _rising([(score_of(one), one.rows, one) for one in by_rows if is_promised(one) is promised])
    ]
    kept = [one for one in known if one not in same] + best
    kept.sort(key=lambda one: (one.solver, one.kind, str(one.principle), not is_promised(one), one.rows))
    lines = ",\n".join(json.dumps(one.data) for one in kept)
    with atomic(path) as stream:
        stream.write(f'{{"schema": "{SCHEMA}", "champions": [\n{lines}\n]}}\n'.encode())
    return sum(one in new for one in best)


def is_promised(known: KnownChampion) -> bool:
    """Tell whether a theorem covers a champion."""
    return get_solver(known.solver).ratio(known.problem()) is not None


def score_of(known: KnownChampion) -> Score:
    """Solve a champion by its solver and exactly."""
    asked, problem = Asked(known.kind, known.principle), known.problem()
    cost, _ = solved(get_solver(known.solver), problem)
    return Score(cost, asked.optimum(problem))


def known_frame(champions: list[KnownChampion]) -> pd.DataFrame:
    """Return, for each solver and question, the worst ratio among champions beside what the theorem says there."""
    worst: dict[tuple[str, str, bool], tuple[Score, KnownChampion]] = {}
    for known in champions:
        key = (known.solver, str(Asked(known.kind, known.principle)), is_promised(known))
        score = score_of(known)
        if key not in worst or score > worst[key][0]:
            worst[key] = score, known
    rows = []
    for (solver, asked, _), (score, known) in worst.items():
        rows.append({"solver": solver, "asked": asked, **_compared(score, known.problem(), solver), "rows": known.rows})
    return pd.DataFrame(rows)


def families_frame() -> pd.DataFrame:
    """Return every member of every family: what a solver pays, what an optimum costs, and who proved it."""
    rows = []
    for case in CASES:
        for size in case.sizes:
            problem = case.problem(size)
            proved_by = _proved(case, size, problem)
            for solver in case.solvers:
                cost, _ = solved(get_solver(solver), problem)
                score = Score(cost, case.optimum(size))
                rows.append(
                    {"family": case.name, "size": f"{case.knob}={size}", "solver": solver}
                    | _compared(score, problem, solver)
                    | {"proved by": proved_by, "shows": case.shows}
                )
    return pd.DataFrame(rows)


def _compared(score: Score, problem: Problem[Any], solver: str) -> dict[str, str]:
    theorem = get_solver(solver).ratio(problem)
    return {
        "cost": exact_text(score.of),
        "optimum": exact_text(score.over),
        "ratio": "unbounded" if score.value is None else exact_text(score.value),
        "theorem": "none" if theorem is None else exact_text(theorem),
        "share": "" if theorem is None or score.value is None else f"{float(Fraction(score.value) / theorem):.0%}",
    }


def _proved(case: WorstCase, size: int, problem: Problem[Any]) -> str:
    """Return who proved that the optimum of a member is what its family says; `SolverFailure` if it is not."""
    expected: Exact = case.optimum(size)
    exact = get_solver(EXACT[problem.name])
    if exact.why_not(problem) is None:
        cost, bound = solved(exact, problem)
        name = exact.name
    else:
        answer = solve(problem, proof=True)
        cost, bound, name = answer.cost or 0, 0 if answer.bound is None else answer.bound.value, answer.solver
    if not cost == bound == expected:
        raise SolverFailure(
            name, f"proved {bound} and found {cost} for {case.name} {size}, whose optimum is {expected}"
        )
    return name
