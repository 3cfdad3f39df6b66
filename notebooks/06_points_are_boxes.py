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
# # 6. Points are boxes: hiding people among people who do not exist
#
# Nine people, two measurements each. Anyone who knows somebody's measurements to within one unit asks for all records in a *test box*,
# a square of side 1. If the box holds a single record, that is the person. So add fake records until every test box holds **none or at
# least $k$** records. How few fakes are enough? (Alvarez, Chambers, Kozma: *Privacy by Fake Data: A Geometric Approach*.)

# %%
import anoptima as ao

people = [(0.8, 2.4), (0.6, 1.3), (1.4, 0.9), (2.1, 0.9), (2.3, 1.1), (1.7, 1.4), (2.0, 1.6), (1.7, 1.8), (2.1, 2.0)]
k, width, square = 3, 1, [(0, 3), (0, 3)]
problem = ao.FakePoints(people, k, square, widths=[width, width])

# %% [markdown]
# ## Exactly
#
# Copying everybody until there are $k$ of each always works. The optimum needs fewer fakes. Only the places of a finite grid matter, so an
# integer program finds it, and a checker that knows no solver looks at every kind of test box.

# %%
print("copying everybody:", (k - 1) * len(people))
answer = ao.solve(problem, time_limit=60)
print(answer)
print(answer.verify())

# %% [markdown]
# ## Two views of one question
#
# Top row, *primal*: points, and a test box. Bottom row, *dual*: each point becomes a square, made of the lower left corners of all test
# boxes that hold the point. A test box with $j$ records becomes a place where $j$ squares overlap. Red places lie in too few squares.

# %% alt="Four pictures: people and a failing test box, then with fakes; below, the overlapping squares with red places, then none."
figure = ao.plots.before_and_after(problem, answer.require_solution())
figure.set_size_inches(7.4, 7.4)

# %%
boxes = ao.FakeBoxes.of(problem)
print(ao.solve(boxes, time_limit=60))

# %% [markdown]
# ## A fake can do harm
#
# Two people in one place are fine for $k = 2$. A fake *beside* them stands alone in some test box.

# %%
pair = ao.FakePoints([(0, 0), (0, 0)], k=2)
print(pair.violations(ao.AddedPoints()))
print(pair.violations(ao.AddedPoints([(0.5, 0)]))[0])

# %% [markdown]
# **Change one number.** Set `width` to 2 (a test box then holds more people; pictures measure in widths) or `k` to 4,
# and run the notebook again.
#
# **Exercise.** $k = 3$ needs 13 fakes. Guess how many $k = 2$ needs, then compute. Is the answer half?

# %% tags=["solution"] jupyter={"source_hidden": true} alt="The nine people with the fewest fakes for k = 2."
two = ao.FakePoints(people, 2, square)
axes = ao.plots.points(two, ao.solve(two, time_limit=60).require_solution())

# %% [markdown] tags=["solution"]
# <details><summary>Solution in words</summary>
#
# Six fakes, fewer than half of 13. For $k = 2$ one neighbour in the test box is enough; for $k = 3$ two have to be there, which is rarer.
#
# </details>
