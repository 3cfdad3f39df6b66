"""The roles of columns, checked against the columns that exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from anoptima.documents.csv_texts import SEPARATORS
from anoptima.errors import BadInput
from anoptima.exact import Exact, Number, as_fraction, exact_text, simplest
from anoptima.limits import first_of
from anoptima.naming import did_you_mean, listed, near_names


@dataclass(frozen=True)
class Roles:
    """The roles of columns, and the cost of a star in each quasi-identifying column where it is not 1."""

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    keep: tuple[str, ...]
    weights: Mapping[str, Number]

    @classmethod
    def of(
        cls,
        quasi: Sequence[str],
        sensitive: str | Sequence[str] | None,
        keep: Sequence[str],
        weights: Mapping[str, Number] | None,
    ) -> Roles:
        """Read roles as a person writes them."""
        for role, members in (("quasi", quasi), ("keep", keep)):
            if isinstance(members, str):
                raise BadInput(f"{role} is the text {members!r}; it must be a list of column names")
        named = (sensitive,) if isinstance(sensitive, str) else tuple(sensitive or ())
        return cls(tuple(quasi), named, tuple(keep), dict(weights or {}))

    @property
    def used(self) -> set[str]:
        """The columns that have a role."""
        return {*self.quasi, *self.sensitive, *self.keep}

    def require(self, names: Sequence[str], where: str) -> None:
        """Raise `BadInput` unless a table with columns of these `names` can have the roles."""
        roles = {"quasi-identifying": self.quasi, "sensitive": self.sensitive, "kept": self.keep}
        _refuse_duplicates(names, where)
        _refuse_unknown(roles, names, where)
        _refuse_double_roles(roles)
        if not self.quasi:
            raise BadInput("no quasi-identifying column is named; there is nothing to hide")

    def costs(self) -> tuple[Exact, ...]:
        """Return what a star costs in each quasi-identifying column."""
        for name, weight in self.weights.items():
            if name not in self.quasi:
                raise BadInput(
                    f"a weight is given for {name!r}, which is no quasi-identifying column; those are {', '.join(map(listed, self.quasi))}"
                )
            cost = as_fraction(weight, f"the weight of {name!r}")
            if cost <= 0:
                raise BadInput(f"the weight of {name!r} is {exact_text(cost)}; it must be above 0")
        return tuple(simplest(as_fraction(self.weights.get(name, 1), f"the weight of {name!r}")) for name in self.quasi)


def _refuse_duplicates(names: Sequence[str], where: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise BadInput(f"{where} has two columns named {name!r}; names must differ")
        seen.add(name)


def _refuse_unknown(roles: Mapping[str, Sequence[str]], names: Sequence[str], where: str) -> None:
    for role, members in roles.items():
        for name in members:
            if name not in names:
                raise BadInput(
                    f"{where} has no column {name!r}, named as {role}; {_meant(name, names)}its columns are {first_of(map(listed, names))}"
                    f"{_joined(names)}"
                )


def _meant(name: str, names: Sequence[str]) -> str:
    """Say which column was meant; one that only looks the same, because its accents are characters of their own, cannot be typed."""
    for other in names:
        if normalize("NFC", other) == normalize("NFC", name):
            return (
                f"{listed(other)} is not in the same characters though it looks the same, so copy the name from there; "
            )
    hint = did_you_mean([*map(listed, near_names(name, names))]) if len(names) > 1 else ""
    return hint and f"{hint} "


def _joined(names: Sequence[str]) -> str:
    """Say what might separate the fields of a header that came as one name."""
    found = [separator for separator in SEPARATORS if len(names) == 1 and separator in names[0]]
    return f" (one name: do its fields lie between {' or '.join(map(repr, found))}?)" if found else ""


def _refuse_double_roles(roles: Mapping[str, Sequence[str]]) -> None:
    role_of: dict[str, str] = {}
    for role, members in roles.items():
        for name in members:
            if name in role_of:
                both = f"both {role_of[name]} and {role}" if role_of[name] != role else f"named twice as {role}"
                raise BadInput(f"column {name!r} is {both}; a column has one role")
            role_of[name] = role


def too_heavy(weights: Mapping[str, Exact], rows: int) -> str:
    """Say which weight does not fit into 62 bits, and whether it is too large or its denominator is.

    >>> too_heavy({"zip": 10**18, "age": 1}, 10).rpartition(", and ")[2]
    "the weight of 'zip' is 1,000,000,000,000,000,000; give smaller weights"
    """
    is_large = sum(weights.values()) * rows >= 2**62
    name = max(weights, key=lambda column: weights[column] if is_large else weights[column].denominator)
    advice = "smaller weights" if is_large else "weights with smaller denominators"
    return (
        "the weights need more than 62 bits once made whole: added up over all cells they must be below 2^62, about 4.6e18, "
        f"and the weight of {name!r} is {exact_text(weights[name])}; give {advice}"
    )
