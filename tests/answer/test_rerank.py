"""Recipes where they are sure, else all sources in one list, best first and never a surprise first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from sayso.answer.calibrate import Curve
from sayso.answer.rerank import LOOKED_AT, Combined, Pace, Settings
from sayso.answer.weigh import KNOWN, SHARE, STEPS
from sayso.answer.weighing import Weighing
from sayso.core.types import Asked, Candidate, Draft, Request, Target

CURVE = Curve(0.0, {"best_known": 1.0, "sum": 1.0})
COLUMNS = ("length", "known", "said", "step", "described said", "told_behind")


def row(draft: Draft, described: float) -> list[float]:
    known, said, step = (draft.scores.get(name, 0.0) for name in (KNOWN, SHARE, STEPS))
    return [float(len(draft.text)), known, said, step, described * said, 0.0]


@dataclass
class Scripted:
    """A translator that always gives the same, and counts how often it is asked."""

    candidates: list[Candidate]
    asked: int = 0
    loads: int = 0

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        self.asked += 1
        return [self.candidates[:k] for _ in requests]


@dataclass
class Bench:
    """A combination over scripted sources; a long text counts, a source's score more."""

    target: Target
    known: list[Candidate]
    said: list[Candidate]
    described: float = 0.0
    said_slowly: list[Candidate] | None = None
    steps: list[Candidate] = field(default_factory=list)
    acts: list[str] = field(default_factory=list)
    too_little: str = ""
    told: dict[str, float] | None = None
    """How likely the request is told back by each text, in nats."""
    read_back: list[str] = field(default_factory=list)
    model: Scripted = field(init=False)
    slow: Scripted = field(init=False)
    paces: list[Pace] = field(default_factory=list)

    def ask(self, text: str, k: int = 5) -> list[Candidate]:
        self.model = Scripted(self.said)
        self.slow = Scripted(self.said if self.said_slowly is None else self.said_slowly)
        combined = Combined(
            self.target,
            Scripted(self.known),
            self.give,
            lambda asked, drafts, described: [row(draft, described) for draft in drafts],
            lambda request: self.described,
            lambda drafts: [[float(one is other) for other in drafts] for one in drafts],
            Weighing(COLUMNS, (0.0,) * 6, (1.0,) * 6, (0.1, 2.0, 1.0, 3.0, 9.0, 1.0)),
            Settings(sure=0.9, curve=CURVE),
            self.step,
            tells=None if self.told is None else self.tell,
            does_all=lambda asked, draft: draft.text != self.too_little,
        )
        return combined.translate([Request(text)], k)[0]

    def tell(self, request: Request, texts: Sequence[str]) -> list[float]:
        assert self.told is not None
        self.read_back += texts
        return [self.told[text] for text in texts]

    def give(self, asked: Asked, pace: Pace) -> Scripted:
        self.paces.append(pace)
        return self.slow if pace == "wide" else self.model

    def step(self, asked: Asked, read: Callable[[str], Sequence[Draft]]) -> list[Candidate]:
        for act in self.acts:
            read(act)
        return self.steps


def test_sure_recipes_answer_alone(target: Target) -> None:
    bench = Bench(target, [Candidate("list a", 0.95, ("like a",)), Candidate("show a", 0.5)], [Candidate("x", 0.9)])
    found = bench.ask("list it", 2)
    assert [(one.text, one.why) for one in found] == [("list a", ("like a",)), ("show a", ())]
    assert bench.model.asked == 0


def test_unsure_recipes_are_joined_by_the_model_and_columns_decide(target: Target) -> None:
    bench = Bench(target, [Candidate("list b", 0.2)], [Candidate("show", 0.6), Candidate("show all", 0.3)])
    found = bench.ask("list it")
    assert [one.text for one in found] == ["show all", "show", "list b"]
    assert bench.model.asked == 1


def test_what_both_say_gains(target: Target) -> None:
    bench = Bench(target, [Candidate("show", 0.8)], [Candidate("show", 0.5), Candidate("list", 0.5)])
    assert [one.text for one in bench.ask("show it")] == ["show", "list"]


@pytest.mark.parametrize(("described", "first"), [(0.0, "list a"), (1.0, "show b")])
def test_a_description_trusts_the_model_more(target: Target, described: float, first: str) -> None:
    bench = Bench(target, [Candidate("list a", 0.85)], [Candidate("show b", 0.3), Candidate("list b", 0.3)], described)
    assert bench.ask("show it")[0].text == first


def test_sure_recipes_against_which_something_speaks_are_not_alone(target: Target) -> None:
    bench = Bench(target, [Candidate("list a", 0.95)], [Candidate("show x.txt", 0.6)])
    assert {one.text for one in bench.ask("list x.txt")} == {"list a", "show x.txt"}
    assert bench.model.asked == 1


def test_a_sure_recipe_that_does_not_do_all_is_not_alone(target: Target) -> None:
    bench = Bench(target, [Candidate("list", 0.95)], [Candidate("list and show", 0.9)], too_little="list")
    assert {one.text for one in bench.ask("list it and show it")} == {"list", "list and show"}
    assert bench.model.asked == 1


def test_steps_are_a_source_like_others(target: Target) -> None:
    bench = Bench(target, [Candidate("list a", 0.5)], [Candidate("show a", 0.5)], steps=[Candidate("copy a b", 0.9)])
    assert [one.text for one in bench.ask("list it")] == ["copy a b", "list a", "show a"]


def test_what_tells_the_request_back_comes_before_what_was_likelier(target: Target) -> None:
    said = [Candidate("show a", 0.6), Candidate("list a", 0.3), Candidate("copy a b", 0.1)]
    assert Bench(target, [], said).ask("list it")[0].text == "show a"
    bench = Bench(target, [], said, told={"show a": -9.0, "list a": -4.0, "copy a b": -30.0})
    assert [one.text for one in bench.ask("list it", 3)] == ["list a", "show a", "copy a b"]


def test_recipes_that_answer_alone_and_single_answers_are_not_told_back(target: Target) -> None:
    alone = Bench(target, [Candidate("list a", 0.95), Candidate("show a", 0.5)], [], told={})
    assert alone.ask("list it", 2) and not alone.read_back
    single = Bench(target, [], [Candidate("show a", 0.6)], told={})
    assert single.ask("show it") and not single.read_back


def test_of_many_answers_the_best_are_told_back_and_stay_before_the_others(target: Target) -> None:
    said = [Candidate(f"show {'a' * 9}{n}", 0.2 - n / 100) for n in range(9)]
    told = {one.text: -1.0 - 0.02 * at for at, one in enumerate(said)}
    bench = Bench(target, [], said, told=told)
    found = [one.text for one in bench.ask("show it", 3)]
    assert bench.read_back == [one.text for one in said[:LOOKED_AT]]
    assert found == [one.text for one in said[:3]]


def test_confidences_fall_and_are_probabilities(target: Target) -> None:
    bench = Bench(target, [Candidate("list a", 0.3)], [Candidate("show b", 0.6), Candidate("copy everything", 0.3)])
    scores = [one.score for one in bench.ask("copy it")]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)


def test_an_unasked_destruction_of_the_model_is_last_whatever_its_score(target: Target) -> None:
    found = Bench(target, [Candidate("list a", 0.1)], [Candidate("delete everything at once", 1.0)]).ask(
        "which are old?"
    )
    assert [one.text for one in found] == ["list a", "delete everything at once"]
    assert "may destroy something" in found[1].why[-1]
    assert found[1].score <= 0.1


def test_where_all_would_destroy_unasked_nothing_is_proposed(target: Target) -> None:
    assert Bench(target, [], [Candidate("delete everything", 1.0)]).ask("which are old?") == []


def test_who_wants_more_gets_what_a_slower_search_finds_behind_the_first_three(target: Target) -> None:
    quick = [Candidate("show a", 0.4), Candidate("list a", 0.3), Candidate("copy a b", 0.2)]
    slow = [Candidate("show everything", 0.5), *reversed(quick), Candidate("list", 0.1)]
    bench = Bench(target, [], quick, said_slowly=slow)
    three = bench.ask("show it", 3)
    assert {one.text for one in three} == {one.text for one in quick}
    five = bench.ask("show it", 5)
    assert [one.text for one in five[:3]] == [one.text for one in three]
    assert {one.text for one in five[3:]} == {"show everything", "list"}
    assert [one.score for one in five] == sorted((one.score for one in five), reverse=True)


def test_a_slower_search_is_asked_where_the_first_finds_too_few(target: Target) -> None:
    quick, slow = [Candidate("show a", 0.4)], [Candidate("list a", 0.5), Candidate("show a", 0.4)]
    bench = Bench(target, [], quick, said_slowly=slow)
    assert [one.text for one in bench.ask("show it", 1)] == ["show a"]
    assert bench.slow.asked == 0
    assert [one.text for one in bench.ask("show it", 2)] == ["show a", "list a"]
    assert bench.slow.asked == 1


def test_the_model_is_told_when_it_is_asked_for_one_act_of_several(target: Target) -> None:
    bench = Bench(target, [Candidate("list a", 0.6)], [Candidate("show b", 0.3)], acts=["show it", "list it"])
    bench.ask("show it, then list it", 1)
    assert bench.paces == ["act", "act", "first"]


def test_nothing_from_nobody(target: Target) -> None:
    assert Bench(target, [], []).ask("hm") == []


def test_a_candidate_of_the_model_says_so_and_what_is_wrong(target: Target) -> None:
    found = Bench(target, [], [Candidate("list --magic", 0.5)]).ask("list x.txt")
    assert found[0].why == ("from the model", "no flag --magic", "does not use x.txt")
