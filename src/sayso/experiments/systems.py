"""A trained network's bundle as a system that `sayso eval` runs: where a target's language meets a network."""

from __future__ import annotations

from sayso.core.errors import MissingPart, UserError
from sayso.core.types import System, Workspace
from sayso.neural.bundle import Bundle
from sayso.targets import find_target


def open_network(bundle: Bundle, workspace: Workspace) -> System:
    """Needs torch, and says so where it is missing."""
    target = find_target(bundle.target)
    need_torch()
    from sayso.experiments.views import Asking, find_view
    from sayso.training.jobs import words_of
    from sayso.training.translator import open_network_bundle

    view = find_view(bundle.settings.get("encoding", {}).get("view", ""))
    if view.after:
        raise UserError(
            f"{bundle.name} is the second of two steps and reads what {view.after} says",
            "train both in one folder (`sayso encode`); `sayso collect` puts them together",
        )
    return System(
        view.finish(Asking(open_network_bundle(bundle, target.join, words=words_of(target)), view.request), workspace)
    )


def need_torch() -> None:
    """Raise before anything else is done on a machine that cannot train."""
    try:
        import numpy
        import safetensors
        import torch
    except ImportError as error:
        raise MissingPart(f"trained networks need torch: {error}", "pip install 'sayso[train]'") from error
    del numpy, safetensors, torch
