"""The numpy beam search against trying everything, against the torch one, and on what it promises."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from sayso.core.errors import UserError
from sayso.english.vocabulary import BOS, EOS, PAD
from sayso.neural.beam import Beam, Found, beam_search

np = pytest.importorskip("numpy")

SIZE = 6  # four specials and two words
Prefix = tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """A model whose next id depends on the prompt and on the whole prefix, drawn anew for each."""

    seed: int
    coarse: bool = False
    """Few distinct scores, so that many are equal."""

    def log_probs(self, prompt: Prefix, prefix: Prefix) -> Any:
        generator = np.random.default_rng([self.seed, *prompt, 99, *prefix])
        logits = (generator.integers(0, 2, SIZE) if self.coarse else generator.normal(0, 1.5, SIZE)).astype(np.float32)
        return logits - np.log(np.exp(logits).sum())

    def start(self, prompts: Sequence[Sequence[int]]) -> tuple[Any, list[tuple[Prefix, Prefix]]]:
        rows: list[tuple[Prefix, Prefix]] = [(tuple(prompt), ()) for prompt in prompts]
        return np.stack([self.log_probs(*row) for row in rows]), rows

    def step(self, state: list[tuple[Prefix, Prefix]], last: Any, parents: Any) -> tuple[Any, Any]:
        rows = [(state[row][0], (*state[row][1], int(one))) for row, one in zip(parents, last, strict=True)]
        return np.stack([self.log_probs(*row) for row in rows]), rows


class Counted:
    """A table that keeps the prefixes of each step it was asked for."""

    def __init__(self, seed: int) -> None:
        self.table = Table(seed)
        self.asked: list[list[Prefix]] = []
        self.log_probs, self.start = self.table.log_probs, self.table.start

    def step(self, state: list[tuple[Prefix, Prefix]], last: Any, parents: Any) -> tuple[Any, Any]:
        found, rows = self.table.step(state, last, parents)
        self.asked.append([prefix for _, prefix in rows])
        return found, rows


def everything(model: Table, prompt: Prefix, longest: int, words: Prefix = (3, 4, 5)) -> list[Found]:
    """Every answer of at most `longest` ids, EOS included, likeliest first."""
    answers = []
    for n in range(longest):
        for ids in itertools.product(words, repeat=n):
            path = (*ids, EOS)
            total = sum(float(model.log_probs(prompt, path[:i])[path[i]]) for i in range(len(path)))
            answers.append(Found(ids, total, total))
    return sorted(answers, key=lambda one: -one.log_prob)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(1, 6))
def test_a_wide_beam_finds_the_best_of_everything(seed: int, longest: int, n_best: int) -> None:
    model = Table(seed)
    found = beam_search(model, [(7,), (8, 9)], Beam(width=3**4, n_best=n_best, longest=longest))
    for prompt, answers in zip([(7,), (8, 9)], found, strict=True):
        best = everything(model, prompt, longest)[:n_best]
        assert [one.ids for one in answers] == [one.ids for one in best]
        assert [one.log_prob for one in answers] == pytest.approx([one.log_prob for one in best], abs=1e-4)


beams = st.builds(
    Beam,
    width=st.sampled_from([1, 2, 4]),
    n_best=st.integers(1, 5),
    longest=st.integers(1, 5),
    length_power=st.sampled_from([0.0, 0.6, 1.0]),
)


@pytest.mark.torch
@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), beams, st.booleans())
def test_it_answers_as_the_search_of_the_networks_does(seed: int, beam: Beam, coarse: bool) -> None:
    assume(not (coarse and beam.length_power))  # where equal scores are divided, the last bit decides
    torch = pytest.importorskip("torch")
    from sayso.models.batch import Batch
    from sayso.models.search import SearchSettings
    from sayso.models.search import beam_search as torch_search

    model = Table(seed, coarse)

    class Network:
        def start(self, batch: Batch) -> list[tuple[Prefix, Prefix]]:
            return [((one,), ()) for one in batch.source[:, 0].tolist()]

        def step(self, state: list[tuple[Prefix, Prefix]], last: Any, parents: Any) -> tuple[Any, Any]:
            rows = [
                (state[row][0], (*state[row][1], one) if one != BOS else ())
                for row, one in zip(parents.tolist(), last.tolist(), strict=True)
            ]
            return torch.tensor(np.stack([model.log_probs(*row) for row in rows])), rows

    source = torch.tensor([[7], [8], [9]])
    batch = Batch(source, source, torch.zeros(3, 0, dtype=torch.long), 0)
    wanted = SearchSettings(beam.width, beam.n_best, beam.longest, beam.length_power)
    theirs = torch_search(Network(), batch, wanted)
    ours = beam_search(model, [(7,), (8,), (9,)], beam)
    for one, other in zip(ours, theirs, strict=True):
        assert [found.ids for found in one] == [found.ids for found in other]
        assert [found.score for found in one] == pytest.approx([found.score for found in other], abs=1e-5)


def test_a_constraint_holds_and_can_leave_nothing() -> None:
    def only_four(request: int, ids: Prefix) -> Any:
        allowed = np.zeros(SIZE, bool)
        allowed[[4, EOS]] = True
        return allowed if request == 0 else np.zeros(SIZE, bool)

    first, second = beam_search(Table(1), [(7,), (7,)], Beam(width=4, n_best=3, longest=4), only_four)
    best = everything(Table(1), (7,), 4, words=(4,))[:3]
    assert [one.ids for one in first] == [one.ids for one in best]
    assert second == []


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000))
def test_a_margin_gives_up_only_what_is_far_behind(seed: int) -> None:
    wide = Beam(width=4, n_best=4, longest=5)
    all_found = beam_search(Table(seed), [(7,)], wide)[0]
    near = beam_search(Table(seed), [(7,)], replace(wide, margin=1.0))[0]
    assert near[0] == all_found[0]
    kept = [one for one in all_found if one.log_prob >= all_found[0].log_prob - 1.0]
    assert near[: len(kept)] == kept


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.floats(0.5, 4.0))
def test_a_prefix_far_behind_the_likeliest_of_its_length_is_not_continued(seed: int, behind: float) -> None:
    beam = Beam(width=4, n_best=8, longest=5, behind=behind)
    model = Counted(seed)
    found = beam_search(model, [(7,)], beam)[0]
    assert found
    for rows in model.asked:
        totals = [sum(float(model.log_probs((7,), ids[:at])[one]) for at, one in enumerate(ids)) for ids in rows]
        assert max(totals) - min(totals) <= behind + 1e-4


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.floats(0.001, 1.1))
@example(2947, 1.0)
def test_where_all_is_less_likely_than_the_floor_search_ends(seed: int, floor: float) -> None:
    beam = Beam(width=4, n_best=8, longest=5)
    whole, model = beam_search(Table(seed), [(7,)], beam)[0], Counted(seed)
    found = beam_search(model, [(7,)], replace(beam, floor=floor))[0]
    # What ends early may be an answer that eight better ones push out later.
    every = beam_search(Table(seed), [(7,)], replace(beam, n_best=1000))[0]
    assert found and set(found) <= set(every)
    if sum(np.exp(one.log_prob) for one in whole) >= floor:
        assert found == whole
    if floor > 1:  # the first answer ends it
        assert all(len(one.ids) == len(found[0].ids) for one in found)
        assert len(model.asked) == len(found[0].ids)


def test_rows_that_cannot_win_are_not_asked() -> None:
    model = Counted(3)
    beam_search(model, [(7,), (8,)], Beam(width=4, n_best=1, longest=30))
    assert max(map(len, model.asked)) <= 8 and len(model.asked) < 29


def test_specials_are_never_said_and_nothing_is_asked_for_nothing() -> None:
    found = beam_search(Table(5), [(7,)], Beam(width=20, n_best=20, longest=3))[0]
    assert found and not any({PAD, BOS, EOS} & set(one.ids) for one in found)
    assert beam_search(Table(5), [], Beam()) == []


@pytest.mark.parametrize("wrong", [{"length_power": -1}, {"margin": 0}, {"behind": 0}])
def test_bad_nats_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=next(iter(wrong))):
        Beam(**wrong)


@pytest.mark.parametrize("wrong", [{"width": 0}, {"n_best": 0}, {"longest": 0}])
def test_bad_settings_name_the_field(wrong: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=f"Beam.{next(iter(wrong))}"):
        Beam(**wrong)
