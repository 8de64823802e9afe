"""The switches of loud libraries: set before each import, heeded by it, and taken back for commands of the user's."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sayso.apps.cli.main import COMMANDS, DRAWING
from sayso.apps.cli.running import run_captured
from sayso.core import silence as switches
from sayso.core.silence import SWITCHES, as_found, keep_matplotlib_in, silence

PACKAGE = Path(switches.__file__).parents[1]


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """As at the start of a process: the tests' own conftest has set them all."""
    monkeypatch.setattr(switches, "FOUND", {})
    for variables in SWITCHES.values():
        for name in variables:
            monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MPLCONFIGDIR", "")  # so that it is put back in the end
    monkeypatch.delenv("MPLCONFIGDIR")


@pytest.mark.parametrize("library", SWITCHES)
@pytest.mark.parametrize("before", [None, "0", "1"])
def test_switches_are_set_whatever_the_shell_says_and_taken_back(
    library: str, before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in SWITCHES[library]:
        if before is not None:
            monkeypatch.setenv(name, before)
    found = dict(os.environ)
    for _ in range(2):
        silence(library)
        assert SWITCHES[library].items() <= os.environ.items()
    assert as_found() == found


def test_a_command_of_the_users_gets_the_environment_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "of the user's own")
    silence("onnxruntime")
    silence("transformers")
    shown = run_captured("echo ${ORT_DISABLE_TELEMETRY-none} $HF_HUB_OFFLINE $HOME")["stdout"]
    assert shown == f"none of the user's own {os.environ['HOME']}\n"


def test_matplotlib_keeps_the_folder_that_the_user_chose(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_matplotlib_in("/ours")
    assert os.environ["MPLCONFIGDIR"] == "/ours" and "MPLCONFIGDIR" not in as_found()
    monkeypatch.setenv("MPLCONFIGDIR", "/theirs")
    keep_matplotlib_in("/ours")
    assert os.environ["MPLCONFIGDIR"] == "/theirs"


def test_children_inherit_the_switches() -> None:
    silence("ray")
    code = "import os; print(os.environ['RAY_USAGE_STATS_ENABLED'])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "0\n"


def imports(tree: ast.AST) -> Iterator[str]:
    """Packages that a file imports, by statement or by name, but for the eyes of the type checker."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (one.name.partition(".")[0] for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            yield from (str(one.value).partition(".")[0] for one in node.args[:1] if isinstance(one, ast.Constant))
        yield from imports(node)


def silenced(tree: ast.AST) -> set[str]:
    """Libraries whose switches a file sets."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "silence"]
    return {str(one.value) for call in calls for one in call.args if isinstance(one, ast.Constant)}


def test_no_file_imports_a_loud_library_without_its_switches() -> None:
    seen: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text()
        if not any(name in text for name in SWITCHES):
            continue
        tree = ast.parse(text)
        for library in set(imports(tree)) & SWITCHES.keys():
            assert library in silenced(tree), f"{path.relative_to(PACKAGE)} imports {library} and does not silence it"
            seen.setdefault(library, []).append(str(path.relative_to(PACKAGE)))
    assert seen["onnxruntime"] == ["neural/onnx_runtime.py"]
    assert seen["ray"] == ["scale/ray.py"]
    assert seen["transformers"]


def test_the_rule_catches_an_import_in_a_function_and_one_by_name() -> None:
    code = "def f():\n    import onnxruntime.capi\n    import_module('ray')\nif TYPE_CHECKING:\n    import selenium\n"
    assert sorted(imports(ast.parse(code))) == ["onnxruntime", "ray"]


def test_every_command_that_draws_keeps_fonts_in_our_cache() -> None:
    draws = {
        name
        for name in COMMANDS
        if any(word in (PACKAGE / "apps" / "cli" / f"{name}.py").read_text() for word in ("runs.plots", "seeds_plots"))
    }
    assert draws == set(DRAWING)


def after(library: str, question: str) -> str:
    """What a library answers in a process of its own, where it was silenced in a shell that asks for the opposite."""
    code = f"from sayso.core.silence import silence; silence({library!r}); {question}"
    opposite = {name: "http://example.com/" if "URL" in name else str(1 - int(value == "1"))
                for name, value in SWITCHES[library].items()}  # fmt: skip
    run = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(run, capture_output=True, text=True, env={**os.environ, **opposite})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_hub_of_transformers_is_offline() -> None:
    pytest.importorskip("huggingface_hub")
    asked = "from huggingface_hub import constants as c; print(c.HF_HUB_OFFLINE, c.HF_HUB_DISABLE_TELEMETRY)"
    assert after("transformers", asked) == "True True"


@pytest.mark.slow
def test_ray_counts_nothing_and_has_nowhere_to_report_to() -> None:
    pytest.importorskip("ray", exc_type=ImportError)
    asked = "from ray._common.usage import usage_lib as u; print(u.usage_stats_enabled(), u._usage_stats_report_url())"
    assert after("ray", asked) == "False http://127.0.0.1:9/"
