"""Whole numbers: no release with an arc costs less than the bound and what the arc adds to it, and the checker says the same."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.solvers.compiling.loops import kernels_here
from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Cut, Row, Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers, first_multipliers
from anoptima.solvers.exact.sifting.bound.rule_pricing import rule_pricing
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.proofs import proof_at, reduced_in_integers
from anoptima.solvers.exact.sifting.releases.release import release_of
from anoptima.solvers.exact.sifting.whole_numbers import DENOMINATOR
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, every_release, problem_of


@each("seed", range(20))
def test_what_arcs_add_is_never_more_than_releases_with_them_cost(seed: int) -> None:
    problem = problem_of(seed + 800, rows=7)
    patterns, arcs = arcs_of(problem)
    catalogue, chance = Catalogue(arcs), np.random.default_rng(seed)
    releases = [
        (int(cost * problem.cost_scale), release_of(problem, patterns, found).arc)
        for cost, found in every_release(problem)
    ]
    rows: list[Row] = []
    for _ in range(4):
        records = tuple(np.flatnonzero(chance.random(len(arcs.copies)) < 0.5).tolist())
        row = catalogue.row(Cut(records, int(chance.integers(2, arcs.k + 1)))) if records and arcs.k > 1 else None
        rows += [] if row is None else [row]
    terms = Terms(arcs, kernels, rows)
    for _ in range(3):
        worth = first_multipliers(arcs).worth * chance.uniform(0, 1.2, len(arcs.copies))
        whole = Multipliers(worth, chance.uniform(0, 0.5, len(rows))).in_parts(DENOMINATOR)
        proved, reduced = reduced_in_integers(arcs, terms, whole, DENOMINATOR)
        assert reduced.dtype == np.int64
        assert proved == terms.exactly(whole, DENOMINATOR)
        for cost, used in releases:
            assert DENOMINATOR * cost >= proved + int(reduced[used].max())


@each("seed", range(3))
def test_little_is_lost_by_rounding(seed: int) -> None:
    """Three rows of a class are worth what they cost, so that each class loses what they are rounded down by."""
    classes = 500
    frame = pd.DataFrame({"a": np.repeat(np.arange(classes), 3), "b": np.arange(3 * classes)})
    _, arcs = arcs_of(ao.CellSuppression(ao.Table.from_frame(frame, ["a", "b"]), ao.KAnonymity(3)))
    more = np.random.default_rng(seed).uniform(-0.4, 0.4, (classes, 2))
    worth = 1 + np.column_stack([more, -more.sum(axis=1)]).ravel()
    terms, cost = Terms(arcs, kernels_here(kernels)), 3 * classes
    at = Multipliers(worth, np.zeros(0))
    assert terms.look(arcs, at).value == pytest.approx(cost)
    proved = terms.exactly(at.in_parts(DENOMINATOR), DENOMINATOR)
    assert cost - 1e-3 < proved / DENOMINATOR <= cost


@each("seed", range(3))
def test_several_limits_of_closeness_have_no_common_denominator_that_64_bits_hold(seed: int) -> None:
    chance, rows, names = np.random.default_rng(seed), 44, list("uvwx")
    frame = pd.DataFrame(chance.integers(0, 3, (rows, 6)), columns=[*"ab", *names])
    limits = (Fraction(13 * number + 1, rows * number) for number in (43, 41, 39, 37))
    u, v, w, x = (ao.TCloseness(limit, name) for limit, name in zip(limits, names, strict=True))
    table = ao.Table.from_frame(frame, list("ab"), names, weights={"a": 10**6, "b": 10**6})
    problem = ao.CellSuppression(table, u & v & w & x)
    instance = instance_of(problem)
    pricing = replace(rule_pricing(instance, is_compiled=False), rules=instance.rules)
    at = Multipliers(first_multipliers(instance.arcs).worth * 1.2, np.zeros(0))
    proof = proof_at(instance, pricing, at)
    assert proof is not None
    assert proof.value == Fraction(proof.proves(problem), problem.cost_scale)
    assert abs(float(proof.value) - pricing.look(instance.arcs, at).value) < 100
