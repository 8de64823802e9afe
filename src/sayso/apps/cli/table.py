"""`sayso table PAPER N`: one table or figure of a paper, ours beside theirs; `--list` says what there is."""

from __future__ import annotations

import argparse

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.core.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paper", nargs="?", default="", metavar="PAPER", help="nl2bash, okapi, juice or readme-eval")
    parser.add_argument(
        "item", nargs="*", metavar="N", help='a table\'s number, or "figure 2", "appendix B", "section 6"'
    )
    parser.add_argument("--list", action="store_true", help="name every table and figure, of one paper or of all")
    parser.add_argument("--fresh", action="store_true", help="count the corpus again (minutes for some)")
    parser.add_argument("--markdown", action="store_true", help="print as Markdown")
    parser.epilog = (
        "Counts are those that `sayso stats NAME --keep` kept, scores the newest of the ledger, answers the stored "
        "predictions: nothing is run. Where a row has both, the deviation is ours less theirs."
    )


def run(args: argparse.Namespace) -> int:
    from sayso.apps.cli.progress import Progress
    from sayso.runs.papers import Desk, find_item, item_json, text_table
    from sayso.runs.tables import markdown, text

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


def list_items(args: argparse.Namespace) -> int:
    from sayso.core.errors import UnknownName
    from sayso.runs.papers import PAPERS

    if args.paper and args.paper not in PAPERS:
        raise UnknownName("paper", args.paper, PAPERS)
    papers = {args.paper: PAPERS[args.paper]} if args.paper else PAPERS
    rows = [
        {"paper": paper, "item": name, "about": item.about, "why": item.why}
        for paper, items in papers.items()
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
