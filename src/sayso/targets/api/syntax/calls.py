"""The call as Okapi writes it: `GET resource` and clauses in any order (paper, table 1), read and printed exactly.

Values stand unquoted and may hold any word, so a keyword opens a clause only where that clause can be read: after
`SEARCH` there is always a value, and `TOP` wants a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sayso.core.errors import BadInstruction

METHOD = "GET"
OPERATORS = ("eq", "ne", "gt", "ge", "lt", "le", "contains", "lacks", "startswith", "endswith")
"""The release compares with eq, gt and lt alone."""
DIRECTIONS = ("asc", "desc")
WORD = re.compile(r"\S+")
NAME = re.compile(r"[A-Za-z][\w]*(?:\.[A-Za-z][\w]*)*")


@dataclass(frozen=True)
class Filter:
    property: str
    operator: str
    value: str

    def __str__(self) -> str:
        return f"FILTER {self.property} {self.operator} {self.value}"


@dataclass(frozen=True)
class Search:
    value: str

    def __str__(self) -> str:
        return f"SEARCH {self.value}"


@dataclass(frozen=True)
class OrderBy:
    property: str
    direction: str

    def __str__(self) -> str:
        return f"ORDERBY {self.property} {self.direction}"


@dataclass(frozen=True)
class Select:
    """The release never selects, the paper does (table 1)."""

    property: str

    def __str__(self) -> str:
        return f"SELECT {self.property}"


@dataclass(frozen=True)
class Count:
    def __str__(self) -> str:
        return "COUNT"


@dataclass(frozen=True)
class Top:
    number: int

    def __str__(self) -> str:
        return f"TOP {self.number}"


Clause = Filter | Search | OrderBy | Select | Count | Top
# The order of a canonical call: what is kept, how it is sorted and cut, what of it is shown.
KINDS: tuple[type[Clause], ...] = (Filter, Search, OrderBy, Top, Select, Count)
KEYWORDS = {"FILTER": Filter, "SEARCH": Search, "ORDERBY": OrderBy, "TOP": Top, "SELECT": Select, "COUNT": Count}


@dataclass(frozen=True)
class Call:
    """What is asked of a service; `str` prints it as it was read, but for the width of blanks."""

    resource: str
    clauses: tuple[Clause, ...] = ()

    def __str__(self) -> str:
        return " ".join([METHOD, self.resource, *map(str, self.clauses)])


@dataclass(frozen=True)
class Span:
    """A clause and the characters start:end that it was read from."""

    clause: Clause
    start: int
    end: int


def parse_call(text: str) -> Call:
    """Raises BadInstruction at the word that cannot be read."""
    resource, spans = read_call(text)
    return Call(resource, tuple(span.clause for span in spans))


def read_call(text: str) -> tuple[str, list[Span]]:
    """The resource, and every clause with its place."""
    words = list(WORD.finditer(text))
    if not words:
        raise BadInstruction("an empty call", text, 0, hint="a call starts with GET and a resource: GET message")
    if words[0][0] != METHOD:
        raise BadInstruction(f"a call starts with {METHOD}, not with {_short(words[0][0])}", text, words[0].start())
    if len(words) < 2 or not NAME.fullmatch(words[1][0]):
        raise BadInstruction(f"{METHOD} without a resource", text, words[0].end(), hint="name one: GET message")
    return words[1][0], list(_clauses(text, words))


def reads_back(call: Call) -> bool:
    """Whether what is printed is this call, but for the width of blanks: `SEARCH my TOP 5` is read as two clauses."""
    printed = canonical_call(call)
    try:
        read = parse_call(str(printed))
    except BadInstruction:
        return False
    return list(map(str, read.clauses)) == [" ".join(str(one).split()) for one in printed.clauses]


def readable(call: Call) -> Call:
    """The call without the clauses whose words would be read as others."""
    kept = Call(call.resource)
    for one in call.clauses:
        more = Call(call.resource, (*kept.clauses, one))
        kept = more if reads_back(more) else kept
    return kept


def is_typed_call(text: str) -> bool:
    """Whether a text is meant as a call, however wrong: GET alone, with a name, or with the word of a clause.

    `GET message FILTER` is; `get messages from Bo` is a request.
    """
    words = text.split()
    if words[:1] != [METHOD]:
        return False
    return len(words) == 1 or any(word in KEYWORDS for word in words[2:]) or (len(words) == 2 and words[1].islower())


def canonical_call(call: Call) -> Call:
    """Clauses in one order, each once: a call is a set of parameters (paper, §6)."""
    return Call(call.resource, tuple(sorted(dict.fromkeys(call.clauses), key=lambda one: (kind_rank(one), str(one)))))


def kind_rank(clause: Clause) -> int:
    return KINDS.index(type(clause))


def _clauses(text: str, words: list[re.Match[str]]) -> Iterator[Span]:
    at = 2
    while at < len(words):
        keyword = words[at]
        if keyword[0] not in KEYWORDS:
            hint = f"clauses: {', '.join(KEYWORDS)}"
            raise BadInstruction(f"{_short(keyword[0])} opens no clause", text, keyword.start(), hint)
        end = at + 1
        while end < len(words) and not (end > at + _fewest(keyword[0]) and _opens(words, end)):
            end += 1
        inside = [word[0] for word in words[at + 1 : end]]
        yield Span(_clause(keyword[0], inside, text, keyword.start()), keyword.start(), words[end - 1].end())
        at = end


def _fewest(keyword: str) -> int:
    """How many words follow the keyword whatever they look like."""
    return {"FILTER": 3, "SEARCH": 1, "ORDERBY": 2, "TOP": 1, "SELECT": 1, "COUNT": 0}[keyword]


def _opens(words: list[re.Match[str]], at: int) -> bool:
    """Whether a clause can be read here, rather than a value that holds a keyword."""
    keyword, rest = words[at][0], [word[0] for word in words[at + 1 : at + 3]]
    if keyword == "FILTER":
        return len(rest) == 2 and NAME.fullmatch(rest[0]) is not None and rest[1] in OPERATORS
    if keyword == "ORDERBY":
        return len(rest) == 2 and rest[1] in DIRECTIONS
    if keyword == "TOP":
        return bool(rest) and rest[0].isascii() and rest[0].isdigit()
    if keyword == "SELECT":
        return bool(rest) and "." in rest[0] and NAME.fullmatch(rest[0]) is not None
    if keyword == "COUNT":
        return not rest or rest[0] in KEYWORDS
    return keyword == "SEARCH" and bool(rest)


def _clause(keyword: str, inside: list[str], text: str, start: int) -> Clause:
    def bad(message: str, hint: str) -> BadInstruction:
        return BadInstruction(f"{keyword} {message}", text, start, hint)

    if keyword == "FILTER":
        if len(inside) < 3:
            raise bad("needs a property, an operator and a value", "FILTER message.isRead eq True")
        if not NAME.fullmatch(inside[0]) or inside[1] not in OPERATORS:
            raise bad(f"cannot compare with {_short(inside[1])}", f"operators: {', '.join(OPERATORS)}")
        return Filter(inside[0], inside[1], " ".join(inside[2:]))
    if keyword == "ORDERBY":
        if len(inside) != 2 or not NAME.fullmatch(inside[0]) or inside[1] not in DIRECTIONS:
            raise bad("needs a property and asc or desc", "ORDERBY message.receivedDateTime desc")
        return OrderBy(inside[0], inside[1])
    if keyword == "TOP":
        # Nobody asks for 10⁹ messages, and int() of a very long digit string is refused by Python itself.
        if len(inside) != 1 or not re.fullmatch(r"[0-9]{1,9}", inside[0]):
            raise bad("needs one whole number", "TOP 5")
        return Top(int(inside[0]))
    if keyword == "SELECT":
        if len(inside) != 1 or not NAME.fullmatch(inside[0]):
            raise bad("needs one property", "SELECT message.subject")
        return Select(inside[0])
    if keyword == "COUNT":
        if inside:
            raise bad(f"takes nothing, not {_short(inside[0])}", "COUNT")
        return Count()
    if not inside:
        raise bad("needs the words to look for", "SEARCH annual report")
    return Search(" ".join(inside))


def _short(word: str) -> str:
    return repr(word if len(word) <= 40 else word[:37] + "…")
