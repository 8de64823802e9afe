"""The embedded best system: the cookbook where it is sure, else the trunk and the cookbook together, reranked.

Where the trunk's bundle or its runtime is not installed, the verified cookbook answers alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

from sayso.answer.calibrate import Curve
from sayso.answer.rerank import LIST, Combined, Pace, Settings
from sayso.answer.verify import Verified
from sayso.answer.weighing import Weighing, weighing_from
from sayso.core.types import Asked, Draft, Request, System, Target, Translator, Workspace
from sayso.neural import fields
from sayso.neural.beam import Beam
from sayso.neural.bundle import MANIFEST, Bundle, load_bundle, reading
from sayso.targets.bash.evidence import features
from sayso.targets.bash.evidence.hints import BUCKETS, Hints, Wording, unpack
from sayso.targets.bash.request.spelled import Spelled
from sayso.targets.bash.systems.composed_request import Completing
from sayso.targets.bash.systems.composed_request import default_system as cookbook
from sayso.targets.bash.systems.mend import Mended
from sayso.targets.bash.systems.recalled import FOLDER as RECALL
from sayso.targets.bash.systems.recalled import load_recalled
from sayso.targets.bash.systems.stepped import stepped

BUNDLES = Path(__file__).parents[3] / "bundles"
TRUNK, RERANK = BUNDLES / "trunk", BUNDLES / "bash-rerank"
RUNTIME = ("numpy", "onnxruntime")
HINTS, WORDING = "hints.npz", "wording.bin"
CURE = "make it again as docs/concepts/ranking.md says"
ONE = Beam(width=4, n_best=8, longest=48, margin=3.0, behind=3.0, floor=0.01)
"""What a search for the first few answers is held to: docs/concepts/runtime.md has what that saves."""
SEVERAL = Beam(width=8, n_best=8, longest=96, margin=4.0, behind=4.0)
"""The same where several acts are asked for: such answers are long, and many are about as likely."""
ACT = Beam(width=2, n_best=3, longest=48, margin=2.0, behind=2.0, floor=0.1)
"""One act of them, of which only the best answer counts, and none that is unlikely."""
STEEPEST = 1e6
"""The steepest a curve may be."""
FACTS = (*features.NAMES, *LIST)
"""What the confidence may be made of."""


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
    with reading(fitted, "ranking", CURE):
        weighing, settings, abstain_below = read_fitted(fitted)
        words = read_wording(fitted)
    load = cache(partial(load_trunk, trunk))
    translator = Combined(
        target,
        quick.translator,
        partial(asked_model, load),
        partial(columns, cache(lambda: unpack(fitted.read(HINTS), fitted.place(HINTS)))),
        lambda request: words.described(request.text),
        features.likenesses,
        weighing,
        settings,
        stepped,
        load_recalled,
        partial(told_by, load) if tells_back(trunk) else None,
        features.does_all,
    )
    signature = f"{quick.bundle}+{load_signature(trunk)}+{fitted.signature}+{recall_signature()}"
    return System(translator, abstain_below, quick.nearest, signature)


def load_trunk(folder: Path) -> Translator:
    from sayso.neural.translator import load_neural

    return load_neural(folder, "bash").translator


def asked_model(load: Callable[[], Translator], asked: Asked, pace: Pace) -> Translator:
    """The trunk as `Combined` wants it: as wide as its bundle says, or in a hurry."""
    if pace == "wide":
        return searching(load())
    return searching(load(), ACT if pace == "act" else SEVERAL if features.has_several_acts(asked) else ONE)


def searching(trunk: Translator, limits: Beam | None = None) -> Translator:
    """The trunk held to these limits, with what the request itself corrects of its answers."""
    from sayso.neural.translator import hurried

    return Completing(Mended(Spelled(trunk if limits is None else hurried(trunk, limits))))


def tells_back(folder: Path) -> bool:
    """Whether the trunk learnt what commands are for."""
    from sayso.neural.bundle import read_manifest
    from sayso.neural.translator import TELLS

    return read_manifest(folder)["settings"].get(TELLS) is True


def told_by(load: Callable[[], Translator], request: Request, commands: Sequence[str]) -> Sequence[float]:
    from sayso.neural.translator import NeuralTranslator

    trunk = load()
    assert isinstance(trunk, NeuralTranslator)
    return trunk.told(request, commands)


def load_signature(trunk: Path) -> str:
    """The trunk's signature without reading its weights."""
    from sayso.neural.bundle import read_manifest

    return str(read_manifest(trunk)["signature"])


def recall_signature() -> str:
    from sayso.neural.bundle import read_manifest

    return str(read_manifest(RECALL)["signature"])


def columns(hints: Callable[[], Hints], asked: Asked, drafts: Sequence[Draft], described: float) -> list[list[float]]:
    return features.rows(asked, drafts, described, hints())


def read_fitted(bundle: Bundle) -> tuple[Weighing, Settings, float]:
    """The numbers of a bundle of kind "rerank"."""
    given, place = bundle.settings, bundle.place(MANIFEST)

    def number(name: str) -> float:
        return fields.number(fields.field(given, name, place), f"{place}: {name}", 0.0, 1.0)

    weighing = weighing_from(fields.table(fields.field(given, "weighing", place), f"{place}: weighing"), features.NAMES)
    return weighing, Settings(number("sure"), curve(bundle)), number("abstain_below")


def curve(bundle: Bundle) -> Curve:
    place = f"{bundle.place(MANIFEST)}: curve"
    given = fields.table(fields.field(bundle.settings, "curve", bundle.place(MANIFEST)), place)
    weights = fields.table(fields.field(given, "weights", place), f"{place}.weights")
    if unknown := sorted(set(weights) - set(FACTS)):
        raise fields.wrong(f"{place}.weights", unknown[0], "a fact that is known of an answer")
    bias, highest = (fields.field(given, name, place) for name in ("bias", "highest"))
    return Curve(
        fields.number(bias, f"{place}.bias", -STEEPEST, STEEPEST),
        {name: fields.number(one, f"{place}.weights.{name}", -STEEPEST, STEEPEST) for name, one in weights.items()},
        fields.number(highest, f"{place}.highest", 0.0, 1.0),
    )


def read_wording(bundle: Bundle) -> Wording:
    place = f"{bundle.place(MANIFEST)}: wording"
    given = fields.table(fields.field(bundle.settings, "wording", bundle.place(MANIFEST)), place)
    step, bias = (fields.number(fields.field(given, name, place), f"{place}.{name}") for name in ("step", "bias"))
    content = bundle.read(WORDING)
    if len(content) != BUCKETS:
        raise ValueError(f"{WORDING} has {len(content)} numbers instead of {BUCKETS}")
    return Wording(content, step, bias)
