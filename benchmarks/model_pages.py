"""Writes docs/models.md from the models' own docstrings: `python -m benchmarks.model_pages [--write]`; without it, prints the page.

The bounds of relaxations and the sizes are computed while the page is made, on the ten rows and on each problem's own small examples.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
from pathlib import Path
from typing import Any

import anoptima as ao
from anoptima.exact import exact_text
from anoptima.html import first_sentence
from anoptima.models import models
from anoptima.models.base import Language, Model
from anoptima.registry import is_for
from anoptima.testing.examples import examples_for

PAGE = Path(__file__).parents[1] / "docs" / "models.md"
KS = (2, 3, 4, 5)
_LANGUAGES = {Language.PYOMO: "Pyomo", Language.CP_SAT: "CP-SAT"}

HEAD = """# Models

Every formulation, as its own file describes it. `python -m benchmarks.model_pages --write` makes this page, and a test compares it with the
code. A formulation *for study* is deliberately weaker than another: `auto` never chooses it.

```python
import anoptima as ao

problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4))
bounds = ao.lp_bounds(problem)                          # all formulations of the problem, the best bound first
built = ao.get_model("pattern").build(problem)
relaxation = built.relaxation("highs")                  # bound, values, reduced costs, prices, each with its meaning
built.program.z[0].fix(0)                               # change the program by any means of Pyomo or CP-SAT
answer = ao.solve_model(built, "highs")                 # solve it as changed; the answer says what follows for the problem
```

A bound of a relaxation is proved in exact arithmetic from the solver's prices. A change that only restricts a program gives a checked
solution and no bound for the problem; any other change gives the program's own objective and bound, and no claim about the problem.
"""


def page() -> str:
    """Return the page."""
    return "\n".join([HEAD, _bounds(), *map(section, models.all())])


def section(model: Model[Any]) -> str:
    """Return what the page says of one model."""
    problem = next(problem for problem in examples_for(model) if problem.why_infeasible() is None)
    study = ", for study" if model.for_study else ""
    twin = f" Its relaxation is that of its twin, `{model.twin}`." if model.twin else ""
    size = str(model.estimate(problem)).rpartition(",")[0]
    about = inspect.getdoc(importlib.import_module(type(model).__module__)) or ""
    return "\n".join(
        [
            f"## `{model.name}`",
            "",
            f"*{first_sentence(model).rstrip('.')}; written in {_LANGUAGES[model.language]}{study}.*{twin}",
            "",
            f"Size, on the first example of {problem.name}: at most {size}.",
            "",
            "```text",
            about,
            "```",
            "",
        ]
    )


def _bounds() -> str:
    problems = {k: ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(k)) for k in KS}
    bounds = {k: ao.lp_bounds(problem) for k, problem in problems.items()}
    names = [model.name for model in models.all() if is_for(model, problems[KS[0]])]
    costs = " | ".join(exact_text(ao.solve(problem).cost or 0) for problem in problems.values())
    rows = []
    for name in names:
        cells = [bounds[k]["LP bound"][name] for k in KS]
        by = bounds[KS[0]]["by"][name] or "no relaxation"
        rows.append(f"| `{name}` | {by} | {' | '.join('' if cell != cell else f'{cell:.2f}' for cell in cells)} |")
    return "\n".join(
        [
            "## Relaxations on the ten rows",
            "",
            f"| model | relaxation of | {' | '.join(f'k = {k}' for k in KS)} |",
            f"|{'---|' * (2 + len(KS))}",
            *rows,
            f"| *optimum* | | {costs} |",
            "",
        ]
    )


def main() -> None:
    """Write or print the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page())


if __name__ == "__main__":
    main()
