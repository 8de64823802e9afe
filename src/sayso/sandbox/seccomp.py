"""The system-call filter of the sandbox: a denylist of what reaches the kernel's administration, other processes or
other machines, assembled by hand as classic BPF. Everything newer than the table is answered with "no such call"."""

from __future__ import annotations

import errno
import os
import struct

# Name → number on (x86_64, aarch64); -1 where the call does not exist.
DENIED = {
    # mounts and roots
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # namespaces (clone is looked into below)
    "unshare": (272, 97),
    "setns": (308, 268),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    # keys, which no namespace keeps apart
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # large and often attacked parts of the kernel
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "fanotify_init": (300, 262),
    "memfd_secret": (447, 447),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    "vmsplice": (278, 75),
    "lookup_dcookie": (212, 18),
    "modify_ldt": (154, -1),
    "uselib": (134, -1),
    "ustat": (136, -1),
    "sysfs": (139, -1),
    "_sysctl": (156, -1),
    "nfsservctl": (180, 42),
    # the machine
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "syslog": (103, 116),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    "iopl": (172, -1),
    "ioperm": (173, -1),
}
# Memory that belongs to no process: denied where no memory cgroup counts it.
UNCOUNTED = {"memfd_create": (319, 279), "shmget": (29, 194)}
CLONE, CLONE3, IOCTL, PERSONALITY = (56, 220), (435, 435), (16, 29), (135, 92)
SOCKET, SOCKETPAIR, SETRLIMIT, PRLIMIT = (41, 198), (53, 199), (160, 164), (302, 261)
NEWEST_KNOWN = 456

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
UNIX, INET, INET6, NETLINK = 1, 2, 10, 16  # the rest, vsock above all, reaches other machines or rare kernel code
TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: typing into somebody's terminal
# Others, such as SCTP and DCCP, let anybody load rare modules of the kernel.
STREAM, DATAGRAM, PROTOCOLS = 1, 2, (0, 1, 6, 17, 58)  # any, ICMP, TCP, UDP, ICMPv6
TYPE_BITS = 0xF  # the rest of a socket's type are flags
RLIMIT_CORE = 4
PERSONALITIES = (0, 0x8, 0x20000, 0x20008, 0xFFFFFFFF)

_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data; arguments are 64 bits, low half first
_LOAD, _EQUAL, _GREATER, _BITS, _AND, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x54, 0x06
ALLOW, KILL = 0x7FFF0000, 0x80000000


def answer(number: int) -> int:
    """The filter's return value that fails a call with an errno."""
    return 0x00050000 | number


def build_filter(memory_is_counted: bool, machine: str = "") -> bytes:
    """The program that `bwrap --seccomp` loads; raises KeyError on an architecture without a table."""
    column, architecture = ARCHITECTURES[machine or os.uname().machine]
    denied = DENIED if memory_is_counted else DENIED | UNCOUNTED
    program = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, KILL),
        (_LOAD, 0, 0, _NUMBER),
        # Also catches x32, whose numbers carry a high bit.
        (_GREATER, 0, 1, NEWEST_KNOWN),
        (_RETURN, 0, 0, answer(errno.ENOSYS)),
        # Its flags lie in memory, out of the filter's sight; libc falls back to clone.
        (_EQUAL, 0, 1, CLONE3[column]),
        (_RETURN, 0, 0, answer(errno.ENOSYS)),
    ]
    for numbers in denied.values():
        if numbers[column] >= 0:
            program += [(_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, answer(errno.EPERM))]
    program += _looking_at(CLONE[column], 0, [(_BITS, 0, 1, NEW_NAMESPACES), (_RETURN, 0, 0, answer(errno.EPERM))])
    program += _looking_at(IOCTL[column], 1, _any_of(TERMINAL_INPUT, answer(errno.EPERM)))
    refuse = (_RETURN, 0, 0, answer(errno.EPERM))
    program += _looking_at(PERSONALITY[column], 0, [*_any_of(PERSONALITIES, ALLOW), refuse])
    program += _looking_at(SOCKET[column], 0, _sockets())
    no_family = (_RETURN, 0, 0, answer(errno.EAFNOSUPPORT))
    program += _looking_at(SOCKETPAIR[column], 0, [*_any_of((UNIX,), ALLOW), no_family])
    program += _looking_at(SETRLIMIT[column], 0, _any_of((RLIMIT_CORE,), answer(errno.EPERM)))
    program += _looking_at(PRLIMIT[column], 1, _new_core_limit())
    program.append((_RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


Instruction = tuple[int, int, int, int]


def _looking_at(number: int, argument: int, rules: list[Instruction]) -> list[Instruction]:
    """Rules over the low half of one argument of one call; the call number is loaded again behind them."""
    load_argument = (_LOAD, 0, 0, _ARGUMENTS + 8 * argument)
    return [(_EQUAL, 0, len(rules) + 2, number), load_argument, *rules, (_LOAD, 0, 0, _NUMBER)]


def _any_of(values: tuple[int, ...], verdict: int) -> list[Instruction]:
    return [step for value in values for step in ((_EQUAL, 0, 1, value), (_RETURN, 0, 0, verdict))]


def _sockets() -> list[Instruction]:
    """Unix and internet families; netlink for routes alone, which libc reads to list interfaces."""
    protocol = (_LOAD, 0, 0, _ARGUMENTS + 8 * 2)
    no_family = (_RETURN, 0, 0, answer(errno.EAFNOSUPPORT))
    routes = [protocol, *_any_of((0,), ALLOW), no_family]
    internet = [
        (_LOAD, 0, 0, _ARGUMENTS + 8),
        (_AND, 0, 0, TYPE_BITS),
        (_EQUAL, 2, 0, STREAM),
        (_EQUAL, 1, 0, DATAGRAM),
        (_RETURN, 0, 0, answer(errno.EPERM)),
        protocol,
        *_any_of(PROTOCOLS, ALLOW),
        (_RETURN, 0, 0, answer(errno.EPROTONOSUPPORT)),
    ]
    return [
        *_any_of((UNIX,), ALLOW),
        (_EQUAL, 0, len(routes), NETLINK),
        *routes,
        (_EQUAL, 2, 0, INET),
        (_EQUAL, 1, 0, INET6),
        no_family,
        *internet,
    ]


def _new_core_limit() -> list[Instruction]:
    """Looking at limits is fine; a new one for cores, which could start the host's core handler again, is not.

    The new limit is a pointer, of which either half may be zero.
    """
    pointer = _ARGUMENTS + 8 * 2
    refuse = (_RETURN, 0, 0, answer(errno.EPERM))
    return [
        (_EQUAL, 0, 6, RLIMIT_CORE),
        (_LOAD, 0, 0, pointer),
        (_EQUAL, 1, 0, 0),
        refuse,
        (_LOAD, 0, 0, pointer + 4),
        (_EQUAL, 1, 0, 0),
        refuse,
    ]
