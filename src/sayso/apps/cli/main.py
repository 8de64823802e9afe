"""`sayso`: find the command, import only its module, turn every failure into one line and an exit code."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from itertools import takewhile

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from types import ModuleType

# Command → what `sayso --help` says of it. The module of the same name in this folder has `add_arguments` and `run`.
COMMANDS = {
    "bash": 'ranked Bash one-liners for a request in English (also: sayso "REQUEST")',
    "api": "a web API call for mail, calendar or files, with how sure it is",
    "cell": "the next cell of a notebook or a percent script, printed or put in",
    "build": "how a source tree is built, from its own documents; tried in the sandbox where asked",
    "then": 'edit the last answer by what you say next (sayso then "only the newest five")',
    "fix": "what was meant by a command that failed, from its text, exit code and error message",
    "explain": "what each word of a command does, and what it puts at risk",
    "history": "commands that you took, kept on this machine only where you say so: on, off, list, delete",
    "hotkey": "a key for bash, zsh or fish that turns the words on the line into a command",
    "config": "your settings: list, get, set, unset",
    "completion": "lines by which bash, zsh or fish complete what you type after sayso",
    "man": "this manual as a page for `man`",
    "daemon": "the background process that keeps answers fast: status, start, stop",
    "doctor": "what works on this machine, and what to install for the rest",
    "translate": "a file of requests to a file of ranked candidates",
    "eval": "run a system on a task, keep its predictions, score them",
    "score": "score saved predictions, without running a model",
    "results": "your runs beside what a checkout has published: list, publish",
    "report": "tables, paired tests and plots of all systems, ours beside the paper's",
    "table": "one table or figure of a paper, ours beside theirs; --list names them all",
    "stats": "the tables of a corpus, ours beside the paper's, and what was dropped",
    "data": "the corpora: list, get, check; and a task's requests: export",
    "recipes": "the systems that can be trained, with their papers and tables",
    "train": "train one of them here, with resume, curves and a ledger line",
    "encode": "ids and jobs for a machine that has only torch",
    "collect": "what came back from there becomes bundles, predictions and scores",
    "judge": "a local page to judge candidates, describe, phrase or label, blind to the system",
    "construct": "make API requests as Okapi was made: calls, phrasings, quality figures, annotation mistakes",
    "docs": "rewrite the generated pages under docs/reference",
}
# The first command of each part of that list → what stands above it.
PARTS = {
    "bash": "in the terminal",
    "translate": "many requests, and how good the answers are",
    "recipes": "trained systems and data of your own",
    "docs": "for contributors",
}
# Every command takes these, also before its name.
SHARED_FLAGS = ("--json", "--debug")
# Commands that may draw: matplotlib keeps a list of fonts, which belongs into our cache.
DRAWING = ("report", "stats", "train")
# Commands whose names begin requests too → how many words may follow one: `sayso man page of ls` is a request.
MOST_WORDS = {"build": 1, "config": 3, "completion": 1, "man": 0}
# Commands with a file before the options and a request behind them.
INTERMIXED = ("cell",)


def run() -> None:
    """The console script."""
    if sys.stderr is None:  # closed (2>&-): print would take None for stdout
        import os

        sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123
    sys.exit(main(sys.argv[1:]))


def main(argv: Sequence[str]) -> int:
    """The exit code: 0 done, 1 failed run, 2 the user's input, 3 the sandbox or the machine, 130 Ctrl-C."""
    words = list(argv)
    before = words[: words.index("--")] if "--" in words else words
    debug = "--debug" in before
    try:
        if sys.stdout is None:
            from sayso.core.errors import MachineError

            raise MachineError("standard output is closed", "leave out >&-, or send it to a file")
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that cannot show é is no reason to fail
        code = dispatch(words)
        sys.stdout.flush()  # a full disk or a closed pipe shows here, where it is turned into a line
        return code
    except SystemExit as ending:  # argparse, after --help
        return ending.code if isinstance(ending.code, int) else 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        from sayso.apps.cli.failures import silence_stdout

        silence_stdout()
        return 0  # `| head -1` has all that it wanted
    except Exception as error:
        if debug:
            import traceback

            traceback.print_exc()
        from sayso.apps.cli.failures import report

        return report(error)


def dispatch(argv: list[str]) -> int:
    name, rest = find_command(argv)
    if name == "--version":
        from sayso import __version__

        print(f"sayso {__version__}")
        return 0
    if name == "--help":
        print(overview())
        return 0
    module, parser = make_parser(name)
    try:
        args = parser.parse_intermixed_args(rest) if name in INTERMIXED else parser.parse_args(rest)
    except Exception as error:
        # `sayso evl bash/command --split dev`: the option is not what is wrong.
        first = argv[len(shared_flags(argv)) :][:1]
        if first and first[0] not in COMMANDS:
            refuse_near_miss(first[0])
        if name == "bash" and "unrecognized" in str(error) and "did you mean" not in getattr(error, "hint", ""):
            vars(error)["hint"] = "put the request in quotes, or `--` before it; see `sayso bash --help`"
        raise
    if name in DRAWING:
        from sayso.apps.settings import user_folder
        from sayso.core.silence import keep_matplotlib_in

        keep_matplotlib_in(f"{user_folder('cache')}/matplotlib")
    if name == "bash" and not args.index_man:  # the hot path holds nothing that outlives it
        code: int = module.run(args)
        return code
    from sayso.apps.cli.ending import in_order
    from sayso.core.silence import keep_numpy_to_one_thread

    keep_numpy_to_one_thread()
    with in_order():
        code = module.run(args)
    return code


def find_command(argv: list[str]) -> tuple[str, list[str]]:
    """["list files"] -> ("bash", ["list files"]): anything that is no command is a request for Bash."""
    if not argv:
        from sayso.apps.requests import piped

        return ("bash", []) if piped() else ("--help", [])
    if (flags := shared_flags(argv)) and flags != argv:  # `sayso --json explain ls` is `sayso explain --json ls`
        name, rest = find_command(argv[len(flags) :])
        return name, [*flags, *rest]
    first, rest = argv[0], argv[1:]
    if first in ("-h", "--help", "--version"):
        return ("--version" if first == "--version" else "--help"), []
    if first == "help" and len(rest) < 2:  # `sayso help me find large files` is a request
        if not rest:
            return "--help", []
        if rest[0] not in COMMANDS:
            from sayso.core.errors import UnknownName

            raise UnknownName("command", rest[0], COMMANDS)
        return rest[0], ["--help"]
    if first in MOST_WORDS and len([*takewhile(lambda word: not word.startswith("-"), rest)]) > MOST_WORDS[first]:
        return "bash", argv
    if first in COMMANDS:
        return first, rest
    if all(word.startswith("-") and word not in ("-", "--") for word in rest):
        refuse_near_miss(first)
    return "bash", argv


def shared_flags(argv: list[str]) -> list[str]:
    """["--json", "explain", "ls"] -> ["--json"]: those before a command or a request."""
    for count, word in enumerate(argv):
        if word not in SHARED_FLAGS:
            return argv[:count]
    return argv


def refuse_near_miss(word: str) -> None:
    """`sayso recipies` is a slip; `sayso "list files"` and `sayso uptime` are requests."""
    if near := near_commands(word, 0.8):
        from sayso.core.errors import UserError

        raise UserError(f'unknown command "{word}"', f"did you mean {near}? A request: `sayso bash {word} …`")


def near_commands(word: str, likeness: float) -> str:
    """ "explian" -> "`sayso explain`"; "" where no command is as much like it, or where it is one."""
    if word.startswith("-") or not word.isascii() or " " in word or word in COMMANDS:
        return ""
    from difflib import get_close_matches

    return " or ".join(f"`sayso {one}`" for one in get_close_matches(word.lower(), COMMANDS, n=3, cutoff=likeness))


def make_parser(name: str) -> tuple[ModuleType, argparse.ArgumentParser]:
    """The command's module and its parser; `sayso docs` makes the reference from the same ones."""
    import importlib

    from sayso.apps.cli.parser import Parser

    module = importlib.import_module(f"sayso.apps.cli.{name}")
    parser = Parser(prog=f"sayso {name}", description=COMMANDS[name], allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument("--debug", action="store_true", help="show a traceback when something fails")
    module.add_arguments(parser)
    return module, parser


def overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [
        'usage: sayso "REQUEST"     say in English what you want done',
        "       sayso COMMAND …     sayso help COMMAND says more",
    ]
    for name, summary in COMMANDS.items():
        if name in PARTS:
            lines += ["", f"{PARTS[name]}:"]
        lines.append(f"  {name:<{width}}  {summary}")
    return "\n".join(lines)
