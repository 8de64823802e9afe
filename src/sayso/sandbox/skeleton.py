"""The lowest layer of every sandbox: an empty system with the parts of /etc that programs need and no secrets in it.

`/usr` itself is the host's (or an image's) and lies under an overlay of its own.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.sandbox import WORK as WORK
from sayso.sandbox.owners import USER_ID, Owners

MADE = 1_700_000_000
"""The time of everything that we make ourselves, so that two runs see the same times."""

USR_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
PLAIN = (
    "boot",
    "etc",
    "media",
    "proc",
    "run",
    "sys",
    "usr",
    "var/cache",
    "var/lib",
    "var/log",
    "var/mail",
    "var/spool",
)
SHARED = ("tmp", "var/tmp", "dev/shm", "run/lock")
PRIVATE = ("root",)
OWNED = ("home/user", "opt", "srv", "mnt", "var/local")
# What a user of a build machine may install into; the rest of /usr belongs to root.
OWNED_USR = ("bin", "etc", "games", "include", "lib", "libexec", "sbin", "share", "share/man", "src")
# Left out on purpose: everything that may hold a name, a key or an address of the host.
ETC = (
    *("alternatives", "bash.bashrc", "ca-certificates.conf", "debian_version", "groff", "inputrc", "issue"),
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "locale.alias", "magic", "magic.mime", "manpath.config"),
    *("mime.types", "os-release", "perl", "profile", "protocols", "rpc", "services", "sgml", "shells"),
    *("ssl/certs", "ssl/openssl.cnf", "terminfo", "xml"),
)
ETC_PATTERNS = ("python3*", "java-*-openjdk")
LARGEST_COPY = 2_000_000


Shown = list[tuple[str, str]]
"""Pairs of a folder of the host and where it is seen inside, read-only."""


@dataclass(frozen=True)
class Skeleton:
    """Folders that lie under every root and every /usr, and folders of the host that are shown as they are."""

    root: list[str]
    usr: list[str]
    shown: Shown


def make_skeleton(folder: Path, image: str, readable: Shown, owners: Owners, places: Sequence[str] = ()) -> Skeleton:
    """Fill `folder`; `image` is the folder of another system, or empty for the host's own.

    `readable` are further folders of the host to show; they need a place to be seen at, as do the other `places`.
    """
    root, usr = folder / "root", folder / "usr"
    own = owners.outside(USER_ID)
    for path in (*PLAIN, *SHARED, *PRIVATE, *OWNED):
        (root / path).mkdir(parents=True, exist_ok=True)
    for path in SHARED:
        (root / path).chmod(0o1777)
    for path in PRIVATE:
        (root / path).chmod(0o700)
    for owned in (*(root / name for name in OWNED), *(usr / name for name in owned_usr(image))):
        owned.mkdir(parents=True, exist_ok=True)
        os.chown(owned, own, own)
    _fill_dev(root / "dev")
    _fill_etc(root / "etc", owners)
    (root / "var/run").symlink_to("../run")
    shown = [*([] if image else _fill_from_host(root)), *readable]
    for inside in (*(inside for _, inside in shown), *places):
        _place(root, usr, inside).mkdir(parents=True, exist_ok=True)
    for made in folder.rglob("*"):
        os.utime(made, (MADE, MADE), follow_symlinks=False)
    below = [image] if image else []
    return Skeleton([str(root), *below], [str(usr), f"{image}/usr"], shown)


def owned_usr(image: str) -> list[str]:
    """The folders under /usr/local that installers write to, those of the Pythons that are there included."""
    folders = ["local", *(f"local/{name}" for name in OWNED_USR)]
    for python in sorted(Path(f"{image}/usr/local/lib").glob("python3*")):
        packages = "site-packages" if (python / "site-packages").is_dir() else "dist-packages"
        folders += [f"local/lib/{python.name}", f"local/lib/{python.name}/{packages}"]
    return folders


def _fill_dev(dev: Path) -> None:
    """Places for the devices to be bound to, and the usual links."""
    for name in DEVICES:
        (dev / name).touch()
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        (dev / name).symlink_to(f"/proc/self/{target}")


def _fill_etc(etc: Path, owners: Owners) -> None:
    texts = {
        "passwd": owners.passwd(),
        "group": owners.group(),
        "hostname": b"sandbox\n",
        "hosts": b"127.0.0.1 localhost sandbox\n::1 localhost\n",
        "nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files dns\n",
        "resolv.conf": b"",
    }
    for name, content in texts.items():
        (etc / name).write_bytes(content)
    (etc / "localtime").symlink_to("/usr/share/zoneinfo/Etc/UTC")
    (etc / "mtab").symlink_to("/proc/mounts")


def _place(root: Path, usr: Path, inside: str) -> Path:
    """/usr lies in an overlay of its own."""
    path = Path(inside)
    return usr / path.relative_to("/usr") if path.is_relative_to("/usr") else root / path.relative_to("/")


def _fill_from_host(root: Path) -> Shown:
    """Copy the harmless parts of /etc and the links into /usr; answer with the top folders that are no links."""
    host = Path("/etc")
    for source in (*(host / name for name in ETC), *(path for some in ETC_PATTERNS for path in host.glob(some))):
        _copy(source, root / "etc" / source.relative_to(host))
    shown = []
    for name in USR_LINKS:
        top = Path("/", name)
        if top.is_symlink():
            (root / name).symlink_to(top.readlink())
        elif top.is_dir():
            shown.append((str(top), str(top)))
    return shown


def _copy(source: Path, target: Path) -> None:
    """Copy small files, links and folders that everybody may read; leave the rest out."""
    try:
        found = source.lstat()
    except OSError:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if stat.S_ISLNK(found.st_mode):
        target.symlink_to(source.readlink())
    elif not found.st_mode & stat.S_IROTH:
        return
    elif stat.S_ISDIR(found.st_mode):
        target.mkdir(exist_ok=True)
        for below in source.iterdir():
            _copy(below, target / below.name)
    elif stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST_COPY:
        shutil.copyfile(source, target)
