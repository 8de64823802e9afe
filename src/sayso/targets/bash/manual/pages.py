"""A manual page or the answer to `--help` -> what a utility is called, its options with types, and its operands.

Our own extractor behind the knowledge base. It reads sources only; running `--help` is `help.py`'s business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sayso.targets.bash.manual.escapes import BOLD, ROMAN, without_fonts
from sayso.targets.bash.manual.heads import Form, read_head
from sayso.targets.bash.manual.options import Option, make_option, option_types, read_options
from sayso.targets.bash.manual.roff import Block, read_page
from sayso.targets.bash.manual.synopsis import operands_of, synopsis_options

# Sections in which a word with a dash is an example or somebody else's flag.
ELSEWHERE = re.compile(
    r"EXAMPLE|ENVIRONMENT|FILES|SEE ALSO|BUGS|HISTORY|AUTHOR|EXIT|DIAGNOSTIC|COPYRIGHT|STANDARDS|RETURN|NOTES|SYNOPSIS|"
    r"NAME$|SECURITY|CAVEATS|LIMITATIONS|CONFIGURATION FILE|COMPATIBILITY|TUTORIAL|REPORTING|RATIONALE|INTERNALS"
)
GLOSS = 120
MOST_PROSE = 12
BULLET = re.compile(f"[ •○·*{ROMAN}]*{BOLD}-")
Style = Literal["man", "mdoc", "help"]


@dataclass(frozen=True, slots=True)
class Page:
    """What one page says. `name` holds a blank for a sub-command (`git commit`)."""

    name: str
    gloss: str
    operands: tuple[str, ...]
    options: tuple[Option, ...]


def read_manual(source: str, name: str) -> Page:
    """The page of a utility from its roff source; never raises, and a page without options has none."""
    blocks = read_page(source)
    sections = _sections(blocks)
    synopsis = [block for title, part in sections if title.startswith(("SYNOPSIS", "USAGE")) for block in part]
    style: Style = "mdoc" if re.search(r"^\.Dd", source, re.M) else "man"
    heads = [found for title, part in sections if not ELSEWHERE.search(title) for found in _heads(part, style)]
    called = command_name(name, [without_fonts(block.text) for block in synopsis])
    options = _with_synopsis(list(read_options(heads)), called, synopsis)
    return Page(called, _title(sections, name), operands_of(called, synopsis), tuple(options))


def read_help(text: str, name: str) -> Page:
    """The same from what `UTILITY --help` prints."""
    lines = [Block("line", line) for line in text.splitlines()[:5000]]
    usage = [
        Block("text", re.sub(r"^\s*(?:usage|or)\s*:\s*", "", line.text, flags=re.I))
        for line in lines
        if re.match(r"\s*(?:usage|or)\s*:\s*\S", line.text, re.I)
    ]
    options = _with_synopsis(list(read_options(_heads(lines, "help"))), name, usage)
    return Page(name, "", operands_of(name, usage), tuple(options))


def _with_synopsis(options: list[Option], name: str, synopsis: Sequence[Block]) -> list[Option]:
    """The options with what only the synopsis says: further flags, and arguments that the heads leave out."""
    places = {one: at for at, option in enumerate(options) for one in option.names}
    for form in synopsis_options(name, synopsis, set(places)):
        at = places.get(form.name)
        if at is None:
            places[form.name] = len(options)
            options.append(make_option([form], ""))
        elif (
            form.argument
            and not form.optional
            and not options[at].types
            and (form.name.startswith("--") or len(options[at].names) == 1)
        ):
            options[at] = replace(options[at], types=tuple(option_types(form.argument, options[at].gloss)))
    return options


def command_name(page: str, synopsis: Sequence[str]) -> str:
    """git-commit -> "git commit" where the synopsis writes it with a blank."""
    words = re.split(r"[-_]", page)
    for at in range(len(words) - 1, 0, -1):
        for joint in ("-", "_"):
            spoken = f"{joint.join(words[:at])} {' '.join(words[at:])}"
            for tail in (spoken, f"{joint.join(words[:at])} {joint.join(words[at:])}"):
                if any(line.strip().startswith(tail) for line in synopsis):
                    return tail
    return page


def _sections(blocks: Iterable[Block]) -> list[tuple[str, list[Block]]]:
    out: list[tuple[str, list[Block]]] = [("", [])]
    for block in blocks:
        if block.kind == "section":
            out.append((without_fonts(block.text).upper().strip(), []))
        else:
            out[-1][1].append(block)
    return out


def _title(sections: Sequence[tuple[str, Sequence[Block]]], name: str) -> str:
    """What stands behind the dash in NAME."""
    text = next((" ".join(without_fonts(b.text) for b in part) for title, part in sections if title == "NAME"), "")
    first, *rest = re.split(r"\s(?:-+|—|–)\s", text)
    while len(rest) > 1 and name in re.split(r",\s*", rest[0].strip()):  # the names once more
        rest.pop(0)
    return (" - ".join(rest) or first).strip()[:GLOSS]


def _heads(blocks: Sequence[Block], style: Style) -> Iterator[tuple[list[Form], str]]:
    """Heads with the words about them. Tags that follow each other with nothing between share the words."""
    waiting: list[list[Form]] = []
    words: list[str] = []
    before = ""
    for block in blocks:
        found = _head(block, style) if not _is_number(block, before) else ([], "")
        before = without_fonts(block.text) if block.kind == "tag" else before
        if found is None:
            if waiting and block.text.strip():
                words.append(without_fonts(block.text))
            continue
        forms, about = found
        if waiting and words:
            yield from _shared(waiting, " ".join(words))
            waiting, words = [], []
        if forms:
            waiting.append(forms)
            words += [about] * bool(about)
        else:
            waiting, words = [], []
    if waiting:
        yield from _shared(waiting, " ".join(words))


def _shared(waiting: list[list[Form]], words: str) -> Iterator[tuple[list[Form], str]]:
    """`-a` over `--ascii` over one text are two names of one flag; `-1` over `-2` are not."""
    if len(waiting) == 2 and _are_names_of_one(*waiting):
        yield waiting[0] + waiting[1], words
        return
    for forms in waiting:
        yield forms, words


def _are_names_of_one(first: list[Form], second: list[Form]) -> bool:
    one, other = first[0], second[0]
    short_long = len(first) == len(second) == 1 and not one.name.startswith("--") and other.name.startswith("--")
    return short_long and bool(one.argument) == bool(other.argument) and len(one.name) == 2


def _is_number(block: Block, before: str) -> bool:
    """`-n` after `+n`, `-M` after `N-M`: ways to write a number, not flags."""
    plain = without_fonts(block.text)
    return (
        block.kind == "tag"
        and len(plain) == 2
        and re.fullmatch(rf"(\+|\w-){re.escape(plain[1])}-?", before) is not None
    )


def _head(block: Block, style: Style) -> tuple[list[Form], str] | None:
    """The head in a block with the words beside it; no forms where a tag names something else; None for plain text."""
    plain = without_fonts(block.text)
    if block.kind == "tag":
        forms, end = read_head(block.text, is_tag=style != "mdoc")  # in mdoc every argument is marked as one
        if not forms and re.match(r"\W{0,3}\w", plain):
            return [], ""
        return (forms, plain[end:].strip(" .:")) if forms and len(plain[end:].split()) <= MOST_PROSE else None
    if block.kind == "line":
        return _line(block.text, style)
    if BULLET.match(block.text):
        forms, end = read_head(block.text, is_tag=False)
        return (forms, plain[end:].strip()) if forms else None
    return None


def _line(text: str, style: Style) -> tuple[list[Form], str] | None:
    """`  -a, --all   show all`: two blanks or a tab stand between a head and the words about it."""
    found = re.match(r"\s*(\S.*?)(?:(?:\s{2,}|\t)(.*))?$", text.rstrip(), re.S)
    if not found or not without_fonts(found[1]).startswith("-"):
        return None
    forms, end = read_head(found[1])
    about = without_fonts(found[2] or "").strip()
    if not forms or without_fonts(found[1])[end:].strip(" .:,;()[]{}+"):
        return None
    # In a page a line without words beside it is more often an example.
    return (forms, about) if about or style == "help" else None
