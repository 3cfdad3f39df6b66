"""The registry of errata: found by name, one function each, figures computed when asked for."""

from __future__ import annotations

import pytest

from anoptima.errors import BadInput
from anoptima.instances.errata import Figures, errata, erratum


def test_a_decorated_function_is_found_by_name() -> None:
    @erratum("two-is-one", paper="Nobody", place="Theorem 0", claim="2 = 1.", truth="2 > 1.")
    def two_is_one() -> Figures:
        return {"two": 2}

    try:
        found = errata.get("two-is-one")
        assert (found.paper, found.place, found.claim, found.truth) == ("Nobody", "Theorem 0", "2 = 1.", "2 > 1.")
        assert found.show() == {"two": 2} == two_is_one()
        with pytest.raises(BadInput, match=r"^there already is an erratum named 'two-is-one', of anoptima$"):
            erratum("two-is-one", paper="Nobody", place="", claim="", truth="")(two_is_one)
    finally:
        errata.remove("two-is-one")
