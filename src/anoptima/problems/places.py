"""Places with exact coordinates: how they are read, written and compared, whatever is asked of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction, common_denominator, counted, decimal_text
from anoptima.limits import shown
from anoptima.packages import pd
from anoptima.problems.depths import Point


def exact_points(points: Iterable[Iterable[Number]], what: str) -> Iterator[Point]:
    """Yield points with exact coordinates; `BadInput` names the one that has none.

    >>> list(exact_points([(0.5, "1/3")], "point"))
    [(Fraction(1, 2), Fraction(1, 3))]
    """
    for number, point in enumerate(points, start=1):
        if isinstance(point, str) or not isinstance(point, Iterable):
            raise BadInput(f"{what} {number} is {point!r}; it must be a sequence of coordinates")
        yield tuple(as_fraction(x, f"coordinate {i} of {what} {number}") for i, x in enumerate(point, start=1))


def place_text(point: Sequence[Fraction]) -> str:
    """Write a place the way a person would.

    >>> place_text((Fraction(1, 2), Fraction(3)))
    '(0.5, 3)'
    """
    return f"({', '.join(map(decimal_text, point))})"


def aligned_coordinates(values: Sequence[Fraction], last_corner: Fraction | None) -> list[Fraction]:
    """Return, ascending, the coordinates between the least and largest of `values` that are a whole distance from one of them.

    Some optimum has all its fakes there (the paper's Lemma 3, with a shorter list). Clamp the fakes, then shift all that are not
    aligned to the left together until the first is, and so on: meanwhile cells only vanish, none is new. Where corners are tested up
    to `last_corner` only, a fake that is shifted past that very corner would uncover it; so if some value is above it, its residue
    counts too. The lower end of the domain needs none: what is shifted past it covers more of its cell, and no fake leaves the domain,
    because the least value does not.

    >>> [str(x) for x in aligned_coordinates([Fraction(1, 2), Fraction(7, 4)], None)]
    ['1/2', '3/4', '3/2', '7/4']
    """
    found = [first + j for first, count in _aligned(values, last_corner) for j in range(count)]
    return sorted(found)


def aligned_count(values: Sequence[Fraction], last_corner: Fraction | None) -> int:
    """Return how many coordinates `aligned_coordinates` has, without listing them.

    >>> aligned_count([Fraction(1, 2), Fraction(7, 4)], None)
    4
    """
    return sum(count for _, count in _aligned(values, last_corner))


def _aligned(values: Sequence[Fraction], last_corner: Fraction | None) -> Iterator[tuple[Fraction, int]]:
    """Yield the first aligned coordinate of each residue, and how many there are. In whole numbers: fractions take long to divide."""
    unit = common_denominator(values if last_corner is None else (*values, last_corner))
    whole = [x.numerator * (unit // x.denominator) for x in values]
    least, most = min(whole), max(whole)
    residues = {value % unit for value in whole}
    if last_corner is not None and most > last_corner * unit:
        residues.add(int(last_corner * unit) % unit)
    for residue in residues:
        first = least + (residue - least) % unit
        yield Fraction(first, unit), (most - first) // unit + 1


def axis_text(axes: Sequence[str], number: int) -> str:
    """Name an axis, counted from 1: by its column, where it has one.

    >>> axis_text((), 2), axis_text(["age", "pay"], 2)
    ('axis 2', "column 'pay'")
    """
    return f"column {axes[number - 1]!r}" if len(axes) >= number else f"axis {number}"


def side_text(axes: Sequence[str], number: int) -> str:
    """Name a side of a domain, counted from 1: by its axis' column, where it has one.

    >>> side_text((), 2), side_text(["age", "pay"], 2)
    ('side 2 of the domain', "the domain of column 'pay'")
    """
    return f"the domain of {axis_text(axes, number)}" if len(axes) >= number else f"side {number} of the domain"


def points_of_frame(frame: pd.DataFrame, columns: Sequence[str]) -> Iterator[Point]:
    """Yield one point from each row of a frame; `BadInput` names the column that is missing, or the row and column of no number."""
    if not len(columns):
        raise BadInput("no columns are named; there must be at least one, an axis each")
    for number, name in enumerate(columns):
        if name in list(columns)[:number]:
            raise BadInput(f"column {name!r} is named twice as an axis; name each axis once")
        if name not in frame.columns:
            raise BadInput(f"there is no column {name!r}; there are {', '.join(map(repr, frame.columns))}")
    axes = [
        [as_fraction(value, f"row {row}, column {name!r},") for row, value in enumerate(frame[name], start=1)]
        for name in columns
    ]
    yield from zip(*axes, strict=True)


def sides_of(domain: Iterable[tuple[Number, Number]], axes: Sequence[str] = ()) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield the exact ends of a domain's sides, in order; `BadInput` names the side that is no pair."""
    for axis, side in enumerate(domain, start=1):
        where = side_text(axes, axis)
        try:
            low, high = side
        except (TypeError, ValueError):
            raise BadInput(f"{where} is {side!r}; it must be a pair (lo, hi)") from None
        yield as_fraction(low, f"the lower end of {where}"), as_fraction(high, f"the upper end of {where}")


def widths_of(widths: Iterable[Number] | None, dimensions: int, axes: Sequence[str] = ()) -> tuple[Fraction, ...]:
    """Return the width of the test boxes along each axis: 1 unless given, and above 0."""
    if widths is None:
        return (Fraction(1),) * dimensions
    if isinstance(widths, str) or not isinstance(widths, Iterable):
        raise BadInput(f"the widths are {shown(widths)}; they must be one number for each axis")
    found = tuple(
        as_fraction(width, f"the width of {axis_text(axes, axis)}") for axis, width in enumerate(widths, start=1)
    )
    if len(found) != dimensions:
        verb, coordinates = "is" if len(found) == 1 else "are", counted(dimensions, "coordinates")
        raise BadInput(
            f"there must be one width for each axis; {len(found)} {verb} given, and the points have {coordinates}"
        )
    for axis, width in enumerate(found, start=1):
        if width <= 0:
            raise BadInput(f"the width of {axis_text(axes, axis)} is {decimal_text(width)}; it must be above 0")
    return found


def widths_by_name(
    widths: Iterable[Number] | Mapping[str, Number] | None, columns: Sequence[str]
) -> Iterable[Number] | None:
    """Return widths in the order of the columns, 1 for those that have none; as they are if they do not go by name.

    >>> widths_by_name({"age": 5}, ["age", "income"])
    [5, 1]
    """
    if not isinstance(widths, Mapping):
        return widths
    for name in widths:
        if name not in columns:
            raise BadInput(f"a width is given for {name!r}, which is no axis; those are {', '.join(columns)}")
    return [widths.get(name, 1) for name in columns]
