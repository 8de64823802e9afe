"""A Llama-shaped decoder of our own (Touvron et al., 2023): one row of words, the request, BOS and then the answer.

Rows are joined without a gap, so that training needs no mask; decoding keeps the request's keys once a request. Names
and numbers are those of `transformers`, whose weights it loads. Left out: rotary scaling, biases, untied outputs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.english.vocabulary import PAD
from sayso.models.batch import Batch
from sayso.models.checks import require, require_share, require_sizes, require_vocabularies
from sayso.models.heads import known, vocabulary_log_probs, vocabulary_loss
from sayso.models.int4 import GROUP, rounded_rows, rounded_words
from sayso.models.lora import Matrix, leave_four_bits, round_matrices
from sayso.models.positions import rotate

Turn = tuple[Tensor, Tensor]
Source = tuple[Tensor, Tensor, Tensor]
"""Keys, values (requests, key heads, places, head) of a layer and what hides padding (requests, 1, 1, 1, places)."""
GROWTH = 16  # places by which a cache grows, so that decoding has few distinct shapes


@dataclass(frozen=True)
class LlamaSettings:
    """The defaults are SmolLM2-135M's; request and answer share one vocabulary."""

    source_size: int
    output_size: int
    width: int = 576
    heads: int = 9
    key_heads: int = 3
    """Heads of keys and values; so many queries share one."""
    layers: int = 30
    feed_forward: int = 1536
    theta: float = 100_000.0
    """How slowly the slowest rotary pair turns."""
    epsilon: float = 1e-5
    dropout: float = 0.1
    """Of what each half of a block adds."""

    def __post_init__(self) -> None:
        require_vocabularies(self)
        require_sizes(self, "width", "heads", "key_heads", "layers", "feed_forward")
        require_share(self, "dropout")
        require(self.source_size == self.output_size, "LlamaSettings.output_size is not source_size: they share words")
        fits = self.width % (2 * self.heads) == 0
        require(fits, f"LlamaSettings.heads is {self.heads}, which does not divide the width into even heads")
        shares = self.heads % self.key_heads == 0
        require(shares, f"LlamaSettings.key_heads is {self.key_heads}, which does not divide the heads")
        require(self.theta > 1 and self.epsilon > 0, "LlamaSettings.theta or epsilon is too small")

    @property
    def head(self) -> int:
        return self.width // self.heads


def turn_at(positions: Tensor, settings: LlamaSettings) -> Turn:
    """(…) places -> cosines and sines (…, head / 2)"""
    steps = torch.arange(0, settings.head, 2, device=positions.device).float() / settings.head
    angles = positions[..., None].float() * settings.theta**-steps
    return angles.cos(), angles.sin()


class LlamaAttention(nn.Module):
    """Causal attention whose queries share fewer keys and values (Ainslie et al., 2023)."""

    def __init__(self, settings: LlamaSettings) -> None:
        super().__init__()
        self.heads, self.key_heads, self.head = settings.heads, settings.key_heads, settings.head
        self.q_proj = Matrix(settings.width, self.heads * self.head)
        self.k_proj = Matrix(settings.width, self.key_heads * self.head)
        self.v_proj = Matrix(settings.width, self.key_heads * self.head)
        self.o_proj = Matrix(self.heads * self.head, settings.width)

    def project(self, x: Tensor, turn: Turn) -> tuple[Tensor, Tensor, Tensor]:
        """(batch, time, width) -> queries, keys, values (batch, heads, time, head)."""
        q, k, v = (part(x).view(*x.shape[:2], -1, self.head) for part in (self.q_proj, self.k_proj, self.v_proj))
        return rotate(q.transpose(1, 2), turn), rotate(k.transpose(1, 2), turn), v.transpose(1, 2)

    def forward(self, x: Tensor, turn: Turn) -> tuple[Tensor, Tensor, Tensor]:
        """All places at once; also the keys and values, for a cache."""
        q, k, v = self.project(x, turn)
        read = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        output: Tensor = self.o_proj(read.transpose(1, 2).flatten(2))
        return output, k, v

    def advance(self, x: Tensor, cache: tuple[Tensor, Tensor], at: Tensor, turn: Turn, source: Source) -> Tensor:
        """(rows, 1, width), one place on: over the request's keys and the row's own, which are written at `at`."""
        q, k, v = self.project(x, turn)
        keys, values = cache
        keys.index_copy_(2, at, k.to(keys.dtype))
        values.index_copy_(2, at, v.to(values.dtype))
        source_keys, source_values, hidden = source
        requests, places = source_keys.shape[0], source_keys.shape[2]
        rows = x.shape[0] // requests
        # (requests, rows, key heads, queries of a key, head)
        q = q.view(requests, rows, self.key_heads, self.heads // self.key_heads, self.head) * self.head**-0.5
        own_keys, own_values = (one.view(requests, rows, *one.shape[1:]) for one in (keys, values))
        past = torch.einsum("brkqd,bksd->brkqs", q, source_keys.to(q.dtype)).float() + hidden
        own = torch.einsum("brkqd,brkcd->brkqc", q, own_keys.to(q.dtype)).float()
        own = own.masked_fill(torch.arange(own.shape[-1], device=x.device) > at, float("-inf"))
        weights = torch.cat([past, own], -1).softmax(-1).to(q.dtype)
        read = torch.einsum("brkqs,bksd->brkqd", weights[..., :places], source_values.to(q.dtype))
        read = read + torch.einsum("brkqc,brkcd->brkqd", weights[..., places:], own_values.to(q.dtype))
        output: Tensor = self.o_proj(read.reshape(x.shape[0], 1, -1))
        return output


class LlamaFeedForward(nn.Module):
    """The gated SiLU of Shazeer (2020)."""

    def __init__(self, settings: LlamaSettings) -> None:
        super().__init__()
        self.gate_proj = Matrix(settings.width, settings.feed_forward)
        self.up_proj = Matrix(settings.width, settings.feed_forward)
        self.down_proj = Matrix(settings.feed_forward, settings.width)

    def forward(self, x: Tensor) -> Tensor:
        output: Tensor = self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))
        return output


class LlamaBlock(nn.Module):
    """Attention and feed-forward, each after a norm and beside a way round it."""

    def __init__(self, settings: LlamaSettings) -> None:
        super().__init__()
        self.input_layernorm = nn.RMSNorm(settings.width, eps=settings.epsilon)
        self.self_attn = LlamaAttention(settings)
        self.post_attention_layernorm = nn.RMSNorm(settings.width, eps=settings.epsilon)
        self.mlp = LlamaFeedForward(settings)
        self.drop = nn.Dropout(settings.dropout)

    def forward(self, x: Tensor, turn: Turn) -> tuple[Tensor, Tensor, Tensor]:
        read, keys, values = self.self_attn(self.input_layernorm(x), turn)
        x = x + self.drop(read)
        return x + self.drop(self.mlp(self.post_attention_layernorm(x))), keys, values

    def advance(self, x: Tensor, cache: tuple[Tensor, Tensor], at: Tensor, turn: Turn, source: Source) -> Tensor:
        x = x + self.self_attn.advance(self.input_layernorm(x), cache, at, turn, source)
        output: Tensor = x + self.mlp(self.post_attention_layernorm(x))
        return output


@dataclass(frozen=True)
class LlamaState:
    """What was read so far: the requests' keys, one row a request, and the answers' own, one row a prefix."""

    keys: Tensor
    """(layers, rows, key heads, capacity, head)"""
    values: Tensor
    at: Tensor
    """(1,) the place of the next id in the answer, on the device: a step does the same wherever it is."""
    length: int
    """The same here, to know when the cache is full."""
    source: tuple[Source, ...]
    first: Tensor
    """(requests,) where the answer begins"""
    extra: int

    def with_room(self, places: int) -> LlamaState:
        """The same with room for so many ids, so that its shapes stay what they are until then."""
        missing = max(0, places - self.keys.shape[3])
        return replace(self, keys=F.pad(self.keys, (0, 0, 0, missing)), values=F.pad(self.values, (0, 0, 0, missing)))


class Llama(nn.Module):
    """Reads source, BOS, target in one row; a loss is taken of the target alone."""

    def __init__(self, settings: LlamaSettings) -> None:
        super().__init__()
        self.settings = settings
        self.embed_tokens = nn.Embedding(settings.output_size, settings.width)
        nn.init.normal_(self.embed_tokens.weight, std=0.02)
        self.layers = nn.ModuleList(LlamaBlock(settings) for _ in range(settings.layers))
        self.norm = nn.RMSNorm(settings.width, eps=settings.epsilon)
        self.reads_bytes = False
        """Whether the vocabulary is asked with eight bits, as in the exported trunk."""

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The sum of the labels' negative log-likelihoods, and how many labels there are."""
        return vocabulary_loss(self.answer_logits(batch), batch.labels)

    def answer_logits(self, batch: Batch) -> Tensor:
        """(batch, labels, vocabulary), before each label."""
        lengths = batch.source_mask.sum(1, keepdim=True)
        hidden, _ = self.read(self.embed(join(batch.source, batch.inputs, lengths)))
        places = lengths + torch.arange(batch.inputs.shape[1], device=lengths.device)
        hidden = hidden.gather(1, places[..., None].expand(-1, -1, hidden.shape[-1]))
        return self.logits(hidden)

    def start(self, batch: Batch, room: int = GROWTH) -> LlamaState:
        """Read the sources; no word of an answer yet, and room for some."""
        mask = batch.source_mask
        _, cache = self.read(self.embed(batch.source))
        hidden = torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, float("-inf"))[:, None, None, None]
        source = tuple((keys, values, hidden) for keys, values in cache)
        shape = (self.settings.layers, len(batch), self.settings.key_heads, room, self.settings.head)
        keys, values = cache[0][0].new_zeros(shape), cache[0][1].new_zeros(shape)
        at = torch.zeros(1, dtype=torch.long, device=mask.device)
        return LlamaState(keys, values, at, 0, source, mask.sum(1), batch.extra)

    def step(self, state: LlamaState, last: Tensor, parents: Tensor) -> tuple[Tensor, LlamaState]:
        """One id on: (rows,) ids and the rows they continue -> log-probabilities (rows, vocabulary + extra)."""
        keys, values = state.keys.index_select(1, parents), state.values.index_select(1, parents)
        if state.length >= keys.shape[3]:
            keys, values = F.pad(keys, (0, 0, 0, GROWTH)), F.pad(values, (0, 0, 0, GROWTH))
        first = state.first[:, None].expand(-1, len(last) // len(state.first)).flatten()
        cosines, sines = turn_at(first + state.at, self.settings)
        turn = (cosines[:, None, None], sines[:, None, None])  # (rows, heads, time, head / 2)
        x = self.embed(last)[:, None]
        for layer, block in enumerate(self.layers):
            assert isinstance(block, LlamaBlock)
            x = block.advance(x, (keys[layer], values[layer]), state.at, turn, state.source[layer])
        log_probs = vocabulary_log_probs(self.logits(self.norm(x[:, 0])), state.extra)
        return log_probs, replace(state, keys=keys, values=values, at=state.at + 1, length=state.length + 1)

    def embed(self, ids: Tensor) -> Tensor:
        words: Tensor = self.embed_tokens(known(ids, self.settings.output_size))
        return words

    def read(self, x: Tensor) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
        """(batch, time, width) -> the same in context, and the keys and values of every layer."""
        turn = turn_at(torch.arange(x.shape[1], device=x.device), self.settings)
        cache = []
        for block in self.layers:
            x, keys, values = block(x, turn)
            cache.append((keys, values))
        output: Tensor = self.norm(x)
        return output, cache

    def logits(self, hidden: Tensor) -> Tensor:
        return F.linear(rounded_rows(hidden) if self.reads_bytes else hidden, self.embed_tokens.weight)


def join(source: Tensor, target: Tensor, lengths: Tensor) -> Tensor:
    """[[4, 5, 0], [6, 0, 0]], [[1, 7], [1, 8]], [[2], [1]] -> [[4, 5, 1, 7, 0], [6, 1, 8, 0, 0]]"""
    width = source.shape[1] + target.shape[1]
    places = torch.arange(width, device=source.device).expand(len(source), -1)
    ids = F.pad(source, (0, target.shape[1]), value=PAD)
    behind = (places - lengths).clamp(min=0, max=target.shape[1] - 1)
    is_target = (places >= lengths) & (places < lengths + target.shape[1])
    return torch.where(is_target, target.gather(1, behind), ids)


def round_as_shipped(network: Llama, is_rounded: bool, group: int = GROUP) -> None:
    """Compute as the exported trunk does (training/export_graph), or in floats again; rounded words stay rounded."""
    round_matrices(network, is_rounded, group)
    network.reads_bytes = is_rounded
    if is_rounded:
        with torch.no_grad():
            network.embed_tokens.weight.copy_(rounded_words(network.embed_tokens.weight))


def leave_as_shipped(network: Llama, group: int = GROUP) -> None:
    """Put what a bundle holds in the place of every weight, so that it need not be worked out at every step."""
    round_as_shipped(network, is_rounded=True, group=group)
    leave_four_bits(network)
    with torch.no_grad():
        for module in network.modules():
            if isinstance(module, nn.RMSNorm):
                module.weight.copy_(module.weight.half())


def least_needed(network: Llama, ids: Tensor, n: int) -> list[int]:
    """The n blocks whose output for (rows, length) ids is most like their input (Men et al., 2024), but for the first
    and the last two."""
    with torch.no_grad():
        x = network.embed(ids)
        turn = turn_at(torch.arange(x.shape[1], device=x.device), network.settings)
        likeness = []
        for block in network.layers:
            after, _, _ = block(x, turn)
            likeness.append(float(F.cosine_similarity(x.float(), after.float(), dim=-1).mean()))
            x = after
    inner = range(2, len(likeness) - 2)
    return sorted(sorted(inner, key=lambda one: -likeness[one])[:n])


@dataclass(frozen=True)
class Roomy:
    """A Llama whose states have room for a whole answer: their shapes stay, so that steps can be recorded as graphs."""

    network: Llama
    longest: int

    def start(self, batch: Batch) -> LlamaState:
        return self.network.start(batch, self.longest)

    def step(self, state: LlamaState, last: Tensor, parents: Tensor) -> tuple[Tensor, LlamaState]:
        return self.network.step(state, last, parents)
