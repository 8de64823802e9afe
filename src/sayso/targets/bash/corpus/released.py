"""The systems whose test predictions NL2Bash published with its verdicts: they answer the requests that were judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sayso.core.errors import MissingData
from sayso.core.types import Candidate, Request, System, Workspace
from sayso.metrics.judged import read_verdicts
from sayso.targets.bash.corpus import nl2bash as corpus


@dataclass(frozen=True)
class Released:
    """Published predictions by the key of the request, best first; to any other request it has no answer."""

    predictions: Mapping[str, tuple[str, ...]]

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        found = (self.predictions.get(corpus.request_key(request.text), ()) for request in requests)
        return [[Candidate(text, -float(rank)) for rank, text in enumerate(texts[:k])] for texts in found]


def released(file: str, workspace: Workspace) -> System:
    """The system of one verdict file, whose rows are three predictions a request, in order of rank."""
    path = corpus.folder(workspace.data) / "manual_judgements" / file
    if not path.is_file():
        raise MissingData(f"the published predictions are not on this machine: no {path}", corpus.HINT)
    rows: dict[str, list[str]] = {}
    for verdict in read_verdicts(path):
        rows.setdefault(verdict.description, []).append(verdict.prediction)
    # A system that found nothing left its last ranks empty.
    found = {corpus.request_key(nl): tuple(filter(None, map(str.strip, texts))) for nl, texts in rows.items()}
    return System(Released(found))


SYSTEMS = {
    "released-st-copynet": partial(released, "manual.evaluations.test.stc.csv"),
    "released-tellina": partial(released, "manual.evaluations.test.tellina.csv"),
}
