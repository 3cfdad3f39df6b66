"""Chakaravarthy, Pandit and Sabharwal, On the complexity of the k-anonymization problem (2010): sections 4 and 5."""

from __future__ import annotations

import anoptima as ao
from anoptima.instances.errata import errata
from anoptima.instances.errata_cells import table_of


def test_suppress_all() -> None:
    """Claimed: starring every cell is an O(m)-approximation. True: it is within no function of m; `classes` is within m."""
    found = errata.get("suppress-all").show()
    assert (found["6 rows 00: stars of every cell"], found["6 rows 00: optimum"]) == (16, 2)
    for many in (6, 600):
        optimum = found[f"{many} rows 00: optimum"]
        assert optimum == found[f"{many} rows 00: its bound"] == found[f"{many} rows 00: stars of `classes`"] == 2


def test_pattern_program() -> None:
    """Claimed: the least value over all sets P of patterns is the optimum. True: only if patterns outside P take no rows."""
    found = errata.get("pattern-program").show()
    assert found["the program as printed, P = {0}"] == 0
    assert found["the program repaired, least over all P"] == found["optimum"] == 3


def test_the_pattern_model_is_the_repaired_one() -> None:
    """On the rows of the counterexample the package's model finds what is true."""
    problem = ao.CellSuppression(table_of("001"), ao.KAnonymity(2))
    assert ao.solve(problem, "pattern/highs").cost == ao.solve(problem, "pattern/cp-sat").cost == 3


def test_pattern_count() -> None:
    """Claimed: at most m^(2 |Σ| + 1) variables. True: (|Σ| + 1)^m |Σ|^m pairs, 1296 against 1024 for two letters and m = 4."""
    found = errata.get("pattern-count").show()
    assert list(found.values()) == [1296, 256, 1024]
