"""`sayso data get contents`: Debian's index of files through the machine's own apt, kept as a table of names.

The index of a release is 46 MB; what a build may ask for by name is 1 MB of it. Nothing of the machine's own lists is
touched: apt works in folders of the cache, as for packages.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping

from sayso.core.errors import MachineError
from sayso.core.files import write_atomically
from sayso.core.progress import Progress
from sayso.core.types import Workspace
from sayso.targets.build.corpus.apt import Fetching, PrivateApt, last_line, machine_sources, written
from sayso.targets.build.reading.contents import names_in, sources
from sayso.targets.build.reading.names import KEPT, write_table

TARGETS = ("Contents-deb", "Contents-all")
KEYS = ("$(ARCHITECTURE)", "all")


def configured() -> tuple[str, ...]:
    """What apt is told about the index, which it does not bring of itself."""
    return tuple(
        f'Acquire::IndexTargets::deb::{target} {{ MetaKey "$(COMPONENT)/Contents-{key}"; ShortDescription "{target}"; '
        f'Description "$(RELEASE)/$(COMPONENT) Contents"; flatMetaKey "Contents-{key}"; flatDescription "Contents"; '
        'KeepCompressed "true"; KeepCompressedAs "gz"; };'
        for target, key in zip(TARGETS, KEYS, strict=True)
    )


def fetch_contents(workspace: Workspace, progress: Progress) -> Mapping[str, object]:
    """Brings the index, makes the table, and says what is in it."""
    folder = workspace.cache / "build" / "contents"
    apt = PrivateApt(folder / "apt", Fetching(seconds=600.0, options=configured()))
    apt.prepare()
    archives = [{**one, "types": "deb", "targets": " ".join(TARGETS)} for one in machine_sources(apt.fetching.etc)]
    with write_atomically(apt.folder / "sources" / "private.sources") as file:
        file.write("\n".join(map(written, archives)).encode())
    _, said = apt.run("update")
    found = sorted(apt.lists.glob("*Contents-*"))
    if not found:
        raise MachineError(
            f"apt brought no index of files: {last_line(said)}", "check the network and `apt-get update`"
        )
    known = names_in(found, sources())
    with write_atomically(workspace.cache / KEPT) as file:
        file.write(write_table(known.values()))
    read = sum(path.stat().st_size for path in found)
    shutil.rmtree(apt.folder)
    return {"table": str(workspace.cache / KEPT), "indices": len(found), "bytes read": read, "names": len(known)}
