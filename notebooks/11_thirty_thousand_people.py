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
# # 11. 30,162 people, proved
#
# The census table has 30,162 people. With all eight columns, the program over its patterns has millions of variables. `sifting` never
# writes it down: it raises a bound and improves a release until the two meet. Four columns take seconds.

# %%
import matplotlib.pyplot as plt

import anoptima as ao

k = 5
problem = ao.CellSuppression(ao.census("four"), ao.KAnonymity(k))
answer = ao.solve(problem, time_limit=30)
print(answer)
print(answer.verify())

# %% [markdown]
# ## Bound and release over time
#
# You can stop at any moment and keep the release and the bound. The gap between them is what nobody knows yet.

# %% alt="Cost and bound over time: the cost falls and the bound rises until they meet."
axes = ao.plots.trace([answer])
axes.figure.set_size_inches(6, 3.4)

# %% [markdown]
# ## What is starred

# %% alt="Bars: stars in each of the four columns; most of the stars are in the age column."
stars = problem.stars(answer.require_solution()).sum(axis=0)
figure, axes = plt.subplots(figsize=(5.6, 2.4), layout="constrained")
bars = axes.barh(problem.table.quasi, stars)
_ = axes.bar_label(bars, fmt="{:,.0f}", padding=3)
axes.margins(x=0.15)
axes.xaxis.set_major_formatter("{x:,.0f}")
_ = axes.set_xlabel("stars")

# %% [markdown]
# **Change one number.** Set `k` to 2, 10 and 50. Which column pays?
#
# **Exercise.** With six columns the last per cent takes most of the time. Stop at a gap of 1 %. What would more time give you?

# %% tags=["solution"] jupyter={"source_hidden": true}
six = ao.CellSuppression(ao.census("six"), ao.KAnonymity(5))
print(ao.solve(six, gap=0.01, time_limit=60))

# %% [markdown] tags=["solution"]
# <details><summary>Solution in words</summary>
#
# The release is already within 1 % of the minimum, with a proof. More time mostly raises the bound: the release gets little better, but
# you know *how* good it is. Whether that is worth ten minutes depends on who asks.
#
# </details>
