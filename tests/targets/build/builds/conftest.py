"""Tiny packages of our own and a builder over the host's gcc and make, shared by all tests of the folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from sayso.core.errors import SandboxFailed
from sayso.core.types import Limits
from sayso.sandbox import open_sandbox
from sayso.targets.build.builds.builder import Builder
from sayso.targets.build.builds.source import Kind, Source, read_folder

SMALL = Limits(cpu_seconds=10, wall_seconds=60, memory_mb=512, disk_mb=32, processes=64)
Package = Callable[..., Source]

LIBRARY = {
    "greet.c": "int greet(void) { return 7; }\n",
    "greet.h": "int greet(void);\n",
    "Makefile": (
        "libgreet.so: greet.c\n\t$(CC) -shared -fPIC -o $@ $<\n"
        "install: libgreet.so\n\tinstall -D libgreet.so /usr/local/lib/libgreet.so\n"
        "\tinstall -D -m 644 greet.h /usr/local/include/greet.h\n"
    ),
}
PROGRAM = {
    "use.c": "#include <greet.h>\nint main(void) { return greet() - 7; }\n",
    "Makefile": "check: use.c\n\t$(CC) -o use use.c -L/usr/local/lib -lgreet\n\t./use\n",
}


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a machine on which a sandbox works."""
    folder = tmp_path_factory.mktemp("builds")
    try:
        open_sandbox(folder)
    except SandboxFailed as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"{error.message}: {error.hint}")
    return folder


@pytest.fixture(scope="session")
def builder(cache: Path) -> Builder:
    return Builder(cache)


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """package({"Makefile": "…"}): a source folder with these files."""

    def make(files: Mapping[str, str], name: str = "package", kind: Kind = "upstream") -> Source:
        folder = tmp_path_factory.mktemp(name)
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        return read_folder(name, "1.0", folder, kind)

    return make


@pytest.fixture(scope="session")
def library(package: Package) -> Source:
    return package(LIBRARY, "greet")


@pytest.fixture(scope="session")
def program(package: Package) -> Source:
    return package(PROGRAM, "use")
