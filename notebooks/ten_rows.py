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
# # Ten patients: privacy as an optimisation problem
#
# Ten patients, eight quasi-identifying columns (five digits of a zip code, two of the age, education) and a disease. Nobody's name
# is in the table, yet every row is unique, so whoever knows where a patient lives and how old they are reads off the disease.

# %%
import matplotlib.pyplot as plt

import anoptima as ao

table = ao.ten_rows()
table.frame

# %% [markdown]
# What does the table satisfy as it stands? Nothing: the largest $k$ is 1.

# %%
print(ao.check(table, ao.KAnonymity(3), ao.LDiversity(2)))

# %% [markdown]
# ## The question
#
# Partition the rows into groups of at least $k$. In each group, star every column on which its rows differ; then the rows of a
# group look alike. A group $S$ costs $|S|$ times the number of its bad columns. **What is the least number of stars?**
#
# There are 115,975 partitions of ten rows, so for ten rows one could look at all of them. The problem is NP-hard from $k = 3$ on, so
# for real tables one cannot.
#
# ## The model
#
# A group is published as a *pattern*: some columns fixed, the others starred. With $c_p$ stars in pattern $p$, $x_{pr}$ rows of type $r$
# published as $p$, and $z_p = 1$ if $p$ is used at all,
#
# $$\min \sum c_p x_{pr} \quad\text{subject to}\quad \sum_p x_{pr} = s_r,\qquad x_{pr} \le s_r z_p,\qquad \sum_r x_{pr} \ge k z_p .$$
#
# Only *closed* patterns matter (the common part of the rows they match), and only those that match $k$ rows.

# %%
problem = ao.CellSuppression(table, ao.KAnonymity(3))
model = ao.get_model("pattern")
print(model.estimate(problem))

# %% [markdown]
# ## Exact beside approximate
#
# The exact answer comes from a mixed-integer solver, but nothing is taken from it on trust: the partition is checked and its cost is
# counted again from the table. The approximation has a theorem: at most `ratio` times the optimum.

# %%
exact = ao.solve(problem)
greedy = ao.solve(problem, "greedy-patterns")
peeled = ao.solve(problem, "peel")
for answer in (exact, greedy, peeled):
    print(answer)
    print("   ", answer.verify())
print("the theorem promises at most", ao.get_solver("greedy-patterns").ratio(problem), "times the optimum")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(13, 3.6))
ao.plots.release(exact, left)
ao.plots.release(peeled, right)
figure.tight_layout()

# %% [markdown]
# ## The price of privacy
#
# How much more does a larger $k$ cost? Every solver that is for the problem, side by side.

# %%
ks = [2, 3, 4, 5]
solvers = ["pattern/highs", "greedy-patterns", "peel"]
runs = ao.compare([ao.CellSuppression(table, ao.KAnonymity(k)) for k in ks], solvers)
runs

# %%
axes = ao.plots.costs(runs)
axes.axhline(table.cells, color="grey", linewidth=0.8)
axes.set_title("stars out of 80 cells")
# %% [markdown]
# ## A group of three can still tell
#
# In the release above, rows 8, 9 and 10 all have cancer: 3-anonymous, and no secret at all. *Diversity* asks that no disease makes up
# more than half of a group; *closeness* that a group's diseases are distributed nearly as in the whole table.

# %%
principles = [
    ao.KAnonymity(3),
    ao.LDiversity(2),
    ao.KAnonymity(3) & ao.LDiversity(2),
    ao.TCloseness(0.2),
    ao.TCloseness("1/10"),
]
for principle in principles:
    print(f"{principle!s:45} {ao.solve(ao.CellSuppression(table, principle))}")

# %% [markdown]
# ## Your turn
#
# Change one number: what does $t = 0$ cost, and why is the answer a single group?

# %%
t = "1/10"
ao.solve(ao.CellSuppression(table, ao.TCloseness(t))).release
