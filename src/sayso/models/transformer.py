"""The Transformer of JuICe §6.3 and §7.1 (Vaswani et al., 2017); with a pointer mixture Okapi §5's Transformer+Copy.

Okapi starts its encoder from BERT: pretrained.py has that one; here both start from nothing. modern.py gives the same
network another shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from torch import Tensor, nn

from sayso.models.batch import Batch
from sayso.models.blocks import Shape
from sayso.models.checks import require, require_choice, require_share, require_sizes, require_vocabularies
from sayso.models.encoder_decoder import AttentiveState, EncoderDecoder


@dataclass(frozen=True)
class TransformerSettings:
    """JuICe §7.1: 6 layers, 4 heads, 512 wide, 1024 in the feed-forward; dropout as in Vaswani et al."""

    source_size: int
    output_size: int
    width: int = 512
    heads: int = 4
    layers: int = 6
    feed_forward: int = 1024
    dropout: float = 0.1
    norm: Literal["post", "pre"] = "post"
    shared: bool = False
    """One embedding for source, target and output: needs one vocabulary, as JuICe's byte pairs are."""
    copies: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_vanilla(self)

    @property
    def shape(self) -> Shape:
        return vanilla_shape(self)


@dataclass(frozen=True)
class TransformerCopySettings:
    """The same with copying. Okapi §5 gives no sizes: these are JuICe's."""

    source_size: int
    output_size: int
    width: int = 512
    heads: int = 4
    layers: int = 6
    feed_forward: int = 1024
    dropout: float = 0.1
    norm: Literal["post", "pre"] = "post"
    shared: bool = False
    copies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_vanilla(self)

    @property
    def shape(self) -> Shape:
        return vanilla_shape(self)


def check_vanilla(settings: TransformerSettings | TransformerCopySettings) -> None:
    name = type(settings).__name__
    check_attentive(settings)
    require_choice(settings, "norm", ("post", "pre"))
    require(settings.width % settings.heads == 0, f"{name}.heads is {settings.heads}, which does not divide the width")
    require(settings.width % 2 == 0, f"{name}.width is {settings.width}, not even, as sinusoids need")


def vanilla_shape(settings: TransformerSettings | TransformerCopySettings) -> Shape:
    return Shape(
        width=settings.width, heads=settings.heads, layers=settings.layers, feed_forward=settings.feed_forward,
        dropout=settings.dropout, norm=settings.norm, positions="sinusoidal", gated=False,
    )  # fmt: skip


class AttentiveSettings(Protocol):
    """What a Transformer is made from, whatever its blocks look like."""

    @property
    def source_size(self) -> int: ...
    @property
    def output_size(self) -> int: ...
    @property
    def shared(self) -> bool: ...
    @property
    def copies(self) -> bool: ...
    @property
    def shape(self) -> Shape: ...


def check_attentive(settings: AttentiveSettings) -> None:
    """Refuse sizes and shares that make no Transformer of any shape."""
    require_vocabularies(settings)
    require_sizes(settings, "width", "heads", "layers", "feed_forward")
    require_share(settings, "dropout")
    sizes = settings.source_size, settings.output_size
    require(
        not settings.shared or sizes[0] == sizes[1],
        f"{type(settings).__name__}.shared needs one vocabulary, not {sizes[0]} and {sizes[1]} words",
    )


class Transformer(nn.Module):
    """`transformer`, `transformer-copy` and `modern`."""

    def __init__(self, settings: AttentiveSettings) -> None:
        super().__init__()
        self.settings = settings
        self.body = EncoderDecoder(
            settings.shape, settings.source_size, settings.output_size, shared=settings.shared, copies=settings.copies
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
