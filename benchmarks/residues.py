"""Residues under l-diversity at the size of the census: `python -m benchmarks.residues`.

The 30,162 rows of `ao.census()` with one of the columns sensitive, and all others, three or two of them quasi-identifying: the bound, by
how much the residue of the three phases may be larger than a least one and the theorem's l - 1 / l, the cost after it is split, and seconds
of CPU. Exits with 1 if a factor is above its theorem's or a release is none.
"""

from __future__ import annotations

import argparse
import sys
import time
from fractions import Fraction

import anoptima as ao
from anoptima.exact import exact_text
from anoptima.solvers.approximate.classes import weight_ratio
from benchmarks.measure import print_table

SENSITIVE = ("occupation", "education", "marital-status")
QUASI = (("sex", "age", "race"), ("sex", "race"))


def main() -> int:
    """Print the table; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-l", type=int, nargs="*", default=[2, 3, 5, 7], dest="diversities", help="values of l")
    options = parser.parse_args()
    solver, rows, wrong = ao.get_solver("residue"), [], 0
    for column in SENSITIVE:
        for quasi in (tuple(name for name in ao.census().quasi if name != column), *QUASI):
            table = ao.Table.from_frame(ao.census().frame, quasi, column)
            for diversity in options.diversities:
                problem = ao.CellSuppression(table, ao.LDiversity(diversity))
                if problem.why_infeasible() is not None:
                    continue
                began = time.process_time()
                answer = ao.solve(problem, solver, start=None)
                seconds = time.process_time() - began
                ratio, bound = solver.ratio(problem), answer.bound
                assert ratio is not None
                assert bound is not None
                assert answer.cost is not None
                factor = Fraction(ratio) / weight_ratio(table)
                most = max(Fraction(1), diversity - Fraction(1, diversity))
                wrong += factor > most or not answer.verify() or answer.cost > ratio * bound.value
                rows.append(
                    [
                        column,
                        f"{len(quasi)}",
                        f"{len(table.types):,}",
                        f"{diversity}",
                        exact_text(bound.value),
                        f"{float(factor):.4f} of {float(most):.4f}",
                        exact_text(answer.cost),
                        f"{seconds:.2f}",
                    ]
                )
    print_table(["sensitive", "columns", "row types", "l", "bound", "factor", "cost", "seconds"], rows)
    print(f"{len(rows)} problems of {ao.census().rows:,} rows; {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
