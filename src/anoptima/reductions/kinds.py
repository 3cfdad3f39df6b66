"""Kinds of problems, the nodes of the graph of reductions: a problem's own name, or a special case of one.

A reduction leads from a kind to a kind. What takes a kind also takes its special cases: half-anonymity, where k is half of the rows,
is k-anonymity.
"""

from __future__ import annotations

from collections.abc import Mapping

GENERAL: Mapping[str, str] = {
    "k-anonymity": "cell-suppression",
    "2-anonymity": "k-anonymity",
    "2-diversity": "cell-suppression",
    "half-anonymity": "k-anonymity",
    "share-anonymity": "k-anonymity",
    "t-closeness": "cell-suppression",
}
"""From a special case to the kind that it is a case of."""

MEANING: Mapping[str, str] = {
    "k-anonymity": "cell suppression under k-anonymity",
    "2-anonymity": "k-anonymity with k = 2",
    "2-diversity": "cell suppression under frequency 2-diversity",
    "half-anonymity": "k-anonymity with k half of the rows",
    "share-anonymity": "k-anonymity with k a share c of the rows",
    "t-closeness": "cell suppression under t-closeness",
    "rectilinear-3-sat": "planar 3-SAT with its variables on a line",
}
"""Descriptions of the special cases."""
