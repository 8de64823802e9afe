"""One spelling for what a trunk learns, and folds that keep a request from the network that answers it."""

from __future__ import annotations

import pytest

from sayso.core.types import Workspace
from sayso.experiments.trunk_folds import FOLDS, fold_examples, fold_of, without_fold
from sayso.experiments.trunk_style import house_style
from sayso.targets.bash.corpus.unseen import Pair
from sayso.targets.bash.language import normalise


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("find ./ -name '*.c' -type f -print", 'find . -type f -name "*.c"'),
        ("sort -r -n", "sort -nr"),
        ("ls -l -a /tmp|head -3", "ls -al /tmp | head -n 3"),
        ("find . -type f -o -name x", "find . -name x -o -type f"),
        ("grep '$x' 'a\\.b'", "grep '$x' 'a\\.b'"),
        ("egrep 'a b' f", 'grep -E "a b" f'),
        ("if then", "if then"),
    ],
)
def test_a_command_is_spelt_in_one_way(written: str, wanted: str) -> None:
    assert house_style(written) == wanted


@pytest.mark.parametrize(
    "command",
    ["find . -name x -exec find {} -type d \\;", "find . -name '*.sql' -print0 -type f", "cut -d' ' -f2- \"a b\""],
)
def test_a_spelling_never_changes_the_command(command: str) -> None:
    assert normalise(house_style(command)) == normalise(command)


def test_a_fold_is_kept_from_its_network_however_it_is_typed() -> None:
    pairs = [Pair(f"Show file number {n}", "cat", "nl2bash") for n in range(30)]
    typed = [pair._replace(text=pair.text.lower()) for pair in pairs]
    other = [Pair(pair.text, "cat", "cookbook") for pair in pairs]
    for fold in range(FOLDS):
        left = without_fold([*pairs, *typed, *other], fold)
        assert all(pair.source == "cookbook" or fold_of(pair.text) != fold for pair in left)
        assert len(left) == 90 - 2 * sum(fold_of(pair.text) == fold for pair in pairs) < 90


def test_folds_hold_every_request_of_train_once(workspace: Workspace) -> None:
    folds = [{one.id for one in fold_examples(workspace, fold)} for fold in range(FOLDS)]
    assert min(map(len, folds)) > 2000
    assert len(set.union(*folds)) == sum(map(len, folds))
