"""Options in a solver's own words: what fits, and the sentence that says why something does not."""

from __future__ import annotations

import enum
from typing import Any

import pytest

from anoptima.solvers.backends.options import members_of, why_not_option, why_not_set


class Branching(enum.Enum):
    AUTOMATIC = 0
    FIXED = 1


KNOWN: dict[str, Any] = {"presolve": "choose", "nodes": 0, "effort": 0.05, "quiet": False, "branching": Branching.FIXED}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("presolve", "on", None),
        ("presolve", 1, "the option 'presolve' is 1; it must be text"),
        ("nodes", 7, None),
        ("nodes", True, "the option 'nodes' is True; it must be a whole number"),
        ("nodes", 7.0, "the option 'nodes' is 7.0; it must be a whole number"),
        ("effort", 1, None),
        ("effort", 0.5, None),
        ("effort", "much", "the option 'effort' is 'much'; it must be a number"),
        ("quiet", True, None),
        ("quiet", 1, "the option 'quiet' is 1; it must be true or false"),
        ("branching", "AUTOMATIC", None),
        ("branching", "WILD", "the option 'branching' is 'WILD'; it must be one of AUTOMATIC, FIXED"),
        ("presolv", "on", "it has no option 'presolv'; did you mean presolve?"),
        ("zzzzzz", "on", "it has no option 'zzzzzz'"),
    ],
)
def test_an_option_fits_or_a_sentence_says_why_not(name: str, value: Any, said: str | None) -> None:
    assert why_not_option(name, value, KNOWN) == said


def test_members_and_refused_values() -> None:
    assert list(members_of(Branching.FIXED)) == ["AUTOMATIC", "FIXED"]
    assert why_not_set("effort", -1) == "the option 'effort' is -1, which it does not allow"
