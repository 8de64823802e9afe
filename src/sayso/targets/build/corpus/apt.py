"""The machine's own apt with deb-src in a private list: its folders are in the cache; /etc and /var stay as they are.

apt brings the machine's proxies, keys and credentials, checks signatures and sums, retries, and goes on with what it
has of a file. Hooks that the machine runs after an update are left out, since they write elsewhere.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.core.errors import BadFile, MachineError, MissingPart
from sayso.core.files import write_atomically
from sayso.core.given import open_plain, read_plain
from sayso.targets.build.corpus.deb822 import Paragraph, read_paragraphs
from sayso.targets.build.corpus.debian import listed_files

LARGEST = 1 << 20
HOOKS = ("APT::Update::Pre-Invoke", "APT::Update::Post-Invoke", "APT::Update::Post-Invoke-Success")
OPTIONS = {"arch": "Architectures", "lang": "Languages", "target": "Targets"}
"""Options of a one-line entry whose fields have another name."""
REASONS = (
    ("404", "not at the mirror"),
    ("Unable to find a source package", "not in the index"),
    ("Hash Sum mismatch", "wrong sum"),
    ("unexpected size", "wrong sum"),
    ("Could not", "no connection"),
    ("Connection", "no connection"),
    ("Temporary failure", "no connection"),
    ("Error reading from server", "no connection"),
    ("Undetermined Error", "no connection"),
    ("500", "no connection"),
    ("503", "no connection"),
)
"""What apt says -> why a package is missing; the first that fits."""


@dataclass(frozen=True)
class Fetching:
    """How packages are fetched; the defaults are gentle on a mirror."""

    names: tuple[str, ...] = ()
    """These packages; without any, as many as `limit` says, spread over the whole index."""
    limit: int = 100
    largest: int = 3_000_000
    """Bytes of all files of a package: a larger one is left out, unless it is named."""
    pause: float = 1.0
    """Seconds between two packages, which come one after the other."""
    retries: int = 3
    seconds: float = 300.0
    """The longest that one package, or the index, may take."""
    fresh: float = 86_400.0
    """Seconds for which an index is not asked for again."""
    etc: Path = Path("/etc/apt")
    """Where the machine says which archives it uses."""
    options: tuple[str, ...] = ()
    """More lines for apt's configuration."""


def machine_sources(etc: Path) -> list[Paragraph]:
    """The archives in sources.list and sources.list.d, both formats, as paragraphs for source packages."""
    found: dict[tuple[str, str, str], Paragraph] = {}
    paths = [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))]
    for path in paths:
        if path.suffix not in (".list", ".sources") or not path.is_file():
            continue
        text = read_plain(path, LARGEST).decode("utf-8", "replace")
        try:
            read = read_paragraphs(text.splitlines(), path.name) if path.suffix == ".sources" else one_lines(text)
            for paragraph in read:
                if paragraph.get("enabled", "yes").lower() in ("yes", "true", "1", "on"):
                    key = tuple(paragraph.get(name, "") for name in ("uris", "suites", "components"))
                    found[key[0], key[1], key[2]] = {**paragraph, "types": "deb-src"}
        except BadFile:
            continue  # apt leaves out what it cannot read as well
    return [one for key, one in found.items() if key[0] and key[1]]


def one_lines(text: str) -> Iterator[Paragraph]:
    """ "deb [signed-by=/k] http://host/debian stable main" -> the same as a paragraph."""
    for line in text.splitlines():
        words = line.split("#", 1)[0].strip()
        kind, _, rest = words.partition(" ")
        if kind not in ("deb", "deb-src"):
            continue
        rest, fields = rest.strip(), {}
        if rest.startswith("["):
            inside, _, rest = rest[1:].partition("]")
            for option in inside.split():
                name, _, value = option.partition("=")
                fields[OPTIONS.get(name, name).lower()] = value.replace(",", " ")
        uri, suite, *components = [*rest.split(), "", ""][: max(2, len(rest.split()))]
        yield {"types": kind, "uris": uri, "suites": suite, "components": " ".join(components), **fields}


@dataclass(frozen=True)
class PrivateApt:
    """apt-get over folders of its own below `folder`."""

    folder: Path
    fetching: Fetching

    @property
    def lists(self) -> Path:
        return self.folder / "state" / "lists"

    @property
    def config(self) -> Path:
        return self.folder / "apt.conf"

    def prepare(self) -> int:
        """Write the private list and configuration; returns how many archives there are."""
        if shutil.which("apt-get") is None:
            raise MissingPart("there is no apt-get on this machine", "packages are fetched on Debian and its relatives")
        archives = machine_sources(self.fetching.etc)
        if not archives:
            raise MachineError(f"{self.fetching.etc} names no archive", "apt must know where packages come from")
        parts = self.folder / "sources"
        for folder in (self.lists / "partial", self.folder / "cache" / "archives" / "partial", parts):
            folder.mkdir(parents=True, exist_ok=True)
        with write_atomically(parts / "private.sources") as file:
            file.write("\n".join(map(written, archives)).encode())
        with write_atomically(self.config) as file:
            file.write(self.configuration(parts).encode())
        return len(archives)

    def configuration(self, parts: Path) -> str:
        lines = [f"#clear {name};" for name in HOOKS]
        values: dict[str, object] = {
            "Dir::State": self.folder / "state",
            "Dir::State::lists": self.lists,
            "Dir::State::status": "/dev/null",
            "Dir::Cache": self.folder / "cache",
            "Dir::Etc::sourcelist": "/dev/null",
            "Dir::Etc::sourceparts": parts,
            "APT::Sandbox::User": "root",  # the cache of a user is closed to the user _apt
            "Acquire::Languages": "none",
            "Acquire::GzipIndexes": "false",
            "Acquire::Queue-Mode": "access",
            "Acquire::Retries": self.fetching.retries,
            "Acquire::http::Timeout": 30,
            "Acquire::https::Timeout": 30,
        }
        lines += [f'{name} "{value}";' for name, value in values.items()]
        return "\n".join([*lines, *self.fetching.options, ""])

    def run(self, *words: str, cwd: Path | None = None) -> tuple[int, str]:
        """(exit code, everything that apt said)."""
        command = ["env", "LC_ALL=C", "apt-get", "-c", str(self.config), "-q", *words]
        try:
            done = subprocess.run(
                command,
                cwd=cwd or self.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=self.fetching.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return 1, f"Could not finish within {self.fetching.seconds:g} seconds"
        return done.returncode, done.stdout.decode("utf-8", "replace")

    def update(self) -> None:
        """Bring the index of sources, unless it is fresh; an archive without sources is no error."""
        mark = self.folder / "updated"
        if mark.is_file() and time.time() - mark.stat().st_mtime < self.fetching.fresh and self.indices():
            return
        code, said = self.run("update")
        if not self.indices():
            message = f"apt brought no index of source packages: {last_line(said)}"
            raise MachineError(message, "check the network and that `apt-get update` works")
        if code == 0:
            mark.touch()

    def indices(self) -> list[Path]:
        return sorted(self.lists.glob("*_Sources"))

    def sizes(self) -> dict[str, int]:
        """Source package -> bytes of its files, from the index."""
        found = {}
        for path in self.indices():
            with open_plain(path) as file:
                lines = (line.decode("utf-8", "replace") for line in file)
                for paragraph in read_paragraphs(lines, path.name):
                    name = paragraph.get("package", "")
                    if is_name(name) and paragraph.get("extra-source-only", "no") != "yes":
                        found[name] = sum(size for _, size, _ in listed_files(paragraph, name))
        return found

    def download(self, name: str, folder: Path) -> str:
        """Bring the files of a source package; returns "" or why they are not there."""
        folder.mkdir(parents=True, exist_ok=True)
        code, said = self.run("source", "--download-only", "--only-source", name, cwd=folder)
        return "" if code == 0 else why(said)


def is_name(name: str) -> bool:
    """Policy 5.6.1: nothing that could be an option, or leave a folder."""
    return len(name) > 1 and name[0].isalnum() and all(sign.isalnum() or sign in "+-." for sign in name)


def written(paragraph: Paragraph) -> str:
    folded = (f"{name.title()}: {value}".replace("\n", "\n ") for name, value in paragraph.items())
    return "\n".join(folded) + "\n"


def why(said: str) -> str:
    errors = [line for line in said.splitlines() if line.startswith(("E:", "Err", "  ", "Could"))] or [said]
    text = "\n".join(errors)
    return next((reason for words, reason in REASONS if words in text), "apt failed")


def last_line(said: str) -> str:
    lines: Sequence[str] = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("E:", "W:"))]
    return (errors or lines or ["it said nothing"])[-1][:200]
