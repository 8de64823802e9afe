"""The shipped runtime against `transformers` on the same trunk: one request, three times twenty ids, one thread.

Each is timed in a process of its own, in turns; a figure is CPU time, of all threads. The trunk is the embedded one or,
where there is none, random weights of its shape: neither cares what the numbers are. `python -m benchmarks.runtime
table` times other depths and bits as well.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks import Row

EMBEDDED = Path(__file__).parents[1] / "src" / "sayso" / "bundles" / "trunk"
CANDIDATES, IDS = 3, 20
VOCABULARY, LAYERS = 16_384, 24
TIMES, ROUNDS = 8, 3
LONG, LONG_TIMES = 1200, 3
FLAT_OVER = 1000
# What an installation without extras consists of, as `pip install sayso` resolves it.
BASE = (
    *("numpy", "onnxruntime", "flatbuffers", "packaging", "protobuf"),
    *("platformdirs", "pyspellchecker", "snowballstemmer", "tree-sitter", "tree-sitter-bash"),
)
REQUESTS = """
list all python files under src that changed in the last two days
show the ten largest files in this folder
count lines in every text file
delete all empty directories below the current one
print the second column of data.csv separated by commas
replace foo with bar in every file ending in .conf
who is logged in right now
compress the folder photos into photos.tar.gz
search for the word timeout in all log files, with line numbers
show processes of user www sorted by memory
how much disk space is left
make the script deploy.sh executable
copy everything from a to b and keep times and owners
display lines 20 to 40 of notes.md
find files larger than 100 megabytes in my home
sort names.txt and drop repeated lines
kill every process called firefox
show the last 50 lines of /var/log/syslog and follow
rename all .jpeg to .jpg
count how often each word appears in book.txt
which process listens on port 8080
download https://example.org/a.zip into /tmp
list only directories, newest first
what is my ip address
unpack backup.tar.xz into old
print lines of users.txt that do not contain admin
find broken symbolic links under /etc
change the owner of www to nginx, with everything below it
watch free memory every two seconds
make a symbolic link from current to release-7
show differences between a.json and b.json side by side
number of cores of this machine
remove carriage returns from every .txt here
list open files of process 4242
print environment variables sorted by name
first 5 lines of each csv file
join a.txt and b.txt on their first column
move all pdfs from Downloads to Documents/pdf
show files modified today in /var/log
create the folders a/b/c at once
total size of all mp3 files below music
print every line longer than 80 characters in main.c
stop the container web
undo the last commit but keep the changes
show branches that are merged into main
list users with a login shell
split big.log into pieces of 10 megabytes
convert notes.txt from latin1 to utf-8
find files that nobody owns
show when the machine was started
""".strip().splitlines()


def run() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="sayso-bench-") as scratch:
        folder = embedded_or_random(Path(scratch))
        measured: dict[str, list[dict[str, float]]] = {"runtime": [], "peer": []}
        for _ in range(ROUNDS):  # in turns, so that a machine that slows down half-way slows both alike
            for name, found in measured.items():
                found.append(apart(name, folder))
        shipped, often, long = (apart(name, folder) for name in ("shipped", "often", "long"))
    ours, theirs = (median_of(measured[name]) for name in ("runtime", "peer"))
    peer, n = "transformers", TIMES * ROUNDS
    disk = sum(path.stat().st_size for path in folder_files(EMBEDDED)) / 2**20 if EMBEDDED.is_dir() else ours["disk"]
    return [
        Row("transformers, 3 × 20 ids", theirs["p50"], "s CPU", n),
        Row("trunk, 3 × 20 ids", ours["p50"], "s CPU", n, theirs["p50"] / ours["p50"], peer, 0.3, 5),
        Row("trunk, 3 × 20 ids, p95", ours["p95"], "s CPU", n, theirs["p95"] / ours["p95"], peer, 0.6),
        Row("trunk, as it ships, p50", shipped["p50"], "s CPU", len(REQUESTS), limit=0.3),
        Row("trunk, as it ships, p95", shipped["p95"], "s CPU", len(REQUESTS), limit=0.6),
        Row(f"trunk, a prompt of {LONG:,} ids", long["p50"], "s CPU", LONG_TIMES, limit=6),
        Row(f"memory, most, a prompt of {LONG:,} ids", long["peak"], "MiB", 1, limit=600),
        Row("loading the trunk", ours["load"], "s CPU", ROUNDS, theirs["load"] / ours["load"], peer),
        Row("memory, most", shipped["peak"], "MiB", 1, theirs["peak"] / shipped["peak"], peer, 500),
        Row(f"memory, growth over {FLAT_OVER} requests", often["growth"], "MiB", FLAT_OVER, limit=16),
        Row("weights on disk", disk, "MiB", 1, limit=120),
        Row("installed without extras", installed(), "MiB", 1, limit=265),
    ]


def median_of(found: list[dict[str, float]]) -> dict[str, float]:
    return {name: statistics.median(one[name] for one in found) for name in found[0]}


def apart(name: str, folder: Path, *more: str) -> dict[str, float]:
    """What one of WAYS measures, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.runtime", name, str(folder), *more]
    variables = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{name} failed: {done.stderr[-500:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def timed(answer: Callable[[str], object], load: float, times: int = TIMES) -> dict[str, float]:
    answer(REQUESTS[0])
    seconds = []
    for text in (REQUESTS * (times // len(REQUESTS) + 1))[:times]:
        before = time.process_time()
        answer(text)
        seconds.append(time.process_time() - before)
    late = sorted(seconds)[int(0.95 * len(seconds))]
    return {"p50": statistics.median(seconds), "p95": late, "load": load, "peak": peak()}


def peak() -> float:
    """MiB that this process has held at most; getrusage would count what its parent held."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) / 1024


def ask_runtime(folder: Path) -> dict[str, float]:
    """Our runtime, made to say exactly as many ids as the peer, the last of them EOS: as many runs of the trunk."""
    before = time.process_time()
    translator = load(folder)
    loaded = time.process_time() - before
    from sayso.core.types import Request
    from sayso.neural.beam import Beam, beam_search
    from sayso.neural.translator import read_request

    beam = Beam(width=CANDIDATES, n_best=CANDIDATES, longest=IDS)
    tokens, trunk = translator.tokens, Endless(translator.trunk)

    def answer(text: str) -> object:
        found = beam_search(trunk, [read_request(tokens, Request(text), translator.target)], beam)[0]
        assert [len(one.ids) + 1 for one in found] == [IDS] * CANDIDATES
        return found

    disk = sum(path.stat().st_size for path in folder_files(folder)) / 2**20
    return {**timed(answer, loaded), "disk": disk}


class Endless:
    """A trunk that never ends an answer by itself."""

    def __init__(self, trunk: Any) -> None:
        self.trunk = trunk

    def start(self, prompts: Any) -> Any:
        return self.hide(*self.trunk.start(prompts))

    def step(self, state: Any, last: Any, parents: Any) -> Any:
        return self.hide(*self.trunk.step(state, last, parents))

    def hide(self, log_probs: Any, state: Any) -> Any:
        from sayso.english.vocabulary import EOS

        log_probs[:, EOS] = -1e4
        return log_probs, state


def ask_as_shipped(folder: Path) -> dict[str, float]:
    """Our runtime with its own settings."""
    from sayso.core.types import Request

    translator = load(folder)
    if not (EMBEDDED.is_dir() and folder.samefile(EMBEDDED)):  # random weights never end: as long as answers are
        translator = replace(translator, beam=replace(translator.beam, longest=IDS))
    return timed(lambda text: translator.translate([Request(text)], CANDIDATES), 0.0, len(REQUESTS))


def ask_long(folder: Path) -> dict[str, float]:
    """A request after a long context: reading it, and four rows of 20 ids behind it."""
    from sayso.core.types import Piece, Request
    from sayso.neural.beam import Beam, beam_search
    from sayso.neural.translator import read_request

    translator = load(folder)
    trunk, context = Endless(translator.trunk), (Piece("code", "".join(f"{line}\n" for line in REQUESTS * 9)),)

    def answer(text: str) -> object:
        prompt = read_request(translator.tokens, Request(text, context), translator.target, LONG)
        assert LONG - IDS < len(prompt) <= LONG
        return beam_search(trunk, [prompt], Beam(width=4, n_best=4, longest=IDS))[0]

    return timed(answer, 0.0, LONG_TIMES)


def ask_often(folder: Path) -> dict[str, float]:
    """What many requests do to memory; their answers are cut short, since only the number of questions matters."""
    from sayso.apps.daemon.server import resident_bytes
    from sayso.core.types import Request

    translator = load(folder)
    translator = replace(translator, beam=replace(translator.beam, longest=4))
    seen = []
    for n in range(FLAT_OVER):
        translator.translate([Request(REQUESTS[n % len(REQUESTS)])], CANDIDATES)
        seen.append(resident_bytes())
    return {"growth": (max(seen[-100:]) - max(seen[:200])) / 2**20, "peak": peak()}


def ask_peer(folder: Path, layers: str = "") -> dict[str, float]:
    """`transformers` in float32 on one thread, with random weights of the same shape."""
    before = time.process_time()
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    from sayso.core.types import Request
    from sayso.english.byte_bpe import read_bpe
    from sayso.neural.bundle import load_bundle
    from sayso.neural.translator import TOKENIZER, read_request, read_settings

    torch.set_num_threads(1)
    bundle = load_bundle(folder)
    shape, _ = read_settings(bundle)
    tokens = read_bpe(bundle.read(TOKENIZER))
    torch.manual_seed(0)
    model: Any = LlamaForCausalLM(  # type: ignore[no-untyped-call]
        LlamaConfig(
            vocab_size=shape.vocabulary,
            hidden_size=shape.width,
            intermediate_size=shape.feed_forward,
            num_hidden_layers=int(layers or shape.layers),
            num_attention_heads=shape.heads,
            num_key_value_heads=shape.key_heads,
            tie_word_embeddings=True,
        )
    )
    model.eval()
    loaded = time.process_time() - before

    def answer(text: str) -> object:
        ids = torch.tensor([read_request(tokens, Request(text), "bash")])
        with torch.no_grad():
            return model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                num_beams=CANDIDATES,
                num_return_sequences=CANDIDATES,
                min_new_tokens=IDS,
                max_new_tokens=IDS,
                do_sample=False,
                pad_token_id=0,
            )

    return timed(answer, loaded)


def load(folder: Path) -> Any:
    from sayso.neural.translator import load_neural

    return load_neural(folder, "bash").translator


def embedded_or_random(scratch: Path, layers: int = LAYERS, bits: int = 4) -> Path:
    if EMBEDDED.is_dir() and (layers, bits) == (LAYERS, 4):
        return EMBEDDED
    return random_bundle(scratch / f"random-{layers}-{bits}", layers, bits)


def random_bundle(folder: Path, layers: int = LAYERS, bits: int = 4) -> Path:
    """Random weights of SmolLM2's shape and a vocabulary of the trunk's size, exported."""
    import torch

    from sayso.models.llama import Llama, LlamaSettings
    from sayso.models.trunk_folder import save_trunk
    from sayso.training.export import export_trunk

    torch.manual_seed(0)
    settings = LlamaSettings(VOCABULARY, VOCABULARY, layers=layers)
    save_trunk(folder / "trunk", settings, Llama(settings).state_dict(), random_vocabulary())
    return export_trunk(folder / "trunk", folder / "bundle", bits=bits).folder


def random_vocabulary() -> str:
    """A tokenizer of the right size that reads words as a few ids each: the letters, and pairs of them."""
    from sayso.english.byte_bpe import EXPECTED, alphabet
    from sayso.english.prompt import FIRST_WORD

    letters = sorted(alphabet().values())
    parts = [f"<{one}>" for one in range(FIRST_WORD)] + letters
    plain = [chr(one) for one in range(ord("a"), ord("z") + 1)]
    merges = [["Ġ", one] for one in plain] + [[one, other] for one in plain for other in plain]
    words = {part: i for i, part in enumerate([*parts, *("".join(pair) for pair in merges)])}
    words |= {f"filler{i}": i for i in range(len(words), VOCABULARY)}
    model = {"type": "BPE", "vocab": words, "merges": merges}
    pre = {"type": "Sequence", "pretokenizers": EXPECTED}
    return json.dumps({"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": pre, "model": model})


def folder_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def installed() -> float:
    """MiB of sayso and of the packages that come with it, as their own lists of files say; bytecode left out."""
    files = [file for name in BASE for file in metadata.files(name) or [] if not str(file).endswith(".pyc")]
    own = [path for path in folder_files(EMBEDDED.parents[1]) if path.suffix != ".pyc"]
    return (sum(file.size or 0 for file in files) + sum(path.stat().st_size for path in own)) / 2**20


def table() -> None:
    """Other depths and bits beside the peer, on random weights."""
    with tempfile.TemporaryDirectory(prefix="sayso-bench-") as scratch:
        for layers in (LAYERS, 30, 20):
            folders = {bits: random_bundle(Path(scratch) / f"{layers}-{bits}", layers, bits) for bits in (4, 8)}
            found = {f"trunk, {bits} bits": apart("runtime", folder) for bits, folder in folders.items()}
            found["transformers"] = apart("peer", folders[4])
            for name, figures in found.items():
                rounded = {key: round(value, 3) for key, value in figures.items()}
                print(f"{layers} layers, {name}: {json.dumps(rounded)}", flush=True)


WAYS = {"runtime": ask_runtime, "shipped": ask_as_shipped, "often": ask_often, "long": ask_long, "peer": ask_peer}

if __name__ == "__main__":
    if sys.argv[1] == "table":
        table()
    else:
        print(json.dumps(WAYS[sys.argv[1]](Path(sys.argv[2]))))
