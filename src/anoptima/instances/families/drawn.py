"""Random tables, one family for each knob: what makes a table hard, and what makes it easy."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from anoptima.instances import drawn
from anoptima.instances.library import Family, add_family
from anoptima.instances.making import Member, cells, key
from anoptima.principles import KAnonymity, LDiversity, TCloseness
from anoptima.problems.added_points import AddedPoints
from anoptima.problems.base import Problem
from anoptima.problems.fake_points import FakePoints
from anoptima.table import Table

_SOURCE = "drawn by anoptima.instances.drawn"


def _uniform() -> Iterator[Member]:
    for rows in (12, 20, 40, 80, 160, 320):
        for k in (2, 3):
            yield f"{rows}-k{k}", f"rows={rows}, k={k}", cells(KAnonymity(k), drawn.uniform, rows, 6, 3, rows)


def _skewed() -> Iterator[Member]:
    for skew in (0, 1, 2, 3):
        for word, principle in (("k3", KAnonymity(3)), ("l2", LDiversity(2)), ("t0.4", TCloseness("0.4"))):
            yield f"{skew}-{word}", f"skew={skew}, {principle}", cells(principle, drawn.skewed, 80, 5, 6, skew, 7, 4)


def _clustered() -> Iterator[Member]:
    for percent in (0, 5, 10, 20, 40):
        for k in (3, 5):
            yield (
                f"{percent}-k{k}",
                f"noise={percent} %, k={k}",
                cells(KAnonymity(k), drawn.clustered, 120, 7, 5, 5, percent / 100, 11),
            )


def _planted() -> Iterator[Member]:
    for differing in (1, 2, 3, 4):
        for k in (2, 3, 4):
            yield (
                f"{differing}-k{k}",
                f"differing={differing}, k={k}",
                cells(KAnonymity(k), drawn.planted, 12, k, 6, differing, 13),
            )


def _twins() -> Iterator[Member]:
    for distance in (0, 1, 2, 3):
        for k in (2, 3):
            yield (
                f"{distance}-k{k}",
                f"distance={distance}, k={k}",
                cells(KAnonymity(k), drawn.near_duplicates, 30, 6, 3, distance, 17),
            )


def _wide() -> Iterator[Member]:
    for columns in (12, 24, 48):
        for rows in (20, 50):
            for k in (2, 3):
                yield (
                    f"{columns}x{rows}-k{k}",
                    f"columns={columns}, rows={rows}, k={k}",
                    cells(KAnonymity(k), drawn.skewed, rows, columns, 4, 1.5, 19),
                )


def _thin() -> Iterator[Member]:
    for sets, surplus in ((4, 3), (40, 30), (400, 300)):
        for l in (3, 4):  # noqa: E741
            yield (
                f"{sets}-l{l}",
                f"sets={sets}, surplus={surplus}, l={l}",
                cells(LDiversity(l), drawn.thin, sets, surplus, l, 5, 43),
            )


def _weights() -> Iterator[Member]:
    for word, weights in (
        ("halves", ("1", "1/2")),
        ("tens", ("1", "10")),
        ("primes", ("2", "3", "5", "7")),
        ("thirds", ("1/3", "2")),
    ):
        for k in (2, 4):
            yield (
                f"{word}-k{k}",
                f"weights {', '.join(weights)} in turns, k={k}",
                cells(KAnonymity(k), _weighted, weights),
            )


def _weighted(weights: tuple[str, ...]) -> Table:
    return drawn.with_weights(drawn.skewed(60, 5, 5, 1, 23), weights)


def _missing() -> Iterator[Member]:
    for percent in (5, 15, 40):
        for k in (2, 3):
            yield f"{percent}-k{k}", f"missing={percent} %, k={k}", cells(KAnonymity(k), _with_holes, percent)


def _with_holes(percent: int) -> Table:
    return drawn.with_missing(drawn.skewed(60, 6, 4, 1, 29), percent / 100, 31)


def _keys() -> Iterator[Member]:
    for rows in (20, 200, 2000):
        for columns in (8, 16):
            yield f"{rows}x{columns}", f"rows={rows}, columns={columns}", key(drawn.skewed, rows, columns, 4, 0.5, 37)


def _points() -> Iterator[Member]:
    for dimension, number in ((1, 12), (1, 40), (2, 8), (2, 15), (2, 40), (3, 8)):
        for k in (2, 3):
            yield (
                f"{dimension}d-{number}-k{k}",
                f"dimension={dimension}, points={number}, k={k}",
                partial(_among_points, number, dimension, k),
            )


def _among_points(number: int, dimension: int, k: int) -> Problem[AddedPoints]:
    return FakePoints(drawn.points(number, dimension, 5.0, 41), k=k)


for _name, _about, _members in (
    ("uniform", "cells drawn evenly, six columns of three values", _uniform),
    ("skewed", "80 rows, five columns in which the i-th value has a share like 1 / i^skew", _skewed),
    ("clustered", "120 rows in clusters of five, with noise", _clustered),
    ("planted", "twelve groups that agree but in some columns of their own", _planted),
    ("twins", "thirty pairs of rows that differ in few columns", _twins),
    ("wide", "many columns, few rows", _wide),
    (
        "thin",
        "one column of two values, classes that can spare no row under l-diversity, and rows too many of two values",
        _thin,
    ),
    ("weights", "60 rows, columns of different weights", _weights),
    ("missing", "60 rows with missing cells", _missing),
    ("keys", "the smallest quasi-identifier of a drawn table", _keys),
    ("points", "points drawn evenly from a cube of side 5", _points),
):
    add_family(Family(_name, _about, _SOURCE, _members))
