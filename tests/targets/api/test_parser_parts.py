"""Words, slots, values and recombination of the API parser."""

from __future__ import annotations

from dataclasses import replace
from difflib import SequenceMatcher
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.api.lessons.recombine import find_cues, join, keeps, more_rows, share, swap, weights
from sayso.targets.api.request.words import grams, looks, read_number, split_words, whole_words
from sayso.targets.api.syntax.calls import canonical_call, parse_call
from sayso.targets.api.systems.align import align, find_value
from sayso.targets.api.systems.habits import Habits, learn_habits
from sayso.targets.api.systems.layout import BY, SAME, WAY, Layout, make_layout, say, unsay
from sayso.targets.api.systems.mistakes import count_mistakes, mistake
from sayso.targets.api.systems.phrases import Phrases, find_phrases, spans
from sayso.targets.api.systems.values import Values, cut_words, in_pieces, learn_values, put_together, slip_of

FILES = "GET drive.root.children"
TRAIN = [
    (
        "show the sheet files made by Mia Holt",
        f"{FILES} FILTER file.createdBy eq Mia Holt FILTER file.fileType eq xlsx",
    ),
    ("sheet files named budget", f"{FILES} FILTER file.name eq budget FILTER file.fileType eq xlsx"),
    ("pdf files of today", f"{FILES} FILTER file.createdDateTime eq today FILTER file.fileType eq pdf"),
    (
        "what was made yesterday and changed last Monday?",
        f"{FILES} FILTER file.createdDateTime eq yesterday FILTER file.lastModifiedDateTime eq last Monday",
    ),
    ("the latest file", f"{FILES} ORDERBY file.createdDateTime desc TOP 1"),
    ("the five largest files made today", f"{FILES} FILTER file.createdDateTime eq today ORDERBY file.size desc TOP 5"),
    ("how many files were changed last Monday", f"{FILES} FILTER file.lastModifiedDateTime eq last Monday COUNT"),
    ("files shared with me", "GET drive.sharedWithMe"),
]
PAIRS = [(request, parse_call(call)) for request, call in TRAIN]


@pytest.fixture(scope="module")
def layout() -> Layout:
    return make_layout("document", PAIRS)


@given(st.text(max_size=60))
def test_words_stand_where_they_say(text: str) -> None:
    words = split_words(text)
    assert [text[word.start : word.end] for word in words] == [word.text for word in words]
    assert all(len(grams(word.text)) == 12 and any(grams(word.text)) for word in words)


def test_letters_digits_and_possessives_part() -> None:
    assert [word.text for word in split_words("Bo's star3, any day.com")] == [
        "Bo", "'s", "star", "3", ",", "any", "day", ".", "com",
    ]  # fmt: skip
    assert looks("60") == looks("17") == "00"


@pytest.mark.parametrize(
    ("text", "number"), [("7", 7), ("Twelve", 12), ("twenty five", 25), ("forty-two", 42), ("many", None), ("", None)]
)
def test_numbers_are_read_in_figures_and_words(text: str, number: int | None) -> None:
    assert read_number(text) == number


def test_what_is_seldom_spelled_out_is_chosen_the_rest_is_copied(layout: Layout) -> None:
    chosen = dict(layout.chosen)
    assert set(chosen["FILTER file.fileType eq"]) == {"xlsx", "pdf"}
    assert "FILTER file.createdBy eq" in layout.copied and "FILTER file.name eq" in layout.copied
    assert SAME + "FILTER file.createdDateTime eq" in chosen


def test_slots_say_the_call_again(layout: Layout) -> None:
    for _, call in PAIRS:
        said = say(layout, call)
        assert said.whole
        assert canonical_call(unsay(layout, said.copied, said.chosen)) == canonical_call(call)


def test_a_clause_that_no_slot_holds_makes_a_call_not_whole(layout: Layout) -> None:
    assert not say(layout, parse_call(f"{FILES} SEARCH plans")).whole


def test_values_are_found_where_they_stand(layout: Layout) -> None:
    row = align(layout, *PAIRS[0])
    name = layout.copied.index("FILTER file.createdBy eq")
    assert spans(row.tags) == [(name, 6, 8)] and row.whole
    row = align(layout, *PAIRS[5])
    assert [(row.words[start:end]) for _, start, end in spans(row.tags)] == [("five",), ("today",)]


def test_a_first_one_that_no_number_names(layout: Layout) -> None:
    row = align(layout, *PAIRS[4])
    first = [slot for slot, _ in layout.chosen].index("FIRST")
    assert row.whole and row.choices[first] == 1 and not any(row.tags)


def test_slips_and_joined_words_are_found() -> None:
    words = split_words("mails under any day.com from Jorge Otanno")
    free = [0] * len(words)
    assert find_value(words, free, "AnyDay.com") == (2, 6)
    assert find_value(words, free, "Jorge Otano") == (7, 9)
    assert find_value(words, free, "Pension") is None


def test_one_time_for_two_slots(layout: Layout) -> None:
    call = parse_call(f"{FILES} FILTER file.createdDateTime eq today FILTER file.lastModifiedDateTime eq today")
    row = align(layout, "made and changed today", call)
    assert row.whole and len(spans(row.tags)) == 1
    copied = {"FILTER file.lastModifiedDateTime eq": "today"}
    same = {SAME + "FILTER file.createdDateTime eq": "same"}
    assert canonical_call(unsay(layout, copied, same)) == canonical_call(call)


def test_two_times_become_one(layout: Layout) -> None:
    row = align(layout, *PAIRS[3])
    shared = next(found for seed in range(40) if (found := share(layout, row, Random(seed))) != row)
    assert shared.words == ("what", "was", "made", "and", "changed", "last", "Monday", "?")
    slot = [slot for slot, _ in layout.chosen].index(SAME + "FILTER file.createdDateTime eq")
    assert shared.choices[slot] == 1 and len(spans(shared.tags)) == 1


def test_a_slip_in_a_full_pool_is_mended_and_a_new_name_is_not(layout: Layout) -> None:
    typed_small = ("files made by olaf berg", parse_call(f"{FILES} FILTER file.createdBy eq Olaf Berg"))
    values = learn_values(layout, [*PAIRS, typed_small])
    assert values.meant("FILTER file.lastModifiedDateTime eq", "lats monday") == "last Monday"
    assert values.meant("FILTER file.createdBy eq", "mia holtz") == "Mia Holtz"
    assert values.meant("FILTER file.name eq", "ledger") == "ledger"
    assert values.meant("FILTER file.lastModifiedDateTime eq", "yester") == "yesterday"
    assert values.meant("TOP", "five") == "5" and values.meant("TOP", "many") == ""


def test_times_that_are_nothing_else_are_learnt(layout: Layout) -> None:
    often = [
        (f"made today {at}", parse_call(f"{FILES} FILTER file.createdDateTime eq today TOP {at + 1}"))
        for at in range(25)
    ]
    assert learn_values(layout, [*PAIRS, *often]).alone == ("today",)
    named = ("a file named today", parse_call(f"{FILES} FILTER file.name eq today"))
    assert learn_values(layout, [*PAIRS, *often, named]).alone == ()


def test_what_stands_round_values_is_cut_off_them(layout: Layout) -> None:
    named = [
        (f"a file of the name plan{at} please", parse_call(f"{FILES} FILTER file.name eq plan{at}")) for at in range(9)
    ]
    values = learn_values(layout, [*PAIRS, *named])
    assert values.around["file.name"] == {"before": ["name"], "after": ["please"]}
    words = ["name", "big", "plan", "please"]
    assert values.cut("FILTER file.name eq", words, 0, 4) == (1, 3)
    assert values.cut("FILTER file.name eq", words, 0, 1) == (0, 1), "what is all of a value stays"
    assert values.cut("SEARCH", words, 0, 4) == (0, 4)


def test_words_that_train_writes_in_one() -> None:
    pieces = cut_words("japan avocado it", "Japan AvocadoIT")
    assert pieces == {"avocado it": "AvocadoIT"}
    assert put_together("avocado it contacts", pieces) == "AvocadoIT contacts"
    assert put_together("plain words", pieces) == ""


def test_joined_requests_hold_what_both_hold(layout: Layout) -> None:
    rows = [align(layout, *pair) for pair in PAIRS]
    cues = find_cues("document", rows)
    both = join(rows[0], rows[6], cues, Random(1))
    assert both is not None
    assert {slot for slot, _, _ in spans(both.tags)} == {
        slot for row in (rows[0], rows[6]) for slot, _, _ in spans(row.tags)
    }
    assert both.choices == tuple(max(pair) for pair in zip(rows[0].choices, rows[6].choices, strict=True))
    assert join(rows[0], rows[2], cues, Random(1)) is None, "xlsx and pdf at once"
    assert len(more_rows(layout, rows, cues, 20, Random(0))) == 20


def test_what_few_say_is_joined_more_often(layout: Layout) -> None:
    today, latest = align(layout, *PAIRS[2]), align(layout, *PAIRS[4])
    each = weights([today, latest, today, today])
    assert each[1] > each[0] == each[2] == each[3] > 0


def test_what_a_known_slot_holds_is_never_swapped(layout: Layout) -> None:
    rows = [align(layout, *pair) for pair in PAIRS]
    phrases = find_phrases(layout, rows, ["times"])
    for seed in range(20):
        assert swap(rows[3], phrases, Random(seed), 1.0).words == rows[3].words


def test_new_values_are_made_of_words_that_mean_something_elsewhere() -> None:
    phrases = Phrases(((("red", "tape"), ("forms",)), (("Bo",),)), frozenset({0}), ("and",), frozenset(), ("first",))
    found = {phrases.pick(0, Random(seed)) for seed in range(400)}
    assert {("red", "first", "tape"), ("forms", "and", "forms"), ("first", "forms")} <= found
    assert any(one[-1].isdigit() for one in found)
    assert {phrases.pick(1, Random(seed)) for seed in range(50)} == {("Bo",)}


def test_a_span_takes_all_that_was_typed_in_one() -> None:
    words = split_words("mails on star3 and a/b, today.")
    assert whole_words(words, 2, 3) == (2, 4) == whole_words(words, 3, 4)
    assert whole_words(words, 5, 6) == (5, 8), "but not the comma"
    assert whole_words(words, 9, 10) == (9, 10)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [("any day.com", True), ("rf ps", True), ("e work", True), ("hp reps", False), ("lisa q", False), ("a b c", False)],
)
def test_a_word_cut_at_its_capitals(text: str, pieces: bool) -> None:
    assert in_pieces(text) is pieces


MAILS = [
    *("GET message FILTER message.from eq Bo ORDERBY message.receivedDateTime desc TOP 3" for _ in range(25)),
    *("GET message FILTER message.sentDateTime eq today ORDERBY message.sentDateTime asc" for _ in range(25)),
]


def test_habits_are_what_train_always_does() -> None:
    habits = learn_habits(map(parse_call, MAILS))
    sent, received = "message.sentDateTime", "message.receivedDateTime"
    assert habits.ordered
    assert habits.instead(["message.from"], sent) == received
    assert habits.instead([sent], received) == sent
    assert habits.instead(["message.isRead"], sent) == sent
    assert not habits.allows(["message.from"], sent) and habits.allows(["message.from"], received)
    assert learn_habits(map(parse_call, MAILS[:3])) == Habits(), "three calls are no habit"


def test_an_order_is_said_in_two(layout: Layout) -> None:
    said = say(layout, parse_call(f"{FILES} ORDERBY file.size desc"))
    assert said.chosen == {BY: "file.size", WAY: "desc"}
    slots = [slot for slot, _ in layout.chosen]
    assert layout.unasked == (slots.index(BY),)


def test_no_request_is_made_that_breaks_a_habit() -> None:
    pairs = [(f"mails from Bo, latest 3 (number {at})", parse_call(call)) for at, call in enumerate(MAILS[:25])]
    pairs += [(f"what I sent today, oldest first ({at})", parse_call(call)) for at, call in enumerate(MAILS[25:])]
    layout = make_layout("email", pairs)
    rows = [align(layout, *pair) for pair in pairs]
    assert all(keeps(layout, row) for row in rows)
    both = join(
        replace(rows[0], choices=tuple(0 for _ in rows[0].choices)), rows[-1], find_cues("email", rows), Random(0)
    )
    assert both is not None and not keeps(layout, both)


def test_a_value_goes_where_it_is_known() -> None:
    calls = ["GET event FILTER event.calendar eq Work", "GET event FILTER event.categories eq yoga"]
    pairs = [
        (f"{call.split()[-1]} events {more}", parse_call(f"{call}{more}")) for call in calls for more in ("", " COUNT")
    ]
    layout = make_layout("calendar", pairs)
    values = learn_values(layout, pairs)
    assert values.at_home("FILTER event.categories eq", "work", layout.copied) == "FILTER event.calendar eq"
    assert values.at_home("FILTER event.categories eq", "Yoga", layout.copied) == "FILTER event.categories eq"
    assert values.at_home("SEARCH", "work", layout.copied) == "SEARCH"


def test_swapped_values_stay_in_their_slots(layout: Layout) -> None:
    rows = [align(layout, *pair) for pair in PAIRS]
    phrases = find_phrases(layout, rows)
    for row in rows:
        other = swap(row, phrases, Random(3), 1.0)
        assert [slot for slot, _, _ in spans(other.tags)] == [slot for slot, _, _ in spans(row.tags)]
        assert len(other.words) == len(other.tags)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("GET message FILTER message.from eq mia holt TOP 5", ""),
        ("GET message FILTER message.from eq Mia Holz TOP 5", "misspelt"),
        ("GET message FILTER message.from eq Mia Holt please TOP 5", "noisy tail"),
        ("GET message FILTER message.categories eq Mia Holt TOP 5", "wrong"),
        ("GET message FILTER message.from eq Mia Holt", "missing"),
        ("GET message FILTER message.from eq Mia Holt TOP 5 COUNT", "extra"),
        ("GET message FILTER message.form eq Mia Holt TOP 5", "invalid"),
        ("message TOP", "invalid"),
    ],
)
def test_kinds_of_mistakes(answer: str, kind: str) -> None:
    assert mistake("GET message FILTER message.from eq Mia Holt TOP 5", answer) == kind


def test_right_answers_are_no_mistakes() -> None:
    assert sum(count_mistakes([("GET message", "GET message"), ("GET message", "GET message COUNT")]).values()) == 1


@given(st.text("abcd", max_size=9), st.lists(st.text("abcd", min_size=1, max_size=9), max_size=8, unique=True))
def test_a_slip_is_of_the_value_most_alike(typed: str, values: list[str]) -> None:
    likeness = {one: SequenceMatcher(None, typed, one).ratio() for one in values}
    begun = [one for one in values if typed and one.startswith(typed)]
    best = max(likeness, key=lambda one: likeness[one], default="")
    expected = begun[0] if len(begun) == 1 else best if likeness.get(best, 0.0) > 0.75 else ""
    assert slip_of(typed, {one: one for one in values}) == expected


def test_quotes_and_a_misspelt_word_behind_it_are_no_part_of_a_value() -> None:
    values = Values({}, {}, {}, around={"message.categories": {"before": [], "after": ["category", "of"]}})
    slot = "FILTER message.categories eq"
    assert values.meant(slot, '"Tax"') == "Tax" and values.meant(slot, "O'Neill") == "O'Neill"
    words = ["icons", "cateogry"]
    assert values.cut(slot, words, 0, 2) == (0, 1)
    assert values.cut(slot, ["icons", "catalogues"], 0, 2) == (0, 2)
    assert values.cut(slot, ["cateogry"], 0, 1) == (0, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("from Sean O'Brien & co", ["from", "Sean", "O'Brien", "&", "co"]),
        ("D’Angelo's 3 files", ["D’Angelo", "'s", "3", "files"]),
        ("Bo's don't", ["Bo", "'s", "don", "'", "t"]),
    ],
)
def test_a_name_with_an_apostrophe_is_not_torn(text: str, words: list[str]) -> None:
    assert [word.text for word in split_words(text)] == words
