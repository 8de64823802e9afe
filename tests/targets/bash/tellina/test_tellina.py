"""Tellina: constants become types, templates are filled by what was learned, values rewritten for their flags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from sayso.core.types import Candidate, Example, Request
from sayso.targets.bash.forms.skeleton import skeleton
from sayso.targets.bash.tellina.alignment import align, constants, habits_of
from sayso.targets.bash.tellina.argument_decoder import TemplateArgument, argument_example, template_words
from sayso.targets.bash.tellina.reformat import plain_value, rewritten, written
from sayso.targets.bash.tellina.tellina import Tellina, abstracted, learn_tellina, template_slots

NAMES = ["alpha", "beta", "gamma", "delta", "omega"]


def corpus() -> list[Example]:
    """Toy pairs: patterns and folders in both orders, ages in days, and `.` that nobody asks for."""
    pairs = []
    for number, name in enumerate(NAMES * 3, 2):
        folder = f"/srv/{name}{number}"
        pairs += [
            (f'find "{name}{number}.txt" in {folder}', f'find {folder} -name "{name}{number}.txt"'),
            (f'in {folder} find files named "{name}.c"', f"find {folder} -name {name}.c"),
            (f"find files modified in the last {number} days", f"find . -mtime -{number}"),
            (f"find files bigger than {number} MB", f"find . -size +{number}M"),
        ]
    return [Example(str(at), Request(nl), (command,)) for at, (nl, command) in enumerate(pairs)]


@dataclass(frozen=True)
class Scripted:
    """Says the same candidates to every request."""

    said: tuple[Candidate, ...]

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [list(self.said[:k]) for _ in requests]


def tellina(*templates: str) -> Tellina:
    said = tuple(Candidate(text, -float(at)) for at, text in enumerate(templates))
    return Tellina(Scripted(said), learn_tellina(corpus()))


def test_constants_become_types_and_units_of_time_stay() -> None:
    assert (
        abstracted('find "*.c" in /srv/x changed 5 days ago') == "find slotglob in slotpath changed slottimespand ago"
    )


@pytest.mark.parametrize(
    ("asked", "template", "wanted"),
    [
        ('in /srv/new7 find files named "kappa.c"', "find @Path -name @Regex", 'find /srv/new7 -name "kappa.c"'),
        ('find "kappa9.txt" in /srv/new7', "find @Path -name @Regex", 'find /srv/new7 -name "kappa9.txt"'),
        ("find files modified in the last 2 weeks", "find . -mtime -@Timespan", "find . -mtime -14"),
        ("find files bigger than 2 GB", "find . -size +@Size", "find . -size +2G"),
    ],
)
def test_slots_are_filled_with_the_constants_that_fit(asked: str, template: str, wanted: str) -> None:
    assert tellina(template).translate([Request(asked)])[0][0].text == wanted


def test_a_template_that_uses_the_constants_goes_before_an_equal_one_that_does_not() -> None:
    said = (Candidate("find .", -1.0), Candidate("find @Path -name @Regex", -1.1))
    system = Tellina(Scripted(said), learn_tellina(corpus()))
    (found,) = system.translate([Request('find "kappa.txt" in /srv/x')], 2)
    assert [one.text for one in found] == ['find /srv/x -name "kappa.txt"', "find ."]


def test_what_is_often_there_and_never_asked_for_is_a_habit() -> None:
    assert habits_of(corpus()) == {("find", "", ".")}


def test_each_constant_is_aligned_once() -> None:
    said = constants("copy a.txt to a.txt and 7 to b.txt")
    aligned = align(said, skeleton("cp a.txt b.txt").arguments)
    assert [said[place].value for place, _ in aligned.values()] == ["a.txt", "b.txt"]


def test_slots_of_a_template_know_their_flags() -> None:
    slots = template_slots("find . -name @Regex -mtime +@Timespan | xargs grep -l @Regex")
    assert [(one.owner, one.flag) for one in slots] == [("find", "-name"), ("find", "-mtime"), ("grep", "")]


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("extension", ".jpg", "*.jpg"), ("find size", "500B", "500c"), ("days", "2w", "14"), ("minutes", "3h", "180"),
        ("holds", "x", "*x*"), ("bytes", "2K", "2048"), ("one more", "4", "5"), ("days", "x", ""),
        ("octal", "755", "0755"),
    ],
)  # fmt: skip
def test_rewritings(name: str, value: str, text: str) -> None:
    assert rewritten(name, value) == text


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [("*.c", "Regex", '"*.c"'), ("a b", "Path", "'a b'"), ("*.c", "Path", "*.c"), ("$x", "String", "$x"),
     ("it's", "String", '"it\'s"'), ("a$(b)", "Regex", "'a$(b)'"), ("foo", "Regex", "foo")],
)  # fmt: skip
def test_values_are_one_shell_word(value: str, kind: str, text: str) -> None:
    assert written(value, kind) == text
    assert "(" in value or plain_value(text) == value


def test_arguments_are_asked_for_with_the_template_and_fill_it() -> None:
    example = argument_example(Example("1", Request("copy a.txt to b.txt"), ("cp a.txt 'b.txt'",)), ())
    assert example is not None
    assert example.references == ("a.txt 'b.txt'",)
    assert example.request.text == "copy a.txt to b.txt " + template_words("cp @Path @Path")
    templates = Scripted((Candidate("cp @Path @Path", -1.0), Candidate("ls", -1.5)))
    lists = Scripted((Candidate("a.txt b.txt", -0.1),))
    (found,) = TemplateArgument(templates, lists).translate([Request("copy a.txt to b.txt")], 3)
    assert [(one.text, one.score) for one in found] == [
        ("cp a.txt b.txt", -1.1),
        ("ls", -1.5),
    ]
