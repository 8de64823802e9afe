"""`sayso then WORDS`: edit the last answer of this terminal by what is said after it. Nothing is run."""

from __future__ import annotations

import argparse
import time

from sayso.apps import conversation, settings
from sayso.apps.cli import bash, keyboard, output, proposals
from sayso.apps.cli.choose import Choice
from sayso.apps.cli.parser import whole_number
from sayso.apps.requests import clean, read_request
from sayso.core.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

SURE = 0.8
"""The confidence from which the answer to both requests together is taken for what was meant."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="*", metavar="WORDS", help="what to change, in English; - reads it from stdin")
    parser.add_argument("--after", metavar="COMMAND", help="edit this command instead of the last answer")
    parser.add_argument("--target", help="with --after: the language that it is written in (bash)")
    parser.add_argument(
        "-k", type=whole_number(1, settings.MOST_CANDIDATES), default=3, metavar="N", help="how many candidates (3)"
    )
    parser.add_argument("--no-menu", action="store_true", help="in a terminal: print the candidates and stop")
    parser.epilog = (
        "The last answer of each terminal is kept for some hours in a file that only you can read; `keep_last = false` "
        "in config.toml keeps none. Where an edit cannot be made, one line says why, and the exit code is 0. Examples: "
        '`sayso then "only the newest five"`; `sayso then "in /var/log instead"`; `sayso then "also hidden ones and '
        'count them"`; `sayso then "undo that"`; `sayso then --after \'ls -l\' "sort by size"`.'
    )


def run(args: argparse.Namespace) -> int:
    start = time.perf_counter()
    words = read_request(args.words)
    if args.target and not args.after:
        raise UserError("--target is for --after", "leave it out: the last answer is known with its language")
    given = conversation.Last("", clean(args.after, "command"), (), args.target or "bash") if args.after else None
    last = given or conversation.last()
    if last is None:
        raise UserError(
            "this terminal has no last answer" if settings.load().keep_last else "keep_last is off in config.toml",
            "ask first, or give the command: `sayso then --after 'ls -l' \"sort by size\"`",
        )
    answer = follow_up(last, words, args.k)
    if answer["abstained"] and last.target == "bash" and not answer.get("undone"):
        answer = act_behind(last, words) or answer
    if answer["abstained"] and last.request and not answer.get("undone") and ":" not in last.target:
        answer = asked_anew(last, words, args.k) or answer
    if not args.after and not answer["abstained"]:
        first = answer["candidates"][0]["text"]
        before = last.before[:-1] if answer.get("undone") else (*last.before, last.command)
        conversation.keep(conversation.Last(last.request, first, before, last.target))

    def taken(choice: Choice) -> None:
        """What is kept is the whole of what was asked for."""
        whole = f"{last.request}, {words}" if last.request else ""
        bash.taken(Choice(whole, choice.proposed, choice.command, choice.how, choice.exit_code))

    has_menu = last.target == "bash" and not args.no_menu  # a menu offers to run the command in the shell
    return proposals.show(answer, args.json, taken if has_menu else None, start)


def changed(command: str, before: Sequence[str], request: str = "") -> dict[str, Any] | None:
    """The menu's `t`: the command as a follow-up changes it; a note says why where it does not."""
    words = keyboard.read_line("then: ")
    if not words:
        return None
    last = conversation.Last(request, command, before)
    answer = follow_up(last, clean(words), 1)
    if answer["abstained"] and not answer.get("undone"):
        answer = act_behind(last, clean(words)) or answer
    if answer["abstained"]:
        output.note(output.comment(answer["reason"]))
        return None
    found: dict[str, Any] = answer["candidates"][0]
    return found


def act_behind(last: conversation.Last, words: str) -> dict[str, Any] | None:
    """What is no edit may be the next thing to do: `mkdir build`, "and go into it" -> `mkdir build && cd build`."""
    question = {"do": "answer", "target": last.target, "text": words, "k": 1}
    question["after"] = {"request": last.request, "command": last.command}
    found = bash.ask(question, with_daemon=settings.load().idle_minutes > 0)
    shape = {"target": last.target, "request": words, "previous": last.command}
    return None if found["abstained"] else {**shape, **found}


def asked_anew(last: conversation.Last, words: str, k: int) -> dict[str, Any] | None:
    """What is no edit may be the end of a longer request: both together are asked, and a sure answer is taken."""
    request = f"{last.request} {words}"
    question = {"do": "answer", "target": last.target, "text": request, "k": k}
    found = bash.ask(question, with_daemon=settings.load().idle_minutes > 0)
    rows = [one for one in found["candidates"] if one["text"] != last.command and one["score"] >= SURE]
    if found["abstained"] or not rows or rows[0] is not found["candidates"][0]:
        return None
    rows = [{**one, "why": [f'asked anew as "{request}"', *one["why"]]} for one in rows]
    shape = {"target": last.target, "request": words, "previous": last.command}
    return {**shape, "candidates": rows, "abstained": False}


def follow_up(last: conversation.Last, words: str, k: int) -> dict[str, Any]:
    """The edited commands in the shape of an answer; `reason` says in one line why there are none."""
    found = proposals.target_named(last.target).follow(last.command, words, last.before)
    more = {"undone": True} if found.undone else {}
    return proposals.shape(last.target, words, found.candidates[:k], previous=last.command, reason=found.reason, **more)
