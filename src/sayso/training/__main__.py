"""`python -m sayso.training FOLDER --out OUT`: train the jobs of a folder on a machine that has torch and nothing else.

Several jobs run side by side with --parallel, each in a process of its own: a small network leaves most of a GPU idle.
Progress goes to stdout line by line; results go to OUT as they come, cut into pieces.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from sayso.core.errors import SaysoError, UnknownName, UserError
from sayso.core.files import write_atomically
from sayso.core.given import finite
from sayso.training.jobs import Job, read_jobs
from sayso.training.pieces import LIMITS, Limits, Outbox, join_pieces

# Room kept for the answers of a job that has not ended: weights must not crowd them out.
RESERVE = 1 << 20
FAILED = "failed.json"
NO_LIMITS = Limits(files=1 << 20, total=1 << 40)


def main(argv: Sequence[str]) -> int:
    args = parse(argv)
    try:
        jobs = chosen(read_jobs(args.folder), args.only)
        if args.child:
            (args.work / jobs[0].name / FAILED).unlink(missing_ok=True)
            return work_off(args, jobs[0])
        return work_off_all(args, jobs)
    except SaysoError as error:
        say(error.told())
        if args.child:
            (args.work / args.only[0]).mkdir(parents=True, exist_ok=True)
            with write_atomically(args.work / args.only[0] / FAILED) as file:
                file.write(json.dumps({"message": error.message, "hint": error.hint}).encode() + b"\n")
        return error.exit_code


def parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m sayso.training", description=__doc__)
    parser.add_argument("folder", type=Path, help="what `sayso encode` wrote")
    parser.add_argument("--out", type=Path, help="where results go (FOLDER/out)")
    parser.add_argument("--work", type=Path, help="where checkpoints lie; a second run takes them up (FOLDER/work)")
    parser.add_argument("--only", action="append", default=[], metavar="JOB", help="this job; may be repeated")
    parser.add_argument("--parallel", type=int, default=1, metavar="N", help="jobs at a time (1)")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda (auto)")
    parser.add_argument("--minutes", type=finite, default=math.inf, help="of training, all jobs together")
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="of each job on the CPU")
    parser.add_argument("--splits", default="dev,test", help="what to answer once trained (dev,test)")
    parser.add_argument(
        "--in-step", default="", metavar="A,B", help="jobs beside this one; all answer after as many epochs"
    )
    parser.add_argument(
        "--memory", type=finite, default=1.0, metavar="SHARE", help="of the GPU's, for this job at most (1)"
    )
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    args.out = args.out or args.folder / "out"
    args.work = args.work or args.folder / "work"
    return args


def chosen(jobs: Sequence[Job], names: Sequence[str]) -> list[Job]:
    known = {job.name: job for job in jobs}
    for name in names:
        if name not in known:
            raise UnknownName("job", name, known)
    found = [known[name] for name in names] if names else list(jobs)
    if not found:
        raise UserError("there are no jobs in this folder", "name recipes with `sayso encode TASK --recipes …`")
    return found


def work_off(args: argparse.Namespace, job: Job) -> int:
    import torch

    from sayso.training.runner import find_device, run_job

    if args.threads:
        torch.set_num_threads(args.threads)
    device = find_device(args.device)
    if device.type == "cuda" and args.memory < 1:
        torch.cuda.set_per_process_memory_fraction(args.memory)
    splits = tuple(split for split in args.splits.split(",") if split)
    out = Outbox(args.work / job.name / "out", NO_LIMITS)
    if f"{job.name}/result.json" in out:
        return 0
    beside = [name for name in args.in_step.split(",") if name]
    seconds, work = args.minutes * 60, args.work / job.name
    for event in run_job(args.folder, job, work, out, device, seconds, splits, beside):
        facts = ", ".join(f"{name} {shown(value)}" for name, value in vars(event).items())
        say(f"{job.name} {type(event).__name__.lower()}: {facts}")
    return 0


def shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def say(line: str) -> None:
    print(line, flush=True)


def work_off_all(args: argparse.Namespace, jobs: Sequence[Job]) -> int:
    """Start every job as soon as there is a place for it; send home what each leaves as soon as it has ended."""
    deadline = time.monotonic() + args.minutes * 60
    out = Outbox(args.out, LIMITS)
    waiting = [job for job in jobs if f"{job.name}/result.json" not in out]
    running: dict[str, subprocess.Popen[bytes]] = {}
    failed = 0
    try:
        while waiting or running:
            while waiting and len(running) < max(1, args.parallel):
                job = waiting.pop(0)
                rounds = math.ceil((len(waiting) + len(running) + 1) / max(1, args.parallel))
                running[job.name] = start(args, job, max(0.0, deadline - time.monotonic()) / rounds)
            for name, process in list(running.items()):
                if process.poll() is not None:
                    del running[name]
                    left = len(waiting) + len(running)
                    failed += send_home(name, process.returncode, args.work / name, out, left * RESERVE)
            time.sleep(0.1)
    finally:
        for process in running.values():
            process.kill()
            process.wait()
    say(f"{len(jobs) - failed} of {len(jobs)} jobs done; results in {args.out}")
    return 1 if failed else 0


def start(args: argparse.Namespace, job: Job, seconds: float) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-u", "-m", "sayso.training", str(args.folder), "--child", "--only", job.name]
    command += ["--work", str(args.work), "--device", args.device, "--splits", args.splits]
    command += ["--threads", str(args.threads)]
    if math.isfinite(seconds):
        command += ["--minutes", str(seconds / 60)]
    return subprocess.Popen(command)


def send_home(name: str, code: int, work: Path, out: Outbox, reserve: int) -> int:
    """1 where the job failed; why is then what is sent."""
    if code:
        why = work / FAILED
        said = why.read_bytes() if why.is_file() else json.dumps({"message": f"exit code {code}", "hint": ""}).encode()
        if f"{name}/{FAILED}" not in out:
            out.put(f"{name}/{FAILED}", said)
        say(f"{name} failed with exit code {code}")
        return 1
    for result, content in join_pieces(work / "out").items():
        if result not in out and not out.put(result, content, reserve):
            say(f"{result} ({len(content):,} bytes) is left out: no room for it among {LIMITS.most:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
