"""A modern encoder–decoder: pre-norm, RMSNorm, gated feed-forward, rotary or relative positions, tied embeddings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from torch import Tensor, nn

from sayso.models.batch import Batch
from sayso.models.blocks import Shape
from sayso.models.checks import require, require_choice, require_share, require_sizes, require_vocabularies
from sayso.models.encoder_decoder import AttentiveState, EncoderDecoder


@dataclass(frozen=True)
class ModernSettings:
    """Sizes of T5-small (Raffel et al., 2020); a gated feed-forward of 1024 weighs as much as a plain one of 1536."""

    source_size: int
    output_size: int
    width: int = 512
    heads: int = 8
    layers: int = 6
    feed_forward: int = 1024
    dropout: float = 0.1
    positions: Literal["rotary", "relative"] = "rotary"
    shared: bool = False
    """One embedding for source, target and output: needs one vocabulary. Target and output always share theirs."""
    copies: bool = False
    """A pointer mixture over the source's words."""

    def __post_init__(self) -> None:
        require_vocabularies(self)
        require_sizes(self, "width", "heads", "layers", "feed_forward")
        require_share(self, "dropout")
        require_choice(self, "positions", ("rotary", "relative"))
        even = self.width % (2 * self.heads) == 0
        require(even, f"ModernSettings.heads is {self.heads}: {self.width} does not fall into heads of even width")
        fits = not self.shared or self.source_size == self.output_size
        require(
            fits, f"ModernSettings.shared needs one vocabulary, not {self.source_size} and {self.output_size} words"
        )


class Modern(nn.Module):
    """`modern`."""

    def __init__(self, settings: ModernSettings) -> None:
        super().__init__()
        self.settings = settings
        shape = Shape(
            width=settings.width,
            heads=settings.heads,
            layers=settings.layers,
            feed_forward=settings.feed_forward,
            dropout=settings.dropout,
            norm="pre",
            positions=settings.positions,
            gated=True,
        )
        self.body = EncoderDecoder(
            shape, settings.source_size, settings.output_size, shared=settings.shared, copies=settings.copies
        )

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The sum of the labels' negative log-likelihoods, and how many labels there are."""
        return self.body.loss(batch)

    def start(self, batch: Batch) -> AttentiveState:
        """Encode the sources; one row a request."""
        return self.body.start(batch)

    def step(self, state: AttentiveState, last: Tensor, parents: Tensor) -> tuple[Tensor, AttentiveState]:
        """One id on: (rows,) ids and the rows they continue -> log-probabilities (rows, vocabulary + extra)."""
        return self.body.step(state, last, parents)
