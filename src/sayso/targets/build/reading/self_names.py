"""Name and version as a source's own build files and documents have them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.targets.build.reading.signals import arguments, balanced
from sayso.targets.build.reading.tree import SourceTree

QUOTED = r"""["']([^"'\n$@{}]+)["']"""
M4_DEFINE = re.compile(r"m4_define\(\s*\[?(\w+)\]?\s*,\s*\[?([^\[\](),\n]+)\]?\s*\)")
SHELL_SET = re.compile(r"^[ \t]*(\w+)[ \t]*[:?]?=[ \t]*[\"']?([\w.+~-]+)[\"']?[ \t]*(?:#.*)?$", re.M)
CMAKE_SET = re.compile(r"^[ \t]*set[ \t]*\([ \t\n]*(\w+)[ \t\n]+\"?([\w.+~${}-]+)\"?", re.M | re.I)
VARIABLE = re.compile(r"\$\{?\(?(\w+)\)?\}?|@(\w+)@")
NUMBER = re.compile(r"\d+(?:\.\d+)+(?:[-.~]?(?:alpha|beta|rc|pre|p|a|b)\.?\d*)?|\d{8}")
VERSION_NAME = re.compile(r"(?:^|_)(?:version|ver|release)$|^v$", re.I)
TITLED = re.compile(r"^\W*([A-Za-z][\w.+-]{1,40})\W*(?:v(?:ersion)?\.?\s*)?(\d+(?:\.\d+)+\w*)?", re.I)


def names(tree: SourceTree) -> Iterator[tuple[str, str, str]]:
    """(name, version, file) as each build file has them, those at the top first; either may be empty."""
    for path in sorted(tree.texts, key=lambda path: (path.count("/"), ORDER.get(path.rpartition("/")[2], 50), path)):
        text, name = tree.texts[path], path.rpartition("/")[2]
        found: tuple[str, str] | None = None
        if name in ("configure.ac", "configure.in"):
            found = autoconf(text)
        elif name == "meson.build":
            found = meson(text)
        elif name == "CMakeLists.txt":
            found = cmake(text)
        elif name in (
            "setup.py",
            "Makefile.PL",
            "Build.PL",
            "setup.cfg",
            "pyproject.toml",
            "Cargo.toml",
            "dune-project",
        ):
            found = keyed(text)
        elif name == "package.json":
            found = pick(text, r'"name"\s*:\s*"([^"]+)"'), pick(text, r'"version"\s*:\s*"([^"]+)"')
        elif name == "pom.xml":
            own = re.sub(r"<(parent|dependencies|build|dependencyManagement|profiles)>.*?</\1>", "", text, flags=re.S)
            found = pick(own, r"<artifactId>\s*([^<]+?)\s*<"), pick(own, r"<version>\s*([^<$]+?)\s*<")
        elif name == "build.xml":
            found = (
                pick(text, r"<project[^>]*\bname=\"([^\"]+)\""),
                pick(text, r"name=\"(?:\w+\.)?version\"\s+value=\"([\d.]+)\""),
            )
        elif name == "go.mod":
            found = re.sub(r"/v\d+$", "", pick(text, r"^module\s+(\S+)")), ""
        elif name.endswith((".cabal", ".gemspec", ".opam")):
            found = (
                name.rpartition(".")[0],
                pick(text, r"^version\s*:\s*\"?([\d.]+)") or pick(text, r"version\s*=\s*[\"']([\d.]+)"),
            )
        elif re.fullmatch(r"(?:GNU)?[Mm]akefile(?:\.in)?", name) or name.endswith(".mk"):
            found = "", settings(text)
        if found and any(found):
            yield found[0].strip(), found[1].strip(), path


FIRST = (
    *("pyproject.toml", "setup.cfg", "setup.py", "configure.ac", "configure.in", "meson.build", "Build.PL"),
    *("Makefile.PL", "CMakeLists.txt", "pom.xml", "package.json"),
)
"""Build files that say most surely what a source is called."""
ORDER = {name: at for at, name in enumerate(FIRST)}


def pick(text: str, pattern: str) -> str:
    match = re.search(pattern, text, re.M)
    return match[1] if match else ""


def filled(value: str, known: dict[str, str], depth: int = 4) -> str:
    """A value with its variables replaced by what they are set to; "" where one is not known."""
    value = value.strip().strip("[]\"' ")
    while depth and (VARIABLE.search(value) or value in known):
        value = known.get(value) or VARIABLE.sub(lambda match: known.get(match[1] or match[2], ""), value)
        depth -= 1
    return value


def autoconf(text: str) -> tuple[str, str]:
    known = {name: value.strip() for name, value in M4_DEFINE.findall(text)} | dict(SHELL_SET.findall(text))
    for macro in (r"^[ \t]*AC_INIT\s*\(", r"^[ \t]*AM_INIT_AUTOMAKE\s*\("):
        if match := re.search(macro, text, re.M):
            parts = arguments(balanced(text, match.end() - 1))
            if len(parts) >= 4 and re.fullmatch(r"[\w.+-]+", parts[3]) and macro.startswith(r"^[ \t]*AC_INIT"):
                return parts[3], numbered(filled(parts[1], known)) or numbered(joined_parts(parts[1], known))
            if len(parts) >= 2 and " " not in parts[0].strip():
                version = filled(parts[1], known)
                return filled(parts[0], known), numbered(version) or numbered(joined_parts(parts[1], known))
            if len(parts) >= 2:
                title = re.sub(r"^(?:the |gnu )+", "", parts[0].strip("[] "), flags=re.I)
                return title.split()[0], numbered(filled(parts[1], known))
    version = next((filled(value, known) for name, value in known.items() if VERSION_NAME.search(name)), "")
    return known.get("PACKAGE", ""), numbered(version)


def joined_parts(value: str, known: dict[str, str]) -> str:
    """ "m4_esyscmd(…)" cannot be known, but "[a].[b]" and "a_b" can."""
    words = re.findall(r"\w+", value)
    found = [known[word] for word in words if word in known]
    return ".".join(found) if found else value


def numbered(text: str) -> str:
    match = NUMBER.search(text)
    return match[0] if match else text if text.isdigit() else ""


def meson(text: str) -> tuple[str, str]:
    if match := re.search(r"\bproject\s*\(", text):
        inside = balanced(text, match.end() - 1)
        return pick(inside, r"'([^']+)'"), pick(inside, r"\bversion\s*:\s*'([^']+)'")
    return "", ""


def cmake(text: str) -> tuple[str, str]:
    known = dict(CMAKE_SET.findall(text))
    name = version = ""
    if match := re.search(r"^[ \t]*project\s*\(", text, re.M | re.I):
        words = balanced(text, match.end() - 1).split()
        name = filled(words[0], known) if words else ""
        if "VERSION" in words[:-1]:
            version = filled(words[words.index("VERSION") + 1], known)
    if not version:
        for key, value in known.items():
            if VERSION_NAME.search(key) and NUMBER.search(filled(value, known)):
                version = filled(value, known)
                break
    if not version:
        thirds = [
            next((known[key] for key in known if re.search(rf"(?:^|_)(?:VERSION_)?{part}(?:_VERSION)?$", key)), "")
            for part in ("MAJOR", "MINOR", "(?:PATCH|MICRO|REVISION)")
        ]
        version = ".".join(part for part in thirds if part.isdigit())
    return name, numbered(version)


def keyed(text: str) -> tuple[str, str]:
    """name = "x", NAME => 'X::Y', (name x): Python, Perl, Rust, OCaml."""
    name = (
        pick(text, r"\b(?:name|NAME|DISTNAME|dist_name|module_name)['\"]?\s*(?:=>|=|,)\s*" + QUOTED)
        or pick(text, r"^name\s+" + QUOTED)
        or pick(text, r"^name\s*=\s*([\w.-]+)\s*$")
        or pick(text, r"\(name\s+([\w.-]+)\)")
    )
    version = (
        pick(text, r"\b(?:version|VERSION|dist_version)['\"]?\s*(?:=>|=)\s*" + QUOTED)
        or pick(text, r"^version\s*=\s*([\w.]+)\s*$")
        or pick(text, r"\(version\s+([\w.]+)\)")
    )
    return name.replace("::", "-"), version


def settings(text: str) -> str:
    known = dict(SHELL_SET.findall(text))
    return next(
        (
            numbered(filled(value, known))
            for name, value in known.items()
            if VERSION_NAME.search(name) and numbered(filled(value, known))
        ),
        "",
    )


FILED = re.compile(r"(?:^|/)([A-Za-z][\w+-]*?)-v?(\d[\w.]*?)(?:-\d+)?\.(?:rockspec|spec|lsm|ebuild)$")
SHOWN = re.compile(
    r"(?:^|/)([A-Za-z][\w+.-]*?)(?:-scm-\d)?\.(?:spec(?:\.in)?|pc(?:\.in)?|1|8|rockspec|desktop(?:\.in)*|gemspec|pro|lsm|6)$"
)


NO_NAME = re.compile(r"(?i)licen[cs]e|copying|readme|changes|changelog|news|install|todo")


def named_files(tree: SourceTree) -> Iterator[tuple[str, str]]:
    """(name, version) that files bear which are called after the program: name-1.0-1.rockspec, name.spec, name.1."""
    paths = sorted((path for path, _ in tree.files), key=lambda path: (path.count("/"), path))
    for pattern in (FILED, SHOWN):
        for path in paths:
            if (match := pattern.search(path)) and path.count("/") <= 1 and not NO_NAME.match(match[1]):
                yield match[1], match[2] if pattern is FILED else ""


def own_names(tree: SourceTree) -> frozenset[str]:
    """What the source calls itself, in lower case."""
    return frozenset(name.lower().rpartition("/")[2] for name, _, _ in names(tree) if name)
