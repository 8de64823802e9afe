"""The German requests that were written before anything was trained on German stay as they were, and are sound."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from importlib.resources import files

from sayso.targets.api import language
from sayso.targets.api.syntax.schema import DOMAINS, domain_of

FOLDER = files("sayso.targets.api") / "data" / "german"


def test_nothing_was_changed_since_it_was_frozen() -> None:
    for name, digest in json.loads((FOLDER / "DIGESTS.json").read_text()).items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest, f"{name} was altered"


def test_half_to_learn_from_and_half_to_score_in_each_domain() -> None:
    rows = [json.loads(line) for line in (FOLDER / "requests.jsonl").read_text(encoding="utf-8").splitlines()]
    assert Counter((row["domain"], row["part"]) for row in rows) == {
        (domain, part): 15 for domain in DOMAINS for part in ("train", "test")
    }
    blind = [json.loads(line) for line in (FOLDER / "blind.jsonl").read_text(encoding="utf-8").splitlines()]
    assert Counter((row["domain"], row["part"]) for row in blind) == {(domain, "blind"): 15 for domain in DOMAINS}
    rows += blind
    assert len({row["text"] for row in rows}) == len({row["id"] for row in rows}) == 135
    for row in rows:
        assert language.check(row["call"]) == [] and language.normalise(row["call"]) == row["call"]
        assert domain_of(row["call"].split()[1]) == row["domain"]
