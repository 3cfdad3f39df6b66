"""What every model promises (`models.base`), asked on the small examples that it is for."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from anoptima.errors import ModelTooLarge
from anoptima.exact import Exact
from anoptima.models.base import BuiltModel, Language, Model, Values
from anoptima.problems.base import Problem
from anoptima.testing.checks import Broken, Check, Checklist, demand
from anoptima.testing.examples import describe, examples_for, feasible_solutions

SOLUTIONS = 25
"""How many solutions of an example are sent through a model."""

checklist: Checklist[Model[Any]] = Checklist()


def check_model(model: Model[Any]) -> Iterator[Check]:
    """Yield a check of every promise that `model` makes, but for its optimum: that needs a backend (`testing.table`).

    >>> from anoptima import get_model
    >>> all(check() for check in check_model(get_model("attributes")))
    True
    """
    return checklist.of(model.name, model)


@checklist("there are examples that it is for")
def has_examples(model: Model[Any]) -> None:
    """Without one, nothing else here means anything."""
    demand(next(examples_for(model), None), "it is for none of the examples; let its problem's `examples` yield some")


@checklist("it says what it is not for")
def refuses_other_problems(model: Model[Any]) -> None:
    """`why_not` gives a reason for a problem of another kind."""

    class Other:
        name = "other"

    reason = model.why_not(Other())  # type: ignore[arg-type]
    demand(reason, "it takes a problem of a kind that it cannot know")


@checklist("it is no larger than its estimate")
def keeps_its_estimate(model: Model[Any]) -> None:
    """Variables, constraints and coefficients, as built."""
    for problem, built in _built(model):
        size = built.size
        for what, estimated, actual in zip(
            ("variables", "constraints", "coefficients"),
            (size.variables, size.constraints, size.coefficients),
            _actual(built),
            strict=True,
        ):
            demand(actual <= estimated, f"{describe(problem)}: {actual} {what}, and {estimated} were estimated")


@checklist("a model too large is refused before it is built")
def refuses_to_be_too_large(model: Model[Any]) -> None:
    """`ModelTooLarge` says how large it would be and what is allowed."""
    for problem in examples_for(model):
        try:
            model.build(problem, memory=1)
        except ModelTooLarge as refusal:
            demand("variables" in str(refusal), f"the refusal gives no numbers: {refusal}")
        else:
            raise Broken(f"{describe(problem)} was built in one byte of memory")


@checklist("solutions go in and come out no worse")
def carries_solutions(model: Model[Any]) -> None:
    """An encoded solution satisfies the program, costs there at most what it costs, and decodes to one that is as good."""
    for problem, built in _built(model):
        for cost, solution in _some(problem):
            values = built.encode(solution)
            objective = _objective(built, values, f"{describe(problem)}: encoding {solution}")
            back = built.decode(values)
            wrong = problem.violations(back)
            demand(not wrong, f"{describe(problem)}: {solution} comes back as {back}: {(wrong or [''])[0]}")
            scaled = cost * problem.cost_scale
            demand(objective <= scaled, f"{describe(problem)}: {solution} costs {scaled} and is encoded at {objective}")
            returned = problem.cost(back) * problem.cost_scale
            demand(returned <= objective, f"{describe(problem)}: {objective} decodes to {back}, which costs {returned}")


def _built(model: Model[Any]) -> Iterator[tuple[Problem[Any], BuiltModel[Any]]]:
    for problem in examples_for(model):
        if problem.why_infeasible() is None:
            yield problem, model.build(problem)


def _some(problem: Problem[Any]) -> list[tuple[Exact, Any]]:
    """Return the best solutions and some of the others."""
    found = feasible_solutions(problem)
    if found is None:
        trivial = problem.trivial()
        return [(problem.cost(trivial), trivial)]
    found.sort(key=lambda pair: pair[0])
    return found[: SOLUTIONS // 2] + found[SOLUTIONS // 2 :: max(1, len(found) // (SOLUTIONS // 2))]


def _actual(built: BuiltModel[Any]) -> tuple[int, int, int]:
    if built.language is Language.CP_SAT:
        proto = built.program.proto
        return len(proto.variables), len(proto.constraints), 0
    form = built.matrix
    return form.columns, form.rows, len(form.column)


def _objective(built: BuiltModel[Any], values: Values, what: str) -> Fraction:
    """Return the exact objective at whole `values`, which must satisfy the program."""
    demand(np.array_equal(values, np.rint(values)), f"{what}: a value is not whole")
    whole = [int(value) for value in values.tolist()]
    return _in_cp_sat(built, whole, what) if built.language is Language.CP_SAT else _in_matrix(built, whole, what)


def _in_matrix(built: BuiltModel[Any], values: list[int], what: str) -> Fraction:
    form = built.matrix
    demand(len(values) == form.columns, f"{what}: {len(values)} values for {form.columns} columns")
    for j, (low, value, high) in enumerate(zip(form.lower.tolist(), values, form.upper.tolist(), strict=True)):
        demand(low <= value <= high, f"{what}: column {j} is {value}, outside of [{low:g}, {high:g}]")
    for i in range(form.rows):
        entries = range(int(form.row_start[i]), int(form.row_start[i + 1]))
        total = sum(Fraction(float(form.coefficient[e])) * values[form.column[e]] for e in entries)
        low, high = float(form.row_lower[i]), float(form.row_upper[i])
        demand(low <= total <= high, f"{what}: row {i} is {total}, outside of [{low:g}, {high:g}]")
    costs = zip(form.objective.tolist(), values, strict=True)
    return sum((Fraction(cost) * value for cost, value in costs), Fraction(form.constant))


def _in_cp_sat(built: BuiltModel[Any], values: list[int], what: str) -> Fraction:
    """Let CP-SAT judge, with every variable fixed: it alone knows what all its constraints mean."""
    from ortools.sat.python import cp_model

    proto = built.program.proto
    demand(len(values) == len(proto.variables), f"{what}: {len(values)} values for {len(proto.variables)} variables")
    fixed = built.program.clone()
    for j, value in enumerate(values):
        fixed.add(fixed.get_int_var_from_proto_index(j) == value)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.status_name(solver.solve(fixed))
    demand(status in ("OPTIMAL", "FEASIBLE"), f"{what}: the program does not admit it")
    terms = zip(proto.objective.coeffs, proto.objective.vars, strict=True)
    return sum((Fraction(cost) * values[j] for cost, j in terms), Fraction(proto.objective.offset))
