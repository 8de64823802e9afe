"""The generated reference: complete, and as the code says it."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from sayso.apps import settings
from sayso.apps.cli import docs, main
from sayso.core import errors

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("name", sorted(docs.pages()))
def test_pages_are_not_stale(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == docs.pages()[name], "stale: run `make docs`"


def test_every_command_argument_setting_variable_and_error_is_there() -> None:
    pages = docs.pages()
    for name in main.COMMANDS:
        assert f"\n## sayso {name}\n" in pages["reference/commands.md"]
        for action in main.make_parser(name)[1]._actions:
            for flag in action.option_strings:
                assert flag in pages["reference/commands.md"] or flag in ("-h", "--help")
    for key in settings.KEYS:
        assert f"| `{key}` | `" in pages["reference/settings.md"]
    for variable in settings.ENVIRONMENT:
        assert f"| `{variable}` |" in pages["reference/settings.md"]
    for one in vars(errors).values():
        if isinstance(one, type) and issubclass(one, errors.SaysoError):
            assert one.__name__ in pages["reference/errors.md"]


def test_exit_codes_drawn_are_those_of_the_classes() -> None:
    page = docs.pages()["reference/errors.md"]
    for one in (errors.UserError, errors.RunFailed, errors.MachineError):
        assert f"{one.__name__} ({one.exit_code})" in page


def test_pages_are_written_where_stale_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["docs", "--folder", str(tmp_path)]
    assert main.main([*arguments, "--check"]) == 1
    assert not list(tmp_path.iterdir())
    assert main.main(arguments) == 0
    assert main.main([*arguments, "--check"]) == 0
    written = {str(one.relative_to(tmp_path)) for one in tmp_path.rglob("*") if one.is_file()}
    assert written == set(docs.pages())
    capsys.readouterr()
    assert main.main(arguments) == 0
    assert capsys.readouterr().out == "up to date\n"


def test_nested_commands_choices_and_defaults_are_spelt_out() -> None:
    parser = argparse.ArgumentParser(prog="sayso x")
    inner = parser.add_subparsers().add_parser("get", help="fetch one")
    inner.add_argument("name", nargs="+")
    inner.add_argument("--split", choices=("dev", "test"), default="dev", help="which part | of it")
    text = "\n".join(docs.command(parser))
    assert "### sayso x get" in text and "Fetch one." in text
    assert "    sayso x get [options] name …" in text
    assert "| `--split dev\\|test` | which part \\| of it (default: dev) |" in text


def test_outside_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main.main(["docs"]) == 2
    assert "checkout" in capsys.readouterr().err
