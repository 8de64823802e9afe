"""How a script changes what its variables hold, in branches, loops, functions and shells of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sayso.targets.bash.effects.flag_words import PATTERN, may_lead_with_dash, splits
from sayso.targets.bash.effects.held import Held, Kind, kind_of
from sayso.targets.bash.syntax.quote import has_braces
from sayso.targets.bash.syntax.tree import (
    Assignment,
    Command,
    Compound,
    Literal,
    Node,
    Operand,
    Script,
    Word,
    children,
    commands,
)

LOOPS = re.compile(r"\b(?:for|select)\s+(\w+)")
DECLARES = {"declare", "typeset", "local", "export", "readonly"}
NAMES = {"read", "mapfile", "readarray", "unset", "getopts", "wait", "printf"}


def parameters(command: Command, held: Held, found: bool) -> Held:
    """`sh -c '…' _ a "$b"` -> {"1": …, "2": …}; where find runs it, {} is a path."""
    given = [argument.word for argument in command.arguments if isinstance(argument, Operand)]
    inside: Held = {}
    for at, word in enumerate(given):
        if splits(word, held) or word.text.startswith(("*", "?", "[")):
            break
        hold(inside, str(at), "path" if found and word.value == "{}" else kind_of(word, held))
    return inside


def hold(held: Held, name: str, kind: Kind | None) -> None:
    held[name] = kind or "outside"


def assign(held: Held, assignment: Assignment) -> None:
    name = assignment.name.rstrip("+").partition("[")[0]
    value = assignment.value
    if assignment.name != name:  # `a[1]=x`, `x+=y`
        kind = held.get(name) if value is not None and kind_of(value, held) == held.get(name) else None
    elif value is not None and value.text.startswith("("):
        kind = "number" if re.fullmatch(r"\(\s*(\d+\s*)*\)", value.text) else None
    else:
        kind = kind_of(value, held) if value is not None else None
    hold(held, name, kind)


def keep_common(held: Held, others: list[Held]) -> None:
    """After a branch that may have run or not, only what all agree on is known."""
    for name in list(held):
        if any(other.get(name) != held[name] for other in others):
            held[name] = "outside"
    for other in others:
        held.update({name: "outside" for name in other if name not in held})


def forget_loops(held: Held, bodies: Sequence[Script]) -> None:
    """What a turn before this one may have set is only known where every turn keeps its kind."""
    every = [command for body in bodies for command in commands(body)]
    sets = [one for command in every if command.name is None for one in command.assignments]
    names = {one.name.rstrip("+").partition("[")[0] for one in sets}
    kept: Held = {**dict.fromkeys(names, "number"), **held}
    changes = True
    while changes:
        changes = False
        for one in sets:
            name = one.name.rstrip("+").partition("[")[0]
            kind = kind_of(one.value, kept) if one.value is not None else None
            if kind != kept[name] and kept[name] != "outside":
                kept[name] = "outside"
                changes = True
    for command in every:
        if command.utility in NAMES | DECLARES:
            kept.update({word.lead.partition("=")[0]: "outside" for word in command.words[1:]})
    held.update({name: kept[name] for name in held})


def functions(node: Node | Script) -> Iterator[Compound]:
    if isinstance(node, Compound) and node.kind == "function":
        yield node
    for child in children(node):
        yield from functions(child)


def set_in_functions(script: Script) -> Iterator[str]:
    for node in functions(script):
        for body in node.bodies:
            for command in commands(body):
                yield from (one.name.rstrip("+").partition("[")[0] for one in command.assignments)
                if command.utility in NAMES | DECLARES | {"let"}:
                    yield from (re.split(r"\W", word.lead)[0] for word in command.words[1:])
        yield from LOOPS.findall(node.text)


def worst(kinds: list[Kind | None]) -> Kind | None:
    if None in kinds or "outside" in kinds:
        return None
    return next(kind for kind in ("path", "plain", "number") if kind in kinds)


def loop_kind(word: Word, held: Held) -> Kind | None:
    """`{1..9}` counts, `d/*` gives paths; an expansion that is not quoted gives each of its words."""
    if re.fullmatch(r"\{-?\d+\.\.-?\d+(\.\.\d+)?\}", word.text):
        return "number"
    bare = "".join(part.text for part in word.parts if isinstance(part, Literal) and not part.quoted)
    if PATTERN.search(bare):
        return None if may_lead_with_dash(word, held) else "path"
    if has_braces(word):
        return None if word.value is None or re.search(r"(^|[{,])-|\{\W|\.\.\W", word.text) else "path"
    return kind_of(word, held)
