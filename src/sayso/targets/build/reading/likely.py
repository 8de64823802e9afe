"""Names and versions that a tree may have, wherever it says one, and the likeliest of them by a linear model.

Each candidate has named features: where it stands, after which word, and how often. The rules of `metadata.py` propose
too; their answer is one candidate with a feature of its own. Weights: `data/likely.json.gz`, learnt from train packages
(`experiments/build_likely.py`).
"""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from sayso.targets.build.reading.self_names import named_files, names
from sayso.targets.build.reading.tree import SourceTree

WEIGHTS = Path(__file__).parent.parent / "data" / "likely.json.gz"
LONGEST = 60_000
MOST = {"news": 5, "readme": 8, "other": 4}
"""Matches of one text that are looked at, by its kind; of others 30."""
VERSION = re.compile(
    r"(?<![\w.+<>=-])(?P<before>[\w.+<>=-]{0,24})[^\w\n]{0,4}(?<![\w.])v?(?P<value>\d+(?:\.\d+)+(?:[-~]?(?:alpha|beta|rc|pre|p)\.?\d*|[a-z])?)(?![\w-]*\w)"
)
PART = re.compile(
    r"(?im)^.{0,60}?(?P<part>major|minor|micro|patch|subminor|bugfix|tiny)\w*[\s\"'\])]*[,=:(\s\[]{1,4}[\"']?(?P<value>\d{1,4})\b"
)
LAST = ("micro", "patch", "subminor", "bugfix", "tiny")
KINDS = {
    "news": ("news", "change", "history", "release"),
    "readme": ("readme",),
    "version file": ("version", ".version", ".tarball-version"),
    "autoconf": ("configure.ac", "configure.in"),
    "cmake": ("cmakelists",),
    "meson": ("meson.build",),
    "make": ("makefile", "gnumakefile"),
    "python": ("setup.py", "setup.cfg", "pyproject.toml"),
    "xml": ("pom.xml", "build.xml"),
}
"""How names of files begin, in lower case, by what they are; Makefile.PL is Perl's."""
SAYS = ("version", "ver", "release", "released", "v", "tag")
ADDRESS = re.compile(
    r"(?:github|gitlab|codeberg|bitbucket|salsa\.\w+|sourceforge|launchpad|pypi|metacpan)[\w.]*(?::\d+)?[/:]"
    r"(?:projects?/|dist/|release/|pypi/)?(?P<path>[\w.-]+(?:/[\w.-]+)?)"
)
HEAD_WORD = re.compile(r"[A-Za-z][\w+.-]*\w")
NO_HEAD = ("[!", "<", "..", "!")


def kind_of(path: str) -> str:
    name = path.rpartition("/")[2].lower()
    if name.endswith((".pl", ".mk")):
        return "perl" if name.endswith(".pl") else "make"
    return next((kind for kind, begins in KINDS.items() if name.startswith(begins)), "other")


def versions(tree: SourceTree, present: str) -> dict[str, set[str]]:
    """Every version that a text says, with its features; `present` is what the rules say."""
    found: dict[str, set[str]] = defaultdict(set)
    files: dict[str, set[str]] = defaultdict(set)
    for path, text in tree.texts.items():
        kind = kind_of(path)
        at_top = "" if "/" not in path else " below"
        for number, (before, value) in enumerate(said_in(text[:LONGEST], MOST.get(kind, 30))):
            place, role = f"{kind}{at_top}", role_of(before)
            found[value] |= {place, f"{place} after {role}", f"{kind} {min(3, number)}", f"after {role}"}
            files[value].add(path)
        if value := parted(text[:LONGEST]):
            found[value] |= {"in parts", f"in parts {kind}{at_top}"}
            files[value].add(path)
    for _, value, path in names(tree):
        if value:
            found[value] |= {f"build file {kind_of(path)}", f"build file depth {min(2, path.count('/'))}"}
    if present:
        found[present].add("present")
    for value, features in found.items():
        longer = any(other.startswith(f"{value}.") for other in found)
        shorter = any(value.startswith(f"{other}.") for other in found)
        features |= {"always", f"files {min(4, len(files[value]))}", f"numbers {min(4, value.count('.'))}"}
        features |= {"a longer one begins so"} if longer else set()
        features |= {"a shorter one begins so"} if shorter else set()
        features |= {"longer than present"} if present and value.startswith(f"{present}.") else set()
        features |= {"shorter than present"} if present.startswith(f"{value}.") else set()
        features |= {"nothing is present"} if not present else set()
        features |= {"a year"} if re.match(r"(?:19|20)\d\d\b", value) else set()
    return found


def said_in(text: str, most: int) -> Iterator[tuple[str, str]]:
    for number, match in enumerate(VERSION.finditer(text)):
        if number >= most:
            return
        yield match[0][: match.start("value") - match.start()], match["value"]


def role_of(before: str) -> str:
    """What stands before a version: a bound on somebody else's, a word that says it is one, other words, or nothing."""
    letters = "".join(filter(str.isalpha, before.lower()))
    if "<" in before or ">" in before:
        return "limit"
    return next((one for one in SAYS if letters.endswith(one)), "words" if letters else "nothing")


def parted(text: str) -> str:
    """ "#define X_MAJOR 2 … X_MINOR 0 … X_PATCH 9" -> "2.0.9"."""
    known: dict[str, str] = {}
    for match in PART.finditer(text):
        known.setdefault(match["part"].lower(), match["value"])
    if "major" not in known or "minor" not in known:
        return ""
    last = next((known[part] for part in LAST if part in known), "")
    return ".".join(filter(None, (known["major"], known["minor"], last)))


def called(tree: SourceTree, present: str) -> dict[str, set[str]]:
    """Every name that the tree may have, with its features; `present` is what the rules say."""
    found: dict[str, set[str]] = defaultdict(set)
    for order, (name, _, path) in enumerate(one for one in names(tree) if one[0]):
        found[name] |= {f"build file {kind_of(path)} {min(2, path.count('/'))}", f"build file number {min(2, order)}"}
    for order, (name, _) in enumerate(named_files(tree)):
        if order < 8:
            found[name] |= {"file called so", f"file called so {min(2, order)}"}
    readmes = sorted(
        (path for path in tree.texts if kind_of(path) == "readme"), key=lambda path: (path.count("/"), path)
    )
    for path in readmes[:2]:
        headed(found, tree.texts[path][:20_000])
    everything = "\n".join(tree.texts.values())[:200_000].lower()
    stems = [re.split(r"[._]", path.rpartition("/")[2])[0].lower() for path, _ in tree.files]
    merged: dict[str, set[str]] = {}
    for name in found:
        merged[name] = set().union(*(more for other, more in found.items() if other.lower() == name.lower()))
    if present:
        merged.setdefault(present, set()).add("present")
    for name, features in merged.items():
        low = name.lower()
        said = everything.count(low) if len(low) > 1 else 0
        features |= {"always", f"said {min(5, said.bit_length())}", f"files so {min(3, stems.count(low))}"}
        features |= {"small"} if name == low else set()
        features |= {"with a dot"} if "." in name else set()
        features |= {"as present"} if low == present.lower() else set()
        features |= {"nothing is present"} if not present else set()
        features |= {f"long {min(4, len(name) // 4)}"}
    return merged


def headed(found: dict[str, set[str]], text: str) -> None:
    """The words at the head of a README, and what its addresses end in."""
    rows = [row for row in text.splitlines()[:30] if row.strip() and not row.lstrip().startswith(NO_HEAD)]
    for row_number, row in enumerate(rows[:3]):
        for word_number, word in enumerate(HEAD_WORD.findall(row)[:5]):
            found[word] |= {f"row {row_number} word {min(2, word_number)}", f"head {row_number}"}
    ends = [match["path"].rpartition("/")[2].removesuffix(".git") for match in ADDRESS.finditer(text)]
    for name in filter(None, dict.fromkeys(ends)):
        which = "first address" if name == ends[0] else "later address"
        found[name] |= {"address", f"address {min(4, ends.count(name))}", which}


def likeliest(found: Mapping[str, set[str]], weights: Mapping[str, float]) -> str:
    """The candidate of the highest sum, of equal ones the first in the alphabet; "" without any."""
    return max(sorted(found), key=lambda value: sum(weights.get(one, 0.0) for one in found[value]), default="")


@cache
def learnt(what: str) -> Mapping[str, float]:
    rows: dict[str, dict[str, float]] = json.loads(gzip.decompress(WEIGHTS.read_bytes()))
    return rows[what]
