"""`python -m sayso.training.lanes FOLDER --plan PLAN --out OUT`: jobs of different weight side by side, until a time.

A plan is {"lanes": [{"JOB": weight, …}, …]}: the jobs of a lane follow each other, each trains for its weight's share
of what is left of the time when it starts, and a lane whose jobs stop early is done early. Results go to OUT as they
come. Jobs of "in_step": [["JOB", …], …] begin their lanes and answer after as many epochs as all of a list have done.
"first": {"JOB": 15} starts a lane so many seconds before the others: what records its steps takes its memory at once.
"memory": {"JOB": 0.1} holds a job to a share of the GPU's; a batch that does not fit is then trained in halves.
Where NVIDIA's MPS can be started, kernels of several lanes run at once; elsewhere lanes take turns.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sayso.core.errors import BadFile, SaysoError
from sayso.core.given import finite
from sayso.training.__main__ import RESERVE, chosen, say, send_home
from sayso.training.jobs import Job, read_jobs
from sayso.training.pieces import LIMITS, Outbox

ANSWERING = 45.0
"""Seconds kept for the answers of a job, unless told otherwise."""
TRY = "import torch; torch.ones(8, device='cuda').sum().item()"


@dataclass(frozen=True)
class Plan:
    """Lanes of jobs with their weights, what is compared, and who has a start."""

    lanes: Sequence[Mapping[str, float]]
    in_step: Sequence[Sequence[str]] = ()
    first: Mapping[str, float] = field(default_factory=dict)
    memory: Mapping[str, float] = field(default_factory=dict)

    def beside(self, name: str) -> Sequence[str]:
        """All who are compared with a job, itself among them."""
        return next((group for group in self.in_step if name in group), ())

    def starts(self, name: str) -> float:
        """When the lane that begins with this job does."""
        return 0.0 if name in self.first else max(self.first.values(), default=0.0)


def read_plan(path: Path, jobs: Sequence[Job]) -> Plan:
    try:
        content = json.loads(path.read_bytes())
        lanes = [{str(name): float(weight) for name, weight in lane.items()} for lane in content["lanes"] if lane]
        in_step = [[str(name) for name in group] for group in content.get("in_step", [])]
        first, memory = (
            {str(name): float(number) for name, number in content.get(key, {}).items()} for key in ("first", "memory")
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadFile(f"{path} is no plan: {error}", 'write {"lanes": [{"JOB": 1}]}') from error
    begin = [next(iter(lane)) for lane in lanes]
    for name in [name for group in in_step for name in group] + list(first):
        if name not in begin:
            raise BadFile(f"{path}: {name} does not begin a lane", "jobs in step and those that start first do")
    chosen(jobs, [*memory, *(name for lane in lanes for name in lane)])
    return Plan(lanes, in_step, first, memory)


def seconds_for(lane: Mapping[str, float], name: str, left: float, answering: float) -> float:
    """Of training: its weight's share among the jobs that are still to come, when each keeps time for its answers."""
    coming = list(lane)[list(lane).index(name) :]
    usable = left - answering * len(coming)
    return max(0.0, usable * lane[name] / sum(lane[one] for one in coming))


@dataclass
class Lane:
    """What runs now, and what comes after it."""

    jobs: Mapping[str, float]
    waiting: list[str]
    name: str = ""
    process: subprocess.Popen[bytes] | None = None
    began: float = 0.0

    @property
    def left(self) -> int:
        return len(self.waiting) + (self.process is not None)


@dataclass
class Lanes:
    """All lanes of a plan, and the outbox that they share."""

    args: argparse.Namespace
    plan: Plan
    out: Outbox
    environment: dict[str, str] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)
    failed: int = 0

    def run(self) -> int:
        lanes = [
            Lane(jobs, [name for name in jobs if f"{name}/result.json" not in self.out]) for jobs in self.plan.lanes
        ]
        try:
            while any(lane.left for lane in lanes):
                for lane in lanes:
                    self.move(lane, lanes)
                if self.late() > self.args.seconds:
                    say(f"stopped after {self.late():.0f} s")
                    break
                time.sleep(0.1)
        finally:
            for lane in lanes:
                if lane.process is not None:
                    self.failed += 1
                    lane.process.kill()
                    lane.process.wait()
        return self.failed

    def late(self) -> float:
        return time.monotonic() - self.started

    def move(self, lane: Lane, lanes: Sequence[Lane]) -> None:
        if lane.process is not None and lane.process.poll() is not None:
            code, lane.process = lane.process.returncode, None
            reserve = RESERVE * sum(one.left for one in lanes)
            self.failed += send_home(lane.name, code, self.args.work / lane.name, self.out, reserve)
            say(f"{lane.name} took {self.late() - lane.began:.0f} s, until {self.late():.0f} s")
        if lane.process is None and lane.waiting and self.late() >= self.plan.starts(next(iter(lane.jobs))):
            lane.name, lane.began = lane.waiting.pop(0), self.late()
            seconds = seconds_for(lane.jobs, lane.name, self.args.seconds - lane.began, self.args.answering)
            say(f"{lane.name} starts at {lane.began:.0f} s and trains for {seconds:.0f} s at most")
            lane.process = subprocess.Popen(self.command(lane.name, seconds), env={**os.environ, **self.environment})

    def command(self, name: str, seconds: float) -> list[str]:
        args = self.args
        command = [sys.executable, "-u", "-m", "sayso.training", str(args.folder), "--child", "--only", name]
        command += ["--work", str(args.work), "--device", args.device, "--splits", args.splits]
        command += ["--in-step", ",".join(self.plan.beside(name))] if self.plan.beside(name) else []
        command += ["--memory", str(self.plan.memory[name])] if name in self.plan.memory else []
        return [*command, "--threads", str(args.threads), "--minutes", str(seconds / 60)]


def start_sharing(folder: Path) -> dict[str, str]:
    """What a child needs in its environment to share the GPU through MPS; nothing where that does not work."""
    control = shutil.which("nvidia-cuda-mps-control")
    if control is None:
        say("no nvidia-cuda-mps-control here: lanes take turns on the GPU")
        return {}
    found = {"CUDA_MPS_PIPE_DIRECTORY": str(folder / "pipe"), "CUDA_MPS_LOG_DIRECTORY": str(folder / "log")}
    for place in found.values():
        Path(place).mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, **found}
    try:
        subprocess.run([control, "-d"], env=environment, check=True, timeout=20)
        subprocess.run([sys.executable, "-c", TRY], env=environment, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        say(f"MPS does not work here ({error}): lanes take turns on the GPU")
        stop_sharing(found)
        return {}
    say("lanes share the GPU through MPS")
    return found


def stop_sharing(environment: Mapping[str, str]) -> None:
    control = shutil.which("nvidia-cuda-mps-control")
    if environment and control:
        try:
            subprocess.run(
                [control], input=b"quit\n", env={**os.environ, **environment}, check=False, timeout=10,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError) as error:
            say(f"MPS does not end: {error}")


def parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m sayso.training.lanes", description=__doc__)
    parser.add_argument("folder", type=Path, help="what `sayso encode` wrote")
    parser.add_argument("--plan", type=Path, required=True, help="which jobs follow each other, with their weights")
    parser.add_argument("--out", type=Path, required=True, help="where results go")
    parser.add_argument("--work", type=Path, required=True, help="where checkpoints lie")
    parser.add_argument("--seconds", type=finite, default=560.0, help="in all (560)")
    parser.add_argument("--answering", type=finite, default=ANSWERING, help="kept for the answers of each job (45)")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda (auto)")
    parser.add_argument("--threads", type=int, default=2, metavar="N", help="of each job on the CPU (2)")
    parser.add_argument("--splits", default="dev,test", help="what to answer once trained (dev,test)")
    parser.add_argument("--share", action="store_true", help="try MPS, so that kernels of several lanes run at once")
    return parser.parse_args(argv)


def main(argv: Sequence[str]) -> int:
    args = parse(argv)
    try:
        plan = read_plan(args.plan, read_jobs(args.folder))
        lanes = Lanes(args, plan, Outbox(args.out, LIMITS))
        lanes.environment = start_sharing(args.work / "mps") if args.share else {}
        try:
            failed = lanes.run()
        finally:
            stop_sharing(lanes.environment)
    except SaysoError as error:
        say(error.told())
        return error.exit_code
    wanted = sum(map(len, plan.lanes))
    say(f"{sum(name.endswith('/result.json') for name in lanes.out.index['results'])} of {wanted} jobs done")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
