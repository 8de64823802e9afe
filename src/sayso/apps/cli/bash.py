"""`sayso bash REQUEST`: ranked one-liners. The hot path: no model is imported unless there is no daemon."""

from __future__ import annotations

import argparse
import os
import sys
import time

from sayso.apps import conversation, settings
from sayso.apps.cli import local_tools, output
from sayso.apps.cli.parser import whole_number
from sayso.apps.daemon import client
from sayso.apps.requests import read_request
from sayso.core.errors import DaemonFailed, SaysoError, UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sayso.apps.cli.choose import Choice

EVEN = 0.5
NOT_STARTED = (126, 127)
"""Exit codes of a shell that found no such program: nothing to offer again."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "request", nargs="*", metavar="REQUEST", help="what you want, in English; - reads it from standard input"
    )
    numbers = whole_number(1, settings.MOST_CANDIDATES)
    parser.add_argument("-k", type=numbers, metavar="N", help="how many candidates (3, or k in config.toml)")
    deeds = parser.add_mutually_exclusive_group()
    deeds.add_argument(
        "--run",
        action="store_true",
        help="run the first candidate here, in your shell, after asking (Enter is No unless it is known to only read)",
    )
    deeds.add_argument(
        "--dry-run",
        action="store_true",
        help="run the first candidate on a copy of your folders; show what would change",
    )
    deeds.add_argument(
        "--fill",
        type=whole_number(1),
        metavar="N",
        help="for key bindings: what to know of the N-th candidate on a line, then the candidate",
    )
    parser.add_argument(
        "--yes",
        action="store_true",
        help="with --run: do not ask where every word is on the list of what only reads; others always ask",
    )
    parser.add_argument("--no-menu", action="store_true", help="in a terminal: print the candidates and stop")
    parser.add_argument(
        "--no-daemon", action="store_true", help="answer in this process; neither ask nor start the daemon"
    )
    parser.add_argument(
        "--index-man", action="store_true", help="read this machine's manual pages for check and explain, and stop"
    )
    parser.epilog = (
        "Each candidate is printed as it can be run, followed by a comment with its risk (reads, writes, destroys) "
        "and the reason. In a terminal a menu follows: run, dry run, edit, then, explain, next, copy, quit. Nothing is "
        "run without a question. When nothing known is close enough, the answer is a comment that says so, and the "
        'exit code is still 0. Examples: `sayso "list the five largest files"`; `sayso --run --yes "how full is the '
        'disk"`; `sayso --dry-run "delete all empty folders"`; `sayso --no-menu -k 1 "who is logged in"`.'
    )


def run(args: argparse.Namespace) -> int:
    if args.index_man:
        from sayso.apps.cli import index_man

        return index_man.run(args.json)
    if args.yes and not args.run:
        raise UserError("--yes is for --run", "leave it out, or add --run")
    chosen = settings.load()
    k = chosen.k if args.k is None else args.k
    start = time.perf_counter()
    tools = local_tools.known()
    text = read_request(args.request)
    question = {"do": "answer", "target": "bash", "text": text, "k": k, "calls": True}
    with_daemon = not args.no_daemon and chosen.idle_minutes > 0
    answer = ask({**question, "tools": local_tools.others(tools)}, with_daemon)
    if local_tools.is_news(answer, tools):
        answer = ask({**question, "tools": local_tools.others(tools)}, with_daemon)
    if chosen.model_url:
        from sayso.apps import model_server

        if said := model_server.proposals(text, answer, chosen, output.note):
            answer = ask({**question, "tools": local_tools.others(tools), "said": said}, with_daemon)
    local_tools.say_absent(answer)
    answered(answer)
    code = show(answer, args, chosen.colour, start)
    # Two words with a doubtful answer are a mistyped command more often than a request.
    slip = answer["abstained"] or (len(args.request) == 2 and answer["candidates"][0]["score"] < EVEN)
    if slip and args.request and args.fill is None:
        note_slip(args.request[0])
    return code


def show(answer: dict[str, Any], args: argparse.Namespace, colour: str, start: float) -> int:
    """Print the answer, or do with it what was asked for; the exit code of what was run."""
    has_first = bool(answer["candidates"]) and not answer["abstained"]
    if args.json:
        answer["seconds"] = round(time.perf_counter() - start, 4)
        return show_json(answer, args, has_first)
    if args.fill is not None:
        return show_nth(answer, args.fill)
    if has_first and args.run:
        return run_first(answer, args.yes, colour)
    if args.run:  # stdout is the command's, and there is none
        print("\n".join(output.answer_lines(answer, output.colours(colour, sys.stderr))), file=sys.stderr)
        return 0
    if has_first and args.dry_run:
        return rehearse_first(answer, colour)
    if not in_terminal():
        print("\n".join(output.answer_lines(answer, output.colours(colour))))
        return 0
    from sayso.apps.cli.choose import Menu, width
    from sayso.apps.cli.marks import terminal_lines

    if "question" in answer and not args.no_menu:
        from sayso.apps.cli import questions

        if not questions.ask(answer):
            return 0
        answered(answer)
    coloured = output.colours(colour)
    print("\n".join(terminal_lines(answer, coloured, width())))
    if args.no_menu:
        return 0
    if has_first:
        return Menu(answer, coloured, taken).ask()
    from sayso.apps.cli import unsure

    return unsure.offer(answer, coloured, taken)


def show_json(answer: dict[str, Any], args: argparse.Namespace, has_first: bool) -> int:
    """The documented shape; what was run or rehearsed is added to it."""
    code = 0
    if has_first and args.run:
        from sayso.apps.cli import running

        if running.asks(answer["candidates"][0], args.yes):
            show_first(answer, "auto", args.yes)
        if running.may_run(answer["candidates"][0], args.yes):
            answer["ran"] = running.run_captured(answer["candidates"][0]["text"])
            code = answer["ran"]["exit_code"]
    elif has_first and args.dry_run:
        from sayso.apps.cli import dry_run

        answer["dry_run"] = dry_run.as_json(dry_run.rehearse(answer["candidates"][0]["text"]))
    output.print_json(answer)
    return code


def show_nth(answer: dict[str, Any], n: int) -> int:
    """A line that says what to know, then the command. Past the last it begins again.

    Where the answer is "I don't know", the first gives no command; asked again, what may fit is given as a guess.
    """
    found = answer["candidates"]
    is_guess = answer["abstained"] or not found
    if is_guess:
        from sayso.apps.cli import unsure

        found, n = unsure.possible(answer), n - 1
        if not found or n == 0:
            print(output.comment(f"sayso: I don't know{nothing_known(answer, bool(found))}"))
            return 0
    place = (n - 1) % len(found)
    one = found[place]
    if output.visible(one["text"]) != one["text"]:
        print("sayso: the candidate holds characters that would not be seen: look at it with --json")
        return 0
    from sayso.apps.cli.marks import confidence

    said = ("a guess" if is_guess else f"{place + 1} of {len(found)}", confidence(one["score"]), output.risk_of(one))
    print(output.comment(f"sayso: {', '.join(filter(None, said))}"))
    print(one["text"])
    return 0


def nothing_known(answer: dict[str, Any], has_guess: bool) -> str:
    """What to say beyond "I don't know": that a guess is one key away, else a request that is known."""
    if has_guess:
        return "; press the key again for a guess"
    near = answer.get("nearest", [])
    return f"; a request that I know: {near[0]}" if near else ""


def show_first(answer: dict[str, Any], colour: str, yes: bool) -> None:
    """The candidate on stderr, since stdout is the command's; a question is never asked without it in sight."""
    from sayso.apps.cli import keyboard, running
    from sayso.apps.cli.choose import width
    from sayso.apps.cli.marks import candidate_lines

    first = answer["candidates"][0]
    hidden = running.asks(first, yes) and keyboard.can_ask() and not keyboard.is_terminal(sys.stderr)
    stream = keyboard.screen() if hidden else sys.stderr
    coloured = output.colours(colour, stream)
    lines = candidate_lines(first, answer["request"], "", coloured, width())
    print("\n".join(lines), file=stream, flush=True)


def run_first(answer: dict[str, Any], yes: bool, colour: str) -> int:
    from sayso.apps.cli import running
    from sayso.apps.cli.choose import Choice

    first = answer["candidates"][0]
    show_first(answer, colour, yes)
    if not running.may_run(first, yes):
        return 0
    code = running.run_in_shell(first["text"])
    taken(Choice(answer["request"], first["text"], first["text"], "run", code))
    return code


def rehearse_first(answer: dict[str, Any], colour: str) -> int:
    from sayso.apps.cli import dry_run

    text = answer["candidates"][0]["text"]
    print("\n".join(dry_run.lines(dry_run.rehearse(text), output.colours(colour))))
    return 0


def in_terminal() -> bool:
    """Whether somebody reads the answer and can press a key; a pipe on either side gets plain text."""
    if sys.stdin is None or not sys.stdin.isatty() or not sys.stdout.isatty():
        return False
    try:  # in the background, a question would stop us
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:
        return False


def answered(answer: dict[str, Any]) -> None:
    """Called with every answer: what a follow-up needs to know is kept. Stands on the hot path."""
    if "question" in answer:
        from sayso.apps.cli import questions

        questions.settle(answer)
    keep_last(answer)


def keep_last(answer: dict[str, Any]) -> None:
    if answer["abstained"] or not answer["candidates"]:
        conversation.forget()
    else:
        first = answer["candidates"][0]["text"]
        conversation.keep(conversation.Last(answer["request"], first, target=answer["target"]))


def taken(choice: Choice) -> None:
    """Called when the user has run or copied a command: what a follow-up changes, and what history keeps where on."""
    from sayso.apps import history_store

    conversation.keep(conversation.Last(choice.request, choice.command))
    if choice.exit_code in NOT_STARTED:
        return
    try:
        history_store.record(choice.request, choice.command, choice.proposed, choice.how)
    except SaysoError as error:  # the command was run all the same
        output.note(f"{error.message} ({error.hint})")


def note_slip(word: str) -> None:
    """`sayso daat list` reads as a request; where that gets no sure answer, a command may have been meant."""
    from sayso.apps.cli.main import near_commands

    if near := near_commands(word, 0.7):
        output.note(f"did you mean {near}?")


def ask(question: dict[str, Any], with_daemon: bool) -> dict[str, Any]:
    """From the background process where it can be had, else from this one."""
    if with_daemon:
        try:
            return client.ask(question, output.note if sys.stderr.isatty() else None)
        except DaemonFailed as error:
            output.note(f"{error.message}; answering without it ({error.hint})")
    from sayso.apps.answering import Answerer
    from sayso.core.silence import keep_numpy_to_one_thread

    keep_numpy_to_one_thread()
    return Answerer(settings.workspace()).reply(question)
