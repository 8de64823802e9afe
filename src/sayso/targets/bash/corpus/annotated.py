"""NL2Bash figure 3: the errors of the paper's two systems by class, counted from the released annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sayso.core.types import Candidate, Example, Table, Workspace
from sayso.targets.bash.corpus import nl2bash
from sayso.targets.bash.corpus.slices import ANNOTATED, ANNOTATIONS, class_counts, read_classes


def annotated_errors(
    workspace: Workspace, examples: Sequence[Example], answers: Mapping[str, Sequence[Sequence[Candidate]]]
) -> Table | None:
    """None for a split that the annotations are not about."""
    path = nl2bash.folder(workspace.data) / "manual_judgements" / ANNOTATIONS
    requests = read_classes(path)
    annotated = sum(nl2bash.request_key(example.request.text) in requests for example in examples)
    if not annotated:
        return None
    systems = tuple(ANNOTATED.values())
    rows = tuple((name, *(str(counts[one]) for one in systems)) for name, counts in class_counts(path).items())
    notes = (f"first predictions for {annotated} requests of this split, as the authors sorted them",)
    return Table("errors of the paper's systems by class (NL2Bash figure 3)", ("class", *systems), rows, notes)
