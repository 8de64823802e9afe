"""`sayso judge TASK`: start the annotation page, or export what was annotated."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.apps.cli.parser import whole_number
from sayso.apps.cli.progress import Progress
from sayso.core.errors import BadFile, MissingPart, UserError

if TYPE_CHECKING:
    from sayso.apps.judge.desk import Desk
    from sayso.apps.judge.items import Item, Json
    from sayso.core.types import Task


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from sayso.apps.judge.items import KINDS

    parser.add_argument("task", metavar="TASK", help="for example bash/command")
    parser.add_argument("--systems", metavar="A,B", help="judge the pooled top candidates of these systems")
    parser.add_argument("--items", metavar="FILE", type=Path, help="a JSONL file of items to annotate instead")
    parser.add_argument("--kind", choices=KINDS, default="verdicts", help="what is asked for (verdicts)")
    parser.add_argument("--split", choices=("train", "dev", "test"), default="dev", help="of the task (dev)")
    parser.add_argument("-k", "--k", type=whole_number(1), default=3, metavar="N", help="candidates of each system (3)")
    parser.add_argument(
        "--sample", metavar="N", type=whole_number(0), default=0, help="draw only N examples of the split"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the draw and of every order (0)")
    parser.add_argument(
        "--judges",
        metavar="N",
        type=whole_number(1),
        help="answers wanted for each item (verdicts, label: 3; tags: 2; else 1)",
    )
    parser.add_argument("--annotator", metavar="NAME", default="", help="the name that the page suggests")
    parser.add_argument("--store", metavar="DIR", type=Path, help="where answers are kept (in the user's data)")
    parser.add_argument("--port", type=whole_number(0, 65535), default=0, help="on 127.0.0.1 (a free one)")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument("--export", metavar="FILE", type=Path, help="write .csv (verdicts) or .jsonl, start no server")
    parser.add_argument("--sheet", metavar="FILE", type=Path, help="write what --annotator has left to judge, as rows")
    parser.add_argument("--read-sheet", metavar="FILE", type=Path, help="keep what --annotator wrote into such a sheet")


def run(args: argparse.Namespace) -> int:
    from sayso.apps.judge.board import JUDGES
    from sayso.apps.judge.desk import Desk, check_name
    from sayso.apps.judge.store import Store
    from sayso.targets import find_task

    check_choice(args)
    task = find_task(args.task)
    folder: Path = args.store or default_store(args)
    exists = (folder / "events.jsonl").is_file()
    if args.export and not exists:
        raise UserError(f"nothing has been annotated in {folder}", "name the folder with --store")
    name = check_name(args.annotator) if args.annotator else ""
    if (args.sheet or args.read_sheet) and not name:
        raise UserError("a sheet is one person's", "say whose with --annotator")
    items = [] if args.export or args.read_sheet else find_items(args, task)
    if not items and not exists:
        raise UserError("there is nothing to annotate", how_to_get_items(args))
    with Store(folder) as store:
        judges = {kind: args.judges or wanted for kind, wanted in JUDGES.items()}
        desk = Desk(store, items, judges, args.seed)
        if args.export:
            return export(args, desk)
        if not desk.active:
            raise UserError("there is nothing to annotate", how_to_get_items(args))
        if args.sheet or args.read_sheet:
            return on_paper(args, desk, name)
        return serve(args, desk, name)


def check_choice(args: argparse.Namespace) -> None:
    if args.items and args.systems:
        raise UserError("--items and --systems both say what to annotate", "give one of them")


def default_store(args: argparse.Namespace) -> Path:
    from sayso.apps.settings import user_folder

    # One folder a split: the same request may stand in two of them.
    kind = f"{args.kind}-{args.split}" if args.kind == "verdicts" else args.kind
    return Path(user_folder("data")) / "judge" / str(args.task).replace("/", "-") / kind


def find_items(args: argparse.Namespace, task: Task) -> list[Item]:
    """From the file, from the systems, or none: then the store says what there is."""
    from sayso.apps import settings
    from sayso.apps.judge.items import read_items
    from sayso.apps.judge.pool import Choice, verdict_items, with_templates

    if args.items:
        items = with_templates(read_items(args.items, args.kind), task.target.template)
        if not items:
            raise BadFile(f"{args.items} holds no items", how_to_get_items(args))
        return items
    if not args.systems:
        return []
    if args.kind != "verdicts":
        raise UserError(f"--systems gives verdicts to judge, not items to {args.kind}", how_to_get_items(args))
    systems = list(dict.fromkeys(name.strip() for name in args.systems.split(",") if name.strip()))
    choice = Choice(args.split, args.k, args.sample, args.seed)
    results = settings.results()
    return verdict_items(task, systems, choice, settings.workspace(), results, Progress())


def how_to_get_items(args: argparse.Namespace) -> str:
    if args.kind == "verdicts":
        return 'name --systems, or give --items FILE with lines like {"request": …, "candidates": ["…"]}'
    shape = {
        "describe": '{"command": "…"}',
        "phrase": '{"call": "…", "canonical": "…"}',
        "label": '{"path": "…", "text": "…"}',
        "tags": '{"request": "…", "body": "…", "tags": ["…", "…"]}',
    }
    return f"give --items FILE with lines like {shape[args.kind]}"


def serve(args: argparse.Namespace, desk: Desk, name: str) -> int:
    """Until Ctrl-C, which is how one stops it and no failure."""
    import signal
    import webbrowser

    try:
        from sayso.apps.judge.server import bind, make_app, make_server
    except ModuleNotFoundError as error:
        raise MissingPart(f"the page needs {error.name}: it is not installed", "pip install 'sayso[serve]'") from None

    listener = bind(args.port)
    app = make_app(desk, listener.getsockname()[1], name)
    server = make_server(app)

    def stop(*_: object) -> None:
        server.should_exit = True

    # Before anything is printed: whoever stops us at once must not meet a server that is half started.
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        announce(args, desk, app.link())
        if args.open:
            webbrowser.open(app.link(once=True))
        server.run(sockets=[listener])
    finally:
        listener.close()
        for number, handler in before.items():
            signal.signal(number, handler)
    print(f"stopped; {summary(desk.overview(''))}", file=sys.stderr)
    return 0


def announce(args: argparse.Namespace, desk: Desk, link: str) -> None:
    from sayso.apps.cli.output import note, print_json
    from sayso.apps.judge.items import count_kinds

    counts = count_kinds([desk.board.items[item] for item in desk.active])
    if desk.store.damaged:
        note(f"passed over damaged lines in {desk.store.path}: {desk.store.damaged}")
    if args.json:
        print_json({"url": link, "items": len(desk.active), "kinds": counts, "store": str(desk.store.path.parent)})
    else:
        print(link)
        what = ", ".join(f"{n} to {kind}" if kind != "verdicts" else f"{n} requests" for kind, n in counts.items())
        print(f"{what}; answers go to {desk.store.path.parent}; Ctrl-C stops", file=sys.stderr)
    sys.stdout.flush()


def export(args: argparse.Namespace, desk: Desk) -> int:
    from sayso.apps.cli.output import print_json
    from sayso.apps.judge.agreement import pairs
    from sayso.apps.judge.export import export as write

    rows = write(desk.board, args.export)
    overview = desk.overview("")
    if args.json:
        del overview["mine"]
        print_json({"file": str(args.export), "rows": rows, **overview, "pairs": pairs(desk.board, desk.active)})
    else:
        print(f"{rows} rows in {args.export}; {summary(overview)}")
    return 0


def on_paper(args: argparse.Namespace, desk: Desk, name: str) -> int:
    """Read what a judge wrote into a sheet, then write what is left."""
    from sayso.apps.cli.output import print_json
    from sayso.apps.judge.sheet import read_sheet, take, write_sheet

    told: dict[str, object] = {}
    if args.read_sheet:
        told["taken"] = take(desk, name, read_sheet(args.read_sheet))
    if args.sheet:
        told["rows"] = write_sheet(desk.board, name, desk.active, args.seed, args.sheet)
    if args.json:
        print_json(told)
    else:
        print("; ".join(f"{n} {what}" for what, n in told.items()))
    return 0


def summary(overview: Json) -> str:
    """12 of 40 items complete, judges differ on 3; command α 0.81 (n 96) …"""
    from typing import Any, cast

    seen = cast(dict[str, Any], overview)
    text = f"{seen['items']['complete']} of {seen['items']['total']} items complete"
    if seen["items"]["differ"]:
        text += f", judges differ on {seen['items']['differ']}"
    for row in seen["agreement"]:
        first = row["first"]
        alpha = "not defined" if first["alpha"] is None else f"{first['alpha']:.2f}"
        if first["n"]:
            text += f"; {row['measure']}: agreement {first['raw']:.0%}, alpha {alpha} (n {first['n']})"
    return text
