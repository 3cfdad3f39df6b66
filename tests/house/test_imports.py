"""Every module can be the first one imported, only defines, and the heavy packages wait until needed."""

from __future__ import annotations

import importlib
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import networkx as nx
import pytest

from tests.processes import PATIENCE

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "anoptima"
MODULES = sorted(
    ".".join(("anoptima", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if path.name != "__main__.py"
)

# All of our modules are imported one after the other, and what each does is seen by what is new after it. Printed are what it did wrong,
# and what it imports.
IN_A_ROW = """
import builtins, importlib, json, logging, os, random, sys, tempfile, threading, warnings
import numpy
warnings.simplefilter("error")
names, derived = map(json.loads, sys.argv[1:])
edges, done = set(), {}
imports, import_module = builtins.__import__, importlib.import_module
def noting(name, globals=None, locals=None, fromlist=(), level=0):
    importer = (globals or {}).get("__name__", "")
    assert level == 0 or importer not in names, f"{importer} imports relatively"
    edges.update((importer, inside) for inside in (name, *(f"{name}.{part}" for part in fromlist or ())))
    return imports(name, globals, locals, fromlist, level)
def noting_module(name, package=None):
    edges.add((sys._getframe(1).f_globals["__name__"], name))
    return import_module(name, package)
builtins.__import__, importlib.import_module = noting, noting_module
report, printed = os.dup(1), tempfile.TemporaryFile()
os.dup2(printed.fileno(), 1)
os.dup2(printed.fileno(), 2)
for name in names:
    dice, handlers, size = random.getstate(), logging.root.handlers[:], os.fstat(1).st_size
    threads, files = threading.active_count(), os.listdir()
    try:
        __import__(name)
        sys.stdout.flush()
        assert os.fstat(1).st_size == size, "prints"
        assert random.getstate() == dice, "draws random numbers"
        assert logging.root.handlers == handlers, "installs a log handler"
        assert threading.active_count() == threads, "starts a thread"
        assert os.listdir() == files, "writes a file"
        for heavy in ("matplotlib", "networkx", "ortools", "pandas", "pyarrow", "pyomo", "pyscipopt"):
            assert heavy not in sys.modules or [name, heavy] in derived, f"imports {heavy}"
        done[name] = ""
    except BaseException as error:
        done[name] = f"{type(error).__name__}: {error}"
os.write(report, json.dumps([done, [edge for edge in edges if set(edge) <= set(names)]]).encode())
"""

# numpy is imported once; then each of some of our modules is the first of ours in a child of its own. Python imports the packages around
# a module before it: a package's child, having imported the package, forks the children of the modules in it.
EACH_FIRST = """
import json, os, sys, warnings
import numpy
warnings.simplefilter("error")
names = json.loads(sys.argv[1])
report = os.dup(1)
def visit(name):
    child = os.fork()
    if child == 0:
        try:
            __import__(name)
            words = ""
        except BaseException as error:
            words = f"{type(error).__name__}: {error}"
        os.write(report, (json.dumps([name, words]) + chr(10)).encode())
        for inside in () if words else names:
            if inside.rpartition(".")[0] == name:
                visit(inside)
        os._exit(0)
    os.waitpid(child, 0)
visit("anoptima")
"""

DERIVED = [("anoptima.experiments.comparison_frame", "pandas"), ("anoptima.experiments.comparison_frame", "pyarrow")]
"""Modules that derive from a class of a heavy package, which they import, and what that imports. Functions import these modules."""

HEAVY = [
    "highspy",
    "matplotlib",
    "networkx",
    "numba",
    "numpy",
    "ortools",
    "pandas",
    "pyarrow",
    "pyomo",
    "pyscipopt",
    "scipy",
]

# Programs one after the other in one interpreter; after each, which heavy packages are there by now.
LOADED = """
import json, os, sys
programs, heavy = map(json.loads, sys.argv[1:])
report = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
for program in programs:
    exec(program)
    os.write(report, (json.dumps([name for name in heavy if name in sys.modules]) + chr(10)).encode())
"""

TEN = "import anoptima as ao; problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)); "

ALONE = "from anoptima.solvers.backends.process import POOL; assert not POOL._all, 'a process was started'"


# A finder in front of all others says that the extras are not there, in every Python process, also those that a backend starts.
NO_EXTRAS = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"IPython", "ipykernel", "jupytext", "matplotlib", "nbclient", "pyarrow", "pyscipopt"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
"""


def run(program: str, cwd: Path, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *(json.dumps(argument) for argument in arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        cwd=cwd,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def in_rings(names: Iterable[str], edges: Iterable[tuple[str, str]]) -> list[str]:
    """Return the modules from which imports lead back to them, and the packages around these.

    Only those may be imported by others and fail as the first one: of any other module, all that it imports is complete before it goes on,
    and was tried by itself.
    """
    graph = nx.DiGraph(edges)
    rings = [ring for ring in nx.strongly_connected_components(graph) if len(ring) > 1]
    around = {
        ".".join(name.split(".")[:count]) for name in set().union(*rings) for count in range(1, name.count(".") + 2)
    }
    return sorted(around & set(names))


def test_every_module_imports_first_and_quietly(tmp_path: Path) -> None:
    assert len(MODULES) > 10, "the modules were found"
    last = [name for name, _ in DERIVED]
    said, edges = json.loads(run(IN_A_ROW, tmp_path, sorted(MODULES, key=lambda name: name in last), DERIVED))
    wrong = {name: words for name, words in said.items() if words}
    assert not wrong, wrong
    assert sorted(said) == MODULES, "every one was tried"
    rings = in_rings(MODULES, map(tuple, edges))
    first: dict[str, str] = dict(json.loads(line) for line in run(EACH_FIRST, tmp_path, rings).splitlines())
    broken = {name: words for name, words in first.items() if words}
    assert not broken, broken
    assert sorted(first) == sorted({"anoptima", *rings}), "every one in a ring was tried as the first"


@pytest.mark.deep
def test_every_module_is_the_first_one_of_a_process(tmp_path: Path) -> None:
    said: dict[str, str] = dict(json.loads(line) for line in run(EACH_FIRST, tmp_path, MODULES).splitlines())
    assert said == dict.fromkeys(MODULES, "")


FRAMES = {"numpy", "pandas", "pyarrow"}
"""Tables come and go as frames. pandas imports pyarrow where it is installed."""


@pytest.mark.parametrize(
    "steps",
    [
        [
            ("import anoptima", set()),
            ("from anoptima.cli import main; main(['--help'])", set()),
            ("from anoptima.cli import main; main(['solve', '--help'])", {"numpy"}),
            ("from anoptima.cli import main; main(['list', 'models'])", {"numpy"}),
            ("from anoptima.cli import main; main(['list', 'backends'])", {"numpy"}),
            (TEN + "ao.solvers_for(problem)", FRAMES),
            (TEN + "ao.get_solver('subset-dp').solve(problem)", FRAMES),
            (TEN + "ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11)))", FRAMES),
            # By itself, a small question is answered in this process, without a modelling language.
            (TEN + "ao.solve(problem); " + ALONE, {*FRAMES, "highspy", "numba"}),
        ],
        # Of a program that another process solves, this one loads the language alone.
        [(TEN + "ao.get_solver('pattern/highs').solve(problem)", {*FRAMES, "pyomo"})],
        [(TEN + "ao.get_solver('assignment/cp-sat').solve(problem)", {*FRAMES, "ortools"})],
    ],
    ids=["by itself", "a model in Pyomo", "a model in CP-SAT"],
)
def test_heavy_packages_wait_until_needed(steps: list[tuple[str, set[str]]], tmp_path: Path) -> None:
    """What one step may load, those after it may: what a step loads beyond that is new after it."""
    programs, allowed = zip(*steps, strict=True)
    assert all(earlier <= later for earlier, later in itertools.pairwise(allowed))
    loaded = [set(json.loads(line)) for line in run(LOADED, tmp_path, programs, HEAVY).splitlines()]
    assert len(loaded) == len(steps)
    for program, found, may in zip(programs, loaded, allowed, strict=True):
        assert found <= may, f"{program} loads {found - may}"


def test_the_core_suffices_without_extras(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_EXTRAS, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "anoptima", "demo"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "OPTIMAL" in done.stdout


def test_public_names_are_those_of_their_list() -> None:
    import anoptima
    from anoptima import public

    assert [name for name in dir(anoptima) if not name.startswith("_")] == public.__all__
    assert all(getattr(anoptima, name) is getattr(public, name) for name in public.__all__)
    assert anoptima.models.models is importlib.import_module("anoptima.models").models
    with pytest.raises(AttributeError, match="module 'anoptima' has no attribute 'KAnonimity'"):
        anoptima.KAnonimity  # type: ignore[attr-defined]  # noqa: B018
