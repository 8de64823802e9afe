"""Which of the names and versions that a tree says is its own: what is proposed, and what a choice can be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.build.reading.likely import called, learnt, likeliest, parted, versions
from sayso.targets.build.reading.metadata import read_metadata
from sayso.targets.build.reading.tree import SourceTree

HEADER = "#define THING_MAJOR 2\n#define THING_MINOR 0\n#define THING_PATCH 9\n"


def tree_of(**texts: str) -> SourceTree:
    named = {name.replace("_dot_", ".").replace("__", "/"): text for name, text in texts.items()}
    return SourceTree(tuple((path, len(text)) for path, text in named.items()), named)


def test_a_version_in_parts_is_put_together() -> None:
    assert parted(HEADER) == "2.0.9"
    assert parted(HEADER.replace("PATCH 9", "LEVEL x")) == "2.0"
    assert parted("#define MINOR 3\n") == ""


def test_what_is_asked_of_others_is_told_apart_from_what_it_is() -> None:
    found = versions(tree_of(README="thing 1.4.2 released\n\nneeds zlib >= 1.2.11\n"), "1.4.2")
    assert "readme after limit" in found["1.2.11"] and "present" in found["1.4.2"]
    assert likeliest(found, learnt("version")) == "1.4.2"


def test_a_project_is_called_as_where_it_lies() -> None:
    """Of its man pages the first in the alphabet was taken for the name of the whole."""
    readme = "# knitter\n\nknitter knits. Get it at https://github.com/somebody/knitter\n"
    about = read_metadata(tree_of(README_dot_md=readme, abacus_dot_1=".TH A 1\n", knitter_dot_1=".TH K 1\n"))
    assert about.name == "knitter"


@given(st.text(max_size=300), st.sampled_from(["README.md", "NEWS", "configure.ac", "Makefile", "VERSION"]))
def test_what_is_chosen_was_said_and_nothing_is_chosen_of_nothing(text: str, path: str) -> None:
    tree = SourceTree(((path, len(text)),), {path: text})
    for found, what in ((versions(tree, ""), "version"), (called(tree, ""), "name")):
        chosen = likeliest(found, learnt(what))
        assert chosen in found or (chosen == "" and not found)
