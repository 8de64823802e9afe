"""Languages with package tools of their own: Perl, Python, Rust, Go, Node, Java, Haskell and others, all offline."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence

from sayso.targets.build.planning.plan import PREFIX, Alternative, Ground, Plan, Step, at, entered, inside
from sayso.targets.build.planning.told import Words, first_cause, of_tool, settled_options

Planner = Callable[[Ground, str, Sequence[Words]], Plan]
GIVEN = re.compile(r"(?!PREFIX|INSTALL|LIB=|DESTDIR|INC=|LIBS=)[A-Za-z]\w*=[\w.+-]+|--[\w-]+(?:=[\w.+-]+)?")
"""What Makefile.PL may be told, but for places."""
PIP = "pip3 install --no-index --no-deps --no-build-isolation --break-system-packages ."


def begun(folder: str, file: str) -> list[Step]:
    return [Step(entered(folder), "prepare", (at(file),))] if folder else []


def plan_perl(ground: Ground, folder: str, told: Sequence[Words]) -> Plan:
    """ExtUtils::MakeMaker comes with perl and Module::Build does not: Makefile.PL where there are both."""
    made = ground.has(inside(folder, "Makefile.PL"))
    file = inside(folder, "Makefile.PL" if made else "Build.PL")
    # Since 5.26 perl does not look beside the script, where older ones keep their installer.
    here = "PERL_USE_UNSAFE_INC=1 " if re.search(r"(?m)^[ \t]*(?:use|require)\s+inc::", ground.text(file)) else ""
    name = file.rpartition("/")[2]
    asked = [one for one in of_tool(told, "perl") if name in one.rest]
    offered = ground.text(file)
    given = [one for one in settled_options(asked, GIVEN)[0] if one.partition("=")[0].lstrip("-") in offered]
    calls = ("make", "make install") if made else ("./Build", "./Build install")
    steps = [
        *begun(folder, file),
        Step(" ".join([f"{here}perl {name}", *given]), "configure", first_cause(told, ("perl",), name) or (at(file),)),
        Step(calls[0], "build", first_cause(told, ("make", "Build")) or (at(file),)),
        Step(calls[1], "install", first_cause(told, ("make", "Build"), "install") or (at(file),)),
    ]
    others = (
        [Alternative("perl Build.PL", "Module::Build is no part of perl")]
        if made and ground.has(inside(folder, "Build.PL"))
        else []
    )
    return Plan("perl", folder, tuple(steps), tuple(others), facts={"source": file})


def plan_python(ground: Ground, folder: str, told: Sequence[Words]) -> Plan:
    file = next(path for name in ("pyproject.toml", "setup.py") if ground.has(path := inside(folder, name)))
    cause = first_cause(told, ("pip", "pip3", "python", "python3"), "install") or (at(file),)
    command = told_version(ground, folder) + (PIP if not folder else PIP[:-1] + shlex.quote(f"./{folder}"))
    others: tuple[Alternative, ...] = ()
    if ground.has(inside(folder, "setup.py")):
        others = (Alternative("python3 setup.py install", "pip also writes down what it installed"),)
    return Plan("python", folder, (Step(command, "install", cause),), others, facts={"source": file})


def told_version(ground: Ground, folder: str) -> str:
    """A setting for tools that ask version control for the version, where a source comes without it."""
    if ground.has(inside(folder, "PKG-INFO")) or any(path.endswith(".egg-info/PKG-INFO") for path in ground.files):
        return ""
    texts = "\n".join(ground.text(inside(folder, name)) for name in ("setup.py", "setup.cfg", "pyproject.toml"))
    variable = next((variable for tool, variable in VERSIONED.items() if re.search(tool, texts)), "")
    if not variable:
        return ""
    news = [
        ground.text(path) for path in ground.files if re.fullmatch(r"(?i)(?:change|news|history|release)[\w.-]*", path)
    ]
    numbers = (re.search(r"(?m)^[^\w\n]{0,40}(?:v|version[ \t]+)?(\d+\.\d+(?:\.\d+)*)\b", text) for text in news)
    return f"{variable}={next((found[1] for found in numbers if found), '1.0')} "


VERSIONED = {
    r"\bpbr\b": "PBR_VERSION",
    r"setuptools[-_]scm|hatch-vcs": "SETUPTOOLS_SCM_PRETEND_VERSION",
}


def plan_cargo(ground: Ground, folder: str, told: Sequence[Words]) -> Plan:
    file = inside(folder, "Cargo.toml")
    text = ground.text(file)
    steps = begun(folder, file)
    programs = (
        ground.has(inside(folder, "src/main.rs")) or "[[bin]]" in text or ground.has(inside(folder, "src/bin/main.rs"))
    )
    locked = " --locked" if ground.has(inside(folder, "Cargo.lock")) else ""
    cause = first_cause(told, ("cargo",)) or (at(file),)
    if "cdylib" in text or "staticlib" in text:
        steps.append(Step(f"cargo build --release --offline{locked}", "build", cause))
        copy = f"install -D -t {PREFIX}/lib target/release/*.so target/release/*.a"
        steps.append(Step(f"{copy} 2>/dev/null || {copy.rpartition(' ')[0]}", "install", (at(file),)))
    if programs or not ("cdylib" in text or "staticlib" in text):
        steps.append(Step(f"cargo install --offline{locked} --path . --root {PREFIX}", "install", cause))
    return Plan("cargo", folder, tuple(steps), facts={"source": file})


def plan_go(ground: Ground, folder: str, told: Sequence[Words]) -> Plan:
    file = inside(folder, "go.mod")
    vendored = any(path.startswith(inside(folder, "vendor/")) for path in ground.files)
    flags = "GOFLAGS=-mod=vendor " if vendored else "GOFLAGS=-mod=mod GOPROXY=off "
    cause = first_cause(told, ("go",)) or (at(file),)
    step = Step(f"{flags}GOBIN={PREFIX}/bin go install ./...", "install", cause)
    return Plan("go", folder, (*begun(folder, file), step), facts={"source": file})


def plan_node(ground: Ground, folder: str, told: Sequence[Words]) -> Plan:
    file = inside(folder, "package.json")
    steps = begun(folder, file)
    if re.search(r'"build"\s*:', ground.text(file)):
        steps.append(Step("npm run build", "build", first_cause(told, ("npm", "yarn")) or (at(file),)))
    command = f"npm install --offline --global --prefix {PREFIX} --install-links ."
    steps.append(Step(command, "install", first_cause(told, ("npm", "yarn"), "install") or (at(file),)))
    return Plan("node", folder, tuple(steps), facts={"source": file})


def jar(tool: str, file: str, build: str, made: str) -> Planner:
    def plan(ground: Ground, folder: str, told: Sequence[Words]) -> Plan:
        path = inside(folder, file)
        steps = [
            *begun(folder, path),
            Step(build, "build", first_cause(told, (tool, f"{tool}w")) or (at(path),)),
            Step(f"install -D -m 644 -t {PREFIX}/share/java {made}", "install", (at(path),)),
        ]
        return Plan(tool, folder, tuple(steps), facts={"source": path})

    return plan


def plan_cabal(ground: Ground, folder: str, told: Sequence[Words]) -> Plan:
    file = next((path for path in ground.below(folder) if path.endswith(".cabal")), inside(folder, "Setup.hs"))
    setup = next((name for name in ("Setup.hs", "Setup.lhs") if ground.has(inside(folder, name))), "")
    cause = first_cause(told, ("cabal", "runhaskell", "runghc")) or (at(file),)
    steps = begun(folder, file)
    others: tuple[Alternative, ...] = ()
    if not setup:
        # What cabal does itself where there is none; cabal asks for an index of packages, which offline nobody has.
        setup = "Setup.hs"
        steps.append(Step(f"echo 'import Distribution.Simple; main = defaultMain' >{setup}", "prepare", (at(file),)))
        others = (Alternative("cabal install", "it wants an index of packages from the network"),)
    for does in ("configure", "build", "install"):
        place = f" --prefix={PREFIX}" if does == "configure" else ""
        steps.append(Step(f"runhaskell {setup} {does}{place}", does, cause))
    return Plan("cabal", folder, tuple(steps), others, facts={"source": file})


def simple(system: str, tools: tuple[str, ...], *commands: tuple[str, str]) -> Planner:
    """A system that is always called in the same way."""

    def plan(ground: Ground, folder: str, told: Sequence[Words]) -> Plan:
        cause = first_cause(told, tools) or (at(inside(folder, "")),)
        steps = [Step(command, does, cause) for command, does in commands]
        return Plan(system, folder, (*begun(folder, inside(folder, "")), *steps))

    return plan


LANGUAGES: Mapping[str, Planner] = {
    "perl": plan_perl,
    "python": plan_python,
    "cargo": plan_cargo,
    "go": plan_go,
    "node": plan_node,
    "maven": jar("mvn", "pom.xml", "mvn -o -DskipTests package", "target/*.jar"),
    "gradle": jar("gradle", "build.gradle", "gradle --offline assemble", "build/libs/*.jar"),
    "ant": jar("ant", "build.xml", "ant jar", "$(find . -name '*.jar' -newer build.xml)"),
    "cabal": plan_cabal,
    "ocaml": simple(
        "ocaml", ("dune",), ("dune build --release", "build"), (f"dune install --prefix {PREFIX}", "install")
    ),
    "scons": simple(
        "scons", ("scons",), ("scons", "build"), (f"scons install prefix={PREFIX} PREFIX={PREFIX}", "install")
    ),
    "waf": simple(
        "waf",
        ("waf",),
        (f"./waf configure --prefix={PREFIX}", "configure"),
        ("./waf build", "build"),
        ("./waf install", "install"),
    ),
    "qmake": simple(
        "qmake", ("qmake",), (f"qmake PREFIX={PREFIX}", "configure"), ("make", "build"), ("make install", "install")
    ),
    "ruby": simple(
        "ruby",
        ("gem", "rake"),
        ("gem build *.gemspec", "build"),
        (f"gem install --local --install-dir {PREFIX}/share/gems *.gem", "install"),
    ),
}
