"""Which of several build systems in one folder a maintainer would take: a linear choice, learnt from train packages."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources

from sayso.targets.build.planning.finding import Found
from sayso.targets.build.planning.plan import Ground, inside
from sayso.targets.build.planning.told import Words

TOOLS: Mapping[str, tuple[str, ...]] = {
    "autotools": ("configure", "autoreconf", "autogen.sh", "bootstrap"),
    "cmake": ("cmake", "ccmake"),
    "meson": ("meson",),
    "make": ("make", "gmake"),
    "python": ("pip", "pip3", "python", "python3"),
    "perl": ("perl", "cpan", "cpanm"),
    "cargo": ("cargo",),
    "go": ("go",),
    "node": ("npm", "yarn"),
    "ant": ("ant",),
    "maven": ("mvn",),
}


def features_of(ground: Ground, found: Found, told: Sequence[Words]) -> dict[str, float]:
    """What speaks for one of the systems of a folder."""
    tools = TOOLS.get(found.system, (found.system,))
    calls = [at for at, one in enumerate(told) if one.tool in tools]
    name = found.file.rpartition("/")[2]
    same = sum(path.rpartition("/")[2] == name for path in ground.below(found.folder))
    features = {
        f"is {found.system}": 1.0,
        "told": math.log1p(len(calls)),
        "told first": 1.0 if calls and calls[0] <= len(told) // 3 else 0.0,
        "never told": 1.0 if told and not calls else 0.0,
        "files of its kind": math.log1p(same),
    }
    if found.system == "autotools":
        features["configure is there"] = float(ground.has(inside(found.folder, "configure")))
        features["made by automake"] = float(ground.has(inside(found.folder, "Makefile.am")))
    if found.system == "make":
        features["make beside configure.ac"] = float(
            any(ground.has(inside(found.folder, one)) for one in ("configure.ac", "configure.in", "configure"))
        )
        features["make installs"] = float("\ninstall" in ground.text(found.file))
        features["short makefile"] = float(len(ground.text(found.file)) < 1_500)
    return features


def choose(rivals: Sequence[Mapping[str, float]]) -> list[float]:
    weights = learnt()
    return [sum(weights.get(name, 0.0) * value for name, value in one.items()) for one in rivals]


@lru_cache(maxsize=1)
def learnt() -> Mapping[str, float]:
    text = resources.files("sayso.targets.build").joinpath("data/systems.json").read_text("utf-8")
    weights: Mapping[str, float] = json.loads(text)["weights"]
    return weights
