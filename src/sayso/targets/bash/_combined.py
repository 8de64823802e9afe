"""The embedded best system: the cookbook where it is sure, else the trunk and the cookbook together, reranked.

Where the trunk's bundle or its runtime is not installed, the verified cookbook answers alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

from sayso.core.errors import BadBundle
from sayso.core.types import Request, System, Target, Translator, Workspace
from sayso.targets.bash import _features
from sayso.targets.bash._composed_request import Completing
from sayso.targets.bash._composed_request import default_system as cookbook
from sayso.targets.bash._features_hints import Hints, Wording, unpack
from sayso.targets.bash._mend import Mended
from sayso.targets.bash._spelled import Spelled
from sayso.translate.bundle import MANIFEST, Bundle, load_bundle
from sayso.translate.calibrate import Curve
from sayso.translate.combine import Option
from sayso.translate.rerank import Combined, Settings, Weights
from sayso.translate.verify import Verified

BUNDLES = Path(__file__).parents[2] / "bundles"
TRUNK, RERANK = BUNDLES / "trunk", BUNDLES / "bash-rerank"
RUNTIME = ("numpy", "onnxruntime")
HINTS, WORDING = "hints.npz", "wording.bin"
CURE = "make it again as docs/concepts/ranking.md says"


def best_system(target: Target, workspace: Workspace, trunk: Path = TRUNK, rerank: Path = RERANK) -> System:
    """The best that this installation can do; `bundle` of the system says what that was made of."""
    quick = cookbook(workspace)
    if not is_usable(trunk):
        return replace(quick, translator=Verified(quick.translator, target))
    return combined_system(target, quick, trunk, load_bundle(rerank))


def is_usable(trunk: Path) -> bool:
    """Whether there is a trunk and a runtime for it; neither is opened."""
    return (trunk / MANIFEST).is_file() and all(find_spec(package) for package in RUNTIME)


def combined_system(target: Target, quick: System, trunk: Path, fitted: Bundle) -> System:
    try:
        weights, settings, abstain_below = read_fitted(fitted)
        worded = fitted.settings["wording"]
        words = Wording(fitted.read(WORDING), float(worded["step"]), float(worded["bias"]))
    except (KeyError, TypeError, ValueError) as error:
        raise BadBundle(f"{fitted.folder} holds no ranking that this sayso reads: {error!r}", CURE) from error
    translator = Combined(
        target,
        quick.translator,
        partial(asked_model, cache(partial(load_trunk, trunk))),
        partial(columns, target, cache(lambda: unpack(fitted.read(HINTS)))),
        lambda request: words.described(request.text),
        _features.likeness,
        weights,
        settings,
    )
    signature = f"{quick.bundle}+{load_signature(trunk)}+{fitted.signature}"
    return System(translator, abstain_below, quick.nearest, signature)


def load_trunk(folder: Path) -> Translator:
    from sayso.translate.neural import load_neural

    return load_neural(folder, "bash").translator


def asked_model(load: Callable[[], Translator], floor: float | None) -> Translator:
    """The trunk in a hurry, as `Combined` wants it, or as its bundle says."""
    from sayso.translate.neural import hurried

    trunk = load() if floor is None else hurried(load(), floor)
    return Completing(Mended(Spelled(trunk)))


def load_signature(trunk: Path) -> str:
    """The trunk's signature without reading its weights."""
    from sayso.translate.bundle import read_manifest

    return str(read_manifest(trunk)["signature"])


def columns(
    target: Target, hints: Callable[[], Hints], request: Request, options: Sequence[Option]
) -> list[list[float]]:
    return _features.rows(target, request, options, hints())


def read_fitted(bundle: Bundle) -> tuple[Weights, Settings, float]:
    """The numbers of a bundle of kind "rerank"."""
    given = bundle.settings
    if tuple(given["columns"]) != _features.NAMES:
        raise ValueError("other columns")
    weights = Weights(_features.NAMES, *(tuple(map(float, given[name])) for name in ("centre", "scale", "weights")))
    curve = Curve(float(given["curve"]["bias"]), given["curve"]["weights"], float(given["curve"]["highest"]))
    sure, weight = ((float(given[name][0]), float(given[name][1])) for name in ("sure", "weight"))
    return weights, Settings(sure, weight, curve), float(given["abstain_below"])
