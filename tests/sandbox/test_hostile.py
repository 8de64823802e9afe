"""Scripts that mean harm. Each is followed by a harmless one that must pass, on the same sandbox."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sayso.core.errors import SandboxFailed
from sayso.core.types import FileSpec, Limits, Outcome
from sayso.sandbox.bubblewrap import BubblewrapSandbox

Run = Callable[..., Outcome]
pytestmark = pytest.mark.sandbox

PYTHON = "/usr/bin/python3"


@pytest.fixture(autouse=True)
def canary(sandbox: BubblewrapSandbox) -> Iterator[None]:
    """The host is as before, and the next run works and sees nothing of this one."""
    host = sorted(Path("/").iterdir())
    yield
    outcome = sandbox.run("ls -A; cat bird; echo sings > song", [FileSpec("bird", b"canary\n")], Limits())
    assert outcome.stdout == b"bird\ncanary\n"
    assert [change.path for change in outcome.changes] == ["song"]
    assert sorted(Path("/").iterdir()) == host


def python(code: str) -> str:
    """A script that runs Python code; skipped where the system has none."""
    if not Path(PYTHON).exists():
        pytest.skip("needs the system's Python")
    return f"{PYTHON} - <<'END'\n{code}\nEND"


def attempt(call: str) -> str:
    """Python code that tries one system call through libc and prints the error's name."""
    return (
        "import ctypes, errno, os\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        f"result = {call}\n"
        "print('worked' if result >= 0 else errno.errorcode[ctypes.get_errno()])"
    )


def test_fork_bomb(run: Run) -> None:
    outcome = run("bomb() { bomb | bomb & }; bomb; sleep 30", processes=32, cpu_seconds=1, wall_seconds=4)
    assert outcome.stopped in ("cpu", "wall")
    assert b"fork" in outcome.stderr


def test_processes_are_limited(run: Run) -> None:
    outcome = run("for i in $(seq 40); do sleep 20 & done; jobs -p | wc -l", processes=16, wall_seconds=4)
    assert b"Resource temporarily unavailable" in outcome.stderr
    assert outcome.exit_code != 0 or int(outcome.stdout) <= 16


def test_threads_count_as_processes(run: Run) -> None:
    code = "import threading, time\nfor i in range(64): threading.Thread(target=time.sleep, args=(9,)).start()"
    outcome = run(python(code), processes=16, wall_seconds=2)
    assert b"can't start new thread" in outcome.stderr


def test_fill_the_disk(run: Run) -> None:
    outcome = run("head -c 100M /dev/zero > full; echo $?; df --output=avail . | tail -n 1", disk_mb=16)
    assert outcome.stdout.split() == [b"1", b"0"]
    assert b"No space left" in outcome.stderr


@pytest.mark.parametrize(
    "folder", ["/tmp", "/dev/shm", "/var/tmp", "/run/lock", "/home/user", "/usr/local/lib", "/opt"]
)
def test_no_folder_has_room_of_its_own(run: Run, folder: str) -> None:
    outcome = run(f"head -c 20M /dev/zero > {folder}/full || echo refused", disk_mb=8)
    assert outcome.stdout == b"refused\n"


def test_fill_the_inodes(run: Run) -> None:
    outcome = run(
        "i=0; while : > $i; do i=$((i+1)); done 2> /dev/null; echo $i", disk_mb=1, cpu_seconds=20, wall_seconds=30
    )
    assert outcome.stopped == ""
    assert int(outcome.stdout) < 5000


def test_a_file_larger_than_allowed(run: Run) -> None:
    outcome = run("head -c 3M /dev/zero > big; echo $?; stat -c %s big", file_bytes=1_000_000)
    assert outcome.stdout.split() == [b"153", b"1000000"]


def test_endless_output(run: Run) -> None:
    outcome = run("yes", output_bytes=100_000)
    assert (outcome.stopped, outcome.exit_code, len(outcome.stdout)) == ("output", 137, 100_000)


def test_endless_errors_count_as_output(run: Run) -> None:
    outcome = run("echo first; yes >&2", output_bytes=50_000)
    assert (outcome.stopped, outcome.stdout) == ("output", b"first\n")
    assert len(outcome.stdout) + len(outcome.stderr) == 50_000


def test_busy_loop_that_traps_signals(run: Run) -> None:
    start = time.monotonic()
    outcome = run("trap '' TERM INT HUP XCPU QUIT USR1; while :; do :; done", cpu_seconds=1, wall_seconds=20)
    assert outcome.stopped == "cpu"
    assert outcome.exit_code == 137
    assert 0.9 < outcome.cpu_seconds < 3
    assert time.monotonic() - start < 18


def test_many_small_processes_spend_the_same_budget(run: Run) -> None:
    outcome = run("while :; do /bin/true; done", cpu_seconds=1, wall_seconds=20)
    assert outcome.stopped == "cpu"


def test_one_process_takes_all_memory(run: Run) -> None:
    outcome = run("head -c 400M /dev/zero | tail; echo $?", memory_mb=64)
    assert outcome.stopped == "memory" or b"exhausted" in outcome.stderr


def test_many_processes_take_all_memory(run: Run) -> None:
    """Each stays below what one process may have."""
    code = (
        "import os, time\n"
        "for i in range(12):\n"
        "    if os.fork() == 0:\n"
        "        held = bytearray(40 << 20)\n"
        "        time.sleep(20)\n"
        "os.wait()"
    )
    outcome = run(python(code), memory_mb=128, disk_mb=8, wall_seconds=15)
    assert outcome.stopped == "memory"


def test_memory_that_belongs_to_no_process(run: Run) -> None:
    code = (
        "import os\n"
        "held = []\n"
        "for i in range(64):\n"
        "    held.append(os.memfd_create('x'))\n"
        "    os.write(held[-1], bytes(8 << 20))\n"
        "print('took all')"
    )
    outcome = run(python(code), memory_mb=128, disk_mb=8)
    assert b"took all" not in outcome.stdout


def test_sleep_for_ever(run: Run) -> None:
    start = time.monotonic()
    outcome = run("sleep 1000", wall_seconds=1)
    assert (outcome.stopped, outcome.exit_code) == ("wall", 137)
    assert time.monotonic() - start < 6


def test_an_orphaned_daemon(run: Run) -> None:
    """It leaves its session, ignores signals and keeps the output open; it ends with the script all the same."""
    seconds = f"600.{time.time_ns()}"
    start = time.monotonic()
    outcome = run(f"(trap '' HUP TERM; setsid sleep {seconds} &) ; echo done")
    assert (outcome.stdout, outcome.exit_code, outcome.stopped) == (b"done\n", 0, "")
    assert time.monotonic() - start < 6
    assert not any(seconds.encode() in command for command in commands())


def commands() -> list[bytes]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes())
        except OSError:
            continue
    return found


def test_remove_everything(run: Run) -> None:
    """The whole of /usr may take longer to try than the script has; what is its own goes first."""
    script = "rm -rf /home/user/* /etc /var /opt /tmp; rm -rf --no-preserve-root /"
    outcome = run(f"{script} 2> /dev/null; echo survived", FileSpec("mine", b""), wall_seconds=3)
    assert ("mine", "removed") in {(change.path, change.how) for change in outcome.changes}
    assert outcome.stopped in ("cpu", "wall") or outcome.stdout == b"survived\n"


def test_kill_everything(run: Run) -> None:
    """All but the shell itself, which the kernel leaves out, and the first process, which nobody inside can kill."""
    outcome = run("sleep 60 & kill -9 -1; wait $!; echo $?")
    assert (outcome.exit_code, outcome.stdout) == (0, b"137\n")


def test_kill_the_process_that_waits_for_us(run: Run) -> None:
    assert run("kill -9 1; kill -TERM 1; echo alive").stdout == b"alive\n"


@pytest.mark.parametrize(
    "command",
    [
        "unshare -U true",
        "unshare -m true",
        "unshare -n true",
        "unshare -rm mount -t tmpfs x /mnt",
        "mount -t tmpfs x /mnt",
        "mount --bind / /mnt",
        "mount -o remount,rw /proc",
        "umount /proc",
        "chroot / true",
        "nsenter -t 1 -m true",
        "bwrap --bind / / true",
        "mknod null c 1 3",
        "mknod disk b 8 0",
        "hostname other",
        "date -s 2001-01-01",
        "dmesg",
        "su -c true root",
        "sysctl -w kernel.hostname=x",
    ],
)
def test_administration_is_refused(run: Run, command: str) -> None:
    outcome = run(command)
    assert outcome.exit_code != 0
    assert outcome.stopped == ""


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("libc.unshare(0x10000000)", "EPERM"),
        ("libc.mount(b'x', b'/mnt', b'tmpfs', 0, None)", "EPERM"),
        ("libc.setns(0, 0)", "EPERM"),
        ("libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0)", "EPERM"),
        ("libc.syscall(435, 0, 0)", "ENOSYS"),
        ("libc.ptrace(0, 0, 0, 0)", "EPERM"),
        ("libc.syscall(321, 0, 0, 0)", "EPERM"),
        ("libc.syscall(250, 0, 0, 0)", "EPERM"),
        ("libc.syscall(425, 8, 0)", "EPERM"),
        ("libc.syscall(298, 0, 0, 0, 0, 0)", "EPERM"),
        ("libc.syscall(462, 0)", "ENOSYS"),
        ("libc.syscall(0x40000000 | 39)", "ENOSYS"),
        ("libc.ioctl(0, 0x5412, b'x')", "EPERM"),
        ("libc.setuid(0)", "EPERM"),
        ("libc.socket(40, 1, 0)", "EAFNOSUPPORT"),
        ("libc.socket(38, 5, 0)", "EAFNOSUPPORT"),
        ("libc.socket(17, 3, 0)", "EAFNOSUPPORT"),
        ("libc.socket(16, 3, 12)", "EAFNOSUPPORT"),
        ("libc.socket(2, 3, 1)", "EPERM"),
        ("libc.socket(16, 3, 0)", "worked"),
        ("libc.socket(1, 1, 0)", "worked"),
    ],
)
def test_system_calls_are_filtered(run: Run, call: str, error: str) -> None:
    if os.uname().machine != "x86_64" and "syscall" in call:
        pytest.skip("numbers of x86_64")
    assert run(python(attempt(call))).stdout.decode().strip() == error


def test_no_privileges_can_be_gained(run: Run) -> None:
    outcome = run("grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status")
    fields = dict(line.split(":\t") for line in outcome.stdout.decode().splitlines())
    assert fields.pop("NoNewPrivs") == "1"
    assert fields.pop("Seccomp") == "2"
    assert len(fields) == 5
    assert all(int(value, 16) == 0 for value in fields.values())


def test_setuid_programs_give_nothing(run: Run) -> None:
    outcome = run(
        "cp /usr/bin/id mine; chmod 4755 mine; ./mine -u; cp /usr/bin/id theirs; chown root theirs || echo refused",
    )
    assert outcome.stdout.split() == [b"1000", b"refused"]


def test_a_setuid_file_that_was_put_in_gives_nothing(run: Run) -> None:
    if os.geteuid() != 0:
        pytest.skip("files belong to root only where we are root")
    content = Path("/usr/bin/id").read_bytes()
    outcome = run("./id -u; ./id -ru", FileSpec("id", content, mode=0o4755, owner="root"))
    assert outcome.stdout.split() == [b"1000", b"1000"]


def test_no_network(run: Run) -> None:
    code = (
        "import socket\n"
        "for address in (('127.0.0.1', 22), ('1.1.1.1', 53), ('169.254.169.254', 80)):\n"
        "    try: socket.create_connection(address, timeout=2); print('connected')\n"
        "    except OSError as error: print('refused')\n"
        "print(len(socket.if_nameindex()))"
    )
    assert run(python(code)).stdout.split() == [b"refused"] * 3 + [b"1"]


def test_a_server_of_the_host_cannot_be_reached(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as hidden:
        hidden.bind(f"\0sayso-{time.time_ns()}")
        hidden.listen()
        port, name = server.getsockname()[1], hidden.getsockname()
        code = (
            "import socket\n"
            f"for family, address in ((socket.AF_INET, ('127.0.0.1', {port})), (socket.AF_UNIX, {name!r})):\n"
            "    try: socket.socket(family).connect(address); print('connected')\n"
            "    except OSError: print('refused')"
        )
        assert run(python(code)).stdout.split() == [b"refused", b"refused"]


def test_vsock_is_refused(run: Run) -> None:
    code = (
        "import socket\ntry: socket.socket(socket.AF_VSOCK).connect((2, 1)); print('connected')\n"
        "except OSError as error: print(error.strerror)"
    )
    assert run(python(code)).stdout == b"Address family not supported by protocol\n"


def test_the_hosts_home_is_not_there(run: Run, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s3cret")
    outcome = run(f"cat {secret}; ls -A ~root /home; find / -name secret -newermt 2020-01-01 2> /dev/null")
    assert b"s3cret" not in outcome.stdout
    assert outcome.stdout.split() == [b"/home:", b"user"]


def test_nothing_of_the_host_is_in_the_root(run: Run) -> None:
    ours = "bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys tmp usr var"
    assert set(run("ls -A /").stdout.decode().split()) <= set(ours.split(" "))
    assert run("ls -A /sys /run/lock /root /tmp /home/user /mnt 2> /dev/null | grep -v :").stdout.strip() == b""


def test_secrets_of_etc_are_not_there(run: Run) -> None:
    outcome = run(
        "cat /etc/shadow /etc/gshadow /etc/machine-id /etc/ssh/* /etc/ssl/private/* /etc/sudoers; ls /etc/ssl"
    )
    assert b"private" not in outcome.stdout
    assert outcome.stdout.split() <= [b"certs", b"openssl.cnf"]


def test_paths_of_the_host_are_not_told(run: Run, sandbox: BubblewrapSandbox) -> None:
    outcome = run("cat /proc/self/mountinfo /proc/mounts /proc/1/cmdline /proc/self/cgroup /proc/1/environ; df")
    assert os.fsencode(sandbox.cache.name) not in outcome.stdout
    assert b"/tmp" not in outcome.stdout


def test_other_processes_cannot_be_seen(run: Run) -> None:
    outcome = run("ls /proc | grep -c '^[0-9]'; cat /proc/*/comm | sort -u")
    assert int(outcome.stdout.split()[0]) < 8
    assert b"pytest" not in outcome.stdout
    assert b"python" not in outcome.stdout


def test_the_kernels_command_line_is_not_told(run: Run) -> None:
    assert run("cat /proc/cmdline /proc/interrupts").stdout == b""


def test_a_crash_does_not_start_the_hosts_core_handler(run: Run) -> None:
    """A limit of 0 would: it only forbids cores that are files. So the limit is 1, and stays."""
    outcome = run("ulimit -c 0; ulimit -S -c 0; grep core /proc/self/limits; ulimit -n 99; ulimit -n")
    assert outcome.stdout.split() == [b"Max", b"core", b"file", b"size", b"1", b"1", b"bytes", b"99"]
    assert outcome.stderr.count(b"Operation not permitted") == 2


@pytest.mark.parametrize(
    ("word", "path"),
    [
        ("c", "/proc/sysrq-trigger"),
        ("core", "/proc/sys/kernel/core_pattern"),
        ("x", "/proc/1/mem"),
        ("900", "/proc/self/oom_score_adj"),
        ("x", "/proc/self/comm"),
    ],
)
def test_the_kernels_switches_cannot_be_written(run: Run, word: str, path: str) -> None:
    outcome = run(f"echo {word} > {path} && echo written")
    assert b"written" not in outcome.stdout


@pytest.fixture
def marker() -> Iterator[Path]:
    """A file in a folder of the host where everybody may write, and which must not come to be."""
    path = Path("/var/tmp") / f"sayso-marker-{time.time_ns()}"
    yield path
    path.unlink(missing_ok=True)


def test_a_link_in_place_of_a_device_makes_no_file_on_the_host(run: Run, marker: Path) -> None:
    """bwrap mounts over links, seen from outside the root."""
    link = FileSpec("d/tty", os.fsencode(f"/oldroot{marker}"), "link")
    with pytest.raises(SandboxFailed, match="/dev/tty") as caught:
        run("true", FileSpec("d", b"/dev", "link"), link)
    assert caught.value.reason == "files cannot be put in"
    assert not marker.exists()


def test_a_link_in_place_of_the_resolver_makes_no_file_on_the_host(run: Run, marker: Path) -> None:
    link = FileSpec("/etc/resolv.conf", os.fsencode(f"/oldroot{marker}"), "link")
    with pytest.raises(SandboxFailed, match=r"resolv\.conf"):
        run("true", link, network=True)
    assert not marker.exists()
    assert run("readlink /etc/resolv.conf", link).stdout.strip() == link.content  # nothing is mounted there


def test_proc_cannot_be_moved_by_a_link(run: Run) -> None:
    with pytest.raises(SandboxFailed, match="/proc"):
        run("true", FileSpec("r", b"/", "link"), FileSpec("r/proc", b"/oldroot/var/tmp", "link"))


def test_a_link_in_a_layer_does_not_move_a_shown_folder(tmp_path: Path, marker: Path) -> None:
    (tmp_path / "data").mkdir()
    with_link = BubblewrapSandbox(tmp_path)
    layer = with_link.layer(f"ln -s /oldroot{marker} data", [], Limits())
    with_link.close()
    shown = BubblewrapSandbox(tmp_path, readable={"/home/user/data": tmp_path / "data"})
    with pytest.raises(SandboxFailed, match="/home/user/data"):
        shown.run("true", [], Limits(), [layer])
    shown.close()
    assert not marker.exists()


def test_hard_links_cannot_keep_the_reader_busy(run: Run) -> None:
    """20 MB under a thousand names are 20 GB to read."""
    start = time.monotonic()
    fill = "head -c 20M /dev/zero | tr '\\0' x > f"
    link = "for i in {1..10}; do mkdir $i; for j in {1..100}; do echo $i/$j; done; done | xargs -n 1 ln f"
    outcome = run(f"{fill}; {link}", cpu_seconds=20, wall_seconds=30)
    assert outcome.stopped == "output"
    assert time.monotonic() - start < 40


def test_a_script_that_reads_its_own_output(run: Run) -> None:
    """It takes back what the launcher was just told of; the wall limit holds all the same."""
    code = (
        "import os, time\n"
        "taken = os.open('/proc/self/fd/1', os.O_RDONLY | os.O_NONBLOCK)\n"
        "end = time.time() + 0.5\n"
        "while time.time() < end:\n"
        "    os.write(1, b'x')\n"
        "    try: os.read(taken, 1)\n"
        "    except BlockingIOError: pass\n"
        "time.sleep(60)"
    )
    start = time.monotonic()
    assert run(python(code), wall_seconds=2).stopped == "wall"
    assert time.monotonic() - start < 10


def test_an_open_end_of_the_output_elsewhere_is_not_waited_for(run: Run) -> None:
    """With the network, a script can hand its output to a process that lives on."""
    name = f"\0sayso-{time.time_ns()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        code = (
            "import socket\n"
            f"to = socket.socket(socket.AF_UNIX); to.connect({name!r})\n"
            "socket.send_fds(to, [b'x'], [1, 2])\n"
            "print('sent')"
        )
        start = time.monotonic()
        outcome = run(python(code), network=True)
        with server.accept()[0] as accepted:
            held = socket.recv_fds(accepted, 1, 2)[1]
        assert (outcome.stdout, outcome.stopped) == (b"sent\n", "")
        assert time.monotonic() - start < 20
        for descriptor in held:
            os.close(descriptor)


def test_devices_are_few_and_harmless(run: Run) -> None:
    listed = run("ls -A /dev").stdout.decode().split()
    assert " ".join(sorted(listed)) == "fd full null random shm stderr stdin stdout tty urandom zero"
    assert run("cat /dev/tty || echo none").stdout == b"none\n"
