"""What every backend promises (`solvers.backends.base`), asked in every language that it takes."""

from __future__ import annotations

from collections.abc import Iterator

from anoptima.models.base import Language
from anoptima.solvers.backends.base import Backend
from anoptima.testing import backend_answers, backend_conduct  # noqa: F401  (their checks are listed once they are imported)
from anoptima.testing.backend_demands import Subject, about_itself, about_linear_programs, in_any_language
from anoptima.testing.checks import Check


def check_backend(backend: Backend) -> Iterator[Check]:
    """Yield a check of every promise that `backend` makes. One that is not here has no other than that.

    >>> from anoptima.solvers.backends.highs import Highs
    >>> next(check_backend(Highs()))()
    Verdict(subject='highs', check='it says what it is', state=<State.GREEN: 'green'>, words='', fault=None)
    """
    availability = backend.availability()
    if not availability:
        yield Check(backend.name, "it is here", lambda: availability.why or "it does not say why it cannot be used")
        return
    yield from about_itself.of(backend.name, backend)
    for language in sorted(backend.languages, key=lambda language: language.value):
        suffix = f" ({language.value})" if len(backend.languages) > 1 else ""
        yield from in_any_language.of(backend.name, Subject(backend, language), suffix)
    if Language.PYOMO in backend.languages:
        yield from about_linear_programs.of(backend.name, backend)
