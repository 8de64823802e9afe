"""Beam search against a plain one without batches and against trying everything, on models that are random tables."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from sayso.core.errors import UserError
from sayso.english.vocabulary import BOS, EOS, PAD
from sayso.models.batch import Batch
from sayso.models.search import Allowed, Found, SearchSettings, beam_search, greedy_search, sample, top

pytestmark = pytest.mark.torch

SIZE = 6  # four specials and two words
Prefix = tuple[int, ...]


@dataclass(frozen=True)
class Rows:
    prefixes: list[Prefix]
    requests: list[int]


@dataclass(frozen=True)
class Table:
    """A model whose next id depends on the request's word and on the whole prefix, drawn anew for each."""

    seed: int
    coarse: bool = False
    """Few distinct scores, so that many are equal."""

    def log_probs(self, request: int, prefix: Prefix) -> Tensor:
        generator = np.random.default_rng([self.seed, request, *prefix])
        logits = generator.integers(0, 2, SIZE) if self.coarse else generator.normal(0, 1.5, SIZE)
        return torch.tensor(logits, dtype=torch.float32).log_softmax(-1)

    def start(self, batch: Batch) -> Rows:
        return Rows([()] * len(batch), batch.source[:, 0].tolist())

    def step(self, state: Rows, last: Tensor, parents: Tensor) -> tuple[Tensor, Rows]:
        rows = parents.tolist()
        prefixes = [(*state.prefixes[row], one) for row, one in zip(rows, last.tolist(), strict=True)]
        requests = [state.requests[row] for row in rows]
        log_probs = [self.log_probs(request, prefix) for request, prefix in zip(requests, prefixes, strict=True)]
        return torch.stack(log_probs), Rows(prefixes, requests)


def batch_of(*requests: int) -> Batch:
    source = torch.tensor(requests)[:, None]
    return Batch(source, source, torch.zeros(len(requests), 0, dtype=torch.long), 0)


def restricted(model: Table, request: int, prefix: Prefix, longest: int) -> np.ndarray:
    log_probs = model.log_probs(request, prefix).numpy().copy()
    log_probs[[PAD, BOS]] = -np.inf
    if len(prefix) == longest:
        log_probs[np.arange(SIZE) != EOS] = -np.inf
    return log_probs


def plain_beam(model: Table, request: int, wanted: SearchSettings) -> list[Found]:
    """The same search by its definition: lists, one request, no early stop."""
    each = wanted.width // wanted.groups
    live: list[list[tuple[np.float32, Prefix]]] = [[(np.float32(0), (BOS,))] for _ in range(wanted.groups)]
    pools: list[list[Found]] = [[] for _ in range(wanted.groups)]
    for length in range(1, wanted.longest + 1):
        taken: Counter[int] = Counter()
        for group in range(wanted.groups):
            candidates = []
            for total, prefix in live[group]:
                log_probs = restricted(model, request, prefix, wanted.longest)
                for one in range(SIZE):
                    score = np.float32(total + log_probs[one])
                    if score > -np.inf:
                        penalty = np.float32(wanted.diversity * taken[one])
                        candidates.append((np.float32(score - penalty), score, (*prefix, one)))
            candidates = sorted(candidates, key=lambda one: -one[0])[: 2 * each]
            for _, score, prefix in candidates[:each]:
                if prefix[-1] == EOS:
                    ranked = np.float32(score / np.float32(length**wanted.length_power))
                    pools[group].append(Found(prefix[1:-1], float(score), float(ranked)))
            live[group] = [(score, prefix) for _, score, prefix in candidates if prefix[-1] != EOS][:each]
            taken.update(prefix[-1] for _, prefix in live[group])
            pools[group] = sorted(pools[group], key=lambda one: -one.score)[: wanted.n_best]
    unique: dict[Prefix, Found] = {}
    for found in itertools.chain(*pools):
        unique.setdefault(found.ids, found)
    return sorted(unique.values(), key=lambda one: -one.score)[: wanted.n_best]


def everything(model: Table, request: int, longest: int, allowed: tuple[int, ...] = (3, 4, 5)) -> list[Found]:
    """Every answer of at most `longest` ids, EOS included, likeliest first."""
    answers = []
    for n in range(longest):
        for ids in itertools.product(allowed, repeat=n):
            path = (BOS, *ids, EOS)
            total = sum(float(model.log_probs(request, path[:i])[path[i]]) for i in range(1, len(path)))
            answers.append(Found(ids, total, total))
    return sorted(answers, key=lambda one: -one.log_prob)


searches = st.builds(
    SearchSettings,
    width=st.sampled_from([1, 2, 4]),
    n_best=st.integers(1, 5),
    longest=st.integers(1, 5),
    length_power=st.sampled_from([0.0, 0.6, 1.0]),
)


@settings(max_examples=60)
@given(seed=st.integers(0, 10_000), wanted=searches, coarse=st.booleans(), groups=st.sampled_from([1, 1, 2]))
def test_the_beam_is_the_plain_beam_whatever_the_batch(
    seed: int, wanted: SearchSettings, coarse: bool, groups: int
) -> None:
    wanted = replace(wanted, groups=groups if wanted.width % groups == 0 else 1)
    model = Table(seed, coarse)
    assert beam_search(model, batch_of(1, 2, 3), wanted) == [plain_beam(model, one, wanted) for one in (1, 2, 3)]


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), longest=st.integers(1, 4), power=st.sampled_from([0.0, 0.5, 1.0]))
def test_a_beam_wide_enough_finds_what_trying_everything_finds(seed: int, longest: int, power: float) -> None:
    model = Table(seed)
    ranked = [replace(one, score=one.log_prob / (len(one.ids) + 1) ** power) for one in everything(model, 7, longest)]
    ranked = sorted(ranked, key=lambda one: -one.score)[:5]
    wanted = SearchSettings(width=4 * 3**longest, n_best=5, longest=longest, length_power=power)
    [found] = beam_search(model, batch_of(7), wanted)
    assert [one.ids for one in found] == [one.ids for one in ranked]
    assert [one.score for one in found] == pytest.approx([one.score for one in ranked], abs=1e-4)


@settings(max_examples=30)
@given(seed=st.integers(0, 10_000), longest=st.integers(1, 6))
def test_greedy_is_a_beam_of_one(seed: int, longest: int) -> None:
    model, batch = Table(seed, coarse=True), batch_of(1, 2)
    assert greedy_search(model, batch, longest) == beam_search(model, batch, SearchSettings(width=1, longest=longest))


def only(*ids: int) -> Allowed:
    """Request 0 may only say these; all others may say everything."""

    def allowed(prefixes: Tensor, requests: Tensor) -> Tensor:
        may = torch.ones(len(prefixes), SIZE, dtype=torch.bool)
        bound = torch.zeros(SIZE, dtype=torch.bool)
        bound[list(ids)] = True
        may[requests == 0] = bound
        return may

    return allowed


def test_a_constraint_holds_for_the_request_it_is_about() -> None:
    model, wanted = Table(3), SearchSettings(width=60, n_best=60, longest=4)
    bound, free = beam_search(model, batch_of(1, 1), wanted, only(EOS, 4))
    allowed = everything(model, 1, 4, allowed=(4,))
    assert [one.ids for one in bound] == [one.ids for one in allowed]
    assert [one.log_prob for one in bound] == pytest.approx([one.log_prob for one in allowed], abs=1e-5)
    assert any(5 in one.ids for one in free)
    greedy = greedy_search(model, batch_of(1, 1), 4, only(EOS, 4))
    assert set(greedy[0][0].ids) <= {4}


def test_a_constraint_sees_prefixes_that_start_with_bos() -> None:
    seen: list[list[int]] = []

    def allowed(prefixes: Tensor, requests: Tensor) -> Tensor:
        seen.extend(prefixes.tolist())
        may = torch.zeros(len(prefixes), SIZE, dtype=torch.bool)
        may[:, 4 if prefixes.shape[1] == 1 else EOS] = True
        return may

    [[found]] = beam_search(Table(0), batch_of(1), SearchSettings(width=2, longest=5), allowed)
    assert found.ids == (4,)
    assert seen[0] == [BOS]
    assert [BOS, 4] in seen


def test_nothing_allowed_is_no_answer() -> None:
    def nothing(prefixes: Tensor, requests: Tensor) -> Tensor:
        return torch.zeros(len(prefixes), SIZE, dtype=torch.bool)

    batch = batch_of(1, 2)
    assert beam_search(Table(1), batch, SearchSettings(width=3, n_best=2), nothing) == [[], []]
    assert greedy_search(Table(1), batch, allowed=nothing) == [[], []]
    assert sample(Table(1), batch, 2, torch.Generator(), allowed=nothing) == [[], []]


def test_search_stops_when_no_prefix_can_win() -> None:
    @dataclass
    class Counted:
        steps: int = 0

        def start(self, batch: Batch) -> None:
            return None

        def step(self, state: None, last: Tensor, parents: Tensor) -> tuple[Tensor, None]:
            self.steps += 1
            logits = torch.zeros(len(last), SIZE)
            logits[:, EOS] = 5.0
            return logits.log_softmax(-1), None

    model = Counted()
    beam_search(model, batch_of(1), SearchSettings(width=4, longest=50))
    assert model.steps == 1


def test_groups_answer_differently() -> None:
    model = Table(11)
    wanted = SearchSettings(width=3, n_best=12, longest=5, groups=3, diversity=50.0)
    [found] = beam_search(model, batch_of(1), wanted)
    assert {one.ids[:1] for one in found} >= {(3,), (4,), (5,)}
    assert all(one.log_prob == one.score for one in found)
    [alike] = beam_search(model, batch_of(1), replace(wanted, diversity=0.0))
    assert len({one.ids[:1] for one in alike}) < 3


def test_drawing_follows_the_model() -> None:
    model = Table(5)
    drawn = sample(model, batch_of(1, 2), 2000, torch.Generator().manual_seed(1), longest=3)
    counts = Counter(one.ids for one in drawn[1])
    # The model may also say PAD and BOS, which search never does, and the last id is always EOS.
    steps: dict[Prefix, float] = {}
    for n in range(3):
        for ids in itertools.product((3, 4, 5), repeat=n):
            path, share = (BOS, *ids, EOS), 1.0
            for i in range(1, len(path)):
                shares = np.exp(restricted(model, 2, path[:i], 3))
                share *= float(shares[path[i]] / shares.sum())
            steps[ids] = share
    assert sum(steps.values()) == pytest.approx(1)
    for ids, share in steps.items():
        assert counts[ids] / 2000 == pytest.approx(share, abs=4 * math.sqrt(share / 2000) + 1e-9)
    one = drawn[1][0]
    path = (BOS, *one.ids, EOS)
    own = sum(float(model.log_probs(2, path[:i])[path[i]]) for i in range(1, len(path)))
    assert one.log_prob == pytest.approx(own, abs=1e-4)


def test_drawing_repeats_with_its_generator_and_grows_greedy_when_cold() -> None:
    model, batch = Table(6), batch_of(1, 2)
    first = sample(model, batch, 3, torch.Generator().manual_seed(4), longest=6)
    assert first == sample(model, batch, 3, torch.Generator().manual_seed(4), longest=6)
    assert first != sample(model, batch, 3, torch.Generator().manual_seed(5), longest=6)
    greedy = greedy_search(model, batch, 6)
    cold = sample(model, batch, 2, torch.Generator().manual_seed(4), longest=6, temperature=1e-4)
    narrow = sample(model, batch, 2, torch.Generator().manual_seed(4), longest=6, nucleus=1e-6)
    for drawn in (cold, narrow):
        assert [[one.ids for one in of_request] for of_request in drawn] == [[one[0].ids] * 2 for one in greedy]


@given(st.lists(st.sampled_from([-math.inf, -2.5, -1e-30, -0.0, 0.0, 1e-30, 3.0, math.inf]), min_size=1, max_size=12))
def test_top_is_a_stable_sort(scores: list[float]) -> None:
    values, places = top(torch.tensor([scores]), len(scores))
    expected = sorted(range(len(scores)), key=lambda i: -scores[i])
    assert places[0].tolist() == expected
    assert values[0].tolist() == torch.tensor(scores)[expected].tolist()


@settings(max_examples=30)
@given(seed=st.integers(0, 1000), size=st.integers(700, 3000), levels=st.integers(1, 40))
def test_top_of_many_is_a_stable_sort(seed: int, size: int, levels: int) -> None:
    draw = random.Random(seed)
    scores = [draw.choice([-math.inf, *map(float, range(levels))]) for _ in range(size)]
    _, places = top(torch.tensor([scores, scores[::-1]]), 2)
    for found, row in zip(places.tolist(), (scores, scores[::-1]), strict=True):
        assert found == sorted(range(size), key=lambda i, row=row: -row[i])[:2]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("field", "value"),
    [("width", 0), ("n_best", 0), ("longest", 0), ("groups", 2), ("length_power", -1.0), ("diversity", -1.0)],
)
def test_settings_that_make_no_search_name_the_field(field: str, value: float) -> None:
    with pytest.raises(UserError, match=field):
        replace(SearchSettings(width=5), **{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"temperature": 0.0}, {"nucleus": 0.0}, {"nucleus": 1.5}, {"longest": 0}])
def test_drawing_refuses_what_makes_no_sense(wrong: dict[str, float]) -> None:
    with pytest.raises(UserError, match=next(iter(wrong))):
        sample(Table(1), batch_of(1), 1, torch.Generator(), **wrong)  # type: ignore[arg-type]
