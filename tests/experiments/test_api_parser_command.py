"""A parser is trained, stored, opened by its task's opener and scored, on a corpus of a few lines."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from sayso.core.types import Request, Workspace
from sayso.experiments.api_parser_command import load, main
from sayso.neural.bundle import load_bundle
from sayso.targets.api.systems.shipped import open_system

ROWS = [
    (f"show the mails from {name}{said}", f"GET message FILTER message.from eq {name}{clause}")
    for name in ("Mia Holt", "Bo Ek", "Ines Falk")
    for said, clause in (("", ""), (" that are unread", " FILTER message.isRead eq False"), (", counted", " COUNT"))
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for split in ("Length", "Program"):
        folder = tmp_path / "okapi" / f"{split}_Split" / "email_domain"
        folder.mkdir(parents=True)
        rows = ROWS if split == "Length" else ROWS[:4]
        for part, some in (("train", rows[:8]), ("dev", rows[4:]), ("test", rows[-1:])):
            text = "".join(f"{request}\t{call}\n" for request, call in some)
            (folder / f"nl_api.{part}.tsv.xz").write_bytes(lzma.compress(text.encode()))
    return tmp_path


def test_a_union_is_both_splits_and_its_dev_is_new_to_it(data: Path) -> None:
    assert [len(load(task, data, "train")) for task in ("length-email", "program-email", "union-email")] == [8, 4, 8]
    assert [request for request, _ in load("union-email", data, "dev")] == [ROWS[8][0]]


@pytest.mark.slow
@pytest.mark.torch
def test_train_store_open_and_score(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "bundle"
    where = ["--data", str(data)]
    assert main(["train", "length-email", *where, "--epochs", "1", "--seeds", "0", "1", "--out", str(folder)]) == 0
    bundle = load_bundle(folder)
    assert bundle.settings["networks"] == 2 and "MODEL_CARD.md" in bundle.files
    system = open_system(bundle, Workspace(data, data))
    assert system.translator.translate([Request("the mails from Bo Ek")], 1)[0][0].text.startswith("GET message")
    capsys.readouterr()
    answers = tmp_path / "answers.jsonl"
    assert main(["score", "length-email", *where, "--bundle", str(folder), "--answers", str(answers)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["n"] == said["scores"]["exact"][1] == len(answers.read_text().splitlines()) == 5
    assert sum(said["mistakes"].values()) == round(5 * (1 - said["scores"]["exact"][0]))
    assert set(said["annotation"]) == {"wrong", "right"}
    assert said["annotation"]["wrong"] <= sum(said["mistakes"].values())


def test_weights_that_are_not_there_are_named(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import zipfile

    path = tmp_path / "none.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("other.npz", b"")
    out = str(tmp_path / "bundle")
    assert main(["pack", "length-email", "--data", str(data), "--weights", str(path), "--out", out]) == 2
    assert "no weights of length-email, seed 0" in capsys.readouterr().err
