"""The table of a command: the options that name it, and how its file is read: CSV, Parquet, or CSV through standard input."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from anoptima.cli.arguments import names, weights_of
from anoptima.documents.csv_texts import UTF_8, guess_separator
from anoptima.documents.reading import Content, Source, kept_if_pipe
from anoptima.errors import BadInput
from anoptima.exact import Number
from anoptima.table import Missing, Table

PARQUET = (".parquet", ".pq")
"""How the name of a Parquet file ends; every other file is CSV."""

DASH = "-"
"""What stands for standard input, and for standard output, in place of a file's name."""


def add_table(parser: ArgumentParser) -> None:
    """Add the table's file, and how it is written."""
    parser.add_argument(
        "table",
        metavar="TABLE",
        help="CSV file with a header line (also .gz, .bz2, .xz, .zip), Parquet file (.parquet, .pq), "
        "or - for CSV from standard input",
    )
    add_text_format(parser)


def add_text_format(parser: ArgumentParser) -> None:
    """Add how a CSV file is written."""
    parser.add_argument(
        "--separator",
        metavar="CHAR",
        help="the character between the fields of a CSV file "
        "(default: a comma, or the semicolon, tab or bar that alone splits the header)",
    )
    parser.add_argument(
        "--encoding", metavar="NAME", help="the encoding of a CSV file: cp1252, latin-1, utf-16 (default: utf-8)"
    )


def settle_table(arguments: Namespace, told: Mapping[str, Any] | None = None) -> None:
    """Fill in what the options leave open: the text that comes through standard input, the encoding, the separator.

    `told` is what `source_of` once wrote into a document, and goes before guessing.
    """
    told = told or {}
    arguments.source = source_named(arguments.table)
    if arguments.encoding is None:
        arguments.encoding = str(told.get("encoding", UTF_8))
    if arguments.separator is None:
        guessed = "," if is_parquet(arguments.table) else None
        arguments.separator = str(told.get("separator") or guessed or _guessed(arguments))


def _guessed(arguments: Namespace) -> str:
    return guess_separator(arguments.source, arguments.encoding)


def source_named(name: str) -> Source:
    """Return what is read under a name: a file, or the content of a pipe, which can be read only once."""
    if name == DASH:
        if sys.stdin is None:
            raise BadInput("there is no standard input to read the table from; give the name of a file")
        if sys.stdin.isatty():
            print("anoptima: reading a CSV table from the keyboard; Ctrl-D ends it", file=sys.stderr)
        return Content("standard input", sys.stdin.buffer.read())
    return kept_if_pipe(name)


def source_of(arguments: Namespace) -> dict[str, Any]:
    """Return where the table came from, for documents."""
    return {
        "file": Path(arguments.table).name,
        "separator": arguments.separator,
        "encoding": arguments.encoding,
        "missing": arguments.missing,
    }


def read_table(arguments: Namespace) -> Table:
    """Read the table in the roles that were asked for."""
    settle_table(arguments)
    return open_table(
        arguments,
        names(arguments.quasi),
        names(arguments.sensitive),
        names(arguments.keep),
        weights_of(arguments),
        arguments.missing,
    )


def open_table(
    arguments: Namespace,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    keep: Sequence[str],
    weights: Mapping[str, Number],
    missing: Missing,
) -> Table:
    """Read a table that `settle_table` has settled from a CSV or a Parquet file, as its name says."""
    if is_parquet(arguments.table):
        return Table.read_parquet(arguments.source, quasi, sensitive, keep=keep, weights=weights, missing=missing)
    return Table.read_csv(
        arguments.source,
        quasi,
        sensitive,
        keep=keep,
        weights=weights,
        missing=missing,
        separator=arguments.separator,
        encoding=arguments.encoding,
    )


def is_parquet(path: str | Path) -> bool:
    """Tell whether a file's name says that it is Parquet."""
    return str(path).lower().endswith(PARQUET)
