"""The network of the order-free API parser: words tagged with the slot they fill, and evidence for every choice.

Evidence is pooled by maximum: one more clause in a request cannot take away from what the others say, so that requests
longer than those of train are no harder. targets/api/systems/network.py runs the trained weights without torch.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

SHAPES = 6
NEVER = -1e4
IGNORED = -1


@dataclass(frozen=True)
class TaggerSettings:
    words: int
    tags: int
    choices: tuple[int, ...]
    """How many values each chosen slot has, absence not counted."""
    buckets: int = 4096
    embedding: int = 64
    gram_embedding: int = 32
    hidden: int = 96
    layers: int = 2
    dropout: float = 0.5
    unasked: tuple[int, ...] = ()
    """Chosen slots of which absence says nothing."""
    shapes: int = SHAPES


class ClauseTagger(nn.Module):
    allowed: Tensor

    def __init__(self, settings: TaggerSettings) -> None:
        super().__init__()
        self.settings = settings
        self.words = nn.Embedding(settings.words, settings.embedding)
        self.grams = nn.Embedding(settings.buckets, settings.gram_embedding, padding_idx=0)
        inside = settings.embedding + settings.gram_embedding + settings.shapes
        widths = [inside, *([2 * settings.hidden] * (settings.layers - 1))]
        self.onward = nn.ModuleList(nn.GRU(width, settings.hidden, batch_first=True) for width in widths)
        self.return_ = nn.ModuleList(nn.GRU(width, settings.hidden, batch_first=True) for width in widths)
        out = 2 * settings.hidden + inside
        self.tags = nn.Linear(out, settings.tags)
        self.moves = nn.Parameter(torch.zeros(settings.tags, settings.tags))
        self.starts = nn.Parameter(torch.zeros(settings.tags))
        self.choices = nn.Linear(out, sum(settings.choices), bias=False)
        self.choice_bias = nn.Parameter(torch.full((sum(settings.choices),), -1.0))
        self.drop = nn.Dropout(settings.dropout)
        self.register_buffer("allowed", allowed_moves(settings.tags), persistent=False)

    def forward(self, ids: Tensor, grams: Tensor, shapes: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """(batch, time) ids … -> tag scores (batch, time, tags), choice scores (batch, choices)."""
        out, mask = self.read(ids, grams, shapes, lengths)
        evidence = self.choices(out).masked_fill(~mask[..., None], NEVER)
        return self.tags(out), evidence.amax(1) + self.choice_bias

    def read(self, ids: Tensor, grams: Tensor, shapes: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """What is known of every word in its request (batch, time, width), and which places are words."""
        places = torch.arange(ids.shape[1], device=ids.device)[None]
        mask = places < lengths[:, None]
        seen = self.grams(grams).sum(2) / (grams > 0).sum(2).clamp(min=1)[..., None]
        inside = self.drop(torch.cat([self.words(ids), seen, shapes], -1) * mask[..., None])
        back = torch.where(mask, lengths[:, None] - 1 - places, places)[..., None]
        state = inside
        for onward, return_ in zip(self.onward, self.return_, strict=True):
            turned = state.gather(1, back.expand(-1, -1, state.shape[-1]))
            returned = return_(turned)[0]
            returned = returned.gather(1, back.expand(-1, -1, returned.shape[-1]))
            state = self.drop(torch.cat([onward(state)[0], returned], -1) * mask[..., None])
        return torch.cat([state, inside], -1), mask

    def tag_loss(self, scores: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        """Negative log-likelihood of the tags of each request under a linear-chain CRF: (batch,)"""
        moves = self.moves + self.allowed[1:]
        starts = self.starts + self.allowed[0]
        places = torch.arange(scores.shape[1], device=scores.device)[None]
        mask = (places < lengths[:, None]).float()
        gold = scores.gather(-1, tags[..., None])[..., 0]
        total = gold[:, 0] + starts[tags[:, 0]]
        steps = gold[:, 1:] + moves[tags[:, :-1], tags[:, 1:]]
        total = total + (steps * mask[:, 1:]).sum(1)
        forward = scores[:, 0] + starts
        for at in range(1, scores.shape[1]):
            after = torch.logsumexp(forward[:, :, None] + moves, 1) + scores[:, at]
            forward = torch.where(mask[:, at, None] > 0, after, forward)
        return torch.logsumexp(forward, 1) - total

    def choice_loss(self, scores: Tensor, choices: Tensor) -> Tensor:
        """Sum over slots of the cross-entropy, absence having score 0: (batch,)"""
        total = scores.new_zeros(len(scores))
        for at, part in enumerate(torch.split(scores, list(self.settings.choices), 1)):
            if at in self.settings.unasked:
                wanted = torch.where(choices[:, at] > 0, choices[:, at] - 1, IGNORED)
                total = total + F.cross_entropy(part, wanted, ignore_index=IGNORED, reduction="none")
            else:
                total = total + F.cross_entropy(F.pad(part, (1, 0)), choices[:, at], reduction="none")
        return total

    def exported(self) -> dict[str, Tensor]:
        """Weights by the names that network.py uses; matrices stand as they are multiplied from the right."""
        found = {"words": self.words.weight, "grams": self.grams.weight}
        for at, pair in enumerate(zip(self.onward, self.return_, strict=True)):
            for way, gru in zip(("forward", "backward"), pair, strict=True):
                parts = dict(gru.named_parameters())
                found[f"gru{at}.{way}.input"] = parts["weight_ih_l0"].T
                found[f"gru{at}.{way}.hidden"] = parts["weight_hh_l0"].T
                found[f"gru{at}.{way}.input_bias"] = parts["bias_ih_l0"]
                found[f"gru{at}.{way}.hidden_bias"] = parts["bias_hh_l0"]
        found |= {"tags.weight": self.tags.weight.T, "tags.bias": self.tags.bias}
        found |= {"choices.weight": self.choices.weight.T, "choices.bias": self.choice_bias}
        found |= {"moves": self.moves + self.allowed[1:], "starts": self.starts + self.allowed[0]}
        return {name: weight.detach() for name, weight in found.items()}


def allowed_moves(tags: int) -> Tensor:
    """Row 0: where a request may start; row 1 + tag: what may follow. A further word follows its own slot only."""
    table = torch.zeros(tags + 1, tags)
    for after in range(2, tags, 2):
        table[:, after] = NEVER
        table[1 + after, after] = table[after, after] = 0.0
    return table
