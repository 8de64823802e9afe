"""Repairs of what a tool is given: a value that it lists or has a letter for, a program that does not end, a file that
it reads from standard input alone."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from sayso.english.constants import word_set
from sayso.targets.bash.repair.scene import Repair, Scene, near
from sayso.targets.bash.syntax.line_edits import operands
from sayso.targets.bash.syntax.quote import quote, quote_path
from sayso.targets.bash.syntax.tree import Word

LISTED = re.compile(
    r"(?:valid (?:arguments|values|choices|types|formats) are|must be one of|should be one of|expected one of|"
    r"choose from|possible values|available \w+)[: (\[]*(?P<all>(?:[\s,|-]*(?:or )?'?[\w.:+-]+'?)+)",
    re.I,
)
REFUSED = r"(?:invalid|unknown|unrecogni[sz]ed|unsupported|bad|ambiguous|illegal)[\w -]*:? '?(?P<value>[\w.:+-]+)'?"
DATE_WORDS = word_set(
    """
    yesterday today tomorrow now ago next last monday tuesday wednesday thursday friday saturday sunday second seconds
    minute minutes hour hours day days week weeks month months year years january february march april june july august
    september october november december midnight noon
    """
)
MODULES = ("pip", "pytest", "http.server", "json.tool", "unittest.mock")
KINDS = {"file": "f", "files": "f", "dir": "d", "dirs": "d", "directory": "d", "folder": "d", "link": "l"}
KINDS |= {"directories": "d", "folders": "d", "symlink": "l", "symlinks": "l", "links": "l", "socket": "s", "pipe": "p"}


def listed(scene: Scene) -> Iterator[Repair]:
    """`ls --color=alwyas`: the tool says which values there are."""
    said, found = LISTED.search(scene.plain), scene.heard(REFUSED)
    if not said or not found:
        return
    values = {one.strip(".,:-") for one in re.findall(r"[\w.:+-]+", said["all"])} - {"", "or"}
    for word in words_with(scene, found["value"]):
        for at, value in enumerate(near(found["value"], values)):
            yield Repair(
                in_word(scene, word, found["value"], value), f"{value} is what the tool knows", 0.93 - 0.05 * at
            )


def date_word(scene: Scene) -> Iterator[Repair]:
    found = scene.heard(r"invalid date (?:format )?'(?P<date>[^'\n]+)'")
    for word in words_with(scene, found["date"]) if found else ():
        parts = re.split(r"([a-z]+)", (word.value or "").lower())
        mended = [(near(part, DATE_WORDS) or [part])[0] if len(part) > 2 else part for part in parts]
        mended = [part if part in DATE_WORDS else new for part, new in zip(parts, mended, strict=True)]
        if mended != parts:
            yield Repair(scene.replaced(word, quote("".join(mended))), "a day or a time that is spelt so", 0.92)


def module(scene: Scene) -> Iterator[Repair]:
    """`python3 -m venvv`: a module of Python's own, spelt almost so."""
    found = scene.heard(r"No module named '?(?P<name>[\w.]+)'?$")
    for command in scene.named("python", "python3") if found else ():
        for flag, word in zip(command.words, command.words[1:], strict=False):
            if found and flag.value == "-m" and word.value == found["name"]:
                for at, name in enumerate(near(found["name"], {*sys.stdlib_module_names, *MODULES})):
                    yield Repair(
                        scene.replaced(word, name), f"{name}, which is spelt almost like {word.value}", 0.9 - 0.05 * at
                    )


def kind_letter(scene: Scene) -> Iterator[Repair]:
    """`find -type file`: a letter says the kind."""
    for command in scene.named("find"):
        for flag, word in zip(command.words, command.words[1:], strict=False):
            if flag.value in ("-type", "-xtype") and (letter := KINDS.get((word.value or "").lower())):
                yield Repair(scene.replaced(word, letter), f"{flag.value} takes a letter: {letter}", 0.95)


def open_program(scene: Scene) -> Iterator[Repair]:
    """`awk '{print $1' a.txt`: a brace that nothing closes."""
    if not scene.heard(r"missing \}|unexpected (?:newline|end of)|unterminated|[Uu]nmatched \{|expecting"):
        return
    for command in scene.named("awk", "gawk", "mawk", "jq", "sed"):
        for word in command.words[1:]:
            text = word.value or ""
            lacking = text.count("{") - text.count("}")
            if lacking > 0 and re.search(r"[\s$]", text):
                yield Repair(scene.replaced(word, quote(text + "}" * lacking)), "the { is closed", 0.93)


def quoted_too_far(scene: Scene) -> Iterator[Repair]:
    """`sed 's/a/b/ notes.txt'`: the quote takes the file along."""
    if not scene.heard(r"unknown option to 's'|no input files|extra characters after command|unterminated"):
        return
    for command in scene.named("sed", "awk", "gawk", "mawk", "grep", "jq"):
        for word in command.words[1:]:
            program, blank, name = (word.value or "").rpartition(" ")
            if blank and word.text[0] in "'\"" and scene.is_there(name):
                yield Repair(
                    scene.replaced(word, f"{quote(program)} {quote_path(name)}"), f"{name} stands outside", 0.94
                )


def from_input(scene: Scene) -> Iterator[Repair]:
    """`tr a b notes.txt`: tr reads standard input alone."""
    found = scene.heard(r"^tr: extra operand '(?P<name>[^']+)'")
    for command in scene.named("tr") if found else ():
        last = [one.word for one in operands(command)][-1:]
        for word in last:
            if found and word.value == found["name"]:
                yield Repair(scene.replaced(word, f"< {word.text}"), "tr reads what is handed to it", 0.94)


def other_kind(scene: Scene) -> Iterator[Repair]:
    """An archive that is none: what it is must be looked at."""
    if not scene.heard(r"End-of-central-directory|does not look like a tar archive|not in \w+ format|magic number"):
        return
    for command in scene.named("unzip", "tar", "gunzip", "gzip", "bunzip2", "unxz", "xz", "bzip2", "7z"):
        there = [word for word in command.words[1:] if scene.is_there(word.value or "")]
        for word in there[:1]:
            yield Repair(f"file {word.text}", f"shows what {word.value} is: {command.utility} cannot read it", 0.6)


def words_with(scene: Scene, value: str) -> Iterator[Word]:
    """The words that are this value, or have it behind "="."""
    for command in scene.commands:
        for word in command.words[1:]:
            whole = word.value or ""
            if whole == value or whole.partition("=")[2] == value:
                yield word


def in_word(scene: Scene, word: Word, old: str, new: str) -> str:
    at = word.text.rfind(old)
    return scene.replaced(word, word.text[:at] + new + word.text[at + len(old) :])


RULES = (listed, date_word, module, kind_letter, open_program, quoted_too_far, from_input, other_kind)
