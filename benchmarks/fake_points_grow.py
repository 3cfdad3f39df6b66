"""How many fake points it takes, against the number of points: `python -m benchmarks.fake_points_grow [--plots FOLDER]`.

Two experiments that Alvarez, Chambers and Kozma only speak of. Section 1: the more data, the fewer fakes, because broad ranges then hold k
points anyway; here for four distributions in one to four dimensions, each with the fewest fakes found and the bound. Section 5: is a sample
enough? The fewest fakes of a sample, beside those of the whole, and how many kinds of test boxes of the whole they leave sparse.

With `--large 1000 --seconds 300`: how near fakes and proved bounds are for a thousand points in the plane, the denser they lie.

Coordinates are rounded to a grid, so that programs stay small. Prints tables; with `--plots`, curves are written to that folder. Exits with
1 if an answer fails its check or is not between its bound and topping up every place.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random

import anoptima as ao
from anoptima.answer import Claim
from benchmarks.measure import print_table

Coordinates = list[float]

SIDES = {1: (16, 8), 2: (5, 3), 3: (3, 2), 4: (2, 2)}
"""For each dimension: how many test boxes wide the domain is, and the steps of the grid within one."""


def uniform(draw: Random, dimensions: int) -> Coordinates:
    """Draw a place evenly from the unit cube."""
    return [draw.random() for _ in range(dimensions)]


def clustered(draw: Random, dimensions: int) -> Coordinates:
    """Draw a place near one of three centres, which are the same for every call."""
    centre = Random(int(3 * draw.random()))
    return [
        0.15 + 0.7 * centre.random() + 0.15 * (sum(draw.random() for _ in range(4)) / 2 - 1) for _ in range(dimensions)
    ]


def correlated(draw: Random, dimensions: int) -> Coordinates:
    """Draw a place near the diagonal."""
    along = draw.random()
    return [0.9 * along + 0.1 * draw.random() for _ in range(dimensions)]


def skewed(draw: Random, dimensions: int) -> Coordinates:
    """Draw coordinates most of which are small, like the cube of an even one."""
    return [draw.random() ** 3 for _ in range(dimensions)]


DISTRIBUTIONS: dict[str, Callable[[Random, int], Coordinates]] = {
    "uniform": uniform,
    "clustered": clustered,
    "correlated": correlated,
    "skewed": skewed,
}


def drawn(word: str, number: int, dimensions: int, k: int, seed: int) -> ao.FakePoints:
    """Return points of a distribution, on the grid; those of a smaller number are the first of those of a larger one.

    >>> len(drawn("clustered", 5, 3, 2, 0).points), drawn("uniform", 3, 2, 2, 1).points == drawn("uniform", 5, 2, 2, 1).points[:3]
    (5, True)
    """
    draw = Random(f"{word} {dimensions} {seed}")
    side, step = SIDES[dimensions]
    points = [
        [
            Fraction(min(side * step - 1, max(0, int(x * side * step))), step)
            for x in DISTRIBUTIONS[word](draw, dimensions)
        ]
        for _ in range(number)
    ]
    return ao.FakePoints(points, k)


@dataclass(frozen=True)
class Fakes:
    """What was found for one set of points."""

    problem: ao.FakePoints
    answer: ao.Answer[ao.AddedPoints]
    rough: ao.Answer[ao.AddedPoints]

    @property
    def topped(self) -> int:
        """How many fakes it takes to top up every place."""
        return int(self.problem.cost(self.problem.trivial()))

    @property
    def cost(self) -> int:
        """The fewest fakes that were found."""
        return int(self.answer.cost or 0)

    @property
    def bound(self) -> int:
        """How many it takes at least, by the program or by weights."""
        return max(0 if each.bound is None else int(each.bound.value) for each in (self.answer, self.rough))

    @property
    def is_sound(self) -> bool:
        """Whether the answer holds, and is between its bound and topping up."""
        rough = int(self.rough.cost or 0)
        verified = self.answer.verify() and self.rough.verify()
        return bool(verified) and self.bound <= self.cost <= rough <= self.topped


def fewest(problem: ao.FakePoints, seconds: float) -> Fakes:
    """Look for the fewest fakes, up to a time limit: by weights, then by a program that starts from what those left."""
    rough = ao.solve(problem, "weighed-boxes", time_limit=seconds, threads=1)
    if rough.claim is Claim.OPTIMAL:
        return Fakes(problem, rough, rough)
    answer = ao.solve(problem, "fake-depths/cp-sat", start=rough.solution, time_limit=seconds, threads=1)
    return Fakes(problem, answer, rough)


def grow(
    words: Iterable[str], dimensions: Iterable[int], numbers: list[int], k: int, seconds: float, seed: int
) -> dict[tuple[int, str], list[Fakes]]:
    """Print a line for each set of points; return what was found, by dimension and distribution."""
    found: dict[tuple[int, str], list[Fakes]] = {}
    for d in dimensions:
        for word in words:
            found[d, word] = [fewest(drawn(word, number, d, k, seed), seconds) for number in numbers]
    rows = [
        [
            f"d = {d}, {word}",
            str(len(each.problem.points)),
            str(each.topped),
            str(each.cost),
            str(each.bound),
            claim(each),
        ]
        for (d, word), runs in found.items()
        for each in runs
    ]
    print_table([f"k = {k}", "points", "topped up", "fewest found", "bound", "claim"], rows)
    return found


def claim(each: Fakes) -> str:
    """Say whether the fewest are known."""
    return "optimal" if each.cost == each.bound else "between"


def sample(whole: Fakes, sizes: Iterable[int], seconds: float, seed: int) -> list[tuple[Fakes, int]]:
    """Solve samples of a set, drawn without repetition; with each, the kinds of test boxes of the whole that its fakes leave sparse."""
    points = list(whole.problem.points)
    Random(seed).shuffle(points)
    found = []
    for size in sizes:
        part = fewest(ao.FakePoints(points[:size], whole.problem.k), seconds)
        found.append((part, sum(1 for _ in whole.problem.sparse(part.answer.require_solution()))))
    return found


def large(number: int, sides: Iterable[int], k: int, seconds: float, seed: int) -> bool:
    """Print, for that many even points in squares of several sides, fakes and the proved bound; tell whether all answers hold."""
    rows, sound = [], True
    for side in sides:
        draw = Random(f"large {seed}")
        points = [[Fraction(int(draw.random() * side * 100), 100) for _ in range(2)] for _ in range(number)]
        problem = ao.FakePoints(points, k)
        answer = ao.solve(problem, time_limit=seconds, threads=1)
        cost, bound = int(answer.cost or 0), 0 if answer.bound is None else int(answer.bound.value)
        sound = sound and bool(answer.verify()) and bound <= cost
        gap = f"{100 * (cost - bound) / max(1, cost):.1f} %"
        topped = int(problem.cost(problem.trivial()))
        rows.append(
            [str(side), f"{number / side**2:.2f}", str(topped), str(cost), str(bound), gap, f"{answer.run.seconds:.1f}"]
        )
    print_table([f"{number:,} points, side", "a box", "topped up", "fakes", "proved bound", "gap", "seconds"], rows)
    return sound


def write_plots(found: dict[tuple[int, str], list[Fakes]], folder: Path) -> None:
    """Draw, for each dimension, the fewest fakes against the number of points, with the bounds below them."""
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    for d in sorted({d for d, _ in found}):
        figure = Figure(figsize=(6, 4), layout="constrained")
        axes = figure.subplots()
        for (of, word), runs in found.items():
            if of == d:
                numbers = [len(each.problem.points) for each in runs]
                (line,) = axes.plot(numbers, [each.cost for each in runs], "o-", label=word)
                axes.fill_between(
                    numbers,
                    [each.bound for each in runs],
                    [each.cost for each in runs],
                    color=line.get_color(),
                    alpha=0.2,
                )
        axes.set(
            xscale="log",
            xlabel="points",
            ylabel="fake points",
            title=f"{d} dimension{'s' * (d > 1)}, side {SIDES[d][0]}",
        )
        axes.legend()
        figure.savefig(folder / f"fakes-{d}d.svg")


def main() -> int:
    """Print both tables; return 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--points", type=int, nargs="+", default=[5, 10, 20, 40, 80, 160])
    parser.add_argument("--dimensions", type=int, nargs="+", default=[1, 2, 3, 4], choices=sorted(SIDES))
    parser.add_argument("--distributions", nargs="+", default=list(DISTRIBUTIONS), choices=list(DISTRIBUTIONS))
    parser.add_argument("--k", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10, help="for each set of points (default: 10)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plots", type=Path, metavar="FOLDER", help="write the curves there")
    parser.add_argument("--large", type=int, metavar="N", help="instead, so many points in squares of several sides")
    parser.add_argument("--sides", type=int, nargs="+", default=[100, 60, 50, 40, 30, 20, 10], help="with --large")
    options = parser.parse_args()
    if options.large is not None:
        return int(not large(options.large, options.sides, options.k, options.seconds, options.seed))
    found = grow(options.distributions, options.dimensions, options.points, options.k, options.seconds, options.seed)
    runs = [each for row in found.values() for each in row]
    rows = []
    for (d, word), row in found.items():
        whole = row[-1]
        for part, sparse in sample(
            whole, [len(each.problem.points) for each in row[:-1]], options.seconds, options.seed
        ):
            runs.append(part)
            share = [str(part.cost), claim(part), str(whole.cost), claim(whole)]
            rows.append(
                [f"d = {d}, {word}", f"{len(part.problem.points)} of {len(whole.problem.points)}", *share, str(sparse)]
            )
    print()
    print_table(["samples", "points", "fewest found", "claim", "of the whole", "claim", "sparse in the whole"], rows)
    if options.plots is not None:
        write_plots(found, options.plots)
        print(f"the curves are in {options.plots}")
    wrong = [each for each in runs if not each.is_sound]
    for each in wrong:
        print(f"wrong: {each.answer}")
    print(f"{len(runs)} sets, {sum(claim(each) == 'optimal' for each in runs)} optimal, {len(wrong)} wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
