"""How a task's report looks: tables by family of scores, the paper's rows beside ours, footnotes, paired tests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from sayso.core.types import Score, Table
from sayso.runs.report import SystemScores, TaskReport
from sayso.runs.seeds import runs_by_stem
from sayso.runs.slices import Contrast, Sliced
from sayso.runs.subject import PUBLISHED
from sayso.runs.tables import cell, family, folded_note, is_coverage, machine_note, number, scores_as_json, silent_share

STAR = "* not significantly worse than the best (approximate randomisation with Holm's correction, p ≥ 0.05)"

CASE = "case-insensitive"
COVERAGE = (
    "verdicts on N of M: people judged so many of these answers, those of judged systems alone, so no share is shown"
)


def tables(report: TaskReport) -> list[Table]:
    """Scores by family, then paired tests, then what the target adds."""
    families: dict[str, list[str]] = {}
    for name in report.score_names:
        families.setdefault(family(name), []).append(name)
    found = [score_table(report, title, names) for title, names in families.items()]
    sliced = [slice_table(report, one) for one in report.slices]
    compared = [contrast_table(report.contrast)] if report.contrast else []
    return [*found, *paired_tables(report), *sliced, *report.breakdowns, *compared]


def score_table(report: TaskReport, title: str, names: Sequence[str]) -> Table:
    header = ("system", *names, "n", "unscored", *abstains_head(report), "test runs")
    rows = [row for system in ordered(report, names) for row in system_rows(report, system, names)]
    return Table(f"{report.task} {report.split}: {title}", header, tuple(rows), tuple(footnotes(report, names)))


def ordered(report: TaskReport, names: Sequence[str]) -> list[str]:
    """Ours from the best to the worst on the first score, then the systems that only the paper has."""
    ours = [(system, system.find(names[0])) for system in report.systems if any(map(system.find, names))]
    ours.sort(key=lambda pair: (-(pair[1].value) if pair[1] else 2.0, pair[0].system))
    shown = [system.system for system, _ in ours]
    covered = set(map(unpublished, shown))
    papers = [found.system for found in report.paper if found.score in names and found.system not in covered]
    return [*shown, *dict.fromkeys(papers)]


def unpublished(system: str) -> str:
    """released-tellina -> tellina, as the paper calls it"""
    return system.removeprefix(PUBLISHED)


def system_rows(report: TaskReport, name: str, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Our row, and below it one for each of the paper's tables that has the system."""
    for system in report.systems:
        if system.system == name and any(map(system.find, names)):
            scores = [system.find(score) for score in names]
            cells = [cell(score, name in report.tied.get(score.name, ())) if score else "" for score in scores]
            found = [score for score in scores if score]
            silent = [share(system.abstained)] if abstains_head(report) else []
            yield name, *cells, shared(score.n for score in found), unscored(found), *silent, str(system.test_runs)
    printed = [found for found in report.paper if found.system == unpublished(name) and found.score in names]
    for source in dict.fromkeys(found.source for found in printed):
        values = {found.score: found.value for found in printed if found.source == source}
        cells = [number(score, values[score]) if score in values else "" for score in names]
        yield f"{unpublished(name)} ({source})", *cells, "", "", *("" for _ in abstains_head(report)), ""


def abstains_head(report: TaskReport) -> tuple[str, ...]:
    """A column for what is not answered, where any system is silent at all."""
    return ("abstains",) if any(system.abstained for system in report.systems) else ()


def share(value: float | None) -> str:
    return "" if value is None else silent_share(value).replace("%", " %")


def shared(values: Iterator[int]) -> str:
    """[547, 547] -> "547"; [547, 120] -> "547, 120" """
    return ", ".join(str(value) for value in dict.fromkeys(values))


def unscored(scores: Sequence[Score]) -> str:
    return shared(sum(score.unscored.values()) for score in scores)


def footnotes(report: TaskReport, names: Sequence[str]) -> Iterator[str]:
    if any(report.tied.get(name) for name in names):
        yield STAR
    for name in names:
        if name in report.tied and not report.tied[name]:
            yield f"{name}: no system is shown to be worse than the best, so none is starred"
    known = [score for system in report.systems for name in names if (score := system.find(name))]
    yield from folded_note(known)
    yield from machine_note(known)
    if any(map(is_coverage, known)):
        yield COVERAGE
    if abstains_head(report):
        yield "abstains: the share of requests to which a system says that it does not know; its candidates are scored"
    if report.drawn:
        yield report.drawn
    if several := seeded(report):
        many = ", ".join(several)
        yield f"runs of one system each: {many}; stars and tests are of single runs here, `--seeds` compares systems"
    for name in names:
        yield from signature_notes(report, name)
    for system in report.systems:
        reasons = dict.fromkeys(reasons_of(system, names))
        if reasons:
            yield f"unscored for {system.system}: {'; '.join(reasons)}"
    yield from dict.fromkeys(f"{found.source}: {found.note}" for found in report.paper if found.score in names)


def seeded(report: TaskReport) -> list[str]:
    """ "net.seed0", "net.seed1" -> "net.seed…" """
    found = runs_by_stem(system.system for system in report.systems)
    return [f"{stem}.seed…" for stem, runs in found.items() if len(runs) > 1]


def signature_notes(report: TaskReport, name: str) -> Iterator[str]:
    """What a score was measured by; where that is not one thing for all systems, whose is whose."""
    whose: dict[str, list[str]] = {}
    for system in report.systems:
        if found := system.find(name):
            whose.setdefault(found.signature, []).append(system.system)
    for signature, systems in whose.items():
        of = f" of {', '.join(systems)}" if len(whose) > 1 else ""
        yield f"{name}{of}: `{signature}`"
    if len(whose) > 1:
        yield f"{name}: measured in {len(whose)} ways, which are not to be compared"


def reasons_of(system: SystemScores, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        if (score := system.find(name)) and score.unscored:
            yield ", ".join(f"{reason} {count}" for reason, count in score.unscored.items())


def paired_tables(report: TaskReport) -> Iterator[Table]:
    """One table a score: every system against the best."""
    for name in dict.fromkeys(test.score for test in report.tests):
        tests = [test for test in report.tests if test.score == name]
        rows = tuple(
            (
                test.system,
                number(name, -test.comparison.difference),
                test.comparison.test,
                shown_p(test.comparison.p),
                str(test.comparison.n),
            )
            for test in tests
        )
        title = f"{report.task} {report.split}: {name} against {tests[0].best}"
        yield Table(title, ("system", "difference", "test", "p", "n"), rows)


def shown_p(value: float) -> str:
    """No test says that something cannot be: a p that is rounded to nothing is shown as smaller than what is shown."""
    return f"{value:.4f}" if value >= 0.0001 else "< 0.0001"


def slice_table(report: TaskReport, sliced: Sliced) -> Table:
    """Each system's score on each kind of example; in brackets how many were scored, where that is not all."""
    systems = [row.system for row in report.systems if any(row.system in kind.values for kind in sliced.kinds)]
    rows = []
    for kind in sliced.kinds:
        cells = [slice_cell(sliced.score, *kind.values[system], kind.n) for system in systems]
        rows.append((kind.label, str(kind.n), *cells))
    title = f"{report.task} {report.split}: {sliced.score} by {sliced.title}"
    return Table(title, (sliced.title, "n", *systems), tuple(rows), (CASE,) if sliced.folded else ())


def slice_cell(score: str, value: float, scored: int, n: int) -> str:
    return number(score, value) + (f" ({scored})" if scored != n else "")


def contrast_table(contrast: Contrast) -> Table:
    """How often two systems are right and wrong together and apart."""
    first, second = contrast.systems
    counts = contrast.counts
    rows = (
        (f"{first} right", str(counts["both right"]), str(counts[first])),
        (f"{first} wrong", str(counts[second]), str(counts["both wrong"])),
    )
    notes = [
        f"{test.test}: difference {number(contrast.score, test.difference)}, p = {shown_p(test.p)}, n = {test.n}"
        for test in contrast.tests
    ]
    if counts["unscored"]:
        notes.append(f"{counts['unscored']} examples are unscored for one of them")
    if contrast.folded:
        notes.append(CASE)
    return Table(
        f"{contrast.score}: {first} beside {second}", ("", f"{second} right", f"{second} wrong"), rows, tuple(notes)
    )


def requests_to_see(contrast: Contrast, most: int) -> str:
    """What only one of the two gets right, the first so many a side (0 is all), one block a request."""
    width = max(map(len, ("reference", *contrast.systems)))
    lines = []
    for right in contrast.systems:
        chosen = [one for one in contrast.differences if one.right == right]
        shown = chosen[:most] if most else chosen
        lines += [f"only {right} is right ({len(chosen)})", ""]
        for one in shown:
            texts = (one.request, *one.references, *(answer or "(no answer)" for answer in one.answers))
            names = ("request", *("reference" for _ in one.references), *contrast.systems)
            lines += [f"  {name:{width}}  {' '.join(text.split())}" for name, text in zip(names, texts, strict=True)]
            lines.append("")
        if len(shown) < len(chosen):
            lines += [f"  … and {len(chosen) - len(shown)} more: --requests 0 shows all", ""]
    return "\n".join(lines)


def as_json(report: TaskReport) -> dict[str, Any]:
    return {
        "task": report.task,
        "split": report.split,
        "systems": [
            {
                "system": system.system,
                **scores_as_json(system.scores),
                "test_runs": system.test_runs,
                "abstained": system.abstained,
            }
            for system in report.systems
        ],
        "tied": {name: sorted(systems) for name, systems in report.tied.items()},
        "tests": [
            {
                "score": test.score,
                "best": test.best,
                "system": test.system,
                "test": test.comparison.test,
                "difference": -test.comparison.difference,
                "p": test.comparison.p,
                "n": test.comparison.n,
            }
            for test in report.tests
        ],
        "paper": [
            {
                "system": found.system,
                "score": found.score,
                "value": found.value,
                "source": found.source,
                "note": found.note,
            }
            for found in report.paper
        ],
        "slices": [slices_json(sliced) for sliced in report.slices],
        "breakdowns": [
            {"title": table.title, "header": table.header, "rows": table.rows, "notes": table.notes}
            for table in report.breakdowns
        ],
        "contrast": contrast_json(report.contrast) if report.contrast else None,
        "notes": list(report.notes),
    }


def slices_json(sliced: Sliced) -> dict[str, Any]:
    kinds = [
        {
            "label": kind.label,
            "n": kind.n,
            "values": {
                system: {"value": None if math.isnan(value) else value, "n": n}
                for system, (value, n) in kind.values.items()
            },
        }
        for kind in sliced.kinds
    ]
    return {"title": sliced.title, "score": sliced.score, "kinds": kinds}


def contrast_json(contrast: Contrast) -> dict[str, Any]:
    return {
        "score": contrast.score,
        "systems": contrast.systems,
        "counts": contrast.counts,
        "tests": [asdict(test) for test in contrast.tests],
        "differences": [asdict(one) for one in contrast.differences],
    }
