"""Source problems by their names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import anoptima as ao
from anoptima.problems.sources.formats.json_objects import to_json
from anoptima.problems.sources.source_problem import read_source, readable
from tests.cases import seeded
from tests.sources.instances import make


@pytest.mark.parametrize("name", readable())
def test_every_source_problem_reads_back(name: str, tmp_path: Path) -> None:
    problem = make[name](seeded(7)).problem
    file = tmp_path / "problem.json"
    held: Any = next((getattr(problem, part) for part in ("graph", "hypergraph") if hasattr(problem, part)), problem)
    file.write_text(to_json(held))
    k = getattr(problem, "k", None)
    assert read_source(name, file, k) == problem


def test_the_size_of_edges_is_told_by_the_first_one(tmp_path: Path) -> None:
    file = tmp_path / "hypergraph.json"
    file.write_text(to_json(ao.Hypergraph("abcd", ["abc"])))
    assert read_source("hypergraph-matching", file).k == 3  # type: ignore[attr-defined]
    file.write_text(to_json(ao.Hypergraph("abcd", [])))
    with pytest.raises(ao.BadInput, match="has no edge to tell k by; say how many vertices an edge has"):
        read_source("hypergraph-matching", file)


def test_what_is_not_read_is_said() -> None:
    with pytest.raises(
        ao.BadInput,
        match="'k-anonymity' is no problem that is read from a file; those are 3-partition, 3d-matching, clique, ",
    ):
        read_source("k-anonymity", "file")
