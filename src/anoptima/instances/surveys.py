"""Three surveys in the public domain, with their quasi-identifying and sensitive columns; `data/README.md` has their terms."""

from __future__ import annotations

import functools
import gzip
from collections.abc import Mapping
from importlib import resources

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.packages import pd
from anoptima.table import Table

SURVEYS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "fair": (("age", "yrs_married", "children", "religious", "educ", "occupation"), "rate_marriage"),
    "anes96": (("PID", "age", "educ", "income", "vote"), "TVnews"),
    "randhie": (("lncoins", "idp", "physlm", "disea", "hlthg", "hlthf", "hlthp"), "mdvis"),
}
"""The quasi-identifying columns and the sensitive one of each survey."""


@checked
def survey(name: str) -> Table:
    """Return a survey: "fair", "anes96" or "randhie".

    >>> survey("anes96")
    Table(944 rows, 922 row types, quasi PID, age, educ, income, vote, sensitive TVnews)
    """
    if name not in SURVEYS:
        raise BadInput(f"there is no survey {name!r}; there are {', '.join(SURVEYS)}")
    return _read(name)


@functools.cache
def _read(name: str) -> Table:
    quasi, sensitive = SURVEYS[name]
    with (
        (resources.files(__package__) / "data" / f"{name}.csv.gz").open("rb") as packed,
        gzip.open(packed, "rt") as file,
    ):
        return Table.from_frame(pd.read_csv(file, quotechar="'"), list(quasi), sensitive)
