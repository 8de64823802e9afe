"""`sayso data get packages`: source packages of the machine's own archives become records, one after the other.

A record is written as soon as its package is read, and what has one is never fetched again: a run that was killed goes
on where it was. Downloads are deleted once they are read; what is half there is kept for the next run.
"""

from __future__ import annotations

import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path

from sayso.core.errors import BadFile, UserError
from sayso.core.files import cannot_write, write_atomically
from sayso.core.progress import Progress, silent
from sayso.core.types import Workspace
from sayso.targets.build.corpus.apt import Fetching, PrivateApt, is_name
from sayso.targets.build.corpus.debian import read_source_package
from sayso.targets.build.corpus.records import Package, as_json
from sayso.targets.build.corpus.stored import FETCHED, FOLDER

MOST_SHOWN, GIVE_UP = 10, 5
"""Missing names that are told, and failed connections in a row after which no further package is asked for."""
NOT_IN_INDEX, NOT_TRIED = "not in the index", "not tried: no connection"


def fetch_packages(
    workspace: Workspace,
    progress: Progress = silent,
    fetching: Fetching | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> dict[str, object]:
    """Make the records that are wanted and not there yet; says what it did and what is missing, and why."""
    fetching = fetching or Fetching()
    if wrong := [name for name in fetching.names if not is_name(name)]:
        raise UserError(f'"{wrong[0][:60]}" cannot be the name of a package', "give the names of source packages")
    folder, private = workspace.data / FOLDER / FETCHED, workspace.cache / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:  # told before anything is asked of a mirror
        raise cannot_write(folder, error) from error
    apt = PrivateApt(private / "apt", fetching)
    archives = apt.prepare()
    progress("the index of sources", 0, 0)
    apt.update()
    sizes = apt.sizes()
    wanted = chosen(sizes, fetching)
    had = [name for name in wanted if (folder / f"{name}.json").is_file()]
    new = [name for name in wanted if name not in set(had)]
    missing = fetch_each(apt, new, sizes, folder, private / "downloads", progress, sleep)
    facts: dict[str, object] = {
        "folder": str(folder),
        "archives": archives,
        "packages in the index": len(sizes),
        "wanted": len(wanted),
        "had before": len(had),
        "made": len(new) - len(missing),
        "missing": dict(Counter(missing.values())),
        "records": sum(1 for _ in folder.glob("*.json")),
    }
    if missing:
        shown = [f"{name} ({reason}{near(name, reason, sizes)})" for name, reason in missing.items()]
        facts["missing packages"] = shown[:MOST_SHOWN]
    return facts


def chosen(sizes: Mapping[str, int], fetching: Fetching) -> list[str]:
    """The names that were given, or a sample that does not depend on what else the index holds."""
    if fetching.names:
        return list(dict.fromkeys(fetching.names))
    small = [name for name, size in sizes.items() if size <= fetching.largest]
    return sorted(small, key=lambda name: sha256(name.encode()).digest())[: max(0, fetching.limit)]


def fetch_each(
    apt: PrivateApt,
    names: Sequence[str],
    sizes: Mapping[str, int],
    folder: Path,
    downloads: Path,
    progress: Progress,
    sleep: Callable[[float], None],
) -> dict[str, str]:
    """Package -> why it is missing."""
    missing: dict[str, str] = {}
    failed, asked = 0, False
    for number, name in enumerate(names):
        progress(f"packages: {name}", number, len(names))
        if name not in sizes:
            missing[name] = NOT_IN_INDEX
            continue
        if failed >= GIVE_UP:
            missing[name] = NOT_TRIED
            continue
        if asked:
            sleep(apt.fetching.pause)
        asked = True
        reason = fetch_one(apt, name, folder, downloads / name)
        failed = failed + 1 if reason == "no connection" else 0
        if reason:
            missing[name] = reason
    progress("packages", len(names), len(names))
    return missing


def fetch_one(apt: PrivateApt, name: str, folder: Path, download: Path) -> str:
    """ "" once there is a record, else why there is none."""
    begun_before = download.is_dir()
    reason = apt.download(name, download)
    if reason == "wrong sum" and begun_before:  # what an earlier run left was not a part of this file
        shutil.rmtree(download)
        reason = apt.download(name, download)
    if reason == "no connection":
        return reason  # what there is of it is kept
    try:
        if not reason:
            write_record(read_downloaded(download), folder / f"{name}.json")
    except BadFile as error:
        reason = f"unreadable: {error.message[:120]}"
    shutil.rmtree(download)
    return reason


def read_downloaded(folder: Path) -> Package:
    found = sorted(folder.glob("*.dsc"))
    if not found:
        raise BadFile("apt brought no .dsc", "run the same command again")
    return read_source_package(found[-1])


def write_record(package: Package, path: Path) -> None:
    with write_atomically(path) as file:
        file.write(json.dumps(as_json(package), ensure_ascii=False).encode("utf-8", "replace"))


def near(name: str, reason: str, sizes: Mapping[str, int]) -> str:
    close = get_close_matches(name, sizes, n=2, cutoff=0.7) if reason == NOT_IN_INDEX else []
    return f"; did you mean {' or '.join(close)}?" if close else ""


def fetching_of(names: Sequence[str], limit: int | None) -> Fetching:
    """What a user asked for at a terminal."""
    asked = replace(Fetching(), names=tuple(names))
    return asked if limit is None else replace(asked, limit=limit)
