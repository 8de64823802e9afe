"""A tiny random trunk, exported on the spot: the runtime must say what torch says, in floats, 8 and 4 bits."""

from __future__ import annotations

import gc
import json
import shutil
import socket
import sys
import weakref
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sayso.core.errors import BadBundle, BadFile, BadRequest, MissingPart, UserError
from sayso.core.types import Piece, Request, System, Workspace
from sayso.english.prompt import FIRST_WORD, TAGS
from sayso.neural.beam import Beam, beam_search
from sayso.neural.bundle import MANIFEST, load_bundle, signature_of
from sayso.neural.runtime import Memory
from sayso.neural.translator import NeuralTranslator, load_neural, read_request
from sayso.targets import TARGETS, TASKS

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
pytest.importorskip("onnxruntime")

REQUESTS = [Request(text) for text in ("list files", "count the lines of a.txt", "b", "who is there, and since when")]
BEAM = Beam(width=4, n_best=4, longest=8)


def tokenizer() -> str:
    from sayso.english.byte_bpe import alphabet

    parts = [*(f"<{one}>" for one in range(FIRST_WORD)), *sorted(alphabet().values()), "li", "st", "list"]
    merges = [["l", "i"], ["s", "t"], ["li", "st"]]
    digits = {"type": "Digits", "individual_digits": True}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    model = {"type": "BPE", "vocab": {part: i for i, part in enumerate(parts)}, "merges": merges}
    pre = {"type": "Sequence", "pretokenizers": [digits, level]}
    return json.dumps({"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": pre, "model": model})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random trunk that is sure of itself, with an adapter."""
    from sayso.models.llama import Llama, LlamaSettings
    from sayso.models.lora import add_adapter, matrices
    from sayso.models.trunk_folder import WEIGHTS, digest_of, save_adapter, save_trunk

    torch.manual_seed(5)
    size = len(json.loads(tokenizer())["model"]["vocab"])
    settings = LlamaSettings(size, size, width=64, heads=2, key_heads=1, layers=3, feed_forward=96, dropout=0.0)
    network = Llama(settings)
    with torch.no_grad():
        network.embed_tokens.weight.normal_(0, 0.4)
        for _, matrix in matrices(network):
            matrix.weight.normal_(0, 0.15)
    made = tmp_path_factory.mktemp("trunk")
    save_trunk(made, settings, network.state_dict(), tokenizer())
    add_adapter(network, rank=4, alpha=8.0)
    with torch.no_grad():
        for _, matrix in matrices(network):
            matrix.b.normal_(0, 0.1)
    about = {"target": "bash", "base": digest_of(made / WEIGHTS)}
    save_adapter(made / "adapters" / "bash", network, 4, 8.0, about)
    return made


def torch_answers(folder: Path, requests: list[Request], beam: Beam, adapter: bool = False) -> list[list[Any]]:
    from sayso.english.byte_bpe import read_bpe
    from sayso.models.batch import Batch
    from sayso.models.search import SearchSettings, beam_search
    from sayso.models.trunk_folder import load_trunk_adapter, load_trunk_folder

    network = load_trunk_folder(folder).eval()
    if adapter:
        load_trunk_adapter(network, folder / "adapters" / "bash")
    tokens = read_bpe(tokenizer().encode())
    found = []
    for request in requests:
        source = torch.tensor([read_request(tokens, request, "bash")[:-1]])  # the search says BOS by itself
        batch = Batch(source, source, torch.zeros(1, 0, dtype=torch.long), 0)
        wanted = SearchSettings(beam.width, beam.n_best, beam.longest, beam.length_power)
        answers = beam_search(network, batch, wanted)[0]
        found.append([(tokens.decode(one.ids), one.log_prob) for one in answers])
    return found


def translator(bundle: Path, adapter: Path | None = None) -> NeuralTranslator:
    made = load_neural(bundle, "bash", adapter).translator
    assert isinstance(made, NeuralTranslator)
    return made


def export(folder: Path, bundle: Path, **settings: Any) -> Path:
    from sayso.training.export import export_trunk

    return export_trunk(folder, bundle, beam=BEAM, **settings).folder


@pytest.fixture(scope="module")
def rounded(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same folder after what 8 bits leave of it, so that nothing but the runtime can differ."""
    from safetensors.torch import load_file, save_file

    from sayso.neural.weights import numbers, whole

    made = tmp_path_factory.mktemp("rounded")
    shutil.copytree(folder, made, dirs_exist_ok=True)
    weights = load_file(made / "model.safetensors")
    for name, one in weights.items():
        if one.ndim == 2:
            weights[name] = torch.tensor(whole(*numbers(one.float().numpy(), 8), 8))
    save_file(weights, made / "model.safetensors")
    return made


def test_in_floats_it_says_what_torch_says(rounded: Path, tmp_path: Path) -> None:
    found = translator(export(rounded, tmp_path / "b", bits=8, compute=32)).translate(REQUESTS, 4)
    expected = torch_answers(rounded, REQUESTS, BEAM)
    for ours, theirs in zip(found, expected, strict=True):
        assert [one.text for one in ours] == [text for text, _ in theirs]
        logs = [float(torch.tensor(one.score).log()) for one in ours]
        assert logs == pytest.approx([log_prob for _, log_prob in theirs], abs=1e-3)


@pytest.mark.parametrize(("bits", "reach"), [(8, 0.15), (4, 1.5)])
def test_in_few_bits_it_is_close(folder: Path, tmp_path: Path, bits: int, reach: float) -> None:
    exact = translator(export(folder, tmp_path / "exact", bits=8, compute=32))
    few = translator(export(folder, tmp_path / "few", bits=bits))
    prompts = [read_request(exact.tokens, request, "bash") for request in REQUESTS]
    for prompt in prompts:
        difference = exact.trunk.start([prompt])[0] - few.trunk.start([prompt])[0]
        assert abs(difference).mean() < reach
    sizes = {one.name: sum(file.stat().st_size for file in one.iterdir()) for one in tmp_path.iterdir()}
    assert bits == 8 or sizes["few"] < sizes["exact"]


def test_rows_of_different_lengths_read_as_they_do_alone(folder: Path, tmp_path: Path) -> None:
    import numpy as np

    trunk = translator(export(folder, tmp_path / "b", bits=8, compute=32)).trunk
    long, short = [TAGS["bash"], *range(20, 31), 1], [TAGS["bash"], 40, 1]
    together, state = trunk.start([long, short])
    next_together, _ = trunk.step(state, np.array([50, 60, 61]), np.array([0, 1, 1]))
    for place, (prompt, ids) in enumerate([(long, [50]), (short, [60, 61])]):
        alone, state = trunk.start([prompt])
        assert abs(alone[0] - together[place]).max() < 1e-4
        after, _ = trunk.step(state, np.array(ids), np.zeros(len(ids), np.int64))
        assert abs(after - next_together[place : place + len(ids)]).max() < 1e-4


def test_a_step_is_as_good_as_reading_the_whole_again(folder: Path, tmp_path: Path) -> None:
    import numpy as np

    trunk = translator(export(folder, tmp_path / "b", bits=8, compute=32)).trunk
    _, state = trunk.start([[TAGS["bash"], 30, 1]])
    _, state = trunk.step(state, np.array([40, 41]), np.array([0, 0]))
    after, _ = trunk.step(state, np.array([50, 51]), np.array([1, 0]))  # the rows change places
    whole = [trunk.start([[TAGS["bash"], 30, 1, *more]])[0][0] for more in ([41, 50], [40, 51])]
    assert abs(after - np.stack(whole)).max() < 1e-4


def test_answers_are_as_likely_together_as_step_by_step(folder: Path, tmp_path: Path) -> None:
    import numpy as np

    trunk = translator(export(folder, tmp_path / "trunk", bits=8, compute=32)).trunk
    prompts, answers = [[15, 20, 21, 1], [15, 22, 1], [15, 30, 31, 32, 33, 1]], [[40, 41, 2], [42, 2], [43, 44, 45, 2]]
    found = trunk.likelihoods(prompts, answers)
    for prompt, answer, told in zip(prompts, answers, found, strict=True):
        log_probs, state = trunk.start([prompt])
        total = 0.0
        for at, one in enumerate(answer):
            total += float(log_probs[0, one])
            if at + 1 < len(answer):
                log_probs, state = trunk.step(state, np.array([one]), np.array([0]))
        assert told == pytest.approx(total, abs=2e-3)
    assert trunk.likelihoods(prompts[:1], answers[:1]) == pytest.approx(found[:1], abs=2e-3)


def test_what_prompts_begin_with_is_read_once_and_changes_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trunk = translator(export(folder, tmp_path / "trunk", bits=8, compute=32)).trunk
    prompts = [[15, 20, 21, 22, 1], [15, 20, 21, 23, 24, 1], [15, 30, 1], [15, 20, 21, 22, 1]]
    answers = [[40, 41, 2], [42, 43, 2], [44, 2], [40, 45, 46, 2]]
    alone = [trunk.likelihoods([prompt], [answer])[0] for prompt, answer in zip(prompts, answers, strict=True)]
    read: list[int] = []
    run_at = Memory.run_at

    def counted(self: Memory, ids: Any, *more: Any) -> Any:
        read.append(ids.size)
        return run_at(self, ids, *more)

    monkeypatch.setattr(Memory, "run_at", counted)
    assert trunk.likelihoods(prompts, answers) == pytest.approx(alone, abs=2e-3)
    assert sum(read) < sum(len(prompt) + len(answer) - 1 for prompt, answer in zip(prompts, answers, strict=True)) - 7
    assert trunk.likelihoods([], []) == []


def test_two_searches_at_a_time_do_not_disturb_each_other(folder: Path, tmp_path: Path) -> None:
    import numpy as np

    trunk = translator(export(folder, tmp_path / "b", bits=8, compute=32)).trunk
    prompts = [TAGS["bash"], 30, 1], [TAGS["bash"], 35, 36, 1]

    def steps(prompt: list[int]) -> Any:
        """Three steps, the second with more rows than memory has at first, one at a time."""
        found, state = trunk.start([prompt])
        yield found
        for ids, parents in (([40, 41], [0, 0]), (range(20, 40), [0, 1] * 10), ([50, 51], [19, 0])):
            found, state = trunk.step(state, np.array(ids), np.array(parents))
            yield found

    alone = [list(steps(prompt)) for prompt in prompts]
    together = list(zip(*map(steps, prompts), strict=True))
    for place, one in enumerate(alone):
        for step, other in zip(one, together, strict=True):
            assert abs(step - other[place]).max() < 1e-4
    whole = trunk.start([[*prompts[0], 41, 39, 50]])[0]
    assert abs(alone[0][-1][0] - whole[0]).max() < 1e-4


def test_what_ships_opens_as_a_folder_and_ships_again_unchanged(folder: Path, tmp_path: Path) -> None:
    from sayso.experiments.trunk_opened import open_again

    first = export(folder, tmp_path / "first")
    open_again(first, folder, tmp_path / "opened")
    again = export(tmp_path / "opened", tmp_path / "again")
    for piece in sorted(first.glob("weights-*.safetensors")):
        assert (again / piece.name).read_bytes() == piece.read_bytes()
    (folder_with_other_words := tmp_path / "other").mkdir()
    (folder_with_other_words / "tokenizer.json").write_text("{}")
    with pytest.raises(BadFile, match="was not cut as first was"):
        open_again(first, folder_with_other_words, tmp_path / "refused")


def test_groups_of_64_are_kept_where_the_weights_were_rounded_so(tmp_path: Path) -> None:
    from sayso.models.llama import Llama, LlamaSettings
    from sayso.models.trunk_folder import save_trunk
    from sayso.neural.weights import numbers, whole
    from sayso.training.export import is_rounded

    torch.manual_seed(6)
    size = len(json.loads(tokenizer())["model"]["vocab"])
    settings = LlamaSettings(size, size, width=64, heads=2, key_heads=1, layers=2, feed_forward=128, dropout=0.0)
    weights = Llama(settings).state_dict()
    for name, one in weights.items():
        if name.endswith("_proj.weight"):
            weights[name] = torch.tensor(whole(*numbers(one.numpy() * 8, 4, 64), 4))
    save_trunk(tmp_path / "trunk", settings, weights, tokenizer())
    few, floats = export(tmp_path / "trunk", tmp_path / "few"), export(tmp_path / "trunk", tmp_path / "f", compute=32)
    assert load_bundle(few).settings["shape"]["group"] == 64
    prompt = [TAGS["bash"], *range(20, 31), 1]
    ours, exact = (translator(one).trunk.start([prompt])[0] for one in (few, floats))
    assert 0 < abs(ours - exact).max() < 0.15
    matrices = {"a_proj.weight": weights["layers.0.mlp.gate_proj.weight"].numpy()}
    assert is_rounded(matrices, 64)
    assert not is_rounded({"a_proj.weight": matrices["a_proj.weight"] * 1.01 + 0.001}, 64)
    assert not is_rounded({"a_proj.weight": matrices["a_proj.weight"][:, :32]}, 64)


def test_adapters_make_one_trunk_answer_differently(folder: Path, tmp_path: Path) -> None:
    from sayso.training.export import export_adapter

    trunk = export(folder, tmp_path / "trunk", bits=8, compute=32)
    adapter = export_adapter(folder / "adapters" / "bash", tmp_path / "adapter", load_bundle(trunk)).folder
    plain, adapted = translator(trunk), translator(trunk, adapter)
    theirs = torch_answers(folder, REQUESTS, BEAM, adapter=True)
    ours = adapted.translate(REQUESTS, 1)
    assert ours != plain.translate(REQUESTS, 1)
    same = [one[0].text == other[0][0] for one, other in zip(ours, theirs, strict=True)]
    assert sum(same) >= 3  # the trunk's 8 bits may turn a near tie
    signature = load_neural(trunk, "bash", adapter).bundle
    assert signature == f"{load_bundle(trunk).signature}+{load_bundle(adapter).signature}"


@pytest.fixture(scope="module")
def shipped(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(folder, tmp_path_factory.mktemp("shipped") / "trunk", target="bash")


def test_a_trunk_answers_for_what_it_learnt_beside_its_own_target(folder: Path, tmp_path: Path) -> None:
    both = export(folder, tmp_path / "both", target="bash", also=["api"])
    assert load_neural(both, "api").translator.translate([Request("list files")], 1)
    with pytest.raises(BadBundle, match="needs an adapter for notebook"):
        load_neural(both, "notebook")
    rewrite(both, lambda manifest: manifest["settings"].update(also="api"))
    with pytest.raises(BadBundle, match="needs an adapter for api"):
        load_neural(both, "api")


def test_answers_are_few_sorted_and_the_same_in_any_company(shipped: Path) -> None:
    one = translator(shipped)
    together = one.translate(REQUESTS, 3)
    assert together == [one.translate([request], 3)[0] for request in REQUESTS]
    for answers in together:
        assert 1 <= len(answers) <= 3
        scores = [candidate.score for candidate in answers]
        assert scores == sorted(scores, reverse=True) and 0 <= scores[-1] <= scores[0] <= 1
        assert len({candidate.text for candidate in answers}) == len(answers)
    assert one.translate(REQUESTS, 0) == [[]] * len(REQUESTS)
    assert one.translate([], 3) == []


def test_a_context_is_read_and_a_constraint_holds(shipped: Path) -> None:
    import numpy as np

    one = translator(shipped)
    before = Request("list files", (Piece("text", "we talked about logs"),))
    assert one.translate([before], 4) != one.translate([Request("list files")], 4)
    digits = np.zeros(one.trunk.shape.vocabulary, bool)
    digits[[2, *one.tokens.encode("0123")]] = True
    found = replace(one, allowed=lambda request, ids: digits).translate([Request("list files")], 4)[0]
    assert found and all(set(candidate.text) <= set("0123") for candidate in found)


def test_of_a_request_that_is_too_long_the_beginning_is_read(shipped: Path) -> None:
    one = translator(shipped)
    most = one.trunk.shape.places - BEAM.longest
    prompt = read_request(one.tokens, Request("ab " * 1000), "bash", most)
    assert len(prompt) == most and prompt[-1] == 1
    assert prompt[:-1] == read_request(one.tokens, Request("ab " * 1000), "bash")[: most - 1]
    found = one.translate([Request("ab " * 1000), Request(" ")], 2)[0]
    assert all("only its beginning was read" in candidate.why[-1] for candidate in found) and found
    assert one.translate([Request(" ")], 2) == [[]]


def test_a_trunk_gets_more_places_and_keeps_its_weights_and_answers(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from sayso.training.widen import main, widen

    trunk = export(folder, tmp_path / "trunk", target="bash")
    before, files = translator(trunk).translate(REQUESTS, 4), load_bundle(trunk)
    contents = {name: files.read(name) for name in files.files}
    narrow = widen(trunk, 64, {"MODEL_CARD.md": b"a card"})
    assert translator(trunk).translate(REQUESTS, 4) == before
    with pytest.raises(BadRequest, match="64 places, and 65 are asked for"):
        translator(trunk).trunk.start([[15] + [20] * 64])
    assert {name: narrow.read(name) for name in contents if name != "graph.onnx"} == {
        name: content for name, content in contents.items() if name != "graph.onnx"
    }
    assert narrow.read("MODEL_CARD.md") == b"a card" and narrow.settings["shape"]["places"] == 64
    assert main([str(trunk), "--places", "1536"]) == 0
    wide = load_bundle(trunk)
    assert json.loads(capsys.readouterr().out)["signature"] == wide.signature != narrow.signature
    assert wide.read("graph.onnx") == contents["graph.onnx"] and wide.read("MODEL_CARD.md") == b"a card"

    assert main([str(trunk), "--places", "10"]) == 2
    assert "answers of 8 ids do not fit into 10 places" in capsys.readouterr().err
    assert load_bundle(trunk).signature == wide.signature
    rewrite(trunk, lambda manifest: manifest["settings"]["shape"].update(places=99))
    with pytest.raises(BadBundle, match="another sayso made"):
        widen(trunk, 64)
    rewrite(trunk, lambda manifest: manifest["settings"]["shape"].update(places=9))
    with pytest.raises(BadBundle, match="answers of 8 ids in a trunk of 9 places"):
        load_neural(trunk, "bash")


def test_an_adapter_may_have_answers_of_256_ids_after_a_long_prompt(folder: Path, tmp_path: Path) -> None:
    import numpy as np

    from sayso.training.export import export_adapter

    trunk = load_bundle(export(folder, tmp_path / "trunk"))
    long = Beam(width=2, n_best=2, longest=256)
    adapter = export_adapter(folder / "adapters" / "bash", tmp_path / "adapter", trunk, beam=long)
    one = translator(trunk.folder, adapter.folder)
    assert one.beam == long and translator(trunk.folder).beam == BEAM
    goes_on = np.ones(one.trunk.shape.vocabulary, bool)
    goes_on[2] = False
    endless = replace(one, allowed=lambda _, ids: goes_on if len(ids) < 255 else ~goes_on)
    request = Request("list files", (Piece("code", "x = 1\n" * 400),))
    prompt = read_request(one.tokens, request, "bash", one.trunk.shape.places - long.longest)
    assert 1270 < len(prompt) <= 1280
    found = beam_search(endless.trunk, [prompt], long, endless.allowed)[0]
    assert [len(answer.ids) + 1 for answer in found] == [256, 256]
    assert len(endless.translate([request], 2)[0]) >= 1


def test_eval_opens_the_folder_of_a_trunk(shipped: Path, tmp_path: Path) -> None:
    from sayso.apps.cli.systems import find_bundle

    found = find_bundle(shipped, TASKS["bash/command"])
    assert found.opened
    system = found.opened(Workspace(tmp_path, tmp_path))
    assert (found.name, system.bundle) == (load_bundle(shipped).name, found.bundle)
    expected = load_neural(shipped, "bash").translator.translate(REQUESTS[:1], 2)
    assert system.translator.translate(REQUESTS[:1], 2) == expected != [[]]


def test_nothing_reaches_the_network(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    assert translator(shipped).translate([Request("list files")], 2)[0]


def test_the_bundle_is_small_pieces_without_pickle(folder: Path, tmp_path: Path) -> None:
    import numpy as np

    from sayso.neural.weights import read_tensors
    from sayso.training.export import cut

    weights = [(f"w{n}", np.full((100, 10), n, "u1")) for n in range(7)]
    pieces = cut(weights, largest=2500)
    assert len(pieces) == 4
    assert [name for piece in pieces for name in read_tensors(piece, "piece")] == [name for name, _ in weights]
    files = load_bundle(export(folder, tmp_path / "b")).files
    assert set(files) == {"graph.onnx", "tokenizer.json", "weights-1.safetensors"}


def rewrite(bundle: Path, change: Any) -> None:
    """Alter a manifest as its maker could have, with a signature that fits."""
    manifest = json.loads((bundle / MANIFEST).read_text())
    change(manifest)
    manifest["signature"] = signature_of(manifest)
    (bundle / MANIFEST).write_text(json.dumps(manifest))


def test_each_thing_that_is_wrong_gets_its_own_line(
    folder: Path, shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sayso.training.export import export_adapter

    altered = shutil.copytree(shipped, tmp_path / "altered")
    content = bytearray((altered / "weights-1.safetensors").read_bytes())
    content[-1] ^= 1
    (altered / "weights-1.safetensors").write_bytes(content)
    with pytest.raises(BadBundle, match="was altered: sha256"):
        load_neural(altered, "bash")

    other_words = shutil.copytree(shipped, tmp_path / "words")
    rewrite(other_words, lambda manifest: manifest["settings"].update(vocabulary="0" * 64))
    with pytest.raises(BadBundle, match="another vocabulary than its weights"):
        load_neural(other_words, "bash")
    fewer = shutil.copytree(shipped, tmp_path / "fewer")
    rewrite(fewer, lambda manifest: manifest["settings"]["shape"].update(vocabulary=100))
    with pytest.raises(BadBundle, match="a vocabulary of 276 and weights for 100 ids"):
        load_neural(fewer, "bash")
    lacking = shutil.copytree(shipped, tmp_path / "lacking")
    rewrite(lacking, lambda manifest: manifest["settings"].pop("beam"))
    with pytest.raises(BadBundle, match="lacks settings of a trunk: 'beam'"):
        load_neural(lacking, "bash")

    adapter = export_adapter(folder / "adapters" / "bash", tmp_path / "adapter", load_bundle(shipped)).folder
    another = export(folder, tmp_path / "another", bits=8)
    with pytest.raises(BadBundle, match="adapter of another trunk"):
        load_neural(another, "bash", adapter)
    with pytest.raises(BadBundle, match="is no adapter for notebook"):
        load_neural(shipped, "notebook", adapter)
    with pytest.raises(BadBundle, match="answers for bash and needs an adapter for notebook"):
        load_neural(shipped, "notebook")
    with pytest.raises(BadBundle, match="kind adapter, not trunk"):
        load_neural(adapter, "bash")

    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingPart, match="needs the package onnxruntime"):
        load_neural(shipped, "bash")


def test_an_export_refuses_what_cannot_be(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sayso.training.export import export_adapter

    with pytest.raises(UserError, match="4 or 8 bits, not 3"):
        export(folder, tmp_path / "b", bits=3)
    trunk = load_bundle(export(folder, tmp_path / "trunk"))
    elsewhere = shutil.copytree(folder / "adapters" / "bash", tmp_path / "elsewhere")
    about = json.loads((elsewhere / "adapter.json").read_text())
    (elsewhere / "adapter.json").write_text(json.dumps({**about, "base": "0" * 64}))
    with pytest.raises(BadFile, match="trained on another trunk than trunk"):
        export_adapter(elsewhere, tmp_path / "adapter", trunk)
    short = shutil.copytree(folder, tmp_path / "short")
    content = json.loads(tokenizer())
    content["model"]["vocab"].popitem()
    content["model"]["merges"].pop()
    (short / "tokenizer.json").write_text(json.dumps(content))
    with pytest.raises(BadFile, match="276 ids in its weights and 275 in its tokenizer"):
        export(short, tmp_path / "c")
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingPart, match="package onnx"):
        export(folder, tmp_path / "d")


@pytest.mark.slow
def test_memory_is_flat_over_a_thousand_requests_to_the_daemon(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    from sayso.apps.daemon import client, wire
    from sayso.apps.daemon.server import Server, lock, resident_bytes

    one = translator(shipped)

    def reply(question: Mapping[str, Any]) -> dict[str, Any]:
        found = one.translate([Request(str(question["text"]))], 3)[0]
        return {"candidates": [candidate.text for candidate in found]}

    held = lock()
    assert held is not None
    build = wire.build()
    monkeypatch.setattr(wire, "build", lambda: build)  # half of a thousand times is spent on looking at our own files
    server = Server(reply, build, 60.0, held)
    serving = threading.Thread(target=server.serve)
    serving.start()
    try:
        after = {}
        for n in range(1000):
            text = f"{'list files ' * (n % 13 + 1)}{n % 7}"
            assert client.ask({"text": text})["candidates"]
            if n in (299, 999):
                gc.collect()
                after[n] = resident_bytes()
        assert server.answers == 1000
        assert after[999] - after[299] < 8e6
    finally:
        server.tell()
        serving.join(10)


def test_a_trunk_that_nobody_asks_is_let_go_and_loaded_again(
    shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sayso.apps.answering import DROPPED_AFTER, Answerer

    loads: list[str] = []

    def opened(name: str, workspace: Workspace) -> System:
        loads.append(name)
        return load_neural(shipped, "bash")

    for name in ("bash", "cells"):
        task = replace(TASKS["bash/command"], systems={"default": partial(opened, name)})
        monkeypatch.setitem(TASKS, f"{name}/command", task)
    monkeypatch.setitem(TARGETS, "cells", replace(TARGETS["bash"], name="cells", answered_by="cells/command"))
    now = [1000.0]
    answerer = Answerer(Workspace(tmp_path, tmp_path), 3 * DROPPED_AFTER, lambda: now[0])

    def ask(target: str) -> dict[str, Any]:
        return answerer.reply({"do": "answer", "target": target, "text": "list files", "k": 2})

    def trunk(target: str) -> weakref.ref[Any]:
        translator = answerer.systems[target].translator
        assert isinstance(translator, NeuralTranslator)
        return weakref.ref(translator.trunk)

    ask("bash")
    assert answerer.loaded() == ["bash"] and loads == ["bash"], "the second is loaded when it is asked for"
    first, bash, cells = ask("cells"), trunk("bash"), trunk("cells")
    now[0] += DROPPED_AFTER - 1
    ask("cells")
    now[0] += DROPPED_AFTER - 1
    answerer.drop_idle()
    assert answerer.loaded() == ["bash", "cells"], "its last answer counts, not its first"
    now[0] += 1
    answerer.drop_idle()
    assert answerer.loaded() == ["bash"] and cells() is None, "nothing holds on to it"
    assert bash() is not None, "what the process was started for stays as long as the process"
    assert ask("cells") == first and loads == ["bash", "cells", "cells"]
    now[0] += 3 * DROPPED_AFTER
    answerer.drop_idle()
    assert answerer.loaded() == [] and bash() is None
    answerer.drop_idle()
