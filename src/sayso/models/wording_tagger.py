"""The network that reads people's own wording: a clause tagger over the vectors of a sentence encoder.

Beside tags and choices it tells for every word how a value that begins there would be compared.
targets/api/systems/wording/network.py runs the trained weights without torch.
"""

from __future__ import annotations

from dataclasses import replace

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.models.clause_tagger import IGNORED, NEVER, ClauseTagger, TaggerSettings


class WordingTagger(ClauseTagger):
    def __init__(self, settings: TaggerSettings, token: int, operators: int) -> None:
        super().__init__(replace(settings, words=1))
        looked = nn.Linear(token, settings.embedding)
        self.words = looked  # type: ignore[assignment]
        self.other = nn.Parameter(torch.zeros(settings.embedding + settings.gram_embedding + settings.shapes))
        out = self.tags.in_features
        self.operators = nn.Linear(out, operators)
        self.whole = nn.Linear(out, sum(settings.choices), bias=False)

    def tell(
        self, vectors: Tensor, grams: Tensor, shapes: Tensor, lengths: Tensor, other: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Tag and operator scores of every word, choice scores of every request; `other` is 1 for the manner of
        another corpus, whose ways of annotating are learnt apart."""
        out, mask = self.read(vectors, grams, shapes, lengths)
        inside = self.other.shape[0]
        known = out[..., -inside:] + other[:, None, None] * self.other
        out = torch.cat([out[..., :-inside], known], -1)
        evidence = self.choices(out).masked_fill(~mask[..., None], NEVER)
        middle = (out * mask[..., None]).sum(1) / lengths[:, None]
        return self.tags(out), self.operators(out), evidence.amax(1) + self.whole(middle) + self.choice_bias

    def operator_loss(self, scores: Tensor, wanted: Tensor) -> Tensor:
        """Summed over the values of a request: (batch,)"""
        found = F.cross_entropy(scores.transpose(1, 2), wanted, ignore_index=IGNORED, reduction="none")
        return found.sum(1)

    def exported(self) -> dict[str, Tensor]:
        found = super().exported()
        looked = self.get_submodule("words")
        assert isinstance(looked, nn.Linear)
        found |= {"words": looked.weight.T, "words.bias": looked.bias}
        found |= {"operators.weight": self.operators.weight.T, "operators.bias": self.operators.bias}
        found["whole.weight"] = self.whole.weight.T
        return {name: weight.detach() for name, weight in found.items()}
