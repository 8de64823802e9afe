"""What the reranker is told of an option."""

from __future__ import annotations

import pytest

from sayso.answer.combine import merge
from sayso.core.types import Candidate, Request
from sayso.targets.bash.evidence import features
from sayso.targets.bash.evidence.features import NAMES
from sayso.targets.bash.evidence.hints import (
    DESCRIBED,
    Hints,
    buckets_of,
    fit_hints,
    labels_of,
    lesson,
    pack,
    unpack,
    wording,
    words_of,
)
from sayso.targets.bash.tasks import BASH

np = pytest.importorskip("numpy")

LESSONS = [
    *(lesson(f"count the lines of {name}", f"wc -l {name}", is_described=False) for name in ("a.txt", "b.txt", "c.md")),
    *(lesson(f"how many lines has {name}", f"wc -l {name}", is_described=False) for name in ("a.txt", "b.txt", "c.md")),
    *(lesson(f"Prints all files in {name}", f"find {name} -type f", is_described=True) for name in ("/a", "/b", "/c")),
    *(lesson(f"Prints files below {name}", f"find {name} -type f", is_described=True) for name in ("/a", "/b", "/c")),
]


@pytest.fixture(scope="module")
def hints() -> Hints:
    return fit_hints(LESSONS, fewest=2, width=8, epochs=30)


def columns(hints: Hints, request: str, *commands: tuple[str, float]) -> list[dict[str, float]]:
    options = merge(BASH.draft, [Candidate(text, share) for text, share in commands], [])
    asked = BASH.read(Request(request))
    rows = features.rows(asked, options, 0.5, hints)
    return [dict(zip(NAMES, row, strict=True)) for row in rows]


def test_labels_are_utilities_flags_and_reserved_tokens() -> None:
    assert labels_of("ls -la | wc --lines") == {"ls", "ls -l", "ls -a", "|", "wc", "wc -l"}


def test_words_are_stems_and_kinds_of_constants() -> None:
    assert words_of("Counting the lines of a.txt!") == ["count", "the", "line", "of", "<file>"]


def test_constants_of_one_kind_are_one_word() -> None:
    assert buckets_of("count the lines of a.txt") == buckets_of("count the lines of other.md")


def test_hints_call_for_what_was_learnt(hints: Hints) -> None:
    asked = hints.read("count the lines of z.txt")
    assert asked.odds["wc -l"] > 0 > asked.odds["find"]
    assert asked.likelihood(labels_of("wc -l z.txt")) > asked.likelihood(labels_of("find z.txt -type f"))
    assert asked.least({"find"}) < 0
    assert asked.missing(labels_of("find x -type f")) == pytest.approx(max(asked.odds["wc"], asked.odds["wc -l"]))


def test_packed_hints_say_nearly_the_same(hints: Hints) -> None:
    again = unpack(pack(hints))
    assert again.names == hints.names
    for text in ("count the lines of z.txt", "Prints files below /z"):
        one, other = hints.read(text).odds, again.read(text).odds
        assert all(abs(one[name] - other[name]) < 0.2 for name in one)


def test_wording_is_the_label_in_plain_python(hints: Hints) -> None:
    words = wording(hints)
    for text in ("count the lines of z.txt", "Prints files below /z"):
        told = words.described(text)
        assert told == pytest.approx(1 / (1 + np.exp(-hints.read(text).odds[DESCRIBED])), abs=0.05)
    assert words.described("Prints files below /z") > 0.5 > words.described("how many lines has z.txt")


def test_the_model_s_belief_is_shared_among_the_options(hints: Hints) -> None:
    first, second, third = columns(hints, "count", ("wc -l a", 0.5), ("wc -l b", 0.25), ("ls", 0.25))
    assert (first["behind"], first["place"]) == (0.0, 0.0)
    assert second["behind"] == pytest.approx(np.log(0.5), abs=1e-4)
    assert (first["same_template"], third["same_template"]) == (0.75, 0.25)
    assert first["agreement"] > third["agreement"]


def test_constants_left_out_or_invented_are_counted(hints: Hints) -> None:
    good, other, more = columns(
        hints,
        "find files larger than 10 MB in /srv",
        ("find /srv -size +10M", 0.3),
        ("find /var -size +10M", 0.3),
        ("find /srv -size +25M -name secret", 0.3),
    )
    assert (good["unused"], good["used"], good["foreign_strings"]) == (0.0, 1.0, 1.0)
    assert (other["unused"], other["used"], other["foreign_words"]) == (1.0, 0.5, 1.0)
    assert more["foreign_words"] == 1.0


def test_what_sources_say_is_told_apart(hints: Hints) -> None:
    asked = BASH.read(Request("list a"))
    options = merge(BASH.draft, [Candidate("ls a", 0.5)], [Candidate("ls -l a", 0.7)], [Candidate("ls a && ls b", 0.9)])
    said, known, step = (dict(zip(NAMES, row, strict=True)) for row in features.rows(asked, options, 0.5, hints))
    assert [one["is_said"] for one in (said, known, step)] == [1.0, 0.0, 0.0]
    assert (known["known"], known["described_known"], known["log_share"]) == (0.7, 0.5, 0.0)
    assert (step["is_step"], step["step"], step["acts_added"]) == (1.0, 0.9, 1.0)


def test_acts_that_no_command_can_be_doing_are_counted(hints: Hints) -> None:
    one, both = columns(hints, "sort a.txt and delete b.txt", ("sort a.txt", 0.5), ("sort a.txt && rm b.txt", 0.5))
    assert (one["acts_left_out"], both["acts_left_out"]) == (1.0, 0.0)
    assert (one["destroys"], both["destroys"]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("request_text", "command", "does_all"),
    [
        (
            "make a script x.sh that prints hi, make it executable and run it",
            "printf hi > x.sh && chmod +x x.sh",
            False,
        ),
        ("make a script x.sh, make it executable and run it", "touch x.sh && chmod +x x.sh && ./x.sh", True),
        ("sort names.txt and remove duplicates", "sort -u names.txt", True),
    ],
)
def test_three_acts_take_three_commands_while_two_may_be_one(request_text: str, command: str, does_all: bool) -> None:
    (draft,) = BASH.draft([command])
    assert features.does_all(BASH.read(Request(request_text)), draft) is does_all
