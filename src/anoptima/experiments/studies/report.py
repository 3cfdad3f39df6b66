"""A study as one HTML page that opens anywhere: questions, results and every run. Its tables sort and filter, and it loads nothing."""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from anoptima.arguments import checked
from anoptima.documents.writing import not_written
from anoptima.errors import BadInput, NotApplicable
from anoptima.experiments.plots import write_plot
from anoptima.experiments.plots_study import ASKED, compared, plot_price, plot_profiles, plot_proofs, plot_study_ratios
from anoptima.experiments.plots_study_runs import plot_agreement, plot_excess, plot_gaps, plot_growth, plot_starred
from anoptima.experiments.studies.page import Html, page, section, table
from anoptima.experiments.studies.releases import agreements, starred_columns
from anoptima.experiments.studies.results import StudyResults
from anoptima.experiments.studies.statistics import FAILURE, SHIFT_S, honest, spreads, summaries
from anoptima.packages import pd

SHOWN = ("instance", "asks", "rows", "columns", "solver", "limit_s", "seed", "status", "cost", "bound")
"""Columns of the table of runs, before its ratio, times, files and remark."""

MOST_STARRED = 12
"""Questions whose starred columns are shown."""


@checked
def write_report(
    name: str, folder: str | Path | StudyResults, target: str | Path, reference: str | None = None
) -> None:
    """Write the report of a study's folder to a file.

    Parameters
    ----------
    name
        What it is headed by.
    reference
        The solver that the others are compared with over time; the one with the most proofs unless given.

    The page has everything in it but the releases and proofs themselves, to which it has links that are relative to its place.
    """
    place, results = Path(target), StudyResults.of(folder)
    records, frame = results.records, results.frame
    if not records:
        raise BadInput(f"{results.folder} holds no run; there is nothing to report")
    base = os.path.relpath(results.files, place.resolve().parent)
    parts = [
        _head(name, records),
        _summary(frame),
        *_seeds(frame),
        *_pictures(results, reference or _most_proofs(frame)),
        *_releases(results),
        _questions(frame),
        _runs(frame, {record["key"]: record.get("files", {}) for record in records}, base),
    ]
    try:
        place.write_text(page(name, parts), encoding="utf-8")
    except OSError as error:
        raise not_written(place, error) from None


def _head(name: str, records: Sequence[Mapping[str, Any]]) -> str:
    tried = [record for record in records if "machine" in record]
    again = sum("repeats" in record for record in records)
    facts = {
        "runs": f"{len(records):,}; {len(records) - len(tried):,} of them were not tried, because the solver does not apply to the question"
        + (f"; {again:,} ended by themselves under a shorter limit and were not repeated" if again else ""),
        "packages": _each(
            ", ".join(f"{package} {version}" for package, version in record["task"]["versions"].items())
            for record in records
        ),
        "machines": _each("{processor}, {cores} cores, {system}".format(**record["machine"]) for record in tried),
        "memory": _each(
            f"at most {record['limits']['bytes'] / 2**30:g} GiB, kept by: {record['limits']['by']}" for record in tried
        ),
        "threads": _each(f"{record['limits']['threads']} for each run" for record in tried),
        "time": "each solver was told its limit; its process was ended 60 s and 5 % after it by a watchdog, not counting "
        "seconds without a core, and by the kernel behind it",
        "checked": "every release, cost and proof was checked again from the table after its run; a claim that did not hold is a lie",
    }
    listed = "".join(f"<dt>{label}</dt><dd>{escape(fact)}</dd>" for label, fact in facts.items())
    return f"<h1>{escape(name)}</h1><dl>{listed}</dl>"


def _each(said: Iterable[str]) -> str:
    """Return what there is, the most common first, with how often where it is not always the same."""
    counted = Counter(said).most_common()
    return "; ".join(words if len(counted) == 1 else f"{words} ({count:,} runs)" for words, count in counted) or "none"


def _summary(frame: pd.DataFrame) -> str:
    head = (
        "solver", "limit, s", "runs", "proved", "solved", "failed", "lied", "seconds to proof", "median ratio, at least",
        "worst ratio, at least", "worst ratio, at most",
    )  # fmt: skip
    rows = [
        [
            one.solver, one.limit_s, one.runs, one.proved, one.solved, one.failed, one.lied, one.seconds_to_proof, one.median_ratio,
            one.worst_low, one.worst_high,
        ]
        for one in summaries(frame)
    ]  # fmt: skip
    note = (
        f"Seconds to proof are geometric means over all runs, shifted by {SHIFT_S:g} s; a run without a proof stands for {FAILURE:g} "
        "times its limit, of 1 s at least. A ratio is cost / optimum, over the runs with a solution; where the optimum is not known, it "
        "lies between the two. A solver that lied has no figures."
    )
    return section("Solvers", f"<p>{note}</p>{table(head, rows)}")


def _seeds(frame: pd.DataFrame) -> list[str]:
    """Return what the seed changes, where some solver was asked with several."""
    found = spreads(frame)
    if not found:
        return []
    head = (
        "solver", "limit, s", "seeds", "questions", "costs differ", "median ratio, best seed", "median ratio, worst seed",
        "widest spread", "where",
    )  # fmt: skip
    rows = [
        [
            one.solver, one.limit_s, one.seeds, one.questions, one.varied, one.median_low, one.median_high,
            None if one.widest is None else f"{one.widest:.1%}", one.where,
        ]
        for one in found
    ]  # fmt: skip
    note = (
        "Solvers that use the seed, on the questions that they solved with each. The medians are those of single seeds over all questions; "
        "the widest spread is (dearest - cheapest) / cheapest on one question."
    )
    return [section("What the seed changes", f"<p>{note}</p>{table(head, rows)}")]


def _pictures(results: StudyResults, reference: str) -> list[str]:
    frame = results.frame
    drawn: list[tuple[str, Callable[[], Any]]] = [
        ("Cost beside the optimum, and beside what theorems guarantee", lambda: plot_study_ratios(frame)),
        ("Proofs over time", lambda: plot_proofs(frame)),
        *(
            [(f"Time to proof beside that of {reference}", lambda: plot_profiles(frame, reference))]
            if reference
            else []
        ),
        ("Groups beside those of a proved optimum", lambda: plot_agreement(results)),
        ("Which columns are starred", lambda: plot_starred(results)),
        ("The gap over time", lambda: plot_gaps(results)),
        ("The cost over time, beside the best known", lambda: plot_excess(results)),
        ("Time to proof over the rows of the table", lambda: plot_growth(frame)),
        *((f"The price of privacy over {over}", lambda over=over: plot_price(frame, over)) for over in ASKED),
    ]
    parts = []
    for title, draw in drawn:
        try:
            axes = draw()
        except NotApplicable as reason:
            parts.append(f'<p class="quiet">{title}: {escape(str(reason))}.</p>')
            continue
        stream = io.BytesIO()
        write_plot(axes, stream, ".svg")
        picture = stream.getvalue().decode()
        parts.append(
            f'<figure><figcaption>{escape(title)}</figcaption><div role="img" aria-label="{escape(title)}">'
            f"{_for_this_page(picture, len(parts))}</div></figure>"
        )
    return [section("Pictures", "".join(parts))]


def _for_this_page(picture: str, number: int) -> str:
    """Return a picture's element alone, with names of its own: several on one page must not take each other's."""
    element = picture[picture.index("<svg") :]
    for before, after in (('id="', 'id="{}'), ("url(#", "url(#{}"), ('href="#', 'href="#{}')):
        element = element.replace(before, after.format(f"p{number}-"))
    return element


def _releases(results: StudyResults) -> list[str]:
    parts = []
    alike = agreements(results)
    if not alike.empty:
        rows = [
            [
                solver,
                len(runs),
                runs["agreement"].median(),
                runs["agreement"].min(),
                runs["kept"].median(),
                runs["ratio"].median(),
            ]
            for solver, runs in alike.groupby("solver")
        ]
        head = (
            "solver",
            "releases",
            "median agreement",
            "least agreement",
            "median share of pairs kept",
            "median ratio",
        )
        note = (
            "The agreement is the adjusted Rand index: 1 for the groups of a proved optimum, 0 for groups of these sizes by chance. "
            "The share of pairs kept counts the pairs of rows in one group of the optimum that are in one group of the release; "
            "a release that is one group keeps them all."
        )
        parts.append(section("Groups beside the optimum's", f"<p>{note}</p>{table(head, rows)}"))
    starred = starred_columns(results)
    if not starred.empty:
        questions = list(dict.fromkeys(starred["instance"]))[:MOST_STARRED]
        shares = (
            starred[starred["instance"].isin(questions)]
            .groupby(["instance", "column", "solver"])["starred_share"]
            .mean()
        )
        wide = shares.unstack("solver").reset_index()
        rows = [["" if value != value else value for value in row] for row in wide.to_numpy().tolist()]
        note = f"The share of each column's cells that are starred, over seeds and limits; of the first {len(questions)} questions."
        parts.append(section("What is starred", f"<p>{note}</p>{table(list(map(str, wide.columns)), rows)}"))
    return parts


def _questions(frame: pd.DataFrame) -> str:
    rows = []
    tried, trusted = frame[frame["status"] != "unsupported"], set(honest(frame)["solver"])
    for (instance, asks, _), runs in tried.groupby(["instance", "asks", "table"], dropna=False, sort=True):
        best, proved = runs["best_cost"].iloc[0], runs["best_proved"].iloc[0]
        state = (
            "no solution"
            if best is None
            else "proved"
            if best == proved
            else "bracketed"
            if proved is not None
            else "feasible"
        )
        winners = sorted(
            set(runs[(runs["cost"] == best) & runs["cost"].notna() & runs["solver"].isin(trusted)]["solver"])
        )
        rows.append([instance, asks, best, proved, state, ", ".join(winners)])
    head = ("instance", "asks", "least cost", "best proved bound", "state", "solvers with that cost")
    return section("Questions", table(head, rows))


def _runs(frame: pd.DataFrame, files: Mapping[str, Mapping[str, str]], base: str) -> str:
    rows: list[list[Any]] = []
    tried = frame["status"] != "unsupported"
    for row in pd.concat([frame[tried], frame[~tried]]).to_dict("records"):
        links = Html(
            " ".join(
                f'<a href="{escape(base)}/{digest}.gz" download="{row["key"]}-{escape(name)}.gz">{escape(name.partition(".")[0])}</a>'
                for name, digest in files[str(row["key"])].items()
            )
        )
        low, high = row["ratio_low"], row["ratio_high"]
        rows.append(
            [
                *(row[name] for name in SHOWN),
                low if low == high else _between(low, high),
                *(row[name] for name in ("solve_s", "setup_s", "peak_MiB")),
                links,
                row["why"],
            ]
        )
    head = (*SHOWN, "ratio", "solving, s", "setup, s", "peak, MiB", "files", "remark")
    note = "A click on a head sorts; what is typed below filters. Files are beside this page, packed by gzip."
    return section("Runs", f"<p>{note}</p>{table(head, rows)}")


def _between(low: float | None, high: float | None) -> str:
    if low is None or low != low:
        return ""
    return f"{low:.4g} or more" if high is None or high != high else f"{low:.4g} to {high:.4g}"


def _most_proofs(frame: pd.DataFrame) -> str:
    """Return the solver with the most proofs among those whose times are compared; '' if there is none."""
    kept = compared(frame)
    proved = Counter(kept[kept["status"] == "proved"]["solver"])
    return max(sorted(proved), key=lambda solver: proved[solver], default="")
