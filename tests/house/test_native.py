"""HiGHS and CP-SAT live in one process, whichever came first.

Their wheels bring native libraries, and some versions bring the same one twice: highspy 1.15 and ortools 9.15 both load
a libhighs.so.1, and the second import fails. pyproject.toml keeps to versions that get along; this test notices when
they no longer do.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.processes import PATIENCE

HIGHS = """
import highspy
highs = highspy.Highs()
highs.setOptionValue("output_flag", False)
highs.addVariable(0, 5)
highs.changeColCost(0, -1.0)
highs.changeColIntegrality(0, highspy.HighsVarType.kInteger)
highs.run()
assert highs.getInfo().objective_function_value == -5, "HiGHS solves"
"""
CP_SAT = """
from ortools.sat.python import cp_model
model = cp_model.CpModel()
model.maximize(model.new_int_var(0, 5, "x"))
solver = cp_model.CpSolver()
solver.parameters.num_workers = 1
assert solver.solve(model) == cp_model.OPTIMAL and solver.objective_value == 5, "CP-SAT solves"
"""


@pytest.mark.parametrize(
    "program", [HIGHS + CP_SAT + HIGHS, CP_SAT + HIGHS + CP_SAT], ids=["highs-first", "cp-sat-first"]
)
def test_both_solvers_in_one_process(program: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
