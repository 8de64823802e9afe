"""What Okapi's networks read: lower case, and pieces that can be put together again."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Candidate, Example, Request, Split, Workspace
from sayso.experiments.api_views import cut, fold_values, uncut
from sayso.experiments.views import find_view
from sayso.training.jobs import Examples

NOWHERE = Workspace(Path("nowhere"), Path("nowhere"))
CALL = "GET message FILTER message.from eq Konrad Zuse SEARCH Z3 ORDERBY message.receivedDateTime desc TOP 5"
WORDS = st.lists(st.text(st.characters(exclude_categories=("Z", "C"), exclude_characters="_"), min_size=1), max_size=8)


def examples(request: str, reference: str) -> Examples:
    rows = [Example("1", Request(request), (reference,))]
    splits: dict[Split, list[Example]] = {"train": rows, "dev": rows, "test": rows}
    return splits


def test_values_lose_their_case_and_names_keep_it() -> None:
    seen = find_view("folded").prepare(NOWHERE, examples("Mails from Konrad Zuse", CALL))["dev"][0]
    assert seen.request.text == "mails from konrad zuse"
    assert seen.references == (CALL.replace("Konrad Zuse", "konrad zuse").replace("Z3", "z3"),)


def test_what_is_no_call_stays() -> None:
    assert fold_values("I_WALK I_JUMP") == "I_WALK I_JUMP"


def test_names_and_keywords_are_one_piece() -> None:
    assert cut("GET message FILTER message.from eq konrad z3") == "GET message FILTER message.from eq ko _nr _ad z _3"


@given(WORDS)
def test_pieces_make_the_words_again(words: list[str]) -> None:
    assert uncut(cut(" ".join(words))) == " ".join(words)


def test_answers_come_out_whole() -> None:
    class Says:
        def translate(self, requests: list[Request], k: int = 1) -> list[list[Candidate]]:
            return [[Candidate("GET event SEARCH ko _nr _ad", 0.0)] for _ in requests]

    found = find_view("pieces").finish(Says(), NOWHERE).translate([Request("x")])  # type: ignore[arg-type]
    assert [one.text for one in found[0]] == ["GET event SEARCH konrad"]
