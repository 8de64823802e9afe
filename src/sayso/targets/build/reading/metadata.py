"""What a tree says of itself: name, version, summary, licence, address, and what it needs (the paper's whole task)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, fields

from sayso.targets.build.reading.clues import system_of
from sayso.targets.build.reading.depends import find_depends
from sayso.targets.build.reading.licences import licence_of
from sayso.targets.build.reading.markup import plain
from sayso.targets.build.reading.self_names import NUMBER, names, own_names
from sayso.targets.build.reading.tree import SourceTree

DESCRIPTION = re.compile(
    r"""\b(?:description|ABSTRACT|abstract|synopsis|summary|SUMMARY|DESCRIPTION)['"]?\s*(?:=>|=|:)\s*(?:u|f)?["']*([^"'\n]{8,140})""",
    re.I,
)
XML_DESCRIPTION = re.compile(r"<(?:description|shortDescription)>\s*([^<]{8,200}?)\s*<", re.S)
IS = re.compile(
    r"\b(?:is|are|provides?|implements?|aims|allows?|enables?)\s+((?:an?|the|some)?\s*[^.\n]{12,160})", re.I
)
URL = re.compile(r"https?://[\w.~/%+:#?=&-]+[\w/]")
HOME = re.compile(
    r"\b(?:url|homepage|home page|web ?site|home|web)['\"]?\s*(?:=>|=|:|is|at)?\s*[\"'<]*(https?://[\w.~/%+:-]+[\w/])",
    re.I,
)
NOISE = re.compile(
    r"badge|travis|coveralls|shields|codecov|appveyor|license|gnu\.org/|apache\.org/licenses|opensource\.org|w3\.org|/ci/|\.svg|\.png|xmlns",
    re.I,
)
READING = re.compile(r"(?:^|/)readme[^/]*$", re.I)
NEWS = re.compile(r"(?:^|/)(?:news|change(?:s|log)?|history|release|version)[^/]*$", re.I)
BEFORE = {"python": "python-", "go": "golang-", "cabal": "haskell-", "cargo": "rust-", "node": "node-", "ruby": "ruby-"}


@dataclass(frozen=True)
class Metadata:
    """Empty where nothing is known; `group` and `release` are a distribution's own and only guessed."""

    name: str = ""
    version: str = ""
    summary: str = ""
    licence: str = ""
    url: str = ""
    group: str = ""
    release: str = ""
    arch: str = ""
    requires: tuple[str, ...] = ()
    build_requires: tuple[str, ...] = ()


def read_metadata(tree: SourceTree) -> Metadata:
    own = own_names(tree)
    depends = find_depends(tree, own=own)
    system = system_of(tree)
    name = name_of(tree, system)
    run = tuple(dict.fromkeys(one.source for one in depends if one.label == "run"))
    return Metadata(
        name=name,
        version=version_of(tree),
        summary=summary_of(tree, name),
        licence=licence_of(tree),
        url=url_of(tree, name),
        group=group_of(name, system, run),
        release="1",
        arch="any" if compiled(tree) else "all",
        requires=run,
        build_requires=tuple(dict.fromkeys(one.source for one in depends if one.label == "build")),
    )


def as_text(found: Metadata) -> str:
    """`field: value` a line."""
    lines = []
    for field in fields(Metadata):
        value = getattr(found, field.name)
        lines.append(f"{field.name.replace('_', '-')}: {value if isinstance(value, str) else ' '.join(value)}".rstrip())
    return "\n".join(lines)


def name_of(tree: SourceTree, system: str) -> str:
    """As Debian would call it: lower case, and in a language's own form where there is one."""
    found = next((name for name, _, path in names(tree) if name and path.count("/") == 0), "")
    if not found:
        found = next((name for name, _, _ in names(tree) if name), "") or titled(tree)
    word = re.sub(r"[^a-z0-9+.-]+", "-", found.lower().strip()).strip("-.")
    if system == "perl" and word:
        return f"lib{word}-perl" if not word.startswith("lib") or "-" in word else word
    before = BEFORE.get(system, "")
    if (
        system in ("python", "cabal")
        and word
        and not word.startswith((before, before.rstrip("-")))
        and system == "cabal"
    ):
        return before + word
    return word


def titled(tree: SourceTree) -> str:
    """The first word of the title of the README, or the name that most paths begin with."""
    for path in sorted(filter(READING.search, tree.texts), key=lambda path: (path.count("/"), path)):
        for line in tree.texts[path].splitlines()[:8]:
            words = re.findall(r"[A-Za-z][\w+.-]+", plain(line))
            words = [
                word
                for word in words
                if word.lower()
                not in (
                    "this",
                    "the",
                    "readme",
                    "welcome",
                    "to",
                    "file",
                    "for",
                    "is",
                    "about",
                    "introduction",
                    "image",
                    "build",
                    "status",
                )
            ]
            if words and not line.lstrip().startswith(("[!", "<", "..", "!", "$", "/*")):
                return words[0]
    stems = Counter(
        re.split(r"[.]", path.rpartition("/")[2])[0].lower()
        for path, _ in tree.files
        if re.search(r"\.(?:c|h|1|spec|pc\.in|py|java|go)$", path)
    )
    return stems.most_common(1)[0][0] if stems else ""


def version_of(tree: SourceTree) -> str:
    """From a build file at the top, a file called VERSION, the newest entry of what changed, then any build file."""
    known = list(names(tree))
    for _, version, path in known:
        if version and NUMBER.search(version) and path.count("/") == 0:
            return version
    for path in sorted(tree.texts):
        if re.fullmatch(r"\.?(?:tarball-)?version(?:\.txt)?", path, re.I) and (
            match := NUMBER.search(tree.texts[path])
        ):
            return match[0]
    for path in sorted(filter(NEWS.search, tree.texts), key=lambda path: (path.count("/"), path)):
        if match := re.search(r"(?<![\w.:/-])v?(\d+\.\d[\w.]*\d|\d+\.\d)(?![\w/-]*:\d)", tree.texts[path][:1500]):
            return match[1]
    found = next((version for _, version, _ in known if NUMBER.search(version)), "")
    if found:
        return found
    for path in sorted(filter(READING.search, tree.texts), key=lambda path: (path.count("/"), path)):
        if match := re.search(
            r"\b(?:version|release|v\.?)\s*:?\s*(\d+\.[\d.]*\d)|^\W*\w[\w.+-]*[- ]v?(\d+\.[\d.]*\d)",
            tree.texts[path][:600],
            re.I,
        ):
            return match[1] or match[2]
    return ""


def summary_of(tree: SourceTree, name: str) -> str:
    """The description that a build file has, else the first sentence of the README that says what it is."""
    for path in sorted(tree.texts, key=lambda path: (path.count("/"), path)):
        if path.count("/") == 0 and not NEWS.search(path) and not READING.search(path):
            found = (
                DESCRIPTION.search(tree.texts[path])
                if not path.endswith(".xml")
                else XML_DESCRIPTION.search(tree.texts[path])
            )
            if found and "$" not in found[1] and "README" not in found[1]:
                return short(found[1])
    for path in sorted(filter(READING.search, tree.texts), key=lambda path: (path.count("/"), path)):
        if found_text := first_words(tree.texts[path], name):
            return found_text
    return name


def first_words(text: str, name: str) -> str:
    """ "tool is a small thing that …" -> "small thing that …"; a title "tool - a small thing" -> "small thing"."""
    rows = [plain(row).strip() for row in text.splitlines()[:60]]
    rows = [row for row in rows if not re.match(r"[\[!<.:=*~#-]{2,}|\.\.|copyright|\[!|https?:|\$", row, re.I)]
    for row in rows[:6]:
        if found := re.match(r"[#=*\s]*[\w.+ ]{2,40}?\s*(?:--?|–|—|:)\s+([^.]{12,120})", row):
            return short(found[1])
    paragraph = " ".join(rows[:40])
    if found := IS.search(paragraph):
        return short(found[1])
    return short(next((row for row in rows if len(row.split()) >= 4), ""))


def short(text: str) -> str:
    words = re.split(r"(?<=\w)[.;](?:\s|$)|\s+(?:that|which|and|using|with)\s+(?=.{60})", text.strip(" \"'`*_"))[
        0
    ].split()
    if words and words[0].lower() in ("a", "an", "the"):
        words = words[1:]
    return " ".join(words[:12])


def url_of(tree: SourceTree, name: str) -> str:
    texts = [
        tree.texts[path]
        for path in sorted(tree.texts, key=lambda path: (path.count("/"), not READING.search(path), path))
        if path.count("/") == 0
    ]
    for text in texts:
        for match in HOME.finditer(text):
            if not NOISE.search(match[1]):
                return match[1]
    stem = re.sub(r"^lib|-perl$", "", name)
    found = [url for text in texts for url in URL.findall(text) if not NOISE.search(url)]
    own = [url for url in found if stem and stem in url.lower()]
    return min(own, key=len) if own else found[0] if found else ""


def group_of(name: str, system: str, run: tuple[str, ...]) -> str:
    by_system = {
        "perl": "perl",
        "python": "python",
        "go": "golang",
        "maven": "java",
        "ant": "java",
        "gradle": "java",
        "cabal": "haskell",
        "ocaml": "ocaml",
        "ruby": "ruby",
        "node": "javascript",
        "cargo": "rust",
    }
    return by_system.get(system, "libs" if name.startswith("lib") else "utils")


def compiled(tree: SourceTree) -> bool:
    return any(re.search(r"\.(?:c|cc|cpp|cxx|xs|pyx|go|rs|hs|ml|f90|vala|m|d|S)$", path) for path, _ in tree.files)
