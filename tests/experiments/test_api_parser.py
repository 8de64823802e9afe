"""The parser learns: its twin in numpy says the same, and more clauses than train had are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import exp
from typing import cast

import numpy as np
import pytest

from sayso.experiments.api_parser import ParserSettings, calibrate, describe, fit, make_parser
from sayso.targets.api.syntax.calls import canonical_call, parse_call
from sayso.targets.api.systems.network import Network, make_input
from sayso.targets.api.systems.parse import Parser, Reading

pytestmark = pytest.mark.torch

PARTS = [
    *((f"by {name}", f"FILTER file.createdBy eq {name}") for name in ("Mia", "Bo", "Ines", "Olaf")),
    *((f"named {name}", f"FILTER file.name eq {name}") for name in ("budget", "plan", "notes", "sketch")),
    *((f"changed {time}", f"FILTER file.lastModifiedDateTime eq {time}") for time in ("today", "yesterday")),
    ("sorted by size", "ORDERBY file.size desc"),
]
LEADS = ("show the files", "give me files", "list all files")
PAIRS = [
    (f"{lead} {said}", parse_call(f"GET drive.root.children {clause}"))
    for lead, (said, clause) in product(LEADS, PARTS)
]


def test_numpy_says_what_torch_says() -> None:
    import torch

    from sayso.models.clause_tagger import ClauseTagger, TaggerSettings

    start = describe("document", PAIRS, ParserSettings())
    torch.manual_seed(0)
    tagger = ClauseTagger(TaggerSettings(len(start.vocabulary) + 2, start.layout.tags, start.layout.sizes)).eval()
    given = make_input([request.split() for request, _ in PAIRS[:9]], start.vocabulary)
    arrays = (torch.from_numpy(one) for one in (given.ids, given.grams, given.shapes, given.lengths))
    with torch.no_grad():
        tags, choices = tagger(*arrays)
    network = Network({name: weight.numpy() for name, weight in tagger.exported().items()})
    numpy_tags, numpy_choices = network(given)
    mask = np.arange(given.ids.shape[1]) < given.lengths[:, None]
    assert np.allclose(tags.numpy()[mask], numpy_tags[mask], atol=1e-4)
    assert np.allclose(choices.numpy(), numpy_choices, atol=1e-4)


def test_the_loss_of_tags_is_that_of_all_paths() -> None:
    import torch

    from sayso.models.clause_tagger import ClauseTagger, TaggerSettings

    torch.manual_seed(1)
    tagger = ClauseTagger(TaggerSettings(5, 3, (1,)))
    torch.nn.init.normal_(tagger.moves)
    scores = torch.randn(1, 3, 3)
    total = sum(
        torch.exp(-tagger.tag_loss(scores, torch.tensor([path]), torch.tensor([3])))
        for path in product(range(3), repeat=3)
    )
    assert isinstance(total, torch.Tensor) and float(total.detach()) == pytest.approx(1.0, abs=1e-4)


@dataclass(frozen=True)
class Told:
    """A parser that answers what it was told, as surely as it was told."""

    scores: tuple[float, ...]

    def readings(self, texts: Sequence[str], k: int) -> list[list[Reading]]:
        return [[Reading(parse_call("GET message"), score)] for score in self.scores]


def test_a_chance_is_fitted_where_scores_lie_far_apart() -> None:
    scores = (-0.01,) * 90 + (-9.0,) * 3 + (-3.0, -9.0, -0.01, -30.0, -25.0, -12.0, -9.0)
    pairs = [("", parse_call("GET message" if at < 93 else "GET message COUNT")) for at in range(100)]
    slope, intercept = calibrate(cast(Parser, Told(scores)), pairs)
    chances = [1 / (1 + exp(-slope * score - intercept)) for score in scores]
    assert slope > 0 and sum(chances) == pytest.approx(93, abs=2)
    assert chances[0] > 0.9 and chances[90] < 0.75


@pytest.mark.slow
def test_one_clause_a_request_teaches_requests_of_three() -> None:
    """Okapi's Length split in small: a model that writes calls from left to right stops after the first clause."""
    import torch

    settings = ParserSettings(
        epochs=40, joined=4.0, batch=32, embedding=16, grams=8, hidden=24, layers=1, dropout=0.1, rate=2e-2
    )
    torch.set_num_threads(1)
    trained = fit("document", PAIRS, settings, seed=0)
    parser = make_parser([trained], [])
    asked = {
        "show the files by Ines named plan changed today": "FILTER file.createdBy eq Ines FILTER file.name eq plan "
        "FILTER file.lastModifiedDateTime eq today",
        "list all files named notes by Bo sorted by size": "FILTER file.createdBy eq Bo FILTER file.name eq notes "
        "ORDERBY file.size desc",
        "give me files changed yesterday sorted by size by Mia": "FILTER file.createdBy eq Mia "
        "FILTER file.lastModifiedDateTime eq yesterday ORDERBY file.size desc",
    }
    for request, call in asked.items():
        wanted = canonical_call(parse_call(f"GET drive.root.children {call}"))
        assert canonical_call(parser.parse([request])[0]) == wanted
    slope, _ = calibrate(parser, PAIRS)
    assert slope > 0
