"""Copies are what slices would be, and no loop sets a slice to an array: numba compiles a message about shapes with each."""

from __future__ import annotations

import ast
import importlib
import inspect

import numpy as np
import pytest

from anoptima.solvers.compiling.loops import MODULES
from anoptima.solvers.exact.sifting.kernels import (
    distinct,
    outweighed,
    repair_board,
    shares,
    total_variation,
    whole_rows,
)
from anoptima.solvers.exact.sifting.kernels.copying import copy_to

PARTS = [module.__name__ for module in (distinct, outweighed, repair_board, shares, total_variation, whole_rows)]
"""Modules of parts alone."""


def test_as_many_numbers_are_copied_as_are_asked_for() -> None:
    target = np.zeros(4, dtype=np.int64)
    copy_to(target, np.array([3, 1, 2]), 2)
    assert target.tolist() == [3, 1, 0, 0]


@pytest.mark.parametrize("name", [*MODULES, *PARTS])
def test_no_loop_sets_a_slice_to_an_array(name: str) -> None:
    found = [
        ast.unparse(node)
        for node in ast.walk(ast.parse(inspect.getsource(importlib.import_module(name))))
        if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Constant | ast.UnaryOp)
        for target in node.targets
        if isinstance(target, ast.Subscript) and any(isinstance(part, ast.Slice) for part in ast.walk(target.slice))
    ]
    assert not found
