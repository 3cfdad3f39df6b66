"""docs/models.md says of every model what the code says."""

from __future__ import annotations

from anoptima.models import models
from benchmarks.model_pages import PAGE, page, section

AGAIN = "run `python -m benchmarks.model_pages --write`"


def test_every_model_has_its_section() -> None:
    said = PAGE.read_text(encoding="utf-8")
    missing = [model.name for model in models.all() if section(model) not in said]
    assert not missing, f"docs/models.md does not say what the code says of {missing}; {AGAIN}"


def test_nothing_else_is_said() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), AGAIN


def test_every_model_says_how_large_it_becomes() -> None:
    assert [model.name for model in models.all() if "\n\nSize" not in section(model)] == []
