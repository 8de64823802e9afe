"""The trunk's variants as they are trained (docs/concepts/trunk.md has their figures, and those of earlier plans).

`cut` (24 layers), `whole` (30) and `folds` run beside each other on one GPU and wait for each other's weights: networks
of the folds, each of which never saw a third of NL2Bash, are what the shipped ones learn from. `deep` ends the 30.
"""

from __future__ import annotations

from dataclasses import replace

from sayso.experiments.trunk_folds import FOLDS
from sayso.training.trunk_plan import Stage, Variant

FIRST = Stage("first", 0.9, 5e-4, batch=128, looks=1)
HARD = Stage("hard", 1, 2e-4, batch=64, looks=1)
SOFT = replace(HARD, data="soft")
# Two of the three have seen a request and say what was written; the third says what else it could have been.
TEACHERS = "+".join(f"fold-{fold}" for fold in range(FOLDS))
TAUGHT = replace(SOFT, teachers=TEACHERS, share=0.9)
ROUNDED = replace(TAUGHT, epochs=0.2, rate=4e-5, rounded=True)

WHOLE = Variant("", (), dropout=0.0, dev="dev-style", width=8)
CUT = replace(WHOLE, layers=24)


def seconds(name: str, seeds: range, stage: Stage, start: str, kind: Variant = WHOLE) -> tuple[Variant, ...]:
    """Second steps that differ in their seeds alone."""
    return tuple(replace(kind, name=f"{name}-{seed}", stages=(stage,), start=start, seed=seed) for seed in seeds)


def fold(number: int) -> Variant:
    stage = replace(HARD, data=f"hard-{number}")
    return replace(
        WHOLE, name=f"fold-{number}", stages=(stage,), start="whole-first", answers=False, also=(f"fold-{number}",),
        seed=number,
    )  # fmt: skip


def shipped(name: str, start: str) -> Variant:
    return replace(WHOLE, name=name, stages=(ROUNDED,), start=start, rounded=True, group=64, ship="int4")


ON_CUT = (
    replace(CUT, name="cut-first", stages=(FIRST,), answers=False),
    fold(2),
    *seconds("cut-taught", range(1), TAUGHT, "cut-first"),
    shipped("cut-int4", "cut-taught-0|cut-hard-0"),
    replace(WHOLE, name="cut-plain4", start="cut-taught-0", rounded=True, group=64),
    *seconds("cut-hard", range(1, 2), HARD, "cut-first"),
)
ON_WHOLE = (
    replace(WHOLE, name="whole-first", stages=(FIRST,), answers=False),
    fold(0),
    *seconds("whole-taught", range(1), TAUGHT, "whole-first"),
    *seconds("whole-hard", range(2), HARD, "whole-first"),
)
ON_FOLDS = (fold(1), *seconds("cut-hard", range(1), HARD, "cut-first"))
# Asked pairs stand in both steps. Folds say what a network that never saw a request answers, for the reranker.
ON_ASKED = (
    replace(CUT, name="cut-first", stages=(FIRST,), answers=False),
    replace(WHOLE, name="asked-hard", stages=(HARD,), start="cut-first"),
    replace(
        WHOLE, name="asked-int4", stages=(replace(HARD, epochs=0.5, rate=6e-5, rounded=True),), start="asked-hard",
        rounded=True, ship="int4",
    ),
    *(replace(fold(number), start="cut-first") for number in range(FOLDS)),
)  # fmt: skip
# More asked pairs, and all of them again about other names; longer, with dropout. Which second step is rounded is
# chosen by what it says to descriptions and to requests that no step has, together.
SEEN = replace(CUT, dev="dev-both", dropout=0.1)
AS_SHIPPED = (replace(HARD, epochs=0.5, rate=6e-5, rounded=True),)
ON_MORE = (
    replace(SEEN, name="more-first", stages=(FIRST,), answers=False, dropout=0.0),
    replace(SEEN, name="more-hard", stages=(HARD,), start="more-first", dropout=0.0),
    replace(SEEN, name="more-dropout", stages=(replace(HARD, epochs=1.5),), start="more-first"),
    replace(SEEN, name="more-longer", stages=(replace(HARD, epochs=2, rate=3e-4),), start="more-first"),
    replace(
        SEEN, name="more-int4", stages=AS_SHIPPED, start="more-hard|more-dropout|more-longer", dropout=0.0,
        rounded=True, ship="int4",
    ),
    # Begun when the ones above had shown that longer is better.
    replace(SEEN, name="more-longest", stages=(replace(HARD, epochs=1.5),), start="more-longer", answers=False),
    replace(
        SEEN, name="longest-int4", stages=AS_SHIPPED, start="more-longest", dropout=0.0, rounded=True, ship="int4"
    ),
)  # fmt: skip
# Bash and calls of web APIs in one trunk. Two seeds learn beside each other, and their mean, or the better of the mean
# and the first, is rounded: a call of ten minutes ends behind the `-long` ones, and the next goes on from there.
CALLS = ("api-wording-held", "api-calls-held")
JOINT = replace(SEEN, answers=False)
LONG, LONGEST = replace(HARD, epochs=2.5, rate=3e-4), replace(HARD, epochs=2)
ON_JOINT = (
    replace(JOINT, name="joint-first", stages=(FIRST,), dropout=0.0),
    replace(JOINT, name="joint-long", stages=(LONG,), start="joint-first", answers=True),
    replace(JOINT, name="joint-longest", stages=(LONGEST,), start="joint-long", answers=True),
    replace(JOINT, name="joint-mean", stages=(), start="joint-longest+beside-longest", answers=True, also=CALLS),
    replace(
        SEEN, name="joint-int4", stages=AS_SHIPPED, start="joint-mean|joint-longest", dropout=0.0, rounded=True,
        ship="int4", also=CALLS,
    ),
)  # fmt: skip
ON_BESIDE = (
    replace(JOINT, name="beside-long", stages=(LONG,), start="joint-first", seed=1),
    replace(JOINT, name="beside-longest", stages=(LONGEST,), start="beside-long", seed=1, answers=True),
)
DEEP = (shipped("whole-int4", "whole-taught-0|whole-hard-0"),)

PLANS: dict[str, tuple[Variant, ...]] = {
    "cut": ON_CUT,
    "whole": ON_WHOLE,
    "folds": ON_FOLDS,
    "deep": DEEP,
    "asked": ON_ASKED,
    "more": ON_MORE,
    "joint": ON_JOINT,
    "beside": ON_BESIDE,
}
ELSEWHERE = {
    "cut": ("whole-first", "cut-hard-0"),
    "folds": ("whole-first", "cut-first"),
    "deep": ("whole-taught-0", "whole-hard-0"),
    "joint": ("beside-longest",),
    "beside": ("joint-first",),
}
"""What a plan begins with and another one makes."""
