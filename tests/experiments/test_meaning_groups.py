"""What the sentence encoder is trained on."""

from __future__ import annotations

import sys

from sayso.cookbook.entry import Recipe, Slot
from sayso.experiments.meaning import pair_groups, rank, recipe_groups, share
from sayso.targets.bash.cookbook.meaning import is_held_back
from sayso.targets.bash.corpus.unseen import Pair

SAY = tuple(f"{verb} the lines of {{file}}" for verb in ("count", "tally", "number", "cut"))


def recipe(intent: str, command: str) -> Recipe:
    return Recipe(intent, command, "reads", {"file": Slot("file", "file")}, SAY)


def test_ways_to_ask_are_grouped_by_command_without_those_held_back() -> None:
    (group,) = recipe_groups([recipe("a", "wc -l {file}"), recipe("b", "wc -l {file}")])
    taught = [say for say in SAY if not is_held_back(say)]
    assert 0 < len(taught) < len(SAY)
    assert [way[0] for way in group] == [say.replace("{file}", "file") for say in taught]


def test_requests_for_one_template_are_a_group_once_for_each_wording() -> None:
    pairs = [
        Pair("Count the lines of a.txt", "wc -l a.txt", "x"),
        Pair("Count the lines of b.txt", "wc -l b.txt", "x"),
        Pair("how long is notes.txt", "wc -l notes.txt", "x"),
        Pair("remove x.txt", "rm x.txt", "x"),
        Pair("broken", "for (", "x"),
    ]
    (group,) = pair_groups(pairs)
    assert group == [("count the lines of file",), ("how long is file",)]


def test_ranks_count_different_recipes() -> None:
    assert rank(7, [3, 3, 5, 7]) == 3
    assert rank(9, [3]) == sys.maxsize
    assert (share([1, 3, sys.maxsize], 1), share([1, 3, sys.maxsize], 5)) == (0.3333, 0.6667)
