"""From a trained trunk folder to what ships: a bundle with a graph, weights in few bits and the vocabulary, and one
bundle for each adapter, which names the trunk that it belongs to. Pieces are small enough for any repository.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.core.errors import BadFile, SaysoError, UserError
from sayso.english.byte_bpe import read_bpe
from sayso.models.trunk_folder import (
    ADAPTER,
    ADAPTER_WEIGHTS,
    CONFIG,
    PREFIX,
    TOKENIZER,
    WEIGHTS,
    load_weights,
    read_json,
    read_tensors,
    settings_of,
)
from sayso.neural.beam import Beam
from sayso.neural.bundle import Bundle, write_bundle
from sayso.neural.translator import ADAPTER_KIND, ALSO, GRAPH, KIND, TELLS
from sayso.neural.weights import FUSED, GROUP, TrunkShape, numbers, whole
from sayso.training.export_graph import make_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST_PIECE = 36 * 2**20
LICENCE = "Apache-2.0"
CARD = "MODEL_CARD.md"
WIDE = 2 * GROUP
# As one takes one's time; a first look is quicker (`neural/translator.hurried`). Answers more than 6 nats behind the
# first are seldom right.
SHIPPED = Beam(width=8, n_best=8, longest=64, margin=6.0)
NORMS = {"input_layernorm": "input_norm", "post_attention_layernorm": "post_norm"}


def export_trunk(
    folder: Path,
    bundle: Path,
    *,
    bits: int = 4,
    compute: int = 0,
    beam: Beam | None = None,
    target: str = "",
    also: Sequence[str] = (),
    tells: bool = False,
    facts: Mapping[str, Any] | None = None,
    notes: Mapping[str, bytes] | None = None,
) -> Bundle:
    """Write the trunk of a folder as a bundle.

    `bits` are what is stored; `compute`, where it differs, what is multiplied with (an adapter put into four bits is
    rounded away: give 8). `target` names whose weights they are when the trunk needs no adapter, `also` other targets
    that it learnt beside, `tells` that it learnt what commands are for.
    """
    if bits not in (4, 8) or compute not in (0, 4, 8, 32):
        raise UserError(f"a trunk has 4 or 8 bits, not {bits} and {compute}", "use --bits 4 or --bits 8")
    settings = settings_of(read_json(folder / CONFIG), folder / CONFIG)
    tokenizer = (folder / TOKENIZER).read_bytes()
    if len(read_bpe(tokenizer)) != settings.output_size:
        raise BadFile(
            f"{folder} has {settings.output_size} ids in its weights and {len(read_bpe(tokenizer))} in its tokenizer",
            "cut both with the same command",
        )
    for name in ("width", "feed_forward"):
        if getattr(settings, name) % GROUP:
            raise UserError(f"the trunk's {name} is not a multiple of {GROUP}", "such a trunk cannot be exported")
    weights = {name: one.numpy() for name, one in load_weights(folder / WEIGHTS).items()}
    shape = TrunkShape(
        vocabulary=settings.output_size,
        width=settings.width,
        heads=settings.heads,
        key_heads=settings.key_heads,
        layers=settings.layers,
        feed_forward=settings.feed_forward,
        theta=settings.theta,
        epsilon=settings.epsilon,
        bits=compute or bits,
        group=WIDE if bits == 4 and is_rounded(weights, WIDE) else GROUP,
    )
    pieces = {f"weights-{n}.safetensors": piece for n, piece in enumerate(cut(stored(weights, shape, bits)), 1)}
    return write_bundle(
        bundle,
        name=bundle.name,
        target=target,
        kind=KIND,
        licence=LICENCE,
        settings={
            "shape": asdict(shape),
            "beam": chosen(beam or SHIPPED),
            "vocabulary": hashlib.sha256(tokenizer).hexdigest(),
            "base": hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest(),
            "facts": dict(facts or {}),
            **({ALSO: list(also)} if also else {}),
            **({TELLS: True} if tells else {}),
        },
        files={GRAPH: make_graph(shape), TOKENIZER: tokenizer, **pieces, **(notes or {})},
    )


def export_adapter(
    folder: Path, bundle: Path, trunk: Bundle, facts: Mapping[str, Any] | None = None, beam: Beam | None = None
) -> Bundle:
    """Write an adapter of a trunk folder as a bundle of its own; raises where it was trained on other weights.

    `beam` is how its answers are searched for, where that is not the trunk's way: code has more ids than a command.
    """
    about = read_json(folder / ADAPTER)
    if about.get("base") not in (None, trunk.settings["base"]):
        raise BadFile(f"{folder} was trained on another trunk than {trunk.name}", "export the trunk that it belongs to")
    try:
        scale = float(about["alpha"]) / float(about["rank"])  # type: ignore[arg-type]
        target = str(about["target"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadFile(f"{folder / ADAPTER} does not say {error}", "make the adapter again") from error
    parts = {
        name.removeprefix(PREFIX): one.half().numpy() for name, one in read_tensors(folder / ADAPTER_WEIGHTS).items()
    }
    pieces = {f"adapter-{n}.safetensors": piece for n, piece in enumerate(cut(parts.items()), 1)}
    return write_bundle(
        bundle,
        name=bundle.name,
        target=target,
        kind=ADAPTER_KIND,
        licence=LICENCE,
        settings={
            "trunk": trunk.signature,
            "scale": scale,
            "facts": dict(facts or {}),
            **({"beam": chosen(beam)} if beam else {}),
        },
        files=pieces,
    )


def chosen(beam: Beam) -> dict[str, Any]:
    """A beam as JSON, which knows no infinity."""
    return {name: value for name, value in asdict(beam).items() if value != float("inf")}


def stored(weights: Mapping[str, NDArray[Any]], shape: TrunkShape, bits: int) -> Iterable[tuple[str, NDArray[Any]]]:
    """The tensors of the bundle by name, in few bits; norms stay float16 numbers."""
    import numpy as np

    yield "embed.q", numbers(weights["embed_tokens.weight"], 8)[0]
    yield "embed.d", numbers(weights["embed_tokens.weight"], 8)[1]
    yield "norm", weights["norm.weight"].astype(np.float16)
    for layer in range(shape.layers):
        for theirs, ours in NORMS.items():
            yield f"layers.{layer}.{ours}", weights[f"layers.{layer}.{theirs}.weight"].astype(np.float16)
        for fused, parts in FUSED.items():
            matrix = np.concatenate([weights[f"layers.{layer}.{part}.weight"] for part in parts])
            q, d = numbers(matrix, bits, shape.group)
            yield f"layers.{layer}.{fused}.q", q
            yield f"layers.{layer}.{fused}.d", d


def is_rounded(weights: Mapping[str, NDArray[Any]], group: int) -> bool:
    """Whether four bits in such groups leave every matrix as float16 holds it: fewer steps to read, nothing lost."""
    import numpy as np

    matrices = [one.astype(np.float32) for name, one in weights.items() if name.endswith("_proj.weight")]
    if any(one.shape[1] % group for one in matrices):
        return False
    return all((abs(whole(*numbers(one, 4, group), 4) - one) <= abs(one) * 2**-10).all() for one in matrices)


def cut(tensors: Iterable[tuple[str, NDArray[Any]]], largest: int = LARGEST_PIECE) -> list[bytes]:
    """Safetensors files that hold the tensors in order, each as full as it may be."""
    from safetensors.numpy import save

    pieces: list[dict[str, NDArray[Any]]] = [{}]
    size = 0
    for name, one in tensors:
        if size and size + one.nbytes > largest:
            pieces.append({})
            size = 0
        pieces[-1][name] = one
        size += one.nbytes
    return [save(piece) for piece in pieces]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.training.export", description="A trunk folder as a bundle.")
    parser.add_argument("folder", type=Path, help="config.json, model.safetensors, tokenizer.json")
    parser.add_argument("bundle", type=Path, help="the folder to make or to replace")
    parser.add_argument("--bits", type=int, default=4, choices=(4, 8), help="bits a weight (%(default)s)")
    parser.add_argument("--target", default="", help="whose weights they are, where no adapter is needed")
    parser.add_argument("--also", nargs="*", default=[], help="targets that it learnt beside that one")
    parser.add_argument("--tells", action="store_true", help="that it learnt to say what commands are for")
    parser.add_argument("--card", type=Path, help="a model card to put in")
    for name, value in chosen(SHIPPED).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value, help="(%(default)s)")
    args = parser.parse_args(argv)
    beam = Beam(**{name: getattr(args, name) for name in chosen(SHIPPED)})
    notes = {CARD: args.card.read_bytes()} if args.card else {}
    told = {"target": args.target, "also": args.also, "tells": args.tells}
    try:
        made = export_trunk(args.folder, args.bundle, bits=args.bits, beam=beam, notes=notes, **told)
    except SaysoError as error:
        print(f"{error.message}\n\nhint: {error.hint}", file=sys.stderr)
        return error.exit_code
    size = sum((made.folder / name).stat().st_size for name in made.files) / 2**20
    print(json.dumps({"bundle": str(made.folder), "signature": made.signature, "MiB": round(size, 1)}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
