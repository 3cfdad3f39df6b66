"""Every module can be the first one imported, only defines, and the heavy packages wait until needed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "anoptima"
MODULES = sorted(
    ".".join(("anoptima", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if path.name != "__main__.py"
)

# The other packages are imported once; then each of our modules is the first of ours in a child of its own.
EACH = """
import json, logging, os, random, sys, threading, warnings
import networkx, numpy, pandas, pyomo.environ
warnings.simplefilter("error")
broken = {}
for name in json.loads(sys.argv[1]):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        dice, handlers = random.getstate(), logging.root.handlers[:]
        threads, files = threading.active_count(), os.listdir()
        try:
            __import__(name)
            assert random.getstate() == dice, "draws random numbers"
            assert logging.root.handlers == handlers, "installs a log handler"
            assert threading.active_count() == threads, "starts a thread"
            assert os.listdir() == files, "writes a file"
        except BaseException as error:
            os.write(1, f"{type(error).__name__}: {error}".encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as said:
        words = said.read()
    os.waitpid(child, 0)
    if words:
        broken[name] = words
print(json.dumps(broken))
"""

# A finder in front of all others notes what is asked for, and says that it is not there.
LIGHT = """
import json, sys
import networkx, numpy, pandas, pyomo.environ
heavy, asked = json.loads(sys.argv[1]), set()
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in heavy:
            asked.add(name)
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
for name in [name for name in sys.modules if name.partition(".")[0] in heavy]:
    del sys.modules[name]
import anoptima
print(json.dumps(sorted(asked)))
"""


# The same for every Python process, those that a backend starts among them: without the extras they are not there.
NO_EXTRAS = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"IPython", "ipykernel", "jupytext", "matplotlib", "nbclient", "numba", "pyarrow", "pyscipopt"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
"""


def run(program: str, argument: object, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, json.dumps(argument)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=cwd,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_imports_first_and_quietly(tmp_path: Path) -> None:
    assert len(MODULES) > 10, "the modules were found"
    broken: dict[str, str] = json.loads(run(EACH, MODULES, tmp_path))
    assert not broken, "\n".join(f"{name}: {words}" for name, words in broken.items())


def test_heavy_packages_wait_until_needed(tmp_path: Path) -> None:
    asked: list[str] = json.loads(
        run(LIGHT, ["highspy", "matplotlib", "numba", "ortools", "pyarrow", "pyscipopt"], tmp_path)
    )
    assert asked == [], f"import anoptima asks for {', '.join(asked)}"


def test_the_core_suffices_without_extras(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_EXTRAS, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "anoptima", "demo"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "OPTIMAL" in done.stdout
