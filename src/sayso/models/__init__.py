"""The networks (torch): every one reads a Batch, returns a sum of losses, and decodes step by step for search.py."""

from __future__ import annotations

from sayso.models.rnn import GRUSettings, LSTMSettings, RecurrentNetwork

NETWORKS = {
    "gru": (GRUSettings, RecurrentNetwork),
    "lstm": (LSTMSettings, RecurrentNetwork),
}
