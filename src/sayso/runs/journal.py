"""What an evaluation has translated so far, so that a killed one loses at most one batch and goes on where it stopped.

The first line says what is run, with the mark that its ledger line will have; each further line is one whole batch. A
torn last line is dropped, and a journal of another run (other code, data, settings) is begun anew.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from sayso.core.errors import BadFile, RunFailed
from sayso.core.files import cannot_write
from sayso.core.given import open_plain, parse_json
from sayso.runs.ledger import new_mark
from sayso.runs.lines import LONGEST_LINE, compact
from sayso.runs.predictions import Prediction, parse_prediction, prediction_line

LONGEST_BATCH = 64 << 20
"""Bytes: a batch is one line."""


@dataclass(frozen=True)
class Journal:
    """`done` is what an earlier run left, in order; `mark` is the same however often the run is taken up."""

    done: tuple[Prediction, ...]
    path: Path
    file: BinaryIO
    mark: str

    def add(self, batch: Sequence[Prediction]) -> None:
        """One batch, forced to disk."""
        with refusals(self.path):
            self.file.write(b"[" + b", ".join(map(prediction_line, batch)) + b"]\n")
            self.file.flush()
            os.fsync(self.file.fileno())

    def remove(self) -> None:
        """Once everything stands in its final place."""
        self.path.unlink(missing_ok=True)


def journal_path(predictions: Path) -> Path:
    """x/default.dev.jsonl.zst -> x/.default.dev.jsonl.zst.part"""
    return predictions.with_name(f".{predictions.name}.part")


def journal_header(path: Path) -> object:
    """What the journal says it is a journal of; None where nothing readable is there."""
    try:
        with open_plain(path) as file:
            return parse_header(file.readline(LONGEST_LINE))[0]
    except OSError:
        return None


def parse_header(line: bytes) -> tuple[object, str]:
    """The run and its mark; (None, "") where a line is no header."""
    try:
        run = parse_json(line)
        mark = run.pop("mark")
    except (ValueError, AttributeError, KeyError, TypeError):
        return None, ""
    return (run, mark) if mark and isinstance(mark, str) else (None, "")


@contextmanager
def open_journal(predictions: Path, run: Mapping[str, Any]) -> Iterator[Journal]:
    """The journal of the run that will write `predictions`; one process at a time."""
    path, mark = journal_path(predictions), new_mark()
    with refusals(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+b")
    try:
        with refusals(path):
            lock(file, predictions)
            begun, done, end = read_journal(file, run)
            file.truncate(end)
            file.seek(end)
            if end == 0:
                file.write(compact({**run, "mark": mark}) + b"\n")
                file.flush()
        yield Journal(tuple(done), path, file, begun or mark)
    finally:
        with refusals(path):  # closing writes what a full disk has refused once more
            file.close()


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """A disk that refuses is one clear line."""
    try:
        yield
    except OSError as error:
        raise cannot_write(path, error) from error


def lock(file: BinaryIO, predictions: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise RunFailed(f"another run is writing {predictions}", "wait for it to end, then try again") from error


def read_journal(file: BinaryIO, run: Mapping[str, Any]) -> tuple[str, list[Prediction], int]:
    """The mark, the predictions of every whole batch and where the last one ends; none if it is another run's."""
    header = file.readline(LONGEST_LINE)
    begun, mark = parse_header(header)
    if begun != parse_json(compact(dict(run))) or not header.endswith(b"\n"):
        return "", [], 0
    done: list[Prediction] = []
    end = len(header)
    while line := file.readline(LONGEST_BATCH):
        try:
            rows = parse_json(line) if line.endswith(b"\n") else None
            batch = None if rows is None else [parse_prediction(row, "journal") for row in rows]
        except (ValueError, TypeError, AttributeError, BadFile):  # what another wrote is run again
            batch = None
        if batch is None:
            break
        done.extend(batch)
        end += len(line)
    return mark, done, end
