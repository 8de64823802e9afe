"""A sandbox for tests that runs nothing: it answers what it was told to answer and remembers what it was asked."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sayso.core.errors import RunFailed, SandboxFailed
from sayso.core.types import FileSpec, Hear, Layer, Limits, Outcome


@dataclass(frozen=True)
class Asked:
    """One call of `run` or `layer`."""

    script: str
    files: tuple[FileSpec, ...]
    limits: Limits
    layers: tuple[Layer, ...]
    environment: tuple[tuple[str, str], ...] = ()


@dataclass
class ScriptedSandbox:
    """Satisfies `Sandbox`: script → its outcome or the error to raise; `otherwise` answers every other script."""

    answers: Mapping[str, Outcome | SandboxFailed] = field(default_factory=dict)
    otherwise: Outcome | SandboxFailed = field(default_factory=lambda: Outcome(0, b"", b""))
    asked: list[Asked] = field(default_factory=list)

    def run(
        self,
        script: str,
        files: Sequence[FileSpec],
        limits: Limits,
        layers: Sequence[Layer] = (),
        *,
        environment: Mapping[str, str] | None = None,
        hear: Hear | None = None,
    ) -> Outcome:
        self.asked.append(
            Asked(script, tuple(files), limits, tuple(layers), tuple(sorted((environment or {}).items())))
        )
        answer = self.answers.get(script, self.otherwise)
        if isinstance(answer, SandboxFailed):
            raise answer
        if hear:
            hear("stdout", answer.stdout)
            hear("stderr", answer.stderr)
        return answer

    def layer(
        self,
        script: str,
        files: Sequence[FileSpec],
        limits: Limits,
        layers: Sequence[Layer] = (),
        *,
        environment: Mapping[str, str] | None = None,
        hear: Hear | None = None,
        failed: bool = False,
        leave_out: Sequence[str] = (),
    ) -> Layer:
        """A layer whose folder does not exist; its digest differs where the question does."""
        outcome = self.run(script, files, limits, layers, environment=environment, hear=hear)
        if not failed and (outcome.exit_code or outcome.stopped):
            raise RunFailed(f"the script of a layer failed: exit code {outcome.exit_code}")
        facts = (script, files, [layer.digest for layer in layers], sorted((environment or {}).items()))
        digest = hashlib.sha256(repr(facts).encode()).hexdigest()
        return Layer(digest, Path("/nonexistent") / digest, outcome if failed else None)
