"""What a call of one domain may say, as slots: some hold words copied from the request, others one of known choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from sayso.targets.api.syntax.calls import Call, Clause, Count, Filter, OrderBy, Search, Top
from sayso.targets.api.syntax.schema import DOMAINS, schema
from sayso.targets.api.systems.habits import NONE, Habits, learn_habits

SEARCH, TOP, ORDER, COUNT, RESOURCE, FIRST = "SEARCH", "TOP", "ORDERBY", "COUNT", "GET", "FIRST"
"""FIRST is a TOP 1 that no word of the request spells: `the latest mail`."""
WAY, BY = "ORDERBY way", "ORDERBY by"
"""An order in two: what was sent is ordered by when it was sent, newest first or last; older parsers have ORDER."""
SAME = "SAME "
"""In front of a slot: it has the value of another that takes alike ones, said once (`created and changed today`)."""
TIMES = "times"
FEW, LITERAL = 12, 0.75
"""Text that takes few values, less often than this as they stand in the request, is chosen and not copied."""


@dataclass(frozen=True)
class Layout:
    domain: str
    resources: tuple[str, ...]
    copied: tuple[str, ...]
    """Slots whose value is a span of the request: `FILTER file.name eq`, SEARCH, TOP."""
    chosen: tuple[tuple[str, tuple[str, ...]], ...]
    """Slots and their values; saying nothing is choice 0, or the first resource."""
    habits: Habits = NONE

    @property
    def tags(self) -> int:
        """Outside, and a first and a further word of each copied slot."""
        return 1 + 2 * len(self.copied)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(len(values) for _, values in self.chosen)

    @property
    def unasked(self) -> tuple[int, ...]:
        """Chosen slots that say nothing where another is empty: what to order by, when there is no order."""
        return tuple(at for at, (slot, _) in enumerate(self.chosen) if slot == BY)


@dataclass(frozen=True)
class Said:
    """A call by slots."""

    copied: Mapping[str, str]
    chosen: Mapping[str, str]
    whole: bool
    """False where the call says what slots cannot: one twice, or a property that the schema does not know."""


def make_layout(domain: str, pairs: Iterable[tuple[str, Call]]) -> Layout:
    """From the schema and the calls of train: a text property that has few values, often not spelled out, is chosen."""
    offered = schema(domain)
    values: dict[str, Counter[str]] = {}
    literal: Counter[str] = Counter()
    searches = False
    pairs = list(pairs)
    for request, call in pairs:
        folded = request.casefold()
        for clause in call.clauses:
            searches |= isinstance(clause, Search)
            if isinstance(clause, Filter):
                slot = slot_of(clause)
                values.setdefault(slot, Counter())[clause.value] += 1
                literal[slot] += clause.value.casefold() in folded
    copied, chosen = [], []
    for one in offered.properties.values():
        for operator in one.operators:
            slot = f"FILTER {one.name} {operator}"
            seen = values.get(slot, Counter())
            if one.values:
                chosen.append((slot, one.values))
            elif one.type == "text" and 0 < len(usual(seen)) <= FEW and literal[slot] < LITERAL * seen.total():
                chosen.append((slot, usual(seen)))
            elif seen:
                copied.append(slot)
    orders = tuple(one.name for one in offered.properties.values() if one.sorts)
    resources = tuple(offered.resources)
    chosen += [(WAY, ("asc", "desc")), (BY, orders), (COUNT, (COUNT,)), (FIRST, ("1",))]
    if len(resources) > 1:
        chosen.append((RESOURCE, resources[1:]))
    times = [slot for slot in copied if pool_of(slot) == TIMES]
    chosen += [(SAME + slot, ("same",)) for slot in times if len(times) > 1]
    habits = learn_habits(call for _, call in pairs)
    return Layout(domain, resources, (*copied, *([SEARCH] if searches else []), TOP), tuple(chosen), habits)


def usual(seen: Counter[str]) -> tuple[str, ...]:
    """Each value once, however its case was written: the commonest spelling of it."""
    best: dict[str, str] = {}
    for value, _ in seen.most_common():
        best.setdefault(value.casefold(), value)
    return tuple(best.values())


def pool_of(slot: str) -> str:
    """What fills this slot may fill every other of the same pool: all times are one, other properties are their own."""
    if slot in (SEARCH, TOP):
        return slot
    name = slot.split()[1]
    return TIMES if name in time_properties() else name


@cache
def time_properties() -> frozenset[str]:
    return frozenset(one.name for domain in DOMAINS for one in schema(domain).properties.values() if one.type == "time")


def slot_of(clause: Filter) -> str:
    return f"FILTER {clause.property} {clause.operator}"


def say(layout: Layout, call: Call) -> Said:
    """A call as slots."""
    copied: dict[str, str] = {}
    chosen: dict[str, str] = {}
    choices = {slot: {value.casefold(): value for value in values} for slot, values in layout.chosen}
    whole = call.resource in layout.resources
    if call.resource in layout.resources[1:]:
        chosen[RESOURCE] = call.resource
    for clause in call.clauses:
        slot, value = _slot_value(clause)
        if slot == ORDER and WAY in choices and WAY not in chosen and value.split()[0].casefold() in choices[BY]:
            chosen[BY], chosen[WAY] = choices[BY][value.split()[0].casefold()], value.split()[1]
        elif slot in layout.copied and slot not in copied:
            copied[slot] = value
        elif slot in choices and slot not in chosen and value.casefold() in choices[slot]:
            chosen[slot] = choices[slot][value.casefold()]
        else:
            whole = False
    return Said(copied, chosen, whole)


def _slot_value(clause: Clause) -> tuple[str, str]:
    match clause:
        case Filter(_, _, value):
            return slot_of(clause), value
        case Search(value):
            return SEARCH, value
        case OrderBy(name, direction):
            return ORDER, f"{name} {direction}"
        case Top(number):
            return TOP, str(number)
        case Count():
            return COUNT, COUNT
        case _:
            return str(clause), ""


def unsay(layout: Layout, copied: Mapping[str, str], chosen: Mapping[str, str]) -> Call:
    """The call that these slots make; a spelled TOP goes before an implied one."""
    clauses: list[Clause] = []
    shared = {}
    for slot in (one.removeprefix(SAME) for one in chosen if one.startswith(SAME)):
        alike = [value for other, value in copied.items() if pool_of(other) == pool_of(slot)]
        if slot not in copied and alike:
            shared[slot] = alike[0]
    for slot, value in (*copied.items(), *shared.items(), *chosen.items()):
        if slot.startswith("FILTER "):
            _, name, operator = slot.split()
            clauses.append(Filter(name, operator, value))
        elif slot == SEARCH:
            clauses.append(Search(value))
        elif slot == TOP or (slot == FIRST and TOP not in copied):
            clauses.append(Top(int(value)))
        elif slot == ORDER:
            name, direction = value.split()
            clauses.append(OrderBy(name, direction))
        elif slot == WAY and BY in chosen:
            clauses.append(OrderBy(chosen[BY], value))
        elif slot == COUNT:
            clauses.append(Count())
    return Call(chosen.get(RESOURCE, layout.resources[0]), tuple(clauses))
