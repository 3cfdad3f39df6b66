#!/usr/bin/env python3
"""Check a proof that no release of a table costs less than a bound, without trusting the program that made it.

    python3 check_anoptima.py TABLE.csv PROOF.json [--release RELEASE.csv] [--separator CHARACTER] [--shorter FILE]

One file, Python 3.11 or later, the standard library alone: copy it anywhere and read it. `docs/proof-format.md` says what each rule asks,
what it concludes, and why. The sections below have the same names as there.

What is derived here, from your own table, and believed of nobody
    the row types and records, their order and numbers, the patterns and which rows match them, the cost of a star, the principle's
    meaning, the release's stars, groups and cost. The proof's digest is compared with that of your table, to tell you early that it
    is about another one; nothing else rests on it.
What is taken from the proof, as numbers without meaning
    worths, prices, cuts, cases, potentials. Whatever they are, what is concluded is true: bad numbers prove less, or nothing.
What it knows
    nine problems, and seven rules in version 3 of the format: `cases`, `parts`, `row-cases`, `own-bound`, `all-partitions`,
    `hitting-set` and `box-shares`. A rule is a function below of the same name, which raises `Refused` or returns what is proved.
What you trust
    this file, Python's integers, its JSON and its CSV reader, and that the statement printed at the end is the one that you want proved.
What you need to read
    what `--shorter FILE` writes for your proof: a checker without the functions that it never called, about half of this file or less.

All arithmetic is in Python's integers and fractions of them. No float is computed, and none is read.

Exit codes: 0 verified; 1 rejected, with the step; 2 wrong usage; 3 malformed; 4 unknown version or rule; 5 beyond the limits.
"""

from __future__ import annotations

import argparse
import ast
import bisect
import copy
import csv
import functools
import hashlib
import heapq
import io
import itertools
import json
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

VERSION = "anoptima/proof/3"
TABLE_VERSION = "anoptima/proof/2"  # what the digest of a table begins with: that has not changed since

MOST_BYTES, MOST_TABLE_BYTES = 1 << 28, 1 << 30
MOST_LEVELS, MOST_DIGITS = 500, 400
MOST_ROWS, MOST_COLUMNS = 10_000_000, 1_000
MOST_LOOKS = 1 << 32  # pairs of a set of columns and a record, where a proof is about every pattern
MOST_LOOKS_AT_GROUPS, MOST_SETS, MOST_LEAST_SETS, MOST_ROWS_OF_ENTROPY = 1 << 24, 1 << 34, 1 << 80, 100_000
FEW_LOOKS, BALL_LOOKS, OWN_BOUND_WORK = 1 << 16, 10_000_000, 1 << 26
MOST_DIVIDED = 1024
MOST_PARTS = 2_000_000  # of groups of one size of one pattern, along edges


class Refused(Exception):
    """Why a proof is not verified; `code` is the exit code."""

    code, verdict = 1, "REJECTED"

    @classmethod
    def when(cls, is_so: Any, words: str) -> None:
        """Refuse when something is so."""
        if is_so:
            raise cls(words)


class Rejected(Refused):
    """A step does not hold."""


class Malformed(Refused):
    """The file is no proof in canonical form."""

    code, verdict = 3, "MALFORMED"


class UnknownVersion(Refused):
    """The file is of another version, or has a rule that there is not."""

    code, verdict = 4, "UNKNOWN VERSION"


class Beyond(Refused):
    """Larger than the stated limits."""

    code, verdict = 5, "BEYOND THE LIMITS"


# ---------------------------------------------------------------------------------------------------------------- Canonical form


def read_json(content: bytes) -> Any:
    """Return what a JSON text says: no float, no name twice, nothing after its end, and within the limits."""
    Beyond.when(len(content) > MOST_BYTES, f"the proof has more than {MOST_BYTES:,} bytes")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        Malformed.when(len(found := dict(pairs)) < len(pairs), "an object has a field twice")
        return found

    def number(text: str) -> int:
        if len(text) > MOST_DIGITS:
            raise Beyond(f"the proof has a number of more than {MOST_DIGITS} characters")
        if text == "-0" or not text.removeprefix("-").isdigit():
            raise Malformed(f"{text} is no whole number")
        return int(text)

    hooks = dict.fromkeys(("parse_float", "parse_constant", "parse_int"), number)
    try:
        data, level = json.loads(content.decode("utf-8"), object_pairs_hook=once, **hooks), 0  # type: ignore[arg-type]
    except ValueError as error:
        raise Malformed(f"the proof is no JSON text in UTF-8: {error}") from None
    except RecursionError:
        level, data = MOST_LEVELS, [[]]
    nodes = [data]
    while nodes := [node for node in nodes if isinstance(node, dict | list)]:
        nodes = [its for node in nodes for its in (node.values() if isinstance(node, dict) else node)]
        Beyond.when((level := level + 1) > MOST_LEVELS, f"the proof is nested deeper than {MOST_LEVELS} levels")
    return data


def fields(data: Any, where: str, names: str) -> list[Any]:
    """Return the fields of an object that has these and no others."""
    if not isinstance(data, dict) or set(data) != set(names.split()):
        raise Malformed(f"{where} must be an object with the fields {names} and no others")
    return [data[name] for name in names.split()]


def kind_of(data: Any, field: str = "kind") -> str:
    """Return the text that says what an object is; '' if there is none."""
    kind = data.get(field) if isinstance(data, dict) else None
    return kind if isinstance(kind, str) else ""


def whole(value: Any, where: str, least: int | None = None, end: int | None = None) -> int:
    if type(value) is not int or (least is not None and value < least) or (end is not None and value >= end):
        span = ("" if least is None else f" from {least}") + ("" if end is None else f" to {end - 1}")
        raise Malformed(f"{where} must be a whole number{span}")
    return value


def listed(value: Any, where: str, kind: type = list) -> Any:
    """Return a value that is a list, or of another kind."""
    if not isinstance(value, kind):
        raise Malformed(f"{where} must be a {'text' if kind is str else kind.__name__}")
    return value


def wholes(value: Any, where: str, length: int, least: int | None = None) -> list[int]:
    """Return a list of whole numbers; it must have `length` of them."""
    if len(listed(value, where)) != length or any(type(number) is not int for number in value):
        raise Malformed(f"{where} must be a list of {length:,} whole numbers")
    Malformed.when(least is not None and value and min(value) < least, f"{where} has a number below {least}")
    return value  # type: ignore[no-any-return]


def places(value: Any, where: str, end: int) -> tuple[int, ...]:
    """Return a strictly increasing list of whole numbers from 0 to end - 1."""
    return tuple(rising([whole(number, where, 0, end) for number in listed(value, where)], where))


def rising(keys: list[Any], where: str) -> list[Any]:
    try:
        if all(first < second for first, second in itertools.pairwise(keys)):
            return keys
    except TypeError:
        pass  # not even of one kind
    raise Malformed(f"{where} must be sorted, and nothing in it twice")


def entries(value: Any, where: str, names: str, keys: int) -> Iterator[tuple[list[Any], str]]:
    """Yield the fields of each object in a list that is strictly increasing by the first `keys` of them, and its name."""
    named = [f"{where} {number}" for number in range(len(listed(value, f"each {where}")))]
    found = [fields(entry, name, names) for entry, name in zip(value, named, strict=True)]
    rising([entry[:keys] for entry in found], f"the list with {where} 0")
    yield from zip(found, named, strict=True)


def sets_of(value: Any, where: str, end: int) -> list[tuple[int, ...]]:
    """Return a strictly increasing list of such lists."""
    return rising([places(one, where, end) for one in listed(value, where)], where)


def fraction(value: Any, where: str, holds: Callable[[Fraction], bool] = lambda _: True) -> Fraction:
    """Return what [numerator, denominator] says, in lowest terms; `where` says what must hold."""
    number, parts = wholes(value, where, 2)
    if parts < 1 or math.gcd(number, parts) != 1 or not holds(Fraction(number, parts)):
        raise Malformed(f"{where} must be a numerator and a positive denominator in lowest terms")
    return Fraction(number, parts)


def ends(tree: Any, end: str, fork: str, decide: Callable[..., Any], again: bool = True) -> Iterator[Any]:
    """Yield the fields of each end of a tree, and its path: what `decide` reads of each fork, which may be there `again`, and the side."""
    waiting: list[tuple[Any, Any, str]] = [(tree, (), "the tree")]
    one, other = fork.split()[-2:]
    while waiting:
        node, path, where = waiting.pop()
        if isinstance(node, dict) and one in node:
            said = fields(node, where, fork)
            about = decide(said, where)
            Malformed.when(not again and about in dict(path), f"{where} decides again on the same")
            waiting.append((said[-1], (*path, (about, False)), f"{where}.{other}"))
            waiting.append((said[-2], (*path, (about, True)), f"{where}.{one}"))
        else:
            yield fields(node, where, end), path, where


# -------------------------------------------------------------------------------------------------------------------- The table


class Rows:
    """A CSV file: its header, and every row as texts."""

    def __init__(self, path: str, separator: str | None) -> None:
        try:
            with Path(path).open("rb") as stream:
                content = stream.read(MOST_TABLE_BYTES + 1)
            Beyond.when(len(content) > MOST_TABLE_BYTES, f"{path} has more than {MOST_TABLE_BYTES:,} bytes")
            text = content.decode("utf-8-sig")
            header = re.sub('"[^"]*"', "", re.match('[\r\n]*((?:"[^"]*"|[^"\r\n])*)', text)[1])  # type: ignore[index]
            marks = [separator] if separator else [mark for mark in ",;\t|" if mark in header]
            csv.field_size_limit(MOST_TABLE_BYTES)
            lines = csv.reader(io.StringIO(text, ""), delimiter=marks[0] if len(marks) == 1 else ",", strict=True)
            rows = [row for row in lines if row]  # an entirely empty line is none
        except (UnicodeError, csv.Error) as error:
            raise Malformed(f"{path} cannot be read as a CSV file, which is not packed: {error}") from None
        Malformed.when(not rows, f"{path} must have a header")
        self.path, self.header, self.rows = path, rows[0], rows[1:]
        if len(self.rows) > MOST_ROWS or len(self.header) > MOST_COLUMNS:
            raise Beyond(f"{path} may have {MOST_ROWS:,} rows and {MOST_COLUMNS:,} columns")
        Malformed.when(any(len(row) != len(self.header) for row in self.rows), f"{path} has a row of another length")

    def column(self, name: str) -> list[str]:
        if self.header.count(name) != 1:
            words = f"statement: {self.path} has no column {name!r}, or two"
            raise (Malformed if name in self.header else Rejected)(words)
        place = self.header.index(name)
        return [row[place] for row in self.rows]


def digest_of(names: Sequence[str], columns: Sequence[Sequence[str]], quasi: int) -> str:
    """Return the SHA-256 of the table: its size, names and cells, row by row, each as its length in bytes, a colon and itself."""
    sha = hashlib.sha256()
    sizes = [TABLE_VERSION, str(len(columns[0])), str(quasi), str(len(columns) - quasi)]
    for texts in ((*sizes, *names), *zip(*columns, strict=True)):
        for data in (part.encode("utf-8", "surrogatepass") for part in texts):
            sha.update(b"%d:%b," % (len(data), data))
    return sha.hexdigest()


class Column:
    """A column: each row's value as its number, values numbered from 0 as they first occur."""

    def __init__(self, cells: Sequence[str]) -> None:
        number: dict[str, int] = {}
        self.codes = [number.setdefault(cell, len(number)) for cell in cells]
        self.number, self.values, count = number, list(number), Counter(self.codes)
        self.counts = [count[code] for code in number.values()]


class Table:
    """Coded columns, and weights in whole numbers of the cost unit 1 / scale."""

    def __init__(self, quasi: Sequence[Column], weights: Sequence[Fraction], sensitive: dict[str, Column]) -> None:
        self.quasi, self.sensitive, self.exact = quasi, sensitive, weights
        self.scale = math.lcm(*(weight.denominator for weight in weights))
        self.weights = [int(weight * self.scale) for weight in weights]
        self.rows = len(next(iter((*quasi, *sensitive.values()))).codes)


def alike(columns: Sequence[Sequence[Any]], count: int) -> dict[tuple[Any, ...], list[int]]:
    """Return which of the first `count` rows are equal in all columns, by what stands there; each class rises."""
    found = defaultdict[tuple[Any, ...], list[int]](list)
    for row in range(count):
        found[tuple([column[row] for column in columns])].append(row)
    return found


Pattern = tuple[tuple[int, ...], int]  # the columns that it keeps, and its first row type or record


class Ground:
    """The row types of a table (or its records, with the values of `names`), in the order of their codes, and classes of them."""

    def __init__(self, table: Table, names: Iterable[str] = (), every_pattern: bool = True) -> None:
        named = [name for name in table.sensitive if name in set(names)]
        columns = (*table.quasi, *(table.sensitive[name] for name in named))
        count = Counter(zip(*(column.codes for column in columns), strict=True))
        keys, m = sorted(count), len(table.quasi)
        self.copies = [count[key] for key in keys]
        self.codes = [[key[j] for key in keys] for j in range(m)]
        self.value = {"": [0] * len(keys)} | {name: [key[m + j] for key in keys] for j, name in enumerate(named)}
        self.weights, self.total = table.weights, sum(table.weights)
        # Columns of many values come first in walks: they tell apart most.
        self.order = sorted(range(m), key=lambda j: -len(table.quasi[j].values))
        self._on: dict[tuple[int, ...], dict[tuple[int, ...], list[int]]] = {}
        if every_pattern and len(keys) << m > MOST_LOOKS:
            raise Beyond(f"every pattern of {m} columns and {len(keys):,} records is too many to look at")

    def size(self, members: Iterable[int]) -> int:
        return sum([self.copies[record] for record in members])

    def worth(self, worth: Sequence[int]) -> int:
        """Return what all rows are worth."""
        return sum(s * w for s, w in zip(self.copies, worth, strict=True))

    def members(self, kept: tuple[int, ...], example: int) -> list[int]:
        """Return all that agree with `example` on the columns `kept`, rising."""
        if kept not in self._on:
            self._on[kept] = self.classes(kept)
        return self._on[kept][tuple([self.codes[j][example] for j in kept])]

    def classes(self, kept: Sequence[int]) -> dict[tuple[int, ...], list[int]]:
        """Return all that agree on the columns `kept`, by their codes there, each class rising."""
        return alike([self.codes[j] for j in kept], len(self.copies))

    def apart(self, one: int) -> list[int]:
        """Return the distance of each from one: the weight of the columns in which they differ."""
        columns = [(weight, codes, codes[one]) for weight, codes in zip(self.weights, self.codes, strict=True)]
        return [sum([w for w, codes, own in columns if codes[e] != own]) for e in range(len(self.copies))]

    def closed(self, kept: tuple[int, ...], members: list[int]) -> bool:
        """Tell whether the members differ in every column that is not kept."""
        others = (codes for j, codes in enumerate(self.codes) if j not in kept)
        return all(any(codes[record] != codes[members[0]] for record in members) for codes in others)

    def starred(self, kept: tuple[int, ...]) -> int:
        return self.total - sum(self.weights[j] for j in kept)

    def named(self, kept: Any, example: Any, k: int, where: str) -> Pattern:
        """Return the pattern that a proof names, which must be closed and have k rows."""
        columns = places(kept, where, len(self.weights))
        members = self.members(columns, whole(example, where, 0, len(self.copies)))
        if self.size(members) < k or not self.closed(columns, members):
            raise Malformed(f"{where} names no closed pattern of {k} rows or more")
        return columns, members[0]

    def patterns(self, worth: list[int], d: int, k: int, reach: int | None, together: int) -> Iterator[Any]:
        """Yield closed patterns with k rows, those `together` of them that are worth most above their stars, which are less than `reach`.

        Of each: the kept columns, members, stars of a row. The walk decides column by column. `passed` is the weight of the columns that
        are left out already, which all further patterns pay.
        """
        copies, everything = self.copies, sorted(range(len(self.copies)), key=lambda record: -worth[record])
        pay, waiting = d * together, list[tuple[tuple[int, ...], list[int], int, int, int]]()
        if self.size(everything) >= k:
            waiting.append(((), everything, 0, self.total, 0))
        while waiting:
            kept, members, first, starred, passed = waiting.pop()
            top, left = 0, together
            for record in members:
                top += worth[record] * min(left, copies[record])
                if (left := left - copies[record]) <= 0:
                    break
            if top > pay * starred and (reach is None or starred < reach) and self.closed(kept, members):
                yield tuple(sorted(kept)), sorted(members), starred
            for place, column in enumerate(self.order[first:], first + 1):
                if top <= pay * passed or (reach is not None and passed >= reach):
                    break
                codes, parts = self.codes[column], defaultdict[int, list[int]](list)
                for record in members:
                    parts[codes[record]].append(record)
                weight = self.weights[column]
                waiting += [
                    ((*kept, column), part, place, starred - weight, passed)
                    for part in parts.values()
                    if len(part) >= k or sum([copies[record] for record in part]) >= k
                ]
                passed += weight


# -------------------------------------------------------------------------------------------------------------- Distances, principles


SPACES = {"equal": "", "numeric": "", "ordered": "order", "hierarchical": "tree", "matrix": "values denominator matrix"}


class Space:
    """Distances between the values of a column, in whole numbers of 1 / scale: those of a matrix, or along the edges of a tree.

    An edge is a length and a stretch of the values in `order`: those on one side of it. A line is a path, equal distance a star.
    """

    def __init__(self, data: Any, column: Column) -> None:
        self.kind, values, every = kind_of(data), column.values, range(len(column.values))
        Malformed.when(self.kind not in SPACES, f"{self.kind!r} is no kind of space")
        _, *said = fields(data, "the space", f"kind {SPACES[self.kind]}")
        self.order, self.edges, self.matrix = list(every), list[tuple[int, int, int]](), list[list[int]]()
        self.pairs: Any = list(itertools.combinations(every, 2))  # among which some are the steepest
        if self.kind == "equal":
            self.scale, self.edges = 2, [(1, v, v + 1) for v in every]
        elif self.kind == "numeric":
            numbers = [_number(value) for value in values]
            self._line(numbers, max(numbers) - min(numbers))
        elif self.kind == "ordered":
            order = self._known(said[0], values)
            self._line([Fraction(order[value]) for value in values], Fraction(len(order) - 1))
        elif self.kind == "hierarchical":
            self._tree(said[0], values)
        else:
            self._matrix(self._known(said[0], values), whole(said[1], "the denominator", 1), said[2], values)

    @staticmethod
    def _known(data: Any, values: list[str]) -> dict[str, int]:
        known = {listed(value, "a value", str): place for place, value in enumerate(listed(data, "the values"))}
        Malformed.when(len(known) < len(data), "the space has a value twice")
        for value in values:
            Rejected.when(value not in known, f"statement: the value {value!r} has no place in the space")
        return known

    def _line(self, numbers: list[Fraction], span: Fraction) -> None:
        self.order = sorted(self.order, key=numbers.__getitem__)
        self.pairs = list(itertools.pairwise(self.order))
        steps = [(numbers[w] - numbers[v]) / (span or 1) for v, w in self.pairs]
        self.scale = math.lcm(*(step.denominator for step in steps))
        self.edges = [(int(step * self.scale), 0, place) for place, step in enumerate(steps, 1)]

    def _tree(self, tree: Any, values: list[str]) -> None:
        leaves, depths, number = list[str](), set[int](), {value: v for v, value in enumerate(values)}
        self.order = []

        def walk(node: Any, depth: int) -> None:
            first = len(self.order)
            if isinstance(node, str):
                leaves.append(node)
                depths.add(depth)
                self.order += [number[node]] if node in number else []
            elif not (below := [*node.values()] if isinstance(node, dict) else listed(node, "a node")):
                raise Malformed("a node of the hierarchy has no leaves")
            else:
                for child in below:
                    walk(child, depth + 1)
            if depth and len(self.order) > first:
                self.edges.append((1, first, len(self.order)))

        walk(tree, 0)
        Malformed.when(len(depths) != 1, "the hierarchy's leaves must be at one depth")
        self._known(leaves, values)
        self.scale = 2 * max(depths) or 1

    def _matrix(self, known: dict[str, int], parts: int, said: Any, values: list[str]) -> None:
        d = [wholes(row, "a row of the matrix", len(known), 0) for row in listed(said, "the matrix")]
        every = range(len(known))
        wrong = (d[i][j] > parts or d[i][j] != d[j][i] or (d[i][j] == 0) != (i == j) for i in every for j in every)
        if len(d) != len(known) or any(wrong):
            raise Malformed("the matrix must be square, symmetric, 0 on its diagonal alone, and at most 1")
        if any(d[i][k] > d[i][j] + d[j][k] for i in every for j in every for k in every):
            raise Malformed("the matrix breaks the triangle inequality")
        self.scale = math.lcm(*(Fraction(d[known[v]][known[w]], parts).denominator for v in values for w in values))
        self.matrix = [[d[known[v]][known[w]] * self.scale // parts for w in values] for v in values]

    def emd(self, counts: Sequence[int], total: Sequence[int]) -> int:
        """Return scale * N * n times the earth mover's distance of a group (N rows) from the table (n rows)."""
        size, n = sum(counts), sum(total)
        surplus = [n * count - size * all_ for count, all_ in zip(counts, total, strict=True)]
        if self.matrix:
            return _transport(surplus, self.matrix)
        return sum(length * abs(rows) for length, rows in self.cuts(surplus))

    def cuts(self, counts: Sequence[int]) -> list[tuple[int, int]]:
        """Return the lengths of the edges of a line or a tree of values, with how many rows are on one side; none for a matrix."""
        before = [0, *itertools.accumulate(counts[v] for v in self.order)]
        return [(length, before[end] - before[start]) for length, start, end in self.edges]

    def steepness(self, phi: Sequence[int]) -> Fraction:
        """Return the least L such that potentials differ by at most L times the distance."""
        at = {v: place for place, v in enumerate(self.order)}
        steepest = Fraction(0)
        for v, w in self.pairs:
            if rise := abs(phi[v] - phi[w]):
                one, other = at[v], at[w]
                crossed = (length for length, i, j in self.edges if (i <= one < j) != (i <= other < j))
                apart = self.matrix[v][w] if self.matrix else sum(crossed)
                Rejected.when(not apart, "the potentials of two values at distance 0 differ")
                steepest = max(steepest, Fraction(rise * self.scale, apart))
        return steepest


def _number(value: str) -> Fraction:
    found = re.fullmatch(r"-?\d+(\.\d+)?([eE]([+-]?\d+))?|-?\d+/0*[1-9]\d*", value, re.ASCII)
    if not found:
        raise Rejected(f"statement: {value[:40]!r} is no number, and the distance is between numbers")
    if len(value) > MOST_DIGITS or abs(int(found[3] or 0)) > MOST_DIGITS:
        raise Beyond(f"the value {value[:40]!r} has more than {MOST_DIGITS} characters, or an exponent beyond that")
    return Fraction(value)


def _transport(surplus: Sequence[int], cost: list[list[int]]) -> int:
    """Return the least cost of carrying what is too much to where it lacks: shortest paths, one after the other."""
    left, every, paid = list(surplus), range(len(surplus)), 0
    flow = dict.fromkeys(itertools.permutations(every, 2), 0)
    while any(amount > 0 for amount in left):
        far: dict[int, int] = {v: 0 for v in every if left[v] > 0}
        before: dict[int, int] = {}
        changed = True
        while changed:
            changed = False
            for v, w in flow:
                # What has been carried from w to v can be carried back.
                length = -cost[w][v] if flow[w, v] else cost[v][w]
                if v in far and (w not in far or far[v] + length < far[w]):
                    far[w], before[w], changed = far[v] + length, v, True
        end = min((v for v in every if left[v] < 0), key=far.__getitem__)
        path, at = [], end
        while at in before:
            path.append((before[at], at))
            at = before[at]
        amount = min([left[at], -left[end], *(flow[w, v] for v, w in path if flow[w, v])])
        for v, w in path:
            back = flow[w, v] > 0
            flow[(w, v) if back else (v, w)] += -amount if back else amount
        left[at], left[end], paid = left[at] - amount, left[end] + amount, paid + amount * far[end]
    return paid


class Condition:
    """One of what a principle asks of a group: a least number l of rows. Subclasses ask about the values of a column."""

    names, column, total, shares = "k", "", list[int](), False
    free = frozenset[int]()  # values whose share is not limited where others' are

    def __init__(self, data: Any, table: Table) -> None:
        _, *said = fields(data, data["kind"], f"kind {self.names}")
        if self.names != "k":
            self.column = listed(said.pop(0), "the column", str)
            Malformed.when(self.column not in table.sensitive, f"{self.column!r} must be a sensitive column")
            self.total = table.sensitive[self.column].counts
        self.l, self.words = self.read(table, *said)
        self.least_rows = 1 if self.free else self.need(1)

    def read(self, table: Table, *said: Any) -> tuple[Fraction, str]:
        """Return l, and the condition in words; keep what else is asked of the column."""
        return Fraction(whole(said[0], "k", 1)), f"at least {said[0]} rows"

    def need(self, count: int) -> int:
        """Return the least size of a group that has a value `count` times, as far as l limits its share, or once."""
        return -(-self.l.numerator * count // self.l.denominator)

    def holds(self, size: int, counts: Sequence[int]) -> bool:
        """Tell whether a group with these counts of the column's values satisfies the condition."""
        return size >= self.least_rows

    def divides(self, size: int, rows: int) -> bool:
        """Tell whether `size` of `rows` rows might be a group beside all the others; False only if not."""
        return size >= self.least_rows

    def could_hold(self, size: int, different: int) -> bool:
        """Tell whether part of a group of `size` rows with this number of different values might satisfy it."""
        return size >= self.least_rows

    def smallest(self, lots: list[Lot], least: int) -> int:
        """Return a size from `least` that no group of these rows that satisfies the condition is below; 0 if there is none."""
        least = max(least, self.least_rows)
        return least if sum(copies for _, copies, _ in lots) >= least else 0

    def price(self, lots: list[Lot], least: int, nothing: float) -> float:
        """Return what such groups of at least `least` rows gain at most, or perhaps `nothing` where that is more."""
        return best_of(lots, least)


class Values(Condition):
    """At least l different values."""

    names = "column l"

    def read(self, table: Table, *said: Any) -> tuple[Fraction, str]:
        return Fraction(whole(said[0], "l", 1)), f"at least {said[0]} values of {self.column!r}"

    def largest(self, counts: Sequence[int]) -> int:
        """Return the most rows of a value whose share is limited."""
        return max((count for v, count in enumerate(counts) if v not in self.free), default=0)

    def most(self, size: int) -> int:
        """Return how often a group of `size` rows can have a value, where shares are limited."""
        return int(size // self.l)

    def holds(self, size: int, counts: Sequence[int]) -> bool:
        return sum(map(bool, counts)) >= self.l

    def divides(self, size: int, rows: int) -> bool:
        if self.shares:
            return self.largest(self.total) <= self.most(size) + self.most(rows - size)
        return sum(min(count, 2) for count in self.total) >= 2 * self.l

    def could_hold(self, size: int, different: int) -> bool:
        return different >= self.least_rows

    def smallest(self, lots: list[Lot], least: int) -> int:
        return super().smallest(lots, least) if len({v for _, _, v in lots}) >= self.l else 0

    def price(self, lots: list[Lot], least: int, nothing: float) -> float:
        return best_of(lots, least, low=(math.ceil(self.l), 1))


class Shares(Values):
    """No value in more than a share 1 / l."""

    shares = True

    def read(self, table: Table, *said: Any) -> tuple[Fraction, str]:
        l = fraction(said[0], "l, at least 1,", lambda asked: asked >= 1)  # noqa: E741
        return l, f"no value of {self.column!r} in more than 1 of {l} rows"

    def holds(self, size: int, counts: Sequence[int]) -> bool:
        return self.largest(counts) * self.l <= size

    def capped(self, counts: Sequence[int], cap: int) -> int:
        """Return how many rows there are if each value whose share is limited counts `cap` times at most."""
        return sum(count if v in self.free else min(count, cap) for v, count in enumerate(counts))

    def largest_cap(self, counts: Sequence[int]) -> int:
        """Return the largest C for which there are as many rows as a group needs if each value counts at most C times."""
        return largest_for(lambda cap: self.capped(counts, cap) >= self.need(cap), 0, self.largest(counts))

    def smallest(self, lots: list[Lot], least: int) -> int:
        least, counts = max(least, self.least_rows), counts_of(self.total, lots)
        return least if self.capped(counts, self.largest_cap(counts)) >= least else 0

    def price(self, lots: list[Lot], least: int, nothing: float) -> float:
        """Try caps C: no value more than C times, in as many rows as that needs or more. Along C = r + b j the gain is concave."""
        if best_of(lots, least) <= nothing:
            return nothing
        counts = counts_of(self.total, lots)
        most = self.largest_cap(counts)
        start = 1 + largest_for(lambda cap: self.capped(counts, cap) < least, -1, most)

        def best(cap: int) -> float:
            return best_of(lots, max(least, self.need(cap)), cap, self.free)

        return highest(best, start, most, self.l.denominator)


class Rare(Shares):
    """None of some values in more than a share 1 / l."""

    names = "column l values"

    def read(self, table: Table, *said: Any) -> tuple[Fraction, str]:
        number, values = table.sensitive[self.column].number, listed(said[1], "the values")
        codes = [number.get(listed(value, "a value", str), -1) for value in values]
        rare = places(codes, f"the rare values, as {self.column!r} first has them,", len(number))
        Malformed.when(not rare, "there must be rare values")
        self.free = frozenset(number.values()) - set(rare)
        l, _ = super().read(table, *said)  # noqa: E741
        return l, f"none of the values {', '.join(map(repr, values))} of {self.column!r} in more than 1 of {l} rows"


class Entropy(Values):
    """Entropy of at least log l: priced as the ceil(l) values that it implies, which must be equally frequent if they are just l."""

    def read(self, table: Table, *said: Any) -> tuple[Fraction, str]:
        self.asked = fraction(said[0], "l, at least 1,", lambda asked: asked >= 1)
        Beyond.when(table.rows > MOST_ROWS_OF_ENTROPY, f"entropy takes {MOST_ROWS_OF_ENTROPY:,} rows at most")
        return Fraction(math.ceil(self.asked)), f"an entropy of {self.column!r} of log {self.asked} or more"

    def holds(self, size: int, counts: Sequence[int]) -> bool:
        power, least = (size * self.asked.denominator) ** size, self.asked.numerator**size
        return bool(power >= least * math.prod(count**count for count in counts))

    def price(self, lots: list[Lot], least: int, nothing: float) -> float:
        """If l is whole, take l + 1 values or the same number of rows of the best l: no more than gain, or than the least size needs."""
        if self.asked != self.l:
            return super().price(lots, least, nothing)
        values = int(self.l)
        found, start = best_of(lots, least, low=(values + 1, 1)), max(1, -(-least // values))
        gaining = max(counts_of(self.total, [lot for lot in lots if lot[0] > 0]))
        for times in range(start, max(start, gaining) + 1):
            used, gains = Counter[int](), Counter[int]()
            for gain, copies, v in lots:
                take = min(copies, times - used[v])
                used[v], gains[v] = used[v] + take, gains[v] + gain * take
            best = sorted((gains[v] for v, rows in used.items() if rows == times), reverse=True)[:values]
            found = max(found, sum(best)) if len(best) == values else found
        return found


class Recursive(Shares):
    """Recursive (c, l)-diversity: priced by levels and caps or, for l = 2, as shares below 1 / l with l = 1 + 1 / c."""

    names = "column c l"

    def read(self, table: Table, *said: Any) -> tuple[Fraction, str]:
        self.c, self.first = fraction(said[0], "c, above 0,", lambda c: c > 0), whole(said[1], "l", 2)
        self.shares = self.first == 2
        rest = f"{self.c} times the rows of those from number {self.first} on"
        implied = 1 + 1 / self.c if self.shares else Fraction(self.first + math.floor(1 / self.c))
        return implied, f"its most frequent value of {self.column!r} in fewer than {rest}"

    def need(self, count: int) -> int:
        return math.floor(self.l * count) + 1 if self.shares else super().need(count)

    def most(self, size: int) -> int:
        return math.ceil(size / self.l) - 1

    def spare(self, counts: Sequence[int], level: int) -> int:
        """Return how many rows up to a level there are beyond those of l - 1 values."""
        return sum(min(count, level) for count in counts) - (self.first - 1) * level

    def largest_cap(self, counts: Sequence[int]) -> int:
        """Return the largest C of a group with these counts or fewer; its best level is C or the l-th largest count. 0 if there is none."""
        if self.shares:
            return super().largest_cap(counts)
        level, (a, b) = sorted([0] * self.first + list(counts))[-self.first], self.c.as_integer_ratio()
        return largest_for(lambda cap: a * self.spare(counts, min(level, cap)) > b * cap, 0, max(counts, default=0))

    def holds(self, size: int, counts: Sequence[int]) -> bool:
        falling = sorted(counts, reverse=True)
        return falling[0] < self.c * sum(falling[self.first - 1 :])

    def price(self, lots: list[Lot], least: int, nothing: float) -> float:
        """Try levels and caps C: no value more than C times, and enough rows up to the level. Along C = r + a j the gain is concave."""
        if self.shares:
            return super().price(lots, least, nothing)
        counts, (a, b) = counts_of(self.total, lots), self.c.as_integer_ratio()
        gaining = counts_of(self.total, [lot for lot in lots if lot[0] > 0])
        # A higher cap than what gains, and than the size, adds nothing.
        top = min(self.largest_cap(counts), max(least, *gaining))
        start = 1 + largest_for(lambda cap: self.capped(counts, cap) < least, -1, top)

        def best(level: int, cap: int) -> float:
            return best_of(lots, least, cap, low=((self.first - 1) * level + b * cap // a + 1, level))

        found = -math.inf
        for level in range(1, top + 1):
            most = min(top, (a * self.spare(counts, level) - 1) // b)
            found = max(found, highest(functools.partial(best, level), max(1, start, level), most, a))
        return found


class Closeness(Condition):
    """A distribution of the column's values within t of the whole table's."""

    names = "column t space"

    def read(self, table: Table, *said: Any) -> tuple[Fraction, str]:
        self.t = fraction(said[0], "t, from 0 to 1,", lambda asked: 0 <= asked <= 1)
        self.space, n = Space(said[1], table.sensitive[self.column]), table.rows
        # The distances of groups of N rows are whole numbers of 1 / (unit N): the limit is the largest such number up to t.
        unit = self.space.scale * n
        self.limit = max(Fraction(self.t.numerator * unit * N // self.t.denominator, unit * N) for N in range(1, n + 1))
        self.slots = Slots(self) if self.space.kind == "equal" and self.limit < 1 else None
        lengths = Counter[int]()
        for length, count in self.space.cuts(self.total):
            lengths[count] += length
        self.cuts = [(length, count) for count, length in lengths.items()]
        # The least size from some size on that the table's shares allow; that of the table is one.
        self.least_from = functools.cache(lambda size: next(N for N in itertools.count(size) if self.divides(N, n)))
        of = f"of the whole table's distribution ({self.space.kind} distance)"
        return Fraction(1), f"{self.column!r} within {self.t} {of}"

    def need(self, count: int) -> int:
        return int(self.least_from(count))

    def holds(self, size: int, counts: Sequence[int]) -> bool:
        return self.space.emd(counts, self.total) <= self.t * self.space.scale * size * sum(self.total)

    def divides(self, size: int, rows: int) -> bool:
        rests = [(length, size * count % rows) for length, count in self.cuts]
        apart = sum(length * min(rest, rows - rest) for length, rest in rests)
        return apart <= self.t * self.space.scale * rows * size

    def smallest(self, lots: list[Lot], least: int) -> int:
        if self.slots:
            return self.slots.smallest(counts_of(self.total, lots), least)
        return super().smallest(lots, self.least_from(least))

    def price(self, lots: list[Lot], least: int, nothing: float) -> float:
        return self.slots.best(lots, least, nothing) if self.slots else super().price(lots, least, nothing)


CONDITIONS = {
    "k-anonymity": Condition,
    "distinct-l-diversity": Values,
    "frequency-l-diversity": Shares,
    "rare-values": Rare,
    "entropy-l-diversity": Entropy,
    "recursive-diversity": Recursive,
    "t-closeness": Closeness,
}


def read_condition(data: Any, table: Table) -> Condition:
    """Return one of what a principle asks."""
    Malformed.when((kind := kind_of(data)) not in CONDITIONS, f"{kind!r} is no condition")
    return CONDITIONS[kind](data, table)


class Problem:
    """What is asked: which problem, of which table, under which conditions."""

    def __init__(self, name: str, table: Table, asked: dict[str, Any]) -> None:
        self.name, self.table, self.k = name, table, whole(asked.get("k", 1), "k", 1)
        self.share, principle = Fraction(0), listed(asked.get("principle", []), "the principle")
        if "share" in asked:
            self.share = fraction(asked["share"], "the share, above 0 and at most 1,", lambda part: 0 < part <= 1)
        Malformed.when("principle" in asked and not principle, "the principle must have a condition")
        self.conditions = [read_condition(condition, table) for condition in principle]
        self.least_rows = max((condition.least_rows for condition in self.conditions), default=1)
        self.columns = {condition.column for condition in self.conditions if condition.column}

    def restricted(self, columns: Sequence[int], weights: Sequence[Fraction]) -> Problem:
        other = copy.copy(self)
        other.table = Table([self.table.quasi[j] for j in columns], weights, self.table.sensitive)
        return other

    def failing(self, rows: Sequence[int]) -> Condition | None:
        """Return a condition that a group of rows does not satisfy, if there is one."""
        for condition in self.conditions:
            counts = [0] * len(condition.total)
            if counts:
                codes = self.table.sensitive[condition.column].codes
                for row in rows:
                    counts[codes[row]] += 1
            if not condition.holds(len(rows), counts):
                return condition
        return None

    def cost(self, rows: Sequence[int], never: int) -> int:
        """Return what a group of rows costs; `never` if it may be none."""
        columns = [(w, column.codes) for w, column in zip(self.table.weights, self.table.quasi, strict=True)]
        if self.name == "diameter-sum":
            pairs = itertools.product(rows, rows)
            return max(sum(w for w, codes in columns if codes[i] != codes[j]) for i, j in pairs)
        differ = sum(w for w, codes in columns if len({codes[i] for i in rows}) > 1)
        return len(rows) * differ if self.failing(rows) is None else never

    def least_group(self) -> int:
        """Return what no group of several is below: a size that no condition rules out; all rows if there cannot be several."""
        rows, least = self.table.rows, self.least_rows
        if 2 * least > rows or rows > MOST_DIVIDED:
            return rows if 2 * least > rows else least
        sizes = range(least, rows // 2 + 1)
        return next((size for size in sizes if all(c.divides(size, rows) for c in self.conditions)), rows)

    def require_feasible(self) -> None:
        """Refuse a problem that no solution solves: of that everything is true."""
        n, k, every = self.table.rows, self.k, range(len(self.table.quasi))
        Rejected.when(self.name == "diameter-sum" and n < k, f"no solution exists: there are fewer than k = {k} rows")
        if isinstance(self, Patterns) and not self.can_open():
            raise Rejected(f"no solution exists: a row matches no pattern, or not each pattern can have {k} rows")
        Rejected.when(self.name in KEYS and not self.suffices(every), "no choice of columns is a solution")
        if (condition := self.failing(range(n))) is not None:
            raise Rejected(f"no solution exists: even the whole table as one group fails, {condition.words}")

    def classes(self, columns: Iterable[int]) -> list[list[int]]:
        """Return the rows that agree on some columns, class by class."""
        return list(alike([self.table.quasi[j].codes for j in columns], self.table.rows).values())

    def suffices(self, columns: Iterable[int]) -> bool:
        """Tell whether a choice of columns is a solution: dropped ones, identifying ones, witnesses."""
        chosen, every = set(columns), range(len(self.table.quasi))
        if self.name == "attribute-suppression":
            return all(self.failing(rows) is None for rows in self.classes(j for j in every if j not in chosen))
        if self.name == "identifying-columns":
            return len(self.classes(sorted(chosen))) == len(self.classes(every))
        alone = sum(size for size in map(len, self.classes(sorted(chosen))) if size < self.k)
        return alone > 0 and alone >= self.share * self.table.rows


class Patterns(Problem):
    """Given patterns, each of which is to publish k rows or more: the row types that each matches, and what a row of it costs."""

    def __init__(self, name: str, table: Table, asked: dict[str, Any]) -> None:
        super().__init__(name, table, asked)
        self.ground = Ground(table, every_pattern=False)
        self.matched, self.starred, seen = list[list[int]](), list[int](), list[Any]()
        for pattern in listed(asked["patterns"], "the patterns"):
            kept = [(j, its) for j, its in enumerate(listed(pattern, "a pattern")) if its is not None]
            if len(pattern) != len(table.quasi) or pattern in seen:
                raise Malformed("a pattern has a text or null for each column, and is there once")
            seen.append(pattern)
            numbers = [table.quasi[j].number.get(listed(its, "a cell", str), -1) for j, its in kept]
            columns = tuple(j for j, _ in kept)
            self.matched.append(self.ground.classes(columns).get(tuple(numbers), []))
            self.starred.append(self.ground.starred(columns))
        Malformed.when(not seen, "there must be a pattern")

    def can_open(self) -> bool:
        """Tell whether each row has a pattern, and each pattern can take k rows that it matches: row after row, or by exchange."""
        k, count, every = self.k, len(self.matched), self.ground.copies
        if k * count > self.table.rows or len({t for its in self.matched for t in its}) < len(every):
            return False
        lots = [[(t, copy) for t in its for copy in range(min(every[t], k * count))] for its in self.matched]
        taker: dict[Any, int] = {}  # the pattern that has a row
        for pattern in [*range(count)] * k:
            instead = dict.fromkeys(lots[pattern])  # of each row within reach: the row that its taker gives away for it
            for row in (reached := list(instead)):
                if row not in taker:
                    break
                fresh = dict.fromkeys((other for other in lots[taker[row]] if other not in instead), row)
                reached += fresh
                instead |= fresh
            else:
                return False
            while row is not None:
                given = instead[row]
                taker[row] = pattern if given is None else taker[given]
                row = given
        return True


class Points(Problem):
    """Fake points, or fake boxes by the points that these stand for: the data and their copies, test boxes, tested corners."""

    def __init__(self, name: str, table: Table, asked: dict[str, Any]) -> None:
        super().__init__(name, table, asked)
        self.regime, sides = asked["regime"], asked["domain"]
        axes = [[Fraction(value) for value in column.values] for column in table.quasi]
        self.widths = self.place(asked.get("widths", [[1, 1]] * len(axes)), "the widths")
        if self.regime not in ("primal", "unrestricted", "dual") or (sides is None) != (self.regime == "unrestricted"):
            raise Malformed("the regime is primal, unrestricted or dual; a domain goes with the first and the last")
        half = Fraction(self.regime == "dual", 2)
        its = [self.place(side, "a side", 2) for side in listed(sides, "the domain")] if sides is not None else []
        if name == "fake-boxes":  # the box with lower corner q stands for the point q + 1
            axes = [[x + 1 for x in axis] for axis in axes]
            its = [(low + half, high + 1 - half) for low, high in its]
        self.domain, self.tested = its, []
        if (sides is not None and len(its) != len(axes)) or min(self.widths) <= 0:
            raise Malformed("the domain has a side for each axis, and widths are above 0")
        for (low, high), width, axis in zip(its, self.widths, axes, strict=False):
            if high - low < width or any(not low + half * width <= x <= high - half * width for x in axis):
                raise Rejected("statement: a point lies outside of the domain, or a side is shorter than a test box")
            if self.regime == "primal":
                Rejected.when(high in axis, "statement: a point lies on the upper end of the domain, which is outside")
                self.tested.append((low, high - width))
        places = ([axis[c] for c in column.codes] for axis, column in zip(axes, table.quasi, strict=True))
        self.copies = Counter(zip(*places, strict=True))

    def place(self, data: Any, where: str, length: int | None = None) -> tuple[Fraction, ...]:
        if len(listed(data, where)) != (count := length or len(self.table.quasi)):
            raise Malformed(f"{where} must have {count} coordinates")
        return tuple(fraction(x, where) for x in data)

    def end(self, corner: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """Return the upper end of a test box, which does not count."""
        return tuple(map(Fraction.__add__, corner, self.widths))

    def tests(self, corner: tuple[Fraction, ...]) -> bool:
        return all(low <= c <= high for c, (low, high) in zip(corner, self.tested, strict=False))

    def contains(self, corner: tuple[Fraction, ...], lower: Sequence[Fraction], upper: Sequence[Fraction]) -> bool:
        """Tell whether the test box with this corner contains all places from `lower` up to `upper`."""
        return all(c <= a and b <= e for c, a, b, e in zip(corner, lower, upper, self.end(corner), strict=True))

    def held(self, corner: tuple[Fraction, ...]) -> int:
        """Return how many data the test box with this corner holds."""
        end = self.end(corner)
        return sum(s for x, s in self.copies.items() if all(map(lambda c, x, e: c <= x < e, corner, x, end)))


# ------------------------------------------------------------------------------------------------ Parts, bounds without numbers, columns


def parts(problem: Problem, proof: Any) -> Iterator[int]:
    left, total = list(problem.table.weights), 0
    for (columns, weights, unit, inner), where in entries(proof.parts, "part", "columns weights unit proof", 1):
        every = {whole(column, where, 0, len(left)) for column in listed(columns, where)}
        Malformed.when(not every or len(every) < len(columns), f"{where} has no column, or one twice")
        whole(unit, f"{where}: unit", 1)
        for j, weight in zip(columns, wholes(weights, f"{where}: weights", len(columns), 1), strict=True):
            left[j] -= unit * weight
        lighter = problem.restricted(columns, list(map(Fraction, weights)))
        total += unit * prove(lighter, inner, PARTS, where)
    Rejected.when(min(left) < 0, "the parts together weigh more than the table's columns")
    yield total


def cheapest_sets(weights: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield every set of columns with its weight, lightest first."""
    order = sorted(range(len(weights)), key=weights.__getitem__)
    yield 0, ()
    heap: list[tuple[int, tuple[int, ...]]] = [(weights[order[0]], (0,))] if order else []
    while heap:
        weight, chosen = heapq.heappop(heap)
        yield weight, tuple(order[i] for i in chosen)
        last = chosen[-1]
        if last + 1 < len(order):
            step = weights[order[last + 1]]
            heapq.heappush(heap, (weight + step, (*chosen, last + 1)))
            heapq.heappush(heap, (weight + step - weights[order[last]], (*chosen[:-1], last + 1)))


def own_bound(problem: Problem, proof: Any) -> Iterator[int]:
    value, weights, least = proof.value, problem.table.weights, problem.least_group()

    def paid(levels: Iterable[Level], end: int | None = None) -> int:
        return bound_of_levels(problem.table.rows, least, levels, value, end)

    # Many sets of columns take long: they come last, and as long as all that there are could make the value.
    ways: tuple[Callable[[], int], ...] = (
        lambda: paid(levels_of_sets(problem, least, FEW_LOOKS)),
        lambda: sum(paid(levels_of_sets(problem.restricted([j], [Fraction(w)]), least)) for j, w in enumerate(weights)),
        lambda: paid(levels_of_balls(problem, least)),
        lambda: paid(levels_of_sets(problem, least), sum(weights)),
    )
    found = 0
    for way in ways:
        found = max(found, way())
        if found >= value:
            break
    yield found


Level = tuple[int, int, int]
"""A weight, how many rows have a class at that weight or less that could hold a group, and the size of the largest."""


def most_below(rows: int, least: int, served: int, largest: int) -> int:
    """Return how many rows can be in groups of `least` to `largest` rows, if `served` can, and the others are none or `least`."""
    found = min(served, served // least * largest)
    left = max(0, rows - least)
    return found if found == rows or rows - found >= least else min(left, left // least * largest)


def bound_of_levels(rows: int, least: int, levels: Iterable[Level], value: int, end: int | None) -> int:
    """Sum what is paid from each level to the next, up to the last one; stop at `value`, or where levels up to `end` cannot make it.

    They cannot if the rows that pay now would not pay enough up to there: those that do not pay do not become fewer.
    """
    total, paid, below = 0, 0, 0
    for weight, served, largest in levels:
        total += (weight - paid) * (rows - below)
        if total >= value:
            break
        paid, below = weight, most_below(rows, least, served, largest)
        if end is not None and total + (end - paid) * (rows - below) < value:
            break
    return total


def levels_of_sets(problem: Problem, least: int, looks: int = OWN_BOUND_WORK) -> Iterator[Level]:
    """Yield the levels of sets of starred columns, lightest first, until the limit on records looked at is reached."""
    ground = Ground(problem.table, problem.columns, every_pattern=False)
    waiting, largest, work = set(range(len(ground.copies))), 0, 0
    for weight, starred in cheapest_sets(problem.table.weights):
        for members in ground.classes([j for j in range(len(ground.codes)) if j not in starred]).values():
            size = ground.size(members)
            different = {name: len({values[r] for r in members}) for name, values in ground.value.items()}
            if size >= least and all(c.could_hold(size, different[c.column]) for c in problem.conditions):
                waiting.difference_update(members)
                largest = max(largest, size)
        yield weight, problem.table.rows - sum(ground.copies[record] for record in waiting), largest
        work += len(ground.copies)
        if work > looks:
            return


def levels_of_balls(problem: Problem, least: int) -> Iterator[Level]:
    """Yield the levels of balls of row types, by rising distance."""
    ground, weights = Ground(problem.table, every_pattern=False), problem.table.weights
    every = range(len(ground.copies))
    if len(every) ** 2 * len(weights) > BALL_LOOKS:
        return
    company = Counter[int]()  # at each distance: how many rows have company from there on
    ball = Counter[int]()  # at each distance: the largest ball of `least` rows or more
    for one in every:
        rows, size = Counter[int](), 0
        for other, apart in enumerate(ground.apart(one)):
            rows[apart] += ground.copies[other]
        for apart in sorted(rows):
            size += rows[apart]
            if size >= least:
                company[apart] += ground.copies[one] if size - rows[apart] < least else 0
                ball[apart] = max(ball[apart], size)
    served = largest = 0
    for apart in sorted({*ball, sum(weights)}):
        served, largest = served + company[apart], max(largest, ball[apart])
        yield apart, served, largest


def own_bound_of_columns(problem: Problem, proof: Any) -> Iterator[int]:
    weights, every = problem.table.weights, range(len(problem.table.quasi))
    needed = [j for j in every if not problem.suffices(i for i in every if i != j)]
    least = sum(weights[j] for j in needed)
    if problem.name == "attribute-suppression":
        least = 0 if problem.suffices(()) else max(min(weights), least)
    elif not problem.suffices(needed):
        others = [j for j in every if j not in needed]
        further = [weights[j] for j in others if problem.suffices([*needed, j])]
        further += [sum(sorted(weights[j] for j in others)[:2])] if len(others) > 1 else []
        least += min(further)
    if problem.name == "identifying-columns":
        types, combinations, count = len(problem.classes(every)), 1, 0
        for width in sorted((len(column.values) for column in problem.table.quasi), reverse=True):
            if combinations < types:
                combinations, count = combinations * width, count + 1
        least = max(least, sum(sorted(weights)[:count]))
    yield least


def own_bound_of_diameters(problem: Problem, proof: Any) -> Iterator[int]:
    ground, rows, most = Ground(problem.table, every_pattern=False), problem.table.rows, 2 * problem.k - 1
    if len(ground.copies) ** 2 * len(ground.codes) > MOST_LOOKS:
        raise Beyond(f"{len(ground.copies):,} row types have too many distances to look at")
    radii, widest = [], 0
    for t, copies in enumerate(ground.copies):
        held = 0
        for far, s in sorted(zip(ground.apart(t), ground.copies, strict=True)):
            if held < problem.k <= held + s:
                radii.append((far, copies))
            held, widest = held + s, max(widest, far)
    total = passed = 0
    for radius, copies in sorted(radii, reverse=True):
        total += radius * (-(-(passed + copies) // most) - -(-passed // most))
        passed += copies
    yield widest if rows <= most else total


def all_partitions(problem: Problem, proof: Any) -> Iterator[int]:
    n, k, never = problem.table.rows, problem.k, problem.table.rows * sum(problem.table.weights) + 1
    sizes = range(k, min(2 * k, n + 1)) if problem.name == "diameter-sum" else range(1, n + 1)
    few = n < MOST_LOOKS_AT_GROUPS.bit_length()
    looks = (1 << n) + sum(math.comb(n, size) << (n - size) for size in sizes) if few else math.inf
    Beyond.when(looks > MOST_LOOKS_AT_GROUPS, f"the proof is about every partition, and {n:,} rows have too many")
    cost = functools.cache(lambda group: problem.cost([i for i in range(n) if group >> i & 1], never))
    least = [0]
    for rows in range(1, 1 << n):  # a set of rows as bits
        first, *others = [1 << i for i in range(n) if rows >> i & 1]
        groups = [first + sum(chosen) for size in sizes for chosen in itertools.combinations(others, size - 1)]
        least.append(min([cost(group) + least[rows - group] for group in groups], default=never))
    yield least[-1]


def row_cases(problem: Problem, proof: Any) -> Iterator[int]:
    d, said, tree = proof.denominator, proof.sets, proof.tree
    n, k, of_cells = problem.table.rows, problem.k, problem.name == "cell-suppression"
    kinds, why_not = list(range(n)), ""  # why no groups of k to 2k - 1 rows can be looked at
    if of_cells:
        condition, k = problem.conditions[0], problem.least_rows
        by_shares = type(condition) is Shares and condition.l.denominator == 1
        if len(problem.conditions) > 1 or not (by_shares or type(condition) is Condition):
            why_not = "they are enough under k-anonymity or frequency diversity with a whole l alone"
        elif by_shares:
            kinds = problem.table.sensitive[condition.column].codes
    are_many = not few_sets(n, range(1, min(2 * k, n + 1)), MOST_SETS)
    is_short = of_cells and said == [] and not (isinstance(tree, dict) and "low" in tree)
    Rejected.when(not is_short and why_not, f"groups of k to 2k - 1 rows: {why_not}")
    if not few_sets(n, [k], MOST_LEAST_SETS) or (are_many and not is_short):
        raise Beyond(f"{n:,} rows have too many sets of {'k' if is_short else '1 to 2k - 1'}, where k is {k}")
    sets = sets_of(said, "the sets", n)
    Malformed.when(any(len(members) % 2 == 0 for members in sets), "a set has an even number of rows")
    # In which columns two rows differ, as bits, or how far apart they are; None if no group has both.
    marks = [1 << j for j in range(len(problem.table.weights))] if of_cells else problem.table.weights
    columns = [(mark, column.codes) for mark, column in zip(marks, problem.table.quasi, strict=True)]
    together = defaultdict[int, int](int)  # columns of one weight, as bits, by D times that
    for weight, mark in zip(problem.table.weights, marks, strict=True):
        together[d * weight] |= mark
    charged = list(together.items())

    def row_apart(i: int) -> list[int | None]:
        far = [0] * n
        for mark, codes in columns:
            own = codes[i]
            far = [its + mark if code != own else its for its, code in zip(far, codes, strict=True)]
        return [None if kinds[i] == kinds[j] and i != j else its for j, its in enumerate(far)]

    def charge(far: int) -> int:
        """Return D times what columns weigh, or a diameter."""
        if of_cells and len(charged) == 1:
            return int(charged[0][0] * far.bit_count())
        return int(sum([w * (far & those).bit_count() for w, those in charged]) if of_cells else d * far)

    def decide(said: list[Any], where: str) -> Any:
        pair = places(said[0], where, n)
        Malformed.when(len(pair) != 2, f"{where} must be about two rows")
        return pair

    apart = list[list[int | None]]()
    for (said, its), path, where in ends(tree, "worth prices", "about low high", decide, again=False):
        worth, prices = wholes(said, f"{where}: worth", n), wholes(its, f"{where}: prices", len(sets), 0)
        atom = list(range(n))
        if is_short:
            if not some_gain(worth, k, kinds, row_apart, charge):
                yield sum(worth)
                return
            Rejected.when(why_not or are_many, f"{k} rows gain, and larger groups are not looked at")
        apart = apart or [row_apart(i) for i in range(n)]
        for i, j in (pair for pair, is_apart in path if not is_apart):
            atom = [atom[i] if one == atom[j] else one for one in atom]
        torn = {frozenset({atom[i], atom[j]}) for (i, j), is_apart in path if is_apart}
        here = [
            [None if torn and frozenset({one, other}) in torn else far for other, far in zip(atom, row, strict=True)]
            for one, row in zip(atom, apart, strict=True)
        ]
        members = defaultdict[int, list[int]](list)
        for row, its in enumerate(atom):
            members[its].append(row)
        atoms = [Atom(rows, worth, sets, prices) for rows in members.values()]
        gain = largest_gain(atoms, here, k, charge, prices, of_cells)
        yield sum(worth) + sum(prices) - n // k * gain


def few_sets(n: int, sizes: Iterable[int], most: int) -> bool:
    """Tell whether n rows have at most so many sets of some sizes."""
    few = all(min(size, n - size) <= most.bit_length() for size in sizes)
    return few and sum(math.comb(n, size) for size in sizes) <= most


def some_gain(worth: list[int], k: int, kinds: Sequence[int], row_apart: Any, charge: Callable[[int], int]) -> bool:
    """Tell whether k rows, no two of a kind, gain. They join by falling worth, if enough others of the last one's worth could gain, too."""
    order = sorted(range(len(worth)), key=lambda row: -worth[row])

    def joined(apart: Any, far: int, held: int, room: int, left: list[int]) -> Iterator[Any]:
        """Yield groups with one row more: what differs in them, what they are worth, how many rows they lack, and which may join."""
        beside = held + (room - 1) * worth[left[0]] if left else 0  # with other rows, none of which is worth more
        kept = [row for row in left if beside + worth[row] > k * charge(far | apart[row])]
        for place in range(len(kept) - room + 1):
            row = kept[place]
            if held + room * worth[row] > k * charge(far | apart[row]):
                others = [other for other in kept[place + 1 :] if kinds[other] != kinds[row]] if room > 1 else []
                yield far | apart[row], held + worth[row], room - 1, others

    for at, first in enumerate(order[: len(order) - k + 1]):
        apart = row_apart(first)
        others = [row for row in order[at + 1 :] if kinds[row] != kinds[first]]
        waiting = [iter([(0, worth[first], k - 1, others)])]
        while waiting:
            group = next(waiting[-1], None)
            if group is None:
                waiting.pop()
            elif group[2]:
                waiting.append(joined(apart, *group))
            elif group[1] > k * charge(group[0]):
                return True
    return False


class Atom:
    """Rows that stay together: what they are worth, the odd sets (as bits) that they meet oddly, and all that they may bring."""

    def __init__(self, rows: list[int], worth: list[int], sets: list[Any], prices: list[int]) -> None:
        self.rows, self.worth = rows, sum([worth[row] for row in rows])
        odd = [number for number, members in enumerate(sets) if len({*rows} & {*members}) % 2]
        self.odd = sum([1 << number for number in odd])
        self.reach = self.worth + sum([prices[number] for number in odd])


def largest_gain(atoms: list[Atom], apart: Any, k: int, charge: Any, prices: list[int], of_cells: bool) -> int:
    """Return the largest gain of a group, or 0. Groups grow atom by atom; atoms that cannot lead to a larger gain are left out."""
    best, paid = 0, {0: 0}
    waiting: list[Any] = [([], 0, 0, 0, sorted(atoms, key=lambda atom: -atom.reach))]
    while waiting:
        rows, far, worth, odd, left = waiting.pop()
        grown = []
        for atom in left:
            inside = [*rows, *atom.rows]
            pairs = [apart[i][j] for i in atom.rows for j in inside]
            if len(inside) >= 2 * k or None in pairs:
                continue
            now = functools.reduce(int.__or__ if of_cells else max, pairs, far)
            if (sets := odd ^ atom.odd) not in paid:
                paid[sets] = sum(price for number, price in enumerate(prices) if sets >> number & 1)
            each = charge(now)
            gain = worth + atom.worth + paid[sets] - (len(inside) * each if of_cells else each)
            best = max(best, gain) if len(inside) >= k else best
            grown.append((gain, each if of_cells else 0, inside, now, sets, atom))
        kept = []
        for gain, each, inside, now, sets, atom in grown:
            room = 2 * k - 1 - len(inside)
            for *_, other in grown if room else ():
                if gain > best or not room or other.reach <= each:
                    break
                if other is not atom:
                    gain, room = gain + other.reach - each, room - 1
            if len(inside) < 2 * k - 1 and gain > best:
                kept.append((inside, now, worth + atom.worth, sets, atom))
        for at, (*state, _) in enumerate(kept, 1):
            waiting.append((*state, [atom for *_, atom in kept[at:]]))
    return best


def cases_of_patterns(problem: Problem, proof: Any) -> Iterator[int]:
    assert isinstance(problem, Patterns)
    ground, d = problem.ground, proof.denominator
    worth = wholes(fields(proof.tree, "the tree", "worth")[0], "worth", len(ground.copies))
    total = ground.worth(worth)
    for members, starred in zip(problem.matched, problem.starred, strict=True):
        lots = sorted(((worth[t] - d * starred, ground.copies[t], t) for t in members), reverse=True)
        total -= int(best_of(lots, problem.k))
    yield total


def hitting_set(problem: Problem, proof: Any) -> Iterator[int]:
    weights, every, d = problem.table.weights, range(len(problem.table.quasi)), proof.denominator
    sets = sets_of(proof.barriers, "the barriers", len(weights))
    for number, barrier in enumerate(sets):
        Rejected.when(problem.suffices({*every}.difference(barrier)), f"barrier {number} is none: the others suffice")

    def decide(said: list[Any], where: str) -> Any:
        return whole(said[0], where, 0, len(weights))

    for end, path, where in ends(proof.tree, "shares", "column taken left", decide, again=False):
        decided, total = dict(path), d * sum(weights[column] for column, is_taken in path if is_taken)
        shares = [wholes(share, where, 2, 0) for share in listed(end[0], where)]
        rising([number for number, _ in shares], f"{where}: shares")
        charged = dict.fromkeys(every, 0)
        for number, share in shares:
            Malformed.when(number >= len(sets) or not share, f"{where}: no barrier {number}, or its share is 0")
            Rejected.when(any(map(decided.get, sets[number])), f"{where}: barrier {number} has a column that is taken")
            total += share
            for column in sets[number]:
                charged[column] += share
        over = [j for j in every if charged[j] > d * weights[j] and decided.get(j) is not False]
        Rejected.when(over, f"{where}: the shares on columns {over} are more than these weigh")
        yield total // d * d  # this rule does not round up


# --------------------------------------------------------------------------------------------------------------------- Fake points

Counted = tuple[Any, Any, int, int, bool]  # from and up to where, what it counts, of which share or fork, whether bare


def box_shares(problem: Problem, proof: Any) -> Iterator[int]:
    assert isinstance(problem, Points)
    k, d = problem.k, proof.denominator

    def decide(said: list[Any], where: str) -> Any:
        lower, upper = problem.place(said[0], where), problem.place(said[1], where)
        Malformed.when(any(map(Fraction.__ge__, lower, upper)), f"{where} decides on no places")
        return lower, upper, whole(said[2], where, 0)

    for (shares, prices), path, where in ends(proof.tree, "shares prices", "lower upper most few many", decide):
        lots, keys, total = list[Counted](), list[Any](), 0
        for number, item in enumerate(listed(shares, where)):
            Malformed.when(len(listed(item, where)) != 3, f"{where}: share {number} must be three")
            corner, share = problem.place(item[0], where), whole(item[2], where, 1)
            bare = rising([problem.place(one, where) for one in listed(item[1], where)], where)
            keys.append((corner, bare))
            Rejected.when(not all(map(problem.tests, (corner, *bare))), f"{where}: share {number} has no tested corner")
            end, data_held = problem.end(corner), problem.held(corner)
            if not data_held and not any(not few and problem.contains(corner, a, b) for (a, b, _), few in path):
                raise Rejected(f"{where}: nothing says that the test box of share {number} holds a point")
            if data_held >= k or any(map(problem.held, bare)):
                raise Rejected(f"{where}: share {number} lacks nothing, or a bare corner's test box holds data")
            lots.append((corner, end, k * share, number, False))
            lots += [(one, problem.end(one), (k - data_held) * share, number, True) for one in bare]
            total += k * (k - data_held) * share
        rising(keys, f"{where}: shares")
        for price, ((lower, upper, most), few) in zip(wholes(prices, where, len(path), 0), path, strict=True):
            lots.append((lower, upper, -price if few else price, len(lots) + len(keys), False))
            total += -price * most if few else price * (most + 1)
        Beyond.when((2 * len(lots)) ** len(problem.widths) > MOST_LOOKS, f"{where}: {len(lots):,} boxes are too many")
        Rejected.when(overfull(lots, d, 0), f"{where}: some place counts more than {d}")
        yield total


def overfull(lots: list[Counted], d: int, axis: int) -> bool:
    """Tell whether some place counts more than d: along each axis, where a lot begins or ends."""
    if not lots or axis == len(lots[0][0]):
        bare = {number: amount for _, _, amount, number, is_bare in lots if is_bare}
        return sum(bare.values()) + sum(lot[2] for lot in lots if lot[3] not in bare) > d
    lots = sorted(lots, key=lambda lot: lot[0][axis])
    lower, widest = [lot[0][axis] for lot in lots], max(lot[1][axis] - lot[0][axis] for lot in lots)
    for at in {*lower, *(lot[1][axis] for lot in lots)}:
        near = lots[bisect.bisect_left(lower, at - widest) : bisect.bisect_right(lower, at)]
        here = [lot for lot in near if at < lot[1][axis]]
        if sum(lot[2] for lot in here if lot[2] > 0) > d and overfull(here, d, axis + 1):
            return True
    return False


# -------------------------------------------------------------------------------------------------------- Groups under a principle

Lot = tuple[int, int, int]  # gain, copies, value; lots come by falling gain


def largest_for(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the largest number up to `high` for which `holds`, which does up to there and not beyond; `low` at least."""
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


def highest(best: Callable[[int], float], start: int, most: int, period: int) -> float:
    """Return the largest of best(start .. most), which is concave along every `period`-th number; -inf of none."""
    found = -math.inf
    for first in range(start, min(start + period, most + 1)):
        at = range(first, most + 1, period)
        found = max(found, best(at[largest_for(lambda j: best(at[j]) > best(at[j - 1]), 0, len(at) - 1)]))  # noqa: B023
    return found


def counts_of(total: Sequence[int], lots: list[Lot]) -> list[int]:
    counts = [0] * len(total)
    for _, copies, v in lots:
        counts[v] += copies
    return counts


class Slots:
    """Total variation of at most t from the counts `total` of n rows: value v has N total_v / n slots of its own, and all share t N."""

    def __init__(self, condition: Closeness) -> None:
        self.total, self.n, self.t = condition.total, sum(condition.total), condition.limit
        self.unit = self.n * self.t.denominator  # a row, in the parts of slots that are counted

    def filled(self, lots: list[Lot], size: int) -> float:
        """Return the gain of the best filling with rows that may be split, in parts of a unit: concave in the size, where there is one."""
        own = [size * count * self.t.denominator for count in self.total]
        common, left, gained = self.t.numerator * size * self.n, size * self.unit, 0
        for gain, copies, v in lots:
            first = min(copies * self.unit, own[v])
            over = min(copies * self.unit - first, common)
            take = min(first + over, left)
            own[v], common, left, gained = own[v] - first, common - over, left - take, gained + gain * take
        return -math.inf if left else gained

    def smallest(self, counts: Sequence[int], least: int) -> int:
        """Return the least size from `least` of a group of whole rows; 0 if there is none. Beyond where split rows lack slots is none."""
        for size in range(max(1, least), sum(counts) + 1):
            missing, lacking, firsts, room = size, 0, list[int](), self.t * self.n * size
            for have, count in zip(counts, self.total, strict=True):
                slots, rest = divmod(size * count, self.n)
                missing, lacking = missing - min(have, slots), lacking + max(0, size * count - self.n * have)
                firsts += [self.n - rest] if have > slots else []
            if lacking > room:
                break
            if sum(sorted(firsts)[:missing]) + self.n * max(0, missing - len(firsts)) <= room:
                return size
        return 0

    def best(self, lots: list[Lot], least: int, nothing: float) -> float:
        """Return what groups of `least` whole rows or more gain at most, or `nothing` where that is more: sizes from the best on."""
        most = sum(counts_of(self.total, lots))
        top = largest_for(lambda size: self.filled(lots, size) > self.filled(lots, size - 1), least, most)
        best = nothing
        for sizes in (range(top, least - 1, -1), range(top + 1, most + 1)):
            for size in sizes:
                if (gain := self.filled(lots, size)) == -math.inf or gain // self.unit <= best:
                    break
                best = max(best, self.of_size(lots, size))
        return best

    def of_size(self, lots: list[Lot], size: int) -> float:
        """Return the least that the best `size` whole rows gain at most, over prices of a part of the common slots."""
        n, room = self.n, math.floor(self.t * self.n * size)
        items, seen = [], [0] * len(self.total)
        for gain, copies, v in lots:
            own, rest = divmod(size * self.total[v], n)
            start, seen[v] = seen[v], seen[v] + copies
            for first, end, cost in ((0, own, 0), (own, own + 1, n - rest), (own + 1, seen[v], n)):
                if (rows := min(end, seen[v]) - max(first, start)) > 0:
                    items.append((gain, cost, rows))
        if sum(item[2] for item in items) < size:
            return -math.inf

        def chosen(a: int, b: int) -> tuple[int, int]:
            """Return the gain of the best rows at a price of a / b, and how far they overrun the room."""
            total, spent, left = 0, -room, size
            for gain, cost, count in sorted(items, key=lambda item: (a * item[1] - b * item[0], item[1])):
                take = min(count, left)
                total, spent, left = total + gain * take, spent + cost * take, left - take
            return total, spent

        low, gains = chosen(0, 1), [item[0] for item in items]
        if low[1] <= 0:
            return low[0]
        high = chosen(max(gains) - min(gains) + 1, 1)
        if high[1] > 0:
            return -math.inf
        while True:
            a, b = low[0] - high[0], low[1] - high[1]
            middle = chosen(a, b)
            if middle[0] * b - a * middle[1] <= low[0] * b - a * low[1]:
                return (low[0] * b - a * low[1]) // b
            low, high = (middle, high) if middle[1] > 0 else (low, middle)


Parts = dict[tuple[int, int], list[tuple[int, int]]]  # what parts pay and gain, by their rows and different values


class WholeRows:
    """Groups of whole rows under one closeness along edges, and diversities of its column, size by size.

    A part of a group is known by its rows and different values, by what it pays for the edges that all its values are below, and by what
    it gains. Parts are put together from the values up: the shortest stretches of values first, all values last.
    """

    def __init__(self, conditions: list[Condition]) -> None:
        (close,) = (condition for condition in conditions if isinstance(condition, Closeness))
        space, self.n = close.space, sum(close.total)
        self.t, self.order = close.limit * space.scale * self.n, space.order
        self.l = max([int(c.l) for c in conditions if not c.shares and c is not close], default=0)
        self.shares = [c for c in conditions if isinstance(c, Values) and c.shares]
        edges = [*sorted(space.edges, key=lambda edge: edge[2] - edge[1]), (0, 0, len(space.order))]
        self.edges = [(*edge, sum(close.total[v] for v in space.order[edge[1] : edge[2]])) for edge in edges]

    def best(self, lots: list[Lot], least: int, most: float, nothing: float) -> float:
        """Return what groups of `least` to `most` rows gain at most, or `nothing` where that is more: the most promising sizes first."""
        every = best_sums(lots)
        sums = functools.cache(lambda values: best_sums([lot for lot in lots if lot[2] in values]))
        for size in sorted(range(least, int(min(most, len(every) - 1)) + 1), key=every.__getitem__, reverse=True):
            if every[size] <= nothing:
                break
            nothing = max(nothing, self.of_size(sums, size, nothing))
        return nothing

    def of_size(self, sums: Callable[[frozenset[int]], list[int]], size: int, known: float) -> float:
        """Return what a group of `size` rows gains at most, or `known` where that is more; `sums` says what some values' best rows gain."""
        room, parts = math.floor(self.t * size), [self.of_value(sums, size, place) for place in range(len(self.order))]
        for length, start, end, held in self.edges:
            inside = [part for part in parts if start <= part[0] and part[1] <= end]
            parts = [part for part in parts if not (start <= part[0] and part[1] <= end)]
            found, left = {(0, 0): [(0, 0)]}, frozenset(self.order)
            for first, last, its in inside:
                left -= {*self.order[first:last]}
                others, made = sums(left), defaultdict[tuple[int, int], list[tuple[int, int]]](list)
                for (rows, different), one in found.items():
                    for (more, further), two in its.items():
                        if not 0 <= (missing := size - rows - more) < len(others):
                            continue
                        top, key = others[missing], (rows + more, min(self.l, different + further))
                        if one[-1][1] + two[-1][1] + top > known:  # the last of some parts gains most
                            pairs = itertools.product(one, two)
                            made[key] += [
                                (p + q, g + h) for (p, g), (q, h) in pairs if g + h + top > known and p + q <= room
                            ]
                if sum(map(len, made.values())) > MOST_PARTS:
                    raise Beyond(f"a group of {size} rows has more than {MOST_PARTS:,} parts")
                found = {key: better(its) for key, its in made.items() if its}
            paid = {key: length * abs(self.n * key[0] - size * held) for key in found}
            within = {key: [(p + paid[key], g) for p, g in its if p + paid[key] <= room] for key, its in found.items()}
            parts.append((start, end, {key: its for key, its in within.items() if its}))
        return max([known, *(gain for _, gain in parts[0][2].get((size, self.l), []))])

    def of_value(self, sums: Callable[[frozenset[int]], list[int]], size: int, place: int) -> tuple[int, int, Parts]:
        """Return the parts of a group of `size` rows that have the value at one place of the order, and that stretch."""
        v = self.order[place]
        cap = min([size, *(c.most(size) for c in self.shares if v not in c.free)])
        best = sums(frozenset({v}))[: cap + 1]
        return place, place + 1, {(rows, min(rows, 1, self.l)): [(0, gain)] for rows, gain in enumerate(best)}


def best_sums(lots: list[Lot]) -> list[int]:
    """Return what the best rows gain, by how many they are; lots come by falling gain."""
    return list(itertools.accumulate((gain for gain, copies, _ in lots for _ in range(copies)), initial=0))


def better(parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Leave out what pays as much or more than another and gains no more."""
    kept: list[tuple[int, int]] = []
    for paid, gain in sorted(parts, key=lambda part: (part[0], -part[1])):
        if not kept or gain > kept[-1][1]:
            kept.append((paid, gain))
    return kept


def best_of(lots: list[Lot], least: int, cap: int = MOST_ROWS, free: Any = (), low: tuple[int, int] = (0, 0)) -> float:
    """Return what the best group of `least` rows or more gains that has no value but the `free` ones more than `cap` times, and so many
    rows that are `low`: among the first so many of their value. -inf if there are too few of these.

    All that gains is taken, then low rows that are missing, then rows.
    """
    gained, size, used, rest, (missing, level) = 0, 0, defaultdict[int, int](int), list[Lot](), low
    for place, (gain, copies, v) in enumerate(lots):
        if gain <= 0 and missing <= 0:  # no more of what gains, nor of what is low
            rest += lots[place:]
            break
        has = used[v]
        fits, below = copies if v in free else min(copies, cap - has), min(copies, max(0, level - has))
        take = fits if gain > 0 else min(below, max(0, missing))
        missing -= min(take, below)
        used[v], size, gained = has + take, size + take, gained + gain * take
        if gain <= 0 and take < copies:
            rest.append((gain, copies - take, v))
    for gain, copies, v in rest:
        if size >= least:
            break
        take = min(copies, least - size, copies if v in free else cap - used[v])
        used[v], size, gained = used[v] + take, size + take, gained + gain * take
    return gained if missing <= 0 else -math.inf


# -------------------------------------------------------------------------------------------------------------- Cuts and cases


class Cut:
    """A rounding cut of a proof, and the terms that it names, by pattern: whether together, and its records."""

    def __init__(self, ground: Ground, data: Any, k: int, most: int, where: str) -> None:
        records, divisor, terms = fields(data, where, "records divisor terms")
        self.ground = ground
        self.records = set(places(records, f"{where}: records", len(ground.copies)))
        self.divisor = whole(divisor, f"{where}: divisor", 2, most + 1)
        self.quotient, self.rest = divmod(ground.size(self.records), self.divisor)
        Rejected.when(not self.rest, f"{where} rounds nothing: its divisor divides its number of rows")
        self.terms: dict[Pattern, tuple[bool, set[int]]] = {}
        found = entries(terms, f"{where}, term", "kept example together records", 2)
        for (kept, example, together, its), name in found:
            pattern, chosen = ground.named(kept, example, k, name), set(places(its, name, len(ground.copies)))
            if type(together) is not bool or not chosen <= set(ground.members(*pattern)) or pattern in self.terms:
                raise Malformed(f"{name} is the pattern's second, or names a record that does not match it")
            Malformed.when(any((r in self.records) != together for r in chosen), f"{name} crosses the cut")
            self.terms[pattern] = together, chosen

    def rounded(self, amount: int) -> int:
        """Return (d - r) F(amount)."""
        return (self.divisor - self.rest) * (amount // self.divisor) + max(0, amount % self.divisor - self.rest)

    def charge(self, pattern: Pattern, price: int, gain: dict[int, int], least: int, outside: int) -> int:
        """Return what the cut charges a pattern of groups from `least` rows on, `outside` of it outside the cut; change its gains."""
        if pattern not in self.terms:
            return price * self.rounded(max(0, least - outside))
        together, its = self.terms[pattern]
        for r in its if together else gain.keys() - self.records - its:
            gain[r] += -price if together else price
        amount = self.ground.size(its)
        return price * (self.rounded(amount) - amount if together else self.rounded(max(0, least - amount)))


class Groups:
    """What groups of a pattern gain at most, by all conditions but k-anonymity: the least that one says, or by whole rows."""

    def __init__(self, problem: Problem, ground: Ground, potentials: Any, is_whole: Any) -> None:
        self.ground, self.least = ground, problem.least_rows
        numbers = [number for number, c in enumerate(problem.conditions) if c.column]
        self.parts = [(number, problem.conditions[number]) for number in numbers or [0]]
        self.turns = self.parts * min(2, len(numbers))
        self.value = ground.value[self.parts[0][1].column]  # of the one column of decisions about values
        Malformed.when(type(is_whole) is not bool, "'whole' must be true or false")
        conditions = [problem.conditions[number] for number in numbers]
        close = [c for c in conditions if isinstance(c, Closeness)]
        if is_whole and (len(close) != 1 or len(problem.columns) != 1 or close[0].space.matrix):
            raise Rejected("whole rows: it takes one closeness along edges, with diversities of its column or not")
        self.whole_rows = WholeRows(conditions) if is_whole else None
        self.raises: dict[
            tuple[int, Pattern], list[int]
        ] = {}  # by condition and pattern: how much potentials raise gains, by value
        for (part, kept, example, phi), name in entries(potentials, "potentials", "part kept example values", 3):
            condition = problem.conditions[whole(part, name, 0, len(problem.conditions))]
            if is_whole or not isinstance(condition, Closeness) or condition.slots:
                raise Malformed(f"{name} are for a condition that takes none")
            pattern, phi = ground.named(kept, example, self.least, name), wholes(phi, name, len(condition.total))
            Malformed.when((part, pattern) in self.raises, f"{name} are the pattern's second")
            mean = Fraction(sum(map(int.__mul__, condition.total, phi)), problem.table.rows)
            lifted = math.ceil(condition.space.steepness(phi) * condition.limit) + math.ceil(mean)
            self.raises[part, pattern] = [lifted - its for its in phi]

    def lots(self, part: Condition, members: list[int], gains: Iterable[int]) -> list[Lot]:
        """Return the members of a pattern by falling gain, as a condition sees them."""
        copies, value = self.ground.copies, self.ground.value[part.column]
        lots = [(gain, copies[r], value[r]) for r, gain in zip(members, gains, strict=True)]
        return sorted(lots, key=lambda lot: -lot[0])

    def least_rows(self, members: list[int]) -> int:
        """Return a size that no group of a pattern is below; 0 if it can have none."""
        least = self.least
        for _, part in self.turns:
            least = part.smallest(self.lots(part, members, [0] * len(members)), least) if least else 0
        return least

    def best(self, pattern: Pattern, members: list[int], gains: Any, sizes: Any, nothing: float) -> float:
        """Return what groups of a pattern gain at most; perhaps `nothing` where that is more."""
        found, (least, most) = math.inf, sizes
        if self.whole_rows:
            return self.whole_rows.best(self.lots(self.parts[0][1], members, gains), least, most, nothing)
        for number, part in self.parts:
            raised = self.raises.get((number, pattern))
            value = self.ground.value[part.column]
            its = [gain + raised[value[r]] for r, gain in zip(members, gains, strict=True)] if raised else gains
            found = min(found, part.price(self.lots(part, members, its), least, nothing))
        return found


class End:
    """An end of a proof's tree: worths and prices, what its path says, and D times what it proves; None if no release falls under it."""

    def __init__(self, groups: Groups, cuts: list[Cut], d: int, said: list[Any], path: Any, where: str) -> None:
        self.groups, self.cuts, self.d, n = groups, cuts, d, sum(groups.ground.copies)
        self.opened = {pattern for (pattern, *_), is_low in path if not is_low}
        limits: dict[Any, tuple[int, int]] = {}  # of a pattern's rows, and of its rows of a value
        for (pattern, span, v, most), is_low in path:
            limits.setdefault((pattern, None), span)
            low, high = limits.get((pattern, v), (0, n))
            limits[pattern, v] = (low, min(high, most)) if is_low else (max(low, most + 1), high)
        self.sizes = {pattern: limits.pop((pattern, None)) for pattern in {pattern for (pattern, *_), _ in path}}
        self.worth = wholes(said[0], f"{where}: worth", len(groups.ground.copies))
        self.prices = wholes(said[1], f"{where}: prices", len(cuts), 0)
        self.limited = dict(zip(limits, wholes(said[2], f"{where}: limited", len(limits)), strict=True))
        held = (price * limits[pair][price <= 0] for pair, price in self.limited.items())
        paid = (p * (cut.divisor - cut.rest) * cut.quotient for cut, p in zip(cuts, self.prices, strict=True))
        self.total: int | None = groups.ground.worth(self.worth) - sum(paid) + sum(held)

    def add(self, pattern: Pattern, members: list[int], starred: int, least: int, outside: Any, best: Any) -> None:
        """Add what a pattern's group costs beyond what its rows are worth, if that is below 0 or the group must be there."""
        must, sizes = pattern in self.opened, self.sizes.get(pattern, (least, math.inf))
        gained, charge = -math.inf, 0
        if self.total is not None and sizes[0] <= sizes[1]:
            cost = self.d * starred
            gain = {r: self.worth[r] - cost for r in members}
            for cut, rows in outside.items():
                if price := self.prices[cut]:
                    charge += self.cuts[cut].charge(pattern, price, gain, sizes[0], rows)
            for r in members if pattern in self.sizes else ():
                gain[r] += self.limited.get((pattern, self.groups.value[r]), 0)
            if must or charge < 0 or max(gain.values()) > 0:
                gained = best(tuple(gain.values()), sizes, -math.inf if must or charge < 0 else 0)
        if gained > -math.inf:
            self.total += int(charge - gained if must else min(0, charge - gained))  # type: ignore[operator]
        elif must:
            self.total = None


def cases(problem: Problem, proof: Any) -> Iterator[int]:
    d, reach, k, n = proof.denominator, proof.reach, problem.least_rows, problem.table.rows
    ground = Ground(problem.table, problem.columns, reach is None)
    groups = Groups(problem, ground, proof.potentials, proof.whole)
    cuts = [Cut(ground, cut, k, n, f"cut {number}") for number, cut in enumerate(listed(proof.cuts, "cuts"))]

    def decide(said: list[Any], where: str) -> Any:
        pattern, v, most = ground.named(said[0], said[1], k, where), said[2], whole(said[3], where, 0, n)
        if v is not None and len(problem.columns) != 1:
            raise Rejected(f"{where} decides on a value, and the principle is not about one sensitive column")
        if v is not None:
            whole(v, where, 0, len(problem.table.sensitive[min(problem.columns)].values))
        elif most and not proof.whole:
            raise Rejected(f"{where} decides on a size, and only whole rows are priced by size")
        if not (least := groups.least_rows(members := ground.members(*pattern))):
            raise Rejected(f"{where} decides on a pattern that can hold no group")
        return pattern, (least, ground.size(members)), v, most

    found = ends(proof.tree, "worth prices limited", "kept example value most low high", decide)
    every = [End(groups, cuts, d, end, path, where) for end, path, where in found]
    if reach is not None:
        whole(reach, "the reach", 0)
        for r, worth in {(r, worth) for end in every for r, worth in enumerate(end.worth) if worth > d * reach}:
            near = ground.size([e for e, apart in enumerate(ground.apart(r)) if d * apart < worth])
            Rejected.when(near >= k, f"record {r} is not lonely: {near} rows are nearer than it is worth, and k = {k}")
    named = set[Pattern]().union(*(cut.terms for cut in cuts), *(end.sizes for end in every))
    cuts_of = defaultdict[Any, list[int]](list)  # those that have a record, or a term of a pattern
    for number, cut in enumerate(cuts):
        for key in (*cut.records, *cut.terms):
            cuts_of[key].append(number)
    top = list(map(max, *(end.worth for end in every))) if len(every) > 1 else every[0].worth
    of_named = ((kept, ground.members(kept, first), ground.starred(kept)) for kept, first in named)
    together = 1 if problem.columns else k  # of k-anonymity, k rows gain together or not at all
    others = (its for its in ground.patterns(top, d, k, reach, together) if (its[0], its[1][0]) not in named)
    for kept, members, starred in itertools.chain(of_named, others):
        if least := groups.least_rows(members):
            pattern = kept, members[0]
            rows, inside = ground.size(members), Counter(dict.fromkeys(cuts_of.get(pattern, ()), 0))
            for record in members:
                for number in cuts_of.get(record, ()):
                    inside[number] += ground.copies[record]
            # How many rows each cut leaves out; it charges nothing where a least group fits there, but a path may name a larger one.
            outside = {number: rows - its for number, its in inside.items() if pattern in named or rows - its < least}
            best = functools.cache(functools.partial(groups.best, pattern, members))  # many ends price a pattern alike
            for end in every:
                end.add(pattern, members, starred, least, outside, best)
    yield from sorted(end.total for end in every if end.total is not None)


# ---------------------------------------------------------------------------------------------------------------------- The rules

Rules = dict[
    str, tuple[str, Callable[[Problem, Any], Iterator[int]]]
]  # a rule's own fields, and what yields D times its bound, end by end
PARTS: Rules = {"cases": ("denominator reach whole cuts potentials tree", cases), "own-bound": ("", own_bound)}
ROWS: Rules = {"row-cases": ("denominator sets tree", row_cases), "all-partitions": ("", all_partitions)}
COLUMNS: Rules = {"hitting-set": ("barriers denominator tree", hitting_set), "own-bound": ("", own_bound_of_columns)}
BOXES: Rules = {"box-shares": ("denominator tree", box_shares)}
KEYS = ("identifying-columns", "witness-columns", "isolating-columns")
RULES: dict[str, Rules] = {
    "attribute-suppression": COLUMNS,
    **dict.fromkeys(KEYS, COLUMNS),
    "cell-suppression": {**PARTS, **ROWS, "parts": ("parts", parts)},
    "diameter-sum": {**ROWS, "own-bound": ("", own_bound_of_diameters)},
    "given-patterns": {"cases": ("denominator tree", cases_of_patterns)},
    "fake-points": BOXES,
    "fake-boxes": BOXES,
}

FIELDS = {
    **dict.fromkeys(("cell-suppression", "attribute-suppression"), "principle"),
    **dict.fromkeys(("witness-columns", "diameter-sum"), "k"),
    "identifying-columns": "",
    "isolating-columns": "k share",
    "given-patterns": "k patterns",
    "fake-points": "k regime domain widths",
    "fake-boxes": "k regime domain",
}


def prove(problem: Problem, data: Any, rules: Rules, where: str) -> int:
    """Return the value of a proof, in the table's cost unit, once it holds. Costs are whole, so bounds are rounded up."""
    kind = kind_of(data)
    if kind not in rules:
        known = not kind or any(kind in of for of in RULES.values())
        words = f"{where}: {kind!r} is no rule here; those are {', '.join(sorted(rules))}"
        raise (Malformed if known else UnknownVersion)(words)
    names, rule = rules[kind]
    try:
        fields(data, "the proof", f"kind value {names}")
        d, value = whole(data.get("denominator", 1), "denominator", 1), whole(data["value"], "value", 0)
        bounds = 0
        for bounds, bound in enumerate(rule(problem, SimpleNamespace(**data)), 1):  # noqa: B007
            least = -(-bound // d)
            Rejected.when(least < value, f"the numbers prove {least} in the table's cost unit, not {value}")
        Rejected.when(not bounds, "the decisions leave no release at any end of the tree")
        return value
    except Refused as error:
        raise type(error)(f"{where} ({kind}): {error}") from None


def stated(asked: Any, table: Any, rows: Rows) -> Problem:
    """Return the problem that the statement is about, on the user's own table."""
    name = kind_of(asked, "name")
    if name not in RULES:
        raise (UnknownVersion if name else Malformed)(f"the statement is about {name!r}; known are {', '.join(RULES)}")
    digest, quasi, sensitive, weights = fields(table, "the table", "digest quasi sensitive weights")
    names = [listed(column, "a column", str) for column in (*listed(quasi, "quasi"), *listed(sensitive, "sensitive"))]
    if not quasi or len(set(names)) < len(names) or len(listed(weights, "weights")) != len(quasi):
        raise Malformed("the statement must name columns, none twice, and a weight for each quasi-identifying one")
    costs = [fraction(weight, "a weight, above 0,", lambda w: w > 0) for weight in weights]
    columns = [rows.column(column) for column in names]
    Malformed.when(not rows.rows, "the table must have a row")
    if name.startswith("fake-"):
        Malformed.when(sensitive or set(costs) != {1}, "points have no sensitive columns, and weights of 1")
        columns = [[str(_number(cell)) for cell in column] for column in columns]
    coded = [Column(column) for column in columns]
    if name not in KEYS and any("*" in column.values for column in coded[: len(quasi)]):
        raise Malformed("the table already holds '*', which is how a suppressed cell is written")
    if listed(digest, "the digest", str) != (own := digest_of(names, columns, len(quasi))):
        raise Rejected(f"statement: the proof is of a table with digest {digest[:12]}...; this one has {own[:12]}...")
    made = Table(coded[: len(quasi)], costs, dict(zip(sensitive, coded[len(quasi) :], strict=True)))
    fields(asked, "the problem", f"name {FIELDS[name]}")
    kinds = {"given-patterns": Patterns, "fake-points": Points, "fake-boxes": Points}
    return kinds.get(name, Problem)(name, made, asked)


def released(problem: Problem, stated: Any, table: Rows, release: Rows) -> int:
    """Return the cost of a release in the table's cost unit, once it is one: true cells or stars, and groups that satisfy the principle."""
    quasi, weights = stated["quasi"], problem.table.weights
    names = [*quasi, *stated["sensitive"]]
    Rejected.when(not problem.name.endswith("suppression"), "release: the problem releases none")
    both = (zip(*map(its.column, names), strict=True) for its in (table, release))
    for row, (true, shown) in enumerate(zip(*both, strict=False), 1):
        for name, its, cell in zip(names, true, shown, strict=True):
            if cell != its and not (cell == "*" and name in quasi):
                raise Rejected(f"release: row {row}, column {name!r} has {cell!r} where the table has {its!r}")
    rows, n = len(release.rows), problem.table.rows
    Rejected.when(rows != n, f"release: it has another number of rows than the table, {rows:,} and not {n:,}")
    images = alike([release.column(name) for name in quasi], n)
    for image, its in images.items():
        if (condition := problem.failing(its)) is not None:
            group = f"the group of row {its[0] + 1} ({len(its)} rows, {', '.join(image)})"
            raise Rejected(f"release: {group} has not {condition.words}")
    starred = [sum(len(rows) for image, rows in images.items() if image[j] == "*") for j in range(len(quasi))]
    if problem.name == "cell-suppression":
        return sum(w * stars for w, stars in zip(weights, starred, strict=True))
    Rejected.when(not set(starred) <= {0, n}, "release: a column is starred in some rows only")
    return sum(w for w, stars in zip(weights, starred, strict=True) if stars)


def said(problem: Problem, stated: Any, bound: Fraction) -> str:
    """Say in words what is proved."""
    quasi, weights = stated["quasi"], problem.table.exact
    each = ", ".join(f"{name} {w}" for name, w in zip(quasi, weights, strict=True))
    costs = "" if set(weights) == {1} else f" at the weights {each}"
    of = f"the table of {problem.table.rows:,} rows with the quasi-identifying columns {', '.join(quasi)}{costs}"
    asked, k = " and ".join(condition.words for condition in problem.conditions), problem.k
    if isinstance(problem, Points):
        sides = "".join(f", from {low} to {high}" for low, high in problem.domain)
        wide = " x ".join(map(str, problem.widths))
        of = f"the {problem.table.rows:,} points in {', '.join(quasi)} ({problem.regime}{sides})"
        by = "fakes" if problem.name == "fake-points" else "fakes; a box stands for the point of its upper ends"
        return f"each test box of {wide} holds none or at least {k} points, of {of} and the fakes, only with {bound} or more {by}"
    return {
        "cell-suppression": f"every release of {of}, in which equal rows form groups of {asked}, costs {bound} stars or more",
        "attribute-suppression": f"no columns to drop from {of}, after which equal rows form groups of {asked}, weigh less than {bound}",
        "diameter-sum": f"every partition of {of} into groups of {k} to {2 * k - 1} rows has diameters of {bound} or more",
        "given-patterns": f"every publication of {of} as the given patterns, of {k} rows each, costs {bound} stars or more",
        "identifying-columns": f"no set of columns that tells apart all distinct rows of {of} weighs less than {bound}",
        "witness-columns": f"no set of columns of {of}, on which some row equals fewer than {k} rows, weighs less than {bound}",
        "isolating-columns": f"no columns of {of}, on which {problem.share} of the rows equal fewer than {k}, weigh under {bound}",
    }[problem.name]


def check(table: str, proof: str, release: str | None = None, separator: str | None = None) -> str:
    """Return in words what is proved, or raise `Refused`."""
    with Path(proof).open("rb") as stream:
        data = read_json(stream.read(MOST_BYTES + 1))
    if listed(data, "the file", dict).get("schema", VERSION) != VERSION:
        anew = "`anoptima verify TABLE PROOF --newest FILE` writes an older proof anew"
        raise UnknownVersion(f"the file says that it is {data['schema']!r}; this checker knows {VERSION!r}; {anew}")
    _, about, asked, statement, claim, inner = fields(data, "the file", "schema about problem table claim proof")
    listed(about, "'about'", dict)
    bound = fraction(fields(claim, "the claim", "bound")[0], "the bound")
    rows = Rows(table, separator)
    problem = stated(asked, statement, rows)
    problem.require_feasible()
    value = Fraction(prove(problem, inner, RULES[problem.name], "the proof"), problem.table.scale)
    Rejected.when(bound != value, f"the claim is {bound}, and the proof is of {value}")
    words = f"VERIFIED: {said(problem, statement, bound)}."
    if release is not None:
        cost = Fraction(released(problem, statement, rows, Rows(release, separator)), problem.table.scale)
        if cost < bound:
            raise Rejected(f"release: it costs {cost}, less than the bound of {bound}: one of the two is wrong")
        gap = "it is optimal" if cost == bound else f"the least cost is from {bound} to {cost}, a gap of {cost - bound}"
        words += f"\nThe release costs {cost}: {gap}."
    return words


def shorter(verify: Callable[[], str]) -> tuple[str, str]:
    """Return what `verify` returns, and a shorter file: the part of this one that its verdict rests on, which checks this proof, too.

    Functions that were never called are left out; so are classes and constants that nothing names then. Where something still names such a
    function there stays one that raises.
    """
    called, source = {main.__code__.co_firstlineno}, Path(__file__).read_text("utf-8")

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename == check.__code__.co_filename:
            called.add(frame.f_code.co_firstlineno)

    sys.setprofile(note)
    try:
        words = verify()
    finally:
        sys.setprofile(None)

    def start(node: Any) -> int:
        return int(min([node.lineno, *(its.lineno for its in getattr(node, "decorator_list", ()))]))

    def names(node: ast.AST) -> Iterator[str]:
        if node not in out:
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                yield node.id if isinstance(node, ast.Name) else node.attr
            for part in ast.iter_child_nodes(node):
                yield from names(part)

    def given(node: ast.AST) -> set[str]:
        if isinstance(node, ast.ClassDef):
            return {node.name} if all(its in out for its in node.body if isinstance(its, ast.FunctionDef)) else set()
        stored = ast.walk(node) if isinstance(node, ast.Assign | ast.AnnAssign) else ()
        return {its.id for its in stored if isinstance(its, ast.Name) and isinstance(its.ctx, ast.Store)}

    module = ast.parse(source)
    own = [its for node in module.body for its in (node.body if isinstance(node, ast.ClassDef) else [node])]
    out: set[Any] = {its for its in own if isinstance(its, ast.FunctionDef) and start(its) not in called}
    named = set(names(module))
    while more := {node for node in module.body if node not in out and (its := given(node)) and its.isdisjoint(named)}:
        out |= more
        named = set(names(module))
    lines: dict[int, str] = dict(enumerate(source.splitlines(), 1))
    for node in sorted(out, key=start):
        gone = {number: lines.pop(number, "") for number in range(start(node), (node.end_lineno or 0) + 1)}
        if isinstance(node, ast.FunctionDef) and node.name in named and gone[node.lineno]:
            lines |= {number: gone[number] for number in range(start(node), node.lineno)}
            raises = f"raise Beyond('this shorter checker has no {node.name}')"
            lines[node.lineno] = f"{' ' * node.col_offset}def {node.name}(*_: Any, **__: Any) -> Any: {raises}"
    first, *rest = (lines[number] for number in sorted(lines))
    cut = f"# Cut from {Path(__file__).name}, SHA-256 {hashlib.sha256(source.encode()).hexdigest()}, for one proof."
    return words, re.sub("\n{4,}", "\n" * 3, "\n".join([first, cut, *rest]) + "\n")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check a proof that no release of a table costs less than a bound.")
    for name in ("table", "proof"):
        parser.add_argument(name)
    parser.add_argument("--release")
    parser.add_argument("--separator", help="what separates the fields of the tables, if the header does not tell")
    shorter_file = "write the part of this file that the verdict rests on, a checker too"
    parser.add_argument("--shorter", type=Path, metavar="FILE", help=shorter_file)
    given = parser.parse_args(arguments)
    if given.separator is not None and (len(given.separator) != 1 or given.separator in '"\r\n'):
        parser.error("--separator must be one character, and neither a quote nor the end of a line")
    print(f"{Path(__file__).name}, SHA-256 {hashlib.sha256(Path(__file__).read_bytes()).hexdigest()}")
    sys.setrecursionlimit(4 * MOST_LEVELS)
    if sys.stdout is not None:  # as it is where it was closed
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        verify = functools.partial(check, given.table, given.proof, given.release, given.separator)
        words, text = shorter(verify) if given.shorter else (verify(), "")
        print(words)
        if given.shorter:
            given.shorter.write_text(text, "utf-8")
            read = sum(bool(line.strip()) for line in text.splitlines())
            print(f"That rests on {read:,} lines, blank ones apart: {given.shorter} has them, and checks this proof.")
    except Refused as error:
        print(f"{error.verdict}: {error}")
        return error.code
    except OSError as error:
        parser.error(f"{error.filename} cannot be read or written: {error.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
