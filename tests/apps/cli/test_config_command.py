"""`sayso config`: what is set, how it is changed, and that nothing else of the file is."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from sayso.apps import settings
from sayso.apps.cli.main import COMMANDS, find_command, main
from sayso.apps.config_file import edited

Capture = pytest.CaptureFixture[str]
WRITTEN = """# mine
k = 4  # four

[model]
# a server of my own
name = "small"
"""


@pytest.fixture
def config(user_folders: Path) -> Path:
    path = Path(settings.config_file())
    path.parent.mkdir(parents=True)
    return path


def test_what_is_set_is_read_back_and_the_file_is_the_users_alone(user_folders: Path, capsys: Capture) -> None:
    assert main(["config", "set", "k", "5"]) == 0
    assert main(["config", "set", "model.url", "http://localhost:8080/v1"]) == 0
    assert main(["config", "set", "keep_last", "off"]) == 0
    capsys.readouterr()
    assert main(["config", "get", "model.url"]) == 0
    assert capsys.readouterr().out == "http://localhost:8080/v1\n"
    chosen = settings.load()
    assert (chosen.k, chosen.model_url, chosen.keep_last) == (5, "http://localhost:8080/v1", False)
    assert stat.S_IMODE(Path(settings.config_file()).stat().st_mode) == 0o600
    assert main(["config", "unset", "k"]) == 0
    assert settings.load().k == 3


def test_comments_and_other_lines_stay(config: Path) -> None:
    config.write_text(WRITTEN)
    main(["config", "set", "model.url", "https://example.org/v1"])
    main(["config", "set", "colour", "never"])
    main(["config", "set", "k", "9"])
    assert config.read_text() == (
        '# mine\nk = 9\n\ncolour = "never"\n[model]\nurl = "https://example.org/v1"\n'
        '# a server of my own\nname = "small"\n'
    )
    main(["config", "unset", "model.name"])
    assert "name" not in config.read_text() and settings.load().model_url == "https://example.org/v1"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["set", "colr", "never"], "did you mean colour"),
        (["get", "modle.url"], "did you mean model.url"),
        (["set", "k", "0"], "k must be a whole number from 1 to 50"),
        (["set", "k", "many"], "k must be a number"),
        (["set", "k", "2.5"], "k must be a whole number"),
        (["set", "keep_last", "maybe"], "keep_last must be true or false"),
        (["set", "model.url", "localhost:80"], "model.url must be an address"),
        (["set", "model.seconds", "nan"], "model.seconds must be a number of seconds"),
        (["set", "colour", 'x"\ny = 1'], "colour must be"),
    ],
)
def test_what_will_not_do_is_refused_and_nothing_is_written(
    config: Path, capsys: Capture, words: list[str], says: str
) -> None:
    config.write_text(WRITTEN)
    assert main(["config", *words]) == 2
    told = capsys.readouterr().err
    assert says in told and "in that file" not in told
    assert config.read_text() == WRITTEN


def test_a_wrong_value_in_the_file_can_be_mended(config: Path) -> None:
    config.write_text("k = 0\n")
    assert main(["config", "set", "k", "2"]) == 0
    assert settings.load().k == 2


def test_a_file_that_needs_more_than_a_line_is_left_alone(config: Path, capsys: Capture) -> None:
    text = 'data = """\nk = 1\n"""\n'
    config.write_text(text)
    assert main(["config", "set", "k", "2"]) == 2
    assert "write it there yourself" in capsys.readouterr().err and config.read_text() == text


def test_a_link_to_the_users_dotfiles_stays_one(config: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.toml"
    kept.write_text("k = 4\n")
    config.symlink_to(kept)
    assert main(["config", "set", "k", "6"]) == 0
    assert config.is_symlink() and kept.read_text() == "k = 6\n"


def test_list_names_every_key_with_its_default(user_folders: Path, capsys: Capture) -> None:
    main(["config", "set", "k", "7"])
    capsys.readouterr()
    assert main(["config", "list", "--json"]) == 0
    rows = {one["key"]: one for one in json.loads(capsys.readouterr().out)["settings"]}
    assert list(rows) == list(settings.KEYS)
    assert (rows["k"]["value"], rows["k"]["default"], rows["k"]["is_set"]) == (7, 3, True)
    assert not rows["colour"]["is_set"]


def test_a_key_is_found_however_its_table_is_written() -> None:
    assert edited("model.url = 'a'\n", "model.url", "model.url = 1") == "model.url = 1\n"
    assert edited("[ model ]\nurl='a'\n", "model.url", "model.url = 1") == "[ model ]\nurl = 1\n"
    assert edited("[other]\nk = 1\n", "k", "k = 2") == "k = 2\n[other]\nk = 1\n"


@pytest.mark.parametrize("words", ["man page of ls", "config my network card please", "completion of words in bash"])
def test_a_request_that_begins_like_a_command_is_one(words: str) -> None:
    assert words.split()[0] in COMMANDS
    assert find_command(words.split())[0] == "bash"
