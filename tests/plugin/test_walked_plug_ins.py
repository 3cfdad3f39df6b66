"""The plug-ins that `benchmarks.plug_ins` makes from the templates: every change finds its place, and what comes of it conforms."""

from __future__ import annotations

import types

from anoptima.cli.new import package
from anoptima.testing import check_solver
from benchmarks.plug_ins import OWN, code_lines, lines_written, own


def written(kind: str) -> str:
    return next(text for place, text in package(kind, f"own-{kind}").items() if place.startswith("src/"))


def test_every_change_finds_its_place() -> None:
    for kind in OWN:
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


def test_the_algorithm_conforms() -> None:
    module = types.ModuleType("own_algorithm")
    exec(compile(own("algorithm", written("algorithm")), "own_algorithm.py", "exec"), module.__dict__)
    assert [verdict for check in check_solver(module.OwnAlgorithm()) if not (verdict := check())] == []
