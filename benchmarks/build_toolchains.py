"""A small project of ours for each kind of toolchain, built and installed by its first script, offline, in the sandbox.

`python -m benchmarks.build_toolchains [--packages FILE] [--json]`: with the programs of this machine that the sandbox
shows, or on a base system of the packages in FILE (NAME=VERSION a line; `benchmarks/toolchains.txt` has those that most
of these need). What a project needs and is not there is told as the reason why it was not built.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.build_projects import PROJECTS, Project, is_program
from sayso.apps import settings
from sayso.targets.build.builds.builder import Builder
from sayso.targets.build.builds.job import Job
from sayso.targets.build.builds.root import make_root
from sayso.targets.build.builds.source import read_folder
from sayso.targets.build.planning.planner import make_plan
from sayso.targets.build.planning.survey import survey_folder
from sayso.targets.build.trying.failures import read_failure
from sayso.targets.build.trying.sandboxed import run_in

POM = (
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>a</groupId>'
    "<artifactId>adder</artifactId><version>1.0</version></project>\n"
)
JAVA = "package adder;\npublic class Adder {\n  public static int add(int a, int b) { return a + b; }\n}\n"


@dataclass(frozen=True)
class Kind:
    """`tools` must be there for it; `leaves` is a piece of the path of a file that it must install."""

    files: Project
    tools: tuple[str, ...]
    leaves: str


KINDS: dict[str, Kind] = {
    "make": Kind(PROJECTS["plain-make"], ("make", "gcc"), "/lib/libadd.a"),
    "autotools": Kind(PROJECTS["autotools-source"], ("autoreconf", "make", "gcc"), "/pkgconfig/adder.pc"),
    "cmake": Kind(PROJECTS["cmake-library"], ("cmake", "make", "gcc"), "/include/add.h"),
    "meson": Kind(PROJECTS["meson-library"], ("meson", "ninja", "gcc"), "/include/add.h"),
    "perl": Kind(PROJECTS["perl-module"], ("perl", "make"), "Adder.pm"),
    "python-setup": Kind(PROJECTS["python-pure"], ("pip3", "python3"), "adderpy/__init__.py"),
    "python-pyproject": Kind(
        {
            "README.md": "# adder\n\n    pip install .\n",
            "pyproject.toml": '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
            '[project]\nname = "adderpy"\nversion = "1.0"\n[tool.setuptools]\npackages = ["adderpy"]\n',
            "adderpy/__init__.py": "def add(a, b):\n    return a + b\n",
        },
        ("pip3", "python3"),
        "adderpy/__init__.py",
    ),
    "cargo": Kind(
        {
            "README.md": "# adder\n\n    cargo install --path .\n",
            "Cargo.toml": '[package]\nname = "adder"\nversion = "1.0.0"\nedition = "2021"\n',
            "src/main.rs": 'fn main() {\n    println!("{}", 1 + 2);\n}\n',
        },
        ("cargo", "rustc"),
        "/bin/adder",
    ),
    "cargo-library": Kind(
        {
            "README.md": "# adder\n\n`cargo build --release` makes a C library.\n",
            "Cargo.toml": '[package]\nname = "adder"\nversion = "1.0.0"\nedition = "2021"\n'
            '[lib]\ncrate-type = ["cdylib"]\n',
            "src/lib.rs": '#[no_mangle]\npub extern "C" fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n',
        },
        ("cargo", "rustc"),
        "/lib/libadder.so",
    ),
    "go": Kind(
        {
            "README.md": "# adder\n\n    go install ./cmd/adder\n",
            "go.mod": "module example.org/adder\n\ngo 1.19\n",
            "cmd/adder/main.go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println(1 + 2)\n}\n',
        },
        ("go",),
        "/bin/adder",
    ),
    "node": Kind(
        {
            "README.md": "# adder\n\n    npm install -g .\n",
            "package.json": '{"name": "adder", "version": "1.0.0", "bin": {"adder": "adder.js"}}\n',
            "adder.js": "#!/usr/bin/env node\nconsole.log(1 + 2);\n",
        },
        ("node", "npm"),
        "/lib/node_modules/adder/adder.js",
    ),
    "ant": Kind(
        {
            "README.md": "# adder\n\n    ant jar\n",
            "build.xml": '<project name="adder" default="jar">\n<target name="jar"><mkdir dir="out"/>\n'
            '<javac srcdir="src" destdir="out" includeantruntime="false"/>\n'
            '<jar destfile="adder.jar" basedir="out"/></target>\n</project>\n',
            "src/adder/Adder.java": JAVA,
        },
        ("ant", "javac"),
        "/share/java/adder.jar",
    ),
    "maven": Kind(
        {"README.md": "# adder\n\n    mvn package\n", "pom.xml": POM, "src/main/java/adder/Adder.java": JAVA},
        ("mvn", "javac"),
        "/share/java/adder",
    ),
    "gradle": Kind(
        {
            "README.md": "# adder\n\n    gradle assemble\n",
            "build.gradle": "apply plugin: 'java'\n",
            "settings.gradle": "rootProject.name = 'adder'\n",
            "src/main/java/adder/Adder.java": JAVA,
        },
        ("gradle", "javac"),
        "/share/java/adder.jar",
    ),
    "haskell-setup": Kind(
        {
            "README.md": "# adder\n\n    runhaskell Setup.hs configure\n    runhaskell Setup.hs build\n",
            "adder.cabal": "name: adder\nversion: 1.0\nbuild-type: Simple\ncabal-version: >= 1.10\n"
            "executable adder\n  main-is: Main.hs\n  build-depends: base\n  default-language: Haskell2010\n",
            "Setup.hs": "import Distribution.Simple\nmain = defaultMain\n",
            "Main.hs": "main :: IO ()\nmain = print (1 + 2 :: Int)\n",
        },
        ("runhaskell",),
        "/bin/adder",
    ),
    "haskell-cabal": Kind(
        {
            "README.md": "# adder\n\n    cabal install\n",
            "adder.cabal": "cabal-version: 2.4\nname: adder\nversion: 1.0\n"
            "executable adder\n  main-is: Main.hs\n  build-depends: base\n  default-language: Haskell2010\n",
            "Main.hs": "main :: IO ()\nmain = print (1 + 2 :: Int)\n",
        },
        ("cabal", "ghc"),
        "/bin/adder",
    ),
    "scons": Kind(
        {
            "README.md": "# adder\n\n    scons\n    scons install\n",
            "SConstruct": "prefix = ARGUMENTS.get('prefix', '/usr')\nenv = Environment()\n"
            "tool = env.Program('adder', 'main.c')\nenv.Alias('install', env.Install(prefix + '/bin', tool))\n",
            "main.c": "int main(void) { return 0; }\n",
        },
        ("scons", "gcc"),
        "/bin/adder",
    ),
    "ruby": Kind(
        {
            "README.md": "# adder\n\n    gem build adder.gemspec\n    gem install adder-1.0.gem\n",
            "adder.gemspec": "Gem::Specification.new do |s|\n  s.name = 'adder'\n  s.version = '1.0'\n"
            "  s.summary = 'adds'\n  s.authors = ['a']\n  s.files = ['lib/adder.rb']\nend\n",
            "lib/adder.rb": "def add(a, b) = a + b\n",
        },
        ("gem", "ruby"),
        "/lib/adder.rb",
    ),
    "below": Kind(PROJECTS["below"], ("make", "gcc"), "/lib/libadd.a"),
    "side by side": Kind(PROJECTS["two-libraries"], ("make", "gcc"), "/lib/libtwo.a"),
}


@dataclass(frozen=True)
class Result:
    kind: str
    outcome: str
    """"built", "failed" or "not built"."""
    why: str = ""
    script: str = ""


def written(folder: Path, files: Project) -> Path:
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        place.chmod(0o755 if is_program(text) else 0o644)
    return folder


def tools_there(builder: Builder, folder: Path) -> frozenset[str]:
    """Programs of all kinds that a build would find: asked inside the sandbox, where nobody's home is."""
    tools = sorted({tool for kind in KINDS.values() for tool in kind.tools})
    places = "for tool in " + " ".join(tools) + '; do command -v $tool >/dev/null && : >"/usr/local/$tool"; done; :'
    left = builder.left_by(Job(read_folder("tools", "1", written(folder, {"x": ""})), places))
    return frozenset(path.rpartition("/")[2] for path in left)


def results(builder: Builder, only: Sequence[str] = ()) -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as made:
        there = tools_there(builder, Path(made) / "tools")
        for name, kind in KINDS.items():
            if not only or name in only:
                yield result(builder, Path(made) / "each" / name, name, kind, there)


def result(builder: Builder, folder: Path, name: str, kind: Kind, there: frozenset[str]) -> Result:
    top = written(folder, kind.files)
    plan = make_plan(survey_folder(top).ground)
    if absent := [tool for tool in kind.tools if tool not in there]:
        return Result(name, "not built", f"{' and '.join(absent)} not there", plan.script)
    ended = run_in(builder, read_folder(name.replace(" ", "-"), "1", top))(plan.script)
    if ended.succeeded and any(kind.leaves in path for path in ended.installed):
        return Result(name, "built", "", plan.script)
    failure = read_failure(ended.log, ended.stopped)
    return Result(name, "failed", f"{failure.kind}: {failure.line or 'nothing of it was installed'}"[:200], plan.script)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.build_toolchains", description=__doc__)
    parser.add_argument(
        "--packages", type=Path, help="build on a base system of these, and not with the host's programs"
    )
    parser.add_argument("--only", action="append", default=[], help="only these")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    cache = settings.workspace().cache
    builder = Builder(cache, make_root(args.packages, cache) if args.packages else None)
    found = list(results(builder, args.only))
    for one in found:
        print(json.dumps(asdict(one)) if args.json else f"{one.kind:18} {one.outcome:10} {one.why}")
    print(f"{sum(one.outcome == 'built' for one in found)} of {len(found)} built", file=sys.stderr)
    return 1 if any(one.outcome == "failed" for one in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
