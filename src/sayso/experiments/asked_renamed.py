"""Asked cells under other names: tables and columns renamed alike in what is shown, asked and answered.

So names are copied, not remembered. A name is changed only where its words in the request can be changed with it:
"mean km of each rider" speaks of `km` and `rider`; "longest first" speaks of `km` too, and there it stays.
"""

from __future__ import annotations

import builtins
import io
import keyword
import random
import re
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sayso.targets.notebook.recipes.known import live_columns
from sayso.targets.notebook.recipes.making import TAKEN
from sayso.targets.notebook.recipes.reading import CAMEL

RENAMED = 0.7
"""Of the names that may be changed."""
WORD = re.compile(r"[A-Za-z]+|\d+")


@dataclass(frozen=True)
class Lesson:
    """All texts of one asked cell: `above` in order as (kind, text), the request, the answer, what is known."""

    above: tuple[tuple[str, str], ...]
    request: str
    code: str
    names: tuple[str, ...] = ()
    tables: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Pools:
    """Names to take from: those of tables, and of columns by the kind of what they hold."""

    tables: Sequence[str]
    columns: Mapping[str, Sequence[str]]


def pools_of(lessons: Iterable[Lesson]) -> Pools:
    tables: set[str] = set()
    columns: dict[str, set[str]] = {}
    for lesson in lessons:
        for table, held in live_columns(lesson.names).items():
            if "_" not in table and len(table) > 3:
                tables.add(table)
            for column, kind in held.items():
                if not is_taken(column) and len(column) < 20:
                    columns.setdefault(group_of(kind), set()).add(column)
    return Pools(sorted(tables), {kind: sorted(some) for kind, some in columns.items()})


def group_of(kind: str) -> str:
    return "number" if kind in ("int", "float") else kind


def is_taken(name: str) -> bool:
    """Whether code may say the word and mean something else."""
    return name.lower() in TAKEN or keyword.iskeyword(name) or hasattr(builtins, name)


def spoken(name: str) -> str:
    """unit_price, unitPrice, Unit Price -> unit price"""
    return " ".join(WORD.findall(CAMEL.sub(" ", name))).lower()


@lru_cache(maxsize=4096)
def whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def renamed(lesson: Lesson, pools: Pools, draw: random.Random) -> Lesson:
    """The lesson with some names changed; the same where none can be."""
    tables = live_columns(lesson.names)
    kinds = {column: group_of(kind) for held in tables.values() for column, kind in held.items()}
    for column, kind in kinds.items():
        pool = pools.columns.get(kind, ())
        if draw.random() < RENAMED and pool and not is_taken(column):
            lesson = with_column(lesson, column, draw.choice(pool))
    for table in tables:
        if draw.random() < RENAMED and not is_taken(table) and table not in kinds:
            lesson = with_table(lesson, table, draw.choice([*pools.tables, "df", "data"]))
    return lesson


def with_table(lesson: Lesson, old: str, new: str) -> Lesson:
    if any(whole(new).search(text) for text in texts(lesson)):
        return lesson
    lesson = changed(lesson, whole(old), new)
    request = lesson.request
    if new not in ("df", "data"):
        request = re.sub(rf"(?i)(?<!\w){re.escape(old)}(?!\w)", new, request)
    return replace(lesson, request=request)


def with_column(lesson: Lesson, old: str, new: str) -> Lesson:
    """Unchanged where the request may speak of the column in words that cannot be changed with it."""
    new_words, everything = spoken(new), "\n".join(texts(lesson))
    if is_inside(new, everything) or whole(new_words).search(lesson.request.lower()):
        return lesson
    if not new.isidentifier() and not always_quoted(old, lesson):
        return lesson
    request, found = said_otherwise(lesson.request, old, new)
    if not found and (whole(old).search(lesson.code) or alludes(lesson.request, old)):
        return lesson
    return replace(changed(lesson, whole(old), new), request=request)


def is_inside(name: str, text: str) -> bool:
    return bool(whole(name).search(text))


def always_quoted(name: str, lesson: Lesson) -> bool:
    """Whether code has the name only as a string of its own."""
    codes = [lesson.code, *(text for kind, text in lesson.above if kind == "code")]
    return all(
        len(whole(name).findall(code)) == len(re.findall(rf"""(["']){re.escape(name)}\1""", code)) for code in codes
    )


def said_otherwise(request: str, old: str, new: str) -> tuple[str, bool]:
    """The request with the column's words changed, and whether it has them: "unit prices" too."""
    new_words = spoken(new)
    request, exact = re.subn(rf"(?<!\w){re.escape(old)}(?!\w)", new if is_written(old) else new_words, request)
    words = re.escape(spoken(old)).replace("\\ ", "[ _]")
    request, alone = re.subn(rf"(?i)(?<!\w){words}(?!\w)", new_words, request)
    several = new_words if new_words.endswith("s") else f"{new_words}s"
    request, many = re.subn(rf"(?i)(?<!\w){words}s(?!\w)", several, request)
    return request, bool(exact or alone or many)


def is_written(name: str) -> bool:
    """Whether it is no plain word, so that one who says it so means the column's very name."""
    return not name.isalpha() or not name.islower()


def alludes(request: str, name: str) -> bool:
    """Whether a word of the request begins like a word of the name."""
    begins = {word[:4].lower() for word in WORD.findall(CAMEL.sub(" ", name)) if len(word) > 2}
    return any(word[:4].lower() in begins for word in WORD.findall(request))


def texts(lesson: Lesson) -> list[str]:
    lines = [f"{name} {line}" for name, line in lesson.tables]
    return [lesson.request, lesson.code, *(text for _, text in lesson.above), *lesson.names, *lines]


def changed(lesson: Lesson, old: re.Pattern[str], new: str) -> Lesson:
    """In all but the request."""

    def put(text: str) -> str:
        return old.sub(lambda _: new, text)

    return Lesson(
        tuple((kind, put(text)) for kind, text in lesson.above),
        lesson.request,
        put(lesson.code),
        tuple(map(put, lesson.names)),
        tuple((put(name), put(line)) for name, line in lesson.tables),
    )


def single_quoted(lesson: Lesson) -> Lesson:
    """Code with 'single quotes' where "double" ones stand and nothing has to be escaped."""
    above = tuple((kind, requoted(text) if kind == "code" else text) for kind, text in lesson.above)
    return replace(lesson, above=above, code=requoted(lesson.code))


def requoted(code: str) -> str:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):
        return code
    lines = code.splitlines(keepends=True)
    is_formatted = 0
    for token in tokens:
        name = tokenize.tok_name[token.type]
        is_formatted += (name == "FSTRING_START") - (name == "FSTRING_END")
        text = token.string
        # Inside an f-string quotes of one kind would end it.
        if is_formatted or token.type != tokenize.STRING or not re.fullmatch(r'"[^"\'\\]*"', text):
            continue
        (row, start), (_, end) = token.start, token.end
        line = lines[row - 1]
        lines[row - 1] = f"{line[:start]}'{text[1:-1]}'{line[end:]}"
    return "".join(lines)
