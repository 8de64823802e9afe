"""From a failure to plans that may not have it: one function a class, each with the reason for the change."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from sayso.targets.build.planning.by_hand import install_headers
from sayso.targets.build.planning.cmake import ASIDE as SPARE
from sayso.targets.build.planning.cmake import OPTION as CMAKE_OPTION
from sayso.targets.build.planning.cmake import meson_switches
from sayso.targets.build.planning.make import OWNERS
from sayso.targets.build.planning.plan import PREFIX, Ground, Plan, Step, at, inside
from sayso.targets.build.trying.failures import Failure

Repair = Callable[[Plan, Failure, Ground], Iterator[Plan]]
ARGUED = re.compile(r"AC_ARG_(?P<how>ENABLE|WITH)\s*\(\s*\[?\s*(?P<name>[\w.+-]+)")
DOCUMENT_TOOLS = {
    "makeinfo": "MAKEINFO",
    "doxygen": "DOXYGEN",
    "asciidoc": "ASCIIDOC",
    "a2x": "A2X",
    "xsltproc": "XSLTPROC",
    "xmlto": "XMLTO",
    "pod2man": "POD2MAN",
    "help2man": "HELP2MAN",
    "ronn": "RONN",
    "pandoc": "PANDOC",
    "sphinx-build": "SPHINXBUILD",
    "docbook2man": "DOCBOOK2MAN",
    "nroff": "NROFF",
    "scdoc": "SCDOC",
    "rst2man": "RST2MAN",
}


def with_words(plan: Plan, does: str, words: str, why: str, tool: str = "") -> Plan:
    """Every step of a kind with more words behind it."""
    steps = tuple(
        replace(step, command=f"{step.command} {words}", why=why)
        if step.does in does.split("|")
        and (not tool or re.search(rf"\b{tool}\b", step.command))
        and words not in step.command
        else step
        for step in plan.steps
    )
    return replace(plan, steps=steps)


def before(plan: Plan, does: str, step: Step) -> Plan:
    """A step put before the first of a kind."""
    at = next((at for at, one in enumerate(plan.steps) if one.does == does), len(plan.steps))
    return replace(plan, steps=(*plan.steps[:at], step, *plan.steps[at:]))


def regenerate(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    """Generated files that are older than what they are made from, or made by another version."""
    if any("autoreconf" in step.command for step in plan.steps):
        return
    why = "the generated configure is stale"
    source = plan.facts.get("source", "")
    yield before(plan, "configure", Step("autoreconf -fi", "prepare", (at(source),), why))
    touched = "touch aclocal.m4 configure config.h.in Makefile.in"
    yield before(plan, "configure", Step(f"{touched} 2>/dev/null || true", "prepare", (at(source),), why))


def make_configure(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    steps = tuple(
        replace(one, command="sh configure") if one.command.startswith("./configure") else one for one in plan.steps
    )
    if "Permission" in failure.line:
        yield replace(plan, steps=steps)
    yield before(plan, "configure", Step("autoreconf -fi", "prepare", (), "there is no configure yet"))


def without_what_is_missing(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    """Something from outside: the part that wants it is switched off where there is a switch."""
    yield from without_spare_parts(plan, failure, ground)
    name = re.sub(r"^lib|\.h$|\.pc$|[-_.\d]+$", "", failure.what.lower().rpartition("/")[2])
    if len(name) > 1:
        yield from switched_off(plan, ground, name, f"{failure.what} is not there")


def switched_off(plan: Plan, ground: Ground, name: str, why: str) -> Iterator[Plan]:
    if plan.system == "autotools":
        for found in ARGUED.finditer(ground.text(plan.facts.get("source", ""))):
            if name in found["name"].lower() or found["name"].lower() in name:
                how = "disable" if found["how"] == "ENABLE" else "without"
                yield with_words(plan, "configure", f"--{how}-{found['name']}", why, "configure")
    elif plan.system == "cmake":
        for found in CMAKE_OPTION.finditer(ground.text(plan.facts.get("source", ""))):
            if name in found["name"].lower():
                yield with_words(plan, "configure", f"-D{found['name']}=OFF", why)
    elif plan.system == "meson":
        text = ground.text(inside(plan.folder, "meson_options.txt")) or ground.text(
            inside(plan.folder, "meson.options")
        )
        for option in re.findall(r"option\s*\(\s*'([\w-]+)'\s*,\s*type\s*:\s*'feature'", text):
            if name in option.lower():
                yield with_words(plan, "configure", f"-D{option}=disabled", why)


def without_spare_parts(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    """Tests, examples and documents left out, where the build system has a switch for them."""
    why = "tests, examples and documents are no part of an installation"
    if plan.system == "cmake":
        text = "\n".join(ground.text(path) for path in ground.below(plan.folder) if path.endswith("CMakeLists.txt"))
        names = [found["name"] for found in CMAKE_OPTION.finditer(text) if SPARE.search(found["name"])]
        off = [f"-D{name}=OFF" for name in dict.fromkeys(["BUILD_TESTING", *names]) if f"-D{name}" not in plan.script]
        if off:
            yield with_words(plan, "configure", " ".join(off), why)
    elif plan.system == "meson":
        text = ground.text(inside(plan.folder, "meson_options.txt")) or ground.text(
            inside(plan.folder, "meson.options")
        )
        if off := [one for one in meson_switches(text) if one not in plan.script]:
            yield with_words(plan, "configure", " ".join(off), why)
    elif plan.system == "autotools":
        text = ground.text(plan.facts.get("source", ""))
        found = [
            f"--{'disable' if one['how'] == 'ENABLE' else 'without'}-{one['name']}"
            for one in ARGUED.finditer(text)
            if re.search(r"(?i)test|doc|man|example|bench|introspection", one["name"])
        ]
        if off := [one for one in dict.fromkeys(found) if one not in plan.script]:
            yield with_words(plan, "configure", " ".join(off), why, "configure")


def without_document_tool(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    variable = DOCUMENT_TOOLS.get(failure.what.lower())
    if variable:
        yield with_words(plan, "build|install", f"{variable}=true", f"{failure.what} only makes documents", "make")
    if failure.what in ("autoreconf", "libtoolize", "aclocal"):
        return
    yield from without_what_is_missing(plan, failure, ground)


def by_hand(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    """Without an install rule: what was built, as the shell finds it."""
    kept = tuple(step for step in plan.steps if step.does != "install")
    yield replace(plan, steps=(*kept, *hand_steps(plan, ground)))


def hand_steps(plan: Plan, ground: Ground) -> list[Step]:
    headers = install_headers(ground, plan.folder)
    moved = any(step.command.startswith("cd ") for step in plan.steps)
    start = f" {plan.folder}/" if moved and plan.folder else ""
    steps = [replace(step, command=step.command.replace(start, " ")) if start else step for step in headers]
    find = "find . -name '*.a' -o -name '*.so' -o -name '*.so.*'"
    copy = f"mkdir -p {PREFIX}/lib && cp -P $({find}) {PREFIX}/lib/"
    return [*steps, Step(copy, "install", (), "no rule installs the libraries")]


def allow_warnings(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    why = "a warning of a newer compiler is no error"
    if plan.system == "autotools":
        text = ground.text(plan.facts.get("source", ""))
        if "werror" in text.lower() and re.search(r"AC_ARG_ENABLE\s*\(\s*\[?werror", text, re.I):
            yield with_words(plan, "configure", "--disable-werror", why, "configure")
        yield with_words(plan, "build|install", "CFLAGS='-g -O2 -Wno-error' CXXFLAGS='-g -O2 -Wno-error'", why, "make")
    elif plan.system == "cmake":
        yield with_words(plan, "configure", "-DCMAKE_C_FLAGS=-Wno-error -DCMAKE_CXX_FLAGS=-Wno-error", why)
    elif plan.system == "meson":
        yield with_words(plan, "configure", "-Dwerror=false", why)
    else:
        command = r"sed -i 's/-Werror\(=[a-z-]*\)\?//g' " + plan.facts.get("makefile", "Makefile")
        yield before(plan, "build", Step(command, "prepare", (), why))


def flags(added: str, why: str) -> Repair:
    """A repair that gives the compiler one more flag."""

    def repair(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
        if added in plan.script:
            return
        if plan.system == "autotools":
            yield with_words(plan, "configure", f"CFLAGS='-g -O2 {added}' CXXFLAGS='-g -O2 {added}'", why, "configure")
        elif plan.system == "cmake":
            yield with_words(plan, "configure", f"-DCMAKE_C_FLAGS={added} -DCMAKE_CXX_FLAGS={added}", why)
        elif plan.system == "meson":
            yield with_words(plan, "configure", f"-Dc_args={added} -Dcpp_args={added}", why)
        elif plan.system == "make":
            yield with_words(plan, "build|install", f"CC='gcc {added}' CXX='g++ {added}'", why, "make")

    return repair


def maths(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    why = "the mathematical library is not linked"
    if plan.system == "autotools":
        yield with_words(plan, "configure", "LIBS=-lm", why, "configure")
    elif plan.system == "make":
        for name in ("LDLIBS", "LIBS", "LDFLAGS"):
            yield with_words(plan, "build|install", f"{name}=-lm", why, "make")
    elif plan.system == "cmake":
        yield with_words(plan, "configure", "-DCMAKE_C_STANDARD_LIBRARIES=-lm", why)


def into_prefix(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    why = f"{failure.what or 'it'} is not below {PREFIX}"
    if plan.system == "autotools":
        yield with_words(plan, "configure", f"--prefix={PREFIX}", why, "configure")
    elif plan.system == "cmake":
        yield with_words(plan, "configure", f"-DCMAKE_INSTALL_PREFIX={PREFIX}", why)
    elif plan.system == "meson":
        yield with_words(plan, "configure", f"--prefix={PREFIX}", why)
    name = plan.facts.get("makefile", "Makefile")
    places = rf"sed -i 's,/usr/\(local/\)\?\(bin\|sbin\|lib\|include\|share\|man\),{PREFIX}/\2,g' {name}"
    if plan.system == "make":
        for word in (f"PREFIX={PREFIX}", f"prefix={PREFIX}"):
            if word not in plan.script:
                yield with_words(plan, "build|install", word, why, "make")
        if "sed -i" not in plan.script:
            yield before(plan, "build", Step(places, "prepare", (), why))
        folder = failure.what.rpartition("/")[0]
        if folder.startswith(PREFIX):
            yield before(
                plan, "install", Step(f"mkdir -p {shlex.quote(folder)}", "prepare", (), f"{folder} is not there yet")
            )


def as_nobody(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    """Owners and the loader's cache are root's business; the rest of an installation is not."""
    why = "only root may do that, and nothing needs it here"
    if plan.system == "make" and "sed -i" not in plan.script:
        name = plan.facts.get("makefile", "Makefile")
        edits = rf"-e 's,[^ ;&]*ldconfig,: ldconfig,g' -e '{OWNERS}' -e 's,\bch\(own\|grp\)\b,: chown,g'"
        yield before(plan, "build", Step(f"sed -i {edits} {name}", "prepare", (), why))
    yield with_words(plan, "install", "-i", why, "make")


def no_check(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    steps = tuple(step for step in plan.steps if not re.search(r"\b(?:check|test)\b", step.command))
    if steps != plan.steps:
        yield replace(plan, steps=steps)
    yield from without_spare_parts(plan, failure, ground)


def without_option(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    option = failure.what.partition("=")[0]
    steps = tuple(
        replace(step, command=" ".join(word for word in step.command.split(" ") if not word.startswith(option)))
        if option and option in step.command
        else step
        for step in plan.steps
    )
    if steps != plan.steps:
        yield replace(plan, steps=steps)


def other_python(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    """The tool that a project wants to be packed with is missing: its older script, or its modules by hand."""
    if plan.system != "python":
        return
    if ground.has(inside(plan.folder, "setup.py")):
        step = Step("python3 setup.py install", "install", (at(inside(plan.folder, "setup.py")),))
        yield replace(plan, steps=(step,))
    start = (
        inside(plan.folder, "src/")
        if any(path.startswith(inside(plan.folder, "src/")) for path in ground.files)
        else inside(plan.folder, "")
    )
    packages = sorted(
        path.removesuffix("/__init__.py")
        for path in ground.files
        if path.endswith("/__init__.py") and path.startswith(start) and path.removeprefix(start).count("/") == 1
    )
    packages = [one for one in packages if not re.search(r"(?:^|/)(?:tests?|docs?|examples?)$", one)]
    if packages:
        place = "$(python3 -c 'import sysconfig; print(sysconfig.get_path(\"purelib\"))')"
        command = f"mkdir -p {place} && cp -R {' '.join(packages)} {place}/"
        yield replace(
            plan,
            steps=(Step(command, "install", (at(f"{packages[0]}/__init__.py"),), "the tool that packs it is missing"),),
        )


def missing_package(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    yield from other_python(plan, failure, ground)
    yield from without_what_is_missing(plan, failure, ground)


def nothing(plan: Plan, failure: Failure, ground: Ground) -> Iterator[Plan]:
    """No class that we know: without spare parts; where nobody installs, the headers alone."""
    yield from without_spare_parts(plan, failure, ground)
    headers = tuple(step for step in plan.steps if f"{PREFIX}/include" in step.command and step.does == "install")
    if headers and headers != plan.steps and not any("make install" in step.command for step in plan.steps):
        yield replace(plan, steps=headers)


REPAIRS: Mapping[str, Repair] = {
    "network": without_spare_parts,
    "stale autotools": regenerate,
    "no configure": make_configure,
    "no install": by_hand,
    "nothing there": by_hand,
    "no rule": without_spare_parts,
    "missing header": without_what_is_missing,
    "missing library": without_what_is_missing,
    "missing package": missing_package,
    "missing tool": without_document_tool,
    "warnings as errors": allow_warnings,
    "wants fPIC": flags("-fPIC", "objects of a shared library must be movable"),
    "common symbols": flags("-fcommon", "older C lets files share a variable"),
    "missing maths": maths,
    "wants root": as_nobody,
    "wrong prefix": into_prefix,
    "tests": no_check,
    "newer language": flags("-std=gnu++14", "it is written in an older C++"),
    "wrong option": without_option,
    "configure failed": nothing,
    "missing symbols": nothing,
    "unknown": nothing,
    "no makefile": nothing,
    "never ended": without_spare_parts,
    "too much": without_spare_parts,
}
