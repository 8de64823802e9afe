"""Learning from several networks at once: what they find likely together, beside what was written down.

Networks that differ in their seeds alone are wrong in different places, and their mean is better than each (Hinton et
al., 2015); one network that learns it costs no more to use than any of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from sayso.english.vocabulary import PAD
from sayso.models.batch import Batch
from sayso.models.llama import Llama


class Distilled(nn.Module):
    """A student whose loss is, by a share, the cross entropy with the mean of its teachers' probabilities."""

    def __init__(self, student: Llama, teachers: Sequence[Llama], share: float) -> None:
        super().__init__()
        self.student, self.share = student, share
        self.teachers = list(teachers)  # no modules of ours: nothing of them is learnt or counted

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The sum over labels, and how many there are; on dev it is the student's own loss."""
        if not self.training:
            return self.student.loss(batch)
        with torch.no_grad():
            likely = torch.stack([one.answer_logits(batch).float().softmax(-1) for one in self.teachers]).mean(0)
        learnt = self.student.answer_logits(batch).float().log_softmax(-1)
        kept = batch.labels != PAD
        written = -learnt.gather(-1, batch.labels[..., None])[..., 0]
        told = -(likely * learnt).sum(-1)
        loss = ((1 - self.share) * written + self.share * told) * kept
        return loss.sum(), kept.sum()
