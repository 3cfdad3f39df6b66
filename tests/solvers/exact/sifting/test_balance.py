from __future__ import annotations

from anoptima.solvers.exact.sifting.balance import Balance


def test_a_long_turn_without_a_gain_makes_earlier_gains_forgotten() -> None:
    balance = Balance()
    balance.bound(3.0, 10.0)
    balance.release(10.0, 2.0)
    balance.release(0.0, 1.0)
    assert not balance.is_bound_next()
    balance.release(0.0, 7.0)
    assert balance.is_bound_next()


def test_a_side_that_gains_nothing_has_its_share_all_the_same() -> None:
    balance, spent = Balance(), [0, 0]
    for _ in range(1000):
        if balance.is_bound_next():
            balance.bound(0.0, 1.0)
            spent[0] += 1
        else:
            balance.release(1.0, 1.0)
            spent[1] += 1
    assert 190 <= spent[0] <= 210
