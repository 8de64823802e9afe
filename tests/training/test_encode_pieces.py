"""Word pieces of a folder: cut and put together, copied where the request has them, and read with the folder's ids."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from sayso.apps.cli.main import main
from sayso.core.errors import BadFile, MissingData
from sayso.core.types import Example, Request, Workspace
from sayso.english.vocabulary import SPECIALS, UNK
from sayso.experiments import find_recipe
from sayso.experiments.override import override
from sayso.experiments.recipe import make_job
from sayso.models import make_network
from sayso.targets import find_task
from sayso.training.encode import build_vocabularies, encode_dev, encode_request
from sayso.training.encode_pieces import all_pieces, cut_reference, cut_words, put_together, special_ids
from sayso.training.settings import Encoding
from sayso.training.translator import candidates

pytestmark = pytest.mark.torch
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "show", "mail", "from", "kon", "##rad", "##sson", "'", "s", ".", "ann"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    tokenizers = import_module("tokenizers")
    vocabulary = {piece: at for at, piece in enumerate(PIECES)}
    made = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    made.enable_padding(length=32)  # as sentence encoders come: it must not count
    path = tmp_path_factory.mktemp("bert")
    made.save(str(path / "tokenizer.json"))
    return str(path)


def test_words_are_cut_and_marked_where_they_go_on(folder: str) -> None:
    cut = cut_words(["show", "konradsson's", "mail"], folder)
    assert cut.parts == ("[CLS]", "show", "kon", "##rad", "##sson", "##'", "##s", "mail", "[SEP]")
    assert [one - len(SPECIALS) for one in cut.ids] == [2, 4, 7, 8, 9, 10, 11, 5, 3]
    assert put_together(cut.parts[1:-1]) == ["show", "konradsson's", "mail"]


def test_of_a_reference_only_what_the_request_says_is_cut(folder: str) -> None:
    request = cut_words(["mail", "from", "konrad"], folder).parts
    assert cut_reference(["FILTER", "message.from", "eq", "konrad"], request, folder)[-2:] == ["kon", "##rad"]
    assert cut_reference(["konradsson", "message.from"], request, folder) == ["konradsson", "message.from"]


def test_a_piece_alone_at_the_start_stays() -> None:
    assert put_together(["##rad", "eq", "##", "kon", "##rad"]) == ["##rad", "eq", "##", "konrad"]


def test_ids_are_those_of_the_folder(folder: str) -> None:
    assert all_pieces(folder).words[7] == "kon"
    assert special_ids(folder) == {"start": 2, "end": 3, "unknown": 1}


def test_a_call_is_encoded_copied_and_read_again(folder: str) -> None:
    encoding = Encoding("token", copies=True, words="plain", view="folded", pieces=folder)
    target = find_task("api/length-email").target
    train = [Example("1", Request("show mail from ann"), ("GET message FILTER message.from eq ann",))]
    unseen = Example("2", Request("mail from konradsson"), ("GET message FILTER message.from eq konradsson",))
    words = build_vocabularies(train, target, encoding)
    assert words.source.words == tuple(PIECES) and "message.from" in words.target
    row = encode_request(unseen.request, words, encoding)
    assert len(row.source) == len(row.source_extended) and row.source[0] == 2 + len(SPECIALS)
    whole = encode_dev([unseen], target, words, encoding)
    ids = whole.target.flat[1:-1].tolist()
    assert UNK not in ids  # each piece of the name can be copied
    [said] = candidates([(tuple(ids), 0.0)], unseen.request, words, encoding, target.join)
    assert said.text == unseen.references[0]


@pytest.fixture(scope="module")
def t5_folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Pieces as SentencePiece has them, over a few letters, and a T5 of as many words."""
    tokenizers, transformers = import_module("tokenizers"), import_module("transformers")
    letters = ["<pad>", "</s>", "<unk>", "▁", *"abcdefghijklmnopqrstuvwxyzGETFILRORDBYCUNHPS."]
    words = {word: at for at, word in enumerate(dict.fromkeys(letters))}
    made = tokenizers.Tokenizer(tokenizers.models.BPE(words, [], unk_token="<unk>"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    made.decoder = tokenizers.decoders.Metaspace()
    made.add_special_tokens(["<pad>", "</s>", "<unk>"])
    made.post_processor = tokenizers.processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    path = tmp_path_factory.mktemp("t5")
    made.save(str(path / "tokenizer.json"))
    config = transformers.T5Config(
        decoder_start_token_id=0, vocab_size=len(words), d_model=16, d_kv=4, d_ff=24, num_layers=1, num_heads=2
    )
    transformers.utils.logging.disable_progress_bar()
    transformers.T5ForConditionalGeneration(config).save_pretrained(path)
    return str(path)


def test_t5_reads_and_says_its_own_pieces(t5_folder: str) -> None:
    job = make_job(override(find_recipe("t5"), [f"model.folder={t5_folder}"]))
    target = find_task("api/length-email").target
    rows = [Example("1", Request("mail from ann"), ("GET message FILTER message.from eq ann",))]
    words = build_vocabularies(rows, target, job.encoding)
    whole = encode_dev(rows, target, words, job.encoding)
    assert whole.source.flat[-1] == 1 + len(SPECIALS)  # </s>
    ids = tuple(whole.target.flat[1:-1].tolist())
    [said] = candidates([(ids, 0.0)], rows[0].request, words, job.encoding, target.join)
    assert said.text == rows[0].references[0]
    sizes = {"source_size": len(words.source), "output_size": len(words.target)}
    assert sum(one.numel() for one in make_network(job.network, {**job.model, **sizes}).parameters()) > 0


def test_a_recipe_takes_its_pieces_and_ids_from_the_folder(folder: str) -> None:
    recipe = override(find_recipe("transformer-copy-minilm"), [f"model.folder={folder}"])
    assert not recipe.lacks(recipe.tasks) and find_recipe("transformer-copy-minilm").lacks(recipe.tasks)
    job = make_job(recipe)
    assert job.encoding.pieces == folder and "wordpieces" in job.encoding.key
    assert (job.model["start"], job.model["end"], job.model["trained"]) == (2, 3, 0)


def test_a_folder_without_pieces_or_with_others_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="no word pieces"):
        cut_words(["a"], str(tmp_path / "none"))
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": 1}))
    with pytest.raises(BadFile, match="cannot be read as a tokeniser"):
        cut_words(["a"], str(tmp_path))


def test_encode_writes_word_pieces_for_a_folder_of_weights(
    folder: str,
    workspace: Workspace,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SAYSO_DATA", str(workspace.data))
    command = ["encode", "api/length-email", "--tiny", "--out", str(tmp_path / "run"), "--json"]
    assert main([*command, "--recipes", "transformer-copy-minilm"]) == 2
    assert "needs a folder of MiniLM weights (--set model.folder=DIR)" in capsys.readouterr().err
    named = ["--recipes", "transformer-copy-minilm", "--set", f"model.folder={folder}"]
    assert main([*command, *named]) == 0
    shape = json.loads(capsys.readouterr().out)
    assert shape["jobs"] == ["transformer-copy-minilm"]
    [described] = shape["data"].values()
    assert described["sizes"]["source_size"] == len(PIECES) + len(SPECIALS)
    assert main(["encode", "api/length-email", "--out", str(tmp_path / "x"), "--set", f"model.folder={folder}",
                 "--recipes", "lstm-attention"]) == 2  # fmt: skip
    assert "lstm-attention" in capsys.readouterr().err
