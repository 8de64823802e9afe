"""The 60 short everyday requests, written before anything was trained on such, stay as they were and are sound."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from importlib.resources import files

from sayso.targets.api import language
from sayso.targets.api.syntax.schema import DOMAINS, domain_of

FOLDER = files("sayso.targets.api") / "data" / "free"


def test_nothing_was_changed_since_it_was_frozen() -> None:
    for name, digest in json.loads((FOLDER / "DIGESTS.json").read_text()).items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest, f"{name} was altered"


def test_ten_to_look_at_and_ten_blind_in_each_domain_by_their_digests() -> None:
    rows = [json.loads(line) for line in (FOLDER / "requests.jsonl").read_text(encoding="utf-8").splitlines()]
    assert Counter((row["domain"], row["part"]) for row in rows) == {
        (domain, part): 10 for domain in DOMAINS for part in ("dev", "blind")
    }
    assert len({row["text"] for row in rows}) == len({row["id"] for row in rows}) == 60
    for domain in DOMAINS:
        mine = [row for row in rows if row["domain"] == domain]
        mine.sort(key=lambda row: hashlib.sha256(row["text"].encode()).hexdigest())
        assert [row["part"] for row in mine] == ["dev"] * 10 + ["blind"] * 10
    for row in rows:
        assert language.check(row["call"]) == [] and language.normalise(row["call"]) == row["call"]
        assert domain_of(row["call"].split()[1]) == row["domain"]
