"""`anoptima verify`: a release, what an answer claims of it, and what a proof proves, checked from the data alone, with no solver."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from anoptima.answer import Answer, Bound, Budget, Claim, Origin, RunRecord, Stop, Verification, verify_answer
from anoptima.cli import arguments as shared
from anoptima.cli import tables
from anoptima.cli.outputs import file_target
from anoptima.cli.releases import read_release
from anoptima.cli.reply import ANSWERED, NEGATIVE, Reply
from anoptima.documents.answers import ANSWER_SCHEMA, AnswerDocument, bound_document, read_answer
from anoptima.documents.pages import write_page
from anoptima.documents.proofs import PROOF_SCHEMAS, ProofDocument, in_newest_version, proof_text, read_proof
from anoptima.documents.questions import problem_document
from anoptima.documents.reading import Source, kept_if_pipe, read_utf8, schema_of
from anoptima.documents.writing import atomic, refuse_shared
from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_plain, exact_text
from anoptima.naming import listed
from anoptima.packages import pd
from anoptima.problems.base import Problem
from anoptima.problems.released import released_stars
from anoptima.problems.table_problem import TableProblem
from anoptima.solvers.read_back import read_back
from anoptima.table import Table

EXAMPLES = (
    "anoptima verify patients.csv release.csv --quasi zip,age --sensitive disease -k 2 -l 2",
    "anoptima verify patients.csv release.csv answer.json",
    "anoptima verify patients.csv proof.json",
    "anoptima verify patients.csv plain.csv proof.json --page plain.html",
)

_IN_THE_FILES = ("quasi", "sensitive", "keep", "weight", "k", "l", "distinct_l", "t", "principle", "space", "problem")
"""Options whose values an answer's file and a proof's file have."""

MOST_SHOWN = 10
"""How many faults a person is shown at a time."""


def declare(parser: ArgumentParser) -> None:
    """Add the options."""
    tables.add_table(parser)
    parser.add_argument(
        "release",
        metavar="RELEASE",
        help="the released table: CSV or Parquet; or a proof, to check the bound alone",
    )
    parser.add_argument(
        "answer",
        metavar="ANSWER",
        nargs="?",
        help="the file from `anoptima solve --answer`; without it or a proof, give columns and principles",
    )
    parser.add_argument(
        "proof", metavar="PROOF", nargs="?", help="the file from --proof; may also stand in the place of ANSWER"
    )
    shared.add_roles(parser, required=False)
    shared.add_principles(parser)
    shared.add_problem(parser)
    parser.add_argument(
        "--page",
        metavar="FILE",
        help="write what was verified as one HTML page, which checks itself in any browser; it holds the table, so keep it safe",
    )
    parser.add_argument(
        "--page-without-table",
        metavar="FILE",
        help="the same without the table, for those who have it: the page asks for it",
    )
    parser.add_argument(
        "--newest",
        metavar="FILE",
        help="write a proof of an older version, once it is verified, in the newest one, which check_anoptima.py and check.html read",
    )
    shared.add_json(parser)


def run(arguments: Namespace) -> Reply:
    """Check, and say what was proved."""
    given = _given(arguments)
    told = given.answer or given.proof
    tables.settle_table(arguments, {} if told is None else told.source)
    pages, newest = _pages(arguments, given), file_target(arguments.newest, "proof", never=arguments.table)
    inputs = {
        "table": arguments.table,
        "release": given.release,
        "answer": given.answer_path,
        "proof": given.proof_path,
    }
    refuse_shared(
        {"page": arguments.page, "page without the table": arguments.page_without_table, "newest proof": newest},
        {what: str(path) for what, path in inputs.items() if path},
    )
    if newest is not None and given.proof is None:
        raise BadInput("a proof is to be written in the newest version, and none is given; give PROOF, too")
    problem = _problem(arguments, given)
    if given.release is None:
        reply = _prove(problem, given)
        return _with_pages(_with_newest(reply, newest, problem, given), pages, problem, given, None)
    if not isinstance(problem, TableProblem):
        raise BadInput(
            f"{given.proof_path} is about {problem.name}, which releases no table; leave {given.release} out"
        )
    source = tables.source_named(tables.DASH) if given.release == tables.DASH else given.release
    release = read_release(source, problem.table, arguments.separator, arguments.encoding)
    finding = _examine(problem, release, given)
    code = ANSWERED if finding.checked else NEGATIVE
    reply = Reply(finding.text(), finding.as_dict(), code, _unnamed(problem.table, release, given))
    return _with_pages(_with_newest(reply, newest, problem, given), pages, problem, given, release)


def _unnamed(table: Table, release: pd.DataFrame, given: _Given) -> tuple[str, ...]:
    """Say what to do about columns of a release that no option names, where options are to name them."""
    more = [listed(str(name)) for name in release.columns if name not in table.frame.columns]
    if given.answer or given.proof or not more:
        return ()
    return (f"no option names {', '.join(more)}; name columns that were released unchanged with --sensitive or --keep",)


def _newest(problem: Problem[Any], given: _Given) -> dict[str, Any]:
    return in_newest_version(json.loads(read_utf8(given.proof_source)), problem)


def _with_newest(reply: Reply, path: Path | None, problem: Problem[Any], given: _Given) -> Reply:
    """Write the proof in the newest version, and say so."""
    if reply.code != ANSWERED or path is None:
        return reply
    with atomic(path) as stream:
        stream.write(proof_text(_newest(problem, given)).encode())
    return replace(reply, text=f"{reply.text}\n{path} is the same proof in the newest version")


def _pages(arguments: Namespace, given: _Given) -> list[tuple[Path, bool]]:
    """Return where pages are to go, and whether the table goes with them."""
    found = []
    for option, table in ((arguments.page, True), (arguments.page_without_table, False)):
        path = file_target(option, "page", never=arguments.table)
        if path is not None:
            found.append((path, table))
    if found and given.proof is None:
        raise BadInput("a page holds a proof, and none is given; give PROOF, too")
    return found


def _with_pages(
    reply: Reply, pages: list[tuple[Path, bool]], problem: Problem[Any], given: _Given, release: pd.DataFrame | None
) -> Reply:
    """Write the pages of what was verified, and say so; nothing else is written."""
    if reply.code != ANSWERED:
        return reply
    stars = None
    if release is not None and isinstance(problem, TableProblem):
        stars = released_stars(problem.table, read_back(problem.table, release).release)
    for path, table in pages:
        write_page(path, problem, _newest(problem, given), stars, table=table)
        reply = replace(reply, text=f"{reply.text}\n{path} is a page that checks this in a browser")
    return reply


@dataclass(frozen=True)
class _Given:
    """The files that were given, by what they are."""

    release: Source | None
    answer: AnswerDocument | None
    proof: ProofDocument | None
    answer_path: str = ""
    proof_source: Source = ""

    @property
    def proof_path(self) -> str:
        """The proof's name, empty if there is none."""
        return str(self.proof_source)


def _given(arguments: Namespace) -> _Given:
    """Tell files apart by what they say that they are: a proof may stand in any place."""
    if arguments.table == arguments.release == tables.DASH:
        raise BadInput("TABLE and RELEASE cannot both come through standard input; give one of them as a file")
    paths = [path for path in (arguments.release, arguments.answer, arguments.proof) if path is not None]
    sources = [path if path == tables.DASH else kept_if_pipe(path) for path in paths]
    proofs = [source for source in sources if source != tables.DASH and schema_of(source) in PROOF_SCHEMAS]
    others = [source for source in sources if source not in proofs]
    if len(proofs) > 1:
        raise BadInput(f"{proofs[0]} and {proofs[1]} are two proofs; give one")
    if len(others) > 2:
        raise BadInput(f"{others[2]} is no proof that can be read here: it must be what --proof wrote")
    if proofs and sources[0] == proofs[0] and others:
        raise BadInput(
            f"{proofs[0]} is a proof and stands before {others[0]}; give RELEASE, ANSWER and PROOF in that order"
        )
    if others and others[0] != tables.DASH and schema_of(others[0]) == ANSWER_SCHEMA:
        raise BadInput(
            f"{others[0]} is an answer and stands where RELEASE is meant; give RELEASE, ANSWER and PROOF in that order"
        )
    return _Given(
        others[0] if others else None,
        read_answer(others[1]) if len(others) == 2 else None,
        read_proof(proofs[0]) if proofs else None,
        str(others[1]) if len(others) == 2 else "",
        proofs[0] if proofs else "",
    )


def _problem(arguments: Namespace, given: _Given) -> Problem[Any]:
    """Return the problem that the files are about, or else the options."""
    told = given.answer or given.proof
    if told is None:
        return _asked_for(arguments)
    path = given.answer_path or given.proof_path
    doubled = [name for name in _IN_THE_FILES if getattr(arguments, name)]
    if doubled:
        options = ", ".join(f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}" for name in doubled)
        raise BadInput(f"{options} cannot be given beside {path}, which says that itself")
    if given.answer is not None and given.answer.claim in (Claim.INFEASIBLE, Claim.UNKNOWN):
        raise BadInput(
            f"{path} claims {given.answer.claim.value} and no release; there is nothing to verify {given.release} against"
        )
    table = tables.open_table(arguments, told.quasi, told.sensitive, told.keep, told.weights, arguments.missing)
    if given.proof is not None:
        given.proof.require_table(table, given.proof_path, "a proof")
    return told.problem_on(table, path)


def _asked_for(arguments: Namespace) -> TableProblem[Any]:
    if not arguments.quasi:
        if arguments.release.endswith(".json") and arguments.answer is None:
            read_proof(arguments.release)  # says what keeps it from being one: no proof that can be read comes here
        raise BadInput("neither an answer file nor --quasi is given; one of them must name the columns")
    return shared.problem_of(arguments, tables.read_table(arguments))


def _prove(problem: Problem[Any], given: _Given) -> Reply:
    """Check a bound alone."""
    assert given.proof is not None
    document: dict[str, Any] = {"verified": False, "wrong": [], "problem": problem_document(problem), "proved": None}
    wrong = ""
    value: Exact = 0
    infeasible = problem.why_infeasible()
    if infeasible is not None:
        wrong = f"no solution exists, so there is no least cost: {infeasible}"
    else:
        try:
            value = given.proof.proof.proved(problem)
        except BadInput as error:
            wrong = f"the proof does not hold: {error}"
    if wrong:
        return Reply(f"NOT VERIFIED\n  {wrong}", {**document, "wrong": [wrong]}, NEGATIVE)
    under = f" under {problem.principle}" if isinstance(problem, TableProblem) else ""
    least = problem.describe_cost(value)
    proved = bound_document(Bound(value, Origin.PROOF, given.proof.solver))
    text = f"VERIFIED  proved here, with no solver: nothing solves {problem.name}{under} at less than {least}"
    stated = given.proof.stated(problem)
    if isinstance(stated, TableProblem) and stated is not problem:
        text = f"{text}\n  The proof is of {stated.principle}, which follows, and says so to other checkers."
    return Reply(text, {**document, "verified": True, "proved": proved}, ANSWERED)


@dataclass(frozen=True)
class _Finding:
    """What a check of a release found: `cost` is that of the stars it shows, None if it was not worth counting them."""

    problem: TableProblem[Any]
    given: _Given
    cost: Exact | None
    checked: Verification
    reordered: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "verified": bool(self.checked),
            "wrong": list(self.checked.wrong),
            "principle": str(self.problem.principle),
            "reordered": self.reordered,
            "cost": exact_plain(self.cost),
            "proved": bound_document(self.checked.proved),
            "claimed": None if self.given.answer is None else self._claim(self.given.answer),
        }

    def _claim(self, document: AnswerDocument) -> dict[str, Any]:
        return {
            "claim": document.claim.value,
            "cost": exact_plain(document.cost),
            "bound": bound_document(document.bound),
            "proved": exact_plain(document.proved),
            "solver": document.solver,
        }

    def text(self) -> str:
        """Say it for people."""
        proved, claimed = self.checked.proved, self.checked.claimed
        if self.cost is None or not self.checked:
            wrong = [f"  {wrong}" for wrong in self.checked.wrong]
            more = [f"  ... {len(wrong) - MOST_SHOWN:,} more lines with --json"] if len(wrong) > MOST_SHOWN else []
            return "\n".join(["NOT VERIFIED", *wrong[:MOST_SHOWN], *more])
        cost = self.problem.describe_cost(self.cost)
        lines = [f"VERIFIED  the release is true to the table and satisfies {self.problem.principle}, at {cost}"]
        if self.reordered:
            lines.append("its rows are in another order than the table's: as a multiset of rows they fit")
        if proved is not None:
            lines.append(f"proved here, with no solver: no release costs less than {exact_text(proved.value)}")
            if proved.value == self.cost:
                lines.append("so this release is optimal")
        if claimed is not None:
            least = f"no release costs less than {exact_text(claimed.value)}"
            lines.append(f"claimed by {claimed.by}, not proved here: {least}{self._missing()}")
        return "\n".join(lines)

    def _missing(self) -> str:
        """Say how far a proof would go that was not given."""
        answer = self.given.answer
        if answer is None or answer.proved is None or self.given.proof is not None:
            return ""
        return f" (the proof, which is not here, goes to {exact_text(answer.proved)})"


def _examine(problem: TableProblem[Any], release: pd.DataFrame, given: _Given) -> _Finding:
    infeasible = problem.why_infeasible()
    if infeasible is not None:
        return _Finding(
            problem, given, None, Verification((f"no release can satisfy {problem.principle}: {infeasible}",))
        )
    found = read_back(problem.table, release)
    release = found.release
    wrong = list(found.wrong) or problem.violations_of_release(release)
    if wrong:
        return _Finding(problem, given, None, Verification(tuple(wrong)))
    shown, answer = problem.cost_of_release(release), given.answer
    if answer is not None and answer.cost != shown:
        claimed = "no cost" if answer.cost is None else exact_text(answer.cost)
        wrong = [f"the stars in the release cost {exact_text(shown)}, and the answer claims {claimed}"]
    checked = _check_claim(problem, release, given)
    return _Finding(problem, given, shown, replace(checked, wrong=(*wrong, *checked.wrong)), found.reordered)


def _check_claim(problem: TableProblem[Any], release: pd.DataFrame, given: _Given) -> Verification:
    """Hold claim, bound and proof against the solution that the release shows, which may need fewer stars than are there."""
    solution = problem.solution_of_release(release)
    answer, proof = given.answer, given.proof
    told = answer or proof
    return verify_answer(
        Answer(
            problem,
            answer.claim if answer else Claim.FEASIBLE,
            answer.stop if answer else Stop.COMPLETE,
            solution,
            problem.cost(solution),
            answer.bound if answer else None,
            (),
            RunRecord(told.solver if told else "verify", Budget(), {}, 0.0),
            proof=None if proof is None else proof.proof,
        )
    )
