"""Principles from plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anoptima.errors import BadInput
from anoptima.principles.k_anonymity import KAnonymity
from anoptima.principles.l_diversity import LDiversity
from anoptima.principles.principle import All, Principle
from anoptima.principles.t_closeness import TCloseness
from anoptima.spaces import space_from_json


def principle_from_json(data: Mapping[str, Any]) -> Principle:
    """Return the principle that `as_json` wrote down.

    >>> principle_from_json((KAnonymity(3) & LDiversity("5/2", "disease")).as_json())
    KAnonymity(k=3) & LDiversity(l=Fraction(5, 2), column='disease', version='frequency')
    """
    match data.get("principle"):
        case "k-anonymity":
            return KAnonymity(data["k"])
        case "l-diversity":
            return LDiversity(data["l"], data["column"], data["version"])
        case "t-closeness":
            return TCloseness(data["t"], data["column"], space_from_json(data["space"]))
        case "all":
            return All(tuple(principle_from_json(member) for member in data["members"]))
        case other:
            raise BadInput(f"{other!r} is no principle; those are k-anonymity, l-diversity, t-closeness, all")
