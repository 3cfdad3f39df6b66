"""Groups of exactly k rows: a linear program over those proves as much as one over all groups, on tables of any width.

`kernel` and `pricing` find the groups that gain at given worths, `program` has the linear program over some groups, `bound` adds groups
until none gains, and `release` makes a release of what it leaves. The algorithm is `group-prices`.
"""
