"""`--set a.b=c`: one setting of a recipe changed from the command line, with near misses for what does not exist."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from sayso.core.errors import UnknownName, UserError
from sayso.core.given import finite
from sayso.experiments.recipe import Recipe, Value
from sayso.training.jobs import Job
from sayso.training.settings import Decoding, Encoding, Training

PARTS: dict[str, type[Any]] = {"encoding": Encoding, "training": Training, "decoding": Decoding}
Settled = TypeVar("Settled", Recipe, Job)
EXAMPLE = "for example --set training.rate=3e-4"


def override(recipe: Settled, changes: Iterable[str]) -> Settled:
    """ "training.batch=64", or "batch=64" for short; of a recipe, or of a job that was made of one."""
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals or not name.strip():
            raise UserError(f'--set takes NAME=VALUE, not "{change}"', EXAMPLE)
        part, field = find(name.strip())
        if part == "model":
            recipe = replace(recipe, model={**recipe.model, field: guess(text.strip())})
        else:
            value = read(f"{part}.{field}", text.strip(), get_type_hints(PARTS[part])[field])
            recipe = replace(recipe, **{part: replace(getattr(recipe, part), **{field: value})})
    return recipe


def find(name: str) -> tuple[str, str]:
    """ "batch" -> ("training", "batch"): a bare name is looked up in training, then encoding, then decoding."""
    part, dot, field = name.partition(".")
    known = {one: [field.name for field in fields(PARTS[one])] for one in ("training", "encoding", "decoding")}
    if not dot:
        for one, names in known.items():
            if name in names:
                return one, name
    elif part == "model" or (part in known and field in known[part]):
        return part, field
    every = [f"{one}.{name}" for one, names in known.items() for name in names]
    near = name if dot else nearest_full(name, every)
    raise UnknownName("setting", near, [*every, "model.…"])


def nearest_full(name: str, every: list[str]) -> str:
    """A bare slip is compared with bare names: "bach" is near "training.batch" though most of that is missing."""
    from difflib import get_close_matches

    bare = {one.partition(".")[2]: one for one in reversed(every)}
    near = get_close_matches(name, bare, n=1, cutoff=0.6)
    return f"{bare[near[0]].partition('.')[0]}.{name}" if near else name


def read(name: str, text: str, kind: Any) -> Value | tuple[Value, ...]:
    """The text as the type that the setting has; several numbers stand between commas."""
    if get_origin(kind) is tuple:
        return tuple(read_one(name, one.strip(), get_args(kind)[0]) for one in text.split(",") if one.strip())
    return read_one(name, text, kind)


def read_one(name: str, text: str, kind: Any) -> Value:
    if choices := get_args(kind):
        if text not in choices:
            raise UnknownName(f"value of {name}", text, map(str, choices))
        return text
    if kind is bool:
        if text.lower() not in ("true", "false"):
            raise UserError(f'{name} must be true or false, not "{text}"', f"--set {name}=true")
        return text.lower() == "true"
    try:
        if kind is int:
            return int(text.replace("_", ""))
        return finite(text)
    except ValueError as error:
        wanted = "a whole number" if kind is int else "a number"
        raise UserError(f'{name} must be {wanted}, not "{text}"', EXAMPLE) from error


def guess(text: str) -> Value:
    """A network's settings are checked by the network: "400" -> 400, "0.4" -> 0.4, "true" -> True, "gru" -> "gru"."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        if not math.isfinite(value):
            raise UserError(f"a setting cannot be {text}", EXAMPLE)
        return value
    return text
