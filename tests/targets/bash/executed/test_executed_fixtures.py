"""Fixtures for executed equivalence: what a command and a request ground, and decoys on both sides of a condition."""

from __future__ import annotations

import re
from fnmatch import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.bash.executed.facts import DAY
from sayso.targets.bash.executed.fixture import SHAPES, above, place
from sayso.targets.bash.executed.fixtures import build
from sayso.targets.bash.executed.grounding import ground, ground_request
from sayso.targets.bash.executed.samples import expand_braces, fill_glob, match_texts, near_names

NOW = 1_750_000_000.0


@pytest.mark.parametrize("pattern", ["*.txt", "a?b", "[0-9]*.log", "x[!a-c]y", "core", "*[[:digit:]]"])
def test_a_filled_glob_matches(pattern: str) -> None:
    posix = pattern.replace("[[:digit:]]", "[0-9]")
    assert fnmatch(fill_glob(pattern, "word7"), posix)


@pytest.mark.parametrize(
    ("pattern", "dialect"),
    [
        ("^foo$", "basic"),
        (r"a\(b\|c\)d", "basic"),
        ("a+b?", "extended"),
        ("[[:space:]]x[0-9]{3}", "extended"),
        (".*[^a-z]$", "extended"),
    ],
)
def test_texts_of_an_expression_match_it(pattern: str, dialect: str) -> None:
    python = pattern.replace("[[:space:]]", r"\s").replace(r"\(", "(").replace(r"\|", "|").replace(r"\)", ")")
    found = match_texts(pattern, dialect)
    assert found
    assert all(re.search(python, text) for text in found)


@given(st.text(max_size=30))
def test_any_text_can_be_taken_for_a_pattern(text: str) -> None:
    assert all(isinstance(found, str) for found in match_texts(text, "basic"))
    assert all(isinstance(found, str) for found in match_texts(text, "extended"))
    assert isinstance(fill_glob(text, "word"), str)


def test_braces_are_expanded_as_the_shell_does() -> None:
    assert expand_braces("v_{1,2}/a") == ["v_1/a", "v_2/a"]
    assert expand_braces("{a,b}{1..2}") == ["a1", "a2", "b1", "b2"]
    assert expand_braces("{}") == ["{}"]


def test_near_names_are_other_names() -> None:
    assert "Notes.txt" in near_names("notes.txt", cased=True)
    assert "notes.txt" not in near_names("notes.txt", cased=True)
    assert all(name.lower() != "notes.txt" for name in near_names("notes.txt", cased=False))


def test_arguments_are_grounded() -> None:
    facts = ground(
        "find /srv/data -name '*.log' -mtime +7 -size +10k -perm 644 -user bob -exec rm {} \\;", "delete old logs"
    )
    assert facts.roots == ["/srv/data"]
    assert facts.names == ["*.log"]
    assert facts.ages == [(7 * DAY, DAY, "+")]
    assert facts.sizes == [(10, 1024)]
    assert facts.modes == [0o644]
    assert facts.users == ["bob"]


def test_variables_that_nothing_sets_get_values_of_their_kind() -> None:
    facts = ground('find $place -name "*.$kind"; sort "$file"; for n in 1 2; do echo $n; done', "look around")
    assert facts.variables["place"] in facts.roots
    assert facts.variables["file"] in facts.files
    assert f"*.{facts.variables['kind']}" in facts.names
    assert "n" not in facts.variables


def test_a_request_about_files_needs_no_folders_that_match() -> None:
    command = "find . -name '*.zip'"
    assert ground(command, "list zip files").only_files
    assert not ground(command, "list zip files and directories").only_files
    assert not ground("find . -type d -name x", "list directories, not files").only_files


def test_every_condition_has_files_on_both_sides() -> None:
    fixture = build(ground("find . -name '*.log' -mtime +7 -size +2k", "files older than a week"), "rich", "seed", NOW)
    logs = [spec for path, spec in fixture.files.items() if path.endswith(".log")]
    assert {(NOW - spec.mtime) // DAY > 7 for spec in logs} == {True, False}
    sizes = [
        fixture.sparse.get(path, len(spec.content)) for path, spec in fixture.files.items() if path.endswith(".log")
    ]
    assert {-(-size // 1024) > 2 for size in sizes} == {True, False}
    assert any(spec.kind == "file" and not path.endswith(".log") for path, spec in fixture.files.items())


def test_fixtures_repeat_and_shapes_differ() -> None:
    facts = ground("grep -r foo .", "search foo")
    made = [build(facts, shape, "seed", NOW) for shape in SHAPES]
    assert made == [build(facts, shape, "seed", NOW) for shape in SHAPES]
    assert len({tuple(fixture.files) for fixture in made}) == len(SHAPES)
    assert build(facts, "rich", "another seed", NOW) != made[0]


@given(st.text(alphabet="find . -name*'\"$(){}[]|;<>/~a1\\\n", max_size=60))
def test_no_command_keeps_a_fixture_from_being_built(command: str) -> None:
    facts = ground(command, command)
    for shape in SHAPES:
        for path, spec in build(facts, shape, command, NOW).files.items():
            assert "\0" not in path
            assert spec.path.startswith("/")


def test_a_path_with_two_slashes_at_its_start_is_placed() -> None:
    assert place("//srv//x") == "/srv/x"
    assert list(above("//srv")) == []
    assert build(ground("sort //srv/x", ""), "rich", "seed", NOW).files["/srv/x"].path == "/srv/x"


def test_a_request_alone_is_grounded_by_its_constants() -> None:
    facts = ground_request('find *.py files larger than 10 MB that contain "needle" and copy them to /srv/away')
    assert "*.py" in facts.names
    assert facts.sizes
    assert "needle" in facts.texts
    assert "/srv/away" in facts.folders
