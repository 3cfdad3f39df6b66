from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd

from anoptima import Table
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.releases.region_conditions import needs_whole, only_grows, opens
from anoptima.solvers.exact.sifting.releases.region_program import Region, RegionProgram
from anoptima.spaces import Explicit
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import PRINCIPLES, optimum_of, problem_of


@each("seed", range(len(PRINCIPLES)))
def test_the_program_of_the_whole_table_has_the_optimum(seed: int) -> None:
    problem = problem_of(seed, 6)
    instance = instance_of(problem)
    everything = Region(instance.arcs.by_record[0].copy(), instance.arcs.copies)
    everything.arcs.sort()
    found = RegionProgram(instance.programs, everything, careful=True).solve(60.0, lambda: False)
    assert found.done
    assert found.release is not None
    assert instance.programs.is_legal(found.release)
    assert instance.programs.cost_of(found.release) == optimum_of(problem) * problem.cost_scale


def test_what_is_said_of_conditions() -> None:
    table = problem_of(0).table

    def conditions(principle: Principle) -> tuple[bool, bool, bool]:
        stated = CellSuppression(table, principle).principle.conditions(table)
        return opens(stated), needs_whole(stated), only_grows(stated)

    assert conditions(KAnonymity(2)) == (True, False, True)
    assert conditions(LDiversity(2, "s")) == (False, False, False)
    assert conditions(LDiversity("5/3", "s"))[1]
    assert conditions(LDiversity(2, "s", version="distinct")) == (True, False, True)
    assert conditions(TCloseness("1/2", column="s") & LDiversity(2, "r"))[1]


def test_rows_flow_from_values_that_a_pattern_may_have_alone() -> None:
    """From each value into each, a table of 400 rows and 60 values has 12 million flows, in gigabytes."""
    rows, chance = 24, np.random.default_rng(0)
    frame = pd.DataFrame(chance.integers(0, 3, (rows, 3)), columns=list("abc")).assign(ill=np.arange(rows))
    distances = [[Fraction(int(i != j) * (10 + (i + j) % 7), 20) for j in range(rows)] for i in range(rows)]
    table = Table.from_frame(frame, list("abc"), "ill")
    instance = instance_of(CellSuppression(table, TCloseness("2/5", space=Explicit(range(rows), distances))))
    arcs = len(instance.arcs.member)
    program = RegionProgram(instance.programs, Region(np.arange(arcs), instance.arcs.copies))
    # Every row has a value of its own, so each arc brings another one.
    others = program.form.columns - arcs * rows
    assert others <= arcs + len(instance.arcs)
