"""Which files of a tree hold instructions for building from source (§5, stage 1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sayso.learners.linear import logistic
from sayso.targets.build.reading.commands import commands_of, is_command
from sayso.targets.build.reading.markup import read_lines
from sayso.targets.build.reading.tree import SourceTree

THRESHOLD, LIKELY = 0.5, 0.2
NAMED = re.compile(r"(?:^|/)(?:read|install|build|compil|hack|contrib|getting|quick)[^/]*$", re.I)
BUILD_FILE = re.compile(
    r"(?:^|/)(?:configure|autogen|bootstrap|(?:gnu)?makefile|cmakelists|meson|build\.pl|cpanfile|setup\.|pyproject|build\.xml"
    r"|pom\.xml|sconstruct|wscript|go\.mod|cargo|package\.json|rakefile|dune|opam|.*\.(?:pro|cabal|gemspec|ac|am|in|m4|gradle|nix|opam))",
    re.I,
)


@dataclass(frozen=True)
class RankedDocument:
    """`score` is how likely it is, from 0 to 1, that the document says how to build."""

    path: str
    score: float


def documents_of(tree: SourceTree) -> list[str]:
    """The texts that are prose, not files of a build."""
    return [path for path in tree.texts if not BUILD_FILE.search(path)]


def rank_documents(tree: SourceTree) -> list[RankedDocument]:
    """Best first."""
    ranked = [RankedDocument(path, score_of(path, tree.texts[path])) for path in documents_of(tree)]
    return sorted(ranked, key=lambda one: (-one.score, one.path.count("/"), one.path))


def score_of(path: str, text: str) -> float:
    commands = sum(any(map(is_command, commands_of(line))) for line in read_lines(text))
    return logistic(min(commands, 6) / 1.5 + (1.0 if NAMED.search(path) else -2.0) - 1.5)
