"""Okapi: tables 1 to 8, figures 1 to 10, and what §3.2 and §6 count."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from statistics import fmean, stdev
from typing import Any

from sayso.core.errors import MissingData
from sayso.core.types import Example, Split, Task
from sayso.experiments.api_tables import kind_of
from sayso.runs.elsewhere import elsewhere
from sayso.runs.papers.builders import from_counts, from_figures, from_scores
from sayso.runs.papers.items import Cell, Desk, Item, Show, Shown, with_deviation
from sayso.runs.report import predictions_of
from sayso.runs.seeds import stem_of
from sayso.runs.subject import DEFAULTS, Subject, load_examples
from sayso.targets import find_task

DOMAINS = ("document", "email", "calendar")
SCAN = ("scan-length", "scan-mcd1", "scan-mcd2", "scan-mcd3")
TASKS = (
    *(f"api/{split}-{domain}" for split in ("length", "program") for domain in DOMAINS),
    *(f"api/{s}" for s in SCAN),
)
OURS = ("default", "transformer-copy-minilm-tuned", "transformer-copy-scratch", "t5-scratch")
NO_WEIGHTS = "transformer-copy (BERT) and t5 are pretrained, and such weights cannot be had here: the nearest are below"
# §6, of 100 errors of T5-Base a domain: per cent.
KINDS = {
    "length": {"wrong parameter or value": 21, "missing parameter": 30, "extra parameter": 9, "invalid": 37},
    "program": {"wrong parameter or value": 30, "missing parameter": 10, "extra parameter": 13, "invalid": 45},
}
BANDS = (6, 9, 12, 15, 18, 21)
DRAWN = ("the paper draws these counts and prints none",)


def options(desk: Desk) -> list[Shown]:
    """Table 1 lists what calls are made of; ours counts it, from figure 3."""
    found = desk.counted("okapi")
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for title, drawn in found.figures.items():
        if title.startswith("figure 3 "):
            for label, n in drawn.items():
                counts[label.split()[0]][title.removeprefix("figure 3 ")] += n
    names = ("Filter", "OrderBy", "Select", "Count", "Top")
    rows: dict[str, dict[str, Cell]] = {
        name.upper(): {domain: counts[name][domain] for domain in DOMAINS} for name in dict.fromkeys((*names, *counts))
    }
    return [
        Shown("clauses of distinct questions", rows, ("the release selects nothing, and also searches", found.made))
    ]


def wrong_answers(desk: Desk, name: str, stems: tuple[str, ...]) -> Iterator[tuple[str, Example, str]]:
    """System (without its seed), example and first answer, of what is wrong on test."""
    task: Task = find_task(name)
    metric = task.metrics(desk.workspace)[0]
    examples = load_examples(task, "test", desk.workspace)
    for system in desk.results.systems(name, "test"):
        if stem_of(system) not in stems:
            continue
        found = predictions_of(Subject(task, "test", system), examples, desk.workspace, desk.results, DEFAULTS)
        for example, answer in zip(examples, found, strict=True):
            if answer is not None and not metric.measure(example, answer.candidates[:1]):
                yield stem_of(system), example, answer.candidates[0].text if answer.candidates else ""


def lengths(system: str) -> Show:
    """Figures 8 and 9: words of wrong answers beside those of the calls that they should be."""

    def show(desk: Desk) -> list[Shown]:
        rows: dict[str, dict[str, Cell]] = {}
        for domain in DOMAINS:
            said: Counter[str] = Counter()
            wanted: Counter[str] = Counter()
            for _, example, text in wrong_answers(desk, f"api/length-{domain}", (system,)):
                said[band(text)] += 1
                wanted[band(example.references[0])] += 1
            rows[f"{domain}, {system}"] = percents(said)
            rows[f"{domain}, references"] = percents(wanted)
        notes = ("per cent of wrong answers to Length test by their words, all seeds; the paper draws and prints none",)
        return [Shown("how long wrong answers are", rows, notes)]

    return show


def band(text: str) -> str:
    words, low = len(text.split()), 0
    for high in BANDS:
        if words <= high:
            return f"{low}–{high}"
        low = high + 1
    return f"{low} and more"


def percents(counts: Mapping[str, int]) -> dict[str, Cell]:
    total = sum(counts.values())
    bands = [band("a " * (high or 1)) for high in (*BANDS, BANDS[-1] + 1)]
    shares: dict[str, Cell] = {one: round(100 * counts.get(one, 0) / total, 1) if total else None for one in bands}
    return {**shares, "n": total}


def error_kinds(desk: Desk) -> list[Shown]:
    tables = []
    for split, paper in KINDS.items():
        counts: Counter[str] = Counter()
        for domain in DOMAINS:
            for _, example, text in wrong_answers(desk, f"api/{split}-{domain}", ("t5-scratch",)):
                counts[kind_of(example.references[0], text, ok=False)] += 1
        total = sum(counts.values())
        rows: dict[str, dict[str, Cell]] = {
            kind: {"ours": round(100 * counts[kind] / total, 1) if total else None, "paper": share, "n": total}
            for kind, share in paper.items()
        }
        notes = ("ours: all errors of t5-scratch, five seeds, by rule; paper: 100 errors of T5-Base a domain, by hand",)
        tables.append(Shown(f"{split}: per cent of errors", with_deviation(rows), notes))
    return tables


def figure_10(desk: Desk) -> list[Shown]:
    checkout = desk.results.published.parent if desk.results.published else None
    path = checkout / "docs/papers/okapi/training-size.json" if checkout else None
    if path is None or not path.is_file():
        return [Shown("training size", {}, ("its scores are kept in a checkout of the project, and this is none",))]
    sizes: Any = json.loads(path.read_bytes())
    unique = desk.counted("okapi").tables["rows"]
    rows: dict[str, dict[str, Cell]] = {}
    for task, splits in sizes.items():
        for split, shares in splits.items():
            for part, values in shares.items():
                spread = f"± {100 * stdev(values):.1f} over {len(values)} seeds" if len(values) > 1 else None
                rows[f"{task}, {split}, {int(part) / 10:g} % of train"] = {
                    "exact, %": round(100 * fmean(values), 1),
                    "spread": spread,
                    "n": unique[f"{task} {split}".replace("-", " ")]["unique"],
                }
    notes = (
        "transformer-copy-scratch, its weights chosen by a dev reduced like train; scores are of whole splits; the "
        "paper draws its points and prints none",
        "case-insensitive: exact",
    )
    return [Shown("training size", rows, notes)]


def table_7(desk: Desk) -> list[Shown]:
    """The paper's numbers beside ours, with what of a test set stands in the other split too."""
    found = from_scores("Okapi", "7", dict.fromkeys(TASKS, OURS), (NO_WEIGHTS,))(desk)
    return [replace(one, notes=(*one.notes, *also_elsewhere(desk, *one.title.split()))) for one in found]


def also_elsewhere(desk: Desk, name: str, split: str) -> Iterator[str]:
    """How many requests of a part the other split's train and dev hold, and what `default` has on the others."""
    task = find_task(name)
    part: Split = "test" if split == "test" else "dev"
    try:
        examples = load_examples(task, part, desk.workspace)
    except MissingData:
        return
    for one in elsewhere(task, examples, desk.workspace):
        told = f"{one.told()}; every system is trained on its own split alone"
        answers = predictions_of(Subject(task, part, "default"), examples, desk.workspace, desk.results, DEFAULTS)
        by_id = {example.id: found for example, found in zip(examples, answers, strict=True) if found}
        if one.rest and len(by_id) == len(examples):
            metric = task.metrics(desk.workspace)[0]
            right = fmean(bool(metric.measure(example, by_id[example.id].candidates)) for example in one.rest)
            told += f"; on the {len(one.rest):,} others default has {right:.3f}"
        yield told


ITEMS: dict[str, Item] = {
    "table 1": Item("query options", options),
    "table 2": Item("size beside other corpora, SCAN too", from_counts("okapi", "table 2", "rows")),
    "table 3": Item("calls by number of parameters", from_counts("okapi", "table 3")),
    "table 4": Item("the Length split", from_counts("okapi", "table 4")),
    "table 5": Item("templates of the Program split", from_counts("okapi", "table 5")),
    "table 6": Item("rows of the Program split", from_counts("okapi", "table 6")),
    "table 7": Item("exact match of three systems", table_7),
    "table 8": Item("divergence of train and test, SCAN too", from_counts("okapi", "table 8")),
    "figure 1": Item("how calls are composed", why="a drawing; `sayso explain` and `sayso construct` show calls"),
    "figure 2": Item("what annotators saw", why="a picture of a page; `sayso judge TASK --kind phrase` opens ours"),
    "figure 3": Item("parameters and properties", from_figures("okapi", "figure 3", notes=DRAWN)),
    "figure 4": Item("words of document calls in Length", from_figures("okapi", "figure 4", notes=DRAWN)),
    "figure 5": Item("words of email calls in Length", from_figures("okapi", "figure 5", notes=DRAWN)),
    "figure 6": Item("words of calendar calls in Length", from_figures("okapi", "figure 6", notes=DRAWN)),
    "figure 7": Item("actions of SCAN's targets in Length", from_figures("okapi", "figure 7", notes=DRAWN)),
    "figure 8": Item("how long T5's wrong answers are", lengths("t5-scratch")),
    "figure 9": Item("how long Transformer+Copy's wrong answers are", lengths("transformer-copy-scratch")),
    "figure 10": Item("training size", figure_10),
    "section 3.2": Item("how far questions are from canonical utterances", from_counts("okapi", "section 3.2")),
    "section 6": Item("errors of T5 by kind", error_kinds),
}
