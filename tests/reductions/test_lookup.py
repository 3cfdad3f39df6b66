"""Reductions by name."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import anoptima as ao
import anoptima.reductions
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduction


def test_every_reduction_has_its_name() -> None:
    for reduction in reductions.all():
        assert ao.get_reduction(reduction.name) is reduction


def test_every_class_of_a_theorem_is_registered() -> None:
    """Whatever module of the room defines a reduction with a name, that name is known."""
    for module in pkgutil.iter_modules(anoptima.reductions.__path__, "anoptima.reductions."):
        for made in vars(importlib.import_module(module.name)).values():
            if isinstance(made, type) and issubclass(made, Reduction) and isinstance(getattr(made, "name", None), str):
                assert type(ao.get_reduction(made.name)) is made


def test_an_unknown_name_is_refused_with_a_near_one() -> None:
    with pytest.raises(ao.BadInput, match="vertex-cover-to-k-anonymity"):
        ao.get_reduction("vertex-cover-to-k-anonimity")
