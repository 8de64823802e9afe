"""Requests for calls of described APIs: our own two specs, BFCL and ToolAlpaca, each with the description it is about.

A request carries its description in a piece of context: `spec` names one of ours, `functions` and `openapi` hold one.
BFCL's dev parts are `simple` and `multiple`; its live and irrelevance parts are test. ToolAlpaca is dev, single calls.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from sayso.core.errors import MissingData
from sayso.core.types import Example, Piece, Request, Split, Workspace

OWN = ("tickets", "films")
BFCL = {
    "simple": ("simple_python", "dev"),
    "multiple": ("multiple", "dev"),
    "live-simple": ("live_simple", "test"),
    "live-multiple": ("live_multiple", "test"),
    "irrelevance": ("irrelevance", "test"),
}
NOW = "2024-05-15T12:00:00+00:00"
"""No corpus says what day it was; ours say it for each request that needs one."""


def own_folder() -> Path:
    return Path(str(files("sayso.targets.api") / "data" / "own"))


def load_own(workspace: Workspace, split: Split) -> Iterator[Example]:
    if split == "train":
        return
    for name in OWN:
        for line in (own_folder() / f"{name}.{split}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            pieces = [Piece("text", name, "spec")]
            pieces.append(Piece("text", row.get("now", NOW), "now"))
            calls = [row["arguments"], *row["accepted"]] if row["operation"] else []
            meta = {"kind": "own", "missing": json.dumps(row.get("missing", []))}
            references = tuple(written(row["operation"], one) for one in calls)
            yield Example(row["id"], Request(row["text"], tuple(pieces)), references, meta)


def lines_of(path: Path, corpus: str) -> list[dict[str, Any]]:
    if not path.is_file():
        raise MissingData(f"{path.name} is not on this machine", f"fetch it with `sayso data get {corpus}`")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def load_bfcl(part: str, workspace: Workspace, split: Split) -> Iterator[Example]:
    name, belongs = BFCL[part]
    if split != belongs:
        return
    folder = workspace.data / "bfcl"
    rows = lines_of(folder / f"BFCL_v4_{name}.json", "bfcl")
    answers: dict[str, Any] = {}
    if part != "irrelevance":
        answers = {row["id"]: row["ground_truth"] for row in lines_of(folder / f"answers_BFCL_v4_{name}.json", "bfcl")}
    for row in rows:
        text = next(turn["content"] for turn in reversed(row["question"][0]) if turn["role"] == "user")
        pieces = (Piece("text", json.dumps(row["function"]), "functions"), Piece("text", NOW, "now"))
        truth = answers.get(row["id"], [{}])[0]
        references = tuple(
            written(operation_name(one), {"body": first_of(accepted)}) for one, accepted in truth.items()
        )
        meta = {"kind": "bfcl", "accepted": json.dumps(next(iter(truth.values()), {}))}
        yield Example(row["id"], Request(text, pieces), references, meta)


def first_of(accepted: Mapping[str, Any]) -> dict[str, Any]:
    """The first value of every list of accepted ones; "" in it leaves the argument out."""
    found: dict[str, Any] = {}
    for name, values in accepted.items():
        one = values[0] if isinstance(values, list) and values else values
        if one != "":
            found[name] = first_of(one) if isinstance(one, dict) else one
    return found


def operation_name(name: str) -> str:
    from sayso.targets.api.specs.openapi import plain_id

    return plain_id(name)


def written(name: str, arguments: Mapping[str, Any]) -> str:
    from sayso.targets.api.specs.calls import written

    return written(name, arguments)


def load_toolalpaca(workspace: Workspace, split: Split) -> Iterator[Example]:
    """Requests with one golden call; those with a chain of calls are another question."""
    if split != "dev":
        return
    path = workspace.data / "toolalpaca" / "eval_simulated.json"
    if not path.is_file():
        raise MissingData(f"{path} is not on this machine", "put ToolAlpaca's data/eval_simulated.json there")
    for api in json.loads(path.read_text(encoding="utf-8")):
        for at, (text, golden) in enumerate(zip(api["Instructions"], api["Golden_Answers"], strict=True)):
            if len(golden) != 1:
                continue
            try:
                arguments = json.loads(golden[0]["Action_Input"])
            except ValueError:  # a place holder for what the request leaves open
                arguments = {"?": golden[0]["Action_Input"]}
            pieces = (Piece("text", api["Documentation"], "openapi"), Piece("text", NOW, "now"))
            reference = written(golden[0]["Action"], arguments)
            name = f"{api['Name']}-{at}".replace(" ", "_")
            yield Example(name, Request(text, pieces), (reference,), {"kind": "toolalpaca"})


def loaders() -> dict[str, Callable[[Workspace, Split], Iterator[Example]]]:
    """Task, less its target -> what loads it."""
    parts = {f"bfcl-{part}": partial(load_bfcl, part) for part in BFCL}
    return {"own-specs": load_own, **parts, "toolalpaca": load_toolalpaca}
