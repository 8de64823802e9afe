"""The grammar: pairs differ, come again with the seed, hold nothing held out, and their commands are sound."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from itertools import islice
from random import Random

import pytest

from sayso.cookbook.slot_types import TYPES
from sayso.core.types import Sandbox, Workspace
from sayso.english.stems import normalise_request
from sayso.targets.bash.corpus.unseen import HeldOut, Pair, canonical_or_text, held_out
from sayso.targets.bash.language import normalise
from sayso.targets.bash.lessons.composed import families, option_request
from sayso.targets.bash.lessons.families import Draft, find_request, joined, text_request
from sayso.targets.bash.lessons.grammar import FAMILIES, expand
from sayso.targets.bash.lessons.ran import try_out
from sayso.targets.bash.lessons.registers import kind_of, mark, said_by_somebody, with_typo
from sayso.targets.bash.lessons.values import DRAWS, draw, lists
from sayso.targets.bash.review.check import findings


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return list(expand(1200, 5))


def test_pairs_differ(pairs: list[Pair]) -> None:
    assert len({pair.text for pair in pairs}) == 1200
    assert len({pair.command for pair in pairs}) > 800


def test_the_same_seed_gives_the_same_pairs(pairs: list[Pair]) -> None:
    assert list(islice(expand(1200, 5), 150)) == pairs[:150]
    assert list(expand(150, 6)) != pairs[:150]


def test_every_command_parses_and_all_its_flags_exist(pairs: list[Pair]) -> None:
    for pair in pairs:
        normalise(pair.command)
        assert findings(pair.command) == [], pair


def test_held_out_requests_and_commands_are_left_out(pairs: list[Pair]) -> None:
    request, command = pairs[3], pairs[8]
    held = HeldOut(
        frozenset([normalise_request(request.text)]),
        frozenset([canonical_or_text(command.command)]),
        frozenset(re.findall(r"\w+", command.command)),
    )
    dropped: Counter[str] = Counter()
    clean = list(expand(60, 5, held, dropped))
    assert request not in clean
    assert command not in clean
    assert dropped["grammar: request of a dev or test part"] >= 1
    assert dropped["grammar: command of a dev or test part"] >= 1


def test_what_is_found_is_named_in_the_request() -> None:
    """A file, number or word of the command that no production wrote comes from the request."""
    for seed in range(300):
        draft = Draft(Random(seed))
        text, command = text_request(draft)
        said = said_by_somebody(text, draft.values, Random(seed))
        file = next(value for value in draft.values if "." in value)
        assert file in said
        assert file in command


@pytest.mark.parametrize("name", FAMILIES)
def test_each_family_gives_many_commands(name: str) -> None:
    derive, _ = FAMILIES[name]
    commands = set()
    for seed in range(200):
        draft = Draft(Random(seed))
        text, command = derive(draft)
        bare = re.sub(r"'[^']*'", "''", command)  # what awk and grep are told may hold any sign
        assert "<" not in re.sub(r"<[<(]?\s*[\w./~'-]|2>|< /dev|\d<", "", bare) or "<<" in command, command
        assert not re.search(r"<(things|bare|find|lines|options)>", text + command)
        commands.add(command)
    assert len(commands) > 100


def test_conditions_of_find_are_said_and_written_together() -> None:
    """Every size said has its -size, and so on: the two sides of a derivation agree."""
    seen = 0
    for seed in range(400):
        draft = Draft(Random(seed))
        text, command = find_request(draft)
        words = shlex.split(command)
        assert ("-delete" in words) <= bool(re.search(r"delete|remove|rid|erase|clean", text)), (text, command)
        if "larger than" in text or "bigger than" in text:
            assert any(word.startswith("+") for word in words), (text, command)
            seen += 1
        if "owned by" in text and "group" not in text:
            assert "-user" in words
    assert seen > 5


def test_deleting_needs_a_condition() -> None:
    for seed in range(300):
        _, command = find_request(Draft(Random(seed)))
        if "-delete" in command or "rm -r" in command:
            tests = re.findall(
                r"-(?:name|iname|size|mtime|mmin|newer|newermt|user|group|perm|empty|atime|path|maxdepth|executable)",
                command,
            )
            assert tests, command


def test_options_of_one_group_do_not_meet() -> None:
    groups = {
        option.run: option.fields["group"] for one in families() for option in one.options if "group" in option.fields
    }
    assert groups
    for seed in range(300):
        _, command = option_request(Draft(Random(seed)))
        if command.startswith("ls "):
            assert len({"-t", "-S", "-tr", "-Sr", "-X", "-r"} & set(command.split())) <= 1


@pytest.mark.parametrize("kind", [*TYPES, "word", "octal"])
def test_each_type_has_wide_values_that_fit_it(kind: str) -> None:
    drawn = {draw(kind, Random(seed)) for seed in range(400)}
    assert len({value for _, value in drawn}) >= 8
    pattern = TYPES[kind].pattern if kind in TYPES else ""
    if pattern:
        assert [value for _, value in drawn if not re.fullmatch(pattern, value)] == []


def test_there_are_hundreds_of_file_names() -> None:
    assert len(set(lists().stems)) >= 300
    assert len({DRAWS["file"](Random(seed))[1] for seed in range(800)}) > 600


@pytest.mark.parametrize(
    ("text", "kind"), [("delete x", "imperative"), ("how many lines", "question"), ("the newest file", "fragment")]
)
def test_the_first_word_tells_the_register(text: str, kind: str) -> None:
    assert kind_of(text) == kind


def test_values_survive_every_register() -> None:
    for seed in range(300):
        said = said_by_somebody(f"delete the folder {mark(0)}", ["my folder/delete.txt"], Random(seed))
        assert "my folder/delete.txt" in said


def test_a_typo_changes_one_word_a_little() -> None:
    for seed in range(50):
        wrong = with_typo("rename every picture", Random(seed))
        assert abs(len(wrong) - len("rename every picture")) <= 1
    assert with_typo("a b", Random(0)) == "a b"


def test_and_is_not_put_before_but() -> None:
    assert joined(["over 1 MB", "but not in old"], " and ") == "over 1 MB but not in old"


@pytest.mark.slow
def test_nothing_held_out_comes_from_the_grammar(workspace: Workspace) -> None:
    held = held_out(workspace)
    for pair in expand(4000, 9, held):
        assert canonical_or_text(pair.command) not in held.commands
        assert normalise_request(pair.text) not in held.requests


@pytest.mark.sandbox
def test_generated_commands_run(sandbox: Sandbox) -> None:
    """The first fifty of a seed: none is refused, and nearly all that can run here do."""
    ran = [try_out(pair.text, pair.command, sandbox) for pair in expand(50, 4)]
    assert [one for one in ran if one.result == "fault: refused"] == []
    assert sum(one.has_run for one in ran) >= 30
    assert sum(one.is_fault for one in ran) <= 3


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("command", "result"),
    [
        ("grep nowhere notes.txt", "ran"),
        ("ls --no-such-flag", "fault: refused"),
        ("find . -nosuchtest", "fault: refused"),
        ("no-such-program", "not installed where it ran"),
        ("curl https://example.com", "needs a network"),
        ("sort notes.txt | head -n 3 > out/new.txt", "ran"),
        ("jq '.[0].name' people.json", "ran"),
        ("git log -n 1", "ran"),
        ("tail -f notes.txt", "ran until it was stopped: it goes on by itself"),
        ("cat 'open", "fault: this is not a Bash command"),
    ],
)
def test_what_came_of_a_command_is_told(sandbox: Sandbox, command: str, result: str) -> None:
    assert try_out("", command, sandbox).result == result
