"""`auto` beside every solver: `python -m benchmarks.auto --limits 2,10,60 --results auto.jsonl`.

Asks every question of `benchmarks.auto_questions` of every solver that is for it and of `auto`, within each time limit, and appends each
answer to a file as a line of JSON, with a digest of the solvers' code: answers of other versions count for nothing. A run that was
interrupted goes on where it ended, and a solver that has proved its optimum is not asked again with more time. Then, by limit, it prints
the regret of `auto`: the share of the optima that the best single solver proved and `auto` did, too, and in how many questions its cost and
its gap are near the best ones. Exits with 1 if `auto` is worse than what is asked of it.

All runs are alike: each gets its table anew, so that none profits from what another one has worked out, and before the first counted run
of a solver it solves a small question of the same kind, so that compiled loops and packages are loaded. Chance is no regret: where `auto`
and the best single solver are not near each other, whichever is ahead, both are asked twice more, in turns. A solver that was asked several
times counts with the median of its costs and that of its bounds, and with a proof if most of its runs proved; the best single solver is the
best by that. What is left counts as chance where the runs of the two overlap: not all of `auto` are dearer (or leave a larger gap) than all
of the other's. Of two solvers that are alike, one is behind in all three runs once in twenty times.

`--questions`, `--solvers` choose by patterns such as 'cells census-30*' and 'sifting,*/highs', `--every 2` takes every second question;
`--report` prints what the file has of its last version; `benchmarks/auto.jsonl.gz` has the runs that docs/figures.md tells of, which
say no version. `--contenders 3` asks, within each limit but the first, only `auto`, the three single solvers that did best within the
limit before, and the one whose bound was the highest there: hours instead of days, and blind to a solver that only shines later. `--order
1` shuffles the questions, so that a run that is stopped early has asked a fair sample of them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatch
from fractions import Fraction
from pathlib import Path
from typing import TextIO, cast

import anoptima as ao
import anoptima.models
import anoptima.solvers
from anoptima.errors import AnoptimaError
from benchmarks.auto_questions import Question, questions_like
from benchmarks.measure import code_of, print_table

PROOFS, NEAR = Fraction(97, 100), Fraction(95, 100)
"""The shares that `auto` must reach: of optima proved, and of questions in which its cost and its gap are near the best."""
COST, GAP, WORST = Fraction(1005, 1000), Fraction(12, 10), Fraction(105, 100)
"""How far its cost and its gap may be above the best to be near them, and how far its cost may be at most."""
RUNS = 3
"""How often two solvers are asked that are not near each other at first."""
CODE = code_of(anoptima.models, anoptima.solvers)
"""The version of what is asked."""
WARM_UP_S, WARM_UP_ROWS = 2.0, 150
"""Seconds and rows of the small questions that load what a solver needs, uncounted."""


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
    code: str = ""

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
        return Result(question.name, solver, limit, "FAILED", None, None, None, 0.0, str(error), CODE)
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
        CODE,
    )


def read(path: Path) -> list[Result]:
    """Return the results of earlier runs."""
    if not path.exists():
        return []
    with _opened(path, "rt") as file:
        return [Result(**json.loads(line)) for line in file if line.strip()]


def _opened(path: Path, mode: str) -> TextIO:
    return cast(TextIO, (gzip.open if path.suffix == ".gz" else open)(path, mode, encoding="utf-8"))


def median(values: Iterable[Fraction]) -> Fraction:
    """Return the middle one of some values, the lower one of two.

    >>> median([Fraction(3), Fraction(1), Fraction(2)])
    Fraction(2, 1)
    """
    found = sorted(values)
    return found[(len(found) - 1) // 2]


def counted(runs: Sequence[Result]) -> Result:
    """Return what a solver counts with that was asked a question several times within one limit: medians, and what most runs proved."""
    costs = [cost for one in runs if (cost := one.exact_cost) is not None]
    if len(runs) == 1 or len(costs) < len(runs):
        return next((one for one in runs if one.exact_cost is None), runs[0])
    proofs = sum(one.is_proved for one in runs)
    claim = "OPTIMAL" if 2 * proofs > len(runs) else "FEASIBLE"
    bound = median(one.exact_bound or Fraction(0) for one in runs)
    return replace(runs[0], claim=claim, cost=str(median(costs)), bound=str(bound))


class Runs:
    """The runs so far, in a file that each is appended to."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._warm: set[tuple[str, str]] = set()
        self._found = [one for one in read(path) if one.code == CODE]

    def of(self, question: Question, solver: str, limit: float) -> list[Result]:
        """Return the runs of a solver within a limit."""
        return [one for one in self._found if (one.question, one.solver, one.limit) == (question.name, solver, limit)]

    def counted(self, question: Question, limit: float) -> dict[str, Result]:
        """Return what each solver counts with within a limit."""
        return within((one for one in self._found if one.question == question.name), limit).get(question.name, {})

    def ask(self, question: Question, solver: str, limit: float) -> None:
        """Ask once, after a small question of that kind if it is the first one."""
        self._warm_up(question, solver)
        result = ask(question, solver, limit)
        self._found.append(result)
        with _opened(self._path, "at") as file:
            file.write(json.dumps(asdict(result)) + "\n")
        print(f"{question.name}  {solver}  {limit:g} s: {result.claim} {result.cost} {result.bound}", flush=True)

    def _warm_up(self, question: Question, solver: str) -> None:
        problem = question.make()
        kind = type(problem).__name__
        if isinstance(problem, ao.CellSuppression):
            kind += str([(type(one), type(getattr(one, "space", None))) for one in problem.principle.parts])
            few = problem.table.frame.iloc[:WARM_UP_ROWS]
            small = ao.Table.from_frame(few, problem.table.quasi[:8], problem.table.sensitive)
            problem = ao.CellSuppression(small, problem.principle)
        if (kind, solver) not in self._warm:
            self._warm.add((kind, solver))
            with suppress(AnoptimaError):
                ao.solve(problem, solver, time_limit=WARM_UP_S)


def run(
    some: Iterable[Question], patterns: Sequence[str], limits: Sequence[float], path: Path, most: int | None = None
) -> None:
    """Ask what has not been asked yet, of `most` contenders where a shorter limit tells them, and append each answer to the file."""
    runs = Runs(path)
    for question in some:
        names = ["auto", *(solver.name for solver in ao.solvers_for(question.make()))]
        asked = [name for name in names if any(fnmatch(name, pattern) for pattern in patterns)]
        for place, limit in enumerate(limits):
            if place and most is not None:
                asked = ["auto", *contenders(runs.counted(question, limits[place - 1]), most)]
            for name in asked:
                if name not in runs.counted(question, limit) and not runs.of(question, name, limit):
                    runs.ask(question, name, limit)
            settle(question, limit, runs)


def contenders(answers: dict[str, Result], most: int) -> list[str]:
    """Return the single solvers that did best, `most` at most, and the one of the highest bound; the best alone if it has a proof."""
    single = sorted(_single(answers), key=_merit)
    if single and single[0].is_proved:
        return [single[0].solver]
    highest = max(single, key=lambda one: one.exact_bound or 0, default=None)
    return list(dict.fromkeys(one.solver for one in (*single[:most], *((highest,) if highest else ()))))


def settle(question: Question, limit: float, runs: Runs) -> None:
    """Ask `auto` and the best single solver more often, in turns, as long as these are not near each other."""
    while True:
        answers = runs.counted(question, limit)
        best, auto = best_single(answers), answers.get("auto")
        if best is None or auto is None or (is_near(auto, best) and is_no_dearer(best, auto)):
            return
        pair = [name for name in ("auto", best.solver) if runs.of(question, name, limit)]
        if all(len(runs.of(question, name, limit)) >= RUNS for name in pair):
            return
        while any(len(runs.of(question, name, limit)) < RUNS for name in pair):
            for name in pair:
                if len(runs.of(question, name, limit)) < RUNS:
                    runs.ask(question, name, limit)


def within(results: Iterable[Result], limit: float) -> dict[str, dict[str, Result]]:
    """Return by question and solver what was answered within a limit: by a shorter one, too, where it was proved."""
    runs: dict[tuple[str, str], list[Result]] = defaultdict(list)
    sooner: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in results:
        if result.limit <= limit:
            (runs if result.limit == limit else sooner)[result.question, result.solver].append(result)
    found: dict[str, dict[str, Result]] = defaultdict(dict)
    for key in {**sooner, **runs}:
        answer = counted(runs[key] or [max(sooner[key], key=lambda one: (one.is_proved, one.limit))])
        if runs[key] or answer.is_proved:
            found[key[0]][key[1]] = answer
    return found


@dataclass(frozen=True)
class Regret:
    """What `auto` lacks in one question: a proof that another solver has, cost and gap by the best ones, and whether that may be chance."""

    question: str
    lost_proof: bool
    best_proved: bool
    cost: Fraction
    gap: Fraction
    beaten_by: str
    is_chance: bool

    @property
    def is_near(self) -> bool:
        """Whether cost and gap are near the best single solver's."""
        return self.cost <= COST and self.gap <= GAP


def best_single(answers: dict[str, Result]) -> Result | None:
    """Return the best answer of a single solver: one with a proof, then of least cost, then of the highest bound; None if there is none."""
    return min(_single(answers), key=_merit, default=None)


def _single(answers: dict[str, Result]) -> list[Result]:
    return [answer for name, answer in answers.items() if name != "auto" and answer.exact_cost is not None]


def _merit(answer: Result) -> tuple[bool, Fraction, Fraction]:
    return not answer.is_proved, _cost(answer), -(answer.exact_bound or Fraction(0))


def is_near(one: Result, other: Result) -> bool:
    """Tell whether the cost and the gap of one answer are near another's, and it has a proof if that has."""
    return is_no_dearer(one, other) and _ratio(_gap(one), _gap(other)) <= GAP and one.is_proved >= other.is_proved


def is_no_dearer(one: Result, other: Result) -> bool:
    """Tell whether the cost of one answer is near another's, or less."""
    if one.exact_cost is None or other.exact_cost is None:
        return False
    return _ratio(one.exact_cost, other.exact_cost) <= COST


def regret_of(question: str, answers: dict[str, Result], runs: Sequence[Result]) -> Regret | None:
    """Compare `auto` with the best single solver, by what they count with and by their runs; None without both."""
    auto, best = answers.get("auto"), best_single(answers)
    if auto is None or best is None:
        return None
    if auto.exact_cost is None or best.exact_cost is None:
        return Regret(question, best.is_proved, best.is_proved, Fraction(10**6), Fraction(10**6), best.solver, False)
    lost = best.is_proved and not auto.is_proved
    cost, gap = _ratio(auto.exact_cost, best.exact_cost), _ratio(_gap(auto), _gap(best))
    ours, theirs = ([one for one in runs if one.solver == name] for name in ("auto", best.solver))
    is_chance = (
        min(len(ours), len(theirs)) >= RUNS
        and all(one.exact_cost is not None for one in (*ours, *theirs))
        and (cost <= COST or min(_cost(one) for one in ours) <= max(_cost(one) for one in theirs))
        and (gap <= GAP or min(_gap(one) for one in ours) <= max(_gap(one) for one in theirs))
        and (not lost or (any(one.is_proved for one in ours) and not all(one.is_proved for one in theirs)))
    )
    return Regret(question, lost, best.is_proved, cost, gap, best.solver, is_chance)


def _cost(result: Result) -> Fraction:
    assert result.exact_cost is not None
    return result.exact_cost


def _gap(result: Result) -> Fraction:
    return _cost(result) - (result.exact_bound or Fraction(0))


def _ratio(ours: Fraction, best: Fraction) -> Fraction:
    if ours <= best:
        return Fraction(1)
    return ours / best if best > 0 else Fraction(10**6)


def report(results: list[Result], limits: Sequence[float]) -> bool:
    """Print the regret by limit, and every question in which it is more than it may be; tell whether all goals are reached."""
    lines, far, good = [], [], True
    for limit in limits:
        found = within(results, limit)
        runs: dict[str, list[Result]] = defaultdict(list)
        for result in results:
            if result.limit == limit:
                runs[result.question].append(result)
        regrets = [one for name in found if (one := regret_of(name, found[name], runs[name])) is not None]
        if not regrets:
            continue
        proved = sum(one.best_proved for one in regrets)
        kept = proved - sum(one.lost_proof and not one.is_chance for one in regrets)
        near, by_chance = sum(one.is_near for one in regrets), sum(one.is_chance and not one.is_near for one in regrets)
        worst, beyond = (
            max((one.cost for one in regrets if not (one.is_chance and left_out)), default=Fraction(1))
            for left_out in (False, True)
        )
        good &= kept >= PROOFS * proved and near + by_chance >= NEAR * len(regrets) and beyond <= WORST
        line = [f"{limit:g} s", str(len(regrets)), f"{kept} of {proved}", str(near), str(by_chance)]
        lines.append([*line, f"{float(worst):.3f}", f"{float(beyond):.3f}"])
        for one in regrets:
            if one.lost_proof or not one.is_near:
                numbers = ["lost" if one.lost_proof else "", f"{float(one.cost):.4f}", f"{float(one.gap):.2f}"]
                far.append([f"{limit:g} s {one.question}", one.beaten_by, *numbers, "yes" if one.is_chance else ""])
    headings = ["limit", "questions", "proofs kept", "near", "others, by chance", "worst cost", "not by chance"]
    print_table(headings, lines)
    if far:
        print()
        print_table(["where `auto` falls short", "best solver", "proof", "cost", "gap", "by chance"], far)
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
    parser.add_argument("--every", type=int, default=1, help="ask every N-th of these questions only (default: 1)")
    parser.add_argument(
        "--order", type=int, help="ask in the random order of this seed: what stops early has asked a fair sample"
    )
    parser.add_argument("--contenders", type=int, help="how many of the best go on to the next limit (default: all)")
    parser.add_argument("--report", action="store_true", help="print what the file has, and ask nothing")
    parser.add_argument("--list", action="store_true", help="print the questions, and ask nothing")
    options = parser.parse_args()
    limits = [float(limit) for limit in options.limits.split(",")]
    chosen = questions_like(options.questions)
    chosen = chosen[:: options.every]
    if options.order is not None:
        random.Random(options.order).shuffle(chosen)
    if options.list:
        print(*(one.name for one in chosen), sep="\n")
        return 0
    if not options.report:
        run(chosen, options.solvers.split(","), limits, options.results, options.contenders)
    names = {one.name for one in chosen}
    results = read(options.results)
    return int(not report([one for one in results if one.question in names and one.code == results[-1].code], limits))


if __name__ == "__main__":
    sys.exit(main())
