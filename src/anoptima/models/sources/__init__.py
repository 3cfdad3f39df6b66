"""Models of the source problems of the reductions: at least two programs for each, one in Pyomo and one in CP-SAT."""
