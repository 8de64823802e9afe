"""The embedded trunk with 1,536 places: long prompts are answered, and what it said with 384 is not touched."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("onnxruntime")

import sayso
from sayso.core.errors import BadRequest
from sayso.core.types import Piece, Request
from sayso.english.prompt import read_prompt
from sayso.neural.beam import Beam, beam_search
from sayso.neural.bundle import load_bundle
from sayso.neural.runtime import KEPT
from sayso.neural.translator import NeuralTranslator, hurried, load_neural, read_request

BUNDLE = Path(sayso.__file__).parent / "bundles" / "trunk"
# Of the trunk that was trained, SHA-256 of its weights.
WEIGHTS = {
    "weights-1.safetensors": "7dbdc9a0e9bfe1ef98e1d32d5b546c4ee266872c6cd749019f4ea000cfbaf29d",
    "weights-2.safetensors": "8f87234c677f449f3d335728f6b8480c02f8de78c18e78f7c1af88085513b567",
}
# What it said with 384 places, and how probable that was; another processor rounds otherwise.
SAID = {
    "compress the folder photos into photos.tar.gz": ("tar -c -f photos.tar.gz -z photos", 0.9747),
    "how much disk space is left": ("df -h", 0.9888),
    "display lines 20 to 40 of notes.md": ("sed -n 20,40p notes.md", 0.724),
    "find files larger than 100 megabytes in my home": ("find ~ -size +100M", 0.9575),
    "show the first 10 lines of a.csv": ("head a.csv", 0.939),
    "sort names.txt in reverse order": ("sort -r names.txt", 0.9388),
    "print lines of users.txt that do not contain admin": ("grep -v admin users.txt", 0.9888),
    "print every line longer than 80 characters in main.c": ('awk "length > 80" main.c', 0.9435),
    "count the words in essay.txt": ("wc -w essay.txt", 0.9308),
    "split big.log into pieces of 10 megabytes": ("split -b 10M big.log big_", 0.8622),
}


@pytest.fixture(scope="module")
def trunk() -> Iterator[NeuralTranslator]:
    made = load_neural(BUNDLE, "bash").translator
    assert isinstance(made, NeuralTranslator)
    yield made


HURRY = Beam(width=4, n_best=8, longest=48, margin=3.0, behind=3.0, floor=0.05)


def test_the_weights_are_those_that_were_trained() -> None:
    listed = json.loads((BUNDLE / "bundle.json").read_bytes())["files"]
    assert {name: listed[name]["sha256"] for name in WEIGHTS} == WEIGHTS
    settings = load_bundle(BUNDLE).settings
    assert settings["shape"]["places"] >= 1536 and settings["beam"]["longest"] == 96


def test_bash_answers_are_what_they_were(trunk: NeuralTranslator) -> None:
    found = hurried(trunk, HURRY).translate([Request(text) for text in SAID], 1)
    assert [one.text for (one,) in found] == [text for text, _ in SAID.values()]
    assert [one.score for (one,) in found] == pytest.approx([score for _, score in SAID.values()], abs=0.03)
    assert all(one.why == () for (one,) in found)


def test_bash_prompts_without_context_have_the_ids_that_they_were_trained_with(trunk: NeuralTranslator) -> None:
    letters = "".join(map(chr, range(32, 127))) + "\t\n\r  \xa0\u2028é漢😀"
    random = Random(4)
    texts = ["".join(random.choices(letters, k=random.randrange(120))) for _ in range(500)]
    ids = [read_request(trunk.tokens, Request(text), "bash") for text in texts]
    digest = hashlib.sha256(json.dumps(ids).encode()).hexdigest()
    assert digest == "94f0afa1c2ce3829922187dab313885bb82691a9f17bdb0a4e4a266b5ff2162e"


@pytest.mark.slow
def test_a_prompt_of_1200_ids_is_answered_and_its_memory_given_back(trunk: NeuralTranslator) -> None:
    log = Piece("file", "".join(f"{n:03} kernel: usb disconnected\n" for n in range(400)), "kern.log")
    request = Request("count the lines in kern.log", (log,))
    prompt = read_prompt(trunk.tokens, request, "bash", 1264)
    assert 1200 <= len(prompt.ids) <= 1264 and prompt.pieces == 1
    assert beam_search(trunk.trunk, [prompt.ids], Beam(width=1, n_best=1, longest=4))[0]
    assert all(memory.cache.shape[3] <= KEPT for memory in trunk.trunk._spare)


def test_of_a_request_that_is_too_long_by_itself_the_answer_says_so(trunk: NeuralTranslator) -> None:
    first: Any = Recorded(trunk.trunk)
    found = replace(trunk, trunk=first).translate([Request("a " * 4000, (Piece("text", "b"),))], 1)[0]
    assert "only its beginning was read" in " ".join(found[0].why)
    assert len(first.prompt) == trunk.trunk.shape.places - trunk.beam.longest


class Recorded:
    """A trunk that reads the first ids only, and remembers what it was asked."""

    def __init__(self, trunk: Any) -> None:
        self.trunk, self.shape = trunk, trunk.shape
        self.prompt: list[int] = []

    def start(self, prompts: Any) -> Any:
        (self.prompt,) = prompts
        return self.trunk.start([self.prompt[:9]])

    def step(self, state: Any, last: Any, parents: Any) -> Any:
        return self.trunk.step(state, last, parents)


def test_more_ids_than_places_are_refused_in_one_line(trunk: NeuralTranslator) -> None:
    with pytest.raises(BadRequest, match="1,536 places, and 1,537 are asked for"):
        trunk.trunk.start([[15] + [40] * 1536])
