"""How answers are ranked after training: dev chooses a length normalisation, from one search for all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from sayso.english.vocabulary import BOS, EOS
from sayso.experiments import RECIPES
from sayso.experiments.recipe import for_task
from sayso.models.batch import Batch
from sayso.training.arrays import Encoded, encoded
from sayso.training.decode import AlikeOnDev, answer, best_alpha, corpus_bleu, corpus_f1
from sayso.training.settings import Decoding, Judge

pytestmark = pytest.mark.torch

WORD = 4
SIZE = 6
DECODING = Decoding(beam=2, k=2, longest=5, alphas=(0.0, 1.0))


class Hesitant(nn.Module):
    """Ends at every place with the same chance, and otherwise says one word again; the request is not read."""

    def __init__(self, ending: float) -> None:
        super().__init__()
        self.ending = ending

    def start(self, batch: Batch) -> None:
        return None

    def step(self, state: None, last: Tensor, parents: Tensor) -> tuple[Tensor, None]:
        log_probs = torch.full((len(last), SIZE), -30.0)
        log_probs[:, EOS], log_probs[:, WORD] = math.log(self.ending), math.log(1 - self.ending)
        return log_probs, None


def dev(references: Sequence[Sequence[int]]) -> Encoded:
    return encoded([[WORD]] * len(references), None, [[BOS, *one, EOS] for one in references], [0] * len(references))


@pytest.mark.parametrize(("words", "alpha"), [(4, 1.0), (0, 0.0)])
@pytest.mark.parametrize("judged", ["bleu", "loss"])
def test_dev_chooses_the_length_of_its_references(words: int, alpha: float, judged: Judge) -> None:
    asked = dev([[WORD] * words] * 3)
    found, scores = best_alpha(Hesitant(0.45), asked, DECODING, judged)
    assert (found, max(scores.values())) == (alpha, scores[alpha])
    assert list(scores) == [0.0, 1.0]


@settings(max_examples=25)
@given(st.floats(0.05, 0.6), st.integers(0, 5))
def test_one_search_ranks_as_a_search_for_each_would(ending: float, words: int) -> None:
    asked, network = dev([[WORD] * words]), Hesitant(ending)
    _, scores = best_alpha(network, asked, DECODING, "bleu")
    for alpha, score in scores.items():
        own = answer(network, asked, Decoding(beam=2, k=2, longest=5, alpha=alpha))
        assert corpus_bleu([own[0][0][0]], [(WORD,) * words]) == pytest.approx(score)


def test_of_equal_scores_the_lower_alpha_is_chosen() -> None:
    assert best_alpha(Hesitant(0.99), dev([[5]]), DECODING, "bleu")[0] == 0.0


def test_f1_is_of_sets_and_in_one_pot() -> None:
    said, wanted = [(4, 5, 5), (6,), ()], [(5, 4), (7, 8), ()]
    assert corpus_f1(said, wanted) == pytest.approx(100 * 2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4))
    assert corpus_f1([()], [()]) == 0


def test_a_look_at_dev_counts_greedy_answers() -> None:
    network = Hesitant(0.2)  # says the word until it may not
    look = AlikeOnDev(dev([[WORD] * 4] * 2), DECODING, torch.device("cpu"), corpus_bleu)
    assert look(network) == pytest.approx(100)
    network.ending = 0.9
    assert look(network) < 1


def test_another_task_of_a_recipe_is_judged_in_its_own_way() -> None:
    recipe = RECIPES["lstm-k3"]
    assert for_task(recipe, "notebook/apis").training.judge == "f1"
    assert for_task(recipe, "notebook/code").training == recipe.training
