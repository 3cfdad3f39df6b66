"""The plug-ins that `benchmarks.plug_ins` makes from the templates: every change finds its place, and what comes of it conforms."""

from __future__ import annotations

import sys
import types

import pytest

from anoptima.cli.new import KINDS, package
from anoptima.testing import check_model, check_problem, check_reduction, check_solver
from benchmarks.plug_ins import code_lines, lines_written, name_of, own


def written(kind: str) -> str:
    return next(text for place, text in package(kind, name_of(kind)).items() if place.startswith("src/"))


def test_every_change_finds_its_place() -> None:
    for kind in KINDS:
        before = written(kind)
        after = own(kind, before)
        compile(after, kind, "exec")
        assert 0 < lines_written(before, after) < code_lines(before)
        assert lines_written(before, before) == 0


def test_lines_of_code() -> None:
    assert (
        code_lines(
            '"""Words.\n\nMore."""\nimport os\n\n\n# Why.\ndef f():\n    "Words."\n    return (\n        os\n    )\n'
        )
        == 5
    )


def module_of(kind: str, patch: pytest.MonkeyPatch) -> types.ModuleType:
    module = types.ModuleType(f"own_{kind}")
    patch.setitem(sys.modules, module.__name__, module)
    exec(compile(own(kind, written(kind)), f"own_{kind}.py", "exec"), module.__dict__)
    return module


def test_those_that_need_no_process_conform(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = (
        *check_solver(module_of("algorithm", monkeypatch).OwnAlgorithm()),
        *check_model(module_of("model", monkeypatch).OwnModel()),
        *check_problem(module_of("problem", monkeypatch).OwnProblem),
        *check_reduction(module_of("reduction", monkeypatch).VertexCoverToMinimumCover()),
    )
    assert [verdict for check in checks if not (verdict := check())] == []
