"""Pretrained trunks through `transformers`, from a folder or a GGUF file: BERT-like encoders, T5, Llama shapes.

They answer `loss`, `start` and `step` like every network. Trunk id t is id t + 4 here; BOS, EOS and UNK are the trunk's
own ids that the settings name. `transformers` is imported when a trunk is made, and never reaches the network.
"""

from __future__ import annotations

import copy
from contextlib import redirect_stderr
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.core.errors import BadFile, MissingData, MissingPart
from sayso.core.silence import silence
from sayso.english.vocabulary import PAD
from sayso.models.batch import Batch
from sayso.models.blocks import Shape
from sayso.models.checks import require, require_share, require_sizes
from sayso.models.encoder_decoder import AttentiveDecoder, AttentiveState
from sayso.models.trunk_ids import TrunkIds

if TYPE_CHECKING:
    from transformers import Cache, PreTrainedModel

DEPTHS = 3
"""A frozen encoder is read at so many of its layers; a trained one at its last."""
Kind = Literal["AutoModel", "AutoModelForCausalLM", "AutoModelForSeq2SeqLM"]


@dataclass(frozen=True)
class TrunkSettings:
    """Where the weights lie, and which of the trunk's ids start, end and stand for unknown words."""

    folder: str
    start: int
    end: int
    unknown: int
    gguf_file: str = ""
    """The name of a GGUF file in the folder; without one the folder is as `save_pretrained` leaves it."""
    source_size: int = 0
    output_size: int = 0
    """Of the vocabularies that were encoded with; the trunk has its own."""

    def __post_init__(self) -> None:
        check_ids(self)


@dataclass(frozen=True)
class EncoderTrunkSettings:
    """Okapi §5's Transformer+Copy: a BERT encoder under a Transformer decoder of JuICe's size that copies."""

    folder: str
    output_size: int
    start: int
    end: int
    unknown: int
    gguf_file: str = ""
    width: int = 512
    heads: int = 4
    layers: int = 6
    feed_forward: int = 1024
    dropout: float = 0.1
    copies: bool = True
    trained: int = -1
    """How many of the encoder's last layers are trained; the others, and its embeddings, stay as they came. -1: all;
    0: the encoder is read once for each request."""
    source_size: int = 0
    """Of the vocabulary, which is the trunk's own."""

    def __post_init__(self) -> None:
        check_ids(self)
        require_sizes(self, "output_size", "width", "heads", "layers", "feed_forward")
        require_share(self, "dropout")
        divides = self.width % self.heads == 0
        require(divides, f"EncoderTrunkSettings.heads is {self.heads}, which does not divide the width")


def check_ids(settings: TrunkSettings | EncoderTrunkSettings) -> None:
    """The three special ids are three."""
    ids = (settings.start, settings.end, settings.unknown)
    is_fine = len(set(ids)) == 3 and all(isinstance(one, int) and one >= 0 for one in ids)
    require(is_fine, f"{type(settings).__name__}.start, end and unknown are {ids}, not three ids of the trunk")


def load_trunk(kind: Kind, folder: str, gguf_file: str = "") -> PreTrainedModel:
    """The weights of a folder in float32; raises MissingPart, MissingData or BadFile with what to do."""
    silence("transformers")
    try:
        transformers = import_module("transformers")
        for needed in ("gguf", "accelerate") if gguf_file else ():
            import_module(needed)
    except ImportError as error:
        raise MissingPart(f"a pretrained trunk needs the package {error.name}", 'pip install "sayso[train]"') from error
    path = Path(folder) / (gguf_file or "config.json")
    if not path.is_file():
        raise MissingData(f"no pretrained weights: {path} is not there", "name the folder of the weights")
    named = {"gguf_file": gguf_file} if gguf_file else {}
    loader = getattr(transformers, kind)
    try:
        # Only apps draw progress bars; where a network is tried without memory (`check_job`), weights still need some.
        with redirect_stderr(StringIO()), torch.device("cpu"):
            trunk: PreTrainedModel = loader.from_pretrained(folder, local_files_only=True, dtype=torch.float32, **named)
    except Exception as error:  # a foreign file makes its reader fail in any way it likes
        line = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise BadFile(f"{path} cannot be read as a trunk: {line}", "use a folder that save_pretrained wrote") from error
    return trunk


def freeze(trunk: nn.Module, trained: int) -> None:
    """Leave only the last layers of a BERT-like encoder to be trained."""
    layers = list(trunk.encoder.layer)  # type: ignore[union-attr, arg-type]
    trunk.requires_grad_(False)
    for layer in layers[len(layers) - trained :]:
        layer.requires_grad_(True)


def select(cache: Cache, rows: Tensor) -> Cache:
    """A cache with these rows; the old one keeps its own."""
    selected = copy.copy(cache)
    selected.layers = [copy.copy(layer) for layer in cache.layers]
    selected.reorder_cache(cast("torch.LongTensor", rows))
    return selected


@dataclass(frozen=True)
class DecoderTrunkState:
    """What a Llama has read so far, one row a prefix."""

    cache: Cache
    mask: Tensor
    """(rows, places read)"""
    position: Tensor
    """(rows,) where the next word stands"""
    extra: int


class DecoderTrunk(nn.Module):
    """A Llama-shaped language model: the source's words, then BOS and the answer."""

    def __init__(self, settings: TrunkSettings) -> None:
        super().__init__()
        self.settings = settings
        self.trunk = load_trunk("AutoModelForCausalLM", settings.folder, settings.gguf_file)
        self.ids = TrunkIds(self.trunk.config.vocab_size, settings.start, settings.end, settings.unknown)

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The sum of the labels' negative log-likelihoods, and how many labels there are."""
        mask = torch.cat([batch.source_mask, batch.inputs != PAD], 1)
        lengths = batch.source_mask.sum(1, keepdim=True)
        ahead = torch.arange(batch.inputs.shape[1], device=mask.device)
        places = torch.arange(batch.source.shape[1], device=mask.device).expand_as(batch.source)
        logits = self.trunk(
            input_ids=self.ids(torch.cat([batch.source, batch.inputs], 1)),
            attention_mask=mask.long(),
            position_ids=torch.cat([places, lengths + ahead], 1),
            logits_to_keep=batch.inputs.shape[1],
            use_cache=False,
        ).logits
        return self.ids.loss(logits, batch.labels)

    def start(self, batch: Batch) -> DecoderTrunkState:
        """Read the sources; one row a request."""
        mask = batch.source_mask
        read = self.trunk(
            input_ids=self.ids(batch.source), attention_mask=mask.long(), logits_to_keep=1, use_cache=True
        )
        return DecoderTrunkState(read.past_key_values, mask, mask.sum(1), batch.extra)

    def step(self, state: DecoderTrunkState, last: Tensor, parents: Tensor) -> tuple[Tensor, DecoderTrunkState]:
        """One id on: (rows,) ids and the rows they continue -> log-probabilities (rows, our ids + extra)."""
        mask = F.pad(state.mask[parents], (0, 1), value=True)
        position = state.position[parents]
        read = self.trunk(
            input_ids=self.ids(last)[:, None],
            attention_mask=mask.long(),
            position_ids=position[:, None],
            past_key_values=select(state.cache, parents),
            use_cache=True,
        )
        after = DecoderTrunkState(read.past_key_values, mask, position + 1, state.extra)
        return self.ids.log_probs(read.logits[:, -1], state.extra), after


@dataclass(frozen=True)
class EncoderDecoderTrunkState:
    """One row a prefix; the source's keys are in the cache from the first step on."""

    own: Cache | None
    cross: Cache | None
    memory: Tensor
    """(rows, places, width)"""
    mask: Tensor
    extra: int


class EncoderDecoderTrunk(nn.Module):
    """T5 and its kin."""

    def __init__(self, settings: TrunkSettings) -> None:
        super().__init__()
        self.settings = settings
        self.trunk = load_trunk("AutoModelForSeq2SeqLM", settings.folder, settings.gguf_file)
        self.ids = TrunkIds(self.trunk.config.vocab_size, settings.start, settings.end, settings.unknown)

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The sum of the labels' negative log-likelihoods, and how many labels there are."""
        logits = self.trunk(
            input_ids=self.ids(batch.source),
            attention_mask=batch.source_mask.long(),
            decoder_input_ids=self.ids(batch.inputs),
            use_cache=False,
        ).logits
        return self.ids.loss(logits, batch.labels)

    def start(self, batch: Batch) -> EncoderDecoderTrunkState:
        """Encode the sources; one row a request."""
        mask = batch.source_mask
        encoder = self.trunk.get_encoder()
        memory = encoder(input_ids=self.ids(batch.source), attention_mask=mask.long()).last_hidden_state
        return EncoderDecoderTrunkState(None, None, memory, mask, batch.extra)

    def step(
        self, state: EncoderDecoderTrunkState, last: Tensor, parents: Tensor
    ) -> tuple[Tensor, EncoderDecoderTrunkState]:
        """One id on: (rows,) ids and the rows they continue -> log-probabilities (rows, our ids + extra)."""
        from transformers import DynamicCache, EncoderDecoderCache

        # Parents stay within a request, so what belongs to the source only moves when there are more or fewer rows.
        same = len(parents) == len(state.memory)
        memory, mask = (state.memory, state.mask) if same else (state.memory[parents], state.mask[parents])
        own = DynamicCache() if state.own is None else select(state.own, parents)
        cross = DynamicCache() if state.cross is None else state.cross if same else select(state.cross, parents)
        read = self.trunk(
            encoder_outputs=(memory,),
            attention_mask=mask.long(),
            decoder_input_ids=self.ids(last)[:, None],
            past_key_values=EncoderDecoderCache(own, cross),
            use_cache=True,
        )
        cache = read.past_key_values
        after = EncoderDecoderTrunkState(
            cache.self_attention_cache, cache.cross_attention_cache, memory, mask, state.extra
        )
        return self.ids.log_probs(read.logits[:, -1], state.extra), after


class EncoderTrunk(nn.Module):
    """A BERT-like encoder under our own decoder, which may copy words of the source."""

    def __init__(self, settings: EncoderTrunkSettings) -> None:
        super().__init__()
        self.settings = settings
        self.trunk = load_trunk("AutoModel", settings.folder, settings.gguf_file)
        if hasattr(self.trunk, "pooler"):
            del self.trunk.pooler  # reads the first word only, and nothing here asks it
            self.trunk.register_module("pooler", None)
        self.ids = TrunkIds(self.trunk.config.vocab_size, settings.start, settings.end, settings.unknown)
        if settings.trained >= 0:
            freeze(self.trunk, settings.trained)
        self.kept: dict[tuple[int, ...], Tensor] = {}
        depths = DEPTHS if settings.trained == 0 else 1
        self.bridge = nn.Linear(depths * self.trunk.config.hidden_size, settings.width)
        shape = Shape(
            width=settings.width,
            heads=settings.heads,
            layers=settings.layers,
            feed_forward=settings.feed_forward,
            dropout=settings.dropout,
            norm="post",
            positions="sinusoidal",
            gated=False,
        )
        self.decoder = AttentiveDecoder(shape, settings.output_size, copies=settings.copies)

    def encode(self, batch: Batch) -> Tensor:
        """(batch, places, width)"""
        if self.settings.trained == 0:
            return self.bridge(self.features(batch))  # type: ignore[no-any-return]
        read = self.trunk(input_ids=self.ids(batch.source), attention_mask=batch.source_mask.long())
        memory: Tensor = self.bridge(read.last_hidden_state)
        return memory

    @torch.no_grad()
    def features(self, batch: Batch) -> Tensor:
        """What a frozen encoder says at its bottom, middle and top, computed once for every request and kept."""
        rows = [tuple(ids) for ids in batch.source.tolist()]
        keys = [row[:length] for row, length in zip(rows, batch.source_mask.sum(1).tolist(), strict=True)]
        new = [at for at, key in enumerate(keys) if key not in self.kept]
        if new:
            was_training = self.trunk.training
            self.trunk.train(mode=False)
            mask = batch.source_mask[new].long()
            read = self.trunk(input_ids=self.ids(batch.source[new]), attention_mask=mask, output_hidden_states=True)
            self.trunk.train(was_training)
            layers = read.hidden_states
            found = torch.cat([layers[0], layers[len(layers) // 2], layers[-1]], -1).half()
            for at, features in zip(new, found, strict=True):
                self.kept[keys[at]] = features[: len(keys[at])]
        told = torch.nn.utils.rnn.pad_sequence([self.kept[key] for key in keys], batch_first=True).float()
        return F.pad(told, (0, 0, 0, batch.source.shape[1] - told.shape[1]))

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The sum of the labels' negative log-likelihoods, and how many labels there are."""
        return self.decoder.loss(batch, self.encode(batch))

    def start(self, batch: Batch) -> AttentiveState:
        """Encode the sources; one row a request."""
        return self.decoder.start(batch, self.encode(batch))

    def step(self, state: AttentiveState, last: Tensor, parents: Tensor) -> tuple[Tensor, AttentiveState]:
        """One id on: (rows,) ids and the rows they continue -> log-probabilities (rows, vocabulary + extra)."""
        return self.decoder.step(state, last, parents)


TRUNKS = {
    "trunk-decoder": (TrunkSettings, DecoderTrunk),
    "trunk-encoder-decoder": (TrunkSettings, EncoderDecoderTrunk),
    "trunk-encoder": (EncoderTrunkSettings, EncoderTrunk),
}
