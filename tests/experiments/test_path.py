"""The whole path on a toy corpus: train here with resume; encode, train on a bare machine, collect; errors of each."""

from __future__ import annotations

import json
import lzma
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import torch

from sayso.apps.cli.main import main
from sayso.core.types import Request, Workspace
from sayso.experiments.systems import open_network
from sayso.neural.bundle import load_bundle
from sayso.runs.ledger import Ledger

pytestmark = pytest.mark.torch

Answer = Callable[..., Any]


@pytest.fixture(autouse=True)
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A corpus of our own in the files that NL2Bash has, and a results folder; one thread, as the machine is shared."""
    verbs = {"List": "ls -l", "Count the lines of": "wc -l", "Remove": "rm", "Show": "cat", "Sort": "sort"}
    pairs = [(f"{verb} {name}{n}.txt", f"{tool} {name}{n}.txt") for n in range(9) for name in ("a", "b", "note")
             for verb, tool in verbs.items()]  # fmt: skip
    parts = {"train": pairs[:95], "dev": pairs[95:115], "test": pairs[115:]}
    data = tmp_path / "data" / "nl2bash"
    (data / "split_paper").mkdir(parents=True)
    for side, at in (("nl", 0), ("cm", 1)):
        write(data / f"all.{side}.xz", [pair[at] for pair in pairs])
        for split, rows in parts.items():
            write(data / "split_paper" / f"{split}.{side}.filtered.xz", [pair[at] for pair in rows])
    monkeypatch.setenv("SAYSO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SAYSO_RESULTS", str(tmp_path / "results"))
    monkeypatch.chdir(tmp_path)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield tmp_path
    torch.set_num_threads(before)


def write(path: Path, lines: list[str]) -> None:
    path.write_bytes(lzma.compress(("\n".join(lines) + "\n").encode()))


@pytest.fixture
def answer(capsys: pytest.CaptureFixture[str]) -> Answer:
    """answer("train", "st-copynet", …): what --json prints."""

    def ask(*words: str) -> Any:
        capsys.readouterr()
        code = main([*words, "--json"])
        said = capsys.readouterr()
        assert code == 0, said.err
        return json.loads(said.out)

    return ask


@pytest.fixture
def refusal(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """refusal("train", …): exit code and the one line."""

    def ask(*words: str) -> tuple[int, str]:
        capsys.readouterr()
        code = main(list(words))
        said = capsys.readouterr()
        assert said.out == "" and "Traceback" not in said.err and said.err.count("sayso: ") == 1
        return code, said.err

    return ask


@pytest.mark.slow
def test_train_here_then_translate(toy: Path, answer: Answer, refusal: Callable[..., tuple[int, str]]) -> None:
    out = toy / "run"
    said = answer("train", "copynet-token", "--tiny", "--out", str(out), "--seed", "3", "--set", "epochs=1")
    assert said["recipe"] == "copynet-token" and said["reason"] == "epochs" and said["steps"] == 7 and said["seed"] == 3
    assert all(Path(path).stat().st_size > 1000 for path in said["figures"]) and len(said["figures"]) == 2

    bundle = load_bundle(out / "bundle")
    assert bundle.signature == said["signature"] and bundle.kind == "network" and bundle.target == "bash"
    system = open_network(bundle, Workspace(toy / "data", toy / "cache"))
    requests = [Request("List a3.txt"), Request("Count the lines of something.new")]
    found = system.translator.translate(requests, 2)
    assert [len(one) for one in found] == [2, 2] and found == system.translator.translate(requests, 2)
    assert all(one[0].score >= one[1].score for one in found) and system.translator.translate([], 2) == []

    (line,) = Ledger(toy / "results" / "ledger.jsonl").read()[0]
    assert (line.kind, line.system, line.seed, line.bundle) == ("train", "copynet-token", 3, bundle.signature)
    assert line.settings["training"]["epochs"] == 1 and line.settings["tiny"] and line.data

    code, message = refusal("train", "copynet-token", "--tiny", "--out", str(out))
    assert code == 2 and "already holds a training" in message and "--resume" in message
    code, message = refusal("train", "st-copynet", "--resume", "--out", str(out))
    assert code == 2 and "holds a training of copynet-token" in message
    code, message = refusal("train", "copynet-token", "--resume", "--out", str(out), "--set", "grain=char")
    assert code == 2 and "encoding of a training cannot change" in message
    code, message = refusal("train", "copynet-token", "--resume", "--out", str(out), "--set", "rate=0.5")
    assert code == 2 and "of another run: training.rate is 0.01 there and 0.5 here" in message

    further = answer("train", "copynet-token", "--resume", "--out", str(out), "--set", "epochs=2")
    whole = answer("train", "copynet-token", "--tiny", "--out", str(toy / "whole"), "--seed", "3")
    assert further["steps"] == whole["steps"] == 14
    weights = [load_bundle(one / "bundle").read("weights.safetensors") for one in (out, toy / "whole")]
    assert weights[0] == weights[1]
    curves = [(one / "work" / "curves.jsonl").read_text().splitlines() for one in (out, toy / "whole")]
    dev = [[json.loads(row) for row in rows if '"dev"' in row] for rows in curves]
    assert dev[0] == dev[1] and len(dev[0]) == 2

    again = answer("train", "copynet-token", "--resume", "--out", str(out))
    assert again["steps"] == 14 and again["signature"] == further["signature"]
    assert len(Ledger(toy / "results" / "ledger.jsonl").read()[0]) == 3

    words = next((out / "home").glob("*/target.vocabulary.json"))
    shutil.copy(words.with_name("source.vocabulary.json"), words)
    code, message = refusal("train", "copynet-token", "--resume", "--out", str(out))
    assert code == 2 and "is not the vocabulary that this network was trained with" in message

    (newest,) = (out / "work").glob("checkpoint-*")
    (newest / "weights.safetensors").write_bytes(b"nothing")
    code, message = refusal("train", "copynet-token", "--resume", "--out", str(out), "--set", "epochs=3")
    assert code == 2 and "weights.safetensors is missing or cut short" in message


def test_mistakes_are_found_before_anything_is_written(toy: Path, refusal: Callable[..., tuple[int, str]]) -> None:
    out = toy / "run"
    for words, code, wanted in (
        (["copynet-tokens"], 2, "did you mean copynet-token"),
        (["copynet-token", "--set", "training.bach=3"], 2, "did you mean training.batch"),
        (["copynet-token", "--set", "model.layer=3"], 2, "did you mean layers"),
        (["copynet-token", "--seed", "-1"], 2, "--seed must be 0 or more"),
        (["copynet-token", "--set", "speed=graphs", "--device", "cpu"], 2, "graphs needs a GPU"),
        (["copynet-token", "--device", "toaster"], 3, '"toaster" is no device'),
    ):
        found, message = refusal("train", *words, "--out", str(out))
        assert found == code and wanted in message
        assert not out.exists()
    if not torch.cuda.is_available():
        code, message = refusal("train", "copynet-token", "--device", "cuda", "--out", str(out))
        assert code == 3 and "there is no GPU" in message and "--device cpu" in message
    shutil.rmtree(toy / "data")
    code, message = refusal("train", "copynet-token", "--out", str(out))
    assert code == 2 and "NL2Bash corpus is not on this machine" in message


# What a lent machine does not have: refused by name in every process that the training starts.
BARE = """
import sys
MISSING = ("snowballstemmer", "tree_sitter", "platformdirs", "zstandard", "sacrebleu", "matplotlib", "spellchecker",
           "rich", "tokenizers", "transformers", "ray", "sayso.apps", "sayso.runs", "sayso.targets",
           "sayso.answer", "sayso.cookbook", "sayso.induction", "sayso.neural")
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(MISSING):
            raise ModuleNotFoundError(f"{name} is not on this machine")
sys.meta_path.insert(0, Refuse())
"""


@pytest.mark.slow
def test_encode_train_elsewhere_collect(toy: Path, answer: Answer, refusal: Callable[..., tuple[int, str]]) -> None:
    home = toy / "folder"
    recipes = ["--recipes", "st-copynet,seq2seq-char"]
    said = answer("encode", "bash/command", "--tiny", "--out", str(home), *recipes, "--set", "ship=int8")
    assert said["jobs"] == ["st-copynet", "seq2seq-char"] and len(said["data"]) == 2

    # Only jobs and ids travel; no word does.
    there = toy / "there"
    shutil.copytree(home / "data", there / "data")
    shutil.copy(home / "jobs.json", there)
    assert not any(b"note" in path.read_bytes() for path in there.rglob("*") if path.is_file())
    (toy / "bare").mkdir()
    (toy / "bare" / "sitecustomize.py").write_text(BARE)
    package = Path(__file__).resolve().parents[2] / "src"
    variables = {**os.environ, "PYTHONPATH": f"{toy / 'bare'}{os.pathsep}{package}"}
    command = [sys.executable, "-m", "sayso.training", str(there), "--out", str(home / "out"), "--parallel", "2",
               "--threads", "1", "--device", "cpu"]  # fmt: skip
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "st-copynet evaluated: step 7" in done.stdout and "2 of 2 jobs done" in done.stdout
    assert len(list((home / "out").iterdir())) == 2

    said = answer("collect", str(home), "--no-sandbox", "--resamples", "10", "--splits", "dev,test")
    assert {(one["system"], one["split"]) for one in said["reports"]} == {
        (job, split) for job in ("st-copynet", "seq2seq-char") for split in ("dev", "test")
    }
    assert all(one["scores"][0]["n"] == 20 for one in said["reports"])
    assert [one["test_runs"] for one in said["reports"] if one["split"] == "test"] == [1, 1]
    assert (toy / "results" / "predictions" / "bash" / "command" / "st-copynet.dev.jsonl.zst").is_file()

    # Answers searched there and those of the weights that came back are the same.
    bundle = load_bundle(Path(said["bundles"]["st-copynet"]))
    from sayso.runs.predictions import read_predictions
    from sayso.targets import TASKS

    workspace = Workspace(toy / "data", toy / "cache")
    examples = list(TASKS["bash/command"].load(workspace, "dev"))
    path = toy / "results" / "predictions" / "bash" / "command" / "st-copynet.dev.jsonl.zst"
    stored = {one.id: one.candidates for one in read_predictions(path)}
    translator = open_network(bundle, workspace).translator
    for example, found in zip(examples, translator.translate([one.request for one in examples], 3), strict=True):
        assert [one.text for one in found] == [one.text for one in stored[example.id]]

    trained = [line for line in Ledger(toy / "results" / "ledger.jsonl").read()[0] if line.kind == "train"]
    assert sorted(line.system for line in trained) == ["seq2seq-char", "st-copynet"]

    # Another training of a system stands beside the first.
    chosen = ("--only", "seq2seq-char", "--mark", "again")
    (again,) = answer("collect", str(home), "--no-sandbox", "--resamples", "10", *chosen)["reports"]
    assert again["system"] == "seq2seq-char-again" and again["split"] == "dev"
    assert path.with_name("seq2seq-char-again.dev.jsonl.zst").is_file()
    assert path.with_name("seq2seq-char.dev.jsonl.zst").is_file()

    # Damage on the way and results of another folder are refused.
    piece = home / "out" / "piece-00.bin"
    whole = piece.read_bytes()
    piece.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    code, message = refusal("collect", str(home), "--no-sandbox")
    assert code == 2 and "was altered" in message
    piece.write_bytes(whole)
    other = toy / "other"
    answer("encode", "bash/command", "--tiny", "--out", str(other), *recipes, "--set", "encoding.source_minimum=2")
    code, message = refusal("collect", str(other), "--from", str(home / "out"), "--no-sandbox")
    assert code == 2 and "trained with other settings" in message


@pytest.mark.slow
def test_a_job_that_fails_says_why_at_home(toy: Path, answer: Answer, capsys: pytest.CaptureFixture[str]) -> None:
    folder = toy / "folder"
    answer("encode", "bash/command", "--tiny", "--out", str(folder), "--recipes", "seq2seq-char")
    (array,) = folder.glob("data/*/train.npz")
    array.write_bytes(array.read_bytes()[:99])
    command = [sys.executable, "-m", "sayso.training", str(folder), "--device", "cpu"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 1 and "0 of 1 jobs done" in done.stdout
    assert main(["collect", str(folder), "--json", "--no-sandbox"]) == 0
    said = capsys.readouterr()
    assert "seq2seq-char failed where it was trained" in said.err and "does not hold encoded examples" in said.err
    assert json.loads(said.out.splitlines()[-1]) == {"reports": [], "bundles": {}}


def test_encode_refuses_by_name(toy: Path, refusal: Callable[..., tuple[int, str]], answer: Answer) -> None:
    out = str(toy / "folder")
    for words, wanted in (
        (["bash/comand"], "did you mean bash/command"),
        (["bash/command", "--recipes", "st-copy"], "did you mean st-copynet"),
        (["bash/command", "--recipes", "st-copynet", "--grain", "char"], "none of these recipes reads chars"),
        (["api/length-email", "--recipes", "t5"], "t5 needs a folder of T5-Base weights"),
        (["bash/command", "--seeds", "a"], "--seeds takes whole numbers"),
        (["bash/command", "--seeds", "1,1"], "once each"),
    ):
        code, message = refusal("encode", *words, "--out", out)
        assert code == 2 and wanted in message
    said = answer("encode", "bash/command", "--tiny", "--grain", "token", "--seeds", "0,5", "--out", out)
    names = [f"{recipe}.seed{seed}" for recipe in ("seq2seq-token", "copynet-token", "tellina") for seed in (0, 5)]
    assert said["jobs"] == names
    code, message = refusal("encode", "bash/command", "--tiny", "--out", out)
    assert code == 2 and "already holds a training folder" in message
    code, message = refusal("collect", out)
    assert code == 2 and "holds no results" in message
    code, message = refusal("collect", str(toy))
    assert code == 2 and "is no training folder" in message
    code, message = refusal("collect", out, "--splits", "train")
    assert code == 2 and "--splits takes dev and test" in message
