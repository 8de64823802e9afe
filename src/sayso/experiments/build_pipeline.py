"""Learns the policy of `pipeline` by REINFORCE: the reward of a script is what its sandboxed build installs.

`python -m sayso.experiments.build_pipeline learn --sources DIR --data DIR --cache DIR --weights FILE` writes weights;
`… compare …` prints the reward of the untrained and of the learnt policy on packages that were not learnt from. The
sources are upstream archives of train packages, a folder for each; T and V are never among them. Builds are recorded
and never run again.
"""

from __future__ import annotations

import argparse
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

from sayso.core.errors import RunFailed
from sayso.core.types import Limits
from sayso.targets.build.builds.builder import Builder
from sayso.targets.build.builds.job import TEST_LIMITS
from sayso.targets.build.builds.root import find_root
from sayso.targets.build.builds.source import Source, read_files, unpack
from sayso.targets.build.corpus.splits import load_packages
from sayso.targets.build.evaluation.sets import ROOT, set_folder
from sayso.targets.build.planning.plan import Ground
from sayso.targets.build.planning.survey import survey_folder
from sayso.targets.build.planning.walk import Act, walk
from sayso.targets.build.systems.pipeline import Choose, Move, Weights, chances, greedy, script_by
from sayso.targets.build.trying.sandboxed import run_in
from sayso.targets.build.trying.trying import Ended, Run
from sayso.targets.build.trying.wanting import lacks

LEARNT_SHARE = 70
"""Of a hundred packages, by digest of their name; the others are unseen."""
LIMITS = Limits(**{**TEST_LIMITS.__dict__, "cpu_seconds": 12, "wall_seconds": 90})
RATE, SEED, REPLAYS = 1.5, 5, 12
MOST_BUILDS = 9
"""Different scripts of one package that are built; one beyond them teaches nothing."""


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

    def reward(self, script: str, most: int = MOST_BUILDS) -> float | None:
        if script not in self.rewards:
            if len(self.rewards) >= most:
                return None
            self.rewards[script] = worth(self.ground, script, self.run(script or ":"))
        return self.rewards[script]


def worth(ground: Ground, script: str, ended: Ended) -> float:
    """1 for all that the tree promises, half for some of it, else a little for the steps that were done."""
    if ended.succeeded and ended.installed:
        return 0.5 if list(lacks(ground, ended.installed)) else 1.0
    steps = max(1, script.count("\n") + 1)
    return 0.2 * min(1.0, ended.steps_done / steps)


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


def sampled(weights: Weights, generator: random.Random, taken: Moves) -> Choose:
    """Draws moves by their chances and writes down what was drawn."""

    def choose(moves: Sequence[Move], each: Sequence[Sequence[str]]) -> int:
        at = generator.choices(range(len(moves)), chances(weights, each))[0]
        taken.append((at, each))
        return at

    return choose


def learn(each: Sequence[World], rounds: int, seconds: float) -> tuple[dict[str, float], list[float]]:
    """Weights, and the mean reward of the scripts that each round drew. Builds are dear and moves are cheap: after each
    round all that was built is gone through again."""
    weights: dict[str, float] = {}
    generator = random.Random(SEED)
    curve: list[float] = []
    until = time.monotonic() + seconds
    for _ in range(rounds):
        rewards: list[float] = []
        for world in each:
            taken: Moves = []
            script = script_by(world.ground, sampled(weights, generator, taken), world.acts)
            reward = world.reward(script, MOST_BUILDS if time.monotonic() < until else 0)
            if reward is not None:
                rewards.append(reward)
                world.episodes.setdefault(script, (taken, reward))
        for _ in range(REPLAYS):
            for world in each:
                replay(weights, list(world.episodes.values()))
        curve.append(sum(rewards) / max(1, len(rewards)))
        print(f"{len(curve)} {curve[-1]:.3f} {len(rewards)}", file=sys.stderr, flush=True)
    return weights, curve


def replay(weights: dict[str, float], episodes: Sequence[tuple[Moves, float]]) -> None:
    """One step up the expected reward over the episodes of a package, each as likely as the policy now has it."""
    if len(episodes) < 2:
        return
    logs = [sum(math.log(chances(weights, each)[at]) for at, each in taken) for taken, _ in episodes]
    powers = [math.exp(one - max(logs)) for one in logs]
    likely = [one / sum(powers) for one in powers]
    expected = sum(chance * reward for chance, (_, reward) in zip(likely, episodes, strict=True))
    for chance, (taken, reward) in zip(likely, episodes, strict=True):
        step_towards(weights, taken, RATE * chance * (reward - expected))


def step_towards(weights: dict[str, float], taken: Moves, rate: float) -> None:
    """The gradient of the logarithm of what was drawn (REINFORCE)."""
    for at, each in taken:
        likely = chances(weights, each)
        for option, names in enumerate(each):
            change = rate * ((option == at) - likely[option]) / len(names)
            for name in names:
                weights[name] = weights.get(name, 0.0) + change


def greedy_rewards(each: Sequence[World], weights: Weights) -> list[float]:
    found = [world.reward(script_by(world.ground, greedy(weights), world.acts), sys.maxsize) for world in each]
    return [one for one in found if one is not None]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.build_pipeline", description=__doc__)
    parser.add_argument("what", choices=("learn", "compare"))
    parser.add_argument("--sources", type=Path, required=True, help="upstream archives, a folder a package")
    parser.add_argument("--data", type=Path, required=True, help="the folder of the corpora")
    parser.add_argument("--cache", type=Path, required=True, help="where builds are recorded")
    parser.add_argument("--weights", type=Path, required=True, help="where they are written, or read to compare")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=480, help="after which nothing new is built")
    args = parser.parse_args(argv)
    allowed = frozenset(package.name for package in load_packages(args.data, "train"))
    builder = Builder(args.cache, find_root(set_folder(args.data) / ROOT, args.cache))
    with tempfile.TemporaryDirectory() as made:
        every = list(worlds(args.sources, builder, allowed, Path(made)))
        if args.what == "learn":
            each = [world for world in every if is_learnt_from(world.name)]
            weights, curve = learn(each, args.rounds, args.seconds)
            rounded = {name: round(value, 3) for name, value in sorted(weights.items()) if abs(value) >= 0.005}
            facts = {"packages": len(each), "scripts": sum(len(world.rewards) for world in each)}
            args.weights.write_text(
                json.dumps({**facts, "curve": [round(one, 3) for one in curve], "weights": rounded}) + "\n"
            )
            print(json.dumps({**facts, "first": curve[0], "last": sum(curve[-5:]) / 5}))
        else:
            each = [world for world in every if not is_learnt_from(world.name)]
            for name, chosen in (("untrained", {}), ("learnt", json.loads(args.weights.read_text("utf-8"))["weights"])):
                rewards = greedy_rewards(each, chosen)
                whole = sum(one == 1.0 for one in rewards)
                print(
                    json.dumps({"policy": name, "n": len(rewards), "mean": sum(rewards) / len(rewards), "whole": whole})
                )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
