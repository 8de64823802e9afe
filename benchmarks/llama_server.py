"""A real llama.cpp server with SmolLM2 on loopback, asked as a user's own model and as a system of `sayso eval`.

`python -m benchmarks.llama_server [--model FILE.gguf] [--limit N] [--json] [--serve]`. The server is that of the
package `xllamacpp` (llama.cpp, MIT); the file is the one of `sayso data get smollm2`. First N everyday requests of dev
are answered with the server as `model.url`, then `sayso eval bash/everyday --split dev` runs over as many with
`--system openai:URL#smollm2`. With `--serve` it only prints its address and stays until it is interrupted. Needs no
network and no key.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sayso.answer.answer import answer
from sayso.apps.model_server import proposals
from sayso.apps.said import with_said
from sayso.apps.settings import Settings, workspace
from sayso.core.types import Request
from sayso.targets.bash.everyday.entries import load_everyday
from sayso.targets.bash.tasks import BASH, COMMAND

NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
# A small model that does not stop is stopped by its context.
CONTEXT, THREADS, SECONDS = 512, 1, 30.0


def missing(model: Path) -> str:
    """Why it cannot run here, "" where it can."""
    if find_spec("xllamacpp") is None:
        return "xllamacpp is not installed (pip install 'sayso[llama]')"
    return "" if model.is_file() else f"no {model}: sayso data get smollm2"


def found_model() -> Path:
    return workspace().data / "smollm2" / NAME


@contextmanager
def serving(model: Path) -> Iterator[str]:
    """The address of a server of this process, as `model.url` wants it, while the block runs."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.n_ctx, params.cpuparams.n_threads = CONTEXT, THREADS
    params.hostnames, params.port = ["127.0.0.1"], 0
    server = xllamacpp.Server(params)
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server


def asked(url: str, limit: int) -> dict[str, Any]:
    """What the server adds to sayso's own candidates: proposals heard, shown, and first."""
    system, chosen = COMMAND.systems["default"](workspace()), Settings({"model_url": url, "model_seconds": SECONDS})
    notes: list[str] = []
    heard = shown = first = calls = 0
    start = time.perf_counter()
    for entry in load_everyday("dev")[:limit]:
        request = Request(entry.request)
        own = answer(BASH, system, request, 3)
        row = {"candidates": [{"score": one.score} for one in own.candidates], "abstained": own.abstained}
        said = proposals(entry.request, {**row, "reason": own.reason}, chosen, notes.append)
        both = with_said(BASH, own, request, said, system.abstain_below, 3)
        calls += not (row["candidates"] and not own.abstained and own.candidates[0].score >= 0.9)
        heard += bool(said)
        shown += {one.text for one in both.candidates} != {one.text for one in own.candidates}
        first += bool(both.candidates[:1] and own.candidates[:1] and both.candidates[0].text != own.candidates[0].text)
    seconds = round(time.perf_counter() - start, 1)
    return {"n": limit, "calls": calls, "heard": heard, "shown": shown, "first": first, "notes": notes, "s": seconds}


def evaluated(url: str, limit: int) -> dict[str, Any]:
    """What `sayso eval` says of the model alone."""
    command = [
        sys.executable,
        "-m",
        "sayso",
        "eval",
        "bash/everyday",
        "--split",
        "dev",
        "--limit",
        str(limit),
        "--json",
    ]
    done = subprocess.run([*command, "--system", f"openai:{url}#smollm2"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    told: dict[str, Any] = json.loads(done.stdout)
    return {one["name"]: one["value"] for one in told["scores"]}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.llama_server", description=__doc__)
    parser.add_argument("--model", type=Path, default=None, metavar="FILE")
    parser.add_argument("--limit", type=int, default=20, metavar="N")
    parser.add_argument("--json", action="store_true", help="print one JSON object on one line")
    parser.add_argument("--serve", action="store_true", help="print the address, and serve until interrupted")
    args = parser.parse_args(argv)
    model = args.model or found_model()
    if reason := missing(model):
        print(reason, file=sys.stderr)
        return 3
    if args.serve:
        with serving(model) as url, suppress(KeyboardInterrupt):
            print(url, flush=True)
            threading.Event().wait()
        return 0
    with serving(model) as url:
        told = {"as model.url": asked(url, args.limit), "alone": evaluated(url, args.limit)}
    print(json.dumps(told, indent=None if args.json else 1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
