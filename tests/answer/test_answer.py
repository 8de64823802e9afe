"""From a system's candidates to what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sayso.answer.answer import Answer, Own, Proposal, answer, answer_all
from sayso.answer.verify import POOL, Verified
from sayso.core.types import Candidate, Draft, Evidence, Question, Remarks, Request, Risk, System, Target


class Scripted:
    """A translator that answers from a table, and remembers how it was called."""

    def __init__(self, table: dict[str, list[Candidate]]) -> None:
        self.table = table
        self.calls: list[tuple[int, int]] = []

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        self.calls.append((len(requests), k))
        return [self.table.get(request.text, [])[:k] for request in requests]


def nearest(request: Request, k: int) -> list[str]:
    return [f"near {request.text}"] * k


TABLE = {
    "list a.txt": [Candidate("list a.txt", 0.9, ("known",)), Candidate("copy a.txt", 0.5)],
    "list old": [Candidate("delete old", 0.9), Candidate("list old", 0.6)],
    "hm": [Candidate("list hm", 0.2)],
}


def system(translator: Scripted) -> System:
    return System(translator, 0.3, nearest)


def test_candidates_come_with_their_risk(target: Target) -> None:
    found = answer(target, system(Scripted(TABLE)), Request("list a.txt"), 1)
    assert found == Answer((Proposal("list a.txt", 0.9, Risk("reads"), ("known",)),))


def test_verification_may_change_the_order_beyond_what_is_shown(target: Target) -> None:
    translator = Scripted(TABLE)
    verified = Verified(translator, target)
    found = answer(target, System(verified, 0.3, nearest), Request("list old"), 1)
    assert [one.text for one in found.candidates] == ["list old"]
    assert [one.text for one in verified.translate([Request("list old")], 1)[0]] == ["list old"]
    assert translator.calls == [(1, POOL)] * 2


def test_a_low_score_is_an_abstention_with_near_requests_that_keeps_its_candidates(target: Target) -> None:
    found = answer(target, system(Scripted(TABLE)), Request("hm"), 2)
    assert found.abstained
    assert found.nearest == ("near hm",) * 3
    assert found.candidates[0].text == "list hm"


def test_what_does_not_parse_is_never_before_what_does(target: Target) -> None:
    table = {"list": [Candidate("list (", 0.9), Candidate("list a", 0.6), Candidate("list b", 0.5)]}
    found = answer(target, system(Scripted(table)), Request("list"), 3)
    assert [one.text for one in found.candidates] == ["list a", "list b", "list ("]
    table = {"list old": [Candidate("list (", 0.9), Candidate("delete old", 0.6)]}
    found = answer(target, system(Scripted(table)), Request("list old"), 3)
    assert found.candidates[0].text == "list ("  # what is barred does not move up


def test_no_candidate_is_an_abstention(target: Target) -> None:
    assert answer(target, system(Scripted({})), Request("?"), 2) == Answer((), True, ("near ?",) * 3)


def test_a_batch_is_one_call_and_keeps_its_order(target: Target) -> None:
    translator = Scripted(TABLE)
    found = answer_all(target, system(translator), [Request("hm"), Request("list a.txt")], 2)
    assert [one.abstained for one in found] == [True, False]
    assert translator.calls == [(2, 2)]
    assert answer_all(target, system(translator), [], 2) == []


def test_what_a_system_refuses_is_no_answer_however_sure_it_is(target: Target) -> None:
    def remarks(request: Request, k: int) -> Remarks:
        return Remarks("it cannot be done", True, Question("Which?"), {"k": k})

    found = answer(target, replace(system(Scripted(TABLE)), remarks=remarks), Request("list a.txt"), 1)
    assert found.abstained and found.barred and found.candidates[0].score == 0.9
    assert (found.reason, found.question, found.facts) == ("it cannot be done", Question("Which?"), {"k": 1})


def test_the_question_of_a_target_is_about_the_candidates_that_are_shown(target: Target) -> None:
    def question(request: Request, candidates: Sequence[Candidate]) -> Question | None:
        return Question(f"{request.text}?", tuple((one.text, one.text) for one in candidates))

    asking = replace(target, question=question)
    found = answer(asking, system(Scripted(TABLE)), Request("list a.txt"), 1)
    assert found.question == Question("list a.txt?", (("list a.txt", "list a.txt"),))
    assert answer(asking, system(Scripted(TABLE)), Request("hm"), 1).question is None


def own(*candidates: Candidate) -> Own:
    return lambda asked: candidates


def test_own_commands_come_first_and_once_and_nothing_abstains_with_them(target: Target) -> None:
    mine = own(Candidate("copy a.txt", 1.0, ("mine",)))
    found = answer(target, system(Scripted(TABLE)), Request("list a.txt"), 3, mine)
    assert [(one.text, one.why) for one in found.candidates] == [("copy a.txt", ("mine",)), ("list a.txt", ("known",))]
    assert found.is_own
    unsure = answer(target, system(Scripted(TABLE)), Request("hm"), 3, mine)
    assert [one.text for one in unsure.candidates] == ["copy a.txt"] and not unsure.abstained and not unsure.nearest


def test_a_command_of_a_request_that_is_only_alike_must_be_what_this_one_orders(target: Target) -> None:
    for likeness, first in ((0.9, "list a.txt"), (1.0, "delete x")):
        mine = own(Candidate("delete x", likeness))
        table = {"show old": TABLE["list a.txt"]}
        assert answer(target, system(Scripted(table)), Request("show old"), 1, mine).candidates[0].text == first


def test_what_this_machine_lacks_is_counted_among_more_than_are_shown(target: Target) -> None:
    def here(drafts: Sequence[Draft]) -> list[tuple[Evidence, ...]]:
        return [(Evidence("lacking", "not here"),) if draft.text.startswith("list") else () for draft in drafts]

    translator = Scripted(TABLE)
    found = answer(target, system(translator), Request("list old"), 1, here=here)
    assert translator.calls == [(1, POOL)]
    assert [(one.text, one.why) for one in found.candidates] == [("delete old", ())]
    table = {"show": [Candidate("list x", 0.9), Candidate("show x", 0.5)]}
    shown = answer(target, system(Scripted(table)), Request("show"), 2, here=here).candidates
    assert [(one.text, one.score, one.why) for one in shown] == [("show x", 0.5, ()), ("list x", 0.27, ("not here",))]
