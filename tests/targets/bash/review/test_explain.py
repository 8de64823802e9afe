"""Notes: every word of a command is explained, in order, with the characters that it stands at."""

from __future__ import annotations

import pytest

from sayso.targets.bash.language import explain
from sayso.targets.bash.review.page import examples


def test_word_by_word() -> None:
    command = r"find . ! -name '*.o' -exec rm -f {} \; 2>/dev/null | sort -rn > out &"
    assert [(note.text, note.gloss) for note in explain(command)] == [
        ("find", "find files and folders by name, age, size and more, and act on them"),
        (".", "a file or a folder"),
        ("!", "not: turns the next test around"),
        ("-name '*.o'", "the base of the name matches the pattern"),
        ("-exec", "run a command on what was found"),
        ("rm", "remove files, and folders with -r"),
        ("-f", "never ask and ignore what does not exist"),
        ("{}", "stands for what was found or read"),
        (r"\;", "ends the command, which runs once for each"),
        ("2>/dev/null", "throws error messages away"),
        ("|", "sends what the command before it prints into the next one"),
        ("sort", "sort lines"),
        ("-r", "largest first"),
        ("n", "compare as numbers"),
        ("> out", "writes the output into this file, replacing what was there"),
        ("&", "runs the command before it in the background"),
    ]


@pytest.mark.parametrize(
    ("command", "text", "gloss"),
    [
        ("a && b", "&&", "goes on only if the command before it succeeded"),
        ("a || b", "||", "goes on only if the command before it failed"),
        ("a; b", ";", "then, whatever happened before"),
        ("echo $(date)", "$(", "is replaced by what the command inside prints"),
        ("echo `date`", "`", "is replaced by what the command inside prints"),
        ("diff <(a) b", "<(", "is a file from which the output of the command inside can be read"),
        ("echo $x", "$x", "is replaced by the value of the variable"),
        ("echo $((1+2))", "$((1+2))", "is replaced by the result of the calculation"),
        ("A=1 ls", "A=1", "sets A for this command only"),
        ("A=1", "A=1", "sets A in this shell"),
        ("frob -x", "frob", "a program that is not known here"),
        ("$EDITOR f", "$EDITOR", "the program to run, worked out when it runs"),
        ("sort -y", "-y", "not a flag of sort"),
        ("for i in 1; do ls; done", "for", "repeats commands for each of several values"),
        ("! ls", "!", "turns success and failure around"),
        ("(ls)", "(", "runs what is inside in a shell of its own"),
        ("ls 2>> f", "2>> f", "adds error messages to the end of this file"),
        ("sh -c 'ls -l'", "-l", "long listing: permissions, owner, size, date"),
        ("ssh h 'ls | wc'", "wc", "count lines, words and bytes"),
        ("rm -- -f", "--", "ends the flags: what follows are operands"),
        ("ls (", "(", "cannot be read from here: this is not a Bash command"),
    ],
)
def test_what_words_do(command: str, text: str, gloss: str) -> None:
    assert (text, gloss) in {(note.text, note.gloss) for note in explain(command)}


@pytest.mark.parametrize("command", [*examples(), "echo é | grep -n ü", "echo `a \\`b\\``", "ls 'x"])
def test_notes_quote_the_command_in_order(command: str) -> None:
    found = explain(command)
    assert found
    assert all(command[note.start : note.end] == note.text and note.text and note.gloss for note in found)
    assert [note.start for note in found] == sorted(note.start for note in found)


COMPOUNDS = ("for ", "while ", "if ", "[[", "()")


@pytest.mark.parametrize("command", [one for one in examples() if not any(word in one for word in COMPOUNDS)])
def test_no_word_is_left_out(command: str) -> None:
    """Every letter outside of compound statements stands in some note."""
    covered = {at for note in explain(command) for at in range(note.start, note.end)}
    left = {command[at] for at in range(len(command)) if at not in covered}
    assert left <= set(" ;&|(){}`<>\"'")
