"""What may run without a question: literal words joined by `&&`, `||`, `;` and `|`, of utilities and flags on a list.

The list is `data/unasked.toml`; whatever is not on it asks, and so does everything that the shell would still expand,
redirect, assign or repeat. The label of `risk.py` is a reading aid; `--yes` and Enter go by this list, and a command
must pass both. A pattern (`d/*.txt`) may not begin a word, unless after `--`: it could become a flag.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from sayso.core.errors import BadInstruction
from sayso.targets.bash.effects.effects import DATA
from sayso.targets.bash.effects.risk import DECEIVES, risk_of
from sayso.targets.bash.effects.unasked_programs import is_plain_awk, is_plain_sed
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.quote import has_braces
from sayso.targets.bash.syntax.tree import Chain, Command, Literal, Node, Pipeline, Word

PATTERN = re.compile(r"[*?\[]")
TAR_LETTERS = re.compile(r"-?(?=[^-]*t)(?=[^-]*f$)[tvzjJf]+")
ANY = 10**6


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a utility may be given: flags without and with a value, how many operands, what they may be."""

    flags: frozenset[str]
    values: frozenset[str]
    operands: int
    names: frozenset[str]
    starts: str
    least: int


class Asks(Exception):
    """Why a command must not run by itself."""


@cache
def allowed() -> Mapping[str, Allowed]:
    """By utility; sub-commands of git as "git log"."""
    table = tomllib.loads((DATA / "unasked.toml").read_text(encoding="utf-8"))
    rows = {name: row for name, row in table.items() if name != "git"}
    rows.update({f"git {name}": row for name, row in table["git"].items()})
    return {name: _allowed(rows[_like(row, name)]) for name, row in rows.items()}


def _like(row: Mapping[str, object], name: str) -> str:
    return str(row.get("like", name)).replace(".", " ")


def _allowed(row: Mapping[str, object]) -> Allowed:
    flags, values, names = (frozenset(str(row.get(key, "")).split()) for key in ("flags", "values", "names"))
    most, least = int(str(row.get("operands", ANY))), int(str(row.get("least", 0)))
    return Allowed(flags, values, most, names, str(row.get("starts", "")), least)


def runs_unasked(text: str) -> str:
    """Why a command has to be asked for; "" where it may run without a question. Never raises."""
    if why := not_listed(text):
        return why
    level = risk_of(text).level
    return "" if level == "reads" else f"it is rated {level}"


def not_listed(text: str) -> str:
    """What of a command is not on the list, whatever its label is."""
    if DECEIVES.search(text) or "\n" in text.strip("\n"):
        return "it has more than one line, or hidden characters"
    try:
        script = parse(text)
        if any(separator not in (";", "") for separator in script.separators):
            raise Asks("it goes on in the background")
        for item in script.items:
            for command in _commands(item):
                _check(command)
    except BadInstruction:
        return "it cannot be read"
    except Asks as reason:
        return str(reason)
    return ""


def _commands(node: Node) -> Iterator[Command]:
    if isinstance(node, Command):
        yield node
    elif isinstance(node, (Chain, Pipeline)):
        if not set(node.operators) <= {"&&", "||", "|"}:
            raise Asks("it joins commands by more than && || ; |")
        for item in node.items:
            yield from _commands(item)
    else:
        raise Asks("it has loops, tests, brackets or functions")


def _check(command: Command) -> None:
    if command.redirects:
        raise Asks("it redirects")
    if command.assignments or command.name is None:
        raise Asks("it sets a variable")
    words = command.words
    for word in words:
        if not word.parts or not all(isinstance(part, Literal) for part in word.parts) or word.value is None:
            raise Asks("it has words that are only known when it runs")
        # zsh expands `=ls` and, in brackets behind a pattern, runs what stands there.
        if has_braces(word) or re.search(r"[()]", _bare(word)) or word.text[:1] == "=":
            raise Asks("it has words that are only known when it runs")
    name = command.name.value or ""
    if command.name.text != name or not re.fullmatch(r"[a-z0-9_.-]+", name):
        raise Asks("its name is quoted, or a path")
    if name == "echo":
        return  # whatever its words are, it prints them
    if name == "tar":
        _tar(words[1:])
    elif name == "git":
        _git(words[1:])
    elif name in PROGRAMS:
        _program(name, words[1:])
    elif name not in allowed():
        raise Asks(f"{name} is not on the list")
    elif name == "find":
        _find(words[1:], allowed()[name])
    else:
        _operands(name, allowed()[name], words[1:])


def _operands(name: str, one: Allowed, words: tuple[Word, ...]) -> list[Word]:
    """The words that are no flags; every flag must be on the list, written out in full."""
    found: list[Word] = []
    ended = False
    at = 0
    while at < len(words):
        word = words[at]
        value = word.value or ""
        at += 1
        if not ended and value == "--":
            ended = True
        elif ended or value == "-" or not value.startswith("-"):
            _no_hidden_flag(word, ended)
            found.append(word)
        elif value.startswith("--"):
            flag, equals, _ = value.partition("=")
            # Git does not take the value of every long flag from the next word, which would then be a flag.
            apart = frozenset() if name.startswith("git ") else one.values
            if flag not in (one.values if equals else one.flags | apart):
                raise Asks(f"{name} {flag} is not on the list")
            _no_pattern(word)
            takes = not equals and flag not in one.flags
            at += _value(words[at:]) if takes else 0
        else:
            takes = _letters(name, one, word)
            at += _value(words[at:]) if takes else 0
    if not one.least <= len(found) <= one.operands:
        raise Asks(f"{name} has more operands than it may, or fewer")
    if one.operands < ANY and any(PATTERN.search(_bare(word)) for word in found):
        raise Asks(f"{name} may get more operands than it may")
    if one.names and any((word.value or "") not in one.names for word in found[:1]):
        raise Asks(f"{name} {found[0].text} is not on the list")
    if any(not (word.value or "").startswith(one.starts) for word in found):
        raise Asks(f"{name} {found[0].text} is not on the list")
    return found


def _value(rest: tuple[Word, ...]) -> int:
    """The next word belongs to a flag: it must be one word."""
    for word in rest[:1]:
        _no_pattern(word)
    return 1


def _letters(name: str, one: Allowed, word: Word) -> bool:
    """`-lah`, `-n5`, `-5`: whether the next word is its value."""
    value = word.value or ""
    _no_pattern(word)
    if value in one.flags or ("-#" in one.flags and re.fullmatch(r"-\d+", value)):
        return False
    if value in one.values:
        return True
    for at, letter in enumerate(value[1:], 1):
        flag = f"-{letter}"
        if flag in one.values:
            return at == len(value) - 1 and flag not in one.flags
        if flag not in one.flags and not ("-#" in one.flags and letter.isdigit()):
            raise Asks(f"{name} {flag} is not on the list")
    return False


def _bare(word: Word) -> str:
    return "".join(part.text for part in word.parts if isinstance(part, Literal) and not part.quoted)


def _no_hidden_flag(word: Word, ended: bool) -> None:
    """A pattern that begins a word may become a flag."""
    first = word.parts[0]
    if not ended and isinstance(first, Literal) and not first.quoted and PATTERN.match(first.text):
        raise Asks("it has a pattern that may become a flag: begin it with ./")


def _no_pattern(word: Word) -> None:
    if PATTERN.search(_bare(word)):
        raise Asks("it has a pattern that may become a flag: begin it with ./")


def _find(words: tuple[Word, ...], one: Allowed) -> None:
    at = 0
    while at < len(words):
        value = words[at].value or ""
        at += 1
        if value in one.values:
            at += _value(words[at:])
        elif value.startswith("-") or value in ("!", "(", ")", ","):
            if value not in one.flags:
                raise Asks(f"find {value} is not on the list")
        else:
            _no_hidden_flag(words[at - 1], False)


def _git(words: tuple[Word, ...]) -> None:
    rest = words[1:] if words and words[0].value == "--no-pager" else words
    name = f"git {rest[0].value if rest else ''}"
    if name not in allowed():
        raise Asks(f"{name} is not on the list")
    _operands(name, allowed()[name], rest[1:])


def _tar(words: tuple[Word, ...]) -> None:
    """`tar -tzf a.tgz`; a name with a colon is another machine's, which a program is started to reach."""
    values = [word.value or "" for word in words]
    if len(values) < 2 or not TAR_LETTERS.fullmatch(values[0]) or values[0].count("f") != 1:
        raise Asks("tar is not on the list but for tar -tf")
    if any(value.startswith("-") for value in values[1:]) or ":" in values[1]:
        raise Asks("tar is not on the list but for tar -tf")
    for word in words[1:]:
        _no_hidden_flag(word, False)
        _no_pattern(word)


def _program(name: str, words: tuple[Word, ...]) -> None:
    """sed and awk: their flags, then a program of which every part is known, then files."""
    found = _operands(name, allowed()[name], words)
    if not found or not PROGRAMS[name](found[0].value or ""):
        raise Asks(f"{name} has a program that does more than print")
    _no_pattern(found[0])


PROGRAMS = {"sed": is_plain_sed, "awk": is_plain_awk}
