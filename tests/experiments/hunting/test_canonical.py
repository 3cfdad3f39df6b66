from __future__ import annotations

import itertools
import random

from anoptima.experiments.hunting.canonical import _Search, canonical, named
from anoptima.experiments.hunting.every_table import EveryTable


def least_over_all_orders(columns: list[tuple[int, ...]], sensitive: tuple[int, ...] | None) -> object:
    """Return a form by trying every order of the rows."""
    return min(
        (
            sorted(named([column[row] for row in order]) for column in columns),
            None if sensitive is None else named([sensitive[row] for row in order]),
        )
        for order in itertools.permutations(range(len(columns[0])))
    )


def test_forms_are_equal_exactly_where_tables_are_the_same() -> None:
    chance = random.Random(5)
    by_form: dict[object, object] = {}
    by_brute_force: dict[object, object] = {}
    for _ in range(400):
        rows, values = chance.randint(1, 5), chance.randint(1, 4)
        columns = [tuple(chance.randrange(values) for _ in range(rows)) for _ in range(chance.randint(1, 3))]
        sensitive = tuple(chance.randrange(values) for _ in range(rows)) if chance.random() < 0.4 else None
        form = (sensitive is None, canonical(columns, sensitive))
        brute = repr(least_over_all_orders(columns, sensitive))
        assert by_form.setdefault(form, brute) == brute
        assert by_brute_force.setdefault(brute, form) == form
    assert len(by_form) > 100


def test_a_form_is_the_table_in_another_order() -> None:
    chance = random.Random(6)
    for _ in range(50):
        columns = [tuple(chance.randrange(3) for _ in range(6)) for _ in range(3)]
        form = canonical(columns)
        assert least_over_all_orders(list(form), None) == least_over_all_orders(columns, None)


def test_symmetry_is_used() -> None:
    for size in (6, 9, 12):
        search = _Search([tuple(int(i == j) for i in range(size)) for j in range(size)], None)
        search.form()
        assert search._orders <= size


def test_all_small_tables_are_counted_once() -> None:
    every = EveryTable(rows=4, columns=2, values=3, sensitive=0, most=1000)
    forms = {grid.key for grid in every.grids(least_rows=4)}
    found = set()
    for cells in itertools.product(range(3), repeat=8):
        columns = [cells[:4], cells[4:]]
        if all(len(set(column)) > 1 for column in columns):
            found.add(canonical(columns))
    assert {form for form in forms if len(form) == 2} == found
    assert every.done == [(4, 1), (4, 2)]


def test_all_small_tables_with_a_sensitive_column_are_counted_once() -> None:
    every = EveryTable(rows=3, columns=1, values=3, sensitive=2, most=1000)
    forms = {grid.key for grid in every.grids(least_rows=3)}
    found = {
        canonical([cells[:3]], cells[3:])
        for cells in itertools.product(range(3), repeat=6)
        if len(set(cells[:3])) > 1 and max(cells[3:]) < 2
    }
    assert forms == found


def test_sizes_with_too_many_tables_are_left_out_and_not_called_done() -> None:
    every = EveryTable(rows=6, columns=3, values=3, sensitive=0, most=500)
    assert sum(1 for _ in every.grids(least_rows=2)) > 50
    assert (6, 3) not in every.done
    assert (4, 2) in every.done
