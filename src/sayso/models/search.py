"""One batched search over any StepModel, blind to the network: greedy, beam, diverse beam, sampling.

Rows of one request stand together and a row's parent is a row of the same request, so networks keep what belongs to
the source once a request. Everything found ends in EOS within the limit, and its log-probability is the model's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor

from sayso.english.vocabulary import BOS, EOS, PAD
from sayso.models.batch import Batch
from sayso.models.checks import require

NO = float("-inf")
WAITING = 4  # steps between two questions to a GPU whether all is found: each makes the host wait for it
CHUNK = 64  # scores whose maximum stands for them while the highest are looked for
State = TypeVar("State")

Allowed = Callable[[Tensor, Tensor], Tensor]
"""Prefixes (rows, length), BOS first, and the request each belongs to (rows,) -> (rows, vocabulary + extra) bool."""


class StepModel(Protocol[State]):
    """What search needs of a network."""

    def start(self, batch: Batch) -> State: ...

    def step(self, state: State, last: Tensor, parents: Tensor) -> tuple[Tensor, State]: ...


@dataclass(frozen=True)
class Found:
    """One answer: ids without BOS and EOS, the model's log-probability, and the score it is ranked by."""

    ids: tuple[int, ...]
    log_prob: float
    score: float


@dataclass(frozen=True)
class SearchSettings:
    """How a beam search goes. The score of an answer of n ids, EOS included, is log_prob / n ** length_power."""

    width: int = 5
    """Prefixes kept for each request."""
    n_best: int = 1
    """Answers wanted for each request, at most."""
    longest: int = 100
    """Ids of an answer, EOS included."""
    length_power: float = 0.0
    """0 ranks by log-probability, 1 by log-probability an id."""
    groups: int = 1
    """Diverse beam search (Vijayakumar et al., 2016): groups of width / groups prefixes, each after the other."""
    diversity: float = 0.5
    """What an id loses for each prefix of an earlier group that took it at the same step."""

    def __post_init__(self) -> None:
        for field in ("width", "n_best", "longest", "groups"):
            value = getattr(self, field)
            require(isinstance(value, int) and value >= 1, f"SearchSettings.{field} is {value!r}, not at least 1")
        require(self.length_power >= 0, f"SearchSettings.length_power is {self.length_power}, below 0")
        require(self.diversity >= 0, f"SearchSettings.diversity is {self.diversity}, below 0")
        divides = self.width % self.groups == 0
        require(divides, f"SearchSettings.groups is {self.groups}, which does not divide a width of {self.width}")


@torch.no_grad()
def beam_search(
    model: StepModel[State], batch: Batch, settings: SearchSettings, allowed: Allowed | None = None
) -> list[list[Found]]:
    """At most `n_best` answers for each request, best first; equal scores in order of being found, then of ids."""
    beams = _Beams(len(batch), settings, batch.source.device)
    state = model.start(batch)
    parents = torch.arange(len(batch), device=batch.source.device).repeat_interleave(settings.width)
    patience = WAITING if batch.source.is_cuda else 1
    for length in range(1, settings.longest + 1):
        log_probs, state = model.step(state, beams.prefixes[:, length - 1], parents)
        log_probs = _restrict(log_probs, beams.prefixes[:, :length], len(batch), allowed, length == settings.longest)
        parents = beams.grow(log_probs, length)
        if length % patience == 0 and beams.is_done(length):
            break
    return beams.answers()


@torch.no_grad()
def greedy_search(
    model: StepModel[State], batch: Batch, longest: int = 100, allowed: Allowed | None = None
) -> list[list[Found]]:
    """The likeliest next id at every step; no answer where nothing allowed is left to say."""

    def likeliest(log_probs: Tensor) -> Tensor:
        return top(log_probs, 1)[1][:, 0]

    return _walk(model, batch, 1, longest, allowed, likeliest)


@torch.no_grad()
def sample(
    model: StepModel[State],
    batch: Batch,
    n: int,
    generator: torch.Generator,
    *,
    longest: int = 100,
    temperature: float = 1.0,
    nucleus: float = 1.0,
    allowed: Allowed | None = None,
) -> list[list[Found]]:
    """n answers for each request as they were drawn; `nucleus` keeps the likeliest ids that hold that share.

    The generator lies on the batch's device.
    """
    require(temperature > 0, f"temperature is {temperature}, not above 0")
    require(0 < nucleus <= 1, f"nucleus is {nucleus}, not above 0 and at most 1")

    def draw(log_probs: Tensor) -> Tensor:
        shares = (log_probs / temperature).softmax(-1).nan_to_num(0.0)
        if nucleus < 1:
            ordered, ids = shares.sort(stable=True, dim=-1, descending=True)
            too_far = ordered.cumsum(-1) - ordered >= nucleus
            shares = torch.zeros_like(shares).scatter(-1, ids, ordered.masked_fill(too_far, 0.0))
        # A row that nothing may continue draws PAD and dies of it.
        shares[:, PAD] = torch.where(shares.sum(-1) > 0, shares[:, PAD], 1.0)
        return torch.multinomial(shares, 1, generator=generator)[:, 0]

    return _walk(model, batch, n, longest, allowed, draw)


def _walk(
    model: StepModel[State],
    batch: Batch,
    n: int,
    longest: int,
    allowed: Allowed | None,
    choose: Callable[[Tensor], Tensor],
) -> list[list[Found]]:
    """n rows a request, each going its own way until it says EOS."""
    require(longest >= 1 and n >= 1, f"longest is {longest} and n is {n}: both must be at least 1")
    device = batch.source.device
    rows = len(batch) * n
    prefixes = torch.full((rows, longest + 1), PAD, device=device)
    prefixes[:, 0] = BOS
    total = torch.zeros(rows, device=device)
    ended = torch.zeros(rows, dtype=torch.bool, device=device)
    state = model.start(batch)
    parents = torch.arange(len(batch), device=device).repeat_interleave(n)
    patience = WAITING if batch.source.is_cuda else 1
    for length in range(1, longest + 1):
        log_probs, state = model.step(state, prefixes[:, length - 1], parents)
        log_probs = _restrict(log_probs, prefixes[:, :length], len(batch), allowed, length == longest)
        chosen = torch.where(ended, PAD, choose(log_probs))
        prefixes[:, length] = chosen
        gained = log_probs.gather(1, chosen[:, None])[:, 0]
        total = torch.where(ended, total, total + gained)
        ended = ended | (chosen == EOS) | (total == NO)
        parents = torch.arange(rows, device=device)
        if length % patience == 0 and bool(ended.all()):
            break
    walked = list(zip(prefixes.tolist(), total.tolist(), strict=True))
    return [
        [Found(_ids(ids), score, score) for ids, score in walked[first : first + n] if score > NO]
        for first in range(0, rows, n)
    ]


def _restrict(log_probs: Tensor, prefixes: Tensor, requests: int, allowed: Allowed | None, is_last: bool) -> Tensor:
    """PAD and BOS are never said, the last id is EOS, and the caller's constraint holds."""
    rows, size = log_probs.shape
    ids = torch.arange(size, device=log_probs.device)
    may = (ids == EOS) if is_last else (ids != PAD) & (ids != BOS)
    may = may.expand(rows, size)
    if allowed is not None:
        request = torch.arange(requests, device=log_probs.device).repeat_interleave(rows // requests)
        may = may & allowed(prefixes, request)
    return log_probs.masked_fill(~may, NO)


def top(scores: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """The k highest of the last dimension and their places; of equal ones the first comes first, on any device."""
    size = scores.shape[-1]
    if size < 4 * CHUNK * k:
        return _top(scores, k)
    # Only the k chunks with the highest maxima (of equal ones the first) can hold one of the k highest.
    chunks = F.pad(scores, (0, -size % CHUNK), value=NO)
    chunks = chunks.view(*chunks.shape[:-1], -1, CHUNK)
    best = _top(chunks.amax(-1), k)[1].sort(-1).values  # in their order, so that equal scores keep theirs
    within = chunks.gather(-2, best[..., None].expand(*best.shape, CHUNK)).flatten(-2)
    found, places = _top(within, k)
    return found, best.gather(-1, places // CHUNK) * CHUNK + places % CHUNK


def _top(scores: Tensor, k: int) -> tuple[Tensor, Tensor]:
    # The bits of a float32, read as a signed number with the negative half turned round, sort as the float does;
    # the place in the lower half makes every key distinct, so topk has no ties to break as it likes.
    bits = (scores.float() + 0.0).view(torch.int32).long()
    order = torch.where(bits < 0, bits ^ 0x7FFFFFFF, bits)
    size = scores.shape[-1]
    keys = (order << 32) + (size - 1 - torch.arange(size, device=scores.device))
    places = size - 1 - (keys.topk(k, -1).values & 0xFFFFFFFF)
    return scores.gather(-1, places), places


class _Beams:
    """Prefixes still growing and answers found, for every group of every request."""

    def __init__(self, requests: int, settings: SearchSettings, device: torch.device) -> None:
        self.settings, self.requests = settings, requests
        self.groups, self.each = settings.groups, settings.width // settings.groups
        rows, longest = requests * settings.width, settings.longest
        self.prefixes = torch.full((rows, longest + 1), PAD, device=device)
        self.prefixes[:, 0] = BOS
        # All rows of a group start equal: only the first counts.
        self.live = torch.full((requests, self.groups, self.each), NO, device=device)
        self.live[:, :, 0] = 0.0
        kept = (requests, self.groups, settings.n_best)
        self.found = torch.full((*kept, longest + 1), PAD, device=device)
        self.found_log_probs = torch.full(kept, NO, device=device)
        self.found_scores = torch.full(kept, NO, device=device)

    def grow(self, log_probs: Tensor, length: int) -> Tensor:
        """Take every group one id on; returns the rows (all requests', flat) that the new prefixes continue."""
        size = log_probs.shape[-1]
        shape = (self.requests, self.groups, self.each)
        totals = self.live[..., None] + log_probs.view(*shape, size)
        rows = torch.arange(self.requests * self.settings.width, device=log_probs.device).view(shape)
        taken = torch.zeros(self.requests, size, device=log_probs.device)
        parents, chosen, live = [], [], []
        for group in range(self.groups):
            ranked = totals[:, group] - self.settings.diversity * taken[:, None]  # (requests, each, size)
            # At most one candidate a prefix is EOS, so twice as many hold enough that go on.
            _, places = top(ranked.flatten(1), min(2 * self.each, self.each * size))
            scores = totals[:, group].flatten(1).gather(1, places)
            parent, ids = rows[:, group].gather(1, places // size), places % size
            ends = ids == EOS
            finished = ends[:, : self.each]
            self._keep(group, parent[:, : self.each], scores[:, : self.each].masked_fill(~finished, NO), length)
            going = torch.argsort(ends.int(), dim=1, stable=True)[:, : self.each]
            parents.append(parent.gather(1, going))
            chosen.append(ids.gather(1, going))
            live.append(scores.masked_fill(ends, NO).gather(1, going))
            taken = taken.scatter_add(1, chosen[-1], (live[-1] > NO).float())
        self.live = torch.stack(live, 1)
        flat = torch.stack(parents, 1).flatten()
        self.prefixes = self.prefixes[flat]
        self.prefixes[:, length] = torch.stack(chosen, 1).flatten()
        return flat

    def _keep(self, group: int, parent: Tensor, log_probs: Tensor, length: int) -> None:
        """Put finished prefixes (requests, each) among the group's answers; of equal ones the earlier stays first."""
        texts = self.prefixes[parent]
        texts[:, :, length] = EOS
        scores = torch.cat([self.found_scores[:, group], log_probs / length**self.settings.length_power], 1)
        scores, order = top(scores, self.settings.n_best)
        self.found_scores[:, group] = scores
        both = torch.cat([self.found_log_probs[:, group], log_probs], 1)
        self.found_log_probs[:, group] = both.gather(1, order)
        ids = torch.cat([self.found[:, group], texts], 1)
        self.found[:, group] = ids.gather(1, order[..., None].expand(-1, -1, ids.shape[-1]))

    def is_done(self, length: int) -> bool:
        """Whether no prefix can still beat what is found: a log-probability only falls, and only length can help."""
        best = self.live.amax(-1) / max(self.settings.longest, length) ** self.settings.length_power
        return bool((self.found_scores[..., -1] >= best).all())

    def answers(self) -> list[list[Found]]:
        """The groups of each request together, without repeats, best first."""
        answers = []
        for texts, log_probs, scores in zip(
            self.found.flatten(1, 2).tolist(),
            self.found_log_probs.flatten(1).tolist(),
            self.found_scores.flatten(1).tolist(),
            strict=True,
        ):
            triples = zip(texts, log_probs, scores, strict=True)
            found = [Found(_ids(text), log_prob, score) for text, log_prob, score in triples if score > NO]
            unique: dict[tuple[int, ...], Found] = {}
            for one in found:
                unique.setdefault(one.ids, one)
            answers.append(sorted(unique.values(), key=lambda one: -one.score)[: self.settings.n_best])
        return answers


def _ids(text: list[int]) -> tuple[int, ...]:
    """[BOS, 7, 8, EOS, PAD] -> (7, 8)"""
    return tuple(text[1 : text.index(EOS)])
