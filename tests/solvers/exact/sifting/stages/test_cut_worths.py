"""Cuts and worths in rounds: they raise the bound, never above the optimum, and are read back and gone on from."""

from __future__ import annotations

import anoptima as ao
from anoptima.answer import Budget
from anoptima.principles.alpha_k_anonymity import AlphaKAnonymity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.group_cuts import GroupCutsProof
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.bound.rule_cuts import TermsUnderRules
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.kernels import pricing
from anoptima.solvers.exact.sifting.proofs import proof_with_cuts
from anoptima.solvers.exact.sifting.read_back import read_back_worths
from anoptima.solvers.exact.sifting.stages.ascend import AscendWorths
from anoptima.solvers.exact.sifting.stages.cut_worths import CutWorths
from anoptima.solvers.exact.sifting.standing import StandingUnderRules
from anoptima.solvers.ledger import Ledger
from benchmarks.census import sampled
from tests.loops import each
from tests.sizing import asked
from tests.solvers.exact.sifting.cases_under_rules import optimum_of, problem_of
from tests.solvers.exact.sifting.principles_from_outside import WitnessedOnTrust
from tests.solvers.exact.sifting.test_principles_from_outside import problem_of as problem_from_outside


def standing_of(problem: CellSuppression, seconds: float = 100_000) -> StandingUnderRules:
    ledger = Ledger(problem, "mine", Budget(seconds=seconds))
    ledger.offer(problem.trivial(), "the start")
    return StandingUnderRules(instance_of(problem), ledger, pricing.is_prepared())


def test_cuts_prove_more_and_are_read_back() -> None:
    problem = CellSuppression(sampled(ao.census("seven", "occupation"), 150, 0), ao.LDiversity(3))
    standing = standing_of(problem)
    AscendWorths(standing, None).run(1.0)
    before, cuts = standing.point.value, CutWorths(standing, None)
    assert cuts.why_not() is None
    cuts.run(1.0)
    assert standing.point.value > before + 0.1
    assert cuts.why_not() == "rounds have come to rest"
    proof = standing.ledger.proof
    if not isinstance(proof, GroupCutsProof):
        # The bound was rounded up to as much before.
        proof = proof_of(standing, cuts)
    assert proof.proved(problem) == proof.value
    again = standing_of(problem)
    earlier = read_back_worths(proof, again.instance)
    assert earlier is not None
    assert len(earlier.rows) == len(proof.cuts) > 0
    terms = TermsUnderRules(again.instance.arcs, again.pricing, earlier.rows)
    value = terms.look(again.instance.arcs, Multipliers(earlier.worth, earlier.prices)).value
    assert abs(value - standing.point.value) < 0.01


def proof_of(standing: StandingUnderRules, cuts: CutWorths) -> GroupCutsProof:
    assert cuts.reached is not None
    point, terms = cuts.reached
    proof = proof_with_cuts(standing.instance, terms, point.at)
    assert proof is not None
    return proof


def test_it_says_what_it_is_not_for() -> None:
    standing = standing_of(CellSuppression(ao.ten_rows(), ao.TCloseness("0.3")))
    assert "under closeness" in str(CutWorths(standing, None).why_not())
    standing.is_compiled = False
    assert "plain loops" in str(CutWorths(standing, None).why_not())


def test_nor_for_groups_of_single_rows_or_conditions_that_no_checker_knows() -> None:
    single = CellSuppression(ao.ten_rows(), AlphaKAnonymity("9/10", 1, values=["cancer"]))
    assert CutWorths(standing_of(single), None).why_not() == "groups may be single rows"
    unknown = standing_of(problem_from_outside(202, WitnessedOnTrust(2, 1, 2)))
    assert CutWorths(unknown, None).why_not() == "the checker prices cuts where it knows the sizes of groups"


def ascended(problem: CellSuppression, seconds: float = 100_000) -> StandingUnderRules:
    standing = standing_of(problem, seconds)
    AscendWorths(standing, None).run(1.0)
    return standing


@each("seed", (8, 12, 27, 28, *range(asked(0, 6))))
def test_no_bound_is_above_the_optimum_and_none_is_lowered(seed: int) -> None:
    problem = problem_of(seed)
    standing = ascended(problem)
    before, cuts = standing.point.value, CutWorths(standing, None)
    cuts.run(1.0)
    assert cuts.reached is not None
    assert before <= standing.point.value <= optimum_of(problem) * problem.cost_scale + 1e-6
    assert cuts.reached[0].value >= before - 1e-6
    proof, bound = proof_of(standing, cuts), standing.ledger.bound
    assert bound is not None
    assert proof.proved(problem) <= optimum_of(problem)
    assert bound.value <= optimum_of(problem)


def test_once_time_is_over_no_round_is_begun() -> None:
    standing = ascended(problem_of(0))
    standing.is_over = lambda: True  # type: ignore[method-assign]
    before, cuts = standing.point, CutWorths(standing, None)
    cuts.run(1.0)
    assert standing.point is before
    assert cuts.reached is None
    assert cuts.why_not() is None
