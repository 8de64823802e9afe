"""What an ONNX graph may hold before the runtime opens it: known operators, and weights that the loader gives.

A tensor may name a file, and the runtime opens it wherever it lies. Our exports name one that does not exist for each
weight that is given by hand (training/export_graph); no other is let through. The protobuf is walked here, since the
package `onnx` is no part of what people install.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sayso.core.errors import BadBundle

GIVEN = "given-by-the-loader"
MICROSOFT = "com.microsoft"
OPERATORS = {
    "": frozenset(
        [
            "Cast",
            "Gather",
            "GatherND",
            "LayerNormalization",
            "LpNormalization",
            "MatMul",
            "Mul",
            "ReduceMean",
            "Reshape",
            "SimplifiedLayerNormalization",
            "Split",
            "Sub",
            "Transpose",
            "Unsqueeze",
        ]
    ),
    MICROSOFT: frozenset(
        [
            "FastGelu",
            "GroupQueryAttention",
            "MatMulNBits",
            "MultiHeadAttention",
            "QuickGelu",
            "SkipLayerNormalization",
            "SkipSimplifiedLayerNormalization",
        ]
    ),
}
"""Of the graphs that are exported: none runs a graph inside of it, and none makes much of little."""
LARGEST = 64 << 20
CURE = "export it again: the graphs of this sayso hold no weights and name no files"
# Field numbers of onnx.proto.
MODEL_GRAPH, MODEL_TRAINING, MODEL_FUNCTIONS = 7, 20, 25
GRAPH_NODE, GRAPH_TENSOR, GRAPH_SPARSE = 1, 5, 15
NODE_KIND, NODE_ATTRIBUTE, NODE_DOMAIN = 4, 5, 7
ATTRIBUTE_TENSORS, ATTRIBUTE_REFUSED = (5, 10), (6, 11, 22, 23)
TENSOR_NAME, TENSOR_EXTERNAL, TENSOR_LOCATION = 8, 13, 14
Field = tuple[int, int, bytes]
"""Number, value of a number, content of anything else."""


def check_graph(content: bytes, given: Collection[str], what: str) -> None:
    """Raises BadBundle where a graph holds something else than operators of ours and weights that are given."""
    if len(content) > LARGEST:
        raise BadBundle(f"the graph of {what} has more than {LARGEST:,} bytes", CURE)
    try:
        for problem in problems(content, given):
            raise BadBundle(f"the graph of {what} cannot be used: {problem}", CURE)
    except ValueError as error:
        raise BadBundle(f"the graph of {what} is no whole ONNX file: {error}", CURE) from None


def problems(content: bytes, given: Collection[str]) -> Iterator[str]:
    graphs = [part for number, _, part in walk(content) if number == MODEL_GRAPH]
    if len(graphs) != 1:
        yield f"it has {len(graphs)} graphs instead of one"
    if any(number in (MODEL_TRAINING, MODEL_FUNCTIONS) for number, _, _ in walk(content)):
        yield "it brings functions of its own"
    for graph in graphs:
        for number, _, part in walk(graph):
            if number == GRAPH_NODE:
                yield from node_problems(part)
            elif number == GRAPH_TENSOR:
                yield from tensor_problems(part, given)
            elif number == GRAPH_SPARSE:
                yield "it holds sparse tensors"


def node_problems(node: bytes) -> Iterator[str]:
    kind = domain = b""
    for number, _, part in walk(node):
        if number == NODE_KIND:
            kind = part
        elif number == NODE_DOMAIN:
            domain = part
        elif number == NODE_ATTRIBUTE:
            for field, _, value in walk(part):
                if field in ATTRIBUTE_REFUSED:
                    yield "an operator has a graph or a sparse tensor inside of it"
                elif field in ATTRIBUTE_TENSORS:
                    yield from tensor_problems(value, ())
    name, home = (one.decode("utf-8", "replace")[:60] for one in (kind, domain))
    if name not in OPERATORS.get(home if home != "ai.onnx" else "", frozenset()):
        yield f"it asks for {f'{home}.' if home else ''}{name}, which no export of ours does"


def tensor_problems(tensor: bytes, given: Collection[str]) -> Iterator[str]:
    """A tensor that lies elsewhere must be one that is given, under the name of a file that is none."""
    name, places, is_elsewhere = b"", [], False
    for number, value, part in walk(tensor):
        if number == TENSOR_NAME:
            name = part
        elif number == TENSOR_LOCATION:
            is_elsewhere |= value != 0
        elif number == TENSOR_EXTERNAL:
            is_elsewhere = True
            places.append({field: text for field, _, text in walk(part)})
    if not is_elsewhere:
        return
    said = name.decode("utf-8", "replace")
    if places != [{1: b"location", 2: GIVEN.encode()}]:
        named = ", ".join(repr(place.get(2, b"").decode("utf-8", "replace")[:60]) for place in places)
        yield f"the tensor {said[:60]} lies in another file ({named or 'not said which'})"
    elif said not in given:
        yield f"the weight {said[:60]} is not in the bundle"


def walk(content: bytes) -> Iterator[Field]:
    """The fields of one message; raises ValueError where it is cut or written in a way that nobody writes."""
    at = 0
    while at < len(content):
        key, at = varint(content, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(content, at)
            yield number, value, b""
            continue
        if wire == 2:
            size, at = varint(content, at)
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
        else:
            raise ValueError(f"a field of an unknown type at byte {at}")
        if not number or at + size > len(content):
            raise ValueError(f"it ends inside of a field at byte {at}")
        yield number, 0, content[at : at + size]
        at += size


def varint(content: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(content):
            break
        byte = content[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise ValueError(f"it ends inside of a number at byte {at}")
