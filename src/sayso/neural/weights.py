"""The weights of an exported trunk: safetensors read with numpy alone, numbers of few bits in groups, adapters.

A number q of a group stands for (q - zero) · d, or q · d + m where m is stored. An adapter's a and b are added before
the numbers are made: W' = W + scale · b a. Nothing here is pickled, and nothing is fetched.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sayso.core.errors import BadBundle
from sayso.core.given import parse_json
from sayso.neural.arrays import finite, shaped
from sayso.neural.fields import CURE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

GROUP = 32
ZERO = {4: 8, 8: 128}
MOST = 1 << 20
"""Of anything that a network has so many of: ids, places, numbers in a row."""
TYPES = {"F16": "<f2", "F32": "<f4", "U8": "u1", "I8": "i1"}
# The matrices that a graph multiplies with as one, and the trunk's own names for their parts, top to bottom.
FUSED = {
    "qkv": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    "out": ("self_attn.o_proj",),
    "gate_up": ("mlp.gate_proj", "mlp.up_proj"),
    "down": ("mlp.down_proj",),
}


@dataclass(frozen=True)
class TrunkShape:
    """The sizes of a Llama-shaped trunk; `bits` is what its graph multiplies with: 4, 8, or 32 for plain floats."""

    vocabulary: int
    width: int
    heads: int
    key_heads: int
    layers: int
    feed_forward: int
    theta: float
    epsilon: float
    bits: int
    group: int = GROUP
    """Weights of a matrix that share a step; words have groups of 32."""
    places: int = 1_536
    """Ids of a prompt and its answer, together: 1,280 with an answer of 256."""

    @property
    def head(self) -> int:
        return self.width // self.heads

    def matrix(self, name: str) -> tuple[int, int]:
        """(outputs, inputs) of a fused matrix."""
        return {
            "qkv": ((self.heads + 2 * self.key_heads) * self.head, self.width),
            "out": (self.width, self.heads * self.head),
            "gate_up": (2 * self.feed_forward, self.width),
            "down": (self.width, self.feed_forward),
        }[name]


@dataclass(frozen=True)
class Adapter:
    """Narrow matrices by name ("layers.0.self_attn.q_proj.a"), and what b a is multiplied with."""

    parts: Mapping[str, Array]
    scale: float


def read_tensors(content: bytes, name: str) -> dict[str, Array]:
    """A safetensors file as arrays that look into it; none may look beyond it or hold a number that is none."""
    import numpy as np

    try:
        length = int.from_bytes(content[:8], "little")
        if not 2 <= length <= len(content) - 8:
            raise ValueError(f"a header of {length:,} bytes in a file of {len(content):,}")
        header = parse_json(content[8 : 8 + length], unique=True)
        start = 8 + length
        found = {}
        for key, entry in header.items():
            if key != "__metadata__":
                first, last = entry["data_offsets"]
                kind, shape = np.dtype(TYPES[entry["dtype"]]), entry["shape"]
                is_whole = all(type(one) is int and 0 <= one <= len(content) for one in (first, last, *shape))
                if not is_whole or first + math.prod(shape) * kind.itemsize != last or start + last > len(content):
                    raise ValueError(f"{key[:60]} does not lie where it says")
                data = np.frombuffer(content, kind, math.prod(shape), start + first)
                found[key] = finite(data.reshape(shape), f"{name}: {key[:60]}")
        return found
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadBundle(
            f"{name} holds no weights that this sayso reads: {str(error)[:160] or error!r}", "export the trunk again"
        ) from error


def check_types(stored: Mapping[str, Array], place: str, **other: str) -> None:
    """Numbers of few bits are bytes, all else is floats; `other` names types of weights that are neither."""
    for name, array in stored.items():
        wanted = "f" if not name.endswith(".q") else "u1"
        wanted = other.get(name.split(".")[0], wanted) if name.endswith(".q") else wanted
        if wanted not in (array.dtype.kind, array.dtype.str[1:]):
            raise BadBundle(f"{place}: {name[:60]} holds numbers of type {array.dtype}", CURE)


def check_stored(stored: Mapping[str, Array], shape: TrunkShape, place: str) -> None:
    """Every weight that `graph_weights` puts together, in a size that the graph can multiply with."""

    def fit(name: str, *size: int) -> tuple[int, ...]:
        return shaped(stored.get(name), f"{place}: {name}", *size).shape

    fit("embed.q", shape.vocabulary, shape.width // GROUP, GROUP)
    fit("embed.d", shape.vocabulary, shape.width // GROUP)
    fit("norm", shape.width)
    for layer in range(shape.layers):
        for norm in ("input_norm", "post_norm"):
            fit(f"layers.{layer}.{norm}", shape.width)
        for fused in FUSED:
            name = f"layers.{layer}.{fused}"
            outputs, inputs = shape.matrix(fused)
            _, groups, size = fit(f"{name}.q", outputs, -1, -1)
            fit(f"{name}.d", outputs, groups)
            if groups * size not in (inputs // 2, inputs) or inputs % groups:
                raise BadBundle(f"{place}: {name}.q holds no {inputs} numbers of 4 or 8 bits a row", CURE)
            if f"{name}.m" in stored:
                fit(f"{name}.m", outputs, groups)
    check_types(stored, place)


def numbers(weight: Array, bits: int, group: int = GROUP) -> tuple[Array, Array]:
    """A matrix (outputs, inputs) -> q uint8 (outputs, groups, bytes), d float16 (outputs, groups), symmetric.

    Four bits follow Q4_0 and MatMulNBits: the number of largest magnitude becomes -8. Neighbours share a byte.
    """
    import numpy as np

    groups = np.asarray(weight, np.float32).reshape(len(weight), -1, group)
    if bits == 4:
        largest = np.take_along_axis(groups, np.abs(groups).argmax(-1)[..., None], -1)
        d = (largest / -8).astype(np.float16)
    else:
        d = (np.abs(groups).max(-1, keepdims=True) / 127).astype(np.float16)
    steps = np.where(d == 0, 1, d).astype(np.float32)
    most = 8 if bits == 4 else 127
    q = (np.clip(np.rint(groups / steps), -most, most - (bits == 4)) + ZERO[bits]).astype(np.uint8)
    return (q[..., 0::2] | q[..., 1::2] << 4) if bits == 4 else q, d[..., 0]


def whole(q: Array, d: Array, bits: int, m: Array | None = None) -> Array:
    """The matrix in float32 that `numbers`, or a file with minima, stands for."""
    import numpy as np

    if bits == 4:
        q = np.stack([q & 15, q >> 4], -1).reshape(*q.shape[:2], -1)
    steps = d.astype(np.float32)[..., None]
    least = -ZERO[bits] * steps if m is None else m.astype(np.float32)[..., None]
    return (q.astype(np.float32) * steps + least).reshape(len(q), -1)


def graph_weights(stored: Mapping[str, Array], shape: TrunkShape, adapter: Adapter | None = None) -> dict[str, Array]:
    """Everything that the graph of this shape asks for by name, the adapter put in."""
    import numpy as np

    angles = np.outer(np.arange(shape.places), shape.theta ** -(np.arange(0, shape.head, 2) / shape.head))
    made: dict[str, Array] = {"cosines": np.cos(angles).astype(np.float32), "sines": np.sin(angles).astype(np.float32)}
    embed = (stored["embed.q"], stored["embed.d"])
    made |= {"embed": whole(*embed, 8)} if shape.bits == 32 else {"embed.q": embed[0], "embed.d": as_float(embed[1])}
    made |= {name: as_float(one) for name, one in stored.items() if name.endswith("norm")}
    for layer in range(shape.layers):
        for fused in FUSED:
            name = f"layers.{layer}.{fused}"
            made |= matrix_weights(name, stored, shape, adapter)
    return made


def matrix_weights(
    name: str, stored: Mapping[str, Array], shape: TrunkShape, adapter: Adapter | None
) -> dict[str, Array]:
    """One fused matrix as the graph wants it; numbers that are right already are not touched."""
    import numpy as np

    q, d, m = stored[name + ".q"], stored[name + ".d"], stored.get(name + ".m")
    layer, fused = name.rsplit(".", 1)
    keys = [f"{layer}.{part}" for part in FUSED[fused]]
    is_adapted = adapter is not None and any(f"{key}.a" in adapter.parts for key in keys)
    bits = 8 * q[0].size // shape.matrix(fused)[1]
    if not is_adapted and m is None and (bits, d.shape[1] * shape.group) == (shape.bits, shape.matrix(fused)[1]):
        return {name + ".q": q, name + ".d": as_float(d)}
    weight = whole(q, d, bits, m)
    if is_adapted and adapter is not None:
        sizes = part_sizes(fused, shape)
        for key, end, size in zip(keys, np.cumsum(sizes), sizes, strict=True):
            if f"{key}.a" in adapter.parts:
                a, b = (as_float(adapter.parts[f"{key}.{one}"]) for one in "ab")
                weight[end - size : end] += adapter.scale * (b @ a)
    if shape.bits == 32:
        return {name: np.ascontiguousarray(weight.T)}
    q, d = numbers(weight, shape.bits, shape.group)
    return {name + ".q": q, name + ".d": as_float(d)}


def part_sizes(fused: str, shape: TrunkShape) -> list[int]:
    """How many outputs each part of a fused matrix has."""
    if fused == "qkv":
        return [shape.heads * shape.head, shape.key_heads * shape.head, shape.key_heads * shape.head]
    if fused == "gate_up":
        return [shape.feed_forward, shape.feed_forward]
    return [shape.matrix(fused)[0]]


def as_float(values: Array) -> Array:
    import numpy as np

    return np.ascontiguousarray(values, np.float32)
