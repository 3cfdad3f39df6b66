"""Models of the problems that the reductions start from: two or more programs a problem, one in Pyomo and one in CP-SAT at least."""
