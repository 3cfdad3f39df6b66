"""`auto` beside every solver: `python -m benchmarks.auto --limits 2,10,60 --results auto.jsonl`.

Asks every question of `benchmarks.auto_questions` of every solver that is for it and of `auto`, within each time limit, and appends each
answer to a file as a line of JSON. A run that was interrupted goes on where it ended, and a solver that has proved its optimum is not asked
again with more time. Then, by limit, it prints the regret of `auto`: the share of the optima that the best single solver proved and `auto`
did, too, and in how many questions its cost and its gap are near the best ones. Exits with 1 if `auto` is worse than what is asked of it.

`--questions`, `--solvers` choose by patterns such as 'cells census-30*' and 'sifting,*/highs'; `--report` prints what the file has.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from fractions import Fraction
from pathlib import Path

import anoptima as ao
from anoptima.errors import AnoptimaError
from benchmarks.auto_questions import Question, questions
from benchmarks.measure import print_table

PROOFS, NEAR = Fraction(97, 100), Fraction(95, 100)
"""The shares that `auto` must reach: of optima proved, and of questions in which its cost and its gap are near the best."""
COST, GAP, WORST = Fraction(1005, 1000), Fraction(12, 10), Fraction(105, 100)
"""How far its cost and its gap may be above the best to be near them, and how far its cost may be at most."""
WARM_UP_S = 1.0
"""Seconds for which `auto` is asked every question once, uncounted."""


@dataclass(frozen=True)
class Result:
    """One answer; numbers as texts, so that they stay exact."""

    question: str
    solver: str
    limit: float
    claim: str
    cost: str | None
    bound: str | None
    origin: str | None
    seconds: float
    reason: str

    @property
    def is_proved(self) -> bool:
        """Whether its cost is claimed to be the least."""
        return self.claim == "OPTIMAL"

    @property
    def exact_cost(self) -> Fraction | None:
        """The cost as a number."""
        return None if self.cost is None else Fraction(self.cost)

    @property
    def exact_bound(self) -> Fraction | None:
        """The bound as a number."""
        return None if self.bound is None else Fraction(self.bound)


def ask(question: Question, solver: str, limit: float) -> Result:
    """Ask one solver one question; what it fails with is the reason."""
    try:
        answer = ao.solve(question.make(), solver, time_limit=limit)
    except AnoptimaError as error:
        return Result(question.name, solver, limit, "FAILED", None, None, None, 0.0, str(error))
    bound = answer.bound
    return Result(
        question.name,
        solver,
        limit,
        answer.claim.name,
        None if answer.cost is None else str(Fraction(answer.cost)),
        None if bound is None else str(Fraction(bound.value)),
        None if bound is None else bound.origin.value,
        round(answer.run.seconds, 3),
        answer.reason,
    )


def read(path: Path) -> list[Result]:
    """Return the results of earlier runs."""
    if not path.exists():
        return []
    return [Result(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def run(some: Iterable[Question], patterns: Sequence[str], limits: Sequence[float], path: Path) -> None:
    """Ask what has not been asked yet, and append each answer to the file."""
    known = {(result.question, result.solver, result.limit) for result in read(path)}
    proved = {(result.question, result.solver): result.limit for result in read(path) if result.is_proved}
    for question in some:
        # Whoever is asked first would load the loops and work out what a table keeps; so auto answers once without being counted.
        ao.solve(question.make(), time_limit=WARM_UP_S)
        names = ["auto", *(solver.name for solver in ao.solvers_for(question.make()))]
        for name in names:
            if not any(fnmatch(name, pattern) for pattern in patterns):
                continue
            for limit in limits:
                before = proved.get((question.name, name))
                if (question.name, name, limit) in known or (before is not None and before <= limit):
                    continue
                result = ask(question, name, limit)
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(result)) + "\n")
                print(f"{question.name}  {name}  {limit:g} s: {result.claim} {result.cost} {result.bound}", flush=True)
                if result.is_proved:
                    proved[question.name, name] = limit


def within(results: Iterable[Result], limit: float) -> dict[str, dict[str, Result]]:
    """Return by question and solver what was answered within a limit: by a shorter one, too, where it was proved."""
    found: dict[str, dict[str, Result]] = defaultdict(dict)
    for result in results:
        if result.limit == limit or (result.is_proved and result.limit < limit):
            found[result.question][result.solver] = result
    return found


@dataclass(frozen=True)
class Regret:
    """What `auto` lacks in one question: whether another solver proved and it did not, and how its cost and gap compare with the best."""

    question: str
    lost_proof: bool
    best_proved: bool
    cost: Fraction
    gap: Fraction
    beaten_by: str

    @property
    def is_near(self) -> bool:
        """Whether cost and gap are near the best single solver's."""
        return self.cost <= COST and self.gap <= GAP


def regret_of(question: str, answers: dict[str, Result]) -> Regret | None:
    """Compare `auto` with the best single solver: one with a proof, then of least cost, then of the highest bound. None without both."""
    auto = answers.get("auto")
    single = [answer for name, answer in answers.items() if name != "auto" and answer.exact_cost is not None]
    if auto is None or not single:
        return None
    best = min(single, key=lambda a: (not a.is_proved, a.exact_cost or 0, -(a.exact_bound or 0)))
    if auto.exact_cost is None:
        return Regret(question, best.is_proved, best.is_proved, Fraction(10**6), Fraction(10**6), best.solver)
    return Regret(
        question,
        best.is_proved and not auto.is_proved,
        best.is_proved,
        _ratio(auto.exact_cost, best.exact_cost or Fraction(0)),
        _ratio(_gap(auto), _gap(best)),
        best.solver,
    )


def _gap(result: Result) -> Fraction:
    cost = result.exact_cost
    assert cost is not None
    return cost - (result.exact_bound or Fraction(0))


def _ratio(ours: Fraction, best: Fraction) -> Fraction:
    if ours <= best:
        return Fraction(1)
    return ours / best if best > 0 else Fraction(10**6)


def report(results: list[Result], limits: Sequence[float]) -> bool:
    """Print the regret by limit, and every question in which it is more than it may be; tell whether all goals are reached."""
    lines, far, good = [], [], True
    for limit in limits:
        found = within(results, limit)
        regrets = [regret for name in found if (regret := regret_of(name, found[name])) is not None]
        if not regrets:
            continue
        proved = sum(regret.best_proved for regret in regrets)
        kept = proved - sum(regret.lost_proof for regret in regrets)
        near = sum(regret.is_near for regret in regrets)
        worst = max(regret.cost for regret in regrets)
        good &= kept >= PROOFS * proved and near >= NEAR * len(regrets) and worst <= WORST
        lines.append(
            [
                f"{limit:g} s",
                str(len(regrets)),
                f"{kept} of {proved}",
                f"{near} of {len(regrets)}",
                f"{float(worst):.3f}",
            ]
        )
        for one in regrets:
            if one.lost_proof or not one.is_near:
                proof = "lost" if one.lost_proof else ""
                name = f"{limit:g} s {one.question}"
                far.append([name, one.beaten_by, proof, f"{float(one.cost):.4f}", f"{float(one.gap):.2f}"])
    print_table(["limit", "questions", "proofs kept", "cost and gap near", "worst cost"], lines)
    if far:
        print()
        print_table(["where `auto` falls short", "best solver", "proof", "cost", "gap"], far)
    return good


def main() -> int:
    """Run what is asked for, then report; return 1 if `auto` falls short."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--limits", default="2,10,60", help="seconds, separated by commas (default: 2,10,60)")
    parser.add_argument("--questions", default="*", help="patterns of questions, separated by commas (default: all)")
    parser.add_argument("--solvers", default="*", help="patterns of solvers, separated by commas (default: all)")
    parser.add_argument(
        "--results", type=Path, default=Path("auto.jsonl"), help="the file of results (default: auto.jsonl)"
    )
    parser.add_argument("--report", action="store_true", help="print what the file has, and ask nothing")
    parser.add_argument("--list", action="store_true", help="print the questions, and ask nothing")
    options = parser.parse_args()
    limits = [float(limit) for limit in options.limits.split(",")]
    chosen = [one for one in questions() if any(fnmatch(one.name, pattern) for pattern in options.questions.split(","))]
    if options.list:
        print(*(one.name for one in chosen), sep="\n")
        return 0
    if not options.report:
        run(chosen, options.solvers.split(","), limits, options.results)
    names = {one.name for one in chosen}
    return int(not report([result for result in read(options.results) if result.question in names], limits))


if __name__ == "__main__":
    sys.exit(main())
