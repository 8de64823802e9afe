"""A plan for a trunk from start to finish on a tiny one: what comes home is what was learnt."""

from __future__ import annotations

import json
import random
import threading
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load

from sayso.core.errors import BadFile
from sayso.english.prompt import CONTEXT, MARKS
from sayso.english.vocabulary import BOS, EOS
from sayso.models.int4 import Packed, unpack
from sayso.models.llama import Llama, LlamaSettings, round_as_shipped
from sayso.models.lora import load_adapter
from sayso.models.search import SearchSettings
from sayso.models.trunk_folder import load_trunk_folder, save_trunk
from sayso.training import trunk, trunk_answers, trunk_start
from sayso.training.arrays import Encoded, encoded, load_encoded
from sayso.training.batches import Batches
from sayso.training.decode import Answer, unpack_answers
from sayso.training.pieces import Outbox, join_pieces
from sayso.training.trunk_plan import Stage, Variant, read_plan, write_plan

pytestmark = pytest.mark.torch
STAGE = Stage("second", 1, 3e-3, batch=16, looks=1)
PLAN = [
    Variant("first", (Stage("first", 1, 3e-3, batch=16, looks=1),), answers=False),
    Variant("full", (STAGE,), start="first"),
    Variant("full-int4", (replace(STAGE, rounded=True),), start="full", rounded=True, ship="int4"),
    Variant("lora", (STAGE,), rank=4, alpha=8, ship="adapter"),
    Variant("shallow", (STAGE,), layers=5, dev="dev-style", also=("fold-0",), width=2, told=True),
    Variant("mean", (), start="first+full"),
    Variant("taught", (replace(STAGE, teachers="full+shallow", share=0.5),), start="first", answers=False),
    Variant("orphan", (STAGE,), start="nobody"),
]


def pairs(n: int, seed: int) -> Encoded:
    draw = random.Random(seed)
    rows = [[draw.randint(17, 30) for _ in range(draw.randint(2, 5))] for _ in range(n)]
    return encoded([[15, *row] for row in rows], None, [[1, *row[::-1], 2] for row in rows], [0] * n)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the whole plan was worked off."""
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("trunk")
    shape = LlamaSettings(32, 32, width=32, heads=4, key_heads=2, layers=6, feed_forward=32)
    torch.manual_seed(0)
    save_trunk(folder / "trunk", shape, Llama(shape).state_dict(), "{}")
    (folder / "data").mkdir()
    for seed, (name, n) in enumerate({"first": 32, "second": 32, "dev": 5, "dev-style": 5, "fold-0": 7}.items()):
        pairs(n, seed).save(folder / "data" / f"{name}.npz")
    write_plan(folder / "plan.json", PLAN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trunk_answers, "LONGEST", 8)
        patch.setattr(trunk_answers, "SEARCH", SearchSettings(width=5, n_best=5, longest=8))
        places = [f"--{name}={folder / name}" for name in ("trunk", "data", "work", "out")]
        assert trunk.main([*places, f"--plan={folder / 'plan.json'}", "--device=cpu"]) == 1
    return folder


def test_a_variant_without_its_start_fails_alone(run: Path) -> None:
    names = {name.partition("/")[0] for name in join_pieces(run / "out")}
    assert names == {"first", "full", "full-int4", "lora", "shallow", "mean", "taught"}


def answered(run: Path, network: Llama) -> list[list[Answer]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trunk_answers, "LONGEST", 8)
        patch.setattr(trunk_answers, "SEARCH", SearchSettings(width=5, n_best=5, longest=8))
        return trunk_answers.answer_all(network, load_encoded(run / "data" / "dev.npz"), torch.device("cpu"))


def answers_of(run: Path, network: Llama) -> list[list[tuple[int, ...]]]:
    return [[ids for ids, _ in row] for row in answered(run, network)]


def scored(run: Path, network: Llama) -> list[float]:
    return [score for row in answered(run, network) for _, score in row]


def shipped_answers(run: Path, name: str) -> list[list[tuple[int, ...]]]:
    found = unpack_answers(join_pieces(run / "out")[f"{name}/dev.npz"], name)
    return [[ids for ids, _ in row] for row in found]


def test_a_shipped_adapter_gives_the_answers_that_came_with_it(run: Path) -> None:
    content = load(join_pieces(run / "out")["lora/adapter.safetensors"])
    network = load_trunk_folder(run / "trunk")
    load_adapter(network, {name.removeprefix("model."): one.float() for name, one in content.items()}, alpha=8)
    assert answers_of(run, network) == shipped_answers(run, "lora")


def test_shipped_four_bits_give_the_answers_that_came_with_them(run: Path) -> None:
    content = load(join_pieces(run / "out")["full-int4/int4.safetensors"])
    network = load_trunk_folder(run / "trunk")
    weights = dict(network.state_dict())
    for name, one in content.items():
        plain = name.removeprefix("model.")
        if name.endswith(".q"):
            weights[plain.removesuffix(".q")] = unpack(Packed(one, content[name.removesuffix("q") + "d"]))
        elif not name.endswith(".d"):
            weights[plain] = one.float()
    network.load_state_dict(weights)
    as_floats = scored(run, network)
    round_as_shipped(network, is_rounded=True)
    found = unpack_answers(join_pieces(run / "out")["full-int4/dev.npz"], "full-int4")
    assert answers_of(run, network) == shipped_answers(run, "full-int4")
    theirs = [score for row in found for _, score in row]
    assert scored(run, network) == pytest.approx(theirs, abs=1e-4)
    assert as_floats != pytest.approx(theirs, abs=1e-4)  # what is multiplied is rounded, too


def test_results_say_what_was_done(run: Path) -> None:
    found = join_pieces(run / "out")
    shallow = json.loads(found["shallow/result.json"])
    assert len(shallow["dropped"]) == 1
    assert {"same_ids@1", "same_ids@3", "same_ids@5"} < shallow.keys()
    full, first = (json.loads(found[f"{name}/result.json"]) for name in ("full", "first"))
    assert full["curves"][0][0]["loss"] != first["curves"][0][0]["loss"]
    taught = json.loads(found["taught/result.json"])
    assert taught["curves"][0][0]["loss"] != full["curves"][0][0]["loss"] and taught["learnt"] == full["learnt"]
    assert full["learnt"] > json.loads(found["lora/result.json"])["learnt"]


def test_other_files_are_answered_too_as_widely_as_asked(run: Path) -> None:
    found = join_pieces(run / "out")
    asked = {name: unpack_answers(found[f"shallow/{name}.npz"], name) for name in ("dev", "fold-0")}
    assert {name: [len(row) for row in rows] for name, rows in asked.items()} == {"dev": [2] * 5, "fold-0": [2] * 7}


def test_each_answer_says_how_likely_its_request_is_told_back(run: Path) -> None:
    found = join_pieces(run / "out")
    told = json.loads(found["shallow/told.json"])
    answers = unpack_answers(found["shallow/dev.npz"], "shallow")
    assert [len(row) for row in told] == [2] * 5
    asked = load_encoded(run / "data" / "dev-style.npz")
    network = load_trunk_folder(run / "trunk")  # any will do: batches of one and of all agree
    every = trunk_answers.told_back(network, asked, answers, torch.device("cpu"))
    ids, (request, *words) = answers[3][1][0], asked.source[3].tolist()
    alone = encoded([[request, MARKS["code"], *ids, CONTEXT]], None, [[BOS, *words, EOS]], [0])
    (batch,) = Batches(alone, 1).in_order()
    assert every[3][1] == pytest.approx(-network.loss(batch)[0].item(), rel=1e-5)
    assert len({score for row in told for score in row}) > 5


def test_a_run_waits_for_weights_that_another_leaves(run: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    left = [run / "work" / f"first.{kind}" for kind in ("json", "safetensors")]

    def leave() -> None:
        for path in left:
            (tmp_path / "work" / path.name).write_bytes(path.read_bytes())

    place = trunk_start.Place(
        run / "trunk", run / "data", tmp_path / "work", Outbox(tmp_path / "out"), torch.device("cpu"), 9
    )
    later = threading.Timer(0.3, leave)
    later.start()
    network, _, _ = trunk_start.open_variant(place, Variant("late", (), start="first"))
    later.join()
    assert torch.equal(network.norm.weight, load(left[1].read_bytes())["norm.weight"])


def test_nobody_waits_for_weights_that_will_never_come(run: Path, tmp_path: Path) -> None:
    out, cpu = Outbox(tmp_path / "out"), torch.device("cpu")
    place = trunk_start.Place(run / "trunk", run / "data", run / "work", out, cpu, patience=60)
    assert (run / "work" / "orphan.none").is_file() and not (run / "work" / "full.none").is_file()
    network, _, _ = trunk_start.open_variant(place, Variant("late", (), start="orphan|first"))
    kept = load((run / "work" / "first.safetensors").read_bytes())
    assert torch.equal(network.norm.weight, kept["norm.weight"])


def test_the_words_are_never_changed(run: Path) -> None:
    before = load_trunk_folder(run / "trunk").state_dict()
    kept = load((run / "work" / "full.safetensors").read_bytes())
    assert torch.equal(kept["embed_tokens.weight"], before["embed_tokens.weight"])
    assert not torch.equal(kept["layers.0.mlp.up_proj.weight"], before["layers.0.mlp.up_proj.weight"])


def test_a_variant_may_begin_with_the_mean_of_others(run: Path) -> None:
    first, full, mean = (
        load((run / "work" / f"{name}.safetensors").read_bytes()) for name in ("first", "full", "mean")
    )
    for name, one in mean.items():
        assert torch.allclose(one, (first[name] + full[name]) / 2, atol=1e-6)


def test_a_plan_survives_its_file_and_a_bad_one_is_refused(tmp_path: Path) -> None:
    write_plan(tmp_path / "plan.json", PLAN)
    assert read_plan(tmp_path / "plan.json") == PLAN
    write_plan(tmp_path / "plan.json", [PLAN[0], PLAN[0]])
    with pytest.raises(BadFile, match="is taken"):
        read_plan(tmp_path / "plan.json")
    (tmp_path / "plan.json").write_text('[{"name": "x"}]')
    with pytest.raises(BadFile, match="no plan"):
        read_plan(tmp_path / "plan.json")
