"""Pairs and texts for the trunk: typed as people type, nothing too long, nothing evaluated, finished folders whole."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import save
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from sayso.core.types import Piece, Workspace
from sayso.english.cut import ALPHABET, cut_vocabulary
from sayso.english.prompt import FIRST_WORD, TrunkTokens, request_ids
from sayso.experiments import trunk, trunk_further
from sayso.experiments.trunk_data import (
    LONGEST_ANSWER,
    Ids,
    as_ids,
    both_ways,
    cookbook_pairs,
    first_step,
    in_haste,
    second_step,
    spoken_otherwise,
    to_arrays,
    told_back,
    write_folder,
)
from sayso.experiments.trunk_plans import ELSEWHERE, PLANS
from sayso.experiments.trunk_soft import Likely, read_candidates
from sayso.experiments.trunk_texts import count_tokens, evaluated_packages, with_equal_weight
from sayso.models.int4 import pack
from sayso.models.llama import Llama, LlamaSettings
from sayso.models.lora import adapter_weights, add_adapter, matrices
from sayso.models.trunk_folder import load_trunk_adapter, load_trunk_folder, save_trunk
from sayso.targets.bash.cookbook.meaning import is_held_back
from sayso.targets.bash.cookbook.recipes import FOLDER as COOKBOOK
from sayso.targets.bash.cookbook.recipes import load_recipes
from sayso.targets.bash.corpus.asked.pairs import AskedPair
from sayso.targets.bash.corpus.unseen import Pair
from sayso.training.arrays import joined, load_encoded
from sayso.training.decode import pack_answers
from sayso.training.pieces import Outbox
from sayso.training.trunk_plan import read_plan

pytestmark = pytest.mark.torch


def definition() -> str:
    names = [f"<special {number}>" for number in range(FIRST_WORD)]
    tokens = {name: at for at, name in enumerate([*names, *sorted(ALPHABET)])}
    engine = Tokenizer(models.BPE(vocab=tokens, merges=[]))
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    engine.decoder = decoders.ByteLevel()
    engine.add_special_tokens(names)
    return cut_vocabulary(engine.to_str(), []).definition


TOKENS = TrunkTokens(definition())
ROW = st.lists(st.integers(0, 99), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("List all files.", "list all files"),
        ("Print README.md", "print README.md"),
        ("GNU tar of the folder", "GNU tar of the folder"),
        ("README.md is too long...", "README.md is too long..."),
        ("go to ..", "go to .."),
    ],
)
def test_a_request_is_typed_without_ceremony(written: str, typed: str) -> None:
    assert spoken_otherwise(written) == typed


@given(st.text())
def test_typing_twice_changes_nothing_more(text: str) -> None:
    once = spoken_otherwise(text)
    assert len(once) <= len(text)
    assert once.lower().rstrip(".") == spoken_otherwise(once).lower().rstrip(".")


def test_both_ways_repeats_only_what_differs() -> None:
    pairs = [Pair("List files", "ls", "x"), Pair("list it", "ls", "x")]
    assert [pair.text for pair in both_ways(pairs)] == ["List files", "list files", "list it"]


def test_steps_mix_what_they_say_and_are_the_same_for_the_same_seed() -> None:
    sheets = [Pair(f"Show page {n}.", f"man {n}", "tldr") for n in range(40)]
    grammar = [Pair(f"count {n}", f"wc {n}", "grammar") for n in range(30)]
    first = first_step(sheets, grammar, seed=1)
    assert Counter(pair.source for pair in first) == {"tldr": 40, "grammar": 30}
    assert 5 < sum(pair.text[0] == "s" for pair in first) < 35
    assert first == first_step(sheets, grammar, seed=1) != first_step(sheets, grammar, seed=2)
    second = second_step(sheets[:3], 4, grammar[:5])
    assert Counter(pair.source for pair in second) == {"tldr": 24, "grammar": 5}


def test_haste_leaves_what_the_command_says() -> None:
    pairs = [Pair(f"Show the Size of folder{n} in Documents", f"du -sh Documents/folder{n}", "x") for n in range(300)]
    found = list(in_haste(pairs, seed=1))
    assert all("Documents" in pair.text.split() and f"folder{n}" in pair.text.split() for n, pair in enumerate(found))
    shares = {word: sum(word in pair.text.split() for pair in found) / 300 for word in ("the", "size")}
    assert 0.6 < shares["the"] < 0.8 and 0.35 < shares["size"] < 0.6
    assert any(
        set(pair.text.split()) - set(f"Show show the Size size of folder{n} in Documents".split())
        for n, pair in enumerate(found)
    )  # somebody slipped
    assert found == list(in_haste(pairs, seed=1)) != list(in_haste(pairs, seed=2))


def test_nothing_is_learnt_of_phrasings_that_weights_are_fitted_with() -> None:
    plain = [(recipe, say) for recipe in load_recipes(COOKBOOK) for say in recipe.say if "{" not in say]
    taught = {pair.text for pair in cookbook_pairs(turns=1)}
    kept = [say for _, say in plain if not is_held_back(say)]
    assert len(kept) > 500 and all(say in taught for say in kept)
    assert not [say for _, say in plain if is_held_back(say) and say in taught and say not in kept]


def test_what_is_too_long_is_left_out_and_counted(tmp_path: Path) -> None:
    dropped: Counter[str] = Counter()
    pairs = [Pair("go", "cd", "x"), Pair("go", "c" * LONGEST_ANSWER, "x")]
    assert len(list(as_ids(TOKENS, pairs, dropped))) == 1
    write_folder(tmp_path, TOKENS, {"first": pairs}, dropped)
    assert len(load_encoded(tmp_path / "first.npz")) == 1
    counts = json.loads((tmp_path / "counts.json").read_text())
    assert (counts["first"]["rows"], counts["dropped"]) == (1, {"x: too long": 2})


@given(st.lists(st.lists(st.tuples(ROW, ROW), max_size=4), min_size=1, max_size=4))
def test_rows_of_other_targets_follow_unchanged(parts: list[list[tuple[list[int], list[int]]]]) -> None:
    whole = joined([to_arrays([Ids(source, target) for source, target in part]) for part in parts])
    rows = [(source, target) for part in parts for source, target in part]
    assert [(whole.source[at].tolist(), whole.target[at].tolist()) for at in range(len(whole))] == rows
    assert len(whole) == len(rows) == len(whole.extra)


def test_a_step_has_the_rows_beside_it_and_no_other_has(tmp_path: Path) -> None:
    other = to_arrays([Ids([7, 20, 21], [1, 22, 2]), Ids([7, 23], [1, 2])])
    steps = {"first": [Pair("go", "cd", "x")], "hard": [Pair("go", "cd", "x")]}
    write_folder(tmp_path, TOKENS, steps, Counter(), {"hard": {"calls": other}})
    first, hard = (load_encoded(tmp_path / f"{name}.npz") for name in steps)
    assert (len(first), len(hard)) == (1, 3)
    assert hard.source[1].tolist() == [7, 20, 21]
    facts = json.loads((tmp_path / "counts.json").read_text())["hard"]
    assert (facts["rows"], facts["beside"], facts["mean_request"], facts["mean_answer"]) == (1, {"calls": 2}, 2.7, 3.0)


def test_a_command_is_told_back_as_context_of_no_request() -> None:
    (row,) = told_back(TOKENS, [Pair("go", "cd", "x"), Pair("go", "c" * LONGEST_ANSWER, "x")])
    assert row.source == request_ids(TOKENS, "", context=[Piece("code", "cd")]) != request_ids(TOKENS, "cd")
    assert TOKENS.decode(row.target[1:]) == "go"


def test_new_pairs_stand_again_about_other_names_and_old_ones_are_sampled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """(pairs, rows) of a trunk that goes on: nothing old is forgotten and nothing held out is learnt."""
    written = [
        AskedPair(f"{writer}:{at}", "one", "x", "plain", f"show {name}", f"cat {name}")
        for writer, names in {"new": ("a.txt", "b.txt"), "old": ("c.txt", "d.txt", "e.txt")}.items()
        for at, name in enumerate(names)
    ]
    monkeypatch.setattr(trunk_further, "load_asked", lambda: written)
    monkeypatch.setattr(trunk_further, "nl2bash_pairs", lambda _: [Pair("List it", "ls", "nl2bash")])
    monkeypatch.setattr(trunk_further, "cookbook_pairs", lambda _: [])
    monkeypatch.setattr(trunk_further, "clean", lambda _, pairs, dropped: list(pairs))
    monkeypatch.setattr(trunk_further, "dev_pairs", lambda *_: [Pair("one", "ls", "dev")] * 13)
    monkeypatch.setattr(trunk_further, "weighing_pairs", lambda *_: [])
    to_arrays([Ids([5, 6], [7])] * 4).save(tmp_path / "calls.npz")
    monkeypatch.setattr(trunk_further, "MOST_BESIDE", 9)
    facts = trunk_further.write_further(
        Workspace(tmp_path, tmp_path), TOKENS, ["new"], 3, [tmp_path / "calls.npz"], 1, tmp_path / "out"
    )
    found = facts["further"]
    assert isinstance(found, dict)
    assert found["rows"] == 2 + 2 + 3 and found["beside"] == {"calls": 3, "told back": 1}
    assert facts["dev-few"] == 2


def test_examples_stand_before_the_requests_that_have_some(tmp_path: Path) -> None:
    pairs = [Pair("go", "cd", "x"), Pair("stay", "pwd", "x"), Pair("leave", "exit", "x")]
    home, long = Piece("text", "home: cd"), Piece("text", "x" * 200)
    dropped: Counter[str] = Counter()
    write_folder(tmp_path, TOKENS, {"hard": pairs}, dropped, None, {"hard": [None, home, long]})
    found = load_encoded(tmp_path / "hard.npz").source
    assert found[0].tolist() == request_ids(TOKENS, "go")
    assert found[1].tolist() == request_ids(TOKENS, "stay", context=[home])
    assert (len(found), dropped) == (2, {"x: too long": 1})


def test_packages_under_evaluation_are_found_in_lists_and_tables(tmp_path: Path) -> None:
    path = tmp_path / "eval.json"
    path.write_text(
        json.dumps({"T": [{"name": "one"}], "V": {"two": {"source": "three"}}, "other": [{"name": "four"}]})
    )
    assert evaluated_packages(path) == {"one", "two", "three"}


def test_every_target_weighs_the_same() -> None:
    counts = count_tokens(TOKENS.definition, ["aab", "b"])
    assert counts == {"a": 2, "b": 2}
    assert with_equal_weight({"one": counts, "two": {"a": 50}}) == {"a": 15 * 10**8, "b": 5 * 10**8}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    shape = LlamaSettings(len(TOKENS), len(TOKENS), width=32, heads=2, key_heads=1, layers=3, feed_forward=32)
    torch.manual_seed(0)
    save_trunk(tmp_path / "base", shape, Llama(shape).state_dict(), TOKENS.definition)
    return tmp_path / "base"


def test_an_adapter_that_came_home_stands_on_its_trunk(base: Path, tmp_path: Path) -> None:
    network = load_trunk_folder(base)
    add_adapter(network, rank=2, alpha=4)
    out = Outbox(tmp_path / "out")
    out.put("lora/result.json", json.dumps({"variant": {"alpha": 4}, "alpha": 4.0, "dropped": []}).encode())
    weights = {f"model.{name}": one.half() for name, one in adapter_weights(network).items()}
    out.put("lora/adapter.safetensors", save(weights))
    made = tmp_path / "made"
    assert trunk.main(["finish", str(tmp_path / "out"), "lora", f"--trunk={base}", f"--out={made}"]) == 0
    found = load_trunk_folder(made)
    load_trunk_adapter(found, made / "adapters" / "bash")
    assert all(matrix.scale == 2 for _, matrix in matrices(found))
    assert json.loads((made / "adapters/bash/adapter.json").read_text())["rank"] == 2


def test_matrices_that_came_home_make_a_trunk_with_fewer_layers(base: Path, tmp_path: Path) -> None:
    network = load_trunk_folder(base)
    weights: dict[str, torch.Tensor] = {}
    for name, one in network.state_dict().items():
        if name.startswith("layers.2."):
            continue
        if "proj" in name:
            packed = pack(one)
            weights |= {f"model.{name}.q": packed.q, f"model.{name}.d": packed.d}
        elif not name.startswith("embed"):
            weights[f"model.{name}"] = one.half()
    out = Outbox(tmp_path / "out")
    out.put("cut/result.json", json.dumps({"variant": {}, "dropped": [2]}).encode())
    out.put("cut/int4.safetensors", save(weights))
    made = tmp_path / "made"
    assert trunk.main(["finish", str(tmp_path / "out"), "cut", f"--trunk={base}", f"--out={made}"]) == 0
    assert load_trunk_folder(made).settings.layers == 2
    assert trunk.main(["finish", str(tmp_path / "out"), "none", f"--trunk={base}", f"--out={made}"]) == 2


@pytest.mark.parametrize("name", sorted(PLANS))
def test_a_plan_can_be_written_and_every_start_comes_before_its_variant(name: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    assert trunk.main(["plan", name, f"--out={path}"]) == 0
    known = {"trunk", *ELSEWHERE.get(name, ())}
    for variant in read_plan(path):
        assert set(variant.start.replace("+", "|").split("|")) <= known
        known.add(variant.name)
    assert trunk.main(["plan", "nope", f"--out={path}"]) == 2


def test_cookbook_pairs_fill_what_is_said() -> None:
    pairs = list(cookbook_pairs(turns=1))
    assert len(pairs) > 1000
    assert not [pair for pair in pairs if "{" in pair.text]
    assert len({pair.command for pair in pairs}) > 500


def test_answers_to_folds_come_home_as_candidates(base: Path, tmp_path: Path) -> None:
    outs = [tmp_path / f"out-{fold}" for fold in range(3)]
    for fold, folder in enumerate(outs):
        (tmp_path / f"fold-{fold}.json").write_text(json.dumps([{"id": f"g{fold}", "request": "list it"}]))
        ids = tuple(TOKENS.encode("ls"))
        Outbox(folder).put(f"fold-{fold}/fold-{fold}.npz", pack_answers([[(ids, -0.5), (ids, -0.75)]]))
    made = tmp_path / "said.jsonl"
    places = [f"--data={tmp_path}", f"--trunk={base}", f"--out={made}"]
    assert trunk.main(["candidates", *map(str, outs), *places]) == 0
    rows = [json.loads(line) for line in made.read_text().splitlines()]
    assert rows[1] == {"id": "g1", "request": "list it", "answers": [{"text": "ls", "logprob": -0.5}], "fold": 1}
    assert read_candidates(made)["g2"] == [Likely("ls", -0.5)]
