"""Where notebooks come from: the raw corpus, a packed file like it, or .ipynb files in folders and clones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sayso.core.errors import UserError
from sayso.core.given import parse_json, read_plain
from sayso.targets.notebook.corpus.lines import read_lines
from sayso.targets.notebook.corpus.notebook import Notebook, read_ipynb, read_row

RAW = ("notebooks.jsonl.zst", "notebooks_more.jsonl.zst")
LARGEST = 64 << 20
"""Bytes of one .ipynb file; more than that is output."""
COPIES = ".ipynb_checkpoints"


@dataclass(frozen=True)
class Source:
    """One notebook, not read yet: a line of a packed file, or the path of an .ipynb file."""

    name: str
    """As a line about it calls it."""
    line: str = ""
    path: str = ""
    repository: str = ""
    inside: str = ""
    """The path inside of the repository."""
    largest: int = LARGEST

    def key(self) -> str:
        """Changes when the notebook does, so that a resumed run mines it again."""
        if not self.path:
            return hashlib.sha256(self.line.encode("utf-8", "surrogatepass")).hexdigest()
        try:
            facts = Path(self.path).stat()
        except OSError:
            return f"{self.path} is gone"
        return f"{self.path} {facts.st_size} {facts.st_mtime_ns} {self.repository} {self.inside} {self.largest}"


def key_of(source: Source) -> str:
    return source.key()


def read(source: Source) -> Notebook:
    """BadFile, OSError or ValueError say what is wrong with it."""
    if source.line:
        return read_row(parse_json(source.line))
    return read_ipynb(read_plain(source.path, source.largest), source.repository, source.inside)


def raw_corpus(data: Path) -> Iterator[Source]:
    """Every notebook of the raw corpus, repository by repository."""
    for name in RAW:
        yield from packed(data / "notebooks" / name)


def packed(path: Path) -> Iterator[Source]:
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            yield Source(f"{path.name}:{number}", line=line)


def given(paths: Iterable[Path], largest: int = LARGEST) -> Iterator[Source]:
    """What a user names: notebooks, folders of them, clones, packed files."""
    for path in paths:
        if path.is_dir():
            for inner in sorted(path.rglob("*.ipynb")):
                if COPIES not in inner.parts and inner.is_file():
                    yield of_file(inner, path, largest)
        elif path.name.endswith((".jsonl", ".jsonl.zst")):
            yield from packed(path)
        elif path.exists():
            yield of_file(path, path.parent, largest)
        else:
            raise UserError(f"there is no {path}", "give notebooks, folders that hold some, or a .jsonl.zst of them")


def of_file(path: Path, root: Path, largest: int) -> Source:
    """The repository is the clone that a file lies in, else the folder that was named."""
    whole = path.resolve()
    clone = next((folder for folder in whole.parents if (folder / ".git").exists()), root.resolve())
    inside = whole.relative_to(clone).as_posix() if whole.is_relative_to(clone) else whole.name
    return Source(str(path), path=str(whole), repository=clone.name, inside=inside, largest=largest)
