"""The 150 requests that were written before any parser stay as they were, and every call of theirs is sound."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from importlib.resources import files

from sayso.targets.api import language
from sayso.targets.api.syntax.schema import DOMAINS, domain_of

FOLDER = files("sayso.targets.api") / "data" / "fresh"


def test_nothing_was_changed_since_it_was_frozen() -> None:
    for name, digest in json.loads((FOLDER / "DIGESTS.json").read_text()).items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest, f"{name} was altered"


def test_fifty_of_each_domain_distinct_and_sound() -> None:
    rows = [json.loads(line) for line in (FOLDER / "requests.jsonl").read_text(encoding="utf-8").splitlines()]
    assert Counter(row["domain"] for row in rows) == dict.fromkeys(DOMAINS, 50)
    assert len({row["text"] for row in rows}) == len({row["id"] for row in rows}) == 150
    for row in rows:
        call = row["call"]
        assert language.check(call) == [] and language.normalise(call) == call
        assert domain_of(call.split()[1]) == row["domain"]
