"""Every command of ours that README, docs and the other pages print is one that its own parser takes."""

from __future__ import annotations

import argparse
import re
import runpy
import shlex
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sayso.apps.cli.main import COMMANDS, find_command, make_parser
from sayso.core.errors import UserError

ROOT = Path(__file__).parents[1]
PLACES = ("*.md", "docs/**/*.md", "packages/*/README.md", "src/**/README.md")
# What was once true stays in the changelog; the reference is made from the parsers themselves.
PAGES = sorted({page for place in PLACES for page in ROOT.glob(place)} - {ROOT / "CHANGELOG.md"})
PAGES = [page for page in PAGES if page.parent.name != "reference"]
OURS = re.compile(r"(?:^\s*|\$ |[;&] |do |PYTHONPATH=src )((?:sayso|python -m) .+)")
QUOTED = re.compile(r"`((?:sayso|python -m) [^`]+)`")
# What a page puts in the place of a word that the reader knows -> a word that a parser takes there.
MEANT = {"N": "1", "SPLIT": "dev", "$?": "1", "…": "", "...": "", "FILE…": "FILE", "FILE...": "FILE", "NAME…": "NAME"}
# argparse says it so; a sentence may name a command without all that it needs.
LEFT_OUT = "are required"


class Printed(NamedTuple):
    where: str
    program: str
    words: list[str]
    whole: bool
    """A line of its own, to be typed as it stands."""


def printed_commands(page: Path) -> Iterator[Printed]:
    fenced = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        where = f"{page.relative_to(ROOT)}:{number}"
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            if found := OURS.search(line):
                yield from commands_in(where, found[1], whole=True)
        else:
            for quoted in QUOTED.findall(line.replace("\\|", "|")):
                yield from commands_in(where, quoted, whole=False)


def commands_in(where: str, text: str, whole: bool) -> Iterator[Printed]:
    """ "python -m a && sayso b > c # d" -> "a" and "b", without what the shell takes."""
    if not re.search(r"""['"].*\|.*['"]""", text):
        text = re.sub(r"(?<=\w)(\|[\w/-]+)+", "", text)  # dev|test: either would do
    text = re.sub(r"\[(?=[-A-Za-z'])|(?<=[\w'…])\](?!\w)", "", text)  # [--half test]: what may be left out
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    command: list[str] = []
    for word in [*lexer, ";"]:
        if not set(word) <= set("();<>|&"):
            command.append(word)
            continue
        if command[:1] == ["sayso"]:
            yield Printed(where, "sayso", meant(command[1:]), whole)
        elif command[:2] == ["python", "-m"] and command[2].startswith(("sayso", "benchmarks")):
            yield Printed(where, command[2], meant(command[3:]), whole)
        command = []


def meant(words: list[str]) -> list[str]:
    """["--recipes", "…"] -> ["--recipes", "X"], and ["collect", "…"] -> ["collect"]"""
    given = ["X" if word == "…" and at and words[at - 1].startswith("--") else word for at, word in enumerate(words)]
    return [found for word in given if (found := MEANT.get(word, word))]


FOUND = [one for page in PAGES for one in printed_commands(page)]
SAYSO = [one for one in FOUND if one.program == "sayso"]
MODULES = sorted({one.program for one in FOUND} - {"sayso"})


def wrong_with(parser: argparse.ArgumentParser, words: list[str], whole: bool) -> str:
    """ "" where it is taken. Part of a command need not name all that is required, but no option that is not there."""
    try:
        parser.parse_intermixed_args(words) if parser.prog == "sayso cell" else parser.parse_args(words)
    except (UserError, argparse.ArgumentError) as error:
        if whole or LEFT_OUT not in str(error):
            return str(error)
        known = set(options(parser, words))
        return ", ".join(word for word in words if word.startswith("--") and word.partition("=")[0] not in known)
    except SystemExit as ending:
        return f"ended with {ending.code}"
    return ""


def options(parser: argparse.ArgumentParser, words: list[str]) -> Iterator[str]:
    """Those of the parser, and of the action of it that is named."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for name in set(words) & set(action.choices):
                yield from options(action.choices[name], words)


def test_pages_print_as_many_commands_as_they_did() -> None:
    """The test below would hold of none, too."""
    assert len(SAYSO) > 200 and len(FOUND) - len(SAYSO) > 120


def test_a_command_that_is_none_is_found() -> None:
    def wrong(line: str, whole: bool = True) -> list[str]:
        return [problem for one in commands_in("page:1", line, whole) if (problem := sayso_problem(one))]

    assert wrong("sayso evl bash/command") and wrong("sayso eval --tasks x", whole=False) and wrong("sayso eval")
    assert wrong("cd x && sayso data fetch nl2bash") and wrong("sayso report --split training")
    assert not wrong("sayso eval TASK --split dev|test > x  # why") and not wrong("sayso eval --split dev", whole=False)


def sayso_problem(one: Printed) -> str:
    first = next(iter(one.words), "-")
    if first not in COMMANDS and not first.startswith("-") and " " not in first and not first.isupper():
        return f"{first} is no command, and a request stands in quotes"
    if not one.words:  # `sayso …`
        return ""
    name, rest = find_command(one.words)
    if name.startswith("--"):
        return ""
    return wrong_with(make_parser(name)[1], rest, one.whole)


def test_every_sayso_command_on_a_page_is_taken() -> None:
    wrong = {f"{one.where} sayso {shlex.join(one.words)}": sayso_problem(one) for one in SAYSO}
    assert {command: problem for command, problem in wrong.items() if problem} == {}


@pytest.mark.torch
@pytest.mark.parametrize("module", MODULES)
@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")
def test_every_program_on_a_page_is_there_and_takes_its_words(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run up to where it has read its words, with the parser that it makes itself."""
    found = find_spec(module)
    assert found is not None, f"there is no {module}"
    found = find_spec(f"{module}.__main__") if found.submodule_search_locations else found
    assert found is not None and found.origin is not None
    source = Path(found.origin).read_text()
    assert '__name__ == "__main__"' in source, f"{module} is no program"
    if ".parse_args(" not in source:  # a few take a folder or nothing
        return
    problems: dict[str, str] = {}
    for one in FOUND:
        if one.program != module:
            continue
        told: list[str] = []
        with monkeypatch.context() as patch, pytest.raises(Read):
            patch.setattr(sys, "argv", [module, *one.words])
            patch.setattr(argparse.ArgumentParser, "parse_args", stops_with(told, one))
            runpy.run_module(module, run_name="__main__")
        problems |= {f"{one.where} python -m {module} {shlex.join(one.words)}": problem for problem in told if problem}
    assert problems == {}


class Read(Exception):
    """The words were read, and nothing is to be done."""


def stops_with(told: list[str], one: Printed) -> Any:
    """A `parse_args` that tells what is wrong and goes no further."""
    real = argparse.ArgumentParser.parse_args

    def refuse(parser: argparse.ArgumentParser, message: str) -> None:
        raise UserError(message)

    def parse(parser: argparse.ArgumentParser, words: list[str] | None = None, *_: object) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(argparse.ArgumentParser, "parse_args", real)
            patch.setattr(argparse.ArgumentParser, "error", refuse)
            told.append(wrong_with(parser, list(words if words is not None else one.words), one.whole))
        raise Read

    return parse
