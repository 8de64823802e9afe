"""Alternatives to what one person wrote: other commands that say the same constants, as often as they are likely."""

from __future__ import annotations

import json
from pathlib import Path

from sayso.experiments.trunk_soft import Likely, alternatives, constants, read_candidates, softened
from sayso.targets.bash.corpus.nl2bash import group_id, request_key
from sayso.targets.bash.corpus.unseen import HeldOut, Pair
from sayso.targets.bash.language import normalise

PAIR = Pair('delete the files named "old.log"', 'find . -name "old.log" -delete', "nl2bash")
OTHER = Likely('find . -name "old.log" | xargs rm', -0.2)
SAID = [
    OTHER,
    Likely("find . -name old.log -delete", -1.0),
    Likely('find . -name "new.log" -delete', -1.1),
    Likely('find . -nam "old.log" -delete', -1.2),
    Likely('find "old.log" (', -1.3),
]


def test_constants_are_what_is_quoted_or_looks_like_a_name() -> None:
    assert constants('copy "my file" to /tmp/x1 in 5 days') == {"my", "file", "tmp", "x1", "5"}


def test_alternatives_say_the_constants_and_have_no_finding() -> None:
    assert [one.text for one in alternatives(PAIR, SAID)] == [OTHER.text, PAIR.command]


def test_an_alternative_that_is_held_out_is_none() -> None:
    held = HeldOut(frozenset(), frozenset([normalise(OTHER.text)]), frozenset())
    assert [one.text for one in alternatives(PAIR, SAID, held)] == [PAIR.command]


def test_a_share_is_softened_and_nothing_but_nl2bash(tmp_path: Path) -> None:
    key = group_id(request_key(PAIR.text))
    row = {"id": key, "request": PAIR.text, "answers": [{"text": one.text, "logprob": one.logprob} for one in SAID]}
    (tmp_path / "said.jsonl").write_text(json.dumps(row) + "\n")
    said = read_candidates(tmp_path / "said.jsonl")
    pairs = [PAIR, PAIR._replace(source="grammar"), PAIR._replace(text="say it")]
    found = list(softened(pairs * 400, said, seed=1, share=0.5))
    changed = sum(pair.command == OTHER.text for pair in found)
    assert 60 < changed < 200 and len(found) == 1200
    assert {pair.source for pair in found if pair.command == OTHER.text} == {"nl2bash"}
    assert found == list(softened(pairs * 400, said, seed=1, share=0.5))
    assert not any(pair.command == OTHER.text for pair in softened(pairs, said, seed=1, share=0.0))
