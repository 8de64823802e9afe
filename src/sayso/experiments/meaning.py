"""`python -m sayso.experiments.meaning`: the sentence encoder that finds recipes by what a request means.

train MINILM --data DATA --out DIR   cut its vocabulary, train it on our texts, and write the bundle (a CPU is enough)
recall BUNDLE   how often phrasings that it never saw find their recipe, and how often shared words alone do
MINILM is the folder of `sayso data get minilm`. Afterwards the cookbook is fitted again (docs/concepts/meaning.md).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from sayso.cookbook.entry import Recipe, example_values, spoken
from sayso.cookbook.retrieval import Index
from sayso.core.errors import BadInstruction, SaysoError
from sayso.core.given import finite
from sayso.core.types import Workspace
from sayso.neural.bundle import load_bundle, write_bundle
from sayso.neural.meaning import GRAPH, KIND, PIECES, WEIGHTS, Encoder, load_encoder, settings_of
from sayso.neural.meaning_words import described, kept_pieces
from sayso.targets.bash.cookbook import recipes as bash_recipes
from sayso.targets.bash.cookbook.meaning import is_held_back, meanings, meant
from sayso.targets.bash.corpus.nl2bash import published_pairs
from sayso.targets.bash.corpus.unseen import Pair, held_out
from sayso.targets.bash.language import template
from sayso.targets.bash.lessons.sheets import sheet_pairs

VOCABULARY = 14_000
FILLINGS, LONGEST, MOST_WAYS, SAME_SHARE = 3, 160, 40, 0.6
LICENCE = "Apache-2.0; derived from all-MiniLM-L6-v2 (Apache-2.0)"
Way = tuple[str, ...]


def recipe_groups(recipes: Sequence[Recipe]) -> list[list[Way]]:
    """The ways to ask for every command, held-back phrasings apart; each with kinds and with values in its slots."""
    found: defaultdict[str, dict[Way, None]] = defaultdict(dict)
    for recipe in recipes:
        for number, say in enumerate(recipe.say):
            if not is_held_back(say):
                texts = [meant(say, recipe)]
                texts += [
                    described(spoken(say, recipe, example_values(recipe, number + turn))) for turn in range(FILLINGS)
                ]
                found[recipe.command][tuple(dict.fromkeys(texts))] = None
    return [list(ways) for ways in found.values() if len(ways) > 1]


def pair_groups(pairs: Iterable[Pair]) -> list[list[Way]]:
    """Requests for commands of one template."""
    found: defaultdict[str, dict[frozenset[str], str]] = defaultdict(dict)
    for pair in pairs:
        try:
            shape = template(pair.command)
        except BadInstruction:
            continue
        text = described(pair.text).lower()
        words = frozenset(text.split())
        if (
            len(text) <= LONGEST
            and len(found[shape]) < MOST_WAYS
            and not any(alike(words, one) for one in found[shape])
        ):
            found[shape][words] = text
    return [[(text,) for text in ways.values()] for ways in found.values() if len(ways) > 1]


def alike(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether two requests are one with other values in it."""
    return len(left & right) > SAME_SHARE * len(left | right)


def training_pairs(workspace: Workspace) -> list[Pair]:
    """NL2Bash's train part and the cheat sheets, without what is in its dev and test parts."""
    held = held_out(workspace)
    train = [Pair(one.nl, one.command, "nl2bash") for one in published_pairs(workspace.data, "train")]
    return [*(one for one in train if not held.reason(one.text, one.command)), *sheet_pairs(workspace)]


def train(args: argparse.Namespace) -> None:
    import torch
    from safetensors.numpy import save

    from sayso.models.meaning import read_minilm, stored_weights
    from sayso.neural.meaning_words import WordPieces
    from sayso.training.meaning import Plan, Source, fit
    from sayso.training.meaning_graph import make_meaning_graph

    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    recipes = [one for folder in (bash_recipes.FOLDER, *args.more) for one in bash_recipes.load_recipes(folder)]
    asked, others = recipe_groups(recipes), pair_groups(training_pairs(Workspace(args.data, args.data)))
    texts = [text for groups in (asked, others) for group in groups for way in group for text in way]
    every = [one for one in (args.minilm / "vocab.txt").read_text(encoding="utf-8").split("\n") if one]
    wanted = [*texts, *meanings(recipes)]
    kept = kept_pieces(every, wanted, args.vocabulary, lambda one: one.isascii() and one[0] != "[")
    encoder, pieces = read_minilm(args.minilm, kept)
    sources = [Source(asked, 0.75, is_hard=True), Source(others, 0.25)]
    started = time.process_time()
    say(f"{len(asked)} commands, {len(others)} templates, {len(texts)} texts, {len(pieces)} pieces")
    plan = Plan(steps=args.steps, kept=args.kept)
    fit(encoder, WordPieces(pieces), sources, plan, lambda step, loss: say(f"step {step} loss {loss:.3f}"))
    say(f"{(time.process_time() - started) / 60:.1f} CPU minutes")
    card = args.out / "MODEL_CARD.md"
    write_bundle(
        args.out,
        name="bash-meaning",
        target="bash",
        kind=KIND,
        settings=settings_of(encoder.shape),
        files={
            GRAPH: make_meaning_graph(encoder.shape),
            WEIGHTS: save(stored_weights(encoder)),
            PIECES: json.dumps(pieces, ensure_ascii=False, separators=(",", ":")).encode(),
            **({card.name: card.read_bytes()} if card.is_file() else {}),
        },
        licence=LICENCE,
    )


def recall(args: argparse.Namespace) -> None:
    recipes, lexicon = bash_recipes.load_recipes(bash_recipes.FOLDER), bash_recipes.load_lexicon(bash_recipes.FOLDER)
    say_all = [(number, say) for number, recipe in enumerate(recipes) for say in recipe.say]
    index = Index(
        [lexicon.words(meant(say, recipes[number])) for number, say in say_all], [n for n, _ in say_all], lexicon
    )
    encoder: Encoder = load_encoder(load_bundle(args.bundle))
    known = encoder.embed_described(meanings(recipes))
    ranks: dict[str, list[int]] = {"meaning": [], "words": []}
    for at, (number, say_it) in enumerate(say_all):
        if is_held_back(say_it):
            text = spoken(say_it, recipes[number], example_values(recipes[number], at))
            likeness = known @ encoder.embed([text])[0]
            likeness[at] = -2.0
            keys = index.keys(lexicon.read(text))
            ranks["meaning"].append(rank(number, [say_all[one][0] for one in likeness.argsort()[::-1][:100]]))
            ranks["words"].append(
                rank(number, [say_all[one][0] for one, _ in index.nearest(keys, 100, frozenset({at}))])
            )
    shares = {name: {k: share(found, k) for k in (1, 5, 10)} for name, found in ranks.items()}
    json.dump({"n": len(ranks["words"]), **shares}, sys.stdout)
    print()


def share(found: Sequence[int], k: int) -> float:
    return round(sum(one <= k for one in found) / max(1, len(found)), 4)


def rank(right: int, found: Iterable[int]) -> int:
    """Which of the different numbers found is the right one, from 1 on; a great number where none is."""
    order = list(dict.fromkeys(found))
    return order.index(right) + 1 if right in order else sys.maxsize


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.meaning", description=__doc__)
    commands: Any = parser.add_subparsers(required=True)
    one = commands.add_parser("train")
    one.add_argument("minilm", type=Path)
    one.add_argument("--data", type=Path, required=True)
    one.add_argument("--out", type=Path, required=True)
    one.add_argument("--more", type=Path, action="append", default=[], help="a further folder of recipes")
    one.add_argument("--steps", type=int, default=520)
    one.add_argument("--kept", type=finite, default=0.1, help="part of the first weights in the average (0.1)")
    one.add_argument("--vocabulary", type=int, default=VOCABULARY)
    one.add_argument("--threads", type=int, default=1)
    one.set_defaults(run=train)
    two = commands.add_parser("recall")
    two.add_argument("bundle", type=Path)
    two.set_defaults(run=recall)
    args = parser.parse_args(argv)
    try:
        args.run(args)
    except SaysoError as error:
        say(error.told())
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
