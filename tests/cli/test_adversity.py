"""The command line as a process under adverse conditions: one sentence each, the exit code, and no half-written file."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run, Said

pytestmark = pytest.mark.slow

SOLVE = ("solve", "t.csv", "--quasi", "zip,age", "-k", "2", "--solver", "peel")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text("zip,age\n" + "1,30\n1,31\n2,30\n2,31\n" * 400)
    return tmp_path


def finish(
    *words: str,
    cwd: Path,
    before: str = "",
    limit: Callable[[], None] | None = None,
    environment: dict[str, str] | None = None,
) -> tuple[int, str, str]:
    """Run the command line in a process of its own, after a piece of code in it."""
    code = f"import sys\n{before}\nfrom anoptima.__main__ import main\nsys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
        env={**os.environ, **(environment or {})},
    )
    return done.returncode, done.stdout, done.stderr


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# Interrupts the process at the moment at which a package is looked for.
INTERRUPT = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
"""


@pytest.mark.parametrize(
    "name", ["anoptima.cli", "anoptima.cli.solve", "numpy", "pandas", "numpy.linalg", "anoptima.table"]
)
def test_an_interrupt_while_packages_load_is_one_sentence(small: Path, name: str) -> None:
    found = finish(*SOLVE, "-o", "r.csv", cwd=small, before=INTERRUPT.format(name=name))
    assert found == (130, "", "anoptima: interrupted\n")
    assert files_in(small) == ["t.csv"]


# An interrupt that arrives while Python runs a callback is printed and forgotten, unless somebody sees to it.
IN_A_CALLBACK = """
import signal, sys, time, weakref
signal.signal(signal.SIGINT, signal.default_int_handler)
import anoptima.cli.solve as command
class Thing: pass
def forget(_): signal.raise_signal(signal.SIGINT)
def run(*_, **__):
    thing = Thing()
    keep = weakref.ref(thing, forget)
    del thing
    time.sleep(600)
command.solve_live = run
"""


def test_an_interrupt_in_a_callback_is_not_lost(small: Path) -> None:
    assert finish(*SOLVE, cwd=small, before=IN_A_CALLBACK) == (130, "", "anoptima: interrupted\n")


def test_an_address_space_that_is_too_small_is_one_sentence(small: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))

    code, out, err = finish(*SOLVE, cwd=small, limit=limit)
    assert (code, out) == (3, "")
    assert err == "anoptima: the address space is limited to 400 MiB (ulimit -v); the packages take 1,024\n"


def caused(error: Exception, cause: BaseException) -> Exception:
    """Return an error as `raise ... from ...` leaves it."""
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "there is not enough memory for this"),
        (RuntimeError("can't start new thread"), "there is not enough memory for this"),
        (ImportError("libx.so: failed to map segment"), "a package cannot be loaded: libx.so: failed to map segment"),
        (
            OSError(24, "Too many open files", "/dev/null"),
            "this needs more open files than are allowed here (ulimit -n)",
        ),
        (
            BlockingIOError(11, "Resource temporarily unavailable"),
            "this needs more processes or threads than are allowed here (ulimit -u)",
        ),
        (caused(ImportError("initialization failed"), KeyboardInterrupt()), "interrupted"),
    ],
)
def test_what_comes_of_little_memory_is_one_sentence(
    small: Path, error: Exception, said: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process: what becomes of an error is the same in any."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.chdir(small)
    monkeypatch.setattr("anoptima.cli.solve.solve_live", fail)
    assert run(*SOLVE) == Said(130 if said == "interrupted" else 3, "", f"anoptima: {said}\n")


def small_files() -> None:
    # Python itself ignores the signal, as the shell's ulimit leaves it to.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def test_a_file_that_is_too_large_is_named_and_the_others_are_written(small: Path) -> None:
    (small / "r.csv").write_text("old")
    code, out, err = finish(
        *SOLVE, "-o", "r.csv", "--answer", "a.json", "--checkpoint", "c.json", cwd=small, limit=small_files
    )
    assert code == 4
    assert out.startswith("OPTIMAL  0 stars")
    assert "the answer is in a.json" in out
    why = "could not be written: it would be larger than a file may be here (ulimit -f)"
    assert err.splitlines() == [
        f"anoptima: the checkpoint c.json {why}; the run went on without it",
        f"anoptima: the release r.csv {why}",
    ]
    assert (small / "r.csv").read_text() == "old"
    assert files_in(small) == ["a.json", "r.csv", "t.csv"]


def test_a_full_device_is_named(small: Path) -> None:
    code, out, err = finish(*SOLVE, "--answer", "/dev/full", "-o", "r.csv", cwd=small)
    assert (code, err) == (
        4,
        "anoptima: the answer /dev/full could not be written: there is no space left on its disk\n",
    )
    assert "the release is in r.csv" in out


def test_a_checkpoint_that_cannot_be_written_costs_nothing_but_itself(small: Path) -> None:
    code, out, err = finish(*SOLVE, "--checkpoint", "c.json", "-o", "r.csv.gz", cwd=small, limit=small_files)
    assert (code, err.count("\n")) == (0, 1)
    assert err.startswith("anoptima: the checkpoint c.json could not be written")
    assert "the release is in r.csv.gz" in out


def test_no_home_is_no_obstacle(small: Path) -> None:
    # Nobody can make a folder there, not even root.
    environment = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null", "MPLCONFIGDIR": ""}
    code, _, err = finish(*SOLVE, "--plot", "p.svg", "-o", "r.csv", cwd=small, environment=environment)
    assert (code, err) == (0, "")
    assert files_in(small) == ["p.svg", "r.csv", "t.csv"]


def test_a_picture_without_a_folder_for_settings_is_left_out(small: Path) -> None:
    environment = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null", "MPLCONFIGDIR": ""}
    before = "import tempfile\ndef refuse(**_): raise FileNotFoundError(2, 'none')\ntempfile.mkdtemp = refuse"
    code, out, err = finish(*SOLVE, "--plot", "p.svg", "-o", "r.csv", cwd=small, before=before, environment=environment)
    why = "pictures need a folder for matplotlib's settings; set MPLCONFIGDIR to one"
    assert (code, err) == (4, f"anoptima: the plot is not written: {why}\n")
    assert "the release is in r.csv" in out


def test_a_closed_standard_output_is_named_where_the_release_goes_there(small: Path) -> None:
    code, _, err = finish(*SOLVE, "-o", "-", cwd=small, before="sys.stdout = None")
    assert (code, err) == (4, "anoptima: the release could not be written: standard output is closed\n")
    code, _, err = finish(*SOLVE, "-o", "r.csv", cwd=small, before="sys.stdout = None")
    assert (code, err) == (0, "")
    assert files_in(small) == ["r.csv", "t.csv"]
