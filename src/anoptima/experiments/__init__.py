"""Experiments: solvers side by side, and pictures of what they find."""
