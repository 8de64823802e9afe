"""Learning from other networks: nothing to learn from oneself, and all of it from those who know better."""

from __future__ import annotations

import pytest
import torch

from sayso.models.batch import Batch
from sayso.models.llama import Llama, LlamaSettings
from sayso.training.trunk_distil import Distilled

pytestmark = pytest.mark.torch
SHAPE = LlamaSettings(40, 40, width=32, heads=4, key_heads=2, layers=2, feed_forward=64, dropout=0.0)


def llama(seed: int) -> Llama:
    torch.manual_seed(seed)
    network = Llama(SHAPE)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    return network


def batch() -> Batch:
    source = torch.tensor([[4, 5, 6, 7], [8, 9, 0, 0]])
    return Batch(source, source, torch.tensor([[1, 10, 11, 2], [1, 12, 2, 0]]), 0)


def test_without_a_share_it_is_the_loss_of_the_labels() -> None:
    student = llama(0)
    loss, labels = Distilled(student, [llama(1)], share=0.0).loss(batch())
    wanted, number = student.loss(batch())
    assert torch.allclose(loss, wanted) and int(labels) == int(number) == 5


def test_there_is_nothing_to_learn_from_oneself() -> None:
    student = llama(0)
    Distilled(student, [student], share=1.0).loss(batch())[0].backward()  # type: ignore[no-untyped-call]
    assert max(float(one.grad.abs().max()) for one in student.parameters() if one.grad is not None) < 1e-5


def test_a_student_comes_to_what_its_teachers_say_together() -> None:
    student, teachers = llama(0), [llama(1), llama(2)]
    taught = Distilled(student, teachers, share=1.0)
    with torch.no_grad():
        wanted = torch.stack([one.answer_logits(batch()).softmax(-1) for one in teachers]).mean(0)
    optimiser = torch.optim.Adam(taught.parameters(), lr=1e-2)
    for _ in range(150):
        optimiser.zero_grad()
        taught.loss(batch())[0].backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    with torch.no_grad():
        found = student.answer_logits(batch()).softmax(-1)
    kept = batch().labels != 0
    assert float((found - wanted).abs()[kept].max()) < 0.05
    assert len(list(taught.parameters())) == len(list(student.parameters()))


def test_on_dev_it_is_the_loss_of_the_student() -> None:
    taught = Distilled(llama(0), [llama(1)], share=1.0).eval()
    assert torch.equal(taught.loss(batch())[0], taught.student.loss(batch())[0])
