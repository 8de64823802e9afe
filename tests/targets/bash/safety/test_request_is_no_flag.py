"""What a request names stands in a command as text, whoever wrote the command: never as an option or an expansion."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from benchmarks.hostile_requests import PHRASINGS, VALUES, acts, requests
from hypothesis import given
from hypothesis import strategies as st

from sayso.answer.verify import verify
from sayso.apps import history_store
from sayso.apps.answering import Answerer
from sayso.apps.settings import workspace
from sayso.cookbook.entry import Recipe, parse_slot
from sayso.cookbook.slot_types import TYPES
from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, FileSpec, Limits, Request, Sandbox
from sayso.english.tokens import tokenise
from sayso.targets.bash.cookbook.fill import path_word, render
from sayso.targets.bash.cookbook.recipes import FOLDER, load_recipes
from sayso.targets.bash.follow_up.follow_ups import follow
from sayso.targets.bash.language import risk
from sayso.targets.bash.repair.repairs import Failure, Surroundings, repair
from sayso.targets.bash.safety.taken_words import acting
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Command, Expansion, Substitution, commands
from sayso.targets.bash.systems.mend import mended
from sayso.targets.bash.tasks import BASH

ISSUE = ("$IFS-delete", "$DIR-delete", "$1-delete", "$@-delete", "$x--output=pwn", '"-delete"', "{-delete,}")


@pytest.fixture(scope="module")
def answerer() -> Answerer:
    return Answerer(workspace())


def answers(answerer: Answerer, request: str, k: int = 8) -> list[str]:
    found: list[dict[str, Any]] = answerer.reply({"target": "bash", "text": request, "k": k})["candidates"]
    return [one["text"] for one in found]


@pytest.mark.parametrize("value", ISSUE)
@pytest.mark.parametrize("say", ["list files in {}", "find all files under {}"])
def test_a_hostile_folder_is_never_more_than_a_name(answerer: Answerer, say: str, value: str) -> None:
    for text in answers(answerer, say.format(value)):
        assert not acts(value, text), text


@pytest.mark.parametrize(("value", "request_text"), requests(16, seed=7))
def test_a_hostile_value_never_acts(answerer: Answerer, value: str, request_text: str) -> None:
    for text in answers(answerer, request_text, k=3):
        assert not acts(value, text), text


@pytest.mark.parametrize("space", ["\t", "\u00a0", "\u2028", " "])
def test_a_quoted_name_stays_one_word(answerer: Answerer, space: str) -> None:
    found = answers(answerer, f'delete the file "a{space}b"', k=3)
    words = [[word.value for word in one.words] for one in commands(parse(found[0]))]
    assert f"a{space}b" in words[0]
    assert all("a" not in [word.value for word in one.words] for text in found for one in commands(parse(text)))


@pytest.mark.parametrize(
    ("request_text", "command"),
    [
        ("list files in $HOME/foo", 'ls "$HOME/foo"'),
        ("delete the folder $DIR-old", "rm -r '$DIR-old'"),
        ("run 'df -h' every 5 seconds", "watch -n 5 df -h"),
        ("create files a{1..3}.txt", "touch a{1..3}.txt"),
        ("ls -la", "ls -la"),
    ],
)
def test_what_is_plainly_asked_for_is_given(answerer: Answerer, request_text: str, command: str) -> None:
    assert answers(answerer, request_text)[0] == command


@pytest.mark.sandbox
@pytest.mark.parametrize("value", ISSUE)
def test_nothing_is_gone_after_a_listing(answerer: Answerer, sandbox: Sandbox, value: str) -> None:
    for text in answers(answerer, f"list files in {value}", k=2):
        outcome = sandbox.run(text, [FileSpec("thesis.txt", b"all of it\n")], Limits())
        assert not outcome.changes, text


@pytest.mark.sandbox
def test_the_sandbox_shows_what_the_parser_says(sandbox: Sandbox) -> None:
    outcome = sandbox.run("find $IFS-delete -type f", [FileSpec("thesis.txt", b"all of it\n")], Limits())
    assert [change.path for change in outcome.changes] == ["thesis.txt"]


REFUSED = [
    ("list files in $IFS-delete", "find $IFS-delete -type f"),
    ("list files in $IFS-delete", "find -delete"),
    ("list files in $x-delete", 'find "$x-delete" -type f'),
    ("list files in $x$y-delete", 'find "$x$y-delete"'),
    ("list files in ${x}-delete", "find $x-delete"),
    ("list files in $x--output=pwn", "git diff --output=other"),
    ("list files in $@", 'find "$@" -delete'),
    ("list files in $x", "find $x -delete"),
    ("list files in ${x:--delete}", "find ${x:--delete}"),
    ("list files in $(echo -delete)", "find $(echo -delete)"),
    ("list files in `echo -delete`", "find $(echo -delete)"),
    ("list files in $((1-2))", "ls $((1-2))"),
    ("list files in {-delete,}", "find {-delete,}"),
    ("list files in {,}-delete", "find {,}-delete"),
    ("list files in ~+/x", "ls ~+/x"),
    ("list files in '-delete'", "find '-delete'"),
    ('list files in "-delete"', "find \\-delete"),
    ("list files in ''-delete", "find ''-delete"),
    ("list files in '!'", "find '!' -type f"),
    ("delete the file -rf", "rm -rf"),
    ("search for -v in a.txt", "grep -v a.txt"),
    ("connect to -oProxyCommand=x", "ssh -oProxyCommand=x"),
    ("clone the repository --upload-pack=x", "git clone --upload-pack=x"),
    ("extract --to-command=x", "tar -x --to-command=x -f a.tar"),
    ("list files in $IFS-delete", "for f in $IFS-delete; do ls; done"),
    ("list files in $IFS-delete", "sh -c 'find $IFS-delete'"),
    ("list files in $IFS-delete", "ls > $IFS"),
    ('delete the file "a\tb"', "rm a b"),
    ('show "a\u00a0b"', "cat -n a b"),
    ('show "a\u2028b"', "cat a b | head"),
]
ALLOWED = [
    ("list files in $HOME", 'ls "$HOME"'),
    ("list files in $HOME/x", 'find "$HOME/x" -type f'),
    ("print $PATH one per line", "tr : '\\n' <<< \"$PATH\""),
    ("add /opt to $PATH", 'export PATH="$PATH:/opt"'),
    ("what is $?", "echo $?"),
    ("run ls -la", "ls -la"),
    ("push --force", "git push --force"),
    ("sort a.txt using -n", "sort -n a.txt"),
    ("list with the option -h", "ls -h"),
    ("delete the file -rf", "rm -- -rf"),
    ("delete the file -rf", "rm ./-rf"),
    ("search for -v in a.txt", "grep -e -v a.txt"),
    ("list files in $IFS-delete", "ls '$IFS-delete'"),
    ("find files named user-name.txt", "find . -name user-name.txt"),
    ("watch 'find $x -type f' every 5 s", "watch -n 5 'find $x -type f'"),
    ("rename *.txt to *.md", 'for f in *.txt; do mv -- "$f" "${f%.txt}.md"; done'),
    ("show the first column ($1) of a.txt", "awk '{print $1}' a.txt"),
    ("copy report.{txt,md} to x", "cp report.{txt,md} x"),
    ('print "hello there"', "echo hello there"),
    ("delete *.txt", "rm *.txt"),
    ("find files in ~/x", "find ~/x"),
]


@pytest.mark.parametrize(("asked", "text"), REFUSED)
def test_a_command_in_which_the_request_acts_is_refused(asked: str, text: str) -> None:
    good = Candidate("true", 0.1)
    assert next(acting(asked, text), "")
    assert [one.text for one in verify(BASH, Request(asked), [Candidate(text, 0.9), good])] == ["true"]


@pytest.mark.parametrize(("asked", "text"), ALLOWED)
def test_a_command_that_only_holds_the_text_is_not(asked: str, text: str) -> None:
    assert list(acting(asked, text)) == []


def test_a_variable_gets_its_quotes_from_us() -> None:
    found = mended(Request("list files in $HOME/x and $DIR"), [Candidate("ls $HOME/x $DIR $HOME/*.c $USER", 0.5)])
    assert found[0].text == 'ls "$HOME/x" "$DIR" "$HOME"/*.c $USER'


@given(st.text(st.sampled_from("ab$IFS{}()`'\"\\-,!~+*[] \t\n"), max_size=16))
def test_the_gate_reads_anything(text: str) -> None:
    list(acting(f"list files in {text}", f"find {text}"))
    list(acting(text, "ls -la", text))


HOSTILE = (
    "-delete", "--output=pwn", "$IFS-delete", "${x:--delete}", "$(pwn)", "`pwn`", "{-delete,}", "~+/x", "!", "a\tb",
    "x; pwn", "a'; pwn; '", 'a"; pwn; "', "x/e pwn; w pwn", "x\npwn", "&& pwn", "| pwn", '"; system("pwn"); "', "x\\",
)  # fmt: skip


def example(kind: str) -> str:
    known = {"size": "10M", "timespan": "3d", "hour": "3", "permission": "755"}
    return known.get(kind) or (TYPES[kind].examples or ("x",))[0].strip("'")


def fillings(n: int) -> list[tuple[Recipe, dict[str, str], str]]:
    """Recipes with a hostile value in one slot that takes it."""
    found = []
    for recipe in load_recipes(FOLDER):
        usual = {slot.name: example(slot.type) for slot in recipe.slots.values()}
        for slot in recipe.slots.values():
            fits = [one for one in HOSTILE if re.fullmatch(TYPES[slot.type].pattern or "(?s).*", one)]
            if slot.type not in ("command", "script"):
                found += [(recipe, {**usual, slot.name: value}, value) for value in fits]
    return random.Random(3).sample(found, n)


def runs(command: Command) -> bool:
    return command.utility == "pwn" or any(word.value in ("-delete", "--output=pwn") for word in command.words[:1])


def test_no_recipe_lets_a_value_out_of_its_word() -> None:
    refused = 0
    for recipe, values, value in fillings(1500):
        text = render(recipe, values)
        refused += not text
        for command in commands(parse(text)) if text else ():
            assert not runs(command), text
            parts = [part for word in command.words for part in word.parts]
            said = [part.text for part in parts if isinstance(part, Expansion)]
            said += [text[part.start : part.end] for part in parts if isinstance(part, Substitution)]
            assert not any(one in value for one in said if one not in ("$f", "$n", "$d")), text
        if text and not list(acting(f'in "{value}"', text)):
            assert "flag" not in acts(value, text), text
    assert refused < 60  # a recipe that refuses everything passes all the same


def recipe(command: str, **slots: str) -> Recipe:
    return Recipe("test", command, "reads", {name: parse_slot(name, text) for name, text in slots.items()}, ("a", "b"))


@pytest.mark.parametrize(
    ("command", "slots", "values", "filled"),
    [
        ('echo "$(du {d} | wc)"', {"d": "dir"}, {"d": "x; pwn"}, "echo \"$(du 'x; pwn' | wc)\""),
        ('echo "$(date) {t}"', {"t": "text"}, {"t": "$x"}, 'echo "$(date) \\$x"'),
        ("ssh h cat {f}", {"f": "file"}, {"f": "a.txt"}, "ssh h cat a.txt"),
        ("ssh h cat {f}", {"f": "file"}, {"f": "x; pwn"}, "ssh h cat \"'x; pwn'\""),
        ("watch du -sh {d}", {"d": "dir"}, {"d": "my dir"}, "watch du -sh \"'my dir'\""),
        ("sed -i 's/{a}/{b}/' f", {"a": "text", "b": "text"}, {"a": "x", "b": "y/e; w pwn"}, ""),
        ("sh -c 'ls {d}'", {"d": "dir"}, {"d": "x; pwn"}, ""),
        ("python3 -m timeit {t}", {"t": "text"}, {"t": "-delete"}, ""),
        ("find {d} -type f", {"d": "dir"}, {"d": "("}, "find './(' -type f"),
        ("ls {d}", {"d": "dir"}, {"d": "~+/x"}, "ls '~+/x'"),
        ("ls {d}", {"d": "dir"}, {"d": "$HOME/x"}, 'ls "$HOME/x"'),
    ],
)  # fmt: skip
def test_a_value_is_quoted_for_every_shell_or_refused(
    command: str, slots: Mapping[str, str], values: Mapping[str, str], filled: str
) -> None:
    assert render(recipe(command, **slots), values) == filled


@given(st.text(st.sampled_from("a-$I{},!~+*[]'\"\\` \t\n()"), min_size=1, max_size=8))
def test_a_path_is_one_word_without_a_dash_in_front(text: str) -> None:
    try:
        command = next(commands(parse(f"find {path_word(text)}")))
    except BadInstruction:
        return
    assert len(command.words) == 2 and not command.words[1].lead.startswith("-")
    assert all(not isinstance(part, Substitution) for part in command.words[1].parts)


@pytest.mark.parametrize("words", ["in $IFS-delete instead", "in -delete instead", "in '!' instead"])
def test_a_follow_up_puts_in_no_flag(words: str) -> None:
    for one in follow("find . -type f", words).candidates:
        assert not acts(words.split()[1], one.text), one.text


def test_a_follow_up_may_name_a_flag() -> None:
    assert follow("ls", "add -a").candidates[0].text == "ls -a"


def test_what_a_program_prints_becomes_no_flag() -> None:
    said = (
        "git: 'lgo' is not a git command. See 'git --help'.\n\nThe most similar command is\n\t--output=$IFS-x\n\t-log\n"
    )
    found = repair(Failure("git lgo", 1, said), Surroundings(frozenset(("git", "ls"))))
    assert found and all("-" not in one.text for one in found)


def test_a_file_named_like_a_flag_is_no_repair() -> None:
    here = Surroundings(frozenset(("cat",)), lambda folder: ["-notes.txt", "--note.txt"])
    found = repair(Failure("cat notes.txt", 1, "cat: notes.txt: No such file or directory"), here)
    assert not any(word.lead.startswith("-") for one in found for c in commands(parse(one.text)) for word in c.words)


def test_history_gives_back_no_command_in_which_the_request_acts(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = history_store.Entry("1", "", "list files in $IFS-delete", "find $IFS-delete -type f")
    monkeypatch.setattr(history_store, "recalled", lambda text, target: [(entry, 1.0)])
    assert history_store.own_commands(BASH, BASH.read(Request(entry.request))) == []
    written = replace(entry, proposed="find . -type f")
    monkeypatch.setattr(history_store, "recalled", lambda text, target: [(written, 1.0)])
    assert [one.text for one in history_store.own_commands(BASH, BASH.read(Request(entry.request)))] == [entry.command]


@pytest.mark.parametrize(
    ("command", "level"),
    [
        ("find $IFS-delete -type f", "destroys"),
        ('find "$x-delete"', "destroys"),
        ("find $(x)-delete", "destroys"),
        ("bash -c 'find $x-delete'", "destroys"),
        ("git log $x--output=f", "writes"),
        ("find {,x}-delete", "unknown"),
        ("find \"$HOME/x-delete\"", "reads"),
        ("ls a$x-delete", "reads"),
    ],
)  # fmt: skip
def test_a_word_that_may_turn_out_a_flag_is_rated_as_one(command: str, level: str) -> None:
    assert risk(command).level == level


def test_a_dollar_amid_other_letters_is_a_part_of_the_name() -> None:
    assert [(one.kind, one.value) for one in tokenise("delete $DIR-old now")][1] == ("name", "$DIR-old")


def test_the_hostile_requests_are_many() -> None:
    assert len(VALUES) * len(PHRASINGS) >= 500
