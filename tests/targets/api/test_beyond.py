"""What no call can say gets one line that says why; what one can say is let through."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.api import language
from sayso.targets.api.request.beyond import DOUBTS, beyond, doubted, doubts_of, fitted, names_thing
from sayso.targets.api.syntax.schema import DOMAINS

DATA = files("sayso.targets.api") / "data"


@pytest.mark.parametrize(
    ("text", "domain", "reason"),
    [
        ("when did Mona last write?", "email", "a call lists emails; it cannot say when"),
        ("Please tell me who wrote the novel", "document", "it cannot say who"),
        ("how long is the meeting with Bo", "calendar", "it cannot say how long"),
        ("is Bo free on monday", "calendar", "yes or no"),
        ("has Bo seen my mail", "email", "yes or no"),
        ("mails on June 7th", "email", "a day or an hour in figures (June 7th)"),
        ("meetings at 3pm", "calendar", "a day or an hour in figures (3pm)"),
        ("mails in the folder Old", "email", "no call knows of folders"),
        ("mails sorted by sender", "email", 'cannot be sorted so ("sorted by sender"); they can by'),
        ("files bigger than 3 mb", "document", "no call compares sizes"),
        ("mails from Bo on monday or tuesday", "email", "no call can say or"),
        ("mails I have not answered", "email", "no call can leave something out"),
        ("the third mail from Bo", "email", "the first or the last ones"),
        ("mails to Bo", "email", "to whom something went"),
        ("meetings monday and tuesday", "calendar", "two times"),
        ("meetings today or tomorrow", "calendar", "no call can say or"),
        ("top 5 mails by size", "email", "cannot be sorted so"),
    ],
)
def test_what_no_call_can_say_gets_a_reason(text: str, domain: str, reason: str) -> None:
    assert reason in beyond(text, domain)


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("mails about the folder", "email"),
        ('mails about "who is who"', "email"),
        ("what did Bo write me last week?", "email"),
        ("who emailed me this week", "email"),
        ("are there meetings on monday", "calendar"),
        ("did I get mail from Bo", "email"),
        ("where are the files by Bo", "document"),
        ("where is the file called plan", "document"),
        ("files sorted by size", "document"),
        ("top 5 files by size", "document"),
        ("mails sent to me by Bo", "email"),
        ("mails sorted by date", "email"),
        ("mails I have not read", "email"),
        ("presentations shared with specific people", "document"),
        ("mails in the 2001 category", "email"),
        ("pdfs I made in march", "document"),
    ],
)
def test_what_a_call_can_say_is_let_through(text: str, domain: str) -> None:
    assert beyond(text, domain) == ""


@given(st.floats(0, 1), st.integers(0, 9), st.booleans())
def test_doubts_take_off_and_never_add(chance: float, unused: int, empty: bool) -> None:
    doubts = doubts_of(False, unused, empty)
    assert doubted(chance, doubts) <= chance + 1e-8
    assert doubted(chance, doubts_of(True, unused, empty)) == chance
    assert len(doubts) == len(DOUBTS) and set(fitted()) == set(DOUBTS)


def test_a_meeting_is_named_though_the_domain_says_event() -> None:
    assert names_thing("Meeting with Bo") and names_thing("pdfs by Bo") and not names_thing("the weather in Docklands")


def test_more_unused_words_are_more_to_doubt() -> None:
    weights = dict.fromkeys(DOUBTS, 1.0)
    found = [doubted(0.9, doubts_of(False, unused, False), weights) for unused in range(4)]
    assert found == sorted(found, reverse=True) and len(set(found)) == 4


def test_the_requests_are_sound_apart_from_others_and_unchanged() -> None:
    content = (DATA / "beyond" / "requests.jsonl").read_bytes()
    digests = json.loads((DATA / "beyond" / "DIGESTS.json").read_text())
    assert digests["requests.jsonl"] == hashlib.sha256(content).hexdigest()
    rows = [json.loads(line) for line in content.decode().splitlines()]
    assert Counter(row["part"] for row in rows) == {"fit": 82, "check": 82}
    assert Counter(row["kind"] for row in rows if not row["call"]) == {"off": 40, "asking": 36, "beyond": 40}
    for row in rows:
        assert row["domain"] in DOMAINS if row["call"] else row["domain"] == ""
        assert not row["call"] or (language.check(row["call"]) == [] and language.normalise(row["call"]) == row["call"])

    def texts(folder: str) -> set[str]:
        lines = (DATA / folder / "requests.jsonl").read_text(encoding="utf-8").splitlines()
        return {json.loads(line)["text"].lower().strip(" .?") for line in lines}

    assert not texts("beyond") & (texts("fresh") | texts("free") | texts("held"))
