from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from benchmarks import ablation


def test_kept_runs_are_those_of_the_same_engine_and_clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runs: list[object] = []

    def solved(*asked: object) -> dict[str, float]:
        runs.append(asked)
        return {"bound": len(runs), "cost": 100, "spent": 1.0}

    monkeypatch.setattr(ablation, "solved", solved)

    def bounds(*, processor: bool) -> list[object]:
        options = Namespace(
            questions=["k3"],
            rows=[40],
            seeds=[0],
            parts=["cuts"],
            seconds=1.0,
            processor=processor,
            results=tmp_path / "kept",
        )
        return [one["bound"] for one in ablation.results_of(options)]

    assert bounds(processor=False) == [1, 2] == bounds(processor=False)
    assert bounds(processor=True) == [3, 4], "time on the processor is another time"
    monkeypatch.setattr(ablation, "engine", lambda: "another")
    assert bounds(processor=False) == [5, 6] == bounds(processor=False)
