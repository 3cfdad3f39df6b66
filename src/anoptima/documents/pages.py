"""A release and its proof as one HTML page, which checks itself in any browser, without a network.

The page is `proofs/check.html`, with the files in it. Its policy lets its own script run and nothing else, so what is put into it is data.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import anoptima.proofs
from anoptima.answer import Answer
from anoptima.arguments import checked
from anoptima.documents.proofs import proof_document, proof_text
from anoptima.documents.writing import atomic, require_room
from anoptima.errors import NotApplicable
from anoptima.problems.released import released_stars
from anoptima.problems.table_problem import TableProblem
from anoptima.proofs.statements import SCHEMA, table_of, text_of
from anoptima.table import STAR, Table

_CARRIED = re.compile(r'(?<=<script type="text/plain" id="carried">)(?=</script>)')


@checked
def save_page(answer: Answer[Any], path: str | os.PathLike[str], table: bool = True) -> None:
    """Write a page that holds an answer's release and proof, checks them when it is opened, and shows the proof row by row.

    Whoever opens it needs a browser, and nothing else. Raises `NotApplicable` where the answer has no proof that the page can check.

    Parameters
    ----------
    table
        Whether the page holds the original table, too. It then checks itself, and must be kept as safe as the table: a release is
        published, the table is not. Without it the page asks for the table, and holds nothing that is not in the release and the proof.

    Examples
    --------
    >>> import tempfile
    >>> import anoptima as ao
    >>> answer = ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), "sifting")
    >>> path = Path(tempfile.mkdtemp()) / "release.html"
    >>> ao.save_page(answer, path)
    >>> path.read_text().startswith("<!doctype html>")
    True
    """
    problem, document = answer.problem, proof_document(answer)
    stars = None
    if isinstance(problem, TableProblem) and answer.solution is not None:
        stars = released_stars(problem.table, answer.release)
    write_page(Path(path), problem, document, stars, table=table)


def write_page(
    path: Path, problem: Any, document: Mapping[str, Any], stars: NDArray[np.bool_] | None, *, table: bool = True
) -> None:
    """Write the page of a proof's document and, where `stars` are given, of the release that has them."""
    if document["schema"] != SCHEMA:
        raise NotApplicable(f"a page checks proofs in {SCHEMA}, and this one is in {document['schema']}")
    own = table_of(problem, document["table"]["quasi"])
    require_room(path, "page")
    carried = {"proof": proof_text(document)}
    if table:
        carried["table"] = table_text(own)
    if stars is not None:
        carried["release"] = table_text(own, stars)
    with atomic(path) as stream:
        stream.write(page_text(carried).encode())


def page_text(carried: Mapping[str, str]) -> str:
    """Return the page that holds these files, `table`, `proof` and perhaps `release`, as texts.

    >>> page_text({"proof": "</script>"}).count("</script>") == page_text({}).count("</script>")
    True
    """
    page = Path(anoptima.proofs.__file__).with_name("check.html").read_text(encoding="utf-8")
    # As JSON without "<", so that nothing in the files ends the script that holds them.
    held = json.dumps(dict(carried), ensure_ascii=True).replace("<", "\\u003c")
    page, times = _CARRIED.subn(lambda _: held, page)
    assert times == 1
    return page


def table_text(table: Table, stars: NDArray[np.bool_] | None = None) -> str:
    """Return a table, or its release with these stars, as a CSV file of the texts that proofs are about; every field in quotes.

    >>> from anoptima import ten_rows
    >>> table_text(ten_rows()).splitlines()[1]
    '"9","8","7","6","5","3","8","Bachelor","viral"'
    """
    columns = [*table.quasi_columns, *(table.sensitive_column(name) for name in table.sensitive)]
    texts = [
        [[text_of(value) for value in column.values][code] for code in column.codes.tolist()] for column in columns
    ]
    if stars is not None:
        for own, starred in zip(texts, stars.T.tolist(), strict=False):
            own[:] = [STAR if star else text for text, star in zip(own, starred, strict=True)]
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow([column.name for column in columns])
    writer.writerows(zip(*texts, strict=True))
    return stream.getvalue()
