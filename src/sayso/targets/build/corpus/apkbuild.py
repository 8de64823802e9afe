"""Alpine's APKBUILD files on disk as records: variables and functions from the parse tree of the shell; nothing is run.

`$name` and `${name}` are replaced where the file sets them; `$(command)` and other expansions stay as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.core.errors import BadFile
from sayso.core.given import read_plain
from sayso.targets.build.corpus.records import Binary, Package, Relation

if TYPE_CHECKING:
    from tree_sitter import Node

LARGEST, DEEPEST, LONGEST_VALUE, LONGEST_VALUES = 1 << 20, 12, 1 << 18, 1 << 24
FUNCTIONS = {"prepare": "prep", "build": "build", "check": "check", "package": "install"}
"""Alpine's name -> ours."""
PLAIN = re.compile(r"(\s*)\$\{?(\w+)\}?")  # the tree counts white space before an expansion as a part of it
SHOWN = bytes(byte if byte < 128 else ord("x") for byte in range(256))
NOT_WORDS = "=<>~"


def read_apkbuild(path: Path) -> Package:
    try:
        content = read_plain(path, LARGEST)
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}", "give an APKBUILD") from error
    return parse_apkbuild(content.decode("utf-8", "replace"), path.name)


def parse_apkbuild(text: str, name: str = "APKBUILD") -> Package:
    content = text.replace("\0", "\ufffd").encode("utf-8", "replace")
    variables, functions = read_shell(content)
    title = variables.get("pkgname", "").strip()
    if not title:
        raise BadFile(f"{name} sets no pkgname", "give an APKBUILD")
    split = [word.partition(":")[0] for word in words(variables, "subpackages")]
    needed = [*words(variables, "makedepends"), *words(variables, "depends_dev"), *words(variables, "checkdepends")]
    return Package(
        name=title,
        version=variables.get("pkgver", ""),
        release=variables.get("pkgrel", ""),
        summary=variables.get("pkgdesc", ""),
        licence=variables.get("license", ""),
        url=variables.get("url", ""),
        arch=tuple(words(variables, "arch")),
        requires=relations(words(variables, "depends")),
        build_requires=relations(needed),
        scripts={FUNCTIONS.get(function, function): body for function, body in functions.items() if body},
        files=tuple(words(variables, "source")),
        group=title,
        by="alpine",
        binaries=tuple(Binary(one) for one in dict.fromkeys((title, *split)) if one),
    )


def words(variables: dict[str, str], name: str) -> list[str]:
    return variables.get(name, "").split()


def relations(needed: list[str]) -> tuple[Relation, ...]:
    """ "zstd-dev>=1.4" -> zstd-dev, ">= 1.4"; "!foo", a conflict, is left out."""
    found: dict[str, Relation] = {}
    for word in needed:
        if not word.startswith("!"):
            at = next((at for at, sign in enumerate(word) if sign in NOT_WORDS), len(word))
            sign = word[at:][: len(word[at:]) - len(word[at:].lstrip(NOT_WORDS))]
            version = word[at + len(sign) :]
            found[word] = Relation(word[:at], f"{sign} {version}" if sign and version else "")
    return tuple(one for one in found.values() if one.name)


def read_shell(content: bytes) -> tuple[dict[str, str], dict[str, str]]:
    """(variables, functions) that stand at the top of a script, in order; the last of a name counts."""
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    # The grammar looks letters up in a table of 256, and a far one may end the process: it is shown letters instead.
    shown = content.translate(SHOWN)
    root = Parser(Language(tree_sitter_bash.language())).parse(shown).root_node
    reader = Reader(content)
    functions: dict[str, str] = {}
    for node in top_nodes(root):
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is not None and node.type == "variable_assignment" and name.type == "variable_name":
            reader.assign(node, name)
        elif name is not None and body is not None and node.type == "function_definition":
            functions[reader.text(name)] = body_of(reader.text(body))
    return reader.variables, functions


def top_nodes(root: Node) -> Iterator[Node]:
    """Statements that stand alone; what stands inside of a condition is not certain and is left out."""
    for node in root.children:
        if node.type in ("variable_assignments", "declaration_command", "ERROR"):
            yield from node.children
        else:
            yield node


class Reader:
    """Values of variables, from the bytes that nodes of the tree stand for."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.variables: dict[str, str] = {}
        self.left = LONGEST_VALUES

    def between(self, start: int, end: int) -> str:
        return self.content[start:end].decode("utf-8", "replace")

    def text(self, node: Node) -> str:
        return self.between(node.start_byte, node.end_byte)

    def assign(self, node: Node, name: Node) -> None:
        key, value = self.text(name), node.child_by_field_name("value")
        found = self.value(value, 0) if value is not None else ""
        added = any(child.type == "+=" for child in node.children)
        self.variables[key] = within([self.variables.get(key, ""), found] if added else [found])
        self.left -= len(self.variables[key])
        if self.left < 0:
            raise BadFile("variables that come to more than a recipe can hold", "give an APKBUILD")

    def value(self, node: Node, depth: int) -> str:
        """The word that a value comes to."""
        text = self.text(node)
        if depth > DEEPEST:
            return text
        if node.type == "raw_string":
            return text[1:-1]
        if node.type in ("simple_expansion", "expansion"):
            plain = PLAIN.fullmatch(text)
            return plain[1] + self.variables[plain[2]] if plain and plain[2] in self.variables else text
        if node.type == "string":
            return within(self.quoted(node, depth)).replace("\\\n", "").replace('\\"', '"')
        if node.type == "concatenation":
            return within(self.value(child, depth + 1) for child in node.children)
        return text.replace("\\\n", "").replace("\\", "") if node.type == "word" else text

    def quoted(self, node: Node, depth: int) -> Iterator[str]:
        """Between double quotes, with the text between expansions that the tree has no nodes for."""
        at, end = node.start_byte + 1, node.end_byte
        if end > at and self.content[end - 1 : end] == b'"':
            end -= 1
        for child in node.children:
            if child.type in ("simple_expansion", "expansion", "command_substitution"):
                yield self.between(at, child.start_byte)
                yield self.value(child, depth + 1)
                at = child.end_byte
        yield self.between(at, end)


def within(parts: Iterable[str]) -> str:
    """The parts joined, unless a variable that holds itself many times makes them endless."""
    found, left = [], LONGEST_VALUE
    for part in parts:
        found.append(part)
        left -= len(part)
        if left < 0:
            raise BadFile(f"a variable of more than {LONGEST_VALUE:,} characters", "give an APKBUILD")
    return "".join(found)


def body_of(braces: str) -> str:
    """ "{\\n\\tmake\\n}" -> "make": without the braces and the indent that all of its lines have."""
    inside = braces.strip().removeprefix("{").removesuffix("}").strip("\n").rstrip()
    lines = inside.split("\n")
    if all(line.startswith("\t") or not line.strip() for line in lines):
        lines = [line[1:] for line in lines]
    return "\n".join(lines).strip()
