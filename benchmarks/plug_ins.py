"""What a plug-in of each kind costs to write and to check: `python -m benchmarks.plug_ins [--only KIND]`.

Each package is written by `anoptima new`, installed in a folder of its own, and put to the test by `anoptima conform`: as it is written,
and changed into another plug-in (`plug_ins_own`). Prints the lines of code of the module (without empty lines, comments and docstrings),
the lines that the change wrote, the checks, and the CPU seconds that they take with all processes. Exits 1 if one does not conform.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import tokenize
from pathlib import Path

from anoptima.cli.new import KINDS, package
from benchmarks.measure import print_table
from benchmarks.plug_ins_own import BODIES, OWN

SOURCES = Path(__file__).parents[1] / "src"

SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
"""Tokens that make no line one of code."""


def main() -> int:
    """Write, install, check, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", default="", help="text in the name of the kind")
    options = parser.parse_args()
    rows, good = [], True
    for kind in (kind for kind in KINDS if options.only in kind):
        name = name_of(kind)
        written = package(kind, name)
        module = next(text for place, text in written.items() if place.startswith("src/"))
        conforms, checks, seconds = conformed(kind, name, module)
        changed = own(kind, module)
        conforms_too, _, seconds_too = conformed(kind, name, changed)
        conforms = conforms and conforms_too
        row = [kind, f"{code_lines(module)}", f"{module.count('Yours')}", f"{checks}", f"{seconds:.0f}"]
        row += [f"{lines_written(module, changed)}", f"{seconds_too:.0f}"]
        good = good and conforms
        rows.append([*row, "yes" if conforms else "NO"])
        print(*rows[-1], sep="  ", flush=True)
    what = ["kind", "lines of code", "places", "checks", "CPU s", "lines of another", "CPU s", "conforms"]
    print_table(what, rows)
    return 0 if good else 1


def name_of(kind: str) -> str:
    """Return the name of the plug-in that is written."""
    return "vertex-cover-to-minimum-cover" if kind == "reduction" else f"own-{kind}"


def own(kind: str, module: str) -> str:
    """Return the module of another plug-in, made from the one that was written."""
    for old, new in OWN[kind]:
        assert module.count(old) == 1, (kind, old)
        module = module.replace(old, new)
    if kind in BODIES:
        begins, body = BODIES[kind]
        module = module[: module.index(begins)] + body
    return module


def code_lines(module: str) -> int:
    """Return the number of lines that have code on them."""
    said = {
        line
        for node in ast.walk(ast.parse(module))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    tokens = tokenize.generate_tokens(io.StringIO(module).readline)
    return len({token.start[0] for token in tokens if token.type not in SILENT} - said)


def lines_written(before: str, after: str) -> int:
    """Return how many lines of `after` are not in `before`."""
    changes = difflib.ndiff(before.splitlines(), after.splitlines())
    return sum(line.startswith("+ ") and bool(line[2:].strip()) for line in changes)


def conformed(kind: str, name: str, module: str) -> tuple[bool, int, float]:
    """Install a module as a distribution, and tell whether it conforms, by how many checks, and the CPU seconds that they took."""
    with tempfile.TemporaryDirectory() as folder:
        place, made = f"anoptima_{name.replace('-', '_')}", "".join(word.capitalize() for word in name.split("-"))
        Path(folder, f"{place}.py").write_text(module, encoding="utf-8")
        declared = Path(folder, f"{place}-0.1.0.dist-info")
        declared.mkdir()
        (declared / "METADATA").write_text(f"Metadata-Version: 2.1\nName: anoptima-{name}\nVersion: 0.1.0\n")
        (declared / "entry_points.txt").write_text(f"[{KINDS[kind].group}]\n{name} = {place}:{made}\n")
        paths = os.pathsep.join([folder, str(SOURCES)])
        before = cpu_seconds()
        done = subprocess.run(
            [sys.executable, "-m", "anoptima", "conform", name, "--json", "--quiet"],
            env={**os.environ, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=False,
        )
        found = json.loads(done.stdout)
        for check in found["checks"]:
            if check["state"] == "red":
                print(f"{name}: {check['check']}: {check['words']}", file=sys.stderr)
        return found["conforms"], len(found["checks"]), cpu_seconds() - before


def cpu_seconds() -> float:
    """Return the CPU seconds of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
