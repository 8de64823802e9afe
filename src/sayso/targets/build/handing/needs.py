"""Dependencies for the hand: what the readers find likely, and every header and library that sources name outright.

The readers leave out what nearly all need, since nobody learns from it; who builds here and now needs it all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.targets.build.planning.by_hand import HEADER, SOURCE
from sayso.targets.build.planning.finding import ASIDE
from sayso.targets.build.planning.survey import Survey
from sayso.targets.build.reading.depends import Dependency, find_depends
from sayso.targets.build.reading.resolver import Resolver, embedded
from sayso.targets.build.reading.self_names import own_names
from sayso.targets.build.reading.tree import Evidence

INCLUDED = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(?P<name>[\w./+-]+)>", re.M)
LINKED = re.compile(r"(?<![\w-])-l(?P<name>[A-Za-z][\w.+-]*)")
MOST_SOURCES, MOST_TEXT = 200, 40_000
PLAIN = frozenset(("libc6-dev", "linux-libc-dev", "libc-dev-bin", "make", "coreutils"))
"""What every compiler brings along."""


def needs_of(survey: Survey) -> tuple[Dependency, ...]:
    likely = find_depends(survey.tree, own=own_names(survey.tree))
    found: dict[tuple[str, str], Dependency] = {}
    for one in (*likely, *named_outright(survey, embedded())):
        # What is linked with runs with a library that whoever packs it finds by itself.
        if not (one.label == "run" and one.package and one.package.endswith("-dev")):
            found.setdefault((one.label, one.package or one.name), one)
    return tuple(found.values())


def named_outright(survey: Survey, resolver: Resolver) -> Iterator[Dependency]:
    """`#include <zlib.h>` and `-lz`, where a package has that file and the tree has not."""
    ground = survey.ground
    own = {path.rpartition("/")[2] for path in ground.files}
    sources = [path for path in ground.files if path.endswith((*SOURCE, *HEADER)) and not ASIDE.search(path)]
    makefiles = [path for path in survey.tree.texts if re.search(r"(?i)makefile|\.mk$|\.pc\.in$|configure\.ac$", path)]
    for kind, pattern, paths in (("header", INCLUDED, sources[:MOST_SOURCES]), ("library", LINKED, makefiles)):
        for path in paths:
            text = ground.text(path)[:MOST_TEXT]
            for match in pattern.finditer(text):
                name = match["name"]
                if name.rpartition("/")[2] in own or f"lib{name}.a" in own:
                    continue
                known = resolver.resolve(kind, name)
                if known and known.by != "guess" and known.package and is_apart(known.package):
                    line = text.count("\n", 0, match.start("name")) + 1
                    evidence = Evidence(path, line, text.splitlines()[line - 1].strip()[:200])
                    yield Dependency(kind, name, known.package, "build", evidence, known.source)


def is_apart(package: str) -> bool:
    return package not in PLAIN and not re.match(r"(?:lib(?:gcc|stdc\+\+)|gcc|g\+\+|cpp)-?\d*", package)
