"""Translations between proofs, which speak of a table, and the engine's arrays of records and patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anoptima.patterns import Patterns
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.cuts import Cut as WrittenCut
from anoptima.proofs.cuts import Term as WrittenTerm
from anoptima.proofs.records import record_of_row
from anoptima.solvers.exact.sifting.bound.cuts import Cut, Named
from anoptima.solvers.exact.sifting.rules.rule import Counts, Numbers


@dataclass(frozen=True, eq=False)
class Words:
    """The proof's number of each record, and the record of each number. A pattern is named by its columns and an example of its rows."""

    patterns: Patterns
    number: Counts
    record: Counts

    def worth(self, worth: Numbers) -> tuple[int, ...]:
        """Write what records are worth."""
        return tuple(worth[self.record].tolist())

    def pattern(self, pattern: int) -> tuple[frozenset[str], int]:
        """Write a pattern."""
        patterns = self.patterns
        return patterns.columns(pattern), int(self.number[patterns.member[patterns.start[pattern]]])

    def cut(self, cut: Cut) -> WrittenCut:
        """Write a cut."""
        terms = (WrittenTerm(*self.pattern(its.pattern), its.inside, self._numbers(its.records)) for its in cut.named)
        return WrittenCut(self._numbers(cut.records), cut.divisor, tuple(terms))

    def read_worth(self, worth: Sequence[int]) -> Numbers:
        """Read what records are worth; `IndexError` if it is about others."""
        if len(worth) != len(self.record):
            raise IndexError
        return np.array(worth, dtype=object)[self.number]

    def read_pattern(self, kept: frozenset[str], example: int) -> int:
        """Read a pattern; `KeyError` or `IndexError` if it is none of these."""
        patterns = self.patterns
        return patterns.find(np.array([name in kept for name in patterns.table.quasi]), int(self.record[example]))

    def read_cut(self, cut: WrittenCut) -> Cut:
        """Read a cut."""
        named = (
            Named(self.read_pattern(its.kept, its.example), its.inside, self._records(its.types)) for its in cut.terms
        )
        return Cut(self._records(cut.types), cut.divisor, tuple(named))

    def _numbers(self, records: Sequence[int]) -> tuple[int, ...]:
        return tuple(int(self.number[record]) for record in records)

    def _records(self, numbers: Sequence[int]) -> tuple[int, ...]:
        return tuple(int(self.record[number]) for number in numbers)


def words_of(problem: CellSuppression, patterns: Patterns) -> Words:
    """Return the words of proofs of a problem as it was asked, whose records are row types under k-anonymity."""
    asked, own = record_of_row(problem), patterns.table.records.of_row
    number = asked[np.unique(own, return_index=True)[1]]
    return Words(patterns, number, own[np.unique(asked, return_index=True)[1]])
