"""The tables printed in the papers."""

from __future__ import annotations

from anoptima.arguments import checked
from anoptima.packages import pd
from anoptima.table import Table

_LIANG_YUAN = """
98765 38 Bachelor  viral
98654 39 Doctorate heart
98543 32 Master    heart
97654 65 Bachelor  cancer
96689 45 Bachelor  viral
97427 33 Bachelor  viral
96552 54 Bachelor  heart
97017 69 Doctorate cancer
97023 55 Master    cancer
97009 62 Bachelor  cancer
"""


@checked
def ten_rows() -> Table:
    """Return Table 1 of Liang and Yuan (2013): ten patients, eight quasi-identifying columns, a disease.

    Each digit of zip code and age is a column of its own, so that a star hides a digit.

    >>> ten_rows()
    Table(10 rows, 10 row types, quasi zip1, zip2, zip3, zip4, zip5, age1, age2, education, sensitive disease)
    """
    rows = [line.split() for line in _LIANG_YUAN.strip().splitlines()]
    quasi = [*(f"zip{i}" for i in range(1, 6)), "age1", "age2", "education"]
    frame = pd.DataFrame(
        [[*zip_code, *age, education, disease] for zip_code, age, education, disease in rows],
        columns=[*quasi, "disease"],
    )
    return Table.from_frame(frame, quasi=quasi, sensitive="disease")
