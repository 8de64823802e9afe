"""What the checks of the everyday set call: results among all that a cell made, plots by what they show.

The runner calls mark(space) right before the cell under test; a check then runs with `space` and all names of
this file in scope. Candidates for "the result" are: `_`, what was printed or displayed, every new name, and every
old name that was rebound or changed in place."""

import copy, datetime, itertools, json, math, os, re, types
import numpy as np, pandas as pd
import matplotlib
import matplotlib.pyplot as plt
import matplotlib.collections, matplotlib.patches, matplotlib.container

MARK = "__before__"


def mark(space):
    """Call just before the cell: remembers the namespace, closes figures, records print and display."""
    plt.close("all")
    space.pop("_", None)
    before = {}
    for k, v in list(space.items()):
        if k.startswith("__") or isinstance(v, types.ModuleType):
            continue
        try:
            before[k] = (v, v.copy(deep=True) if isinstance(v, (pd.DataFrame, pd.Series)) else copy.deepcopy(v))
        except Exception:
            before[k] = (v, v)
    said = []

    def record(*a, **k):
        said.append(a)

    space["print"] = record
    space["display"] = record
    space[MARK] = before
    space["__said__"] = said
    space["__files__"] = set(os.listdir("."))


def was(space, name):
    """The value that a name had before the cell (a copy, safe from in-place changes)."""
    return space[MARK][name][1]


def changed(now, old):
    try:
        if isinstance(now, pd.DataFrame):
            return not (
                list(now.columns) == list(old.columns) and now.equals(old) and list(now.index) == list(old.index)
            )
        if isinstance(now, pd.Series):
            return not (now.equals(old) and list(now.index) == list(old.index))
        if isinstance(now, np.ndarray):
            return not (now.shape == old.shape and now.dtype == old.dtype and np.array_equal(now, old))
        if isinstance(now, (list, dict, set, tuple, str, int, float)):
            return now != old
    except Exception:
        return True
    return False


def values(space, kind=None):
    """`_`, printed things, new names, changed names; of one kind (a type or types) if given."""
    out = []
    if space.get("_") is not None:
        out.append(space["_"])
    for a in space.get("__said__", []):
        out.extend(a)
    before = space.get(MARK, {})
    for k, v in space.items():
        if k in ("_", "print", "display") or k.startswith("__") or isinstance(v, types.ModuleType):
            continue
        if k not in before or v is not before[k][0] or changed(v, before[k][1]):
            out.append(v)
    more = []
    for v in out:  # a tuple shown as (a, b), and one level of containers of frames
        if isinstance(v, (tuple, list)) and len(v) <= 8:
            more.extend(v)
        if isinstance(v, dict) and len(v) <= 8:
            more.extend(v.values())
        if hasattr(v, "data") and type(v).__name__ == "Styler":
            more.append(v.data)
    out += more
    return [v for v in out if kind is None or isinstance(v, kind)]


def said(space):
    return "\n".join(" ".join(str(x) for x in a) for a in space.get("__said__", []))


def missing(v):
    try:
        return v is None or v is pd.NaT or v is pd.NA or (isinstance(v, (float, np.floating)) and math.isnan(v))
    except Exception:
        return False


def norm(v):
    if missing(v):
        return None
    if isinstance(v, (bool, np.bool_)):
        return bool(v)
    if isinstance(v, np.generic) and not isinstance(v, (np.datetime64, np.timedelta64)):
        v = v.item()
    if isinstance(v, np.datetime64):
        v = pd.Timestamp(v)
    if isinstance(v, (pd.Timedelta, np.timedelta64, datetime.timedelta)):
        return pd.Timedelta(v) / pd.Timedelta(days=1)
    if isinstance(v, (pd.Timestamp, datetime.datetime)):
        return v.strftime("%Y-%m-%d") if (v.hour, v.minute, v.second) == (0, 0, 0) else v.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(v, datetime.date):
        return v.isoformat()
    if isinstance(v, pd.Period):
        return str(v)
    if isinstance(v, str):
        s = v.strip()
        m = re.fullmatch(r"(\d{4}-\d\d-\d\d)[T ]00:00:00", s)
        return m[1] if m else s
    if isinstance(v, np.ndarray) and v.size == 1:
        return norm(v.ravel()[0])
    if isinstance(v, (tuple, list)):
        return tuple(norm(x) for x in v)
    return v


def number(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool)


def same(a, b, tol=None):
    a, b = norm(a), norm(b)
    if a is None or b is None:
        return a is None and b is None
    if isinstance(a, bool) or isinstance(b, bool):
        return a in (0, 1) and b in (0, 1) and bool(a) == bool(b) and not isinstance(a, str)
    if number(a) and number(b):
        if tol is None and ((abs(b) >= 3 and abs(a - round(b, 1)) < 1e-9) or (abs(b) >= 300 and a == round(b))):
            return True  # rounded
        return abs(a - b) <= (tol if tol is not None else max(0.0051, 5e-4 * abs(b)))
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(same(x, y, tol) for x, y in zip(a, b))
    try:
        return bool(a == b)
    except Exception:
        return False


def alike(a, b, order=False, tol=None):
    """Two flat sequences hold the same values (in the same order if asked)."""
    a, b = [norm(x) for x in a], [norm(x) for x in b]
    if len(a) != len(b):
        return False
    if order:
        return all(same(x, y, tol) for x, y in zip(a, b))
    rest = list(b)
    for x in a:
        for i, y in enumerate(rest):
            if same(x, y, tol):
                del rest[i]
                break
        else:
            return False
    return True


def flat(v):
    """The flat sequences that a value may be read as."""
    if isinstance(v, pd.DataFrame):
        for i in range(v.shape[1]):
            yield list(v.iloc[:, i])
        yield list(v.index)
        if len(v) == 1:
            yield list(v.iloc[0])
        yield list(v.columns)
    elif isinstance(v, pd.Series):
        yield list(v)
        yield list(v.index)
    elif isinstance(v, np.ndarray):
        if v.ndim == 1 or v.size in v.shape:
            yield list(v.ravel())
    elif isinstance(v, (pd.Index, pd.api.extensions.ExtensionArray)):
        yield list(v)
    elif isinstance(v, dict):
        yield list(v)
        yield list(v.values())
    elif isinstance(v, (list, tuple, set, frozenset)):
        v = list(v)
        yield v
        if v and all(isinstance(x, dict) for x in v):
            for k in v[0]:
                yield [x.get(k) for x in v]
        elif v and all(isinstance(x, tuple) for x in v) and len({len(x) for x in v}) == 1:
            for i in range(len(v[0])):
                yield [x[i] for x in v]
    elif isinstance(v, (map, filter, zip, types.GeneratorType)):
        yield list(v)


def scalars(v):
    if isinstance(v, (pd.DataFrame, pd.Series, np.ndarray, pd.Index)):
        if v.size == 1:
            yield np.asarray(v, dtype=object).ravel()[0]
    elif isinstance(v, (list, tuple, set)):
        if len(v) == 1:
            yield from scalars(list(v)[0])
    elif isinstance(v, dict):
        if len(v) == 1:
            yield list(v.values())[0]
    else:
        yield v


def mappings(v, deep):
    """The (key, value) lists that a value may be read as; keys are tuples when deep."""
    if isinstance(v, dict):
        items = list(v.items())
        yield items
        if items and all(isinstance(x, (dict, pd.Series)) for _, x in items):
            yield [((a, b), z) for a, x in items for b, z in dict(x).items()]
            yield [((b, a), z) for a, x in items for b, z in dict(x).items()]
    elif isinstance(v, pd.Series):
        yield list(zip(v.index, v))
        if v.index.nlevels == 2:
            yield [((b, a), z) for (a, b), z in zip(v.index, v)]
    elif isinstance(v, pd.DataFrame):
        if v.columns.nlevels > 1:
            v = v.copy()
            for l in reversed(range(v.columns.nlevels)):
                if v.columns.nlevels > 1 and v.columns.get_level_values(l).nunique() == 1:
                    v.columns = v.columns.droplevel(l)
            if v.columns.nlevels > 1 and any("" in c for c in v.columns):
                v.columns = [[x for x in c if x != ""][-1] for c in v.columns]
        cols = [v.iloc[:, i] for i in range(v.shape[1])]
        for c in cols:
            yield from mappings(c, deep)
        for a, b in itertools.permutations(range(len(cols)), 2):
            yield list(zip(cols[a], cols[b]))
        if deep:
            table = [((i, c), v.iat[r, k]) for r, i in enumerate(v.index) for k, c in enumerate(v.columns)]
            yield table
            yield [((b, a), z) for (a, b), z in table]
            if len(cols) <= 8:
                for a, b, c in itertools.permutations(range(len(cols)), 3):
                    yield [((x, y), z) for x, y, z in zip(cols[a], cols[b], cols[c])]
            if v.index.nlevels == 1 and len(cols) > 1:  # pivot after reset_index
                first = cols[0]
                t = [((first.iat[r], c), v.iat[r, k]) for r in range(len(v)) for k, c in enumerate(v.columns) if k]
                yield t
                yield [((b, a), z) for (a, b), z in t]
        elif len(v) == 1:
            yield list(zip(v.columns, v.iloc[0]))
    elif isinstance(v, (list, tuple)) and v:
        if all(isinstance(x, dict) for x in v):
            try:
                yield from mappings(pd.DataFrame(list(v)), deep)
            except Exception:
                pass
        elif all(isinstance(x, (tuple, list)) and len(x) == 2 for x in v):
            yield [tuple(x) for x in v]
        elif all(isinstance(x, (tuple, list)) and len(x) == 3 for x in v):
            yield [((x[0], x[1]), x[2]) for x in v]


def fits(items, expected, order=False, tol=None, key=None):
    try:
        items = [
            ((key or norm)(k) if not isinstance(k, tuple) else tuple((key or norm)(x) for x in k), x) for k, x in items
        ]
        if len(items) != len(expected):
            items = [(k, x) for k, x in items if k in expected or not (missing(x) or same(x, 0))]
        if len(items) != len(expected) or {k for k, _ in items} != set(expected):
            return False
        if order and [k for k, _ in items] != list(expected):
            return False
        return all(same(x, expected[k], tol) for k, x in items)
    except TypeError:
        return False


def found(space, expected, order=False, tol=None, key=None):
    """Is the expected result among the candidates? expected: a scalar, a list, a dict (key -> value; keys may be
    pairs: then a table, a long frame or a two-level Series will do), or a DataFrame (see table)."""
    if isinstance(expected, pd.DataFrame):
        return table(space, expected, order=order, tol=tol)
    if isinstance(expected, pd.Series):
        expected = {norm(k): x for k, x in expected.items()}
    everything = values(space)
    if isinstance(expected, dict):
        expected = {(tuple(norm(x) for x in k) if isinstance(k, tuple) else norm(k)): x for k, x in expected.items()}
        deep = any(isinstance(k, tuple) for k in expected)
        for v in everything:
            if any(fits(m, expected, order, tol, key) for m in mappings(v, deep)):
                return True
        lines = said(space).splitlines()  # printed line by line
        return (
            bool(lines)
            and not deep
            and all(
                any(
                    str(k) in l
                    and (
                        str(x) in l
                        or (number(norm(x)) and any(same(float(n), x, tol) for n in re.findall(r"-?\d+(?:\.\d+)?", l)))
                    )
                    for l in lines
                )
                for k, x in expected.items()
            )
        )
    if isinstance(expected, (list, tuple, set, np.ndarray, pd.Index)):
        if isinstance(expected, np.ndarray) and expected.ndim > 1:
            return any(
                np.shape(v) == expected.shape and np.allclose(np.asarray(v, float), expected, atol=tol or 0.0051)
                for v in values(space, (np.ndarray, pd.DataFrame, list))
                if numeric(v)
            )
        expected = list(expected)
        for v in everything:
            for s in flat(v):
                if alike(s, expected, order, tol):
                    return True
        lines = [a[0] if len(a) == 1 else " ".join(map(str, a)) for a in space.get("__said__", [])]
        return alike(lines, expected, order, tol) or all_in([str(x) for x in expected], said(space), order)
    for v in everything:
        for s in scalars(v):
            if same(s, expected, tol):
                return True
    text = [v for v in values(space, str)]
    if number(norm(expected)):
        for t in text:
            for n in re.findall(r"-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?", t):
                try:
                    if same(float(n.replace(",", "")), expected, tol):
                        return True
                except ValueError:
                    pass
        return False
    return any(str(expected) in str(t) for t in said(space).splitlines())


def all_in(words, text, order=False):
    """All words are in one short printed text (no more words than asked can't be checked: used for printed lists)."""
    if not text or not words:
        return False
    at = [text.find(w) for w in words]
    if min(at) < 0:
        return False
    if order and at != sorted(at):
        return False
    return len(re.findall(r"\S+", text)) <= 2 * sum(len(w.split()) for w in words) + 4 and text.count("\n") <= len(
        words
    )


def numeric(v):
    try:
        np.asarray(v, float)
        return True
    except Exception:
        return False


def frames(space):
    """Candidate frames, with named index levels also as columns."""
    out = []
    for v in values(space):
        if isinstance(v, list) and v and all(isinstance(x, dict) for x in v):
            try:
                v = pd.DataFrame(v)
            except Exception:
                continue
        if isinstance(v, pd.Series) and v.name is not None:
            v = v.to_frame()
        if isinstance(v, pd.DataFrame):
            out.append(v)
            if any(n is not None for n in v.index.names):
                try:
                    out.append(v.reset_index())
                except Exception:
                    pass
    return out


def table(space, expected, cols=None, order=False, tol=None):
    """A candidate frame holds exactly these rows, looked at in these columns (default: all of expected)."""
    cols = list(cols or expected.columns)
    want = list(expected[cols].itertuples(index=False, name=None))
    for f in frames(space):
        if f.columns.is_unique and all(c in f.columns for c in cols):
            if alike(list(f[cols].itertuples(index=False, name=None)), want, order, tol):
                return True
    return False


def column(space, expected, name=None, tol=None, order=True, rows=None):
    """A candidate frame of full length has a column with these values (under that name, if given)."""
    for f in frames(space):
        for i, c in enumerate(f.columns):
            if name is not None and c != name:
                continue
            if alike(list(f.iloc[:, i]), list(expected), order, tol) and (rows is None or f.shape[1] >= rows):
                return True
    return False


def month(k):
    """5 for 5, 'May', '2024-05', Period, Timestamp in May."""
    names = "jan feb mar apr may jun jul aug sep oct nov dec".split()
    if isinstance(k, (pd.Timestamp, pd.Period, datetime.date)):
        return k.month
    if isinstance(k, np.datetime64):
        return pd.Timestamp(k).month
    if isinstance(k, str):
        if k[:3].lower() in names:
            return names.index(k[:3].lower()) + 1
        m = re.match(r"\d{4}-(\d\d)", k)
        if m:
            return int(m[1])
        if k.isdigit():
            return int(k)
    return norm(k)


def weekday(k):
    """0 for Monday, from a number, a name or a date."""
    names = "mon tue wed thu fri sat sun".split()
    if isinstance(k, (pd.Timestamp, datetime.date)):
        return k.weekday()
    if isinstance(k, str) and k[:3].lower() in names:
        return names.index(k[:3].lower())
    return norm(k)


def functions(space):
    return [v for v in values(space) if callable(v) and not isinstance(v, type)]


def does(space, *cases, tol=None):
    """Some new function gives the expected result in every case; a case is (args..., result)."""
    for f in functions(space):
        try:
            for *args, result in cases:
                got = f(*copy.deepcopy(args))
                if isinstance(got, (map, filter, types.GeneratorType)):
                    got = list(got)
                if isinstance(got, (pd.Series, np.ndarray, pd.Index)):
                    got = list(got)
                if isinstance(result, (list, tuple)) and isinstance(got, (list, tuple)):
                    assert alike(got, result, True, tol)
                elif isinstance(result, (dict, set)):
                    assert got == result
                else:
                    assert same(got, result, tol)
            return True
        except Exception:
            continue
    return False


def drawn():
    """All axes of open figures that hold something."""
    axes = [a for n in plt.get_fignums() for a in plt.figure(n).axes]
    return [a for a in axes if a.lines or a.patches or a.collections or a.images or a.containers]


def bars(ax):
    """(labels, lengths, horizontal?) of the bars of an axes, in order of position."""
    r = [
        p for p in ax.patches if isinstance(p, matplotlib.patches.Rectangle) and (p.get_width() or p.get_height())
    ]  # seaborn's legend: empty ones
    if not r:
        return [], [], False
    orient = [
        getattr(c, "orientation", None) for c in ax.containers if isinstance(c, matplotlib.container.BarContainer)
    ]
    flatly = (
        orient[0] == "horizontal"
        if orient and orient[0]
        else len({round(p.get_height(), 9) for p in r}) == 1 and len({round(p.get_width(), 9) for p in r}) > 1
    )
    ax.figure.canvas.draw()
    axis = ax.yaxis if flatly else ax.xaxis
    ticks = [(t, l.get_text()) for t, l in zip(axis.get_ticklocs(), axis.get_ticklabels())]
    got = []
    for p in r:
        mid = p.get_y() + p.get_height() / 2 if flatly else p.get_x() + p.get_width() / 2
        wide = abs(p.get_height() if flatly else p.get_width())
        near = [l for t, l in ticks if abs(t - mid) <= max(wide, 0.5)]
        best = min(ticks, key=lambda t: abs(t[0] - mid))[1] if ticks and near else ""
        got.append((mid, best, p.get_width() if flatly else p.get_height()))
    got.sort(key=lambda g: g[0])
    return [g[1] for g in got], [g[2] for g in got], flatly


def barred(expected, order=False, tol=None, horizontal=None):
    """Some axes shows bars of these lengths (a list, or a dict label -> length)."""
    for ax in drawn():
        labels, sizes, flatly = bars(ax)
        if horizontal is not None and flatly != horizontal:
            continue
        if isinstance(expected, dict):
            if len(sizes) != len(expected):
                continue
            if order and not (
                alike(sizes, expected.values(), True, tol)
                or (flatly and alike(sizes[::-1], expected.values(), True, tol))
            ):
                continue
            if alike(list(zip([norm(l) for l in labels], sizes)), list(expected.items()), False, tol):
                return True
        elif alike(sizes, expected, order, tol) or (order and flatly and alike(sizes[::-1], expected, order, tol)):
            return True
    return False


def lined(ys, xs=None, tol=None):
    """Some line goes through these y values, in order (and these x values)."""
    for ax in drawn():
        for l in ax.lines:
            if l.get_linestyle() in ("None", " ", ""):
                continue
            y = np.ma.filled(np.ma.asarray(l.get_ydata(orig=False), float), np.nan)
            if alike(list(y), list(ys), True, tol) and (
                xs is None or alike(list(l.get_xdata(orig=False)), list(xs), True, tol)
            ):
                return True
    return False


def scattered(xs, ys, tol=None):
    """These points are shown as points (all groups taken together); x and y not swapped."""
    for ax in drawn():
        pts = [
            tuple(map(float, p))
            for c in ax.collections
            if isinstance(c, matplotlib.collections.PathCollection)
            for p in np.ma.filled(c.get_offsets(), np.nan)
        ]
        pts += [
            (float(x), float(y))
            for l in ax.lines
            if l.get_linestyle() in ("None", " ", "")
            for x, y in zip(l.get_xdata(orig=False), l.get_ydata(orig=False))
        ]
        pts = [p for p in pts if not any(map(math.isnan, p))]
        if alike(pts, [(float(x), float(y)) for x, y in zip(xs, ys)], False, tol):
            return True
    return False


def histogrammed(data, bins=None):
    """Some axes shows a histogram of the data: bars over its range whose heights sum to the count (or to a density)."""
    data = np.asarray([x for x in data if not missing(x)], float)
    for ax in drawn():
        r = [p for p in ax.patches if isinstance(p, matplotlib.patches.Rectangle)]
        if len(r) < 2 or (bins and len(r) != bins):
            continue
        lo, hi = min(p.get_x() for p in r), max(p.get_x() + p.get_width() for p in r)
        if lo > data.min() + 1e-6 or hi < data.max() - 1e-6 or hi - lo > 3 * (data.max() - data.min()) + 1:
            continue
        if all(
            any(
                same(
                    p.get_height(),
                    s
                    * int(
                        ((data >= p.get_x() - 1e-9) & (data < p.get_x() + p.get_width() - 1e-9)).sum()
                        + (abs(p.get_x() + p.get_width() - hi) < 1e-9) * (abs(data - hi) < 1e-9).sum()
                    ),
                    1e-3,
                )
                for s in (1, 1 / len(data), 100 / len(data), 1 / len(data) / max(p.get_width(), 1e-9))
            )
            for p in r
        ) and any(p.get_height() > 0 for p in r):
            return True
    return False


def boxed(medians):
    """Some axes shows box plots with these medians."""
    for ax in drawn():
        level = []
        for l in ax.lines:
            for d in (l.get_ydata(orig=False), l.get_xdata(orig=False)):
                if len(d) >= 2 and len(set(np.round(np.asarray(d, float), 9))) == 1:
                    level.append(float(d[0]))
        if (
            all(any(same(m, x) for x in level) for m in medians)
            and len(ax.lines) >= 5 * len(medians)
            and len(ax.lines) < 5 * (len(medians) + 1) + 4
        ):
            return True
    return False


def pied(sizes):
    total = sum(sizes)
    for ax in drawn():
        w = [(p.theta2 - p.theta1) / 360 for p in ax.patches if isinstance(p, matplotlib.patches.Wedge)]
        if w and alike(w, [s / total for s in sizes], False, 0.003):
            return True
    return False


def heated(matrix, tol=None):
    """An image or mesh shows this matrix (either way up)."""
    m = np.asarray(matrix, float)
    for ax in drawn():
        for c in list(ax.images) + [c for c in ax.collections if isinstance(c, matplotlib.collections.QuadMesh)]:
            a = np.ma.filled(np.ma.asarray(c.get_array(), float), np.nan)
            for n in (m, m.T):
                if a.size == n.size and np.allclose(a.reshape(n.shape), n, atol=0.006, equal_nan=True):
                    return True
    return False


def words():
    """Titles, axis labels, legends and texts on all figures, in lower case."""
    out = []
    for n in plt.get_fignums():
        f = plt.figure(n)
        if f._suptitle:
            out.append(f._suptitle.get_text())
        for a in f.axes:
            out += [a.get_title(), a.get_title("left"), a.get_title("right"), a.get_xlabel(), a.get_ylabel()] + [
                t.get_text() for t in a.texts
            ]
            if a.get_legend():
                out += [t.get_text() for t in a.get_legend().get_texts()]
    return "\n".join(out).lower()


def titles():
    return "\n".join(
        [a.get_title(w) for a in drawn() for w in ("center", "left", "right")]
        + [plt.figure(n)._suptitle.get_text() for n in plt.get_fignums() if plt.figure(n)._suptitle]
    ).lower()


def fitted(space, *kinds):
    """Candidate estimators that are fitted (pipelines and searches count by their last step)."""
    from sklearn.utils.validation import check_is_fitted

    out = []
    for v in values(space):
        last = v
        if hasattr(last, "best_estimator_"):
            last = last.best_estimator_
        if hasattr(last, "steps"):
            last = last.steps[-1][1]
        if kinds and not isinstance(last, kinds):
            continue
        if not hasattr(v, "fit") or isinstance(v, type):
            continue
        try:
            check_is_fitted(v)
            out.append(v)
        except Exception:
            pass
    return out
