"""Lines of requests in people's own wording, checked and packed to learn from: `data/wording/lines.tsv.xz`.

    python -m sayso.experiments.api_wording_pack FILE... [--data DATA] [--add]

A line is who, register, request and call, with tabs or ` ¦ ` between them; `--add` keeps the lines that are there.
What is near a dev or test request (the same words, or .8 of them) of `api/strangers`, of our own short requests or of
Okapi is left out and counted, and so is what breaks a rule of the schemas, has a value that it does not say, or stands
twice. People, places and types of files are brought to one form; a line whose time no clock tells (`since the storm`)
is kept, since where a time stands can be learnt of it, and is no call to be answered with.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from sayso.core.errors import SaysoError
from sayso.core.types import Workspace
from sayso.experiments.api_asked_pack import Known
from sayso.targets.api.corpus.okapi import OKAPI_SPLITS, load_okapi
from sayso.targets.api.corpus.wording import Worded, folder, load_wording, load_wording_dev
from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.requests.odata import query_of
from sayso.targets.api.review.validate import call_findings
from sayso.targets.api.syntax.calls import canonical_call, parse_call
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.systems.wording.plain import plain, untold_time
from sayso.targets.api.systems.wording.slots import NOTHING, lesson_of

REGISTERS = ("plain", "terse", "question", "chatty", "polite", "typo", "jargon")
CLOCK = Clock(datetime(2026, 3, 18, 10, tzinfo=UTC), UTC)
OWN = ("free", "fresh", "held", "around", "beyond")
"""Requests of our own that answers are measured by."""


def tested(data: Path | None) -> Iterator[tuple[str, str]]:
    """(set, request)"""
    here = Path(str(files("sayso.targets.api"))) / "data"
    for path in (*sorted((here / "own").glob("*.jsonl")), *(here / name / "requests.jsonl" for name in OWN)):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path.stem if path.parent.name == "own" else path.parent.name, json.loads(line)["text"]
    for one in load_wording_dev():
        yield "wording dev", one.request
    for split in OKAPI_SPLITS if data else ():
        for domain in DOMAINS:
            for part in ("dev", "test"):
                assert data is not None
                for pair in load_okapi(split, domain, Workspace(data, data), part):
                    yield f"okapi {part}", pair.request.text


def read(paths: Iterable[Path]) -> Iterator[Worded]:
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            cells = [one.strip() for one in re.split(r"\t| ¦ ", line)]
            if len(cells) == 4:
                digest = hashlib.sha256("\t".join(cells[2:]).encode()).hexdigest()[:10]
                yield Worded(f"{path.stem}:{digest}", *cells)


def load_made() -> dict[str, Any]:
    """What was counted of the lines that are there."""
    found: dict[str, Any] = json.loads((folder() / "made.json").read_text(encoding="utf-8"))
    return found


def fault_of(one: Worded) -> str:
    """Why a line is not kept, "" where it is."""
    if one.register not in REGISTERS:
        return "no register"
    if one.nothing:
        return "" if one.nothing in NOTHING else "neither a call nor a reason"
    try:
        call = parse_call(one.answer)
        if _breaks(one.answer):
            return "breaks a rule of the schemas"
        if not untold_time(call):
            query_of(one.answer, CLOCK)
    except SaysoError:
        return "no call that can be asked"
    return "" if lesson_of(one.request, call).whole else "a value that is not said"


def in_one_form(one: Worded) -> Worded:
    """Photos of the mill -> image of mill, as answers have them."""
    try:
        call = one.call
    except SaysoError:
        return one
    if call is None or plain(call) == canonical_call(call):
        return one
    return replace(one, answer=str(plain(call)))


def _breaks(answer: str) -> bool:
    """Two ends and hours within a day are times that `call_findings` is too strict for."""
    return any("is compared with a time" not in one.message for one in call_findings(answer))


def packed(rows: Iterable[Worded], sets: dict[str, Known]) -> tuple[list[Worded], Counter[str], Counter[str]]:
    """What is kept, what was dropped and why, and what of it was near which set."""
    kept: list[Worded] = []
    dropped: Counter[str] = Counter()
    near: Counter[str] = Counter()
    seen: set[str] = set()
    for one in map(in_one_form, rows):
        key = " ".join(re.findall(r"\w+", one.request.casefold()))
        close = [name for name, known in sets.items() if known.is_near(one.request)]
        why = fault_of(one) or ("twice" if key in seen else "") or ("near a held-out request" if close else "")
        seen.add(key)
        if why:
            dropped[why] += 1
            near.update(close if why.startswith("near") else ())
        else:
            kept.append(one)
    return kept, dropped, near


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sayso.experiments.api_wording_pack", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--data", type=Path, help="the folder with the corpora; without it Okapi is not held against")
    parser.add_argument("--add", action="store_true", help="to the lines that are there")
    args = parser.parse_args(argv)
    texts: dict[str, list[str]] = {}
    for name, text in tested(args.data):
        texts.setdefault(name, []).append(text)
    before, told = (list(load_wording()), load_made()) if args.add else ([], {})
    rows = list(read(args.files))
    kept, dropped, near = packed([*before, *rows], {name: Known(each) for name, each in texts.items()})
    dropped.update(told.get("dropped", {}))
    near.update(told.get("near", {}))
    made = {
        "read": len(rows) + told.get("read", 0),
        "writers": len(args.files) + told.get("writers", 0),
        "kept": len(kept),
        "dropped": dict(sorted(dropped.items())),
        "near": dict(sorted(near.items())),
        "held against": {name: len(each) for name, each in texts.items()},
        "held back": sum(one.is_held for one in kept),
        "asked for": dict(Counter(one.call.resource if one.call else one.nothing for one in kept).most_common()),
        "times that no clock tells": sum(bool(one.call and untold_time(one.call)) for one in kept),
        "clauses": dict(sorted(Counter(len(one.call.clauses) for one in kept if one.call).items())),
        "registers": dict(Counter(one.register for one in kept).most_common()),
        "persons": len({one.who for one in kept}),
    }
    text = "".join("\t".join((one.id, one.who, one.register, one.request, one.answer)) + "\n" for one in kept)
    folder().mkdir(exist_ok=True)
    (folder() / "lines.tsv.xz").write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    (folder() / "made.json").write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    names = ("lines.tsv.xz", "made.json", "dev.tsv")
    digests = {name: hashlib.sha256((folder() / name).read_bytes()).hexdigest() for name in names}
    (folder() / "DIGESTS.json").write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(made, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
