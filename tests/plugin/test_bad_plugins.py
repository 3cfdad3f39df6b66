"""Plug-ins that are wrong in every way there is: each is named once, and everything else goes on as if they were not there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PLUGINS = """
from anoptima.models.base import Language, Model
from anoptima.models.pattern import PatternModel as Pattern
from anoptima.solvers.approximate.peel import Peel
from anoptima.solvers.backends.highs import Highs


class Speechless(Model):
    name = "speechless"
    why_not = estimate = build_unchecked = None


class Spoken(Pattern):
    name = "spoken"
    language = "pyomo"


class Raising(Pattern):
    name = "raising"

    def why_not(self, problem):
        return problem.moon


class Slashed(Peel):
    name = "peel/twice"


class Lost(Peel):
    name = "lost"

    def why_not(self, problem):
        raise KeyError("moon")


class Quick(Peel):
    name = "a-quick-one"
    quick = 0

    def partition(self, *_, **__):
        raise ArithmeticError("too quick")


class Deaf(Highs):
    name = "deaf"

    def availability(self):
        raise OSError("no ears")


class Mute(Highs):
    name = "mute"
    languages = "pyomo"


def leave():
    raise SystemExit("leaving")
"""

ENTRIES = """
[anoptima.models]
speechless = bad_plugins:Speechless
spoken = bad_plugins:Spoken
raising = bad_plugins:Raising
[anoptima.solvers]
slashed = bad_plugins:Slashed
lost = bad_plugins:Lost
quick = bad_plugins:Quick
absent = no_such_module:Thing
number = fractions:Fraction
leaving = bad_plugins:leave
[anoptima.backends]
deaf = bad_plugins:Deaf
mute = bad_plugins:Mute
gone = no_such_module:Thing
[anoptima.reductions]
nothing = bad_plugins:Nothing
"""

NAMED = [
    "the model plug-in 'speechless' (bad_plugins:Speechless)",
    "the model plug-in 'spoken' (bad_plugins:Spoken)",
    "raising",
    "the solver plug-in 'slashed' (bad_plugins:Slashed)",
    "lost",
    "a-quick-one",
    "the solver plug-in 'absent' (no_such_module:Thing)",
    "the solver plug-in 'number' (fractions:Fraction)",
    "the solver plug-in 'leaving' (bad_plugins:leave)",
    "the backend 'deaf'",
    "the backend plug-in 'mute'",
    "the backend plug-in 'gone'",
    "the reduction plug-in 'nothing' (bad_plugins:Nothing)",
]

PROGRAM = """
import anoptima as ao
from anoptima.cli import main

problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
assert ao.solve(problem).cost == ao.solve(problem, "pattern/highs").cost == 46
names = [solver.name for solver in ao.solvers_for(problem)]
assert {"pattern/highs", "subset-dp", "peel", "a-quick-one"} <= {*names}
assert not {"raising/highs", "lost", "pattern/deaf", "peel/twice"} & {*names}
assert main(["list", "--json"]) == main(["reductions"]) == 0
"""


def test_bad_plugins_are_named_once_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "bad_plugins.py").write_text(PLUGINS)
    installed = tmp_path / "bad_plugins-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: bad-plugins\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(ENTRIES)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for name in NAMED:
        assert done.stderr.count(f"{name} is left out: ") == 1, f"{name} in:\n{done.stderr}"
    assert done.stderr.count("is left out") == len(NAMED), done.stderr
