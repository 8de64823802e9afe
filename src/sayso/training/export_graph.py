"""A Llama-shaped trunk as an ONNX graph for ONNX Runtime's CPU kernels: one step for any rows, places and adapter.

The graph holds no weights: whoever loads it gives them by name (neural/weights), already in the bits that it asks
for. Keys and values are given as memory with room for more places, in which a step writes its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sayso.core.errors import MissingPart
from sayso.neural.graphs import GIVEN, MICROSOFT
from sayso.neural.weights import GROUP, TrunkShape

OPSET, IR_VERSION = 20, 10


@dataclass
class Graph:
    """Nodes and promised weights as they are written down."""

    helper: Any
    tensor: Any
    nodes: list[Any] = field(default_factory=list)
    weights: list[Any] = field(default_factory=list)

    def add(self, kind: str, inputs: list[str], outputs: list[str], domain: str = "", **settings: object) -> str:
        """Append a node; returns its first output."""
        made = self.helper.make_node(kind, inputs, outputs, name=outputs[0], domain=domain, **settings)
        self.nodes.append(made)
        return outputs[0]

    def weight(self, name: str, kind: str, *size: int) -> str:
        """A weight that the loader will give; the file that it names does not exist."""
        promised = self.tensor(name=name, data_type=getattr(self.tensor, kind), dims=size)
        promised.data_location = self.tensor.EXTERNAL
        place = promised.external_data.add()
        place.key, place.value = "location", GIVEN
        self.weights.append(promised)
        return name

    def multiply(self, x: str, name: str, size: tuple[int, int], shape: TrunkShape, output: str) -> str:
        """x times a matrix (outputs, inputs) in 4, 8 or 32 bits."""
        (outputs, inputs), bits = size, shape.bits
        if bits == 32:
            return self.add("MatMul", [x, self.weight(name, "FLOAT", inputs, outputs)], [output])
        groups = inputs // shape.group
        q = self.weight(name + ".q", "UINT8", outputs, groups, shape.group * bits // 8)
        d = self.weight(name + ".d", "FLOAT", outputs, groups)
        # accuracy_level 4: the row is rounded to 8 bits, group by group, and multiplied in whole numbers.
        settings = {"K": inputs, "N": outputs, "bits": bits, "block_size": shape.group, "accuracy_level": 4}
        return self.add("MatMulNBits", [x, q, d], [output], MICROSOFT, **settings)


def load_onnx() -> Any:
    """The package that writes graphs, which only an export needs."""
    try:
        import onnx
    except ImportError as error:
        raise MissingPart("an export needs the package onnx", 'pip install "sayso[train]"') from error
    return onnx


def make_graph(shape: TrunkShape) -> bytes:
    """The serialised model. Inputs: ids (rows, time), last, seen, total and the memory of keys and values."""
    onnx = load_onnx()
    helper, kinds = onnx.helper, onnx.TensorProto
    graph = Graph(helper, kinds)
    inputs = [
        helper.make_tensor_value_info("ids", kinds.INT64, ["rows", "time"]),
        helper.make_tensor_value_info("last", kinds.INT64, ["rows", "asked", 1]),
        helper.make_tensor_value_info("seen", kinds.INT32, ["rows"]),
        helper.make_tensor_value_info("total", kinds.INT32, []),
    ]
    outputs = [helper.make_tensor_value_info("logits", kinds.FLOAT, ["rows", "asked", shape.vocabulary])]
    x = _embed(graph, shape)
    for name in ("cosines", "sines"):
        graph.weight(name, "FLOAT", shape.places, shape.head // 2)
    norm = graph.weight("layers.0.input_norm", "FLOAT", shape.width)
    normed = graph.add(
        "SimplifiedLayerNormalization", [x, norm], ["layers.0.normed"], epsilon=shape.epsilon, axis=-1, stash_type=1
    )
    for layer in range(shape.layers):
        before, after = f"layers.{layer}.past_", f"layers.{layer}.present_"
        for kind in ("keys", "values"):
            size: list[str | int | None] = ["rows", shape.key_heads, "places", shape.head]
            inputs.append(helper.make_tensor_value_info(before + kind, kinds.FLOAT, size))
            outputs.append(helper.make_tensor_value_info(after + kind, kinds.FLOAT, size))
        x, normed = _block(graph, shape, layer, x, normed)
    if shape.bits == 32:
        turned = graph.add("Transpose", ["embed"], ["embed_turned"], perm=[1, 0])
        graph.add("MatMul", [normed, turned], ["logits"])
    else:
        # The weights are the embedding's, which are named already: 8 bits whatever the matrices have.
        settings = {"K": shape.width, "N": shape.vocabulary, "bits": 8, "block_size": GROUP, "accuracy_level": 4}
        graph.add("MatMulNBits", [normed, "embed.q", "embed.d"], ["logits"], MICROSOFT, **settings)
    made = helper.make_graph(graph.nodes, "trunk", inputs, outputs, graph.weights)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
    content: bytes = helper.make_model(made, opset_imports=opsets, ir_version=IR_VERSION).SerializeToString()
    return content


def _embed(graph: Graph, shape: TrunkShape) -> str:
    """(rows, time) ids -> (rows, time, width); the 8-bit numbers are those that the vocabulary is asked with."""
    if shape.bits == 32:
        embed = graph.weight("embed", "FLOAT", shape.vocabulary, shape.width)
        return graph.add("Gather", [embed, "ids"], ["embedded"])
    groups = shape.width // GROUP
    q = graph.weight("embed.q", "UINT8", shape.vocabulary, groups, GROUP)
    d = graph.weight("embed.d", "FLOAT", shape.vocabulary, groups)
    constants = {"zero": graph.helper.make_tensor("zero", graph.tensor.FLOAT, [], [128.0])}
    flat = graph.helper.make_tensor("flat", graph.tensor.INT64, [3], [0, 0, shape.width])
    last = graph.helper.make_tensor("last_axis", graph.tensor.INT64, [1], [-1])
    graph.weights += [constants["zero"], flat, last]
    numbers = graph.add("Gather", [q, "ids"], ["embed_numbers"])
    floats = graph.add("Cast", [numbers], ["embed_floats"], to=graph.tensor.FLOAT)
    centred = graph.add("Sub", [floats, "zero"], ["embed_centred"])
    steps = graph.add("Gather", [d, "ids"], ["embed_steps"])
    wide = graph.add("Unsqueeze", [steps, "last_axis"], ["embed_wide"])
    grouped = graph.add("Mul", [centred, wide], ["embed_groups"])
    return graph.add("Reshape", [grouped, "flat"], ["embedded"])


def _block(graph: Graph, shape: TrunkShape, layer: int, x: str, normed: str) -> tuple[str, str]:
    """One block: what goes round it so far and its norm -> the same for the next."""
    own = f"layers.{layer}."

    def multiply(source: str, name: str) -> str:
        return graph.multiply(source, own + name, shape.matrix(name), shape, own + name + ".product")

    def add_norm(first: str, second: str, norm: str, outputs: list[str]) -> None:
        weight = graph.weight(norm, "FLOAT", shape.width)
        kind = "SkipSimplifiedLayerNormalization"
        graph.add(kind, [first, second, weight], outputs, MICROSOFT, epsilon=shape.epsilon)

    past = [own + "past_keys", own + "past_values"]
    graph.add(
        "GroupQueryAttention",
        [multiply(normed, "qkv"), "", "", *past, "seen", "total", "cosines", "sines"],
        [own + "read", own + "present_keys", own + "present_values"],
        MICROSOFT,
        num_heads=shape.heads,
        kv_num_heads=shape.key_heads,
        do_rotary=1,
        rotary_interleaved=0,
    )
    read, is_last = own + "read", layer + 1 == shape.layers
    if is_last:  # nothing looks at the last block but the vocabulary, at the places of each row that the caller names
        read = graph.add("GatherND", [read, "last"], ["last_read"], batch_dims=1)
        x = graph.add("GatherND", [x, "last"], ["last_x"], batch_dims=1)
    add_norm(x, multiply(read, "out"), own + "post_norm", [own + "between_normed", "", "", own + "between"])
    both = multiply(own + "between_normed", "gate_up")
    graph.add("Split", [both], [own + "gate", own + "up"], axis=-1, num_outputs=2)
    # With alpha 1 this is x · sigmoid(x), in one pass.
    graph.add("QuickGelu", [own + "gate"], [own + "open"], MICROSOFT, alpha=1.0)
    graph.add("Mul", [own + "open", own + "up"], [own + "gated"])
    after = "final_" if is_last else f"layers.{layer + 1}."
    norm = "norm" if is_last else f"layers.{layer + 1}.input_norm"
    more = [] if is_last else ["", "", after + "x"]
    add_norm(own + "between", multiply(own + "gated", "down"), norm, [after + "normed", *more])
    return after + "x", after + "normed"
