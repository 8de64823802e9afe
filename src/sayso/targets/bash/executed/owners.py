"""`chown` and `chgrp` for fixtures: no ordinary user may give files away, so who would own what is written down."""

from __future__ import annotations

from sayso.core.types import FileSpec

LEDGER = "/opt/.owners"
# One line a path, `USER:GROUP PATH`, sorted: the order in which files are given away shows nowhere.
SCRIPT = """#!/bin/bash
all= spec= from= paths=()
while (($#)); do
  case $1 in
    --recursive) all=1 ;;
    --reference=*) spec=like:${1#*=} ;;
    --from=*) from=${1#*=} ;;
    --?*) ;;
    --) shift; paths+=("$@"); break ;;
    -[a-zA-Z]*) [[ $1 == *R* ]] && all=1 ;;
    *) paths+=("$1") ;;
  esac
  shift
done
if [[ -z $spec ]]; then
  spec=${paths[0]} paths=("${paths[@]:1}")
  [[ $spec == *:* ]] || spec=${spec/./:}
  [[ $spec == ?*: ]] && spec=$spec${spec%:}
  [[ ${0##*/} == chgrp ]] && spec=:${spec#:}
fi
[[ -n $spec && ${#paths[@]} -gt 0 ]] || { echo "${0##*/}: missing operand" >&2; exit 1; }
code=0
for path in "${paths[@]}"; do
  if [[ ! -e $path && ! -L $path ]]; then
    echo "${0##*/}: cannot access '$path': No such file or directory" >&2
    code=1
  elif [[ $all ]]; then
    find "$path" -exec realpath -s {} + | sed "s,^,$spec$from ,"
  else
    realpath -s "$path" | sed "s,^,$spec$from ,"
  fi
done >> /opt/.owners
sort -u -o /opt/.owners /opt/.owners
exit $code
"""


def owner_programs() -> dict[str, FileSpec]:
    """The two programs by path, first in the search for programs, and the empty ledger that they write."""
    paths = ("/usr/local/bin/chown", "/usr/local/bin/chgrp")
    programs = {path: FileSpec(path, SCRIPT.encode(), "file", 0o755) for path in paths}
    return {**programs, LEDGER: FileSpec(LEDGER, b"", "file", 0o666)}
