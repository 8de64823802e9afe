"""Learns the policy of `pipeline` from rewards: that of a script is what its sandboxed build installs.

`python -m sayso.experiments.build_pipeline learn --sources DIR --data DIR --cache DIR --weights FILE` writes weights
after each round; `… compare …` prints the rewards of the untrained and of the learnt policy on packages that were not
learnt from. The sources are upstream archives of train packages, a folder for each; T and V are never among them.
Builds are recorded and never run again, so a run that was killed goes on where it was.

Policy gradient as in Branavan et al. (2009), over all scripts of a package that were built (each as likely as the
policy now has it), since builds are dear and passes over them are cheap. A script is drawn near the greedy one: a walk
by equal chances through twenty decisions builds nothing, and nothing is learnt from nothing.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from sayso.core.errors import RunFailed, SandboxFailed
from sayso.core.types import Limits
from sayso.targets.build.builds.builder import Builder
from sayso.targets.build.builds.job import TEST_LIMITS
from sayso.targets.build.builds.root import find_root
from sayso.targets.build.builds.source import Source, read_files, unpack
from sayso.targets.build.corpus.splits import evaluated_names, load_packages, says_any
from sayso.targets.build.evaluation.sets import ROOT, set_folder
from sayso.targets.build.planning.plan import PREFIX, Ground
from sayso.targets.build.planning.survey import survey_folder
from sayso.targets.build.planning.walk import Act, walk
from sayso.targets.build.systems.observed import Sight
from sayso.targets.build.systems.pipeline import Choose, Move, Weights, chances, greedy, script_by
from sayso.targets.build.trying.sandboxed import run_in
from sayso.targets.build.trying.trying import Ended, Run
from sayso.targets.build.trying.wanting import lacks

LEARNT_SHARE = 65
"""Of a hundred packages, by digest of their name; the others are unseen."""
LIMITS = Limits(**{**TEST_LIMITS.__dict__, "cpu_seconds": 15, "wall_seconds": 120})
RATE, DECAY, SEED, REPLAYS = 0.3, 0.002, 5, 12
ASIDE = 1.6
"""Decisions of a drawn script that are left to equal chances, in the mean."""
REDRAWS = 12
LENGTH_COST = 0.01


Moves = list[tuple[int, Sequence[Sequence[str]]]]
"""What was drawn in each state, and the features of all that could have been."""


@dataclass
class World:
    """A package to act on; `rewards` are those of scripts that were built, `episodes` how these came about."""

    name: str
    ground: Ground
    acts: list[Act]
    run: Run
    rewards: dict[str, float] = field(default_factory=dict)
    episodes: dict[str, tuple[Moves, float]] = field(default_factory=dict)
    failed: dict[str, float] = field(default_factory=dict)
    """Beginnings of scripts that end in the step that failed: whatever comes after is never run."""
    built: int = 0

    def __post_init__(self) -> None:
        self.sight = Sight(self.ground)

    def known(self, script: str) -> float | None:
        """The reward, where it is told by what was built before."""
        if script in self.rewards:
            return self.rewards[script]
        worse = (f"{script}\n".startswith(f"{start}\n") for start in self.failed)
        if any(worse):
            start = next(start for start in self.failed if f"{script}\n".startswith(f"{start}\n"))
            return self.failed[start] - LENGTH_COST * (script.count("\n") - start.count("\n"))
        return None

    def reward(self, script: str) -> float | None:
        """None where the sandbox did not run it."""
        if (known := self.known(script)) is not None:
            return known
        try:
            ended = self.run(script or ":")
        except (RunFailed, SandboxFailed):
            return None
        self.built += 1
        worth_it = self.rewards[script] = worth(self.ground, script, ended)
        lines = script.split("\n")
        # A step is a line only where each line is one command.
        if (
            not ended.succeeded
            and not ended.stopped
            and ended.steps_done < len(lines)
            and not any(";" in x for x in lines)
        ):
            start = "\n".join(lines[: ended.steps_done + 1])
            self.failed[start] = worth_it + LENGTH_COST * (len(lines) - ended.steps_done - 1)
        return worth_it


def worth(ground: Ground, script: str, ended: Ended) -> float:
    """1 for all that the tree promises, .6 for some of it, .3 where that was left by a script that then failed, else a
    little for steps that were done; less a little for each step of the script."""
    there = [path for path in ended.installed if path.startswith(f"{PREFIX}/")]
    cost = LENGTH_COST * (script.count("\n") + bool(script))
    if not there:
        return 0.04 * min(3, ended.steps_done if script else 0) - cost
    if not ended.succeeded:
        return 0.3 - cost
    return (0.6 if list(lacks(ground, ended.installed)) else 1.0) - cost


def is_learnt_from(name: str) -> bool:
    return sha256(f"pipeline {name}".encode()).digest()[0] * 100 // 256 < LEARNT_SHARE


def worlds(sources: Path, builder: Builder, allowed: frozenset[str], folder: Path) -> Iterator[World]:
    """Packages of the train part that documents say anything of; what cannot be unpacked is left out."""
    for package in sorted(sources.iterdir()):
        archives = [path for path in package.glob("*.tar.*") if ".debian." not in path.name and path.suffix != ".asc"]
        if not archives or package.name not in allowed:
            continue
        source: Source = read_files(package.name, "1", archives[:1])
        try:
            ground = survey_folder(unpack(source, folder / package.name)).ground
        except RunFailed:
            continue
        acts = walk(ground)
        if any(act.kind in ("configure", "build", "install") for act in acts):
            yield World(package.name, ground, acts, run_in(builder, source, limits=LIMITS))


def noted(choose: Choose, taken: Moves) -> Choose:
    """Writes down what was chosen, and what could have been."""

    def note(moves: Sequence[Move], each: Sequence[Sequence[str]]) -> int:
        at = choose(moves, each)
        taken.append((at, each))
        return at

    return note


def near(weights: Weights, generator: random.Random, share: float) -> Choose:
    """The likeliest move, but for a share of decisions, which fall by equal chances."""
    best = greedy(weights)

    def choose(moves: Sequence[Move], each: Sequence[Sequence[str]]) -> int:
        return generator.randrange(len(moves)) if generator.random() < share else best(moves, each)

    return choose


def drawn(world: World, weights: Weights, generator: random.Random) -> tuple[str, Moves]:
    """A script near the greedy one that was not built yet, if a few draws find one; the draws that are known to fail
    are lessons as well."""
    steps: Moves = []
    script = script_by(world.sight, noted(greedy(weights), steps), world.acts)
    for _ in range(REDRAWS):
        taken: Moves = []
        share = min(1.0, ASIDE / max(1, len(steps)))
        script = script_by(world.sight, noted(near(weights, generator, share), taken), world.acts)
        known = world.known(script)
        if known is None:
            return script, taken
        world.episodes.setdefault(script, (taken, known))
    return script, taken


def learn(
    each: Sequence[World],
    rounds: int,
    seconds: float,
    keep: Path | None = None,
    barred: frozenset[str] = frozenset(),
) -> tuple[dict[str, float], list[float]]:
    """Weights, and the mean reward of the greedy scripts at the beginning of each round. A round builds for each
    package its greedy script and one near it, then goes through all that was built. The weights that are kept are those
    whose greedy scripts were worth most."""
    weights: dict[str, float] = {}
    best: dict[str, float] = {}
    squares: dict[str, float] = {}
    generator = random.Random(SEED)
    curve: list[float] = []
    until = time.monotonic() + seconds
    for number in range(rounds):
        rewards: list[float] = []
        for world in each:
            taken: Moves = []
            script = script_by(world.sight, noted(greedy(weights), taken), world.acts)
            for tried, moves, is_best in ((script, taken, True), (*drawn(world, weights, generator), False)):
                reward = world.reward(tried)
                if reward is not None:
                    world.episodes.setdefault(tried, (moves, reward))
                    rewards += [reward] if is_best else []
        curve.append(sum(rewards) / max(1, len(rewards)))
        if curve[-1] == max(curve):
            best = dict(weights)
        for _ in range(REPLAYS):
            for world in each:
                replay(weights, squares, list(world.episodes.values()))
        built = sum(world.built for world in each)
        print(f"{number + 1} {curve[-1]:.3f} of {len(rewards)}, {built} built", file=sys.stderr, flush=True)
        if keep:
            keep.write_bytes(written(each, best, curve, barred))
        if time.monotonic() > until:
            break
    return best, curve


def written(each: Sequence[World], weights: Weights, curve: Sequence[float], barred: frozenset[str]) -> bytes:
    """Without features that name what README-EVAL is scored on."""
    kept = {name: value for name, value in sorted(weights.items()) if not says_any(name, barred)}
    rounded = {name: round(value, 2) for name, value in kept.items() if abs(value) >= 0.02}
    facts = {"packages": len(each), "scripts": sum(len(world.rewards) for world in each)}
    told = json.dumps({**facts, "curve": [round(one, 3) for one in curve], "weights": rounded}, ensure_ascii=False)
    return gzip.compress(told.encode(), 9, mtime=0)


def replay(weights: dict[str, float], squares: dict[str, float], episodes: Sequence[tuple[Moves, float]]) -> None:
    """One step up the expected reward over the episodes of a package, each as likely as the policy now has it."""
    if len(episodes) < 2:
        return
    logs = [sum(math.log(chances(weights, each)[at]) for at, each in taken) for taken, _ in episodes]
    powers = [math.exp(one - max(logs)) for one in logs]
    likely = [one / sum(powers) for one in powers]
    expected = sum(chance * reward for chance, (_, reward) in zip(likely, episodes, strict=True))
    slopes: dict[str, float] = {}
    for chance, (taken, reward) in zip(likely, episodes, strict=True):
        if abs(gain := chance * (reward - expected)) > 1e-5:
            slope_of(slopes, weights, taken, gain)
    for name, slope in slopes.items():
        whole = slope - DECAY * weights.get(name, 0.0)
        squares[name] = squares.get(name, 0.01) + whole * whole
        weights[name] = weights.get(name, 0.0) + RATE * whole / math.sqrt(squares[name])


def slope_of(slopes: dict[str, float], weights: Weights, taken: Moves, gain: float) -> None:
    """The gradient of the logarithm of what was drawn, times a gain (REINFORCE)."""
    for at, each in taken:
        likely = chances(weights, each)
        for option, names in enumerate(each):
            change = gain * ((option == at) - likely[option])
            for name in names:
                slopes[name] = slopes.get(name, 0.0) + change


def greedy_rewards(each: Sequence[World], weights: Weights) -> list[float | None]:
    return [world.reward(script_by(world.sight, greedy(weights), world.acts)) for world in each]


def compared(each: Sequence[World], weights: Weights) -> Iterator[dict[str, object]]:
    """The untrained and the learnt policy on the same packages, and the difference with its interval."""
    pairs = [
        (first, then)
        for first, then in zip(greedy_rewards(each, {}), greedy_rewards(each, weights), strict=True)
        if first is not None and then is not None
    ]
    for name, at in (("untrained", 0), ("learnt", 1)):
        rewards = [pair[at] for pair in pairs]
        yield {"policy": name, "n": len(pairs), "mean": mean(rewards), "whole": sum(one > 0.8 for one in rewards)}
    generator = random.Random(SEED)
    draws = sorted(mean([b - a for a, b in generator.choices(pairs, k=len(pairs))]) for _ in range(4000))
    yield {"gain": mean([b - a for a, b in pairs]), "low": draws[100], "high": draws[-101]}


def mean(values: Sequence[float]) -> float:
    return round(sum(values) / max(1, len(values)), 4)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.build_pipeline", description=__doc__)
    parser.add_argument("what", choices=("learn", "compare"))
    parser.add_argument("--sources", type=Path, required=True, help="upstream archives, a folder a package")
    parser.add_argument("--data", type=Path, required=True, help="the folder of the corpora")
    parser.add_argument("--cache", type=Path, required=True, help="where builds are recorded")
    parser.add_argument("--weights", type=Path, required=True, help="where they are written, or read to compare")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=1800, help="after which no round begins")
    parser.add_argument("--limit", type=int, default=60, help="at most so many packages, the smallest")
    args = parser.parse_args(argv)
    allowed = frozenset(package.name for package in load_packages(args.data, "train"))
    builder = Builder(args.cache, find_root(set_folder(args.data) / ROOT, args.cache))
    with tempfile.TemporaryDirectory() as made:
        every = list(worlds(args.sources, builder, allowed, Path(made)))
        is_learning = args.what == "learn"
        own = [world for world in every if is_learnt_from(world.name) == is_learning]
        each = sorted(own, key=lambda world: len(world.ground.files))[: args.limit]
        if is_learning:
            _, curve = learn(each, args.rounds, args.seconds, args.weights, evaluated_names(args.data))
            print(json.dumps({"packages": len(each), "curve": [round(one, 3) for one in curve]}))
        else:
            weights = json.loads(gzip.decompress(args.weights.read_bytes()))["weights"]
            for row in compared(each, weights):
                print(json.dumps(row))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
