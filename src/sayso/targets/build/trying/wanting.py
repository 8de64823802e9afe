"""What an installation lacks of what its tree promises: headers, libraries and pkg-config files for a dependent."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sayso.targets.build.planning.by_hand import HEADER, header_folders
from sayso.targets.build.planning.finding import ASIDE
from sayso.targets.build.planning.plan import PREFIX, Ground

LIBRARY = re.compile(r"\.(?:a|so(?:\.[\d.]+)?)$")
MAKES_LIBRARY = re.compile(
    r"_LTLIBRARIES|_LIBRARIES\s*\+?=|add_library\s*\(|(?:shared_|static_|both_)?librar(?:y|ies)\s*\(|\bAR\)?\s+-?r|\bar\s+-?r|-shared\b|\blib[\w$(){}.-]*\.(?:a|so)\b"
)
BUILD_TEXTS = re.compile(r"(?:^|/)(?:GNUmakefile|[Mm]akefile(?:\.\w+)?|CMakeLists\.txt|meson\.build)$")


def lacks(ground: Ground, installed: Sequence[str]) -> list[str]:
    """Kinds of files that a dependent would look for in vain: "anything", "headers", "libraries", "pkg-config"."""
    there = [path for path in installed if path.startswith(f"{PREFIX}/")]
    if not there:
        return ["anything"]
    found = []
    is_library = makes_library(ground)
    languages = any(re.search(r"/(?:perl|python[\d.]*|dist-packages|node_modules|share/java)/", path) for path in there)
    if is_library and not languages:
        if header_folders(ground) and not any(path.endswith(HEADER) for path in there):
            found.append("headers")
        if not any(LIBRARY.search(path) for path in there):
            found.append("libraries")
    promised = [
        path for path in ground.files if path.endswith((".pc.in", ".pc.cmake", ".pc")) and not ASIDE.search(path)
    ]
    if promised and not any(path.endswith(".pc") for path in there):
        found.append("pkg-config")
    return found


def makes_library(ground: Ground) -> bool:
    for path in ground.files:
        if BUILD_TEXTS.search(path) and path.count("/") <= 2 and not ASIDE.search(path):
            text = "\n".join(line for line in ground.text(path).splitlines() if not line.lstrip().startswith("#"))
            if MAKES_LIBRARY.search(text):
                return True
    return False
