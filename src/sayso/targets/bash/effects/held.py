"""What variables and expansions may hold, as far as a script itself says so, and text that the shell evaluates.

Bash evaluates text as arithmetic or as a name in many places, and runs the substitutions in a subscript on the way:
`x='a[$(f)]'; echo $((x))`. Such text is harmless only where it is known to be a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal as OneOf

from sayso.targets.bash.effects.flags import flag_names
from sayso.targets.bash.syntax.tree import (
    Command,
    Expansion,
    Literal,
    Operand,
    Part,
    Pipeline,
    Script,
    Substitution,
    Word,
)

# Digits; one word that is no flag and no pattern; what may hold blanks but does not begin with a dash; anything that
# the script itself took from a file or a command. What is not held may be anything, too.
Kind = OneOf["number", "plain", "path", "outside"]
Held = dict[str, Kind]
# Held under this name where the script defines functions or runs text: a utility may then be something else.
SHADOWED = "()"

NUMBERS = {
    "#", "?", "$", "!", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "BASHPID", "EPOCHSECONDS", "SRANDOM",
    "OPTIND",
}  # fmt: skip
PLAIN = {"HOME", "USER", "LOGNAME", "HOSTNAME", "HOSTTYPE", "OSTYPE", "MACHTYPE"}
PATHS = {"PWD", "OLDPWD"}
# Utilities that print a number, one word or a path, whatever they are given.
PRINTS: dict[str, Kind] = {
    "nproc": "number", "pwd": "path", "whoami": "plain", "hostname": "plain", "uname": "plain", "arch": "plain",
    "tty": "path", "logname": "plain", "realpath": "path", "which": "path",
}  # fmt: skip
NAMED_BY_TOOLS = {
    ("git", "describe"), ("git", "rev-parse"), ("git", "merge-base"), ("git", "rev-list"), ("git", "symbolic-ref"),
    ("docker", "ps"), ("podman", "ps"),
}  # fmt: skip
QUIET = {
    "-a", "-l", "-n", "-q", "-1", "--all", "--latest", "--quiet", "--short", "--tags", "--abbrev", "--always",
    "--abbrev-ref", "--max-count", "--verify", "--last", "--show-toplevel", "--no-trunc",
}  # fmt: skip
PATTERN = re.compile(r"[*?\[{]")
NUMBER = re.compile(r"-?\d+")
PLAIN_WORD = re.compile(r"[\w./:,@%^][\w./:,@%+^-]*")
NUMBER_FORMAT = re.compile(r"\+(%-?[sNdmHMSjUWVYuwygGkle]|\d)+")
PLAIN_FORMAT = re.compile(r"\+[\w%:./+-]+")
SIZES = re.compile(r"%[sYXZWabBgudhi]")
NAME = re.compile(r"[A-Za-z_]\w*")
# A name, a dollar with what follows it, or a number, in an arithmetic text.
TOKEN = re.compile(r"0[xX][0-9a-fA-F]+|\d+#[0-9A-Za-z@_]*|\d+|\$?[A-Za-z_]\w*|\$[0-9@*#?$!_-]|\$?\{|\S")
ASSIGNS = re.compile(r"\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)")


def kind_of(word: Word, held: Held) -> Kind | None:
    """What a word holds once it is expanded; None for anything."""
    if word.value is not None and all(isinstance(p, Literal) for p in word.parts):
        return literal_kind(word.value)
    kinds = [part_kind(part, held) for part in word.parts]
    if None in kinds:
        return None
    if "outside" in kinds:
        return "outside"
    if all(kind == "number" for kind in kinds):
        return "number"
    return "path" if "path" in kinds else "plain"


def literal_kind(text: str) -> Kind | None:
    if NUMBER.fullmatch(text):
        return "number"
    if PLAIN_WORD.fullmatch(text):
        return "plain"
    # `+cmd` is run by less, and NAME=value set by env.
    return None if text[:1] in ("-", "+", "") or "=" in text else "path"


def part_kind(part: Part, held: Held) -> Kind | None:
    if isinstance(part, Literal):
        return literal_kind(part.text) if part.text else "plain"
    if isinstance(part, Substitution):
        return "path" if part.opener != "$(" else "outside" if SHADOWED in held else printed(part.body)
    text = part.text
    if text.startswith(("$((", "$[", "${#")):
        return "number"
    name = re.fullmatch(r"\$(?:\{(\w+|[#?$!])(?:%%?[^{}]*)?\}|(\w+|[#?$!]))", text)
    return variable(name[1] or name[2], held) if name else None


def variable(name: str, held: Held) -> Kind | None:
    if name in held:
        return held[name]
    return "number" if name in NUMBERS else "plain" if name in PLAIN else "path" if name in PATHS else None


def printed(body: Script) -> Kind:
    """What a substitution gives: `$(date +%s)` is a number, `$(cat f)` comes from outside."""
    last = body.items[0] if len(body.items) == 1 else None
    before: Command | None = None
    if isinstance(last, Pipeline):
        before = last.items[-2] if isinstance(last.items[-2], Command) else None
        last = last.items[-1]
    if not isinstance(last, Command):
        return "outside"
    words = [argument.word for argument in last.arguments if isinstance(argument, Operand)]
    names = {name for _, found in flag_names(last) for name in found}
    literal = all(word.value is not None for word in last.words)
    return _prints(last, words, names, literal) or _field(last, before) or "outside"


def _prints(last: Command, words: list[Word], names: set[str], literal: bool) -> Kind | None:
    """One utility that prints a number or a word, if these words make it so."""
    name = last.utility
    given = words[0].value or "" if words else ""
    if name == "date":
        return "number" if NUMBER_FORMAT.fullmatch(given) else "plain" if PLAIN_FORMAT.fullmatch(given) else None
    if name == "wc" and not words:
        return "number"
    if name == "grep" and "-c" in names and len(words) <= 2 - bool(names & {"-e", "-f"}):
        several = names & {"-r", "-R", "-H"} or any(PATTERN.search(word.text) for word in words[1:])
        return None if several else "number"
    if name == "id" and names & {"-u", "-g"}:
        return "plain" if "-n" in names else "number"
    if name == "stat":
        formats = [flag.values[0].value for flag, found in flag_names(last) if found & {"-c", "-f"} and flag.values]
        return "number" if formats and all(SIZES.fullmatch(one or "") for one in formats) else None
    if name in ("seq", "echo") and literal and words and all(NUMBER.fullmatch(word.value or "") for word in words):
        return "number"
    # Git refuses references that begin with a dash; containers go by digits.
    quiet = {flag for flag in names if flag not in QUIET} == set() and "--" not in [word.value for word in last.words]
    if quiet and literal and (name, given) in NAMED_BY_TOOLS:
        return "plain"
    if name == "getconf" and given in ("_NPROCESSORS_ONLN", "PAGESIZE", "PAGE_SIZE", "LONG_BIT"):
        return "number"
    return PRINTS.get(name) if literal else None


def _field(last: Command, before: Command | None) -> Kind | None:
    """`du -s d | cut -f1`, `wc -l f | awk '{print $1}'`: the first field is the number."""
    if before is None or before.utility not in ("du", "wc") or any("-h" in found for _, found in flag_names(before)):
        return None
    if any(word.value is None or PATTERN.search(word.text) for word in before.words):
        return None
    values = [word.value for word in last.words]
    return "number" if values in (["cut", "-f1"], ["cut", "-f", "1"], ["awk", "{print $1}"]) else None


def evaluates(text: str, held: Held, inner: tuple[Substitution, ...] = ()) -> str:
    """The first part of an arithmetic text that is not known to be a number; "" where all of it is.

    Names that it assigns are numbers afterwards: `i = 0` adds i to `held`.
    """
    if inner and (SHADOWED in held or any(printed(one.body) != "number" for one in inner)):
        return text.strip()
    bare = _without_substitutions(text).replace('"', "").replace("'", "").replace("\\", "")
    assigned: set[str] = set()
    # What is assigned is known behind the next comma, if it is assigned at all.
    pending: set[str] = set()
    certain = not re.search(r"&&|\|\||\?", bare)
    at = 0
    while found := TOKEN.search(bare, at):
        token, at = found[0], found.end()
        if token in ("{", "${"):
            end = bare.find("}", at)
            piece = bare[at : end if end >= 0 else len(bare)]
            at = end + 1 if end >= 0 else len(bare)
            if not piece.startswith("#") and variable(piece, {**held}) != "number":
                return f"${{{piece}}}"
            continue
        name = token.lstrip("$")
        if token == ",":
            assigned |= pending
        if token[0].isdigit() or (token[0] != "$" and not NAME.fullmatch(token)):
            continue
        if token[0] != "$" and ASSIGNS.match(bare, at) and bare[at:].lstrip()[:1] == "=":
            pending |= {name} if certain else set()
        elif name not in assigned and variable(name, held) != "number":
            return token
    assigned |= pending
    held.update(dict.fromkeys(assigned, "number"))
    return ""


def _without_substitutions(text: str) -> str:
    """`$(wc -l < f) + 1` -> `1 + 1`; what stands in them is judged by its tree."""
    out, at = "", 0
    while at < len(text):
        if text.startswith("$(", at) and not text.startswith("$((", at):
            at = closing(text, at + 2, "(", ")")
            out += "1"
        elif text[at] == "`":
            end = text.find("`", at + 1)
            at = end + 1 if end > 0 else len(text)
            out += "1"
        else:
            out += text[at]
            at += 1
    return out


def closing(text: str, at: int, opener: str, closer: str) -> int:
    """Past the bracket that closes the one before `at`."""
    depth = 1
    while at < len(text) and depth:
        depth += (text[at] == opener) - (text[at] == closer)
        at += 2 if text[at] == "\\" else 1
    return at


def evaluated(expansion: Expansion, held: Held) -> Iterator[str]:
    """What an expansion evaluates and is not known to be a number: `$((x))`, `${a[x]}`, `${s:x}`, `${!x}`."""
    yield from _evaluated(expansion.text, held, expansion.inner)


def _evaluated(text: str, held: Held, inner: tuple[Substitution, ...]) -> Iterator[str]:
    if text.startswith("$(("):
        yield from filter(None, [evaluates(text[3:-2], held, inner)])
        return
    if text.startswith("$["):
        yield from filter(None, [evaluates(text[2:-1], held, inner)])
        return
    if not text.startswith("${"):
        return
    body = text[2:-1]
    found = re.match(r"(!?)(#?)([A-Za-z_]\w*|[0-9@*#?$!-])?", body)
    assert found is not None
    indirect, name, rest = found[1], found[3] or "", body[found.end() :]
    lists = rest.startswith(("[@]", "[*]")) or rest in ("@", "*")
    if indirect and not lists and variable(name, held) not in ("number", "plain"):
        yield text
    if rest.startswith("["):
        end = closing(rest, 1, "[", "]")
        subscript, rest = rest[1 : end - 1], rest[end:]
        if subscript not in ("@", "*") and (wrong := evaluates(subscript, dict(held), inner)):
            yield f"[{wrong}]"
    if re.match(r":[^-=+?]", rest) or re.match(r":\s+-", rest):
        if wrong := evaluates(rest[1:].replace(":", " "), dict(held), inner):
            yield wrong
    else:
        yield from nested(rest, held, inner)


def nested(text: str, held: Held, inner: tuple[Substitution, ...] = ()) -> Iterator[str]:
    """The same for expansions inside a text: those of `${x:-…}`, of here-documents."""
    at = 0
    while (at := text.find("$", at)) >= 0:
        if text.startswith("$((", at):
            end = closing(text, at + 2, "(", ")")
        elif text.startswith("${", at):
            end = closing(text, at + 2, "{", "}")
        elif text.startswith("$[", at):
            end = closing(text, at + 2, "[", "]")
        else:
            at += 1
            continue
        if text[at - 1 : at] != "\\":
            yield from _evaluated(text[at:end], held, inner)
        at = end
