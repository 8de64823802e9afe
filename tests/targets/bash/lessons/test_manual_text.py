"""Pairs from manuals and from undescribed commands: made from glosses, and clean of dev and test."""

from __future__ import annotations

import lzma
from pathlib import Path

from sayso.core.types import Example, Request, Split, Workspace
from sayso.targets.bash.lessons.manual_text import back_translated, extra_examples, placeholder


def example(name: str, nl: str, command: str) -> Example:
    return Example(name, Request(nl), (command,))


def corpus(folder: Path) -> Workspace:
    """Raw pairs of which only the first is published, in the files that NL2Bash has."""
    raw = [("list a", "ls a"), ("never read", "ls -a b | sort -r"), ("never read", "wc -l c"), ("x", "awk 1 c")]
    data = folder / "nl2bash"
    (data / "split_paper").mkdir(parents=True)
    for side, at in (("nl", 0), ("cm", 1)):
        (data / f"all.{side}.xz").write_bytes(lzma.compress("".join(pair[at] + "\n" for pair in raw).encode()))
        for split in ("train", "dev", "test"):
            rows = raw[:1] if split == "train" else []
            content = "".join(pair[at] + "\n" for pair in rows).encode()
            (data / "split_paper" / f"{split}.{side}.filtered.xz").write_bytes(lzma.compress(content))
    return Workspace(folder, folder)


def test_pairs_come_from_flags_and_commands_and_none_is_in_dev_or_test(tmp_path: Path) -> None:
    train = [example(str(n), f"do {n}", command) for n, command in enumerate(["ls a", "sort b", "wc c"] * 60)]
    examples: dict[Split, list[Example]] = {
        "train": train,
        "dev": [example("d", "count", "wc --lines c")],
        "test": [],
    }
    extra = extra_examples(corpus(tmp_path), examples)
    commands = {one.references[0] for one in extra.examples}
    assert "ls -a b | sort -r" in commands
    assert "wc -l c" not in commands
    assert extra.counts["left out: command of dev or test"] >= 1
    assert any(one.meta["from"] == "flags" and one.references[0].startswith("ls -") for one in extra.examples)
    assert not any("awk" in command for command in commands)
    assert all("never read" not in one.request.text for one in extra.examples)


def test_there_are_never_more_than_train_has(tmp_path: Path) -> None:
    train = [example("1", "list", "ls a"), example("2", "sort", "sort b")]
    assert len(extra_examples(corpus(tmp_path), {"train": train, "dev": [], "test": []}).examples) == 2


def test_a_command_is_said_by_the_glosses_of_its_words() -> None:
    said = back_translated("ls -a /srv | sort -r")
    assert "/srv" in said
    assert "-a" not in said
    assert "dot" in said


def test_placeholders_of_tldr_are_read_as_what_stands_in_them() -> None:
    assert placeholder("[-a|--all]") == "-a"
    assert placeholder("path/to/file") == "path/to/file"
