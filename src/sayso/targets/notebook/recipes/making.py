"""Templates from asked cells: what request and cell both speak of becomes a slot.

A name of a table or column in the cell is a slot wherever it stands; whether the request says it, and where, is noted
for each phrasing. A number, a text, a file or a new name is a slot only where the request says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sayso.targets.notebook.recipes import order
from sayso.targets.notebook.recipes.known import Known, from_names
from sayso.targets.notebook.recipes.reading import Mention, Token, spoken_of, tokens_of
from sayso.targets.notebook.recipes.template import Item, Part, Slot, Template
from sayso.targets.notebook.review.names import names_of

LEXEME = re.compile(
    r"(?P<string>[rbfuRBFU]{0,2}(?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'))"
    r"|(?P<comment>#[^\n]*)|(?P<name>[^\W\d]\w*)|(?P<number>\d+(?:\.\d+)?)|(?P<sign>[<>]=?)|(?P<other>\s+|.)"
)
IMPORT = re.compile(r"^(?:import|from) .*$", re.M)
BRACES = re.compile(r"\{[^{}]*\}")
FILE = re.compile(r"[\w-]+\.\w{2,7}")
SAID = """
    abs add agg all any append apply args array astype axis bar bins box by clip code col color columns concat copy corr
    count cumsum data date datetime day dayofweek days describe df diff drop dtype dtypes end explode figure figsize
    fillna filter first fit float format freq function get group groupby head hist hour idx idxmax idxmin index info
    insert int isin isna items iterrows join json key keys kind label labels last left len level line list loc lower map
    mask max mean median melt merge min minute mode model month name names ndim new nlargest np nunique on outer pandas
    path pct_change pd percent period pie pivot plot plt pop predict price_range print product quantile query random
    range rank read rename replace resample result right rolling round row rows sample scatter score second select set
    shape share shift show side size sns sort split std start stack step str strip style subplots sum tail text time
    title to top transform type unique unit update upper value values var week weekday where width window x xlabel y
    year ylabel zip true false none and or not in is if for the of a an each per no id
    """
TAKEN = frozenset(SAID.split())
"""Words that code says of anything."""
FAMILIES = {
    "summary": "mean sum max min median std var count nunique first last cumsum cummax",
    "place": "idxmax idxmin argmax argmin",
    "extreme": "nlargest nsmallest",
    "end": "head tail",
    "sign": "> < >= <=",
    "plot": "bar barh line hist pie box area",
    order.FAMILY: "True False",
    "part": "year month day hour minute weekday dayofweek date quarter",
    "period": "D W M Y Q h",
    "step": "ME MS YE QE",
    "letters": "upper lower title capitalize strip",
}
PERIODS = dict(zip(["M", "Y", "Q"], ["ME", "YE", "QE"], strict=True))
"""How `resample` writes what `to_period` has in one letter."""
FAMILY_OF = {word: family for family, words in FAMILIES.items() for word in words.split()}
"""Of what a cell does, words that stand for each other: a request for the median is answered by a cell of the mean."""


def import_lines(codes: Iterable[str]) -> dict[str, str]:
    """np -> import numpy as np"""
    found: dict[str, str] = {}
    for line in (line.strip() for code in codes for line in IMPORT.findall(code)):
        head, _, names = line.rpartition("import ")
        for one in names.split(","):
            name, _, other = one.strip().partition(" as ")
            if re.fullmatch(r"[\w.]+", name):
                found[other.strip() or name.partition(".")[0]] = f"{head}import {one.strip()}"
    return found


@dataclass
class Maker:
    """Goes through one cell; slots are numbered as they come."""

    known: Known
    tokens: Sequence[Sequence[Token]]
    own: frozenset[str] = frozenset()
    """Names that the cell itself gives."""
    keys: dict[tuple[str, str], int] = field(default_factory=dict)
    slots: list[Slot] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)

    def slot(self, type: str, name: str, kind: str = "", table: int = -1, default: str = "") -> int:
        if (type, name) not in self.keys:
            self.keys[type, name] = len(self.slots)
            self.slots.append(Slot(type, kind, table, default))
        return self.keys[type, name]

    def add(self, part: Part) -> None:
        if isinstance(part, str) and self.parts and isinstance(self.parts[-1], str):
            self.parts[-1] += part
        else:
            self.parts.append(part)

    def read(self, code: str) -> None:
        tables = [name for name in self.known.tables if re.search(rf"(?<![\w.\"']){name}(?!\w)", code)]
        held = {
            column: (table, kind) for table in reversed(tables) for column, kind in self.known.tables[table].items()
        }
        before = ""
        for found in LEXEME.finditer(code):
            text, lexeme = found[0], found.lastgroup
            after = code[found.end() : found.end() + 2].lstrip()[:1]
            if lexeme == "string":
                self.string(text, held)
            elif lexeme == "name":
                self.name(text, before, after, held)
            elif lexeme == "number":
                self.number(text)
            elif lexeme == "sign":
                self.deed(text, "n")
            elif lexeme != "comment":
                self.add(text)
            before = text if text.strip() else before

    def is_deed(self, method: str) -> bool:
        family = FAMILY_OF.get(method, "step")
        if family == "letters":
            return str(self.parts[-1]).endswith("str.")
        return family not in ("step", "period", order.FAMILY)

    def deed(self, text: str, form: str) -> None:
        self.add((self.slot("deed", text, FAMILY_OF[text], default=text), form))

    def direction(self, text: str, before: str) -> bool:
        """Which way a sort goes: `reverse=True` is the other way of `ascending=True`."""
        if text not in order.FLIPPED or not before.endswith((order.ASCENDING, order.REVERSE)):
            return False
        if before.endswith(order.REVERSE):
            self.deed(order.FLIPPED[text], "r")
        else:
            self.deed(text, "n")
        return True

    def period(self, value: str, form: str, before: str) -> None:
        """Days, weeks, months: of two methods that write them otherwise, two families."""
        if before.endswith("to_period("):
            self.add((self.slot("deed", value, "period", default=value), form))
        elif before.endswith(("resample(", "freq=")):
            self.add((self.slot("deed", value, "step", default=PERIODS.get(value, value)), form))
        else:
            self.add(f'"{value}"')

    def name(self, text: str, before: str, after: str, held: Mapping[str, tuple[str, str]]) -> None:
        is_keyword = after == "=" and before in ("(", ",")
        if before == ".":
            if text in held and text not in TAKEN and after != "(":
                assert isinstance(self.parts[-1], str)
                self.parts[-1] = self.parts[-1].removesuffix(".")
                self.add((self.column(text, held), "a"))
            elif self.is_deed(text):
                self.deed(text, "n")
            else:
                self.add(text)
        elif is_keyword:
            self.add(text)
        elif self.parts and self.direction(text, str(self.parts[-1])):
            pass
        elif text in self.known.tables:
            self.add((self.slot("table", text), "i"))
        elif self.known.names.get(text, "module") not in ("module", "class", "type", "ABCMeta"):
            self.add((self.slot("name", text, self.known.names[text]), "i"))
        elif ("new", text) in self.keys or (text not in self.known.names and self.says_new(text)):
            self.add((self.slot("new", text), "i"))
        elif text in self.own:
            self.add((self.slot("own", text, default=text), "i"))
        else:
            self.add(text)

    def column(self, name: str, held: Mapping[str, tuple[str, str]]) -> int:
        table, kind = held[name]
        return self.slot("column", name, kind, self.slot("table", table))

    def string(self, text: str, held: Mapping[str, tuple[str, str]]) -> None:
        mark = text.lstrip("rbfuRBFU")[:1]
        prefix = text[: text.index(mark)]
        if text.lstrip("rbfuRBFU")[:3] in ('"""', "'''"):
            self.add(text)
            return
        value, form = text[len(prefix) + 1 : -1], "q" if mark == '"' else "s"
        if "f" in prefix.lower():
            self.formatted(text)
        elif prefix or "\\" in value:
            self.add(text)
        elif value in held:
            self.add((self.column(value, held), form))
        elif value in FAMILY_OF and FAMILY_OF[value] in ("summary", "plot"):
            self.deed(value, form)
        elif value in FAMILY_OF and FAMILY_OF[value] in ("period", "step") and self.parts:
            self.period(value, form, str(self.parts[-1]))
        elif FILE.fullmatch(value) and any(token.value == value for some in self.tokens for token in some):
            self.add((self.slot("file", value), form))
        elif value and self.says(value):
            is_new = value.isidentifier() and value.islower() and "_" in value
            self.add((self.slot("new" if is_new else "text", value), form))
        else:
            self.within(text, held)

    def within(self, text: str, held: Mapping[str, tuple[str, str]]) -> None:
        """Titles and queries that say columns by their very names."""
        names = sorted((one for one in held if one.lower() not in TAKEN and len(one) > 1), key=len, reverse=True)
        if not names:
            self.add(text)
            return
        form = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
        done = 0
        for found in form.finditer(text):
            self.add(text[done : found.start()])
            self.add((self.column(found[0], held), "w"))
            done = found.end()
        self.add(text[done:])

    def formatted(self, text: str) -> None:
        done = 0
        for found in BRACES.finditer(text):
            self.add(text[done : found.start()])
            self.read(found[0])
            done = found.end()
        self.add(text[done:])

    def number(self, text: str) -> None:
        for some in self.tokens:
            said = [token for token in some if token.kind == "number"]
            if sum(token.value == text for token in said) == 1 and len(text) < 12:
                self.add((self.slot("number", text), "n"))
                return
            if any(token.is_percent and f"{float(token.value) / 100:g}" == text for token in said):
                self.add((self.slot("number", f"{float(text) * 100:g}"), "p"))
                return
        self.add(text)

    def says(self, value: str) -> bool:
        return any(places_of(value, some) for some in self.tokens)

    def says_new(self, name: str) -> bool:
        """Whether the very name stands in the request: call it rides_by_day."""
        return len(name) > 3 and "_" in name and any(token.text == name for some in self.tokens for token in some)


def places_of(value: str, tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Where the words of a text stand in a request, in their order."""
    words = [one.text for one in tokens_of(value)] if len(value) < 60 else []
    lower = [word.lower() for word in words]
    found = [(at, at) for at, token in enumerate(tokens) if token.kind == "text" and token.value == value]
    if found or not words or (len(value) == 1 and not value.isupper()):
        return found
    texts = [token.text.lower() for token in tokens]
    for at in range(len(texts) - len(lower) + 1):
        same = texts[at : at + len(lower)] == lower or (len(lower) == 1 and texts[at] == lower[0] + "s")
        if same and tokens[at].kind in ("word", "file"):
            found.append((at, at + len(lower) - 1))
    return found


def template_of(
    names: Iterable[str], above: Sequence[str], phrasings: Sequence[str], code: str, group: str
) -> Template:
    known = from_names(names)
    tokens = [tokens_of(one) for one in phrasings]
    bound = names_of(code)
    own = frozenset(bound.given) - known.tables.keys() - known.names.keys() if bound else frozenset()
    lines = import_lines([code])
    maker = Maker(known, tokens, own - lines.keys())
    maker.read(order.in_full(code.strip("\n")))
    by_slot = {slot: key for key, slot in maker.keys.items()}
    spoken = [phrasing(some, by_slot, maker.slots) for some in tokens]
    lines = import_lines([*above, code])
    text = "".join(part for part in maker.parts if isinstance(part, str))
    needed = {word for word in re.findall(r"(?<![\w.])[^\W\d]\w*", text) if word in lines}
    imports = {name: lines[name] for name in sorted(needed) if name not in import_lines([code])}
    return Template(tuple(maker.parts), tuple(maker.slots), tuple(spoken), imports, group)


def phrasing(
    tokens: Sequence[Token], by_slot: Mapping[int, tuple[str, str]], slots: Sequence[Slot]
) -> tuple[Item, ...]:
    """Stems, and slots where they are said; the surest mention takes its place first."""
    found = sorted(
        said_slots(tokens, by_slot), key=lambda one: (-one[1].sure, one[1].first - one[1].last, one[1].first)
    )
    taken: dict[int, int] = {}
    for slot, mention in found:
        places = range(mention.first, mention.last + 1)
        again = slots[slot].type in ("column", "table") and slot in taken.values()
        if not any(at in taken for at in places) and not again:
            if mention.sure < 0.95 and mention.last > mention.first + 3:
                continue
            taken |= dict.fromkeys(places, slot)
    items: list[Item] = []
    for at, token in enumerate(tokens):
        slot_here = taken.get(at)
        if slot_here is None:
            items.append(token.stem)
        elif slot_here not in items:
            items.append(slot_here)
    return tuple(items)


def said_slots(tokens: Sequence[Token], by_slot: Mapping[int, tuple[str, str]]) -> Iterator[tuple[int, Mention]]:
    for slot, (type, name) in by_slot.items():
        if type in ("column", "table", "name"):
            yield from ((slot, one) for one in spoken_of(type, name, tokens))
        elif type == "number":
            for at, token in enumerate(tokens):
                if token.kind == "number" and token.value == name:
                    yield slot, Mention(type, name, at, at, 1.0)
        elif type not in ("deed", "own"):
            for first, last in places_of(name, tokens):
                yield slot, Mention(type, name, first, last, 0.97)
