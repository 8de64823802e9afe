"""Inside the sandbox: what a cell showed, made and changed, as plain values; and whether two cells did the same.

Reasonable, not exact: floats are close; a series is its one-column table; a key may be an index or a column; rows keep
their order only where it was made; a plot is what is drawn, without colours and titles; a new name may be another one
unless the request says it. What cannot be compared (a function, a class, a model) is told as such.
"""

from __future__ import annotations

import contextlib
import math
import re
import sys
from pathlib import Path
from typing import Any

MOST = 5000
"""Cells of a table, numbers of a picture: beyond them only shapes are compared."""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
ORDERED = re.compile(r"sort|nlargest|nsmallest|\bhead\b|\btail\b|iloc|rank|value_counts|most_common|reversed|\[::-1\]")
OPAQUE = "opaque"
Picture = dict[str, Any]


def pictured(value: object) -> Any:
    """Plain lists and numbers of a value; {"kind": "opaque"} where that cannot be."""
    kind = type(value)
    module = (getattr(kind, "__module__", "") or "").partition(".")[0]
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return float(value) if math.isfinite(float(value)) else str(float(value))
    if isinstance(value, list | tuple):
        return {"kind": "list", "values": [pictured(one) for one in value[:MOST]], "n": len(value)}
    if isinstance(value, set | frozenset):
        return {"kind": "set", "values": sorted((pictured(one) for one in value), key=repr)[:MOST]}
    if isinstance(value, dict):
        items = list(value.items())[:MOST]
        return {"kind": "table", "keys": [pictured(key) for key, _ in items],
                "columns": [["", [pictured(one) for _, one in items]]], "key_names": [None]}  # fmt: skip
    if module == "pandas":
        return pandas_picture(value)
    if module == "numpy":
        return numpy_picture(value)
    if module in ("datetime", "decimal", "fractions", "pathlib", "uuid"):
        return plain_text(str(value))
    return {"kind": OPAQUE, "type": kind.__name__}


def plain_text(text: str) -> str:
    """2024-01-01 00:00:00 -> 2024-01-01"""
    return text.removesuffix(" 00:00:00").removesuffix("T00:00:00.000000000")


def numpy_picture(value: Any) -> Any:
    if not hasattr(value, "tolist"):
        return {"kind": OPAQUE, "type": type(value).__name__}
    found = value.tolist()
    if isinstance(found, list):
        return {"kind": "list", "values": [pictured(one) for one in found[:MOST]], "n": len(found)}
    return plain_text(str(value)) if value.dtype.kind in "mM" else pictured(found)


def pandas_picture(value: Any) -> Any:
    name = type(value).__name__
    if name == "DataFrame":
        names = [pictured(one) for one in value.columns]
        columns = [[names[place], entries(value.iloc[:, place])] for place in range(value.shape[1])]
        return {"kind": "table", **keys_of(value.index), "columns": columns}
    if name == "Series":
        return {"kind": "table", **keys_of(value.index), "columns": [[pictured(value.name), entries(value)]]}
    if name in ("Timestamp", "Timedelta", "Period", "NaTType", "Interval", "NAType"):
        return plain_text(str(value))
    if hasattr(value, "tolist"):
        return {"kind": "list", "values": [pictured(one) for one in value.tolist()[:MOST]], "n": len(value)}
    return {"kind": OPAQUE, "type": name}


def keys_of(index: Any) -> dict[str, Any]:
    """The labels of rows; none where they only count them."""
    if type(index).__name__ == "RangeIndex":
        return {"keys": None, "key_names": []}
    if index.nlevels > 1:
        rows = [[pictured(one) for one in label] for label in index.tolist()[:MOST]]
        return {"keys": rows, "key_names": [pictured(one) for one in index.names]}
    return {"keys": [pictured(one) for one in index.tolist()[:MOST]], "key_names": [pictured(index.name)]}


def entries(column: Any) -> list[Any]:
    return [pictured(one) for one in column.tolist()[:MOST]]


def drawn() -> list[Any]:
    """What open figures show: of each axes the points of lines and clouds, the sizes of bars and wedges, images."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    found: list[Any] = []
    for number in pyplot.get_fignums() if pyplot else ():
        for axes in pyplot.figure(number).axes:
            marks: list[Any] = []
            with contextlib.suppress(Exception):
                marks += [["line", numbers(line.get_ydata())] for line in axes.lines if len(line.get_ydata())]
                marks += [["cloud", numbers(one.get_offsets())] for one in axes.collections if len(one.get_offsets())]
                bars = [patch for patch in axes.patches if hasattr(patch, "get_height")]
                sizes = [[round(float(bar.get_width()), 6), round(float(bar.get_height()), 6)] for bar in bars]
                marks += [["bars", sorted(sizes)]] if sizes else []
                wedges = [round(float(one.theta2 - one.theta1), 4) for one in axes.patches if hasattr(one, "theta2")]
                marks += [["wedges", sorted(wedges)]] if wedges else []
                marks += [["image", numbers(one.get_array())] for one in axes.images]
            if marks:
                found.append(sorted(marks, key=repr))
    return found


def numbers(values: Any) -> Any:
    """Any nesting of what can be drawn, as numbers or text."""
    import numpy

    flat = numpy.ma.getdata(numpy.asarray(values)).ravel()[:MOST]
    return [pictured(one) for one in (flat.astype(str) if flat.dtype.kind in "mMO" else flat).tolist()]


def files_of(folder: Path) -> dict[str, str]:
    """Name -> content; of what is no text only that it is there."""
    found = {}
    for path in sorted(folder.rglob("*"))[:200]:
        if path.is_file() and path.stat().st_size < 1_000_000:
            try:
                found[str(path.relative_to(folder))] = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                found[str(path.relative_to(folder))] = ""
    return found


def whole(space: dict[str, Any]) -> dict[str, Any]:
    """Every name that a user may have given."""
    return {
        name: pictured(value)
        for name, value in space.items()
        if not name.startswith("_") and type(value).__name__ != "module" and name != "display"
    }


def picture(before: dict[str, Any], space: dict[str, Any], value: object, printed: str, files: Any) -> Picture:
    """What changed by a cell: `made` are new names, `changed` those that lived before."""
    after = whole(space)
    shapes = drawn()
    is_plot = bool(shapes) and pictured(value) is not None and is_opaque(pictured(value))
    return {
        "value": None if is_plot else pictured(value),
        "printed": printed,
        "drawn": shapes,
        "made": {name: one for name, one in after.items() if name not in before},
        "changed": {name: one for name, one in after.items() if name in before and before[name] != one},
        "gone": sorted(name for name in before if name not in after),
        "files": files,
    }


def is_opaque(one: Any) -> bool:
    return isinstance(one, dict) and one.get("kind") == OPAQUE


def comparable(wanted: Picture) -> bool:
    """Whether there is anything of the right cell to compare a cell with."""
    seen = [wanted["value"], *wanted["changed"].values(), *wanted["made"].values()]
    plain = any(one is not None and not is_opaque(one) for one in seen)
    return plain or bool(wanted["printed"].strip() or wanted["drawn"] or wanted["files"] or wanted["gone"])


def same(found: Picture, wanted: Picture, request: str, code: str) -> str:
    """Why a cell did something else than the right one, "" where it did the same."""
    ordered = bool(ORDERED.search(code))
    said = set(re.findall(r"\w+", request))
    if sorted(found["gone"]) != sorted(wanted["gone"]):
        return "other names are gone"
    if found["changed"].keys() != wanted["changed"].keys():
        return f"it changes {sorted(found['changed']) or 'nothing'}, not {sorted(wanted['changed']) or 'nothing'}"
    for name, one in wanted["changed"].items():
        if not equal(found["changed"][name], one, ordered, said):
            return f"{name} is another one"
    if not same_files(found["files"], wanted["files"], request):
        return "other files"
    if wanted["drawn"]:
        return "" if same_drawn(found["drawn"], wanted["drawn"]) else "something else is drawn"
    for name in wanted["made"].keys() & said:
        if not is_opaque(wanted["made"][name]) and not equal(
            found["made"].get(name), wanted["made"][name], ordered, said
        ):
            return f"{name} was asked for"
    return same_shown(found, wanted, ordered, said)


def same_shown(found: Picture, wanted: Picture, ordered: bool, said: set[str]) -> str:
    """The value, or the text; where the right cell shows nothing, or what it just changed, what it made."""
    shown = wanted["value"]
    if shown is not None and not is_opaque(shown) and shown not in list(wanted["changed"].values()):
        offered = [found["value"]] if found["value"] is not None else list(found["made"].values())[-1:]
        if any(equal(one, shown, ordered, said) for one in offered):
            return ""
        return "" if found["printed"].strip() and says(found["printed"], shown) else "another value is shown"
    if wanted["printed"].strip():
        if same_text(found["printed"], wanted["printed"]):
            return ""
        held = found["value"]
        return "" if held is not None and says(wanted["printed"], held) else "another text is shown"
    made = [one for one in wanted["made"].values() if not is_opaque(one)]
    if not made or wanted["changed"] or wanted["files"]:
        return ""
    offered = [found["value"], *found["made"].values()]
    return "" if any(equal(one, made[-1], ordered, said) for one in offered) else "nothing that it makes is the one"


def says(printed: str, value: Any) -> bool:
    """Whether a text has the one number or word that a value is."""
    if isinstance(value, float):
        return any(near(float(one), value, loose=True) for one in NUMBER.findall(printed.replace(",", "")))
    return isinstance(value, str) and len(value) > 1 and value in printed


def same_text(found: str, wanted: str) -> bool:
    """Equal but for spaces and the last digits; or the same numbers and names in it."""
    left, right = found.split(), wanted.split()
    if len(left) == len(right) and all(map(same_word, left, right)):
        return True
    left, right = NUMBER.findall(found), NUMBER.findall(wanted)
    return bool(right) and len(left) == len(right) and all(map(same_word, left, right))


def same_word(left: str, right: str) -> bool:
    if left == right:
        return True
    try:
        return near(float(left.strip("%,;:()")), float(right.strip("%,;:()")), loose=True)
    except ValueError:
        return False


def near(left: float, right: float, loose: bool = False) -> bool:
    return math.isclose(left, right, rel_tol=1e-3 if loose else 1e-6, abs_tol=6e-3 if loose else 1e-9)


def equal(found: Any, wanted: Any, ordered: bool, said: set[str]) -> bool:
    if isinstance(found, float) and isinstance(wanted, float):
        return near(found, wanted)
    if isinstance(found, bool) or isinstance(wanted, bool):
        return truth(found) is not None and truth(found) == truth(wanted)
    if not (isinstance(found, dict) and isinstance(wanted, dict)):
        return type(found) is type(wanted) and bool(found == wanted)
    if is_opaque(found) or is_opaque(wanted):
        return False
    if found["kind"] == wanted["kind"] == "table":
        return equal_tables(found, wanted, ordered, said)
    left, right = values_of(found), values_of(wanted)
    if left is None or right is None or len(left) != len(right) or found.get("n") != wanted.get("n"):
        return left is not None and right is not None and same_rows(left, right, ordered)
    return same_rows(left, right, ordered or found["kind"] == wanted["kind"] == "list")


def truth(one: Any) -> bool | None:
    return bool(one) if isinstance(one, bool | float) and one in (0, 1) else None


def values_of(one: Any) -> list[Any] | None:
    """A list, a set, or a table of one column."""
    if one["kind"] in ("list", "set"):
        return list(one["values"])
    return list(one["columns"][0][1]) if len(one["columns"]) == 1 else None


def equal_tables(found: Any, wanted: Any, ordered: bool, said: set[str]) -> bool:
    """Columns in any order by their names; names that the request does not say may be others."""
    left, right = columns_of(found), columns_of(wanted)
    if len(left) != len(right):  # labels of rows may only number them
        left, right = found["columns"], wanted["columns"]
        if found["keys"] is not None and wanted["keys"] is not None:
            return False
    if len(left) != len(right):
        return False
    names = {repr(name): values for name, values in left}
    rest = [values for name, values in left if repr(name) not in {repr(other) for other, _ in right}]
    pairs: list[tuple[list[Any], list[Any]]] = []
    for name, values in right:
        if repr(name) in names:
            pairs.append((names[repr(name)], values))
        elif not rest or (isinstance(name, str) and name in said):
            return False
        else:
            pairs.append((rest.pop(0), values))
    if len({len(values) for pair in pairs for values in pair}) > 1:
        return False
    rows = [list(row) for row in zip(*(one for one, _ in pairs), strict=True)]
    return same_rows(rows, [list(row) for row in zip(*(two for _, two in pairs), strict=True)], ordered)


def columns_of(table: Any) -> list[Any]:
    """With the labels of its rows as columns before them."""
    keys, names = table["keys"], table["key_names"]
    if keys is None:
        return list(table["columns"])
    if len(names) > 1:
        made = [[name, [row[place] for row in keys]] for place, name in enumerate(names)]
    else:
        made = [[names[0], list(keys)]]
    return [*made, *table["columns"]]


def same_rows(left: list[Any], right: list[Any], ordered: bool) -> bool:
    if len(left) != len(right):
        return False
    if not ordered:
        left, right = sorted(left, key=rough), sorted(right, key=rough)
    return all(map(same_entry, left, right))


def same_entry(left: Any, right: Any) -> bool:
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_entry, left, right))
    return equal(left, right, True, set())


def rough(one: Any) -> str:
    """To sort by: numbers that differ in their last digits stand together."""
    if isinstance(one, list):
        return "|".join(map(rough, one))
    if isinstance(one, bool):
        return f"{float(one):.4g}"
    return f"{one:.4g}" if isinstance(one, float) else repr(one)


def same_drawn(found: list[Any], wanted: list[Any]) -> bool:
    if len(found) != len(wanted):
        return False
    for left, right in zip(found, wanted, strict=True):
        if len(left) != len(right):
            return False
        for one, other in zip(left, right, strict=True):
            ordered = one[0] != "cloud"
            if one[0] != other[0] or not same_rows(one[1], other[1], ordered):
                return False
    return True


def same_files(found: dict[str, str], wanted: dict[str, str], request: str) -> bool:
    """The same contents under the names that the request says; other names may be others."""
    for name in wanted:
        if name in request and name not in found:
            return False

    def kept(files: dict[str, str]) -> list[tuple[str, str]]:
        return sorted((Path(name).suffix, " ".join(text.split())) for name, text in files.items())

    return kept(found) == kept(wanted)
