"""What was annotated, as files: the CSV shape in which NL2Bash released its verdicts, and JSONL for every kind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from sayso.apps.judge.board import Board, Saved
from sayso.apps.judge.items import Item, Json, answer_to_json, item_to_json
from sayso.core.errors import UserError
from sayso.core.files import write_atomically
from sayso.metrics.judged import Verdict, Vote, write_verdicts


def export(board: Board, path: Path) -> int:
    """Write what the ending of the name asks for; returns how many rows. Unanswered items are left out."""
    if path.suffix == ".csv":
        rows = list(verdict_rows(board))
        if not rows:
            raise UserError("there are no verdicts to export", "other kinds go to a .jsonl file")
        write_verdicts(path, rows)
        return len(rows)
    if path.suffix != ".jsonl":
        raise UserError(f"cannot tell the format of {path}", "end the name in .csv (verdicts) or .jsonl (every kind)")
    lines = list(item_rows(board))
    if not lines:
        raise UserError("there is nothing to export yet", "start `sayso judge` without --export and answer something")
    with write_atomically(path) as file:
        file.writelines(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)
    return len(lines)


def verdict_rows(board: Board) -> Iterator[Verdict]:
    """One row per judged candidate; judges are A, B, C … in the order of their first answer, and no system is named."""
    letters = {name: letter(n) for n, name in enumerate(board.annotators)}
    for item in board.items.values():
        votes, decided = board.votes(item.id), board.majority(item.id)
        for option in item.options:
            by_command, by_template = votes.get(("command", option.text), {}), votes.get(("template", option.text), {})
            if by_command:
                yield Verdict(
                    description=item.text,
                    prediction=option.text,
                    template=option.template,
                    correct_template=_truth(decided["template", option.text]),
                    correct_command=_truth(decided["command", option.text]),
                    votes=tuple(
                        Vote(letters[name], by_template[name] == "y", by_command[name] == "y") for name in by_command
                    ),
                )


def item_rows(board: Board) -> Iterator[Json]:
    """One line per answered item: the item, every judge's looks and notes, and the majority where there is one."""
    for item in board.items.values():
        answers = [_saved(saved) for name in board.annotators for saved in board.stacks.get((item.id, name), [])]
        if answers:
            yield {**item_to_json(item), "answers": answers, "majority": _decided(board, item)}


def letter(n: int) -> str:
    """0 -> "A", 25 -> "Z", 26 -> "AA" """
    return (letter(n // 26 - 1) if n >= 26 else "") + chr(ord("A") + n % 26)


def _saved(saved: Saved) -> Json:
    return {"annotator": saved.annotator, "look": saved.look, "at": saved.at, **answer_to_json(saved.answer)}


def _decided(board: Board, item: Item) -> list[Json]:
    return [
        {"measure": measure, "of": where, "value": value} for (measure, where), value in board.majority(item.id).items()
    ]


def _truth(value: str | None) -> bool | None:
    return None if value is None else value == "y"
