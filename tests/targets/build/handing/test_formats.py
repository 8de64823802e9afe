"""Every form of a plan, read by a real reader of that form."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest
import yaml
from benchmarks.build_projects import PROJECTS

from sayso.targets.build.corpus.deb822 import read_paragraphs, read_relations
from sayso.targets.build.corpus.spec import parse_spec
from sayso.targets.build.handing import FORMATS, Answer, missing_here
from sayso.targets.build.handing.answer import read_given
from sayso.targets.build.handing.given import Given
from sayso.targets.build.handing.machine import programs_of

NAMES = (
    "plain-make",
    "make-places",
    "make-no-install",
    "cmake-library",
    "autotools-source",
    "two-libraries",
    "python-pure",
)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    top, found = tmp_path_factory.mktemp("projects"), {}
    for name in NAMES:
        for path, text in PROJECTS[name].items():
            (top / name / path).parent.mkdir(parents=True, exist_ok=True)
            (top / name / path).write_text(text)
        found[name] = read_given(Given(name, top / name))
    return found


def shell(text: str, path: Path) -> None:
    path.write_text(text)
    done = subprocess.run(["bash", "-n", str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


WORDS = {"FROM", "RUN", "WORKDIR", "COPY", "ENV", "ARG", "USER", "CMD", "ENTRYPOINT", "LABEL"}


def dockerfile(text: str, path: Path) -> None:
    """By the grammar of the reference: an instruction a line, continued by a backslash; the first is FROM."""
    lines = re.sub(r"\\\n", " ", text).splitlines()
    found = [line.split(None, 1) for line in lines if line.strip() and not line.startswith("#")]
    assert all(len(one) == 2 and one[0] in WORDS for one in found) and found[0][0] == "FROM"
    stages = [one[1].split()[2] for one in found if one[0] == "FROM" and " AS " in one[1]]
    for word, rest in found:
        if word == "RUN":
            shell(rest, path)
        if word == "COPY" and rest.startswith("--from="):
            assert rest.split()[0].removeprefix("--from=") in stages and len(rest.split()) == 3


def debian(text: str, path: Path) -> None:
    control, rules = text.removeprefix("# debian/control\n").split("# debian/rules\n")
    source, binary = read_paragraphs(control.splitlines(keepends=True))
    assert (
        read_relations(source["build-depends"])[0].name == "debhelper-compat" and binary["package"] == source["source"]
    )
    (path.parent / "control").write_text(control)
    perl = "use Dpkg::Control::Info; my $c = Dpkg::Control::Info->new($ARGV[0]); print $c->get_source->{Source}"
    if shutil.which("dpkg-source"):
        done = subprocess.run(["perl", "-e", perl, str(path.parent / "control")], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, source["source"]), done.stderr
    (path.parent / "rules").write_text(rules)
    shown = ["make", "-n", "-f", str(path.parent / "rules"), "override_dh_auto_install"]
    done = subprocess.run(shown, capture_output=True, text=True, cwd=path.parent)
    assert done.returncode == 0 and done.stdout.strip(), done.stderr
    shell(done.stdout, path)


def rpm(text: str, path: Path) -> None:
    package = parse_spec(text, "a.spec")
    assert package.name and package.version and package.licence and "install" in package.scripts
    for script in package.scripts.values():
        shell(script.replace("%setup -q", ":"), path)
    if shutil.which("rpmspec"):
        path.write_text(text)
        done = subprocess.run(["rpmspec", "--parse", str(path)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


# What CycloneDX 1.5 asks of the parts that we write, from its published schema.
COMPONENT = {
    "type": "object",
    "required": ["type", "name"],
    "additionalProperties": False,
    "properties": {
        "type": {"enum": ["application", "framework", "library", "container", "platform", "operating-system", "file"]},
        "bom-ref": {"type": "string", "minLength": 1},
        "name": {"type": "string"},
        "version": {"type": "string"},
        "scope": {"enum": ["required", "optional", "excluded"]},
        "purl": {"type": "string", "pattern": "^pkg:deb/debian/[a-z0-9+.-]+$"},
        "licenses": {"type": "array", "items": {"type": "object", "required": ["license"]}},
        "properties": {
            "type": "array",
            "items": {"type": "object", "properties": {"name": {"type": "string"}, "value": {"type": "string"}}},
        },
    },
}
CYCLONEDX = {
    "type": "object",
    "required": ["bomFormat", "specVersion"],
    "additionalProperties": False,
    "properties": {
        "bomFormat": {"const": "CycloneDX"},
        "specVersion": {"const": "1.5"},
        "serialNumber": {"pattern": "^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"},
        "version": {"type": "integer", "minimum": 1},
        "metadata": {"type": "object", "properties": {"component": COMPONENT, "tools": {"type": "object"}}},
        "components": {"type": "array", "uniqueItems": True, "items": COMPONENT},
        "dependencies": {"type": "array", "items": {"type": "object", "required": ["ref"]}},
    },
}


def cyclonedx(text: str, path: Path) -> None:
    document = json.loads(text)
    jsonschema.validate(document, CYCLONEDX)
    refs = [one["bom-ref"] for one in document["components"]]
    assert len(set(refs)) == len(refs) and document["dependencies"][0]["dependsOn"] == refs


def github_actions(text: str, path: Path) -> None:
    document = yaml.safe_load(text)
    assert document[True] == ["push", "pull_request"]  # YAML 1.1 reads `on` so
    job = document["jobs"]["build"]
    assert job["runs-on"] and all(("uses" in step) != ("run" in step) for step in job["steps"])
    for step in job["steps"]:
        if "run" in step:
            shell(step["run"], path)


READERS: dict[str, Callable[[str, Path], None]] = {
    "sh": shell,
    "dockerfile": dockerfile,
    "debian": debian,
    "rpm": rpm,
    "cyclonedx": cyclonedx,
    "github-actions": github_actions,
}


@pytest.mark.parametrize("form", FORMATS)
def test_a_reader_of_the_form_takes_it(form: str, answers: dict[str, Answer], tmp_path: Path) -> None:
    for answer in answers.values():
        READERS[form](FORMATS[form](answer), tmp_path / "text")


def test_a_script_names_the_line_behind_each_step(answers: dict[str, Answer]) -> None:
    lines = FORMATS["sh"](answers["make-places"]).splitlines()
    assert lines[lines.index("make install BINDIR=/usr/local/bin MANDIR=/usr/local/share/man/man1") - 1].startswith(
        "# README.md:5"
    )


def test_what_a_machine_lacks_is_one_line_that_installs(answers: dict[str, Answer]) -> None:
    answer = answers["autotools-source"]
    bare = missing_here(answer, which=lambda name: None, installed=())
    assert set(bare.programs) == {"autoreconf", "make", "gcc"} == set(programs_of(answer))
    assert bare.install.startswith("sudo apt-get install ") and "automake" in bare.install
    full = missing_here(
        answer, which=lambda name: f"/usr/bin/{name}", installed=(one.package or "" for one in answer.depends)
    )
    assert full.install == ""
