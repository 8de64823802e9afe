"""What the README says happens: its session is run and compared, its commands exist, its links lead somewhere."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sayso.apps.cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
BIN = Path(sys.executable).parent
USER_FOLDERS = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "HOME")


def session(text: str) -> list[tuple[str, str]]:
    """The commands of the ```console block with the output written under each."""
    block = re.search(r"```console\n(.*?)```", text, re.S)
    assert block, "the README has no console session"
    pairs = re.split(r"^\$ ", block.group(1), flags=re.M)[1:]
    return [(pair.split("\n", 1)[0], pair.split("\n", 1)[1]) for pair in pairs]


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The variables of one background process, which answers for all of this file."""
    variables = {**os.environ, **dict.fromkeys(USER_FOLDERS, str(tmp_path_factory.mktemp("warm")))}
    yield variables
    subprocess.run([str(BIN / "sayso"), "daemon", "stop"], env=variables, capture_output=True, check=False)


@pytest.mark.parametrize(("command", "output"), session(README), ids=lambda value: str(value)[:40])
def test_the_session_prints_what_it_says(command: str, output: str, warm: dict[str, str], tmp_path: Path) -> None:
    words = shlex.split(command)
    asked = [str(BIN / words[0]), *words[1:]]
    done = subprocess.run(asked, capture_output=True, text=True, cwd=tmp_path, env=warm, check=True)
    assert done.stdout.rstrip("\n") == output.rstrip("\n")


ASKED = re.findall(r"^\| (.+?) \| `(.+?)`( ✗)?", README, flags=re.M)


@pytest.mark.slow
def test_the_first_answers_are_those_of_the_table(tmp_path: Path) -> None:
    rows = [(request, command.replace("\\|", "|"), bool(wrong)) for request, command, wrong in ASKED]
    assert len(rows) == 20
    (tmp_path / "asked.jsonl").write_text(
        "".join(json.dumps({"id": request, "text": request}) + "\n" for request, *_ in rows)
    )
    asked = [str(BIN / "sayso"), "translate", "bash", "--in", "asked.jsonl", "--out", "said.jsonl", "-k", "1"]
    subprocess.run(asked, cwd=tmp_path, check=True, capture_output=True)
    said = [json.loads(line) for line in (tmp_path / "said.jsonl").read_text().splitlines()]
    for (request, command, wrong), answer in zip(rows, said, strict=True):
        first = answer["candidates"][0]["text"]
        # What is wrong is the model's own, and another kind of processor rounds otherwise: only its tool is sure.
        assert (first.split()[0] == command.split()[0]) if wrong else first == command, request


def test_every_command_that_the_readme_names_exists() -> None:
    named = re.findall(r"^sayso (\w+)", README, flags=re.M)
    assert len(named) >= 5
    assert set(named) <= set(COMMANDS)


OTHERS = [line.partition("#")[0].strip() for line in README.splitlines() if re.match(r"sayso \w+", line)]
# A few examples show that it works; `make results` runs them all.
FEWER = {"eval": ["--limit", "5", "--no-sandbox"], "judge": ["--sample", "5"]}


@pytest.mark.slow
@pytest.mark.parametrize("command", OTHERS)
def test_the_other_commands_work(command: str, corpora: Path, small_nl2bash: Path, tmp_path: Path) -> None:
    words = shlex.split(command)
    # The counts of the whole corpus are in test_stats.py, by the same command.
    data = small_nl2bash if words[1] == "stats" else corpora
    environment = {**os.environ, "SAYSO_DATA": str(data), "SAYSO_RESULTS": str(tmp_path)}
    running = subprocess.Popen(
        [str(BIN / "sayso"), *words[1:], *FEWER.get(words[1], [])],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    try:
        if words[1] == "judge":  # a page, until it is stopped
            assert running.stdout is not None
            assert "http://127.0.0.1:" in running.stdout.readline()
            running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=300)
    finally:
        running.kill()
    assert running.returncode == 0, err
    assert "Traceback" not in err


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/**/*.md")), ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text())
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


def test_the_readme_is_short_and_starts_with_the_two_commands() -> None:
    assert len(README.splitlines()) <= 150
    assert README.index("make ask") < README.index("make test") < 600


@pytest.mark.slow
def test_make_ask_answers_whatever_the_request_holds(warm: dict[str, str], tmp_path: Path) -> None:
    """Dollars, quotes and back quotes in the request reach sayso as they are and are never run by make or the shell."""
    canary = tmp_path / "canary"
    for asked in ("count the lines in all python files", f'what\'s in "$HOME" $(touch {canary}) `touch {canary}`'):
        done = subprocess.run(["make", "-s", "ask", f"Q={asked}"], capture_output=True, text=True, cwd=ROOT, env=warm)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip()
    assert not canary.exists()
