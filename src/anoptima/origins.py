"""Where things come from, and which plug-in is to blame for an error."""

from __future__ import annotations

import traceback
from importlib.metadata import EntryPoint
from types import FrameType
from typing import Any, Protocol

from anoptima.errors import BadInput, PluginFailure


class Named(Protocol):
    """Something with a name that a person types."""

    @property
    def name(self) -> str:
        """The name."""


OURS = "anoptima"

SORTS: dict[type[Any], str] = {}
"""The classes that plug-ins derive from, with the word for what they are; every registry enters its own."""

_origins: dict[type[Any], str] = {}
"""The distributions that classes came from, through their entry points."""


def origin_of(thing: object) -> str:
    """Return the distribution that a thing, or a class, comes from; the module of one that no distribution declares.

    >>> from anoptima import get_model
    >>> origin_of(get_model("pattern"))
    'anoptima'
    """
    made = thing if isinstance(thing, type) else type(thing)
    declared = next((_origins[one] for one in made.__mro__ if one in _origins), None)
    module = made.__module__.partition(".")[0]
    return module if declared is None or module == OURS else declared


def with_origin(thing: Named) -> str:
    """Return a thing's name, with the distribution of one that is not ours."""
    origin = origin_of(thing)
    return thing.name if origin == OURS else f"{thing.name} (of {origin})"


def note_origin(thing: object, point: EntryPoint) -> None:
    """Keep in mind which distribution a thing, or a class, came from."""
    made = thing if isinstance(thing, type) else type(thing)
    if point.dist is not None:
        _origins[made] = str(point.dist.name)


def blamed(error: BaseException) -> PluginFailure | None:
    """Return a failure that names the plug-in in whose method `error` was raised, and the method; None where none of them was at work.

    Of several inside one another it is the innermost: a principle that a solver asks, and not the solver.
    """
    if isinstance(error, PluginFailure):
        return error
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    for place in reversed(range(len(frames))):
        thing = _at_work(frames[place])
        if thing is not None:
            while place and _at_work(frames[place - 1]) is thing:
                place -= 1
            words = f"the {_sort(thing)} {_name(thing)} (of {origin_of(thing)})"
            asked = frames[place].f_code.co_name
            what = "the function that is registered for it" if asked == "_" else f"its {asked}"
            return PluginFailure(thing, words, f"{what} raises {raised(error)}")
    return None


def at_fault(thing: Named, error: BaseException, asked: str) -> tuple[str, str]:
    """Return who is to blame for an error that came when `thing` was asked something, and what it does wrong."""
    failure = blamed(error)
    if failure is not None and failure.thing is not thing:
        return failure.solver, failure.what
    return with_origin(thing), f"{asked}, it raises {raised(error)}"


def raised(error: BaseException) -> str:
    """Return what an error says, on one line, with its class unless it is about bad input.

    >>> raised(KeyError("a"))
    "KeyError: 'a'"
    """
    words = said(error)
    return words if isinstance(error, BadInput) else " ".join(f"{type(error).__name__}: {words}".split())


def said(error: BaseException) -> str:
    """Return what an error says. One of a plug-in may fail even at that.

    >>> class Wordless(Exception):
    ...     def __str__(self):
    ...         raise ValueError
    >>> said(Wordless())
    'it cannot say what is wrong (its __str__ raises ValueError)'
    """
    try:
        return str(error)
    except Exception as another:  # noqa: BLE001  (whatever a plug-in does wrong, the answer is worth more)
        return f"it cannot say what is wrong (its __str__ raises {type(another).__name__})"


def _at_work(frame: FrameType) -> object | None:
    """Return the plug-in whose method a frame runs, or what a function of its own is told first; None if it runs none, or one of ours."""
    if str(frame.f_globals.get("__name__")).startswith(f"{OURS}."):
        return None
    code, told = frame.f_code, frame.f_locals
    if issubclass(_class(thing := told.get("self", told.get("cls"))), tuple(SORTS)):
        return thing
    thing = told.get(code.co_varnames[0]) if code.co_argcount else None
    return thing if issubclass(_class(thing), tuple(SORTS)) and origin_of(thing) != OURS else None


def _class(thing: object) -> type[Any]:
    return thing if isinstance(thing, type) else type(thing)


def _sort(thing: object) -> str:
    return next(word for kind, word in SORTS.items() if issubclass(_class(thing), kind))


def _name(thing: object) -> str:
    words = (getattr(thing, "name", None), getattr(thing, "kind", None), _class(thing).__name__)
    return next(word for word in words if isinstance(word, str) and word)
