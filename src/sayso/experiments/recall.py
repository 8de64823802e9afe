"""Pack the asked pairs so that answers to like requests can be recalled: `python -m sayso.experiments.recall`."""

from __future__ import annotations

import sys
from pathlib import Path

from sayso.neural.bundle import write_bundle
from sayso.targets.bash.corpus.asked.pairs import load_asked
from sayso.targets.bash.systems.recalled import FOLDER, packed

CARD = "MODEL_CARD.md"


def make(folder: Path = FOLDER) -> None:
    pairs = [(pair.request, pair.command) for pair in load_asked()]
    card = (folder / CARD).read_bytes() if (folder / CARD).is_file() else b""
    write_bundle(
        folder,
        name="bash-recall",
        target="bash",
        kind="recall",
        settings={"pairs": len(pairs)},
        files={CARD: card, **packed(pairs)},
        licence="Apache-2.0",
    )


if __name__ == "__main__":
    make()
    print(FOLDER, file=sys.stderr)
