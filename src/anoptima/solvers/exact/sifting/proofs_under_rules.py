"""From worths found in floats to a proof in whole numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from anoptima.proofs.group_cases import GroupCasesProof, GroupFork, GroupLeaf, GroupTree
from anoptima.proofs.groups import GroupProof, Potentials, record_of_row
from anoptima.proofs.reading import TooLarge
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.bound.rule_pricing import RulePricing
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.rules.rule import Counts
from anoptima.solvers.exact.sifting.rules.total_variation import STEEPEST
from anoptima.solvers.exact.sifting.rules.tree import Tree
from anoptima.solvers.exact.sifting.tree.by_size import Case

DENOMINATOR = 5040
"""Divisible by 1 to 10: good worths are often fractions with small denominators."""

FINE = 5040 * 200
"""Potentials are rounded up, once a row."""

MOST = float(2**40)
"""No potential is larger: one that large proves no more than a tenth of it would."""

_ROOM = 2**62


def proof_at(instance: Instance, pricing: RulePricing, at: Multipliers) -> GroupProof | None:
    """Round worths to parts of a denominator and return the proof of the bound that they give; None if 64 bits are too few. One pass.

    Any rounding is valid: worths are never wrong, only better or worse. The denominator is the largest of some with which sums fit.
    """
    d = FINE if pricing.trees else DENOMINATOR
    while d:
        proof = _proof_in_parts(instance, pricing, at, d)
        if proof is not None:
            return proof
        d //= 2
    return None


def _proof_in_parts(instance: Instance, pricing: RulePricing, at: Multipliers, d: int) -> GroupProof | None:
    problem, table = instance.asked, instance.problem.table
    most = float(np.abs(at.worth).max()) + float(table.scaled_weights.sum())
    if not _has_room(most * d + 1, table.rows, max(rule.scale for rule in (*pricing.rules, *instance.rules))):
        return None
    whole = np.rint(at.worth * d).astype(np.int64)
    of_row = record_of_row(problem)
    written = np.zeros(int(of_row.max()) + 1, dtype=np.int64)
    written[of_row] = whole[table.records.of_row]
    digest, principle = problem.table.digest, problem.principle.as_json()
    proof = GroupProof(0, digest, principle, d, tuple(map(int, written)))
    if not pricing.trees and pricing.rules == instance.rules:
        return replace(proof, value=problem.unscale(math.ceil(_exactly(instance, pricing, whole, d) / d)))
    proof = replace(proof, potentials=_potentials(instance, pricing, at, d))
    try:
        # Potentials prove a little less than the prices that they come from, and so may what looser rules have priced.
        return replace(proof, value=problem.unscale(proof.proves(problem)))
    except TooLarge:
        return None


def _exactly(instance: Instance, pricing: RulePricing, worth: Counts, d: int) -> Fraction:
    """Return D L for worths in parts of D = `d`. Exact as long as 64 bits hold the sums."""
    priced = pricing.priced(instance.arcs.times(d), worth)
    return int(instance.arcs.copies @ worth) - Fraction(sum(map(int, np.maximum(0, priced.prices))), priced.scale)


def _has_room(largest: float, rows: int, scale: int) -> bool:
    """Tell whether the checker's sums over numbers of at most `largest` fit, which it decides in whole numbers."""
    return 2 * (STEEPEST + 2) * largest * rows * scale < 0.99 * _ROOM


def _potentials(instance: Instance, pricing: RulePricing, at: Multipliers, d: int) -> tuple[Potentials, ...]:
    """Return the potentials of the patterns that some record gains by, from the prices of edges at these worths."""
    if not pricing.trees:
        return ()
    patterns = instance.patterns
    found = []
    example, names = _examples(instance)
    gains = at.worth[patterns.member] - np.repeat(patterns.cost, np.diff(patterns.start))
    hopeful = np.flatnonzero(np.maximum.reduceat(gains, patterns.start[:-1]) > 0)
    for number, slack in pricing.slacks(instance.arcs, at).items():
        rule = pricing.rules[number]
        assert isinstance(rule, Tree)
        phi = np.rint(np.clip(-d * rule.potentials(slack.theta[hopeful]), -MOST, MOST)).astype(np.int64)
        for p, values in zip(hopeful.tolist(), phi.tolist(), strict=True):
            if any(values):
                found.append(Potentials(instance.stated_by[number], names(p), int(example[p]), tuple(values)))
    return tuple(found)


def _examples(instance: Instance) -> tuple[Counts, Callable[[int], frozenset[str]]]:
    """Return a record of each pattern, by the proof's number, and what names the columns that a pattern keeps."""
    patterns = instance.patterns
    first = np.unique(instance.problem.table.records.of_row, return_index=True)[1]
    return record_of_row(instance.asked)[first[patterns.member[patterns.start[:-1]]]], patterns.columns


def proof_by_cases(instance: Instance, cases: Sequence[Case]) -> GroupCasesProof | None:
    """Round the multipliers of all cases to parts of a denominator, and return the proof that they make; None if 64 bits are too few."""
    problem, table, rule = instance.asked, instance.asked.table, instance.rules[0]
    prices = [price for case in cases for price in case.at.prices.values()]
    most = max(float(np.abs(case.at.worth).max()) for case in cases) + float(table.scaled_weights.sum())
    most += float(np.abs(prices).max()) if prices else 0.0
    d = FINE
    while d and not _has_room(most * d + 2, table.rows, rule.scale):
        d //= 2
    if not d:
        return None
    of_row = record_of_row(problem)
    example, names = _examples(instance)

    def leaf(case: Case) -> GroupLeaf:
        written = np.zeros(int(of_row.max()) + 1, dtype=np.int64)
        written[of_row] = np.rint(case.at.worth * d).astype(np.int64)[instance.problem.table.records.of_row]
        cells = dict.fromkeys((its.pattern, its.value) for its in case.decisions if its.value is not None)
        return GroupLeaf(tuple(written.tolist()), tuple(round(d * case.at.prices.get(cell, 0.0)) for cell in cells))

    def tree(some: Sequence[Case], depth: int) -> GroupTree:
        if len(some[0].decisions) == depth:
            return leaf(some[0])
        its = some[0].decisions[depth]
        sides = [[case for case in some if case.decisions[depth].is_low is is_low] for is_low in (True, False)]
        low, high = (tree(side, depth + 1) for side in sides)
        return GroupFork(names(its.pattern), int(example[its.pattern]), its.value, its.most, low, high)

    proof = GroupCasesProof(0, table.digest, problem.principle.as_json(), d, tree(cases, 0))
    return replace(proof, value=problem.unscale(proof.proves(problem)))
