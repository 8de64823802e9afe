"""The trunk's variants as they are trained (docs/concepts/trunk.md has their figures, and those of earlier plans).

`cut` (24 layers), `whole` (30) and `folds` run beside each other on one GPU and wait for each other's weights: networks
of the folds, each of which never saw a third of NL2Bash, are what the shipped ones learn from. `deep` ends the 30.
"""

from __future__ import annotations

from dataclasses import replace

from sayso.experiments.trunk_folds import FOLDS
from sayso.training.trunk_plan import TRUNK, Stage, Variant

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
# Bash and calls of web APIs in one trunk, longer again, which also says what a command is for; a tenth of the pairs
# have examples as context. The second step goes on in a second call of ten minutes, with weights that the first left.
BESIDE = ("dev-context", "api-wording-held")
LONG, LONGEST = replace(HARD, epochs=4, rate=4e-4, batch=128), replace(HARD, epochs=3, rate=2.5e-4, batch=128, looks=3)
ON_JOINT = (
    replace(SEEN, name="joint-first", stages=(FIRST,), answers=False, dropout=0.0),
    replace(SEEN, name="joint-long", stages=(LONG,), start="joint-first"),
    replace(SEEN, name="joint-longest", stages=(LONGEST,), start="joint-long"),
    replace(
        SEEN, name="joint-int4", stages=AS_SHIPPED, start="joint-longest|joint-long", dropout=0.0, rounded=True,
        ship="int4", also=BESIDE, told=True,
    ),
)  # fmt: skip
# Goes on from what ships, with what came since, where there is no GPU. Rounded throughout: it begins on numbers that
# four bits can hold, and what is learnt between them would be rounded away.
FURTHER = (
    replace(
        WHOLE, name="further-int4", start=TRUNK, dev="dev-few", rounded=True, answers=False, ship="int4",
        stages=(Stage("further", 2, 1.5e-4, batch=32, rounded=True, looks=1, timed=True),),
    ),
)  # fmt: skip
DEEP = (shipped("whole-int4", "whole-taught-0|whole-hard-0"),)

PLANS: dict[str, tuple[Variant, ...]] = {
    "cut": ON_CUT,
    "whole": ON_WHOLE,
    "folds": ON_FOLDS,
    "deep": DEEP,
    "asked": ON_ASKED,
    "more": ON_MORE,
    "joint": ON_JOINT,
    "further": FURTHER,
}
ELSEWHERE = {
    "cut": ("whole-first", "cut-hard-0"),
    "folds": ("whole-first", "cut-first"),
    "deep": ("whole-taught-0", "whole-hard-0"),
}
"""What a plan begins with and another one makes."""
