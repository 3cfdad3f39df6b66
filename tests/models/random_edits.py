"""Edits of a Pyomo program, drawn at random: whatever Pyomo has that changes what a program says."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pyomo.environ as pyo
import pyomo.gdp as gdp
import pyomo.mpec as mpec
from pyomo.common.modeling import unique_component_name


def columns(m: Any, dice: random.Random, count: int) -> list[Any]:
    everything = list(m.component_data_objects(pyo.Var, active=True))
    return dice.sample(everything, min(count, len(everything)))


def rows(m: Any) -> list[Any]:
    return list(m.component_data_objects(pyo.Constraint, active=True))


def expression(m: Any, dice: random.Random) -> Any:
    return sum(dice.choice([-2, -1, 1, 2, 0.5]) * x for x in columns(m, dice, 3))


def fresh(m: Any, name: str, component: Any) -> Any:
    m.add_component(unique_component_name(m, name), component)
    return component


def add_row(m: Any, dice: random.Random) -> None:
    body = expression(m, dice)
    fresh(
        m, "row", pyo.Constraint(expr=body <= dice.randint(0, 2) if dice.random() < 0.7 else body == dice.randint(0, 1))
    )


def drop_row(m: Any, dice: random.Random) -> None:
    dice.choice(rows(m)).deactivate()


def fix(m: Any, dice: random.Random) -> None:
    (x,) = columns(m, dice, 1)
    x.fix(dice.choice([0, 1, 1, 0.5, 2]), skip_validation=True)


def bound(m: Any, dice: random.Random) -> None:
    (x,) = columns(m, dice, 1)
    x.setub(dice.randint(0, 3)) if dice.random() < 0.5 else x.setlb(dice.randint(0, 1))


def change_domain(m: Any, dice: random.Random) -> None:
    (x,) = columns(m, dice, 1)
    x.domain = dice.choice([pyo.Binary, pyo.NonNegativeReals, pyo.NonNegativeIntegers, pyo.PercentFraction])


def add_block(m: Any, dice: random.Random) -> None:
    block = fresh(m, "part", pyo.Block())
    block.y = pyo.Var(bounds=(0, 2), domain=dice.choice([pyo.Reals, pyo.Integers]))
    block.least = pyo.Constraint(expr=expression(m, dice) + block.y >= 1)
    if dice.random() < 0.3:
        block.deactivate()


def other_objective(m: Any, dice: random.Random) -> None:
    next(m.component_data_objects(pyo.Objective, active=True)).deactivate()
    fresh(m, "goal", pyo.Objective(expr=expression(m, dice) + dice.randint(0, 3)))


def maximise(m: Any, dice: random.Random) -> None:
    next(m.component_data_objects(pyo.Objective, active=True)).sense = pyo.maximize


def row_with_a_parameter(m: Any, dice: random.Random) -> None:
    p = fresh(m, "p", pyo.Param(initialize=1, mutable=True))
    part = fresh(m, "named", pyo.Expression(expr=expression(m, dice)))
    (x,) = columns(m, dice, 1)
    fresh(m, "row", pyo.Constraint(expr=part + p * x <= 2 * p))
    p.set_value(dice.choice([0, 2, 3]))


def disjunction(m: Any, dice: random.Random) -> None:
    x, y = columns(m, dice, 2)
    for z in (x, y):
        z.setub(3)
    fresh(m, "either", gdp.Disjunction(expr=[[x >= 1, y <= 0], [x <= 0, y >= 1]]))


def other_row(m: Any, dice: random.Random) -> None:
    dice.choice(rows(m)).set_value(expression(m, dice) <= 2)


def relaxed(m: Any, dice: random.Random) -> None:
    pyo.TransformationFactory("core.relax_integer_vars").apply_to(m)


def delete_row(m: Any, dice: random.Random) -> None:
    row = dice.choice(rows(m))
    component = row.parent_component()
    if component.is_indexed():
        del component[row.index()]
    else:
        m.del_component(component)


def add_blocks(m: Any, dice: random.Random) -> None:
    chosen = columns(m, dice, 3)

    def rule(block: Any, i: int) -> None:
        block.y = pyo.Var(bounds=(0, 2), domain=dice.choice([pyo.Reals, pyo.Integers]))
        block.least = pyo.Constraint(expr=block.y + chosen[i] >= dice.randint(0, 2))

    fresh(m, "parts", pyo.Block(range(len(chosen)), rule=rule))[dice.randrange(len(chosen))].deactivate()


def add_logic(m: Any, dice: random.Random) -> None:
    flags = [x for x in m.component_data_objects(pyo.Var) if x.is_binary() and not x.fixed]
    if not flags:
        return
    b = fresh(m, "b", pyo.BooleanVar(range(3)))
    b[0].associate_binary_var(dice.choice(flags))
    fresh(m, "logic", pyo.LogicalConstraint(expr=dice.choice([pyo.exactly(2, *b.values()), b[0].implies(b[1])])))
    if dice.random() < 0.5:
        b[1].fix(dice.random() < 0.5)


def complement(m: Any, dice: random.Random) -> None:
    x, y = columns(m, dice, 2)
    for z in (x, y):
        z.setlb(0)
        z.setub(3)
    fresh(m, "never", mpec.Complementarity(expr=mpec.complements(x >= 0, y >= 0)))


def disjuncts(m: Any, dice: random.Random) -> None:
    x, y = columns(m, dice, 2)
    for z in (x, y):
        z.setlb(0)
        z.setub(3)
    one, other = fresh(m, "one", gdp.Disjunct()), fresh(m, "other", gdp.Disjunct())
    one.v = pyo.Var(bounds=(0, 2))
    one.row = pyo.Constraint(expr=x + one.v >= dice.randint(0, 3))
    other.row = pyo.Constraint(expr=y <= dice.randint(0, 1))
    fresh(m, "either", gdp.Disjunction(expr=[one, other]))
    if dice.random() < 0.3:
        one.indicator_var.fix(dice.random() < 0.5)


def other_expression(m: Any, dice: random.Random) -> None:
    part = fresh(m, "named", pyo.Expression(expr=expression(m, dice)))
    fresh(m, "row", pyo.Constraint(expr=part <= dice.randint(0, 2)))
    part.set_value(expression(m, dice))


def pieces(m: Any, dice: random.Random) -> None:
    (x,) = columns(m, dice, 1)
    x.setlb(0)
    x.setub(2)
    y = fresh(m, "y", pyo.Var())
    how = dice.choice(["INC", "DCC", "BIGM_BIN", "MC"])
    points: Any = {"pw_pts": [0, 1, 2], "f_rule": [0, 1, 1]}
    fresh(m, "pieces", pyo.Piecewise(y, x, pw_constr_type="EQ", pw_repn=how, **points))


EDITS: list[Callable[[Any, random.Random], None]] = [
    add_row,
    add_row,
    drop_row,
    fix,
    bound,
    bound,
    change_domain,
    add_block,
    other_objective,
    row_with_a_parameter,
    disjunction,
    other_row,
    relaxed,
    delete_row,
    add_blocks,
    add_logic,
    complement,
    disjuncts,
    other_expression,
    pieces,
]
