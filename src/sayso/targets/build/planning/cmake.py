"""CMake and Meson: built in a folder of its own, with what tests and examples would need from outside switched off."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from sayso.targets.build.planning.by_hand import install_headers
from sayso.targets.build.planning.plan import PREFIX, Ground, Plan, Step, at, inside
from sayso.targets.build.planning.told import Words, first_cause, of_tool, settled_options

OPTION = re.compile(r"(?im)^[ \t]*option[ \t]*\(\s*(?P<name>[\w-]+)\s+\"[^\"]*\"\s*(?P<value>[^\s)]*)")
ASIDE = re.compile(r"(?i)test|example|bench|sample|demo|fuzz|(?:^|_)docs?(?:_|$)|doxygen")
INSTALLS = re.compile(r"(?i)(?:^|_)install(?:_|$)")
OUTSIDE = re.compile(
    r"(?i)FetchContent_|ExternalProject_Add|find_package\s*\(\s*(?:GTest|GMock|Catch2|doctest|benchmark|Boost|Doxygen|Qt\d?)\b"
    r"|CPMAddPackage|file\s*\(\s*DOWNLOAD|GIT_REPOSITORY"
)
UNTYPED = re.compile(
    r"(?i)\badd_library\s*\(\s*[^\s)]+\s+(?!STATIC|SHARED|MODULE|OBJECT|INTERFACE|ALIAS|IMPORTED|UNKNOWN)\S"
)
SHARED_SET = re.compile(r"(?i)(?:set|option)\s*\(\s*BUILD_SHARED_LIBS\b[^)]*\bON\b|add_library\s*\(\s*\S+\s+SHARED")
DEFINED = re.compile(
    r"-D(?!CMAKE_INSTALL_PREFIX|CMAKE_PREFIX_PATH|CMAKE_TOOLCHAIN|CMAKE_BUILD_TYPE)[\w-]+(?::\w+)?=[\w.+/-]+"
)
MESON_OPTION = re.compile(r"option\s*\(\s*['\"](?P<name>[\w-]+)['\"](?P<rest>[^)]*)\)")
MESON_SET = re.compile(r"-D(?!prefix)[\w-]+=[\w.+-]+")
LIBRARY = re.compile(r"(?i)\badd_library\s*\(")
HEADERS_TOO = re.compile(
    r"(?i)install\s*\((?:[^()]|\([^()]*\))*?(?:\.h|include|header|FILE_SET)|PUBLIC_HEADER|install_headers"
)
MOST_TEXT = 2_000_000
BUILD_FOLDERS = ("build", "_build", "b")


def build_folder(ground: Ground, folder: str) -> str:
    """A name that nothing in the tree has."""
    taken = {path.split("/")[0] for path in ground.files}
    return next((name for name in BUILD_FOLDERS if name not in taken), "out-of-tree")


def plan_cmake(ground: Ground, folder: str, told: Sequence[Words]) -> Plan:
    lists = inside(folder, "CMakeLists.txt")
    texts = [ground.text(path) for path in ground.below(folder) if path.endswith(("CMakeLists.txt", ".cmake"))][:200]
    main, everything = ground.text(lists), "\n".join(texts)[:MOST_TEXT]
    options, causes = settled_options(configuring(told), DEFINED)
    named = {option[2:].partition("=")[0].partition(":")[0] for option in options}
    for found in OPTION.finditer(everything):
        name, value = found["name"], found["value"].upper()
        off = value in ("OFF", "FALSE", "0", "NO", "")
        if name in named:
            continue
        if ASIDE.search(name) and not off and OUTSIDE.search(everything):
            options.append(f"-D{name}=OFF")
        elif off and not ASIDE.search(name) and (INSTALLS.search(name) or "SHARED" in name.upper()):
            options.append(f"-D{name}=ON")
        named.add(name)
    if (
        "BUILD_TESTING" not in named
        and re.search(r"(?i)include\s*\(\s*CTest\s*\)", everything)
        and OUTSIDE.search(everything)
    ):
        options.append("-DBUILD_TESTING=OFF")
    if "BUILD_SHARED_LIBS" not in named | {""} and UNTYPED.search(everything) and not SHARED_SET.search(everything):
        options.append("-DBUILD_SHARED_LIBS=ON")
    if re.search(r"(?i)set\s*\(\s*CMAKE_INSTALL_PREFIX", everything):
        options.append(f"-DCMAKE_INSTALL_PREFIX={PREFIX}")
    made = build_folder(ground, folder)
    source = shlex.quote(folder or ".")
    because = first_cause(told, ("cmake",)) or causes or (at(lists),)
    built = first_cause(told, ("cmake",), "--build") or first_cause(told, ("make", "ninja")) or (at(lists),)
    installing = [
        one.cause for one in told if one.tool in ("make", "ninja", "cmake") and {"install", "--install"} & set(one.rest)
    ]
    place = next(
        (number for number, line in enumerate(main.splitlines(), 1) if re.match(r"(?i)\s*install\s*\(", line)), 0
    )
    forgotten = (
        () if HEADERS_TOO.search(everything) or not LIBRARY.search(everything) else install_headers(ground, folder)
    )
    steps = (
        Step(" ".join(["cmake", "-S", source, "-B", made, *options]), "configure", because),
        Step(f"cmake --build {made}", "build", built),
        Step(f"cmake --install {made}", "install", tuple(installing[:1]) or (at(lists, place),)),
        *forgotten,
    )
    return Plan("cmake", folder, steps, facts={"made": made, "source": lists})


def configuring(told: Sequence[Words]) -> list[Words]:
    """Calls of cmake that configure."""
    return [one for one in of_tool(told, "cmake") if not {"--build", "--install", "-E", "-P"} & set(one.rest)]


def plan_meson(ground: Ground, folder: str, told: Sequence[Words]) -> Plan:
    file = inside(folder, "meson.build")
    made = build_folder(ground, folder)
    calls = [one for one in of_tool(told, "meson") if not {"compile", "install", "test"} & set(one.rest)]
    options, causes = settled_options(calls, MESON_SET)
    text = ground.text(file)
    if re.search(r"['\"]prefix=(?!/usr/local)", text):
        options.insert(0, f"--prefix={PREFIX}")
    source = [shlex.quote(folder)] if folder else []
    because = first_cause(told, ("meson",)) or causes or (at(file),)
    built = first_cause(told, ("ninja",)) or first_cause(told, ("meson",), "compile") or (at(file),)
    install = first_cause(told, ("ninja", "meson"), "install") or (at(file),)
    steps = (
        Step(" ".join(["meson", "setup", made, *source, *options]), "configure", because),
        Step(f"ninja -C {made}", "build", built),
        Step(f"ninja -C {made} install", "install", install),
    )
    return Plan("meson", folder, steps, facts={"made": made, "source": file})


def meson_switches(text: str) -> list[str]:
    """Options of meson_options.txt that only add tests, documents and the like, each switched off."""
    found = []
    for one in MESON_OPTION.finditer(text):
        if not re.search(r"(?i)test|doc|example|man|bench|introspection|vapi|gtk_doc|demo|sample", one["name"]):
            continue
        kind = re.search(r"type\s*:\s*['\"](\w+)", one["rest"])
        if kind and kind[1] in ("boolean", "feature"):
            found.append(f"-D{one['name']}={'false' if kind[1] == 'boolean' else 'disabled'}")
    return found
