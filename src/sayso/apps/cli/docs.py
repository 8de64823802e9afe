"""`sayso docs`: the pages under docs/reference, made from the parsers, the settings and the error tree themselves."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from sayso.apps import settings
from sayso.apps.cli import main, output
from sayso.core import errors
from sayso.core.errors import UserError
from sayso.core.files import write_atomically

MADE_BY = "<!-- made by `make docs`; do not edit -->"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help="the docs folder of a checkout (./docs)")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 when a page is stale")


def run(args: argparse.Namespace) -> int:
    folder = args.folder or Path("docs")
    if not folder.is_dir():
        raise UserError(f"{folder} is no folder", "run it in a checkout of sayso, or give --folder")
    made = pages()
    stale = [name for name, text in made.items() if read(folder / name) != text]
    if not args.check:
        for name in stale:
            with write_atomically(folder / name) as file:
                file.write(made[name].encode())
    if args.json:
        output.print_json({"stale": stale, "written": [] if args.check else stale})
    else:
        print("\n".join(f"{'stale' if args.check else 'wrote'} {folder / name}" for name in stale) or "up to date")
    return 1 if args.check and stale else 0


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def pages() -> dict[str, str]:
    """Path below docs/ → text. The wheel takes the manual page along, to where `man` finds it."""
    from sayso.apps.cli import man
    from sayso.targets import TARGETS

    return {
        **{name: make() for target in TARGETS.values() for name, make in target.pages.items()},
        "reference/commands.md": "\n".join(commands()) + "\n",
        "reference/settings.md": "\n".join(settings_page()) + "\n",
        "reference/errors.md": "\n".join(errors_page()) + "\n",
        "reference/sayso.1": "\n".join(man.page()) + "\n",
    }


def commands() -> Iterator[str]:
    yield from (MADE_BY, "", "# Commands", "")
    yield "Every command takes `--json` (one JSON object instead of text) and `--debug` (a traceback on failure)."
    yield "Answers go to stdout, everything else to stderr."
    yield from ("", "| command | does |", "| --- | --- |")
    for name, summary in main.COMMANDS.items():
        yield f"| [`sayso {name}`](#sayso-{name}) | {cell(summary)} |"
    for name, summary in main.COMMANDS.items():
        _, parser = main.make_parser(name)
        yield from ("", f"## sayso {name}", "", sentence(summary))
        yield from command(parser)


def command(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Positionals, options, sub-commands. argparse's own layout changes with the Python version; this one does not."""
    groups = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
    rows = [one for one in parser._actions if one not in groups and one.dest not in ("json", "debug", "help")]
    yield from ("", f"    {usage(parser, rows, groups)}")
    shown = [one for one in rows if one.help != argparse.SUPPRESS]
    if shown:
        yield from ("", "| argument | meaning |", "| --- | --- |")
        for row in shown:
            yield f"| `{cell(written(row))}` | {cell(meaning(row))} |"
    if parser.epilog:
        yield from ("", parser.epilog)
    for group in groups:
        summaries = {one.dest: one.help or "" for one in group._choices_actions}
        for name, inner in group.choices.items():
            yield from ("", f"### {parser.prog} {name}")
            if summaries.get(name):
                yield from ("", sentence(summaries[name]))
            yield from command(inner)


def usage(parser: argparse.ArgumentParser, rows: list[argparse.Action], groups: Sequence[argparse.Action]) -> str:
    positionals = [written(one) for one in rows if not one.option_strings]
    options = ["[options]"] if any(one.option_strings for one in rows) else []
    return " ".join([parser.prog, *options, *positionals, *("ACTION …" for _ in groups)])


def written(action: argparse.Action) -> str:
    """`-k N`, `REQUEST …`, `[status|start|stop]`."""
    value = action.metavar if isinstance(action.metavar, str) else None
    if value is None and action.choices:
        value = "|".join(map(str, action.choices))
    if not action.option_strings:
        value = value or action.dest
        many = " …" if action.nargs in ("*", "+") else ""
        return f"[{value}{many}]" if action.nargs in ("*", "?") else f"{value}{many}"
    flags = ", ".join(action.option_strings)
    return flags if action.nargs == 0 else f"{flags} {value or action.dest.upper()}"


def meaning(action: argparse.Action) -> str:
    """The help text with argparse's placeholders filled in, and the default where the text does not say it."""
    text = (action.help or "") % {"default": action.default, "prog": "sayso"} if action.help else ""
    plain = (
        action.default in (None, False, argparse.SUPPRESS)
        or action.default == []
        or "%(default)" in (action.help or "")
    )
    return text if plain or str(action.default) in text else f"{text} (default: {action.default})"


def settings_page() -> Iterator[str]:
    yield from (MADE_BY, "", "# Settings", "")
    yield "Everything has a default. To change one, `sayso config set KEY VALUE`, or write it to `config.toml` in the"
    yield "user's configuration folder (`~/.config/sayso/config.toml` on Linux; `sayso config list` prints the path):"
    yield from ("", "```toml", "k = 5", 'colour = "never"', "```", "")
    yield from ("| key | default | meaning |", "| --- | --- | --- |")
    for key, doc in settings.KEYS.items():
        yield f"| `{key}` | `{toml(getattr(settings.Settings, settings.attribute(key)))}` | {cell(doc)} |"
    yield from ("", "## Environment", "", "| variable | meaning |", "| --- | --- |")
    for name, doc in settings.ENVIRONMENT.items():
        yield f"| `{name}` | {cell(doc)} |"


def errors_page() -> Iterator[str]:
    yield from (MADE_BY, "", "# Errors and exit codes", "")
    yield "A failure is one line on stderr, a blank line, and `hint: …`: what to type next. `--debug` adds a traceback."
    yield from ("", "| exit code | meaning |", "| --- | --- |")
    yield from ('| 0 | done; also when the answer is "I don\'t know" |', "| 1 | a run that failed, or a bug |")
    yield from ("| 2 | what the user gave cannot be used |", "| 3 | the sandbox or the machine |", "| 130 | Ctrl-C |")
    first, _, tree = (errors.__doc__ or "").partition("\n\n")
    yield from ("", first, "", "```", *tree.rstrip().splitlines(), "```")


def toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
