"""Recipes: the systems that the contract names, with the paper's numbers; changed by --set, shrunk by --tiny."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sayso.apps.cli.main import main
from sayso.core.errors import UnknownName, UserError
from sayso.experiments import RECIPES, find_recipe
from sayso.experiments.override import override
from sayso.experiments.recipe import for_task, make_job
from sayso.experiments.tiny import shrink
from sayso.targets import TASKS

API = ("lstm-attention", "transformer-copy-scratch", "t5-scratch", "transformer-copy", "t5")
POINTS = ("lstm-k3-n10", *(f"lstm-k{k}-n30" for k in (1, 2, 3, 5)))
NOTEBOOK = ("lstm-k1", "lstm-k3", *POINTS, "transformer-k1", "transformer-k3")
BASH = ("seq2seq-char", "seq2seq-token", "seq2seq-subtoken", "copynet-char", "copynet-token", "st-copynet")


def test_the_systems_of_the_contract_are_there_under_their_names() -> None:
    assert {*BASH, *API, *NOTEBOOK, "pipeline"} <= set(RECIPES)
    assert all(recipe.name == name for name, recipe in RECIPES.items())
    assert all(recipe.paper and recipe.what for recipe in RECIPES.values())
    assert all("table" in recipe.table or "figure" in recipe.table for recipe in RECIPES.values())


def test_what_cannot_be_trained_says_what_is_missing() -> None:
    for name in BASH:
        assert not RECIPES[name].lacks(TASKS)
    for name in ("transformer-copy", "t5"):
        assert "a folder of" in RECIPES[name].lacks(RECIPES[name].tasks)
    assert "a learner from instructions" in RECIPES["pipeline"].lacks(RECIPES["pipeline"].tasks)
    for name in NOTEBOOK:
        assert RECIPES[name].lacks(()) == f"the task {RECIPES[name].task}"
        assert not RECIPES[name].lacks(RECIPES[name].tasks)


@pytest.mark.parametrize("name", ["t5", "pipeline"])
def test_training_what_this_build_lacks_is_one_clear_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", name, "--out", str(tmp_path / "run")]) != 0
    said = capsys.readouterr().err
    assert said.startswith(f"sayso: {name} needs ") and "Traceback" not in said
    assert not (tmp_path / "run").exists()


def test_a_system_of_several_tasks_is_trained_for_one() -> None:
    recipe = RECIPES["t5-scratch"]
    assert recipe.task == "api/length-document" and len(recipe.tasks) == 10
    assert make_job(for_task(recipe, "api/scan-mcd2")).task == "api/scan-mcd2"
    with pytest.raises(UnknownName, match="task of t5-scratch"):
        for_task(recipe, "bash/command")


def test_okapi_and_juice_are_set_as_they_print() -> None:
    t5 = RECIPES["t5"].training
    assert (t5.rate, t5.batch, t5.steps) == (3e-4, 32, 200_000)
    lstm, transformer = RECIPES["lstm-k3"], RECIPES["transformer-k3"]
    assert (lstm.training.optimiser, lstm.training.rate, lstm.training.epochs) == ("adam", 1e-3, 40)
    assert lstm.decoding.beam == 5 and lstm.encoding.shared and lstm.encoding.context_longest == 75
    assert [RECIPES[name].encoding.context for name in POINTS] == [2, 0, 1, 2, 4]
    assert [RECIPES[name].training.share for name in POINTS] == [0.1, 0.3, 0.3, 0.3, 0.3]
    assert {RECIPES[name].encoding.key for name in NOTEBOOK} == {lstm.encoding.key}
    assert lstm.encoding.merges == 10_000
    assert (transformer.training.rate, transformer.training.warmup, transformer.training.epochs) == (5e-4, 2_000, 200)


@pytest.mark.parametrize("name", BASH)
def test_nl2bash_is_set_as_it_prints_but_for_its_rate(name: str) -> None:
    recipe = RECIPES[name]
    assert (recipe.training.optimiser, recipe.training.batch) == ("adam", 128)
    assert recipe.training.rate > 1e-4 and recipe.training.schedule == "cosine"
    assert (recipe.training.beta1, recipe.training.beta2, recipe.decoding.beam) == (0.9, 0.999, 100)
    assert {**recipe.model} == {"encoder": 200, "decoder": 400, "dropout": 0.4, "variational": True}
    assert recipe.encoding.copies == (recipe.network == "copynet") == ("copynet" in name)
    assert recipe.encoding.source_minimum == (1 if recipe.encoding.grain == "char" else 4)


@pytest.mark.torch
@pytest.mark.parametrize("name", [name for name, one in RECIPES.items() if not one.needs and name != "pipeline"])
def test_every_recipe_makes_a_network(name: str) -> None:
    pytest.importorskip("torch")
    from sayso.training.batches import CPU
    from sayso.training.runner import check_job

    check_job(make_job(RECIPES[name]), CPU)
    check_job(make_job(shrink(RECIPES[name])), CPU)


def test_settings_change_by_full_name_and_by_short_name() -> None:
    changed = override(
        RECIPES["st-copynet"],
        ["training.rate=3e-4", "batch=64", "decoding.batch=8", "model.decoder=100", "model.variational=false",
         "encoding.grain=char", "copies=False", "training.tokens=4_000", "alphas=0.5, 1"],
    )  # fmt: skip
    assert (changed.training.rate, changed.training.batch, changed.training.tokens) == (3e-4, 64, 4000)
    assert changed.decoding.alphas == (0.5, 1.0)
    assert changed.decoding.batch == 8 and changed.encoding.grain == "char" and changed.encoding.copies is False
    assert changed.model["decoder"] == 100 and changed.model["variational"] is False
    job = override(make_job(RECIPES["st-copynet"], seed=3), ["epochs=7"])
    assert job.training.epochs == 7 and job.seed == 3


@pytest.mark.parametrize(
    ("change", "message", "hint"),
    [
        ("training.rat=1", 'unknown setting "training.rat"', "did you mean training.rate"),
        ("bach=64", 'unknown setting "training.bach"', "did you mean training.batch"),
        ("optimizer.lr=1", "unknown setting", "known: decoding.alpha"),
        ("training.batch=many", 'training.batch must be a whole number, not "many"', "for example"),
        ("training.rate=fast", 'training.rate must be a number, not "fast"', "for example"),
        ("encoding.copies=yes", 'encoding.copies must be true or false, not "yes"', "--set encoding.copies=true"),
        ("training.schedule=cosin", 'unknown value of training.schedule "cosin"', "did you mean cosine"),
        ("training.batch=0", "training.batch must be 1 or more, not 0", "--set training.batch"),
        ("batch", '--set takes NAME=VALUE, not "batch"', "for example"),
    ],
)
def test_a_wrong_setting_is_one_clear_line(change: str, message: str, hint: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        override(RECIPES["st-copynet"], [change])
    assert hint in caught.value.hint


@pytest.mark.torch
def test_a_wrong_setting_of_a_network_has_near_misses() -> None:
    pytest.importorskip("torch")
    from sayso.training.batches import CPU
    from sayso.training.runner import check_job

    with pytest.raises(UnknownName, match="decodr") as caught:
        check_job(make_job(override(RECIPES["st-copynet"], ["model.decodr=100"])), CPU)
    assert "decoder" in caught.value.hint
    with pytest.raises(UserError, match="dropout"):
        check_job(make_job(override(RECIPES["st-copynet"], ["model.dropout=1.5"])), CPU)


def test_an_unknown_recipe_has_near_misses() -> None:
    with pytest.raises(UnknownName) as caught:
        find_recipe("stcopynet")
    assert "st-copynet" in caught.value.hint


def test_the_list_names_paper_and_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recipes"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in BASH) and "NL2Bash, tables 8, 9 and 15" in text
    assert main(["recipes", "--json", "--task", "bash/command"]) == 0
    rows = json.loads(capsys.readouterr().out)["recipes"]
    assert {"name", "paper", "table", "task", "network", "model", "training"} <= rows[0].keys()
    assert main(["recipes", "st-copynet"]) == 0
    assert "training.rate = 0.0008" in capsys.readouterr().out
    assert main(["recipes", "--task", "bash/comand"]) == 2
    assert main(["recipes", "st-copynets"]) == 2


def test_the_list_needs_neither_torch_nor_numpy(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['torch'] = sys.modules['numpy'] = sys.modules['safetensors'] = None\n"
        "from sayso.apps.cli.main import main\n"
        "assert main(['recipes', '--json']) == 0\n"
        f"sys.exit(main(['train', 'st-copynet', '--out', {str(tmp_path / 'run')!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 3 and '"st-copynet"' in done.stdout
    assert "need torch" in done.stderr and "sayso[train]" in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "run").exists()
