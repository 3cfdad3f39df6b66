"""Suppressed cells as stars, as missing values and as a mask; columns keep their types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao

FRAME = pd.DataFrame(
    {
        "i": np.array([1, 2, 3, 3], dtype="int32"),
        "u": np.array([1, 2, 3, 3], dtype="uint8"),
        "x": [0.5, 1.5, 2.5, 2.5],
        "truth": [True, False, True, True],
        "text": ["a", "b", "c", "c"],
        "string": pd.array(["a", "b", "c", "c"], dtype="string"),
        "c": pd.Categorical(["a", "b", "c", "c"]),
        "day": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-03"]),
        "n": pd.array([1, 2, 3, 3], dtype="Int64"),
        "same": [7, 7, 7, 7],
        "ill": ["p", "q", "p", "q"],
    },
    index=[10, 20, 30, 40],
)
QUASI = [name for name in FRAME.columns if name != "ill"]
ANSWER: ao.Answer[Any] = ao.solve(
    ao.CellSuppression(ao.Table.from_frame(FRAME, QUASI, "ill"), ao.KAnonymity(2)), "subset-dp"
)


def test_missing_values_stand_where_stars_do_and_types_are_kept() -> None:
    missing = ANSWER.released("na")
    types = {name: str(kind) for name, kind in missing.dtypes.items()}
    assert types == {
        **{name: str(kind) for name, kind in FRAME.dtypes.items()},
        "i": "Int32",
        "u": "UInt8",
        "truth": "boolean",
    }
    stars = ANSWER.release.astype(object) == "*"
    assert missing.isna().equals(stars)
    assert list(missing.index) == [10, 20, 30, 40]
    for name in FRAME.columns:
        shown = ~stars[name]
        assert missing.loc[shown, name].tolist() == FRAME.loc[shown, name].tolist(), name
    assert missing["i"].isna().tolist() == [True, True, False, False]


def test_the_mask_has_the_release_as_its_form() -> None:
    mask = ANSWER.released("mask")
    assert mask.equals(ANSWER.release.astype(object) == "*")
    assert set(mask.dtypes) == {np.dtype(bool)}
    assert not mask["ill"].any()


def test_stars_are_the_release() -> None:
    assert ANSWER.released().equals(ANSWER.release)
    assert ANSWER.released(missing="star").equals(ANSWER.release)


def test_whole_columns_may_be_missing() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"a": [1, 2, 3], "b": [1, 1, 1]}), ["a", "b"])
    answer = ao.solve(ao.AttributeSuppression(table, ao.KAnonymity(2)))
    assert answer.released("na")["a"].isna().all()
    assert answer.released("na").dtypes.astype(str).tolist() == ["Int64", "int64"]


def test_what_there_is_to_choose_from_is_said() -> None:
    with pytest.raises(ao.BadInput, match=r"^missing is 'NA'; it must be 'star', 'na' or 'mask'$"):
        ANSWER.released("NA")  # type: ignore[arg-type]
    with pytest.raises(ao.NotApplicable, match="minimum-cover releases no table"):
        ao.solve(ao.MinimumCover("ab", {1: "ab"})).released("na")


def test_a_release_does_not_tell_kinds_of_missing_values_apart() -> None:
    kinds = pd.Series([None, np.nan, pd.NaT, pd.NA, "a"], dtype=object)
    table = ao.Table.from_frame(
        pd.DataFrame({"x": kinds, "y": list("aaaab"), "z": kinds}), quasi=["x", "y"], keep=["z"]
    )
    answer = ao.solve(ao.CellSuppression(table, ao.KAnonymity(1)))
    for frame in (answer.release, answer.released("na")):
        assert frame["x"].tolist() == [None, None, None, None, "a"]
        assert frame["z"].map(type).tolist() == kinds.map(type).tolist()
    assert answer.verify()
