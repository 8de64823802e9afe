"""JuICe (Agashe et al., 2019): tables 1 to 8, figures 1 to 3, what §4 and §8 say of people."""

from __future__ import annotations

from collections.abc import Mapping

from sayso.experiments.notebook_errors import PAPER, kept, shares
from sayso.runs.papers.builders import by_stem, from_counts, from_scores, score_cells
from sayso.runs.papers.items import Cell, Desk, Item, Shown, with_deviation

CODE, APIS = "notebook/code", "notebook/apis"
OURS = ("copy-above", "default")
BY_SHARE = {"10 % of train": "lstm-k3-n10", "30 %": "lstm-k3-n30", "all": "lstm-k3"}
IN_STEP = {1: "lstm-k1-n30", 2: "lstm-k2-n30", 3: "lstm-k3-n30-in-step", 5: "lstm-k5-n30"}
"""Trained in as many epochs; `lstm-k3-n30` belongs to the points by the share of train."""
BY_CELLS = {
    **{f"K = {k}, 30 % of train": system for k, system in IN_STEP.items()},
    **{f"K = {k}, all of train": f"lstm-k{k}-in-step" for k in (1, 3)},
}


def figure_3(desk: Desk) -> list[Shown]:
    panels: dict[str, Mapping[str, str]] = {"(a, b) by the share of train, K = 3": BY_SHARE, "(c, d) by K": BY_CELLS}
    tables = []
    for title, points in panels.items():
        rows: dict[str, dict[str, Cell]] = {}
        for split in ("dev", "test"):
            ours = by_stem(desk.standings(CODE, split))
            for label, system in points.items():
                for name in ("bleu", "exact"):
                    if system in ours:
                        rows[f"{split}, {label}, {name}"] = score_cells(ours[system], name)
        missing = [label for label in points if not any(f", {label}, " in row for row in rows)]
        notes = ["the paper draws its points and prints none"]
        if missing:
            notes.append(f"not trained: {'; '.join(missing)} (`sayso train RECIPE` needs a GPU for hours)")
        tables.append(Shown(title, rows, tuple(notes)))
    return tables


def table_8(desk: Desk) -> list[Shown]:
    said = kept(desk.results.published)
    if not said:
        return [Shown("errors by class", {}, ("what readers said is kept in a checkout, and this is none",))]
    tables = []
    for system, rows in said.items():
        found = shares(list(rows.values()))
        cells: dict[str, dict[str, Cell]] = {
            name: {"ours": round(share, 1), "paper": PAPER[name], "n": len(rows)} for name, share in found.items()
        }
        note = "ours: read by a language model; paper: 50 errors of LSTM K = 3 trained on 1,518,049 examples"
        tables.append(
            Shown(f"{system}: per cent of wrong answers on dev, classes overlap", with_deviation(cells), (note,))
        )
    return tables


ITEMS: dict[str, Item] = {
    "table 1": Item("beside other corpora", from_counts("notebooks", "table 1")),
    "table 2": Item("statistics of the corpus", from_counts("notebooks", "table 2", "steps", "curated")),
    "table 3": Item("what requests are like", from_counts("notebooks", "table 3")),
    "table 4": Item("what code is for", from_counts("notebooks", "table 4")),
    "table 5": Item("which context is needed", from_counts("notebooks", "table 5")),
    "table 6": Item("BLEU and exact match", from_scores("JuICe", "6", {CODE: OURS})),
    "table 7": Item("API calls", from_scores("JuICe", "7", {APIS: OURS})),
    "table 8": Item("errors by class", table_8),
    "figure 1": Item("a notebook", why="an example of the corpus; `sayso cell NOTEBOOK` answers in one of your own"),
    "figure 2": Item(
        "an nbgrader problem", why="an example of the corpus; `sayso eval notebook/assignments` runs ours"
    ),
    "figure 3": Item("by share of train and by cells", figure_3),
    "section 4": Item("how many examples can be solved", from_counts("notebooks", "§4")),
    "section 8": Item("people's own solutions", from_scores("JuICe", "§8")),
}
