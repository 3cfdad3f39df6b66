# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Why hiding people by fake data is hard: a formula made of boxes
#
# The fewest fake boxes for a picture full of boxes: that is as hard as finding out whether a formula can be satisfied. The proof is a
# machine that turns a formula into boxes. Here it runs.
#
# (Alvarez, Chambers, Kozma: *Privacy by Fake Data: A Geometric Approach*, Theorem 1.)

# %%
import anoptima as ao
from anoptima.experiments.plots_planar import plot_formula, plot_stackwork
from anoptima.reductions import reductions
from anoptima.reductions.planar_three_sat_to_fake_boxes import PlanarThreeSatToFakeBoxes

formula = ao.Formula(3, [(1, 2, 3), (1, -2), (-1, 2), (-1, -2, -3)])
problem = ao.PlanarThreeSat(formula)
reduced = PlanarThreeSatToFakeBoxes().apply(problem)
print(problem.size())
print(reduced.target.size())

# %% [markdown]
# ## Patches
#
# Boxes are stacked so that every place lies in none or in at least $k = 2$ of them, except for small *patches*, which lie in one box too
# few. A fake box may lie anywhere near them and does no harm. So all that is asked for is: **cover the patches by as few boxes as
# possible.** A box has room for two patches that are neighbours on a wire, never for more.

# %%
plot_stackwork(reduced)

# %% [markdown]
# ## Loops and wires
#
# A closed loop of $2\mu$ patches needs $\mu$ boxes, and there are two ways to take its patches in pairs: these are *true* and *false*.
# A clause is a patch in a circle with a wire to each of its literals. Its wires' patches and the one in the circle are one too many to be
# taken in pairs. But where a loop is in the right state, one of its boxes (fat outline) has room for the end of the wire as well.
#
# The assignment $x_1 = x_2 =$ true, $x_3 =$ false serves every clause, and so the number of boxes is the threshold.

# %%
assignment = ao.TruthAssignment.of([1, 2])
fakes = reduced.push(assignment)
print(
    "threshold:",
    reduced.threshold(),
    " fakes:",
    reduced.target.cost(fakes),
    " faults:",
    reduced.target.violations(fakes),
)
plot_formula(reduced, fakes)

# %% [markdown]
# ## Finding it the other way round
#
# Nobody must know the assignment. The fewest windows that cover the patches come from a program, and the formula's assignment is read
# off the loops.

# %%
cover = reduced.patches.target
answer = ao.solve(cover, "patch-windows/highs")
print(answer)
print("true:", sorted(reduced.patches.pull(answer.require_solution()).true))

# %% [markdown]
# ## A formula that cannot be satisfied
#
# All four clauses of two literals on two variables: one fails, whatever the values. Then the threshold is not enough, and one box more is.

# %%
from anoptima.instances.formulas import all_two_literal_clauses

four = PlanarThreeSatToFakeBoxes().apply(all_two_literal_clauses())
best = ao.solve(four.patches.target, "patch-windows/highs")
print("threshold:", four.threshold(), " fewest:", best.cost)
plot_formula(four, ao.TruthAssignment.of([1]))

# %% [markdown]
# ## Any planar formula
#
# The variables must stand on a line, with every clause above it or below it. Where a planar formula does not allow that, the line
# crosses some wires, and every crossing becomes a copy of a variable.

# %%
faces = [(apex, *pair) for apex in (1, 2) for pair in ((3, 4), (4, 5), (3, 5))]
edges = [(1, 3), (1, 4), (1, 5), (2, 3), (2, 4), (2, 5), (3, 4), (4, 5), (3, 5)]
edges += [(corner, middle) for middle, face in enumerate(faces, start=6) for corner in face]
triangulation = ao.PlanarThreeSat(ao.Formula(11, edges))
line = reductions.get("planar-3-sat-to-rectilinear-3-sat").apply(triangulation)
print("copies:", line.target.size()["variables"] - 11, " order on the line:", line.target.embedding.order)

# %% [markdown]
# ## Your turn
#
# Change one sign: is the formula still satisfiable, and where does the box too many go?

# %%
sign = -1
yours = ao.PlanarThreeSat(ao.Formula(2, [(1, 2), (sign * 1,), (-2,)]))
made = PlanarThreeSatToFakeBoxes().apply(yours)
fewest = ao.solve(made.patches.target, "patch-windows/highs")
print("threshold:", made.threshold(), " fewest:", fewest.cost)
plot_formula(made, made.boxes.push(fewest.require_solution()))
