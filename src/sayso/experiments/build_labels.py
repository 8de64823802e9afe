"""README-EVAL §5 and §7, for readers: documents that hold instructions, and lines that are instructions.

Documents and lines are drawn by digest from packages of every part, blind to the corpus's weak labels. What readers
said is kept as names, digests and line numbers, without a word of the corpus. Guidelines: docs/corpora/labels.md.

    python -m sayso.experiments.build_labels --data DATA --pages DIR            # pages to read
    python -m sayso.experiments.build_labels --data DATA --pages DIR --third    # what readers A and B differ in
    python -m sayso.experiments.build_labels --data DATA --pages DIR --write    # after reader C: the labels
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.core.files import write_atomically
from sayso.core.types import Split
from sayso.targets.build.corpus import Package, load_packages
from sayso.targets.build.corpus.labels import LABELS, DocumentLabel, LineLabels, agreement, text_digest, write_labels
from sayso.targets.build.corpus.records import Document

SEED = "readme-eval-labels-1"
PACKAGES: dict[Split, int] = {"train": 38, "dev": 30, "test": 54}
LINED: dict[Split, int] = {"train": 24, "dev": 18, "test": 34}
"""Of these packages, so many have a document whose lines are read too."""
LIKELY, OTHERS, UNLIKELY_LINED = 2, 2, 5
"""Documents of a package; every fifth document whose lines are read is one without the words of building."""
PROSE = re.compile(
    r"read|install|build|compil|hack|contrib|start|guide|usage|howto|faq|manual|tutorial|intro|develop|port", re.I
)
WORDS = re.compile(
    r"\b(?:configure|make|cmake|meson|ninja|compil\w+|build\w*|setup\.py|install\w*|autogen|autoreconf|cargo|prerequisites?|"
    r"requirements?|dependenc\w+|requires?|depends|gcc|untar|unpack)\b",
    re.I,
)
WHOLE, WINDOW, BEFORE = 60, 44, 4
"""All lines of a document of so many that are not blank; of a longer one a window, and some lines above it to see."""
HEAD, AROUND, LONGEST = (25, 60), (15, 40), 150
"""Lines of a document that is shown whole: from its top, and about words of building; fewer where it is not likely."""


@dataclass(frozen=True)
class Drawn:
    """A document of a package; `lines` are the numbers to be labelled, from 1, none where only the whole is."""

    part: Split
    package: str
    document: Document
    lines: tuple[int, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.package}:{self.document.path}"


def by_lot(names: str) -> bytes:
    return hashlib.sha256(f"{SEED}:{names}".encode("utf-8", "replace")).digest()


def likely(document: Document) -> bool:
    """Named as prose is, and with several words of building in it."""
    name = document.path.rpartition("/")[2]
    return bool(PROSE.search(name)) and len(set(map(str.lower, WORDS.findall(document.text)))) >= 3


def drawn_documents(packages: Iterable[Package], part: Split) -> Iterator[Drawn]:
    """Of so many packages with a document, in an order by lot, the likely ones and others; a text once."""
    seen: set[str] = set()
    chosen = sorted((one for one in packages if one.documents), key=lambda one: by_lot(one.name))
    for package in chosen[: PACKAGES[part]]:
        room = {True: LIKELY, False: OTHERS}
        for document in sorted(package.documents, key=lambda one: by_lot(f"{package.name}:{one.path}")):
            place = text_digest(" ".join(document.text.split()))
            if place in seen or not document.text.strip() or not room[likely(document)]:
                continue
            seen.add(place)
            room[likely(document)] -= 1
            yield Drawn(part, package.name, document)


def drawn_lines(documents: Sequence[Drawn], part: Split) -> Iterator[Drawn]:
    """Of so many documents of different packages, most of them likely: the lines to read."""
    packages: set[str] = set()
    wanted = {True: LINED[part] - LINED[part] // UNLIKELY_LINED, False: LINED[part] // UNLIKELY_LINED}
    for one in sorted(documents, key=lambda one: by_lot(f"lines:{one.id}")):
        kind = likely(one.document)
        prose = PROSE.search(one.document.path.rpartition("/")[2])
        if one.package not in packages and prose and wanted[kind]:
            packages.add(one.package)
            wanted[kind] -= 1
            yield Drawn(one.part, one.package, one.document, read_lines(one.document.text))


def read_lines(text: str) -> tuple[int, ...]:
    """Numbers of the lines that are not blank; of a long text those of the window with most words of building."""
    lines = text.splitlines()
    filled = [number for number, line in enumerate(lines, 1) if line.strip()]
    if len(filled) <= WHOLE:
        return tuple(filled)
    hits = [bool(WORDS.search(lines[number - 1])) for number in filled]
    starts = range(len(filled) - WINDOW + 1)
    start = max(starts, key=lambda start: (sum(hits[start : start + WINDOW]), -start))
    return tuple(filled[start : start + WINDOW])


def shown(document: Document) -> list[int]:
    """What a reader sees of a whole document: its first lines, and the next that lie about words of building."""
    lines, kind = document.text.splitlines(), likely(document)
    near = [
        number
        for number in range(HEAD[kind], len(lines))
        if any(WORDS.search(line) for line in lines[max(0, number - 1) : number + 2])
    ]
    return [*range(min(HEAD[kind], len(lines))), *near[: AROUND[kind]]]


def numbered(text: str, numbers: Iterable[int], marked: frozenset[int] = frozenset()) -> Iterator[str]:
    """Lines with their numbers from 1, `*` before those to label, a gap shown as dots."""
    lines, before = text.splitlines(), -1
    for number in numbers:
        if number > before + 1 and before >= 0:
            yield "      …"
        before = number
        line = lines[number].expandtabs()
        mark = "*" if number + 1 in marked else " "
        yield f"{mark}{number + 1:5} {line if len(line) <= LONGEST else line[:LONGEST] + '…'}".rstrip()


def drawn(data: Path) -> tuple[list[Drawn], list[Drawn]]:
    """The documents and, of some, the lines to read, over all parts in an order by lot."""
    documents: list[Drawn] = []
    lined: list[Drawn] = []
    for part in PACKAGES:
        found = list(drawn_documents(load_packages(data, part), part))
        documents += found
        lined += drawn_lines(found, part)
    return sorted(documents, key=lambda one: by_lot(f"order:{one.id}")), sorted(lined, key=lambda one: by_lot(one.id))


def document_page(items: Sequence[tuple[str, Drawn]]) -> Iterator[str]:
    for name, one in items:
        yield f"=== {name}   file: {one.document.path}   lines: {len(one.document.text.splitlines())}"
        yield from numbered(one.document.text, shown(one.document))
        yield ""


def line_page(items: Sequence[tuple[str, Drawn]]) -> Iterator[str]:
    for name, one in items:
        last = len(one.document.text.splitlines())
        span = range(max(0, one.lines[0] - 1 - BEFORE), min(last, one.lines[-1] + 2))
        yield f"=== {name}   file: {one.document.path}   label every line marked *: {one.lines[0]} to {one.lines[-1]}"
        yield from numbered(one.document.text, span, frozenset(one.lines))
        yield ""


def named(items: Sequence[Drawn], letter: str) -> list[tuple[str, Drawn]]:
    return [(f"{letter}{number:03}", one) for number, one in enumerate(items, 1)]


def answers(folder: Path, reader: str, kind: str) -> dict[str, str]:
    """What a reader wrote: D001 -> yes, or L001:12 -> step; ranges of lines are spread."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob(f"{reader}-{kind}*.txt")):
        for row in path.read_text("utf-8").splitlines():
            place, _, tag = row.partition("\t")
            name, _, lines = place.strip().partition(":")
            first, _, last = lines.partition("-")
            if not lines:
                found[name] = tag.strip()
            else:
                found |= {f"{name}:{line}": tag.strip() for line in range(int(first), int(last or first) + 1)}
    return found


def joined(readers: Sequence[Mapping[str, str]], place: str) -> tuple[str, ...]:
    """What readers said of a place; a third is heard only where two differ."""
    said = [reader[place] for reader in readers[:2]]
    return tuple(said if said[0] == said[1] else [*said, *(one[place] for one in readers[2:])])


def labels_of(
    documents: Sequence[Drawn], lined: Sequence[Drawn], folder: Path, readers: str
) -> tuple[list[DocumentLabel], list[LineLabels]]:
    whole = [answers(folder, reader, "documents") for reader in readers]
    lines = [answers(folder, reader, "lines") for reader in readers]
    return (
        [
            DocumentLabel(one.package, one.document.path, one.part, text_digest(one.document.text), joined(whole, name))
            for name, one in named(documents, "D")
        ],
        [
            LineLabels(
                one.package,
                one.document.path,
                one.part,
                text_digest(one.document.text),
                {line: joined(lines, f"{name}:{line}") for line in one.lines},
            )
            for name, one in named(lined, "L")
        ],
    )


def third_page(
    documents: Sequence[tuple[str, Drawn]],
    lined: Sequence[tuple[str, Drawn]],
    labels: tuple[list[DocumentLabel], list[LineLabels]],
) -> Iterator[str]:
    """What two readers differ in, without what they said."""
    for (name, one), document in zip(documents, labels[0], strict=True):
        if len(set(document.said)) > 1:
            yield from document_page([(name, one)])
    for (name, one), label in zip(lined, labels[1], strict=True):
        open_lines = tuple(line for line, said in label.said.items() if len(set(said)) > 1)
        if open_lines:
            yield from line_page([(name, Drawn(one.part, one.package, one.document, open_lines))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the corpora")
    parser.add_argument(
        "--pages", type=Path, required=True, metavar="DIR", help="pages to read, and what readers wrote"
    )
    parser.add_argument("--third", action="store_true", help="write a page with what the readers A and B differ in")
    parser.add_argument("--write", action="store_true", help="keep what A, B and C said as the project's labels")
    args = parser.parse_args()
    documents, lined = drawn(args.data)
    if args.third or args.write:
        labels = labels_of(documents, lined, args.pages, "ABC" if args.write else "AB")
        units = [said for one in labels[1] for said in one.said.values()]
        some = [["none" if tag == "none" else "some" for tag in said] for said in units]
        whole = [one.said for one in labels[0]]
        for name, said in (("documents", whole), ("lines", units), ("instruction or none", some)):
            print(
                f"{name}: alpha {agreement(said)}, differ {sum(len(set(one[:2])) > 1 for one in said)} of {len(said)}"
            )
        if args.third:
            text = "\n".join(third_page(named(documents, "D"), named(lined, "L"), labels))
            (args.pages / "third.md").write_text(text + "\n", "utf-8")
        else:
            with write_atomically(LABELS) as file:
                file.write(write_labels(*labels))
        return
    print(f"{len(documents)} documents, {sum(likely(one.document) for one in documents)} likely")
    print({part: sum(one.part == part for one in documents) for part in PACKAGES})
    print(f"{sum(len(one.lines) for one in lined)} lines of {len(lined)} documents")
    print({part: sum(len(one.lines) for one in lined if one.part == part) for part in PACKAGES})
    args.pages.mkdir(parents=True, exist_ok=True)
    for kind, page, items in (
        ("documents", document_page, named(documents, "D")),
        ("lines", line_page, named(lined, "L")),
    ):
        for quarter in range(4):
            part = items[quarter * len(items) // 4 : (quarter + 1) * len(items) // 4]
            (args.pages / f"{kind}-{quarter + 1}.md").write_text("\n".join(page(part)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
