"""README-EVAL in small: three packages of ours, four that depend on them, built with the host's gcc and make.

`add` is configured as usual and makes a shared library; `sub` needs it, and installs elsewhere unless it is told to;
`gen` has no configure until its autogen.sh was run. `rotten` never builds, whatever lies below it.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from pathlib import Path
from typing import Any

CONFIGURE = "#!/bin/sh\ncp Makefile.in Makefile\n"
ADD_MAKE = """all: libadd.so
libadd.so: add.c
\tgcc -shared -fPIC -o libadd.so add.c
install: all
\tmkdir -p /usr/local/lib /usr/local/include
\tcp libadd.so /usr/local/lib
\tcp add.h /usr/local/include
"""
SUB_MAKE = """PREFIX = /nowhere
all:
\tgcc -c sub.c
\tar rc libsub.a sub.o
install:
\tmkdir -p $(PREFIX)/lib $(PREFIX)/include
\tcp libsub.a $(PREFIX)/lib
\tcp sub.h $(PREFIX)/include
"""
GEN_MAKE = """all:
install:
\tmkdir -p /usr/local/include
\tcp gen.h /usr/local/include
"""
PACKAGES: dict[str, dict[str, str]] = {
    "add": {
        "configure": CONFIGURE,
        "Makefile.in": ADD_MAKE,
        "add.h": "int add(int, int);\n",
        "add.c": "int add(int a, int b) { return a + b; }\n",
        "README": "Run ./configure, make and make install.\n",
    },
    "sub": {
        "Makefile": SUB_MAKE,
        "sub.h": "int sub(int, int);\n",
        "sub.c": "#include <add.h>\nint sub(int a, int b) { return add(a, -b); }\n",
        "README": "Give PREFIX when you install.\n",
    },
    "gen": {
        "configure.ac": "this is no autoconf",
        "autogen.sh": f"cat > configure <<'END'\n{CONFIGURE}END\nchmod +x configure\n",
        "Makefile.in": GEN_MAKE,
        "gen.h": "#define GEN 7\n",
    },
    "calc": {
        "Makefile": "all:\n\tgcc -o calc main.c -ladd\n\t./calc\n",
        "main.c": "#include <add.h>\nint main(void) { return add(2, 3) != 5; }\n",
    },
    "diff": {
        "Makefile": "all:\n\tgcc -o diff main.c -lsub -ladd\n\t./diff\n",
        "main.c": "#include <sub.h>\nint main(void) { return sub(5, 3) != 2; }\n",
    },
    "seven": {"Makefile": "all:\n\tgcc -c main.c\n", "main.c": "#include <gen.h>\nint seven = GEN;\n"},
    "rotten": {"Makefile": "all:\n\tfalse\n"},
}
GOLD = {
    "add": "./configure\nmake\nmake install",
    "sub": "make\nmake install PREFIX=/usr/local",
    "gen": "sh autogen.sh\n./configure\nmake\nmake install",
}
NEEDS = {"sub": ["add"], "calc": ["add"], "diff": ["sub"], "seven": ["gen"], "rotten": ["add"]}


def write(data: Path) -> None:
    """The set below a data folder, as `eval.json` and tarballs."""
    sources = data / "readme_eval" / "sources"
    sources.mkdir(parents=True)
    sums = {name: pack(sources / f"{name}_1.tar", name, files) for name, files in PACKAGES.items()}
    tests: list[dict[str, Any]] = [
        {
            "name": name, "version": "1", "source_file": f"{name}_1.tar", "sha256": sums[name], "gold_script": script,
            "t_deps": NEEDS.get(name, []),
        }
        for name, script in GOLD.items()
    ]  # fmt: skip
    validation: list[dict[str, Any]] = [
        {
            "name": name, "version": "1", "files": [{"file": f"{name}_1.tar", "sha256": sums[name]}],
            "edges": NEEDS[name], "build_command": "make",
        }
        for name in PACKAGES
        if name not in GOLD
    ]  # fmt: skip
    (data / "readme_eval" / "eval.json").write_text(json.dumps({"T": tests, "V": validation}))


def pack(path: Path, name: str, files: dict[str, str]) -> str:
    """A tarball with one folder at its top; gives its sum."""
    with tarfile.open(path, "w") as archive:
        for file, text in files.items():
            member = tarfile.TarInfo(f"{name}-1/{file}")
            member.size, member.mode = len(text), 0o755 if text.startswith("#!") else 0o644
            archive.addfile(member, io.BytesIO(text.encode()))
    return hashlib.sha256(path.read_bytes()).hexdigest()
