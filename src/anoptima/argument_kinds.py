"""What an annotation allows, and how a message says so."""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import os
import sys
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, TypeVar

from anoptima.limits import DIGITS, shown
from anoptima.naming import with_article

EXAMPLES = {
    "Answer": "an Answer, such as `solve` returns",
    "Content": "a Content, a file's name and bytes",
    "DataFrame": "a pandas DataFrame",
    "Event": "a threading.Event",
    "ndarray": "a NumPy array",
    "Principle": "a Principle, such as KAnonymity(3)",
    "Problem": "a Problem, such as CellSuppression(table, KAnonymity(3))",
    "Solver": "a Solver, such as get_solver('sifting')",
    "Space": "a Space, such as Numeric()",
    "Writable": "a stream with a `write`, such as sys.stderr",
    "Table": "a Table, such as Table.from_frame(frame, quasi=['zip', 'age'])",
}
"""How messages name classes that a person may not have met yet."""


@dataclass(frozen=True)
class Kind:
    """What an argument may be, in words, and how to tell.

    `each` says what a list of them holds.
    `fits` looks at a value from outside; `parts` yields what is in it, with a name or a place, and the kind that it must be.
    """

    words: str
    each: str
    fits: Callable[[Any], bool]
    parts: Callable[[Any], Iterable[tuple[str | int, Any, Kind]]] | None = None
    ours: type | None = None

    def __contains__(self, value: Any) -> bool:
        """Tell whether `value` is of the one class of ours that this kind names."""
        return self.ours is not None and isinstance(value, self.ours)

    def takes(self, value: Any) -> bool:
        """Tell whether `value` will do, with all that is in it."""
        if not self.fits(value):
            return False
        return self.parts is None or all(kind.takes(part) for _, part, kind in self.parts(value))

    def fault(self, value: Any, name: str) -> str:
        """Say what is wrong with a value that will not do."""
        if self.parts is not None and self.fits(value):
            for where, part, kind in self.parts(value):
                if not kind.takes(part):
                    return kind.fault(part, where.format(name=name) if isinstance(where, str) else f"{name}[{where}]")
        return f"{name} is {described(value)}; it must be {self.words}"


def described(value: Any) -> str:
    """Show a value in a message: itself where it is short, and otherwise what it is.

    >>> described(2.5), described("zip"), described([1, 2]), described(int), described(described)
    ('2.5', "'zip'", 'a list', 'the class int', 'the function described')
    """
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if isinstance(value, types.FunctionType | types.BuiltinFunctionType | types.MethodType):
        return f"the function {value.__name__}"
    if value is None or isinstance(value, str | bytes | Real | Decimal):
        return shown(value)
    return with_article(type(value).__name__)


def kinds_of(function: Callable[..., Any], owner: type | None) -> dict[str, Kind]:
    """Return the kind of each parameter that has one."""
    found = {}
    for name, annotation in inspect.get_annotations(function).items():
        if name == "return":
            continue
        try:
            kind = kind_from(_meaning(annotation, name, function, owner))
        except NameError:
            # Named for the type checker alone.
            continue
        if kind is not None:
            found[name] = kind
    return found


def _meaning(annotation: Any, name: str, function: Callable[..., Any], owner: type | None) -> Any:
    """Return what an annotation stands for where it was written: a dataclass has inherited fields, too, and their annotations."""
    if not isinstance(annotation, str):
        return annotation
    if owner is None:
        return eval(annotation, function.__globals__)
    written = function.__globals__
    if dataclasses.is_dataclass(owner) and function.__name__ == "__init__":
        home = next((made for made in owner.__mro__ if name in vars(made).get("__annotations__", ())), owner)
        written = vars(sys.modules[home.__module__])
    return eval(annotation, {**written, owner.__name__: owner})


def kind_from(annotation: Any) -> Kind | None:
    """Return what an annotation asks for; None where it asks for nothing."""
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if isinstance(annotation, TypeVar):
        return None if annotation.__bound__ is None else kind_from(annotation.__bound__)
    if origin in (typing.Union, types.UnionType):
        return _one_of(inner)
    if origin is typing.Literal:
        allowed = _listed(list(map(repr, inner)))
        return Kind(allowed, allowed, lambda value: any(type(value) is type(one) and value == one for one in inner))
    if origin is type or annotation is type:
        return Kind("a class", "classes", lambda value: isinstance(value, type))
    made = origin or annotation
    if made is Callable:
        return Kind("a function", "functions", callable)
    if made in _PLAIN:
        return _PLAIN[made]
    if not isinstance(made, type) or made is object:
        return None
    if issubclass(made, Mapping):
        return _mapping(inner)
    if issubclass(made, AbstractSet):
        return _collection("a set", lambda value: isinstance(value, AbstractSet), inner)
    if made is tuple and inner and inner[-1] is not Ellipsis:
        return _row(inner)
    if made in (list, tuple, Sequence):
        return _collection("a list", _is_sequence, inner[:1])
    if made in (Collection, Iterable, Iterator):
        return _collection("a list", _is_iterable, inner[:1])
    if getattr(made, "_is_protocol", False) and not getattr(made, "_is_runtime_protocol", False):
        return None
    ours = made if made.__module__.startswith("anoptima") else None
    name = EXAMPLES.get(made.__name__, with_article(made.__name__))
    return Kind(name, f"{made.__name__}s", lambda value: isinstance(value, made), ours=ours)


def _one_of(members: Sequence[Any]) -> Kind | None:
    if set(members) == {int, float, str, Decimal, Fraction}:
        return _NUMBER
    kinds = [kind for member in members if (kind := kind_from(member)) is not None]
    if len(kinds) < len(members):
        return None
    if len(members) == 2 and set(members) == {int, Fraction}:
        return _EXACT
    words = _listed(list(dict.fromkeys(kind.words for kind in kinds)))
    each = _listed(list(dict.fromkeys(kind.each for kind in kinds)))
    deep = [kind for kind in kinds if kind.parts is not None]
    plain = [kind for kind in kinds if kind.parts is None]

    def parts(value: Any) -> Iterable[tuple[str | int, Any, Kind]]:
        """Look into a value that no simple member of the union takes as it is."""
        fitting = [kind for kind in deep if kind.fits(value)]
        if len(fitting) == 1 and not any(kind.fits(value) for kind in plain):
            yield "{name}", value, fitting[0]

    ours = [kind.ours for kind in kinds if kind.ours is not None]
    return Kind(
        words,
        each,
        lambda value: any(kind.fits(value) for kind in kinds),
        parts if deep else None,
        ours[0] if ours else None,
    )


def _listed(names: Sequence[str]) -> str:
    """Write alternatives: 'a, b or c', and 'a, such as b, or c' lest c be taken for one of the examples."""
    comma = "," if len(names) > 1 and ", such as" in names[-2] else ""
    return f"{comma} or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _collection(words: str, fits: Callable[[Any], bool], inner: Sequence[Any]) -> Kind:
    kind = kind_from(inner[0]) if inner else None
    if kind is None:
        return Kind(words, f"{words.removeprefix('a ')}s", fits)
    of_texts = kind.takes("")

    def parts(value: Any) -> Iterable[tuple[str | int, Any, Kind]]:
        if isinstance(value, AbstractSet | Mapping):
            yield from (("an element of {name}", part, kind) for part in value)
        elif isinstance(value, list | tuple):
            yield from ((place, part, kind) for place, part in enumerate(value))
        elif isinstance(value, Sequence) or _is_array(value):
            # All elements are of one type.
            yield from (("{name}[0]", part, kind) for part in itertools.islice(value, 1))

    return Kind(
        f"{words} of {kind.each}",
        f"{words.removeprefix('a ')}s of {kind.each}",
        lambda value: fits(value) and (of_texts or not isinstance(value, str)),
        parts,
    )


def _row(inner: Sequence[Any]) -> Kind:
    kinds = [kind_from(member) for member in inner]
    said = ", ".join("anything" if kind is None else kind.words for kind in kinds)

    def parts(value: Any) -> Iterable[tuple[str | int, Any, Kind]]:
        for place, (part, kind) in enumerate(zip(value, kinds, strict=True)):
            if kind is not None:
                yield place, part, kind

    return Kind(
        f"a tuple of {len(inner)}: {said}",
        f"tuples of {len(inner)} ({said})",
        lambda value: _is_sequence(value) and len(value) == len(inner),
        parts,
    )


def _mapping(inner: Sequence[Any]) -> Kind:
    of_keys, of_values = (kind_from(inner[0]), kind_from(inner[1])) if len(inner) == 2 else (None, None)

    def parts(value: Any) -> Iterable[tuple[str | int, Any, Kind]]:
        for key, part in value.items():
            if of_keys is not None:
                yield "a key of {name}", key, of_keys
            if of_values is not None:
                yield f"{{name}}[{described(key).replace('{', '{{').replace('}', '}}')}]", part, of_values

    return Kind("a dictionary", "dictionaries", lambda value: isinstance(value, Mapping), parts)


def _is_sequence(value: Any) -> bool:
    return (isinstance(value, Sequence | KeysView | ValuesView) and not isinstance(value, bytes)) or _is_array(value)


def _is_iterable(value: Any) -> bool:
    if not isinstance(value, Iterable) or isinstance(value, bytes | type):
        return False
    return _is_array(value) or not hasattr(value, "__array__")


def _is_array(value: Any) -> bool:
    """Arrays, Series and indexes, which are no sequences by name; a DataFrame is none, for its elements are column names."""
    return hasattr(value, "__array__") and getattr(value, "ndim", 0) >= 1 and not hasattr(value, "columns")


def _is_rational(value: Any) -> bool:
    """Tell whether this is an exact number, of no more digits than are taken."""
    if type(value) is int:
        # Most are, and an abstract class takes its time.
        return bool(value.bit_length() <= _MOST_BITS)
    if isinstance(value, bool) or not isinstance(value, Rational):
        return False
    longest = max(int(value.numerator).bit_length(), int(value.denominator).bit_length())
    return bool(longest <= _MOST_BITS)


def _is_whole(value: Any) -> bool:
    return (type(value) is int or isinstance(value, Integral)) and _is_rational(value)


def _is_real(value: Any) -> bool:
    return isinstance(value, Real) and (_is_rational(value) or not isinstance(value, bool | Rational))


def _is_float(value: Any) -> bool:
    """Tell whether this is a number that a float can hold."""
    return _is_real(value) and not (isinstance(value, Rational) and not -_LARGEST <= value <= _LARGEST)


def _is_text_or_number(value: Any) -> bool:
    return isinstance(value, str | Decimal) or _is_real(value)


_MOST_BITS = (10**DIGITS).bit_length()
"""How long the numerator and the denominator of a number may be."""

_LARGEST = Fraction(sys.float_info.max)
_NUMBER = Kind("a finite number, such as 2, 0.2 or '1/5'", "finite numbers", _is_text_or_number)
_EXACT = Kind("an exact number, an int or a Fraction", "exact numbers", _is_rational)
_PLAIN: dict[Any, Kind | None] = {
    Any: None,
    typing.Self: None,
    None: Kind("None", "None", lambda value: value is None),
    type(None): Kind("None", "None", lambda value: value is None),
    int: Kind("a whole number", "whole numbers", _is_whole),
    float: Kind("a number", "numbers", _is_float),
    bool: Kind("True or False", "truths", lambda value: type(value).__name__ in ("bool", "bool_")),
    str: Kind("text", "texts", lambda value: isinstance(value, str)),
    Fraction: _EXACT,
    os.PathLike: Kind("a path", "paths", lambda value: isinstance(value, os.PathLike)),
}
