"""Make the asked corpus again of what its writers wrote, or run its commands in the sandbox.

`python -m sayso.experiments.asked_pairs FILE… --data DATA [--out DIR]` checks and stores the pairs; DATA holds NL2Bash,
whose dev and test parts, like the everyday and dangerous sets, no pair may be near. Counts are printed, no text.
With `--add` the pairs that DIR has are checked again beside the new ones, and counts go on from those of before.
`python -m sayso.experiments.asked_pairs --run N --cache DIR [--out DIR]` runs the first N commands by digest in the
sandbox, but for those that were run before.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sayso.core.errors import SaysoError
from sayso.core.progress import Progress, silent
from sayso.core.types import Request, Sandbox
from sayso.targets.bash.corpus.asked.nearness import Held, held_index
from sayso.targets.bash.corpus.asked.pairs import (
    FOLDER,
    AskedPair,
    load_asked,
    load_made,
    load_ran,
    store_asked,
    store_ran,
    written_rows,
)
from sayso.targets.bash.corpus.asked.sifting import GROUNDS, sift
from sayso.targets.bash.corpus.nl2bash import published_pairs
from sayso.targets.bash.corpus.unseen import HELD_OUT
from sayso.targets.bash.everyday.entries import FRESH, HALVES, load_dangerous, load_everyday, solutions_of
from sayso.targets.bash.lessons.ran import try_out
from sayso.targets.bash.tasks import BASH

EVERY = 50
"""Commands after which what was run so far is kept."""


def held_parts(data: Path) -> Iterator[Held]:
    """Everything that Bash answers are measured by; its texts are compared and go nowhere."""
    for split in HELD_OUT:
        for pair in published_pairs(data, split):
            yield Held(f"nl2bash {split}", pair.nl, (pair.command,))
    for half in (*HALVES, *FRESH):
        solutions = solutions_of(half)
        for entry in load_everyday(half):
            known = solutions.get(entry.id)
            yield Held(f"everyday {half}", entry.request, (known.solution, *known.also) if known else ())
        for danger in load_dangerous(half):
            yield Held(f"dangerous {half}", danger.request)


def make(
    files: Sequence[Path],
    data: Path,
    out: Path,
    programs_apart: bool = False,
    adds: bool = False,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Check what the files hold, store what may stay, and say what became of the rest."""
    held = held_index(held_parts(data))
    known = load_asked(out) if adds else []
    before: dict[str, Any] = load_made(out) if adds else {"read": 0, "files": 0, "dropped": {}, "near": {}}
    written = [(path.stem, row) for path in sorted(files) for row in written_rows(path)]
    sifted = sift([*map(as_written, known), *written], held, progress, programs_apart)
    dropped = Counter(before["dropped"]) + sifted.dropped
    made: dict[str, Any] = {
        "read": before["read"] + len(written),
        "files": before["files"] + len(files),
        "published": len(sifted.kept),
        "dropped": {reason: dropped[reason] for reason in GROUNDS if dropped[reason]},
        "near": dict(sorted((Counter(before["near"]) + sifted.near).items())),
        "held out": len(held.parts),
        "programs apart": programs_apart,
        "barred": dict(barred(sifted.kept)),
    }
    store_asked(sifted.kept, made, out)
    return made


def as_written(pair: AskedPair) -> tuple[str, list[str]]:
    """A published pair as its writer left it."""
    writer = pair.id.rpartition(":")[0]
    return writer, [pair.kind, pair.who, pair.register, pair.request, pair.command]


def barred(pairs: Iterable[AskedPair]) -> Counter[str]:
    """Risk -> pairs whose command safety would never show first: it destroys what the request does not ask for."""
    found: Counter[str] = Counter()
    for pair in pairs:
        drafts = BASH.draft([pair.command])
        if BASH.bars(BASH.read(Request(pair.request)), drafts)[0]:
            found[drafts[0].risk.level] += 1
    return found


def run(
    out: Path,
    most: int,
    sandbox: Sandbox,
    trial: Callable[[str, str, Sandbox], Any] = try_out,
    progress: Progress = silent,
) -> dict[str, int]:
    """Run the first by digest and keep what came of them; what was run before, and is still published, is not again."""
    pairs = load_asked(out)
    ids = {pair.id for pair in pairs}
    known = {one: result for one, result in load_ran(out).items() if one in ids}
    drawn: list[AskedPair] = sorted(pairs, key=lambda pair: pair.digest)[:most]
    missing = [pair for pair in drawn if pair.id not in known]
    for at, pair in enumerate(missing, 1):
        known[pair.id] = trial(pair.request, pair.command, sandbox).result
        progress("commands run", at, len(missing))
        if at % EVERY == 0:
            store_ran(known, out)
    store_ran(known, out)
    return dict(Counter(known.values()).most_common())


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="what a writer wrote, five columns a line")
    parser.add_argument("--data", type=Path, help="the corpora, with NL2Bash")
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="DIR", help="where the corpus is stored")
    parser.add_argument(
        "--programs-apart", action="store_true", help="eight to a template: count programs of awk and sed as part of it"
    )
    parser.add_argument("--add", action="store_true", help="keep the pairs that are there, where they may still stay")
    parser.add_argument("--run", type=int, metavar="N", help="run the first N commands by digest")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="where the sandbox keeps its layers")
    args = parser.parse_args(argv)
    if bool(args.files) != bool(args.data) or bool(args.run) != bool(args.cache) or not (args.files or args.run):
        parser.error("give FILE… with --data, or --run N with --cache")
    try:
        if args.files:
            print(json.dumps(make(args.files, args.data, args.out, args.programs_apart, args.add), indent=1))
        if args.run:
            from sayso.sandbox import open_sandbox

            print(json.dumps(run(args.out, args.run, open_sandbox(args.cache)), indent=1))
    except SaysoError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
