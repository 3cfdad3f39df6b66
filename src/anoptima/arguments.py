"""Arguments of public functions are held against their annotations, so that a wrong one is refused in a sentence.

`@checked` stands above a public function or class. What a plug-in raises below one comes out as an error that names it. The annotations are
the only specification: what a signature says is what is allowed. Whatever an annotation leaves open (`Any`, a type variable) is left to the
function. Collections are looked into where that uses nothing up; NumPy and pandas ones are taken as they are.

>>> @checked
... def repeat(word: str, times: int = 2) -> str:
...     return word * times
>>> repeat("a", times="3")
Traceback (most recent call last):
anoptima.errors.BadInput: times is '3'; it must be a whole number
"""

from __future__ import annotations

import enum
import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from anoptima.argument_kinds import Kind, described, kind_from, kinds_of
from anoptima.errors import AnoptimaError, BadInput
from anoptima.origins import blamed

T = TypeVar("T")

_OPERATORS = ("__init__", "__and__", "__rand__")
"""What is checked beside methods with public names."""


def checked(thing: T) -> T:
    """Hold every call's arguments against the annotations; of a class, the calls of its constructor and its own public methods."""
    if isinstance(thing, type):
        for name, member in list(vars(thing).items()):
            if name in _OPERATORS or not name.startswith("_"):
                if isinstance(member, classmethod | staticmethod):
                    setattr(thing, name, type(member)(_checked_function(member.__func__, thing)))
                elif inspect.isfunction(member):
                    setattr(thing, name, _checked_function(member, thing))
        return thing
    return typing.cast(T, _checked_function(typing.cast(Any, thing)))


def _checked_function(function: Callable[..., Any], owner: type | None = None) -> Callable[..., Any]:
    """Wrap a function. Its annotations are looked at when it is first called: they may name what is defined further down."""
    code = function.__code__
    places = code.co_varnames[: code.co_argcount]
    rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if code.co_flags & inspect.CO_VARARGS else None
    kinds: dict[str, Kind] = {}
    by_place: list[tuple[int, str, Kind]] = []
    ready = False

    def prepare() -> None:
        nonlocal ready
        kinds.update(kinds_of(function, owner))
        by_place.extend((place, name, kinds[name]) for place, name in enumerate(places) if name in kinds)
        ready = True

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        if not ready:
            prepare()
        # Too many arguments, and names that there are not, are for Python to refuse.
        given = len(args)
        for place, name, kind in by_place:
            if place >= given:
                break
            if not kind.takes(value := args[place]):
                raise BadInput(_refusal(kinds, name, kind, value) + _from_frame(owner, value))
        if rest is not None and rest in kinds:
            for value in args[len(places) :]:
                if not kinds[rest].takes(value):
                    raise BadInput(_refusal({}, rest, kinds[rest], value))
        for name, value in named.items():
            if name in kinds and not kinds[name].takes(value):
                raise BadInput(_refusal(kinds, name, kinds[name], value) + _from_frame(owner, value))
        try:
            return function(*args, **named)
        except (AnoptimaError, MemoryError, OSError):
            raise
        except (Exception, SystemExit) as error:
            failure = blamed(error)
            if failure is None:
                raise
            raise failure from error

    return call


def _refusal(kinds: Mapping[str, Kind], name: str, kind: Kind, value: Any) -> str:
    """Say what is wrong with an argument, and whether it was meant for another one."""
    meant = [f"; a {type(value).__name__} is given as {other}=" for other, at in kinds.items() if value in at]
    return f"{kind.fault(value, name)}{''.join(meant[:1])}"


def _from_frame(owner: type | None, value: Any) -> str:
    """Name the constructor that takes a DataFrame, where the class has one."""
    takes = type(value).__name__ == "DataFrame" and hasattr(owner, "from_frame")
    return f"; {owner.__name__}.from_frame takes a DataFrame" if owner is not None and takes else ""


class Choice(enum.Enum):
    """An enumeration whose members are looked up by value; a value that none has is refused with a list of those that there are."""

    @classmethod
    def _missing_(cls, value: object) -> Any:
        there = ", ".join(repr(member.value) for member in cls)
        raise BadInput(f"there is no {cls.__name__} {described(value)}; it must be one of {there}")


def kind_of(function: Callable[..., Any], name: str) -> Kind | None:
    """Return what an argument of a function may be; None where its annotation leaves that open.

    >>> kind_of(require, "name").words
    'text'
    """
    return kinds_of(inspect.unwrap(function), None).get(name)


def require(value: Any, annotation: Any, name: str) -> None:
    """Raise `BadInput` if `value` is not what an annotation says.

    >>> require("x", int, "k")
    Traceback (most recent call last):
    anoptima.errors.BadInput: k is 'x'; it must be a whole number
    """
    kind = kind_from(annotation)
    if kind is not None and not kind.takes(value):
        raise BadInput(kind.fault(value, name))
