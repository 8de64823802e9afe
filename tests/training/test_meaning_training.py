"""The sentence encoder on a tiny scale: read, trained, exported and run without torch."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from safetensors.numpy import save  # noqa: E402
from safetensors.torch import save_file  # noqa: E402

from sayso.core.errors import BadBundle, BadFile, MissingData  # noqa: E402
from sayso.models.meaning import SentenceEncoder, read_minilm, stored_weights  # noqa: E402
from sayso.neural.bundle import Bundle, load_bundle, write_bundle  # noqa: E402
from sayso.neural.meaning import GRAPH, KIND, PIECES, WEIGHTS, MeaningShape, load_encoder, settings_of  # noqa: E402
from sayso.neural.meaning_words import FIRST, LAST, UNKNOWN, WordPieces  # noqa: E402
from sayso.training.meaning import Plan, Source, contrast, fit, misspell, padded  # noqa: E402
from sayso.training.meaning_graph import make_meaning_graph  # noqa: E402

pytestmark = pytest.mark.torch
WORDS = ("count", "lines", "how", "many", "rows", "tally", "delete", "remove", "erase", "file", "folder", "stop", "end")
VOCABULARY = ["[PAD]", UNKNOWN, FIRST, LAST, *WORDS, "halt", "process"]
SHAPE = MeaningShape(len(VOCABULARY), 64, 4, 2, 128, places=12)
GROUPS = [
    [("count lines file",), ("how many rows file",), ("tally rows",)],
    [("delete file",), ("remove file folder",), ("erase file",)],
    [("stop process",), ("end process",), ("halt process",)],
]


@pytest.fixture(autouse=True)
def few_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def network() -> SentenceEncoder:
    torch.manual_seed(3)
    return SentenceEncoder(SHAPE).eval()


def bundle_of(network: SentenceEncoder, folder: Path, pieces: list[str] | None = None) -> Bundle:
    return write_bundle(
        folder,
        name="tiny",
        target="bash",
        kind=KIND,
        settings=settings_of(network.shape),
        files={
            GRAPH: make_meaning_graph(network.shape),
            WEIGHTS: save(stored_weights(network)),
            PIECES: json.dumps(pieces or VOCABULARY).encode(),
        },
        licence="CC0-1.0",
    )


def test_the_exported_encoder_gives_the_vectors_of_the_network(network: SentenceEncoder, tmp_path: Path) -> None:
    texts = ["count lines", "erase", "how many rows file folder", "nonsense", "stop process"]
    encoder = load_encoder(bundle_of(network, tmp_path / "x"))
    with torch.no_grad():
        expected = network(*padded(WordPieces(VOCABULARY), texts, SHAPE.places)).numpy()
    found = encoder.embed_described(texts)
    assert np.allclose((found * expected).sum(1), 1.0, atol=0.01)
    assert np.allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-4)
    assert np.allclose(encoder.embed_described(texts[:1])[0], found[0], atol=1e-5)


def test_a_bundle_whose_parts_do_not_fit_is_refused(network: SentenceEncoder, tmp_path: Path) -> None:
    with pytest.raises(BadBundle, match="its words are not its pieces"):
        load_encoder(bundle_of(network, tmp_path / "x", VOCABULARY[:-1]))
    other = write_bundle(
        tmp_path / "y", name="y", target="bash", kind="trunk", settings={}, files={}, licence="CC0-1.0"
    )
    with pytest.raises(BadBundle, match="holds no encoder"):
        load_encoder(load_bundle(other.folder))


def test_training_brings_ways_to_ask_for_the_same_together(network: SentenceEncoder) -> None:
    pieces, before = WordPieces(VOCABULARY), network.words.weight.detach().clone()
    losses: list[float] = []
    plan = Plan(steps=60, groups=3, together=2, rate=3e-3, frozen_layers=0, refresh=50, misspelt=0.0, kept=0.0)
    fit(network, pieces, [Source(GROUPS, 1.0, is_hard=True)], plan, lambda _, loss: losses.append(loss))
    assert losses[-1] < 0.5 * losses[0]
    assert torch.equal(network.words.weight, before)
    texts = [way[0] for group in GROUPS for way in group]
    with torch.no_grad():
        vectors = network(*padded(pieces, texts, SHAPE.places))
    likeness = vectors @ vectors.T - 2 * torch.eye(len(texts))
    assert [int(one) // 3 for one in likeness.argmax(1)] == [at // 3 for at in range(len(texts))]


def test_weights_are_averaged_with_the_first(network: SentenceEncoder) -> None:
    first = {name: value.clone() for name, value in network.state_dict().items()}
    fit(network, WordPieces(VOCABULARY), [Source(GROUPS, 1.0)], Plan(steps=3, groups=3, kept=1.0))
    assert all(torch.allclose(value, first[name]) for name, value in network.state_dict().items())


def test_contrast_is_least_where_each_is_like_its_other_alone() -> None:
    apart = torch.eye(3).repeat_interleave(2, 0)
    assert float(contrast(apart, 20.0)) < 1e-3 < float(contrast(torch.ones(6, 3) / 3**0.5, 20.0))


def test_a_misspelt_word_keeps_its_ends_and_short_words_stay() -> None:
    random = Random(0)
    for _ in range(50):
        found = misspell("find compression 100", 1.0, random)
        first, word, last = found.split(" ")
        assert (first, last) == ("find", "100")
        assert (word[0] == "c" and word[-1] == "n" and word != "compression") or sorted(word) == sorted("compression")


def test_the_published_folder_is_read_and_cut(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match=r"config\.json"):
        read_minilm(tmp_path)
    write_published(tmp_path)
    network, pieces = read_minilm(tmp_path, places=12)
    cut, kept = read_minilm(tmp_path, [FIRST, LAST, UNKNOWN, "count", "lines"], places=12)
    assert (len(pieces), len(kept), cut.shape.vocabulary) == (len(VOCABULARY), 5, 5)
    with torch.no_grad():
        whole = network(*padded(WordPieces(pieces), ["count lines"], 12))
        again = cut(*padded(WordPieces(kept), ["count lines"], 12))
    assert torch.allclose(whole, again, atol=1e-6)
    (tmp_path / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
    save_file({"embeddings.word_embeddings.weight": torch.zeros(2, 2)}, tmp_path / "model.safetensors")
    with pytest.raises(BadFile, match="holds no BERT"):
        read_minilm(tmp_path)


def write_published(folder: Path) -> None:
    """A BERT with numbers at random, under the names that its publishers use."""
    torch.manual_seed(1)
    config = {
        "hidden_size": 8,
        "num_attention_heads": 2,
        "num_hidden_layers": 1,
        "intermediate_size": 16,
        "layer_norm_eps": 1e-12,
        "vocab_size": len(VOCABULARY),
    }
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
    sizes = {
        "attention.self.query": (8, 8),
        "attention.self.key": (8, 8),
        "attention.self.value": (8, 8),
        "attention.output.dense": (8, 8),
        "intermediate.dense": (16, 8),
        "output.dense": (8, 16),
    }
    tensors = {
        f"embeddings.{name}_embeddings.weight": torch.randn(rows, 8)
        for name, rows in (("word", len(VOCABULARY)), ("position", 20), ("token_type", 2))
    }
    for name in (
        "embeddings.LayerNorm",
        *(f"encoder.layer.0.{one}LayerNorm" for one in ("attention.output.", "output.")),
    ):
        tensors |= {f"{name}.weight": torch.ones(8), f"{name}.bias": torch.zeros(8)}
    for name, (outputs, inputs) in sizes.items():
        tensors[f"encoder.layer.0.{name}.weight"] = torch.randn(outputs, inputs)
        tensors[f"encoder.layer.0.{name}.bias"] = torch.randn(outputs)
    save_file(tensors, folder / "model.safetensors")
