"""Which files of a tree hold instructions for building from source (§5, stage 1): one linear model over a document.

Three of them, as with taggers of lines: `weak`, `hand`, and `both`, which knows what `weak` thinks. `default` is
`hand`, with a second look at what it doubts: whether the tagger of lines finds steps there.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sayso.learners.linear import logistic
from sayso.targets.build.reading.line_features import CUES, document_name, topics, verb_of
from sayso.targets.build.reading.markup import Line, read_lines
from sayso.targets.build.reading.tagger import step_chances
from sayso.targets.build.reading.tree import SourceTree

WEIGHTS = Path(__file__).parent.parent / "data" / "documents.json.gz"
THRESHOLD, LIKELY = 0.45, 0.15
DOUBTED, SEEN = 0.02, 0.7
"""A document below the one is not looked at again; two lines that are surely steps are worth the other."""
MOST_LINES = 1500
BUILD_FILE = re.compile(
    r"(?:^|/)(?:configure|autogen|bootstrap|(?:gnu)?makefile|cmakelists|meson|build\.pl|cpanfile|setup\.|pyproject|build\.xml"
    r"|pom\.xml|sconstruct|wscript|go\.mod|cargo|package\.json|rakefile|dune|opam"
    r"|.*\.(?:pro|cabal|gemspec|ac|am|in|m4|gradle|nix|opam)$)",
    re.I,
)
OTHER_NAMES = re.compile(
    r"copy|licen[cs]e|author|change|news|todo|thank|credit|history|maintain|about-nls|bugs|faq|secur|conduct", re.I
)
ABOUT = frozenset({"if inside", "require", "order", "to build", "package manager", "registry", "option", "past", "see"})


@dataclass(frozen=True)
class RankedDocument:
    """`score` is how likely it is, from 0 to 1, that the document says how to build."""

    path: str
    score: float


def documents_of(tree: SourceTree) -> list[str]:
    """The texts that are prose, not files of a build."""
    return [path for path in tree.texts if not BUILD_FILE.search(path)]


def rank_documents(tree: SourceTree, model: str = "default") -> list[RankedDocument]:
    """Best first."""
    ranked = [RankedDocument(path, score_of(path, tree.texts[path], model)) for path in documents_of(tree)]
    return sorted(ranked, key=lambda one: (-one.score, one.path.count("/"), one.path))


def score_of(path: str, text: str, model: str = "default") -> float:
    weights = read_weights(WEIGHTS)
    lines = read_lines(text)[:MOST_LINES]
    features = document_features(path, lines)
    if model != "default":
        return scored(with_weak(features, weights["weak"]) if model == "both" else features, weights[model])
    score = scored(features, weights["hand"])
    if not DOUBTED <= score < THRESHOLD:
        return score
    steps = sorted(step_chances(path, lines), reverse=True)
    return 1 - (1 - score) * (1 - SEEN * (steps[1] if len(steps) > 1 else 0.0))


def scored(features: Iterable[str], weights: Mapping[str, float]) -> float:
    return logistic(sum(weights.get(name, 0.0) for name in features))


def with_weak(features: Sequence[str], weak: Mapping[str, float]) -> list[str]:
    """Features, and what the weak model thinks, from 0 to 9."""
    return [*features, f"weak {int(10 * min(0.999, scored(features, weak)))}"]


def document_features(path: str, lines: Sequence[Line]) -> list[str]:
    """Named features that are there or not."""
    name = path.rpartition("/")[2]
    named = document_name(path)
    ending = name.rpartition(".")[2].lower() if "." in name else "none"
    found = {"always", f"name {named}", f"ending {ending}", f"depth {min(2, path.count('/'))}"}
    found |= {f"called {match[0].lower()}" for match in [OTHER_NAMES.search(name)] if match}
    verbs: Counter[str] = Counter()
    cues: Counter[str] = Counter()
    for line in lines:
        if line.form in ("blank", "fence"):
            continue
        if line.form == "heading":
            found |= {f"heading {topic}" for topic in topics(line.text)}
            found |= {f"heading word {word}" for word in re.findall(r"[a-z]{4,}", line.text.lower())[:5]}
            continue
        if verb := verb_of(line):
            verbs[verb] += 1
            verbs["any" if verb != "unknown" else "unknown"] += 1
            if line.form == "code" and verb != "unknown":
                verbs["code"] += 1
            found |= {f"verb {verb.split()[0]} under {topic}" for topic in topics(line.section) if verb != "unknown"}
        cues.update(cue for cue, pattern in CUES if cue in ABOUT and pattern.search(line.text))
    found |= {f"verb {verb}" for verb in verbs} | {f"verb {verb.split()[0]}" for verb in verbs}
    found |= {f"{kind} {several(verbs[kind])}" for kind in ("any", "unknown", "code")}
    found |= {f"any {several(verbs['any'])} in {named}"}
    found |= {f"cue {cue} {several(n)}" for cue, n in cues.items()}
    filled = sum(line.form != "blank" for line in lines)
    return sorted(found | {f"lines {several(filled // 5)}"})


def several(n: int) -> str:
    return "0" if not n else "1" if n == 1 else "2" if n < 4 else "4" if n < 9 else "9+"


@cache
def read_weights(path: Path) -> Mapping[str, Mapping[str, float]]:
    rows: dict[str, dict[str, float]] = json.loads(gzip.decompress(path.read_bytes()))
    return rows
