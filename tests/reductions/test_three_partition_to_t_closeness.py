"""3-partition as t-closeness: the steps of the theorem's proof on all small lists, its claim by a program on some, and both maps."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import pandas as pd
import pytest

import anoptima as ao
from anoptima.reductions import reductions
from anoptima.testing.families.matchings import all_numbers
from anoptima.testing.soundness import target_optimum
from benchmarks.hidden_triples import has_partition
from tests import brute_force

THEOREM = reductions.get("3-partition-to-t-closeness")

LISTS = [(0, 0, 0, 1, 1, 2), (0, 0, 0, 2, 2, 2), (0, 0, 0, 0, 1, 3)]


def classes_of(table: ao.Table) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for own, value in table.frame.itertuples(index=False):
        found.setdefault(own, Counter())[value] += 1
    return found


def is_close(part: Counter[str], whole: Counter[str]) -> bool:
    """Total variation, said in another way than the package does."""
    apart = sum(abs(Fraction(part[v], part.total()) - Fraction(whole[v], whole.total())) for v in whole)
    return apart / 2 <= Fraction(1, 2)


def test_the_steps_of_the_proof() -> None:
    """What can stay of each class, and when the rest is close, for all lists of six numbers with a sum up to 6."""
    told = []
    for problem in all_numbers(2, 6):
        numbers, reduced = problem.addends, THEOREM.apply(problem)
        threshold = reduced.threshold()
        classes = classes_of(reduced.target.table)  # type: ignore[attr-defined]
        whole = sum(classes.values(), Counter[str]())
        assert whole.total() == 3 * threshold
        for own, held in classes.items():
            if own.startswith("only"):
                assert len(held) == 1
                assert not is_close(held, whole)
        assert is_close(classes["ground"], whole)
        assert whole.total() - classes["ground"].total() - 12 == threshold
        elements, aim = [f"e{i}" for i in range(1, 7)], sum(numbers) // 2
        good = []
        for size in range(7):
            for kept in itertools.combinations(range(6), size):
                for w in range(4):
                    part = Counter({elements[i]: 1 for i in kept}) + Counter(w=w)
                    if part.total() >= 6 and is_close(part, whole):
                        assert (size, w) == (3, 3)
                        good.append(kept)
        assert good == [kept for kept in itertools.combinations(range(6), 3) if sum(numbers[i] for i in kept) >= aim]
        stays = Counter(dict.fromkeys(elements, 0))
        ways = []
        for first, second in itertools.product(good, repeat=2):
            stays = Counter([elements[i] for i in (*first, *second)]) + Counter(w=6) + classes["ground"]
            close = is_close(whole - stays, whole)
            assert close == (len({*first, *second}) == 6)
            ways.append(close)
        assert any(ways) == has_partition(numbers)
        told.append(any(ways))
    assert 0 < sum(told) < len(told)


def test_a_program_finds_them() -> None:
    for numbers in LISTS:
        reduced = THEOREM.apply(ao.ThreePartition(numbers))
        target = reduced.target
        assert isinstance(target, ao.CellSuppression)
        answer = ao.solve(target, "least-residue", start=None)
        assert answer.claim is ao.Claim.OPTIMAL
        assert answer.cost is not None
        assert answer.cost >= reduced.threshold()
        assert (answer.cost == reduced.threshold()) == has_partition(numbers)
        solution = answer.require_solution()
        assert (reduced.source.cost(reduced.pull(solution)) == 0) == has_partition(numbers)
        rule = brute_force.close(target.table.frame["sensitive"].tolist(), Fraction(1, 2), brute_force.equal_distance)
        groups = map(tuple, solution.groups())
        assert all(rule(group) for group in groups if len({*target.table.type_of_row[list(group)]}) > 1)


def test_each_number_left_over_costs_two() -> None:
    """On nine numbers, where one triple can be found without the others."""
    for numbers in ((0, 1, 2, 0, 1, 2, 1, 1, 1), (0, 1, 2, 0, 0, 0, 2, 2, 2)):
        problem = ao.ThreePartition(numbers)
        reduced = THEOREM.apply(problem)
        tried = [ao.Matching.of([]), ao.Matching.of([(1, 2, 3)]), ao.Matching.of(problem.choices[-1:])]
        for matching in filter(problem.is_feasible, [*tried, ao.Matching.of([(1, 2, 3), (4, 5, 6), (7, 8, 9)])]):
            pushed = reduced.push(matching)
            assert reduced.target.cost(pushed) == reduced.threshold() + 2 * problem.cost(matching)
            assert reduced.pull(pushed) == matching
        assert not reduced.decides(3)


def test_only_distinct_numbers_are_taken_from_slots() -> None:
    """A release that keeps one triple in two slots pulls to that triple, once."""
    reduced = THEOREM.apply(ao.ThreePartition([0, 0, 1, 1, 2, 2]))
    pushed = reduced.push(ao.Matching.of([(1, 3, 5), (2, 4, 6)]))
    frame = reduced.target.table.frame  # type: ignore[attr-defined]
    labels = pushed.labels.copy()
    rest = labels[(frame["class"] == "only u").to_numpy()][0]
    second = (frame["class"] == "slot 2").to_numpy()
    labels[second] = rest
    labels[second & frame["sensitive"].isin(["e1", "e3", "e5", "w"]).to_numpy()] = labels.max() + 1
    for slot in (1, 2):
        held = frame["sensitive"][(frame["class"] == f"slot {slot}").to_numpy() & (labels != rest)]
        assert set(held) == {"e1", "e3", "e5", "w"}
    assert reduced.backward(ao.Partition.from_labels(labels)) == ao.Matching.of([(1, 3, 5)])


def test_the_target_is_what_the_theorem_says() -> None:
    reduced = THEOREM.apply(ao.ThreePartition([0, 0, 0, 2, 2, 2]))
    assert target_optimum(reduced.target) > reduced.threshold()
    with pytest.raises(ao.NotApplicable, match="it is for 3-partition, not for cell-suppression"):
        THEOREM.apply(reduced.target)


def overlap(part: tuple[int, ...], whole: tuple[int, ...]) -> Fraction:
    return sum(
        (min(Fraction(a, sum(part)), Fraction(n, sum(whole))) for a, n in zip(part, whole, strict=True)), Fraction(0)
    )


def test_rows_of_one_more_value_make_nothing_close() -> None:
    """All groups of some tables of three values, with rows of a fourth that has the share j / (6 + j) of the table."""
    for whole, j in itertools.product(((2, 2, 2), (1, 2, 3), (4, 1, 1)), (1, 3)):
        new, share = (*whole, j), Fraction(j, 6 + j)
        needed = share + (1 - share) / 2
        assert needed == 1 - Fraction(3, 6 + j)
        told = set()
        for part in itertools.product(*(range(n + 1) for n in new)):
            if sum(part):
                old, close = part[:3], overlap(part, new) >= needed
                was_close = sum(old) > 0 and overlap(old, whole) >= Fraction(1, 2)
                assert was_close or not close
                if Fraction(part[3], sum(part)) == share:
                    assert close == was_close
                told.add(close)
        assert told == {True, False}


def test_with_such_rows_a_program_finds_partitions_for_a_third() -> None:
    for numbers in ((0, 0, 1, 1, 2, 2), (0, 0, 0, 2, 2, 2)):
        reduced = THEOREM.apply(ao.ThreePartition(numbers))
        frame = reduced.target.table.frame  # type: ignore[attr-defined]
        ground = int((frame["class"] == "ground").sum())
        added = [("ground", "c")] * (ground // 2) + [("only c", "c")] * (int(reduced.threshold()) // 2)
        added += [(slot, "c") for slot in ("slot 1", "slot 2")] * 3
        more = pd.concat([frame, pd.DataFrame(added, columns=["class", "sensitive"])], ignore_index=True)
        problem = ao.CellSuppression(ao.Table.from_frame(more, ["class"], "sensitive"), ao.TCloseness("1/3"))
        answer = ao.solve(problem, "least-residue", start=None)
        assert answer.claim is ao.Claim.OPTIMAL
        assert answer.cost is not None
        assert answer.cost >= reduced.threshold() * 3 / 2
        assert (answer.cost == reduced.threshold() * 3 / 2) == has_partition(numbers)
