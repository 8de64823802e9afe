"""What a tree says of itself: name, version, summary, licence, address, and what it needs (the paper's whole task)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, fields

from sayso.targets.build.reading.clues import system_of
from sayso.targets.build.reading.depends import find_depends
from sayso.targets.build.reading.licences import licence_of
from sayso.targets.build.reading.likely import called, learnt, likeliest, versions
from sayso.targets.build.reading.markup import plain
from sayso.targets.build.reading.self_names import NUMBER, named_files, names, own_names
from sayso.targets.build.reading.tree import SourceTree
from sayso.targets.build.reading.words import listed

DESCRIPTION = re.compile(
    r"""\b(?:description|ABSTRACT|abstract|synopsis|summary|SUMMARY|DESCRIPTION)['"]?\s*(?:=>|=|:)\s*(?:u|f)?["']*([^"'\n]{8,140})""",
    re.I,
)
XML_DESCRIPTION = re.compile(r"<(?:description|shortDescription)>\s*([^<]{8,200}?)\s*<", re.S)
URL = re.compile(r"https?://[\w.~/%+:#?=&-]+[\w/]")
HOME = re.compile(
    r"\b(?:url|homepage|home page|web ?site|home|web)['\"]?\s*(?:=>|=|:|is|at)?\s*[\"'<]*(https?://[\w.~/%+:-]+[\w/])",
    re.I,
)
NOISE = re.compile(
    r"badge|travis|coveralls|shields|codecov|appveyor|license|gnu\.org/|apache\.org/licenses|opensource\.org|w3\.org|/ci/|\.svg|\.png|xmlns",
    re.I,
)
PROGRAMS = re.compile(r"entry_points|console_scripts|gui_scripts|\bscripts\b\s*[=\]]")
READING = re.compile(r"(?:^|/)readme[^/]*$", re.I)
NEWS = re.compile(r"(?:^|/)(?:news|change(?:s|log)?|history|release|version)[^/]*$", re.I)
BEFORE = {"cabal": "haskell-", "cargo": "rust-", "node": "node-", "ruby": "ruby-"}
SAYS = re.compile(
    r"(?:setup\.(?:py|cfg)|pyproject\.toml|Cargo\.toml|package\.json|Makefile\.PL|Build\.PL|dune-project|pom\.xml|CMakeLists\.txt|.*\.(?:cabal|gemspec|opam|spec|rockspec))$"
)


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
    """The likeliest of all that the tree says, as Debian would call it."""
    return as_packaged(likeliest(called(tree, name_by_rules(tree)), learnt("name")), system, tree)


def name_by_rules(tree: SourceTree) -> str:
    """From a build file at the top, a file called after the program, the README's title, then any build file."""
    known = list(names(tree))
    found = next((name for name, _, path in known if name and path.count("/") == 0), "")
    found = found or next((name for name, _ in named_files(tree)), "") or titled(tree)
    return found or next((name for name, _, _ in known if name), "")


def as_packaged(name: str, system: str, tree: SourceTree) -> str:
    """ "Foo-Bar" of Perl -> "libfoo-bar-perl": lower case, and in a language's own form where there is one; a module of
    Go has its whole path in its name."""
    word = re.sub(r"[^a-z0-9+.-]+", "-", name.lower().strip()).strip("-.")
    if not word:
        return ""
    if system == "go" and "/" in name:
        host, *rest = name.lower().split("/")
        if any(re.fullmatch(r"main\.go|cmd/[^/]+/main\.go", path) for path, _ in tree.files):
            return re.sub(r"[^a-z0-9+.-]+", "-", rest[-1]) if rest else host  # a program, not a library
        return "-".join(["golang", re.sub(r"[.](?:com|org|net|io|in)$", "", host), *rest])
    if any(path.endswith(".rockspec") for path in tree.paths):
        return f"lua-{word.removeprefix('lua-')}"
    if system == "perl" and not word.startswith("lib"):
        return f"lib{word}-perl"
    if system == "maven":
        return word.removesuffix("-parent")
    if system == "python" and not word.startswith("py") and not has_programs(tree):
        return f"python-{word}"
    return BEFORE.get(system, "") + word.removeprefix(BEFORE.get(system, ""))


def has_programs(tree: SourceTree) -> bool:
    """Whether a package of Python installs programs beside its modules."""
    return any(PROGRAMS.search(tree.texts.get(path, "")) for path in ("setup.py", "setup.cfg", "pyproject.toml"))


COMMON_WORDS = frozenset(listed("title_words"))


def titled(tree: SourceTree) -> str:
    """Of the first words of the README the one that the tree and the text use most."""
    paths = Counter(re.split(r"[._-]", path.rpartition("/")[2])[0].lower() for path, _ in tree.files)
    for path in sorted(filter(READING.search, tree.texts), key=lambda path: (path.count("/"), path)):
        text = plain(tree.texts[path][:4000])
        rows = [
            row for row in text.splitlines() if row.strip() and not row.lstrip().startswith(("[!", "<", "..", "!", "$"))
        ]
        words: list[str] = [word for row in rows[:4] for word in re.findall(r"[A-Za-z][\w+.-]*\w", row)[:8]]
        words = [word for word in words if word.lower() not in COMMON_WORDS and "." not in word]
        counts = Counter(word.lower() for word in re.findall(r"[A-Za-z][\w+-]*\w", text))
        if words:
            return max(
                words,
                key=lambda word: (3 * min(4, paths[word.lower()]) + min(6, counts[word.lower()]), -words.index(word)),
            )
    stems = Counter(
        stem
        for stem, n in paths.items()
        for _ in range(n)
        if stem and stem not in ("main", "test", "makefile", "readme")
    )
    return stems.most_common(1)[0][0] if stems else ""


def version_of(tree: SourceTree) -> str:
    """The likeliest of all that the tree says."""
    return likeliest(versions(tree, version_by_rules(tree)), learnt("version"))


def version_by_rules(tree: SourceTree) -> str:
    """From a build file at the top, a file called VERSION, the newest entry of what changed, then any build file."""
    known = list(names(tree))
    for _, version, path in known:
        if version and NUMBER.search(version) and path.count("/") == 0:
            return version
    for _, version in named_files(tree):
        if NUMBER.search(version):
            return version
    for path in sorted(tree.texts):
        if re.fullmatch(r"\.?(?:tarball-)?version(?:\.txt)?", path, re.I) and (
            match := NUMBER.search(tree.texts[path])
        ):
            return match[0]
    for path in sorted(filter(NEWS.search, tree.texts), key=lambda path: (path.count("/"), path)):
        if version := newest(tree.texts[path]):
            return version
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


RELEASED = re.compile(
    r"^\W{0,6}(?:(?:version|release|revision|changes in|[\w.+:-]{1,40}?)[ \t-]+)?v?(\d{1,4}(?:\.\d+)+\w*)\b",
    re.M | re.I,
)


def newest(text: str) -> str:
    """The newest release that a list of changes names: its first, or, where the list goes upwards, its last."""
    found = [match[1] for match in RELEASED.finditer(text)]
    if len(found) >= 3 and ordered(found[0]) < ordered(found[1]) < ordered(found[-1]):
        return max(found, key=ordered)
    match = re.search(r"(?<![\w.:/-])v?(\d+\.\d[\w.]*\d|\d+\.\d)(?![\w/-]*:\d)", text[:1500])
    return match[1] if match else ""


def ordered(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def summary_of(tree: SourceTree, name: str) -> str:
    """The description that a build file has, else the first sentence of the README that says what it is."""
    for path in sorted(tree.texts, key=lambda path: (path.count("/"), path)):
        if SAYS.fullmatch(path):
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
    rows = [plain(row).strip() for row in text.splitlines()[:80]]
    rows = [row for row in rows if not re.match(r"[\[!<.:=*~#-]{2,}|\.\.|copyright|\[!|https?:|\$|\|", row, re.I)]
    stem = re.sub(r"^lib|-(?:perl|java)$|^(?:python|ruby|node|golang|haskell|rust|lua)-|[^a-z]", "", name)
    for row in rows[:8]:
        if (found := TITLE.match(row)) and is_named(found[1], stem) and not DATED.search(found[2]):
            return short(found[2])
    told = [LINK.sub(r"\1", row).lstrip(" *_`>") for row in rows if len(row.split()) >= 4]
    row = next((row for row in told if not row.startswith("#") and not DATED.search(row)), next(iter(told), ""))
    subject = SUBJECT.match(row)
    about = subject and (is_named(subject[1], stem) or subject[1].lower() in ("this", "it"))
    return short(row[subject.end() :] if subject and about else row.lstrip("# "))


def is_named(words: str, stem: str) -> bool:
    return bool(stem) and stem in re.sub(r"[^a-z]", "", words.lower())


TITLE = re.compile(r"[#=*\s`]*([\w.+:/ ]{2,40}?)`?\s*(?:--?|–|—|:(?!:))\s+([^.]{12,140})")
DATED = re.compile(r"(?i)\b(?:19|20)\d\d\b|\bversion\b|\bcopyright\b|@|https?:|\bauthor|\bmaintain|\breadme\b")
LINK = re.compile(r"\[([^\]\[]+)\]\([^)\s]*\)")
SUBJECT = re.compile(r"([\w.:+-]{1,40})[*_`'\"]*,?\s+(?:is|are)\s+(?=\w)")


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
