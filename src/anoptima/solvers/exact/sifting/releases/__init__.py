"""Releases: a first one, and the ways to better ones."""
