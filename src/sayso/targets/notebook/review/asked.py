"""Whether a cell is what was asked for, as far as can be seen: names and modules it needs, deeds nobody ordered."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec

from sayso.core.types import Asked, Draft, Evidence, Request
from sayso.english.words import QUOTED, listed
from sayso.targets.notebook.review.names import Names, names_of

DESTROYS = "destroys"
_NEGATED = re.compile(
    r"\b(?:not|never|without|avoid|cannot|\w+n['’]t|dont|no|nothing|keep|rather than|instead of)\b", re.I
)
_QUESTION = re.compile(r"\s*(?:what|which|who|where|when|why|how|is|are|was|does|did|has|have|can|should)\b", re.I)
_WORD = re.compile(r"[a-z]+")
_CODE = re.compile(rf"```.*?```|{QUOTED}|<[^>]*>|\$[^$]*\$", re.S)
# Of rows, columns and values of a table, which are in memory: no file goes with them.
_IN_MEMORY = re.compile(
    r"\b(?:rows?|columns?|values?|duplicates?|outliers?|nans?|nulls?|missing|stop ?words?|punctuation|spaces?"
    r"|elements?|items?|entries|keys?|features?|nodes?|edges?|axis|axes|ticks?|legend)\b",
    re.I,
)
TABLE = re.compile(r"(\w+): .*\[columns (.*[^…])\]")
COLUMN = re.compile(r"(?:^|, )([^,:\[\]\"]+):")
NAMES_COLUMNS = {
    "groupby": (0, ("by",)), "sort_values": (0, ("by",)), "set_index": (0, ("keys",)), "nlargest": (1, ("columns",)),
    "nsmallest": (1, ("columns",)), "drop_duplicates": (0, ("subset",)), "dropna": (9, ("subset",)),
    "pivot_table": (9, ("index", "columns", "values")), "pivot": (9, ("index", "columns", "values")),
    "boxplot": (0, ("column", "by")), "hist": (0, ("column", "by")), "plot": (9, ("x", "y")), "resample": (9, ("on",)),
    "merge": (9, ("on", "left_on")),
}  # fmt: skip
"""Methods of a table -> which argument by place, and which by name, are columns of it."""
LARGEST = 400
"""Cells above that are looked at."""


def read(request: Request) -> Asked:
    """The `read` of the target: whether a loss on disk is ordered, and whether it is a question."""
    spoken = _CODE.sub(" ", request.text)
    asks = spoken.rstrip().endswith("?") or bool(_QUESTION.match(spoken))
    return Asked(request, deeds=frozenset({DESTROYS} if _orders_loss(spoken) else ()), question=asks)


def _orders_loss(spoken: str) -> bool:
    """A sentence with a verb of loss and no negation, which does not speak of what is in a table."""
    return any(
        _losses() & set(_WORD.findall(sentence)) and not (_NEGATED.search(sentence) or _IN_MEMORY.search(sentence))
        for sentence in re.split(r"[.!?;\n]+", spoken.lower())
    )


@cache
def _losses() -> frozenset[str]:
    return listed("deeds.losses") - {"force", "format"}


def evidence(asked: Asked, drafts: Sequence[Draft]) -> list[tuple[Evidence, ...]]:
    """The `evidence` of the target: names that nothing above gives, modules that are not installed here."""
    above, tables = given_above(asked.request), live_columns(asked.request)
    return [(*_against(draft, above, bool(asked.request.context)), *_without_column(draft, tables)) for draft in drafts]


def _against(draft: Draft, above: Names, has_context: bool) -> Iterator[Evidence]:
    names = names_of(draft.text)
    if names is None:
        return
    missing = [name for name in names.needed if name not in above.given]
    if missing and has_context and not (above.open or names.open):
        yield Evidence("undefined", f"nothing above gives {_few(missing)}", float(min(len(missing), 3)))
    # What a cell above imports is there, in whatever kernel the notebook has.
    absent = sorted(one for one in names.imported - above.imported if not is_installed(one))
    if absent:
        yield Evidence("lacking", f"not installed here: {_few(absent)}")


def _without_column(draft: Draft, tables: Mapping[str, frozenset[str]]) -> Iterator[Evidence]:
    """Columns that a cell reads and neither the live table nor the cell itself has."""
    if not tables or not isinstance(draft.tree, ast.Module):
        return
    read: dict[tuple[str, str], bool] = {}
    for node in ast.walk(draft.tree):
        match node:
            case ast.Subscript(value=ast.Name(id=table), slice=part, ctx=how) if table in tables:
                parts = part.elts if isinstance(part, ast.List) else [part]
                for name in texts(parts):
                    read[table, name] = read.get((table, name), True) and isinstance(how, ast.Load)
            case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method in NAMES_COLUMNS:
                for table in table_of(owner, tables):
                    for name in texts(named_columns(node, method)):
                        read.setdefault((table, name), True)
            case ast.Name(id=table, ctx=ast.Store()) if table in tables:
                return  # another table under that name
    missing = [f'{table} has no column "{name}"' for (table, name), is_read in read.items()
               if is_read and name not in tables[table]]  # fmt: skip
    if missing:
        yield Evidence("undefined", missing[0], float(min(len(missing), 3)))


def texts(parts: Iterable[ast.expr]) -> Iterator[str]:
    for one in parts:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def table_of(owner: ast.expr, tables: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """The live table that a method is called of, or some of its rows."""
    match owner:
        case ast.Name(id=name) if name in tables:
            yield name
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Compare() | ast.BinOp() | ast.UnaryOp()) if (
            name in tables
        ):
            yield name


def named_columns(call: ast.Call, method: str) -> Iterator[ast.expr]:
    """The arguments that are columns, each of a list for itself."""
    place, words = NAMES_COLUMNS[method]
    given = [*call.args[place : place + 1], *(one.value for one in call.keywords if one.arg in words)]
    for one in given:
        yield from one.elts if isinstance(one, ast.List) else [one]


def live_columns(request: Request) -> dict[str, frozenset[str]]:
    """Tables that live in the kernel with their columns, where all of these are told."""
    lines = (line for piece in request.context if piece.kind == "names" for line in piece.text.splitlines())
    return {found[1]: frozenset(COLUMN.findall(found[2])) for found in map(TABLE.fullmatch, lines) if found}


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (" and more" if len(names) > 3 else "")


def given_above(request: Request) -> Names:
    """What the cells above give together, and the kernel's own names; a cell that cannot be read may give anything."""
    whole = Names()
    for piece in request.context:
        if piece.kind == "names":
            whole.given |= {line.partition(":")[0] for line in piece.text.splitlines()}
    for piece in request.context[-LARGEST:]:
        if piece.kind == "code":
            found = _cached(piece.text)
            whole.open |= found is None or found.open
            whole.given |= found.given if found else set()
            whole.imported |= found.imported if found else set()
    whole.open |= len(request.context) > LARGEST
    return whole


@lru_cache(maxsize=2048)
def _cached(text: str) -> Names | None:
    return names_of(text)


@lru_cache(maxsize=1024)
def is_installed(module: str) -> bool:
    """Whether this Python could import it, without doing so; a kernel of its own may have other modules."""
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def bars(asked: Asked, drafts: Sequence[Draft]) -> list[tuple[Evidence, ...]]:
    """The `bars` of the target: a cell that destroys what nobody asked to be destroyed never comes first."""
    return [tuple(_barred(asked, draft)) for draft in drafts]


def _barred(asked: Asked, draft: Draft) -> Iterator[Evidence]:
    if draft.risk.level == DESTROYS and (asked.question or DESTROYS not in asked.deeds):
        words = ", ".join(draft.risk.words[:3])
        yield Evidence("unasked_destruction", f"destroys something ({words}), which was not asked for")
