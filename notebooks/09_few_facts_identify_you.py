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


def smallest_key(rows, seed=1):
    sample = census.sample(rows, random_state=seed)
    return ao.solve(ao.IdentifyingColumns(ao.Table.from_frame(sample, quasi=list(census.columns))))


# %%
rows = 50
answer = smallest_key(rows)
print(answer)
print("the key:", sorted(answer.require_solution().names))

# %% [markdown]
# **Change one number.** Set `rows` to 20, 100 and 200. Which column joins the key first?
#
# ## Growth
#
# In a larger table more people share the same facts, so it takes more facts to tell them apart.

# %% alt="Steps: the smallest key grows with the sample, from two or three columns for a few people to all eight."
sizes = [10, 20, 50, 100, 150, 200, 300, 400, 500, 1000]
figure, axes = plt.subplots(figsize=(5.6, 3), layout="constrained")
for seed in (1, 2, 3):
    axes.plot(sizes, [smallest_key(size, seed).cost for size in sizes], "o-", markersize=3, label=f"seed {seed}")
axes.set(xscale="log", xlabel="people in the sample", ylabel="columns in the smallest key")
_ = axes.legend()

# %% [markdown]
# All eight columns do not make everyone unique: 30,162 people fall into 18,109 classes of equal rows. A key tells *different* rows apart.
#
# **Exercise.** Which is the smallest sample, in steps of ten people with seed 1, that needs all eight columns?

# %% tags=["solution"] jupyter={"source_hidden": true}
print(next(size for size in range(10, 1000, 10) if smallest_key(size).cost == 8), "people")
