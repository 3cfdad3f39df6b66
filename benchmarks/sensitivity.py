"""How much each tuned number of `sifting` matters: `python -m benchmarks.sensitivity`.

Every number that a module of the engine keeps is halved and doubled, one at a time (where there are several in one name, each of them; a
share is at most 1), and questions about random rows of the census table are solved in equal seconds of the processor, on one thread.
Printed is by how many thousandths of the cost the gap between bound and cost becomes wider, on average over the seeds; for questions that
end with a proof, by which factor the seconds grow. The line "as it is" has other seeds, and says how far two searches differ by chance.

A number is tried on the questions in which a function that reads it is called. Left out are numbers of compiled loops, which have theirs
built in; those that bound memory, room in 64 bits, or what rounding may be off (`NOT_TUNED`); and those that no question comes to. Runs are
kept in `--results`; a study that is begun again goes on from there, as long as the engine is the same.
"""

from __future__ import annotations

import argparse
import ast
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from statistics import mean
from types import CodeType, FrameType
from typing import Any

from anoptima.answer import Budget
from anoptima.solvers.exact import sifting
from benchmarks.ablation import engine, problem_of, solved
from benchmarks.measure import Kept, print_table
from benchmarks.tuned import COMPILED, ENGINE, tuned

FACTORS = 0.5, 2.0
"""What a number is multiplied by."""
NOT_TUNED = (
    "*TINY*", "*._*CELLS", "*EXACT", "*ROOM*", "*_DRAWS", "*_SEEDS", "*._EPSILON", "*ROUGH", "*_NEAR", "*NO_GROUP", "*WHOLE", "*NOBODY",
    "*DENOMINATOR", "*HEADROOM", "*_MOST_ITERATIONS", "*_LONGEST", "*._DEVEX", "*_DUAL", "*._NO*", "*UNPRICED", "proofs.*",
    "outside_searchers.*", "searchers.*", "native.*", "lightened.*", "*MOST_CELLS", "tree.pseudo_costs.*", "*ASKED_AGAIN_S", "*PROVING_S",
    "*A_MOMENT", "*LAST_S", "rules.rule.*", "rules.of_conditions.*", "*CHUNK", "*ABSOLUTE_GAP", "*MOST_DECISIONS",
)  # fmt: skip
"""Names of numbers that are no matter of taste: sizes of memory and of numbers, kinds, tolerances, and seconds between looks at a clock."""
LOOKED_S = 6.0
"""For how long a question is solved to see which functions it comes to."""


@dataclass(frozen=True)
class Asked:
    """A question about random rows, as `benchmarks.ablation` names it."""

    question: str
    rows: int

    def __str__(self) -> str:
        return f"{self.question}, {self.rows:,} rows"

    def solve(self, seconds: float, seed: int) -> dict[str, float]:
        """Solve the question about the same rows whatever the seed, which the search draws from; return bound, cost and seconds."""
        return solved(problem_of(self.question, self.rows, 0), None, Budget(seconds=seconds, seed=seed, threads=1))


QUESTIONS = (
    Asked("k5", 200),
    Asked("k3", 2_000),
    Asked("k5", 2_000),
    Asked("l3", 2_000),
    Asked("t2", 60),
    Asked("t2", 1_000),
    Asked("o2", 500),
)
"""Tables that are proved by trees, and larger ones, with core programs and with rounds of passes, under each kind of principle."""


@dataclass(frozen=True)
class Number:
    """A number of the engine, or one of several in one name."""

    name: str
    value: object
    place: int | None = None

    def __str__(self) -> str:
        return self.name if self.place is None else f"{self.name}[{self.place}]"

    def times(self, factor: float) -> object:
        """Return what the name is to be for this number to be multiplied.

        >>> Number("stages.searching.SHARES", (0.8, 3), 0).times(2), Number("bound.core.ROUNDS", 3).times(0.5)
        ((1.0, 3), 2)
        """
        if self.place is None:
            return _times(self.name, self.value, factor)
        assert isinstance(self.value, tuple)
        return _like(self.value, lambda place, one: _times(self.name, one, factor) if place == self.place else one)


def _times(name: str, value: object, factor: float) -> object:
    if isinstance(value, int):
        return max(1, round(value * factor))
    if isinstance(value, float):
        is_share = "SHARE" in name and value <= 1
        return min(1.0, value * factor) if is_share else value * factor
    assert isinstance(value, tuple)
    return _like(value, lambda place, one: _times(name, one, factor))


def _like(value: tuple[object, ...], changed: Callable[[int, object], object]) -> object:
    """Return a tuple, of the same kind if it has names, of what each place and the number there become."""
    parts = [changed(place, one) for place, one in enumerate(value)]
    return value._make(parts) if hasattr(value, "_make") else tuple(parts)


def _is_number(value: object) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(map(_is_number, value))
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


@cache
def holders() -> dict[str, set[str]]:
    """Return the names of all tuned numbers, and the files of the modules that know each."""
    modules = [import_module(found.name) for found in walk_packages(sifting.__path__, f"{ENGINE}.") if not found.ispkg]
    found = {}
    for module in modules:
        for name in names_set_in(Path(str(module.__file__))):
            written, value = f"{module.__name__.removeprefix(ENGINE + '.')}.{name}", getattr(module, name)
            knowing = [one for one in modules if vars(one).get(name) is value]
            is_built_in = any(one.__name__.startswith(COMPILED) for one in knowing)
            if _is_number(value) and not is_built_in and not any(fnmatch(written, pattern) for pattern in NOT_TUNED):
                found[written] = {str(one.__file__) for one in knowing}
    return found


def names_set_in(file: Path) -> list[str]:
    """Return the constants that a file sets at its top.

    >>> names_set_in(Path(__file__))[:2]
    ['FACTORS', 'NOT_TUNED']
    """
    targets = [one.targets[0] for one in ast.parse(file.read_text()).body if isinstance(one, ast.Assign)]
    names = [one for target in targets for one in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return [one.id for one in names if isinstance(one, ast.Name) and one.id.isupper()]


def numbers() -> Iterator[Number]:
    """Yield all tuned numbers, those of one name one after the other."""
    for written in holders():
        module, name = written.rsplit(".", 1)
        value = vars(import_module(f"{ENGINE}.{module}"))[name]
        if isinstance(value, tuple):
            yield from (Number(written, value, place) for place in range(len(value)))
        else:
            yield Number(written, value)


def read_by(asked: Asked) -> set[tuple[str, str]]:
    """Return which names the functions read that a question comes to, each with the function's file."""
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    sys.setprofile(note)
    try:
        asked.solve(LOOKED_S, 0)
    finally:
        sys.setprofile(None)
    return {(code.co_filename, name) for code in seen for name in code.co_names}


def run(
    kept: Kept, how: dict[str, Any], asked: Asked, seed: int, number: Number | None = None, factor: float = 1.0
) -> dict[str, Any]:
    """Return what a run comes to in which a number is multiplied."""

    def made() -> dict[str, float]:
        with ExitStack() as stack:
            if number is not None:
                stack.enter_context(tuned(number.name, number.times(factor)))
            return asked.solve(how["seconds"], seed)

    what = {"question": str(asked), "seed": seed, "number": number and str(number), "factor": factor}
    return kept.of({**what, **how}, made)


def told(runs: list[dict[str, Any]], bases: list[dict[str, Any]], seconds: float) -> str:
    """Return how much wider gaps are, in thousandths of the cost, and where all are closed by which factor seconds have grown."""
    wider = [
        ((run["cost"] - run["bound"]) - (base["cost"] - base["bound"])) / base["cost"]
        for run, base in zip(runs, bases, strict=True)
    ]
    text = f"{1000 * mean(wider):+.1f}"
    if all(one["spent"] < 0.9 * seconds for one in runs + bases):
        text = f"x {sum(run['spent'] for run in runs) / sum(base['spent'] for base in bases):.1f}"
    return text


def main() -> int:
    """Print the table: a number in each line, halved and doubled, and what that does to each question."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8.0, help="seconds of the processor for each run (default: 8)")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--numbers", nargs="+", default=["*"], help="patterns of names: 'stages.*'")
    parser.add_argument("--questions", nargs="+", default=[str(one) for one in QUESTIONS], help="as they are printed")
    parser.add_argument("--results", type=Path, default=Path("build/sensitivity.jsonl"))
    options = parser.parse_args()
    time.monotonic = time.process_time
    solve, rows = (
        partial(run, Kept(options.results), {"seconds": options.seconds, "engine": engine()}),
        list[list[str]](),
    )
    questions = [one for one in QUESTIONS if str(one) in options.questions]
    read = {asked: read_by(asked) for asked in questions}
    bases = {asked: [solve(asked, seed) for seed in options.seeds] for asked in questions}
    chance = {asked: [solve(asked, seed + 100) for seed in options.seeds] for asked in questions}
    for number in numbers():
        if not any(fnmatch(number.name, pattern) for pattern in options.numbers):
            continue
        names = {(file, number.name.rsplit(".", 1)[1]) for file in holders()[number.name]}
        for factor in FACTORS:
            row = [str(number), f"{number.times(factor)}"]
            for asked in questions:
                if read[asked] & names:
                    runs = [solve(asked, seed, number, factor) for seed in options.seeds]
                    row.append(told(runs, bases[asked], options.seconds))
                else:
                    row.append("")
            if any(row[2:]):
                rows.append(row)
    rows.insert(0, ["as it is", "", *(told(chance[one], bases[one], options.seconds) for one in questions)])
    print_table(["number", "value", *map(str, questions)], rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
