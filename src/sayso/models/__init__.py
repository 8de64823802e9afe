"""The networks (torch): every one reads a Batch, returns a sum of losses, and decodes step by step for search.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from torch import nn

from sayso.core.errors import UnknownName, UserError
from sayso.models.copynet import CopyNet, CopyNetSettings
from sayso.models.llama import Llama, LlamaSettings
from sayso.models.modern import ModernSettings
from sayso.models.pretrained import TRUNKS
from sayso.models.rnn import GRUSettings, LSTMSettings, RecurrentNetwork
from sayso.models.set_predictor import SetPredictor, SetSettings
from sayso.models.transformer import Transformer, TransformerCopySettings, TransformerSettings

NETWORKS = {
    "gru": (GRUSettings, RecurrentNetwork),
    "lstm": (LSTMSettings, RecurrentNetwork),
    "copynet": (CopyNetSettings, CopyNet),
    "transformer": (TransformerSettings, Transformer),
    "transformer-copy": (TransformerCopySettings, Transformer),
    "modern": (ModernSettings, Transformer),
    "set": (SetSettings, SetPredictor),
    "llama": (LlamaSettings, Llama),
}


def make_network(name: str, settings: Mapping[str, object]) -> nn.Module:
    """A network of NETWORKS or TRUNKS from plain settings, as a JSON file holds them."""
    networks = {**NETWORKS, **TRUNKS}
    if name not in networks:
        raise UnknownName("network", name, networks)
    settings_type, network_type = networks[name]
    known = [field.name for field in fields(settings_type)]
    for field in settings:
        if field not in known:
            raise UnknownName(f"setting of {name}", field, known)
    try:
        made = settings_type(**settings)
    except TypeError as error:
        raise UserError(f"{name} needs more settings: {error}", f"settings of {name}: {', '.join(known)}") from error
    network: nn.Module = network_type(made)
    return network
