"""The heads of a page's options, read as forms -> options: which forms are names of one, their values and gloss."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sayso.targets.bash.manual.heads import Form
from sayso.targets.bash.manual.placeholder import argument_type

REPEATED = re.compile(
    r"more than once|(?:multiple|several|many) times|be repeated|repeat(?:ed|ing)? this option",
    re.I,
)
SENTENCE = re.compile(r"(.{6,}?[^.](?:\.(?=\s+[A-Z]|\s*$)|;\s))", re.S)
GLOSS = 120


@dataclass(frozen=True, slots=True)
class Option:
    """One option: `types` are ours, one for each argument; `same` is a short name that does the same without one."""

    names: tuple[str, ...]
    types: tuple[str, ...] = ()
    optional: bool = False
    repeated: bool = False
    same: str = ""
    gloss: str = ""


def read_options(heads: Iterable[tuple[list[Form], str]]) -> Iterator[Option]:
    """Each name once; the first head that has it counts, and a second one may show an argument as optional."""
    heads = list(heads)
    named = {form.name for forms, _ in heads for form in forms if form.argument[:1].isupper()}
    places: dict[str, int] = {}
    out: list[Option] = []
    for forms, words in heads:
        for group in _groups(_without_values(_levels(forms), named)):
            option = make_option(group, words)
            fresh = tuple(name for name in option.names if name not in places)
            if fresh:
                places |= dict.fromkeys(fresh, len(out))
                out.append(replace(option, names=fresh))
            elif option.types and len(option.names) == 1 and option.names[0].startswith("--"):
                at = places[option.names[0]]
                if not out[at].types and len(out[at].names) == 1:  # --time, then --time=WORD
                    out[at] = replace(out[at], types=option.types, optional=True)
    return iter(linked(out))


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


def linked(options: list[Option]) -> list[Option]:
    """A long name with an optional argument does the same as the short one before it where none is given."""
    out = list(options)
    for at in range(1, len(out)):
        one, other = out[at - 1], out[at]
        short = next((name for name in one.names if len(name) == 2), "")
        if other.optional and not one.types and short and one.gloss and one.gloss == other.gloss:
            out[at] = replace(other, same=short)
    return out


def make_option(forms: Sequence[Form], words: str) -> Option:
    names = tuple(dict.fromkeys(form.name for form in forms))
    shown = next((form for form in forms if form.argument), None)
    argument = shown.argument if shown else ""
    types = tuple(option_types(argument, words)) if argument else ()
    repeated = bool(REPEATED.search(words[:600])) or "..." in argument
    optional = bool(shown and all(form.optional for form in forms if form.argument))
    if names == ("-NUM",) and not types:
        types = ("Number",)
    return Option(names, types, optional, repeated, "", _first_sentence(words))


def option_types(argument: str, words: str) -> Iterator[str]:
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
