"""`anoptima new`: a package for a plug-in of one's own, which installs and conforms from the first minute and says where to write."""

from __future__ import annotations

import keyword
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from anoptima.cli import arguments as shared
from anoptima.cli.reply import Reply
from anoptima.errors import BadInput
from anoptima.models import models
from anoptima.principles import principle_kinds
from anoptima.problems.base import problem_kinds
from anoptima.reductions import reductions
from anoptima.solvers import algorithms
from anoptima.solvers.backends import registry as backends
from anoptima.solvers.exact.sifting.searchers import searchers

EXAMPLES = (
    "anoptima new algorithm sort-and-cut",
    "anoptima new backend my-solver --folder ~/plug-ins",
)


@dataclass(frozen=True)
class Kind:
    """A kind of plug-in: its entry-point group, the suite that checks it, what refuses a name that is taken, and whether the suite takes
    the class rather than a thing of it.
    """

    group: str
    check: str
    require_free: Callable[[str], None]
    takes_class: bool = False


KINDS: Mapping[str, Kind] = {
    "algorithm": Kind("anoptima.solvers", "check_solver", algorithms.require_free),
    "backend": Kind("anoptima.backends", "check_backend", backends.require_free),
    "model": Kind("anoptima.models", "check_model", models.require_free),
    "principle": Kind("anoptima.principles", "check_principle", principle_kinds.require_free, takes_class=True),
    "problem": Kind("anoptima.problems", "check_problem", problem_kinds.require_free, takes_class=True),
    "reduction": Kind("anoptima.reductions", "check_reduction", reductions.require_free),
    "searcher": Kind("anoptima.searchers", "check_searcher", searchers.require_free),
}
"""Each has its module in `anoptima.templates`."""

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("kind", choices=KINDS, metavar="KIND", help=f"the kind of plug-in: {', '.join(KINDS)}")
    parser.add_argument("name", metavar="NAME", help="the name that users type; for a reduction, SOURCE-to-TARGET")
    parser.add_argument("--folder", type=Path, default=Path(), help="the folder to make the package in (default: here)")
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Write the package."""
    folder = arguments.folder.expanduser() / f"anoptima-{arguments.name}"
    texts = package(arguments.kind, arguments.name)
    KINDS[arguments.kind].require_free(arguments.name)
    if folder.exists():
        raise BadInput(f"{folder} is there already; choose another name, or another --folder")
    for place, text in texts.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")
    main = next(place for place in texts if place.startswith("src/"))
    text = (
        f"{folder} is written. It works as it is:\n\n"
        f"  python -m pip install -e {folder}\n"
        f"  anoptima conform {arguments.name}\n\n"
        f"Then make it yours: {folder / main} says where."
    )
    return Reply(text, {"kind": arguments.kind, "name": arguments.name, "files": [str(folder / one) for one in texts]})


def package(kind: str, name: str) -> dict[str, str]:
    """Return the files of a package by their places in its folder.

    >>> for place in package("algorithm", "sort-and-cut"):
    ...     print(place)
    pyproject.toml
    README.md
    src/anoptima_sort_and_cut.py
    tests/test_sort_and_cut.py
    """
    if not _NAME.fullmatch(name):
        raise BadInput(f"{name!r} is no name: it must be lower-case words of letters and digits, joined by '-'")
    if kind == "reduction" and not all(name.partition("-to-")):
        raise BadInput(
            f"{name!r} is no name for a reduction: it must be SOURCE-to-TARGET, the names of the two problems"
        )
    its, words = KINDS[kind], name.replace("-", "_")
    module, made = f"anoptima_{words}", "".join(word.capitalize() for word in name.split("-"))
    text = (files("anoptima.templates") / f"{kind}.py").read_text(encoding="utf-8")
    if keyword.iskeyword(made) or re.search(rf"\b{made}\b", text):  # None, or what the module imports
        made += kind.capitalize()
    for word, own in (("Template", made), ("anoptima_template", module), ("anoptima-template", f"anoptima-{name}")):
        text = text.replace(word, own)
    text = text.replace('"template"', f'"{name}"')
    return {
        "pyproject.toml": _PYPROJECT.format(name=name, module=module, made=made, group=its.group, kind=kind),
        "README.md": _README.format(name=name, module=module, words=words, kind=kind),
        f"src/{module}.py": text,
        f"tests/test_{words}.py": _TEST.format(
            check=its.check, module=module, made=made, words=words, asked=made if its.takes_class else f"{made}()"
        ),
    }


_PYPROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "anoptima-{name}"
version = "0.1.0"
description = "The {kind} {name} for anoptima"
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["anoptima"]

[project.entry-points."{group}"]
{name} = "{module}:{made}"

[tool.hatch.build.targets.wheel]
sources = ["src"]
only-include = ["src/{module}.py"]
"""

_README = """\
# anoptima-{name}

The {kind} `{name}` for anoptima.

    python -m pip install -e .
    anoptima conform {name}        # every promise, put to the test
    python -m pytest               # the same checks, for your CI

`src/{module}.py` is all there is. It works and conforms as it is; comments that begin with `Yours:` say where to write.
"""

_TEST = '''\
"""Every promise that anoptima's users rely on, put to the test."""

import pytest
from anoptima.testing import {check}
from {module} import {made}


@pytest.mark.parametrize("check", list({check}({asked})), ids=str)
def test_{words}(check):
    check.require()
'''
