"""Debian's control format: paragraphs of fields with continuation lines, and the relations that fields hold.

Written from Debian Policy, chapters 5 and 7. Reads .dsc (its signature is stepped over, not checked), Sources,
debian/control and debian/copyright. Substitution variables are left out of relations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sayso.core.errors import BadFile
from sayso.targets.build.corpus.records import Relation

Paragraph = dict[str, str]
"""Field names in lower case, since case does not count; lines of a value are joined by line feeds."""

LONGEST, MOST_FIELDS = 8 << 20, 500
"""Characters of one paragraph, and fields: beyond any real one."""
MOST_RELATIONS = 5_000

SIGNED, SIGNATURE = "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----"
FIELD = re.compile(r"([!-\"$-,.-9;-~][!-9;-~]*):[ \t]*(.*)", re.DOTALL)
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9+.\-]*(?::[a-z0-9\-]+)?")
VERSION = re.compile(r"(<<|<=|>=|>>|=|<|>)\s*([A-Za-z0-9.+:~\-]+)")


def read_paragraphs(lines: Iterable[str], name: str = "control file") -> Iterator[Paragraph]:
    """Paragraph by paragraph, so that an index of any length can be read; raises BadFile at a line that is no field."""
    fields: dict[str, list[str]] = {}
    current: list[str] | None = None
    size, signed = 0, False
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r\n")
        if signed:  # the armour's own header lines end at an empty one
            signed = bool(line.strip())
            continue
        if line.rstrip() == SIGNED:
            signed = True
            continue
        if line.rstrip() == SIGNATURE:
            break
        if line.startswith("#"):
            continue
        if not line.strip():
            if fields:
                yield joined(fields)
            fields, current, size = {}, None, 0
            continue
        size += len(line)
        if size > LONGEST:
            raise BadFile(f"{name}:{number}: a paragraph of more than {LONGEST:,} characters", "give a control file")
        if line[0] in " \t":
            if current is None:
                raise BadFile(f"{name}:{number}: a continuation line before any field", "a field is `Name: value`")
            current.append(line[1:].rstrip())
            continue
        found = FIELD.fullmatch(line)
        if not found:
            raise BadFile(f"{name}:{number}: not a field: {line[:60]!r}", "a field is `Name: value`")
        key = found[1].lower()
        if key in fields:
            raise BadFile(f"{name}:{number}: the field {found[1][:60]} stands twice", "a field may stand once")
        if len(fields) >= MOST_FIELDS:
            raise BadFile(f"{name}:{number}: more than {MOST_FIELDS} fields in a paragraph", "give a control file")
        current = fields[key] = [found[2].rstrip()]
    if fields:
        yield joined(fields)


def joined(fields: dict[str, list[str]]) -> Paragraph:
    return {name: "\n".join(lines) for name, lines in fields.items()}


def description_of(value: str) -> tuple[str, str]:
    """The value of Description -> (the line, the text below it); " ." stands for an empty line."""
    short, _, rest = value.partition("\n")
    return short.strip(), "\n".join("" if line.strip() == "." else line for line in rest.split("\n")).strip("\n")


def read_relations(text: str) -> tuple[Relation, ...]:
    """`a (>= 1) [amd64 !i386] <!nocheck> | b, c` -> one Relation a comma, alternatives inside; raises BadFile."""
    items = text.replace("\n", " ").split(",")
    if len(items) > MOST_RELATIONS:
        raise BadFile(f"{len(items):,} relations in one field", "give a control file")
    found = []
    for item in items:
        words = [one.strip() for one in item.split("|")]
        choices = [read_relation(one) for one in words if one and not one.startswith("$")]
        if choices:
            first = choices[0]
            found.append(Relation(first.name, first.version, first.arches, first.profiles, tuple(choices[1:])))
    return tuple(found)


def read_relation(text: str) -> Relation:
    name = NAME.match(text)
    if not name:
        raise BadFile(f"not a relation: {text[:60]!r}", "a relation is `name (>= version) [arch] <profile>`")
    version = ""
    arches: tuple[str, ...] = ()
    profiles: list[str] = []
    rest = text[name.end() :].strip()
    while rest:
        end = rest.find({"(": ")", "[": "]", "<": ">"}.get(rest[0], "\0"))
        if end < 0:
            raise BadFile(f"not a relation: {text[:60]!r}", "a relation is `name (>= version) [arch] <profile>`")
        inside = rest[1:end].strip()
        if rest[0] == "(":
            version = inside if "$" in inside else constraint(inside, text)
        elif rest[0] == "[":
            arches = tuple(inside.split())
        else:
            profiles.append(" ".join(inside.split()))
        rest = rest[end + 1 :].strip()
    return Relation(name[0], version, arches, tuple(profiles))


def constraint(inside: str, text: str) -> str:
    found = VERSION.fullmatch(inside)
    if not found:
        raise BadFile(f"not a version in {text[:60]!r}", "a version is `(>= 1.2)`")
    return f"{found[1]} {found[2]}"
