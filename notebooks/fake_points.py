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
# # Fake points: hiding a person by company that does not exist
#
# Nine people, two measurements each. Whoever knows both of somebody's measurements to within a unit asks for all records in a *test
# box*: a square of side 1. If the box holds a single record, that is the person. So let every test box hold **no record or at least
# $k$**, by adding fake records, the same ones for every question. How few will do?
#
# (Alvarez, Chambers, Kozma: *Privacy by Fake Data: A Geometric Approach*.)

# %%
import anoptima as ao
from anoptima.experiments.plots_points import plot_before_and_after, plot_points

people = [(0.8, 2.4), (0.6, 1.3), (1.4, 0.9), (2.1, 0.9), (2.3, 1.1), (1.7, 1.4), (2.0, 1.6), (1.7, 1.8), (2.1, 2.0)]
square = [(0, 3), (0, 3)]
problem = ao.FakePoints(people, k=3, domain=square)
plot_points(problem)

# %% [markdown]
# ## Exactly
#
# Copying everybody until there are $k$ of each is always a solution. The exact answer comes from a program with one whole number for
# each place on a grid that the data span, and it is checked: coordinates are fractions, and every kind of test box is looked at.

# %%
print("copying everybody:", problem.cost(problem.trivial()))
answer = ao.solve(problem, time_limit=120)
print(answer)
print(answer.verify())

# %% [markdown]
# ## Two views of one question
#
# Above: points, and one of the test boxes that fail. Below: every point is the square of the *corners* of the test boxes that hold it,
# and the question is how many squares lie on each other. Red places lie in too few.

# %%
plot_before_and_after(problem, answer.require_solution())

# %% [markdown]
# The view is a problem of its own, with the same optimum.

# %%
boxes = ao.FakeBoxes.of(problem)
print(ao.solve(boxes, "fake-depths/cp-sat", time_limit=120))
print(boxes.as_points() == problem)

# %% [markdown]
# ## Less can be more, and more can be less
#
# A fake point may do harm. Two people in one place are fine for $k = 2$; a fake beside them stands alone in some test box.

# %%
pair = ao.FakePoints([(0, 0), (0, 0)], k=2)
print(pair.violations(ao.AddedPoints()))
print(pair.violations(ao.AddedPoints([(0.5, 0)]))[0])
print(pair.violations(ao.AddedPoints([(0.5, 0), (0.5, 0)])))

# %% [markdown]
# ## The border matters
#
# On a line of length 1.2, two points at 0.5 and 0.7 are in every test box that fits: no fake is needed. If test boxes may stick out,
# two are.

# %%
line, two = [(0, 1.2)], [(0.5,), (0.7,)]
print("test boxes inside the domain:", ao.solve(ao.FakePoints(two, 2, line)).cost)
print("test boxes anywhere:         ", ao.solve(ao.FakePoints(two, 2)).cost)
print("the paper's Definition 3:    ", ao.solve(ao.FakePoints(two, 2, line, "dual")).cost)

# %% [markdown]
# ## Your turn
#
# Change one number: how many fakes does $k = 2$ need, and where do they go?

# %%
k = 3
yours = ao.FakePoints(people, k, square)
plot_points(yours, ao.solve(yours, time_limit=120).require_solution())
