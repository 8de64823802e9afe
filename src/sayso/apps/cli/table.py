"""`sayso table PAPER N`: one table or figure of a paper, ours beside theirs; `--list` says what there is."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.core.errors import UserError

if TYPE_CHECKING:
    from sayso.runs.papers import Item
    from sayso.runs.papers.items import Shown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paper", nargs="?", default="", metavar="PAPER", help="nl2bash, okapi, juice or readme-eval")
    parser.add_argument(
        "item", nargs="*", metavar="N", help='a table\'s number, or "figure 2", "appendix B", "section 6"'
    )
    parser.add_argument("--all", action="store_true", help="every one, of one paper or of all, as one Markdown page")
    parser.add_argument("--out", type=Path, metavar="FILE", help="with --all: write the page there")
    parser.add_argument("--list", action="store_true", help="name every table and figure, of one paper or of all")
    parser.add_argument("--fresh", action="store_true", help="count the corpus again (minutes for some)")
    parser.add_argument("--markdown", action="store_true", help="print as Markdown")
    parser.add_argument(
        "--plot", type=Path, metavar="FOLDER", help="also draw it there: bars are ours, diamonds theirs"
    )
    parser.epilog = (
        "Counts are those that `sayso stats NAME --keep` kept, scores the newest of the ledger, answers the stored "
        "predictions: nothing is run. Where a row has both, the deviation is ours less theirs."
    )


def run(args: argparse.Namespace) -> int:
    from sayso.apps.cli.progress import Progress
    from sayso.runs.papers import Desk, find_item, item_json, text_table
    from sayso.runs.tables import markdown, text

    if args.all:
        return print_all(args)
    if args.list or not args.paper:
        return list_items(args)
    if not args.item:
        raise UserError(f"which table or figure of {args.paper}?", f"sayso table {args.paper} --list")
    name, item = find_item(args.paper, " ".join(args.item))
    progress = Progress()
    try:
        desk = Desk(settings.workspace(), settings.results(), args.fresh, progress)
        tables = list(item.show(desk)) if item.show else []
    finally:
        progress.close()
    if desk.results.published is None and any(lacks_ours(table) for table in tables):
        output.note(
            f"no scores of ours in {desk.results.folder}: ask in a checkout of sayso, which has the published ones"
        )
    if args.plot:
        from sayso.runs.table_plots import draw_tables

        for path in draw_tables(args.paper, name, tables, args.plot):
            output.note(f"drew {path}")
    if args.json:
        output.print_json(item_json(args.paper, name, item, tables))
        return 0
    shown = markdown if args.markdown else text
    print(f"{args.paper}, {name}: {item.about}\n")
    for table in tables:
        print(output.visible(shown(text_table(table))))
    if item.why:
        print(f"not shown: {item.why}")
    return 0


def lacks_ours(table: Shown) -> bool:
    """Whether every row has a place for our figure, and none has one."""
    places = [row["ours"] for row in table.rows.values() if "ours" in row]
    return bool(places) and all(place is None for place in places)


def chosen_papers(args: argparse.Namespace) -> Mapping[str, Mapping[str, Item]]:
    from sayso.core.errors import UnknownName
    from sayso.runs.papers import PAPERS

    if args.paper and args.paper not in PAPERS:
        raise UnknownName("paper", args.paper, PAPERS)
    return {args.paper: PAPERS[args.paper]} if args.paper else PAPERS


def print_all(args: argparse.Namespace) -> int:
    """One page, with the commit that it is of; what shows text of a corpus is named and left out."""
    from sayso.apps.cli.progress import Progress
    from sayso.core.files import write_atomically
    from sayso.runs import provenance
    from sayso.runs.ledger import now
    from sayso.runs.papers import Desk, text_table
    from sayso.runs.tables import markdown

    commit, dirty = provenance.commit()
    changes = " and changes to it" if dirty else ""
    lines = ["# Every table and figure of the papers, ours beside theirs", ""]
    lines += [f"Made by `sayso table --all` on {now()[:10]} at {commit[:12] or 'no commit'}{changes}.", ""]
    progress = Progress()
    desk = Desk(settings.workspace(), settings.results(), args.fresh, progress)
    try:
        for paper, items in chosen_papers(args).items():
            for name, item in items.items():
                lines += [f"## {paper}, {name}: {item.about}", ""]
                show = None if item.corpus_text else item.show
                why = item.why or f"it shows text of the corpus: `sayso table {paper} {name}`"
                lines += [markdown(text_table(table)) for table in show(desk)] if show else [f"Not shown: {why}.", ""]
    finally:
        progress.close()
    page = "\n".join(lines).rstrip() + "\n"
    if not args.out:
        print(output.visible(page), end="")
        return 0
    with write_atomically(args.out) as file:
        file.write(page.encode())
    output.note(f"wrote {args.out}")
    return 0


def list_items(args: argparse.Namespace) -> int:
    rows = [
        {"paper": paper, "item": name, "about": item.about, "why": item.why}
        for paper, items in chosen_papers(args).items()
        for name, item in items.items()
    ]
    if args.json:
        output.print_json({"items": rows, "n": len(rows)})
        return 0
    for row in rows:
        why = f" (not shown: {row['why']})" if row["why"] else ""
        print(f"{row['paper']:12} {row['item']:12} {row['about']}{why}")
    output.note(f"{len(rows)} tables and figures; `sayso table {rows[0]['paper']} {rows[0]['item']}` shows one")
    return 0
