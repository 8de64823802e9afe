"""The asked corpus: each reason to drop a pair, what is near a held-out request, storing, and what is published."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.apps.cli.main import main
from sayso.core.errors import BadFile, MissingData
from sayso.english.near_words import NEAR, near_each_other, share, words_of
from sayso.targets.bash.corpus.asked import nearness, sifting, stats
from sayso.targets.bash.corpus.asked.nearness import Held, held_index
from sayso.targets.bash.corpus.asked.pairs import (
    DIGESTS,
    FOLDER,
    PAIRS,
    READ,
    asked_pair,
    digests,
    load_asked,
    load_made,
    load_ran,
    store_asked,
    store_ran,
    written_rows,
)
from sayso.targets.bash.corpus.asked.said import constants_said
from sayso.targets.bash.corpus.asked.sifting import Sifted, sift
from sayso.targets.bash.forms.structure import structure

HELD = (
    Held("made-up dev", "how many zebras does the stable of herd.txt hold?", ("grep -c zebra herd.txt",)),
    Held("made-up test", "unpack the winter parcels", ("tar --extract -f parcels.tar",)),
)
NOTHING = held_index(())


def row(request: str, command: str, kind: str = "one", register: str = "plain") -> list[str]:
    return [kind, "beekeeper", register, request, command]


def sifted(*rows: list[str], held: nearness.HeldIndex = NOTHING) -> Sifted:
    return sift([("w01", one) for one in rows], held)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (["one", "beekeeper", "count the hives", "ls | wc -l"], sifting.COLUMNS),
        (["one", "", "plain", "count the hives", "ls | wc -l"], sifting.COLUMNS),
        (row("count the\x07 hives", "ls | wc -l"), sifting.COLUMNS),
        (row("count the hives", "ls | wc -l", kind="three"), sifting.UNNAMED),
        (row("count the hives", "ls | wc -l", register="loud"), sifting.UNNAMED),
        (row("count the hives", "for hive in *; do echo"), sifting.UNPARSED),
        (row("count the hives", "wc --hives honey.txt"), sifting.FLAG),
        (row("copy honey.txt", "cp honey.txt"), sifting.WRITTEN_WRONG),
        (row("show jars.txt, sorted", "sort 'jars.txt'"), sifting.TWICE),
        (row("show jars.txt, sorted", "cat jars.txt | sort"), sifting.ASKED_TWICE),
    ],
)
def test_what_is_wrong_is_dropped_and_counted(bad: list[str], reason: str) -> None:
    good = row("show jars.txt sorted", "sort jars.txt")
    found = sifted(good, bad)
    assert (found.read, len(found.kept), found.dropped) == (2, 1, {reason: 1})


@pytest.mark.parametrize(
    ("request_text", "command", "reason"),
    [
        ("how many zebras does the stable of herd.txt hold", "awk '/zebra/' herd.txt", nearness.SAME_REQUEST),
        ("how many zebras does the old stable of herd.txt hold?", "cat herd.txt", nearness.SAME_WORDS),
        ("how many zebras does herd.txt have?", "grep --count zebra herd.txt", nearness.SAME_COMMAND_ASKED_ALIKE),
        ("open what came by post", "tar -x -f parcels.tar", nearness.SAME_COMMAND),
        ("how many horses are in herd.txt?", "grep -c horse herd.txt", ""),
    ],
)
def test_what_is_near_a_held_out_request_is_dropped(request_text: str, command: str, reason: str) -> None:
    found = sifted(row(request_text, command), held=held_index(HELD))
    assert found.dropped == ({reason: 1} if reason else {})
    assert sum(found.near.values()) == len(found.dropped) == 1 - len(found.kept)


@given(st.lists(st.sets(st.sampled_from("abcdefg"), min_size=1)), st.sets(st.sampled_from("abcdefgh"), min_size=1))
def test_the_index_finds_a_near_one_wherever_there_is_any(bags: list[set[str]], asked: set[str]) -> None:
    index = held_index(Held("made-up", " ".join(sorted(bag))) for bag in bags)
    bag = words_of(" ".join(asked))
    assert (index.nearest(bag) is not None) == any(share(bag, frozenset(one)) >= NEAR for one in bags)


def test_requests_that_are_near_each_other_are_counted() -> None:
    asked = ("list all the old hives", "List all the OLD hives now!", "list the hives", "sort jars")
    assert near_each_other(asked) == 2


def test_eight_of_a_template_stay_whatever_the_order_of_the_lines() -> None:
    names = ("ash", "bay", "cob", "dew", "elk", "fig", "gnu", "hop", "ivy", "jay", "kin")
    rows = [row(f"sort {name}", f"sort {name}.txt") for name in names]
    forth, back = sifted(*rows), sifted(*reversed(rows))
    assert forth.dropped == {sifting.CAPPED: 3}
    assert len(forth.kept) == 8
    assert forth.kept == back.kept


def test_programs_may_be_told_apart_where_templates_call_them_alike() -> None:
    some = ("{print $1}", "{print $2}", "NR > 3", "END {print NR}", "length > 9", "!seen[$0]++", "NF", "$1 == 4")
    programs = (*some, "{s += $2} END {print s}", "NR % 2")
    lines = [("w01", row(f"wish number {at}", f"awk '{one}' bees.txt")) for at, one in enumerate(programs)]
    assert len(sift(lines, NOTHING).kept) == 8
    assert len(sift(lines, NOTHING, programs_apart=True).kept) == 10


def test_a_tool_that_is_not_known_here_is_kept_and_counted(tmp_path: Path) -> None:
    found = sifted(row("spin the honey", "honeyspin --fast jar"), row("delete jar.txt", "rm jar.txt", register="terse"))
    store_asked(found.kept, {"read": 3, "dropped": dict(found.dropped), "near": {}, "barred": {}}, tmp_path)
    counted = stats.asked_stats(tmp_path)
    assert counted.tables["pairs"]["tools that are not known here"]["n"] == 1
    assert counted.tables["pairs"]["published"] == {"n": 2, "share": 0.6667}
    assert counted.tables["register"]["terse"]["n"] == 1
    assert counted.tables["risk"]["destroys"]["n"] == 1


def test_of_what_was_run_a_fair_draw_is_counted() -> None:
    pairs = sifted(*(row(f"sort {name}", f"sort {name}.txt") for name in ("ash", "bay", "cob", "dew"))).kept
    first, second, _, last = sorted(pairs, key=lambda pair: pair.digest)
    ran = {first.id: "ran", second.id: "needs a network", last.id: "ran", "w09:gone": "ran"}
    assert stats.results(pairs, ran) == {"ran": 1, "needs a network": 1}


def test_sayso_stats_shows_what_was_dropped_and_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = sifted(row("sort jars.txt", "sort jars.txt", register="terse")).kept
    monkeypatch.setattr(stats, "load_asked", lambda folder: kept)
    monkeypatch.setattr(stats, "load_made", lambda folder: {"read": 3, "dropped": {sifting.UNPARSED: 2}})
    monkeypatch.setattr(stats, "load_ran", lambda folder: {})
    assert main(["stats", "asked"]) == 0
    shown = capsys.readouterr().out
    assert sifting.GROUNDS[sifting.UNPARSED] in shown
    assert "terse" in shown
    assert main(["stats", "asked", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["dropped"] == {sifting.UNPARSED: 2}
    assert found["figures"]["tools"] == {"sort": 1}


def test_constants_of_a_command_are_looked_for_in_its_request() -> None:
    command = "head -n 25 /var/log/hives.log > first/top.txt"
    assert constants_said("25 lines of the hives log into top.txt in first", structure(command)) == (3, 3)
    assert constants_said("the start of the hives log", structure(command)) == (1, 3)


def test_pairs_are_stored_and_read_again(tmp_path: Path) -> None:
    file = tmp_path / "w07.tsv"
    file.write_bytes("steps\tpoet\tchatty\tnaïve\u2028 wish\techo 'é\u2028' | wc -c\n\n".encode())
    pairs = [asked_pair(file.stem, columns) for columns in written_rows(file)]
    store_asked(pairs, {"read": 1, "dropped": {}}, tmp_path)
    store_ran({pairs[0].id: "ran"}, tmp_path)
    assert load_asked(tmp_path) == pairs
    assert load_ran(tmp_path) == {pairs[0].id: "ran"}
    assert json.loads((tmp_path / DIGESTS).read_text()) == digests(tmp_path)
    assert pairs[0].id.startswith("w07:")


def test_a_missing_or_damaged_corpus_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="not on this machine"):
        load_asked(tmp_path)
    (tmp_path / PAIRS).write_bytes(b"no xz")
    with pytest.raises(BadFile, match="is damaged"):
        load_asked(tmp_path)
    (tmp_path / "w01.tsv").write_bytes(b"\xff")
    with pytest.raises(BadFile, match="not UTF-8"):
        written_rows(tmp_path / "w01.tsv")


def test_what_is_published_is_what_was_made() -> None:
    assert json.loads((FOLDER / DIGESTS).read_text()) == digests(FOLDER)
    pairs, made = load_asked(), load_made()
    assert len(pairs) == made["published"] == made["read"] - sum(made["dropped"].values())
    assert len({pair.id for pair in pairs}) == len(pairs)
    assert [pair.id for pair in pairs[::50]] == [
        asked_pair(pair.id.partition(":")[0], (pair.kind, pair.who, pair.register, pair.request, pair.command)).id
        for pair in pairs[::50]
    ]


def test_what_readers_said_is_of_published_pairs_and_counted_as_the_page_has_it() -> None:
    rows = [line.split("\t") for line in lzma.decompress((FOLDER / READ).read_bytes()).decode().splitlines()]
    assert {id for id, *_ in rows} <= {pair.id for pair in load_asked()}
    assert all(sentence and reason for _, sentence, _, reason in rows)
    told = Counter(verdict for _, _, verdict, _ in rows)
    assert told == {"yes": 275, "narrow": 16, "wide": 5, "missing": 3, "wrong": 1}
