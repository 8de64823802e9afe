"""A modern encoder–decoder: pre-norm, RMSNorm, gated feed-forward, rotary or relative positions, tied embeddings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sayso.models.blocks import Shape
from sayso.models.checks import require, require_choice
from sayso.models.transformer import check_attentive


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
        check_attentive(self)
        require_choice(self, "positions", ("rotary", "relative"))
        even = self.width % (2 * self.heads) == 0
        require(even, f"ModernSettings.heads is {self.heads}: {self.width} does not fall into heads of even width")

    @property
    def shape(self) -> Shape:
        return Shape(
            width=self.width, heads=self.heads, layers=self.layers, feed_forward=self.feed_forward,
            dropout=self.dropout, norm="pre", positions=self.positions, gated=True,
        )  # fmt: skip
