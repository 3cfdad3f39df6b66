"""Kinds of problems: what the graph of reductions has for nodes. A problem's own name, or a special case of one.

A reduction is for a kind and makes a kind. Whatever is for a kind is for its special cases, too: what takes k-anonymity takes
half-anonymity, where k is half of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

GENERAL: Mapping[str, str] = {
    "k-anonymity": "cell-suppression",
    "half-anonymity": "k-anonymity",
    "share-anonymity": "k-anonymity",
    "t-closeness": "cell-suppression",
}
"""From a special case to the kind that it is a case of."""

MEANING: Mapping[str, str] = {
    "k-anonymity": "cell suppression under k-anonymity",
    "half-anonymity": "k-anonymity with k half of the rows",
    "share-anonymity": "k-anonymity with k a share c of the rows",
    "t-closeness": "cell suppression under t-closeness",
}
"""What special cases are."""


def and_more_general(kind: str) -> Iterator[str]:
    """Yield a kind, then the kind that it is a case of, and so on.

    >>> list(and_more_general("half-anonymity"))
    ['half-anonymity', 'k-anonymity', 'cell-suppression']
    """
    yield kind
    while kind in GENERAL:
        kind = GENERAL[kind]
        yield kind
