"""Hard instances: the optimum that follows by theorem is the one that solvers find, where that is quick."""

from __future__ import annotations

import anoptima as ao
from anoptima.instances.hard import hard_instances
from anoptima.testing.soundness import source_optimum

QUICK = {
    "hypergraph-matching-to-k-anonymity": "subset-dp",
    "hypergraph-matching-to-attribute-suppression": "hitting-set",
    "3d-matching-to-t-closeness": "subset-dp",
    "3d-matching-to-looser-t-closeness": "subset-dp",
    "minimum-bisection-to-half-anonymity": "subset-dp",
    "half-clique-to-share-anonymity": "subset-dp",
    "minimum-cover-to-identifying-columns": "hitting-set",
    "minimum-cover-to-witness-columns": "hitting-set",
}


def test_the_theorem_gives_the_optimum_that_solvers_find() -> None:
    tried = set()
    for one in hard_instances():
        if one.reduction in QUICK and one.reduction not in tried:
            tried.add(one.reduction)
            reduced, optimum = one.applied()
            answer = ao.solve(reduced.target, QUICK[one.reduction], start=None)
            assert answer.cost == optimum, one.ending
    assert tried == set(QUICK)


def test_planted_optima_are_those_of_trying_everything() -> None:
    for one in hard_instances():
        if one.size <= 3 and one.reduction not in (
            "minimum-cover-to-witness-columns",
            "3d-matching-to-looser-t-closeness",
        ):
            source, least = one.make()
            assert source_optimum(source) == least, one.ending


def test_they_are_in_the_library_and_the_same_every_time() -> None:
    names = {f"hard-{one.ending}" for one in hard_instances()}
    assert len(names) == sum(1 for _ in hard_instances())
    for name in ("hard-cubic-8-3", "hard-half-clique-to-share-anonymity-6"):
        assert name in names
        first, again = ao.instance(name).load(), ao.instance(name).load()
        assert first.table.digest == again.table.digest  # type: ignore[attr-defined]
    assert all(ao.instance(name).load().why_infeasible() is None for name in names if "cubic-10" not in name)
