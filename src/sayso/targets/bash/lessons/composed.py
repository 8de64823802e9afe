"""Utilities whose options compose: a request, and behind it what each option adds, in `data/grammar/options.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from sayso.targets.bash.cookbook.fill import fill
from sayso.targets.bash.lessons.families import Draft, Production, joined, production, weighted
from sayso.targets.bash.lessons.values import FOLDER


@dataclass(frozen=True)
class Family:
    """A command with `<options>` in it; options of one group do not meet."""

    request: Production
    options: tuple[Production, ...]
    bare: bool
    """Whether the command makes sense without any option."""


@cache
def families() -> tuple[Family, ...]:
    table = tomllib.loads((FOLDER / "options.toml").read_text(encoding="utf-8"))
    return tuple(family(one) for one in table["family"])


def family(table: Mapping[str, Any]) -> Family:
    options = tuple(production(one, ("say",)) for one in table["option"])
    return Family(production(table, ("say",)), options, table.get("bare", True))


def option_request(draft: Draft) -> tuple[str, str]:
    """A command with some of its options, in the order in which they were said."""
    random = draft.random
    chosen = random.choices(families(), [one.request.weight for one in families()])[0]
    text, known = draft.drawn(random.choice(chosen.request.says["say"]), chosen.request.draws)
    draft.shape.append(chosen.request.run)
    left = list(chosen.options)
    tails: list[str] = []
    flags: list[str] = []
    for _ in range(random.choices((0, 1, 2, 3), (1 if chosen.bare else 0, 5, 3, 1))[0]):
        if not left:
            break
        option = weighted(left, random)
        said, flag = draft.take(option, "say")
        tails.append(said)
        flags.append(flag)
        group = option.fields.get("group", option.run)
        left = [one for one in left if one is not option and one.fields.get("group", one.run) != group]
    command = fill(chosen.request.run, chosen.request.slots, known)
    tail = joined(tails, random.choice((" and ", ", ", " ")))
    command = command.replace("<options>", " ".join(flags)).replace("  ", " ")
    return f"{text} {tail}" if tails else text, command
