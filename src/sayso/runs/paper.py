"""The numbers that the papers print (`data/paper_numbers.json`), to stand beside ours."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class PaperNumber:
    """One cell of a paper's table, on our scale."""

    paper: str
    table: str
    task: str
    split: str
    system: str
    score: str
    value: float
    note: str

    @property
    def source(self) -> str:
        """ "NL2Bash table 9", "JuICe §8" """
        return f"{self.paper} {self.table if self.table.startswith('§') else f'table {self.table}'}"


@cache
def paper_numbers() -> tuple[PaperNumber, ...]:
    """Every number of the papers that a task of ours answers to."""
    return tuple(
        PaperNumber(
            table["paper"],
            table["table"],
            table["task"],
            table["split"],
            system,
            score,
            value / table["divide"],
            table["note"],
        )
        for table in read()["tables"]
        for system, values in table["rows"].items()
        for score, value in zip(table["columns"], values, strict=True)
    )


def paper_facts() -> dict[str, dict[str, float | list[float]]]:
    """What else the papers count: agreement between judges, README-EVAL's corpus (it reports no systems)."""
    facts: dict[str, dict[str, float | list[float]]] = read()["facts"]
    return facts


def read() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(files("sayso.runs").joinpath("data/paper_numbers.json").read_text("utf-8"))
    return document


def numbers_for(task: str, split: str) -> tuple[PaperNumber, ...]:
    """What the paper says about a split of a task, in the order of its tables."""
    return tuple(number for number in paper_numbers() if (number.task, number.split) == (task, split))
