"""A manual page or the answer to `--help` -> what a utility is called, its options with types, and its operands.

Our own extractor behind the knowledge base. It reads sources only; running `--help` is `_help.py`'s business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sayso.targets.bash._escapes import BOLD, ROMAN, without_fonts
from sayso.targets.bash._heads import Form, read_head
from sayso.targets.bash._placeholder import argument_type
from sayso.targets.bash._roff import Block, read_page
from sayso.targets.bash._synopsis import operands_of, synopsis_options

# Sections in which a word with a dash is an example or somebody else's flag.
ELSEWHERE = re.compile(
    r"EXAMPLE|ENVIRONMENT|FILES|SEE ALSO|BUGS|HISTORY|AUTHOR|EXIT|DIAGNOSTIC|COPYRIGHT|STANDARDS|RETURN|NOTES|SYNOPSIS|"
    r"NAME$|SECURITY|CAVEATS|LIMITATIONS|CONFIGURATION FILE|COMPATIBILITY|TUTORIAL|REPORTING|RATIONALE|INTERNALS"
)
REPEATED = re.compile(
    r"more than once|(?:multiple|several|many) times|be repeated|repeat(?:ed|ing)? this option",
    re.I,
)
SENTENCE = re.compile(r"(.{6,}?[^.](?:\.(?=\s+[A-Z]|\s*$)|;\s))", re.S)
GLOSS = 120
MOST_PROSE = 12
BULLET = re.compile(f"[ •○·*{ROMAN}]*{BOLD}-")
Style = Literal["man", "mdoc", "help"]


@dataclass(frozen=True, slots=True)
class Option:
    """One option: `types` are ours, one for each argument; `same` is a short name that does the same without one."""

    names: tuple[str, ...]
    types: tuple[str, ...] = ()
    optional: bool = False
    repeated: bool = False
    same: str = ""
    gloss: str = ""


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
    options = _with_synopsis(list(_options(heads)), called, synopsis)
    return Page(called, _title(sections, name), operands_of(called, synopsis), tuple(options))


def read_help(text: str, name: str) -> Page:
    """The same from what `UTILITY --help` prints."""
    lines = [Block("line", line) for line in text.splitlines()[:5000]]
    usage = [
        Block("text", re.sub(r"^\s*(?:usage|or)\s*:\s*", "", line.text, flags=re.I))
        for line in lines
        if re.match(r"\s*(?:usage|or)\s*:\s*\S", line.text, re.I)
    ]
    options = _with_synopsis(list(_options(_heads(lines, "help"))), name, usage)
    return Page(name, "", operands_of(name, usage), tuple(options))


def _with_synopsis(options: list[Option], name: str, synopsis: Sequence[Block]) -> list[Option]:
    """The options with what only the synopsis says: further flags, and arguments that the heads leave out."""
    places = {one: at for at, option in enumerate(options) for one in option.names}
    for form in synopsis_options(name, synopsis, set(places)):
        at = places.get(form.name)
        if at is None:
            places[form.name] = len(options)
            options.append(_option([form], ""))
        elif (
            form.argument
            and not form.optional
            and not options[at].types
            and (form.name.startswith("--") or len(options[at].names) == 1)
        ):
            options[at] = replace(options[at], types=tuple(_types(form.argument, options[at].gloss)))
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


# --- heads -----------------------------------------------------------------------------------------------------------


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


# --- options ---------------------------------------------------------------------------------------------------------


def _options(heads: Iterable[tuple[list[Form], str]]) -> Iterator[Option]:
    """Each name once; the first head that has it counts, and a second one may show an argument as optional."""
    heads = list(heads)
    named = {form.name for forms, _ in heads for form in forms if form.argument[:1].isupper()}
    places: dict[str, int] = {}
    out: list[Option] = []
    for forms, words in heads:
        for group in _groups(_without_values(_levels(forms), named)):
            option = _option(group, words)
            fresh = tuple(name for name in option.names if name not in places)
            if fresh:
                places |= dict.fromkeys(fresh, len(out))
                out.append(replace(option, names=fresh))
            elif option.types and len(option.names) == 1 and option.names[0].startswith("--"):
                at = places[option.names[0]]
                if not out[at].types and len(out[at].names) == 1:  # --time, then --time=WORD
                    out[at] = replace(out[at], types=option.types, optional=True)
    return iter(_linked(out))


def _levels(forms: list[Form]) -> list[Form]:
    """gzip's `-#` and bzip2's `-1 to -9` stand for nine flags; curl's `-#`, beside --progress-bar, is a name."""
    names = {form.name for form in forms}
    if "-#" not in names and not {"-1", "-9"} <= names:
        return forms
    if any(form.name.startswith("--") and form.name not in ("--fast", "--best") for form in forms):
        return forms
    return [*(Form(f"-{n}") for n in range(1, 10)), *(form for form in forms if form.name != "-#")]


def _without_values(forms: list[Form], named: set[str]) -> list[Form]:
    """`-p, --indicator-style=slash` -> -p, where another head writes --indicator-style=WORD: slash is a value.

    `-L directory`, `-Ldirectory` -> -L; `--check, --check=quiet` -> --check with an optional argument.
    """
    shown = {form.name for form in forms if form.argument}
    bare = {form.name for form in forms if not form.argument}
    glued = {form.name + form.argument for form in forms if form.argument}
    kept = [
        replace(form, optional=True) if form.name in bare else form
        for form in forms
        if not (form.argument[:1].islower() and form.name in named)
        and not (not form.argument and (form.name in shown or form.name in glued))
    ]
    twice = [form for form in kept if form.argument[:1].islower() and form.name.startswith("--")]
    if len({form.name for form in twice}) == 1 and len({form.argument for form in twice}) > 1:
        # -C, --check=quiet, --check=silent -> -C; but --merge, --merge=diff3, --merge=merge -> --merge[=…]
        kept = [form for form in kept if form not in twice] + (twice[:1] if twice[0].optional else [])
    return kept or forms


def _groups(forms: list[Form]) -> list[list[Form]]:
    """`-F, --classify[=WHEN]` -> [-F], [--classify[=WHEN]]: an optional argument is only for names that show it.

    A required one is for all: `-n, --lines=NUM` says so once. `-c, -C NUM, --context[=NUM]` are three kinds.
    """
    out: list[list[Form]] = []
    for pair in _pairs(forms):
        names = {form.name for form in pair}
        negated = [form for form in pair if _positive(form.name) in names]
        rest = [form for form in pair if form not in negated]
        plain = [form for form in rest if not form.argument]
        optional = [form for form in rest if form.argument and form.optional]
        required = [form for form in rest if form.argument and not form.optional]
        out += [group for group in ((plain, required, optional) if optional else (rest,)) if group]
        out += [[form] for form in negated]
    return out


def _pairs(forms: list[Form]) -> list[list[Form]]:
    """Names of one flag each. What is no sure synonym stands alone: it does less harm than two flags in one entry.

    `-S, --since=, -U, --until=` are two flags, `-1 … -9` nine, `--ours, --theirs` two; `-s, --quiet, --silent` is one.
    """
    is_long = [form.name.startswith("--") for form in forms]
    if not any(is_long):
        return [[form] for form in forms]
    if all(is_long):
        return _alike(forms)
    starts = [at for at, long in enumerate(is_long) if not long]
    if len(starts) > 1 and starts[0] == 0 and all(at + 1 < len(forms) and is_long[at + 1] for at in starts):
        return [forms[at:end] for at, end in zip(starts, [*starts[1:], len(forms)], strict=True)]
    if len(starts) > 1 and re.fullmatch(r"(?:Ls)+", "".join("L" if long else "s" for long in is_long)):
        return [forms[at : at + 2] for at in range(0, len(forms), 2)]
    shorts_first = starts == list(range(len(starts)))
    digits = [form for form in forms if form.name[1:].isdigit()]
    if len(digits) > 1 or (len(starts) > 1 and not shorts_first):
        return [[form] for form in forms]
    return [forms]


def _alike(forms: list[Form]) -> list[list[Form]]:
    """--color and --colour, --section and --sections are one flag."""
    out: dict[str, list[Form]] = {}
    for form in forms:
        out.setdefault(form.name.replace("colour", "color").rstrip("s"), []).append(form)
    return list(out.values())


def _positive(name: str) -> str:
    """--no-edit -> --edit"""
    return re.sub(r"^(--?)no-?", r"\1", name) if re.match(r"--?no", name) else ""


def _linked(options: list[Option]) -> list[Option]:
    """A long name with an optional argument does the same as the short one before it where none is given."""
    out = list(options)
    for at in range(1, len(out)):
        one, other = out[at - 1], out[at]
        short = next((name for name in one.names if len(name) == 2), "")
        if other.optional and not one.types and short and one.gloss and one.gloss == other.gloss:
            out[at] = replace(other, same=short)
    return out


def _option(forms: Sequence[Form], words: str) -> Option:
    names = tuple(dict.fromkeys(form.name for form in forms))
    shown = next((form for form in forms if form.argument), None)
    argument = shown.argument if shown else ""
    types = tuple(_types(argument, words)) if argument else ()
    repeated = bool(REPEATED.search(words[:600])) or "..." in argument
    optional = bool(shown and all(form.optional for form in forms if form.argument))
    if names == ("-NUM",) and not types:
        types = ("Number",)
    return Option(names, types, optional, repeated, "", _first_sentence(words))


def _types(argument: str, words: str) -> Iterator[str]:
    """One type a word: `file format` -> File, Format; marks such as `;` and `{}` are none."""
    parts = [part for part in re.sub(r"\s*\.\.\.|…", "", argument).split() if re.search(r"\w", part)] or [argument]
    if "|" in argument or "{" in argument or "[" in argument:
        parts = [argument]
    yield from (argument_type(part, words) for part in parts[:3])


def _first_sentence(words: str) -> str:
    text = " ".join(words.split())[:600]
    found = SENTENCE.match(text + " ")
    text = found[1].strip(" ;.") if found else text.rstrip(".")
    return text if len(text) <= GLOSS else text[: GLOSS - 1].rsplit(" ", 1)[0] + "…"
