"""From the user's results into a checkout's `results/`, on purpose: ledger lines, and the predictions they are about.

Runs on test are always published, so that their count holds everywhere; everything else is chosen, and comes from
committed code unless told otherwise.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from sayso.core.errors import RunFailed, UnknownName, UserError
from sayso.core.files import remove_quietly, write_atomically
from sayso.runs import provenance
from sayso.runs.ledger import Entry, Line, add_lines
from sayso.runs.lines import unpacked
from sayso.runs.predictions import origin_path, read_origin
from sayso.runs.store import Results, prediction_file

# What the docs rest on: nobody reports on train.
SPLITS = ("dev", "test")
# Paths of a checkout whose changes may change a number.
SOURCE = ("src", "pyproject.toml")


@dataclass(frozen=True)
class Pending:
    """Something that is not published yet: a ledger line, the predictions that it is about, or both."""

    line: Line
    is_new: bool
    """The line itself is missing; of a run on test it seldom is."""
    predictions: Path | None
    """Below a results folder; None where they are published, or not stored any more."""

    @property
    def entry(self) -> Entry:
        return self.line.entry

    @property
    def is_committed(self) -> bool:
        """Whether the code that made it can be had again."""
        return bool(self.entry.commit) and not self.entry.dirty


def pending(results: Results) -> list[Pending]:
    """Everything that could be published, oldest first."""
    fresh = {line.id for line in results.ledger.unpublished()}
    found = []
    for line in results.ledger.lines()[0]:
        is_new, predictions = line.id in fresh, unpublished_predictions(results, line.entry)
        if is_new or (predictions and line.entry.kind == "eval"):
            found.append(Pending(line, is_new, predictions))
    return found


def unpublished_predictions(results: Results, entry: Entry) -> Path | None:
    """The stored predictions of a whole run, where they are still the same and newer than what is published."""
    if not entry.predictions or not entry.whole or entry.split not in SPLITS:
        return None
    place = prediction_file(entry.task, entry.system, entry.split)
    own = results.folder / place
    origin = read_origin(own) if own.is_file() else None
    if origin is None or origin.sha256 != entry.predictions:
        return None
    there = read_origin(results.published / place) if results.published else None
    return None if there and (there.sha256 == origin.sha256 or there.time > origin.time) else place


def newest(found: Sequence[Pending]) -> list[Pending]:
    """Only the last about each task, split and system."""
    last = {(one.entry.task, one.entry.split, one.entry.system): one.line.id for one in found}
    return [one for one in found if one.line.id in last.values()]


def named(found: Sequence[Pending], ids: Sequence[str]) -> list[Pending]:
    """Those whose ids begin so, in the order of the ledger."""
    for given in ids:
        matches = [one.line.id for one in found if one.line.id.startswith(given)]
        if not matches:
            raise UnknownName("unpublished line", given, [one.line.id for one in found][-20:])
        if len(matches) > 1:
            raise UserError(f"{given} begins the ids of {len(matches)} lines", "give more of it")
    return [one for one in found if one.line.id.startswith(tuple(ids))]


def refuse_uncommitted(chosen: Sequence[Pending], checkout: Path) -> None:
    """What cannot be made again is no base for docs: changed source, or lines that came from such."""
    if not provenance.git("rev-parse", "HEAD", folder=checkout):
        raise UserError(f"{checkout} is no git checkout with a commit", "publish from one, or add --dirty")
    changed = provenance.git("status", "--porcelain", "--untracked-files=no", "--", *SOURCE, folder=checkout)
    if changed:
        first, more = changed.splitlines()[0].split()[-1], len(changed.splitlines()) - 1
        others = f" and {more} more" if more else ""
        raise UserError(f"{first}{others} of {checkout} changed since the last commit", "commit first, or add --dirty")
    loose = [one for one in chosen if not (one.is_committed or one.entry.is_test_run)]
    if loose:
        ids = ", ".join(one.line.id for one in loose[:3]) + (", …" if len(loose) > 3 else "")
        many = f"{len(loose)} lines come" if len(loose) > 1 else "1 line comes"
        hint = "commit and run again, name the other lines (`sayso results list`), or add --dirty"
        raise UserError(f"{many} from uncommitted code: {ids}", hint)


@dataclass(frozen=True)
class Published:
    lines: tuple[str, ...]
    """Their ids."""
    predictions: tuple[Path, ...]


def publish(results: Results, chosen: Sequence[Pending]) -> Published:
    """Copy predictions, then lines. Killed half-way, the same again does the rest and doubles nothing."""
    if results.published is None:
        raise UserError("there is no checkout to publish to", "cd into a checkout of sayso")
    places = dict.fromkeys(one.predictions for one in chosen if one.predictions)
    for place in places:
        copy_predictions(results.folder / place, results.published / place)
    lines = [one.line for one in chosen if one.is_new]
    if lines:
        add_lines(results.published / "ledger.jsonl", [line.content for line in lines])
    return Published(tuple(line.id for line in lines), tuple(places))


def copy_predictions(source: Path, target: Path) -> None:
    """The file and its origin, as `save` leaves them: never predictions with another's origin."""
    origin, content = origin_path(source).read_bytes(), source.read_bytes()
    digest = hashlib.sha256(b"".join(unpacked(source, BytesIO(content)))).hexdigest()
    if json.loads(origin)["sha256"] != digest:
        raise RunFailed(
            f"{source} is not what its origin says: altered, or a run is writing it",
            "wait for the run to end, or run the system again with --fresh",
        )
    remove_quietly(str(origin_path(target)))
    for path, data in ((target, content), (origin_path(target), origin)):
        with write_atomically(path) as file:
            file.write(data)
