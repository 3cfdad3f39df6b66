"""Proofs of every kind on tables small enough to try everything, and what three checkers that share no code say of them, changed or not."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from operator import itemgetter
from pathlib import Path
from typing import Any

import pandas as pd

import anoptima as ao
from anoptima.documents.pages import table_text
from anoptima.documents.proofs import proof_document, proof_text, read_proof
from anoptima.errors import AnoptimaError
from anoptima.exact import Exact
from anoptima.principles import NotLinear
from anoptima.principles.alpha_k_anonymity import AlphaKAnonymity
from anoptima.principles.entropy_diversity import EntropyDiversity
from anoptima.principles.recursive_diversity import RecursiveDiversity
from anoptima.proofs import check_anoptima
from anoptima.proofs.all_partitions import AllPartitions
from anoptima.proofs.blocks import Block, BlockProof
from anoptima.proofs.box_shares import BoxShares
from anoptima.proofs.box_trees import BoxEnd, BoxFork
from anoptima.proofs.branched import BranchedProof, Fork, Leaf
from anoptima.proofs.cuts import Cut, Term
from anoptima.proofs.group_cases import GroupCasesProof, GroupFork, GroupLeaf
from anoptima.proofs.group_cuts import GroupCutsProof
from anoptima.proofs.groups import GroupProof
from anoptima.proofs.multipliers import MultiplierProof
from anoptima.proofs.near import NearProof
from anoptima.proofs.own_bound import OwnBound
from anoptima.proofs.records import record_of_row
from anoptima.proofs.rounded import RoundedProof, lighter
from anoptima.proofs.statements import table_of, text_of
from anoptima.proofs.worths import WorthEnd, WorthFork, WorthProof
from anoptima.solvers import algorithms
from tests.proofs.javascript import Checker
from tests.proofs.tampering import changed_once


@dataclass(frozen=True)
class Proved:
    """As much of an answer as a proof's file is made of."""

    problem: Any
    proof: Any
    solver: str = "made by hand"


VERIFIED, REJECTED = "verified", "rejected"


def random_table(chance: random.Random, *, weighted: bool = False) -> ao.Table:
    """Return six or seven rows of three or four columns, with a sensitive column of two to four values."""
    rows, columns = chance.choice((6, 7)), chance.choice((3, 4))
    data = {f"c{j}": [chance.choice("ab" if j % 2 else "abc") for _ in range(rows)] for j in range(columns)}
    data["ill"] = [chance.choice("1234"[: chance.choice((2, 3, 4))]) for _ in range(rows)]
    weights = {f"c{j}": chance.choice((1, 2, "1/2", "3/2")) for j in range(columns)} if weighted else None
    return ao.Table.from_frame(pd.DataFrame(data), [f"c{j}" for j in range(columns)], "ill", weights=weights)


def questions(seed: int) -> Iterator[Any]:
    """Yield answers with proofs of every kind."""
    chance = random.Random(seed)
    table = random_table(chance, weighted=seed % 2 == 1)
    spaces: list[Any] = [
        ao.Numeric(),
        ao.Ordered(list("4123")),
        ao.Hierarchical({"x": ["1", "2"], "y": ["3", "4"]}),
        ao.Explicit(list("1234"), [[0, 1, "1/2", 1], [1, 0, 1, "1/2"], ["1/2", 1, 0, 1], [1, "1/2", 1, 0]]),
    ]
    k, l, distinct = ao.KAnonymity(2), ao.LDiversity(chance.choice(("3/2", 2))), ao.LDiversity(2, version="distinct")  # noqa: E741
    close = ao.TCloseness(chance.choice(("1/4", "2/5")))
    far = ao.TCloseness(chance.choice(("1/5", "1/3")), space=spaces[seed % 4])
    rare = AlphaKAnonymity(chance.choice(("1/2", "2/3")), 2)
    outweighed, recursive = (
        RecursiveDiversity(chance.choice((1, "3/2", 2)), 2),
        RecursiveDiversity(chance.choice((1, 3)), 3),
    )
    entropy = EntropyDiversity(chance.choice(("3/2", "9/5")))
    ours = (k, ao.KAnonymity(3), l, distinct, close, far, k & l, k & distinct & far, k & close)
    some = AlphaKAnonymity("2/3", 2, values=[table.sensitive_column(table.sensitive[0]).values[0]])
    others = (outweighed, recursive, entropy, k & outweighed & far, entropy & close, some, some & close)
    for principle in (*ours, rare, *others):
        problem = ao.CellSuppression(table, principle)
        if problem.why_infeasible() is None:
            is_linear = not any(isinstance(one, NotLinear) for one in principle.conditions(table))
            yield ao.solve(problem, "sifting", time_limit=20) if is_linear else _by_worths(problem, chance)
            yield Proved(problem, AllPartitions(0))
            yield Proved(problem, OwnBound(problem.lower_bound()))
            yield Proved(problem, _short(problem, chance))
    for principle in (RecursiveDiversity(2, 3), entropy, entropy & close):
        problem = ao.CellSuppression(table, principle)
        if problem.why_infeasible() is None and algorithms.get("bracketing").why_not(problem) is None:
            yield ao.solve(problem, "bracketing")
    for other in (
        ao.AttributeSuppression(table, k),
        ao.IdentifyingColumns(table),
        ao.WitnessColumns(table, chance.choice((2, 3))),
        ao.IsolatingColumns(table, chance.choice(("1/3", "1/2", 1)), chance.choice((2, 3))),
        ao.AttributeSuppression(table, outweighed),
        ao.AttributeSuppression(table, recursive),
        ao.AttributeSuppression(table, entropy),
    ):
        if other.why_infeasible() is None:
            yield ao.solve(other, "hitting-set")
            yield Proved(other, OwnBound(other.lower_bound()))
    for principle, solver in (
        (k, "simplex-matching"),
        (ao.KAnonymity(3), "group-prices"),
        (ao.LDiversity(2), "simplex-matching"),
    ):
        problem = ao.CellSuppression(table, principle)
        if problem.why_infeasible() is None:
            yield Proved(problem, _apart_or_not(problem, chance))
            found = ao.solve(problem, solver)
            if isinstance(found.proof, WorthProof):
                yield found
    stars = [tuple("*" if chance.random() < 0.6 else chance.choice("abc") for _ in table.quasi) for _ in range(2)]
    given = ao.GivenPatterns(
        table, ao.KAnonymity(chance.choice((1, 2, 3))), sorted({*stars, ("*",) * len(table.quasi)})
    )
    if given.why_infeasible() is None:
        yield ao.solve(given, "place-prices")
    for size in (2, 3):
        diameters = ao.DiameterSum(table, size)
        yield Proved(diameters, _apart_or_not(diameters, chance))
        yield ao.solve(diameters, "group-prices")
        yield ao.solve(diameters, "subset-dp")
        yield Proved(diameters, OwnBound(diameters.lower_bound()))
    yield from _made(chance, table, close)
    yield from _points(chance)


def _points(chance: random.Random) -> Iterator[Any]:
    """Yield proofs about points and boxes: as they are found, and with cases put around them."""
    for axes, count in ((1, 3), (2, 3)):
        regime = chance.choice(("primal", "unrestricted", "dual"))
        data = [[Fraction(chance.randrange(2, 9), 4) for _ in range(axes)] for _ in range(count)]
        domain = None if regime == "unrestricted" else [(0, chance.choice((3, "7/2")))] * axes
        points = ao.FakePoints(data, chance.choice((2, 3)), domain, regime, [chance.choice((1, "3/4"))] * axes)
        problem: Any = points if chance.random() < 0.5 else ao.FakeBoxes.of(points)
        answer = ao.solve(problem, "box-cases", time_limit=20)
        yield answer
        if isinstance(answer.proof, BoxShares) and isinstance(answer.proof.tree, BoxEnd):
            # Few fakes in a box that holds none, and many: worth a price on one side.
            lower, end = (Fraction(1, 2),) * axes, answer.proof.tree
            few, many = BoxEnd(end.shares, (1,)), BoxEnd(end.shares, (0,))
            tree = BoxFork(lower, tuple(x + Fraction(1, 4) for x in lower), 0, few, many)
            yield Proved(problem, BoxShares(0, answer.proof.denominator, tree))


def _made(chance: random.Random, table: ao.Table, close: ao.TCloseness) -> Iterator[Any]:
    """Yield proofs of the kinds that solvers make of larger tables."""
    problem = ao.CellSuppression(table, ao.KAnonymity(2))
    if problem.why_infeasible() is None:
        found = ao.solve(problem, "sifting", time_limit=20).proof
        assert isinstance(found, MultiplierProof | BranchedProof | OwnBound)
        unit = int(max(table.scaled_weights))
        inner = ao.solve(lighter(problem, unit), "sifting", time_limit=20).proof
        assert isinstance(inner, MultiplierProof | BranchedProof | OwnBound)
        yield Proved(problem, RoundedProof.of(problem, unit, inner))
        halves = [table.quasi[1:], table.quasi[:1]]
        parts = [ao.CellSuppression(table.restricted(half), problem.principle) for half in halves]
        blocks = [
            Block(tuple(half), part_proof)
            for half, part in zip(halves, parts, strict=True)
            if isinstance(part_proof := ao.solve(part, "sifting", time_limit=20).proof, MultiplierProof)
        ]
        yield Proved(problem, BlockProof.of(problem, blocks))
        if isinstance(found, MultiplierProof):
            reach = max(0, -(-max(found.worth) // found.denominator))
            worth = found.worth
            yield Proved(problem, NearProof(0, table.digest, 2, found.denominator, reach, worth))
            one, two = Leaf(worth, found.prices), Leaf(worth, found.prices)
            tree = Fork(frozenset(), 0, one, two)
            yield Proved(problem, BranchedProof(0, table.digest, 2, found.denominator, found.cuts, tree))
    near = ao.CellSuppression(table, close)
    found = ao.solve(near, "sifting", time_limit=20).proof
    if isinstance(found, GroupProof) and near.plain.principle == near.principle:
        low, high = GroupLeaf(found.worth, (1,)), GroupLeaf(found.worth, (-1,))
        cases = GroupFork(frozenset(), 0, 0, 1, low, high)
        yield Proved(near, GroupCasesProof(0, table.digest, found.principle, found.denominator, cases))
    space = chance.choice((ao.Numeric(), ao.Ordered(list("4123")), ao.Hierarchical({"x": ["1", "2"], "y": ["3", "4"]})))
    far = ao.TCloseness(chance.choice(("1/5", "1/3")), space=space)
    for principle in (far, far & ao.LDiversity("3/2"), ao.KAnonymity(2) & close & ao.LDiversity(2, version="distinct")):
        problem = ao.CellSuppression(table, principle)
        if problem.why_infeasible() is None and problem.plain.principle == principle:
            yield Proved(problem, _by_cases(problem, chance, sized=True))
    for diversity in (ao.LDiversity(2), ao.KAnonymity(2) & ao.LDiversity(2, version="distinct")):
        problem = ao.CellSuppression(table, diversity)
        if problem.why_infeasible() is None and problem.plain.principle == diversity:
            yield Proved(problem, _by_cases(problem, chance))
    for principle in (ao.LDiversity(2), close):
        problem = ao.CellSuppression(table, principle)
        if problem.why_infeasible() is None and problem.plain.principle == principle:
            yield Proved(problem, _with_cuts(problem))


def _apart_or_not(problem: Any, chance: random.Random) -> WorthProof:
    """Return a proof by small worths and an odd set, of two rows apart and together, and of two more."""
    rows, most = problem.table.rows, 2 * int(problem.table.scaled_weights[0]) + 1
    ends = [WorthEnd(tuple(chance.randrange(most) for _ in range(rows)), (chance.randrange(3),)) for _ in range(3)]
    tree = WorthFork((0, rows - 1), ends[0], WorthFork((1, 2), ends[1], ends[2]))
    return WorthProof(0, 2, tree, (tuple(sorted(chance.sample(range(rows), 3))),))


def _short(problem: ao.CellSuppression, chance: random.Random) -> WorthProof:
    """Return a proof by small worths of rows, at which no group of the least size gains, or one of larger groups that do."""

    def made(most: int) -> WorthProof:
        return WorthProof(0, 2, WorthEnd(tuple(chance.randrange(-1, most + 1) for _ in range(problem.table.rows))))

    return _proving(problem, made)  # type: ignore[no-any-return]


def _by_worths(problem: ao.CellSuppression, chance: random.Random) -> Proved:
    """Return a proof by small worths, where no solver prices groups."""
    count = int(record_of_row(problem).max()) + 1

    def made(most: int) -> GroupProof:
        worth = tuple(chance.randrange(most + 1) for _ in range(count))
        return GroupProof(0, problem.table.digest, problem.principle.as_json(), 2, worth)

    return Proved(problem, _proving(problem, made))


def _proving(problem: ao.CellSuppression, made: Callable[[int], Any]) -> Any:
    """Return a proof that proves something: `made` of numbers up to a most, which falls from what all columns weigh, for two rows."""
    for most in range(2 * int(sum(problem.table.scaled_weights)), 0, -1):
        try:
            made_now = made(most)
            made_now.proved(problem)
        except ao.BadInput:
            continue
        return made_now
    return made(0)


def _by_cases(problem: ao.CellSuppression, chance: random.Random, *, sized: bool = False) -> GroupCasesProof:
    """Return a proof by small worths: of the whole table as a group, perhaps of a size, of its rows of a value, and of neither."""
    table = problem.table
    kept = frozenset(name for j, name in enumerate(table.quasi) if len({*table.types[:, j].tolist()}) == 1)
    count, size, few = (
        int(record_of_row(problem).max()) + 1,
        chance.randrange(table.rows) if sized else 0,
        chance.randrange(2),
    )

    def made(most: int) -> GroupCasesProof:
        def end(prices: int) -> GroupLeaf:
            worth = tuple(chance.randrange(most + 1) for _ in range(count))
            return GroupLeaf(worth, tuple(chance.randrange(-most // 2, most // 2 + 1) for _ in range(prices)))

        fewer = GroupFork(kept, 0, None, size, end(1), end(1))
        more = GroupFork(kept, 0, None, size, end(1), GroupFork(kept, 0, 1, 1, end(2), end(2)))
        tree = GroupFork(kept, 0, 0, few, fewer, more)
        return GroupCasesProof(0, table.digest, problem.principle.as_json(), 2, tree)

    return _proving(problem, made)  # type: ignore[no-any-return]


def _with_cuts(problem: ao.CellSuppression) -> GroupCutsProof:
    """Return a proof by small worths and two cuts, one with terms of both sorts, for the pattern of the whole table."""
    table, of_row = problem.table, record_of_row(problem).tolist()
    copies = Counter(of_row)
    rows = itertools.accumulate(copies[r] for r in sorted(copies))
    odd = [r for r, sum_ in zip(sorted(copies), rows, strict=True) if sum_ % 2]
    kept = frozenset(name for j, name in enumerate(table.quasi) if len({*table.types[:, j].tolist()}) == 1)
    inside, outside = Term(kept, 0, True, (0,)), Term(kept, 0, False, ())
    cuts = tuple(Cut(tuple(range(r + 1)), 2, (term,)) for r, term in zip(odd[:2], (inside, outside), strict=False))
    worth = tuple(int(sum(table.scaled_weights)) for _ in copies)
    about = (0, table.digest, problem.principle.as_json(), 2)
    return GroupCutsProof(*about, worth, cuts, (1,) * len(cuts))


@dataclass
class Judge:
    """Three checkers on one table, or one after the other, in a folder of their own: the two that stand alone, and anoptima's own."""

    folder: Path
    table: ao.Table
    node: Checker
    least: dict[str, Exact | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        (self.folder / "table.csv").write_text(table_text(self.table))

    def turn_to(self, problem: Any) -> None:
        """Take the table of a problem from now on."""
        table = table_of(problem)
        if table.digest != self.table.digest:
            self.table = table
            self.__post_init__()

    def alone(self, document: Any) -> tuple[str, str]:
        """Return what the checker that stands alone says, and why."""
        (self.folder / "proof.json").write_text(json.dumps(document))
        try:
            return VERIFIED, check_anoptima.check(str(self.folder / "table.csv"), str(self.folder / "proof.json"))
        except check_anoptima.Refused as refused:
            return refused.verdict.lower(), str(refused)
        except Exception as crash:  # noqa: BLE001
            return "crashed", repr(crash)

    def javascript(self) -> tuple[str, str]:
        """Return what check.js says of the file that `alone` wrote, and why."""
        return self.node.says(table=self.folder / "table.csv", proof=self.folder / "proof.json")

    def house(self, document: Any) -> tuple[str, str]:
        """Return what anoptima says of the file that `alone` wrote."""
        try:
            read = read_proof(self.folder / "proof.json")
            return VERIFIED, str(read.proved(self.problem()))
        except AnoptimaError as refused:
            return REJECTED, str(refused)
        except Exception as crash:  # noqa: BLE001
            return "crashed", repr(crash)

    def texts(self) -> dict[str, list[str]]:
        """Return the texts of the table's columns, by name."""
        table = self.table
        columns = [*table.quasi_columns, *(table.sensitive_column(name) for name in table.sensitive)]
        return {column.name: [text_of(column.values[code]) for code in column.codes] for column in columns}

    def problem(self) -> Any:
        """Return the problem that the file states, on the table of the CSV file."""
        read = read_proof(self.folder / "proof.json")
        table = ao.Table.read_csv(self.folder / "table.csv", read.quasi, read.sensitive, weights=dict(read.weights))
        return read.problem_on(table)

    def is_true(self, document: Any, cost: Exact | None = None) -> bool:
        """Tell whether what a file claims is so, by trying everything, or from what some solution costs."""
        if cost is not None:
            return bool(document["claim"]["bound"][0] <= cost * document["claim"]["bound"][1])
        key = json.dumps([document["problem"], document["table"]])
        if key not in self.least:
            try:
                problem = self.problem()
            except ao.BadInput:
                return False  # nothing is true of a problem that there is not
            if isinstance(problem, ao.FakePoints | ao.FakeBoxes):
                self.least[key] = _fewest(problem.as_points())
                return bool(document["claim"]["bound"][0] <= self.least[key] * document["claim"]["bound"][1])
            by_cost = sorted(((_cost(problem, one), one) for one in problem.solutions()), key=itemgetter(0))
            self.least[key] = next((cost for cost, one in by_cost if not problem.violations(one)), None)
        least = self.least[key]
        bound = document["claim"]["bound"]
        return least is None or bound[0] <= least * bound[1]

    def fault(self, document: Any, cost: Exact | None = None) -> tuple[str, str]:
        """Return what the three say, and what is wrong with that; '' where nothing is. `cost` is one that some solution has.

        The two that stand alone must agree to verify or to refuse. A file with several faults has no one verdict, so their refusals may
        differ. Where only anoptima's own checker refuses, the document must say that it may.
        """
        alone, why = self.alone(document)
        node, grounds = self.javascript()
        house, reason = self.house(document)
        said = f"{alone} / {node} / {house}"
        if "crashed" in (alone, node, house):
            return said, f"{said}: {why} / {grounds} / {reason}"
        is_verified = VERIFIED in (alone, node, house)
        is_true = not is_verified or self.is_true(document, cost)
        if not is_true:
            return said, f"a false bound is accepted: {said}: {why} / {grounds} / {reason}"
        if (alone == VERIFIED) != (node == VERIFIED):
            return said, f"disagreement: {said}: {why} / {grounds}"
        if house == VERIFIED and REJECTED in (alone, node):
            return said, f"disagreement: {said}: {why} / {grounds}"
        if alone == VERIFIED and house == REJECTED and not _stated_difference(document, reason):
            return said, f"disagreement: {said}: {reason}"
        return said, ""


def _fewest(problem: ao.FakePoints) -> Exact:
    """Return the fewest fakes, by a program that knows no proofs; with very many to a box, those of ten, which are no more.

    Where no test box holds two data that differ, each must be topped up: a program over such small boxes would be large.
    """
    places = list(problem.locations)
    if all(any(abs(x - y) >= 1 for x, y in zip(one, two, strict=True)) for one, two in combinations(places, 2)):
        return sum(max(0, problem.k - copies) for copies in problem.locations.values())
    fewer = ao.FakePoints(problem.points, min(problem.k, 10), problem.domain, problem.regime)
    answer = ao.solve(fewer, "fake-grid/highs", start=None)
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.cost is not None
    return answer.cost


def _cost(problem: Any, solution: Any) -> Exact:
    """Return what a solution costs, at weights of any size."""
    if isinstance(problem, ao.DiameterSum):
        columns = [*zip(problem.table.weights, problem.table.types.T.tolist(), strict=True)]
        groups = [problem.table.type_of_row[group].tolist() for group in solution.groups()]
        apart = (
            [sum((w for w, codes in columns if codes[i] != codes[j]), Fraction(0)) for i in group for j in group]
            for group in groups
        )
        return sum((max(distances) for distances in apart), Fraction(0))
    if isinstance(problem, ao.GivenPatterns):
        each = problem.starred[solution.pattern].sum(axis=0).tolist()
        return sum((count * weight for count, weight in zip(each, problem.table.weights, strict=True)), Fraction(0))
    if not isinstance(problem, ao.CellSuppression):
        return Fraction(problem.cost(solution))
    stars = problem.stars(solution).sum(axis=0).tolist()
    return sum((count * weight for count, weight in zip(stars, problem.table.weights, strict=True)), Fraction(0))


def _stated_difference(document: Any, reason: str) -> bool:
    """What docs/proof-format.md says of anoptima's own checker: 64 bits, fewer shapes of parts, and looser prices of groups."""
    if "64 bits" in reason or "62 bits" in reason or "anoptima's own checker has no rule" in reason:
        return True
    spoken = json.dumps(document["problem"])
    return "prove" in reason and ('"equal"' in spoken or "l-diversity" in spoken or "recursive" in spoken)


def best(judge: Judge, answer: Any) -> Any:
    """Return an answer's proof as a file that claims as much as it proves: the claim is raised until it no longer holds."""
    judge.turn_to(answer.problem)
    document = json.loads(proof_text(proof_document(answer)))
    while True:
        raised = _claiming(document, document["proof"]["value"] + 1, answer)
        if judge.alone(raised)[0] != VERIFIED:
            return document
        document = raised


def _claiming(document: Any, value: int, answer: Any) -> Any:
    bound = Fraction(value, answer.problem.cost_scale)
    claim = {"bound": [bound.numerator, bound.denominator]}
    return {**document, "claim": claim, "proof": {**document["proof"], "value": value}}


def changed(document: Any, chance: random.Random, others: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield a document with one thing changed, in every way; with the claim moved along; and parts of other documents."""
    for what, new in changed_once(document):
        yield what, new
    scale = document["claim"]["bound"]
    for step in (1, -1, 7):
        for what, proof in [*changed_once(document["proof"])][:: max(1, chance.randrange(1, 4))]:
            if isinstance(proof, dict) and type(proof.get("value")) is int and scale[1] == 1:
                value = max(0, proof["value"] + step)
                yield (
                    f"{what}, and the claim by {step}",
                    {**document, "claim": {"bound": [value, 1]}, "proof": {**proof, "value": value}},
                )
    for other in others:
        for name in ("problem", "table", "proof", "claim"):
            yield f"{name} of another", {**document, name: other[name]}
    for schema in ("anoptima/proof/1", "anoptima/proof/2", "anoptima/proof/4", "anoptima/certificate/1"):
        yield schema, {**document, "schema": schema}
