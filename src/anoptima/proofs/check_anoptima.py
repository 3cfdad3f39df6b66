#!/usr/bin/env python3
"""Check a proof that no release of a table costs less than a bound, without trusting the program that made it.

    python3 check_anoptima.py TABLE.csv PROOF.json [--release RELEASE.csv] [--separator CHARACTER]

One file, Python 3.11 or later, the standard library alone: copy it anywhere and read it. `docs/proof-format.md` says what each rule asks,
what it concludes, and why. The sections below have the same names as there.

What is derived here, from your own table, and believed of nobody
    the row types and records, their order and numbers, the patterns and which rows match them, the cost of a star, the principle's
    meaning, the release's stars, groups and cost. The proof's digest is compared with that of your table, to tell you early that it
    is about another one; nothing else rests on it.
What is taken from the proof, as numbers without meaning
    worths, prices, cuts, cases, potentials. Whatever they are, what is concluded is true: bad numbers prove less, or nothing.
What you trust
    this file, Python's integers and its CSV reader, and that the statement printed at the end is the one that you want proved.

All arithmetic is in Python's integers and fractions of them. No float is computed, and none is read. Nothing is searched for in the
numbers of a proof; where a rule leaves the checker a choice, as with the price of a slot at equal distance, every choice is sound.

Exit codes: 0 verified; 1 rejected, with the step; 2 wrong usage; 3 malformed; 4 unknown version; 5 beyond the limits.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import heapq
import itertools
import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

VERSION = "anoptima/proof/2"

MOST_BYTES = 1 << 28  # of a proof
MOST_TABLE_BYTES = 1 << 30
MOST_LEVELS = 500
MOST_DIGITS = 400
MOST_ROWS, MOST_COLUMNS = 10_000_000, 1_000
MOST_LOOKS = 1 << 32  # pairs of a set of columns and a record, where a proof is about every pattern
MOST_ROWS_OF_PARTITIONS = 12
FEW_LOOKS, BALL_LOOKS, OWN_BOUND_WORK = 1 << 16, 10_000_000, 1 << 26
MOST_DIVIDED = 1024
MOST_CASES = 500  # of one size of one pattern's group, at equal distance


class Refused(Exception):
    """Why a proof is not verified; `code` is the exit code."""

    code, verdict = 1, "REJECTED"


class Rejected(Refused):
    """A step does not hold."""


class Malformed(Refused):
    """The file is no proof in canonical form."""

    code, verdict = 3, "MALFORMED"


class UnknownVersion(Refused):
    """The file says that it is of another version."""

    code, verdict = 4, "UNKNOWN VERSION"


class Beyond(Refused):
    """Larger than the stated limits."""

    code, verdict = 5, "BEYOND THE LIMITS"


# ---------------------------------------------------------------------------------------------------------------- Canonical form

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]|[-+.0-9eE]+', re.DOTALL)


def read_json(content: bytes) -> Any:
    """Return what a JSON text says: no float, no name twice, nothing after its end, and within the limits before it is parsed."""
    if len(content) > MOST_BYTES:
        raise Beyond(f"the proof has {len(content):,} bytes; {MOST_BYTES:,} are the most")
    level = 0
    for token in _TOKEN.finditer(content):
        first = content[token.start()]
        level += (first in b"[{") - (first in b"]}")
        if level > MOST_LEVELS:
            raise Beyond(f"the proof is nested deeper than {MOST_LEVELS} levels")
        if first != 34 and token.end() - token.start() > MOST_DIGITS:
            raise Beyond(f"the proof has a number of more than {MOST_DIGITS} digits")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise Malformed("an object has a field twice")
        return found

    def no_float(text: str) -> NoReturn:
        raise Malformed(f"{text} is no whole number")

    def whole(text: str) -> int:
        if text == "-0":
            raise Malformed("-0 is no way to write 0")
        return int(text)

    try:
        return json.loads(
            content.decode("utf-8"),
            object_pairs_hook=once,
            parse_float=no_float,
            parse_constant=no_float,
            parse_int=whole,
        )
    except (ValueError, RecursionError) as error:
        raise Malformed(f"the proof is no JSON text in UTF-8: {error}") from None


def fields(data: Any, where: str, *names: str) -> list[Any]:
    """Return the fields of an object that has these and no others."""
    if not isinstance(data, dict) or set(data) != set(names):
        raise Malformed(f"{where} must be an object with the fields {', '.join(names)} and no others")
    return [data[name] for name in names]


def whole(value: Any, where: str, least: int | None = None, end: int | None = None) -> int:
    if type(value) is not int or (least is not None and value < least) or (end is not None and value >= end):
        span = ("" if least is None else f" from {least}") + ("" if end is None else f" to {end - 1}")
        raise Malformed(f"{where} must be a whole number{span}")
    return value


def text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise Malformed(f"{where} must be a text")
    return value


def listed(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise Malformed(f"{where} must be a list")
    return value


def wholes(value: Any, where: str, length: int, least: int | None = None) -> list[int]:
    if len(listed(value, where)) != length or any(type(number) is not int for number in value):
        raise Malformed(f"{where} must be a list of {length:,} whole numbers")
    if least is not None and any(number < least for number in value):
        raise Malformed(f"{where} has a number below {least}")
    return value  # type: ignore[no-any-return]


def places(value: Any, where: str, end: int) -> tuple[int, ...]:
    """Return a strictly increasing list of whole numbers from 0 to end - 1."""
    found = listed(value, where)
    for number in found:
        whole(number, where, 0, end)
    rising(found, where)
    return tuple(found)


def rising(keys: Sequence[Any], where: str) -> None:
    if any(not first < second for first, second in itertools.pairwise(keys)):
        raise Malformed(f"{where} must be sorted, and nothing in it twice")


def fraction(value: Any, where: str) -> Fraction:
    """Return what [numerator, denominator] says, in lowest terms."""
    number, parts = wholes(value, where, 2)
    if parts < 1 or math.gcd(number, parts) != 1:
        raise Malformed(f"{where} must be a numerator and a positive denominator in lowest terms")
    return Fraction(number, parts)


# -------------------------------------------------------------------------------------------------------------------- The table


class Rows:
    """A CSV file: its header, and every row as texts."""

    def __init__(self, path: str, separator: str | None) -> None:
        opener: Callable[..., Any] = gzip.open if path.endswith(".gz") else open
        try:
            with opener(path, "rb") as stream:
                content = stream.read(MOST_TABLE_BYTES + 1)
            if len(content) > MOST_TABLE_BYTES:
                raise Beyond(f"{path} has more than {MOST_TABLE_BYTES:,} bytes")
            lines = content.decode("utf-8-sig").splitlines(keepends=True) if b'"' not in content else None
            source = lines if lines is not None and b"\r" not in content else _lines(content.decode("utf-8-sig"))
            header = next((line for line in source if line.strip("\r\n")), "")
            split = [mark for mark in ",;\t|" if len(next(csv.reader([header], delimiter=mark), [])) > 1]
            mark = separator or (split[0] if len(split) == 1 else ",")
            rows = [row for row in csv.reader(source, delimiter=mark, strict=True) if row]
        except (OSError, EOFError, UnicodeError, csv.Error) as error:
            raise Malformed(f"{path} cannot be read as a CSV file: {error}") from None
        if len(rows) < 2:
            raise Malformed(f"{path} must have a header and at least one row")
        self.path, self.header, self.rows = path, rows[0], rows[1:]
        if len(self.rows) > MOST_ROWS or len(self.header) > MOST_COLUMNS:
            raise Beyond(f"{path} may have {MOST_ROWS:,} rows and {MOST_COLUMNS:,} columns")
        if len(set(self.header)) < len(self.header) or any(len(row) != len(self.header) for row in self.rows):
            raise Malformed(f"{path} has two columns of one name, or a row with more or fewer fields than its header")

    def column(self, name: str) -> list[str]:
        if name not in self.header:
            raise Rejected(f"statement: {self.path} has no column {name!r}")
        place = self.header.index(name)
        return [row[place] for row in self.rows]


def _lines(content: str) -> list[str]:
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$", content)


def digest_of(names: Sequence[str], columns: Sequence[Sequence[str]], quasi: int) -> str:
    """Return the SHA-256 of the table: its size, names and cells, row by row, each as its length in bytes, a colon and itself."""
    sha = hashlib.sha256()

    def feed(texts: Iterable[str]) -> None:
        for part in texts:
            data = part.encode("utf-8", "surrogatepass")
            sha.update(b"%d:%b," % (len(data), data))

    feed([VERSION, str(len(columns[0])), str(quasi), str(len(columns) - quasi), *names])
    for row in zip(*columns, strict=True):
        feed(row)
    return sha.hexdigest()


class Coded:
    """A column: each row's value as its number, values numbered from 0 as they first occur."""

    def __init__(self, cells: Sequence[str]) -> None:
        number: dict[str, int] = {}
        self.codes = [number.setdefault(cell, len(number)) for cell in cells]
        self.values = list(number)
        self.counts = [0] * len(number)
        for code in self.codes:
            self.counts[code] += 1


class Table:
    """Coded columns, and weights in whole numbers of the cost unit 1 / scale."""

    def __init__(self, quasi: Sequence[Coded], weights: Sequence[Fraction], sensitive: dict[str, Coded]) -> None:
        self.quasi, self.sensitive, self.exact = quasi, sensitive, weights
        self.scale = math.lcm(*(weight.denominator for weight in weights))
        self.weights = [int(weight * self.scale) for weight in weights]
        self.rows = len(next(iter((*quasi, *sensitive.values()))).codes)

    def restricted(self, columns: Sequence[int], weights: Sequence[Fraction]) -> Table:
        return Table([self.quasi[j] for j in columns], weights, self.sensitive)


class Ground:
    """The row types of a table (or its records, with the values of `names`), in the order of their codes, and classes of them."""

    def __init__(self, table: Table, names: Iterable[str] = (), keep: bool = False) -> None:
        columns = [column.codes for column in table.quasi]
        named = [name for name in table.sensitive if name in set(names)]
        count: dict[tuple[int, ...], int] = {}
        for key in zip(*columns, *(table.sensitive[name].codes for name in named), strict=True):
            count[key] = count.get(key, 0) + 1
        keys = sorted(count)
        self.copies = [count[key] for key in keys]
        self.codes = [[key[j] for key in keys] for j in range(len(columns))]
        self.value = {name: [key[len(columns) + j] for key in keys] for j, name in enumerate(named)}
        self.table, self.weights, self.keep = table, table.weights, keep
        self.total = sum(self.weights)
        self._on: dict[tuple[int, ...], dict[tuple[int, ...], list[int]]] = {}

    def require_few(self) -> None:
        if len(self.copies) << len(self.weights) > MOST_LOOKS:
            raise Beyond(
                f"every pattern of {len(self.weights)} columns and {len(self.copies):,} records is too many to look at"
            )

    def members(self, kept: tuple[int, ...], example: int) -> list[int]:
        """Return all that agree with `example` on the columns `kept`, rising."""
        if kept not in self._on:
            classes = self._on[kept] = {}
            for record in range(len(self.copies)):
                classes.setdefault(tuple(self.codes[j][record] for j in kept), []).append(record)
        return self._on[kept][tuple(self.codes[j][example] for j in kept)]

    def closed(self, kept: tuple[int, ...], members: list[int]) -> bool:
        """Tell whether the members differ in every column that is not kept."""
        for j, codes in enumerate(self.codes):
            if j not in kept:
                own = codes[members[0]]
                if all(codes[record] == own for record in members):
                    return False
        return True

    def starred(self, kept: tuple[int, ...]) -> int:
        return self.total - sum(self.weights[j] for j in kept)

    def named(self, kept: Any, example: Any, k: int, where: str) -> tuple[tuple[int, ...], int]:
        """Return the pattern that a proof names, which must be closed and have k rows: the columns it keeps, its first record."""
        columns = places(kept, where, len(self.weights))
        members = self.members(columns, whole(example, where, 0, len(self.copies)))
        if sum(self.copies[record] for record in members) < k or not self.closed(columns, members):
            raise Malformed(f"{where} names no closed pattern of {k} rows or more")
        return columns, members[0]

    def patterns(self, worth: Sequence[int], d: int, k: int, reach: int | None = None) -> Iterator[Node]:
        """Yield the closed patterns with k rows or more, and a record that is worth more than their stars (of less than `reach`)."""
        if sum(self.copies) < k:
            return
        waiting = [self._root()]
        while waiting:
            node = waiting.pop()
            top = max([worth[record] for record in node.members])
            if (
                top > d * node.starred
                and (reach is None or node.starred < reach)
                and self.closed(node.kept, node.members)
            ):
                yield node
            skipped = node.skipped
            for column in range(node.first, len(self.weights)):
                # What keeps none of the columns passed so far costs this at least.
                if top <= d * skipped or (reach is not None and skipped >= reach):
                    break
                waiting += self._children(node, column, k, skipped)
                skipped += self.weights[column]

    def _root(self) -> Node:
        if not self.keep or not hasattr(self, "_top"):
            self._top = Node((), list(range(len(self.copies))), 0, self.total, 0)
        return self._top

    def _children(self, node: Node, column: int, k: int, skipped: int) -> list[Node]:
        if column in node.children:
            return node.children[column]
        codes, copies = self.codes[column], self.copies
        parts: dict[int, list[int]] = {}
        for record in node.members:
            code = codes[record]
            if code in parts:
                parts[code].append(record)
            else:
                parts[code] = [record]
        kept, starred = (*node.kept, column), node.starred - self.weights[column]
        found = [
            Node(kept, part, column + 1, starred, skipped)
            for part in parts.values()
            if (len(part) >= k or sum([copies[record] for record in part]) >= k)
        ]
        if self.keep:
            node.children[column] = found
        return found


class Node:
    """A class: the columns kept, its records, the next column, the weight of those not kept, and of those not kept before the next."""

    __slots__ = ("children", "first", "kept", "members", "skipped", "starred")

    def __init__(self, kept: tuple[int, ...], members: list[int], first: int, starred: int, skipped: int) -> None:
        self.kept, self.members, self.first, self.starred, self.skipped = kept, members, first, starred, skipped
        self.children: dict[int, list[Node]] = {}


# -------------------------------------------------------------------------------------------------------------- Distances, principles


class Space:
    """Distances between the values of a column, in whole numbers of 1 / scale."""

    def __init__(self, data: Any, column: Coded) -> None:
        kind = data.get("kind") if isinstance(data, dict) else None
        self.kind, values = kind, column.values
        self.place: list[int] = []  # on a line
        self.edges: list[tuple[int, set[int]]] = []  # of a tree: length, the values below
        self.matrix: list[list[int]] = []
        if kind == "equal":
            fields(data, "the space", "kind")
            self.scale = 2
        elif kind == "numeric":
            fields(data, "the space", "kind")
            numbers = [_number(value) for value in values]
            span = max(numbers) - min(numbers)
            self._line([(number - min(numbers)) / span if span else Fraction(0) for number in numbers])
        elif kind == "ordered":
            order = self._known(fields(data, "the space", "kind", "order")[1], values)
            self._line([Fraction(order[value], max(1, len(order) - 1)) for value in values])
        elif kind == "hierarchical":
            self._tree(fields(data, "the space", "kind", "tree")[1], values)
        elif kind == "matrix":
            _, known, parts, rows = fields(data, "the space", "kind", "values", "denominator", "matrix")
            self._matrix(
                self._known(known, values), whole(parts, "the denominator", 1), listed(rows, "the matrix"), values
            )
        else:
            raise Malformed(f"{kind!r} is no kind of space")

    @staticmethod
    def _known(data: Any, values: list[str]) -> dict[str, int]:
        known = {text(value, "a value"): place for place, value in enumerate(listed(data, "the values"))}
        if len(known) < len(data):
            raise Malformed("the space has a value twice")
        for value in values:
            if value not in known:
                raise Rejected(f"statement: the value {value!r} has no place in the space")
        return known

    def _line(self, positions: list[Fraction]) -> None:
        self.order = sorted(range(len(positions)), key=positions.__getitem__)
        steps = [positions[w] - positions[v] for v, w in itertools.pairwise(self.order)]
        self.scale = math.lcm(*(step.denominator for step in steps))
        self.place = [int((position - min(positions)) * self.scale) for position in positions]

    def _tree(self, tree: Any, values: list[str]) -> None:
        paths: dict[str, tuple[int, ...]] = {}
        number = itertools.count()

        def walk(node: Any, path: tuple[int, ...]) -> None:
            if isinstance(node, str):
                if node in paths:
                    raise Malformed(f"the hierarchy has {node!r} twice")
                paths[node] = path
            elif isinstance(node, dict | list):
                for child in node.values() if isinstance(node, dict) else node:
                    walk(child, (*path, next(number)))
            else:
                raise Malformed("the hierarchy's leaves must be texts")

        walk(tree, ())
        if len({len(path) for path in paths.values()}) != 1:
            raise Malformed("the hierarchy's leaves must be at one depth, and at least one")
        self._known(list(paths), values)
        self.scale = 2 * max(map(len, paths.values())) or 1
        nodes = sorted({node for value in values for node in paths[value]})
        self.edges = [(1, {v for v, value in enumerate(values) if node in paths[value]}) for node in nodes]

    def _matrix(self, known: dict[str, int], parts: int, rows: list[Any], values: list[str]) -> None:
        d = [wholes(row, "a row of the matrix", len(known), 0) for row in rows]
        every = range(len(known))
        if len(d) != len(known) or any(
            d[i][j] > parts or d[i][j] != d[j][i] or (d[i][j] == 0) != (i == j) for i in every for j in every
        ):
            raise Malformed("the matrix must be square, symmetric, 0 on its diagonal alone, and at most 1")
        if any(d[i][k] > d[i][j] + d[j][k] for i in every for j in every for k in every):
            raise Malformed("the matrix breaks the triangle inequality")
        self.scale = math.lcm(*(Fraction(d[known[v]][known[w]], parts).denominator for v in values for w in values))
        self.matrix = [[d[known[v]][known[w]] * self.scale // parts for w in values] for v in values]

    def emd(self, counts: Sequence[int], total: Sequence[int]) -> int:
        """Return scale * N * n times the earth mover's distance of a group (N rows) from the table (n rows)."""
        size, n = sum(counts), sum(total)
        surplus = [n * count - size * all_ for count, all_ in zip(counts, total, strict=True)]
        if self.kind == "equal":
            return sum(map(abs, surplus))
        if self.place:
            carried = list(itertools.accumulate(surplus[v] for v in self.order))
            steps = [self.place[w] - self.place[v] for v, w in itertools.pairwise(self.order)]
            return sum(abs(amount) * step for amount, step in zip(carried, steps, strict=False))
        if self.matrix:
            return _transport(surplus, self.matrix)
        return sum(length * abs(sum(surplus[v] for v in below)) for length, below in self.edges)

    def cuts(self, total: Sequence[int]) -> list[tuple[int, int]]:
        """Return the lengths of the edges of a line or a tree of values, with how many rows are on one side; none for a matrix."""
        if self.kind == "equal":
            return [(1, count) for count in total]
        if self.place:
            steps = [self.place[w] - self.place[v] for v, w in itertools.pairwise(self.order)]
            return list(zip(steps, itertools.accumulate(total[v] for v in self.order), strict=False))
        return [(length, sum(total[v] for v in below)) for length, below in self.edges]

    def steepness(self, phi: Sequence[int]) -> Fraction:
        """Return the least L such that potentials differ by at most L times the distance."""
        if self.kind == "equal":
            return Fraction(max(phi) - min(phi))
        if self.place:
            pairs = [
                (abs(phi[v] - phi[w]), abs(self.place[v] - self.place[w])) for v, w in itertools.pairwise(self.order)
            ]
        else:
            every = range(len(phi))
            pairs = [(abs(phi[v] - phi[w]), self._apart(v, w)) for v in every for w in every if v < w]
        if any(rise and not apart for rise, apart in pairs):
            raise Rejected("the potentials of two values at distance 0 differ")
        steepest = (0, 1)
        for rise, apart in pairs:
            if rise * steepest[1] > steepest[0] * apart:
                steepest = (rise, apart)
        return self.scale * Fraction(*steepest)

    def _apart(self, v: int, w: int) -> int:
        return (
            self.matrix[v][w]
            if self.matrix
            else sum(length for length, below in self.edges if (v in below) != (w in below))
        )


def _number(value: str) -> Fraction:
    if not re.fullmatch(
        r"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?|[+-]?\d{1,400}/0*[1-9]\d{0,399}",
        value,
        re.ASCII,
    ):
        raise Rejected(f"statement: {value!r} is no number, and the distance is between numbers")
    return Fraction(value)


def _transport(surplus: Sequence[int], cost: list[list[int]]) -> int:
    """Return the least cost of carrying what is too much to where it lacks: shortest paths, one after the other."""
    left, flow, paid = list(surplus), {}, 0
    every = range(len(left))
    flow = {(v, w): 0 for v in every for w in every}
    while any(amount > 0 for amount in left):
        far: list[Any] = [0 if left[v] > 0 else None for v in every]
        before: list[tuple[int, bool] | None] = [None] * len(left)
        changed = True
        while changed:
            changed = False
            for v, w in itertools.permutations(every, 2):
                if far[v] is None:
                    continue
                for length, back in ((cost[v][w], False), *(((-cost[w][v], True),) if flow[w, v] else ())):
                    if far[w] is None or far[v] + length < far[w]:
                        far[w], before[w], changed = far[v] + length, (v, back), True
        end = min((v for v in every if left[v] < 0), key=lambda v: far[v])
        path, at = [], end
        while (step := before[at]) is not None:
            path.append((step[0], at, step[1]))
            at = step[0]
        amount = min([left[at], -left[end], *(flow[w, v] for v, w, back in path if back)])
        for v, w, back in path:
            flow[(w, v) if back else (v, w)] += -amount if back else amount
        left[at] -= amount
        left[end] += amount
        paid += amount * far[end]
    return paid


class Condition:
    """One of what a principle asks of a group: rows, different values, a largest share, closeness."""

    def __init__(self, data: Any, table: Table) -> None:
        kind = data.get("kind") if isinstance(data, dict) else None
        self.kind, self.column, self.least_rows = kind, "", 1
        space: Any = None
        if kind == "k-anonymity":
            self.least_rows = self.k = whole(fields(data, "k-anonymity", "kind", "k")[1], "k", 1)
            self.words = f"at least {self.k} rows"
            return
        if kind in ("distinct-l-diversity", "frequency-l-diversity"):
            _, l_, column = fields(data, kind, "kind", "l", "column")
            self.l = Fraction(whole(l_, "l", 1)) if kind[0] == "d" else fraction(l_, "l")
            if self.l < 1:
                raise Malformed("l must be at least 1")
            self.least_rows = math.ceil(self.l)
            self.words = (
                f"at least {self.l} values of {column!r}"
                if kind[0] == "d"
                else f"no value of {column!r} in more than 1 of {self.l} rows"
            )
        elif kind == "t-closeness":
            _, t, column, space = fields(data, kind, "kind", "t", "column", "space")
            self.t = fraction(t, "t")
            if not 0 <= self.t <= 1:
                raise Malformed("t must be from 0 to 1")
        else:
            raise Malformed(f"{kind!r} is no condition")
        self.column = text(column, "the column")
        if column not in table.sensitive:
            raise Malformed(f"{column!r} is no sensitive column")
        self.total = table.sensitive[column].counts
        if kind == "t-closeness":
            self.space = Space(space, table.sensitive[column])
            unit = self.space.scale * table.rows
            # Distances of groups of N rows are whole numbers of 1 / (unit N): the largest such number up to t, over all N.
            self.limit = max(
                Fraction(self.t.numerator * unit * size // self.t.denominator, size * unit)
                for size in range(1, table.rows + 1)
            )
            self.words = f"{column!r} within {self.t} of the whole table's distribution ({self.space.kind} distance)"
            if self.t == 0:
                merged: dict[int, int] = {}
                for v, count in enumerate(self.total):
                    at = self.space.place[v] if self.space.place else v
                    merged[at] = merged.get(at, 0) + count
                self.least_rows = table.rows // math.gcd(*merged.values())

    def holds(self, size: int, counts: Sequence[int]) -> bool:
        """Tell whether a group with these counts of the column's values satisfies the condition."""
        if self.kind == "k-anonymity":
            return size >= self.k
        if self.kind == "distinct-l-diversity":
            return sum(1 for count in counts if count) >= self.l
        if self.kind == "frequency-l-diversity":
            return max(counts) * self.l <= size
        return self.space.emd(counts, self.total) <= self.t * self.space.scale * size * sum(self.total)

    def divides(self, size: int, rows: int) -> bool:
        """Tell whether `size` of `rows` rows might be a group beside all the others; False only if not."""
        if self.kind == "k-anonymity":
            return size >= self.k
        if self.kind == "distinct-l-diversity":
            return sum(min(count, 2) for count in self.total) >= 2 * self.l
        if self.kind == "frequency-l-diversity":
            return max(self.total) <= size // self.l + (rows - size) // self.l
        rests = [(length, size * count % rows) for length, count in self.space.cuts(self.total)]
        apart = sum(length * min(rest, rows - rest) for length, rest in rests)
        return apart <= self.t * self.space.scale * rows * size

    def could_hold(self, size: int, different: int) -> bool:
        """Tell whether part of a group of `size` rows with so many different values might satisfy it."""
        if self.kind == "k-anonymity":
            return size >= self.k
        return self.kind == "t-closeness" or different >= math.ceil(self.l)


class Problem:
    """What is asked: which problem, of which table, under which conditions."""

    def __init__(self, name: str, table: Table, conditions: Sequence[Condition] = (), k: int = 0) -> None:
        self.name, self.table, self.conditions, self.k = name, table, conditions, k
        self.least_rows = max((condition.least_rows for condition in conditions), default=1)
        self.columns = {condition.column for condition in conditions if condition.column}

    def of(self, table: Table) -> Problem:
        return Problem(self.name, table, self.conditions, self.k)

    def failing(self, rows: Sequence[int]) -> Condition | None:
        """Return a condition that a group of rows does not satisfy, if there is one."""
        for condition in self.conditions:
            counts = [0] * len(condition.total) if condition.column else []
            if condition.column:
                codes = self.table.sensitive[condition.column].codes
                for row in rows:
                    counts[codes[row]] += 1
            if not condition.holds(len(rows), counts):
                return condition
        return None

    def least_group(self) -> int:
        """Return what no group of several is below: a size that no condition rules out; all rows if there cannot be several."""
        rows, least = self.table.rows, self.least_rows
        if 2 * least > rows or rows > MOST_DIVIDED:
            return rows if 2 * least > rows else least
        sizes = range(least, rows // 2 + 1)
        return next((size for size in sizes if all(c.divides(size, rows) for c in self.conditions)), rows)

    def require_feasible(self) -> None:
        condition = self.failing(range(self.table.rows))
        if condition is not None:
            raise Rejected(f"no release exists: even the whole table as one group fails, {condition.words}")

    def classes(self, columns: Iterable[int]) -> list[list[int]]:
        """Return the rows that agree on some columns, class by class."""
        found: dict[tuple[int, ...], list[int]] = {}
        chosen = [self.table.quasi[j].codes for j in columns]
        for row in range(self.table.rows):
            found.setdefault(tuple([codes[row] for codes in chosen]), []).append(row)
        return list(found.values())

    def suffices(self, columns: Iterable[int]) -> bool:
        """Tell whether a choice of columns is a solution: dropped ones, identifying ones, witnesses."""
        chosen, every = set(columns), range(len(self.table.quasi))
        if self.name == "attribute-suppression":
            return all(self.failing(rows) is None for rows in self.classes(j for j in every if j not in chosen))
        if self.name == "identifying-columns":
            return len(self.classes(sorted(chosen))) == len(self.classes(every))
        return min(map(len, self.classes(sorted(chosen)))) < self.k


# ------------------------------------------------------------------------------------------------- Multipliers, cuts and cases of them


class Cut:
    """A rounding cut of a proof, and the terms that it names, by pattern."""

    def __init__(self, ground: Ground, data: Any, k: int, where: str) -> None:
        types, divisor, terms = fields(data, where, "types", "divisor", "terms")
        count = len(ground.copies)
        self.types = set(places(types, f"{where}: types", count))
        self.divisor = whole(divisor, f"{where}: divisor", 2, k + 1)
        self.size = sum(ground.copies[t] for t in self.types)
        self.quotient, self.rest = divmod(self.size, self.divisor)
        if not self.rest:
            raise Rejected(f"{where} rounds nothing: its divisor divides its number of rows")
        self.terms: dict[Any, tuple[bool, set[int]]] = {}
        keys = []
        for number, term in enumerate(listed(terms, f"{where}: terms")):
            kept, example, together, its = fields(
                term, f"{where}, term {number}", "kept", "example", "together", "types"
            )
            name = f"{where}, term {number}"
            pattern = ground.named(kept, example, k, name)
            chosen = set(places(its, name, count))
            if type(together) is not bool or not chosen <= set(ground.members(*pattern)) or pattern in self.terms:
                raise Malformed(f"{name} is the pattern's second, or names a row type that does not match it")
            if any((t in self.types) != together for t in chosen):
                raise Rejected(f"{name} has a row type on the wrong side of the cut")
            self.terms[pattern] = together, chosen
            keys.append((kept, example))
        rising(keys, f"{where}: terms")

    def rounded(self, amount: int) -> int:
        """Return (d - r) F(amount)."""
        return (self.divisor - self.rest) * (amount // self.divisor) + max(0, amount % self.divisor - self.rest)


class Multipliers:
    """Worths and prices for one case of a proof, applied to all patterns."""

    def __init__(self, ground: Ground, k: int, d: int, cuts: Sequence[Cut]) -> None:
        self.ground, self.k, self.d, self.cuts = ground, k, d, cuts
        self.of_type: dict[int, list[int]] = {}
        for number, cut in enumerate(cuts):
            for t in cut.types:
                self.of_type.setdefault(t, []).append(number)
        self.terms = {pattern for cut in cuts for pattern in cut.terms}

    def least(self, worth: list[int], prices: list[int], decided: dict[Any, bool]) -> int:
        """Return D times what a case proves: those releases in which the decided patterns have a group, or none."""
        ground = self.ground
        total = sum(s * w for s, w in zip(ground.copies, worth, strict=True))
        for price, cut in zip(prices, self.cuts, strict=True):
            total -= price * (cut.divisor - cut.rest) * cut.quotient
        named = self.terms | decided.keys()
        for kept, first in named:
            if decided.get((kept, first), True):
                members = ground.members(kept, first)
                value = self.value(
                    (kept, first), members, ground.starred(kept), worth, prices, (kept, first) in decided
                )
                total += value if (kept, first) in decided else min(0, value)
        for node in ground.patterns(worth, self.d, self.k):
            if (node.kept, node.members[0]) not in named:
                total += min(
                    0, self.value((node.kept, node.members[0]), node.members, node.starred, worth, prices, False)
                )
        return total

    def value(
        self, pattern: Any, members: list[int], starred: int, worth: list[int], prices: list[int], is_open: bool
    ) -> int:
        """Return D v_p; 0 where it is 0 or more, and the pattern need not have a group."""
        copies, k = self.ground.copies, self.k
        gain = {t: worth[t] - self.d * starred for t in members}
        charge = 0
        within: dict[int, int] = {}
        if self.cuts:
            for t in members:
                for number in self.of_type.get(t, ()):
                    within[number] = within.get(number, 0) + copies[t]
            size = sum(copies[t] for t in members)
            for number in {*within, *(n for n, cut in enumerate(self.cuts) if pattern in cut.terms)}:
                cut, price = self.cuts[number], prices[number]
                together, its = cut.terms.get(pattern, (None, set()))
                amount = sum(copies[t] for t in its)
                if together is None:
                    charge += price * cut.rounded(max(0, k - (size - within[number])))
                elif together:
                    charge += price * (cut.rounded(amount) - amount)
                    for t in its:
                        gain[t] -= price
                else:
                    charge += price * cut.rounded(max(0, k - amount))
                    for t in members:
                        if t not in its and t not in cut.types:
                            gain[t] += price
        gains = [t for t in members if gain[t] > 0]
        taken = sum([copies[t] for t in gains])
        value = charge - sum([copies[t] * gain[t] for t in gains])
        if taken < k and (gains or charge < 0 or is_open):
            for t in sorted((t for t in members if gain[t] <= 0), key=lambda t: -gain[t]):
                more = min(copies[t], k - taken)
                value, taken = value - more * gain[t], taken + more
        return value


def proved(least: int, d: int, value: int) -> int:
    """Refuse a value that is more than what was proved, rounded up: costs are whole numbers of the unit."""
    if -(-least // d) < value:
        raise Rejected(f"the numbers prove {-(-least // d)} in the table's cost unit, not {value}")
    return value


def asked_size(problem: Problem, k: Any) -> int:
    if whole(k, "k", 1) > problem.least_rows:
        raise Rejected(
            f"the proof is for groups of at least {k} rows, and the principle allows groups of {problem.least_rows}"
        )
    return int(k)


def multipliers(problem: Problem, data: Any) -> int:
    _, value, k, d, cuts, worth, prices = fields(
        data, "the proof", "kind", "value", "k", "denominator", "cuts", "worth", "prices"
    )
    tree = {"worth": worth, "prices": prices}
    return branched(problem, {"kind": "", "value": value, "k": k, "denominator": d, "cuts": cuts, "tree": tree})


def branched(problem: Problem, data: Any) -> int:
    _, value, k, d, cuts, tree = fields(data, "the proof", "kind", "value", "k", "denominator", "cuts", "tree")
    k, d = asked_size(problem, k), whole(d, "the denominator", 1)
    ground = Ground(problem.table, keep="worth" not in tree)
    ground.require_few()
    case = Multipliers(
        ground, k, d, [Cut(ground, cut, k, f"cut {number}") for number, cut in enumerate(listed(cuts, "cuts"))]
    )
    least = None
    waiting: list[tuple[Any, dict[Any, bool], str]] = [(tree, {}, "the tree")]
    while waiting:
        node, decided, where = waiting.pop()
        if isinstance(node, dict) and "worth" in node:
            worth, prices = fields(node, where, "worth", "prices")
            worth = wholes(worth, f"{where}: worth", len(ground.copies))
            its = case.least(worth, wholes(prices, f"{where}: prices", len(case.cuts), 0), decided)
            least = its if least is None else min(least, its)
            if -(-its // d) < value:
                raise Rejected(f"{where}: the numbers prove {-(-its // d)} in the table's cost unit, not {value}")
        else:
            kept, example, open_, shut = fields(node, where, "kept", "example", "open", "shut")
            pattern = ground.named(kept, example, k, where)
            if pattern in decided:
                raise Malformed(f"{where} decides on a pattern a second time")
            waiting += [
                (shut, {**decided, pattern: False}, where + ".shut"),
                (open_, {**decided, pattern: True}, where + ".open"),
            ]
    assert least is not None
    return proved(least, d, value)


def near(problem: Problem, data: Any) -> int:
    _, value, k, d, reach, worth = fields(data, "the proof", "kind", "value", "k", "denominator", "reach", "worth")
    k, d, reach = asked_size(problem, k), whole(d, "the denominator", 1), whole(reach, "the reach", 0)
    order = sorted(range(len(problem.table.quasi)), key=lambda j: -len(problem.table.quasi[j].values))
    ground = Ground(problem.table)
    worth = wholes(worth, "worth", len(ground.copies))
    ground.codes = [ground.codes[j] for j in order]
    ground.weights = [ground.weights[j] for j in order]
    for t, its in enumerate(worth):
        if its > d * reach:
            nearer = 0
            for other, s in enumerate(ground.copies):
                apart = sum(
                    [w for w, codes in zip(ground.weights, ground.codes, strict=True) if codes[t] != codes[other]]
                )
                nearer += s if d * apart < its else 0
            if nearer >= k:
                raise Rejected(
                    f"row type {t} is not lonely: {nearer} rows are nearer than it is to be worth, and k = {k}"
                )
    case = Multipliers(ground, k, d, [])
    least = sum(s * w for s, w in zip(ground.copies, worth, strict=True))
    for node in ground.patterns(worth, d, k, reach):
        least += min(0, case.value(None, node.members, node.starred, worth, [], False))
    return proved(least, d, value)


# ------------------------------------------------------------------------------------------------ Proofs made of proofs, and without data


def rounded(problem: Problem, data: Any) -> int:
    _, value, unit, inner = fields(data, "the proof", "kind", "value", "unit", "proof")
    table = problem.table
    light = [weight // whole(unit, "the unit", 1, max(table.weights) + 1) for weight in table.weights]
    kept = [j for j, weight in enumerate(light) if weight]
    lighter = table.restricted(kept, [Fraction(light[j]) for j in kept])
    return proved(unit * prove(problem.of(lighter), inner, LIGHTER, "the lighter table"), 1, value)


def blocks(problem: Problem, data: Any) -> int:
    _, value, parts = fields(data, "the proof", "kind", "value", "blocks")
    table, seen, total = problem.table, set(), Fraction(0)
    for number, part in enumerate(listed(parts, "the blocks")):
        columns, inner = fields(part, f"block {number}", "columns", "proof")
        for column in listed(columns, "columns"):
            if whole(column, "a column", 0, len(table.quasi)) in seen:
                raise Rejected(f"column {column} is in two blocks")
            seen.add(column)
        if not columns:
            raise Malformed(f"block {number} has no column")
        block = table.restricted(columns, [table.exact[j] for j in columns])
        total += Fraction(prove(problem.of(block), inner, PARTS, f"block {number}"), block.scale)
    rising([part["columns"] for part in parts], "the blocks")
    return proved(math.floor(total * table.scale), 1, value)


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


def own_bound(problem: Problem, data: Any) -> int:
    _, value = fields(data, "the proof", "kind", "value")
    if problem.name != "cell-suppression":
        return proved(own_bound_of_columns(problem), 1, value)
    problem.require_feasible()
    ground, least = Ground(problem.table, problem.columns), problem.least_group()

    def paid(levels: Iterable[Level]) -> int:
        return bound_of_levels(problem.table.rows, least, levels, value)

    # Many sets of columns take long: they come last.
    ways: tuple[Callable[[], int], ...] = (
        lambda: paid(levels_of_sets(problem, ground, least, FEW_LOOKS)),
        lambda: bound_of_single_columns(problem, ground, least),
        lambda: paid(levels_of_balls(problem, least)),
        lambda: paid(levels_of_sets(problem, ground, least, OWN_BOUND_WORK)),
    )
    found = 0
    for way in ways:
        found = max(found, way())
        if found >= value:
            break
    return proved(found, 1, value)


Level = tuple[int, int, int]
"""A weight, how many rows have a class at that weight or less that could hold a group, and the size of the largest."""


def most_below(rows: int, least: int, served: int, largest: int) -> int:
    """Return how many rows can be in groups of `least` to `largest` rows, if `served` can, and the others are none or `least`."""
    found = min(served, served // least * largest)
    left = max(0, rows - least)
    return found if found == rows or rows - found >= least else min(left, left // least * largest)


def bound_of_levels(rows: int, least: int, levels: Iterable[Level], value: int) -> int:
    """Sum what is paid from each level to the next, up to the last one; stop at `value`."""
    total, paid, below = 0, 0, 0
    for weight, served, largest in levels:
        total += (weight - paid) * (rows - below)
        if total >= value:
            break
        paid, below = weight, most_below(rows, least, served, largest)
    return total


def levels_of_sets(problem: Problem, ground: Ground, least: int, looks: int) -> Iterator[Level]:
    """Yield the levels of sets of starred columns, lightest first, until so many records have been looked at."""
    waiting, largest, work = set(range(len(ground.copies))), 0, 0
    for weight, starred in cheapest_sets(problem.table.weights):
        could, size = with_company(problem, ground, least, [j for j in range(len(ground.codes)) if j not in starred])
        waiting.difference_update(could)
        largest = max(largest, size)
        yield weight, problem.table.rows - sum(ground.copies[record] for record in waiting), largest
        work += len(ground.copies)
        if work > looks:
            return


def bound_of_single_columns(problem: Problem, ground: Ground, least: int) -> int:
    """Return what each column costs on its own, in all."""
    rows, total = problem.table.rows, 0
    for j, weight in enumerate(problem.table.weights):
        could, largest = with_company(problem, ground, least, [j])
        total += weight * (rows - most_below(rows, least, sum(ground.copies[record] for record in could), largest))
    return total


def levels_of_balls(problem: Problem, least: int) -> Iterator[Level]:
    """Yield the levels of balls of row types, by rising distance."""
    ground, weights = Ground(problem.table), problem.table.weights
    every = range(len(ground.copies))
    if len(every) ** 2 * len(weights) > BALL_LOOKS:
        return
    company: dict[int, int] = {}  # at each distance: how many rows have company from there on
    ball: dict[int, int] = {}  # at each distance: the largest ball of `least` rows or more
    for one in every:
        rows: dict[int, int] = {}
        for other in every:
            apart = sum(w for w, codes in zip(weights, ground.codes, strict=True) if codes[one] != codes[other])
            rows[apart] = rows.get(apart, 0) + ground.copies[other]
        size, before = 0, 0
        for apart in sorted(rows):
            before, size = size, size + rows[apart]
            if before < least <= size:
                company[apart] = company.get(apart, 0) + ground.copies[one]
            ball[apart] = max(ball.get(apart, 0), size if size >= least else 0)
    served, largest = 0, 0
    for apart in sorted({*ball, sum(weights)}):
        served, largest = served + company.get(apart, 0), max(largest, ball.get(apart, 0))
        yield apart, served, largest


def with_company(problem: Problem, ground: Ground, least: int, kept: Sequence[int]) -> tuple[list[int], int]:
    """Return the records whose class on the columns `kept` could hold a group of `least` rows, and the size of the largest such class."""
    codes = [ground.codes[j] for j in kept]
    keys = list(zip(*codes, strict=True)) if codes else [()] * len(ground.copies)
    size: dict[Any, int] = {}
    different: dict[Any, set[int]] = {}
    for record, key in enumerate(keys):
        size[key] = size.get(key, 0) + ground.copies[record]
        for name, values in ground.value.items():
            different.setdefault((key, name), set()).add(values[record])
    could = {
        key
        for key, rows in size.items()
        if rows >= least
        and all(c.could_hold(rows, len(different.get((key, c.column), ()))) for c in problem.conditions)
    }
    return [record for record, key in enumerate(keys) if key in could], max((size[key] for key in could), default=0)


def own_bound_of_columns(problem: Problem) -> int:
    weights, every = problem.table.weights, range(len(problem.table.quasi))
    if not problem.suffices(every):
        raise Rejected("no choice of columns is a solution")
    if problem.name == "attribute-suppression":
        if problem.suffices(()):
            return 0
        return max(min(weights), sum(weights[j] for j in every if not problem.suffices(i for i in every if i != j)))
    needed = [j for j in every if not problem.suffices(i for i in every if i != j)]
    least = sum(weights[j] for j in needed)
    if not problem.suffices(needed):
        others = [j for j in every if j not in needed]
        ends = [weights[j] for j in others if problem.suffices([*needed, j])]
        ends += [sum(sorted(weights[j] for j in others)[:2])] if len(others) > 1 else []
        least += min(ends)
    if problem.name == "identifying-columns":
        types, combinations, count = len(problem.classes(every)), 1, 0
        for width in sorted((len(column.values) for column in problem.table.quasi), reverse=True):
            if combinations >= types:
                break
            combinations, count = combinations * width, count + 1
        least = max(least, sum(sorted(weights)[:count]))
    return least


def all_partitions(problem: Problem, data: Any) -> int:
    _, value = fields(data, "the proof", "kind", "value")
    table = problem.table
    if table.rows > MOST_ROWS_OF_PARTITIONS:
        raise Beyond(f"the proof is about every partition; {MOST_ROWS_OF_PARTITIONS} rows are the most")
    problem.require_feasible()
    cost: list[int | None] = [None]
    for rows in range(1, 1 << table.rows):
        members = [i for i in range(table.rows) if rows >> i & 1]
        stars = sum(
            w
            for w, column in zip(table.weights, table.quasi, strict=True)
            if len({column.codes[i] for i in members}) > 1
        )
        cost.append(None if problem.failing(members) else len(members) * stars)
    least: list[int | None] = [0]
    for rows in range(1, 1 << table.rows):
        first = rows & -rows
        rest = inside = rows - first
        best: int | None = None
        while True:
            own, other = cost[inside + first], least[rest - inside]
            if own is not None and other is not None and (best is None or own + other < best):
                best = own + other
            if not inside:
                break
            inside = (inside - 1) & rest
        least.append(best)
    assert least[-1] is not None
    return proved(least[-1], 1, value)


def hitting_set(problem: Problem, data: Any) -> int:
    _, value, barriers, d, tree = fields(data, "the proof", "kind", "value", "barriers", "denominator", "tree")
    weights, every = problem.table.weights, range(len(problem.table.quasi))
    sets = [places(barrier, "a barrier", len(weights)) for barrier in listed(barriers, "the barriers")]
    rising(sets, "the barriers")
    for number, barrier in enumerate(sets):
        if problem.suffices(j for j in every if j not in barrier):
            raise Rejected(f"barrier {number} is none: all other columns together suffice")
    whole(d, "the denominator", 1)
    waiting: list[tuple[Any, set[int], set[int], str]] = [(tree, set(), set(), "the tree")]
    while waiting:
        node, taken, left, where = waiting.pop()
        if isinstance(node, dict) and "column" in node:
            column, take, leave = fields(node, where, "column", "taken", "left")
            if whole(column, where, 0, len(weights)) in taken | left:
                raise Malformed(f"{where} decides on column {column} a second time")
            waiting += [
                (leave, taken, left | {column}, where + ".left"),
                (take, taken | {column}, left, where + ".taken"),
            ]
            continue
        shares = [tuple(wholes(share, where, 2, 0)) for share in listed(fields(node, where, "shares")[0], where)]
        rising([number for number, _ in shares], f"{where}: shares")
        charged = dict.fromkeys(every, 0)
        for number, share in shares:
            if not share:
                raise Malformed(f"{where}: a share is 0")
            if number >= len(sets) or not taken.isdisjoint(sets[number]):
                raise Rejected(f"{where}: barrier {number} cannot have the share {share}")
            for column in sets[number]:
                charged[column] += share
        for column in every:
            if column not in left and charged[column] > d * weights[column]:
                raise Rejected(f"{where}: the shares on column {column} are more than it weighs")
        least = d * sum(weights[column] for column in taken) + sum(share for _, share in shares)
        if least < d * value:
            raise Rejected(f"{where}: the shares prove {Fraction(least, d)} in the table's cost unit, not {value}")
    return int(value)


# -------------------------------------------------------------------------------------------------------- Groups under a principle

Lot = tuple[int, int, int]  # gain, copies, value


class Slots:
    """Total variation of at most t from the counts `total` of n rows: value v has N total_v / n slots of its own, and all share t N."""

    def __init__(self, condition: Condition) -> None:
        self.total, self.n, self.t = condition.total, sum(condition.total), condition.limit

    def filled(self, lots: list[Lot], size: int) -> Fraction:
        """Return the gain of the best filling with rows that may be split."""
        own = [Fraction(size * count) for count in self.total]
        common, left, gained = self.t * size * self.n, Fraction(size * self.n), Fraction(0)
        for gain, copies, v in lots:
            rows = Fraction(self.n * copies)
            first = min(rows, own[v])
            own[v] -= first
            over = min(rows - first, common)
            common -= over
            take = min(first + over, left)
            left, gained = left - take, gained + gain * take
        return gained / self.n

    def largest(self, counts: Sequence[int]) -> int:
        """Return the largest size whose split slots can all be filled; what is filled is concave in the size."""
        low, high = 0, sum(counts)
        while low < high:
            middle = (low + high + 1) // 2
            own = sum(min(self.n * have, middle * count) for have, count in zip(counts, self.total, strict=True))
            low, high = (middle, high) if own >= (1 - self.t) * self.n * middle else (low, middle - 1)
        return low

    def smallest(self, counts: Sequence[int], least: int) -> int:
        """Return the least size from `least` of a group of whole rows; 0 if there is none."""
        for size in range(max(1, least), self.largest(counts) + 1):
            missing, firsts = size, []
            for have, count in zip(counts, self.total, strict=True):
                slots, rest = divmod(size * count, self.n)
                missing -= min(have, slots)
                firsts += [self.n - rest] if have > slots else []
            if sum(sorted(firsts)[:missing]) + self.n * max(0, missing - len(firsts)) <= self.t * self.n * size:
                return size
        return 0

    def best(self, lots: list[Lot], least: int, most: int, nothing: int, cases: int) -> int:
        """Return what groups of `least` to `most` whole rows gain at most, or `nothing` where that is more: sizes from the best on."""
        low, high = least, most
        while low < high:
            middle = (low + high) // 2
            low, high = (
                (middle + 1, high) if self.filled(lots, middle + 1) > self.filled(lots, middle) else (low, middle)
            )
        best = nothing
        for sizes in (range(low, least - 1, -1), range(low + 1, most + 1)):
            for size in sizes:
                if math.floor(self.filled(lots, size)) <= best:
                    break
                best = max(best, self.of_size(lots, size, best, cases))
        return best

    def of_size(self, lots: list[Lot], size: int, best: int, cases: int) -> int:
        """Return what `size` whole rows gain at most, or `best` where that is more: cases of which values have more rows than own slots."""
        waiting: list[dict[int, bool]] = [{}]
        for _ in range(cases):
            if not waiting:
                return best
            sides = waiting.pop()
            found = self.case(lots, size, sides)
            if found is None or found[0] <= best:
                continue
            most, legal, undecided = found
            best = max(best, most if undecided is None else legal)
            if undecided is not None and most > best:
                waiting += [{**sides, undecided: False}, {**sides, undecided: True}]
        return max([best, *(found[0] for sides in waiting if (found := self.case(lots, size, sides)) is not None)])

    def case(self, lots: list[Lot], size: int, sides: dict[int, bool]) -> tuple[int, int, int | None] | None:
        """Return what groups of a case gain at most, what one of them does, and the value to decide on next; None if there is none."""
        n, room = self.n, math.floor(self.t * self.n * size)
        slots = [divmod(size * count, n) for count in self.total]
        forced, items, undecided = 0, [], False
        seen, must = [0] * len(slots), sum(slots[v][0] + 1 for v, over in sides.items() if over)
        left = size - must
        for gain, copies, v in lots:
            over, (own, rest) = sides.get(v), slots[v]
            start, seen[v] = seen[v], seen[v] + copies
            bound = max(0, min(seen[v], own + 1) - start) if over else 0
            forced, must = forced + gain * bound, must - bound
            free = max(0, min(seen[v], own) - start) if not over else 0
            first = 1 if over is None and start <= own < seen[v] else 0
            undecided |= first > 0
            later = copies - bound - free - first if over is not False else 0
            items += [
                item for item in ((gain, 0, free, -1), (gain, n - rest, first, v), (gain, n, later, -1)) if item[2]
            ]
        room -= sum(n - slots[v][1] for v, over in sides.items() if over)
        if must or left < 0 or room < 0 or sum(item[2] for item in items) < left:
            return None
        if not undecided:
            room -= room % n

        def chosen(price: Fraction) -> tuple[int, int, set[int]]:
            """Return the gain of the rows that are best at a price of a slot, how far they overrun the room, and first ones among them."""
            gained, spent, rows, marked = forced, -room, left, set()
            for gain, cost, count, v in sorted(items, key=lambda item: (price * item[1] - item[0], item[1])):
                take = min(count, rows)
                gained, spent, rows = gained + gain * take, spent + cost * take, rows - take
                if take and v >= 0:
                    marked.add(v)
            return gained, spent, marked

        low = chosen(Fraction(0))
        if low[1] <= 0:
            return low[0], low[0], None
        high = chosen(Fraction(2 * sum(abs(gain) * count for gain, _, count, _ in items) + 1))
        if high[1] > 0:
            return None
        while True:
            price = Fraction(low[0] - high[0], low[1] - high[1])
            middle = chosen(price)
            if middle[0] - price * middle[1] <= low[0] - price * low[1]:
                break
            low, high = (middle, high) if middle[1] > 0 else (low, middle)
        most = math.floor(low[0] - price * low[1])
        if not undecided:
            return most, most, None
        open_ = {item[3] for item in items if item[3] >= 0}
        return most, high[0], max(open_, key=lambda v: ((v in low[2]) != (v in high[2]), v in low[2], slots[v][1], -v))


class Pricing:
    """How one condition bounds what groups of a pattern gain."""

    def __init__(self, condition: Condition, ground: Ground) -> None:
        self.condition, self.value = condition, ground.value.get(condition.column, [0] * len(ground.copies))
        self.slots = (
            Slots(condition)
            if condition.kind == "t-closeness" and condition.space.kind == "equal" and condition.limit < 1
            else None
        )
        self.shares = condition.kind == "frequency-l-diversity"
        self.values = int(condition.l) if condition.kind == "distinct-l-diversity" else 1

    def counts(self, lots: list[Lot]) -> list[int]:
        found = [0] * len(self.condition.total)
        for _, copies, v in lots:
            found[v] += copies
        return found

    def smallest(self, lots: list[Lot], least: int) -> int:
        """Return a size from `least` that no legal group is below; 0 if there is no legal group."""
        if self.slots is not None:
            return self.slots.smallest(self.counts(lots), least)
        if self.shares:
            counts = self.counts(lots)
            cap = self._largest_cap(counts)
            least = max(least, math.ceil(self.condition.l))
            return least if cap and sum(min(cap, count) for count in counts) >= least else 0
        least = max(least, self.values)
        return least if len({v for _, _, v in lots}) >= self.values and sum(s for _, s, _ in lots) >= least else 0

    def price(self, lots: list[Lot], least: int) -> int:
        """Return what legal groups of at least so many rows gain at most."""
        if self.slots is not None:
            return self.slots.best(lots, least, self.slots.largest(self.counts(lots)), 0, 1)
        return self._of_shares(lots, least) if self.shares else self._of_values(lots, least)

    def _largest_cap(self, counts: list[int]) -> int:
        low, high = 0, sum(counts)
        while low < high:
            middle = (low + high + 1) // 2
            enough = sum(min(middle, count) for count in counts) >= self.condition.l * middle
            low, high = (middle, high) if enough else (low, middle - 1)
        return low

    def _of_shares(self, lots: list[Lot], least: int) -> int:
        """Try caps C: no value more than C times, in l C rows or more. Along C = r + b j the gain is concave."""
        counts = self.counts(lots)
        largest, b = self._largest_cap(counts), self.condition.l.denominator
        smallest, high = 1, largest
        while smallest < high:
            middle = (smallest + high) // 2
            smallest, high = (
                (smallest, middle) if sum(min(middle, count) for count in counts) >= least else (middle + 1, high)
            )

        def best(cap: int) -> int:
            size, gained, used = max(least, math.ceil(self.condition.l * cap)), 0, dict[int, int]()
            for gain, copies, v in lots:
                take = min(copies, cap - used.get(v, 0))
                take = take if gain > 0 else min(take, max(0, size))
                used[v], size, gained = used.get(v, 0) + take, size - take, gained + gain * take
            return gained

        found = 0
        for rest in range(min(b, largest - smallest + 1)):
            low, high = 0, (largest - smallest - rest) // b
            while low < high:
                j = (low + high) // 2
                rises = best(smallest + rest + b * (j + 1)) > best(smallest + rest + b * j)
                low, high = (j + 1, high) if rises else (low, j)
            found = max(found, best(smallest + rest + b * low))
        return found

    def _of_values(self, lots: list[Lot], least: int) -> int:
        """Take all that gains, then values that are missing, then rows."""
        seen = {v for gain, _, v in lots if gain > 0}
        gained, size, rest = (
            sum(gain * s for gain, s, _ in lots if gain > 0),
            sum(s for gain, s, _ in lots if gain > 0),
            [],
        )
        for gain, s, v in lots:
            if gain <= 0:
                first = v not in seen and len(seen) < self.values
                seen |= {v} if first else set()
                gained, size = gained + gain * first, size + first
                rest.append((gain, s - first))
        for gain, s in rest:
            take = min(s, max(0, least - size))
            gained, size = gained + gain * take, size + take
        return gained


def groups(problem: Problem, data: Any) -> int:
    _, value, d, worth, potentials = fields(data, "the proof", "kind", "value", "denominator", "worth", "potentials")
    ground = Ground(problem.table, problem.columns)
    ground.require_few()
    d, worth = whole(d, "the denominator", 1), wholes(worth, "worth", len(ground.copies))
    k = max((c.k for c in problem.conditions if c.kind == "k-anonymity"), default=1)
    shifts: dict[Any, list[int]] = {}
    keys = []
    for number, item in enumerate(listed(potentials, "potentials")):
        name = f"potentials {number}"
        part, kept, example, phi = fields(item, name, "part", "kept", "example", "values")
        condition = problem.conditions[whole(part, name, 0, len(problem.conditions))]
        if condition.kind != "t-closeness" or condition.space.kind == "equal":
            raise Malformed(f"{name} are for a condition that takes none")
        phi = wholes(phi, name, len(condition.total))
        pattern = ground.named(kept, example, k, name)
        mean = Fraction(sum(map(int.__mul__, condition.total, phi)), problem.table.rows)
        lifted = math.ceil(condition.space.steepness(phi) * condition.limit) + math.ceil(mean)
        if (part, pattern) in shifts:
            raise Malformed(f"{name} are the pattern's second")
        shifts[part, pattern] = [lifted - its for its in phi]
        keys.append((part, kept, example))
    rising(keys, "potentials")
    parts = [(number, Pricing(c, ground)) for number, c in enumerate(problem.conditions) if c.kind != "k-anonymity"]
    parts = parts or [(0, Pricing(problem.conditions[0], ground))]
    total = sum(s * w for s, w in zip(ground.copies, worth, strict=True))
    for node in ground.patterns(worth, d, k):
        least, prices = k, []
        plain = [(worth[r] - d * node.starred, ground.copies[r], r) for r in node.members]
        plain.sort(key=lambda lot: -lot[0])
        for _, part in (*parts, *parts) if len(parts) > 1 else parts:
            least = part.smallest([(gain, s, part.value[r]) for gain, s, r in plain], max(1, least)) if least else 0
        for number, part in parts if least else ():
            shift = shifts.get((number, (node.kept, node.members[0])))
            lots = [(gain + (shift[part.value[r]] if shift else 0), s, part.value[r]) for gain, s, r in plain]
            prices.append(part.price(sorted(lots, key=lambda lot: -lot[0]), least))
        total -= max(0, min(prices, default=0))
    return proved(total, d, value)


def group_cases(problem: Problem, data: Any) -> int:
    _, value, d, tree = fields(data, "the proof", "kind", "value", "denominator", "tree")
    whole(d, "the denominator", 1)
    others = [c for c in problem.conditions if c.kind != "k-anonymity"]
    ground = Ground(problem.table, problem.columns, keep=True)
    ground.require_few()
    part = Pricing(others[0], ground) if len(others) == 1 else None
    if part is None or part.slots is None:
        raise Rejected("the proof is for t-closeness at equal distance, t below 1, with k or without")
    k = max((c.k for c in problem.conditions if c.kind == "k-anonymity"), default=1)
    slots, spans, least_of_all = part.slots, dict[Any, tuple[int, int]](), None

    def span(pattern: Any) -> tuple[int, int]:
        """Return the least and the largest size of a pattern's groups; (0, 0) if it can have none."""
        if pattern not in spans:
            counts = part.counts([(0, ground.copies[r], part.value[r]) for r in ground.members(*pattern)])
            least = slots.smallest(counts, k)
            spans[pattern] = (least, slots.largest(counts)) if least else (0, 0)
        return spans[pattern]

    waiting: list[tuple[Any, tuple[tuple[Any, int | None, int, bool], ...], str]] = [(tree, (), "the tree")]
    while waiting:
        node, steps, where = waiting.pop()
        if not (isinstance(node, dict) and "worth" in node):
            kept, example, v, most, low, high = fields(node, where, "kept", "example", "value", "most", "low", "high")
            pattern = ground.named(kept, example, 1, where)
            whole(most, where, 0, problem.table.rows)
            if v is not None:
                whole(v, where, 0, len(slots.total))
            if not span(pattern)[0]:
                raise Malformed(f"{where} decides on a pattern that can hold no group")
            waiting += [
                (high, (*steps, (pattern, v, most, False)), where + ".high"),
                (low, (*steps, (pattern, v, most, True)), where + ".low"),
            ]
            continue
        worth, prices = fields(node, where, "worth", "prices")
        sizes: dict[Any, list[int]] = {}
        limits: dict[Any, list[int]] = {}
        opened = set()
        for pattern, v, most, is_low in steps:
            its = (
                limits.setdefault((pattern, v), [0, problem.table.rows])
                if v is not None
                else sizes.setdefault(pattern, list(span(pattern)))
            )
            its[is_low] = min(its[1], most) if is_low else max(its[0], most + 1)
            if v is None and not is_low:
                opened.add(pattern)
        worth = wholes(worth, f"{where}: worth", len(ground.copies))
        prices = wholes(prices, f"{where}: prices", len(limits))
        if any(sizes[pattern][0] > sizes[pattern][1] for pattern in opened):
            continue  # no release falls under this end
        shift = dict(zip(limits, prices, strict=True))
        total = sum(s * w for s, w in zip(ground.copies, worth, strict=True))
        total += sum(price * limits[limit][price <= 0] for limit, price in shift.items())
        decided = opened | {pattern for pattern, _ in limits}
        for pattern in decided:
            starred = d * ground.starred(pattern[0])
            gains = {r: worth[r] + shift.get((pattern, part.value[r]), 0) - starred for r in ground.members(*pattern)}
            total -= _gain(ground, part, sizes.get(pattern, span(pattern)), gains, pattern in opened)
        for node in ground.patterns(worth, d, k):
            pattern = node.kept, node.members[0]
            if pattern not in decided:
                gains = {r: worth[r] - d * node.starred for r in node.members}
                total -= _gain(ground, part, sizes.get(pattern) or span(pattern), gains, False)
        if -(-total // d) < value:
            raise Rejected(f"{where}: the numbers prove {-(-total // d)} in the table's cost unit, not {value}")
        least_of_all = total if least_of_all is None else min(least_of_all, total)
    if least_of_all is None:
        raise Rejected("the decisions leave no release at any end of the tree")
    return proved(least_of_all, d, value)


def _gain(ground: Ground, part: Pricing, sizes: Sequence[int], gains: dict[int, int], opened: bool) -> int:
    """Return what a pattern's group gains at most, of a size within `sizes`; 0 for no group where that is allowed."""
    lots = [(gain, ground.copies[r], part.value[r]) for r, gain in gains.items()]
    if not sizes[0] or sizes[0] > sizes[1] or not (opened or any(gain > 0 for gain, _, _ in lots)):
        return 0
    lots.sort(key=lambda lot: -lot[0])
    nothing = -sum(abs(gain) * s for gain, s, _ in lots) - 1 if opened else 0
    assert part.slots is not None
    return part.slots.best(lots, sizes[0], sizes[1], nothing, MOST_CASES)


# ---------------------------------------------------------------------------------------------------------------------- The rules

Rule = Callable[[Problem, Any], int]
LIGHTER: dict[str, Rule] = {
    "multipliers": multipliers,
    "branched-multipliers": branched,
    "groups": groups,
    "group-cases": group_cases,
    "own-bound": own_bound,
}
PARTS: dict[str, Rule] = {
    "near": near,
    "multipliers": multipliers,
    "branched-multipliers": branched,
    "groups": groups,
    "own-bound": own_bound,
}
CELLS: dict[str, Rule] = {
    **LIGHTER,
    **PARTS,
    "rounded-weights": rounded,
    "blocks": blocks,
    "all-partitions": all_partitions,
}
COLUMNS: dict[str, Rule] = {"hitting-set": hitting_set, "own-bound": own_bound}
RULES = {
    "cell-suppression": CELLS,
    "attribute-suppression": COLUMNS,
    "identifying-columns": COLUMNS,
    "witness-columns": COLUMNS,
}


def prove(problem: Problem, data: Any, rules: dict[str, Rule], where: str) -> int:
    """Return the value of a proof, in the table's cost unit, once it holds."""
    kind = data.get("kind") if isinstance(data, dict) else None
    if kind not in rules:
        known = any(kind in of for of in RULES.values())
        raise (Malformed if known else UnknownVersion)(
            f"{where}: {kind!r} is no rule here; those are {', '.join(sorted(rules))}"
        )
    whole(data.get("value"), f"{where}: value", 0)
    try:
        return rules[kind](problem, data)
    except Refused as error:
        raise type(error)(f"{where} ({kind}): {error}") from None


def stated(data: Any, rows: Rows) -> Problem:
    """Return the problem that the statement is about, on the user's own table."""
    asked, table = data["problem"], data["table"]
    name = asked.get("name") if isinstance(asked, dict) else None
    if name not in RULES:
        raise UnknownVersion(f"the statement is about {name!r}; known are {', '.join(RULES)}")
    digest, quasi, sensitive, weights = fields(table, "the table", "digest", "quasi", "sensitive", "weights")
    names = [text(column, "a column") for column in (*listed(quasi, "quasi"), *listed(sensitive, "sensitive"))]
    if not quasi or len(set(names)) < len(names) or len(listed(weights, "weights")) != len(quasi):
        raise Malformed("the statement must name columns, none twice, and a weight for each quasi-identifying one")
    columns = [rows.column(column) for column in names]
    own = digest_of(names, columns, len(quasi))
    if digest != own:
        raise Rejected(
            f"statement: the proof is about another table, with digest {str(digest)[:12]}...; this one has {own[:12]}..."
        )
    costs = [fraction(weight, "a weight") for weight in weights]
    if min(costs) <= 0:
        raise Malformed("a weight must be above 0")
    coded = [Coded(column) for column in columns]
    for column, its in zip(quasi, coded, strict=False):
        if "*" in its.values:
            raise Rejected(f"statement: column {column!r} already holds '*', which is how a suppressed cell is written")
    made = Table(coded[: len(quasi)], costs, dict(zip(sensitive, coded[len(quasi) :], strict=True)))
    if name == "identifying-columns":
        fields(asked, "the problem", "name")
        return Problem(name, made)
    if name == "witness-columns":
        return Problem(name, made, (), whole(fields(asked, "the problem", "name", "k")[1], "k", 1))
    conditions = [
        Condition(condition, made)
        for condition in listed(fields(asked, "the problem", "name", "principle")[1], "the principle")
    ]
    if not conditions:
        raise Malformed("the principle must have a condition")
    return Problem(name, made, conditions)


def released(problem: Problem, data: Any, table: Rows, release: Rows) -> int:
    """Return the cost of a release in the table's cost unit, once it is one: true cells or stars, and groups that satisfy the principle."""
    quasi, weights = data["table"]["quasi"], problem.table.weights
    if (
        not set(release.header) <= set(table.header)
        or len(release.rows) != problem.table.rows
        or problem.name not in ("cell-suppression", "attribute-suppression")
    ):
        raise Rejected(
            "release: it has other columns or another number of rows than the table, or the problem releases none"
        )
    for name in {*release.header, *quasi, *data["table"]["sensitive"]}:
        for row, (true, shown) in enumerate(zip(table.column(name), release.column(name), strict=True), 1):
            if shown != true and not (shown == "*" and name in quasi):
                raise Rejected(f"release: row {row}, column {name!r} has {shown!r} where the table has {true!r}")
    images: dict[tuple[str, ...], list[int]] = {}
    for row, image in enumerate(zip(*(release.column(name) for name in quasi), strict=True)):
        images.setdefault(image, []).append(row)
    for image, rows in images.items():
        condition = problem.failing(rows)
        if condition is not None:
            raise Rejected(
                f"release: the group of row {rows[0] + 1} ({len(rows)} rows, {', '.join(image)}) has not {condition.words}"
            )
    if problem.name == "cell-suppression":
        return sum(
            len(rows) * sum(w for w, cell in zip(weights, image, strict=True) if cell == "*")
            for image, rows in images.items()
        )
    starred = [{image[j] == "*" for image in images} for j in range(len(quasi))]
    if {True, False} in starred:
        raise Rejected("release: a column is starred in some rows only")
    return sum(w for w, its in zip(weights, starred, strict=True) if its == {True})


def said(problem: Problem, data: Any, bound: Fraction) -> str:
    """Say in words what is proved."""
    quasi, weights = data["table"]["quasi"], problem.table.exact
    costs = (
        ""
        if set(weights) == {1}
        else " at the weights " + ", ".join(f"{name} {w}" for name, w in zip(quasi, weights, strict=True))
    )
    of = f"the table of {problem.table.rows:,} rows with the quasi-identifying columns {', '.join(quasi)}{costs}"
    asked = " and ".join(condition.words for condition in problem.conditions)
    match problem.name:
        case "cell-suppression":
            return f"every release of {of}, in which equal rows form groups of {asked}, costs {bound} stars or more"
        case "attribute-suppression":
            return f"no choice of columns to drop from {of}, after which equal rows form groups of {asked}, weighs less than {bound}"
        case "identifying-columns":
            return f"no set of columns that tells apart all distinct rows of {of} weighs less than {bound}"
    return f"no set of columns of {of}, on which some row equals fewer than {problem.k} rows, weighs less than {bound}"


def check(table: str, proof: str, release: str | None = None, separator: str | None = None) -> str:
    """Return in words what is proved, or raise `Refused`."""
    try:
        with Path(proof).open("rb") as stream:
            data = read_json(stream.read(MOST_BYTES + 1))
    except OSError as error:
        raise Malformed(f"{proof} cannot be read: {error.strerror}") from None
    if not isinstance(data, dict) or data.get("schema") != VERSION:
        found = data.get("schema") if isinstance(data, dict) else None
        raise UnknownVersion(f"the file says that it is {found!r}; this checker knows {VERSION!r}")
    _, about, _, _, claim, inner = fields(data, "the file", "schema", "about", "problem", "table", "claim", "proof")
    if not isinstance(about, dict):
        raise Malformed("'about' must be an object")
    rows = Rows(table, separator)
    problem = stated(data, rows)
    bound = fraction(fields(claim, "the claim", "bound")[0], "the bound")
    value = Fraction(prove(problem, inner, RULES[problem.name], "the proof"), problem.table.scale)
    if bound != value:
        raise Rejected(f"the claim is {bound}, and the proof is of {value}")
    words = f"VERIFIED: {said(problem, data, bound)}."
    if release is not None:
        cost = Fraction(released(problem, data, rows, Rows(release, separator)), problem.table.scale)
        if cost < bound:
            raise Rejected(f"release: it costs {cost}, less than the bound of {bound}: one of the two is wrong")
        gap = "it is optimal" if cost == bound else f"the least cost is from {bound} to {cost}, a gap of {cost - bound}"
        words += f"\nThe release costs {cost}: {gap}."
    return words


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check a proof that no release of a table costs less than a bound.")
    for name in ("table", "proof"):
        parser.add_argument(name)
    parser.add_argument("--release")
    parser.add_argument("--separator", help="what separates the fields of the tables, if the header does not tell")
    given = parser.parse_args(arguments)
    print(f"check_anoptima.py, SHA-256 {hashlib.sha256(Path(__file__).read_bytes()).hexdigest()}")
    csv.field_size_limit(1 << 24)
    sys.setrecursionlimit(4 * MOST_LEVELS)
    try:
        print(check(given.table, given.proof, given.release, given.separator))
    except Refused as error:
        print(f"{error.verdict}: {error}")
        return error.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
