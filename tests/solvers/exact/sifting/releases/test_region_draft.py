from __future__ import annotations

import numpy as np

from anoptima.solvers.exact.sifting.releases.region_draft import Draft, Held


def test_entries_of_one_place_are_added_and_starts_fill_what_they_know() -> None:
    nobody = np.zeros(0, dtype=np.int64)
    held = Held(nobody, nobody, nobody, 2)
    draft = Draft(np.array([0, 1]), np.array([0, 0]), np.array([3.0, 3.0]), np.array([1.0, 2.0]), held, whole=False)
    more = draft.add_columns(1, lower=np.array([0.5]), upper=1.0, whole=True)
    zero = np.zeros(1, dtype=np.int64)
    draft.add_rows(1, [(zero, draft.x[:1], 1.0), (zero, more, np.array([2.0])), (zero, more, 1.0)], lower=1.0)
    draft.add_rows(1, [(np.zeros(2, dtype=np.int64), draft.x, 1.0)], lower=3.0, upper=np.array([3.0]))
    draft.on_start(lambda x, values: values.__setitem__(more, x.sum()))
    form = draft.form()
    assert form.row_start.tolist() == [0, 2, 4]
    assert form.column.tolist() == [0, 2, 0, 1]
    assert form.coefficient.tolist() == [1.0, 3.0, 1.0, 1.0]
    assert form.integer.tolist() == [False, False, True]
    assert form.lower.tolist() == [0.0, 0.0, 0.5]
    assert draft.values(np.array([1.0, 2.0])).tolist() == [1.0, 2.0, 3.0]


def test_what_patterns_hold_is_counted_by_value() -> None:
    held = Held(np.array([0, 0, 1]), np.array([2, 0, 2]), np.array([4, 1, 2]), 3)
    assert held.size.tolist() == [5, 2, 0]
    assert held.by_value(np.array([1, 0, 0]), 2).tolist() == [[4, 1], [2, 0], [0, 0]]
