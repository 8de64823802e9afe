"""Programs that talk to other machines, devices or processes: in a fixture each writes down how it was called.

Two commands do the same where their calls are the same in canonical form, in any order, and what comes out of them is
used alike: a stand-in prints the same lines whatever it is asked, so that what is done with them shows too.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence

from sayso.core.errors import BadInstruction
from sayso.core.types import FileSpec
from sayso.english.constants import word_set
from sayso.targets.bash.executed.facts import HOME
from sayso.targets.bash.language import normalise

CALLS = ".calls"
"""Relative to the home folder, as changes are told."""
BESIDE = "/usr/local/bin"
STAND_INS = word_set(
    "ssh scp sftp curl wget ping traceroute nc ncat telnet ftp dig nslookup host whois ifconfig ip netstat ss route "
    "arp rsh rlogin mail sendmail ssh-copy-id nmap iwconfig "
    "ps top htop kill killall pkill pgrep pidof pstree who w users last finger uptime free vmstat lsof fuser renice "
    "screen tmux crontab at service systemctl shutdown reboot dmesg su passwd useradd usermod "
    "mount umount fdisk mkfs fsck df lsblk blkid losetup swapon eject stty tput setterm mknod "
    "vi vim nano emacs less more most man info watch"
)
# Of the shell itself: no program is looked for unless a function says so.
BUILT_IN = frozenset(("kill",))
# What they are given through a pipe is part of the call.
HEARING = word_set("ssh nc ncat telnet ftp sftp mail sendmail at crontab less more most vi vim")
NUMBERS = frozenset(("pgrep", "pidof"))
SCRIPT = """#!/bin/bash
{{ printf '%s' {name}; printf '\\037%s' "$@"; {heard}printf '\\036'; }} >> {home}/{calls}
cat <<'END OF WHAT IT SAYS'
{lines}
END OF WHAT IT SAYS
"""
READER = f"""read() {{
  {{ printf read; printf '\\037%s' "$@"; printf '\\036'; }} >> {HOME}/{CALLS}
  builtin read "$@"
}}
"""
"""Shell text by which `read` writes down how it was called, prompt and all, and then reads."""
HEARD = """if [ -p /dev/stdin ]; then printf '\\037< '; cat; fi; """


def stand_ins(utilities: Collection[str], lines: Sequence[str]) -> dict[str, FileSpec]:
    """The programs by path, first in the search for programs."""
    found = {}
    for name in sorted(STAND_INS & set(utilities)):
        said = [str(101 + number) for number in range(3)] if name in NUMBERS else lines
        heard = HEARD if name in HEARING else ""
        text = SCRIPT.format(name=name, heard=heard, home=HOME, calls=CALLS, lines="\n".join(said))
        found[f"{BESIDE}/{name}"] = FileSpec(f"{BESIDE}/{name}", text.encode(), "file", 0o755)
    return found


def functions(utilities: Collection[str]) -> str:
    """Shell text that leads what the shell would do itself to its stand-in."""
    return "".join(f'{name}() {{ {BESIDE}/{name} "$@"; }}\n' for name in sorted(BUILT_IN & set(utilities)))


def read_calls(written: bytes) -> tuple[str, ...]:
    """Every call in canonical form, sorted: which of them came first is a matter of pipes and of xargs."""
    calls = written.decode("utf-8", "replace").split("\x1e")
    return tuple(sorted(_canonical(call.split("\x1f")) for call in calls if call))


def _canonical(words: Sequence[str]) -> str:
    text = shlex.join(words)
    try:
        return normalise(text)
    except BadInstruction:
        return text
