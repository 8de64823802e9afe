"""The query of a request as OData's options: what may be said, how long it may be, and what is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote_plus

from sayso.targets.api.service.refusals import Refused, shown

KNOWN = ("$filter", "$search", "$orderby", "$top", "$skip", "$select", "$expand", "$count", "$skiptoken")
LONGEST = 20_000
NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class Options:
    filter: str = ""
    search: str = ""
    orderby: str = ""
    top: int | None = None
    skip: int = 0
    select: tuple[str, ...] = ()
    expand: tuple[str, ...] = ()
    count: bool = False
    skiptoken: int = 0
    """How many rows the pages before this one gave."""


def read_options(query: bytes) -> Options:
    """%24top=5&$filter=isRead%20eq%20false -> Options; raises Refused."""
    if len(query) > LONGEST:
        raise Refused(f"The query is longer than {LONGEST} characters", "RequestTooLong")
    said: dict[str, str] = {}
    for part in query.decode("latin-1").split("&") if query else ():
        name, _, value = part.partition("=")
        name, value = _decoded(name), _decoded(value)
        if name not in KNOWN:
            raise Refused(f"The query parameter {shown(name)} is not supported; there are {', '.join(KNOWN)}")
        if name in said:
            raise Refused(f"Query option {name!r} was specified more than once, but it must be specified at most once")
        said[name] = value
    for name in ("$filter", "$search", "$orderby", "$select", "$expand"):
        if name in said and not said[name].strip():
            raise Refused(f"The value of {name!r} is empty")
    if said.get("$count", "true") not in ("true", "false"):
        raise Refused(f"Invalid value {shown(said['$count'])} for $count: true or false")
    return Options(
        said.get("$filter", ""),
        said.get("$search", ""),
        said.get("$orderby", ""),
        _number("$top", said["$top"]) if "$top" in said else None,
        _number("$skip", said.get("$skip", "0")),
        tuple(part.strip() for part in said["$select"].split(",")) if "$select" in said else (),
        tuple(part.strip() for part in said["$expand"].split(",")) if "$expand" in said else (),
        said.get("$count") == "true",
        _number("$skiptoken", said.get("$skiptoken", "0")),
    )


def _decoded(text: str) -> str:
    try:
        found = unquote_plus(text, errors="strict")
    except UnicodeDecodeError:
        raise Refused("The query is not UTF-8") from None
    if "\x00" in found or (not found.isascii() and any("\ud800" <= letter <= "\udfff" for letter in found)):
        raise Refused("The query holds characters that no text has")
    return found


def _number(name: str, text: str) -> int:
    if not NUMBER.fullmatch(text):
        raise Refused(f"Invalid value {shown(text)} for {name}: a whole number that is not negative")
    return int(text)
