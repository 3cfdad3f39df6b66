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
# # 2. One optimum, many programs
#
# One question can be written as many different programs. All have the same optimum. They differ in their *linear relaxation*: the
# minimum once integer variables may be fractions. A solver starts from it, and the closer it is to the optimum, the less the solver has
# to search.

# %%
import pyomo.environ as pyo

import anoptima as ao

k = 4
problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(k))
optimum = ao.solve(problem).cost
print("optimum:", optimum)

# %% [markdown]
# ## The pattern program
#
# A group is published as a *pattern* $p$: some columns fixed, the others starred. Pattern $p$ has $c_p$ stars; $x_{pr}$ of the $s_r$
# rows of type $r$ are published as $p$; $z_p = 1$ if $p$ is used at all:
#
# $$\min \sum c_p x_{pr} \quad\text{subject to}$$
#
# $$\sum_p x_{pr} = s_r,\quad x_{pr} \le s_r z_p,\quad \sum_r x_{pr} \ge k z_p .$$

# %% alt="Bars: the bound of each formulation's linear relaxation, and a line at the optimum; pattern and groups come closest."
bounds = ao.lp_bounds(problem)
axes = ao.plots.bounds(bounds, optimum)

# %% [markdown]
# `pattern` and `groups` come closest. `assignment` is nearly 0: its relaxation lets every row be a small part of every group.
#
# ## A relaxation is a proof
#
# The solver's prices, rounded to fractions, prove the bound in exact arithmetic. The solver is not trusted.

# %%
built = ao.get_model("pattern").build(problem)
print(built.relaxation("highs"))

# %% [markdown]
# **Change one number.** Set `k` to 2, 3 and 5. For which $k$ does the relaxation of `pattern` leave a gap?
#
# **Exercise.** The constraints $x_{pr} \le s_r z_p$ link the rows to their patterns. Add them up into one link per pattern,
# $\sum_r x_{pr} \le S_p z_p$, where $S_p$ is the number of rows that $p$ matches. The integer solutions stay the same. What happens to
# the bound, for $k = 2, 3, 4, 5$?

# %% tags=["solution"] jupyter={"source_hidden": true}
program, links = built.program, {}
for row in program.link.values():
    x, z = row.body.linear_vars
    links.setdefault(z.name, []).append((x, z, -row.body.linear_coefs[1]))
program.link.deactivate()
program.added_up = pyo.ConstraintList()
for of_pattern in links.values():
    most = sum(rows for _, _, rows in of_pattern)
    program.added_up.add(sum(x for x, _, _ in of_pattern) <= most * of_pattern[0][1])
print("links added up:", round(float(built.relaxation("highs").bound), 6))

# %% tags=["solution"] jupyter={"source_hidden": true}
for size in (2, 3, 4, 5):
    asked = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(size))
    bound = ao.lp_bounds(asked)["LP bound"].round(6)
    print(
        f"k = {size}: weak {bound['pattern-aggregated']:g}, strong {bound['pattern']:g}, optimum {ao.solve(asked).cost}"
    )

# %% [markdown] tags=["solution"]
# <details><summary>Solution in words</summary>
#
# The weak bounds are 45, 52, 60, 62; the strong ones 46, 54, 62, 65; the optima 46, 54, 64, 65. With the strong links, only $k = 4$
# leaves a gap. With a weak link, a pattern that publishes few of the $S_p$ rows it matches need only be open by a small fraction $z_p$,
# and then has to publish only $k z_p$ rows.
#
# </details>
