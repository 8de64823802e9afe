"""Every promise of SECURITY.md names what tests it, and what it names is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
PROMISES = re.split(r"^\d+\. ", PAGE.partition("## Reporting")[0], flags=re.MULTILINE)[1:]


def test_every_promise_names_its_tests_and_they_exist() -> None:
    assert len(PROMISES) >= 13
    known = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    for promise in PROMISES:
        named = re.findall(r"test_\w+\.py", promise)
        folders = re.findall(r"tests(?:/\w+)+(?=[,*])", promise)
        assert named or folders, promise
        assert set(named) <= known, promise
        assert all((ROOT / folder).is_dir() for folder in folders), promise


def test_pages_and_benchmarks_that_it_names_exist() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (ROOT / link).is_file(), link
    for module in re.findall(r"python -m (benchmarks\.\w+)", PAGE):
        assert (ROOT / (module.replace(".", "/") + ".py")).is_file(), module
