"""Many networks of one shape in one: parameters have a first dimension that counts networks, and one launch serves all.

A GPU takes as long for one small network as for fifty. `stack` takes networks of `models/` as they are made (each with
its own seed and vocabulary) and gives their parameters; a Stack computes what each of them would, side by side. Ids
beyond a network's own vocabulary are moved behind the largest one, so that all share their meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.english.vocabulary import PAD, UNK
from sayso.models.copying import NEVER
from sayso.models.heads import known

Parameters = dict[str, Tensor]
"""Name in the network's own state → (networks, …)."""
VOCABULARIES = ("embedding.weight", "output.weight", "output.bias")


def stack(networks: Sequence[nn.Module]) -> Parameters:
    """Parameters of networks that differ in nothing but seed and vocabulary."""
    states = [network.state_dict() for network in networks]
    found = {}
    for name in states[0]:
        parts = [state[name].detach().float() for state in states]
        if name.endswith(VOCABULARIES):
            most = max(len(part) for part in parts)
            parts = [F.pad(part, [0, 0] * (part.dim() - 1) + [0, most - len(part)]) for part in parts]
        found[name] = torch.stack(parts)
    return found


@dataclass(frozen=True)
class Rows:
    """A batch for every network: (networks, rows, time); `target` may have no width."""

    source: Tensor
    source_extended: Tensor
    target: Tensor
    extra: int

    @property
    def mask(self) -> Tensor:
        first = torch.arange(self.source.shape[2], device=self.source.device) == 0
        return (self.source != PAD) | first


@dataclass(frozen=True)
class Drop:
    """Dropout with a rate for each network (networks,), all different or all the same."""

    rates: Tensor
    single: float | None

    def __call__(self, x: Tensor) -> Tensor:
        """The first dimension counts networks, or networks times rows."""
        if self.single is not None:
            return F.dropout(x, self.single)
        keep = (1 - self.rates).repeat_interleave(x.shape[0] // len(self.rates))
        keep = keep.view(-1, *[1] * (x.dim() - 1)).expand_as(x)
        return x * (torch.bernoulli(keep) / keep).to(x.dtype)


def make_drop(rates: Tensor) -> Drop:
    values = set(rates.tolist())
    return Drop(rates, values.pop() if len(values) == 1 else None)


def no_drop(x: Tensor) -> Tensor:
    return x


def linear(x: Tensor, parameters: Mapping[str, Tensor], name: str) -> Tensor:
    """(networks, n, in) -> (networks, n, out), each by its own matrix."""
    weight, bias = parameters[f"{name}.weight"], parameters.get(f"{name}.bias")
    turned = weight.transpose(1, 2)
    return torch.bmm(x, turned) if bias is None else torch.baddbmm(bias[:, None], x, turned)


def embed(ids: Tensor, table: Tensor) -> Tensor:
    """(networks, …) ids -> (networks, …, width)"""
    networks, size, width = table.shape
    start = torch.arange(networks, device=ids.device).view(-1, *[1] * (ids.dim() - 1)) * size
    return F.embedding(ids + start, table.reshape(networks * size, width))


def within(logits: Tensor, sizes: Tensor) -> Tensor:
    """(networks, …, vocabulary): what a network's own vocabulary does not have cannot be said."""
    place = torch.arange(logits.shape[-1], device=logits.device)
    beyond = place >= sizes.view(-1, *[1] * (logits.dim() - 1))
    return logits.float().masked_fill(beyond, float("-inf"))


def word_losses(generated: Tensor, labels: Tensor) -> Tensor:
    """Log-probabilities (networks, rows, steps, vocabulary) -> a loss a label, 0 where there is none."""
    found = generated.gather(-1, known(labels, generated.shape[-1])[..., None]).squeeze(-1)
    return torch.where(labels != PAD, -found, 0.0)


def copying_losses(generated: Tensor, copied: Tensor, labels: Tensor, matches: Tensor) -> Tensor:
    """As `copying.copying_loss`, label by label."""
    is_known = labels < generated.shape[-1]
    can_be_said = is_known | matches.any(-1)
    by_word = generated.gather(-1, torch.where(is_known, labels, UNK)[..., None]).squeeze(-1)
    by_word = torch.where(is_known | ~can_be_said, by_word, NEVER)
    by_copy = copied.masked_fill(~matches, NEVER).logsumexp(-1)
    return torch.where(labels != PAD, -torch.logaddexp(by_word, by_copy), 0.0)


def joined_log_probs(generated: Tensor, copied: Tensor | None, words: Tensor, extra: int) -> Tensor:
    """One step, (networks, rows, vocabulary) and (networks, rows, places) -> (…, vocabulary + extra)."""
    generated = F.pad(generated, (0, extra), value=float("-inf"))
    if copied is None:
        return generated
    summed = torch.zeros_like(generated).scatter_add(-1, words, copied.exp())
    return torch.logaddexp(generated, summed.log())


def matches_of(ids: Tensor, rows: Rows) -> Tensor:
    """(networks, rows, steps) ids -> (networks, rows, steps, places): where the source says the same word."""
    return (ids[..., None] == rows.source_extended[:, :, None]) & rows.mask[:, :, None]
