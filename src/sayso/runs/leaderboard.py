"""The ledger as one static page: a table for each split of each task, to be sorted and filtered in a browser.

It needs nothing but the ledger and the papers' numbers: no corpus and no network. A cell is the newest score of a
system over a whole split; hovering shows n, what was left unscored, and the signature. Where predictions are stored,
they say how often a system abstains.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from sayso.core.types import Score
from sayso.runs.ledger import Entry, read_score
from sayso.runs.paper import PaperNumber, numbers_for
from sayso.runs.tables import (
    coverage,
    interval_of,
    is_coverage,
    is_folded,
    number,
    on_large_scale,
    otherwise,
    silent_share,
)


@dataclass(frozen=True)
class Standing:
    """One system on one split of one task: its newest scores, and how often it was run on test."""

    task: str
    split: str
    system: str
    scores: tuple[Score, ...]
    test_runs: int
    commit: str
    dirty: bool
    time: str
    abstained: float | None = None
    """The share of requests to which it says that it does not know, where its answers are stored."""

    @property
    def day(self) -> str:
        return self.time[:10]


def standings(
    entries: Sequence[Entry],
    tasks: Sequence[str] = (),
    splits: Sequence[str] = (),
    abstained: Callable[[str, str, str], float | None] = lambda *_: None,
) -> list[Standing]:
    """The newest whole scoring of every system, in the order of tasks, dev before test, best headline first.

    `abstained` is asked for the share of a task, a system and a split.
    """
    newest = {
        (entry.task, entry.split, entry.system): entry
        for entry in entries
        if entry.kind != "train" and entry.whole
        if not tasks or entry.task in tasks
        if not splits or entry.split in splits
    }
    found = [
        Standing(
            task,
            split,
            system,
            tuple(read_score(row) for row in entry.scores),
            sum(one.is_test_run and (one.task, one.system) == (task, system) for one in entries),
            entry.commit,
            entry.dirty,
            entry.time,
            abstained(task, system, split),
        )
        for (task, split, system), entry in newest.items()
    ]
    order = {name: index for index, name in enumerate(tasks)}
    return sorted(found, key=lambda one: (order.get(one.task, len(order)), one.task, one.split, -headline(one)))


def headline(standing: Standing) -> float:
    """What rows are first sorted by; a score over nothing is NaN and comes last."""
    value = standing.scores[0].value if standing.scores else float("nan")
    return value if value == value else float("-inf")


FOLDED = "<small>case-insensitive</small>"


def page(found: Sequence[Standing], cautions: Mapping[str, Sequence[str]] | None = None) -> str:
    """The whole document; every text in it is escaped. `cautions`: task → what stands above its tables."""
    parts = {(one.task, one.split): None for one in found}
    told = cautions or {}
    sections = [
        section([one for one in found if (one.task, one.split) == part], numbers_for(*part), told.get(part[0], ()))
        for part in parts
    ]
    links = " ".join(
        f'<a href="#{anchor(task, split)}">{html.escape(task)} {html.escape(split)}</a>' for task, split in parts
    )
    frame = files("sayso.runs").joinpath("data/leaderboard.html").read_text("utf-8")
    return frame.replace("<!-- links -->", links).replace("<!-- sections -->", "\n".join(sections))


def section(rows: Sequence[Standing], paper: Sequence[PaperNumber], cautions: Sequence[str] = ()) -> str:
    """One table; the paper's own rows stand below ours and are marked."""
    task, split = rows[0].task, rows[0].split
    names = list(dict.fromkeys(score.name for row in rows for score in row.scores))
    names += [name for name in dict.fromkeys(one.score for one in paper) if name not in names]
    folded = {score.name for row in rows for score in row.scores if is_folded(score.signature)}
    head = "".join(f"<th><button>{html.escape(name)}</button>{FOLDED if name in folded else ''}</th>" for name in names)
    body = "\n".join(our_row(row, names, newest_signatures(rows)) for row in rows)
    cited: dict[tuple[str, str], list[PaperNumber]] = {}
    for one in paper:
        cited.setdefault((one.system, one.source), []).append(one)
    theirs = "\n".join(paper_row(system, source, ones, names) for (system, source), ones in cited.items())
    runs = "<th><button>test runs</button></th>" if split == "test" else ""
    said = "".join(f'<p class="caution">{html.escape(one)}</p>\n' for one in cautions)
    return (
        f'<section id="{anchor(task, split)}"><h2>{html.escape(task)} <small>{html.escape(split)}</small></h2>\n{said}'
        f"<table><thead><tr><th><button>system</button></th>{head}{runs}<th><button>of</button></th></tr></thead>\n"
        f"<tbody>\n{body}\n{theirs}\n</tbody></table></section>"
    )


def newest_signatures(rows: Sequence[Standing]) -> dict[str, str]:
    """Score → what it was last measured by."""
    return {score.name: score.signature for row in sorted(rows, key=lambda one: one.time) for score in row.scores}


def our_row(row: Standing, names: Sequence[str], newest: Mapping[str, str]) -> str:
    by_name = {score.name: score for score in row.scores}
    cells = "".join(score_cell(by_name.get(name), newest.get(name, "")) for name in names)
    runs = f'<td data-value="{row.test_runs}">{row.test_runs}</td>' if row.split == "test" else ""
    made = f"{row.day} {row.commit[:8]}{' and changes' if row.dirty else ''}"
    silent = f"<small>abstains on {silent_share(row.abstained)}</small>" if row.abstained else ""
    return (
        f'<tr><th scope="row">{html.escape(row.system)}{silent}</th>{cells}{runs}'
        f'<td data-value="{html.escape(row.day)}" class="of">{html.escape(made)}</td></tr>'
    )


def paper_row(system: str, source: str, ones: Sequence[PaperNumber], names: Sequence[str]) -> str:
    by_name = {one.score: one for one in ones}
    cells = "".join(
        f'<td data-value="{one.value}" title="{html.escape(one.note)}">{number(name, one.value)}</td>'
        if (one := by_name.get(name))
        else '<td data-value="">–</td>'
        for name in names
    )
    runs = '<td data-value=""></td>' if ones[0].split == "test" else ""
    return (
        f'<tr class="paper"><th scope="row">{html.escape(system)}</th>{cells}{runs}'
        f'<td data-value="" class="of">{html.escape(source)}</td></tr>'
    )


def score_cell(score: Score | None, newest: str = "") -> str:
    """The value, a bar as long as it on the score's scale, its interval; what it rests on as a tooltip.

    Where the column's newest score was measured by something else, what this one was measured by.
    """
    if score is None or score.value != score.value:
        return '<td data-value="">–</td>'
    if is_coverage(score):
        return f'<td data-value="" title="{html.escape(score.signature)}"><small>{coverage(score)}</small></td>'
    lost = ", ".join(f"{count} {reason}" for reason, count in score.unscored.items())
    rests = f"n = {score.n}" + (f"; unscored: {lost}" if lost else "") + f"; {score.signature}"
    small = []
    if ends := interval_of(score):
        small.append(" … ".join(number(score.name, end) for end in ends))
    if lost:  # a score over a part that chose itself must not pass for one over all
        small.append(f"n {score.n} of {score.n + sum(score.unscored.values())}")
    if newest and (other := otherwise(score.signature, newest)):
        small.append(html.escape(f"not comparable: {other}"))
    interval = f"<small>{'<br>'.join(small)}</small>" if small else ""
    share = min(max(score.value / (100 if on_large_scale(score.name) else 1), 0.0), 1.0)
    return (
        f'<td data-value="{score.value}" title="{html.escape(rests)}" style="--share: {100 * share:.1f}%">'
        f"{number(score.name, score.value)}{interval}</td>"
    )


def anchor(task: str, split: str) -> str:
    return html.escape(f"{task}-{split}".replace("/", "-"))
