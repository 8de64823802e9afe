"""Requests in people's own wording: what is learnt of them, what is read of them, and which reader is believed."""

from __future__ import annotations

import hashlib
import io
import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from sayso.core.errors import BadBundle
from sayso.core.types import Candidate, Request, Workspace
from sayso.neural.bundle import load_bundle, write_bundle
from sayso.targets.api.request.words import split_words
from sayso.targets.api.syntax.calls import (
    OPERATORS,
    Call,
    Filter,
    Search,
    Top,
    canonical_call,
    parse_call,
    readable,
    reads_back,
)  # fmt: skip
from sayso.targets.api.systems.asking import Asked, ask_back
from sayso.targets.api.systems.phrases import spans as tagged
from sayso.targets.api.systems.two_readers import FEATURES, PARSER, READER, Both, chances_of, decided
from sayso.targets.api.systems.wording import slots
from sayso.targets.api.systems.wording.marks import marks
from sayso.targets.api.systems.wording.plain import plain, singulars, untold_time
from sayso.targets.api.systems.wording.reading import Told, said, unbroken
from sayso.targets.api.systems.wording.sizes import read_size

DATA = Path(str(files("sayso.targets.api"))) / "data"


@pytest.mark.parametrize(
    ("request_", "call"),
    [
        (
            "kiln invoices from Ayo or Bo Lind, unread",
            "GET message SEARCH kiln invoices FILTER message.from eq Ayo or Bo Lind FILTER message.isRead eq False",
        ),
        (
            "slides or pdfs over two gigs that Ayo shared, biggest first, three of them",
            "GET drive.sharedWithMe FILTER file.fileType eq pdf or pptx FILTER file.size gt 2 GB FILTER "
            "file.sharedBy eq Ayo ORDERBY file.size desc TOP 3",
        ),
        (
            "my next fitting not at the mill, time and place only",
            "GET event FILTER event.subject contains fitting FILTER event.location ne mill FILTER "
            "event.start gt now ORDERBY event.start asc TOP 1 SELECT event.start SELECT event.location",
        ),
    ],
)
def test_a_call_is_made_again_of_what_is_learnt_of_it(request_: str, call: str) -> None:
    lesson = slots.lesson_of(request_, parse_call(call))
    assert lesson.whole
    words = split_words(request_)
    found = []
    for at, start, end in tagged(lesson.tags):
        value = request_[words[start].start : words[end - 1].end]
        name = slots.spans()[at]
        value = "3" if name == slots.TOP else (read_size(value) or "") if name == "file.size" else value
        operator = OPERATORS[lesson.operators[start]]
        found.append(slots.Span(name, operator, value, words[start].start, words[end - 1].end))
    picked = {
        slot: values[pick - 1] for (slot, values), pick in zip(slots.choices(), lesson.choices, strict=True) if pick
    }
    assert canonical_call(slots.call_of(picked, found, request_)) == canonical_call(parse_call(call))


def test_what_a_request_does_not_say_is_no_lesson() -> None:
    assert not slots.lesson_of("mails from Ayo", parse_call("GET message FILTER message.from eq Bo")).whole


@pytest.mark.parametrize(
    ("said", "size"),
    [
        ("20mb", "20 MB"),
        ("half a gig", "512 MB"),
        ("1.5 GB", "1.5 GB"),
        ("two hundred fifty kilobytes", "250 KB"),
        ("a week", None),
    ],
)
def test_sizes_are_read_as_people_say_them(said: str, size: str | None) -> None:
    assert read_size(said) == size


def test_times_and_endings_are_marked() -> None:
    found = marks(["docx", "from", "between", "3", "and", "5", "pm", "tomorrow"])
    assert found[0][0] == 1.0 and found[1][2] == 0.0
    assert found[2][2] == 1.0 and found[-1][4] == 1.0 and all(row[3] for row in found[3:])
    assert [row[2] for row in marks(["tips", "tmrw", "wk", "14"])] == [0.0, 1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("said", "has"),
    [
        ("message.from eq the Mr. Okafor", "message.from eq Okafor"),
        ("message.from eq Dr Mbeki or our Bo Lind", "message.from eq Mbeki or Bo Lind"),
        ("event.location eq the mill", "event.location eq mill"),
        ("file.fileType eq Photos", "file.fileType eq image"),
        ("file.fileType ne slide decks or PDFs", "file.fileType ne pptx or pdf"),
        ("file.fileType eq parquet", "file.fileType eq parquet"),
    ],
)
def test_values_have_one_form(said: str, has: str) -> None:
    resource = {"message": "message", "event": "event"}.get(said.partition(".")[0], "drive.root.children")
    assert str(plain(parse_call(f"GET {resource} FILTER {said}"))) == f"GET {resource} FILTER {has}"


@pytest.mark.parametrize(
    ("many", "one"),
    [("birth plans", "birth plan"), ("classes", "class"), ("policies", "policies"), ("glass", "glass")],
)
def test_what_a_name_contains_is_singular_but_for_what_is_quoted(many: str, one: str) -> None:
    """`contains invoice` finds invoices as well; policies do not contain policy."""
    call = parse_call(f"GET drive.root.children FILTER file.name contains {many}")
    assert str(singulars(call, f"my {many}")).endswith(f"contains {one}")
    assert singulars(call, f'what has "{many}" in its name') == call
    exact = parse_call(f"GET drive.root.children FILTER file.name eq {many}")
    assert singulars(exact, f"the file called {many}") == exact


def test_a_call_names_the_time_that_no_clock_tells() -> None:
    name = "GET message FILTER message.receivedDateTime"
    assert untold_time(parse_call(f"{name} ge the storm")) == "the storm"
    assert untold_time(parse_call(f"{name} ge last night")) == untold_time(parse_call("GET message")) == ""


def both(score: float, chance: float) -> Both:
    parsed = Candidate("GET message FILTER message.from eq Ayo", chance)
    mine = Told(parse_call("GET message SEARCH Ayo"), "", score)
    return Both(Asked("email", (parsed,), False), (mine, Told(None, "beyond", -3.0)), words=4)


def test_the_likelier_reader_is_answered_and_its_chance_is_told() -> None:
    sure = dict.fromkeys(FEATURES, 0.0)
    weights = {READER: sure | {"reader's score": 1.0, "bias": 2.0}, PARSER: sure | {"parser's chance": 1.0}}
    for score, chance, first in ((-0.1, 0.6, "SEARCH"), (-6.0, 0.9, "FILTER")):
        found = decided(both(score, chance), 3, weights)
        assert first in found.candidates[0].text and len(found.candidates) == 2
        assert found.candidates[0].score == pytest.approx(max(chances_of(both(score, chance), weights).values()))
    nothing = decided(both(-6.0, 0.1), 3, weights)
    assert nothing.abstained and nothing.reason


def test_nothing_is_asked_back_where_the_same_is_sent_for_both() -> None:
    name = "FILTER message.receivedDateTime"
    stretch = parse_call(f"GET message {name} eq between 2024-01-05 and 2024-01-12")
    ends = parse_call(f"GET message {name} ge 2024-01-05 {name} le 2024-01-12")
    assert ask_back(stretch, ends) == ""
    assert ask_back(stretch, parse_call(f"GET message {name} ge 2024-01-05"))


def test_the_lines_are_those_that_were_counted() -> None:
    digests = json.loads((DATA / "wording" / "DIGESTS.json").read_text(encoding="utf-8"))
    for name, digest in digests.items():
        assert hashlib.sha256((DATA / "wording" / name).read_bytes()).hexdigest() == digest


def test_the_twin_without_torch_gives_the_same() -> None:
    torch = pytest.importorskip("torch")
    from sayso.models.clause_tagger import TaggerSettings
    from sayso.models.wording_tagger import WordingTagger
    from sayso.targets.api.systems.wording.network import Seen, WordingNetwork

    torch.manual_seed(0)
    trained = WordingTagger(TaggerSettings(1, 7, (2, 3), 50, 8, 4, 6, 2, 0.5, (), 5), 12, 4).eval()
    seen = Seen(np.random.default_rng(0).normal(size=(5, 12)), np.arange(10).reshape(5, 2), np.eye(5))
    parts = (seen.vectors.astype("f4"), seen.grams, seen.shapes.astype("f4"))
    vectors, grams, shapes = (torch.from_numpy(one)[None] for one in parts)
    with torch.no_grad():
        wanted = trained.tell(vectors, grams, shapes, torch.tensor([5]), torch.zeros(1))
    found = WordingNetwork({name: one.numpy() for name, one in trained.exported().items()}).tell(seen)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other[0].numpy(), atol=1e-5)


def test_what_is_typed_in_one_stays_whole() -> None:
    for text, first, value in (
        ("named a&b.txt.", 2, "a&b.txt"),
        ("named ../../etc/x", 5, "../../etc/x"),
        ("Bo's plan", 0, "Bo"),
    ):
        words = split_words(text)
        assert said(text, words, *unbroken(words, first, first + 1)) == value


@pytest.fixture(scope="module")
def embedded() -> object:
    from sayso.targets.api.systems.shipped import open_any_domain, wording_reader

    pytest.importorskip("onnxruntime")
    assert wording_reader() is not None
    return open_any_domain(Workspace(Path("/nowhere"), Path("/nowhere")))


@pytest.mark.parametrize(
    ("request_", "call"),
    [
        (
            "did Ayo mail me about the kiln since tuesday",
            "GET message FILTER message.from eq Ayo FILTER message.receivedDateTime ge tuesday SEARCH kiln",
        ),
        (
            "fittings at the mill between the 3rd and the 9th",
            "GET event FILTER event.location eq mill FILTER event.start eq between the 3rd and the 9th "
            "FILTER event.subject contains fitting",
        ),
        (
            "pdfs Ayo shared with me, the biggest three",
            "GET drive.sharedWithMe FILTER file.fileType eq pdf FILTER file.sharedBy eq Ayo ORDERBY "
            "file.size desc TOP 3",
        ),
    ],
)
def test_the_embedded_reader_answers_in_own_words(embedded: object, request_: str, call: str) -> None:
    (found,) = embedded.translator.translate([Request(request_)], 1)  # type: ignore[attr-defined]
    assert found[0].text == call


@pytest.mark.parametrize(
    "request_",
    [
        "mails about my TOP 99999999999999",
        "emails mentioning budget TOP 12345678901 from Bo",
        "mails whose subject contains the TOP 99999999999",
    ],
)
def test_what_is_asked_for_is_no_part_of_the_notation(embedded: object, request_: str) -> None:
    """A value whose words open a clause once more is no reading: the call that is shown is the one that was meant."""
    (found,) = embedded.translator.translate([Request(request_)], 3)  # type: ignore[attr-defined]
    assert found
    call = parse_call(found[0].text)
    assert reads_back(call) and not any(isinstance(one, Top) for one in call.clauses)


def test_a_call_whose_words_open_a_clause_does_not_read_back() -> None:
    mine = Filter("message.from", "eq", "Bo")
    assert reads_back(Call("message", (mine, Search("a  b"))))
    torn = Call("message", (Search("my TOP 5"), mine))
    assert not reads_back(torn)
    assert readable(torn) == Call("message", (mine,))
    assert not reads_back(Call("message", (Search("my FILTER message.from eq"),)))


def test_networks_of_other_slots_are_refused(tmp_path: Path) -> None:
    from sayso.targets.api.systems.shipped import WORDING
    from sayso.targets.api.systems.wording.storing import SLOTS, WEIGHTS, open_wording

    bundle = load_bundle(WORDING)
    empty = io.BytesIO()
    np.savez(empty)
    parts = [(SLOTS, b'{"spans": [], "choices": []}'), (WEIGHTS, b"PK"), (WEIGHTS, empty.getvalue())]
    for at, (name, content) in enumerate(parts):
        whole = {each: bundle.read(each) for each in bundle.files} | {name: content}
        other = write_bundle(
            tmp_path / str(at), name="x", target="api", kind=bundle.kind, settings={}, files=whole, licence="CC0-1.0"
        )
        with pytest.raises(BadBundle):
            open_wording(other)
