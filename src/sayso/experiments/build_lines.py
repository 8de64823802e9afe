"""Models of documents and lines (README-EVAL §5, §7): learnt from weak labels, from readers' labels, and from both.

Weak labels are the commands that the stored corpus marks in train packages; no system reads them. Readers' labels are
those of train packages (corpus/labels.py). Nothing is learnt on dev or test.

    python -m sayso.experiments.build_lines --data DATA --write [--lines]
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sayso.core.files import write_atomically
from sayso.core.types import Split
from sayso.learners.linear import Adam, fit_named
from sayso.targets.build.corpus.labels import MORE, UNSURE, read_labels
from sayso.targets.build.corpus.splits import evaluated_names, says_any, set_apart, split_of
from sayso.targets.build.corpus.stored import FOLDER, STORED, package_of, read_rows
from sayso.targets.build.reading import crf as chains
from sayso.targets.build.reading import documents, tagger
from sayso.targets.build.reading.crf import Crf
from sayso.targets.build.reading.line_features import line_features
from sayso.targets.build.reading.markup import read_lines

Array = NDArray[np.float64]
WEAK_STEPS = frozenset({"bootstrap", "configure", "build", "install", "deps", "chdir", "unpack", "test"})
TELLING = frozenset({"bootstrap", "configure", "build", "install"})
"""A document with such a command is one that says how to build, as far as the weak labels know."""
PROSE = ("readme", "install", "build", "hacking", "contributing", "quickstart", "other", "requirements")
MOST_WEAK, LONGEST = 1500, 220
LEAST_WEAK, LEAST_HAND, PULL_HAND = 8, 2, 4.0
"""Lines that must have a feature for it to be kept."""


@dataclass(frozen=True)
class Sequences:
    """Documents: features of each line, and the number of its tag, -1 where nobody looked."""

    rows: list[list[list[str]]]
    tags: list[list[int]]


def weak_rows(data: Path) -> list[Mapping[str, Any]]:
    """Rows of train packages, without what README-EVAL is scored on."""
    rows = {row["name"]: row for row in read_rows(data / FOLDER / STORED)}
    kept, _ = set_apart([package_of(row) for row in rows.values()], evaluated_names(data))
    return [rows[package.name] for package in kept if split_of(package) == "train"]


def weak_sequences(rows: Iterable[Mapping[str, Any]]) -> Sequences:
    """Documents with commands, and as many without."""
    found = Sequences([], [])
    taken: Counter[bool] = Counter()
    for row in rows:
        for one in row["docs"]:
            if one["kind"] not in PROSE or one.get("distractor") or one.get("gnu_boilerplate"):
                continue
            steps = {cmd["line"] for cmd in one.get("cmds", ()) if cmd["step"] in WEAK_STEPS}
            if taken[bool(steps)] >= MOST_WEAK // (1 if steps else 3):
                continue
            taken[bool(steps)] += 1
            lines = read_lines(one["text"])[:LONGEST]
            features = line_features(one["path"], lines)
            filled = [at for at, line in enumerate(lines) if line.form != "blank"]
            found.rows.append([features[at] for at in filled])
            found.tags.append([0 if lines[at].number in steps else 1 for at in filled])
    steps_ = sum(tag == 0 for tags in found.tags for tag in tags)
    print(f"weak: {len(found.rows)} documents, {sum(map(len, found.rows))} lines, {steps_} steps")
    return found


def texts_of(data: Path, split: Split) -> dict[tuple[str, str], str]:
    rows = {row["name"]: row for row in read_rows(data / FOLDER / STORED)}
    return {(name, one["path"]): one["text"] for name, row in rows.items() for one in row["docs"]}


def hand_sequences(texts: Mapping[tuple[str, str], str], split: Split) -> Sequences:
    found = Sequences([], [])
    _, lined = read_labels()
    for one in [*lined, *read_labels(MORE)[1], *read_labels(UNSURE)[1]]:
        if one.part == split:
            lines = read_lines(texts[one.package, one.path])
            features = line_features(one.path, lines)
            filled = [at for at, line in enumerate(lines) if line.form != "blank"]
            tags = one.tags
            found.rows.append([features[at] for at in filled])
            found.tags.append([tagger.TAGS.index(tags[at + 1]) if at + 1 in tags else -1 for at in filled])
    return found


def windows(one: Sequences) -> Sequences:
    """Only what readers looked at: a stretch of lines without a gap."""
    found = Sequences([], [])
    for rows, tags in zip(one.rows, one.tags, strict=True):
        kept = [at for at, tag in enumerate(tags) if tag >= 0]
        if kept:
            found.rows.append(rows[kept[0] : kept[-1] + 1])
            found.tags.append(
                [max(0, tag) if tag >= 0 else len(tagger.TAGS) - 1 for tag in tags[kept[0] : kept[-1] + 1]]
            )
    return found


def fit_crf(data: Sequences, tags: Sequence[str], least: int, pull: float, rounds: int) -> Crf:
    """Adam on the likelihood of the tags of whole documents, all documents side by side."""
    counts = Counter(name for rows in data.rows for row in rows for name in row)
    numbers = {name: at for at, name in enumerate(sorted(name for name, n in counts.items() if n >= least))}
    n, width = len(tags), max(map(len, data.rows))
    lengths = np.array([len(rows) for rows in data.rows])
    place, flat, owner = 0, [], []
    where = np.zeros((len(data.rows), width), int)
    for at, rows in enumerate(data.rows):
        for order, row in enumerate(rows):
            known = [numbers[name] for name in row if name in numbers]
            flat += known
            owner += [place] * len(known)
            where[at, order] = place
            place += 1
    flat_, owner_ = np.array(flat), np.array(owner)
    here = np.arange(width)[None, :] < lengths[:, None]  # (document, line)
    truth = np.zeros((len(data.rows), width, n))
    for at, found in enumerate(data.tags):
        truth[at, np.arange(len(found)), found] = 1
    size = len(numbers) * n

    def slope(weights: Array) -> Array:
        emit, step, start = (
            weights[:size].reshape(-1, n),
            weights[size : size + n * n].reshape(n, n),
            weights[size + n * n :],
        )
        scores = np.stack([np.bincount(owner_, emit[flat_, tag], place) for tag in range(n)], 1)[where].astype(
            np.float64
        )
        chances, pairs = forward_backward(scores, step, start, here)
        wrong = (chances - truth) * here[:, :, None]
        by_line = np.zeros((place, n))
        by_line[where[here]] = wrong[here]
        down = np.stack([np.bincount(flat_, by_line[owner_, tag], len(numbers)) for tag in range(n)], 1)
        follows = (truth[:, :-1, :, None] * truth[:, 1:, None, :]).sum((0, 1))
        return np.concatenate([down.ravel(), (pairs - follows).ravel(), wrong[:, 0].sum(0)]) + pull * weights

    weights = Adam(0.05, rounds)(np.zeros(size + n * n + n), slope)
    emit = weights[:size].reshape(-1, n)
    step = weights[size : size + n * n].reshape(n, n)
    return Crf(
        tuple(tags),
        {name: emit[at].tolist() for name, at in numbers.items()},
        step.tolist(),
        weights[size + n * n :].tolist(),
    )


def forward_backward(scores: Array, step: Array, start: Array, here: NDArray[np.bool_]) -> tuple[Array, Array]:
    """(document, line, tag) chances, and the sum over all of chances of one tag after another."""
    _, width, n = scores.shape
    ahead, behind = np.zeros_like(scores), np.zeros_like(scores)
    ahead[:, 0] = start + scores[:, 0]
    for at in range(1, width):
        reached = logsum(ahead[:, at - 1, :, None] + step[None], 1) + scores[:, at]
        ahead[:, at] = np.where(here[:, at, None], reached, ahead[:, at - 1])
    for at in range(width - 2, -1, -1):
        left = logsum(step[None] + (scores[:, at + 1] + behind[:, at + 1])[:, None, :], 2)
        behind[:, at] = np.where(here[:, at + 1, None], left, 0.0)
    whole = logsum(ahead[:, -1], 1)
    chances = np.exp(np.clip(ahead + behind - whole[:, None, None], -50, 0)) * here[:, :, None]
    pairs = np.zeros((n, n))
    for at in range(width - 1):
        both = (
            ahead[:, at, :, None]
            + step[None]
            + (scores[:, at + 1] + behind[:, at + 1])[:, None, :]
            - whole[:, None, None]
        )
        pairs += (np.exp(np.clip(both, -50, 0)) * here[:, at + 1, None, None]).sum(0)
    return chances, pairs


def logsum(values: Array, axis: int) -> Array:
    top = values.max(axis=axis, keepdims=True)
    found: Array = (top + np.log(np.exp(values - top).sum(axis=axis, keepdims=True))).squeeze(axis)
    return found


def document_rows(rows: Iterable[Mapping[str, Any]]) -> tuple[list[list[str]], list[float]]:
    """Every document of train packages with what the weak labels make of it."""
    features, truth = [], []
    for row in rows:
        for one in row["docs"]:
            found = documents.document_features(one["path"], read_lines(one["text"])[: documents.MOST_LINES])
            features.append(found)
            truth.append(float(any(cmd["step"] in TELLING for cmd in one.get("cmds", ()))))
    return features, truth


def hand_documents(texts: Mapping[tuple[str, str], str], split: Split) -> tuple[list[list[str]], list[float]]:
    labels, _ = read_labels()
    kept = [(one.package, one.path, one.holds) for one in labels if one.part == split]
    more = [one for one in read_labels(MORE)[1] if one.part == split]
    kept += [(one.package, one.path, "step" in one.tags.values()) for one in more]
    features = [
        documents.document_features(path, read_lines(texts[package, path])[: documents.MOST_LINES])
        for package, path, _ in kept
    ]
    return features, [float(holds) for _, _, holds in kept]


def f1(said: Sequence[bool], wanted: Sequence[bool]) -> str:
    right = sum(a and b for a, b in zip(said, wanted, strict=True))
    n, m = sum(said), sum(wanted)
    return f"f1 {2 * right / max(1, n + m):.3f} precision {right / max(1, n):.3f} recall {right / max(1, m):.3f} n {m}"


def unnamed(weights: Mapping[str, Any], barred: frozenset[str]) -> dict[str, Any]:
    """Without features that name what README-EVAL is scored on."""
    return {name: weight for name, weight in weights.items() if not says_any(name, barred)}


def packed(rows: Mapping[str, object]) -> bytes:
    return gzip.compress(json.dumps(rows, separators=(",", ":")).encode(), 9, mtime=0)


def fit_weak(rows: Iterable[Mapping[str, Any]]) -> Crf:
    return fit_crf(weak_sequences(rows), ("step", "none"), LEAST_WEAK, 2.0, 60)


def fit_lines(weak: Crf, texts: Mapping[tuple[str, str], str]) -> dict[str, Crf]:
    taggers = {"weak": weak}
    hand = windows(hand_sequences(texts, "train"))
    print(f"hand: {len(hand.rows)} documents, {sum(map(len, hand.rows))} lines")
    taggers["hand"] = fit_crf(hand, tagger.TAGS, LEAST_HAND, PULL_HAND, 150)
    both = Sequences([tagger.with_weak(rows, taggers["weak"]) for rows in hand.rows], hand.tags)
    taggers["both"] = fit_crf(both, tagger.TAGS, LEAST_HAND, PULL_HAND, 150)
    for split in ("train", "dev"):
        seen = hand_sequences(texts, split)
        for name, one in taggers.items():
            chances, wanted = [], []
            for rows, tags in zip(seen.rows, seen.tags, strict=True):
                read = tagger.with_weak(rows, taggers["weak"]) if name == "both" else rows
                for chance, right in zip(one.chances(read), tags, strict=True):
                    if right >= 0:
                        chances.append(1 - chance[-1])
                        wanted.append(tagger.TAGS[right] != "none")
            for least in (0.2, 0.3, 0.4, 0.5, 0.6):
                print(f"lines {split} {name} {least}: {f1([chance >= least for chance in chances], wanted)}")
    return taggers


def fit_documents(
    rows: Sequence[Mapping[str, Any]], texts: Mapping[tuple[str, str], str]
) -> dict[str, dict[str, float]]:
    features, truth = document_rows(rows)
    print(f"weak: {len(truth)} documents, {sum(truth):.0f} that say how")
    models = {"weak": fit_named(features, truth, Adam(0.05, 200), 2.0)}
    hand, said = hand_documents(texts, "train")
    models["hand"] = fit_named(hand, said, Adam(0.05, 200), 1.0)
    models["both"] = fit_named([documents.with_weak(row, models["weak"]) for row in hand], said, Adam(0.05, 200), 1.0)
    for split in ("train", "dev"):
        seen, wanted = hand_documents(texts, split)
        for name, weights in models.items():
            read = [documents.with_weak(row, models["weak"]) if name == "both" else row for row in seen]
            scores = [documents.scored(row, weights) for row in read]
            for least in (0.3, 0.4, 0.5, 0.6, 0.7):
                said_ = [score >= least for score in scores]
                print(f"documents {split} {name} {least}: {f1(said_, [bool(one) for one in wanted])}")
    return {
        name: {one: round(w, 3) for one, w in sorted(found.items()) if abs(w) >= 0.005}
        for name, found in models.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the corpora")
    parser.add_argument("--write", action="store_true", help="keep them as the project's weights")
    parser.add_argument(
        "--lines", action="store_true", help="only the taggers that read readers' labels; the others stay as they are"
    )
    args = parser.parse_args()
    texts = texts_of(args.data, "train")
    barred = evaluated_names(args.data)
    if args.lines:
        models, fitted = documents.WEIGHTS.read_bytes(), fit_lines(chains.read_crfs(tagger.WEIGHTS)["weak"], texts)
    else:
        rows = weak_rows(args.data)
        models = packed({name: unnamed(one, barred) for name, one in fit_documents(rows, texts).items()})
        fitted = fit_lines(fit_weak(rows), texts)
    kept = {name: replace(one, emit=unnamed(one.emit, barred)) for name, one in fitted.items()}
    taggers = packed({name: chains.as_json(one) for name, one in kept.items()})
    print(f"{len(models)} and {len(taggers)} bytes")
    if args.write:
        for path, content in ((documents.WEIGHTS, models), (tagger.WEIGHTS, taggers)):
            with write_atomically(path) as file:
                file.write(content)


if __name__ == "__main__":
    main()
