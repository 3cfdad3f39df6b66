"""docs/papers.md names what there is, gives commands that exist, and says what its lines of Python come to."""

from __future__ import annotations

import importlib.util
import shlex
from pathlib import Path

import pytest

import anoptima as ao
from anoptima.cli import parser
from anoptima.instances.errata import errata
from anoptima.instances.library import instances
from anoptima.models import models
from anoptima.reductions import reductions
from anoptima.solvers import algorithms
from benchmarks.papers import Statement, statements

ROOT = Path(__file__).parents[2]
ALL = list(statements())


def named() -> set[str]:
    """Return whatever a line may name."""
    registries = (algorithms, models, reductions, errata, instances)
    return {f"ao.{name}" for name in dir(ao)} | {one.name for registry in registries for one in registry.all()}


def why_no_command(command: str) -> str | None:
    """Say what is wrong with a command; it is not run."""
    words = shlex.split(command)
    if words[:2] == ["python", "-m"]:
        if words[2] == "pytest":
            missing = [path for path in words[3:] if not (ROOT / path).exists()]
            return f"no {missing}" if missing else None
        return None if importlib.util.find_spec(words[2]) else f"no module {words[2]}"
    if words[0] != "anoptima":
        return "neither anoptima nor python"
    try:
        parser().parse_args(words[1:])
    except (SystemExit, ao.BadInput):
        return "the command line does not take it"
    return None


def test_every_line_names_what_there_is() -> None:
    known = named()
    assert [(one.place, name) for one in ALL if one.runs for name in one.names if name not in known] == []


def test_every_command_is_one() -> None:
    wrong = [(one.place, why_no_command(one.command)) for one in ALL if one.runs and not in_python(one)]
    assert [(place, why) for place, why in wrong if why] == []


def test_every_line_of_python_comes_to_what_is_found() -> None:
    for one in filter(in_python, ALL):
        assert one.found.startswith(str(eval(one.command, {"ao": ao}))), (one.paper, one.place)


def test_what_does_not_run_says_why() -> None:
    assert all(one.found and not one.command for one in ALL if not one.runs)


def test_every_erratum_is_named() -> None:
    text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    assert [one.name for one in errata.all() if f"`{one.name}`" not in text and f"## {one.name}" not in text] == []


@pytest.mark.parametrize("command", ["anoptima no-such-command", "python -m benchmarks.no_such", "make coffee"])
def test_what_is_no_command_is_noticed(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert why_no_command(command)


def in_python(one: Statement) -> bool:
    return one.command.startswith(("ao.", "len("))
