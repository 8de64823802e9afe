"""What weighs the cells of a notebook trunk, fitted on its answers to repositories that it never saw.

    python -m sayso.experiments.notebook_weighing ANSWERS HELD TOKENIZER [--out FILE]

A softmax over the options of a request, which should choose those that are most like what was written. Repositories
are cross-fitted to tell what that gains; what ships is fitted on all of them. Dev and test are not read.
"""

from __future__ import annotations

import argparse
import json
import lzma
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sayso.core.types import Example
from sayso.english.prompt import Tokens, load_trunk_tokens
from sayso.english.vocabulary import EOS
from sayso.experiments.notebook_prompts import read_held
from sayso.learners.linear import Adam, fit_ranking, rivals
from sayso.metrics.bleu import CorpusBleu
from sayso.neural.drawing import Draws, goes_round, whole_lines
from sayso.targets.notebook.metrics.text import FORM, joined, paper_tokens
from sayso.targets.notebook.systems.cells import once, seen
from sayso.targets.notebook.systems.columns import COLUMNS, Option, columns, copies

STEPS = Adam(rate=0.05, rounds=600)
PULL = 0.01
SHARP = 8.0
"""How much of the truth goes to the best option: shares are exp(SHARP · likeness)."""

Question = tuple[Example, list[Option], NDArray[np.float64], NDArray[np.float64]]
"""An example, its options, their columns, and how like each is to what was written."""


def options_of(answers: Sequence[Sequence[Any]], tokens: Tokens, most: int = 5) -> list[Option]:
    """Answers as ids and log-probabilities, the likeliest first, of which so many are drawn where the trunk is used."""
    found = []
    for place, (ids, log_prob) in enumerate(answers[:most]):
        said, is_ended = until(ids)
        text = tokens.decode(said)
        text = text if is_ended else whole_lines(text)
        # How likely the beginning was alone is not told: as likely as the whole, id by id.
        found.append(Option(text, "trunk", log_prob * len(said) / max(1, len(ids)), len(said), place == 0, is_ended))
    return once(found)


def until(ids: Sequence[int], longest: int = Draws.longest) -> tuple[Sequence[int], bool]:
    """An answer up to where the runtime would have left it, and whether it came to its end."""
    for length in range(1, min(len(ids), longest) + 1):
        if ids[length - 1] == EOS:
            return ids[:length], True
        if goes_round(ids[:length]):
            return ids[:length], False
    return ids[:longest], False


def sentence_bleu(found: Sequence[str], wanted: Sequence[str]) -> float:
    """Of one cell, smoothed by one: of 0 to 1."""
    if not found or not wanted:
        return float(found == wanted)
    total = 0.0
    for n in range(1, 5):
        own = Counter(zip(*(found[place:] for place in range(n)), strict=False))
        other = Counter(zip(*(wanted[place:] for place in range(n)), strict=False))
        total += math.log(((own & other).total() + 1) / (own.total() + 1)) / 4
    return math.exp(total + min(0.0, 1 - len(wanted) / len(found)))


def question(example: Example, answers: Sequence[Sequence[Any]], tokens: Tokens) -> Question:
    options = once([*options_of(answers, tokens), *copies(example.request)])
    _, against, _ = seen(example.request, options)
    wanted = paper_tokens(example.meta["runnable"])
    like = [sentence_bleu(paper_tokens(option.text), wanted) for option in options]
    return example, options, np.array(columns(example.request, options, against)), np.array(like)


def fitted(questions: Sequence[Question]) -> dict[str, Any]:
    """Weights of the columns, which are shifted and scaled by what they are here."""
    every = np.concatenate([rows for _, _, rows, _ in questions])
    centre, scale = every.mean(0), np.maximum(every.std(0), 1e-3)
    asked = []
    for _, _, rows, like in questions:
        odds = np.exp(SHARP * (like - like.max()))
        if len(like) > 1:
            asked.append(((rows - centre) / scale, odds / odds.sum(), 1.0))
    weight = fit_ranking(rivals(asked), STEPS, np.zeros(len(COLUMNS)), PULL)
    told = {"centre": centre, "scale": scale, "weight": weight}
    return {"columns": list(COLUMNS), **{name: [round(float(x), 6) for x in one] for name, one in told.items()}}


def chosen(weighing: dict[str, Any], one: Question) -> int:
    centre, scale, weight = (np.array(weighing[name]) for name in ("centre", "scale", "weight"))
    return int((((one[2] - centre) / scale) @ weight).argmax())


def corpus_bleu(pairs: Iterable[tuple[Example, str]]) -> float:
    from sayso.core.types import Candidate

    metric = CorpusBleu("bleu", joined, FORM, tokenizer="none", smoothing="none")
    return round(metric.reduce([metric.measure(one, [Candidate(text, 1.0)]) for one, text in pairs]).value, 3)


def cross_fitted(questions: Sequence[Question]) -> dict[str, float]:
    """BLEU of what is chosen for repositories that the weights were not fitted on, beside simpler choices."""
    parts: dict[str, list[Question]] = defaultdict(list)
    for one in questions:
        parts[one[0].meta["repository"]].append(one)
    picked: list[tuple[Example, str]] = []
    for name, part in parts.items():
        weighing = fitted([one for other, some in parts.items() if other != name for one in some])
        picked += [(one[0], one[1][chosen(weighing, one)].text) for one in part]
    return {"weighed": corpus_bleu(picked), **choices(questions)}


def choices(questions: Sequence[Question]) -> dict[str, float]:
    """What one would have by simpler rules, and by knowing the answer."""
    first = [(one[0], one[1][0].text) for one in questions]
    best = [(one[0], one[1][int(one[3].argmax())].text) for one in questions]
    copied = [(one[0], next((o.text for o in one[1] if o.source != "trunk"), "")) for one in questions]
    return {"likeliest": corpus_bleu(first), "copied": corpus_bleu(copied), "best of all": corpus_bleu(best)}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.notebook_weighing", description=__doc__)
    parser.add_argument("answers", type=Path)
    parser.add_argument("held", type=Path)
    parser.add_argument("tokenizer", type=Path)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args(argv)
    answers = json.loads(lzma.decompress(args.answers.read_bytes()))
    tokens = load_trunk_tokens(args.tokenizer)
    asked = [one for one in read_held(args.held) if f"held {one.id}" in answers]
    questions = [question(one, answers[f"held {one.id}"], tokens) for one in asked]
    weighing = fitted(questions)
    told = {
        "n": len(questions),
        "held": cross_fitted(questions),
        "weights": dict(zip(COLUMNS, weighing["weight"], strict=True)),
    }
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    if args.out:
        args.out.write_text(json.dumps(weighing))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
