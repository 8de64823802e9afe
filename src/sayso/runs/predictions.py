"""Predictions as files: the lines that `sayso translate` writes, JSONL or JSONL.zst, and a small JSON beside them.

A line is `{"id", "candidates": [{"text", "score"}], "abstained"}`. What a system only retrieved is stored as `{"ref",
"score"}`, the id of its source, which a function passed in turns back into text. `NAME.jsonl.zst` has its origin
(commit, bundle, data digest …) in `NAME.json`, so that every line of the predictions stays a prediction.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from sayso.core.errors import BadFile, RunFailed
from sayso.core.files import remove_quietly, write_atomically
from sayso.core.given import parse_json, read_plain
from sayso.core.types import Candidate, Example
from sayso.runs.lines import compact, read_lines, read_objects, write_lines

SourceOf = Callable[[str], str | None]
TextOf = Callable[[str], str]

# How many ids an error names before it says how many more there are.
NAMED, LONGEST_SHOWN = 5, 80
LARGEST_ORIGIN = 1 << 20
HALF = re.compile(r"[\ud800-\udfff]")
"""JSON can say it; no file, page or terminal can hold it."""


@dataclass(frozen=True)
class Prediction:
    """What a system said to one example, best candidate first."""

    id: str
    candidates: tuple[Candidate, ...]
    abstained: bool = False


@dataclass(frozen=True)
class Origin:
    """Where a predictions file came from; stands beside it as `.json`."""

    task: str
    split: str
    system: str
    k: int
    n: int = 0
    sha256: str = ""
    """Of the uncompressed lines."""
    data: str = ""
    """Digest of the examples that were translated."""
    bundle: str = ""
    commit: str = ""
    dirty: bool = False
    refs: bool = False
    """Candidates are ids of train examples, not texts."""
    time: str = ""


def prediction_line(prediction: Prediction, source_of: SourceOf | None = None) -> bytes:
    """One line of a predictions file."""
    rows = []
    for candidate in prediction.candidates:
        ref = source_of(candidate.text) if source_of else None
        rows.append({"text": candidate.text} if ref is None else {"ref": ref})
        rows[-1]["score"] = candidate.score  # type: ignore[assignment]
    try:
        return compact({"id": prediction.id, "candidates": rows, "abstained": prediction.abstained})
    except ValueError as error:
        raise RunFailed(f"example {prediction.id}: a candidate's score is not a finite number") from error


def write_predictions(
    path: Path, predictions: Iterable[Prediction], source_of: SourceOf | None = None
) -> tuple[int, str]:
    """Write them atomically; returns how many there were and the digest of the lines."""
    digest, n = hashlib.sha256(), 0

    def lines() -> Iterator[bytes]:
        nonlocal n
        for prediction in predictions:
            line = prediction_line(prediction, source_of)
            digest.update(line + b"\n")
            n += 1
            yield line

    write_lines(path, lines())
    return n, digest.hexdigest()


def digest_of(predictions: Iterable[Prediction]) -> str:
    """The digest that `write_predictions` would return."""
    digest = hashlib.sha256()
    for prediction in predictions:
        digest.update(prediction_line(prediction) + b"\n")
    return digest.hexdigest()


def file_digest(path: Path) -> str:
    """The digest of the lines of a file, compressed or not."""
    digest = hashlib.sha256()
    for _, line in read_lines(path):
        digest.update(line + b"\n")
    return digest.hexdigest()


def read_predictions(path: Path, text_of: TextOf | None = None) -> Iterator[Prediction]:
    """Stream a predictions file; a line of another shape is a BadFile that names it."""
    for number, row in read_objects(path):
        yield parse_prediction(row, f"{path}:{number}", text_of)


def parse_prediction(row: dict[str, Any], place: str, text_of: TextOf | None = None) -> Prediction:
    name, rows, abstained = row.get("id"), row.get("candidates"), row.get("abstained", False)
    if not isinstance(name, str) or not isinstance(rows, list) or not isinstance(abstained, bool):
        raise BadFile(
            f"{place}: not a prediction",
            'a line is {"id": "…", "candidates": [{"text": "…", "score": 0.5}], "abstained": false}',
        )
    return Prediction(name, tuple(parse_candidate(item, place, text_of) for item in rows), abstained)


def parse_candidate(row: object, place: str, text_of: TextOf | None) -> Candidate:
    if isinstance(row, dict):
        text, ref, score = row.get("text"), row.get("ref"), row.get("score", 0.0)
        if isinstance(score, int | float) and not isinstance(score, bool) and math.isfinite(score):
            if isinstance(text, str):
                if HALF.search(text):
                    raise BadFile(f"{place}: a candidate holds half a letter (a lone surrogate)", "write UTF-8 text")
                return Candidate(text, float(score))
            if isinstance(ref, str):
                if text_of is None:
                    raise BadFile(f"{place}: {ref} is an id, not a text", "only predictions of our own may use refs")
                return Candidate(text_of(ref), float(score))
    raise BadFile(f"{place}: not a candidate", 'a candidate is {"text": "…", "score": 0.5}')


def abstained_share(path: Path) -> float | None:
    """How often a system said that it does not know; None where no predictions are stored."""
    if not path.is_file():
        return None
    said = [row.get("abstained") is True for _, row in read_objects(path)]
    return sum(said) / len(said) if said else None


def abstains_note(predictions: Iterable[Prediction | None]) -> list[str]:
    """Said beside scores, which look at candidates whether a system stands by them or not."""
    said = [one.abstained for one in predictions if one is not None]
    if not any(said):
        return []
    return [f"it abstains on {sum(said)} of {len(said)} requests; the candidates that it keeps there are scored"]


def match_examples(
    examples: Sequence[Example], predictions: Iterable[Prediction], place: str, partial: bool = False
) -> list[Prediction | None]:
    """The prediction of each example, in the order of the examples; `partial` allows for missing ones."""
    known = {example.id for example in examples}
    found: dict[str, Prediction] = {}
    unknown, repeated = Some(), Some()
    for prediction in predictions:
        if prediction.id not in known:
            unknown.add(prediction.id)
        elif prediction.id in found:
            repeated.add(prediction.id)
        else:
            found[prediction.id] = prediction
    missing = Some()
    for example in examples:
        if example.id not in found:
            missing.add(example.id)
    if unknown.count:
        raise BadFile(f"{place}: {unknown} not in this split", "check TASK and --split, or export the requests again")
    if repeated.count:
        raise BadFile(f"{place}: {repeated} predicted twice", "keep one line per id")
    if missing.count and not partial:
        raise BadFile(f"{place}: {missing} without a prediction", "add --partial to count them as unscored")
    return [found.get(example.id) for example in examples]


@dataclass
class Some:
    """How many ids, and the first few of them: a file may hold millions that mean nothing."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, name: str) -> None:
        self.count += 1
        if self.count <= NAMED:
            self.first.append(name[:LONGEST_SHOWN])

    def __str__(self) -> str:
        """2 ids (a, b)"""
        more = ", …" if self.count > NAMED else ""
        return f"{self.count} id{'s' if self.count > 1 else ''} ({', '.join(self.first)}{more})"


def origin_path(predictions: Path) -> Path:
    """x/default.dev.jsonl.zst -> x/default.dev.json"""
    return predictions.with_name(predictions.name.removesuffix(".zst").removesuffix(".jsonl") + ".json")


def save(path: Path, origin: Origin, predictions: Iterable[Prediction], source_of: SourceOf | None = None) -> Origin:
    """Write predictions and their origin; returns the origin with count and digest filled in."""
    # Removed first: a crash between the two writes leaves predictions without an origin, never with a wrong one.
    remove_quietly(str(origin_path(path)))
    n, digest = write_predictions(path, predictions, source_of)
    origin = replace(origin, n=n, sha256=digest, refs=source_of is not None)
    with write_atomically(origin_path(path)) as file:
        file.write(json.dumps(asdict(origin), indent=2, ensure_ascii=False).encode() + b"\n")
    return origin


def read_origin(predictions: Path) -> Origin | None:
    """None where the file has no origin beside it, as one that a user brings."""
    path = origin_path(predictions)
    if not path.is_file():
        return None
    try:
        row = parse_json(read_plain(path, LARGEST_ORIGIN))
        kinds = {one.name: {"int": int, "str": str, "bool": bool}[str(one.type)] for one in fields(Origin)}
        for name in sorted(set(row) & set(kinds)):
            if type(row[name]) is not kinds[name]:
                raise TypeError(f"{name} is {str(row[name])[:40]!r}, not {kinds[name].__name__}")
        return Origin(**{name: value for name, value in row.items() if name in kinds})
    except (ValueError, TypeError, AttributeError, OSError) as error:
        raise BadFile(
            f"{path} does not describe predictions: {error}", "remove it, or write the predictions again"
        ) from error
