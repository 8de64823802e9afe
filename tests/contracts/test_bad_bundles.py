"""Bundles whose sums are right and whose contents are not: each is refused in one line, or answers as any other.

A tiny valid bundle of every kind is altered at random, from a fixed seed: values of another type, numbers that are
none, keys that are gone, arrays of another size, files that are cut, graphs that name files.
"""

from __future__ import annotations

import copy
import hashlib
import io
import json
import math
import os
import random
import resource
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sayso.core.errors import BadBundle, SaysoError
from sayso.core.types import Candidate, Request, System, Workspace

pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")
pytest.importorskip("safetensors")

SECONDS, ROOM = 10, 3 << 30
MUTANTS = 60
"""Of each kind."""
DEEP = "DEEP"
"""Stands for a value that is nested a hundred thousand times."""
BAD: list[Any] = [
    None, True, -1, 0, 1, 0.5, 2**63, 10**18, 10**400, math.nan, math.inf, -math.inf, 1e308, "", "x", "\ud800", "../x",
    [], [[]], [1, "x"], {}, {"x": 1}, DEEP,
]  # fmt: skip
ASKED = [Request("count the lines of notes.txt"), Request("mails from Mia Holt today"), Request("walk left twice")]


@dataclass(frozen=True)
class Parts:
    """A bundle before it is written."""

    kind: str
    target: str
    settings: dict[str, Any]
    files: dict[str, bytes]


def spelt(value: object) -> str:
    """JSON as Python writes it, NaN included, and what no encoder would write."""
    return json.dumps(value).replace(f'"{DEEP}"', "[" * 100_000 + "]" * 100_000)


def write(folder: Path, parts: Parts) -> Path:
    """A folder whose sums and signature fit whatever is in it."""
    folder.mkdir(parents=True)
    for name, content in parts.files.items():
        (folder / name).write_bytes(content)
    manifest: dict[str, Any] = {
        "format": 1, "name": "mutant", "target": parts.target, "kind": parts.kind, "licence": "CC0-1.0",
        "settings": parts.settings,
        "files": {
            name: {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
            for name, content in sorted(parts.files.items())
        },
    }  # fmt: skip
    return sign(folder, manifest)


def sign(folder: Path, manifest: dict[str, Any]) -> Path:
    manifest.pop("signature", None)
    whole = json.dumps(manifest, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    manifest["signature"] = hashlib.sha256(whole).hexdigest()
    (folder / "bundle.json").write_text(spelt(manifest), encoding="utf-8")
    return folder


def tokenizer() -> bytes:
    from sayso.english.byte_bpe import EXPECTED, alphabet
    from sayso.english.prompt import FIRST_WORD

    parts = [*(f"<{one}>" for one in range(FIRST_WORD)), *sorted(alphabet().values()), "li", "st", "list"]
    merges = [["l", "i"], ["s", "t"], ["li", "st"]]
    model = {"type": "BPE", "vocab": {part: i for i, part in enumerate(parts)}, "merges": merges}
    steps = {"type": "Sequence", "pretokenizers": EXPECTED}
    return json.dumps({"added_tokens": [], "normalizer": None, "pre_tokenizer": steps, "model": model}).encode()


def some(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).normal(0, 0.2, shape).astype(np.float32)


def tensors(content: Mapping[str, Any]) -> bytes:
    from safetensors.numpy import save

    return save(dict(content))


@cache
def trunk() -> Parts:
    from sayso.neural.weights import FUSED, TrunkShape, numbers
    from sayso.training.export_graph import make_graph

    words = tokenizer()
    size = len(json.loads(words)["model"]["vocab"])
    shape = TrunkShape(size, 32, 2, 1, 1, 32, 1e4, 1e-5, 4, 32, 96)
    stored = dict(zip(("embed.q", "embed.d"), numbers(some(size, 32), 8), strict=True))
    stored |= {name: np.ones(32, np.float16) for name in ("norm", "layers.0.input_norm", "layers.0.post_norm")}
    for name in FUSED:
        q, d = numbers(some(*shape.matrix(name)), 4, 32)
        stored |= {f"layers.0.{name}.q": q, f"layers.0.{name}.d": d}
    beam = {"width": 2, "n_best": 2, "longest": 4, "length_power": 0.0, "margin": 5.0}
    settings = {"shape": asdict(shape), "beam": beam, "vocabulary": hashlib.sha256(words).hexdigest(), "facts": {}}
    files = {"graph.onnx": make_graph(shape), "tokenizer.json": words, "weights-1.safetensors": tensors(stored)}
    return Parts("trunk", "bash", settings, files)


@cache
def meaning() -> Parts:
    from sayso.neural.meaning import MATRICES, MeaningShape, rounded, settings_of
    from sayso.neural.weights import numbers
    from sayso.training.meaning_graph import make_meaning_graph

    pieces = ["[UNK]", "[CLS]", "[SEP]", "count", "file", "line", "##s", "of", "the"]
    shape = MeaningShape(len(pieces), 64, 2, 1, 64, places=16)
    stored: dict[str, Any] = dict(zip(("words.q", "words.d"), rounded(some(len(pieces), 64)), strict=True))
    stored |= {"places": some(16, 64), "norm.weight": some(64), "norm.bias": some(64)}
    for name in MATRICES:
        q, d = numbers(some(*shape.matrix(name)), 8, 64)
        stored |= {
            f"layers.0.{name}.q": q,
            f"layers.0.{name}.d": d,
            f"layers.0.{name}.bias": some(shape.matrix(name)[0]),
        }
    stored |= {f"layers.0.norm{n}.{end}": some(64) for n in (1, 2) for end in ("weight", "bias")}
    files = {
        "graph.onnx": make_meaning_graph(shape),
        "weights.safetensors": tensors(stored),
        "pieces.json": json.dumps(pieces).encode(),
    }
    return Parts("meaning", "bash", settings_of(shape), files)


@cache
def cookbook() -> Parts:
    from sayso.cookbook.slots import FEATURES, MEANT, Cookbook, Settings
    from sayso.targets.bash.cookbook.fill import render
    from sayso.targets.bash.cookbook.prepared import prepare
    from sayso.targets.bash.cookbook.recipes import FOLDER, load_lexicon, load_recipes

    weights = {**dict.fromkeys(FEATURES, 0.5), "bias": -3.0}
    more = {**weights, **dict.fromkeys(MEANT, 0.5)}
    book = Cookbook(load_recipes(FOLDER)[:6], load_lexicon(FOLDER), Settings(weights), render)
    tables = json.loads(prepare(book, FOLDER))
    # A few words stand for the thousands of the real lists.
    for name, words in tables["lexicon"].items():
        short = list(words)[:4] if isinstance(words, list) else dict(list(words.items())[:4])
        tables["lexicon"][name] = short
    fitted = {
        "encoder": hashlib.sha256(meaning().files["weights.safetensors"]).hexdigest(),
        "width": 64,
        "weights": more,
    }
    vectors = (some(len(book.phrasings), 64) * 99).astype(np.int8).tobytes()
    settings = {"weights": weights, "looked_at": 10, "lowest": 0.02, "abstain_below": 0.5, "meaning": fitted}
    files = {"cookbook.json": json.dumps(tables).encode(), "vectors.i8": vectors}
    return Parts("cookbook", "bash", settings, files)


@cache
def rerank() -> Parts:
    from sayso.targets.bash.evidence import features
    from sayso.targets.bash.evidence.hints import BUCKETS, DESCRIBED, Hints, pack
    from sayso.targets.bash.systems.combined import FACTS

    numbers = [0.5] * len(features.NAMES)
    settings = {
        "weighing": {"columns": list(features.NAMES), "centre": numbers, "scale": numbers, "weight": numbers},
        "curve": {"bias": 0.1, "weights": dict.fromkeys(FACTS, 0.1), "highest": 0.97},
        "sure": 0.8, "abstain_below": 0.3, "wording": {"step": 0.1, "bias": -1.0},
    }  # fmt: skip
    names = ("wc", "wc -l", DESCRIBED)
    hints = pack(Hints(names, some(BUCKETS, 3), some(3, 3), some(3)))
    return Parts("rerank", "bash", settings, {"hints.npz": hints, "wording.bin": bytes([128]) * BUCKETS})


@cache
def induced() -> Parts:
    rules: list[Any] = [[["walk"], ["W"]], [["left"], ["L"]], [[0, "twice"], [0, 0]], [[0, 1], [1, 0]]]
    counts = [[-1, 0, [[2, 3.0], [3, 2.0]]], [2, 0, [[0, 2.0], [3, 1.0]]], [3, 0, [[0, 4.0]]], [3, 1, [[1, 4.0]]]]
    grammar = {"sure": 0.1, "longest": 20, "rules": rules, "counts": counts}
    return Parts("induced", "api", {}, {"grammar.json": json.dumps(grammar).encode()})


@cache
def api_parser() -> Parts:
    from sayso.targets.api.request.words import BUCKETS
    from sayso.targets.api.syntax.calls import parse_call
    from sayso.targets.api.systems.layout import make_layout
    from sayso.targets.api.systems.network import Network
    from sayso.targets.api.systems.parse import Parser
    from sayso.targets.api.systems.storing import parser_files
    from sayso.targets.api.systems.values import learn_values

    pairs = [
        (f"mails from {name} {rest}", parse_call(f"GET message FILTER message.from eq {name}{clause}"))
        for name in ("Mia Holt", "Bo Ek")
        for rest, clause in (("", ""), ("unread", " FILTER message.isRead eq False"), ("today", " COUNT"))
    ]
    layout = make_layout("email", pairs)
    tags, choices = layout.tags, sum(layout.sizes)
    weights = {"words": some(6, 8), "grams": some(BUCKETS, 4), "moves": some(tags, tags), "starts": some(tags)}
    for way in ("forward", "backward"):
        name = f"gru0.{way}"
        weights |= {f"{name}.input": some(18, 15), f"{name}.hidden": some(5, 15)}
        weights |= {f"{name}.input_bias": some(15), f"{name}.hidden_bias": some(15)}
    weights |= {"tags.weight": some(28, tags), "tags.bias": some(tags)}
    weights |= {"choices.weight": some(28, choices), "choices.bias": some(choices)}
    vocabulary = {word: at for at, word in enumerate(("mails", "from", "unread", "today"), 2)}
    parser = Parser(
        layout, learn_values(layout, pairs), vocabulary, (Network(weights),), counts=dict.fromkeys(vocabulary, 3)
    )
    return Parts("api-parser", "api", {}, parser_files(parser))


class Says:
    """Stands for the recipes: one unsure answer."""

    def translate(self, requests: Any, k: int = 1) -> list[list[Candidate]]:
        return [[Candidate("wc -l notes.txt", 0.2)] for _ in requests]


def opened(folder: Path, beside: Path) -> System:
    """The system of a folder, as `sayso eval --system` opens it or as the embedded one is made."""
    from sayso.apps.cli.systems import OPENERS
    from sayso.neural.bundle import load_bundle
    from sayso.targets import TARGETS, find_target
    from sayso.targets.bash.cookbook.recipes import cookbook_system
    from sayso.targets.bash.systems.combined import combined_system

    bundle = load_bundle(folder)
    if bundle.kind == "rerank":
        return combined_system(find_target("bash"), System(Says()), beside / "trunk", bundle)
    if bundle.kind == "cookbook":
        return cookbook_system(bundle, None, beside / "meaning")
    here = Workspace(beside, beside)
    own = TARGETS[bundle.target].openers if bundle.target in TARGETS else {}
    if bundle.kind in own:
        return own[bundle.kind](folder, here)
    if bundle.kind not in OPENERS:
        raise BadBundle(f'{folder}: this sayso cannot run a "{bundle.kind}"')
    return OPENERS[bundle.kind](bundle, here)


def ask(folder: Path, beside: Path) -> None:
    """Open and ask; what is answered has to be an answer."""
    from sayso.neural.bundle import load_bundle
    from sayso.neural.meaning import load_encoder

    if folder.joinpath("pieces.json").exists():
        vectors = load_encoder(load_bundle(folder)).embed([request.text for request in ASKED])
        assert vectors.shape[0] == len(ASKED)
        return
    system = opened(folder, beside)
    assert not math.isnan(system.abstain_below)
    for found in system.translator.translate(ASKED, 3):
        for one in found:
            assert isinstance(one.text, str) and math.isfinite(one.score), one


class Late(BaseException):
    """No error that anyone catches on the way."""


@contextmanager
def bounded() -> Iterator[None]:
    """Nothing waits for ever, and nothing takes gigabytes."""

    def late(*_: object) -> None:
        raise Late(f"no end after {SECONDS} s")

    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (held + ROOM, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def verdict(folder: Path, beside: Path) -> str:
    """ "answers", "refused", or what went wrong."""
    import warnings

    try:
        with bounded(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ask(folder, beside)
    except SaysoError as error:
        wrong = error.exit_code != 2 or not isinstance(error, BadBundle) or len(error.message) > 600
        return f"{type(error).__name__}: {error.message[:200]}" if wrong else "refused"
    except (Exception, Late) as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    return "answers"


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in entries:
        yield from places(part, (*at, key))


def put(value: Any, at: tuple[Any, ...], change: Callable[[Any, Any], None]) -> Any:
    made = copy.deepcopy(value)
    part = made
    for key in at[:-1]:
        part = part[key]
    change(part, at[-1])
    return made


def altered_json(value: Any, dice: random.Random) -> tuple[Any, str]:
    """One place of a document, deep or not, gone or filled with what does not belong there."""
    found = list(places(value))
    deepest = max(map(len, found))
    depth = dice.randint(1, deepest) if deepest else 0
    at = dice.choice([one for one in found if len(one) == depth])
    bad = dice.choice(BAD)
    if not at:
        return bad, f"whole = {str(bad)[:20]}"
    if dice.random() < 0.2:
        return put(value, at, lambda part, key: part.pop(key)), f"no {at}"
    return put(value, at, lambda part, key: part.__setitem__(key, bad)), f"{at} = {str(bad)[:20]}"


def altered_bytes(content: bytes, dice: random.Random) -> tuple[bytes, str]:
    match dice.randrange(5):
        case 0:
            return b"", "empty"
        case 1:
            return content[: dice.randrange(len(content))], "cut"
        case 2:
            return content + b"\xff" * 9, "longer"
        case 3:
            return dice.randbytes(64), "noise"
        case _:
            made = bytearray(content)
            for _ in range(3):
                made[dice.randrange(min(len(made), 4000))] ^= 1 << dice.randrange(8)
            return bytes(made), "flipped"


def npy(array: Any, shape: str = "") -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asarray(array), allow_pickle=True)
    content = file.getvalue()
    if shape:
        header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
        content = content[:8] + len(header).to_bytes(2, "little") + header.encode() + content[-16:]
    return content


def altered_npz(content: bytes, dice: random.Random) -> tuple[bytes, str]:
    """One array of an archive gone, of another type or size, or said to be larger than any memory."""
    import zipfile

    with np.load(io.BytesIO(content)) as found:
        members = {name: npy(found[name]) for name in found.files}
        name = dice.choice(list(members))
        array = found[name]
    how = dice.choice(["gone", "object", "text", "nan", "rows", "flat", "none", "huge", "negative", "bomb", "noise"])
    wide = array.astype(np.float32)
    made = {
        "object": lambda: npy(np.array([{}], object)),
        "text": lambda: npy(np.array(["x"] * 3)),
        "nan": lambda: npy(np.full_like(wide, np.nan)),
        "rows": lambda: npy(array[:-1] if array.ndim else array),
        "flat": lambda: npy(array.reshape(-1)[:5]),
        "none": lambda: npy(array.reshape(-1)[:0]),
        "huge": lambda: npy(wide, "(99999999999,)"),
        "negative": lambda: npy(wide, "(-5, 4)"),
        "bomb": lambda: npy(np.zeros((20_000_000,), np.float32)),
        "noise": lambda: dice.randbytes(200),
    }
    if how == "gone":
        del members[name]
    else:
        members[name] = made[how]()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for one, raw in members.items():
            archive.writestr(f"{one}.npy", raw)
    return file.getvalue(), f"{name} {how}"


def altered_tensors(content: bytes, dice: random.Random) -> tuple[bytes, str]:
    """The header of a safetensors file, or one tensor under its name."""
    from safetensors.numpy import load

    if dice.random() < 0.6:
        length = int.from_bytes(content[:8], "little")
        header, what = altered_json(json.loads(content[8 : 8 + length]), dice)
        raw = spelt(header).encode()
        return len(raw).to_bytes(8, "little") + raw + content[8 + length :], what
    found = dict(load(content))
    name = dice.choice(list(found))
    change = dice.choice(["gone", "nan", "rows", "flat", "type"])
    if change == "gone":
        del found[name]
    else:
        one = found[name]
        found[name] = {
            "nan": np.full(one.shape, np.nan, np.float32),
            "rows": np.ascontiguousarray(one[:-1]),
            "flat": np.ascontiguousarray(one.reshape(-1)[:7]),
            "type": one.astype(np.int8),
        }[change]
    return tensors(found), f"{name} {change}"


def altered(parts: Parts, dice: random.Random) -> tuple[Parts, str]:
    """A bundle with one thing wrong, and what."""
    name = dice.choice([*parts.files, *(["settings"] if parts.settings else [])])
    if name == "settings":
        made, what = altered_json(parts.settings, dice)
        return Parts(parts.kind, parts.target, made, parts.files), f"settings: {what}"
    content = parts.files[name]
    if name.endswith(".json") and dice.random() < 0.85:
        document, what = altered_json(json.loads(content), dice)
        raw = spelt(document).encode()
    elif name.endswith(".npz") and dice.random() < 0.8:
        raw, what = altered_npz(content, dice)
    elif name.endswith(".safetensors") and dice.random() < 0.8:
        raw, what = altered_tensors(content, dice)
    else:
        raw, what = altered_bytes(content, dice)
    settings = parts.settings
    if name == "tokenizer.json":  # whoever signs a bundle says this digest too
        settings = {**settings, "vocabulary": hashlib.sha256(raw).hexdigest()}
    return Parts(parts.kind, parts.target, settings, {**parts.files, name: raw}), f"{name}: {what}"


KINDS: dict[str, Callable[[], Parts]] = {
    "induced": induced,
    "api-parser": api_parser,
    "cookbook": cookbook,
    "rerank": rerank,
    "meaning": meaning,
    "trunk": trunk,
}


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The valid trunk and encoder that other kinds lean on."""
    folder = tmp_path_factory.mktemp("beside")
    write(folder / "trunk", trunk())
    write(folder / "meaning", meaning())
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_the_bundle_that_is_altered_answers(kind: str, beside: Path, tmp_path: Path) -> None:
    assert verdict(write(tmp_path / "b", KINDS[kind]()), beside) == "answers"


@pytest.mark.parametrize("kind", KINDS)
def test_a_signed_bundle_with_something_wrong_in_it_is_refused_or_answers(
    kind: str, beside: Path, tmp_path: Path
) -> None:
    wrong = {}
    seen = {"answers": 0, "refused": 0}
    for seed in range(MUTANTS):
        parts, what = altered(KINDS[kind](), random.Random(f"{kind} {seed}"))
        found = verdict(write(tmp_path / str(seed), parts), beside)
        if found in seen:
            seen[found] += 1
        else:
            wrong[f"{seed} {what}"] = found
    assert not wrong
    assert seen["refused"] > MUTANTS // 2, "the alterations alter too little"


def change_manifest(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], object]:
    def tamper(folder: Path) -> None:
        manifest = json.loads((folder / "bundle.json").read_text())
        change(manifest)
        sign(folder, manifest)

    return tamper


def replace_by(name: str, make: Callable[[Path], object]) -> Callable[[Path], object]:
    def tamper(folder: Path) -> None:
        (folder / name).unlink()
        make(folder / name)

    return tamper


def listed(name: str, size: object = 0, digest: object = hashlib.sha256(b"").hexdigest()) -> Callable[[Path], object]:
    entry = {"sha256": digest, "size": size}
    return change_manifest(lambda manifest: manifest["files"].update({name: entry}))


def twice(folder: Path) -> None:
    text = (folder / "bundle.json").read_text()
    (folder / "bundle.json").write_text('{"kind": "cookbook", ' + text[1:])


FOLDERS: dict[str, Callable[[Path], object]] = {
    "a pipe as manifest": replace_by("bundle.json", os.mkfifo),
    "a folder as manifest": replace_by("bundle.json", Path.mkdir),
    "a device as manifest": replace_by("bundle.json", lambda path: path.symlink_to("/dev/zero")),
    "a pipe as file": replace_by("grammar.json", os.mkfifo),
    "a folder as file": replace_by("grammar.json", Path.mkdir),
    "a device as file": replace_by("grammar.json", lambda path: path.symlink_to("/dev/zero")),
    "a manifest of megabytes": lambda folder: (folder / "bundle.json").write_bytes(b" " * 2_000_000),
    "a manifest that is not UTF-8": lambda folder: (folder / "bundle.json").write_bytes(b'{"format": "\xff"}'),
    "a nested manifest": lambda folder: (folder / "bundle.json").write_text("[" * 100_000),
    "a key twice": twice,
    "a path upwards": listed("../grammar.json"),
    "an absolute path": listed("/etc/passwd"),
    "a name of half a pair": listed("\ud800"),
    "a name that is too long": listed("x" * 5000),
    "a file below a file": listed("grammar.json/x"),
    "a size that is true": listed("grammar.json", True),
    "a negative size": listed("grammar.json", -1),
    "a size of exabytes": listed("grammar.json", 10**18),
    "a digest of another kind": listed("grammar.json", 0, "x"),
    "infinity in the settings": change_manifest(lambda manifest: manifest["settings"].update(x=math.inf)),
    "settings of half a pair": change_manifest(lambda manifest: manifest["settings"].update(x="\ud800")),
    "another version": change_manifest(lambda manifest: manifest.update(format=True)),
    "deep settings": change_manifest(lambda manifest: manifest["settings"].update(x=DEEP)),
    "many files": change_manifest(
        lambda manifest: manifest["files"].update({f"f{n}": {"sha256": "0" * 64, "size": 0} for n in range(5000)})
    ),
}


@pytest.mark.parametrize("what", FOLDERS)
def test_a_folder_that_is_no_bundle_is_refused(what: str, beside: Path, tmp_path: Path) -> None:
    folder = write(tmp_path / "b", induced())
    FOLDERS[what](folder)
    assert verdict(folder, beside) == "refused"


def graph_with(change: Callable[[Any], object], parts: Parts) -> Parts:
    """The same bundle with its graph changed by the package that writes graphs."""
    import onnx

    model = onnx.load_from_string(parts.files["graph.onnx"])
    change(model)
    return Parts(parts.kind, parts.target, parts.settings, {**parts.files, "graph.onnx": model.SerializeToString()})


def lies_in(location: str, tensor: int = 0) -> Callable[[Any], object]:
    def change(model: Any) -> None:
        one = model.graph.initializer[tensor]
        one.data_location = 1
        del one.external_data[:]
        entry = one.external_data.add()
        entry.key, entry.value = "location", location

    return change


def another_tensor(location: str) -> Callable[[Any], object]:
    """A weight that nobody gives, beside those that are given."""

    def change(model: Any) -> None:
        one = model.graph.initializer.add()
        one.name, one.data_type = "more", 1
        one.dims.append(4)
        lies_in(location, len(model.graph.initializer) - 1)(model)

    return change


def constant(location: str) -> Callable[[Any], object]:
    """A tensor inside of an operator."""

    def change(model: Any) -> None:
        import onnx

        value = onnx.TensorProto(name="c", data_type=1, dims=[4])
        value.data_location = onnx.TensorProto.EXTERNAL
        entry = value.external_data.add()
        entry.key, entry.value = "location", location
        attribute = model.graph.node[0].attribute.add()
        attribute.name, attribute.type = "value", 4
        attribute.t.CopyFrom(value)

    return change


def inner_graph(model: Any) -> None:
    attribute = model.graph.node[0].attribute.add()
    attribute.name, attribute.type = "body", 5
    attribute.g.name = "inner"


def loop(model: Any) -> None:
    model.graph.node[0].op_type = "Loop"


GRAPHS: dict[str, Callable[[Any], object]] = {
    "a path upwards": lies_in("../../etc/passwd"),
    "an absolute path": lies_in("/etc/passwd"),
    "a file beside it": lies_in("bundle.json"),
    "no file": lies_in(""),
    "another tensor upwards": another_tensor("../secret"),
    "another tensor that is promised": another_tensor("given-by-the-loader"),
    "a constant upwards": constant("../secret"),
    "a graph inside": inner_graph,
    "an operator of another kind": loop,
}


@pytest.mark.parametrize("kind", ["trunk", "meaning"])
@pytest.mark.parametrize("what", GRAPHS)
def test_a_graph_that_names_files_or_strange_operators_is_not_opened(
    kind: str, what: str, beside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import onnxruntime

    folder = write(tmp_path / "b", graph_with(GRAPHS[what], KINDS[kind]()))
    monkeypatch.setattr(onnxruntime, "InferenceSession", lambda *_, **__: pytest.fail("the runtime was asked"))
    with pytest.raises(BadBundle, match=f"the graph of the {'trunk' if kind == 'trunk' else 'encoder'}"):
        ask(folder, beside)


def test_numbers_of_a_graph_are_altered_and_nothing_crashes(beside: Path, tmp_path: Path) -> None:
    """Attributes and sizes that do not fit the weights: the runtime or its loader says so."""
    wrong = {}
    for seed in range(40):
        dice = random.Random(seed)
        kind = dice.choice(["trunk", "meaning"])

        def change(model: Any, dice: random.Random = dice) -> None:
            node = dice.choice([one for one in model.graph.node if any(a.type == 2 for a in one.attribute)])
            dice.choice([one for one in node.attribute if one.type == 2]).i = dice.choice([-1, 0, 1, 3, 2**20, 2**40])

        found = verdict(write(tmp_path / str(seed), graph_with(change, KINDS[kind]())), beside)
        if found not in ("answers", "refused"):
            wrong[f"{kind} {seed}"] = found
    assert not wrong
