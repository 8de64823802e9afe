"""What the build files of Python, Perl, Go, Rust, Java, Haskell, Node, OCaml and Ruby ask for."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from sayso.targets.build.reading.signals import Signal, Text

REQUIREMENT = re.compile(r"\s*([A-Za-z][\w.-]*)")
QUOTED = re.compile(r"""["']([^"'\n]+)["']""")
LISTS = re.compile(
    r"\b(install_requires|setup_requires|tests_require|extras_require|requires|build_requires|test_requires)\s*=\s*[\[({]"
)
CFG_LIST = re.compile(
    r"^(install_requires|setup_requires|tests_require|test|tests|testing|docs?|requires)\s*=(.*(?:\n[ \t]+.*)*)", re.M
)
IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+([A-Za-z_]\w*)", re.M)
PERL_PAIR = re.compile(r"""(?:["']|\b)([A-Z]\w*(?:::\w+)+|[A-Z][a-z]\w+)["']?\s*=>\s*["'\d]""")
PERL_REQUIRES = re.compile(
    r"""\b((?:\w+_)?requires?(?:_from)?|recommends|use|configure_requires)\s*\(?\s*["']?([A-Z]\w*(?:::\w+)*)"""
)
PERL_BLOCK = re.compile(
    r"\b(PREREQ_PM|BUILD_REQUIRES|TEST_REQUIRES|CONFIGURE_REQUIRES|requires|build_requires|test_requires|recommends)\b"
)
GO_REQUIRE = re.compile(r"^[ \t]*(?:require[ \t]+)?([\w.-]+\.[a-z]+/[\w./~-]+)\s+v[\d.]", re.M)
DEPENDENCY = re.compile(r"<(dependency|plugin|parent)>(.*?)</\1>", re.S)
XML_PART = re.compile(r"<(groupId|artifactId|scope|optional)>\s*([^<]+?)\s*<")
GRADLE = re.compile(
    r"\b(implementation|compile|api|testImplementation|testCompile|compileOnly|runtime\w*)\s*\(?\s*[\"']([\w.-]+):([\w.-]+)"
)
JAR = re.compile(r"([A-Za-z][\w.-]*?)(?:-\d[\w.]*)?\.jar\b")
CABAL = re.compile(
    r"^([ \t]*)(build-depends|build-tools|build-tool-depends|pkgconfig-depends|extra-libraries|setup-depends)"
    r"[ \t]*:(.*(?:\n(?:\1[ \t]+|[ \t]*,).*)*)",
    re.M | re.I,
)
STANZA = re.compile(r"^(library|executable|test-suite|benchmark)\b", re.M | re.I)
OPAM = re.compile(r"^(depends|depopts|build-depends)\s*:\s*\[(.*?)\]", re.M | re.S)
DUNE = re.compile(r"\((?:libraries|depends|pps)\s+([^()]*(?:\([^()]*\)[^()]*)*)\)")
META_OCAML = re.compile(r"(?:-package|PACKAGES\s*[+:]?=|REQUIRES\s*[+:]?=)\s*([\w.,\s-]+?)$", re.M)
GEM = re.compile(r"add_(?:(development|runtime)_)?dependency\s*\(?\s*[\"']([\w.-]+)|^[ \t]*gem\s+[\"']([\w.-]+)", re.M)
WORD = re.compile(r"[A-Za-z][\w.-]*")


def bracketed(text: str, start: int) -> str:
    """From an opening bracket to its partner."""
    depth = 0
    for at in range(start, min(len(text), start + 4000)):
        depth += (text[at] in "[({") - (text[at] in "])}")
        if depth == 0:
            return text[start : at + 1]
    return text[start : start + 4000]


def python(file: Text) -> Iterator[Signal]:
    """setup.py, setup.cfg, requirements.txt; imports of setup.py are tools of the build."""
    name = file.path.rpartition("/")[2]
    if name.endswith(".py"):
        for match in LISTS.finditer(file.text):
            use = "run" if match[1] == "install_requires" else "test" if "test" in match[1] else "build"
            for quoted in QUOTED.finditer(bracketed(file.text, match.end() - 1)):
                if found := REQUIREMENT.match(quoted[1]):
                    yield Signal("python", found[1].lower(), file.at(match.start()), "extras" in match[1], use)
        for match in IMPORT.finditer(file.text):
            yield Signal("python", match[1].lower(), file.at(match.start()), True)
    elif name.endswith(".cfg"):
        for match in CFG_LIST.finditer(file.text):
            use = "run" if match[1] == "install_requires" else "test" if "test" in match[1] else "build"
            for line in re.split(r"[\n;,]", match[2]):
                if found := REQUIREMENT.match(line):
                    yield Signal("python", found[1].lower(), file.at(match.start()), match[1].startswith("doc"), use)
    else:
        for match in re.finditer(r"^([A-Za-z][\w.-]*)", file.text, re.M):
            yield Signal("python", match[1].lower(), file.at(match.start()), "test" in name or "dev" in name, "run")


def pyproject(file: Text) -> Iterator[Signal]:
    try:
        parsed = tomllib.loads(file.text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    tool = mapping(parsed.get("tool"))
    poetry = mapping(tool.get("poetry"))
    project = mapping(parsed.get("project"))
    groups: list[tuple[object, str, bool]] = [
        (mapping(parsed.get("build-system")).get("requires"), "build", False),
        (project.get("dependencies"), "run", False),
        (mapping(tool.get("flit")).get("metadata"), "run", False),
        (poetry.get("dependencies"), "run", False),
        (poetry.get("dev-dependencies"), "test", True),
        *((one, "test", True) for one in mapping(project.get("optional-dependencies")).values()),
        *((mapping(one).get("dependencies"), "test", True) for one in mapping(poetry.get("group")).values()),
    ]
    for rows, use, optional in groups:
        for row in rows if isinstance(rows, (list, dict)) else ():
            if found := REQUIREMENT.match(str(row)):
                yield Signal("python", found[1].lower(), place(file, found[1]), optional, use)


def mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def place(file: Text, word: str) -> Any:
    return file.at(max(0, file.text.find(word)))


def perl(file: Text) -> Iterator[Signal]:
    """Makefile.PL, Build.PL, cpanfile: a module is for what the nearest block above it says."""
    blocks = [(match.start(), match[1]) for match in PERL_BLOCK.finditer(file.text)]
    for match in PERL_PAIR.finditer(file.text):
        above = [name for start, name in blocks if start < match.start()]
        if above:
            use = perl_use(above[-1])
            yield Signal("perl", match[1], file.at(match.start(1)), above[-1] == "recommends", use)
    for match in PERL_REQUIRES.finditer(file.text):
        yield Signal("perl", match[2], file.at(match.start()), match[1] == "recommends", perl_use(match[1]))


def perl_use(name: str) -> str:
    lowered = name.lower()
    return (
        "test"
        if "test" in lowered
        else "build"
        if "build" in lowered or "configure" in lowered or name == "use"
        else "run"
    )


def go(file: Text) -> Iterator[Signal]:
    for match in GO_REQUIRE.finditer(file.text):
        indirect = "// indirect" in file.text[match.end() : match.end() + 60].split("\n")[0]
        yield Signal("go", re.sub(r"/v\d+$", "", match[1]), file.at(match.start(1)), indirect)


def cargo(file: Text) -> Iterator[Signal]:
    try:
        parsed = tomllib.loads(file.text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    for table, use in (("dependencies", "run"), ("build-dependencies", "build"), ("dev-dependencies", "test")):
        for name in mapping(parsed.get(table)):
            yield Signal("rust", name.lower().replace("_", "-"), place(file, name), use == "test", use)


def maven(file: Text) -> Iterator[Signal]:
    for match in DEPENDENCY.finditer(file.text):
        parts = dict(XML_PART.findall(match[2]))
        if artifact := parts.get("artifactId"):
            use = "test" if parts.get("scope") == "test" else "build" if match[1] != "dependency" else "run"
            yield Signal("java", artifact, file.at(match.start()), parts.get("optional") == "true", use)


def gradle(file: Text) -> Iterator[Signal]:
    for match in GRADLE.finditer(file.text):
        yield Signal("java", match[3], file.at(match.start()), False, "test" if "test" in match[1] else "run")


def ant(file: Text) -> Iterator[Signal]:
    for match in JAR.finditer(file.text):
        yield Signal("java", match[1], file.at(match.start()), True)


def cabal(file: Text) -> Iterator[Signal]:
    stanzas = [(match.start(), match[1].lower()) for match in STANZA.finditer(file.text)]
    for match in CABAL.finditer(file.text):
        stanza = next((name for start, name in reversed(stanzas) if start < match.start()), "")
        kind = {"pkgconfig-depends": "pkg-config", "extra-libraries": "library"}.get(match[2].lower(), "haskell")
        kind = "program" if "tool" in match[2].lower() else kind
        for part in re.split(r"[,\n]", re.sub(r"--.*", "", match[3])):
            if found := WORD.search(part.strip()):
                name = found[0] if kind != "haskell" else found[0].lower()
                yield Signal(
                    kind, name, file.at(match.start(2)), stanza == "benchmark", "test" if "test" in stanza else "run"
                )


def node(file: Text) -> Iterator[Signal]:
    try:
        parsed = json.loads(file.text)
    except (ValueError, RecursionError):
        return
    for table, use in (("dependencies", "run"), ("peerDependencies", "run"), ("devDependencies", "test")):
        for name in mapping(mapping(parsed).get(table)):
            yield Signal("node", name, place(file, f'"{name}"'), use == "test", use)


def ocaml(file: Text) -> Iterator[Signal]:
    for match in OPAM.finditer(file.text):
        for quoted in re.finditer(r'"([\w.-]+)"\s*(\{[^}]*\})?', match[2]):
            yield Signal(
                "ocaml",
                quoted[1],
                file.at(match.start()),
                match[1] == "depopts",
                "test" if "test" in (quoted[2] or "") else "run",
            )
    for match in (*DUNE.finditer(file.text), *META_OCAML.finditer(file.text)):
        for word in re.findall(r"[a-z][\w.-]*", re.sub(r"\([^()]*\)", lambda m: m[0].split()[0][1:], match[1])):
            yield Signal("ocaml", word.split(".")[0], file.at(match.start()))


def ruby(file: Text) -> Iterator[Signal]:
    for match in GEM.finditer(file.text):
        yield Signal(
            "ruby", match[2] or match[3], file.at(match.start()), False, "test" if match[1] == "development" else "run"
        )
