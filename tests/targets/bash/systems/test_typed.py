"""A request that is a command is given back as it is; one with English in it never is."""

from __future__ import annotations

import pytest

from sayso.core.types import Request, Workspace
from sayso.targets.bash.systems.composed_request import default_system
from sayso.targets.bash.systems.typed import AS_SURE, as_typed


@pytest.mark.parametrize(
    "line",
    ["ls -la", "tar -xzvf a.tar.gz", "xz -d measures.ods.xz", "find . -name '*.py' -size +1M", "du -sh ~/old.d"],
)
def test_a_command_with_a_flag_is_its_own_answer(line: str) -> None:
    typed = as_typed(f"  {line}\n")
    assert typed is not None and (typed.text, typed.score) == (line, AS_SURE)


@pytest.mark.parametrize(
    "line",
    [
        "sort a.txt",  # English as well: no flag
        "sort a.txt with -r",
        "kill -9 everything named ruby",
        "tar up all of /etc into a.tgz -v",
        "gzip -d trees.json.gz -> keep",
        "chmod +x rr.sh, then run -v",
        "frobnicate -la",  # no tool
        "ls --no-such-flag",
        "ls -la; rm -rf ~",
        "ls -la | sh",
        "ls -la $(id)",
        "ls -la > a.txt",
        "ls -la\nrm -rf x.d",
        "ls '-la",
        """awk -F: 'BEGIN{system("rm -rf ~")}' a.txt""",
        "sed -n '1e rm -rf ~' a.txt",
        "bash -c 'rm -rf ~'",
        "",
    ],
)
def test_what_may_be_english_or_more_than_one_command_is_not(line: str) -> None:
    assert as_typed(line) is None


def test_it_stands_first_and_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("workspace")
    found = default_system(Workspace(folder, folder)).translator.translate([Request("df -h")], 5)[0]
    assert found[0].text == "df -h" and found[0].why == ("as it was typed",)
    assert len({one.text for one in found}) == len(found) > 1
