from __future__ import annotations

import numpy as np
import pytest

from anoptima.solvers.exact.sifting.tree.pseudo_costs import OPEN, SHUT, PseudoCosts


def test_a_pattern_is_expected_to_gain_what_it_has_gained_before_by_how_far_it_moves() -> None:
    costs, y = PseudoCosts(3), np.array([0.25, 0.5, 0.5])
    costs.note(0, is_open=True, gain=3.0, fraction=0.25)
    assert not costs.knows(0)
    costs.note(0, is_open=False, gain=1.0, fraction=0.25)
    costs.note(0, is_open=False, gain=np.inf, fraction=0.25)
    costs.note(0, is_open=True, gain=9.0, fraction=1.0)
    assert costs.knows(0)
    assert not costs.knows(1)
    gains = costs.gains(np.array([0, 1]), y)
    assert gains[OPEN].tolist() == pytest.approx([3.0, 2.0], rel=1e-5)
    assert gains[SHUT].tolist() == pytest.approx([1.0, 2.0], rel=1e-5)
    assert costs.worthwhile(np.array([0, 1]), y, 100.0).tolist() == pytest.approx([3.0, 4.0], rel=1e-5)
    assert costs.worthwhile(np.array([0, 1]), y, 1.5).tolist() == pytest.approx([1.5, 2.25], rel=1e-5)
