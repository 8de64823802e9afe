"""What a recipe says about encoding, training and decoding. Plain values: no torch, no numpy.

Every field is validated when it is made, with a message that names it; `--set training.rate=3e-4` changes one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from sayso.core.errors import UserError
from sayso.core.types import Grain

Schedule = Literal["constant", "inverse-sqrt", "cosine", "timed"]
Precision = Literal["auto", "fp32", "bf16"]
Speed = Literal["auto", "eager", "compile", "graphs"]
Judge = Literal["loss", "match", "bleu", "f1"]
Ship = Literal["fp32", "fp16", "int8", "none"]
Words = Literal["stems", "plain"]


@dataclass(frozen=True)
class Encoding:
    """How texts become ids."""

    grain: Grain = "token"
    source_minimum: int = 1
    """Request parts seen fewer times in train are unknown (NL2Bash §6.1: 4)."""
    target_minimum: int = 1
    copies: bool = False
    """Give the unknown parts of a request ids of their own, which a copying network may emit."""
    shared: bool = False
    """One vocabulary for requests and references, cut at `source_minimum`."""
    source_longest: int = 400
    """Parts that are read: far context is left out first, and only a request longer than that is cut."""
    target_longest: int = 400
    """A longer reference is left out of train."""
    words: Words = "stems"
    """`stems` are NL2Bash's: lower case, no stop words, constants as written; `plain` leaves all words as written."""
    context: int = 0
    """Pieces of `Request.context` that are read before the request, the nearest last (JuICe's K counts it too)."""
    context_longest: int = 75
    """Parts of one such piece (JuICe §7: 75)."""
    pieces: str = ""
    """A folder with a `tokenizer.json`: requests are cut into its word pieces, and read with its ids."""
    merges: int = 0
    """So many byte pairs are merged within words, learned from train; one vocabulary for all."""
    stored: int = 0
    """Pieces of context in the encoded data, of which the nearest `context` are read; one data then serves them all."""
    view: str = ""
    """What the examples are turned into first (`experiments/views.py`); "" leaves them as they are."""

    def __post_init__(self) -> None:
        one_of("encoding.grain", self.grain, get_args(Grain))
        one_of("encoding.words", self.words, get_args(Words))
        for name in ("context", "merges", "stored"):
            at_least(f"encoding.{name}", getattr(self, name), 0)
        if self.stored and (not self.merges or self.context > self.stored):
            raise UserError(
                f"encoding.stored is {self.stored}, which needs merges, and at least as many as encoding.context",
                "--set encoding.merges=10000",
            )
        for name in ("source_minimum", "target_minimum", "source_longest", "target_longest", "context_longest"):
            at_least(f"encoding.{name}", getattr(self, name), 1)

    @property
    def key(self) -> str:
        """Names the folder of the encoded data: recipes with equal encodings share it."""
        marks = ("-copy" if self.copies else "") + ("-shared" if self.shared else "")
        marks += "-plain" if self.words == "plain" else ""
        marks += "-wordpieces" if self.pieces else ""
        marks += f"-merges{self.merges}" if self.merges else ""
        context = self.stored or self.context
        marks += f"-{'stored' if self.stored else 'context'}{context}x{self.context_longest}" if context else ""
        numbers = (self.source_minimum, self.target_minimum, self.source_longest, self.target_longest)
        seen_as = f"-{self.view}" if self.view else ""
        return f"{self.grain}{marks}{seen_as}-{'-'.join(map(str, numbers))}"


@dataclass(frozen=True)
class Training:
    """How a network is fitted."""

    share: float = 1.0
    """Of the rows of train; those of a smaller share are among those of a larger one."""
    epochs: int = 100
    steps: int = 0
    """Stop after so many updates; 0 is no limit but `epochs`."""
    batch: int = 128
    """Examples in one batch of one process."""
    tokens: int = 0
    """Padded tokens in one batch of one process, request and reference together; 0 is no limit but `batch`."""
    accumulate: int = 1
    """Batches to one update."""
    shapes: int = 12
    """Distinct widths that batches are padded to, at most."""
    optimiser: Literal["adam", "adamw"] = "adam"
    rate: float = 1e-4
    schedule: Schedule = "constant"
    """`cosine` falls to 0 over `steps`, `timed` over the time that a run is given, or `steps` where those end first."""
    warmup: int = 0
    """Updates over which the rate rises from 0."""
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8
    decay: float = 0.0
    clip: float = 5.0
    """Largest norm of the gradient; 0 is no limit."""
    evaluate_every: int = 0
    """Updates between two looks at dev; 0 is once an epoch."""
    patience: int = 0
    """Stop after so many looks without a better one; 0 never stops early."""
    save_every: int = 0
    """Updates between two checkpoints; 0 is whenever dev is looked at."""
    average: int = 1
    """The result is the mean of the last so many checkpoints; 1 is the weights that were best on dev."""
    precision: Precision = "auto"
    """bf16 on a GPU and fp32 elsewhere, unless said."""
    speed: Speed = "eager"
    """`auto` records graphs on a GPU, which a network that asks the host half-way does not survive."""
    judge: Judge = "loss"
    """What is better on dev: a lower loss, more greedy answers that are the reference, or a higher BLEU of some, or a
    higher F1 of what they have in common with the references, order aside."""
    ship: Ship = "fp16"
    """How the finished weights are kept; `none` keeps the answers alone."""

    def __post_init__(self) -> None:
        for name in ("epochs", "batch", "accumulate", "shapes", "average"):
            at_least(f"training.{name}", getattr(self, name), 1)
        for name in ("steps", "tokens", "warmup", "decay", "clip", "evaluate_every", "patience", "save_every"):
            at_least(f"training.{name}", getattr(self, name), 0)
        for name in ("beta1", "beta2"):
            if not 0 <= getattr(self, name) < 1:
                raise wrong(f"training.{name}", "at least 0 and below 1", getattr(self, name))
        if not 0 < self.share <= 1:
            raise wrong("training.share", "above 0 and at most 1", self.share)
        for name in ("rate", "epsilon"):
            if not getattr(self, name) > 0:
                raise wrong(f"training.{name}", "above 0", getattr(self, name))
        one_of("training.optimiser", self.optimiser, ("adam", "adamw"))
        one_of("training.schedule", self.schedule, get_args(Schedule))
        one_of("training.precision", self.precision, get_args(Precision))
        one_of("training.speed", self.speed, get_args(Speed))
        one_of("training.judge", self.judge, get_args(Judge))
        one_of("training.ship", self.ship, get_args(Ship))
        if self.schedule == "cosine" and not self.steps:
            raise UserError("training.schedule=cosine needs an end", "add --set training.steps=20000")


@dataclass(frozen=True)
class Decoding:
    """How answers are searched for."""

    beam: int = 10
    k: int = 5
    """Candidates kept per request."""
    longest: int = 200
    """Parts in one answer."""
    alpha: float = 0.0
    """Length normalisation: scores are divided by length ** alpha."""
    alphas: tuple[float, ...] = ()
    """Of these the one that is best on dev, by BLEU or else by `training.judge`, takes alpha's place after training."""
    batch: int = 32
    """Requests searched at once."""
    recorded: bool = True
    """Replay recorded steps on a GPU; without, steps are slower and take a fraction of the memory."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "alphas", tuple(self.alphas))  # JSON has lists
        for one in self.alphas:
            at_least("decoding.alphas", one, 0)
        for name in ("beam", "k", "longest", "batch"):
            at_least(f"decoding.{name}", getattr(self, name), 1)
        at_least("decoding.alpha", self.alpha, 0)
        if self.k > self.beam:
            raise UserError(
                f"decoding.k is {self.k}, above decoding.beam ({self.beam})", f"--set decoding.beam={self.k}"
            )


def at_least(name: str, value: float, least: float) -> None:
    if not value >= least:
        raise wrong(name, f"{least} or more", value)


def one_of(name: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise wrong(name, " or ".join(known), value)


def wrong(name: str, wanted: str, value: object) -> UserError:
    return UserError(f"{name} must be {wanted}, not {value}", f"change it with --set {name}=…")
