"""Every module can be the first one imported, only defines, and the heavy packages wait until needed."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import PATIENCE

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "anoptima"
MODULES = sorted(
    ".".join(("anoptima", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if path.name != "__main__.py"
)

# numpy is imported once; then each of our modules is the first of ours in a child of its own. Python imports the packages around a
# module before it: a package's child, having imported the package, forks the children of the modules in it.
EACH = """
import json, logging, os, random, sys, threading, warnings
import numpy
warnings.simplefilter("error")
names, derived = map(json.loads, sys.argv[1:])
report = os.dup(1)
def visit(name):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        dice, handlers = random.getstate(), logging.root.handlers[:]
        threads, files = threading.active_count(), os.listdir()
        try:
            __import__(name)
            sys.stdout.flush()
            assert random.getstate() == dice, "draws random numbers"
            assert logging.root.handlers == handlers, "installs a log handler"
            assert threading.active_count() == threads, "starts a thread"
            assert os.listdir() == files, "writes a file"
            for heavy in ("matplotlib", "networkx", "ortools", "pandas", "pyarrow", "pyomo", "pyscipopt"):
                assert heavy not in sys.modules or [name, heavy] in derived, f"imports {heavy}"
            for inside in names:
                if inside.rpartition(".")[0] == name:
                    visit(inside)
        except BaseException as error:
            os.write(1, f"{type(error).__name__}: {error}".encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as said:
        words = said.read()
    os.waitpid(child, 0)
    os.write(report, (json.dumps([name, words]) + chr(10)).encode())
visit("anoptima")
"""

DERIVED = [("anoptima.experiments.comparison_frame", "pandas"), ("anoptima.experiments.comparison_frame", "pyarrow")]
"""Modules that derive from a class of a heavy package, which they import, and what that imports. Functions import these modules."""

HEAVY = "highspy matplotlib networkx numba numpy ortools pandas pyarrow pyomo pyscipopt scipy"

LOADED = """
import sys
heavy = sys.argv.pop().split()
exec(sys.argv.pop())
print(*[name for name in heavy if name in sys.modules])
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


@pytest.mark.slow
def test_every_module_imports_first_and_quietly(tmp_path: Path) -> None:
    assert len(MODULES) > 10, "the modules were found"
    said: dict[str, str] = dict(json.loads(line) for line in run(EACH, tmp_path, MODULES, DERIVED).splitlines())
    broken = {name: words for name, words in said.items() if words}
    assert not broken, "\n".join(f"{name}: {words}" for name, words in broken.items())
    assert sorted(said) == MODULES, "every one was tried"


@pytest.mark.parametrize(
    ("program", "loaded"),
    [
        ("import anoptima", set()),
        ("from anoptima.cli import main; main(['--help'])", set()),
        ("from anoptima.cli import main; main(['solve', '--help'])", {"numpy"}),
        ("from anoptima.cli import main; main(['list', 'models'])", {"numpy"}),
        ("from anoptima.cli import main; main(['list', 'backends'])", {"numpy"}),
        # Tables come and go as frames. pandas imports pyarrow where it is installed.
        (TEN + "ao.solvers_for(problem)", {"numpy", "pandas", "pyarrow"}),
        (TEN + "ao.get_solver('subset-dp').solve(problem)", {"numpy", "pandas", "pyarrow"}),
        (TEN + "ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11)))", {"numpy", "pandas", "pyarrow"}),
        # By itself, a small question is answered in this process, without a modelling language.
        (TEN + "ao.solve(problem); " + ALONE, {"highspy", "numba", "numpy", "pandas", "pyarrow"}),
        # Of a program that another process solves, this one loads the language alone.
        (TEN + "ao.get_solver('pattern/highs').solve(problem)", {"numpy", "pandas", "pyarrow", "pyomo"}),
        (TEN + "ao.get_solver('assignment/cp-sat').solve(problem)", {"numpy", "ortools", "pandas", "pyarrow"}),
    ],
)
def test_heavy_packages_wait_until_needed(program: str, loaded: set[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, program, HEAVY], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.splitlines()[-1].split()) <= loaded


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
