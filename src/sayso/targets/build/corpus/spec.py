"""RPM spec files on disk as records: every field of figure 1d, the scripts, files and subpackages. Nothing is run.

Where a condition can be known (a defined macro, an option, an architecture) its branch is taken, else its first one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sayso.core.errors import BadFile
from sayso.core.given import read_plain
from sayso.targets.build.corpus.records import Binary, Package, Relation
from sayso.targets.build.corpus.spec_macros import Macros, holds

LARGEST, MOST_LINES, DEEPEST = 8 << 20, 200_000, 100
SCRIPTS = ("prep", "conf", "generate_buildrequires", "build", "install", "check", "clean")
SCRIPTLETS = ("pre", "post", "preun", "postun", "pretrans", "posttrans")
TRIGGERS = ("triggerprein", "triggerin", "triggerun", "triggerpostun", "filetriggerin", "filetriggerun", "verifyscript")
OTHERS = ("package", "description", "files", "changelog", "sourcelist", "patchlist")
SECTION = re.compile(rf"%({'|'.join((*SCRIPTS, *SCRIPTLETS, *TRIGGERS, *OTHERS))})(?![\w:(])(.*)")
TAG = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)(?:\(([^)]*)\))?\s*:[ \t]*(.*)")
DEFINED = re.compile(r"\s*%(global|define)\s+([A-Za-z_][A-Za-z0-9_]*)(\([^)]*\))?\s*(.*)", re.DOTALL)
CONDITION = re.compile(r"\s*%(if|ifarch|ifnarch|ifos|ifnos|elif|elifarch|elifos|else|endif)(?![\w(])(.*)")
LDCONFIG = re.compile(r"%ldconfig_(scriptlets|postun|post)(?![\w:(])(.*)")
"""Stands for the scriptlets that nearly every library has."""
SIGNS = ("<", "<=", "=", "==", ">=", ">")


@dataclass
class Section:
    """One part of the file: its name, what stands behind it on its line, and its lines."""

    name: str
    words: list[str]
    lines: list[str] = field(default_factory=list)

    def owner(self, main: str) -> str:
        """The package that it belongs to: "devel" -> "NAME-devel", "-n libfoo" -> "libfoo"."""
        words, at = self.words, 0
        while at < len(words):
            if words[at] == "-n" and at + 1 < len(words):
                return words[at + 1]
            if words[at].startswith("-"):
                at += 2 if words[at] in ("-f", "-l", "-p") else 1
                continue
            return f"{main}-{words[at]}"
        return main


def read_spec(path: Path, macros: Mapping[str, str] | None = None, arch: str = "x86_64") -> Package:
    """The record of a spec file; `macros` are what a machine would define, for example {"fedora": "17"}."""
    try:
        text = read_plain(path, LARGEST).decode("utf-8", "replace")
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}", "give a .spec file") from error
    return parse_spec(text, path.name, macros, arch)


def parse_spec(text: str, name: str, macros: Mapping[str, str] | None = None, arch: str = "x86_64") -> Package:
    known = Macros({"nil": "", **(macros or {})})
    sections = split_sections(kept_lines(text, known, arch, name), known)
    heads: dict[str, dict[str, list[str]]] = {}
    main = tags_of(sections[0], known)
    title = last(main, "name")
    if not title:
        raise BadFile(f"{name} has no Name", "give a .spec file")
    heads[title] = main
    for section in sections[1:]:
        if section.name == "package":
            heads.setdefault(section.owner(title), {}).update(tags_of(section, known))
    texts = [one for one in reversed(sections) if one.name == "description" and "-l" not in one.words]
    described = {one.owner(title): prose(one) for one in texts}
    return Package(
        name=title,
        version=last(main, "version"),
        release=last(main, "release"),
        summary=last(main, "summary"),
        description=described.get(title, ""),
        licence=last(main, "license") or last(main, "licence"),
        url=last(main, "url"),
        section=last(main, "group"),
        arch=tuple((last(main, "buildarch") or last(main, "buildarchitectures")).split()),
        requires=needs(main, "requires"),
        build_requires=needs(main, "buildrequires"),
        scripts=scripts_of(sections, title),
        files=tuple(line.strip() for one in sections if one.name == "files" for line in one.lines if line.strip()),
        group=title,
        by="rpm",
        binaries=tuple(
            Binary(owner, last(tags, "summary"), described.get(owner, ""), last(tags, "group"),
                   tuple(last(tags, "buildarch").split()), needs(tags, "requires"))
            for owner, tags in heads.items()
        ),
    )  # fmt: skip


def kept_lines(text: str, known: Macros, arch: str, name: str) -> Iterator[str]:
    """Lines in the branches that are taken; definitions are made on the way and are not among them."""
    branches: list[tuple[bool, bool]] = []  # (this one is taken, one of them was)
    lines = iter(text.replace("\0", "\ufffd").split("\n"))
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r")
        if number > MOST_LINES:
            raise BadFile(f"{name} has more than {MOST_LINES:,} lines", "give a .spec file")
        taken = all(now for now, _ in branches)
        if condition := CONDITION.match(line):
            word, rest = condition[1], condition[2]
            if word == "endif":
                if branches:
                    branches.pop()
            elif word.startswith("el"):
                if branches:
                    _, before = branches.pop()
                    fits = not before and (word == "else" or is_taken(word[2:], rest, known, arch))
                    branches.append((fits, before or fits))
            elif len(branches) >= DEEPEST:
                raise BadFile(f"{name}:{number}: conditions nested deeper than {DEEPEST}", "give a .spec file")
            else:
                fits = taken and is_taken(word, rest, known, arch)
                branches.append((fits, fits))
        elif taken and (defined := DEFINED.match(line)):
            body = [defined[4]]
            while body[-1].endswith("\\") and (more := next(lines, None)) is not None:
                body[-1] = body[-1][:-1]
                body.append(more.rstrip("\r"))
            depth = sum(map(open_macros, body))
            while depth > 0 and (more := next(lines, None)) is not None:
                body.append(more.rstrip("\r"))
                depth += open_macros(body[-1])
            if not defined[3]:  # one that takes arguments is not expanded
                known.define(defined[2], "\n".join(body).strip(), defined[1] == "global")
        elif taken and line.startswith("%bcond"):
            known.option(line)
        elif taken:
            yield line


def open_macros(line: str) -> int:
    """Braces that a line of a definition leaves open: its body then goes on below it."""
    return line.count("{") - line.count("}")


def is_taken(word: str, rest: str, known: Macros, arch: str) -> bool:
    if word in ("ifarch", "ifnarch"):
        listed = known.expand(rest).split()
        return any("%" in one for one in listed) or (arch in listed) == (word == "ifarch")
    if word in ("ifos", "ifnos"):
        return ("linux" in rest.split()) == (word == "ifos")
    return holds(known.expand(rest.split("#", 1)[0]))


def split_sections(lines: Iterator[str], known: Macros) -> list[Section]:
    """The preamble, then every section; scripts are expanded as far as macros are known when their line is read."""
    sections = [Section("package", [])]
    for line in lines:
        if found := SECTION.match(line):
            sections.append(Section(found[1], known.expand(found[2]).split()))
            continue
        if found := LDCONFIG.match(line):
            names = ("post", "postun") if found[1] == "scriptlets" else (found[1],)
            words = known.expand(found[2]).split()
            sections += [Section(name, [*words, "-p", "/sbin/ldconfig"]) for name in names]
            continue
        current = sections[-1]
        if current.name == "package":
            if len(sections) == 1 and (tag := TAG.match(line)) and tag[1].lower() in ("name", "version", "release"):
                known.known[tag[1].lower()] = known.expand(tag[3].strip())
            current.lines.append(line)
        else:
            current.lines.append(line if line.startswith("#") else known.expand(line))
    return sections


def tags_of(section: Section, known: Macros) -> dict[str, list[str]]:
    """Tag in lower case -> its values; Requires(post) counts as Requires."""
    found: dict[str, list[str]] = {}
    for line in section.lines:
        if not line.lstrip().startswith("#") and (tag := TAG.match(line)):
            found.setdefault(tag[1].lower(), []).append(known.expand(tag[3].strip()))
    return found


def last(tags: Mapping[str, list[str]], name: str) -> str:
    return tags[name][-1] if tags.get(name) else ""


def needs(tags: Mapping[str, list[str]], name: str) -> tuple[Relation, ...]:
    found = {str(one): one for value in tags.get(name, ()) for one in read_needs(value)}
    return tuple(found.values())


def read_needs(text: str) -> list[Relation]:
    """ "ant, rhino >= 1.6 (bar or baz)" -> ant; rhino, ">= 1.6"; bar, or instead of it baz."""
    found: list[Relation] = []
    words, at = text.replace(",", " ").split(), 0
    while at < len(words):
        if words[at].startswith("("):
            end, depth = at, open_braces(words[at])
            while depth > 0 and end + 1 < len(words):
                end += 1
                depth += open_braces(words[end])
            found += rich(words[at : end + 1])
            at = end + 1
        elif words[at] in SIGNS:
            at += 1
        elif at + 2 < len(words) and words[at + 1] in SIGNS:
            found.append(Relation(words[at], f"{words[at + 1]} {words[at + 2]}"))
            at += 3
        else:
            found.append(Relation(words[at]))
            at += 1
    return found


def open_braces(word: str) -> int:
    return word.count("(") - word.count(")")


def rich(words: list[str]) -> list[Relation]:
    """A boolean dependency, flat: alternatives of "or", all of "and" and "with"; what is behind "if" is left out."""
    plain = []
    for word in words:
        bare = word.lstrip("(")
        while bare.endswith(")") and open_braces(bare) < 0:
            bare = bare[:-1]
        if bare in ("if", "unless", "without"):
            break
        plain += [bare] if bare else []
    found = read_needs(
        " ".join(word for word in plain if word not in ("or", "and", "with") and not word.startswith("("))
    )
    if "or" in plain and found:
        return [Relation(found[0].name, found[0].version, instead=tuple(found[1:]))]
    return found


def scripts_of(sections: list[Section], main: str) -> dict[str, str]:
    """Script -> its text; a scriptlet of a subpackage is named "post devel"."""
    found: dict[str, str] = {}
    for section in sections:
        if section.name in SCRIPTS or section.name in SCRIPTLETS or section.name in TRIGGERS:
            owner = section.owner(main)
            name = section.name if owner == main else f"{section.name} {owner}"
            program = " ".join(section.words[section.words.index("-p") + 1 :][:1]) if "-p" in section.words else ""
            text = "\n".join(section.lines).strip("\n") or program
            found[name] = f"{found[name]}\n{text}" if name in found else text
    return {name: text for name, text in found.items() if text}


def prose(section: Section) -> str:
    return "\n".join(section.lines).strip("\n").rstrip()
