"""`benchmarks.auto` counts what the solvers of today answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import auto
from benchmarks.auto_questions import questions_like


def test_answers_of_another_version_count_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, asked = tmp_path / "auto.jsonl", questions_like("cells ten-rows k=2")
    auto.run(asked, ["auto", "subset-dp"], [60.0], file)
    auto.run(asked, ["auto", "subset-dp"], [60.0], file)
    assert len(auto.read(file)) == 2
    monkeypatch.setattr(auto, "CODE", "another")
    auto.run(asked, ["auto", "subset-dp"], [60.0], file)
    assert [one.code == "another" for one in auto.read(file)] == [False, False, True, True]
    words = ["auto", "--report", "--limits", "60", "--questions", "cells ten-rows k=2", "--results", str(file)]
    monkeypatch.setattr("sys.argv", words)
    capsys.readouterr()
    assert auto.main() == 0
    assert capsys.readouterr().out.splitlines()[2].split()[:6] == ["60", "s", "1", "1", "of", "1"]
