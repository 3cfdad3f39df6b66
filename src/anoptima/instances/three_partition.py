"""Tables that hide a 3-partition: t-closeness is strongly NP-hard with one quasi-identifying column, at equal distance and t = 1/2.

3-Partition asks whether 3m numbers b_1, ..., b_3m >= 0 of sum m B go into m triples of sum B each; it is NP-complete even with numbers
in unary (Garey and Johnson 1975). In a table of one column a release costs as much as its starred rows are many, and those are a residue
(`anoptima.solvers.approximate.residue`). So finding a least residue, which is within a factor of the number of columns in any table, is
as hard: unless P = NP, no algorithm does so in polynomial time under t-closeness for any number of sensitive values. For few values, and
for t = 0, `counted-residue` does.

*The table.* With S = m B, nu = max(4 (S + 3 m^2), (m + 1) (max b + m)), N_i = 3 (b_i + m) and theta = 3 (B + 3 m), it has n = 12 nu rows.
The sensitive values are e_1, ..., e_3m with N_i rows each, w with 6 nu - theta, u with 3 nu, and g with 3 nu + theta - sum N_i. Its
classes of equal rows are

- m slots: one row of each e_i and three of w;
- the ground G: G_i = 2 (b_i + m) - 1 rows of each e_i, all rows of g, and rows of w, so that it has 8 nu - 6 m rows in all;
- for u, for w and for each e_i a class of all rows that are left of it: b_i + 1 of e_i, nu - S - 3 m^2 of w.

*Theorem*. Its optimum under 1/2-closeness is 4 nu if the numbers have a 3-partition, and more otherwise.

*Proof*. s rows, a_v of value v, are close if sum_v min(a_v / s, N_v / n) >= 1/2.

1. Rows of one value v are not, since N_v < n / 2. So the last classes are starred. The ground is close: its sum falls short of 1 by 1/4 for
   u, and by 1 / |G| at most for each e_i, since |G| < 2 n / 3 and 2 N_i / 3 = G_i + 1; it has its share of w and g, and |G| >= 12 m.
2. At most six rows of a slot stay. Seven or more, with y <= 3 of w, have four e_i or more and y / s <= 3/7, and all e_i add less than 1/14,
   as n > 14 sum N_i. Six rows with y <= 2 have y / s <= 1/3. Six with y = 3 are close exactly if sum N_i >= theta over their three e_i,
   that is, sum b_i >= B, since 1/6 >= N_i / n (n >= (3 m + 3) N_i) and 3/6 >= N_w / n.
3. So 8 nu rows at most stay, and 4 nu at least are starred; exactly 4 nu if all of the ground stays, and a triple of sum >= B of each
   slot. Let D be what stays then, d = 8 nu = 2 n / 3 rows, and R the rest. R is close if
   sum_v (R_v - N_v |R| / n)^+ <= |R| / 2 = 2 nu, and

       sum_v (R_v - N_v |R| / n)^+ = sum_v (N_v d / n - D_v)^+ = 2 nu + sum_i (1 - number of slots in which e_i stays)^+ :

   u gives 2 nu, as none of it is in D; w and g give nothing; e_i gives 2 N_i / 3 - G_i = 1 less the slots in which it stays, if that is
   positive. So R is close exactly if every e_i stays in a slot. There are 3m places, so each stays in one: a partition into triples of
   sum >= B, hence = B. Conversely, let the triples of a 3-partition stay in the slots. n is polynomial in m and S, the numbers in unary.

`python -m benchmarks.hidden_triples` holds the theorem against a program on all small lists of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anoptima.errors import BadInput
from anoptima.packages import pd
from anoptima.principles import TCloseness
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.table import Table


@dataclass(frozen=True)
class HiddenTriples:
    """A problem, and the cost that its optimum has exactly if the numbers have a 3-partition; otherwise it is dearer."""

    problem: CellSuppression
    threshold: int


def hidden_triples(numbers: Sequence[int]) -> HiddenTriples:
    """Return the table of the theorem for 3m numbers from 0 up, whose sum m divides. O(n).

    >>> hidden_triples([0, 1, 1]).problem.table.rows, hidden_triples([0, 1, 1]).threshold
    (240, 80)
    >>> hidden_triples([0, 1, 1, 2])
    Traceback (most recent call last):
        ...
    anoptima.errors.BadInput: there are 4 numbers, and triples need a multiple of three
    """
    m, rest = divmod(len(numbers), 3)
    if rest or not m:
        raise BadInput(f"there are {len(numbers)} numbers, and triples need a multiple of three")
    if min(numbers) < 0 or sum(numbers) % m:
        raise BadInput(f"the numbers {list(numbers)} must be 0 or more, and their sum a multiple of {m}")
    total = sum(numbers)
    nu = max(4 * (total + 3 * m * m), (m + 1) * (max(numbers) + m))
    theta = 3 * (total // m + 3 * m)
    elements = [f"e{i}" for i in range(1, 3 * m + 1)]
    ground = {name: 2 * (b + m) - 1 for name, b in zip(elements, numbers, strict=True)}
    ground["g"] = 3 * nu + theta - sum(3 * (b + m) for b in numbers)
    ground["w"] = 8 * nu - 6 * m - sum(ground.values())
    classes = {f"slot {c}": {**dict.fromkeys(elements, 1), "w": 3} for c in range(1, m + 1)}
    classes["ground"] = ground
    classes["only u"] = {"u": 3 * nu}
    classes["only w"] = {"w": 6 * nu - theta - 3 * m - ground["w"]}
    classes |= {f"only {name}": {name: b + 1} for name, b in zip(elements, numbers, strict=True)}
    rows = [(own, value) for own, held in classes.items() for value, count in held.items() for _ in range(count)]
    table = Table.from_frame(pd.DataFrame(rows, columns=["class", "value"]), ["class"], "value")
    return HiddenTriples(CellSuppression(table, TCloseness("1/2")), 4 * nu)
