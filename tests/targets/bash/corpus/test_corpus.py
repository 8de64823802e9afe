"""NL2Bash as read: the counts of table 6, stable ids, groups, and what is said of a missing or damaged copy."""

from __future__ import annotations

import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from sayso.core.errors import BadFile, MissingData
from sayso.core.types import Split, Workspace
from sayso.targets.bash.corpus import nl2bash as corpus
from sayso.targets.bash.corpus.nl2bash import Pair, group_id, group_pairs, load, published_pairs, raw_pairs

SIZES: dict[Split, tuple[int, int]] = {"train": (8090, 7340), "dev": (609, 549), "test": (606, 547)}


@pytest.fixture(scope="session")
def published(corpora: Path) -> dict[Split, list[Pair]]:
    return {split: published_pairs(corpora, split) for split in SIZES}


@pytest.fixture(scope="session")
def keys(published: dict[Split, list[Pair]]) -> dict[Split, set[str]]:
    return {split: set(group_pairs(pairs)) for split, pairs in published.items()}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A corpus of our own with the same files."""
    rows = [
        ("list files", "ls"),
        ("Lists the files", "ls -1"),
        ("show the date", "date"),
        ("count lines", "wc -l a"),
        ("print the folder", "pwd"),
    ]
    write_lines(tmp_path, "all.nl.xz", [nl for nl, _ in rows])
    write_lines(tmp_path, "all.cm.xz", [command for _, command in rows])
    for split, members in {"train": [4, 3], "dev": [2], "test": [1, 0]}.items():
        write_lines(tmp_path, f"split_paper/{split}.nl.filtered.xz", [rows[at][0] for at in members])
        write_lines(tmp_path, f"split_paper/{split}.cm.filtered.xz", [rows[at][1] for at in members])
    return tmp_path


def write_lines(data: Path, name: str, lines: list[str]) -> None:
    path = data / corpus.NAME / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.compress("".join(f"{line}\n" for line in lines).encode()))


@pytest.mark.slow
def test_counts_are_those_of_the_paper(corpora: Path, published: dict[Split, list[Pair]]) -> None:
    assert len(raw_pairs(corpora)) == 12_607
    for split, (pairs, groups) in SIZES.items():
        assert (len(published[split]), len(group_pairs(published[split]))) == (pairs, groups)


@pytest.mark.slow
def test_train_is_pairs_and_the_rest_groups(workspace: Workspace) -> None:
    assert [len(list(load(workspace, split))) for split in SIZES] == [8090, 549, 547]
    test = list(load(workspace, "test"))
    assert sum(int(example.meta["pairs"]) for example in test) == 606
    assert max(len(example.references) for example in test) > 1


def test_ids_are_stable_and_told_apart(workspace: Workspace) -> None:
    for split in SIZES:
        ids = [example.id for example in load(workspace, split)]
        assert len(set(ids)) == len(ids)
        assert ids == [example.id for example in load(workspace, split)]


def test_no_pair_stands_in_two_parts(published: dict[Split, list[Pair]]) -> None:
    lines = [pair.line for pairs in published.values() for pair in pairs]
    assert len(lines) == len(set(lines)) == 9305


def test_which_requests_and_commands_are_shared_in_the_original(
    published: dict[Split, list[Pair]], keys: dict[Split, set[str]]
) -> None:
    assert len(keys["train"] & keys["dev"]) == 12
    assert len(keys["train"] & keys["test"]) == 12
    assert not keys["dev"] & keys["test"]
    commands = {split: {pair.command for pair in pairs} for split, pairs in published.items()}
    assert not commands["train"] & (commands["dev"] | commands["test"])
    assert len(commands["dev"] & commands["test"]) == 13


def test_a_line_of_all_nl_names_a_pair(small: Path) -> None:
    examples = list(load(Workspace(small, small), "train"))
    assert [example.id for example in examples] == ["nl2bash:5", "nl2bash:4"]
    assert examples[1].request.text == "count lines" and examples[1].references == ("wc -l a",)


def test_a_group_asks_its_first_request_and_takes_every_command(small: Path) -> None:
    (group,) = load(Workspace(small, small), "test")
    assert group.request.text == "Lists the files"
    assert group.references == ("ls -1", "ls")
    assert group.meta == {"pairs": "2", "lines": "2 1"}
    assert group.id == group_id("list file")


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    write_lines(tmp_path, "x.xz", ["a\u2028b\x0bc", "", "d"])
    assert corpus.read_lines(tmp_path / corpus.NAME / "x.xz") == ["a\u2028b\x0bc", "", "d"]


def test_a_corpus_that_is_not_there_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(MissingData) as caught:
        load(Workspace(tmp_path, tmp_path), "dev")
    assert "sayso data get nl2bash" in caught.value.hint
    with pytest.raises(MissingData):
        corpus.fold_numbers(tmp_path)


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def no_xz(path: Path) -> None:
    path.write_bytes(b"list files\n")


def latin_1(path: Path) -> None:
    path.write_bytes(lzma.compress("é\n".encode("latin-1")))


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def one_line_more(path: Path) -> None:
    path.write_bytes(lzma.compress(lzma.decompress(path.read_bytes()) + b"more\n"))


@pytest.mark.parametrize("damage", [cut_off, no_xz, latin_1, a_folder, one_line_more])
@pytest.mark.parametrize("name", ["all.cm.xz", "split_paper/test.nl.filtered.xz"])
def test_a_damaged_file_is_named_with_a_cure(small: Path, name: str, damage: Callable[[Path], None]) -> None:
    damage(small / corpus.NAME / name)
    with pytest.raises(BadFile) as caught:
        list(load(Workspace(small, small), "test"))
    assert name.removesuffix(".xz").split("/")[-1].split(".")[0] in caught.value.message
    assert "sayso data get nl2bash" in caught.value.hint


def test_a_published_pair_that_was_never_collected_is_refused(small: Path) -> None:
    write_lines(small, "split_paper/dev.cm.filtered.xz", ["date -u"])
    with pytest.raises(BadFile, match=r"dev\.nl\.filtered\.xz:1"):
        load(Workspace(small, small), "dev")


@pytest.mark.parametrize("text", ["1\nx\n", "1 2\n\xff"])
def test_fold_numbers_that_are_none(small: Path, text: str) -> None:
    (small / corpus.NAME / "random_tokens.txt").write_bytes(text.encode("latin-1"))
    with pytest.raises(BadFile, match="one number a line"):
        corpus.fold_numbers(small)
