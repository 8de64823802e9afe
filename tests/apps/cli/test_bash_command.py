"""`sayso "REQUEST"`: what is printed, in which shape, and what bad input gets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

REQUEST = "count the lines in all python files"
HEAVY = {"torch", "numpy", "rich", "ray", "tree_sitter", "transformers", "sacrebleu", "starlette", "spellchecker"}
# Each costs a warm answer milliseconds, and none is needed for one.
SLOW = {"dataclasses", "pathlib", "typing", "importlib.metadata", "platformdirs", "tomllib", "subprocess", "shutil"}


def test_text_is_a_command_to_run_then_a_comment(warm: Run) -> None:
    done = warm(REQUEST, "-k", "1")
    assert (done.returncode, done.stderr) == (0, "")
    command, comment = done.stdout.splitlines()
    assert "wc" in command and not command.startswith("#")
    assert comment.startswith("# reads: ")
    assert "\x1b" not in done.stdout


def test_json_is_the_documented_shape(warm: Run) -> None:
    done = warm("bash", REQUEST, "-k", "2", "--json")
    shown = json.loads(done.stdout)
    assert list(shown) == ["target", "request", "candidates", "abstained", "seconds"]
    assert (shown["target"], shown["request"], shown["abstained"]) == ("bash", REQUEST, False)
    assert 1 <= len(shown["candidates"]) <= 2 and shown["seconds"] > 0
    for one in shown["candidates"]:
        assert list(one) == ["text", "score", "risk", "risky", "why"]
        assert one["risk"] in ("reads", "writes", "destroys", "unknown") and one["why"]
    scores = [one["score"] for one in shown["candidates"]]
    assert scores == sorted(scores, reverse=True)


def test_i_dont_know_is_an_answer(warm: Run) -> None:
    nonsense = "colourless green ideas sleep furiously over the quantum marmalade"
    done = warm("bash", nonsense)
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "# I don't know."
    assert all(line.startswith("#") for line in done.stdout.splitlines())
    shown = json.loads(warm("bash", nonsense, "--json").stdout)
    assert shown["abstained"] is True and isinstance(shown["nearest"], list)


@pytest.mark.parametrize(
    ("words", "meant"), [(["daat", "list"], "`sayso data`"), (["transalte", "bash"], "`sayso translate`")]
)
def test_a_mistyped_command_that_reads_as_a_request_is_named(warm: Run, words: list[str], meant: str) -> None:
    done = warm(*words)
    assert done.returncode == 0
    assert done.stderr == f"note: did you mean {meant}?\n"
    assert warm(" ".join(words)).stderr == ""


@pytest.mark.parametrize("arguments", [["-"], []])
def test_the_request_may_come_through_a_pipe(warm: Run, arguments: list[str]) -> None:
    through = warm("bash", *arguments, "--json", input=f"{REQUEST}\n")
    assert json.loads(through.stdout)["request"] == REQUEST
    if not arguments:
        assert warm(input=REQUEST).stdout == warm(REQUEST).stdout


def test_words_after_two_dashes_are_the_request(warm: Run) -> None:
    shown = json.loads(warm("bash", "--json", "--", "-n", "weird").stdout)
    assert shown["request"] == "-n weird"
    assert json.loads(warm("bash", "--json", "--", "doctor --debug").stdout)["request"] == "doctor --debug"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([""], "sayso: the request is empty"),
        (["   \n"], "sayso: the request is empty"),
        (["x" * 100_000], "sayso: the request has 100,000 characters; 10,000 is the most"),
        ([b"\xff\xfe"], "sayso: the request is not UTF-8 text (at character 0)"),
        (["a\x01b"], "sayso: the request holds a control character at character 1"),
        ([REQUEST, "-k", "0"], "sayso: -k: must be a whole number from 1 to 50, not 0"),
        ([REQUEST, "-k", "many"], "sayso: -k: must be a whole number from 1 to 50, not many"),
        ([REQUEST, "--colour"], "sayso: unrecognized arguments: --colour"),
    ],
)
def test_bad_input_is_one_line_a_hint_and_exit_code_2(warm: Run, arguments: list[str | bytes], line: str) -> None:
    done = warm("bash", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    first, blank, hint = done.stderr.splitlines()
    assert first == line and blank == "" and hint.startswith("hint: ")


def test_binary_through_a_pipe(warm: Run) -> None:
    done = warm("bash", input="list\0files")
    assert done.returncode == 2 and "control character at character 4" in done.stderr


def test_broken_toml_is_named_by_file_and_line(sayso: Run, user_folders: Path) -> None:
    config = user_folders / "config" / "sayso" / "config.toml"
    config.parent.mkdir()
    config.write_text('k = 3\ncolour = "never\n')
    done = sayso("bash", REQUEST)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"sayso: {config}:2: ")
    config.write_text("k = ")
    assert sayso("bash", REQUEST).stderr.startswith(f"sayso: {config}, at its end: ")


def test_config_sets_k_and_colour(sayso: Run, user_folders: Path) -> None:
    config = user_folders / "config" / "sayso" / "config.toml"
    config.parent.mkdir()
    config.write_text('k = 1\ncolour = "always"\n')
    done = sayso("bash", REQUEST)
    assert len(done.stdout.splitlines()) == 2 and "\x1b[1m" in done.stdout
    assert "\x1b" not in sayso("bash", REQUEST, env={**os.environ, "NO_COLOR": "1"}).stdout


def test_colour_in_a_terminal_only(warm: Run) -> None:
    terminal, other = os.openpty()
    done = warm("bash", REQUEST, "-k", "1", stdout=other, env={"TERM": "xterm"})
    os.close(other)
    shown = os.read(terminal, 65536).decode()
    os.close(terminal)
    assert done.returncode == 0 and "\x1b[1m" in shown


def test_a_warm_answer_imports_no_model_and_nothing_slow(warm: Run) -> None:
    warm("bash", REQUEST)
    done = warm("bash", REQUEST, env={"PYTHONPROFILEIMPORTTIME": "1"})
    assert done.returncode == 0
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "json" in loaded
    assert not HEAVY & {name.partition(".")[0] for name in loaded}
    assert not SLOW & loaded
    names = ("settings", "requests", "conversation", "cli", "daemon")
    ours = ("sayso.core.errors", *(f"sayso.apps.{name}" for name in names))
    strangers = {name for name in loaded if name.count(".") > 1 and name.startswith("sayso")}
    assert not {name for name in strangers if not name.startswith(ours)}
    assert "sayso.apps.daemon.launch" not in loaded


def test_importing_every_command_loads_nothing_heavy() -> None:
    program = (
        "import sys; from sayso.apps.cli.main import COMMANDS, make_parser; [make_parser(name) for name in COMMANDS]; "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())
