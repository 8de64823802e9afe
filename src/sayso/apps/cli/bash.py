"""`sayso bash REQUEST`: ranked one-liners. The hot path: no model is imported unless there is no daemon."""

from __future__ import annotations

import argparse
import time

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.cli.parser import whole_number
from sayso.apps.daemon import client
from sayso.apps.requests import read_request
from sayso.core.errors import DaemonFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "request", nargs="*", metavar="REQUEST", help="what you want, in English; - reads it from standard input"
    )
    numbers = whole_number(1, settings.MOST_CANDIDATES)
    parser.add_argument("-k", type=numbers, metavar="N", help="how many candidates (3, or k in config.toml)")
    parser.add_argument(
        "--no-daemon", action="store_true", help="answer in this process; neither ask nor start the daemon"
    )
    parser.add_argument(
        "--index-man", action="store_true", help="read this machine's manual pages for check and explain, and stop"
    )
    parser.epilog = (
        "Each candidate is printed as it can be run, followed by a comment with its risk (reads, writes, destroys) "
        "and the reason. Nothing is ever run. When nothing known is close enough, the answer is a comment that says "
        "so, and the exit code is still 0."
    )


def run(args: argparse.Namespace) -> int:
    if args.index_man:
        from sayso.apps.cli import index_man

        return index_man.run(args.json)
    chosen = settings.load()
    k = chosen.k if args.k is None else args.k
    start = time.perf_counter()
    question = {"do": "answer", "target": "bash", "text": read_request(args.request), "k": k}
    answer = ask(question, with_daemon=not args.no_daemon and chosen.idle_minutes > 0)
    if args.json:
        answer["seconds"] = round(time.perf_counter() - start, 4)
        output.print_json(answer)
    else:
        print("\n".join(output.answer_lines(answer, output.colours(chosen.colour))))
    if answer["abstained"] and args.request:
        note_slip(args.request[0])
    return 0


def note_slip(word: str) -> None:
    """`sayso daat list` reads as a request; where it gets no answer, a command may have been meant."""
    from sayso.apps.cli.main import near_commands

    if near := near_commands(word, 0.7):
        output.note(f"did you mean {near}?")


def ask(question: dict[str, Any], with_daemon: bool) -> dict[str, Any]:
    """From the background process where it can be had, else from this one."""
    if with_daemon:
        try:
            return client.ask(question)
        except DaemonFailed as error:
            output.note(f"{error.message}; answering without it ({error.hint})")
    from sayso.apps.answering import Answerer

    return Answerer(settings.workspace()).reply(question)
