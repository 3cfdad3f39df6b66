"""A test of many seeds in one loop."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Test = Callable[..., None]


def each(name: str, values: Iterable[object]) -> Callable[[Test], Test]:
    """Run a test once for each of `values`, as a single test, where `pytest.mark.parametrize` makes a test of every value.

    A failure names the value at which the loop has stopped. What the test patches is set back after every value.
    """
    values = tuple(values)
    assert values, f"{name} has no values"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def loop(**fixtures: Any) -> None:
            monkeypatch = fixtures.pop("monkeypatch", None)
            for value in values:
                try:
                    if monkeypatch is None:
                        test(**fixtures, **{name: value})
                    else:
                        with monkeypatch.context() as patches:
                            test(**fixtures, **{name: value}, monkeypatch=patches)
                except pytest.skip.Exception:
                    raise AssertionError(f"{name} {value!r} would skip all that come after it") from None
                except Exception as error:
                    error.add_note(f"at {name} = {value!r}")
                    raise

        signature = inspect.signature(test)
        others = [parameter for parameter in signature.parameters.values() if parameter.name != name]
        loop.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return loop

    return decorate
