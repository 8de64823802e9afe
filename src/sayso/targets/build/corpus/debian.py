"""A Debian source package on disk (.dsc and the files that it names) as a record; nothing is unpacked or run.

Sums are checked against the .dsc. Formats: 3.0 (quilt), 3.0 (native), 1.0 with a diff.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from sayso.core.errors import BadFile
from sayso.core.given import read_plain
from sayso.targets.build.corpus.deb822 import Paragraph, description_of, read_paragraphs, read_relations
from sayso.targets.build.corpus.records import Binary, Package, Relation
from sayso.targets.build.corpus.upstream import Upstream, cleaned, members, opened_stream, read_upstream

LARGEST, LARGEST_CONTROL = 50 << 20, 4 << 20
WANTED = ("control", "rules", "copyright")
BUILD_FIELDS = ("build-depends", "build-depends-arch", "build-depends-indep")
RUN_FIELDS = ("pre-depends", "depends")
HUNK = re.compile(r"@@ -0,0 \+1(?:,(\d+))? @@")
SCRIPTLETS = {"preinst": "pre", "postinst": "post", "prerm": "preun", "postrm": "postun"}


def read_source_package(dsc: Path) -> Package:
    """The record of a .dsc; raises BadFile where it, or a file that it names, is not what it should be."""
    try:
        text = read_plain(dsc, LARGEST_CONTROL).decode("utf-8", "replace")
    except OSError as error:
        raise BadFile(f"cannot read {dsc}: {error.strerror}", "give a .dsc file") from error
    fields = next(iter(read_paragraphs(text.splitlines(), dsc.name)), {})
    # Detached signatures are not needed, and often not kept.
    files = [checked(dsc.parent, *one) for one in listed_files(fields, dsc.name) if not one[0].endswith(".asc")]
    source = next((path for path in files if ".orig.tar." in path.name), None)
    packaging = next((path for path in files if ".debian.tar." in path.name), None)
    patch = next((path for path in files if path.name.endswith(".diff.gz")), None)
    whole = source or next((path for path in files if ".tar." in path.name and path != packaging), None)
    if whole is None:
        raise BadFile(f"{dsc.name} names no tarball of upstream", "get the package again")
    if packaging or not patch:
        rules = packaging_files(packaging or whole, native=packaging is None)
    else:
        rules = added_files(patch)
    return package_from(fields, rules, read_upstream(whole))


def listed_files(fields: Paragraph, name: str) -> list[tuple[str, int, str]]:
    """(name, size, sha256) of what a .dsc or a paragraph of Sources names."""
    rows = [line.split() for line in fields.get("checksums-sha256", "").splitlines() if line.strip()]
    if not rows:
        raise BadFile(f"{name} lists no files with SHA-256 sums", "get the package again")
    found = []
    for row in rows:
        if len(row) != 3 or not row[1].isdecimal() or "/" in row[2] or row[2].startswith("."):
            raise BadFile(f"{name}: not a sum, a size and a file: {' '.join(row)[:80]!r}", "get the package again")
        found.append((row[2], int(row[1]), row[0].lower()))
    return found


def checked(folder: Path, name: str, size: int, digest: str) -> Path:
    path = folder / name
    if size > LARGEST:
        raise BadFile(f"{name} has {size:,} bytes, more than the {LARGEST:,} that are read", "leave it out")
    try:
        content = read_plain(path, LARGEST)
    except OSError as error:
        raise BadFile(f"{name} is missing: {error.strerror}", "get the package again") from error
    if len(content) != size:
        raise BadFile(f"{name} has {len(content):,} bytes, expected {size:,}", "get the package again")
    if hashlib.sha256(content).hexdigest() != digest:
        raise BadFile(f"{name} has another sum than was announced", "get the package again")
    return path


def packaging_files(path: Path, native: bool) -> dict[str, str]:
    """The text files at the top of debian/, by name."""
    found = {}
    for member, archive in members(path):
        folder, _, name = (cleaned(member.name).partition("/")[2] if native else cleaned(member.name)).rpartition("/")
        if folder == "debian" and member.isfile() and is_wanted(name) and (file := archive.extractfile(member)):
            found[name] = file.read(LARGEST_CONTROL).decode("utf-8", "replace")
    return found


def is_wanted(name: str) -> bool:
    return name in WANTED or name in SCRIPTLETS or name.rpartition(".")[2] in SCRIPTLETS


def added_files(patch: Path) -> dict[str, str]:
    """The files of debian/ that a diff makes anew."""
    with opened_stream(patch, LARGEST) as stream:
        parts = []
        while part := stream.read(1 << 20):
            parts.append(part)
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    left, name = 0, ""
    for line in b"".join(parts).decode("utf-8", "replace").split("\n"):
        if left and current is not None:
            current.append(line[1:])
            left -= 1
        elif line.startswith("+++ "):
            folder, _, name = cleaned(line[4:].split("\t")[0]).partition("/")[2].rpartition("/")
            name = name if folder == "debian" and is_wanted(name) else ""
        elif name and (hunk := HUNK.match(line)):
            left, current = int(hunk[1] or 1), found.setdefault(name, [])
    return {name: "\n".join(lines) + "\n" for name, lines in found.items()}


def package_from(fields: Paragraph, packaging: Mapping[str, str], upstream: Upstream) -> Package:
    control = list(read_paragraphs(packaging.get("control", "").splitlines(), "debian/control"))
    source, binaries = (control[0], control[1:]) if control else ({}, [])
    name = fields.get("source") or fields.get("package") or source.get("source", "")
    if not name:
        raise BadFile("the .dsc names no source package", "get the package again")
    version, release = split_version(fields.get("version", ""))
    built = tuple(binary_of(paragraph) for paragraph in binaries if "package" in paragraph)
    own = {binary.name for binary in built}
    main = next((one for one in built if one.name == name), built[0] if built else Binary(name))
    needed = {str(one): one for binary in built for one in binary.requires if one.name not in own}
    scripts = {"rules": packaging["rules"]} if "rules" in packaging else {}
    for file, ours in SCRIPTLETS.items():
        texts = [text for path, text in sorted(packaging.items()) if path.rpartition(".")[2] == file]
        if texts:
            scripts[ours] = "\n".join(texts)
    return Package(
        name=name,
        version=version,
        release=release,
        summary=main.summary,
        description=main.description,
        licence=licence_of(packaging.get("copyright", "")),
        url=fields.get("homepage", source.get("homepage", "")),
        section=source.get("section", ""),
        arch=tuple(fields.get("architecture", "").split()),
        requires=tuple(needed.values()),
        build_requires=relations(fields if any(field in fields for field in BUILD_FIELDS) else source, BUILD_FIELDS),
        scripts=scripts,
        documents=upstream.documents,
        tree=upstream.tree,
        build_files=upstream.build_files,
        build_system=upstream.build_system,
        group=name,
        by="debian",
        binaries=built,
    )


def relations(paragraph: Paragraph, names: tuple[str, ...]) -> tuple[Relation, ...]:
    return tuple(one for name in names if name in paragraph for one in read_relations(paragraph[name]))


def binary_of(paragraph: Paragraph) -> Binary:
    short, long = description_of(paragraph.get("description", ""))
    return Binary(
        paragraph["package"],
        short,
        long,
        paragraph.get("section", ""),
        tuple(paragraph.get("architecture", "").split()),
        relations(paragraph, RUN_FIELDS),
    )


def split_version(text: str) -> tuple[str, str]:
    """ "1:2.0-3-1" -> ("2.0-3", "1"): without the epoch."""
    whole = text.split(":", 1)[-1]
    version, dash, release = whole.rpartition("-")
    return (version, release) if dash else (whole, "")


def licence_of(copyright: str) -> str:
    """The licence of `Files: *` in a machine-readable debian/copyright, "" elsewhere."""
    try:
        for paragraph in read_paragraphs(copyright.splitlines(), "debian/copyright"):
            if paragraph.get("files", "").strip() == "*":
                return paragraph.get("license", "").split("\n", 1)[0].strip()
    except BadFile:
        return ""  # most old ones are prose
    return ""
