"""Approximations: feasible quickly, within a ratio where a theorem says so; baselines, and starts for exact solvers."""
