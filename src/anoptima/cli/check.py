"""`anoptima check`: which principles hold for a table as it stands, and the largest k and l and the smallest t that do."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from anoptima.checking import check
from anoptima.cli import arguments as shared
from anoptima.cli import tables
from anoptima.cli.reply import ANSWERED, NEGATIVE, Reply

EXAMPLES = (
    "anoptima check release.csv --quasi zip,age -k 2",
    "anoptima check release.csv --quasi zip,age --sensitive disease -l 2 -t 0.5",
)


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    tables.add_table(parser)
    shared.add_roles(parser)
    shared.add_principles(parser)
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Check the table."""
    table = tables.read_table(arguments)
    spaces = shared.spaces_of(arguments, table)
    found = check(table, *shared.principles_of(arguments, spaces, table), spaces=spaces)
    return Reply(str(found), found.as_dict(), ANSWERED if found.holds() else NEGATIVE)
