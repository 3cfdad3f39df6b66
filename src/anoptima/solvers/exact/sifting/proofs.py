"""From multipliers found in floats to proofs in whole numbers: of one set of multipliers, or of the cases of a tree.

Any rounding is valid: multipliers are never wrong, only better or worse. Under k-anonymity they are worths of row types and prices of cuts,
and sums fit by `whole_numbers.denominator_of`; under rules they are worths of records, with potentials or limits on values of patterns, in
parts of the largest denominator with which sums fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from anoptima.proofs.branched import BranchedProof, Fork, Leaf, Tree
from anoptima.proofs.cuts import Cut
from anoptima.proofs.group_cases import GroupCasesProof, GroupFork, GroupLeaf, GroupTree
from anoptima.proofs.group_cuts import GroupCutsProof
from anoptima.proofs.group_pricing import Potentials
from anoptima.proofs.groups import GroupProof
from anoptima.proofs.multipliers import MultiplierProof
from anoptima.proofs.reading import TooLarge
from anoptima.solvers.exact.sifting.arcs import Arcs, reduced_costs
from anoptima.solvers.exact.sifting.bound.cuts import Row, Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.bound.rule_cuts import TermsUnderRules
from anoptima.solvers.exact.sifting.bound.rule_pricing import RulePricing
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.rules.rule import Counts
from anoptima.solvers.exact.sifting.rules.total_variation import STEEPEST
from anoptima.solvers.exact.sifting.rules.tree import Tree as TreeRule
from anoptima.solvers.exact.sifting.tree.cases import CaseOfPatterns, CaseOfSizes
from anoptima.solvers.exact.sifting.whole_numbers import DENOMINATOR, ROOM
from anoptima.solvers.exact.sifting.words import Words

MOST = float(2**40)
"""No potential is larger: one that large proves no more than a tenth of it would."""


def has_room(instance: Instance, rows: Sequence[Row], cases: Sequence[Multipliers]) -> bool:
    """Tell whether sums over multipliers in parts of D surely fit, in the checker too (`proofs.case_bounds`).

    The multipliers of a case may have prices for the first rows alone.
    """
    table, k = instance.problem.table, instance.k
    n, weights = table.rows, instance.d * int(table.scaled_weights.sum())
    # `most` is (d - r) q, so that the q d + r rows of a cut are not more than d (most + 1). Python's integers, which do not overflow.
    charge = np.array(
        [row.cut.divisor * (row.most + 1) + k * (len(row.cut.records) + len(row.cut.named)) for row in rows],
        dtype=object,
    )
    for at in cases:
        gain = int(np.abs(at.worth).max(initial=0)) + weights + sum(at.prices.tolist())
        charges = int(at.prices.astype(object) @ charge[: len(at.prices)]) if len(at.prices) else 0
        if 2 * (gain * (n + k) + charges) >= ROOM:
            return False
    return True


def reduced_in_integers(arcs: Arcs, terms: Terms, at: Multipliers, d: int) -> tuple[int, NDArray[np.int64]]:
    """Return D times the bound that multipliers in parts of D = `d` prove, and D times the reduced cost of every arc.

    Every release with an arc of reduced cost r costs at least the bound plus r, in whole numbers: opening a pattern that is not worth it
    costs v_p, and a copy that its best group does without costs the difference to the worst one it takes. One pass.
    """
    exact = arcs.times(d)
    charge, surcharge = terms.charges(at.prices)
    values, least = terms.kernels.opened(exact, at.worth, charge, surcharge)
    total = int(arcs.copies @ at.worth) + int(np.minimum(0, values).sum()) - int(terms.most @ at.prices)
    return total, reduced_costs(exact, at.worth, surcharge, values, least)


def proof_of(instance: Instance, scaled: int, rows: Sequence[Row], at: Multipliers) -> MultiplierProof:
    """Write the proof of a scaled bound by multipliers in parts of D; cuts of price 0 are left out."""
    problem, words = instance.asked, instance.words
    return MultiplierProof(
        problem.unscale(scaled),
        problem.table.digest,
        instance.k,
        instance.d,
        words.worth(at.worth),
        *_priced_cuts(words, rows, at.prices),
    )


def _priced_cuts(words: Words, rows: Sequence[Row], prices: Counts) -> tuple[tuple[Cut, ...], tuple[int, ...]]:
    """Write the cuts that have a price, and their prices."""
    some = np.flatnonzero(prices).tolist()
    return tuple(words.cut(rows[i].cut) for i in some), tuple(int(prices[i]) for i in some)


def branched_proof_of(
    instance: Instance, scaled: int, rows: Sequence[Row], cases: Sequence[CaseOfPatterns]
) -> BranchedProof:
    """Write the proof of a scaled bound by the cases of a tree; cuts that have a price in none of them are left out."""
    problem, words = instance.asked, instance.words
    prices = np.zeros((len(cases), len(rows)), dtype=np.int64)
    for number, case in enumerate(cases):
        prices[number, : len(case.at.prices)] = case.at.prices
    used = np.flatnonzero(prices.any(axis=0))

    def tree(numbers: list[int], depth: int) -> Tree:
        fixed = cases[numbers[0]].fixed
        if len(fixed) == depth:
            return Leaf(words.worth(cases[numbers[0]].at.worth), tuple(prices[numbers[0], used].tolist()))
        sides = [[n for n in numbers if cases[n].fixed[depth][1] is is_open] for is_open in (True, False)]
        return Fork(*words.pattern(fixed[depth][0]), *(tree(side, depth + 1) for side in sides))

    cuts = tuple(words.cut(rows[number].cut) for number in used.tolist())
    everything = tree(list(range(len(cases))), 0)
    return BranchedProof(problem.unscale(scaled), problem.table.digest, instance.k, instance.d, cuts, everything)


def proof_at(instance: Instance, pricing: RulePricing, at: Multipliers) -> GroupProof | None:
    """Round worths and return the proof of the bound that they give; None if 64 bits are too few. One pass."""
    problem, words = instance.asked, instance.words
    most = float(np.abs(at.worth).max())
    for d in _denominators(instance, most, max(rule.scale for rule in (*pricing.rules, *instance.rules))):
        whole = np.rint(at.worth * d).astype(np.int64)
        proof = GroupProof(0, problem.table.digest, problem.principle.as_json(), d, words.worth(whole))
        if not pricing.trees and pricing.rules == instance.rules and instance.is_ours:
            return replace(proof, value=problem.unscale(-(-_exactly(instance, pricing, whole, d) // d)))
        proof = replace(proof, potentials=_potentials(instance, pricing, at, d))
        try:
            # Potentials prove a little less than the prices that they come from, and so may what looser rules have priced.
            return replace(proof, value=problem.unscale(proof.proves(problem)))
        except TooLarge:
            pass
    return None


def proof_with_cuts(instance: Instance, terms: TermsUnderRules, at: Multipliers) -> GroupCutsProof | None:
    """Round worths and prices of cuts and return the proof of the bound that they give; None if 64 bits are too few. One pass."""
    problem, words = instance.asked, instance.words
    most = float(np.abs(at.worth).max()) + float(at.prices.sum())
    for d in _denominators(instance, most + 1, max(rule.scale for rule in instance.rules)):
        if len(at.prices) > 2 * d:
            # Rounding might raise their sum by more than 1.
            return None
        whole = at.in_parts(d)
        cuts = _priced_cuts(words, terms.rows, whole.prices)
        proof = GroupCutsProof(0, problem.table.digest, problem.principle.as_json(), d, words.worth(whole.worth), *cuts)
        try:
            scaled = -(-terms.exactly(whole, d) // d) if instance.is_ours else proof.proves(problem)
        except TooLarge:
            continue
        return replace(proof, value=problem.unscale(scaled))
    return None


def _denominators(instance: Instance, most: float, scale: int) -> Iterator[int]:
    """Yield denominators, falling, with which the checker's sums over multipliers of at most `most` fit; it decides in whole numbers."""
    table, d = instance.problem.table, DENOMINATOR
    while d:
        largest = (most + float(table.scaled_weights.sum())) * d + 2
        if 2 * (STEEPEST + 2) * largest * table.rows * scale < 0.99 * ROOM:
            yield d
        d //= 2


def _exactly(instance: Instance, pricing: RulePricing, worth: Counts, d: int) -> int:
    """Return D L for worths in parts of D = `d`. Exact as long as 64 bits hold the sums."""
    priced = pricing.priced(instance.arcs.times(d), worth)
    return int(instance.arcs.copies @ worth) - sum(map(int, np.maximum(0, priced.prices)))


def _potentials(instance: Instance, pricing: RulePricing, at: Multipliers, d: int) -> tuple[Potentials, ...]:
    """Return the potentials of the patterns that some record gains by, from the prices of edges at these worths."""
    if not pricing.trees:
        return ()
    patterns = instance.patterns
    found, words = [], instance.words
    gains = at.worth[patterns.member] - np.repeat(patterns.cost, np.diff(patterns.start))
    hopeful = np.flatnonzero(np.maximum.reduceat(gains, patterns.start[:-1]) > 0)
    for number, slack in pricing.slacks(instance.arcs, at).items():
        rule = pricing.rules[number]
        assert isinstance(rule, TreeRule)
        phi = np.rint(np.clip(-d * rule.potentials(slack.theta[hopeful]), -MOST, MOST)).astype(np.int64)
        for p, values in zip(hopeful.tolist(), phi.tolist(), strict=True):
            if any(values):
                found.append(Potentials(instance.stated_by[number], *words.pattern(p), tuple(values)))
    return tuple(found)


def proof_by_cases(instance: Instance, cases: Sequence[CaseOfSizes]) -> GroupCasesProof | None:
    """Round the multipliers of all cases, and return the proof that they make; None if 64 bits are too few."""
    problem, words, rule = instance.asked, instance.words, instance.rules[0]
    prices = [abs(price) for case in cases for price in case.at.prices.values()]
    most = max(float(np.abs(case.at.worth).max()) for case in cases) + max(prices, default=0.0)
    d = next(_denominators(instance, most, rule.scale), 0)
    if not d:
        return None

    def leaf(case: CaseOfSizes) -> GroupLeaf:
        cells = dict.fromkeys((its.pattern, its.value) for its in case.decisions if its.value is not None)
        worth = words.worth(np.rint(case.at.worth * d).astype(np.int64))
        return GroupLeaf(worth, tuple(round(d * case.at.prices.get(cell, 0.0)) for cell in cells))

    def tree(some: Sequence[CaseOfSizes], depth: int) -> GroupTree:
        if len(some[0].decisions) == depth:
            return leaf(some[0])
        its = some[0].decisions[depth]
        sides = [[case for case in some if case.decisions[depth].is_low is is_low] for is_low in (True, False)]
        low, high = (tree(side, depth + 1) for side in sides)
        return GroupFork(*words.pattern(its.pattern), its.value, its.most, low, high)

    proof = GroupCasesProof(0, problem.table.digest, problem.principle.as_json(), d, tree(cases, 0))
    return replace(proof, value=problem.unscale(proof.proves(problem)))
