"""A translator over one trunk in a compiled CPU runtime, chosen by measurement (docs/concepts/runtime.md); no torch.

The trunk is a bundle; an adapter that makes it another target's is a second one, which names the trunk it fits. Numpy
and the runtime are imported when the first trunk is loaded.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.core.errors import BadBundle, BadFile
from sayso.core.types import Candidate, Request, System, Translator
from sayso.english.byte_bpe import ByteBpe, read_bpe
from sayso.english.prompt import MOST as MOST_READ
from sayso.english.prompt import TAGS, Prompt, read_prompt, told_ids
from sayso.english.vocabulary import BOS, EOS
from sayso.neural import fields
from sayso.neural.arrays import shaped
from sayso.neural.beam import Allowed, Beam, Found, beam_search, top
from sayso.neural.bundle import MANIFEST, Bundle, load_bundle, reading
from sayso.neural.runtime import Read, Trunk
from sayso.neural.weights import (
    FUSED,
    GROUP,
    MOST,
    Adapter,
    TrunkShape,
    check_stored,
    graph_weights,
    part_sizes,
    read_tensors,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

KIND, ADAPTER_KIND = "trunk", "adapter"
GRAPH, TOKENIZER = "graph.onnx", "tokenizer.json"
ALSO = "also"
"""The setting that lists the targets which a trunk answers for beside its own."""
TELLS = "tells"
"""The setting that says that a trunk learnt what instructions are for, too."""
LONGEST_TOLD = 80
"""Ids of a request, as many as were learnt."""
REAL, GROUPS = ("theta", "epsilon"), (16, 32, 64, 128, 256)
MOST_LAYERS, MOST_PLACES, MOST_ROWS = 256, 32_768, 64
SHORTEST = 3
"""Ids of the shortest prompt: a tag, a request, BOS."""
CUT = ("from the model", "the request is too long: only its beginning was read")
CURE = "export the trunk again, or reinstall sayso if it is the embedded one"


@dataclass(frozen=True)
class NeuralTranslator:
    """Beam search over a trunk. A score is the exponential of what ranks: with length power 0, the probability."""

    trunk: Trunk
    tokens: ByteBpe
    beam: Beam
    target: str
    allowed: Allowed | None = None
    """A constraint on what may be said; see `beam`."""

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        """At most k candidates a request, and no more than the beam finds.

        One request after the other: rows of several do not make a step on one thread cheaper, and so a request's
        answer is the same in whatever company.
        """
        return [self._translate(request, k) for request in requests]

    def told(self, request: Request, instructions: Sequence[str]) -> list[float]:
        """The log-probability of the request as what each of some instructions is for."""
        words = [*self.tokens.encode(" ".join(request.text.split())), EOS][:LONGEST_TOLD]
        most = self.trunk.shape.places - LONGEST_TOLD
        prompts = [[*told_ids(self.tokens, one, self.target, most - 1), BOS] for one in instructions]
        return self.trunk.likelihoods(prompts, [words] * len(prompts)) if prompts else []

    def begin(self, request: Request) -> Begun:
        """The request read, which is most of the work where answers are short, and not answered yet."""
        prompt = read_prompt(self.tokens, request, self.target, self.trunk.shape.places - self.beam.longest)
        return Begun(self, prompt, *self.trunk.start([prompt.ids]))

    def _translate(self, request: Request, k: int) -> list[Candidate]:
        return self.begin(request).answers(k) if request.text.strip() and k >= 1 else []


@dataclass(frozen=True)
class Begun:
    """A request that was read: how an answer may begin, and all answers, which can be asked for once."""

    by: NeuralTranslator
    prompt: Prompt
    log_probs: NDArray[Any]
    state: Read

    def opens(self, text: str) -> float:
        """The probability that the answer begins with the first id of a text; 0 where a search would give that up."""
        first = self.by.tokens.encode(text)[0]
        told, beam = self.log_probs[0], self.by.beam
        least = max(float(told.max()) - beam.behind, float(told[top(told, beam.width)[-1]]))
        return math.exp(float(told[first])) if told[first] >= least else 0.0

    def answers(self, k: int) -> list[Candidate]:
        # Always the same search, whatever k: fewer candidates are the first of more.
        by = self.by
        found = beam_search(by.trunk, [self.prompt.ids], by.beam, by.allowed, (self.log_probs, self.state))[0]
        return candidates(found, by.tokens, CUT if self.prompt.is_cut else ())[:k]


def hurried(translator: Translator, limits: Beam) -> Translator:
    """The same trunk, whose search is nowhere wider than that; other translators stay as they are."""
    if not isinstance(translator, NeuralTranslator):
        return translator
    return replace(translator, beam=translator.beam.within(limits))


def read_request(tokens: ByteBpe, request: Request, target: str, most: int = MOST_READ) -> list[int]:
    """The prompt of a request, in ids."""
    return read_prompt(tokens, request, target, most).ids


def candidates(found: Sequence[Found], tokens: ByteBpe, why: tuple[str, ...] = ()) -> list[Candidate]:
    """Ids as text, once each: two answers that read the same are one."""
    best: dict[str, Candidate] = {}
    for one in found:
        text = tokens.decode(one.ids)
        best.setdefault(text, Candidate(text, math.exp(one.score), why))
    return list(best.values())


def load_neural(folder: Path, target: str, adapter: Path | None = None) -> System:
    """The trunk of a bundle as a system that answers for a target, with the adapter of another where there is one."""
    bundle = load_bundle(folder)
    if bundle.kind != KIND:
        raise BadBundle(f"{folder} is a bundle of kind {bundle.kind}, not {KIND}", CURE)
    if target not in TAGS:
        raise BadBundle(f"no trunk answers for {target}", f"known: {', '.join(TAGS)}")
    adapted = None if adapter is None else load_bundle(adapter)
    with reading(bundle, "trunk", CURE):
        shape, beam = read_settings(bundle, adapted)
        tokens = read_vocabulary(bundle, shape)
        stored = read_pieces(bundle, "weights")
        check_stored(stored, shape, bundle.place("weights"))
        weights = graph_weights(stored, shape, read_adapter(adapted, bundle, target, shape))
        translator = NeuralTranslator(Trunk(bundle.read(GRAPH), weights, shape), tokens, beam, target)
        least = bundle.settings.get("abstain_below")
        place = f"{bundle.place(MANIFEST)}: settings.abstain_below"
        abstain_below = -math.inf if least is None else fields.number(least, place)
    signature = bundle.signature if adapted is None else f"{bundle.signature}+{adapted.signature}"
    return System(translator, abstain_below, bundle=signature)


def read_settings(bundle: Bundle, adapted: Bundle | None = None) -> tuple[TrunkShape, Beam]:
    """Sizes that a trunk can have, and a beam that ends; an adapter may bring one for answers of another length."""
    own = bundle if adapted is None or "beam" not in adapted.settings else adapted
    try:
        given = fields.table(bundle.settings["shape"], f"{bundle.place(MANIFEST)}: shape")
        beam = fields.table(own.settings["beam"], f"{own.place(MANIFEST)}: beam")
    except KeyError as error:
        raise BadBundle(f"{bundle.folder} lacks settings of a trunk: {error}", CURE) from error
    place = f"{bundle.place(MANIFEST)}: shape"
    sizes = {name: fields.whole(value, f"{place}.{name}", 1, MOST) for name, value in given.items() if name not in REAL}
    real = {name: fields.number(given.get(name), f"{place}.{name}", 1e-30, 1e12) for name in REAL}
    try:
        shape = TrunkShape(**sizes, **real)  # type: ignore[arg-type]
    except TypeError as error:
        raise BadBundle(f"{bundle.folder} lacks settings of a trunk: {error}", CURE) from error
    grouped = (shape.width % GROUP, *(shape.matrix(name)[1] % shape.group for name in FUSED))
    even = shape.width % shape.heads or shape.heads % shape.key_heads or shape.head % 2
    if shape.bits not in (4, 8, 32) or shape.group not in GROUPS or even or any(grouped):
        raise BadBundle(f"{place} has sizes that no trunk has", CURE)
    if shape.layers > MOST_LAYERS or shape.places > MOST_PLACES:
        raise BadBundle(f"{place} has more layers or places than a trunk has", CURE)
    search = read_beam(beam, shape, f"{own.place(MANIFEST)}: beam")
    if search.longest + SHORTEST > shape.places:
        raise BadBundle(f"{own.folder} wants answers of {search.longest} ids in a trunk of {shape.places} places", CURE)
    return shape, search


def read_beam(given: dict[str, Any], shape: TrunkShape, place: str) -> Beam:
    whole = {
        name: fields.whole(given[name], f"{place}.{name}", 1, most)
        for name, most in (("width", MOST_ROWS), ("n_best", MOST_ROWS), ("longest", shape.places - 1))
        if name in given
    }
    real = {name: fields.number(value, f"{place}.{name}") for name, value in given.items() if name not in whole}
    return Beam(**whole, **real)  # type: ignore[arg-type]


def read_vocabulary(bundle: Bundle, shape: TrunkShape) -> ByteBpe:
    """The tokenizer, which must be the one that the weights were cut with."""
    content = bundle.read(TOKENIZER)
    found = hashlib.sha256(content).hexdigest()
    if found != bundle.settings.get("vocabulary"):
        raise BadBundle(f"{bundle.folder} has another vocabulary than its weights", CURE)
    try:
        tokens = read_bpe(content)
    except BadFile as error:
        raise BadBundle(f"{bundle.folder}: {error.message}", CURE) from error
    if len(tokens) != shape.vocabulary:
        raise BadBundle(
            f"{bundle.folder} has a vocabulary of {len(tokens):,} and weights for {shape.vocabulary:,} ids", CURE
        )
    return tokens


def answers_for(own: str, settings: Mapping[str, Any], target: str) -> bool:
    """Whether a trunk needs no adapter for a target: it is for any, for that one, or learnt that one beside its own."""
    also = settings.get(ALSO, [])
    return own in ("", target) or (isinstance(also, list) and target in also)


def read_pieces(bundle: Bundle, name: str) -> dict[str, NDArray[Any]]:
    """The tensors of all files name-1, name-2, … together."""
    found: dict[str, NDArray[Any]] = {}
    for file in bundle.files:
        if file.startswith(f"{name}-") and file.endswith(".safetensors"):
            found |= read_tensors(bundle.read(file), f"{bundle.folder / file}")
    return found


def read_adapter(adapted: Bundle | None, trunk: Bundle, target: str, shape: TrunkShape) -> Adapter | None:
    """The narrow matrices of an adapter bundle, which must have been made for this trunk and target."""
    if adapted is None:
        if not answers_for(trunk.target, trunk.settings, target):
            raise BadBundle(f"{trunk.folder} answers for {trunk.target} and needs an adapter for {target}", CURE)
        return None
    if adapted.kind != ADAPTER_KIND or adapted.target != target:
        raise BadBundle(f"{adapted.folder} is no adapter for {target}", f"it is a {adapted.kind} for {adapted.target}")
    if adapted.settings.get("trunk") != trunk.signature:
        raise BadBundle(f"{adapted.folder} is an adapter of another trunk than {trunk.folder}", CURE)
    with reading(adapted, "adapter", CURE):
        place = adapted.place("adapter")
        parts = read_pieces(adapted, "adapter")
        for layer, fused in product(range(shape.layers), FUSED):
            inputs = shape.matrix(fused)[1]
            for part, outputs in zip(FUSED[fused], part_sizes(fused, shape), strict=True):
                name = f"layers.{layer}.{part}"
                if f"{name}.a" in parts:
                    rank = shaped(parts[f"{name}.a"], f"{place}: {name}.a", -1, inputs).shape[0]
                    shaped(parts.get(f"{name}.b"), f"{place}: {name}.b", outputs, rank)
        scale = fields.field(adapted.settings, "scale", adapted.place(MANIFEST))
        return Adapter(parts, fields.number(scale, f"{adapted.place(MANIFEST)}: scale"))
