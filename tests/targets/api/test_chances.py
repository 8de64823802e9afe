"""Chances of `sayso api`: the requests to fit them on stay as they were; a fit serves the bundle it was made for."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from importlib.resources import files

from sayso.targets.api import language
from sayso.targets.api.evidence.chances import FILE, better_fit
from sayso.targets.api.syntax.schema import DOMAINS, domain_of

DATA = files("sayso.targets.api") / "data"


def test_requests_to_fit_on_are_sound_and_unchanged() -> None:
    folder = DATA / "held"
    content = (folder / "requests.jsonl").read_bytes()
    assert json.loads((folder / "DIGESTS.json").read_text())["requests.jsonl"] == hashlib.sha256(content).hexdigest()
    rows = [json.loads(line) for line in content.decode().splitlines()]
    assert Counter((row["domain"], row["part"]) for row in rows) == {
        (domain, part): 20 for domain in DOMAINS for part in ("fit", "check")
    }
    for row in rows:
        assert language.check(row["call"]) == [] and language.normalise(row["call"]) == row["call"]
        assert domain_of(row["call"].split()[1]) == row["domain"]


def test_no_request_to_fit_on_is_one_that_is_scored() -> None:
    def texts(folder: str) -> set[str]:
        lines = (DATA / folder / "requests.jsonl").read_text(encoding="utf-8").splitlines()
        return {json.loads(line)["text"].lower().strip(" .?") for line in lines}

    assert not texts("held") & (texts("fresh") | texts("free"))


def test_a_fit_is_used_for_the_bundle_that_it_names_alone() -> None:
    for domain, entry in json.loads((DATA / FILE).read_text()).items():
        assert better_fit(domain, entry["was"]) == tuple(entry["is"]) != tuple(entry["was"])
        other = [entry["was"][0] + 1, *entry["was"][1:]]
        assert better_fit(domain, other) == tuple(other)
    assert better_fit("nothing", (1.0, 0.0)) == (1.0, 0.0)
