"""The embedded trunk: whole, small enough to travel, with its card, and loaded only by who asks it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sayso.core.types import Request, Workspace
from sayso.neural.bundle import MANIFEST, load_bundle
from sayso.targets import TASKS
from sayso.targets.bash.systems.neural import BUNDLE

MIB = 2**20


def test_the_bundle_is_whole_and_small() -> None:
    bundle = load_bundle(BUNDLE)
    assert (bundle.kind, bundle.target, bundle.licence) == ("trunk", "bash", "Apache-2.0")
    assert bundle.settings["shape"]["layers"] == 24
    sizes = {path.name: path.stat().st_size for path in BUNDLE.iterdir()}
    assert sizes.keys() == {*bundle.files, MANIFEST}
    assert max(sizes.values()) <= 36 * MIB and sum(sizes.values()) <= 112 * MIB


def test_the_card_and_the_notice_name_the_original_and_its_licence() -> None:
    for path in (BUNDLE / "MODEL_CARD.md", Path(__file__).parents[4] / "NOTICE"):
        text = path.read_text(encoding="utf-8")
        assert "SmolLM2-135M-Instruct" in text and "tldr-pages" in text and "Apache" in text


def test_listing_the_systems_loads_no_runtime() -> None:
    code = "import sys, sayso.targets; sys.exit(any(name in sys.modules for name in ('numpy', 'onnxruntime')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.slow
def test_it_answers_with_commands_that_parse(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    task = TASKS["bash/command"]
    system = task.systems["trunk"](Workspace(tmp_path, tmp_path))
    assert system.bundle == load_bundle(BUNDLE).signature
    asked = [Request("count the lines in notes.txt"), Request("find all python files under src")]
    count, find = (found[0] for found in system.translator.translate(asked, 3))
    assert task.target.normalise(count.text) == task.target.normalise("wc -l notes.txt")
    assert task.target.normalise(find.text).split()[:2] == ["find", "src"]
    assert all(0 < one.score <= 1 for one in (count, find))
