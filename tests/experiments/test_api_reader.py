"""The reader of a request as a whole: numpy computes what torch learnt, and learning lowers what it is learnt by."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="learning needs sayso[train]")

from sayso.experiments import api_reader  # noqa: E402
from sayso.targets.api.corpus.asked import taught_in  # noqa: E402
from sayso.targets.api.specs.slots.context import Reads, odds, shipped  # noqa: E402

TEXT = """# Now is 2024-05-15T12:00Z, a Wednesday.
## boats
fn hire | Hire a boat | kind:e(canoe,raft)! What floats; hours:i ; skipper:b=false With somebody who steers; note:s
> a raft for three hours, somebody else at the helm => kind=raft; hours=3; skipper=true
> canoe please, note: bring vests => kind=canoe; note=bring vests
fn cancel | Cancel a hire | @hire_id:s!
> call H-31 off => hire_id=H-31
> paint my fence => -
"""


@cache
def rows() -> list[api_reader.Row]:
    if shipped() is None:
        pytest.skip("there is no runtime for the sentence encoder")
    return api_reader.rows_of(list(taught_in(TEXT)))


@cache
def reader() -> api_reader.Reader:
    torch.manual_seed(1)
    made = api_reader.Reader(rows()[0].asked.tokens.shape[1], rows()[0].asked.request.shape[0]).eval()
    for head in (made.told, made.chosen, made.asks):
        torch.nn.init.normal_(head[2].weight)
    return made


def test_numpy_computes_what_torch_does() -> None:
    told = [row for row in rows() if row.made is not None]
    batch = api_reader.batched([row.asked for row in told], [row.places for row in told])
    with torch.no_grad():
        found, asks = reader()(batch)
    weights = api_reader.bundle_weights(reader())
    for at, row in enumerate(told):
        mine, my_asks = odds(weights, row.asked, row.places)
        np.testing.assert_allclose(mine, found[batch["row"] == at].numpy(), atol=0.02)
        assert my_asks == pytest.approx(float(asks[at]), abs=0.02)


def test_learning_raises_what_is_right() -> None:
    def right(reads: Reads) -> float:
        total = 0.0
        for row in rows():
            if row.made is None:
                continue
            found, _ = odds(reads, row.asked, row.places)
            total += sum(float(one) for one, is_right in zip(found, row.made.right, strict=True) if is_right)
        return total

    learnt, weights = api_reader.fit(rows() * 4, 3)
    assert right(api_reader.bundle_weights(learnt)) > right(api_reader.bundle_weights(reader()))
    assert np.isfinite(weights).all()
