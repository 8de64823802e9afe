"""Programs that every fixture has: a `find` that passes over the system's own trees, and a `sudo` without rights.

Those trees differ from machine to machine, nobody's answer is about them, and to walk them takes longer than all else.
"""

from __future__ import annotations

from sayso.core.types import FileSpec

FIND, SUDO = "/usr/local/bin/find", "/usr/local/bin/sudo"
PASSED_OVER = (
    *("/proc", "/sys", "/dev", "/usr/share", "/usr/lib", "/usr/libexec", "/usr/include", "/usr/src", "/usr/games"),
    *("/usr/lib32", "/usr/lib64", "/usr/local/lib", "/usr/local/share", "/usr/local/include", "/etc/ssl", "/etc/perl"),
)
# `-prune` means nothing where `-depth` holds, and find says so instead of searching.
FIND_SCRIPT = """#!/bin/sh
n=0 wide= deep=
for word; do
  case $word in
    -[HLP] | -O* ) ;;
    / | // | /. | /usr | /usr/ ) wide=1 ;;
    -* | '(' | ')' | '!' | , ) break ;;
  esac
  n=$((n + 1))
done
for word; do case $word in -delete | -depth | -d ) deep=1 ;; esac; done
[ "$wide" ] && [ ! "$deep" ] || exec /usr/bin/find "$@"
all=$# i=0
for word; do
  [ $i -eq $n ] && set -- "$@" '(' PASSED -false ')' -o '('
  set -- "$@" "$word"
  i=$((i + 1))
done
if [ $n -eq $all ]; then set -- "$@" '(' PASSED -false ')' -o -true; else set -- "$@" ')'; fi
shift $all
exec /usr/bin/find "$@"
"""

SUDO_SCRIPT = """#!/bin/sh
while :; do
  case $1 in
    -[ugpCrtT] ) shift 2 ;;
    -- ) shift; break ;;
    -* | *=* ) shift ;;
    * ) break ;;
  esac
done
[ $# -gt 0 ] && exec "$@"
"""


def programs() -> dict[str, FileSpec]:
    """By path, first in the search for programs."""
    tests = " -o ".join(f"-path {path}" for path in PASSED_OVER)
    find = FIND_SCRIPT.replace("PASSED", f"'(' {tests} ')' -prune")
    return {path: FileSpec(path, text.encode(), "file", 0o755) for path, text in ((FIND, find), (SUDO, SUDO_SCRIPT))}
