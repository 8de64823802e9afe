"""The sentence encoder as an ONNX graph for ONNX Runtime's CPU kernels; it holds no weights (see `export_graph`).

From the sum of word and place vectors (row, time, width), rows of one length, to unit vectors (row, width), and where
asked for to what chosen layers give (row, time, width).
"""

from __future__ import annotations

from collections.abc import Sequence

from sayso.neural.graphs import MICROSOFT
from sayso.neural.meaning import MeaningShape
from sayso.training.export_graph import IR_VERSION, OPSET, Graph, load_onnx


def make_meaning_graph(shape: MeaningShape, layers: Sequence[int] = ()) -> bytes:
    """The serialised model."""
    onnx = load_onnx()
    helper, kinds = onnx.helper, onnx.TensorProto
    graph = Graph(helper, kinds)
    norm = [graph.weight(f"norm.{end}", "FLOAT", shape.width) for end in ("weight", "bias")]
    x = graph.add("LayerNormalization", ["x", *norm], ["normed"], axis=-1, epsilon=shape.epsilon)
    for layer in range(shape.layers):
        x = _block(graph, shape, layer, x)
    graph.weights.append(helper.make_tensor("time", kinds.INT64, [1], [1]))
    mean = graph.add("ReduceMean", [x, "time"], ["mean"], keepdims=0)
    graph.add("LpNormalization", [mean], ["vectors"], axis=-1, p=2)
    inputs = [helper.make_tensor_value_info("x", kinds.FLOAT, ["rows", "time", shape.width])]
    outputs = [helper.make_tensor_value_info("vectors", kinds.FLOAT, ["rows", shape.width])]
    outputs += [
        helper.make_tensor_value_info(f"layers.{layer}.norm2.out", kinds.FLOAT, ["rows", "time", shape.width])
        for layer in layers
    ]
    made = helper.make_graph(graph.nodes, "meaning", inputs, outputs, graph.weights)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
    content: bytes = helper.make_model(made, opset_imports=opsets, ir_version=IR_VERSION).SerializeToString()
    return content


def _block(graph: Graph, shape: MeaningShape, layer: int, x: str) -> str:
    own = f"layers.{layer}."

    def multiply(source: str, name: str) -> str:
        outputs, inputs = shape.matrix(name)
        groups = inputs // shape.group
        q = graph.weight(f"{own}{name}.q", "UINT8", outputs, groups, shape.group * shape.bits // 8)
        d = graph.weight(f"{own}{name}.d", "FLOAT", outputs, groups)
        settings = {"K": inputs, "N": outputs, "bits": shape.bits, "block_size": shape.group, "accuracy_level": 4}
        return graph.add("MatMulNBits", [source, q, d], [f"{own}{name}.product"], MICROSOFT, **settings)

    def bias(name: str) -> str:
        return graph.weight(f"{own}{name}.bias", "FLOAT", shape.matrix(name)[0])

    def add_norm(first: str, second: str, norm: str, of: str) -> str:
        weights = [graph.weight(f"{own}{norm}.{end}", "FLOAT", shape.width) for end in ("weight", "bias")]
        settings = {"epsilon": shape.epsilon}
        return graph.add(
            "SkipLayerNormalization", [first, second, *weights, bias(of)], [f"{own}{norm}.out"], MICROSOFT, **settings
        )

    parts = [own + one for one in ("query", "key", "value")]
    graph.add("Split", [multiply(x, "qkv")], parts, axis=-1, num_outputs=3)
    read = graph.add("MultiHeadAttention", [*parts, bias("qkv")], [own + "read"], MICROSOFT, num_heads=shape.heads)
    x = add_norm(x, multiply(read, "out"), "norm1", "out")
    up = graph.add("FastGelu", [multiply(x, "up"), bias("up")], [own + "open"], MICROSOFT)
    return add_norm(x, multiply(up, "down"), "norm2", "down")
