"""What every proof's `from_json` needs: fields of plain data, each refused in one sentence if it is not what it must be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, Self, TypeVar

from anoptima.errors import BadInput
from anoptima.exact import Exact, as_fraction, as_integer, simplest
from anoptima.limits import shown

X = TypeVar("X")


class Read(Protocol):
    """What can be read from plain data."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return what plain data say, or raise `BadInput`."""


R = TypeVar("R", bound=Read)


class TooLarge(BadInput):
    """Numbers of a proof with which sums might not fit into 64 bits. The same proof in parts of a smaller denominator has smaller ones.

    >>> print(TooLarge("the multipliers"))
    the multipliers are too large for sums of them to be counted in 64 bits; the proof needs a smaller denominator
    """

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} are too large for sums of them to be counted in 64 bits; the proof needs a smaller denominator"
        )


class TooManyLooks(BadInput):
    """A proof that would take days to check, however short it is."""


MOST_LOOKS = 1 << 32
"""How many pairs of a set of columns and a row type a checker looks at: some hours. No solver here lists patterns of half as many."""


def require_few_patterns(columns: int, types: int) -> None:
    """Refuse to walk through all patterns of a table where that would take days, however short the proof is.

    >>> require_few_patterns(40, 1000)
    Traceback (most recent call last):
    anoptima.proofs.reading.TooManyLooks: the proof is about every pattern of 40 columns and 1,000 row types, which are more than ...
    """
    if types << columns > MOST_LOOKS:
        raise TooManyLooks(
            f"the proof is about every pattern of {columns} columns and {types:,} row types, which are more than can be looked at"
        )


class Fields:
    """The fields of a JSON object: each is taken once, and in the end none may be left.

    >>> fields = Fields({"k": 3, "worth": [1, "x"]}, "the proof")
    >>> fields.whole("k")
    3
    >>> fields.wholes("worth")
    Traceback (most recent call last):
    anoptima.errors.BadInput: number 1 of 'worth' in the proof is 'x'; it must be a whole number
    >>> fields.whole("denominator")
    Traceback (most recent call last):
    anoptima.errors.BadInput: the proof has no field 'denominator'
    """

    def __init__(self, data: Any, where: str) -> None:
        if not isinstance(data, Mapping):
            raise BadInput(f"{where} is {shown(data)}; it must be an object with named fields")
        self._left = dict(data)
        self.where = where
        """What the object is called."""

    def take(self, name: str) -> Any:
        """Return a field as it is."""
        if name not in self._left:
            raise BadInput(f"{self.where} has no field {name!r}")
        return self._left.pop(name)

    def has(self, name: str) -> bool:
        """Tell whether a field is there."""
        return name in self._left

    def whole(self, name: str) -> int:
        """Return a field that is a whole number."""
        return as_integer(self.take(name), self._called(name))

    def exact(self, name: str) -> Exact:
        """Return a field that is a whole number or a fraction such as "1/3"."""
        return simplest(as_fraction(self.take(name), self._called(name)))

    def text(self, name: str) -> str:
        """Return a field that is a text."""
        return text_of(self.take(name), self._called(name))

    def wholes(self, name: str) -> tuple[int, ...]:
        """Return a field that is a list of whole numbers."""
        found = self._left.get(name)
        if isinstance(found, list) and all(type(number) is int for number in found):
            # Most of a proof is such lists: no words are made for each number.
            return tuple(self.take(name))
        return self.each(name, as_integer)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a field that is a list of texts."""
        return self.each(name, text_of)

    def each(self, name: str, read: Callable[[Any, str], X]) -> tuple[X, ...]:
        """Return a field that is a list, each of whose things `read` takes with what it is called."""
        found = list_of(self.take(name), self._called(name))
        return tuple(read(thing, f"number {number} of {self._called(name)}") for number, thing in enumerate(found))

    def one_of(self, name: str, kinds: Mapping[str, type[R]]) -> R:
        """Return a field that is an object with a 'kind', read by the one of `kinds` that it names."""
        found = self.take(name)
        kind = Fields(found, self._called(name)).text("kind")
        if kind not in kinds:
            raise BadInput(f"{self._called(name)} is of kind {shown(kind)}; it must be one of {', '.join(kinds)}")
        return kinds[kind].from_json({key: value for key, value in found.items() if key != "kind"})

    def end(self) -> None:
        """Refuse fields that nobody has asked for: what they say would be ignored."""
        for name in self._left:
            raise BadInput(f"{self.where} has a field {name!r}, which means nothing here")

    def _called(self, name: str) -> str:
        return f"{name!r} in {self.where}"


def text_of(value: Any, what: str) -> str:
    """Return a text, called `what`; refuse anything else."""
    if not isinstance(value, str):
        raise BadInput(f"{what} is {shown(value)}; it must be a text")
    return value


def truth_of(value: Any, what: str) -> bool:
    """Return a truth value, called `what`; refuse anything else."""
    if not isinstance(value, bool):
        raise BadInput(f"{what} is {shown(value)}; it must be true or false")
    return value


def list_of(value: Any, what: str) -> Sequence[Any]:
    """Return a list, called `what`; refuse anything else."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise BadInput(f"{what} is {shown(value)}; it must be a list")
    return value
