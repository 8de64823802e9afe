"""The index of this machine: every manual page of sections 1 and 8 read into lines of the knowledge base's shape.

Kept in the user's cache, one utility a line, sorted; pages whose file has not changed are not read again. A page that
cannot be read is counted with its reason and never stops the others.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import re
import time
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sayso.core.files import write_atomically
from sayso.core.types import Sandbox
from sayso.scale.engines import Done, Engine
from sayso.scale.engines import map as map_over
from sayso.targets.bash.knowledge.machine import NAME, stamp_of
from sayso.targets.bash.manual.help import ask_for_help
from sayso.targets.bash.manual.options import Option
from sayso.targets.bash.manual.pages import Page, read_manual

VERSION = 2  # raise it when the extractor reads pages differently: the whole index is made again
SECTIONS = ("man1", "man8")
MAX_BYTES = 8_000_000
OPENERS: Mapping[str, Callable[[Path], object]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
PAGE = re.compile(r"(?P<name>.+?)\.[18][a-z]*(?:\.(?:gz|bz2|xz|zst))?")


class Unreadable(Exception):
    """Why a page is left out; the text is what it is counted under."""


@dataclass(frozen=True, slots=True)
class Report:
    """What an indexing did. `problems` counts pages and programs that gave nothing, by reason."""

    path: Path
    pages: int
    reused: int
    helped: int
    utilities: int
    options: int
    problems: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0


def find_pages(folders: Sequence[Path]) -> dict[str, Path]:
    """The page of each utility; plain sections before 1p or 1ssl, then earlier folders and section 1 before 8."""
    paths = [
        path
        for folder in folders
        for section in SECTIONS
        if (folder / section).is_dir()
        for path in sorted((folder / section).iterdir())
    ]
    found: dict[str, Path] = {}
    for path in sorted(paths, key=lambda path: len(_section(path))):
        if match := PAGE.fullmatch(path.name):
            found.setdefault(match["name"], path)
    return found


def is_of(page: str, installed: Collection[str]) -> bool:
    """Whether a page is of an installed program, or of a sub-command of one: `git-commit` where there is git."""
    return page in installed or page.partition("-")[0] in installed


def _section(path: Path) -> str:
    """`enc.1ssl.gz` -> 1ssl"""
    return re.sub(r"\.(?:gz|bz2|xz|zst)$", "", path.name).rsplit(".", 1)[-1]


def read_source(path: Path, depth: int = 0) -> str:
    """The roff text of a page, redirections (`.so man1/gzip.1`) followed; raises Unreadable."""
    if path.suffix == ".zst":
        raise Unreadable("packed with zstd")
    try:
        opener = OPENERS.get(path.suffix)
        with opener(path) if opener else path.open("rb") as file:  # type: ignore[attr-defined]
            data: bytes = file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise Unreadable("link to nothing") from error
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        raise Unreadable("broken archive") from error
    except OSError as error:
        raise Unreadable("cannot be read") from error
    if len(data) > MAX_BYTES:
        raise Unreadable("too large")
    if b"\0" in data[:4096]:
        raise Unreadable("not text")
    text = data.decode("utf-8", errors="replace")
    redirect = re.match(r'(?:\s*\.\\".*\n)*\s*\.so\s+(\S+)\s*$', text)
    if redirect:
        if depth > 3:
            raise Unreadable("redirections in a circle")
        return read_source(_redirected(path, redirect[1]), depth + 1)
    return text


def _redirected(path: Path, target: str) -> Path:
    beside = path.parent.parent / target if "/" in target else path.parent / target
    return next((p for p in (beside, *(beside.with_name(beside.name + end) for end in OPENERS)) if p.exists()), beside)


def row_of(page: Page) -> dict[str, object]:
    """A page as a line of the knowledge base."""
    flags = [flag_of(option) for option in page.options]
    row = {"name": page.name, "gloss": page.gloss, "syntax": syntax_of(page), "operands": list(page.operands)}
    return row | {"flags": flags}


def flag_of(option: Option) -> dict[str, object]:
    flag: dict[str, object] = {"names": list(option.names)}
    if option.types:
        flag["argument"] = " ".join(option.types)
    flag |= {key: True for key in ("optional", "repeated") if getattr(option, key)}
    flag |= {key: value for key in ("same", "gloss") if (value := getattr(option, key))}
    return flag


def syntax_of(page: Page) -> str:
    """Long names with one dash (gcc, java), a command to run (nice), or the usual."""
    names = [name for option in page.options for name in option.names]
    long_single = sum(len(name) > 2 and name[1] != "-" and name != "-NUM" for name in names)
    if long_single >= 3 and long_single * 3 >= len(names):
        return "single"
    return "first" if any(kind.startswith("Command") for kind in page.operands) else "getopt"


def build_index(
    folders: Sequence[Path],
    cache: Path,
    engine: Engine | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    sandbox: Sandbox | None = None,
    programs: Mapping[str, Path] | None = None,
    installed: Collection[str] | None = None,
) -> Report:
    """Bring the index in the cache up to date. `programs` without a page are asked for --help, in the sandbox only.

    Where it is known what is `installed`, pages of other programs are left out: a machine may have ten times as many.
    """
    start = time.perf_counter()
    path = cache / NAME
    made_of = stamps_of(folders)  # before any page is read: what comes meanwhile is noticed the next time
    found = find_pages(folders)
    pages = {name: page for name, page in found.items() if installed is None or is_of(name, installed)}
    known = _previous(path)
    problems: Counter[str] = Counter({"its program is not installed": len(found) - len(pages)})
    lines: dict[str, str] = {}
    fresh: list[tuple[str, Path]] = []
    for name, page in pages.items():
        stamp = stamp_of(page)
        line = known.get(f"{page} {stamp}")
        if line is None:
            fresh.append((name, page))
        else:
            _keep(lines, line)
    reused = len(pages) - len(fresh)
    for done, result in enumerate(map_over(_read, fresh, engine), 1):
        if progress:
            progress("pages", done, len(fresh))
        line, reason = result.value if isinstance(result, Done) else ("", "the reader failed")
        problems[reason] += bool(reason)
        if line:
            _keep(lines, line)
    rest = {name: program for name, program in (programs or {}).items() if name not in pages}
    helped = _add_help(lines, known, rest, sandbox, problems, progress)
    _mark_parents(lines)
    _write(path, lines, made_of)
    counts = [_counts(line) for line in lines.values()]
    utilities, options = sum(n > 0 for n in counts), sum(counts)
    seconds = time.perf_counter() - start
    return Report(path, len(pages), reused, helped, utilities, options, dict(+problems), seconds)


def _read(item: tuple[str, Path]) -> tuple[str, str]:
    """One page as a line, or the reason why there is none."""
    name, path = item
    try:
        stamp = stamp_of(path)
        page = read_manual(read_source(path), name)
    except Unreadable as error:
        return "", str(error)
    return _line(row_of(page), f"{path} {stamp}"), "" if page.options else "no options found"


def _add_help(
    lines: dict[str, str],
    known: Mapping[str, str],
    programs: Mapping[str, Path],
    sandbox: Sandbox | None,
    problems: Counter[str],
    progress: Callable[[str, int, int], None] | None,
) -> int:
    fresh: dict[str, Path] = {}
    for name, path in programs.items():
        line = known.get(f"{path} {stamp_of(path)}")
        if line is None:
            fresh[name] = path
        else:
            _keep(lines, line)
    if fresh and sandbox is None:
        problems["no page, and no sandbox to ask --help in"] += len(fresh)
        return 0
    helped = 0
    for done, (name, page, reason) in enumerate(ask_for_help(fresh, sandbox) if sandbox else (), 1):
        if progress:
            progress("programs without a page", done, len(fresh))
        problems[reason] += bool(reason)
        helped += not reason
        if page:
            _keep(lines, _line(row_of(page), f"{fresh[name]} {stamp_of(fresh[name])}"))
    return helped


def _line(row: dict[str, object], source: str) -> str:
    return json.dumps(row | {"source": source}, ensure_ascii=False)


def _name(line: str) -> str:
    found = json.loads("[" + line[len('{"name": ') : line.index(', "gloss"')] + "]")
    return str(found[0])


def _keep(lines: dict[str, str], line: str) -> None:
    lines.setdefault(_name(line), line)


def _mark_parents(lines: dict[str, str]) -> None:
    """`git` has sub-commands where there is a page of `git commit`."""
    for parent in {name.rsplit(" ", 1)[0] for name in lines if " " in name} & lines.keys():
        lines[parent] = re.sub(r'"syntax": "\w+"', '"syntax": "subcommands"', lines[parent], count=1)


def _counts(line: str) -> int:
    return line.count('{"names": ')


def _previous(path: Path) -> dict[str, str]:
    """Lines of an index that this version made, by source; a damaged one is made again."""
    try:
        first, *lines = path.read_text(encoding="utf-8").split("\n")
        if json.loads(first).get("version") != VERSION:
            return {}
        return {json.loads("[" + line[line.rindex('"source": ') + 10 : -1] + "]")[0]: line for line in lines if line}
    except (OSError, ValueError, IndexError, AttributeError):
        return {}


def is_fresh(folders: Sequence[Path], cache: Path) -> bool:
    """Whether the index in the cache was made by this version, of these folders as they are now; reads one line."""
    try:
        with (cache / NAME).open(encoding="utf-8") as file:
            return bool(json.loads(file.readline()) == _head(stamps_of(folders)))
    except (OSError, ValueError):
        return False


def stamps_of(folders: Sequence[Path]) -> dict[str, str]:
    """The sections of the folders, each with what changes when a page comes or goes."""
    sections = [folder / section for folder in folders for section in SECTIONS]
    return {str(one): stamp_of(one) for one in sections if one.is_dir()}


def _head(made_of: Mapping[str, str]) -> dict[str, object]:
    return {"version": VERSION, "folders": dict(made_of)}


def _write(path: Path, lines: Mapping[str, str], made_of: Mapping[str, str]) -> None:
    with write_atomically(path) as file:
        file.write(json.dumps(_head(made_of), ensure_ascii=False).encode() + b"\n")
        file.writelines(lines[name].encode() + b"\n" for name in sorted(lines))
