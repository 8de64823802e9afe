"""A trained network's bundle as a system that `sayso eval` runs: where a target's language meets a network."""

from __future__ import annotations

from sayso.core.errors import MissingPart
from sayso.core.types import System, Workspace
from sayso.targets import find_target
from sayso.translate.bundle import Bundle


def open_network(bundle: Bundle, workspace: Workspace) -> System:
    """Needs torch, and says so where it is missing."""
    target = find_target(bundle.target)
    need_torch()
    from sayso.training.translator import open_network_bundle

    return System(open_network_bundle(bundle, target.join))


def need_torch() -> None:
    """Raise before anything else is done on a machine that cannot train."""
    try:
        import numpy
        import safetensors
        import torch
    except ImportError as error:
        raise MissingPart(f"trained networks need torch: {error}", "pip install 'sayso[train]'") from error
    del numpy, safetensors, torch
