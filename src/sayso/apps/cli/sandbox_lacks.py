"""What a command needs that the sandbox does not have, so that a dry run is not taken for the real thing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from sayso.core.errors import BadInstruction
from sayso.core.types import Outcome

NETWORK = (
    *("curl", "wget", "ssh", "scp", "sftp", "rsync", "ping", "dig", "host", "nslookup", "nc", "telnet", "ftp", "whois"),
    *("traceroute", "apt", "apt-get", "dnf", "yum", "brew", "pip", "pip3", "npm", "docker", "podman", "kubectl", "aws"),
)
REMOTE_GIT = ("clone", "fetch", "pull", "push", "ls-remote")
SERVICES = ("systemctl", "service", "journalctl", "crontab", "loginctl", "docker", "podman")
RIGHTS = ("sudo", "su", "doas", "mount", "umount", "chown", "reboot", "shutdown", "iptables", "useradd", "usermod")
PROCESSES = ("ps", "top", "htop", "kill", "pkill", "killall", "pgrep", "pidof", "lsof", "fuser", "ss", "netstat")
WHY = (
    (NETWORK, "the sandbox has no network"),
    (SERVICES, "the sandbox has no services of this machine"),
    (RIGHTS, "nobody is root in the sandbox"),
    (PROCESSES, "the sandbox sees none of this machine's processes"),
)


def lacks(command: str, outcome: Outcome) -> Iterator[str]:
    """One line for each thing; of a command that does not parse nothing is known."""
    from sayso.targets.bash.syntax import Operand, commands, parse

    try:
        found = list(commands(parse(command)))
    except BadInstruction:
        return
    names = list(dict.fromkeys(one.utility for one in found if one.utility))
    words = [a.word.value or "" for one in found for a in one.arguments if isinstance(a, Operand)]
    for group, why in WHY:
        if used := [name for name in names if name in group and (name != "rsync" or any(":" in w for w in words))]:
            yield f"{why}: {', '.join(used)} may do something else here"
    if "git" in names and any(word in REMOTE_GIT for word in words):
        yield "the sandbox has no network: git cannot reach another repository"
    if outcome.exit_code == 127:
        for name in names:
            if (place := shutil.which(name)) and not place.startswith(("/usr/", "/bin/", "/sbin/")):
                yield f"{place} is not in the sandbox: it has the programs of /usr only"
