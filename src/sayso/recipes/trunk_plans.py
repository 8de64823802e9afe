"""The trunk's variants as they were and are to be trained (docs/concepts/trunk.md has their figures).

`first` is what ran on 2026-11-15; `next` takes up what it showed: no dropout, fewer layers, and the mean of several
second steps, whose answers together were two points better than those of one.
"""

from __future__ import annotations

from dataclasses import replace

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


def with_layers(layers: int, name: str) -> tuple[Variant, ...]:
    """A first step, three second steps, their mean, and that under four bits."""
    steady = Variant(name, (), layers=layers, dropout=0.0)
    second = replace(SECOND, looks=1)
    mean = "+".join(f"{name}-{seed}" for seed in (0, 1, 2))
    return (
        replace(steady, name=f"{name}-first", stages=(replace(FIRST, rate=5e-4, looks=1),), answers=False),
        *(
            replace(steady, name=f"{name}-{seed}", stages=(second,), start=f"{name}-first", seed=seed)
            for seed in (0, 1, 2)
        ),
        replace(steady, name=f"{name}-mean", start=mean),
        replace(steady, name=f"{name}-int4", stages=(ROUNDED,), start=f"{name}-mean", rounded=True, ship="int4"),
    )


PLANS: dict[str, tuple[Variant, ...]] = {
    "first": RAN,
    "next": (*with_layers(24, "cut24"), *with_layers(0, "whole"), *with_layers(20, "cut20")),
}
