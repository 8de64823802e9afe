"""A tree surveyed once, with everything that a plan rests on: files, texts that can be seen, commands, and warnings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from sayso.targets.build.planning.folder import LONGEST, Texts, is_plain, list_folder, told_odd
from sayso.targets.build.planning.guard import refusal
from sayso.targets.build.planning.hidden import seen_text
from sayso.targets.build.planning.plan import Ground, Said
from sayso.targets.build.planning.said import MOST_DOCUMENTS, documents_read, said_in
from sayso.targets.build.reading.tree import SourceTree

MOST_READ = 60
"""Documents and build files whose text goes to the readers."""
MOST_TEXT = 4_000_000


@dataclass(frozen=True)
class Survey:
    ground: Ground
    tree: SourceTree
    warnings: tuple[str, ...] = ()
    """Text that was hidden, commands that were refused, and what was not read, each with its place."""


def survey_folder(folder: Path, wanted: Collection[str] | None = None, fetch: bool = False) -> Survey:
    """A folder as it is: a checkout, or an unpacked archive."""
    files, sizes, left_out = list_folder(folder)
    texts = Texts(folder, files)
    read = {path: texts[path] for path in worth_reading(files, sizes)}
    survey = survey_texts(files, sizes, read, texts, fetch)
    cut = [f"{path}: only the first {LONGEST:,} of {size:,} bytes are read" for path, size in texts.cut.items()]
    return Survey(survey.ground, survey.tree, (*survey.warnings, *cut, *(f"left out: {one}" for one in left_out)))


def worth_reading(files: Mapping[str, bool], sizes: Mapping[str, int]) -> list[str]:
    from sayso.targets.build.evaluation.reading import BUILD_FILE, DEEPEST, is_document

    found = [path for path in files if path.count("/") < DEEPEST and (is_document(path) or BUILD_FILE.search(path))]
    kept, room = [], MOST_TEXT
    for path in sorted(found, key=lambda path: (path.count("/"), not is_document(path), path))[:MOST_READ]:
        size = min(sizes[path], LONGEST)
        if size <= room:
            kept.append(path)
            room -= size
    return kept


def survey_texts(
    files: Mapping[str, bool],
    sizes: Mapping[str, int],
    read: Mapping[str, str],
    texts: Mapping[str, str],
    fetch: bool = False,
    documents: Collection[str] | None = None,
    places: Mapping[str, Collection[int]] | None = None,
) -> Survey:
    """`documents` and `places` replace what the readers would find: paths, and lines by path. A listing may come from
    anybody: what steps could not name as it is, or what leads out of the tree, is no file of it."""
    odd = [path for path in files if not is_plain(path)]
    warnings = [f"left out: {one}" for one in told_odd(odd)]
    files = {path: runs for path, runs in files.items() if is_plain(path)}
    seen: dict[str, str] = {}
    for path, text in read.items():
        seen[path], hidden = seen_text(path, text)
        warnings += [f"{one.file}:{one.line}: {one.what} is left out" for one in hidden]
    tree = SourceTree(tuple((path, sizes.get(path, 0)) for path in files), seen)
    chosen = documents_read(tree) if documents is None else [path for path in documents if path in seen]
    if places is not None:
        chosen = list(dict.fromkeys([*chosen, *(path for path in places if path in seen)]))
    said: list[Said] = []
    for path in chosen[: MOST_DOCUMENTS * 2]:
        for one in said_in(path, seen[path], None if places is None else places.get(path, ())):
            if reason := refusal(one.command, fetch):
                warnings.append(f"{path}:{one.cause.line}: not planned, it {reason}: {one.command[:80]}")
            else:
                said.append(one)
    return Survey(Ground(files, Overlay(seen, texts), tuple(said)), tree, tuple(dict.fromkeys(warnings)))


class Overlay(Mapping[str, str]):
    """Texts that were cleaned before all others."""

    def __init__(self, first: Mapping[str, str], then: Mapping[str, str]) -> None:
        self.first, self.then = first, then

    def __getitem__(self, path: str) -> str:
        return self.first[path] if path in self.first else self.then[path]

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter({**dict.fromkeys(self.first), **dict.fromkeys(self.then)})

    def __len__(self) -> int:
        return len({*self.first, *self.then})
