"""Reductions by name."""

from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.reductions import reductions


def test_every_reduction_has_its_name() -> None:
    for reduction in reductions.all():
        assert ao.get_reduction(reduction.name) is reduction


def test_an_unknown_name_is_refused_with_a_near_one() -> None:
    with pytest.raises(ao.BadInput, match="vertex-cover-to-k-anonymity"):
        ao.get_reduction("vertex-cover-to-k-anonimity")
