"""What `sifting` proves on a real table under l-diversity and t-closeness: `python -m benchmarks.census_principles`.

The sensitive column is the occupation, the quasi-identifying ones are the other seven of the UCI Adult table's eight. Prints, for each
principle, the cost, the bound and where it is from, the gap, seconds, memory, and how long the bound takes to be checked again from the
multipliers alone. Exits with 1 if a check fails. `--sample ROWS --seed S` takes random rows.
"""

from __future__ import annotations

import sys

import anoptima as ao
from anoptima.principles import Principle
from benchmarks.census import sampled
from benchmarks.sifted import parser_of, report

SENSITIVE = "occupation"


def principles(values: list[str]) -> dict[str, Principle]:
    """Return the principles by a short name; the order of the values is that of their names."""
    order = ao.Ordered(sorted(values))
    return {
        "l2": ao.LDiversity(2),
        "l3": ao.LDiversity(3),
        "distinct2": ao.LDiversity(2, version="distinct"),
        "distinct3": ao.LDiversity(3, version="distinct"),
        "l2k5": ao.LDiversity(2) & ao.KAnonymity(5),
        "t1": ao.TCloseness("0.1"),
        "t2": ao.TCloseness("0.2"),
        "t3": ao.TCloseness("0.3"),
        "ordered1": ao.TCloseness("0.1", space=order),
        "ordered2": ao.TCloseness("0.2", space=order),
    }


def main() -> int:
    """Print the table; return 1 if a check fails."""
    parser = parser_of(__doc__)
    parser.add_argument("cases", nargs="*", help="short names of the principles; all unless given")
    parser.add_argument("--sample", type=int, metavar="ROWS")
    options = parser.parse_args()
    table = sampled(ao.census("seven", SENSITIVE), options.sample, options.seed)
    known = principles(list(table.sensitive_column(SENSITIVE).values))
    cases = (([name], ao.CellSuppression(table, known[name])) for name in options.cases or known)
    return report(["principle"], cases, options)


if __name__ == "__main__":
    sys.exit(main())
