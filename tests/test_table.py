from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.table import Column, fold_codes
from tests.cases import Case
from tests.strategies import cases

KINDS: dict[str, pd.Series[Any]] = {
    "ints": pd.Series([1, 2, 1, 3]),
    "small ints": pd.Series([1, 2, 1, 3], dtype="int8"),
    "floats": pd.Series([0.5, np.nan, 0.1, np.nan]),
    "strings": pd.Series(["a", "", "a", "ß"]),
    "strings with None": pd.Series(["a", None, "a", None]),
    "string dtype": pd.Series(["a", None, "a", "b"], dtype="string"),
    "objects": pd.Series(["a", 1, None, Decimal("1.50")], dtype=object),
    "categories": pd.Series(["lo", "hi", None, "lo"], dtype=pd.CategoricalDtype(["lo", "mid", "hi"], ordered=True)),
    "int categories": pd.Series([3, 1, 3, 1], dtype="category"),
    "dates": pd.Series(pd.to_datetime(["2020-01-01", "NaT", "2020-01-01", "2021-05-05"])),
    "moments": pd.Series(
        pd.to_datetime(["2020-01-01 10:00", "2020-01-02"] * 2, format="mixed").tz_localize("Europe/Berlin")
    ),
    "bools": pd.Series([True, False, True, True]),
    "nullable ints": pd.Series([1, None, 1, 2], dtype="Int64"),
    "nullable bools": pd.Series([True, None, True, False], dtype="boolean"),
    "nullable floats": pd.Series([0.5, None, 0.25, 0.5], dtype="Float64"),
    "intervals": pd.Series(pd.cut([1, 5, 9, 1], [0, 4, 10])),
}


def table_of(series: pd.Series[Any]) -> ao.Table:
    frame = pd.DataFrame({"id": [7, 8, 9, 10], "x": series, "y": ["p", "q", "p", "q"]})
    frame.index = pd.Index(["d", "a", "a", "c"], name="who")
    return ao.Table.from_frame(frame, quasi=["y", "x"], keep=["id"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_without_stars_comes_back_as_it_was(kind: str) -> None:
    table = table_of(KINDS[kind])
    stars = np.array([[True, False], [False, False], [True, False], [False, False]])
    release = table.release(stars)
    assert release["y"].tolist() == ["*", "q", "*", "q"]
    pd.testing.assert_frame_equal(release[["id", "x"]], table.frame[["id", "x"]])


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_with_stars_keeps_every_other_cell_and_its_type_if_that_holds_texts(kind: str) -> None:
    table = table_of(KINDS[kind])
    release = table.release(np.array([[False, True], [False, False], [False, False], [False, True]]))
    published, original = release["x"], table.frame["x"]
    assert [published.iloc[0], published.iloc[3]] == ["*", "*"]
    for row in (1, 2):
        assert pd.isna(published.iloc[row]) == pd.isna(original.iloc[row])
        assert pd.isna(original.iloc[row]) or published.iloc[row] == original.iloc[row]
        assert type(published.astype(object).iloc[row]) is type(original.astype(object).iloc[row])
    assert release.index.equals(table.frame.index)
    if kind in ("strings", "strings with None", "string dtype"):
        assert published.dtype == original.dtype
    if "categories" in kind or kind == "intervals":
        assert [*published.cat.categories] == [*original.cat.categories, "*"]


def test_notes_beside_a_frame_are_not_released() -> None:
    frame = pd.DataFrame({"zip": ["1", "2"], "age": [3, 3]})
    frame.attrs = {"ward": ["Ann", "Bob"]}
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["zip"], keep=["age"]), ao.KAnonymity(2))
    answer = ao.solve(problem, "peel")
    assert [answer.released(how).attrs for how in ("star", "na", "mask")] == [{}] * 3
    assert frame.attrs == {"ward": ["Ann", "Bob"]}


def test_nobody_writes_into_the_codes_of_a_table() -> None:
    frame = pd.DataFrame({"zip": ["1", "2"], "age": [3, 3], "ill": ["x", "y"]})
    table = ao.Table.from_frame(frame, ["zip", "age"], "ill")
    columns = (*table.quasi_columns, table.sensitive_column("ill"))
    arrays: list[Any] = [table.types, table.types_by_column, table.type_of_row, *(column.codes for column in columns)]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert frame["zip"].tolist() == ["1", "2"]


def test_releasing_changes_nothing_that_came_in() -> None:
    frame = pd.DataFrame({"x": [1, 2], "c": pd.Series(["a", "b"], dtype="category")})
    before = frame.copy(deep=True)
    table = ao.Table.from_frame(frame, ["x", "c"])
    table.release(np.ones((2, 2), dtype=bool))
    pd.testing.assert_frame_equal(frame, before)
    pd.testing.assert_frame_equal(table.frame, before)


def test_a_release_has_the_columns_with_a_role_in_the_inputs_order_and_no_other() -> None:
    frame = pd.DataFrame({"name": ["Ann", "Bob"], "ill": [1, 2], "zip": [1, 1], "id": [5, 6], "age": [3, 4]})
    table = ao.Table.from_frame(frame, quasi=["age", "zip"], sensitive="ill", keep=["id"])
    assert list(table.release(np.zeros((2, 2), dtype=bool)).columns) == ["ill", "zip", "id", "age"]


# ---- missing values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "series",
    [
        pd.Series([np.nan, 1.0, np.nan, 2.0]),
        pd.Series([None, "a", np.nan, "nan"], dtype=object),
        pd.Series([None, "a", None, ""]),
        pd.Series([pd.NaT, pd.Timestamp("2020-01-01"), pd.NaT, pd.Timestamp(0)]),
        pd.Series([None, 1, None, 0], dtype="Int64"),
        pd.Series([None, "a", None, "b"], dtype="category"),
    ],
    ids=str,
)
def test_a_missing_value_equals_a_missing_value_and_nothing_else(series: pd.Series[Any]) -> None:
    table = ao.Table.from_frame(pd.DataFrame({"x": series}), ["x"])
    assert table.type_of_row[0] == table.type_of_row[2]
    assert sorted(table.multiplicity) == [1, 1, 2]


def test_missing_values_are_refused_by_row_and_column_where_none_may_be() -> None:
    frame = pd.DataFrame({"x": [1, 2, 3], "y": ["a", None, "b"], "z": [None, None, None]})
    with pytest.raises(
        ao.BadInput, match=r"the table, row 2, column 'y': the value is missing \((None|nan)\), and none may be"
    ):
        ao.Table.from_frame(frame, ["x", "y"], missing="refuse")
    with pytest.raises(ao.BadInput, match="row 1, column 'z'"):
        ao.Table.from_frame(frame, ["x"], "z", missing="refuse")
    assert ao.Table.from_frame(frame, ["x"], keep=["z"], missing="refuse").rows == 3
    with pytest.raises(ao.BadInput, match="missing is 'drop'; it must be 'value' or 'refuse'"):
        ao.Table.from_frame(frame, ["x"], missing="drop")  # type: ignore[arg-type]


def test_in_a_csv_file_the_marks_are_missing_and_nothing_else_is(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("zip,age\n02139,NA\n02139,?\n")
    assert ao.Table.read_csv(path, ["zip", "age"], missing="refuse").rows == 2
    with pytest.raises(ao.BadInput, match=r"t\.csv, row 2, column 'age': the value is missing \('\?'\)"):
        ao.Table.read_csv(path, ["zip", "age"], missing="refuse", missing_marks=["", "?"])
    path.write_text("zip,age\n02139,\n")
    with pytest.raises(ao.BadInput, match="row 1, column 'age'"):
        ao.Table.read_csv(path, ["zip", "age"], missing="refuse")


# ---- reading ------------------------------------------------------------------------------------------------------------------


def test_a_csv_file_is_read_letter_by_letter(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("zip,note,ill\n02139,x,1.0\n2139,y,1\n")
    table = ao.Table.read_csv(tmp_path / "t.csv", ["zip"], "ill")
    assert table.frame.to_dict("list") == {"zip": ["02139", "2139"], "ill": ["1.0", "1"]}


def test_a_parquet_file_comes_back_with_its_types(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame(
        {"n": [1, 2], "d": pd.to_datetime(["2020-01-01", "NaT"]), "c": pd.Series(["a", "b"], dtype="category")}
    )
    frame.to_parquet(tmp_path / "t.parquet")
    table = ao.Table.read_parquet(tmp_path / "t.parquet", ["n", "d"], "c")
    pd.testing.assert_frame_equal(table.release(np.zeros((2, 2), dtype=bool)), frame)


@pytest.mark.parametrize("name", ["nowhere.parquet", "text.parquet"])
def test_what_is_no_parquet_file_is_refused(tmp_path: Path, name: str) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "text.parquet").write_text("a,b\n1,2\n")
    with pytest.raises(ao.BadInput, match=f"{name}(: there is no such file| is not a Parquet file that can be read)"):
        ao.Table.read_parquet(tmp_path / name, ["a"])


FRAME = pd.DataFrame({"zip": [1, 2], "age": [3, 4], "ill": ["a", "b"]})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"quasi": ["zap"]},
            "the table has no column 'zap', named as quasi-identifying; its columns are zip, age, ill",
        ),
        ({"quasi": ["zip"], "sensitive": "sick"}, "the table has no column 'sick', named as sensitive"),
        ({"quasi": ["zip"], "keep": ["name"]}, "the table has no column 'name', named as kept"),
        (
            {"quasi": ["zip", "ill"], "sensitive": "ill"},
            "column 'ill' is both quasi-identifying and sensitive; a column has one role",
        ),
        ({"quasi": ["zip"], "keep": ["zip"]}, "column 'zip' is both quasi-identifying and kept"),
        ({"quasi": ["zip", "zip"]}, "column 'zip' is named twice as quasi-identifying"),
        ({"quasi": []}, "no quasi-identifying column is named"),
        ({"quasi": "zip"}, "quasi is the text 'zip'; it must be a list of column names"),
        ({"quasi": ["zip"], "keep": "age"}, "keep is the text 'age'; it must be a list of column names"),
        (
            {"quasi": ["zip"], "weights": {"age": 2}},
            "a weight is given for 'age', which is no quasi-identifying column; those are zip",
        ),
        ({"quasi": ["zip"], "weights": {"zip": 0}}, "the weight of 'zip' is 0; it must be above 0"),
        ({"quasi": ["zip"], "weights": {"zip": "-1/3"}}, "the weight of 'zip' is -1/3; it must be above 0"),
        ({"quasi": ["zip"], "weights": {"zip": "dear"}}, "the weight of 'zip' is 'dear'; it must be a finite number"),
        (
            {"quasi": ["zip"], "weights": {"zip": float("nan")}},
            "the weight of 'zip' is nan; it must be a finite number",
        ),
    ],
)
def test_roles_and_weights_that_make_no_sense_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        ao.Table.from_frame(FRAME, **arguments)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("quasi", "message"), [([], "no quasi-identifying column"), ("zip", "quasi is the text 'zip'")]
)
def test_roles_are_refused_before_a_file_is_read(tmp_path: Path, quasi: Any, message: str) -> None:
    (tmp_path / "t.csv").write_text("zip\n1\n")
    with pytest.raises(ao.BadInput, match=message):
        ao.Table.read_csv(tmp_path / "t.csv", quasi)


def test_frames_that_are_no_tables_are_refused() -> None:
    with pytest.raises(ao.BadInput, match="the table has no rows"):
        ao.Table.from_frame(FRAME.iloc[:0], ["zip"])
    with pytest.raises(ao.BadInput, match="the table has two columns named 'zip'; names must differ"):
        ao.Table.from_frame(FRAME.rename(columns={"age": "zip"}), ["zip"])
    for odd in (FRAME.rename(columns={"age": 5}), pd.concat({"x": FRAME}, axis=1)):
        with pytest.raises(ao.BadInput, match=r"the table has a column named .*; names must be text") as caught:
            ao.Table.from_frame(odd, ["zip"])
        exec(str(caught.value).split("text: ")[1].removesuffix(" makes them so"), {"frame": odd})
        assert ao.Table.from_frame(odd, [odd.columns[0]]).rows == len(FRAME)
    with pytest.raises(
        ao.BadInput, match="column 'zip' holds values that cannot be compared for equality, such as lists"
    ):
        ao.Table.from_frame(pd.DataFrame({"zip": [[1], [2]]}), ["zip"])
    arrays = pd.DataFrame({"zip": [1, 2], "tags": [np.array([1, 2]), np.array([3])]})
    with pytest.raises(ao.BadInput, match="column 'tags' holds values that cannot be compared for equality"):
        ao.Table.from_frame(arrays, ["zip"], keep=["tags"])
    pyarrow = pytest.importorskip("pyarrow")
    lists = pd.Series([[1], [2]], dtype=pd.ArrowDtype(pyarrow.list_(pyarrow.int64())))
    with pytest.raises(ao.BadInput, match="column 'zip' holds values that cannot be compared for equality"):
        ao.Table.from_frame(pd.DataFrame({"zip": lists}), ["zip"])


# ---- codes, types, groups -----------------------------------------------------------------------------------------------------


def first_seen(labels: Any) -> list[int]:
    """Renumber labels in order of first appearance, so that two numberings of one partition are equal."""
    return [int(code) for code in pd.factorize(np.asarray(labels))[0]]


@given(cases())
def test_row_types_are_the_distinct_rows(case: Case) -> None:
    table = case.table()
    counted = Counter(case.rows)
    decoded = [
        tuple(column.values[code] for column, code in zip(table.quasi_columns, codes, strict=True))
        for codes in table.types
    ]
    assert Counter(dict(zip(decoded, table.multiplicity.tolist(), strict=True))) == counted
    assert len(decoded) == len(counted)
    assert [decoded[number] for number in table.type_of_row] == [*case.rows]
    assert sorted(map(tuple, table.types.tolist())) == [tuple(codes) for codes in table.types.tolist()]


@given(cases(), st.data())
def test_classes_are_rows_that_agree(case: Case, data: st.DataObject) -> None:
    table = case.table()
    chosen = data.draw(st.lists(st.sampled_from(range(len(table.quasi))), unique=True))
    expected = first_seen(pd.factorize(pd.Series([str([row[j] for j in chosen]) for row in case.rows]))[0])
    assert first_seen(table.classes([table.quasi[j] for j in chosen])) == expected
    assert first_seen(table.fold(chosen)) == expected


@pytest.mark.parametrize("column", [-1, 2])
def test_folding_by_a_column_that_is_not_there_is_refused(column: int) -> None:
    with pytest.raises(ao.BadInput, match=f"there is no column {column}; it must be a number from 0 to 1"):
        ao.Table.from_frame(FRAME, ["zip", "age"], "ill").fold([column])


def test_classes_of_an_unknown_column_are_refused() -> None:
    with pytest.raises(ao.BadInput, match="'ill' is no quasi-identifying column; those are zip, age"):
        ao.Table.from_frame(FRAME, ["zip", "age"], "ill").classes(["ill"])


@given(st.lists(st.tuples(*[st.integers(0, 1)] * 5), min_size=1, max_size=12))
def test_folding_survives_more_values_than_an_integer_has_room_for(rows: list[tuple[int, ...]]) -> None:
    # Each column claims 2^31 - 1 values: the third one overflows 62 bits unless the key is renumbered.
    key = np.zeros(len(rows), dtype=np.int64)
    for j in range(5):
        codes = np.array([row[j] * (2**31 - 2) for row in rows], dtype=np.int32)
        key = fold_codes(key, codes, 2**31 - 1)
    assert [[a == b for b in key] for a in key] == [[a == b for b in rows] for a in rows]
    order = np.argsort(key, kind="stable")
    assert [rows[i] for i in order] == sorted(rows)


@given(cases(), st.data())
def test_counts_of_groups_are_counts(case: Case, data: st.DataObject) -> None:
    table = case.table()
    labels = np.array(first_seen(data.draw(st.lists(st.integers(0, 3), min_size=table.rows, max_size=table.rows))))
    groups = table.groups(labels)
    members = [np.flatnonzero(labels == group) for group in range(int(labels.max()) + 1)]
    assert groups.sizes.tolist() == [len(rows) for rows in members]
    for c, name in enumerate(table.sensitive):
        values = table.sensitive_column(name).values
        counted = [Counter(case.sensitive[c][row] for row in rows) for rows in members]
        assert [dict_of(groups.counts(name, g), values) for g in range(len(members))] == counted
        blocks = np.concatenate([block for _, block in groups.blocks(name)])
        assert [dict_of(block, values) for block in blocks] == counted
        tally = groups.tally(name)
        entries = [(g, v, n) for g, v, n in zip(tally.group, tally.value, tally.count, strict=True)]
        assert entries == sorted(entries)
        assert {(int(g), values[v]): int(n) for g, v, n in entries} == {
            (g, value): n for g, counter in enumerate(counted) for value, n in counter.items()
        }


def dict_of(counts: Any, values: tuple[Any, ...]) -> Counter[Any]:
    return Counter({value: int(count) for value, count in zip(values, counts, strict=True) if count})


@given(cases())
def test_groups_of_records_count_the_same_as_groups_of_rows(case: Case) -> None:
    table = case.table()
    records = table.records
    assert records.multiplicity.sum() == table.rows
    assert (np.diff(records.type) >= 0).all()
    labels = table.classes([table.quasi[0]])
    of_record = np.empty(len(records), dtype=np.int64)
    of_record[records.of_row] = labels
    by_row, by_record = table.groups(labels), table.groups_of_records(of_record)
    assert by_row.sizes.tolist() == by_record.sizes.tolist()
    for name in table.sensitive:
        for group in range(len(by_row)):
            assert by_row.counts(name, group).tolist() == by_record.counts(name, group).tolist()


def test_dense_counts_come_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anoptima.table.groups._DENSE_CELLS", 4)
    table = ao.Table.from_frame(pd.DataFrame({"q": range(5), "s": ["a", "b", "a", "b", "b"]}), ["q"], "s")
    blocks = [*table.groups(np.arange(5)).blocks("s")]
    assert [(part.start, part.stop) for part, _ in blocks] == [(0, 2), (2, 4), (4, 5)]
    assert np.concatenate([block for _, block in blocks]).tolist() == [[1, 0], [0, 1], [1, 0], [0, 1], [0, 1]]


def test_values_are_numbered_as_they_appear() -> None:
    column = Column("x", np.array([0, 1, 0], dtype=np.int32), ("b", "a"))
    table = ao.Table.from_frame(pd.DataFrame({"x": ["b", "a", "b"]}), ["x"])
    assert table.quasi_columns[0].values == column.values
    assert table.quasi_columns[0].counts.tolist() == column.counts.tolist() == [2, 1]


# ---- weights, digest ----------------------------------------------------------------------------------------------------------


def test_weights_are_exact() -> None:
    table = ao.Table.from_frame(FRAME, ["zip", "age", "ill"], weights={"zip": 0.1, "ill": "1/3"})
    assert table.weights == (Fraction(1, 10), 1, Fraction(1, 3))
    assert (table.weight_scale, table.scaled_weights.tolist()) == (30, [3, 30, 10])


def test_weights_that_would_overflow_are_refused() -> None:
    table = ao.Table.from_frame(FRAME, ["zip", "age"], weights={"zip": 2**60, "age": f"1/{2**40 - 1}"})
    with pytest.raises(ao.BadInput, match="the weights need more than 62 bits once made whole"):
        _ = table.scaled_weights
    with pytest.raises(ao.BadInput, match="the weights need more than 62 bits once made whole"):
        ao.solve(ao.CellSuppression(table, ao.KAnonymity(2)))
    for weights, advice in (
        ({"zip": 2**61}, "the weight of 'zip' is 2,305,843,009,213,693,952; give smaller weights"),
        (
            {"zip": "1/3", "age": f"1/{2**62}"},
            f"the weight of 'age' is 1/{2**62:,}; give weights with smaller denominators",
        ),
    ):
        table = ao.Table.from_frame(FRAME, ["zip", "age"], weights=weights)
        with pytest.raises(ao.BadInput, match=r"must be below 2\^62, about 4.6e18, and " + advice):
            table.require_room()


def test_a_digest_tells_tables_apart_and_only_tables() -> None:
    base = ao.Table.from_frame(FRAME, ["zip", "age"], "ill")
    same = ao.Table.from_frame(FRAME.assign(name=["x", "y"]), ["zip", "age"], "ill")
    assert same.digest == base.digest
    others = [
        ao.Table.from_frame(FRAME.iloc[::-1], ["zip", "age"], "ill"),
        ao.Table.from_frame(FRAME.assign(zip=[1, 3]), ["zip", "age"], "ill"),
        ao.Table.from_frame(FRAME.assign(zip=["1", "2"]), ["zip", "age"], "ill"),
        ao.Table.from_frame(FRAME, ["age", "zip"], "ill"),
        ao.Table.from_frame(FRAME, ["zip", "age", "ill"]),
        ao.Table.from_frame(FRAME, ["zip", "age"], "ill", weights={"zip": 2}),
        ao.Table.from_frame(FRAME.rename(columns={"zip": "plz"}), ["plz", "age"], "ill"),
        ao.Table.from_frame(FRAME.assign(ill=["a", "a"]), ["zip", "age"], "ill"),
        ao.Table.from_frame(pd.concat([FRAME, FRAME.iloc[:1]]), ["zip", "age"], "ill"),
    ]
    digests = {table.digest for table in [base, *others]}
    assert len(digests) == len(others) + 1


def test_a_star_in_the_data_is_found() -> None:
    frame = pd.DataFrame({"zip": ["1", "2"], "note": ["*", "x"], "ill": ["*", "*"]})
    assert ao.Table.from_frame(frame, ["zip"], "ill").star_in_data() is None
    said = ao.Table.from_frame(frame.iloc[::-1], ["zip", "note"]).star_in_data()
    assert said == "row 2, column 'note' already holds '*', which is how a suppressed cell is written"


def test_a_table_says_what_it_is() -> None:
    assert repr(ao.Table.from_frame(FRAME, ["zip"], "ill")) == "Table(2 rows, 2 row types, quasi zip, sensitive ill)"


TEN = np.zeros(10, dtype=np.int64)


@pytest.mark.parametrize(
    ("labels", "chosen", "message"),
    [
        (
            TEN + 0.5,
            None,
            r"^labels has the shape \(10,\) and the type float64; it must hold a whole number for each of 10",
        ),
        (TEN[:3], None, r"^labels has the shape \(3,\) and the type int64; it must hold a whole number for each of 10"),
        (TEN.reshape(5, 2), None, r"^labels has the shape \(5, 2\)"),
        (TEN - 1, None, r"^labels holds -1; .* from 0 to 9$"),
        (TEN + 2**40, None, r"^labels holds 1099511627776; "),
        (np.arange(10) // 5 * 2, None, r"^labels holds 2 and no 1; it must use every number up to its largest$"),
        (
            TEN,
            TEN[:3],
            r"^labels has the shape \(10,\) and the type int64; it must hold a whole number for each of 3 r",
        ),
        (TEN, TEN == 0, r"^chosen has the shape \(10,\) and the type bool; it must hold numbers of r"),
        (TEN, TEN + 10, r"^chosen holds 10; it must hold numbers of r.*, from 0 to 9$"),
        (TEN, np.array(3), r"^chosen has the shape \(\) and"),
    ],
)
def test_labels_and_rows_that_are_none_are_refused(labels: Any, chosen: Any, message: str) -> None:
    table = ao.ten_rows()
    for count in (table.groups, table.groups_of_records):
        with pytest.raises(ao.BadInput, match=message):
            count(labels, chosen)


def test_no_sensitive_column_may_be_said_as_none() -> None:
    assert ao.Table.from_frame(pd.DataFrame({"a": [1, 1]}), ["a"], sensitive=None).sensitive == ()


@pytest.mark.parametrize(
    "values",
    [
        [0.0, -0.0, 5.0, 5.0],
        [1, 1.0, 2, 2],
        [True, 1, 2, 2],
        [Decimal("1.0"), Decimal("1.00"), 2, 2],
        [pd.Timestamp("2026-01-01 12:00+00:00"), pd.Timestamp("2026-01-01 13:00+01:00"), 2, 2],
    ],
    ids=str,
)
def test_values_that_are_written_differently_differ(values: list[Any]) -> None:
    """Equal or not: whoever reads the release sees how they are written."""
    table = ao.Table.from_frame(pd.DataFrame({"x": pd.Series(values, dtype=object)}), ["x"])
    assert table.quasi_columns[0].codes.tolist() == [0, 1, 2, 2]
    assert [str(value) for value in table.quasi_columns[0].values] == [str(value) for value in values[:3]]


@pytest.mark.parametrize("dtype", [float, "Float64"])
def test_minus_zero_is_written_differently(dtype: Any) -> None:
    frame = pd.DataFrame({"x": pd.Series([0.0, -0.0, None, 0.0], dtype=dtype)})
    assert ao.Table.from_frame(frame, ["x"]).quasi_columns[0].codes.tolist() == [0, 1, 2, 0]


@pytest.mark.parametrize(
    "values",
    [
        [0.0, -0.0],
        [1, True],
        [None, ""],
        [Decimal("1.0"), Decimal("1.00")],
        [1, "1"],
        [True, "True"],
        [1, "True", True],
        [1, True, "True"],
        [(1, 2), "(1, 2)"],
    ],
    ids=str,
)
def test_sensitive_values_that_are_equal_or_written_alike_are_one(values: list[Any]) -> None:
    """No group is taken for more diverse than whoever reads it sees."""
    rows = 2 * len(values)
    frame = pd.DataFrame({"a": ["x"] * rows, "s": pd.Series(values * 2, dtype=object)})
    table = ao.Table.from_frame(frame, ["a"], ["s"])
    assert table.sensitive_column("s").codes.tolist() == [0] * rows
    assert ao.solve(ao.CellSuppression(table, ao.LDiversity(2))).claim is ao.Claim.INFEASIBLE


def test_a_frame_that_is_sorted_in_place_leaves_the_release_in_order() -> None:
    """Else each row would be published with the stars of another one, and groups would fall apart."""
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    answer = ao.solve(problem, "peel")
    before = answer.release
    frame = problem.table.frame
    frame[list(frame.columns)] = frame.sort_values(list(frame.columns)).to_numpy()
    assert not frame.equals(problem.table.frame)
    assert answer.release.equals(before)
