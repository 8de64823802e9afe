"""The whole path in small, from `sayso eval` to scores, with real builds in the real sandbox."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import missing
from tests.targets.build import miniature

from sayso.apps.cli.main import main
from sayso.core.errors import SandboxFailed
from sayso.sandbox import open_sandbox
from sayso.targets.build.evaluation.requests import id_of

pytestmark = pytest.mark.sandbox
# All but `rotten`, which is dropped: three dependents. Null of `add` breaks two of them, null of each other one.
PRINTED = {
    "gold": (3 / 2 + 3 + 3) / 3,
    "null": (1 / 2 + 2 + 2) / 3,
    "sniff": (3 / 2 + 2 + 2) / 3,
    "sniff2": (3 / 2 + 2 + 3) / 3,
}
CORRECTED = {"gold": 1.0, "null": 0.0, "sniff": 1 / 3, "sniff2": 2 / 3}
BUILT = {"gold": 1.0, "null": 0.0, "sniff": 1 / 3, "sniff2": 2 / 3}
SAYSO = "import sys; from sayso.apps.cli.main import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, need: Callable[[str, str], None]) -> Path:
    """A folder with the set as data, and everything else that a run leaves."""
    need("gcc", "install gcc")
    need("make", "install make")
    miniature.write(tmp_path / "data")
    for name, folder in {"SAYSO_DATA": "data", "SAYSO_RESULTS": "results", "XDG_CACHE_HOME": "cache"}.items():
        monkeypatch.setenv(name, str(tmp_path / folder))
    monkeypatch.chdir(tmp_path)
    try:
        open_sandbox(tmp_path / "cache" / "sayso")
    except SandboxFailed as error:
        missing(f"{error.message}: {error.hint}")
    return tmp_path


def outcomes(place: Path) -> dict[str, float]:
    """Every recorded outcome, and when it was recorded."""
    return {path.name: path.stat().st_mtime_ns for path in place.glob("cache/sayso/builds/*/*.json")}


def test_the_whole_path(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def scores(*words: str) -> dict[str, Any]:
        capfd.readouterr()
        assert main(["eval", "build/script", "--json", *words]) == 0
        report = json.loads(capfd.readouterr().out)
        notes.extend(report["notes"])
        return {score["name"]: score for score in report["scores"]}

    notes: list[str] = []
    killed_half_way(place, "null")
    left = outcomes(place)
    found = {system: scores("--system", system) for system in ("null", "gold", "sniff", "sniff2")}
    assert not any(found[system]["readme_eval"]["unscored"] for system in found)
    for name, expected in (("readme_eval", CORRECTED), ("readme_eval_printed", PRINTED), ("built", BUILT)):
        assert {system: found[system][name]["value"] for system in found} == pytest.approx(expected), name
    assert found["gold"]["text_exact"]["value"] == found["gold"]["text_f1"]["value"] == 1
    assert found["gold"]["length_ratio"]["value"] == 1 and found["null"]["length_ratio"]["value"] == 0
    assert found["gold"]["readme_eval_steps"]["value"] == 1 and found["null"]["readme_eval_steps"]["value"] == 0
    assert found["gold"]["readme_eval_parsimony"]["value"] == 1
    assert "root:host|partition:singletons" in found["gold"]["readme_eval"]["signature"]
    assert any("rotten" in note and "1 of 4" in note for note in notes)

    made = outcomes(place)
    assert left and all(made[name] == when for name, when in left.items()), "what was built before the kill stays"
    # T: 3, 1 over null, sniff's 2. V: 4 under gold, of them 3 again under null of add, and one each of sub and gen.
    assert len(made) == 6 + 4 + 3 + 1 + 1

    started = time.monotonic()
    assert scores("--system", "sniff2")["readme_eval"] == found["sniff2"]["readme_eval"]
    assert scores("--system", "gold", "--fresh", "--engine", "processes", "--workers", "2")["readme_eval"]["value"] == 1
    assert outcomes(place) == made and time.monotonic() - started < 10

    # `sub` does not build where nothing is said to be needed; all at once, what it needs is `add` as predicted.
    assert scores("--system", "gold", "--stage", "depends=null")["readme_eval"]["value"] == pytest.approx(2 / 3)
    together = scores("--system", "sniff2", "--partition", "all")
    assert together["readme_eval"]["value"] == pytest.approx(2 / 3) and together["readme_eval"]["n"] == 1
    assert main(["score", "build/script", "--predictions", "results/predictions/build/script/gold.dev.jsonl.zst"]) == 0
    others_systems(place, scores)
    kept_apart(place)


def others_systems(place: Path, scores: Callable[..., dict[str, Any]]) -> None:
    """A program that is given a source tree, and a folder of scripts."""
    (place / "programs").mkdir()
    program = place / "programs" / "guess"
    program.write_text("#!/bin/sh\n[ -f autogen.sh ] && echo 'sh autogen.sh'\n[ -f Makefile ] || echo ./configure\n"
                       "echo make\necho make install PREFIX=/usr/local\n")  # fmt: skip
    program.chmod(0o755)
    assert scores("--system", f"cmd:{program}")["readme_eval"]["value"] == 1
    (place / "scripts").mkdir()
    for name, script in miniature.GOLD.items():
        (place / "scripts" / f"{name}.sh").write_text(script)
    assert main(["score", "build/script", "--predictions", "scripts", "--system", "folder"]) == 0
    rows = [json.loads(line) for line in (place / "results" / "ledger.jsonl").read_text().splitlines()]
    assert (rows[-1]["system"], rows[-1]["scores"][0]["value"]) == ("folder", 1.0)


def killed_half_way(place: Path, system: str) -> None:
    """An eval that is ended by SIGKILL as soon as it has recorded something."""
    command = [sys.executable, "-c", SAYSO, "eval", "build/script", "--system", system]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ)
    waited = time.monotonic() + 60
    while len(outcomes(place)) < 2 and process.poll() is None and time.monotonic() < waited:
        time.sleep(0.05)
    assert process.poll() is None, "it ended before it could be killed"
    process.send_signal(signal.SIGKILL)
    process.wait()


def kept_apart(place: Path) -> None:
    """Rows and logs lie in the run's folder; the maintainers' text in none of ours."""
    folder = place / "results" / "details" / "build" / "script"
    rows = [json.loads(line) for line in (folder / "sniff.dev" / "cells.jsonl").read_text().splitlines()]
    assert {row["packages"][0]: row["broke"] for row in rows} == {"add": [], "sub": ["diff"], "gen": ["seven"]}
    log = (folder / "sniff.dev" / "logs" / "sub" / "V.diff.log").read_text()
    assert log.startswith("diff failed") and "sub.h" in log
    from sayso.runs.lines import read_lines

    stored = b"".join(line for _, line in read_lines(place / "results/predictions/build/script/gold.dev.jsonl.zst"))
    assert id_of("sub").encode() in stored and b"make" not in stored
    assert not any(word in stored for word in (b'"sub"', b":sub", b":gen", b":add")), "packages are not named"


@pytest.mark.ray
@pytest.mark.slow
def test_a_cluster_builds_the_same(place: Path) -> None:
    pytest.importorskip("ray", exc_type=ImportError)
    words = ["eval", "build/script", "--system", "sniff", "--json", "--engine", "ray", "--workers", "2"]
    done = subprocess.run([sys.executable, "-c", SAYSO, *words], capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stderr
    scores = {score["name"]: score["value"] for score in json.loads(done.stdout)["scores"]}
    assert scores["readme_eval"] == pytest.approx(CORRECTED["sniff"])
    assert scores["readme_eval_printed"] == pytest.approx(PRINTED["sniff"]) and len(outcomes(place)) > 6
