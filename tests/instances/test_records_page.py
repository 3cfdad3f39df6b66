"""docs/records.md and docs/records.html say what the records say."""

from __future__ import annotations

from benchmarks import records


def test_the_pages_are_those_of_the_records() -> None:
    again = "run: python -m benchmarks.records"
    assert (records.DOCS / "records.md").read_text(encoding="utf-8") == records.markdown(), again
    assert (records.DOCS / "records.html").read_text(encoding="utf-8") == records.html(), again
