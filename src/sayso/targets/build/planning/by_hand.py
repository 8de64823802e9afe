"""What nobody installs, installed by hand: headers, libraries, pkg-config files and tools to where compilers look."""

from __future__ import annotations

import re
import shlex

from sayso.targets.build.planning.finding import ASIDE
from sayso.targets.build.planning.plan import PREFIX, Ground, Step, at
from sayso.targets.build.reading.tree import Evidence

HEADER = (".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp")
PRIVATE = re.compile(r"(?i)(?:^|/)(?:config\.h|.*(?:priv(?:ate)?|internal|_int|-int|test|example)[\w-]*\.\w+)$")
SOURCE = (".c", ".cc", ".cpp", ".cxx", ".C")
PROGRAM = re.compile(r"\bmain\s*\(")
SPARE = re.compile(r"(?i)test|demo|example|sample|bench")
MOST_SOURCES = 40


def header_folders(ground: Ground, folder: str = "") -> list[str]:
    """Folders whose headers are for others: `include`, else where headers lie beside the sources."""
    start = f"{folder}/" if folder else ""
    headers = [
        path
        for path in ground.below(folder)
        if path.endswith(HEADER) and not PRIVATE.search(path) and not ASIDE.search(path.removeprefix(start))
    ]
    public = sorted({path[: path.index("include/") + 7] for path in headers if re.search(r"(?:^|/)include/", path)})
    if public:
        return [min(public, key=lambda one: (one.count("/"), one))]
    folders = {path.rpartition("/")[0] for path in headers}
    if not folders:
        return []
    least = min(one.count("/") + bool(one) for one in folders)
    return sorted(one for one in folders if one.count("/") + bool(one) == least)


def install_headers(ground: Ground, folder: str = "") -> list[Step]:
    steps = []
    for found in header_folders(ground, folder):
        if found.endswith("include"):
            command = f"mkdir -p {PREFIX}/include && cp -R {shlex.quote(found)}/. {PREFIX}/include/"
            steps.append(Step(command, "install", (at(found),), "no rule installs the headers"))
            continue
        start = f"{found}/" if found else ""
        names = [path for path in ground.below(found) if path.endswith(HEADER) and "/" not in path.removeprefix(start)]
        public = [name for name in names if not PRIVATE.search(name)]
        words = shlex.join(sorted(public)) if len(public) <= 6 else f"{shlex.quote(start) if start else ''}*.h"
        command = f"install -D -m 644 -t {PREFIX}/include {words}"
        steps.append(Step(command, "install", (at(public[0]),), "no rule installs the headers"))
    return steps


def install_libraries(names: list[str], cause: Evidence) -> list[Step]:
    """Names of libraries that a build leaves, as a shell finds them."""
    if not names:
        return []
    words = " ".join(names)
    return [Step(f"install -D -m 644 -t {PREFIX}/lib {words}", "install", (cause,), "no rule installs the libraries")]


def install_tools(names: list[str], cause: Evidence) -> list[Step]:
    if not names:
        return []
    words = " ".join(names)
    return [Step(f"install -D -m 755 -t {PREFIX}/bin {words}", "install", (cause,), "no rule installs the tools")]


def make_library(ground: Ground, folder: str = "", rules: str = "") -> list[Step]:
    """Sources beside public headers that no rule makes a library of, but for programs: one call of the compiler, or,
    where `rules` compile them already, an archive of what these left."""
    start = f"{folder}/" if folder else ""
    names = ground.folders.get(folder, ())
    sources = {name: ground.text(start + name) for name in sorted(names) if name.endswith(SOURCE)}
    parts = {
        name: text for name, text in sources.items() if text and not PROGRAM.search(text) and not SPARE.search(name)
    }
    stems = [name.rpartition(".")[0] for name in names if name.endswith(HEADER) and not PRIVATE.search(name)]
    if not parts or not stems or len(parts) > MOST_SOURCES:
        return []
    everything = "\n".join(sources.values())
    called = max(sorted(stems), key=lambda stem: everything.count(f'"{stem}.') + everything.count(f"<{stem}."))
    called = called if called.startswith("lib") else f"lib{called}"
    cause = (at(start + next(iter(parts))),)
    objects = [f"{name.rpartition('.')[0]}.o" for name in parts]
    if rules and (made := [name for name in objects if name in rules or "%.o" in rules or ".c.o" in rules]):
        archive = shlex.quote(f"{PREFIX}/lib/{called}.a")
        command = f"mkdir -p {PREFIX}/lib && ar rcs {archive} {shlex.join(made)}"
        return [Step(command, "install", cause, "no rule makes a library")]
    compiler = "gcc" if all(name.endswith(".c") for name in parts) else "g++"
    made_at = shlex.quote(f"{PREFIX}/lib/{called}.so")
    command = f"mkdir -p {PREFIX}/lib && {compiler} -O2 -fPIC -shared -o {made_at} {shlex.join(parts)}"
    return [Step(command, "install", cause, "no rule makes a library")]
