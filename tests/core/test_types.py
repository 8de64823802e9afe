"""The nouns travel: what goes to a worker must pickle, and core stands on the standard library alone."""

from __future__ import annotations

import pickle
import subprocess
import sys

from sayso.core.types import Candidate, Example, FileSpec, Limits, Outcome, Piece, Request


def test_values_survive_a_trip_to_a_worker() -> None:
    values = (
        Example("a:1", Request("list files", (Piece("code", "x = 1"),)), ("ls",), {"line": "1"}),
        Candidate("ls", 0.5, ("known request",)),
        Outcome(0, b"out", b"", cpu_seconds=0.1),
        FileSpec("a\nb", b"\x00"),
        Limits(),
    )
    assert pickle.loads(pickle.dumps(values)) == values


def test_core_imports_only_the_standard_library() -> None:
    code = (
        "import sys, sayso.core.types, sayso.core.errors\n"
        "outside = {m.split('.')[0] for m in sys.modules} - set(sys.stdlib_module_names) - {'sayso', '__main__'}\n"
        "print(sorted(m for m in outside if not m.startswith('_')))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0]={sys.path!r}\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
