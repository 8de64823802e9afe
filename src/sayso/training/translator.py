"""A trained network as a translator, and as a bundle: vocabularies, settings and weights in one checked folder.

The papers' systems are run like this, in torch, and never exported to another runtime.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from sayso.core.types import Candidate, Grain, Request
from sayso.english.vocabulary import ExtendedVocabulary
from sayso.models import make_network
from sayso.neural import fields
from sayso.neural.bundle import MANIFEST, Bundle, reading, write_bundle
from sayso.training.batches import CPU
from sayso.training.checkpoint import put_weights
from sayso.training.decode import Answer, answer
from sayso.training.encode import (
    SOURCE,
    TARGET,
    Vocabularies,
    encode_request,
    encode_requests,
    load_vocabularies,
)
from sayso.training.encode_cells import Words, encode_some, say
from sayso.training.encode_pieces import put_together, whole_text
from sayso.training.jobs import Data, Job
from sayso.training.settings import Decoding, Encoding
from sayso.training.weights import unpack_weights

KIND = "network"
WEIGHTS = "weights.safetensors"
LARGEST_SIZE = 1e6
"""Of a vocabulary, a layer, a place: ten times what any network of ours has."""

Join = Callable[[Sequence[str], Grain], str]


@dataclass(frozen=True)
class NetworkTranslator:
    """Translates with a network; `join` makes an instruction of the parts that it says."""

    network: nn.Module
    vocabularies: Vocabularies
    encoding: Encoding
    decoding: Decoding
    join: Join
    device: torch.device = CPU
    words: Words | None = None
    """What cuts code in the context of a request, for networks that read stored cells."""

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        """At most k candidates a request, and no more than the beam is wide."""
        if not requests:
            return []
        beam = max(k, self.decoding.beam)
        settings = replace(self.decoding, beam=beam, k=min(beam, max(k, self.decoding.k)))
        if self.encoding.stored:
            assert self.words is not None
            whole = encode_some(requests, self.vocabularies, self.encoding, self.words)
        else:
            whole = encode_requests(requests, self.vocabularies, self.encoding)
        found = answer(self.network, whole, settings, self.device)
        return [
            candidates(answers, request, self.vocabularies, self.encoding, self.join)[:k]
            for answers, request in zip(found, requests, strict=True)
        ]


def candidates(
    answers: Iterable[Answer], request: Request, words: Vocabularies, encoding: Encoding, join: Join
) -> list[Candidate]:
    """Ids as text, once each: two answers that read the same are one."""
    extra = () if encoding.stored else encode_request(request, words, encoding).extra
    extended = ExtendedVocabulary(words.target, extra)
    best: dict[str, Candidate] = {}
    for ids, score in answers:
        parts = extended.decode(ids)
        if encoding.stored:
            text = join(say(ids, words), encoding.grain)
        elif encoding.pieces and encoding.shared:
            text = whole_text(parts, encoding.pieces)
        else:
            text = join(put_together(parts) if encoding.pieces else parts, encoding.grain)
        best.setdefault(text, Candidate(text, score))
    return list(best.values())


def write_network_bundle(
    folder: Path, run: Path, job: Job, data: Data, weights: bytes, facts: dict[str, Any], licence: str = "Apache-2.0"
) -> Bundle:
    """A job of the training folder `run` as a bundle, with the words it was trained with; `facts` say how it went."""
    home = run / "home" / job.encoding.key
    words = load_vocabularies(home, dict(data.vocabularies))
    return write_bundle(
        folder,
        name=job.name,
        target=job.target,
        kind=KIND,
        settings={
            **{name: value for name, value in asdict(job).items() if name not in ("name", "target")},
            "sizes": data.sizes,
            "vocabularies": words.digests,
            **facts,
        },
        files={WEIGHTS: weights, **{name: (home / name).read_bytes() for name in (SOURCE, TARGET)}},
        licence=licence,
    )


def open_network_bundle(
    bundle: Bundle, join: Join, device: torch.device = CPU, words: Words | None = None
) -> NetworkTranslator:
    """The translator that `write_network_bundle` kept."""
    settings = bundle.settings
    with reading(bundle, "trained network", "train it again"):
        encoding, decoding = Encoding(**settings["encoding"]), Decoding(**settings["decoding"])
        network_name, model = settings["network"], {**settings["model"], **settings["sizes"]}
        check_sizes(model, bundle.place(MANIFEST))
        known = load_vocabularies(bundle.folder, dict(settings["vocabularies"]))
        try:
            network = make_network(network_name, model)
        except RuntimeError as error:  # torch's own word for sizes that cannot be
            raise ValueError(str(error)) from error
        weights = unpack_weights(bundle.read(WEIGHTS), bundle.place(WEIGHTS))
        put_weights(network, weights, bundle.folder / WEIGHTS)
    network.to(device).eval()
    return NetworkTranslator(network, known, encoding, decoding, join, device, words)


def check_sizes(model: dict[str, Any], place: str) -> None:
    """No size of a network is larger than any network of ours has; what they mean is the network's to check."""
    for name, value in model.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            fields.number(value, f"{place}: {name}", -LARGEST_SIZE, LARGEST_SIZE)
