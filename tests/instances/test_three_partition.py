"""Tables that hide a 3-partition: the steps of the theorem's proof on all small lists, and its claim by a program on some."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import pytest

import anoptima as ao
from anoptima.instances.three_partition import hidden_triples
from benchmarks.hidden_triples import has_partition, lists
from tests import brute_force

LISTS = [
    (0, 0, 0, 1, 1, 2),
    (0, 0, 1, 1, 2, 2),
    (0, 0, 0, 2, 2, 2),
    (0, 0, 0, 0, 1, 3),
    (0, 2, 2, 2, 2, 2),
    (0, 0, 2, 2, 3, 3),
]


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
    """What can stay of each class, and when the rest is close, for all lists of six numbers up to 2."""
    told = []
    for numbers in lists(2):
        hidden = hidden_triples(numbers)
        classes = classes_of(hidden.problem.table)
        whole = sum(classes.values(), Counter[str]())
        assert whole.total() == 3 * hidden.threshold
        for own, held in classes.items():
            if own.startswith("only"):
                assert len(held) == 1
                assert not is_close(held, whole)
        assert is_close(classes["ground"], whole)
        assert whole.total() - classes["ground"].total() - 12 == hidden.threshold
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


@pytest.mark.parametrize("numbers", LISTS)
def test_a_program_finds_them(numbers: tuple[int, ...]) -> None:
    hidden = hidden_triples(numbers)
    answer = ao.solve(hidden.problem, "least-residue", start=None)
    assert answer.claim is ao.Claim.OPTIMAL
    assert answer.cost is not None
    assert answer.cost >= hidden.threshold
    assert (answer.cost == hidden.threshold) == has_partition(numbers)
    assert answer.solution is not None
    values = hidden.problem.table.frame["value"].tolist()
    rule = brute_force.close(values, Fraction(1, 2), brute_force.equal_distance)
    starred = [
        group
        for group in map(tuple, answer.solution.groups())
        if len({*hidden.problem.table.type_of_row[list(group)]}) > 1
    ]
    assert all(rule(group) for group in starred)


def test_only_triples_are_hidden() -> None:
    with pytest.raises(ao.BadInput, match=r"^there are 4 numbers, and triples need a multiple of three$"):
        hidden_triples([0, 1, 1, 2])
    for numbers in ([0, 0, 0, 0, 0, 1], [-1, 0, 1]):
        with pytest.raises(ao.BadInput, match=r"must be 0 or more, and their sum a multiple of [12]$"):
            hidden_triples(numbers)
