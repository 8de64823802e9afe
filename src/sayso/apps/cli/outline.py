"""What can be typed after `sayso`, read from the parsers themselves: for completion and the manual page."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from sayso.apps.cli import main
from sayso.apps.cli.names import ASKED, QUICK, key_of


@dataclass(frozen=True)
class Option:
    """A flag with all its spellings; `values` are the words that may follow it, where those are known.

    `asked` is the key of those that are looked up when they are wanted.
    """

    flags: tuple[str, ...]
    takes_value: bool
    values: tuple[str, ...]
    asked: str
    action: argparse.Action


@dataclass(frozen=True)
class Place:
    """A command, or one of its actions: what may stand behind these words."""

    words: tuple[str, ...]
    summary: str
    options: tuple[Option, ...]
    positionals: tuple[argparse.Action, ...]
    actions: tuple[tuple[str, str], ...]
    """(name, summary) of what may follow as a word of its own,"""
    values: tuple[str, ...]
    """and the words that its own arguments may be, where those are known,"""
    asked: str
    """or the key by which they are looked up."""
    epilog: str


def places() -> Iterator[Place]:
    """Every command and every action of it, in the order of `sayso --help`."""
    for name, summary in main.COMMANDS.items():
        yield from below((name,), summary, main.make_parser(name)[1])


def below(words: tuple[str, ...], summary: str, parser: argparse.ArgumentParser) -> Iterator[Place]:
    shown = [one for one in parser._actions if one.help != argparse.SUPPRESS]
    groups = [one for one in shown if isinstance(one, argparse._SubParsersAction)]
    named = {one.dest: one.help or "" for group in groups for one in group._choices_actions}
    inner = [(name, named.get(name, ""), one) for group in groups for name, one in group.choices.items()]
    positionals = tuple(one for one in shown if not one.option_strings and one not in groups)
    yield Place(
        words,
        summary,
        tuple(
            Option(tuple(one.option_strings), one.nargs != 0, values(words, one), asked(words, one), one)
            for one in shown
            if one.option_strings
        ),
        positionals,
        tuple((name, said) for name, said, _ in inner),
        tuple(value for one in positionals for value in values(words, one)),
        next((key for one in positionals if (key := asked(words, one))), ""),
        parser.epilog or "",
    )
    for name, said, one in inner:
        yield from below((*words, name), said, one)


def values(words: tuple[str, ...], action: argparse.Action) -> tuple[str, ...]:
    """What an argument may be, where that is known at once."""
    if action.choices:
        return tuple(map(str, action.choices))
    key = key_of(words, action)
    return tuple(QUICK[key]()) if key in QUICK else ()


def asked(words: tuple[str, ...], action: argparse.Action) -> str:
    key = key_of(words, action)
    return key if key in ASKED else ""
