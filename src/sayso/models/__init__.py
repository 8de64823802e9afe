"""The networks (torch): every one reads a Batch, returns a sum of losses, and decodes step by step for search.py."""

from __future__ import annotations

from sayso.models.copynet import CopyNet, CopyNetSettings
from sayso.models.modern import Modern, ModernSettings
from sayso.models.rnn import GRUSettings, LSTMSettings, RecurrentNetwork
from sayso.models.transformer import Transformer, TransformerCopySettings, TransformerSettings

NETWORKS = {
    "gru": (GRUSettings, RecurrentNetwork),
    "lstm": (LSTMSettings, RecurrentNetwork),
    "copynet": (CopyNetSettings, CopyNet),
    "transformer": (TransformerSettings, Transformer),
    "transformer-copy": (TransformerCopySettings, Transformer),
    "modern": (ModernSettings, Modern),
}
