"""Another number of places for an exported trunk: a new graph of the same sizes, over the very same weights.

`python -m sayso.training.widen BUNDLE --places 1536`. The angles of places are reckoned when a trunk is loaded, so that
no weight depends on how many there are. Adapters name the bundle's signature, which changes: export them again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from sayso.core.errors import BadBundle, SaysoError, UserError
from sayso.neural.bundle import Bundle, load_bundle, write_bundle
from sayso.neural.translator import GRAPH, KIND, SHORTEST, read_settings
from sayso.training.export import CARD
from sayso.training.export_graph import make_graph


def widen(folder: Path, places: int, notes: Mapping[str, bytes] | None = None) -> Bundle:
    """Replace the bundle in a folder; raises where its graph is not one that this sayso makes."""
    bundle = load_bundle(folder)
    if bundle.kind != KIND:
        raise BadBundle(f"{folder} is a bundle of kind {bundle.kind}, not {KIND}", "name the folder of a trunk")
    shape, beam = read_settings(bundle)
    if places < beam.longest + SHORTEST:
        raise UserError(f"answers of {beam.longest} ids do not fit into {places} places", "give more with --places")
    files = {name: bundle.read(name) for name in bundle.files}
    if files[GRAPH] != make_graph(shape):
        raise BadBundle(f"{folder} has a graph that another sayso made", "export the trunk again from its folder")
    wide = replace(shape, places=places)
    return write_bundle(
        folder,
        name=bundle.name,
        target=bundle.target,
        kind=KIND,
        licence=bundle.licence,
        settings={**bundle.settings, "shape": asdict(wide)},
        files={**files, GRAPH: make_graph(wide), **(notes or {})},
    )


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.training.widen", description="More places for a trunk.")
    parser.add_argument("bundle", type=Path, help="the folder to replace")
    parser.add_argument("--places", type=int, required=True, help="ids of a prompt and its answer, together")
    parser.add_argument("--card", type=Path, help="a model card to put in")
    args = parser.parse_args(argv)
    notes = {CARD: args.card.read_bytes()} if args.card else {}
    try:
        made = widen(args.bundle, args.places, notes)
    except SaysoError as error:
        print(f"{error.message}\n\nhint: {error.hint}", file=sys.stderr)
        return error.exit_code
    print(json.dumps({"bundle": str(made.folder), "signature": made.signature, "places": args.places}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
