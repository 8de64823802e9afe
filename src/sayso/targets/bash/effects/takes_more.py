"""Utilities that do more than read when they are given one more flag or operand."""

from __future__ import annotations

from functools import cache

from sayso.targets.bash.effects.effects import effects

# A further operand is written or set: `uniq a b`, `date 01011200`, `hostname x`.
MANY = {
    "uniq", "xxd", "date", "hostname", "mesg", "ifconfig", "route", "arp", "mount", "umount", "tee", "crontab",
    "sysctl", "ptx", "dd", "service",
}  # fmt: skip
# After the first operand of these nothing is a flag.
ENDS_FLAGS = {"awk", "gawk", "mawk", "nawk", "printf"}
# What they are given goes out into the network.
NETWORK = {
    "curl", "wget", "dig", "host", "nslookup", "whois", "ping", "ping6", "traceroute", "mtr", "finger", "getent",
    "ssh-keyscan", "ssh", "telnet", "lynx",
}  # fmt: skip
# Built-ins whose words may name a variable with a subscript, and wrappers whose words may name what runs.
OTHERS = {
    "test", "[", "printf", "timeout", "nice", "ionice", "env", "stdbuf", "sudo", "doas", "watch", "time", "xargs",
    "parallel", "setsid",
}  # fmt: skip


@cache
def takes_more(utility: str) -> bool:
    """Whether a flag or an operand more may write or run something."""
    known = effects()
    levels = known.flags.get(utility, {}).values()
    if utility in known.shells or utility in known.interpreters:
        return False
    return (
        any(level != "reads" for level in levels)
        or utility in MANY | OTHERS
        or utility in known.tools | known.modes
        or utility in known.looks
        or utility in known.reading
        or known.level.get(utility, "unknown") != "reads"
    )
