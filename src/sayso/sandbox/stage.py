"""Where one run is put together: a small disk in memory, an overlay of root and layers on it, all in private mounts."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from sayso.core.errors import SandboxFailed
from sayso.core.types import Limits
from sayso.sandbox import kernel
from sayso.sandbox.changes import Tree
from sayso.sandbox.owners import Owners, is_privileged, refuse_bare_root
from sayso.sandbox.skeleton import MADE, Shown, Skeleton, make_skeleton

# The launcher hides the host's /tmp from itself behind a disk of its own: a folder that exists everywhere and that
# every user may enter, which the sandbox's user must when bwrap takes the root from there.
TMP = "/tmp"
LAYERS, IMAGE, SHOWN, RUN = f"{TMP}/layers", f"{TMP}/image", f"{TMP}/shown", f"{TMP}/run"
OVERLAID = f"{TMP}/overlaid"
ROOT = f"{RUN}/root"
NOT_IN_ROOT = frozenset((b"usr", b"proc", b"dev", b"sys"))


@dataclass(frozen=True)
class Grounds:
    """What all runs of a launcher share."""

    owners: Owners
    skeleton: Skeleton
    overlaid: Shown
    """Folders of the host, and where each is seen inside under an overlay of its own."""


def prepare(layers: Path, image: Path | None, readable: Shown, overlaid: Shown) -> Grounds:
    """Leave the host's mounts, in a user namespace where we are not root, and lay out what every run needs."""
    refuse_bare_root()
    privileged = is_privileged()
    if overlaid and privileged:
        raise SandboxFailed(
            "as root, files of the host would not belong to the sandbox's user",
            "copy them in, or be an ordinary user",
            reason="needs an ordinary user",
        )
    if not privileged:
        kernel.enter_user_namespace()
    kernel.unshare(kernel.NEW_MOUNTS)
    kernel.mount("", "/", "", kernel.RECURSIVE | kernel.SLAVE)
    # Opened before the host's /tmp is hidden: any of them may lie there.
    sources = {LAYERS: layers, **({IMAGE: image} if image else {})}
    sources |= {f"{SHOWN}{number}": Path(folder) for number, (folder, _) in enumerate(readable)}
    sources |= {f"{OVERLAID}{number}": Path(folder) for number, (folder, _) in enumerate(overlaid)}
    opened = {target: os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC) for target, folder in sources.items()}
    kernel.mount("sayso", TMP, "tmpfs", kernel.NO_SUID | kernel.NO_DEVICES, "mode=755,size=64m")
    for target, descriptor in opened.items():
        Path(target).mkdir()
        # An overlay crosses no mounts; and of /tmp, our own disk upon it would come along.
        deep = 0 if target.startswith(OVERLAID) else kernel.RECURSIVE
        kernel.mount(f"/proc/self/fd/{descriptor}", target, "", kernel.BIND | deep)
        os.close(descriptor)
    Path(RUN).mkdir()
    owners = Owners(privileged)
    shown = [(f"{SHOWN}{number}", inside) for number, (_, inside) in enumerate(readable)]
    over = [(f"{OVERLAID}{number}", inside) for number, (_, inside) in enumerate(overlaid)]
    places = [inside for _, inside in over]
    skeleton = make_skeleton(Path(f"{TMP}/skeleton"), IMAGE if image else "", shown, owners, places)
    return Grounds(owners, skeleton, over)


def lay_out(grounds: Grounds, limits: Limits, layers: list[str]) -> None:
    """Mount the disk and the overlays of one run, in mounts of its own."""
    kernel.unshare(kernel.NEW_MOUNTS)
    inodes = 4096 + 64 * limits.disk_mb
    options = f"mode=755,size={limits.disk_mb}m,nr_inodes={inodes}"
    kernel.mount("disk", RUN, "tmpfs", kernel.NO_SUID | kernel.NO_DEVICES, options)
    os.chdir(RUN)
    for name in ("top", "work", "root", "usr", "usr-work", "was", "was-usr", "none"):
        Path(name).mkdir()
    # Short relative names keep the host's paths out of what the sandbox reads in /proc/mounts.
    for number, digest in enumerate(layers):
        Path(f"l{number}").symlink_to(f"{LAYERS}/{digest}/top")
        Path(f"u{number}").symlink_to(f"{LAYERS}/{digest}/usr")
    for letter, folders in (("r", grounds.skeleton.root), ("s", grounds.skeleton.usr)):
        for number, folder in enumerate(folders):
            Path(f"{letter}{number}").symlink_to(folder)
    for name in ("top", "usr"):
        os.utime(name, (MADE, MADE))
    _overlay("root", _lower(grounds, layers, "root"), "top", "work", grounds)
    _overlay("root/usr", _lower(grounds, layers, "usr"), "usr", "usr-work", grounds)
    for number, (folder, inside) in enumerate(grounds.overlaid):
        for name in (f"o{number}", f"o{number}-work", f"o{number}-was"):
            Path(name).mkdir()
        Path(f"b{number}").symlink_to(folder)
        # The overlay shows the mode and time of its top, which are to be those of the folder below. Its owner is the
        # sandbox's user, who may not write to it where he may not on the host.
        found = Path(folder).stat()
        Path(f"o{number}").chmod(found.st_mode & (0o7777 if os.access(folder, os.W_OK) else 0o7555))
        os.utime(f"o{number}", ns=(found.st_mtime_ns, found.st_mtime_ns))
        _overlay(f"root{inside}", [f"b{number}"], f"o{number}", f"o{number}-work", grounds)


def _lower(grounds: Grounds, layers: list[str], part: str) -> list[str]:
    """The names of the folders below the top, uppermost first: the last layer given lies on all others."""
    mine, skeleton = ("l", grounds.skeleton.root) if part == "root" else ("u", grounds.skeleton.usr)
    letter = "r" if part == "root" else "s"
    return [
        *(f"{mine}{number}" for number in reversed(range(len(layers)))),
        *(f"{letter}{number}" for number in range(len(skeleton))),
    ]


def _overlay(target: str, lower: list[str], top: str, work: str, grounds: Grounds) -> None:
    options = f"lowerdir={':'.join(lower)},upperdir={top},workdir={work},{_features(grounds)}"
    kernel.mount("overlay", target, "overlay", kernel.NO_SUID | kernel.NO_DEVICES, options)


def _features(grounds: Grounds) -> str:
    """Without root, marks are kept in attributes that any user may set."""
    return "index=off,redirect_dir=nofollow" if grounds.owners.privileged else "index=off,userxattr"


def open_trees(grounds: Grounds, layers: list[str]) -> list[Tree]:
    """The two overlays of the finished run beside the same without their tops."""
    trees = []
    for part, above, whole, below, leave_out in (
        ("root", "top", "root", "was", NOT_IN_ROOT),
        ("usr", "usr", "root/usr", "was-usr", frozenset[bytes]()),
    ):
        # An overlay without a top needs two folders, hence the empty one.
        options = f"lowerdir={':'.join([*_lower(grounds, layers, part), 'none'])},{_features(grounds)}"
        kernel.mount("overlay", below, "overlay", kernel.NO_SUID | kernel.NO_DEVICES | kernel.READ_ONLY, options)
        prefix = b"" if part == "root" else b"/usr"
        trees.append(Tree(prefix, _folder(above), _folder(whole), _folder(below), leave_out))
    for number, (_, inside) in enumerate(grounds.overlaid):
        options = f"lowerdir=b{number}:none,{_features(grounds)}"
        flags = kernel.NO_SUID | kernel.NO_DEVICES | kernel.READ_ONLY
        kernel.mount("overlay", f"o{number}-was", "overlay", flags, options)
        top, now, was = (_folder(name) for name in (f"o{number}", f"root{inside}", f"o{number}-was"))
        trees.append(Tree(os.fsencode(inside), top, now, was, is_hosts=True))
    return trees


def open_tops(grounds: Grounds) -> list[int]:
    """Those of the two overlays, then those of the folders of the host."""
    return [_folder(name) for name in ("top", "usr", *(f"o{number}" for number in range(len(grounds.overlaid))))]


def _folder(name: str) -> int:
    return os.open(f"{RUN}/{name}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
