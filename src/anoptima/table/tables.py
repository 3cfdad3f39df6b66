"""Tables, and the records in them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import anoptima.html as html
from anoptima.arguments import checked
from anoptima.documents.csv_texts import UTF_8, guess_separator, read_header, read_texts
from anoptima.documents.parquet import read_parquet
from anoptima.documents.reading import Source
from anoptima.errors import BadInput
from anoptima.exact import Exact, Number, common_denominator
from anoptima.naming import listed
from anoptima.packages import pd
from anoptima.table.columns import (
    Codes,
    Column,
    Counts,
    Missing,
    coded,
    fold_codes,
    missing_alike,
    missing_last,
    plain_value,
    sealed,
    starred,
)
from anoptima.table.groups import Groups, Records, numbered
from anoptima.table.roles import Roles, too_heavy


@checked
class Table:
    """Rows with quasi-identifying columns, perhaps sensitive ones, and exact weights for a star in each column.

    Make one by `Table.from_frame`, `Table.read_csv` or `Table.read_parquet`. It is immutable.

    Attributes
    ----------
    quasi, sensitive, keep : tuple of str
        Names of the quasi-identifying columns, of the sensitive ones, and of those released unchanged.
    weights : tuple of int or Fraction
        The cost of a star in each quasi-identifying column; by default 1.
    file : str
        The name of the file that it was read from; empty if it was none.

    Examples
    --------
    >>> frame = pd.DataFrame({"zip": ["4711", "4711", "4712"], "age": [33, 33, 35], "disease": ["flu", "gout", "flu"]})
    >>> Table.from_frame(frame, quasi=["zip", "age"], sensitive="disease", weights={"zip": 3})
    Table(3 rows, 2 row types, quasi zip, age, sensitive disease)
    """

    def __init__(
        self,
        frame: pd.DataFrame,
        quasi: tuple[Column, ...],
        sensitive: tuple[Column, ...],
        keep: tuple[str, ...],
        weights: tuple[Exact, ...],
        file: str = "",
    ) -> None:
        self._frame = frame
        self.file = file
        self.keep = keep
        self.weights = weights
        self._quasi = quasi
        self._sensitive = {column.name: column for column in sensitive}

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        quasi: Sequence[str],
        sensitive: str | Sequence[str] | None = (),
        *,
        keep: Sequence[str] = (),
        weights: Mapping[str, Number] | None = None,
        missing: Missing = "value",
    ) -> Table:
        """Make a table from a DataFrame.

        Parameters
        ----------
        frame
            The data. Columns named neither in `quasi`, `sensitive` nor `keep` do not appear in a release: a name that nobody
            thought of is not published by accident.
        quasi, sensitive, keep
            Column names.
        weights
            Cost of one star per quasi-identifying column, exact: 2, 0.5, '1/3'.
        missing
            'value': a missing value is a value like any other. 'refuse': refuse the table if one is there.

        Examples
        --------
        >>> table = Table.from_frame(pd.DataFrame({"zip": [1, 1, 2], "age": [30, 30, 40]}), quasi=["zip", "age"])
        >>> table.rows, len(table.types), table.multiplicity.tolist()
        (3, 2, [2, 1])
        """
        return cls._make(frame, Roles.of(quasi, sensitive, keep, weights), missing, ())

    @classmethod
    def read_csv(
        cls,
        path: Source,
        quasi: Sequence[str],
        sensitive: str | Sequence[str] | None = (),
        *,
        keep: Sequence[str] = (),
        weights: Mapping[str, Number] | None = None,
        missing: Missing = "value",
        missing_marks: Sequence[str] = ("",),
        separator: str | None = None,
        encoding: str = UTF_8,
    ) -> Table:
        """Read a table from a CSV file (also .gz, .bz2, .xz, .zip) with a header line.

        A `separator` of None stands for a comma, or for the semicolon, tab or bar that alone splits the header.

        Every cell is read as text, so '02139' stays '02139' and a release repeats the file letter by letter
        except for its stars. `missing_marks` are the texts that count as missing when `missing="refuse"`.
        """
        if separator is None:
            separator = guess_separator(path, encoding)
        roles = Roles.of(quasi, sensitive, keep, weights)
        roles.require(read_header(path, separator, encoding), str(path))
        return cls._make(read_texts(path, separator, roles.used, encoding), roles, missing, missing_marks, str(path))

    @classmethod
    def read_parquet(
        cls,
        path: str | os.PathLike[str],
        quasi: Sequence[str],
        sensitive: str | Sequence[str] | None = (),
        *,
        keep: Sequence[str] = (),
        weights: Mapping[str, Number] | None = None,
        missing: Missing = "value",
    ) -> Table:
        """Read a table from a Parquet file, with the types that the file declares; a named index is a column. Needs `anoptima[parquet]`."""
        return cls._make(read_parquet(path), Roles.of(quasi, sensitive, keep, weights), missing, (), str(path))

    @classmethod
    def _make(cls, frame: pd.DataFrame, roles: Roles, missing: Missing, marks: Sequence[str], file: str = "") -> Table:
        where = file or "the table"
        names = list(frame.columns)
        for name in names:
            if not isinstance(name, str):
                raise BadInput(
                    f"{where} has a column named {name!r}; names must be text: "
                    "frame.columns = [*map(str, frame.columns)] makes them so"
                )
        if missing not in ("value", "refuse"):
            raise BadInput(f"missing is {missing!r}; it must be 'value' or 'refuse'")
        roles.require(names, where)
        if not len(frame):
            raise BadInput(f"{where} has no rows")
        # By their places: to look names up takes pandas up to a third of the time that a small table takes in all.
        shown = frame.take([place for place, name in enumerate(names) if name in roles.used], axis=1)
        # Notes that pandas keeps beside a frame would be released with it, and nobody sees them.
        shown.attrs = {}
        # Kept columns, too, hold values that whoever verifies a release can compare.
        columns = {
            name: coded(shown[name], how, marks, where, is_sensitive=name not in roles.quasi)
            for members, how in ((roles.quasi, missing), (roles.sensitive, missing), (roles.keep, "value"))
            for name in members
        }
        return cls(
            shown,
            tuple(columns[name] for name in roles.quasi),
            tuple(columns[name] for name in roles.sensitive),
            roles.keep,
            roles.costs(),
            file,
        )

    def restricted(self, quasi: Sequence[str], weights: Sequence[Exact] | None = None) -> Table:
        """Return the same rows with some of the quasi-identifying columns alone, beside the sensitive ones, at other weights if given.

        >>> table = Table.from_frame(pd.DataFrame({"a": [1, 1], "b": [1, 2], "c": [3, 4]}), ["a", "b"], "c", weights={"b": 2})
        >>> part = table.restricted(["b"])
        >>> part.quasi, part.sensitive, part.weights, len(part.types)
        (('b',), ('c',), (2,), 2)
        """
        chosen = [self.position(name) for name in quasi]
        return Table(
            self._frame[[name for name in self._frame.columns if name in {*quasi, *self._sensitive}]],
            tuple(self._quasi[j] for j in chosen),
            tuple(self._sensitive.values()),
            (),
            tuple(self.weights[j] for j in chosen) if weights is None else tuple(weights),
            self.file,
        )

    @property
    def quasi(self) -> tuple[str, ...]:
        """The names of the quasi-identifying columns."""
        return tuple(column.name for column in self._quasi)

    @property
    def quasi_columns(self) -> tuple[Column, ...]:
        """The quasi-identifying columns, coded."""
        return self._quasi

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The names of the sensitive columns."""
        return tuple(self._sensitive)

    def sensitive_column(self, name: str) -> Column:
        """Return a sensitive column, coded."""
        if name not in self._sensitive:
            raise BadInput(f"{name!r} is no sensitive column; those are {', '.join(self._sensitive) or 'none'}")
        return self._sensitive[name]

    @property
    def frame(self) -> pd.DataFrame:
        """The columns that a release shows, in the input's order. The frame is the asker's own: changing it does not change the table."""
        return self._frame.copy(deep=False)

    @property
    def rows(self) -> int:
        """The number of rows, n."""
        return len(self._frame)

    @property
    def cells(self) -> int:
        """The number of quasi-identifying cells, n * m."""
        return self.rows * len(self._quasi)

    @cached_property
    def weight_scale(self) -> int:
        """The least integer that makes every weight whole."""
        return common_denominator(self.weights)

    @cached_property
    def scaled_weights(self) -> Counts:
        """The weights times `weight_scale`."""
        self.require_room()
        return np.array([int(weight * self.weight_scale) for weight in self.weights], dtype=np.int64)

    def require_room(self) -> None:
        """Refuse weights whose sums do not fit into 62 bits."""
        if sum(self.weights) * self.weight_scale * self.rows >= 2**62:
            raise BadInput(too_heavy(dict(zip(self.quasi, self.weights, strict=True)), self.rows))

    @cached_property
    def _typed(self) -> tuple[Codes, Counts, Counts]:
        key = self.fold(range(len(self._quasi)))
        _, first, inverse, counts = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        types = np.column_stack([column.codes[first] for column in self._quasi])
        # Loops are compiled for counts that may be written into, as most arrays are.
        return sealed(types), counts.astype(np.int64), sealed(inverse.astype(np.int64).reshape(-1))

    @property
    def types(self) -> Codes:
        """The distinct quasi-identifier vectors as codes, one a row, in lexicographic order of their codes."""
        return self._typed[0]

    @cached_property
    def types_by_column(self) -> Codes:
        """The row types again, one column after the other: columns x row types."""
        return sealed(np.ascontiguousarray(self.types.T))

    @property
    def multiplicity(self) -> Counts:
        """How many rows have each row type."""
        return self._typed[1]

    @property
    def type_of_row(self) -> Counts:
        """The row type of each row."""
        return self._typed[2]

    @cached_property
    def records(self) -> Records:
        """The distinct records, quasi-identifying and sensitive values together."""
        key = self.type_of_row
        for column in self._sensitive.values():
            key = fold_codes(key, column.codes, len(column.values))
        _, first, inverse, counts = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        codes = [column.codes[first] for column in self._sensitive.values()]
        sensitive = np.column_stack(codes) if codes else np.zeros((len(first), 0), dtype=np.int32)
        return Records(
            self.type_of_row[first], sensitive, counts.astype(np.int64), inverse.astype(np.int64).reshape(-1)
        )

    def fold(self, columns: Iterable[int]) -> Counts:
        """Return one integer a row, equal for two rows exactly when they agree on these quasi-identifying columns.

        The order of the integers is the lexicographic order of the codes. O(rows), and a sort where the integers would overflow.
        """
        key = np.zeros(self.rows, dtype=np.int64)
        for j in columns:
            if not 0 <= j < len(self._quasi):
                raise BadInput(f"there is no column {j}; it must be a number from 0 to {len(self._quasi) - 1}")
            key = fold_codes(key, self._quasi[j].codes, len(self._quasi[j].values))
        return key

    def classes(self, columns: Iterable[str] | None = None) -> Counts:
        """Number the classes of rows that agree on `columns` (all quasi-identifying ones unless given); one number a row.

        >>> frame = pd.DataFrame({"zip": [1, 2, 1], "age": [30, 30, 40]})
        >>> Table.from_frame(frame, quasi=["zip", "age"]).classes(["zip"]).tolist()
        [0, 1, 0]
        """
        chosen = range(len(self._quasi)) if columns is None else [self.position(name) for name in columns]
        labels: Counts = np.unique(self.fold(chosen), return_inverse=True)[1].reshape(-1)
        return labels

    def position(self, name: str) -> int:
        """Return the place of a quasi-identifying column."""
        if name not in self.quasi:
            raise BadInput(f"{name!r} is no quasi-identifying column; those are {', '.join(map(listed, self.quasi))}")
        return self.quasi.index(name)

    def groups(self, labels: NDArray[Any], chosen: NDArray[Any] | None = None) -> Groups:
        """Count the groups given by one label a row (0, 1, ..., all in use), or one for each of the `chosen` rows."""
        label = numbered(labels, chosen, self.rows, "row")
        codes = {
            name: column.codes if chosen is None else column.codes[chosen] for name, column in self._sensitive.items()
        }
        sizes, ones = np.bincount(label).astype(np.int64), np.ones(len(label), dtype=np.int64)
        return Groups(sizes, self._sensitive, label, ones, codes)

    def groups_of_records(self, labels: NDArray[Any], chosen: NDArray[Any] | None = None) -> Groups:
        """Count the groups given by one label a record type, or one for each of the `chosen` record types."""
        records = self.records
        label = numbered(labels, chosen, len(records.multiplicity), "record type")
        sensitive = records.sensitive if chosen is None else records.sensitive[chosen]
        multiplicity = records.multiplicity if chosen is None else records.multiplicity[chosen]
        codes = {name: sensitive[:, c] for c, name in enumerate(self._sensitive)}
        sizes = np.rint(np.bincount(label, weights=multiplicity)).astype(np.int64)
        return Groups(sizes, self._sensitive, label, multiplicity, codes)

    @cached_property
    def whole(self) -> Groups:
        """The table as one group."""
        return self.groups(np.zeros(self.rows, dtype=np.int64))

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of names, roles, weights and values in row order: which table an answer or a proof is for."""
        sha = hashlib.sha256()
        for role, columns in (("quasi", self._quasi), ("sensitive", tuple(self._sensitive.values()))):
            for column in columns:
                its = missing_last(column)
                sha.update(repr((role, column.name, [plain_value(value) for value in its.values])).encode())
                sha.update(its.codes.astype("<i4").tobytes())
        sha.update(repr([str(weight) for weight in self.weights]).encode())
        return sha.hexdigest()

    def release(self, stars: NDArray[np.bool_]) -> pd.DataFrame:
        """Return the table with `*` where `stars` (rows x quasi-identifying columns) is true.

        Rows, index and column order are the input's. A column without a star keeps its dtype; one with a star keeps it if it can
        hold a text (text columns, categories grow by `*`), and becomes `object` otherwise.
        """
        if stars.shape != (self.rows, len(self._quasi)) or stars.dtype != np.bool_:
            raise BadInput(
                f"stars has the shape {stars.shape} and the type {stars.dtype}; it must hold True or False for each of "
                f"{self.rows} x {len(self._quasi)} cells"
            )
        frame = self._frame.copy()
        for j, name in enumerate(self.quasi):
            frame[name] = missing_alike(frame[name])
            if stars[:, j].any():
                frame[name] = starred(frame[name], stars[:, j])
        return frame

    def star_in_data(self) -> str | None:
        """Say where a quasi-identifying cell already holds `*`, which a release could not tell from a star; None if nowhere."""
        for column in self._quasi:
            if column.row_of_star:
                where = f"{self.file}, row {column.row_of_star}" if self.file else f"row {column.row_of_star}"
                return f"{where}, column {column.name!r} already holds '*', which is how a suppressed cell is written"
        return None

    def _repr_html_(self) -> str:
        roles = {**dict.fromkeys(self.quasi, "quasi"), **dict.fromkeys(self.sensitive, "sensitive")}
        head = [f"{html.text(name)}<br><small>{roles.get(name, 'kept')}</small>" for name in self._frame.columns]
        return html.lines(f"{self.rows:,} rows, {len(self.types):,} row types") + html.grid(
            head, *html.cells(self._frame)
        )

    def __repr__(self) -> str:
        sensitive = f", sensitive {', '.join(self.sensitive)}" if self.sensitive else ""
        return f"Table({self.rows:,} rows, {len(self.types):,} row types, quasi {', '.join(map(listed, self.quasi))}{sensitive})"
