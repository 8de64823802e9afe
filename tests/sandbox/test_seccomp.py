"""The filter's verdicts, by running its program the way the kernel does; no sandbox is needed for that."""

from __future__ import annotations

import errno
import os
import re
import struct
from pathlib import Path

import pytest

from sayso.sandbox import seccomp
from sayso.sandbox.seccomp import ALLOW, ARCHITECTURES, KILL, answer, build_filter

MACHINES = sorted(ARCHITECTURES)


def verdict(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """Interpret classic BPF over a struct seccomp_data."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=IIQ6Q", number, architecture, 0, *padded)
    steps = list(struct.iter_unpack("=HBBI", program))
    accumulator, place = 0, 0
    while True:
        code, if_true, if_false, value = steps[place]
        place += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, value)
            continue
        if code == 0x54:
            accumulator &= value
            continue
        holds = {0x15: accumulator == value, 0x25: accumulator > value, 0x45: bool(accumulator & value)}[code]
        place += if_true if holds else if_false


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def decide(machine: str, number: int, *arguments: int, counted: bool = True) -> int:
    return verdict(build_filter(counted, machine), ARCHITECTURES[machine][1], number, *arguments)


def test_every_denied_call_fails_with_an_error(machine: str) -> None:
    column = ARCHITECTURES[machine][0]
    for name, numbers in seccomp.DENIED.items():
        if numbers[column] >= 0:
            assert decide(machine, numbers[column]) == answer(errno.EPERM), name


def test_ordinary_calls_pass(machine: str) -> None:
    numbers = {"x86_64": (0, 1, 2, 39, 59, 57, 257, 262), "aarch64": (63, 64, 56, 172, 221, 93, 79)}[machine]
    assert {decide(machine, number) for number in numbers} == {ALLOW}


def test_another_architecture_is_killed(machine: str) -> None:
    other = 0x40000003  # 32-bit x86, whose numbers mean other calls
    assert verdict(build_filter(True, machine), other, 0) == KILL


def test_unknown_and_x32_calls_do_not_exist(machine: str) -> None:
    for number in (seccomp.NEWEST_KNOWN + 1, 1000, 0x40000000 | 39, 0xFFFFFFFF):
        assert decide(machine, number) == answer(errno.ENOSYS)


def test_clone_makes_processes_and_threads_but_no_namespaces(machine: str) -> None:
    clone = seccomp.CLONE[ARCHITECTURES[machine][0]]
    assert decide(machine, clone, 0x01200011) == ALLOW
    assert decide(machine, clone, 0x003D0F00) == ALLOW
    for bit in (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert decide(machine, clone, bit | 17) == answer(errno.EPERM)
    assert decide(machine, seccomp.CLONE3[0], 0, 0) == answer(errno.ENOSYS)


def test_sockets_of_few_families(machine: str) -> None:
    socket = seccomp.SOCKET[ARCHITECTURES[machine][0]]
    allowed = {family for family in range(64) if decide(machine, socket, family, 1, 0) == ALLOW}
    assert allowed == {1, 2, 10, 16}
    for protocol in (1, 4, 6, 9, 12, 15, 21):
        assert decide(machine, socket, 16, 3, protocol) == answer(errno.EAFNOSUPPORT)


def test_pairs_of_sockets_are_of_the_unix_family(machine: str) -> None:
    """Any other family would only load a module of the kernel."""
    pair = seccomp.SOCKETPAIR[ARCHITECTURES[machine][0]]
    assert {family for family in range(64) if decide(machine, pair, family, 1, 0) == ALLOW} == {1}


def test_internet_sockets_are_of_few_kinds(machine: str) -> None:
    """SCTP (132), DCCP (33, and type 6 by itself), UDP-Lite (136) and MPTCP (262) are modules that few audit."""
    socket = seccomp.SOCKET[ARCHITECTURES[machine][0]]
    flags = 0o2000000 | 0o4000  # closed on exec, not blocking
    for family in (2, 10):
        for kind, protocol in ((1, 0), (1, 6), (2, 0), (2, 17), (2 | flags, 17), (1 | flags, 6), (2, 1), (2, 58)):
            assert decide(machine, socket, family, kind, protocol) == ALLOW
        for protocol in (33, 132, 136, 262):
            assert decide(machine, socket, family, 1, protocol) == answer(errno.EPROTONOSUPPORT)
        for kind in (0, 3, 3 | flags, 4, 5, 6, 10):
            assert decide(machine, socket, family, kind, 0) == answer(errno.EPERM)


def test_the_limit_on_cores_can_be_read_and_not_changed(machine: str) -> None:
    column = ARCHITECTURES[machine][0]
    setrlimit, prlimit = seccomp.SETRLIMIT[column], seccomp.PRLIMIT[column]
    assert decide(machine, setrlimit, 4, 1 << 20) == answer(errno.EPERM)
    assert decide(machine, setrlimit, 7, 1 << 20) == ALLOW
    for pointer in (1 << 20, 1 << 32, (1 << 32) + 16):
        assert decide(machine, prlimit, 0, 4, pointer, 0) == answer(errno.EPERM)
        assert decide(machine, prlimit, 0, 7, pointer, 0) == ALLOW
    assert decide(machine, prlimit, 0, 4, 0, 1 << 20) == ALLOW


def test_the_high_half_of_an_argument_hides_nothing(machine: str) -> None:
    """The kernel looks at 32 bits of these arguments, and so does the filter."""
    socket, ioctl = (numbers[ARCHITECTURES[machine][0]] for numbers in (seccomp.SOCKET, seccomp.IOCTL))
    assert decide(machine, socket, (1 << 32) | 40, 1, 0) == answer(errno.EAFNOSUPPORT)
    assert decide(machine, ioctl, 0, (1 << 32) | 0x5412) == answer(errno.EPERM)


def test_nobody_types_into_a_terminal(machine: str) -> None:
    ioctl = seccomp.IOCTL[ARCHITECTURES[machine][0]]
    assert decide(machine, ioctl, 0, 0x5412) == answer(errno.EPERM)
    assert decide(machine, ioctl, 0, 0x5413) == ALLOW


def test_personalities(machine: str) -> None:
    personality = seccomp.PERSONALITY[ARCHITECTURES[machine][0]]
    assert decide(machine, personality, 0xFFFFFFFF) == ALLOW
    assert decide(machine, personality, 0x0040000) == answer(errno.EPERM)


def test_uncounted_memory_is_denied_where_nobody_counts_it(machine: str) -> None:
    for numbers in seccomp.UNCOUNTED.values():
        number = numbers[ARCHITECTURES[machine][0]]
        assert decide(machine, number) == ALLOW
        assert decide(machine, number, counted=False) == answer(errno.EPERM)


def test_an_architecture_without_a_table_has_no_filter() -> None:
    with pytest.raises(KeyError):
        build_filter(True, "riscv64")


def test_the_program_is_short_enough_for_the_kernel(machine: str) -> None:
    assert len(build_filter(False, machine)) // 8 < 4096


@pytest.mark.parametrize(
    ("column", "header"),
    [(0, "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), (1, "/usr/include/asm-generic/unistd.h")],
)
def test_numbers_agree_with_the_kernels_headers(column: int, header: str) -> None:
    if not Path(header).exists():
        pytest.skip(f"{header} is not installed")
    known = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(header).read_text()))
    single = {"clone": seccomp.CLONE, "clone3": seccomp.CLONE3, "socket": seccomp.SOCKET, "ioctl": seccomp.IOCTL}
    single |= {"personality": seccomp.PERSONALITY, "socketpair": seccomp.SOCKETPAIR}
    single |= {"setrlimit": seccomp.SETRLIMIT, "prlimit64": seccomp.PRLIMIT}
    tables = {**seccomp.DENIED, **seccomp.UNCOUNTED, **single}
    for name, numbers in tables.items():
        assert int(known.get(name, numbers[column])) == numbers[column], name
    assert os.uname().machine in {*ARCHITECTURES, os.uname().machine}
