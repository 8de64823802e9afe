"""Asked pairs about other names: what is changed in one text is changed in the other, and nothing else is."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from sayso.experiments.trunk_renamed import changeable, pools_of, renamed
from sayso.targets.bash.corpus.asked.pairs import load_asked
from sayso.targets.bash.corpus.unseen import Pair

PAIRS = [Pair(pair.request, pair.command, "asked") for pair in load_asked()[::200]]
POOLS = {"name": ["plums", "violas", "quay_list"], "number of 2": ["73"], "number of 3": ["418"]}


def pair(text: str, command: str) -> Pair:
    return Pair(text, command, "asked")


def names(one: Pair) -> set[str]:
    return {value for _, value in changeable(one)}


def test_a_name_that_both_texts_hold_may_change_wherever_it_stands() -> None:
    one = pair("sort people.csv into people.sorted.csv", "sort people.csv > people.sorted.csv")
    assert names(one) == {"people"}
    (other,) = renamed([one], {"name": ["plums"]}, seed=3)
    assert other == pair("sort plums.csv into plums.sorted.csv", "sort plums.csv > plums.sorted.csv")


def test_a_word_of_the_request_is_no_name_even_where_a_file_is_called_so() -> None:
    assert not names(pair("people over 30 in people.csv", "awk -F, '$2 > 30' people.csv")) & {"people"}


def test_numbers_stay_where_the_command_holds_others_that_were_reckoned_from_them() -> None:
    assert names(pair("lines 15 to 20 of app.log", "sed -n '15,20p;21q' app.log")) == {"app"}
    assert names(pair("first 15 lines of app.log", "head -n 15 app.log")) == {"app", "15"}


def test_folders_of_the_system_and_known_files_stay() -> None:
    assert names(pair("count lines of /etc/hosts.allow and README.md", "wc -l /etc/hosts.allow README.md")) == {"hosts"}


@given(st.sampled_from(PAIRS), st.integers(0, 9))
def test_texts_have_the_same_shape_and_hold_the_same_new_names(one: Pair, seed: int) -> None:
    (other,) = renamed([one], POOLS, seed)
    new = [name for some in POOLS.values() for name in some]
    blank = "|".join(map(re.escape, sorted({*names(one), *new}, key=len, reverse=True)))
    for before, after in ((one.text, other.text), (one.command, other.command)):
        assert re.sub(blank, "_", before) == re.sub(blank, "_", after)
    came = [{name for name in new if name in text and name not in told} for text, told in
            ((other.text, one.text), (other.command, one.command))]  # fmt: skip
    assert came[0] == came[1]


def test_pools_hold_what_pairs_name() -> None:
    pools = pools_of([pair("first 15 lines of app.log", "head -n 15 app.log")])
    assert pools == {"name": ["app"], "number of 2": ["15"]}
