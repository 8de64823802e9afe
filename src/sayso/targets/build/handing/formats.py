"""A plan in other people's forms: a shell script, a Dockerfile, Debian's folder, a spec file, an SBOM, a workflow.

Each is text that a real reader of that form takes; what they need is named by Debian's packages.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Mapping

from sayso.targets.build.handing.answer import Answer, packages
from sayso.targets.build.handing.machine import PROVIDED, programs_of
from sayso.targets.build.planning.plan import PREFIX
from sayso.targets.build.planning.plan import place as shown

IMAGE = "debian:bookworm-slim"
SAFE = re.compile(r"[^\w.+~-]+")


def needed(answer: Answer) -> list[str]:
    """Debian packages to build it with: tools of the plan, then what was found."""
    tools = [word for one in programs_of(answer) for word in PROVIDED.get(one, "").split()]
    return list(dict.fromkeys([*tools, *packages(answer.depends, "build")]))


def comment(answer: Answer, number: int) -> str:
    step = answer.plan.steps[number]
    parts = [shown(step.cause)] if step.cause else []
    parts += [step.why] if step.why else []
    return one_line("; ".join(parts))


def as_sh(answer: Answer) -> str:
    lines = ["#!/bin/sh", f"# Builds {one_line(answer.name)} and installs it below {PREFIX}.", "set -e"]
    for number, step in enumerate(answer.plan.steps):
        if said := comment(answer, number):
            lines.append(f"# {said}")
        lines.append(step.command)
    return "\n".join(lines) + "\n"


def as_dockerfile(answer: Answer) -> str:
    build = " ".join(needed(answer))
    run = " ".join(packages(answer.depends, "run"))
    # `cd` lasts within one RUN, so the script is one.
    steps = " \\\n && ".join(grouped(step.command) for step in answer.plan.steps) or "true"
    first = f"RUN apt-get update && apt-get install -y --no-install-recommends {build or 'build-essential'}"
    lines = [f"FROM {IMAGE} AS build", first, "WORKDIR /src", "COPY . .", f"RUN {steps}", "", f"FROM {IMAGE}"]
    if run:
        lines.append(f"RUN apt-get update && apt-get install -y --no-install-recommends {run}")
    lines += [f"COPY --from=build {PREFIX} {PREFIX}", "RUN ldconfig"]
    return "\n".join(lines) + "\n"


def grouped(command: str) -> str:
    return f"({command})" if "||" in command else command


def as_debian(answer: Answer) -> str:
    """debian/control and debian/rules, each under a line that names it."""
    name = debian_name(answer.name)
    build = ["debhelper-compat (= 13)", *needed(answer)]
    about = answer.about
    summary = one_line(about.summary) or f"{name}, built from source"
    depends = ["${misc:Depends}", "${shlibs:Depends}", *packages(answer.depends, "run")]
    control = [
        f"Source: {name}",
        "Section: misc",
        "Priority: optional",
        "Maintainer: Nobody <nobody@localhost>",
        "Build-Depends: " + ",\n ".join(build),
        "Standards-Version: 4.6.2",
        *([f"Homepage: {one_line(about.url)}"] if about.url else []),
        "",
        f"Package: {name}",
        "Architecture: any",
        "Depends: " + ",\n ".join(depends),
        f"Description: {summary[:76]}",
        f" {one_line(about.summary) or 'It was packed from the steps of its own documents.'}",
    ]
    body = " && ".join(grouped(moved(step.command.replace("$", "$$"))) for step in answer.plan.steps) or "true"
    rules = ["#!/usr/bin/make -f", "%:", "\tdh $@", "", "override_dh_auto_configure:", "", "override_dh_auto_test:", ""]
    rules += ["override_dh_auto_build:", "", "override_dh_auto_install:", f"\t{body}"]
    return "# debian/control\n" + "\n".join(control) + "\n\n# debian/rules\n" + "\n".join(rules) + "\n"


def moved(command: str, root: str = "$(CURDIR)/debian/tmp") -> str:
    """A step that installs into a package's own tree: by DESTDIR where the tool knows it, else by its path."""
    if re.search(r"\b(?:make|ninja)\b.*\binstall\b", command):
        return f"DESTDIR={root} {command}" if command.startswith("ninja") else f"{command} DESTDIR={root}"
    if re.search(r"\bcmake --install\b", command):
        return f"DESTDIR={root} {command}"
    if re.search(r"\bpip3? install\b|\bsetup\.py install\b", command):
        return f"{command} --root={root}"
    if re.match(r"(?:\w+=\S+ )*(?:install|mkdir|cp|cargo|go|npm|dune|cabal|gem)\b", command):
        return re.sub(rf"(?<=[ =]){PREFIX}", lambda _: f"{root}{PREFIX}", command)
    return command


def debian_name(name: str) -> str:
    """ "Foo_Bar" -> "foo-bar": two characters at least, of those that Debian allows."""
    plain = re.sub(r"[^a-z0-9+.-]+", "-", name.lower()).strip("-+.")
    return plain if len(plain) > 1 else f"source-{plain or 'x'}"


def as_rpm(answer: Answer) -> str:
    about = answer.about
    build = "\n".join(f"BuildRequires: {one}" for one in needed(answer))
    run = "\n".join(f"Requires: {one}" for one in packages(answer.depends, "run"))
    does = {"install": [], "build": []}  # type: dict[str, list[str]]
    for step in answer.plan.steps:
        does["install" if step.does == "install" else "build"].append(step.command)
    folders = [step.command for step in answer.plan.steps if step.command.startswith("cd ")]
    install = [moved(command, "%{buildroot}") for command in does["install"]]
    name = SAFE.sub("-", answer.name) or "source"
    lines = [
        f"Name: {name}",
        f"Version: {re.sub(r'[^A-Za-z0-9.+~_^]', '.', about.version) or '0'}",
        "Release: 1",
        f"Summary: {literal(about.summary) or f'{name}, built from source'}",
        f"License: {literal(about.licence) or 'unknown'}",
        *([f"URL: {literal(about.url)}"] if about.url else []),
        f"Source0: {name}.tar.gz",
        *([build] if build else []),
        *([run] if run else []),
        "",
        "%description",
        literal(about.summary) or f"{name}, built as its own documents say.",
        "",
        "%prep",
        "%setup -q",
        "",
        "%build",
        *(command.replace("%", "%%") for command in does["build"]),
        "",
        "%install",
        *(command.replace("%", "%%") for command in folders[-1:]),
        *(command.replace("%", "%%").replace("%%{buildroot}", "%{buildroot}") for command in install),
        "",
        "%files",
        f"{PREFIX}/*",
    ]
    return "\n".join(lines) + "\n"


def as_cyclonedx(answer: Answer) -> str:
    about = answer.about
    name = one_line(answer.name) or "source"
    main: dict[str, object] = {"type": "application", "bom-ref": name, "name": name, "version": about.version or "0"}
    if about.licence:
        main["licenses"] = [{"license": {"name": about.licence}}]
    components, refs = [], []
    for one in answer.depends:
        called = one.package or one.name
        ref = f"pkg:deb/debian/{called}" if one.package else f"{one.kind}:{one.name}"
        if ref in refs or not called:
            continue
        refs.append(ref)
        component: dict[str, object] = {
            "type": "library",
            "bom-ref": ref,
            "name": called,
            "scope": "required" if one.label == "run" else "excluded",
            "properties": [
                {"name": "sayso:evidence", "value": shown(one.evidence) or "the tree"},
                {"name": "sayso:label", "value": one.label},
            ],
        }
        if one.package:
            component["purl"] = ref
        components.append(component)
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name + about.version)}",
        "version": 1,
        "metadata": {"component": main, "tools": {"components": [{"type": "application", "name": "sayso"}]}},
        "components": components,
        "dependencies": [{"ref": name, "dependsOn": refs}],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def as_github_actions(answer: Answer) -> str:
    wanted = needed(answer)
    lines = ["name: build", "on: [push, pull_request]", "jobs:", "  build:", "    runs-on: ubuntu-latest", "    steps:"]
    lines.append("      - uses: actions/checkout@v4")
    if wanted:
        lines += ["      - name: what it is built with", "        run: |"]
        lines += ["          sudo apt-get update", f"          sudo apt-get install -y {' '.join(wanted)}"]
    lines += ["      - name: build and install", "        run: |", '          sudo chown -R "$USER" /usr/local']
    for number, step in enumerate(answer.plan.steps):
        if said := comment(answer, number):
            lines.append(f"          # {unexpanded(said)}")
        lines.append(f"          {unexpanded(step.command)}")
    return "\n".join(lines) + "\n"


def unexpanded(text: str) -> str:
    """Actions replace `${{ … }}` before any shell sees it, in comments too."""
    return text.replace("${{", "${{ '${{' }}")


def literal(text: str) -> str:
    """One line of a spec file: rpm runs what stands in `%(…)` when it only reads the file."""
    return one_line(text).replace("%", "%%")


def one_line(text: str) -> str:
    return "".join(char for char in " ".join(text.split()) if char.isprintable())[:200]


FORMATS: Mapping[str, Callable[[Answer], str]] = {
    "sh": as_sh,
    "dockerfile": as_dockerfile,
    "debian": as_debian,
    "rpm": as_rpm,
    "cyclonedx": as_cyclonedx,
    "github-actions": as_github_actions,
}
