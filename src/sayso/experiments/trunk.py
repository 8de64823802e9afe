"""`python -m sayso.experiments.trunk`:
the shipped trunk before and after the GPU, where `sayso.training.trunk` trains it.

cut GGUF --data DATA | --like FILE --out DIR   the trunk's folder with its vocabulary cut (four bits stay as they are)
pairs --data DATA --trunk DIR --out DIR   the pairs of both steps and dev, as ids, with counts
open BUNDLE --trunk DIR --out DIR   what ships as a trunk's folder again, to go on from
further --data DATA --trunk DIR --writers NAME … --out DIR   rows to go on with: what these writers wrote, others again
plan NAME --out FILE   the variants of PLANS, for the GPU
finish OUT VARIANT --trunk DIR --out DIR  what came home as a trunk's folder: an adapter, or all matrices
candidates OUT … --data DIR --trunk DIR --out FILE   what cross-fitted trunks answered to train, one request a line
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import torch
from safetensors.torch import load

from sayso.core.errors import BadFile, SaysoError, UnknownName, UserError
from sayso.core.types import Workspace
from sayso.english.cut import (
    ALPHABET,
    NEW,
    Cut,
    Merges,
    choose_tokens,
    cut_vocabulary,
    length_under,
    parents_of,
    read_merges,
)
from sayso.english.prompt import load_trunk_tokens
from sayso.experiments.trunk_context import with_context
from sayso.experiments.trunk_data import (
    asked_pairs,
    clean,
    cookbook_pairs,
    dev_pairs,
    first_step,
    in_haste,
    nl2bash_pairs,
    rows_of,
    second_step,
    to_arrays,
    told_back,
    weighing_pairs,
    write_folder,
)
from sayso.experiments.trunk_folds import FOLDS, candidates, fold_arrays, fold_examples, without_fold
from sayso.experiments.trunk_further import write_further
from sayso.experiments.trunk_opened import open_again
from sayso.experiments.trunk_plans import PLANS
from sayso.experiments.trunk_renamed import pools_of, renamed
from sayso.experiments.trunk_soft import read_candidates, softened
from sayso.experiments.trunk_style import house_style
from sayso.experiments.trunk_texts import TEXTS, count_tokens, with_equal_weight
from sayso.models.gguf import Source, read_gguf
from sayso.models.int4 import Packed
from sayso.models.trunk_folder import (
    CONFIG,
    PREFIX,
    TOKENIZER,
    WEIGHTS,
    digest_of,
    load_trunk_folder,
    read_json,
    read_tensors,
    save_trunk,
    settings_of,
    write_adapter,
)
from sayso.targets.bash.corpus.unseen import held_out
from sayso.targets.bash.lessons.grammar import expand
from sayso.targets.bash.lessons.sheets import sheet_pairs
from sayso.training.arrays import load_encoded
from sayso.training.pieces import join_pieces
from sayso.training.trunk_plan import write_plan

SIZE = 16_384
TURNS = 4  # epochs of the second step, each with other alternatives
SIZES = (4096, 8192, 12_288, 16_384, 20_480, 24_576, 32_768)


def cut(args: argparse.Namespace) -> None:
    """Count, choose, cut, and write the folder with the curve beside it; or cut as another tokenizer was."""
    source = read_gguf(args.gguf)
    merges = read_merges(source.tokenizer)
    if args.like:
        write_cut(args.out, source, merges, cut_like(source.tokenizer, args.like))
        return
    if not args.data:
        raise UserError("which tokens stay is counted or given", "name --data, or --like a tokenizer.json that ships")
    parents = parents_of(merges)
    counts = {name: count_tokens(source.tokenizer, texts(args.data)) for name, texts in TEXTS.items()}
    whole = with_equal_weight(counts)
    curve = {
        size: {name: length_under(one, choose_tokens(merges, whole, size), parents) / max(1, sum(one.values()))
               for name, one in counts.items()}
        for size in SIZES
    }  # fmt: skip
    write_cut(args.out, source, merges, cut_vocabulary(source.tokenizer, choose_tokens(merges, whole, args.size)))
    (args.out / "curve.json").write_text(json.dumps(curve, indent=1) + "\n", encoding="utf-8")


def cut_like(definition: str, like: Path) -> Cut:
    """The vocabulary of a tokenizer that ships, whatever the texts say by now: bundles share their words."""
    wanted = read_merges(like.read_text(encoding="utf-8")).vocabulary
    made = cut_vocabulary(definition, wanted.keys() - added_tokens(definition))
    if read_merges(made.definition).vocabulary != wanted:
        raise BadFile(f"{like} was not cut from this trunk", "name the tokenizer.json of a bundle made from it")
    return made


def added_tokens(definition: str) -> set[str]:
    return {str(one["content"]) for one in json.loads(definition).get("added_tokens", [])}


def write_cut(out: Path, source: Source, merges: Merges, made: Cut) -> None:
    words = source.weights["embed_tokens.weight"]
    assert isinstance(words, torch.Tensor)
    old = torch.tensor(made.kept)
    chosen = words[old.clamp(min=0)]
    # A byte that the trunk never had starts where the others are.
    chosen[old == NEW] = words[[at for token, at in merges.vocabulary.items() if token in ALPHABET]].mean(0)
    settings = replace(source.settings, source_size=len(old), output_size=len(old))
    save_trunk(out, settings, {**source.weights, "embed_tokens.weight": chosen}, made.definition)


def pairs(args: argparse.Namespace) -> None:
    """Sheets, cookbook, asked pairs and NL2Bash as ids, the second step in one spelling, and counts.json."""
    workspace = Workspace(args.data, args.out)
    tokens = load_trunk_tokens(args.trunk / TOKENIZER)
    dropped: Counter[str] = Counter()
    sheets = list(sheet_pairs(workspace, dropped))
    grammar = list(expand(args.count, args.seed, held_out(workspace), dropped))
    cookbook = clean(workspace, in_haste(cookbook_pairs(args.turns), args.seed), dropped)
    again = clean(workspace, in_haste(cookbook_pairs(args.again), args.seed + 1), dropped)
    asked = clean(workspace, asked_pairs(), dropped)
    pools = pools_of(asked)
    # Each step has every asked pair as it was written, and once more typed in haste about other names.
    typed, typed_again = (
        clean(workspace, in_haste(renamed(asked, pools, seed), seed), dropped) for seed in (args.seed, args.seed + 1)
    )
    others = [*grammar[args.first :], *again, *asked, *typed_again]
    second = second_step(list(nl2bash_pairs(workspace)), TURNS, others)
    spelt = cache(house_style)
    hard = [one._replace(command=spelt(one.command)) for one in second]
    steps = {
        "first": [*first_step(sheets, grammar[: args.first], args.seed), *cookbook, *asked, *typed],
        "hard": hard,
        **{f"hard-{fold}": without_fold(hard, fold) for fold in range(FOLDS if args.folds else 0)},
    }
    if args.candidates:
        steps["soft"] = list(softened(hard, read_candidates(args.candidates), args.seed, held_out(workspace)))
    shown = list(with_context(hard, tokens, args.shown, args.seed))
    beside = {path.stem: load_encoded(path) for path in args.beside}
    written = {*nl2bash_pairs(workspace), *asked}
    beside["told back"] = to_arrays(list(told_back(tokens, sorted(written))))
    write_folder(args.out, tokens, steps, dropped, {"hard": beside}, {"hard": shown})
    described, asked_too = dev_pairs(workspace, house_style), weighing_pairs(house_style)
    to_arrays(rows_of(tokens, described)).save(args.out / "dev-style.npz")
    both = [*described, *asked_too]
    to_arrays(rows_of(tokens, both)).save(args.out / "dev-both.npz")
    to_arrays(rows_of(tokens, both, with_context(both, tokens, 1))).save(args.out / "dev-context.npz")
    for fold in range(FOLDS if args.folds else 0):
        held = fold_examples(workspace, fold)
        fold_arrays(held, tokens).save(args.out / f"fold-{fold}.npz")
        rows = [{"id": one.id, "request": one.request.text} for one in held]
        (args.out / f"fold-{fold}.json").write_text(json.dumps(rows) + "\n", encoding="utf-8")


def opened(args: argparse.Namespace) -> None:
    open_again(args.bundle, args.trunk, args.out)


def further(args: argparse.Namespace) -> None:
    """The rows of `trunk_further`, and a part of dev to look at."""
    workspace = Workspace(args.data, args.out)
    tokens = load_trunk_tokens(args.trunk / TOKENIZER)
    facts = write_further(workspace, tokens, args.writers, args.again, args.beside, args.seed, args.out)
    print(json.dumps(facts, indent=1))


def plan(args: argparse.Namespace) -> None:
    if args.name not in PLANS:
        raise UnknownName("plan", args.name, PLANS)
    write_plan(args.out, PLANS[args.name])


def finish(args: argparse.Namespace) -> None:
    """The trunk's folder with what a variant learnt."""
    parts = join_pieces(args.results)
    name = next((f"{args.variant}/{kind}.safetensors" for kind in ("adapter", "int4")
                 if f"{args.variant}/{kind}.safetensors" in parts), "")  # fmt: skip
    if not name:
        raise BadFile(f"{args.results} holds no weights of {args.variant}", "ship them in another run")
    facts = json.loads(parts[f"{args.variant}/result.json"])
    learnt = load(parts[name])
    args.out.mkdir(parents=True, exist_ok=True)
    if name.endswith("adapter.safetensors"):
        for file in (CONFIG, WEIGHTS, TOKENIZER):
            shutil.copyfile(args.trunk / file, args.out / file)
        more = {"target": "bash", "variant": args.variant, "base": digest_of(args.out / WEIGHTS)}
        rank = next(one.shape[0] for key, one in learnt.items() if key.endswith(".a"))
        write_adapter(args.out / "adapters" / "bash", learnt, rank, facts.get("alpha", facts["variant"]["alpha"]), more)
        return
    settings = settings_of(read_json(args.trunk / CONFIG), args.trunk / CONFIG)
    settings = replace(settings, layers=settings.layers - len(facts["dropped"]))
    weights: dict[str, torch.Tensor | Packed] = {
        "embed_tokens.weight": read_tensors(args.trunk / WEIGHTS)[PREFIX + "embed_tokens.weight"]
    }
    for key, one in learnt.items():
        plain = key.removeprefix(PREFIX)
        if key.endswith(".q"):
            weights[plain.removesuffix(".q")] = Packed(one, learnt[key.removesuffix("q") + "d"])
        elif not key.endswith(".d"):
            weights[plain] = one
    save_trunk(args.out, settings, weights, (args.trunk / TOKENIZER).read_text(encoding="utf-8"))
    load_trunk_folder(args.out)  # raises where something is missing


def said(args: argparse.Namespace) -> None:
    """What `pairs --candidates` and a reranker read."""
    parts = {name: part for folder in args.results for name, part in join_pieces(folder).items()}
    rows = candidates(parts, args.data, load_trunk_tokens(args.trunk / TOKENIZER))
    args.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.trunk", description=__doc__)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("cut")
    one.set_defaults(run=cut)
    one.add_argument("gguf", type=Path)
    one.add_argument("--data", type=Path)
    one.add_argument("--size", type=int, default=SIZE)
    one.add_argument("--like", type=Path, metavar="FILE", help="tokenizer.json whose tokens stay; nothing is counted")
    two = commands.add_parser("pairs")
    two.set_defaults(run=pairs)
    two.add_argument("--data", type=Path, required=True)
    two.add_argument("--trunk", type=Path, required=True)
    for name, number in (("count", 210_000), ("first", 200_000), ("turns", 4), ("again", 2), ("seed", 4)):
        two.add_argument(f"--{name}", type=int, default=number)
    two.add_argument("--folds", action="store_true", help="also what networks read that never saw a third of NL2Bash")
    two.add_argument("--shown", type=float, default=0.1, help="the share of the second step that is read with examples")
    two.add_argument(
        "--beside", type=Path, nargs="*", default=[], help="rows of other targets, for the second step (npz)"
    )
    two.add_argument("--candidates", type=Path, help="what cross-fitted networks said, to soften the second step")
    six = commands.add_parser("open")
    six.set_defaults(run=opened)
    six.add_argument("bundle", type=Path)
    six.add_argument("--trunk", type=Path, required=True, help="the folder that `cut --like` wrote")
    seven = commands.add_parser("further")
    seven.set_defaults(run=further)
    seven.add_argument("--data", type=Path, required=True)
    seven.add_argument("--trunk", type=Path, required=True)
    seven.add_argument("--writers", nargs="+", required=True, help="whose asked pairs are new to the trunk")
    seven.add_argument("--again", type=int, default=9_000, help="rows of those that it has learnt (%(default)s)")
    seven.add_argument("--beside", nargs="*", type=Path, default=[], help="rows of other targets (npz)")
    seven.add_argument("--seed", type=int, default=7)
    four = commands.add_parser("plan")
    four.set_defaults(run=plan)
    four.add_argument("name")
    three = commands.add_parser("finish")
    three.set_defaults(run=finish)
    three.add_argument("results", type=Path)
    three.add_argument("variant")
    three.add_argument("--trunk", type=Path, required=True)
    five = commands.add_parser("candidates")
    five.set_defaults(run=said)
    five.add_argument("results", type=Path, nargs="+")
    five.add_argument("--data", type=Path, required=True, help="the folder that `pairs` wrote")
    five.add_argument("--trunk", type=Path, required=True)
    for command in (one, two, three, four, five, six, seven):
        command.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    try:
        args.run(args)
    except SaysoError as error:
        sys.stderr.write(error.told() + "\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
