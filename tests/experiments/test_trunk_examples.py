"""Examples beside a request: the nearest known pairs as one piece of context, within what there is room for."""

from __future__ import annotations

import pytest

from sayso.core.types import Request
from sayso.english.byte_bpe import ByteBpe, read_bpe
from sayso.english.prompt import read_prompt
from sayso.experiments.trunk_examples import MOST_IDS, Examples
from sayso.neural.translator import TOKENIZER
from sayso.targets.bash.systems.combined import TRUNK
from sayso.targets.bash.systems.recalled import load_recalled, remembered

PAIRS = [
    ("count the lines of notes.txt", "wc -l notes.txt"),
    ("count the lines of a.log please", "wc -l a.log"),
    ("count the words of a.log", "wc -w a.log"),
    ("which process uses port 80", "ss -ltnp 'sport = :80'"),
    ("count the lines in every file", "wc -l *"),
]


@pytest.fixture(scope="module")
def tokens() -> ByteBpe:
    return read_bpe((TRUNK / TOKENIZER).read_bytes())


def test_the_nearest_stands_last(tokens: ByteBpe) -> None:
    found = Examples(remembered(PAIRS), tokens).beside("count the lines of b.txt")
    assert found is not None
    lines = found.text.split("\n")
    assert lines[-1] == "count the lines of notes.txt: wc -l notes.txt"
    assert len(lines) == 3
    assert not any("port" in line for line in lines)


def test_what_is_own_is_not_shown(tokens: ByteBpe) -> None:
    found = Examples(remembered(PAIRS), tokens).beside("count the lines of notes.txt", lambda at: at in (0, 1))
    assert found is not None
    assert "notes.txt" not in found.text
    assert "a.log please" not in found.text


def test_a_command_is_shown_once(tokens: ByteBpe) -> None:
    twice = [("lines of notes.txt", "wc -l notes.txt"), ("count lines of notes.txt", "wc -l notes.txt")]
    found = Examples(remembered(twice), tokens).beside("the lines of b.txt")
    assert found is not None
    assert found.text.count("wc -l") == 1


def test_where_nothing_is_like_it_there_is_no_context(tokens: ByteBpe) -> None:
    assert Examples(remembered(PAIRS), tokens).beside("zürich") is None
    assert Examples(remembered([]), tokens).beside("count lines") is None


def test_the_piece_is_read_whole_and_keeps_to_its_room(tokens: ByteBpe) -> None:
    examples = Examples(load_recalled(), tokens)
    for text in (examples.memory.pair(at)[0] for at in range(0, len(examples.memory.lines), 997)):
        found = examples.beside(text)
        assert found is not None
        alone = read_prompt(tokens, Request(text)).ids
        both = read_prompt(tokens, Request(text, (found,)))
        assert both.pieces == 1
        assert len(both.ids) - len(alone) <= MOST_IDS + 2


def test_a_line_with_no_room_gives_way_to_the_next(tokens: ByteBpe) -> None:
    long = ("count the lines of b.txt", "echo " + " ".join(map(str, range(200))))
    found = Examples(remembered([long, *PAIRS]), tokens).beside("count the lines of b.txt")
    assert found is not None
    assert "echo" not in found.text
