"""`sayso stats NAME`: the tables of a corpus, ours beside the paper's, and why anything was dropped."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.core.errors import BadFile, UnknownName
from sayso.core.files import write_atomically
from sayso.core.types import HasNetworks

if TYPE_CHECKING:
    from sayso.core.types import CorpusStats, Table

MOST_TOLD = 12
"""Counts that moved, named when they are kept anew."""
OPEN, CLOSE = "<!-- stats -->", "<!-- /stats -->"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("corpus", metavar="NAME", help="the corpus, for example nl2bash")
    parser.add_argument(
        "--split",
        choices=("paper", "ours"),
        default="paper",
        help="count on the corpus and split that were published, or on what our own filter and split make",
    )
    parser.add_argument("--plots", type=Path, metavar="DIR", help="draw the figures into DIR as PNG and SVG")
    parser.add_argument("--constants", action="store_true", help="list constants that differ between NL and command")
    parser.add_argument("--keep", action="store_true", help="keep the counts for `sayso table`, with the commit")
    parser.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    parser.add_argument("--page", type=Path, metavar="FILE", help=f"put them into FILE, between {OPEN} and {CLOSE}")


def run(args: argparse.Namespace) -> int:
    from sayso.apps.cli.progress import Progress
    from sayso.targets import TARGETS

    corpora = {name: count for target in TARGETS.values() for name, count in target.corpora.items()}
    if args.corpus not in corpora:
        raise UnknownName("corpus", args.corpus, corpora)

    progress = Progress()
    try:
        stats = corpora[args.corpus](settings.workspace(), args.split, progress)
    finally:
        progress.close()
    files = draw(stats, args.plots) if args.plots else []
    if args.keep:
        files = [*files, keep(stats, args.split)]
    if args.page:
        fill(args.page, "\n".join(pages(stats, False, True)))
        files = [*files, args.page]
    if args.json:
        output.print_json(as_json(stats, args.constants, files))
    elif not args.page:
        for page in pages(stats, args.constants, args.markdown):
            print(output.visible(page))
    for path in files:
        output.note(f"wrote {path}")
    return 0


def keep(stats: CorpusStats, membership: str) -> Path:
    """Into the checkout that we stand in, else into the user's results."""
    from sayso.core.errors import UserError
    from sayso.runs import counted

    if membership != "paper":
        raise UserError("only counts of the published split are kept", "leave out --split or --keep")
    results = settings.results()
    folder = results.published or results.folder
    now, before = counted.counted(stats), counted.read_file(folder / counted.counted_file(stats.corpus))
    if before:
        changes = counted.moved(before, now)
        many = f"; {len(changes) - MOST_TOLD} more" if len(changes) > MOST_TOLD else ""
        told = "; ".join(changes[:MOST_TOLD]) + many if changes else "every count is as it was"
        output.note(f"kept before: {before.made}: {told}")
    return counted.keep(now, folder)


def as_json(stats: CorpusStats, with_constants: bool, files: Sequence[Path]) -> dict[str, object]:
    found: dict[str, object] = {
        "corpus": stats.corpus,
        "tables": stats.tables,
        "dropped": stats.dropped,
        "figures": stats.figures,
        "constants": len(stats.constants),
    }
    if with_constants:
        found["mismatches"] = [dataclasses.asdict(one) for one in stats.constants]
    if files:
        found["files"] = list(map(str, files))
    return found


def pages(stats: CorpusStats, with_constants: bool, as_markdown: bool) -> list[str]:
    """Every table as text; differing constants are listed only when asked for, they are many lines."""
    from sayso.core.types import Table
    from sayso.runs.tables import markdown, text

    tables = [table_of(title, rows) for title, rows in stats.tables.items()]
    if stats.dropped:
        dropped = tuple((reason, str(n), stats.grounds.get(reason, "")) for reason, n in stats.dropped.items())
        total = ("all", str(sum(stats.dropped.values())), "")
        tables.insert(1, Table("dropped", ("reason", "n", "ground"), (*dropped, total)))
    count = f"{len(stats.constants)} constants differ between NL and command"
    if with_constants:
        rows = tuple((one.id, one.how, repr(one.nl), repr(one.command)) for one in stats.constants)
        tables.append(Table(count, ("pair", "how", "NL", "command"), rows))
    show = markdown if as_markdown else text
    shown = [show(table) for table in tables]
    return [*shown, f"{count} (--constants lists them)"] if stats.constants and not with_constants else shown


def fill(path: Path, tables: str) -> None:
    """Rewrite the part of a page that is made by this command."""
    page = path.read_text(encoding="utf-8") if path.is_file() else ""
    before, opened, rest = page.partition(OPEN)
    _, closed, after = rest.partition(CLOSE)
    if not (opened and closed):
        raise BadFile(f"{path} has no {OPEN} … {CLOSE}", "write these two lines where the tables belong")
    with write_atomically(path) as file:
        file.write(f"{before}{OPEN}\n\n{tables}\n{CLOSE}{after}".encode())


def table_of(title: str, rows: Mapping[str, Mapping[str, float | None]]) -> Table:
    from sayso.core.types import Table

    columns = list(dict.fromkeys(column for cells in rows.values() for column in cells))
    lines = ((row, *(number(cells.get(column)) for column in columns)) for row, cells in rows.items())
    return Table(title, ("", *columns), tuple(lines))


def number(value: float | None) -> str:
    """8090 -> "8,090"; 0.9944 -> "0.9944"; None -> "" """
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def draw(stats: CorpusStats, folder: Path) -> list[Path]:
    """One chart of bars a figure, on a logarithmic scale as in the paper."""
    from sayso.runs.network_plots import draw_network
    from sayso.runs.plots import COLOURS, FIXED, find_matplotlib, save_figure

    matplotlib = find_matplotlib()
    from matplotlib.figure import Figure

    written: list[Path] = []
    for title, counts in stats.figures.items():
        with matplotlib.rc_context(FIXED):
            figure = Figure(figsize=(10.0, 3.2), layout="constrained")
            axes = figure.subplots()
            axes.bar(range(len(counts)), list(counts.values()), color=COLOURS[0])
            axes.set_yscale("log")
            axes.set_xticks(range(len(counts)), list(counts), rotation=90, fontsize=7)
            axes.margins(x=0.01)
            of_paper = title.startswith("figure")
            axes.set_ylabel("times in the corpus" if of_paper else "number")
            axes.set_title(
                f"{stats.corpus}, {title} of the paper: {len(counts)} bars" if of_paper else f"{stats.corpus}: {title}",
                fontsize=9,
            )
            written += save_figure(figure, folder / f"{stats.corpus}.{title.replace(',', '').replace(' ', '-')}")
    if isinstance(stats, HasNetworks):
        for title, network in stats.networks.items():
            written += draw_network(network, folder / f"{stats.corpus}.{title.replace(' ', '-')}")
    return written
