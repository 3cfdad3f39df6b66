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
# # One optimum, many programs
#
# The same question can be written as different programs. All have the same optimum. They differ in what is left when the whole numbers are
# dropped: the *linear relaxation*, which is what a solver starts from. The closer its value is to the optimum, the less there is to search.

# %%
import matplotlib.pyplot as plt
import pyomo.environ as pyo

import anoptima as ao

k = 4
problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(k))
optimum = ao.solve(problem).cost
optimum

# %% [markdown]
# ## All formulations side by side
#
# A formulation in CP-SAT has no linear relaxation; where it has a twin in Pyomo, the twin stands in for it.

# %%
bounds = ao.lp_bounds(problem)
bounds.drop(columns="seconds")

# %%
axes = ao.plots.bounds(bounds, optimum)
axes.figure.tight_layout()
plt.show()

# %% [markdown]
# ## What a relaxation says
#
# Each column and row has a meaning, a value and a price. The bound is proved in exact arithmetic from the prices,
# not taken from the solver.

# %%
built = ao.get_model("pattern").build(problem)
relaxation = built.relaxation("highs")
print(relaxation)
relaxation.rows.loc[relaxation.rows["price"] != 0, ["meaning", "price"]].head(10)

# %% [markdown]
# ## Links matter
#
# The rows `link` say $x_{pr} \le s_r z_p$: only open patterns take rows. Add them up to one row a pattern, $\sum_r x_{pr} \le S_p z_p$:
# whole solutions stay the same, and the relaxation gets weaker.

# %%
program = built.program
of_pattern = {}
for row in program.link.values():
    x, z = row.body.linear_vars
    of_pattern.setdefault(z.name, []).append((x, z, -row.body.linear_coefs[1]))
program.link.deactivate()
program.aggregated = pyo.ConstraintList()
for links in of_pattern.values():
    program.aggregated.add(sum(x for x, _, _ in links) <= sum(s for _, _, s in links) * links[0][1])

# %%
weak = built.relaxation("highs")
print("each row linked:", float(relaxation.bound), " links added up:", float(weak.bound), " optimum:", optimum)

# %% [markdown]
# ## A changed program is solved as it is
#
# The aggregated program has lost rows, so nothing is claimed about the problem, although its objective is the same. Restrict a program
# instead, here to one published pattern, and the answer is a release that says that it is restricted.

# %%
print(ao.solve_model(built, "highs"))

# %%
restricted = ao.get_model("pattern").build(problem)
restricted.program.few = pyo.Constraint(expr=sum(restricted.program.z.values()) <= 1)
print(ao.solve_model(restricted, "highs"))

# %% [markdown]
# **Change a number.** Set `k` to 2, 3 and 5. For which `k` does the relaxation of `pattern` leave a gap?
