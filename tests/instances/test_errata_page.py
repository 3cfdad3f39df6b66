"""The page of errata is what its command prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from anoptima.instances.errata import Erratum, errata
from benchmarks.errata import page

ROOT = Path(__file__).parents[2]


def test_the_page_is_up_to_date() -> None:
    written = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    assert written == page(errata.all()), "run: python -m benchmarks.errata > docs/errata.md"


@pytest.mark.parametrize("erratum", errata.all(), ids=lambda erratum: erratum.name)
def test_each_says_what_is_claimed_and_what_is_true(erratum: Erratum) -> None:
    for word in ("paper", "place", "claim", "truth"):
        assert getattr(erratum, word), word
    assert erratum.claim.endswith(".")
    assert erratum.truth.endswith(".")
