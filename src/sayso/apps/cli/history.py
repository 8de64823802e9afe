"""`sayso history on|off|list|export|keep|delete`: the user's own commands, on this machine, only where they say so."""

from __future__ import annotations

import argparse

from sayso.apps import conversation, history_store
from sayso.apps.cli import output
from sayso.apps.cli.parser import shared_by_actions, whole_number
from sayso.apps.cli.streams import open_output
from sayso.apps.requests import clean
from sayso.core.errors import UnknownName, UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="on|off|list|export|keep|delete")
    shared = shared_by_actions()
    actions.add_parser("on", parents=[shared], help="keep the commands that you take from an answer, from now on")
    actions.add_parser("off", parents=[shared], help="keep no more, and answer no more from what is kept")
    listing = actions.add_parser("list", parents=[shared], help="what is kept, newest last")
    listing.add_argument("-n", type=whole_number(0), default=20, metavar="N", help="the last N (20); 0 shows all")
    export = actions.add_parser("export", parents=[shared], help="write all of it to a file")
    export.add_argument("file", metavar="FILE", help="JSON lines; - is standard output")
    keeping = actions.add_parser("keep", parents=[shared], help="keep the last answer of this terminal")
    keeping.add_argument("command", nargs="?", metavar="COMMAND", help="the command as you changed it")
    deleting = actions.add_parser("delete", parents=[shared], help="delete one entry, or all of them")
    deleting.add_argument("id", nargs="?", metavar="ID", help="its id as `sayso history list` shows it")
    deleting.add_argument("--all", action="store_true", help="delete everything that is kept")
    parser.epilog = (
        "Off unless you turn it on. What is kept lies in one file of yours (mode 600), is never sent anywhere, and is "
        "used for one thing: a request that you made before is answered with the command that you took, marked "
        '"from your history". Commands that seem to hold a password or a token are not kept. '
        "Examples: `sayso history on`; `sayso history keep 'ls -lt | head'`; `sayso history delete --all`."
    )


def run(args: argparse.Namespace) -> int:
    return ACTIONS[args.action](args)


def switch(args: argparse.Namespace) -> int:
    history_store.turn(args.action == "on")
    return status(args)


def status(args: argparse.Namespace) -> int:
    count = len(history_store.entries())
    path = history_store.history_file()
    if args.json:
        output.print_json({"on": history_store.is_on(), "entries": count, "file": str(path)})
    elif history_store.is_on():
        print(f"history is on: commands that you take are kept in {path} ({count} so far)")
    else:
        rest = f"; {count} entries are still in {path}, `sayso history delete --all` removes them" if count else ""
        print(f"history is off: nothing is kept{rest}")
    return 0


def listed(args: argparse.Namespace) -> int:
    if args.n < 0:
        raise UserError(f"-n must be 0 or more, not {args.n}", "see `sayso history list --help`")
    found = history_store.entries()
    shown = found[-args.n :] if args.n else found
    if args.json:
        output.print_json({"on": history_store.is_on(), "entries": [vars(one) for one in shown]})
        return 0
    for one in shown:
        print(f"{one.id}  {one.when}  {output.comment(one.request)}\n    {output.visible(one.command)}")
    if not shown:
        output.note("nothing is kept" + ("" if history_store.is_on() else "; `sayso history on` begins"))
    return 0


def export(args: argparse.Namespace) -> int:
    found = history_store.entries()
    with open_output(args.file) as write:
        write(b"".join(map(history_store.as_line, found)))
    if args.file != "-":
        summary = {"file": args.file, "entries": len(found)}
        output.print_json(summary) if args.json else print(f"{len(found)} entries written to {args.file}")
    return 0


def keep(args: argparse.Namespace) -> int:
    if not history_store.is_on():
        raise UserError("history is off", "`sayso history on` turns it on")
    last = conversation.last()
    if last is None:
        raise UserError("this terminal has no last answer", 'ask first: `sayso "list the five largest files"`')
    command = clean(args.command, "command") if args.command else last.command
    entry = history_store.record(last.request, command, last.command, "kept", last.target)
    if entry is None:
        raise UserError("that is not kept: it is too long or seems to hold a secret", "leave the secret out")
    output.print_json(vars(entry)) if args.json else print(f"{entry.id}  {output.visible(entry.command)}")
    return 0


def delete(args: argparse.Namespace) -> int:
    if bool(args.id) == args.all:
        raise UserError("say what to delete", "`sayso history delete ID`, or `sayso history delete --all`")
    known = [] if args.all else [one.id for one in history_store.entries()]
    matches = [one for one in known if one.startswith(args.id or "")]
    if args.id and not matches:
        raise UnknownName("entry", args.id, known[-20:])
    if args.id and len(matches) > 1:
        raise UserError(f"{args.id} begins the ids of {len(matches)} entries", "give more of it")
    count = history_store.delete(args.id or "")
    output.print_json({"deleted": count}) if args.json else print(f"deleted {count}")
    return 0


ACTIONS = {"on": switch, "off": switch, "list": listed, "export": export, "keep": keep, "delete": delete}
