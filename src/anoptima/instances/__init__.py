"""Instances: named tables and problems that come with the package."""
