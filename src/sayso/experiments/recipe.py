"""A recipe: one system of a paper, as a value that says everything needed to train it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace

from sayso.core.errors import UnknownName
from sayso.training.jobs import Job
from sayso.training.settings import Decoding, Encoding, Judge, Training

Value = str | int | float | bool


@dataclass(frozen=True)
class Recipe:
    """`model` are settings of the network that differ from its defaults; sizes of vocabularies come with the data."""

    name: str
    paper: str
    table: str
    """Where the paper prints its numbers."""
    task: str
    what: str
    """One line on what it is."""
    network: str
    model: Mapping[str, Value] = field(default_factory=dict)
    encoding: Encoding = field(default_factory=Encoding)
    training: Training = field(default_factory=Training)
    decoding: Decoding = field(default_factory=Decoding)
    also: tuple[str, ...] = ()
    """Other tasks that the paper trains the same system for."""
    also_judge: Judge | None = None
    """What decides on dev there, if not the same."""
    needs: str = ""
    """What a build does not bring; where it is weights, `--set model.folder=DIR` names them."""

    @property
    def tasks(self) -> tuple[str, ...]:
        return (self.task, *self.also)

    def lacks(self, tasks: Collection[str]) -> str:
        """Why it cannot be trained where these tasks exist: "" where it can."""
        needs = "" if self.model.get("folder") else self.needs
        return needs or ("" if self.task in tasks else f"the task {self.task}")

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def for_task(recipe: Recipe, task: str) -> Recipe:
    """The same system trained for one of its tasks."""
    if task not in recipe.tasks:
        raise UnknownName(f"task of {recipe.name}", task, recipe.tasks)
    judged = (recipe.also_judge if task != recipe.task else None) or recipe.training.judge
    return replace(recipe, task=task, also=(), training=replace(recipe.training, judge=judged))


def with_folder(recipe: Recipe) -> Recipe:
    """A recipe that was given a folder of weights reads in its word pieces, and knows its special ids."""
    folder = recipe.model.get("folder")
    if not folder:
        return recipe
    from sayso.training.encode_pieces import special_ids

    encoding = replace(recipe.encoding, pieces=str(folder))
    return replace(recipe, model={**special_ids(str(folder)), **recipe.model}, encoding=encoding)


def make_job(recipe: Recipe, seed: int = 0, name: str = "") -> Job:
    """The recipe with a seed, ready to be written into a training folder."""
    recipe = with_folder(recipe)
    return Job(
        name=name or recipe.name,
        recipe=recipe.name,
        task=recipe.task,
        target=recipe.task.partition("/")[0],
        network=recipe.network,
        model=dict(recipe.model),
        encoding=recipe.encoding,
        training=recipe.training,
        decoding=recipe.decoding,
        seed=seed,
    )
