"""Random proofs by `cases` in which cuts, forks, potentials, whole rows and a reach come together, as no solver writes them.

On tables of a few rows the least cost is known by trying all partitions. So each proof can be asked how much it proves, and that must be no
more; and all three checkers must prove as much.
"""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import anoptima as ao
from anoptima.documents.proofs import read_proof
from anoptima.proofs import check_anoptima

Data = dict[str, Any]
Shape = tuple[bool, ...]

SENSITIVE = ["ill", "job"]
SPACES: list[Data] = [
    {"kind": "equal"},
    {"kind": "equal"},
    {"kind": "numeric"},
    {"kind": "ordered", "order": ["2", "1", "3"]},
    {"kind": "hierarchical", "tree": [["1", "2"], ["3", "4"]]},
    {"kind": "matrix", "values": ["1", "2", "3"], "denominator": 4, "matrix": [[0, 3, 4], [3, 0, 2], [4, 2, 0]]},
]

MOST = 10**9
"""A value that no proof about a few rows reaches."""


class Combined:
    """A random table and principle, in a folder, and random proofs about them."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance, self.table, self.proof = random.Random(seed), folder / "table.csv", folder / "proof.json"
        chance = self.chance
        self.rows = chance.choice((5, 6, 7, 8))
        self.names = ["a", "b", "c"][: chance.choice((2, 2, 3))]
        columns = [[chance.choice("xyz"[: chance.choice((2, 3))]) for _ in range(self.rows)] for _ in self.names]
        columns += [[chance.choice(values) for _ in range(self.rows)] for values in ("1123", "tu")]
        lines = [",".join([*self.names, *SENSITIVE]), *map(",".join, zip(*columns, strict=True))]
        self.table.write_text("\n".join(lines) + "\n")
        weights = [[chance.choice((1, 1, 1, 2)), 1] for _ in self.names]
        self.stated: Data = {
            "schema": check_anoptima.VERSION,
            "about": {},
            "problem": {"name": "cell-suppression", "principle": self.principle()},
            "table": {
                "digest": check_anoptima.digest_of([*self.names, *SENSITIVE], columns, len(self.names)),
                "quasi": self.names,
                "sensitive": SENSITIVE,
                "weights": weights,
            },
        }
        self.weight = sum(weight for weight, _ in weights)
        rows = check_anoptima.Rows(str(self.table), None)
        self.problem = check_anoptima.stated(self.stated["problem"], self.stated["table"], rows)
        self.ground = check_anoptima.Ground(self.problem.table, self.problem.columns)
        self.closed = [pattern for pattern in self.patterns() if self.is_large(*pattern)]

    def principle(self) -> list[Data]:
        """Return one to three random conditions."""
        chance = self.chance
        t = chance.choice((Fraction(chance.choice((0, 1, 1, 2, 3)), chance.choice((4, 5, 6))), Fraction(1)))
        l = chance.choice(([1, 1], [3, 2], [2, 1]))  # noqa: E741
        ill: Data = {"column": "ill"}
        some: list[Data] = [
            {"kind": "k-anonymity", "k": chance.choice((1, 2, 2, 3))},
            {"kind": "distinct-l-diversity", "l": chance.choice((1, 2, 2)), **ill},
            {"kind": "frequency-l-diversity", "l": l, **ill},
            {"kind": "rare-values", "l": l, **ill, "values": self.rare()},
            {"kind": "entropy-l-diversity", "l": l, **ill},
            {"kind": "recursive-diversity", "c": chance.choice(([1, 1], [3, 2])), "l": chance.choice((2, 2, 3)), **ill},
            {"kind": "t-closeness", "t": [*t.as_integer_ratio()], **ill, "space": chance.choice(SPACES)},
            {"kind": "t-closeness", "t": [1, 3], **ill, "space": chance.choice(SPACES)},
            {"kind": "frequency-l-diversity", "l": [3, 2], "column": "job"},
        ]
        return chance.sample(some, chance.choice((1, 1, 2, 3)))

    def rare(self) -> list[str]:
        """Return some values of the sensitive column, in the order of the rows."""
        values = [*dict.fromkeys(line.split(",")[-2] for line in self.table.read_text().split()[1:])]
        return [values[i] for i in self.some(list(range(len(values))))] or values[:1]

    def patterns(self) -> list[tuple[tuple[int, ...], int]]:
        """Return each set of columns with the first record of each class on it."""
        m = len(self.names)
        kept = (its for count in range(m + 1) for its in itertools.combinations(range(m), count))
        return [(its, members[0]) for its in kept for members in self.ground.classes(its).values()]

    def is_large(self, kept: tuple[int, ...], example: int) -> bool:
        """Tell whether a pattern is closed and has rows enough."""
        members = self.ground.members(kept, example)
        return self.ground.size(members) >= self.problem.least_rows and self.ground.closed(kept, members)

    def made(self) -> Data:
        """Return a random proof of nothing yet."""
        chance, count = self.chance, len(self.ground.copies)
        d = chance.choice((1, 2, 3))
        cuts = [self.cut() for _ in range(chance.choice((0, 0, 1, 2)))]
        close = any(condition.column and not condition.shares for condition in self.problem.conditions)
        tree = self.tree(chance.choice((0, 0, 1, 2)), (), len(cuts), d)
        potentials = [self.potential() for _ in range(chance.choice((0, 0, 1)))]
        return {
            "kind": "cases",
            "value": MOST,
            "denominator": d,
            "reach": chance.choice((None, None, 0, 1, self.weight)),
            "whole": bool(close and not potentials and chance.random() < 0.6),
            "cuts": cuts,
            "potentials": potentials if count else [],
            "tree": tree,
        }

    def some(self, every: list[int]) -> list[int]:
        """Return a random part of a list, sorted."""
        return sorted(self.chance.sample(every, self.chance.randrange(len(every) + 1)))

    def cut(self) -> Data:
        """Return a random cut, with terms of both sorts."""
        chance = self.chance
        inside = self.some(list(range(len(self.ground.copies))))
        terms = []
        for kept, example in sorted(chance.sample(self.closed, min(len(self.closed), chance.choice((0, 1, 2))))):
            together, members = chance.random() < 0.5, self.ground.members(kept, example)
            its = self.some([r for r in members if (r in inside) == together])
            terms.append({"kept": list(kept), "example": example, "together": together, "records": its})
        return {"records": inside, "divisor": chance.choice((2, 2, 3)), "terms": terms}

    def potential(self) -> Data:
        """Return random potentials of a pattern."""
        kept, example = self.chance.choice(self.closed)
        part = self.chance.randrange(len(self.problem.conditions))
        values = [self.chance.randrange(-2, 3) for _ in self.problem.conditions[part].total]
        return {"part": part, "kept": list(kept), "example": example, "values": values}

    def tree(self, depth: int, pairs: tuple[Any, ...], cuts: int, d: int) -> Data:
        """Return a random tree; `pairs` are the limited patterns and values above."""
        chance = self.chance
        if depth and self.closed:
            kept, example = chance.choice(self.closed)
            value = chance.choice((None, 0, 1))
            pair = (kept, example, value)
            below = pairs if value is None or pair in pairs else (*pairs, pair)
            sides = {side: self.tree(depth - 1, below, cuts, d) for side in ("low", "high")}
            return {
                "kept": list(kept),
                "example": example,
                "value": value,
                "most": chance.choice((0, 0, 0, 1, 2)),
                **sides,
            }
        top = chance.choice((1, d, d * self.weight))
        base = chance.choice((0, chance.randrange(top + 1)))
        return {
            "worth": [base or chance.randrange(top + 1) for _ in self.ground.copies],
            "prices": [chance.randrange(d + 1) * chance.randrange(2) for _ in range(cuts)],
            "limited": [chance.randrange(-d, d + 1) for _ in pairs],
        }

    def written(self, proof: Data, value: int) -> Path:
        """Write a proof with a value, and the claim that goes with it."""
        bound = Fraction(value, self.problem.table.scale)
        document = {**self.stated, "claim": {"bound": [*bound.as_integer_ratio()]}, "proof": {**proof, "value": value}}
        self.proof.write_text(json.dumps(document))
        return self.proof

    def proves(self, proof: Data) -> int | None:
        """Return how much a proof proves; None if it is refused for another reason."""
        try:
            check_anoptima.check(str(self.table), str(self.written(proof, MOST)))
        except check_anoptima.Refused as refused:
            found = re.search(r"the numbers prove (-?\d+) in", str(refused))
            return int(found[1]) if found else None
        raise AssertionError("a bound above all costs is accepted")

    def verifies(self) -> bool:
        """Tell whether the package verifies the proof that was written last."""
        weights = {name: weight for name, (weight, _) in zip(self.names, self.stated["table"]["weights"], strict=True)}
        table, read = ao.Table.read_csv(self.table, self.names, SENSITIVE, weights=weights), read_proof(self.proof)
        try:
            read.proved(read.problem_on(table))
        except ao.BadInput:
            return False
        return True


def shape_of(proof: Data) -> Shape:
    """Return whether a proof has forks, cuts, a reach, potentials and whole rows."""
    return (
        "low" in proof["tree"],
        bool(proof["cuts"]),
        proof["reach"] is not None,
        bool(proof["potentials"]),
        proof["whole"],
    )


def faults(combined: Combined, proofs: int, javascript: Callable[[Path, Path], str]) -> tuple[set[Shape], list[str]]:
    """Return of what shapes random proofs prove something, and each false bound or disagreement; `javascript` says a verdict."""
    proving, found = set[Shape](), list[str]()
    least = combined.proves({"kind": "all-partitions"})
    if least is None or not combined.closed:
        return proving, found
    for _ in range(proofs):
        proof = combined.made()
        value = combined.proves(proof)
        if value is None:
            if javascript(combined.table, combined.proof) == "verified" or combined.verifies():
                found.append(f"only check.js or the package verifies {combined.proof.read_text()}")
            continue
        if value > 0:
            proving.add(shape_of(proof))
        if value > least:
            found.append(f"{value} is proved, and {least} is possible: {combined.proof.read_text()}")
        for claim in {max(0, value), max(0, value + 1)}:
            said = javascript(combined.table, combined.written(proof, claim))
            if (said == "verified") != (claim <= value):
                found.append(f"check.js says {said} of {claim}, and {value} is proved: {combined.proof.read_text()}")
            if combined.verifies() != (claim <= value):
                found.append(
                    f"the package says otherwise of {claim}, and {value} is proved: {combined.proof.read_text()}"
                )
    return proving, found
