"""Families of requests that compose: what `find` finds and what is done with it, and pipelines over lines of a file.

A production has its words and its command with the same slots; a derivation joins the words on one side and the
commands on the other (a synchronous grammar). The productions are in `data/grammar/{find,text}.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Any

from sayso.cookbook.entry import Slot, parse_slot
from sayso.targets.bash.cookbook.fill import SLOT, fill
from sayso.targets.bash.lessons.registers import mark
from sayso.targets.bash.lessons.values import DRAWS, FOLDER, draw

# Types of values that only the grammar draws, and the slot type whose quoting they share.
LIKE = {
    "word": "text",
    "octal": "permission",
    "small": "number",
    "lower": "number",
    "upper": "number",
    "tgz": "tarball",
    "folder": "dir",
    "plain": "name",
    "textfile": "file",
    "days": "timespan",
    "olddate": "date",
    "newdate": "date",
}
COMMANDS = frozenset(("command", "script", "program"))
# These go on from what was said and take no "and".
GOES_ON = (
    "but ",
    "without ",
    "not recursively",
    "only ",
    "except ",
    "excluding ",
    "skipping ",
    "ignoring ",
    "other than ",
)


@dataclass(frozen=True)
class Production:
    """`says` by place in the sentence; `fields` is whatever else its table has."""

    run: str
    slots: Mapping[str, Slot]
    draws: Mapping[str, str]
    says: Mapping[str, tuple[str, ...]]
    weight: int = 1
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Draft:
    """A request in the making: the values said so far, and the shape of its command without them."""

    random: Random
    values: list[str] = field(default_factory=list)
    shape: list[str] = field(default_factory=list)

    def take(self, production: Production, place: str, run: str = "") -> tuple[str, str]:
        """A production said at a place, with marks for its values, and its command."""
        template = run or production.run
        self.shape.append(template)
        say = self.random.choice(production.says[place]) if place else ""
        text, known = self.drawn(say, production.draws)
        return text, fill(template, production.slots, known)

    def drawn(self, say: str, draws: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """The words with marks in their slots, and the value of each slot."""
        known: dict[str, str] = {}
        parts: list[str] = []
        done = 0
        for match in SLOT.finditer(say):
            before, after = say[: match.start()], say[match.end() :]
            said, value = draw(draws[match[1]], self.random, before, after)
            if match[1] in known:
                continue
            known[match[1]] = value
            if draws[match[1]] in COMMANDS:  # what runs decides which flags there are
                self.shape.append(value)
            parts += [say[done : match.start()], mark(len(self.values))]
            self.values.append(said)
            done = match.end()
        return "".join(parts) + say[done:], known


def production(table: Mapping[str, Any], places: Sequence[str]) -> Production:
    draws = {name: kind.removesuffix("?").partition("=")[0] for name, kind in table.get("slots", {}).items()}
    for name, kind in draws.items():
        assert kind in DRAWS, f"{table['run']}: slot {name} has the unknown type {kind}"
    slots = {name: parse_slot(name, LIKE.get(kind, kind)) for name, kind in draws.items()}
    says = {place: tuple(table[place]) for place in places if place in table}
    return Production(table["run"], slots, draws, says, table.get("weight", 1), table)


@cache
def find_tables() -> dict[str, tuple[Production, ...]]:
    table = tomllib.loads((FOLDER / "find.toml").read_text(encoding="utf-8"))
    places = ("say", "before", "after")
    return {name: tuple(production(one, places) for one in table[name]) for name in ("noun", "condition", "action")}


@cache
def text_tables() -> dict[str, tuple[Production, ...]]:
    table = tomllib.loads((FOLDER / "text.toml").read_text(encoding="utf-8"))
    places = ("say", "after", "first", "then")
    names = ("filter", "part", "step", "ending")
    source = {"run": "", "slots": {"file": "textfile"}, **table["source"]}
    return {"source": (production(source, places),)} | {
        name: tuple(production(one, places) for one in table[name]) for name in names
    }


def weighted(choices: Sequence[Production], random: Random) -> Production:
    return random.choices(choices, [one.weight for one in choices])[0]


WHERE = ("in {dir}", "in {dir}", "under {dir}", "below {dir}", "inside {dir}", "within {dir}", "from {dir}")
WHERE_SLOTS, WHERE_DRAWS = {"dir": Slot("dir", "dir")}, {"dir": "dir"}


def find_request(draft: Draft) -> tuple[str, str]:
    """Find something, under conditions, and do something with it."""
    random, tables = draft.random, find_tables()
    action = weighted(tables["action"], random)
    nouns = [one for one in tables["noun"] if one.fields["type"] in action.fields["of"]]
    noun = weighted(nouns, random)
    kind = noun.fields["type"]
    fewest = max(action.fields.get("fewest", 0), kind == "a")
    conditions = choose_conditions(kind, max(fewest, random.choices((0, 1, 2, 3), (1, 5, 4, 1))[0]), random)
    things, bare, found = found_things(draft, noun, conditions)
    run = action.fields.get(f"type_{kind}", action.run)
    said, command = draft.take(action, "say", run)
    return said.replace("<things>", things).replace("<bare>", bare), command.replace("<find>", found)


def choose_conditions(kind: str, count: int, random: Random) -> list[Production]:
    """Conditions that fit the type of file, no two of a kind."""
    chosen: list[Production] = []
    fitting = [one for one in find_tables()["condition"] if kind in one.fields["of"]]
    while len(chosen) < count and fitting:
        one = weighted(fitting, random)
        chosen.append(one)
        fitting = [other for other in fitting if other.fields["kind"] != one.fields["kind"]]
    return chosen


def found_things(draft: Draft, noun: Production, conditions: Sequence[Production]) -> tuple[str, str, str]:
    """(what is found, the same without "all", the find command): adjectives, noun, place, then what follows."""
    random = draft.random
    before: list[str] = []
    after: list[str] = []
    first: list[str] = []
    tests: list[str] = []
    for condition in conditions:
        place = "before" if "before" in condition.says and not before and random.random() < 0.75 else "after"
        place = place if place in condition.says else "before"
        if noun.fields["type"] == "d" and "name" in condition.draws:
            condition = replace(condition, draws={"name": "plain"})  # folders seldom have endings
        said, run = draft.take(condition, place)
        (before if place == "before" else after).append(said)
        (first if condition.fields.get("first") else tests).append(run)
    name, test = draft.take(noun, "say")
    where, folder = "", "."
    if random.random() < 0.72:
        template = random.choice(WHERE)
        where, known = draft.drawn(template, WHERE_DRAWS)
        folder = fill("{dir}", WHERE_SLOTS, known)
    adjectives = " ".join(before)
    plain = name.removeprefix("all the ").removeprefix("all ").replace("every file", "files")
    quantity = name[: -len(plain)] if name.endswith(plain) else ""
    if name == "every file":
        quantity, plain = ("every ", "file") if not after else ("", "files")
    tail = joined(after, random.choice((" and ", " ", ", ")))
    ends = [where, tail] if random.random() < 0.6 else [tail, where]
    bare = " ".join(part for part in (adjectives, plain, *ends) if part)
    command = " ".join(part for part in ("find", folder, *first, test, *tests) if part)
    return quantity + bare, bare.replace("every ", ""), command


def joined(tails: Sequence[str], between: str) -> str:
    """'larger than 1 MB', 'but not in old' -> 'larger than 1 MB but not in old'"""
    text = ""
    for tail in tails:
        text += (" " if tail.startswith(GOES_ON) else between) * bool(text) + tail
    return text


def text_request(draft: Draft) -> tuple[str, str]:
    """Some lines of a file, a part of each, and one to three steps with them."""
    random, tables = draft.random, text_tables()
    source, _ = draft.take(tables["source"][0], "say", "{file}")
    file = draft.values[-1]
    stages: list[str] = []
    lines = source
    for _ in range(random.choices((0, 1, 2), (3, 6, 1))[0]):
        said, run = draft.take(weighted(tables["filter"], random), "after")
        lines += (" and " if stages else " ") + said
        stages.append(run)
    if random.random() < 0.4:
        said, run = draft.take(weighted(tables["part"], random), "say")
        lines = said.replace("<lines>", lines)
        stages.append(run)
    text = lines if stages and random.random() < 0.25 else add_steps(draft, lines, stages)
    if random.random() < 0.15:
        said, run = draft.take(weighted(tables["ending"], random), "say")
        return f"{text} {said}", pipeline(file, stages) + " " + run
    return text, pipeline(file, stages)


def add_steps(draft: Draft, lines: str, stages: list[str]) -> str:
    """The request with one to three steps in an order that makes sense; their commands go to the stages."""
    random = draft.random
    step = weighted(text_tables()["step"], random)
    said, run = draft.take(step, "first")
    text = said.replace("<lines>", lines)
    stages.append(run)
    while random.random() < 0.4 and not step.fields.get("final"):
        after = [
            one for one in text_tables()["step"] if one.fields["order"] > step.fields["order"] and "then" in one.says
        ]
        if not after or "wc" in run:
            break
        step = weighted(after, random)
        said, run = draft.take(step, "then")
        text += f", {said}"
        stages.append(run)
    return text


def pipeline(file: str, stages: Sequence[str]) -> str:
    """The first stage reads the file: `sort x | head`; `tr` reads only its input: `tr a b < x`."""
    first, *rest = stages
    head, bar, more = first.partition(" | ")
    start = f"{head} < {file}" if head.startswith("tr ") else f"{head} {file}"
    return " | ".join([start + bar + more, *rest])
