"""Links: three ways to say that a place takes amounts x_a only if it is open, z_p = 1.

    each         x_a <= u_a z_p                              for each amount a of p, with its own limit u_a
    aggregated   sum_a x_a <= (sum_a u_a) z_p                one row for each place p, the sum of the former
    big-M        x_a <= M z_p                                for each amount, with one M for all: the sum over all that is dealt out

They have the same solutions where z is whole. Relaxed, they force z_p up to the largest share x_a / u_a, to the mean share, and to the
largest x_a / M. Where p must take L or more if it is open, sum_a x_a >= L z_p, the last two force nothing that the relaxation would not do
anyway, unless the limits of p add up to less than L, or M does: whatever is dealt out goes to its cheapest place. Only `each` is worth
its rows.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

from anoptima.models.languages import pyo, weighted_sum


class Links(enum.Enum):
    """The three sorts."""

    EACH = "each"
    AGGREGATED = "aggregated"
    BIG_M = "big-M"

    def size(self, amounts: int, places: int) -> tuple[int, int]:
        """Return the number of rows and of coefficients.

        >>> Links.EACH.size(5, 2), Links.AGGREGATED.size(5, 2)
        ((5, 10), (2, 7))
        """
        return (places, amounts + places) if self is Links.AGGREGATED else (amounts, 2 * amounts)

    def write(
        self,
        program: Any,
        amounts: Sequence[Any],
        limits: Sequence[int],
        place: Sequence[int],
        z: Sequence[Any],
        total: int,
    ) -> None:
        """Declare `program.link`: amount a has the limit `limits[a]` and needs `z[place[a]]`; M is the `total`."""
        if self is Links.AGGREGATED:
            members: list[list[int]] = [[] for _ in z]
            for a, p in enumerate(place):
                members[p].append(a)
            rows = [(of_place, sum(limits[a] for a in of_place), p) for p, of_place in enumerate(members)]
        else:
            rows = [([a], limits[a] if self is Links.EACH else total, p) for a, p in enumerate(place)]

        def link(_: Any, row: int) -> Any:
            of_row, most, p = rows[row]
            return None, weighted_sum([*([1] * len(of_row)), -most], [*(amounts[a] for a in of_row), z[p]]), 0

        program.link = pyo.Constraint(range(len(rows)), rule=link)
