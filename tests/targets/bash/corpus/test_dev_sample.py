"""Table 8 and figure 2 from the released file: the order of its rows names the systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.core.errors import BadFile
from sayso.targets.bash.corpus.judged_sample import ORDER, accuracy, is_right, overlap, read_sample

HEAD = "description,prediction,template,correct template,correct command\n"
# NL2Bash, table 8: Acc_F^1, Acc_F^3, Acc_T^1, Acc_T^3
TABLE_8 = {
    "seq2seq-char": (0.24, 0.27, 0.35, 0.38),
    "seq2seq-token": (0.10, 0.12, 0.53, 0.59),
    "seq2seq-subtoken": (0.19, 0.27, 0.41, 0.53),
    "copynet-char": (0.25, 0.31, 0.34, 0.41),
    "copynet-token": (0.21, 0.34, 0.47, 0.61),
    "st-copynet": (0.31, 0.40, 0.44, 0.53),
    "tellina": (0.29, 0.32, 0.51, 0.58),
}


def write(folder: Path, rows: list[str]) -> Path:
    path = folder / "nl2bash" / "manual_judgements" / "manual.evaluations.dev.samples.csv"
    path.parent.mkdir(parents=True)
    path.write_text(HEAD + "".join(row + "\n" for row in rows))
    return folder


def test_rows_belong_to_systems_by_their_place(tmp_path: Path) -> None:
    rows = [f"list,ls {at},ls,{'y' if at % 3 else 'n'},{'y' if at == 5 else 'n'}" for at in range(21)]
    sample = read_sample(write(tmp_path, rows))
    assert [verdict.prediction for verdict in sample["tellina"]["list"]] == ["ls 3", "ls 4", "ls 5"]
    assert [system for system in ORDER if is_right(sample[system]["list"], "command", 3)] == ["tellina"]
    assert accuracy(sample["tellina"], "command", 1) == 0
    assert accuracy(sample["tellina"], "template", 3) == 1


def test_a_request_with_too_few_rows_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match='1 rows for "list"'):
        read_sample(write(tmp_path, ["list,ls,ls,y,y"]))


def test_errors_of_two_systems_overlap() -> None:
    first = {"a": False, "b": False, "c": True, "d": True}
    second = {"a": False, "b": True, "c": False, "d": True}
    assert overlap(first, second) == (0.25, 0.25, 0.25)


@pytest.mark.parametrize("system", ORDER)
def test_table_8_comes_out(system: str, corpora: Path) -> None:
    answers = read_sample(corpora)[system]
    found = [accuracy(answers, which, k) for which in ("command", "template") for k in (1, 3)]
    assert len(answers) == 100
    assert found == pytest.approx(TABLE_8[system], abs=0.021)
