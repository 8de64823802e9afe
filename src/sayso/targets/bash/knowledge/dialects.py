"""Which flags BSD and busybox have, and where the same flag means something else there, from `data/dialects.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from sayso.targets.bash.knowledge.utilities import DIALECTS

DATA = Path(__file__).parents[1] / "data" / "dialects.toml"
# Standard everywhere or understood everywhere, so that no list repeats them.
EVERYWHERE = {"busybox": {"--help", "-NUM"}, "bsd": {"-NUM"}}
Flag = dict[str, object]


@cache
def flags_of(dialect: str) -> Mapping[str, frozenset[str]]:
    """Utility → the names of its flags in a dialect."""
    table = tomllib.loads(DATA.read_text(encoding="utf-8"))[dialect]
    return {name: frozenset(EVERYWHERE[dialect] | _names(text)) for name, text in table.items()}


@cache
def differences() -> Mapping[tuple[str, str], str]:
    """(utility, flag) → what is different elsewhere."""
    table = tomllib.loads(DATA.read_text(encoding="utf-8"))["differs"]
    return {(utility, flag): text for utility, flags in table.items() for flag, text in flags.items()}


def in_dialects(utility: str, flag: Flag) -> Flag:
    """The flag of a line of the knowledge base with the dialects and differences that the tables give it."""
    names = flag["names"]
    assert isinstance(names, list)
    before = flag.get("dialects", list(DIALECTS))
    assert isinstance(before, list)
    kept = [dialect for dialect in DIALECTS if _has(dialect, utility, names, dialect in before, "gnu" in before)]
    result = {key: value for key, value in flag.items() if key not in ("dialects", "differs")}
    if kept and kept != list(DIALECTS):
        result["dialects"] = kept
    texts = [text for name in names if (text := differences().get((utility, name)))]
    return result | ({"differs": texts[0]} if texts else {})


def _has(dialect: str, utility: str, names: list[str], said: bool, is_gnu: bool) -> bool:
    """A list of a dialect goes before what a line says, but for flags that GNU does not have."""
    known = flags_of(dialect).get(utility) if dialect in EVERYWHERE else None
    return said if known is None or (said and not is_gnu) else bool(known & set(names))


def _names(text: str) -> set[str]:
    """`-ab --long -name` -> -a, -b, --long, -name; only the first word stands for several."""
    words = text.split()
    first = words[0] if words else ""
    if first.startswith("-") and not first.startswith("--"):
        return {f"-{letter}" for letter in first[1:]} | set(words[1:])
    return set(words)
