from __future__ import annotations

import datetime
import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.cli.releases import read_release, write_release

COLUMNS: dict[str, pd.Series[Any]] = {
    "ints": pd.Series([1, 2, 3, 4]),
    "floats": pd.Series([0.1, 1e20, np.nan, 1.0]),
    "texts": pd.Series(["a", "", None, "NA"]),
    "nullable ints": pd.Series([1, None, 3, 4], dtype="Int64"),
    "bools": pd.Series([True, False, True, True]),
    "dates": pd.Series(pd.to_datetime(["2020-01-01", "NaT", "2021-01-01", "2021-01-01"])),
    "moments": pd.Series(
        pd.to_datetime(["2020-01-01 10:00:00.5", "NaT", "2021-01-01 00:00", "2021-01-01 00:00"], format="ISO8601")
    ),
    "days": pd.Series(
        [datetime.date(2020, 1, 1), None, datetime.date(2020, 1, 2), datetime.date(2020, 1, 2)], dtype=object
    ),
    "money": pd.Series([Decimal("1.50"), Decimal("1.00"), None, Decimal("0.01")], dtype=object),
    "categories": pd.Series(["lo", "hi", None, "lo"], dtype="category"),
    "int categories": pd.Series([3, 1, None, 1], dtype="category"),
}
CELL = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=3).filter(lambda text: text != "*")


def through(path: Path, table: ao.Table, release: pd.DataFrame, separator: str = ",") -> pd.DataFrame:
    stream = io.BytesIO()
    write_release(stream, path, table, release, separator)
    path.write_bytes(stream.getvalue())
    return read_release(path, table, separator)


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".csv.bz2", ".csv.xz", ".parquet", ".PQ"])
@pytest.mark.parametrize("kind", COLUMNS)
def test_a_release_is_true_however_it_is_written(tmp_path: Path, kind: str, suffix: str) -> None:
    """From a Parquet file with types, starred in part, to any format and back."""
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"x": COLUMNS[kind], "y": COLUMNS[kind], "s": COLUMNS[kind]})
    frame.index = pd.Index([3, 1, 2, 2])
    frame.to_parquet(tmp_path / "t.parquet")
    table = ao.Table.read_parquet(tmp_path / "t.parquet", ["x", "y"], "s")
    problem = ao.CellSuppression(table, ao.KAnonymity(1))
    release = table.release(np.array([[True, False], [False, False], [True, False], [False, False]]))
    back = through(tmp_path / f"r{suffix}", table, release.copy())
    assert problem.violations_of_release(back) == []
    assert problem.cost_of_release(back) == 2
    untrue = release.copy()
    untrue["s"] = untrue["s"].iloc[[1, 0, 2, 3]].to_numpy()
    assert problem.violations_of_release(through(tmp_path / f"u{suffix}", table_of(untrue, table), untrue)) != []


def table_of(frame: pd.DataFrame, like: ao.Table) -> ao.Table:
    """Return a table of a release's own values, so that it is written as it is."""
    return ao.Table.from_frame(frame.assign(x=like.frame["x"], y=like.frame["y"]), ["x", "y"], "s")


def test_a_parquet_release_keeps_types_where_no_star_forces_a_change(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"x": [1, 2, 3], "y": [1.5, None, 2.5], "c": pd.Series(["a", "b", "a"], dtype="category")})
    table = ao.Table.from_frame(frame, ["x", "y", "c"])
    release = table.release(np.array([[True, False, False], [False, False, True], [False, False, False]]))
    stream = io.BytesIO()
    write_release(stream, Path("r.parquet"), table, release, ",")
    stored = pd.read_parquet(io.BytesIO(stream.getvalue()))
    assert stored["x"].tolist() == ["*", "2", "3"]
    pd.testing.assert_series_equal(stored["y"], frame["y"])
    assert stored["c"].tolist() == ["a", "*", "a"]
    assert isinstance(stored["c"].dtype, pd.CategoricalDtype)


def test_a_starred_column_of_parquet_keeps_missing_values_missing(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    table = ao.Table.from_frame(pd.DataFrame({"x": pd.Series([1, None, 3], dtype="Int64")}), ["x"])
    stream = io.BytesIO()
    write_release(stream, Path("r.parquet"), table, table.release(np.array([[True], [False], [False]])), ",")
    stored = pd.read_parquet(io.BytesIO(stream.getvalue()))["x"]
    assert stored.isna().tolist() == [False, True, False]
    assert stored.iloc[[0, 2]].tolist() == ["*", "3"]


def test_dates_are_written_as_dates(tmp_path: Path) -> None:
    table = ao.Table.from_frame(pd.DataFrame({"d": COLUMNS["dates"], "n": [1, 2, 3, 4]}), ["d", "n"])
    through(tmp_path / "r.csv", table, table.release(np.array([[True, False]] + [[False, False]] * 3)))
    assert (tmp_path / "r.csv").read_text() == "d,n\n*,1\n,2\n2021-01-01,3\n2021-01-01,4\n"


@pytest.mark.parametrize(
    "rows",
    [[["a\rb", "c"], ["", "\r"]], [["a\r\nb", '"'], ["\n", ","]], [[" "], ["x"], [""]], [["\ufeff"], ["\t"]]],
    ids=repr,
)
def test_texts_that_readers_stumble_over_survive(tmp_path: Path, rows: list[list[str]]) -> None:
    names = [f"c{j}" for j in range(len(rows[0]))]
    table = ao.Table.from_frame(pd.DataFrame(rows, columns=names), names)
    release = table.release(np.zeros((len(rows), len(names)), dtype=bool))
    assert through(tmp_path / "r.csv", table, release).to_numpy().tolist() == rows


@given(data=st.data(), width=st.integers(1, 3), separator=st.sampled_from(",;\t|"))
def test_any_text_survives_a_csv_file(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, width: int, separator: str
) -> None:
    rows = data.draw(st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=1, max_size=5))
    stars = np.array(
        data.draw(
            st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=len(rows), max_size=len(rows))
        )
    )
    names = [f"c{j}" for j in range(width)]
    table = ao.Table.from_frame(pd.DataFrame(rows, columns=names), names)
    release = table.release(stars)
    back = through(tmp_path_factory.mktemp("releases") / "r.csv", table, release.copy(), separator)
    assert back.to_numpy().tolist() == release.to_numpy().tolist()


def test_a_parquet_release_holds_nothing_that_nobody_named(tmp_path: Path) -> None:
    """An index, notes on the frame and categories are all written by pandas, and read by whoever has the file."""
    parquet = pytest.importorskip("pyarrow.parquet")
    zips = pd.Series(["4711", "4711", "4712", "4713"], dtype="category")
    frame = pd.DataFrame({"zip": zips, "sex": zips, "age": [30, 30, 41, 57]}).set_axis(
        pd.Index(["Ann", "Bob", "Cid", "Dan"], name="name")
    )
    frame.attrs = {"ward": "Eve"}
    table = ao.Table.from_frame(frame, ["zip", "sex", "age"])
    stars = np.array([[False] * 3, [False] * 3, [True, False, True], [True, False, True]])
    back = through(tmp_path / "r.parquet", table, table.release(stars))
    assert list(back.columns) == ["zip", "sex", "age"]
    assert back["zip"].tolist() == ["4711", "4711", "*", "*"]
    written = parquet.read_table(tmp_path / "r.parquet")
    assert written.column_names == ["zip", "sex", "age"]
    assert set(written["zip"].chunk(0).dictionary.to_pylist()) == {"4711", "*"}
    content = (tmp_path / "r.parquet").read_bytes()
    assert not [word for word in (b"Ann", b"ward", b"Eve") if word in content]


def test_an_index_is_a_column_of_its_parquet_file(tmp_path: Path) -> None:
    """So it is released if somebody names it, and a release that shows it is not true to a table without it."""
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"zip": ["4711"] * 2, "age": [30] * 2}, index=pd.Index(["Ann", "Bob"], name="name"))
    path = tmp_path / "t.parquet"
    frame.to_parquet(path)
    table = ao.Table.read_parquet(path, ["zip"])
    assert list(table.frame.columns) == ["zip"]
    assert list(table.frame.index) == [0, 1]
    assert list(ao.Table.read_parquet(path, ["zip"], keep=["name"]).frame["name"]) == ["Ann", "Bob"]
    assert list(read_release(path, table, ",").columns) == ["name", "zip", "age"]
    frame.rename_axis("zip").to_parquet(path)
    assert ao.Table.read_parquet(path, ["zip"]).frame["zip"].tolist() == ["4711", "4711"]


def test_a_parquet_file_with_a_type_that_pandas_does_not_read_is_refused(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    kind = pd.ArrowDtype(pyarrow.dictionary(pyarrow.int32(), pyarrow.string()))
    pd.DataFrame({"x": pd.Series(["a", "b"], dtype=kind)}).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ao.BadInput, match=r"t\.parquet is not a Parquet file that can be read: data type 'dictionary"):
        ao.Table.read_parquet(tmp_path / "t.parquet", ["x"])


def test_a_file_that_is_no_parquet_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    table = ao.Table.from_frame(pd.DataFrame({"x": ["a"]}), ["x"])
    (tmp_path / "r.parquet").write_text("x\na\n")
    with pytest.raises(ao.BadInput, match=r"r\.parquet is not a Parquet file that can be read"):
        read_release(tmp_path / "r.parquet", table, ",")
    with pytest.raises(ao.BadInput, match=r"nowhere\.parquet: there is no such file"):
        read_release(tmp_path / "nowhere.parquet", table, ",")


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_release_that_another_program_saved_is_read_by_its_own_separator(
    tmp_path: Path, separator: str, quote: str
) -> None:
    path, frame = tmp_path / "r.csv", pd.DataFrame({"zip": ["1", "1"], "age": ["2", "*"]})
    lines = [frame.columns, *frame.to_numpy()]
    path.write_text("".join(separator.join(f"{quote}{cell}{quote}" for cell in line) + "\r\n" for line in lines))
    table = ao.Table.from_frame(frame.replace("*", "3"), quasi=["zip", "age"])
    assert read_release(path, table, ",").to_numpy().tolist() == frame.to_numpy().tolist()
