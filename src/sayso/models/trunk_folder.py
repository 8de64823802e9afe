"""The folder of a trunk: config.json and model.safetensors as `transformers` writes them, tokenizer.json, adapters/.

Matrices may be whole, or packed in four bits ("NAME.q", "NAME.d", "NAME.m": see int4), which is how a trunk travels.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor

from sayso.core.errors import BadFile, MissingData
from sayso.core.files import write_atomically
from sayso.models.int4 import Packed, unpack
from sayso.models.llama import Llama, LlamaSettings
from sayso.models.lora import adapter_weights, load_adapter

CONFIG, WEIGHTS, TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"
ADAPTER, ADAPTER_WEIGHTS = "adapter.json", "adapter.safetensors"
PREFIX = "model."
HINT = "make the folder again with `python -m sayso.experiments.trunk cut`"


def save_trunk(folder: Path, settings: LlamaSettings, weights: Mapping[str, Tensor | Packed], tokenizer: str) -> None:
    """Whole matrices in float16 and four-bit ones as they are; nothing is rounded but to float16."""
    folder.mkdir(parents=True, exist_ok=True)
    flat: dict[str, Tensor] = {}
    for name, weight in weights.items():
        if isinstance(weight, Packed):
            parts = {"q": weight.q, "d": weight.d} | ({} if weight.m is None else {"m": weight.m})
            flat |= {f"{PREFIX}{name}.{part}": tensor.contiguous().cpu() for part, tensor in parts.items()}
        else:
            flat[PREFIX + name] = weight.detach().half().contiguous().cpu()
    content = {WEIGHTS: save(flat), CONFIG: as_json(config_of(settings)), TOKENIZER: tokenizer.encode()}
    for name, one in content.items():
        with write_atomically(folder / name) as file:
            file.write(one)


def load_trunk_folder(folder: Path, dropout: float = 0.0, device: str = "cpu") -> Llama:
    """The network of a folder in float32, without an adapter."""
    settings = replace(settings_of(read_json(folder / CONFIG), folder / CONFIG), dropout=dropout)
    with torch.device("meta"):
        network = Llama(settings)
    try:
        network.load_state_dict(load_weights(folder / WEIGHTS, device), assign=True)
    except RuntimeError as error:
        raise BadFile(f"{folder / WEIGHTS} does not fit {CONFIG}: {str(error).splitlines()[-1]}", HINT) from error
    return network.requires_grad_(True)


def load_weights(path: Path, device: str = "cpu") -> dict[str, Tensor]:
    """Name -> whole matrix in float32, unpacked where it will be used."""
    weights: dict[str, Tensor] = {}
    flat = read_tensors(path, device)
    for name, tensor in flat.items():
        plain = name.removeprefix(PREFIX)
        if name.endswith(".q"):
            whole = name.removesuffix(".q")
            weights[plain.removesuffix(".q")] = unpack(Packed(tensor, flat[whole + ".d"], flat.get(whole + ".m")))
        elif not name.endswith((".d", ".m")):
            weights[plain] = tensor.float()
    return weights


def save_adapter(folder: Path, network: Llama, rank: int, alpha: float, more: Mapping[str, object]) -> None:
    """The adapter of a network; `more` says what it was made for and from."""
    weights = {PREFIX + name: one for name, one in adapter_weights(network).items()}
    write_adapter(folder, weights, rank, alpha, more)


def write_adapter(
    folder: Path, weights: Mapping[str, Tensor], rank: int, alpha: float, more: Mapping[str, object]
) -> None:
    """What load_trunk_adapter reads, in float16."""
    folder.mkdir(parents=True, exist_ok=True)
    halves = {name: one.half().contiguous().cpu() for name, one in weights.items()}
    facts = {"rank": rank, "alpha": alpha, "modules": sorted({name.split(".")[-2] for name in halves}), **more}
    for name, content in ((ADAPTER_WEIGHTS, save(halves)), (ADAPTER, as_json(facts))):
        with write_atomically(folder / name) as file:
            file.write(content)


def load_trunk_adapter(network: Llama, folder: Path) -> None:
    """Put the adapter of a folder on a trunk."""
    facts = read_json(folder / ADAPTER)
    alpha = facts.get("alpha")
    if not isinstance(alpha, int | float):
        raise BadFile(f"{folder / ADAPTER} names no alpha", HINT)
    weights = read_tensors(folder / ADAPTER_WEIGHTS)
    load_adapter(network, {name.removeprefix(PREFIX): one.float() for name, one in weights.items()}, float(alpha))


def config_of(settings: LlamaSettings) -> dict[str, object]:
    """As `transformers` names things."""
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": settings.output_size,
        "hidden_size": settings.width,
        "num_attention_heads": settings.heads,
        "num_key_value_heads": settings.key_heads,
        "num_hidden_layers": settings.layers,
        "intermediate_size": settings.feed_forward,
        "rope_theta": settings.theta,
        "rope_parameters": {"rope_type": "default", "rope_theta": settings.theta},
        "rms_norm_eps": settings.epsilon,
        "hidden_act": "silu",
        "attention_bias": False,
        "mlp_bias": False,
        "tie_word_embeddings": True,
        "max_position_embeddings": 8192,
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "dtype": "float16",
    }


def settings_of(config: Mapping[str, object], path: Path) -> LlamaSettings:
    try:
        return LlamaSettings(
            source_size=config["vocab_size"],  # type: ignore[arg-type]
            output_size=config["vocab_size"],  # type: ignore[arg-type]
            width=config["hidden_size"],  # type: ignore[arg-type]
            heads=config["num_attention_heads"],  # type: ignore[arg-type]
            key_heads=config["num_key_value_heads"],  # type: ignore[arg-type]
            layers=config["num_hidden_layers"],  # type: ignore[arg-type]
            feed_forward=config["intermediate_size"],  # type: ignore[arg-type]
            theta=config["rope_theta"],  # type: ignore[arg-type]
            epsilon=config["rms_norm_eps"],  # type: ignore[arg-type]
        )
    except KeyError as error:
        raise BadFile(f"{path} does not say {error}", HINT) from error


def digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def as_json(content: Mapping[str, object]) -> bytes:
    return json.dumps(content, indent=1).encode() + b"\n"


def read_json(path: Path) -> dict[str, object]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise MissingData(f"no trunk: {path} is not there", HINT) from error
    except (OSError, ValueError) as error:
        raise BadFile(f"{path} cannot be read: {error}", HINT) from error
    if not isinstance(content, dict):
        raise BadFile(f"{path} holds no JSON object", HINT)
    return content


def read_tensors(path: Path, device: str = "cpu") -> dict[str, Tensor]:
    if not path.is_file():
        raise MissingData(f"no trunk: {path} is not there", HINT)
    try:
        return load_file(path, device)
    except (SafetensorError, OSError, ValueError) as error:
        raise BadFile(f"{path} does not hold weights: {error}", HINT) from error
