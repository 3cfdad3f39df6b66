from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.spaces import MatrixMetric, Metric, path_lengths, space_from_json, transport
from tests import brute_force
from tests.loops import each

F = Fraction

HIERARCHY = {"north": {"A": ["a", "b"], "B": ["c"]}, "south": {"C": ["d", "e"]}}
SPACES: dict[str, tuple[ao.Space, Sequence[Any], brute_force.Distance]] = {
    "equal": (ao.EqualDistance(), "abcd", brute_force.equal_distance),
    "one value": (ao.EqualDistance(), "a", brute_force.equal_distance),
    "ordered": (ao.Ordered("abcd".replace("", " ").split()), "cadb", brute_force.ordered_distance("abcd")),
    "part of an order": (ao.Ordered(["a", "b", "c", "d", "e"]), "eab", brute_force.ordered_distance("abcde")),
    "an order of one": (ao.Ordered(["a"]), "a", brute_force.ordered_distance("a")),
    "numeric": (ao.Numeric(), [7, "0.5", 0.1, "1/3"], brute_force.numeric_distance([7, "0.5", 0.1, "1/3"])),
    "equal numbers": (ao.Numeric(), [3, "3.0", 4, "3"], brute_force.numeric_distance([3, "3.0", 4, "3"])),
    "one number": (ao.Numeric(), [3, "3.0"], brute_force.numeric_distance([3, "3.0"])),
    "hierarchical": (ao.Hierarchical(HIERARCHY), "badce", brute_force.tree_distance(HIERARCHY)),
    "part of a hierarchy": (ao.Hierarchical(HIERARCHY), "cad", brute_force.tree_distance(HIERARCHY)),
    "flat hierarchy": (ao.Hierarchical(["a", "b", "c"]), "cab", brute_force.tree_distance(["a", "b", "c"])),
}


def counts_for(metric: Metric, most: int = 4) -> st.SearchStrategy[tuple[list[int], list[int]]]:
    """Draw a group's counts and the whole table's, which has all values and the group within it."""
    size = len(metric.distances())
    group = st.lists(st.integers(0, most), min_size=size, max_size=size).filter(any)
    others = st.lists(st.integers(0, most), min_size=size, max_size=size)
    return st.tuples(group, others).map(lambda drawn: (drawn[0], [max(1, p + q) for p, q in zip(*drawn, strict=True)]))


@pytest.mark.parametrize("kind", SPACES)
def test_distances_are_what_the_literature_says(kind: str) -> None:
    space, values, distance = SPACES[kind]
    metric = space.fit(values)
    expected = [[distance(v, w) for w in values] for v in values]
    assert [[Fraction(int(d), metric.scale) for d in row] for row in metric.distances()] == expected


@pytest.mark.parametrize("kind", SPACES)
@given(data=st.data())
def test_every_closed_form_equals_two_general_transports(kind: str, data: st.DataObject) -> None:
    space, values, distance = SPACES[kind]
    metric = space.fit(values)
    group, whole = data.draw(counts_for(metric))
    emd = metric.emd(group, whole)
    general = MatrixMetric([[Fraction(int(d), metric.scale) for d in row] for row in metric.distances()])
    assert emd == general.emd(group, whole)
    p, q = ([Fraction(count, sum(counts)) for count in counts] for counts in (group, whole))
    assert emd == brute_force.earth_mover(p, q, [[distance(v, w) for w in values] for v in values])


@pytest.mark.parametrize("kind", SPACES)
@given(data=st.data())
def test_groups_are_measured_together_as_they_are_alone(kind: str, data: st.DataObject) -> None:
    space, values, _ = SPACES[kind]
    size = len(values)
    cells = data.draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, size - 1)), max_size=12))
    # Every value and every group occurs.
    rows = [(g, v) for g, v in zip(itertools.cycle(range(4)), range(max(4, size)), strict=False)] + cells
    frame = pd.DataFrame({"q": [g for g, _ in rows], "s": pd.Series([values[v % size] for _, v in rows], dtype=object)})
    table = ao.Table.from_frame(frame, ["q"], "s")
    metric = space.fit(table.sensitive_column("s").values)
    groups = table.groups(table.classes())
    whole = table.sensitive_column("s").counts.tolist()
    numerators = metric.emd_numerators(groups, "s")
    for g, sized in enumerate(groups.sizes.tolist()):
        alone = metric.emd(groups.counts("s", g).tolist(), whole)
        assert Fraction(int(numerators[g]), metric.scale * sized * table.rows) == alone


def test_li_et_al_on_salaries() -> None:
    metric = ao.Numeric().fit(range(3, 12))
    assert metric.emd([1, 1, 1, 0, 0, 0, 0, 0, 0], [1] * 9) == Fraction(3, 8)
    assert metric.emd([0, 0, 0, 1, 0, 1, 0, 0, 1], [1] * 9) == Fraction(1, 6)
    evenly = ao.Ordered(range(3, 12)).fit(range(3, 12))
    assert evenly.emd([1, 1, 1, 0, 0, 0, 0, 0, 0], [1] * 9) == Fraction(3, 8)


def test_li_et_al_on_a_hierarchy_of_height_two() -> None:
    metric = ao.Hierarchical({"x": ["a", "b"], "y": ["c", "d"]}).fit("abcd")
    assert metric.emd([1, 1, 0, 0], [1, 1, 1, 1]) == Fraction(1, 2)
    assert metric.emd([1, 0, 1, 0], [1, 1, 1, 1]) == Fraction(1, 4)
    apart = ao.EqualDistance().fit("abcd")
    assert apart.emd([1, 1, 0, 0], [1, 1, 1, 1]) == apart.emd([1, 0, 1, 0], [1, 1, 1, 1]) == Fraction(1, 2)


@given(st.data())
def test_numbers_beyond_64_bits_are_exact(data: st.DataObject) -> None:
    """The same groups through int64, and through Python's integers because the distances have a huge denominator."""
    tiny = Fraction(1, 3**45)
    rows = data.draw(st.lists(st.tuples(st.integers(0, 2), st.sampled_from("abc")), min_size=1, max_size=12))
    rows += [(0, "a"), (1, "b"), (2, "c")]
    table = ao.Table.from_frame(pd.DataFrame(rows, columns=["q", "s"]), ["q"], "s")
    groups = table.groups(table.classes())
    values = table.sensitive_column("s").values
    half = Fraction(1, 2)
    matrix = [[Fraction(0) if v == w else half + tiny if {v, w} == {"a", "b"} else half for w in "abc"] for v in "abc"]
    metric = ao.Explicit("abc", matrix).fit(values)
    assert metric.scale > 2**64
    whole = table.sensitive_column("s").counts.tolist()
    for g, numerator in enumerate(metric.emd_numerators(groups, "s")):
        counts = groups.counts("s", g).tolist()
        p, q = ([Fraction(count, sum(c)) for count in c] for c in (counts, whole))
        distances = [[matrix["abc".index(v)]["abc".index(w)] for w in values] for v in values]
        expected = brute_force.earth_mover(p, q, distances)
        assert Fraction(int(numerator), metric.scale * sum(counts) * table.rows) == expected


@each("digits", range(30, 51, 4))
def test_a_tree_metric_is_exact_below_and_beyond_64_bits(digits: int) -> None:
    tiny, times = Fraction(1, 3**digits), 40
    numbers = ["0", str(tiny), "1"]
    frame = pd.DataFrame({"q": [0, 0, 1] * times, "s": numbers * times})
    table = ao.Table.from_frame(frame, ["q"], "s")
    metric = ao.Numeric().fit(numbers)
    numerators = metric.emd_numerators(table.groups(table.classes()), "s")
    # The group of the first two has 1/6 too much on the way to the second, and 1/3 from there to the end.
    expected = Fraction(1, 6) * tiny + Fraction(1, 3) * (1 - tiny)
    assert Fraction(int(numerators[0]), metric.scale * 2 * times * 3 * times) == expected


@given(st.lists(st.integers(0, 6), min_size=2, max_size=4), st.data())
def test_a_transport_plan_carries_everything_at_its_cost(supply: list[int], data: st.DataObject) -> None:
    size = len(supply)
    cuts = sorted(data.draw(st.lists(st.integers(0, sum(supply)), min_size=size - 1, max_size=size - 1)))
    demand = [after - before for before, after in itertools.pairwise([0, *cuts, sum(supply)])]
    costs = data.draw(st.lists(st.lists(st.integers(0, 9), min_size=size, max_size=size), min_size=size, max_size=size))
    cost, plan = transport(supply, demand, costs)
    assert [sum(amount for (i, _), amount in plan.items() if i == row) for row in range(size)] == supply
    assert [sum(amount for (_, j), amount in plan.items() if j == column) for column in range(size)] == demand
    assert cost == sum(costs[i][j] * amount for (i, j), amount in plan.items())
    if sum(supply):
        p, q = ([Fraction(a, sum(supply)) for a in amounts] for amounts in (supply, demand))
        assert Fraction(cost, sum(supply)) == brute_force.earth_mover(
            p, q, [[Fraction(c) for c in row] for row in costs]
        )


# ---- refusals -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (
            [[0, "1/2", 1], ["1/2", 0, "1/4"], [1, "1/4", 0]],
            "the distance matrix is not a metric: 'a', 'b', 'c' break the triangle inequality, d(a, c) = 1 > 1/2 + 1/4",
        ),
        ([[0, 1, 1], [0.5, 0, 1], [1, 1, 0]], "the distance of 'a' and 'b' is 1 one way and 1/2 the other"),
        ([[0, 2, 1], [2, 0, 1], [1, 1, 0]], "the distance of 'a' and 'b' is 2; distances lie between 0 and 1"),
        ([[0, -1, 1], [-1, 0, 1], [1, 1, 0]], "the distance of 'a' and 'b' is -1; distances lie between 0 and 1"),
        ([[0, 0, 1], [0, 0, 1], [1, 1, 0]], "the distance of 'a' and 'b' is 0; it must be 0 for equal values only"),
        (
            [[0.1, 1, 1], [1, 0, 1], [1, 1, 0]],
            "the distance of 'a' and 'a' is 1/10; it must be 0 for equal values only",
        ),
        ([[0, 1], [1, 0]], "the distance matrix must be 3 x 3, one row and column a value"),
        ([[0, 1, 1], [1, 0], [1, 1, 0]], "the distance matrix must be 3 x 3, one row and column a value"),
        ([[0, "far", 1], [1, 0, 1], [1, 1, 0]], "the distance in row 1 is 'far'; it must be a finite number"),
    ],
)
def test_a_matrix_that_is_no_metric_is_refused(matrix: list[list[Any]], message: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        ao.Explicit(["a", "b", "c"], matrix)
    assert str(caught.value).startswith(message)


def test_a_triangle_may_be_flat_and_not_a_hair_more() -> None:
    def matrix(longest: Fraction) -> list[list[Any]]:
        return [[0, "1/2", longest], ["1/2", 0, "1/4"], [longest, "1/4", 0]]

    ao.Explicit("abc", matrix(Fraction(3, 4)))
    with pytest.raises(ao.BadInput, match="'a', 'b', 'c' break the triangle inequality"):
        ao.Explicit("abc", matrix(Fraction(3, 4) + Fraction(1, 10**12)))


@given(st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=4, max_size=4))
def test_a_matrix_is_taken_exactly_if_it_is_a_metric(rows: list[list[int]]) -> None:
    for i, j in itertools.product(range(4), repeat=2):
        rows[j][i] = rows[i][j] if i != j else 0
    is_metric = all(rows[i][j] > 0 for i, j in itertools.permutations(range(4), 2)) and all(
        rows[i][k] <= rows[i][j] + rows[j][k] for i, j, k in itertools.product(range(4), repeat=3)
    )
    try:
        ao.Explicit("abcd", [[Fraction(d, 4) for d in row] for row in rows])
    except ao.BadInput:
        assert not is_metric
    else:
        assert is_metric


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ao.Ordered(["a", "b"]).fit(["a", "c"]), "the value 'c' has no place in the order 'a', 'b'"),
        (
            lambda: ao.Ordered(["a", "b", "a"]),
            "the order is ['a', 'b', 'a']; it must be a list of different values, smallest first",
        ),
        (lambda: ao.Ordered("abc"), "the order is 'abc'; it must be a list of different values, smallest first"),
        (lambda: ao.Ordered([]), "the order has no values; it needs one at least"),
        (
            lambda: ao.Numeric().fit([1, "two"]),
            "a value of a numeric sensitive column is 'two'; it must be a finite number",
        ),
        (
            lambda: ao.Numeric().fit([1, None]),
            "a value of a numeric sensitive column is None; it must be a finite number",
        ),
        (
            lambda: ao.Numeric().fit([1, float("inf")]),
            "a value of a numeric sensitive column is inf; it must be a finite number",
        ),
        (
            lambda: ao.Hierarchical({"x": ["a", "b"]}).fit("abc"),
            "the value 'c' is no leaf of the hierarchy; its leaves are a, b",
        ),
        (
            lambda: ao.Hierarchical({"x": ["a"], "y": {"z": ["b"]}}),
            "the hierarchy has leaves at depths [2, 3]; all must be at one depth",
        ),
        (lambda: ao.Hierarchical({"x": ["a"], "y": ["a"]}), "the hierarchy has the leaf 'a' twice"),
        (lambda: ao.Hierarchical({"x": []}), "the hierarchy has no leaves"),
        (
            lambda: ao.Explicit("ab", [[0, 1], [1, 0]]).fit("ac"),
            "the value 'c' is not in the distance matrix; it has a, b",
        ),
        (
            lambda: ao.Explicit("aa", [[0, 1], [1, 0]]),
            "the values of a distance matrix must be different, and at least one",
        ),
        (
            lambda: space_from_json({"kind": "round"}),
            "there is no space named 'round'; there are equal, hierarchical, matrix, numeric, ordered",
        ),
    ],
)
def test_what_makes_no_space_is_refused(make: Any, message: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        make()
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("kind", SPACES)
def test_a_space_survives_being_written_down(kind: str) -> None:
    space, values, _ = SPACES[kind]
    again = space_from_json(space.as_json())
    assert again.as_json() == space.as_json()
    assert np.array_equal(again.fit(values).distances(), space.fit(values).distances())


def test_a_matrix_survives_being_written_down_exactly() -> None:
    space = ao.Explicit(["a", "b"], [[0, "1/3"], ["1/3", 0]])
    assert space.as_json()["matrix"] == [["0", "1/3"], ["1/3", "0"]]
    assert space_from_json(space.as_json()) == space


def test_steepness_is_the_largest_ratio_of_any_two_values() -> None:
    source = np.random.default_rng(5)
    for trial in range(60):
        numbers = [Fraction(int(x), 7) for x in source.integers(0, 30, 6)]
        names = list(range(6))
        space = (ao.Numeric(), ao.Ordered(names), ao.EqualDistance(), ao.Hierarchical([[0, 1], [2, 3], [4, 5]]))[
            trial % 4
        ]
        metric = space.fit(numbers if trial % 4 == 0 else names)
        potentials = source.integers(-9, 10, 6)
        distances = metric.distances()
        pairs = [(abs(int(potentials[v] - potentials[w])), int(distances[v, w])) for v in range(6) for w in range(v)]
        if any(apart and not far for apart, far in pairs):
            assert metric.steepnesses(potentials[None]) == [None]
        else:
            ratios = [Fraction(metric.scale * apart, far) for apart, far in pairs if far]
            assert metric.steepnesses(potentials[None]) == [max(ratios)]


def test_lengths_of_paths_are_exact_however_large() -> None:
    sides = np.array([[True, False, False, False], [True, True, False, False], [False, False, True, False]])
    for large in (1, 2**49, 2**51, 2**60, 2**80):
        lengths = [large, large + 1, 3]
        expected = [
            [sum(length for side, length in zip(sides, lengths, strict=True) if side[v] != side[w]) for w in range(4)]
            for v in range(4)
        ]
        assert path_lengths(sides, lengths).tolist() == expected


class Given(ao.Space):
    """Fitted as the metric that it was made with."""

    kind = "given"

    def __init__(self, metric: Metric) -> None:
        self.metric = metric

    def fit(self, values: Sequence[Any]) -> Metric:
        return self.metric

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Given:
        raise NotImplementedError


class Rounded(MatrixMetric):
    def distances(self) -> Any:
        return super().distances().astype(float)


@pytest.mark.parametrize(
    ("metric", "wrong"),
    [
        (MatrixMetric([[F(0)]]), " has distances of shape (1, 1) for 3 values"),
        (Rounded([[F(0), F(1), F(1)], [F(1), F(0), F(1)], [F(1), F(1), F(0)]]), (
            " has distances that are no whole multiples of 1 over its scale, 1")),
        (MatrixMetric([[F(0), F(1), F(1)], [F(1, 2), F(0), F(1)], [F(1), F(1), F(0)]]), (
            " is no metric: the distance of 'p' and 'q' is 1 one way and 1/2 the other")),
        (MatrixMetric([[F(0), F(1, 4), F(1)], [F(1, 4), F(0), F(1, 4)], [F(1), F(1, 4), F(0)]]), (
            " is no metric: 'p', 'q', 'r' break the triangle inequality")),
        (MatrixMetric([[F(0), F(-1), F(1)], [F(-1), F(0), F(1)], [F(1), F(1), F(0)]]), (
            " is no metric: the distance of 'p' and 'q' is -1; distances lie between 0 and 1")),
    ],
)  # fmt: skip
def test_a_space_from_outside_is_fitted_as_a_metric_or_refused(metric: Metric, wrong: str) -> None:
    frame = pd.DataFrame({"a": list("xxyyzz"), "d": list("pqrpqr")})
    table = ao.Table.from_frame(frame, quasi=["a"], sensitive="d")
    with pytest.raises(ao.BadInput) as refused:
        ao.CellSuppression(table, ao.TCloseness("1/3", space=Given(metric)))
    assert str(refused.value).startswith(f"what the space 'given' is fitted as to 'd'{wrong}")


def test_a_space_from_outside_may_hold_values_for_the_same() -> None:
    frame = pd.DataFrame({"a": list("xxyyzz"), "d": list("pqrpqr")})
    table = ao.Table.from_frame(frame, quasi=["a"], sensitive="d")
    same = MatrixMetric([[F(0), F(0), F(1)], [F(0), F(0), F(1)], [F(1), F(1), F(0)]])
    assert ao.solve(ao.CellSuppression(table, ao.TCloseness("1/4", space=Given(same)))).cost == 4


def test_a_space_from_outside_that_is_fitted_as_no_metric_is_refused() -> None:
    class Forgetful(ao.Space):
        kind = "forgetful"

        def fit(self, values: Sequence[Any]) -> Any:
            pass

        def as_json(self) -> dict[str, Any]:
            return {"kind": self.kind}

        @classmethod
        def from_json(cls, data: Mapping[str, Any]) -> Forgetful:
            return cls()

    with pytest.raises(
        ao.BadInput, match="what the space 'forgetful' is fitted as to 'disease' is None; it must be a Metric"
    ):
        ao.CellSuppression(ao.ten_rows(), ao.TCloseness("1/3", space=Forgetful()))
