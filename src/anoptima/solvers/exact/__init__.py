"""Exact algorithms: optimal without a backend."""
