"""The trunk that ships, where it answers for calls of APIs and there is a runtime for it; opened when first asked."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.neural.bundle import MANIFEST, read_manifest
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.prompts.answers import NOT_ASKED
from sayso.targets.api.specs.prompts.hearing import ANSWERS, Hearing, Hears, heard_in, prompt_of

if TYPE_CHECKING:
    from sayso.neural.translator import NeuralTranslator

TRUNK = Path(__file__).parents[4] / "bundles" / "trunk"
TARGET = "api"
RUNTIME = ("numpy", "onnxruntime")
MARGIN, LONGEST = 3.0, 72
"""How far answers may be behind the first, in nats, and how many ids one may have."""


@cache
def answers_for_calls(folder: Path = TRUNK) -> bool:
    """Whether it learnt calls and can be run; its weights are not read."""
    from sayso.neural.translator import answers_for

    if not (folder / MANIFEST).is_file() or not all(find_spec(package) for package in RUNTIME):
        return False
    manifest = read_manifest(folder)
    return answers_for(manifest["target"], manifest["settings"], TARGET)


def shipped_hears() -> Hears | None:
    return heard_by_trunk if answers_for_calls() else None


def heard_by_trunk(text: str, operation: Operation) -> Hearing:
    return hearing_of(values_translator(), text, operation)


def hearing_of(translator: NeuralTranslator, text: str, operation: Operation) -> Hearing:
    """That nothing is asked for is one id, and so known as soon as the prompt is read; after it an answer ends."""
    begun = translator.begin(prompt_of(text, operation))
    nothing = begun.opens(NOT_ASKED)
    return Hearing(nothing, lambda: replace(heard_in(operation, begun.answers(ANSWERS)), nothing=nothing))


@cache
def opened() -> NeuralTranslator:
    from sayso.neural.translator import NeuralTranslator, load_neural

    translator = load_neural(TRUNK, TARGET).translator
    assert isinstance(translator, NeuralTranslator)
    return translator


@cache
def values_translator() -> NeuralTranslator:
    """For the values of one operation: few answers, and quickly."""
    return narrowed(opened(), ANSWERS, MARGIN, LONGEST)


def narrowed(translator: NeuralTranslator, answers: int, margin: float, longest: int) -> NeuralTranslator:
    beam = replace(
        translator.beam, width=answers, n_best=answers, margin=margin, behind=margin, longest=longest, floor=0.0
    )
    return replace(translator, beam=beam)


def trunk_signature() -> str:
    """Of the trunk that calls are answered with; "" where none is."""
    return str(read_manifest(TRUNK)["signature"]) if answers_for_calls() else ""
