"""Settings: config.toml, folders, and the runtime folder that must be ours alone."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest

from sayso.apps import settings
from sayso.core.errors import BadFile, DaemonFailed, UnknownName
from sayso.runs.store import Results


def write_config(text: str | bytes) -> Path:
    path = Path(settings.config_file())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_without_a_file_the_defaults_hold() -> None:
    chosen = settings.load()
    assert (chosen.k, chosen.idle_minutes, chosen.colour) == (3, 30, "auto")
    with pytest.raises(AttributeError):
        chosen.k = 4


def test_a_file_changes_only_what_it_names() -> None:
    write_config('k = 5\ncolour = "never"\n')
    chosen = settings.load()
    assert (chosen.k, chosen.idle_minutes, chosen.colour) == (5, 30, "never")


def test_every_setting_is_documented() -> None:
    assert {settings.attribute(key) for key in settings.KEYS} == set(settings.Settings.__annotations__)


def test_broken_toml_names_file_and_line() -> None:
    path = write_config("k = 3\ncolour = = 1\n")
    with pytest.raises(BadFile) as caught:
        settings.load()
    assert caught.value.message.startswith(f"{path}:2: ")
    assert caught.value.hint and "\n" not in caught.value.message


def test_a_wrong_key_is_answered_with_a_near_miss() -> None:
    write_config("idle_minute = 3\n")
    with pytest.raises(UnknownName) as caught:
        settings.load()
    assert "did you mean idle_minutes?" in caught.value.hint


@pytest.mark.parametrize(
    "line",
    [
        "k = 0",
        "k = 51",
        "k = true",
        'k = "3"',
        "k = 2.5",
        "idle_minutes = -1",
        'idle_minutes = "x"',
        "idle_minutes = nan",
        'colour = "blue"',
        "colour = 1",
        "data = 3",
        "results = ['x']",
    ],
)
def test_a_wrong_value_names_the_key_and_what_was_expected(line: str) -> None:
    path = write_config(line)
    with pytest.raises(BadFile) as caught:
        settings.load()
    assert f"{path}: {line.split()[0]} must be " in caught.value.message


def test_config_that_is_not_utf8_or_no_file() -> None:
    path = write_config(b"k = \xff\n")
    with pytest.raises(BadFile, match="UTF-8"):
        settings.load()
    path.unlink()
    path.mkdir()
    with pytest.raises(BadFile, match="cannot be read"):
        settings.load()


def test_nothing_of_the_current_folder_is_taken_for_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "here")
    assert settings.user_folder("state") == f"{os.environ['HOME']}/.local/state/sayso"
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os, "getuid", lambda: 54321)  # no entry in /etc/passwd
    assert settings.user_folder("state") == "/nonexistent/.local/state/sayso"


@pytest.mark.parametrize("given", ["", "/somewhere/else"])
def test_user_folders_are_those_of_platformdirs(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, given)
    assert settings.user_folder("config") == platformdirs.user_config_dir("sayso")
    assert settings.user_folder("data") == platformdirs.user_data_dir("sayso")
    assert settings.user_folder("cache") == platformdirs.user_cache_dir("sayso")


def test_data_folder_variable_before_config_before_user_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SAYSO_DATA", raising=False)
    assert settings.workspace().data == Path(settings.user_folder("data"))
    write_config('data = "~/corpora"')
    assert settings.workspace().data == Path.home() / "corpora"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SAYSO_DATA", "here")
    assert settings.workspace().data == tmp_path / "here"


def test_runs_go_to_the_user_and_are_read_with_what_the_checkout_published(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SAYSO_RESULTS", raising=False)
    monkeypatch.chdir(tmp_path)
    own = Path(settings.user_folder("data")) / "results"
    assert settings.results() == Results(own, None)
    (tmp_path / "src/sayso/core").mkdir(parents=True)
    (tmp_path / "src/sayso/core/types.py").touch()
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path / "src")
    assert settings.results() == Results(own, tmp_path / "results")
    monkeypatch.setenv("SAYSO_RESULTS", str(tmp_path / "mine"))
    assert settings.results() == Results(tmp_path / "mine", tmp_path / "results")
    monkeypatch.setenv("SAYSO_RESULTS", "../results")
    assert settings.results().published is None, "one folder is not read twice"


def test_runtime_folder_is_made_for_us_alone() -> None:
    folder = Path(settings.runtime_folder())
    assert folder.parent == Path(os.environ["XDG_RUNTIME_DIR"])
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("what", ["file", "link", "open"])
def test_runtime_folder_that_is_not_ours_alone_is_refused(tmp_path: Path, what: str) -> None:
    folder = Path(os.environ["XDG_RUNTIME_DIR"]) / "sayso"
    if what == "file":
        folder.touch()
    elif what == "link":
        folder.symlink_to(tmp_path)
    else:
        folder.mkdir()
        folder.chmod(0o777)
    with pytest.raises(DaemonFailed) as caught:
        settings.runtime_folder()
    assert str(folder) in caught.value.message


def test_a_runtime_folder_of_another_user_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/nowhere/at/all")
    assert settings.runtime_folder() == f"/tmp/sayso-{os.getuid()}"


def test_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    assert settings.wants_colour("auto", is_terminal=True)
    assert not settings.wants_colour("auto", is_terminal=False)
    assert settings.wants_colour("always", is_terminal=False)
    assert not settings.wants_colour("never", is_terminal=True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not settings.wants_colour("always", is_terminal=True)


def test_the_background_process_gets_no_secrets_and_no_relative_paths(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("SAYSO_ASKED", "what `make ask` was given")
    monkeypatch.setenv("SAYSO_DATA", "corpora")
    monkeypatch.setenv("PYTHONPATH", "lib:/abs")
    kept = settings.passed_on()
    assert not {"GITHUB_TOKEN", "SAYSO_ASKED"} & set(kept) and kept["HOME"] == str(Path.home())
    assert kept["SAYSO_DATA"] == str(tmp_path / "corpora")
    assert kept["PYTHONPATH"] == f"{tmp_path}/lib:/abs"


def test_what_an_answer_depends_on_changes_with_config_and_data(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = {settings.what_an_answer_depends_on()}
    write_config("k = 4")
    seen.add(settings.what_an_answer_depends_on())
    monkeypatch.setenv("SAYSO_DATA", "/elsewhere")
    seen.add(settings.what_an_answer_depends_on())
    assert len(seen) == 3
