"""What lives in a kernel, in words: names, types, shapes, columns and their types, a line a name. Never a value.

Attributes are read only of values from libraries that are known to compute nothing for it; of all others the type's
name is told, and nothing of theirs is called.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from sayso.core.types import Piece

MOST_NAMES = 120
"""The latest are told."""
MOST_COLUMNS = 60
LONGEST = 60
"""Characters of the name of a column."""
MARKS = set(',:[]"')
"""A column with one of these in its name is not told: the line could be read otherwise."""
COUNTED = (list, tuple, dict, set, frozenset)
SHAPED = frozenset({"numpy", "pandas", "geopandas", "polars", "torch", "scipy", "xarray", "jax", "jaxlib", "cupy"})
PLAIN = re.compile(r"[\w.\[\], <>=:()/|+-]{1,60}")
"""How a type or a column's type may be written."""


def namespace_piece(names: Mapping[str, object], hidden: Collection[str] = ()) -> Piece | None:
    """One piece with a line a name; None where there is none."""
    lines = [*namespace_lines(names, hidden)]
    return Piece("names", "\n".join(lines[-MOST_NAMES:])) if lines else None


def namespace_lines(names: Mapping[str, object], hidden: Collection[str] = ()) -> Iterator[str]:
    """df: DataFrame [120, 2] [columns day:object, price:float64]"""
    for name, value in list(names.items()):
        if isinstance(name, str) and name.isidentifier() and not name.startswith("_") and name not in hidden:
            yield f"{name}: {in_words(value)}"


def in_words(value: object) -> str:
    kind = type(value)
    if kind is ModuleType:
        return f"module {plain(vars(value).get('__name__', ''))}"
    if kind in (FunctionType, BuiltinFunctionType):
        return f"function({', '.join(parameters(value))})" if kind is FunctionType else "function"
    if issubclass(kind, type):
        return "class"
    name = plain(kind.__name__)
    if kind in COUNTED:
        return f"{name} [{len(value)}]"  # type: ignore[arg-type]
    if is_shaped(value):
        return " ".join([name, *facts(value)])
    return name


def parameters(function: Any) -> list[str]:
    """Names only: a default is a value."""
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    return [str(one) for one in code.co_varnames[:count]]


def is_shaped(value: object) -> bool:
    module = getattr(type(value), "__module__", "")
    return isinstance(module, str) and module.partition(".")[0] in SHAPED


def facts(value: object) -> Iterator[str]:
    """[SHAPE], then [columns …] of a table or [dtype …] of what has one."""
    shape = attribute(value, "shape")
    if isinstance(shape, tuple) and shape:
        yield f"[{', '.join(str(one) if type(one) is int else '?' for one in shape)}]"
    columns = columns_of(value)
    if columns:
        told = [f"{name}:{kind}" for name, kind in columns.items() if not MARKS & set(name)][:MOST_COLUMNS]
        is_all = isinstance(shape, tuple) and shape[-1:] == (len(told),)
        yield f"[columns {', '.join(told)}{'' if is_all else ' …'}]"
    elif shape and (dtype := attribute(value, "dtype")) is not None:
        yield f"[dtype {plain(dtype)}]"


def columns_of(value: object) -> dict[str, str]:
    """Columns of a data frame with their types; only those whose name is text, since other labels are values."""
    if not is_shaped(value) or type(value).__name__ not in ("DataFrame", "GeoDataFrame"):
        return {}
    names, kinds = attribute(value, "columns"), attribute(value, "dtypes")
    try:
        return {
            name: plain(kind)
            for name, kind in zip(names, kinds, strict=False)
            if type(name) is str and 0 < len(name) <= LONGEST and name.isprintable()
        }
    except Exception:  # a table of a library's own making may refuse anything
        return {}


def attribute(value: object, name: str) -> Any:
    try:
        return getattr(value, name, None)
    except Exception:
        return None


def plain(kind: object) -> str:
    """How a type is written; what is written otherwise is not told, since it may hold anything."""
    try:
        text = kind if isinstance(kind, str) else str(kind)
    except Exception:
        return "?"
    if text.startswith("CategoricalDtype") or text.startswith("Enum"):
        return "category"
    return text if PLAIN.fullmatch(text) else "?"
