"""A tiny trunk goes on with notebooks, comes home in pieces, and draws cells as torch does."""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load, save

from sayso.answer.weighing import Weighing
from sayso.core.errors import BadBundle
from sayso.core.types import Piece, Request
from sayso.english.byte_bpe import alphabet
from sayso.english.prompt import FIRST_WORD
from sayso.english.vocabulary import EOS
from sayso.neural import cells as cells_module
from sayso.neural.bundle import Bundle, write_bundle
from sayso.neural.cells import CellTrunk, load_cells
from sayso.neural.drawing import Draws
from sayso.targets.notebook.systems.cells import Calls, Cells, Drawn
from sayso.targets.notebook.systems.columns import COLUMNS

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
torch.set_num_threads(1)
pytest.importorskip("onnxruntime")

CONTEXT = (Piece("text", "Numbers"), Piece("code", "x = [1, 2]"))


def tokenizer() -> str:
    parts = [*(f"<{one}>" for one in range(FIRST_WORD)), *sorted(alphabet().values())]
    digits = {"type": "Digits", "individual_digits": True}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    model = {"type": "BPE", "vocab": {part: i for i, part in enumerate(parts)}, "merges": []}
    pre = {"type": "Sequence", "pretokenizers": [digits, level]}
    return json.dumps({"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": pre, "model": model})


@pytest.fixture(scope="module")
def trunk(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """What is embedded, in small."""
    from sayso.models.llama import Llama, LlamaSettings
    from sayso.models.trunk_folder import save_trunk
    from sayso.training.export import export_trunk

    torch.manual_seed(5)
    size = len(json.loads(tokenizer())["model"]["vocab"])
    settings = LlamaSettings(size, size, width=64, heads=2, key_heads=1, layers=2, feed_forward=96, dropout=0.0)
    made = tmp_path_factory.mktemp("trunk")
    save_trunk(made, settings, Llama(settings).state_dict(), tokenizer())
    return export_trunk(made, made / "bundle")


@pytest.fixture(scope="module")
def home(trunk: Bundle, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """What a run of seconds sent home, with the network as it was when it answered."""
    from sayso.models.llama import leave_as_shipped, round_as_shipped
    from sayso.training import trunk_streams
    from sayso.training.pieces import Outbox
    from sayso.training.streams import Rows, batches, rows_by_length

    out = tmp_path_factory.mktemp("out")
    window = np.array([11, 12, 60, 61, 1, *([90, 91, 92] * 20), EOS] * 4, np.uint16)
    row = batches([rows_by_length([window], 1, 0.0)], 1024, seed=1)[0]
    rows = Rows(row.ids[:, :160], row.weights[:, :160])
    network = trunk_streams.open_bundle(trunk.folder, torch.device("cpu"))
    round_as_shipped(network, is_rounded=True)
    device = torch.device("cpu")
    learnt = [one for one in network.parameters() if one.requires_grad]
    optimiser = torch.optim.AdamW(learnt, lr=5e-3)
    losses = []
    for _ in range(12):
        lost, n = trunk_streams.lessons(network, *trunk_streams.on(device, rows))
        (lost / n).backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        optimiser.zero_grad()
        losses.append(float(lost.detach() / n))
    assert losses[-1] < losses[0] - 0.5, "it learns"
    trunk_streams.ship(network, Outbox(out), {})
    leave_as_shipped(network)
    return out, network


def exported(home: Path, trunk: Bundle, folder: Path) -> Bundle:
    from sayso.training.export_cells import export_cells

    return export_cells(home, trunk, folder, {"columns": []}, Draws(answers=3, longest=12))


@pytest.fixture
def opened(
    home: tuple[Path, Any], trunk: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[CellTrunk, Bundle]:
    monkeypatch.setattr(cells_module, "find_bundle", lambda name: trunk.folder)
    return load_cells(exported(home[0], trunk, tmp_path / "notebook-trunk").folder)


def test_cells_are_drawn_as_torch_says_them(opened: tuple[CellTrunk, Bundle], home: tuple[Path, Any]) -> None:
    from sayso.training.trunk_streams import Plan, answers

    model, bundle = opened
    assert not any("embed" in name for name in bundle.files) and bundle.settings["words"]
    row, found = model.answer(Request("Add them", CONTEXT))
    said = answers(home[1], [row.ids], Plan(longest=12, drawn=1), torch.device("cpu"))[0][0]
    assert found[0].text == model.tokens.decode(tuple(one for one in said[0] if one != EOS))
    assert found[0].log_prob == pytest.approx(said[1], abs=0.05)


def test_what_was_read_of_a_notebook_changes_no_answer(opened: tuple[CellTrunk, Bundle]) -> None:
    model, _ = opened
    long = (*CONTEXT, *(Piece("code", f"y{n} = x[0] + {n}") for n in range(12)))
    asked = [Request("Add them", long[:n]) for n in (2, 8, 14, 8)]
    fresh = []
    for one in asked:
        model.kept.clear()
        fresh.append(model.answer(one))
    model.kept.clear()
    assert [model.answer(one) for one in asked] == fresh


@pytest.mark.parametrize("makes", [Cells, lambda model, weighing: Calls(Cells(model, weighing))], ids=["code", "apis"])
def test_the_system_does_what_every_system_must(opened: tuple[CellTrunk, Bundle], makes: Any) -> None:
    """As tests/contracts/test_translators.py asks it of the others."""
    n = len(COLUMNS)
    system = makes(Drawn(opened[0]), Weighing(COLUMNS, (0.0,) * n, (1.0,) * n, (0.1,) * n))
    requests = [*map(Request, ("list all files", "", "  ", "🎉 ünïcödé 你好 \u202e", "'`$( {{{", "x\ny\tz"))]
    requests += [Request("word " * 2000), Request("Add them", CONTEXT)]
    found = {k: system.translate(requests, k) for k in (2, 9)}
    assert system.translate([], 3) == []
    assert [system.translate([one], 2)[0] for one in reversed(requests)][::-1] == found[2]
    assert [one[:2] for one in found[9]] == found[2]
    for candidates in found[9]:
        scores = [one.score for one in candidates]
        assert scores == sorted(scores, reverse=True) and len({one.text for one in candidates}) == len(candidates)


def rewritten(trunk: Bundle, folder: Path, files: Mapping[str, bytes]) -> Path:
    """The same trunk with other files, and so with another signature."""
    held = {**{name: trunk.read(name) for name in trunk.files}, **files}
    settings = {**trunk.settings, "facts": {"trained": "anew"}}
    made = write_bundle(
        folder, name="trunk", target="bash", kind=trunk.kind, settings=settings, files=held, licence="-"
    )
    assert made.signature != trunk.signature
    return made.folder


def test_other_words_are_refused_and_other_matrices_are_not(
    home: tuple[Path, Any], trunk: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = exported(home[0], trunk, tmp_path / "notebook-trunk").folder
    anew = rewritten(trunk, tmp_path / "anew", {})
    monkeypatch.setattr(cells_module, "find_bundle", lambda name: anew)
    assert load_cells(folder)
    pieces = {name: load(trunk.read(name)) for name in trunk.files if name.startswith("weights")}
    name = next(name for name, piece in pieces.items() if "embed.q" in piece)
    pieces[name]["embed.q"] = pieces[name]["embed.q"].copy()
    pieces[name]["embed.q"].flat[0] ^= 1
    other = rewritten(trunk, tmp_path / "other", {name: save(pieces[name])})
    monkeypatch.setattr(cells_module, "find_bundle", lambda name: other)
    with pytest.raises(BadBundle, match="other words"):
        load_cells(folder)
    with pytest.raises(BadBundle, match="not for cells"):
        load_cells(trunk.folder)


def test_the_rate_rises_and_falls_with_the_clock() -> None:
    from sayso.training.trunk_streams import Plan, rate_at

    plan = Plan()
    rates = [rate_at(share / 100, plan) for share in range(101)]
    assert rates[3] == pytest.approx(plan.rate, rel=0.01) and rates[-1] == pytest.approx(plan.rate * plan.least)
    assert rates[0] < rates[2] and all(one >= two for one, two in pairwise(rates[4:]))


def test_prompts_are_answered_and_go_home(home: tuple[Path, Any], tmp_path: Path) -> None:
    import time

    from sayso.training.pieces import Outbox
    from sayso.training.trunk_streams import Plan, answer_all

    asked = [{"id": f"dev {n}", "rank": n % 2, "prompt": [11, 12, 60 + n, 1]} for n in range(3)]
    plan = Plan(longest=4, drawn=2, together=2)
    answer_all(home[1], asked, plan, torch.device("cpu"), Outbox(tmp_path), time.monotonic() + 60)
    found = json.loads(lzma.decompress((tmp_path / "answers.json.xz").read_bytes()))
    assert sorted(found) == ["dev 0", "dev 1", "dev 2"] and all(len(one) == 3 for one in found.values())
