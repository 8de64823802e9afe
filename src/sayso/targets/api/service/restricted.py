"""A service that refuses what Microsoft Graph refuses, in Graph's words, shows that a plan asks for nothing else.

What is refused is data (`data/graph_restrictions.toml`); how a query is read here owes nothing to the planner.
"""

from __future__ import annotations

from collections.abc import Iterator

from odata_query import ast

from sayso.targets.api.requests.planner import Restrictions, graph_restrictions
from sayso.targets.api.service.filters import TESTS, parse_filter, path_of
from sayso.targets.api.service.options import Options
from sayso.targets.api.service.refusals import Refused, shown


def as_graph(path: str, options: Options) -> None:
    """Raises Refused where Graph would not answer."""
    known = graph_restrictions().get(f"/{path}")
    if known is not None:
        _search(options, known)
        _filter(options, known)
        _order(options, known)
        if options.count and not known.counts:
            raise Refused("The query parameter '$count' is not supported here", "invalidRequest")


def _search(options: Options, known: Restrictions) -> None:
    if not options.search:
        return
    if not known.searches:
        raise Refused("The query parameter '$search' is not supported for this resource")
    for name, given in (("filter", options.filter), ("orderby", options.orderby), ("count", options.count)):
        if given and name not in known.beside:
            code = {"filter": "SearchWithFilter", "orderby": "SearchWithOrderBy"}.get(name, "BadRequest")
            raise Refused(f"The query parameter '${name}' is not supported with '$search'", code)


def _filter(options: Options, known: Restrictions) -> None:
    if not options.filter:
        return
    tree = parse_filter(options.filter)
    for path, function in compared(tree):
        if path in known.unfiltered or ("*" not in known.filters and path not in known.filters):
            raise Refused(f"Filtering by {shown(path)} is not supported", "notSupported")
        if path in known.expands:
            raise Refused(f"The property {shown(path)} cannot be used in the query")
        if function and function not in known.functions:
            raise Refused(f"The function {function!r} is not supported in a filter here", "ErrorInvalidUrlQueryFilter")
    if known.leads and options.orderby:
        wanted = [part.strip().split()[0] for part in options.orderby.split(",")]
        met = list(dict.fromkeys(path for path, _ in compared(tree)))
        if met[: len(wanted)] != wanted:
            message = "The restriction or sort order is too complex for this operation."
            raise Refused(message, "InefficientFilter")


def _order(options: Options, known: Restrictions) -> None:
    for part in options.orderby.split(",") if options.orderby else ():
        path = part.strip().split(" ")[0]
        if "*" not in known.sorts and path not in known.sorts:
            raise Refused(f"Sorting by {shown(path)} is not supported", "notSupported")


def compared(node: object, owner: str = "") -> Iterator[tuple[str, str]]:
    """(field, function or "") of every condition, as they stand; inside `any`, the field is the collection."""
    if isinstance(node, ast.BoolOp):
        yield from compared(node.left, owner)
        yield from compared(node.right, owner)
    elif isinstance(node, ast.UnaryOp):
        yield from compared(node.operand, owner)
    elif isinstance(node, ast.CollectionLambda):
        yield from compared(node.lambda_.expression, path_of(node.owner)) if node.lambda_ else ()
    elif isinstance(node, ast.Compare):
        yield owner or path_of(node.left), ""
    elif isinstance(node, ast.Call):
        name = node.func.name.casefold()
        yield owner or next((path for one in node.args if (path := path_of(one))), ""), name if name in TESTS else ""
    elif path := path_of(node):
        yield path, ""
