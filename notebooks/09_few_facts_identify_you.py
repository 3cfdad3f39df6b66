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
# # 9. Few facts identify you
#
# A set of columns is a *key* if no two different rows agree on all of it. Anyone who knows a key of a table knows every person in it.
# How small is the smallest key, and how does it grow with the table?

# %%
import matplotlib.pyplot as plt

import anoptima as ao

census = ao.census().frame


def sample(rows, seed=1):
    return ao.Table.from_frame(census.sample(rows, random_state=seed), quasi=list(census.columns))


# %%
rows = 50
answer = ao.solve(ao.IdentifyingColumns(sample(rows)))
print(answer)
print("the key:", sorted(answer.require_solution().names))

# %% [markdown]
# **Change one number.** Set `rows` to 20, 100 and 200. Which column joins the key first?
#
# ## Growth, and the key for nine people in ten
#
# In a larger table more people share the same facts, so it takes more facts to tell them apart. An attacker may be content with nine
# people in ten: fewer columns may make that many unique. In a large table no set of columns does, because too many people agree on
# all of them.


# %%
def smallest(rows, share):
    table = sample(rows)
    problem = ao.IdentifyingColumns(table) if share is None else ao.IsolatingColumns(table, share)
    return ao.solve(problem).cost if problem.why_infeasible() is None else None


# %% alt="Both curves grow with the sample to all eight columns, that for nine in ten later; beyond a thousand people it ends."
sizes = [10, 20, 50, 100, 150, 200, 300, 400, 500, 1000, 2000]
figure, axes = plt.subplots(figsize=(5.6, 3), layout="constrained")
for share, label in ((None, "distinguish all rows"), ("9/10", "nine rows in ten unique")):
    costs = [smallest(size, share) for size in sizes]
    axes.plot(sizes, [float("nan") if cost is None else cost for cost in costs], "o-", markersize=4, label=label)
axes.set(xscale="log", xlabel="people in the sample", ylabel="columns in the smallest set")
axes.xaxis.set_major_formatter("{x:,g}")
_ = axes.legend()

# %% [markdown]
# Even all eight columns do not make everyone unique: 30,162 people fall into 18,109 classes of equal rows. A key tells *different* rows
# apart.
#
# **Exercise 1.** Which is the smallest sample, in steps of ten people with seed 1, that needs all eight columns?

# %% tags=["solution"] jupyter={"source_hidden": true}
print(next(size for size in range(10, 1000, 10) if smallest(size, None) == 8), "people")

# %% [markdown]
# **Exercise 2.** Which share of the whole table do all eight columns make unique?

# %% tags=["solution"] jupyter={"source_hidden": true}
share = ao.isolated_share(ao.census(), list(census.columns), k=2)
print(share, "=", f"{float(share):.1%}")
