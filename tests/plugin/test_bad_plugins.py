"""Plug-ins that are wrong in every way there is: each is named once, and everything else goes on as if they were not there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PLUGINS = """
from anoptima.models.base import Language, Model
from anoptima.models.pattern import PatternModel as Pattern
from anoptima.principles import KAnonymity, Principle
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.approximate.peel import Peel
from anoptima.solvers.backends.highs import Highs
from anoptima.spaces import Space


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


class Vague(KAnonymity):
    kind = "k anonymity"


class Taken(KAnonymity):
    kind = "k-anonymity"


class Half(Principle):
    kind = "half"


class Cells(CellSuppression):
    name = "cell-suppression"


class Round(Space):
    kind = "round"


class Oath:
    kind = "oath"


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
[anoptima.principles]
vague = bad_plugins:Vague
taken = bad_plugins:Taken
half = bad_plugins:Half
[anoptima.problems]
cells = bad_plugins:Cells
[anoptima.spaces]
round = bad_plugins:Round
[anoptima.proofs]
oath = bad_plugins:Oath
[anoptima.instances]
one = bad_plugins:leave
[anoptima.reductions]
nothing = bad_plugins:Nothing
"""

NAMED = [
    "the model plug-in 'speechless' (bad_plugins:Speechless of bad-plugins 1.0)",
    "the model plug-in 'spoken' (bad_plugins:Spoken of bad-plugins 1.0)",
    "raising (of bad-plugins)",
    "the solver plug-in 'slashed' (bad_plugins:Slashed of bad-plugins 1.0)",
    "lost (of bad-plugins)",
    "a-quick-one (of bad-plugins)",
    "the solver plug-in 'absent' (no_such_module:Thing of bad-plugins 1.0)",
    "the solver plug-in 'number' (fractions:Fraction of bad-plugins 1.0)",
    "the solver plug-in 'leaving' (bad_plugins:leave of bad-plugins 1.0)",
    "the backend deaf (of bad-plugins)",
    "the backend plug-in 'mute' (bad_plugins:Mute of bad-plugins 1.0)",
    "the backend plug-in 'gone' (no_such_module:Thing of bad-plugins 1.0)",
    "the principle plug-in 'vague' (bad_plugins:Vague of bad-plugins 1.0)",
    "the principle plug-in 'taken' (bad_plugins:Taken of bad-plugins 1.0)",
    "the principle plug-in 'half' (bad_plugins:Half of bad-plugins 1.0)",
    "the problem plug-in 'cells' (bad_plugins:Cells of bad-plugins 1.0)",
    "the space plug-in 'round' (bad_plugins:Round of bad-plugins 1.0)",
    "the proof plug-in 'oath' (bad_plugins:Oath of bad-plugins 1.0)",
    "the instance plug-in 'one' (bad_plugins:leave of bad-plugins 1.0)",
    "the reduction plug-in 'nothing' (bad_plugins:Nothing of bad-plugins 1.0)",
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
