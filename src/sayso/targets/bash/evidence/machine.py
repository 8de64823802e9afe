"""What speaks against a command on this machine: flags that its tools lack, or read in another way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sayso.core.types import Draft, Evidence
from sayso.targets.bash.language import parsed
from sayso.targets.bash.review.machine_lacks import differing, lacking


def tools_lack(dialects: Mapping[str, str], drafts: Sequence[Draft]) -> list[tuple[Evidence, ...]]:
    """`dialects` says whose each tool is that is not GNU's: {"sed": "bsd"}."""
    return [tuple(_seen(draft, dialects)) for draft in drafts]


def _seen(draft: Draft, dialects: Mapping[str, str]) -> Iterator[Evidence]:
    script = parsed(draft).script
    if script is not None:
        for name, findings in (("lacking", lacking), ("differing", differing)):
            yield from (Evidence(name, finding.message) for finding in findings(script, dialects))
