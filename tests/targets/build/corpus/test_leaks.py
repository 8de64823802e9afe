"""No package that README-EVAL is scored on is named in the target's code, data or pages."""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path

from sayso.targets.build.corpus.splits import evaluated_names

ROOT = Path(__file__).parents[4]
PLACES = ("src/sayso/targets/build", "tests/targets/build", "docs/corpora", "docs/papers/readme-eval.md")
WORD = re.compile(r"[a-z0-9][a-z0-9+.\-]*[a-z0-9+]")


def text_of(path: Path) -> str:
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return content.decode("utf-8", "replace")


def test_nothing_names_what_is_scored_on(corpora: Path) -> None:
    # A module of Python may have the name of a library.
    names = {name for name in evaluated_names(corpora) if name not in sys.stdlib_module_names}
    assert len(names) > 50
    files = [path for place in PLACES for path in (ROOT / place, *(ROOT / place).rglob("*")) if path.is_file()]
    texts = {path: text_of(path) for path in files if path.suffix not in (".pyc", ".png")}
    assert len(texts) > 20
    found = {str(path.relative_to(ROOT)): sorted(set(WORD.findall(text)) & names) for path, text in texts.items()}
    assert not {path: hits for path, hits in found.items() if hits}
