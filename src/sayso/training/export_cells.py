"""`python -m sayso.training.export_cells`: from what trunk_streams sent home to the bundle of notebook cells.

Matrices are put in the graph's own order without being rounded again; the words stay the embedded trunk's, whose
digest is named in their place.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sayso.core.errors import BadFile, SaysoError
from sayso.models.int4 import Packed, unpack
from sayso.neural.bundle import Bundle, load_bundle, write_bundle
from sayso.neural.cells import TARGET, digest_of_words, stored_words
from sayso.neural.drawing import Draws
from sayso.neural.translator import GRAPH, KIND, TOKENIZER
from sayso.neural.weights import FUSED, TrunkShape, numbers, whole
from sayso.training.export import CARD, LICENCE, NORMS, SHIPPED, chosen, cut
from sayso.training.export_graph import make_graph
from sayso.training.pieces import join_pieces

WEIGHTS = "weights.safetensors"


def export_cells(
    results: Path, trunk: Bundle, bundle: Path, weighing: Mapping[str, Any], draws: Draws, card: bytes = b"",
    tells_tables: bool = False,
) -> Bundle:  # fmt: skip
    """Write the bundle of a trunk that went on from `trunk`."""
    from safetensors.torch import load

    stored = load(join_pieces(results)[WEIGHTS])
    shape = TrunkShape(**trunk.settings["shape"])
    weights = {
        name.removesuffix(".q"): unpack(Packed(one, stored[name.removesuffix(".q") + ".d"])).numpy()
        for name, one in stored.items()
        if name.endswith(".q")
    } | {name: one.numpy() for name, one in stored.items() if name.endswith("norm.weight")}
    pieces = {f"weights-{n}.safetensors": piece for n, piece in enumerate(cut(fused(weights, shape)), 1)}
    return write_bundle(
        bundle,
        name=bundle.name,
        target=TARGET,
        kind=KIND,
        licence=LICENCE,
        settings={
            "shape": asdict(shape),
            "beam": chosen(SHIPPED),
            "vocabulary": trunk.settings["vocabulary"],
            "words": digest_of_words(stored_words(trunk)),
            "draws": asdict(draws),
            "weighing": dict(weighing),
            "tables": tells_tables,
            "facts": json.loads((results / "facts.json").read_text()) if (results / "facts.json").is_file() else {},
        },
        files={
            GRAPH: make_graph(shape), TOKENIZER: trunk.read(TOKENIZER), **pieces, **({CARD: card} if card else {}),
        },
    )  # fmt: skip


def fused(weights: Mapping[str, NDArray[Any]], shape: TrunkShape) -> Iterable[tuple[str, NDArray[Any]]]:
    """The tensors of the bundle by name, words left out; raises where four bits are not what was learnt with."""
    yield "norm", weights["norm.weight"].astype(np.float16)
    for layer in range(shape.layers):
        for theirs, ours in NORMS.items():
            yield f"layers.{layer}.{ours}", weights[f"layers.{layer}.{theirs}.weight"].astype(np.float16)
        for name, parts in FUSED.items():
            matrix = np.concatenate([weights[f"layers.{layer}.{part}.weight"] for part in parts])
            q, d = numbers(matrix, 4, shape.group)
            if not np.array_equal(whole(q, d, 4), matrix):
                raise BadFile(f"layers.{layer}.{name} is not in groups of {shape.group}", "train it under rounding")
            yield f"layers.{layer}.{name}.q", q
            yield f"layers.{layer}.{name}.d", d


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.training.export_cells", description=__doc__)
    parser.add_argument("results", type=Path, help="the folder that trunk_streams wrote")
    parser.add_argument("trunk", type=Path, help="the bundle that it went on from")
    parser.add_argument("bundle", type=Path, help="the folder to make or to replace")
    parser.add_argument("--weighing", type=Path, required=True, help="as experiments.notebook_weighing writes it")
    parser.add_argument("--card", type=Path)
    parser.add_argument("--answers", type=int, default=Draws.answers)
    parser.add_argument("--longest", type=int, default=Draws.longest)
    parser.add_argument("--tables", action="store_true", help="it has learnt to read columns (experiments.asked_rows)")
    args = parser.parse_args(argv)
    try:
        card = args.card.read_bytes() if args.card else b""
        weighing = json.loads(args.weighing.read_text())
        draws = Draws(args.answers, args.longest)
        made = export_cells(args.results, load_bundle(args.trunk), args.bundle, weighing, draws, card, args.tables)
    except SaysoError as error:
        print(error.told(), file=sys.stderr)
        return error.exit_code
    size = sum((made.folder / name).stat().st_size for name in made.files) / 2**20
    print(json.dumps({"bundle": str(made.folder), "signature": made.signature, "MiB": round(size, 1)}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
