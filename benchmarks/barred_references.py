"""References of NL2Bash dev that bars would keep from being shown: `python -m benchmarks.barred_references DATA`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from sayso.core.types import Candidate, Workspace
from sayso.targets.bash.systems.mend import mended
from sayso.targets.bash.tasks import BASH, COMMAND

REFUSED = "taken_over"


def count(data: Path) -> dict[str, int]:
    found: Counter[str] = Counter()
    for example in COMMAND.load(Workspace(data, data), "dev"):
        asked = BASH.read(example.request)
        quoted = [one.text for one in mended(example.request, [Candidate(text, 1.0) for text in example.references])]
        drafts = BASH.draft(example.references)
        names = [{one.name for one in bars} for bars in BASH.bars(asked, drafts)]
        again = [{one.name for one in bars} for bars in BASH.bars(asked, BASH.draft(quoted))]
        found["references"] += len(drafts)
        found["barred"] += sum(bool(own - {REFUSED}) for own in names)
        found["useless"] += sum(any(finding.fatal for finding in draft.findings) for draft in drafts)
        found["refused as written"] += sum(REFUSED in own for own in names)
        found["refused with their variables quoted"] += sum(REFUSED in own for own in again)
    return dict(found)


if __name__ == "__main__":
    print(json.dumps(count(Path(sys.argv[1]))))
