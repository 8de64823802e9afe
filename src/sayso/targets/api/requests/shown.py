"""A plan as text that runs as it stands: a URL, a curl or httpie command, a Python program, or JSON. Nothing is sent.

The key is never in the text: a shell reads `$GRAPH_TOKEN`, Python its environment. Only Python does what a plan leaves
to this side; the others ask for the first page, and what is left is said beside them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime

from sayso.core.errors import BadInstruction
from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.requests.odata import options_of, query_of, times_told, url_of
from sayso.targets.api.requests.planner import Find, First, Keep, Number, Plan, Show, Sort, Step, plan
from sayso.targets.api.requests.tree import All, Any, Compare, Either, Node, Not, filter_text

TOKEN = "GRAPH_TOKEN"


def shell_word(text: str) -> str:
    """One word for any POSIX shell, always in single quotes."""
    return "'" + text.replace("'", "'\"'\"'") + "'"


def as_url(planned: Plan) -> str:
    return url_of(planned.server)


def as_curl(planned: Plan) -> str:
    return f'curl -sS -H "Authorization: Bearer ${TOKEN}" {shell_word(as_url(planned))}'


def as_httpie(planned: Plan) -> str:
    return f'http --ignore-stdin GET {shell_word(as_url(planned))} "Authorization:Bearer ${TOKEN}"'


def as_json(planned: Plan) -> str:
    """What is asked, option by option, what is left to this side in words, and why."""
    shape = {
        "method": "GET",
        "url": as_url(planned),
        "headers": {"Authorization": f"Bearer ${TOKEN}"},
        "options": options_of(planned.server),
        "then": [told(step) for step in planned.client],
        "said": list(planned.said),
    }
    return json.dumps(shape, ensure_ascii=False)


def told(step: Step) -> str:
    """A step in words."""
    match step:
        case Keep(node):
            return f"keep what has {filter_text(node)}"
        case Find(words, paths):
            return f"keep what has {words!r} in {', '.join(paths)}"
        case Number():
            return "count"
        case Sort(by):
            return f"sort by {', '.join(f'{path} {way}' for path, way in by)}"
        case First(n):
            return f"take the first {n}"
        case Show(names):
            return f"show only {', '.join(names)}"


STAYS = (
    "class Stays(urllib.request.HTTPRedirectHandler):",
    "    def redirect_request(self, *_):",
    "        return None  # the key is for this server alone",
)
"""Lines of a printed program that follow no redirect, which Python's library does, with all headers."""
OPENER = "urllib.request.build_opener(Stays)"


def as_python(planned: Plan) -> str:
    """A program for Python's own library: the pages, what is left to this side, and the rows or their number."""
    counted = planned.server.count or Number() in planned.client
    more = "None" if planned.server.top is not None else 'page.get("@odata.nextLink")'
    host = as_url(planned).partition("/v1.0/")[0] + "/"
    lines = [
        "import json, os, urllib.request",
        *STAYS,
        f"url = {as_url(planned)!r}",
        f'headers = {{"Authorization": "Bearer " + os.environ["{TOKEN}"]}}',
        "rows = []",
        "while url:",
        f"    with {OPENER}.open(urllib.request.Request(url, headers=headers)) as answer:",
        "        page = json.load(answer)",
        '    rows += page["value"]',
        f"    url = {more}",
        f"    assert url is None or url.startswith({host!r}), url",
    ]
    if counted and Number() not in planned.client:
        lines.insert(-1, '    count = page.get("@odata.count", len(rows))')
    if any(isinstance(step, Keep | Find | Sort) for step in planned.client):
        lines += HELPERS
    lines += [line for step in planned.client for line in _python(step)]
    lines.append("print(count)" if counted else "print(json.dumps(rows, indent=2, ensure_ascii=False))")
    return "\n".join(lines)


HELPERS = [
    "def at(row, *names):",
    "    for name in names:",
    "        row = row.get(name) if isinstance(row, dict) else None",
    '    return row.split(".0000")[0].casefold() if isinstance(row, str) else row',
]


def _python(step: Step) -> list[str]:
    match step:
        case Keep(node):
            return [f"rows = [row for row in rows if {_expression(node)}]"]
        case Find(words, paths):
            texts = ", ".join(f"at(row, {_names(path)})" for path in paths)
            wanted = " ".join(words.casefold().split())
            return [f"rows = [row for row in rows if any({wanted!r} in (text or '') for text in [{texts}])]"]
        case Number():
            return ["count = len(rows)"]
        case Sort(by):
            lines = ['rows.sort(key=lambda row: str(row.get("id", "")))']
            for path, way in reversed(by):
                value = f"at(row, {_names(path)})"
                reverse = ", reverse=True" if way == "desc" else ""
                lines.append(f"rows.sort(key=lambda row: ({value} is not None, {value}){reverse})")
            return lines
        case First(n):
            return [f"rows = rows[:{n}]"]
        case Show(names):
            return [f"rows = [{{name: row.get(name) for name in {[*names]!r}}} for row in rows]"]


def _expression(node: Node) -> str:
    match node:
        case Compare(path, operator, value):
            return _compared(f"at(row, {_names(path)})", operator, value)
        case Any(path, each):
            item = f"x/{each.path}" if each.path else "x"
            inside = _compared(f'at({{"x": one}}, {_names(item)})', each.operator, each.value)
            return f"any({inside} for one in at(row, {_names(path)}) or [])"
        case Not(part):
            return f"not ({_expression(part)})"
        case All(parts):
            return " and ".join(f"({_expression(one)})" for one in parts)
        case Either(parts):
            return " or ".join(f"({_expression(one)})" for one in parts)


def _compared(found: str, operator: str, value: object) -> str:
    if isinstance(value, datetime):
        value = value.strftime("%Y-%m-%dT%H:%M:%SZ")
    literal = repr(value.casefold() if isinstance(value, str) else value)
    if operator in ("eq", "ne"):
        return f"{found} {'==' if operator == 'eq' else '!='} {literal}"
    if operator == "contains":
        return f"{literal} in ({found} or '')"
    if operator in ("startswith", "endswith"):
        return f"({found} or '').{operator}({literal})"
    sign = {"gt": ">", "ge": ">=", "lt": "<", "le": "<="}[operator]
    return f"({found} is not None and {found} {sign} {literal})"


def _names(path: str) -> str:
    return ", ".join(repr(name) for name in path.split("/"))


SHAPES: dict[str, Callable[[Plan], str]] = {
    "curl": as_curl,
    "url": as_url,
    "httpie": as_httpie,
    "python": as_python,
    "json": as_json,
}
"""What `--as` knows; the first is what is shown without it."""


def every_shape(call: str, clock: Clock) -> dict[str, object]:
    """A call in every shape, with what its words of time stand for and what is left to this side under `said`.

    A call that no request can say has none, and `said` has the reason.
    """
    try:
        planned = plan(query_of(call, clock))
        texts: dict[str, object] = {name: shape(planned) for name, shape in SHAPES.items()}
    except BadInstruction as error:
        return {"said": [f"no request can be made of this: {error.message}"]}
    whole = ["--as python reads every page and does what is left to this side"] if planned.client else []
    return {**texts, "said": [*times_told(call, clock), *planned.said, *whole]}
