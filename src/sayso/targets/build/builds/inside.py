"""What runs inside the sandbox around a script: unpack the source, run the script step by step, say how it went.

All that the build prints goes to stderr, and it is not handed stdout. One that looks for it all the same can lie about
itself there and nothing else: what does not read as a report is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sayso.core.errors import BadFile
from sayso.core.types import FileSpec
from sayso.sandbox import WORK
from sayso.targets.build.builds.job import Job
from sayso.targets.build.builds.source import Source, check_archive
from sayso.targets.build.builds.steps import cut

BUILD = f"{WORK}/build"
"""Thrown away with all that is built in it; sources lie in its `src`."""
STEPS = f"{WORK}/steps"
"""A dot for every step that succeeded. It is kept: of a build that is stopped nothing else tells."""
THROWN_AWAY = (BUILD, "/tmp", "/var/tmp", "/run", "/dev")

UNPACK = {
    # Nothing to unpack: the files lie there.
    "folder": "mkdir -p src{debian}",
    "upstream": (
        "mkdir raw && tar -xf sources/* --no-same-owner -C raw && shopt -s dotglob && set -- raw/* && "
        'if [[ $# == 1 && -d $1 && ! -L $1 ]]; then mv "$1" src; else mv raw src; fi{debian}'
    ),
    # Sums were checked outside; signatures, which may be named and not be there, say nothing to a sandbox without keys.
    "debian": "dpkg-source --no-check --no-copy -x sources/*.dsc src",
}
NO_DEBIAN = " && rm -rf src/debian"

# A step's mark must leave $? as it was and must not end a script under -e, hence the negations: `! f` is exempt, and f
# fails where the command before it succeeded. It opens its file by name: the build inherits no descriptor of ours.
MARK = 'sayso_step() { printf . 2>/dev/null >>STEPS; [ "$1" -ne 0 ]; }\n'.replace("STEPS", STEPS)

WRAPPER = r"""
exec 3>&1 1>&2
cd BUILD || exit 125
{ UNPACK; } 3>&- || exit 125
mapfile -d '' -t pieces < pieces
text= step= steps=0
for piece in "${pieces[@]}"; do
  step+=$piece
  [[ $step =~ [^[:space:]] ]] || continue
  if sh -n <<<"$step" 3>&- 2>/dev/null; then
    [[ $step =~ ^[[:space:]]*(#[^$'\n']*)?[[:space:]]*$ ]] && { text+=$step; step=; continue; }
    steps=$((steps + 1)) text+="$step"$'\n! sayso_step $?\n' step=
  fi
done
printf '%s%s' 'MARK' "$text" > run.sh
if [[ $step =~ [^[:space:]] ]] || ! sh -n run.sh 3>&- 2>/dev/null; then
  steps=1; cp script run.sh
fi
PLAN: > STEPS
{ echo "steps $steps"; times; } >&3
cd src || exit 125
sh -e ../run.sh 3>&- </dev/null
code=$?
cd BUILD || cd /
left() { local one; for one in /proc/[0-9]*; do [[ $one == /proc/1 || $one == /proc/$$ ]] || return 0; done; return 1; }
left && sleep 0.2 3>&- && left && echo "left" >&3
{
  stat -f -c 'free %a %d' .
  cat /proc/net/snmp /proc/net/snmp6
} 2>/dev/null >&3
echo "ended $code" >&3
exit $code
"""

# What debhelper is going to do, without doing it; options that only make knows are left out.
PLAN = r"""if options=$(grep -m1 -oP '^\tdh (\$@|build)\K.*' src/debian/rules); then
  [[ $options == *'$'* ]] && options=
  (cd src && exec 3>&- && dh build $options --no-act 2>/dev/null </dev/null) |
    sed -nE 's/^   (dh_[a-z_]+|debian.rules [a-z_-]+).*/plan \1/p' >&3
fi
"""

NUMBER = re.compile(r"-?[0-9]{1,18}")
LONGEST_LINE = 4_096
"""Of a report: the longest that the wrapper prints has a few hundred characters."""


@dataclass(frozen=True)
class Report:
    """What the wrapper said; of a build that was stopped it may be the beginning only."""

    prepared: bool = False
    ended: bool = False
    steps: int = 1
    plan: tuple[str, ...] = ()
    """The steps of debhelper, where a package is built with it."""
    cpu_before: float = 0.0
    """Spent on unpacking."""
    left_processes: bool = False
    disk_full: bool = False
    network: bool = False


def wrapper(job: Job) -> str:
    source = job.source
    how = "folder" if source.folder else source.kind
    unpack = UNPACK[how].format(debian=NO_DEBIAN if source.kind == "upstream" else "")
    mark = MARK.replace("'", "'\\''")
    plan = PLAN if source.kind == "debian" else ""
    text = WRAPPER.replace("'MARK'", f"'{mark}'").replace("UNPACK", unpack).replace("PLAN", plan)
    return text.replace("BUILD", BUILD).replace("STEPS", STEPS)


def files(job: Job) -> list[FileSpec]:
    """The source, the script and the pieces that it may be cut into."""
    source = job.source
    if not source.folder:
        _check(source)
    place = "src" if source.folder else "sources"
    script = job.script if job.script.endswith("\n") or not job.script else f"{job.script}\n"
    text = script.encode("utf-8", "surrogateescape")
    if b"\0" in text:
        raise BadFile(f"the script for {source.name} holds a zero byte", "a script is text")
    pieces = b"".join(piece.encode("utf-8", "surrogateescape") + b"\0" for piece in cut(script))
    return [
        FileSpec(f"{BUILD}/script", text),
        FileSpec(f"{BUILD}/pieces", pieces),
        *(
            FileSpec(f"{BUILD}/{place}/{path}", content, mode=0o755 if path in source.programs else 0o644)
            for path, content in source.contents()
        ),
    ]


def _check(source: Source) -> None:
    if source.kind == "upstream":
        check_archive(source)
    elif sum(path.endswith(".dsc") for path, _ in source.files) != 1:
        raise BadFile(f"{source.name} {source.version} is no Debian source package", "give one .dsc and what it names")


def _whole(word: str, otherwise: int = 0) -> int:
    return int(word) if NUMBER.fullmatch(word) else otherwise


def read_report(text: str) -> Report:
    """Of what the wrapper printed, as far as whole lines of it came."""
    lines = [line for line in text[: text.rfind("\n") + 1].splitlines() if len(line) <= LONGEST_LINE]
    text = "".join(f"{line}\n" for line in lines)
    facts: dict[str, list[str]] = {}
    for line in text.splitlines():
        name, _, rest = line.partition(" ")
        facts.setdefault(name, rest.split())
    spent = re.findall(r"\b([0-9]{1,6})m([0-9]{1,6}(?:\.[0-9]{1,6})?)s", text)
    free = [_whole(word) for word in facts.get("free", [])]
    return Report(
        plan=tuple(line.split()[-1] for line in text.splitlines() if line.startswith("plan ")),
        prepared="steps" in facts,
        ended="ended" in facts,
        steps=_whole(facts["steps"][0], 1) if facts.get("steps") else 1,
        cpu_before=sum(60 * int(minutes) + float(seconds) for minutes, seconds in spent[:4]),
        left_processes="left" in facts,
        disk_full=len(free) > 1 and (free[0] < 16 or free[1] < 1),
        network=_tried_the_network(text),
    )


def _tried_the_network(text: str) -> bool:
    """The kernel's own counters of the sandbox's empty network: packets that no route leads out for, and questions to a
    name server that is not there (a datagram to a port at which nobody listens)."""
    counters: dict[str, int] = {}
    names: list[str] = []
    for line in text.splitlines():
        words = line.split()
        if len(words) == 2 and NUMBER.fullmatch(words[1]):
            counters[words[0]] = int(words[1])
        elif words and words[0] in ("Ip:", "Udp:"):
            if names and names[0] == words[0]:
                counters |= {words[0] + name: _whole(value) for name, value in zip(names[1:], words[1:], strict=False)}
                names = []
            else:
                names = words
    return any(counters.get(name, 0) for name in ("Ip:OutNoRoutes", "Udp:NoPorts", "Ip6OutNoRoutes", "Udp6NoPorts"))
