"""The SYNOPSIS of a page: the flags that only it names, and the operands with their types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sayso.targets.bash.manual.escapes import without_fonts
from sayso.targets.bash.manual.heads import Form, names_in_cluster, read_head
from sayso.targets.bash.manual.placeholder import argument_type
from sayso.targets.bash.manual.roff import Block

BRACKET = re.compile(r"\[([^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]|\{([^{}]*)\}")
BARE = re.compile(r"\s([\x01-\x03]?(?:--[A-Za-z]|-[A-Za-z](?![\w-])))")
NOT_OPERANDS = re.compile(r"options?|flags?|switches?|\.\.\.|…|arguments?|long-option|gcloud_wide_flag", re.I)


def usages(name: str, synopsis: Sequence[Block]) -> Iterator[str]:
    """Each way to call the utility, fonts kept, without its name."""
    for block in synopsis:
        plain = without_fonts(block.text)
        start = len(plain) - len(plain.lstrip()) + len(name)
        if plain[:start].endswith(name) and not plain[start : start + 1].strip():
            yield _after(block.text, start)


def _after(text: str, n: int) -> str:
    """The text behind its first n characters, fonts not counted."""
    at = 0
    while n and at < len(text):
        n -= text[at] not in "\x01\x02\x03"
        at += 1
    return text[at:]


def synopsis_options(name: str, synopsis: Sequence[Block], known: set[str]) -> Iterator[Form]:
    """`[-46Aa] [-b address] {-e | -l} --all` -> -4, -6, -A, -a, -b with an argument, -e, -l, --all."""
    for usage in usages(name, synopsis):
        for found in BARE.finditer(BRACKET.sub(lambda group: " " * len(group[0]), usage)):
            forms = read_head(usage[found.start(1) :], is_tag=False)[0]
            yield from (Form(form.name) if form.name in known else form for form in forms)  # an operand may follow it
        for found in BRACKET.finditer(usage):
            inside = (found[1] or found[2] or "").strip()
            plain = without_fonts(inside).strip()
            if not plain.startswith("-"):
                for one in plain.split("|")[1:] if found[2] else ():  # { PATTERN | -e PATTERN | -f FILE }
                    yield from read_head(one.strip(), is_tag=False)[0]
                continue
            cluster = re.match(r"-([A-Za-z0-9@]{2,})(?=$|\[)", plain)
            if cluster and _is_cluster(cluster[1], known):
                yield from (Form(letter) for letter in names_in_cluster(cluster[1]))
                continue
            forms, end = read_head(inside, is_tag=True)
            if not plain[end:].strip(" .…|]"):
                yield from forms


def _is_cluster(letters: str, known: set[str]) -> bool:
    """46AaCf is a cluster, name is a word: letters that are flags, or mixed case, digits or alphabetical order."""
    if f"-{letters}" in known or len(set(letters)) < len(letters):
        return False
    if all(f"-{letter}" in known for letter in letters):
        return True
    mixed = any(c.isupper() for c in letters) and any(c.islower() for c in letters)
    ordered = list(letters.lower()) == sorted(letters.lower())
    return mixed or ordered or any(c.isdigit() for c in letters)


def operands_of(name: str, synopsis: Sequence[Block]) -> tuple[str, ...]:
    """`[OPTION]... SOURCE... DIRECTORY` -> Path…, Directory, from the first way of calling that has any."""
    for usage in usages(name, synopsis):
        found = tuple(_operands(without_fonts(usage)))
        if found:
            return found
    return ()


def _operands(usage: str) -> Iterator[str]:
    for word, optional, repeats in _items(re.sub(r"\s*(?:\.\.\.|…)", "…", usage)):
        name = word.strip("<>[]{} ,").replace("…", "")
        if word.startswith("-"):
            if not optional and not word.startswith("--"):
                return  # a flag outside of brackets: what follows may be its value
            continue
        if not re.search(r"[A-Za-z]", name) or NOT_OPERANDS.fullmatch(name) or len(name.split()) > 2 or "|" in name:
            continue
        kind = argument_type(name)
        yield ("Command" if kind == "Script" else kind) + ("…" if repeats else "?" if optional else "")


def _items(text: str) -> Iterator[tuple[str, bool, bool]]:
    """Words and bracketed groups at the top of a synopsis: text, whether in brackets, whether followed by dots."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        start, depth = at, 0
        while at < len(text) and (depth or not text[at].isspace()):
            depth += {"[": 1, "{": 1, "<": 1, "]": -1, "}": -1, ">": -1}.get(text[at], 0)
            depth = max(depth, 0)
            at += 1
        word = text[start:at]
        in_brackets = word.startswith("[")
        yield (word[1:].rstrip("…").removesuffix("]") if in_brackets else word), in_brackets, "…" in word
