"""Systems that somebody brings as Python: `module:attribute`, or an entry point of the group `sayso.systems`.

What is named is imported and run as it is, with the user's own rights: it is code that the user chose to install or to
write, as with any plug-in. It may be a `System`, a `Translator`, or a function: of a workspace that makes one of these,
or of the text of a request that gives an answer or several.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from sayso.core.errors import RunFailed, SaysoError, UserError
from sayso.core.types import Candidate, Request, System, Translator, Workspace
from sayso.runs.store import checked

GROUP = "sayso.systems"
FORMS = "a System, a Translator, a function of a workspace that makes one, or a function of a text that gives answers"


@dataclass(frozen=True)
class Told:
    """A plain function as a translator: text in, one text or several out."""

    function: Callable[[str], Any]

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [candidates(self.function(request.text))[:k] for request in requests]


@dataclass(frozen=True)
class Guarded:
    """Somebody else's translator: what it raises is told as its own fault."""

    translator: Translator
    named: str

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        try:
            return self.translator.translate(requests, k)
        except SaysoError:
            raise
        except Exception as error:
            raise failed(self.named, error) from error


def failed(named: str, error: Exception) -> RunFailed:
    return RunFailed(
        f"{named} failed: {type(error).__name__}: {error}", "its own code is at fault; --debug shows where"
    )


def candidates(said: Any) -> list[Candidate]:
    """ "ls" -> one; ["ls", "ls -a"] -> two, in that order; None -> none"""
    texts = [said] if isinstance(said, str) else list(said or ())
    if not all(isinstance(text, str) for text in texts):
        raise UserError(f"the system answered {type(said).__name__}, not text", "give a text or a list of texts")
    return [Candidate(text, -float(rank)) for rank, text in enumerate(texts)]


def installed() -> dict[str, EntryPoint]:
    """Name -> what installed distributions offer as a system."""
    return {one.name: one for one in entry_points(group=GROUP)}


def is_attribute(given: str) -> bool:
    """ "package.module:name", no path and no prefix of ours"""
    module, colon, name = given.partition(":")
    return bool(colon) and all(part.isidentifier() for part in (*module.split("."), *name.split(".")))


def system_name(given: str) -> str:
    """ "my.module:answer" -> my.module.answer"""
    return checked(given.replace(":", "."))


def open_attribute(given: str, workspace: Workspace) -> System:
    module, _, name = given.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise UserError(f"{given} cannot be had: {error}", "is its folder in PYTHONPATH?") from error
    except Exception as error:
        raise failed(given, error) from error
    return guarded(found, given, workspace)


def open_entry_point(point: EntryPoint, workspace: Workspace) -> System:
    try:
        found = point.load()
    except (ImportError, AttributeError) as error:
        hint = f"install again what brings {point.value}"
        raise UserError(f"the system {point.name} cannot be had: {error}", hint) from error
    except Exception as error:
        raise failed(point.name, error) from error
    return guarded(found, point.name, workspace)


def guarded(found: Any, named: str, workspace: Workspace) -> System:
    try:
        system = as_system(found, named, workspace)
    except SaysoError:
        raise
    except Exception as error:
        raise failed(named, error) from error
    if not hasattr(system.translator, "source_of"):  # one that repeats what examples hold is stored by their ids
        system = replace(system, translator=Guarded(system.translator, named))
    return with_digest(system, found)


def with_digest(system: System, found: Any) -> System:
    """Known by the file that it was written in, so that stored answers of an older one are not taken for its own."""
    try:
        path = inspect.getsourcefile(found if hasattr(found, "__code__") or inspect.isclass(found) else type(found))
        source = Path(path).read_bytes() if path else b""
    except (TypeError, OSError):
        source = b""
    return replace(system, bundle=system.bundle or (hashlib.sha256(source).hexdigest() if source else ""))


def as_system(found: Any, named: str, workspace: Workspace) -> System:
    """Whatever form it has; a class is made without arguments."""
    if inspect.isclass(found):
        found = found()
    if isinstance(found, System):
        return found
    if hasattr(found, "translate"):
        return System(found)
    if callable(found):
        if wants_workspace(found):
            return as_system(found(workspace), named, workspace)
        return System(Told(found))
    raise UserError(f"{named} is no system: its type is {type(found).__name__}", f"a system is {FORMS}")


def wants_workspace(function: Callable[..., Any]) -> bool:
    """Its first parameter says so: by its type, or by its name."""
    parameters = list(inspect.signature(function).parameters.values())
    return bool(parameters) and (parameters[0].name == "workspace" or "Workspace" in str(parameters[0].annotation))
