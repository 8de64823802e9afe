"""120 requests about mail, calendar and files in words that are not our templates', each with its readings."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sayso.core.types import Example, Piece, Request, Split, Workspace
from sayso.targets.api.corpus.described import own_folder


def load_strangers(workspace: Workspace, split: Split) -> Iterator[Example]:
    """There is nothing to train on; a reference is an accepted reading as JSON, the first one first."""
    if split == "train":
        return
    for line in (own_folder() / f"strangers.{split}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        request = Request(row["text"], (Piece("text", row["now"], "now"),))
        references = tuple(json.dumps(one, sort_keys=True) for one in (row["reading"], *row["accepted"]))
        yield Example(row["id"], request, references, {"domain": row["domain"], "now": row["now"]})
