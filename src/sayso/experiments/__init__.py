"""The papers' systems as named values. To add one, write it in the file of its target and list it here; no torch."""

from __future__ import annotations

from sayso.core.errors import UnknownName
from sayso.experiments import api, bash, build, notebook
from sayso.experiments.recipe import Recipe

RECIPES: dict[str, Recipe] = {
    "seq2seq-char": bash.SEQ2SEQ_CHAR,
    "seq2seq-token": bash.SEQ2SEQ_TOKEN,
    "seq2seq-subtoken": bash.SEQ2SEQ_SUBTOKEN,
    "copynet-char": bash.COPYNET_CHAR,
    "copynet-token": bash.COPYNET_TOKEN,
    "st-copynet": bash.ST_COPYNET,
    "tellina": bash.TELLINA,
    "template-argument": bash.TEMPLATE_ARGUMENT,
    "st-copynet-manual": bash.ST_COPYNET_MANUAL,
    "lstm-attention": api.LSTM_ATTENTION,
    "transformer-copy-scratch": api.TRANSFORMER_COPY_SCRATCH,
    "t5-scratch": api.T5_SCRATCH,
    "transformer-copy": api.TRANSFORMER_COPY,
    "t5": api.T5,
    "transformer-copy-minilm": api.TRANSFORMER_COPY_MINILM,
    "transformer-copy-minilm-tuned": api.TRANSFORMER_COPY_MINILM_TUNED,
    "lstm-k1": notebook.LSTM_K1,
    "lstm-k3": notebook.LSTM_K3,
    "lstm-k3-n10": notebook.LSTM_K3_N10,
    "lstm-k1-n30": notebook.LSTM_K1_N30,
    "lstm-k2-n30": notebook.LSTM_K2_N30,
    "lstm-k3-n30": notebook.LSTM_K3_N30,
    "lstm-k5-n30": notebook.LSTM_K5_N30,
    "transformer-k1": notebook.TRANSFORMER_K1,
    "transformer-k3": notebook.TRANSFORMER_K3,
    "pipeline": build.PIPELINE,
}


def find_recipe(name: str) -> Recipe:
    if name not in RECIPES:
        raise UnknownName("recipe", name, RECIPES)
    return RECIPES[name]
