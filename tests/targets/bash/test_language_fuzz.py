"""Ten thousand broken commands: nothing but BadInstruction is raised, nothing hangs, nothing unread is called safe."""

from __future__ import annotations

import time

import pytest
from benchmarks.bash_fuzz import faults, mutants, survey
from hypothesis import example, given
from hypothesis import strategies as st

from sayso.core.errors import BadInstruction
from sayso.targets.bash.language import check, explain, normalise, risk, template

SHELL_TEXT = st.text(st.sampled_from("ab1 \t\n'\"\\$(){}[]<>|&;`*?!#~=-é\0" + "find rm xargs"), max_size=60)


@pytest.mark.slow
def test_ten_thousand_mutants() -> None:
    assert survey(20240717, 10_000) == []


def test_mutants_are_the_same_for_a_seed_and_differ_from_the_examples() -> None:
    assert list(mutants(1, 50)) == list(mutants(1, 50)) != list(mutants(2, 50))


@given(SHELL_TEXT)
@example("xargs -0iif ls")
@example("~b:{\U00108712\bh")
@example("9 O{\U000def9f5")
@example("echo {😀,b}")
@example("ps auxep -v")
@example("$a/$b/c")
@example("- 2>&1 | -exec : | : & .csv '}'")
@example("echo `` x")
@example('grep x $`date` a"$`date`b"')
@example("echo $`a \\`b\\``")
@example("'a'\\ b")
@example("ss=h deploy\"\"@web1 'cd /srv && git pull'")
@example('evamza"an@"')
@example("dd if=/dev/=/dev/zv/zeh -' 'c  of=isk.img bs=1M|| count=100")
@example("cat part1 part2 > whole$USER == ")
@example("cat <<E\n $(ls)\nE")
@example("sort -tk2,2n -k1,1{ data.csv")
@example("CO\\UNT=$(ls | wc -l)")
@example("head -20 Rd -20E{a,b}ADME.md")
@example("sort -t, -k2,2{1..3}n -k1,1r data.csv")
@example("gzip -9c > p -9c > -9c")
@example("cp -r --preserve`erve`=mode src/. dst")
@example("xargs -I FILE c> FILE ;;FILE.bak t.txt")
@example("sort 'f' > f")
@example("nohup ssh web1 t > t")
@example("head x <<EOF\nME.md$if ")
@example("xargs -I-FILE cp -FILE FILE.bak < list.txt")
@example("find> . -path ./node_modules -prune -o -name '*.js' -print")
@example("tar x>zf aZrchive.tar.g>z -Cz -C /t '*.js' -printmp")
def test_any_shell_text(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "(" * 2400,
        "$(" * 2400,
        "`" * 4999,
        "'" * 4999,
        '"' * 4999,
        "${" * 2400,
        "a|" * 2400,
        "a&&" * 1600,
        "{ " * 2400,
        "<<E " * 1200,
        "\\" * 4999,
        "x=" * 2400,
        "[[ " * 1600,
        "if " * 1600,
        "find . " + "\\( " * 1600,
        "sudo " * 990,
        "sh -c '" * 700,
        "*" * 4_999,
        "{a,b}" * 990,
        "find . " + "-name a -o " * 440,
        "\n" * 4_999,
        "é" * 4_999,
    ],
    ids=lambda text: text[:8].strip() or "newlines",
)
def test_long_repetitions_neither_hang_nor_overflow(text: str) -> None:
    start = time.process_time()
    for read in (risk, check, explain):
        read(text)
    for read_or_refuse in (normalise, template):
        try:
            read_or_refuse(text)
        except BadInstruction as error:
            assert -1 <= error.offset <= len(text)
    assert time.process_time() - start < 5
