"""The embedded table of names for the resolver: which Debian package brings a header, a .pc file, a module, a program.

Read from Debian's index of files and this machine's index of packages; names of T and V of README-EVAL are left out.

    python -m sayso.experiments.build_names --data DATA --contents FILE… --write
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from sayso.core.files import write_atomically
from sayso.targets.build.corpus.splits import evaluated_names, says_any
from sayso.targets.build.reading.contents import names_in, sources
from sayso.targets.build.reading.names import TABLE, write_table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the corpora")
    parser.add_argument("--contents", type=Path, nargs="+", required=True, help="Contents-amd64.gz Contents-all.gz")
    parser.add_argument("--write", action="store_true", help="keep it as the project's table")
    args = parser.parse_args()
    barred = evaluated_names(args.data)  # no data of ours may name T or V
    found = names_in(args.contents, sources()).values()
    known = [one for one in found if not says_any(f"{one.source} {one.package} {one.name}", barred)]
    content = write_table(known)
    print(Counter(one.kind for one in known))
    print(f"{len(known)} names, {len(content)} bytes")
    if args.write:
        with write_atomically(TABLE) as file:
            file.write(content)


if __name__ == "__main__":
    main()
