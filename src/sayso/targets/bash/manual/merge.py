"""A manual page merged into a line of the shipped knowledge base: what a person wrote there stays, the page adds.

Only names and types come from the page. Its words are never taken over; glosses are written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping

from sayso.targets.bash.manual.index import flag_of, syntax_of
from sayso.targets.bash.manual.options import Option
from sayso.targets.bash.manual.pages import Page

Row = dict[str, object]
# What the extractor takes for a flag and is none: examples, placeholders and keys to press.
MISREAD = {
    "curl": {"-NUM", "-all", "-ftps"},
    "less": {"-!", "-+", "-Dx", "-NUM"},
    "lsof": {"-iTCP", "-oo10", "-sTCP"},
    "parallel": {"-1", "-2", "-kN1"},
    "ps": {"-NUM"},
    "rsync": {"--no-OPTION"},
    "zip": {"--longoption", "-Bn", "-Qn", "-ttmmddyyyy", "-xi"},
}


def row_from(page: Page) -> Row:
    """A new line without glosses."""
    row: Row = {"name": page.name, "gloss": "", "syntax": syntax_of(page), "operands": list(page.operands)}
    return row | {"flags": [_written(option) for option in page.options]}


def merged(row: Mapping[str, object], page: Page, inherited: frozenset[str] = frozenset()) -> Row:
    """The line with the flags of the page that it lacks; `inherited` names come from the utility that it is like."""
    flags = [dict(flag) for flag in _flags(row)]
    taken = {name: flag for flag in flags for name in _names(flag)}
    inherited |= MISREAD.get(str(row["name"]), set())
    is_dialect = any("dialects" in flag for flag in flags)
    for option in page.options:
        fresh = [name for name in option.names if name not in taken and name not in inherited]
        known = [taken[name] for name in option.names if name in taken]
        if not fresh or (not known and len(fresh) < len(option.names)):
            continue
        if known and _is_spelling(known[0], option, fresh):
            known[0]["names"] = [*_names(known[0]), *fresh]
            continue
        flag = _written(option) | {"names": fresh}
        if is_dialect:
            flag["dialects"] = ["gnu"]
        flags.append(flag)
        taken |= dict.fromkeys(fresh, flag)
    return {**row, "flags": flags}


def _written(option: Option) -> Row:
    return {key: value for key, value in flag_of(option).items() if key != "gloss"}


def _is_spelling(flag: Mapping[str, object], option: Option, fresh: list[str]) -> bool:
    """Whether new names are the long ones of a known short flag, or the other way round, with the same argument."""
    known = _names(flag)
    longs, short = [name for name in fresh if name.startswith("--")], [name for name in fresh if len(name) == 2]
    complements = len(fresh) == 1 and (
        (bool(longs) and all(len(name) == 2 for name in known))
        or (bool(short) and all(n.startswith("--") for n in known))
    )
    same_argument = bool(flag.get("argument")) == bool(option.types) and bool(flag.get("optional")) == option.optional
    return complements and same_argument and "gnu" in flag.get("dialects", ["gnu"])  # type: ignore[operator]


def _flags(row: Mapping[str, object]) -> list[Mapping[str, object]]:
    flags = row["flags"]
    assert isinstance(flags, list)
    return flags


def _names(flag: Mapping[str, object]) -> list[str]:
    names = flag["names"]
    assert isinstance(names, list)
    return names
