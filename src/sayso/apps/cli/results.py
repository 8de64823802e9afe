"""`sayso results list|publish`: what the user's own runs hold that a checkout has not published, and publishing it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.cli.scores import SPLITS
from sayso.core.errors import UserError

if TYPE_CHECKING:
    from sayso.runs.publish import Pending
    from sayso.runs.store import Results


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|publish")
    shared = argparse.ArgumentParser(add_help=False)
    for name in ("--json", "--debug"):
        shared.add_argument(name, action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    shared.add_argument("--task", default="", metavar="TASK", help="only about this task")
    shared.add_argument("--split", choices=SPLITS, help="only about this split")
    shared.add_argument("--systems", default="", metavar="A,B", help="only about these systems")
    shared.add_argument("--newest", action="store_true", help="only the last line about each task, split and system")
    actions.add_parser("list", parents=[shared], help="what is not published yet, oldest first")
    publishing = actions.add_parser("publish", parents=[shared], help="copy lines and predictions into the checkout")
    publishing.add_argument("ids", nargs="*", metavar="ID", help="of a line, as `sayso results list` shows it")
    publishing.add_argument("--all", action="store_true", help="everything that `list` shows with the same options")
    publishing.add_argument(
        "--dirty", action="store_true", help="also from changed source, and lines that came from uncommitted code"
    )
    parser.epilog = (
        "Runs are written to your own folder ($SAYSO_RESULTS, else the user's data folder) and read together with "
        "results/ of the checkout you stand in. Publishing copies ledger lines, and the stored predictions of whole "
        "runs on dev and test, into that folder, for you to commit. Without ID or --all it only lists. Runs on test "
        "are written to the checkout's ledger at once, and by every `publish` where they were made elsewhere."
    )


def run(args: argparse.Namespace) -> int:
    from sayso.runs.publish import named, newest, pending
    from sayso.targets import find_task

    if args.task:
        find_task(args.task)
    results = settings.results()
    every = pending(results)
    found = [one for one in every if is_wanted(one, args)]
    found = newest(found) if args.newest else found
    if args.action == "list":
        return show(args, results, found)
    target = checkout_of(results)
    if args.ids and args.all:
        raise UserError("an ID and --all both say what to publish", "give one of them")
    if not (args.ids or args.all):
        return show(args, results, found)
    return publish(args, results, target, named(found, args.ids) if args.ids else found, every)


def is_wanted(one: Pending, args: argparse.Namespace) -> bool:
    systems = [name.strip() for name in args.systems.split(",") if name.strip()]
    entry = one.entry
    return (
        (not args.task or entry.task == args.task)
        and (not args.split or entry.split == args.split)
        and (not systems or entry.system in systems)
    )


def checkout_of(results: Results) -> Path:
    if results.published is not None:
        return results.published
    if settings.published_folder():
        raise UserError(
            f"your runs go to {results.folder}, which is the checkout's own folder",
            "unset SAYSO_RESULTS, or `results` in config.toml: nothing there needs publishing",
        )
    raise UserError("you stand in no checkout of sayso", "cd into one, then give the same command")


def show(args: argparse.Namespace, results: Results, found: list[Pending]) -> int:
    published = results.published
    if args.json:
        folders = {"own": str(results.folder), "published": str(published) if published else None}
        output.print_json({"folders": folders, "pending": [as_json(one) for one in found]})
        return 0
    for one in found:
        print(in_words(one))
    where = published or "a checkout (you stand in none)"
    if found:
        output.note(f"{len(found)} not in {where}; `sayso results publish ID …` or `--all` copies them there")
    else:
        output.note(f"everything in {results.folder} that was asked for is in {where}" if published else "no runs yet")
    return 0


def publish(
    args: argparse.Namespace, results: Results, target: Path, chosen: list[Pending], every: list[Pending]
) -> int:
    from dataclasses import replace

    from sayso.runs import publish as publishing

    if not args.dirty:
        publishing.refuse_uncommitted(chosen, target.parent)
    # Only their lines: which predictions stand in the docs is still chosen.
    counted = [replace(one, predictions=None) for one in every if one.is_new and one.entry.is_test_run]
    ids = {one.line.id for one in chosen}
    done = publishing.publish(results, [*chosen, *(one for one in counted if one.line.id not in ids)])
    if args.json:
        answer: dict[str, Any] = {
            "published": str(target),
            "lines": list(done.lines),
            "predictions": list(map(str, done.predictions)),
        }
        output.print_json(answer)
        return 0
    for one in every:
        if one.line.id in {*done.lines, *ids}:
            print(in_words(one))
    print(f"ledger lines: {len(done.lines)}, files of predictions: {len(done.predictions)}; now in {target}")
    if done.lines or done.predictions:
        output.note(f"commit them: git add {target.name} && git commit")
    return 0


def in_words(one: Pending) -> str:
    """ "1f0c…  2026-01-02T03:04:05+00:00  eval   bash/command dev default  match_full@1 0.371  at 0123abcd" """
    from sayso.runs.tables import number

    entry = one.entry
    about = " ".join(filter(None, (entry.task, entry.split, entry.system)))
    score = (
        f"  {entry.scores[0]['name']} {number(entry.scores[0]['name'], entry.scores[0]['value'])}"
        if entry.scores
        else ""
    )
    code = f"at {entry.commit[:8]}" if one.is_committed else "from uncommitted code"
    parts = {(True, True): "with predictions", (False, True): "predictions only"}.get(
        (one.is_new, bool(one.predictions))
    )
    return output.visible(
        f"{one.line.id}  {entry.time}  {entry.kind:<5}  {about}{score}  {code}{f', {parts}' if parts else ''}"
    )


def as_json(one: Pending) -> dict[str, Any]:
    entry = one.entry
    return {
        "id": one.line.id,
        "kind": entry.kind,
        "task": entry.task,
        "split": entry.split,
        "system": entry.system,
        "time": entry.time,
        "commit": entry.commit,
        "committed": one.is_committed,
        "new": one.is_new,
        "predictions": str(one.predictions) if one.predictions else None,
        "scores": list(entry.scores),
    }
