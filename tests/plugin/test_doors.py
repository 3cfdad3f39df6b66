"""Principles, problems, spaces and instances of another distribution: listed, solved with, written down, read back and verified."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PLUGINS = '''
from dataclasses import dataclass
from fractions import Fraction

import anoptima as ao
from anoptima.instances.library import Instance
from anoptima.principles import AtLeastRows, AtLeastValues, KAnonymity
from anoptima.spaces import MatrixMetric, Space


@dataclass(frozen=True)
class Twice(KAnonymity):
    """At least 2k rows."""

    kind = "twice"

    def holds_each(self, groups):
        return groups.sizes >= 2 * self.k

    could_hold_each = holds_each

    def why_not(self, groups, group=0):
        return None if groups.size(group) >= 2 * self.k else f"fewer than {2 * self.k} rows"

    def conditions(self, table):
        return [AtLeastRows(2 * self.k)]

    def least_size(self, table):
        return 2 * self.k


@dataclass(frozen=True, eq=False)
class CellsTwice(ao.CellSuppression):
    """Cell suppression by another name."""

    name = "cells-too"


@dataclass(frozen=True)
class Far(Space):
    """All values at distance 1, except those that are close: at a half."""

    close: tuple = ()
    kind = "far"
    holds_values = ("close",)

    def fit(self, values):
        close = [value in self.close for value in values]
        near = lambda i, j: Fraction(1, 2) if close[i] and close[j] else Fraction(1)
        return MatrixMetric([[near(i, j) * (i != j) for j in range(len(values))] for i in range(len(values))])

    def as_json(self):
        return {"kind": self.kind, "close": list(self.close)}

    @classmethod
    def from_json(cls, data):
        return cls(tuple(data["close"]))


def seven():
    return Instance(
        "ten-rows-twice", "ten rows under a principle of its own", lambda: ao.CellSuppression(ao.ten_rows(), Twice(2)), "here"
    )
'''

ENTRIES = """
[anoptima.principles]
twice = other_doors:Twice
[anoptima.problems]
cells-too = other_doors:CellsTwice
[anoptima.spaces]
far = other_doors:Far
[anoptima.instances]
ten-rows-twice = other_doors:seven
"""

TABLE = "zip,age,ill\n1,3,a\n1,3,b\n1,4,a\n1,4,c\n2,5,a\n2,5,b\n2,6,c\n2,6,a\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    (folder / "other_doors.py").write_text(PLUGINS)
    installed = folder / "other_doors-2.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: other-doors\nVersion: 2.0\n")
    (installed / "entry_points.txt").write_text(ENTRIES)
    (folder / "table.csv").write_text(TABLE)
    return folder


def run(site: Path, program: str) -> str:
    path = os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=site,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_they_are_listed_with_the_distribution_that_they_come_from(site: Path) -> None:
    out = run(
        site,
        "from anoptima.cli import main\nfor room in ('principles', 'problems', 'spaces', 'instances'): main(['list', room])",
    )
    lines = {line.split()[0]: line for line in out.splitlines() if line.startswith("  ")}
    for name in ("twice", "cells-too", "far", "ten-rows-twice"):
        assert lines[name].endswith("[of other-doors]"), out
    assert "[of" not in lines["k-anonymity"]


def test_an_answer_under_a_principle_of_ones_own_is_verified(site: Path) -> None:
    out = run(
        site,
        """
import anoptima as ao
from anoptima.cli import main
from anoptima.documents.answers import answer_document
from anoptima.documents.writing import to_json
from other_doors import CellsTwice, Far, Twice

table = ao.Table.read_csv("table.csv", ["zip", "age"], "ill")
for kind in (ao.CellSuppression, CellsTwice):
    problem = kind(table, Twice(2) & ao.TCloseness("1/2", space=Far(("a", "b"))))
    for solver in ("auto", "pattern/highs", "subset-dp"):
        answer = ao.solve(problem, solver)
        assert answer.claim is ao.Claim.OPTIMAL
    answer.release.to_csv("release.csv", index=False)
    open("answer.json", "w").write(to_json(answer_document(answer, {"file": "table.csv"})))
    ao.save_proof(ao.solve(problem, "sifting"), "proof.json")
    assert main(["verify", "table.csv", "release.csv", "answer.json", "proof.json"]) == 0
assert ao.instance("ten-rows-twice").load().principle == Twice(2)
assert main("solve table.csv --quasi zip,age --sensitive ill -k 2 --problem cells-too --quiet".split()) == 0
""",
    )
    assert out.count("VERIFIED") == 2
    assert out.count("NOT VERIFIED") == 0
