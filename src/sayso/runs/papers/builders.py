"""What most tables are made by: counts of a corpus, or the scores of the ledger beside the paper's numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean, stdev

from sayso.core.types import Score
from sayso.runs.leaderboard import Standing
from sayso.runs.paper import PaperNumber, paper_numbers
from sayso.runs.papers.items import Cell, Desk, Show, Shown, with_deviation
from sayso.runs.predictions import abstained_share
from sayso.runs.seeds import runs_by_stem
from sayso.runs.subject import PUBLISHED
from sayso.runs.tables import coverage, folded_note, interval_of, is_coverage, number, silent_share

SHIPS = "default"


def from_counts(corpus: str, *titles: str, notes: Sequence[str] = ()) -> Show:
    """Tables of `sayso stats CORPUS` whose titles begin so."""

    def show(desk: Desk) -> list[Shown]:
        found = desk.counted(corpus)
        return [
            Shown(title, with_deviation(rows), (*notes, found.made))
            for title, rows in found.tables.items()
            if begins(title, titles)
        ]

    return show


def from_figures(corpus: str, *titles: str, notes: Sequence[str] = ()) -> Show:
    """Figures of `sayso stats CORPUS` whose titles begin so, as the numbers that are drawn; then its tables."""

    def show(desk: Desk) -> list[Shown]:
        found = desk.counted(corpus)
        drawn = [
            Shown(title, {label: {"ours": n} for label, n in counts.items()}, (*notes, found.made))
            for title, counts in found.figures.items()
            if begins(title, titles)
        ]
        return [*from_counts(corpus, *titles)(desk), *drawn]

    return show


def begins(title: str, wanted: Sequence[str]) -> bool:
    """Whole words: "table 1" is not how "table 12" begins."""
    return any(title == one or title.startswith((f"{one} ", f"{one},")) for one in wanted)


def from_scores(
    paper: str,
    table: str,
    more: Mapping[str, Sequence[str]] | None = None,
    notes: Sequence[str] = (),
    published: bool = False,
) -> Show:
    """Every number that the paper prints there beside our newest score; `more`: systems of ours, by task.

    With `published`, the answers that the paper's own systems gave stand beside its numbers too.
    """

    def show(desk: Desk) -> list[Shown]:
        numbers = [one for one in paper_numbers() if (one.paper, one.table) == (paper, table)]
        if published:
            numbers = [one for own in numbers for one in (replace(own, system=PUBLISHED + own.system), own)]
        parts = dict.fromkeys((one.task, one.split) for one in numbers)
        return [
            part_of(desk, task, split, [one for one in numbers if (one.task, one.split) == (task, split)], more, notes)
            for task, split in parts
        ]

    return show


def part_of(
    desk: Desk,
    task: str,
    split: str,
    numbers: Sequence[PaperNumber],
    more: Mapping[str, Sequence[str]] | None,
    notes: Sequence[str],
) -> Shown:
    ours = by_stem(desk.standings(task, split))
    names = tuple(dict.fromkeys(one.score for one in numbers))
    rows: dict[str, dict[str, Cell]] = {}
    for one in numbers:
        rows[f"{one.system}, {one.score}"] = {**score_cells(ours.get(one.system, ()), one.score), "paper": one.value}
    for system in (more or {}).get(task, ()):
        for name in names:
            cells = score_cells(ours.get(system, ()), name)
            if cells["ours"] is not None:
                rows.setdefault(f"{system}, {name}", {**cells, "paper": None})
    scores = [score for runs in ours.values() for run in runs for score in run.scores if score.name in names]
    shown = [one for one in ours if any(row.startswith(f"{one}, ") for row in rows)]
    silent = abstentions(desk, task, split, shown)
    said = dict.fromkeys(f"paper: {one.note}" for one in numbers if one.note)
    told = (*said, *notes, *one_seed_note({one: len(ours[one]) for one in shown}), *silent, *folded_note(scores))
    return Shown(f"{task} {split}", with_deviation(rows), told)


def one_seed_note(runs: Mapping[str, int]) -> Iterator[str]:
    """Where some systems were trained with several seeds, which were not: an interval of examples is no deviation."""
    once = [name for name, n in runs.items() if n == 1 and name != SHIPS and not name.startswith(PUBLISHED)]
    if once and max(runs.values()) > 1:
        yield f"trained once, with one seed: {', '.join(once)}"


def abstentions(desk: Desk, task: str, split: str, systems: Iterable[str]) -> list[str]:
    """Which systems say of some requests that they do not know, and of how many."""
    shares = {system: abstained_share(desk.results.stored(task, system, split)) for system in systems}
    return [f"{system} abstains on {silent_share(share)} of the requests" for system, share in shares.items() if share]


def by_stem(standings: Mapping[str, Standing]) -> dict[str, list[Standing]]:
    """Runs of one system with several seeds together."""
    return {stem: [standings[one] for one in runs] for stem, runs in runs_by_stem(standings).items()}


def score_cells(runs: Sequence[Standing], name: str) -> dict[str, Cell]:
    """The mean over runs; the interval of one run, the deviation between several."""
    scores = [score for run in runs for score in run.scores if score.name == name]
    if not scores:
        return {"ours": None, "spread": None, "n": None}
    if any(map(is_coverage, scores)):
        return {"ours": None, "spread": coverage(scores[0]), "n": scores[0].n}
    value = fmean(score.value for score in scores)
    return {"ours": round(value, 6), "spread": spread(scores), "n": counted_n(scores[0])}


def spread(scores: Sequence[Score]) -> str | None:
    if len(scores) > 1:
        return f"± {number(scores[0].name, stdev(score.value for score in scores))} over {len(scores)} seeds"
    ends = interval_of(scores[0])
    return "–".join(number(scores[0].name, end) for end in ends) if ends else None


def counted_n(score: Score) -> Cell:
    """Of how many, where some could not be scored."""
    lost = sum(score.unscored.values())
    return f"{score.n} of {score.n + lost}" if lost else score.n
