"""Who owns what: names and ids inside the sandbox, and the ids they have outside.

As root, user n of the sandbox is user FIRST_ID + n of the host, who owns nothing there; only root is shown as himself,
so that the system's files look right, and nobody can become him. Without root there is one user, the caller.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from sayso.core.errors import SandboxFailed

USER, USER_ID, NOBODY_ID = "user", 1000, 65534
FIRST_ID = 0x70000000  # above every range that containers and login services use
NEEDS_OWNERS = "needs other owners"

USERS = {"root": 0, "daemon": 1, "bin": 2, "sys": 3, "games": 5, "man": 6, "mail": 8, "www-data": 33, USER: USER_ID}
GROUPS = {
    **USERS,
    "adm": 4,
    "tty": 7,
    "sudo": 27,
    "staff": 50,
    "users": 100,
}


# CAP_CHOWN, DAC_OVERRIDE, FOWNER, SETGID, SETUID, SYS_ADMIN: what root needs to give files away and to mount.
CAPABILITIES = sum(1 << number for number in (0, 1, 3, 6, 7, 21))


def is_privileged() -> bool:
    """Whether this process is root over the ids above: root of most containers is not."""
    if os.geteuid() != 0:
        return False
    held = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("CapEff:"))
    if int(held.split()[1], 16) & CAPABILITIES != CAPABILITIES:
        return False
    return all(_covers(Path(f"/proc/self/{name}").read_text()) for name in ("uid_map", "gid_map"))


def refuse_bare_root() -> None:
    """Root who lost some of his rights, as in a container, would be the user inside: the kernel does not count his
    processes, and shows him what it shows root."""
    if os.geteuid() != 0 or is_privileged():
        return
    if Path("/proc/self/uid_map").read_text().split()[:2] == ["0", "0"]:
        raise SandboxFailed(
            "root without the right to mount and to give files away cannot be kept within limits",
            "run as an ordinary user (a container: `--user 1000:1000`), or as root with all rights (`--privileged`)",
            reason="no sandbox",
        )


def _covers(id_map: str) -> bool:
    """Whether our ids exist in the user namespace that has this map."""
    ranges = [tuple(map(int, line.split())) for line in id_map.splitlines()]
    return any(first <= FIRST_ID and first + count > FIRST_ID + NOBODY_ID for first, _, count in ranges)


@dataclass(frozen=True)
class Owners:
    """Ids on both sides of the sandbox, and the names that the sandbox knows."""

    privileged: bool
    users: dict[str, int] = field(default_factory=lambda: dict(USERS))
    groups: dict[str, int] = field(default_factory=lambda: dict(GROUPS))

    def id_maps(self) -> str:
        """The lines of uid_map and gid_map of the sandbox's user namespace."""
        if not self.privileged:
            return f"{USER_ID} 0 1\n"
        return f"0 0 1\n1 {FIRST_ID + 1} {NOBODY_ID - 1}\n"

    def outside(self, id: int) -> int:
        """1000 -> 1879049192 as root, 0 in a user namespace where the caller is the only user."""
        if not self.privileged:
            return 0
        return id if id == 0 else FIRST_ID + id

    def inside(self, id: int) -> int:
        if not self.privileged:
            return USER_ID if id == 0 else NOBODY_ID
        if id == 0:
            return 0
        return id - FIRST_ID if FIRST_ID < id < FIRST_ID + NOBODY_ID else NOBODY_ID

    def find(self, owner: str) -> tuple[int, int]:
        """ "bob:staff" -> ids outside of bob and staff; "" is the sandbox's own user."""
        user, _, group = (owner or USER).partition(":")
        ids = self.users[user], self.groups[group or user]
        if not self.privileged and ids != (USER_ID, USER_ID):
            raise SandboxFailed(
                f'a file should belong to "{owner}", and without root every file belongs to the caller',
                "run as root to score what needs other owners",
                reason=NEEDS_OWNERS,
            )
        return self.outside(ids[0]), self.outside(ids[1])

    def name(self, user: int, group: int) -> str:
        """The owner as in `FileSpec`: "" for the sandbox's user, a group only where it is not the user's own."""
        ids = self.inside(user), self.inside(group)
        if ids == (USER_ID, USER_ID):
            return ""
        user_name = _name_of(ids[0], self.users)
        return user_name if ids[0] == ids[1] else f"{user_name}:{_name_of(ids[1], self.groups)}"

    def knowing(self, owners: set[str], passwd: bytes, group: bytes) -> Owners:
        """With the users of the sandbox's /etc/passwd and /etc/group, and new ones for the names still missing."""
        users, groups = {**self.users, **_ids(passwd)}, {**self.groups, **_ids(group)}
        for owner in sorted(owners - {""}):
            user, _, of_group = owner.partition(":")
            for name in dict.fromkeys((user, of_group or user)):
                if name not in groups:
                    groups[name] = users.get(name, _free(users, groups))
            if user not in users:
                users[user] = groups.setdefault(user, _free(users, groups))
        return replace(self, users=users, groups=groups)

    def passwd(self) -> bytes:
        homes = {"root": "/root"}
        lines = [f"{name}:x:{id}:{id}::{homes.get(name, '/home/' + name)}:/bin/bash" for name, id in self.users.items()]
        return _lines([*lines, f"nobody:x:{NOBODY_ID}:{NOBODY_ID}::/nonexistent:/usr/sbin/nologin"])

    def group(self) -> bytes:
        return _lines([*(f"{name}:x:{id}:" for name, id in self.groups.items()), f"nogroup:x:{NOBODY_ID}:"])


def _lines(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode(errors="surrogateescape")


def _name_of(id: int, names: dict[str, int]) -> str:
    return next((name for name, other in names.items() if other == id), "nobody" if id == NOBODY_ID else str(id))


def _free(users: dict[str, int], groups: dict[str, int]) -> int:
    return max(id for id in (*users.values(), *groups.values(), USER_ID) if id < NOBODY_ID) + 1


def _ids(table: bytes) -> dict[str, int]:
    """b"bob:x:1001:…" -> {"bob": 1001}; lines that a script spoilt are passed over."""
    found: dict[str, int] = {}
    for line in table.decode(errors="surrogateescape").splitlines():
        fields = line.split(":")
        if len(fields) > 2 and fields[0] and fields[2].isdecimal() and int(fields[2]) < NOBODY_ID:
            found[fields[0]] = int(fields[2])
    return found
