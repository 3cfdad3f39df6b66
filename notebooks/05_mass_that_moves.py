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
# # 5. Diversity and closeness: mass that moves
#
# Three patients look alike, and all three have cancer. The release is 3-anonymous and keeps no secret. *Diversity* limits the share
# of each disease in a group. *Closeness* asks that a group's diseases are distributed nearly as in the whole table.

# %%
import matplotlib.pyplot as plt

import anoptima as ao

table = ao.ten_rows()
for principle in (ao.KAnonymity(3), ao.LDiversity(2), ao.KAnonymity(3) & ao.LDiversity(2)):
    print(ao.solve(ao.CellSuppression(table, principle)).cost, "stars under", principle)

# %% [markdown]
# ## The earth mover's distance
#
# How far is a group from the whole table? Move shares of the group until its distribution $P$ is the table's distribution $Q$. Moving a
# share costs the share times the distance. The cost of the cheapest plan is the earth mover's distance. Here any two diseases are at
# distance 1:
#
# $$\text{EMD}(P, Q) = \min_{f \ge 0} \sum_{v,w} d(v, w) f_{vw} \quad\text{where}$$
#
# $$\sum_w f_{vw} = P_v,\quad \sum_v f_{vw} = Q_w.$$

# %% alt="Bars of the diseases in the group, all cancer, and in the whole table; arrows move 0.3 to viral and 0.3 to heart."
axes = ao.plots.emd(table, [7, 8, 9])

# %% [markdown]
# The group's cancer has share 1, the table's 2/5; so 3/5 has to move. Under $t$-closeness with $t < 3/5$ this group is forbidden.
#
# ## The cost of closeness
#
# The cost falls in steps. **Change one number.** Add your own $t$ to the list, for instance `"1/4"`.

# %% alt="Steps: the optimal cost falls from 70 at t = 0 over 67, 64, 52, 50 and 32 to 0 at t = 7/10."
from fractions import Fraction

ts = sorted(Fraction(t) for t in ("0", "1/15", "1/10", "3/10", "2/5", "3/5", "7/10"))
costs = [ao.solve(ao.CellSuppression(table, ao.TCloseness(t))).cost for t in ts]
figure, axes = plt.subplots(figsize=(5.6, 3), layout="constrained")
axes.step([*map(float, ts), 1], [*costs, costs[-1]], where="post")
for t, cost in zip(ts, costs, strict=True):
    axes.annotate(cost, (float(t), cost), (3, 3), textcoords="offset points")
_ = axes.set(xlabel="t", ylabel="stars", ylim=(-3, 80))

# %% [markdown]
# ## Not all diseases are equally far apart
#
# A hierarchy makes "heart" and "viral" nearer to each other than to "cancer". Every group moves the same mass, but over shorter ways.

# %%
space = ao.Hierarchical({"not cancer": ["viral", "heart"], "tumour": ["cancer"]})
for t in ("1/5", "3/10", "2/5"):
    equal, tree = (
        ao.solve(ao.CellSuppression(table, ao.TCloseness(t, space=s))).cost for s in (ao.EqualDistance(), space)
    )
    print(f"t = {t}: {equal} stars with equal distances, {tree} with the hierarchy")

# %% [markdown]
# **Exercise.** At $t = 0$ the answer stars 70 of 80 cells. Why must it be a single group?

# %% [markdown] tags=["solution"]
# <details><summary>Solution</summary>
#
# The table has 3 viral, 3 heart and 4 cancer among 10 rows. A group at distance 0 has exactly these shares. Its size is then a multiple
# of 10, because 3, 4 and 10 have no common divisor but 1. Only the whole table is such a group. It stars the seven columns on which rows
# differ and keeps `zip1`, which is 9 everywhere: 7 times 10 stars.
#
# </details>
