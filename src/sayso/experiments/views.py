"""What a network may see in place of a task's own examples: templates, arguments, pieces of words, or more text.

A recipe names its view in `encoding.view`. `prepare` turns the examples of a task into what is encoded; `finish` turns
what the trained network says into candidates of the task.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from sayso.core.errors import UnknownName
from sayso.core.types import Candidate, Example, Request, Translator, Workspace
from sayso.experiments.api_views import cut_request, fold_request, folded, in_pieces, uncutting
from sayso.targets.bash.corpus import nl2bash as corpus
from sayso.targets.bash.lessons.manual_text import extra_examples
from sayso.targets.bash.tellina.alignment import Alignment, habits_of
from sayso.targets.bash.tellina.argument_decoder import TemplateArgument, argument_example
from sayso.targets.bash.tellina.tellina import Tellina, learn_tellina, template_example, template_request
from sayso.training.jobs import Examples, Look


@dataclass(frozen=True)
class View:
    """`request` is how a request is put to the network; `after` names the system whose answers it reads as well."""

    prepare: Callable[[Workspace, Examples], Examples]
    request: Callable[[Request], Request]
    finish: Callable[[Translator, Workspace], Translator]
    after: str = ""


@dataclass(frozen=True)
class Asking:
    """A translator that is asked in the view's own words."""

    translator: Translator
    request: Callable[[Request], Request]

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return self.translator.translate([self.request(request) for request in requests], k)


def same(request: Request) -> Request:
    return request


def unchanged(translator: Translator, workspace: Workspace) -> Translator:
    return translator


def as_they_are(workspace: Workspace, examples: Examples) -> Examples:
    return examples


def to_templates(workspace: Workspace, examples: Examples) -> Examples:
    """Requests without constants, commands without arguments."""
    habits = habits_of(examples["train"])
    return {split: [template_example(one, habits) for one in rows] for split, rows in examples.items()}


def filling(templates: Translator, workspace: Workspace) -> Translator:
    return Tellina(templates, alignment(workspace.data))


@cache
def alignment(data: Path) -> Alignment:
    """Learned from train, which takes most of a minute."""
    return learn_tellina(list(corpus.load(Workspace(data, data), "train")))


def to_arguments(workspace: Workspace, examples: Examples) -> Examples:
    """Request and template to arguments. Test has no template before there is a system that says one."""
    habits = habits_of(examples["train"])
    found: dict[str, list[Example]] = {split: [] for split in ("train", "dev")}
    for split in ("train", "dev"):
        for example in examples[split]:
            pairs = (replace(example, references=(text,)) for text in example.references)
            found[split] += filter(None, (argument_example(pair, habits) for pair in pairs))
    return {"train": found["train"], "dev": found["dev"]}


def two_steps(templates: Translator, arguments: Translator) -> Translator:
    """A view that reads the answers of another system: both, one after the other."""
    return TemplateArgument(templates, arguments)


def with_manuals(workspace: Workspace, examples: Examples) -> Examples:
    extra = extra_examples(workspace, examples)
    return {**examples, "train": [*examples["train"], *extra.examples]}


VIEWS: dict[str, View] = {
    "": View(as_they_are, same, unchanged),
    "template": View(to_templates, template_request, filling),
    "arguments": View(to_arguments, same, unchanged, after="tellina"),
    "manual": View(with_manuals, same, unchanged),
    "folded": View(folded, fold_request, unchanged),
    "pieces": View(in_pieces, cut_request, uncutting),
}


def find_view(name: str) -> View:
    if name not in VIEWS:
        raise UnknownName("view", name, VIEWS)
    return VIEWS[name]


def looking(workspace: Workspace) -> Look:
    """What `write_folder` asks for."""
    return lambda view, examples: find_view(view).prepare(workspace, examples)
