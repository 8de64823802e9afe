"""The trunk's variants as they were and are to be trained (docs/concepts/trunk.md has their figures).

`first` is what ran first on 2026-11-15, `style` with `folds` beside it what ran then: no dropout, 24 layers, commands
in one spelling, the mean of several second steps. `soft` with `hard` beside it is what is to be tried next.
"""

from __future__ import annotations

from dataclasses import replace

from sayso.recipes.trunk_folds import FOLDS
from sayso.training.trunk_plan import Stage, Variant

FIRST = Stage("first", 1, 3e-4, batch=128, looks=2)
SECOND = Stage("second", 4, 2e-4, batch=64)
ROUNDED = Stage("second", 0.5, 5e-5, batch=64, rounded=True, looks=2)
LORA_FIRST, LORA_SECOND = replace(FIRST, rate=1e-3), replace(SECOND, rate=6e-4)

RAN = (
    Variant("second-full", (SECOND,)),
    Variant("first-full", (FIRST,), answers=False),
    Variant("full", (SECOND,), start="first-full"),
    Variant("full-plain4", (), start="full", rounded=True),
    Variant("full-int4", (ROUNDED,), start="full", rounded=True, ship="int4"),
    Variant("lora32-first", (LORA_FIRST,), rank=32, answers=False),
    Variant("lora32", (LORA_SECOND,), start="lora32-first", ship="adapter"),
    Variant("full-seed2", (SECOND,), start="first-full", seed=2),
    Variant("full-nodrop", (SECOND,), start="first-full", dropout=0.0),
    Variant("full-batch128", (replace(SECOND, rate=3e-4, batch=128),), start="first-full"),
    Variant("lora32-rate3e4", (replace(SECOND, rate=3e-4),), start="lora32-first"),
)


STEADY = Variant("", (), layers=24, dropout=0.0, dev="dev-style", width=8)
FIRST_ALONE = replace(FIRST, rate=5e-4, looks=1)
STYLE = replace(SECOND, data="style", looks=1)
STYLE_ROUNDED = replace(ROUNDED, data="style", rate=3e-5, looks=1)


def seconds(name: str, seeds: range, stage: Stage, start: str, kind: Variant = STEADY) -> tuple[Variant, ...]:
    """Second steps that differ in their seeds alone."""
    return tuple(replace(kind, name=f"{name}-{seed}", stages=(stage,), start=start, seed=seed) for seed in seeds)


def mean_of(name: str, seeds: range, kind: Variant = STEADY) -> Variant:
    return replace(kind, name=f"{name}-mean", start="+".join(f"{name}-{seed}" for seed in seeds))


PLAIN = replace(STEADY, dev="dev")
WHOLE = replace(STEADY, layers=0)
ONE_STYLE = (
    replace(STEADY, name="cut24-first", stages=(FIRST_ALONE,), answers=False),
    *seconds("style", range(1), STYLE, "cut24-first"),
    *seconds("plain", range(1), replace(SECOND, looks=1), "cut24-first", PLAIN),
    *seconds("style", range(1, 4), STYLE, "cut24-first"),
    mean_of("style", range(4)),
    replace(STEADY, name="style-int4", stages=(STYLE_ROUNDED,), start="style-mean", rounded=True, ship="int4"),
    *seconds("plain", range(1, 2), replace(SECOND, looks=1), "cut24-first", PLAIN),
    replace(STEADY, name="style-plain4", start="style-mean", rounded=True),
    replace(STEADY, name="style-long", stages=(replace(STYLE, epochs=8, rate=3e-4),), start="cut24-first"),
)
FOLDED = (
    *(
        replace(STEADY, name=f"fold-{fold}", stages=(replace(STYLE, data=f"style-{fold}"),), start="cut24-first",
                answers=False, also=(f"fold-{fold}",), seed=fold)
        for fold in range(FOLDS)
    ),
    replace(WHOLE, name="whole-first", stages=(FIRST_ALONE,), answers=False),
    *seconds("whole", range(3), STYLE, "whole-first", WHOLE),
    mean_of("whole", range(3), WHOLE),
)  # fmt: skip

# A third run begins with the trunk that `finish` made of style-int4: 24 layers, so nothing is cut.
HEALED = replace(STEADY, layers=0)
SOFT = replace(STYLE, data="soft", epochs=1)
TOGETHER = "soft-0+hard-0"
SOFTENED = (
    replace(HEALED, name="heal-first", stages=(replace(FIRST_ALONE, data="first-style", rate=4e-4),), answers=False),
    *seconds("soft", range(1), SOFT, "heal-first", HEALED),
    replace(HEALED, name="soft-int4", stages=(replace(STYLE_ROUNDED, data="soft", epochs=0.125),), start=TOGETHER,
            rounded=True, group=64, ship="int4"),
    replace(HEALED, name="soft-mean", start=TOGETHER),
    replace(HEALED, name="taught", stages=(replace(SOFT, teachers=TOGETHER),), start="heal-first"),
)  # fmt: skip
HARDENED = (
    *seconds("hard", range(1), STYLE, "heal-first", HEALED),
    replace(HEALED, name="soft-int4-32", stages=(replace(STYLE_ROUNDED, data="soft", epochs=0.125),), start=TOGETHER,
            rounded=True),
)  # fmt: skip

PLANS: dict[str, tuple[Variant, ...]] = {
    "first": RAN, "style": ONE_STYLE, "folds": FOLDED, "soft": SOFTENED, "hard": HARDENED
}  # fmt: skip
"""Two that stand beside each other run at the same time: "folds" takes up what "style" leaves, "hard" what "soft"."""
ELSEWHERE = {"folds": ("cut24-first",), "hard": ("heal-first", "soft-0"), "soft": ("hard-0",)}
"""What a plan begins with and another one makes."""
