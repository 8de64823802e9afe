"""Jobs of two folders trained as one stack: each learns its own toy, answers come home, and some never end."""

from __future__ import annotations

import io
import json
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from sayso.core.types import Example, Request  # noqa: E402
from sayso.targets.api.tasks import API  # noqa: E402
from sayso.training.decode import unpack_answers  # noqa: E402
from sayso.training.encode import load_vocabularies  # noqa: E402
from sayso.training.jobs import Job, read_data, read_jobs, write_folder  # noqa: E402
from sayso.training.pieces import join_pieces  # noqa: E402
from sayso.training.settings import Decoding, Encoding, Training  # noqa: E402
from sayso.training.stacked import Adam, Stack  # noqa: E402
from sayso.training.stacked_data import Member, make_table, orders  # noqa: E402
from sayso.training.stacked_plan import main  # noqa: E402

pytestmark = [pytest.mark.torch]

WORDS = {"ab": ("one two", "two one", "one one two", "two"), "cde": ("red blue", "blue", "green red blue", "red")}
MODEL = {"cell": "lstm", "embedding": 16, "encoder": 8, "decoder": 16, "layers": 2, "dropout": 0.0}
JOB = Job(
    "toy", "toy", "api/toy", "api", "copynet", {**MODEL, "variational": False, "attention": "general"},
    Encoding("token", copies=True, words="plain"), Training(), Decoding(beam=1, k=1, longest=6),
)  # fmt: skip


def make_folders(root: Path) -> list[Path]:
    for name, texts in WORDS.items():
        rows = [Example(str(at), Request(text), (text.upper(),)) for at, text in enumerate(texts)]
        write_folder(root / name, [JOB], API, {"train": rows, "dev": rows, "test": rows}, lambda rows: "")
    return [root / name for name in WORDS]


def member(folder: Path, *, ends: bool = True, rows: tuple[int, ...] = ()) -> Member:
    job = read_jobs(folder)[0]
    return Member(f"{folder.name}.0", folder, job, read_data(folder, job), rows, ends)


@pytest.mark.slow
def test_every_network_learns_its_own_task(tmp_path: Path) -> None:
    torch.manual_seed(0)
    members = [member(folder) for folder in make_folders(tmp_path)]
    made = Stack(members, torch.device("cpu"), ("train", "dev"))
    for _ in made.fit(0.01, time.monotonic() + 600, 4, batch=8, most=400):
        pass
    assert made.best_score == [1.0, 1.0]
    for at, one in enumerate(members):
        words = load_vocabularies(one.folder / "home" / JOB.encoding.key)
        said = [words.target.decode(answers[0][0]) for answers in made.answer([at], "dev", 6)[0]]
        assert [" ".join(parts).lower() for parts in said] == list(WORDS[one.folder.name])


def test_dev_can_be_other_rows_for_every_network(tmp_path: Path) -> None:
    members = [member(folder) for folder in make_folders(tmp_path)]
    members = [replace(members[0], dev_rows=(1, 3)), replace(members[1], dev_rows=(0, 1, 2, 3))]
    made = Stack(members, torch.device("cpu"), ("dev",))
    first = made.tables["dev"].first
    assert [(made.dev_index(at) - first[at]).tolist() for at in (0, 1)] == [[1, 3, 1, 3], [0, 1, 2, 3]]


def test_one_without_an_end_learns_none_and_says_none(tmp_path: Path) -> None:
    folder = make_folders(tmp_path)[0]
    with_end, without = (
        make_table([member(folder, ends=ends)], "train", 9, torch.device("cpu")) for ends in (True, False)
    )
    assert (with_end.target == 2).sum() == 4 and not (without.target == 2).any()
    made = Stack([member(folder, ends=False)], torch.device("cpu"), ("dev",))
    assert {len(answers[0][0]) for answers in made.answer([0], "dev", 6, ends=False)[0]} == {6}


def test_extended_ids_come_back_as_the_network_knows_them(tmp_path: Path) -> None:
    small, large = (member(folder) for folder in make_folders(tmp_path))
    table = make_table([small, large], "dev", large.data.output_size, torch.device("cpu"))
    own = make_table([small], "dev", small.data.output_size, torch.device("cpu"))
    shift = large.data.output_size - small.data.output_size
    assert shift > 0
    extended = own.extended >= small.data.output_size
    assert extended.any()
    here = table.extended[: len(own.extended), : own.extended.shape[1]]
    assert torch.equal(here, torch.where(extended, own.extended + shift, own.extended))


def test_a_plan_is_carried_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_folders(tmp_path)
    each = {"job": "toy", "answers": [["dev", True], ["test", False]], "tune": True}
    rows = [{"name": f"{name}/toy.seed0", "folder": name, **each} for name in WORDS]
    stack = {"name": "toys", "system": "toy", "members": rows, "weight": 1, "looks": 1, "longest": 6, "batch": 4}
    grid = {"grid": [[1e-3, 0.0], [1e-3, 0.1]], "tune": 0.1, "answering": 0.1}
    (tmp_path / "plan.json").write_text(json.dumps([{**stack, **grid}, {**stack, "name": "bad", "members": [{}]}]))
    assert main([str(tmp_path / "plan.json"), "--out", str(tmp_path / "out"), "--device", "cpu", "--seconds", "1"]) == 1
    assert "bad failed" in capsys.readouterr().out
    archive = zipfile.ZipFile(io.BytesIO(join_pieces(tmp_path / "out")["toys.zip"]))
    assert len(unpack_answers(archive.read("ab/toy.seed0/dev.npz"), "")) == 4
    assert {len(row[0][0]) for row in unpack_answers(archive.read("cde/toy.seed0/test.endless.npz"), "")} == {6}
    result = json.loads(archive.read("ab/toy.seed0/result.json"))
    assert result["step"] >= 1 and result["job"]["training"]["rate"] == 1e-3


def test_gradients_of_any_layout_move_the_weights() -> None:
    """As torch's own Adam does; gradients are laid out as the weights are, which a fused kernel insists on."""
    torch.manual_seed(0)
    ours, theirs = (torch.nn.Parameter(torch.ones(2, 3, 4)) for _ in range(2))
    speed = torch.tensor(0.01)
    adam, own = Adam([ours], speed, fused=False), torch.optim.Adam([theirs], lr=0.01)
    for _ in range(3):
        gradient = torch.randn(2, 4, 3).transpose(1, 2)
        adam.move([gradient.to(torch.bfloat16)], torch.tensor([1.0, 0.5]))
        assert ours.grad is not None and ours.grad.stride() == ours.stride() and ours.grad.dtype == ours.dtype
        theirs.grad = gradient.to(torch.bfloat16).float() * torch.tensor([1.0, 0.5])[:, None, None]
        own.step()
    assert torch.allclose(ours, theirs, atol=1e-6)


@pytest.mark.parametrize("fused", [False, True])
def test_a_pretrained_part_moves_by_its_share_of_the_rate(fused: bool) -> None:
    """Adam's first update is as large as the rate, whatever the gradient."""
    slow, quick = (torch.nn.Parameter(torch.ones(2, 3)) for _ in range(2))
    adam = Adam([slow, quick], torch.tensor(0.01), fused=fused, shares=[0.1, 1.0])
    adam.move([torch.ones(2, 3), torch.ones(2, 3)], torch.ones(2))
    assert torch.allclose(1 - slow, torch.full((2, 3), 0.001), atol=1e-6)
    assert torch.allclose(1 - quick, torch.full((2, 3), 0.01), atol=1e-6)


def test_rows_that_are_too_long_are_left_out(tmp_path: Path) -> None:
    folder = make_folders(tmp_path)[0]
    table = make_table([member(folder)], "train", 9, torch.device("cpu"), share=0.6)
    assert table.source.shape[1] == 2 and table.fits.tolist() == [True, True, False, True]
    assert 2 not in orders([member(folder)], table, 5, 4)
