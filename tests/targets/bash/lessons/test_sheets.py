"""Training pairs from cheat sheets: placeholders are filled in both texts, nothing of dev or test comes through."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from zstandard import ZstdCompressor

from sayso.core.errors import MissingData
from sayso.core.types import Workspace
from sayso.english.stems import normalise_request
from sayso.targets.bash.corpus.nl2bash import published_pairs
from sayso.targets.bash.corpus.unseen import HELD_OUT, Pair, canonical_or_text, held_out, unseen
from sayso.targets.bash.language import normalise
from sayso.targets.bash.lessons.placeholders import choose_flags, fill, place_of
from sayso.targets.bash.lessons.sheets import clean_text, sheet_counts, sheet_pairs

Row = dict[str, object]


def tldr(description: str, command: str, platform: str = "common", alias: bool = False) -> Row:
    utility = command.partition(" ")[0]
    row = {"utility": utility, "platform": platform, "description": description, "command": command}
    return {**row, "alias_page": alias}


def cheat(description: str, command: str) -> Row:
    utility = command.partition(" ")[0]
    return {"utility": utility, "description": description, "command": command, "starts_with_utility": "ls" in command}


def data_of(
    folder: Path, sheets: Sequence[Row], comments: Sequence[Row], corpus: dict[str, tuple[str, str]]
) -> Workspace:
    """A data folder with these sheets and an NL2Bash of one pair a part."""
    split = folder / "nl2bash" / "split_paper"
    split.mkdir(parents=True)
    for part, (nl, command) in corpus.items():
        (split / f"{part}.nl.filtered.xz").write_bytes(lzma.compress(f"{nl}\n".encode()))
        (split / f"{part}.cm.filtered.xz").write_bytes(lzma.compress(f"{command}\n".encode()))
    for name, at in (("nl", 0), ("cm", 1)):
        text = "".join(f"{pair[at]}\n" for pair in corpus.values())
        (folder / "nl2bash" / f"all.{name}.xz").write_bytes(lzma.compress(text.encode()))
    for name in ("tldr", "cheat", "chubin"):
        (folder / name).mkdir()
    lines = "".join(json.dumps(row) + "\n" for row in sheets)
    (folder / "tldr" / "tldr_pairs.jsonl.zst").write_bytes(ZstdCompressor().compress(lines.encode()))
    (folder / "cheat" / "cheat_pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in comments))
    (folder / "chubin" / "chubin_pairs.jsonl").write_text("")
    return Workspace(folder, folder)


CORPUS = {
    "train": ("list files by size", "ls -S"),
    "dev": ("count the words in book.txt", "wc -w book.txt"),
    "test": ("sort the numbers of scores.txt", "sort -n scores.txt"),
}


def test_placeholders_get_values_that_the_description_names(tmp_path: Path) -> None:
    workspace = data_of(
        tmp_path, [tldr("Count all lines in a file", "wc {{[-l|--lines]}} {{path/to/file}}")], [], CORPUS
    )
    pairs = list(sheet_pairs(workspace))
    assert pairs[0] == Pair("count all lines in a file", pairs[0].command, "tldr")
    assert pairs[0].command.endswith(" FILE")
    assert len(pairs) >= 3
    for pair in pairs[1:]:
        value = pair.command.split()[-1]
        assert value != "FILE"
        assert value in pair.text.split()


def test_what_cannot_be_used_is_counted_by_reason(tmp_path: Path) -> None:
    sheets = [
        tldr("Open a window", "open {{path/to/file}}", "osx"),
        tldr("View documentation for the original command", "tldr ls", alias=True),
        tldr("Print a broken thing", "echo 'unclosed"),
        tldr("Count words of that book", "wc --words book.txt"),
        tldr("Sort the numbers of scores.txt", "sort -g scores.txt"),
        tldr("Liste les fichiers cachés", "ls -a"),
        tldr("[Interactive] Leave the program", "quit"),
    ]
    comments = [cheat("or with details", "ls -l"), cheat("Move down", "C-n"), cheat("List with details", "$ ls -l")]
    kept, dropped = sheet_counts(data_of(tmp_path, sheets, comments, CORPUS))
    assert kept == Counter({"cheat": 1})
    assert dropped == Counter(
        {
            "tldr: another platform": 1,
            "tldr: page of an alias": 1,
            "tldr: command does not parse": 1,
            "tldr: command of a dev or test part": 1,
            "tldr: request of a dev or test part": 1,
            "tldr: not English": 1,
            "tldr: no shell command": 1,
            "cheat: says nothing on its own": 1,
            "cheat: no shell command": 1,
        }
    )


def test_the_same_pairs_come_each_time(tmp_path: Path) -> None:
    sheets = [tldr("Show the last lines of a file", "tail -n {{count}} {{path/to/file}}")]
    workspace = data_of(tmp_path, sheets, [cheat("List a folder", "ls <directory>")], CORPUS)
    assert list(sheet_pairs(workspace)) == list(sheet_pairs(workspace))


def test_missing_data_is_said(tmp_path: Path) -> None:
    with pytest.raises(MissingData):
        list(sheet_pairs(Workspace(tmp_path, tmp_path)))


@pytest.mark.parametrize(
    ("placeholder", "kind", "ending"),
    [
        ("path/to/image.png", "file", "png"),
        ("path/to/directory", "dir", ""),
        ("container_name", "container", ""),
        ("8080", "port", ""),
        ("https://example.com", "url", ""),
        ("path/to/file1 path/to/file2 ...", "file", ""),
        ("user", "user", ""),
    ],
)
def test_a_placeholder_says_what_it_wants(placeholder: str, kind: str, ending: str) -> None:
    place = place_of(placeholder)
    assert place is not None
    assert (place.kind, place.ending, place.several) == (kind, ending, placeholder.endswith("..."))


def test_flags_in_both_spellings_are_chosen_from() -> None:
    chosen = {choose_flags("ls {{[-a|--all]}}", Random(seed)) for seed in range(20)}
    assert chosen == {"ls -a", "ls --all"}


def test_an_unnamed_value_is_added_to_the_text() -> None:
    found = fill("Show disk usage", "du -sh {{path/to/directory}}", Random(1), named=True)
    assert found is not None
    text, command = found
    value = command.removeprefix("du -sh ").strip("'")
    assert text in {f"Show disk usage {word} directory {value}" for word in ("with", "using", "for")}


def test_brackets_and_marks_are_cleaned_away() -> None:
    assert clean_text("- To view the [l]ist of `x`:") == "view the list of x"


def test_unseen_drops_by_request_or_command(tmp_path: Path) -> None:
    held = held_out(data_of(tmp_path, [], [], CORPUS))
    pairs = [
        Pair("Please count words in book.txt", "cat book.txt", "mine"),
        Pair("something else", 'wc --words "book.txt"', "mine"),
        Pair("list files by size", "ls -S", "mine"),
    ]
    dropped: Counter[str] = Counter()
    assert list(unseen(pairs, held, dropped)) == pairs[2:]
    assert dropped == Counter({"mine: request of a dev or test part": 1, "mine: command of a dev or test part": 1})


@pytest.mark.slow
def test_the_quick_look_misses_no_held_out_command(workspace: Workspace) -> None:
    """`reason_of_command` does not read commands with a word that no held-out one has; it must agree all the same."""
    held = held_out(workspace)
    every = [pair for split in ("train", *HELD_OUT) for pair in published_pairs(workspace.data, split)]
    for pair in every[::2]:
        assert bool(held.reason_of_command(pair.command)) == (canonical_or_text(pair.command) in held.commands)


@pytest.mark.slow
def test_nothing_held_out_is_in_the_sheets(workspace: Workspace) -> None:
    held = held_out(workspace)
    pairs = list(islice(sheet_pairs(workspace), 8_000))
    assert len(set(pairs)) == 8_000
    for pair in pairs[::9]:
        assert normalise(pair.command) not in held.commands
        assert normalise_request(pair.text) not in held.requests
