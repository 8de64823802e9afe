"""Human verdicts: NL2Bash's Acc_F and Acc_T (§4), and the CSV that its release keeps them in.

A row is one prediction for one description, the verdict on its template and on the command, and each judge's vote.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

from sayso.core.errors import BadFile, BadInstruction
from sayso.core.files import write_atomically
from sayso.core.given import read_up_to
from sayso.core.types import Candidate, Example, Score, Unscored
from sayso.metrics.average import Pooling, mean_score

Which = Literal["template", "command"]

NO_VERDICT = Unscored("no verdict")
SOME_VERDICTS = Unscored("no verdict on some candidates")

REQUIRED = ("description", "prediction", "correct template", "correct command")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")
"""How a cell begins that a spreadsheet may run, and the mark that says that it is none."""
LARGEST = 256 << 20
ANSWERS = {"y": True, "n": False, "": None}


@dataclass(frozen=True)
class Vote:
    """One judge's opinion; None where the judge gave none. The release calls its judges A, B and C."""

    judge: str
    template: bool | None
    command: bool | None


@dataclass(frozen=True)
class Verdict:
    """One row. `correct_*` is what counts, None while it is open; `system` and `error` stand only in some files."""

    description: str
    prediction: str
    correct_template: bool | None
    correct_command: bool | None
    votes: tuple[Vote, ...] = ()
    template: str = ""
    system: str = ""
    error: str = ""

    def correct(self, which: Which) -> bool | None:
        return self.correct_template if which == "template" else self.correct_command


def majority(votes: Iterable[bool | None]) -> bool | None:
    """What more than half of those who voted say, else None: [True, None, False] -> None"""
    counts = Counter(votes)
    if counts[True] == counts[False]:
        return None
    return counts[True] > counts[False]


def votes_on(verdict: Verdict, which: Which) -> list[bool]:
    votes = [vote.template if which == "template" else vote.command for vote in verdict.votes]
    return [vote for vote in votes if vote is not None]


@dataclass(frozen=True)
class Pooled:
    """Verdicts by request and prediction, under the keys that a target chose for both."""

    table: Mapping[tuple[str, str], tuple[bool | None, bool | None]]
    request_key: Callable[[str], str]
    prediction_key: Callable[[str], str]
    key_name: str
    digest: str

    @cached_property
    def requests(self) -> frozenset[str]:
        """The keys of everything that people judged some prediction for."""
        return frozenset(request for request, _ in self.table)

    def find(self, request: str, prediction: str, which: Which) -> bool | None:
        key = self.request_key(request), readable_key(self.prediction_key, prediction)
        template, command = self.table.get(key, (None, None))
        return template if which == "template" else command


def pool(
    verdicts: Iterable[Verdict],
    request_key: Callable[[str], str],
    prediction_key: Callable[[str], str],
    key_name: str,
) -> Pooled:
    """Join the rows that say the same thing about the same request; where they disagree, all their votes are counted.

    In the release 387 pairs were judged more than once and 2 of them differently.
    """
    rows: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in verdicts:
        key = request_key(verdict.description), readable_key(prediction_key, verdict.prediction)
        rows.setdefault(key, []).append(verdict)
    table = {key: (agreed(same, "template"), agreed(same, "command")) for key, same in sorted(rows.items())}
    digest = hashlib.sha256(json.dumps([[*key, *value] for key, value in table.items()]).encode()).hexdigest()[:8]
    return Pooled(table, request_key, prediction_key, key_name, digest)


def agreed(rows: Sequence[Verdict], which: Which) -> bool | None:
    """A row without votes counts as one; a tie is no majority for "correct"."""
    finals = {row.correct(which) for row in rows} - {None}
    if len(finals) < 2:
        return finals.pop() if finals else None
    votes: list[bool | None] = []
    for row in rows:
        votes += votes_on(row, which) or [row.correct(which)]
    return majority(votes) is True


def readable_key(key: Callable[[str], str], text: str) -> str:
    """Judges also read what no parser does: such a prediction is known by its own text."""
    try:
        return key(text)
    except BadInstruction:
        return text.strip()


@dataclass(frozen=True)
class Judged:
    """1 when one of the first k candidates was judged correct; unscored unless every one of them has a verdict.

    A correct candidate beside an unjudged one is unscored too: such examples could only ever count as right. Saying
    nothing is wrong where people judged that request; elsewhere (on dev they judged 100 of 549) it is unscored.
    """

    name: str
    k: int
    verdicts: Pooled
    which: Which

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        known = f"key:{self.verdicts.key_name}|verdicts:{len(self.verdicts.table)}@{self.verdicts.digest}"
        return f"judged|which:{self.which}|k:{self.k}|{known}|v:2"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int | Unscored:
        text = example.request.text
        if not candidates and self.verdicts.request_key(text) not in self.verdicts.requests:
            return NO_VERDICT
        found = [self.verdicts.find(text, candidate.text, self.which) for candidate in candidates[: self.k]]
        if None in found:
            return SOME_VERDICTS if any(verdict is not None for verdict in found) else NO_VERDICT
        return int(any(found))

    def reduce(self, stats: Sequence[int | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


def defused(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: "=1+1" -> "'=1+1". What began with ' gets another one."""
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def armed(cell: str) -> str:
    """The inverse of `defused`; none of the 61,647 cells of the release is changed by it."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell


def read_verdicts(path: Path) -> list[Verdict]:
    """Every row of a verdict file, in order; other columns are passed over."""
    try:
        with path.open("rb") as raw:
            text = read_up_to(raw, LARGEST, str(path)).decode()
        with io.StringIO(text, newline="") as file:
            reader = csv.DictReader(file)
            columns = list(reader.fieldnames or ())
            absent = [column for column in REQUIRED if column not in columns]
            if absent:
                raise BadFile(f"{path} has no column {', '.join(absent)}", f"a verdict file has {', '.join(REQUIRED)}")
            judges = [
                column.removeprefix("correct template ") for column in columns if column.startswith("correct template ")
            ]
            return [_verdict(row, judges, f"{path}:{reader.line_num}") for row in reader]
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}", "check the path and its permissions") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadFile(f"{path} is not a CSV file in UTF-8: {error}", "save it as CSV, encoded as UTF-8") from error


def write_verdicts(path: Path, verdicts: Sequence[Verdict]) -> None:
    """The same shape, whole or not at all; the columns of `system` and `error` only where a row has one."""
    judges = list(dict.fromkeys(vote.judge for verdict in verdicts for vote in verdict.votes))
    text = {"description": "description", "model": "system", "prediction": "prediction", "Error Category": "error"}
    text["template"] = "template"
    for column in ("model", "Error Category"):
        if not any(getattr(verdict, text[column]) for verdict in verdicts):
            del text[column]
    header = [*text, "correct template", "correct command"]
    header += [f"correct {which} {judge}" for judge in judges for which in ("template", "command")]
    buffer = io.StringIO(newline="")
    # Everything is quoted: the writer leaves a lone carriage return bare, and the reader would take it for a new row.
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(header)
    for verdict in verdicts:
        said = {vote.judge: (vote.template, vote.command) for vote in verdict.votes}
        answers = [verdict.correct_template, verdict.correct_command]
        answers += [answer for judge in judges for answer in said.get(judge, (None, None))]
        cells = (defused(getattr(verdict, field)) for field in text.values())
        writer.writerow([*cells, *map(_letter, answers)])
    with write_atomically(path) as file:
        file.write(buffer.getvalue().encode("utf-8"))


def _verdict(row: Mapping[str, str | None], judges: Sequence[str], place: str) -> Verdict:
    def answer(column: str) -> bool | None:
        value = (row.get(column) or "").strip().lower()
        if value not in ANSWERS:
            raise BadFile(f'{place}: "{value}" under {column}', "write y, n or nothing")
        return ANSWERS[value]

    votes = (Vote(judge, answer(f"correct template {judge}"), answer(f"correct command {judge}")) for judge in judges)
    return Verdict(
        description=armed(row["description"] or ""),
        prediction=armed(row["prediction"] or ""),
        correct_template=answer("correct template"),
        correct_command=answer("correct command"),
        votes=tuple(vote for vote in votes if (vote.template, vote.command) != (None, None)),
        template=armed(row.get("template") or ""),
        system=armed(row.get("model") or ""),
        error=armed(row.get("Error Category") or ""),
    )


def _letter(answer: bool | None) -> str:
    return {True: "y", False: "n", None: ""}[answer]
