"""The network in numpy, its readings, and how they are stored and asked."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from sayso.core.errors import BadBundle
from sayso.core.types import Request
from sayso.neural.bundle import write_bundle
from sayso.targets.api.request.rewording import named_domains, reword
from sayso.targets.api.request.words import BUCKETS
from sayso.targets.api.syntax.calls import parse_call
from sayso.targets.api.systems.asking import ask, ask_back, domain_chances
from sayso.targets.api.systems.decode import Chain
from sayso.targets.api.systems.habits import Habits
from sayso.targets.api.systems.layout import make_layout
from sayso.targets.api.systems.network import Network, make_input
from sayso.targets.api.systems.parse import Parser
from sayso.targets.api.systems.storing import KIND, REST, open_parser, parser_files
from sayso.targets.api.systems.values import learn_values

PAIRS = [
    (f"mails {verb} {name} {rest}", parse_call(f"GET message FILTER message.from eq {name}{clause}"))
    for name in ("Mia Holt", "Bo Ek")
    for verb in ("from", "sent by")
    for rest, clause in (("", ""), ("unread", " FILTER message.isRead eq False"), ("today", " COUNT"))
]


def random_network(words: int, tags: int, choices: int, seed: int) -> Network:
    dice = np.random.default_rng(seed)

    def some(*shape: int) -> NDArray[np.float32]:
        return dice.normal(0, 0.3, shape).astype(np.float32)

    weights = {"words": some(words, 8), "grams": some(BUCKETS, 4), "moves": some(tags, tags), "starts": some(tags)}
    for way in ("forward", "backward"):
        name = f"gru0.{way}"
        weights |= {f"{name}.input": some(18, 15), f"{name}.hidden": some(5, 15)}
        weights |= {f"{name}.input_bias": some(15), f"{name}.hidden_bias": some(15)}
    weights |= {"tags.weight": some(28, tags), "tags.bias": some(tags)}
    weights |= {"choices.weight": some(28, choices), "choices.bias": some(choices)}
    return Network(weights)


@pytest.fixture(scope="module")
def parser() -> Parser:
    layout = make_layout("email", PAIRS)
    vocabulary = {word: at for at, word in enumerate(("mails", "from", "unread", "today"), 2)}
    networks = tuple(random_network(6, layout.tags, sum(layout.sizes), seed) for seed in (0, 1))
    return Parser(layout, learn_values(layout, PAIRS), vocabulary, networks, counts=dict.fromkeys(vocabulary, 3))


def every_path(chain: Chain) -> list[tuple[float, tuple[int, ...]]]:
    length, tags = int(chain.lengths[0]), chain.scores.shape[2]
    found = []
    for path in product(range(tags), repeat=length):
        total = float(chain.starts[path[0]]) + sum(float(chain.scores[0, at, tag]) for at, tag in enumerate(path))
        total += sum(float(chain.moves[one, other]) for one, other in pairwise(path))
        found.append((total, path))
    return sorted(found, reverse=True)


def test_the_best_tags_and_how_sure_they_are_agree_with_trying_all() -> None:
    dice = np.random.default_rng(7)
    scores = dice.normal(0, 1, (1, 4, 3)).astype(np.float32)
    starts, moves = dice.normal(0, 1, 3).astype(np.float32), dice.normal(0, 1, (3, 3)).astype(np.float32)
    chain = Chain(scores, starts, moves, np.array([4]))
    paths, totals = chain.best()
    listed = every_path(chain)
    assert paths[0] == listed[0][1] and totals[0] == pytest.approx(listed[0][0], abs=1e-5)
    sure, everything = chain.marginals()
    weights = np.exp([total for total, _ in listed])
    assert everything[0] == pytest.approx(np.log(weights.sum()), abs=1e-5)
    third = sum(weight for weight, (_, path) in zip(weights, listed, strict=True) if path[2] == 1) / weights.sum()
    assert np.exp(sure[0, 2, 1]) == pytest.approx(third, abs=1e-5)
    others = chain.next_best(0, paths[0], sure[0], 4)
    assert max(score for _, score in others) == pytest.approx(listed[1][0], abs=1e-5)
    assert all(path != paths[0] for path, _ in others)


def test_padding_changes_nothing(parser: Parser) -> None:
    texts = ["mails from Mia Holt", "unread mails of today that Bo Ek has sent me from the office, please", ""]
    alone = [parser.readings([text], 3)[0] for text in texts]
    together = parser.readings(texts, 3)
    for one, other in zip(alone, together, strict=True):
        assert [reading.call for reading in one] == [reading.call for reading in other]
        assert [reading.score for reading in one] == pytest.approx([reading.score for reading in other], abs=1e-4)


def test_readings_are_distinct_and_likeliest_first(parser: Parser) -> None:
    found = parser.translate([Request("mails from Mia Holt today")], 5)[0]
    assert len({one.text for one in found}) == len(found) == 5
    assert parser.translate([Request("mails from Mia Holt today")], 1)[0] == found[:1], (
        "the same however many are asked"
    )
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True) and all(0 <= score <= 1 for score in scores)


def test_a_stored_parser_reads_alike(parser: Parser, tmp_path: Path) -> None:
    bundle = write_bundle(
        tmp_path / "b", name="b", target="api", kind=KIND, settings={}, files=parser_files(parser), licence="none"
    )
    opened = open_parser(bundle)
    assert (opened.layout, opened.values, opened.vocabulary) == (parser.layout, parser.values, parser.vocabulary)
    text = ["mails from Mia Holt", "unread mails"]
    given = make_input([each.split() for each in text], parser.vocabulary)
    for one, other in zip(parser.networks, opened.networks, strict=True):
        for before, after in zip(one(given), other(given), strict=True):
            assert np.allclose(before, after, atol=0.06)


def test_habits_are_stored_and_older_parsers_have_none(parser: Parser, tmp_path: Path) -> None:
    habits = Habits(True, (("message.from", "message.sentDateTime", "message.receivedDateTime"),))
    files = parser_files(replace(parser, layout=replace(parser.layout, habits=habits)))
    write = partial(write_bundle, name="b", target="api", kind=KIND, settings={}, licence="none")
    assert open_parser(write(tmp_path / "new", files=files)).layout.habits == habits
    rest = {key: value for key, value in json.loads(files[REST]).items() if key != "habits"}
    old = write(tmp_path / "old", files={**files, REST: json.dumps(rest).encode()})
    assert open_parser(old).layout.habits == Habits()


def test_a_number_has_an_order_where_train_always_gives_one(parser: Parser) -> None:
    layout = replace(parser.layout, habits=Habits(ordered=True))
    found = [
        str(reading.call)
        for readings in replace(parser, layout=layout).readings(["7 mails from Mia Holt", "mails 12 from 3 today"], 8)
        for reading in readings
    ]
    assert any(" TOP " in one for one in found)
    assert all(" ORDERBY " in one for one in found if " TOP " in one)


def test_a_reading_that_drops_words_loses_by_it(parser: Parser) -> None:
    texts = ["mails from Zelda Quux", "unread mails Zelda sent by Bo Ek today"]
    strict = replace(parser, dropping=50.0)
    for loose, found in zip(parser.readings(texts, 8), strict.readings(texts, 8), strict=True):
        assert found[0].unused == min(one.unused for one in loose)
        assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert [one[0].call for one in parser.readings(texts)] != [one[0].call for one in strict.readings(texts)]


def test_a_word_that_is_always_a_time_is_nothing_else(parser: Parser) -> None:
    texts = [f"mails {word} today" for word in ("from Bo", "of Zelda", "unread", "sent by", "")]
    told = replace(parser, values=replace(parser.values, alone=("today",)))
    assert any("today" in str(one.call) for found in parser.readings(texts, 8) for one in found)
    assert not any("today" in str(one.call) for found in told.readings(texts, 8) for one in found)


def test_a_bundle_of_something_else_is_refused(tmp_path: Path) -> None:
    bundle = write_bundle(
        tmp_path / "b", name="b", target="api", kind=KIND, settings={}, files={"parser.json": b"{}"}, licence="none"
    )
    with pytest.raises(BadBundle, match=r"parser\.json lacks domain"):
        open_parser(bundle)


def test_the_domain_is_told_by_its_words(parser: Parser) -> None:
    other = replace(parser, counts={"events": 3, "today": 3})
    assert domain_chances("mails from Mia", [parser, other])[0] > 0.8
    assert domain_chances("events today", [parser, other])[1] > 0.8


def test_one_question_where_two_readings_or_domains_are_close(parser: Parser) -> None:
    one, other = (
        parse_call(f"GET message ORDERBY message.{name} desc") for name in ("sentDateTime", "receivedDateTime")
    )
    assert ask_back(one, other).startswith("Which is meant: sorts by time it was sent")
    assert ask_back(one, parse_call("GET message")) == ask_back(parse_call("GET message"), one)
    same = dict.fromkeys(("document", "email", "calendar"), parser)
    asked = ask("mails and events from Mia today", "", 3, same)
    assert asked.abstained and asked.question == "Is this about emails or events?"
    assert not ask("mails and events from Mia today", "email", 3, same).question.startswith("Is this about")


@pytest.mark.parametrize(
    ("text", "domain", "reworded"),
    [
        ("my five latest mails", "email", "my last 5 emails"),
        ("the newest e-mail from Bo", "email", "the last email from Bo"),
        ("appointments organised by Bo", "calendar", "events organized by Bo"),
        ("spreadsheets changed two hours ago", "document", "excel files modified two hours ago"),
        ("pdf files", "document", "pdf files"),
        ("my next three meetings", "calendar", "my first 3 meetings after now"),
        ("next meeting with Bo", "calendar", "first meeting after now with Bo"),
        ("upcoming events", "calendar", "events after now"),
        ("meetings next week", "calendar", "meetings next week"),
        ("mails with files", "email", "emails with attachments"),
        ('files named "Annual Report"', "document", "files named Annual Report"),
        ("Bo's mail from 'Dr. Ek'", "email", "Bo's email from Dr Ek"),
        ("events that don't have any attachments", "calendar", "events without attachments"),
    ],
)
def test_requests_are_put_in_the_words_of_train(text: str, domain: str, reworded: str) -> None:
    assert reword(text, domain) == reworded


def test_the_domain_is_told_by_what_is_asked_for() -> None:
    assert named_domains("the latest mail") == ["email"]
    assert named_domains("spreadsheets") == ["document"]
    assert named_domains("what is up?") == []
    assert named_domains("unread mails and my meetings") == ["email", "calendar"]
    assert named_domains("emails about the event") == ["email"]
    assert named_domains("emails about sales and meetings") == ["email"]


@pytest.mark.parametrize("text", ["mails not from Mia", "mails except those from Mia", "mails that aren't by Mia"])
def test_what_leaves_something_out_gets_no_call(parser: Parser, text: str) -> None:
    same = dict.fromkeys(("document", "email", "calendar"), parser)
    asked = ask(text, "", 1, same)
    assert asked.abstained and "no call can leave this out" in asked.reason
    assert "leave something out" not in ask("mails that are not read", "", 1, same).reason


def test_words_of_no_domain_get_no_answer(parser: Parser) -> None:
    same = dict.fromkeys(("document", "email", "calendar"), parser)
    asked = ask("zorg blimp quux", "email", 1, same)
    assert asked.abstained and "does not ask for" in asked.reason and len(asked.candidates) == 1


def test_an_unlikely_reading_is_no_answer(parser: Parser) -> None:
    unsure = dict.fromkeys(("document", "email", "calendar"), replace(parser, calibration=(1.0, -9.0)))
    assert ask("mails from Mia today", "email", 2, unsure).abstained
    certain = dict.fromkeys(("document", "email", "calendar"), replace(parser, calibration=(0.0, 9.0)))
    assert not ask("mails from Mia today", "email", 2, certain).abstained


def test_a_word_that_no_value_took_makes_a_reading_less_sure(parser: Parser) -> None:
    """Random tags leave some of many names out; each of these is counted, and costs what the calibration says."""
    (best,) = parser.readings(["mails from Mia Zorg Quux Blimp unread today"], 1)[0]
    assert 0 < best.unused <= 4
    (known,) = parser.readings(["mails from unread today"], 1)[0]
    assert known.unused == 0
    plain, strict = (replace(parser, calibration=each) for each in ((0.0, 2.0), (0.0, 2.0, 1.5)))
    assert strict.chance(known) == plain.chance(known) == plain.chance(best)
    assert strict.chance(best) < plain.chance(best)
    assert strict.chance(replace(best, unused=best.unused + 1)) < strict.chance(best)


def test_what_an_unused_word_costs_is_stored(parser: Parser, tmp_path: Path) -> None:
    for at, calibration in enumerate(((0.5, 1.0), (0.5, 1.0, 1.5))):
        files = parser_files(replace(parser, calibration=calibration))
        bundle = write_bundle(
            tmp_path / str(at), name="p", target="api", kind=KIND, settings={}, files=files, licence="none"
        )
        assert open_parser(bundle).calibration == calibration
