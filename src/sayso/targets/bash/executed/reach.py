"""Which references no run can judge by, told from the command alone, and every reason for which one is unscored."""

from __future__ import annotations

import re

from sayso.english.constants import word_set
from sayso.targets.bash.executed.facts import COUNTERS, MOST_COUNTED
from sayso.targets.bash.executed.stand_ins import STAND_INS
from sayso.targets.bash.syntax.tree import Command, Script, commands

REASONS = {
    "does not parse": "the reference is not Bash",
    "departs from its request": "the reference leaves out a constant, names another place, or tells case unasked",
    "counts too far": "the reference counts to a number that no fixture holds as many lines or bytes of",
    "needs a network": "the reference talks to another machine",
    "needs processes": "the reference is about running programs, sessions or the machine itself",
    "needs devices": "the reference is about disks, mounts or terminals",
    "needs a person": "the reference asks a person, or opens an editor, a pager or a full screen",
    "not installed": "a program of the reference is not on this machine",
    "takes too long": "the reference hits a limit of the sandbox",
    "differs from itself": "two runs of the reference on one fixture do not show the same",
    "not told from its mutants": "the fixtures do not tell the reference from itself with another constant",
    "does nothing visible": "the reference shows nothing on any fixture that an empty command does not",
}
NETWORK = word_set(
    "ssh scp sftp curl wget ping traceroute nc ncat telnet ftp dig nslookup host whois ifconfig ip netstat ss route "
    "arp rsh rlogin mail sendmail ssh-copy-id nmap iwconfig"
)
PROCESSES = word_set(
    "ps top htop kill killall pkill pgrep jobs fg bg disown wait who w users last finger uptime free vmstat lsof fuser "
    "screen tmux crontab at batch nice renice nohup service systemctl shutdown reboot dmesg history fc bind su passwd "
    "useradd usermod strace ulimit pstree pidof"
)
DEVICES = word_set("mount umount fdisk mkfs fsck df lsblk blkid losetup swapon eject stty tty tput setterm mknod")
PERSON = word_set("vi vim nano emacs ed ex less more most man info watch dialog select visudo")


def out_of_reach(tree: Script) -> str:
    """The reason why a command cannot be judged in a sandbox, "" where it may."""
    for command in commands(tree):
        for words, reason in (
            (NETWORK, "needs a network"),
            (PROCESSES, "needs processes"),
            (DEVICES, "needs devices"),
            (PERSON, "needs a person"),
        ):
            if command.utility in words and not _has_stand_in(command):
                return reason
        if command.utility == "rsync" and any(re.match(r"[\w@.-]+:", word.value or "") for word in command.words):
            return "needs a network"
        if not _has_stand_in(command) and any(
            re.match(r"/dev/(?!null|zero|stdin|stdout|stderr|tty\b)\w", word.value or "") for word in command.words
        ):
            return "needs devices"
    return ""


def counts_too_far(tree: Script) -> bool:
    """head -n 99999: no fixture tells it from 99998."""
    words = [word.value or "" for node in commands(tree) if node.utility in COUNTERS for word in node.words[1:]]
    return any(int(number[:9]) > MOST_COUNTED for word in words for number in re.findall(r"\d+", word))


def _has_stand_in(command: Command) -> bool:
    """Whether the fixture has another program in its place, which is found by its bare name alone."""
    return command.utility in STAND_INS and command.name is not None and "/" not in command.name.text
