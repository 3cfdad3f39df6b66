"""Solvers of linear programs, which give prices beside values: one file each."""
