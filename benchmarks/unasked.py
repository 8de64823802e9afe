"""`python -m benchmarks.unasked [--half dev]`: the share of everyday answers that read and that `--yes` still runs.

The first answer to each request of the everyday set counts where it is rated `reads`; the rest asks anyway.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

from sayso.answer.answer import answer
from sayso.apps.settings import workspace
from sayso.core.types import Request
from sayso.targets.bash.everyday.entries import load_everyday
from sayso.targets.bash.tasks import BASH, COMMAND


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unasked", description=__doc__)
    parser.add_argument("--half", choices=("dev", "test"), default="dev")
    parser.add_argument("--system", choices=sorted(COMMAND.systems), default="default")
    parser.add_argument("--list", action="store_true", help="print each answer that asks, with the reason")
    args = parser.parse_args(argv)
    system = COMMAND.systems[args.system](workspace())
    found = [answer(BASH, system, Request(entry.request), 3) for entry in load_everyday(args.half)]
    first = [one.candidates[0] for one in found if one.candidates]
    reads = [one.text for one in first if one.risk.level == "reads"]
    reasons = {text: BASH.unasked(text) for text in reads}
    asks = Counter(reason for text in reads if (reason := reasons[text]))
    if args.list:
        print("\n".join(f"{text}  # {reason}" for text, reason in reasons.items() if reason))
    runs = len(reads) - asks.total()
    print(
        f"{args.half}: n {len(found)}, first answers rated reads {len(reads)}, run unasked {runs}, ask {asks.total()}"
    )
    for reason, count in asks.most_common():
        print(f"{count:5}  {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
