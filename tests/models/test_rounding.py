"""Rounded as the exported trunk is: one product is ONNX Runtime's to the last digits, and gradients pass."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from sayso.models.int4 import GROUP, pack, rounded, rounded_rows, rounded_words, unpack
from sayso.models.llama import Llama, LlamaSettings, leave_as_shipped, round_as_shipped
from sayso.neural.weights import numbers

pytestmark = pytest.mark.torch
SHAPE = LlamaSettings(40, 40, width=32, heads=4, key_heads=2, layers=2, feed_forward=64, dropout=0.0)


def product(rows: torch.Tensor, weight: torch.Tensor, bits: int) -> torch.Tensor:
    """As a bundle's graph has it (training/export_graph)."""
    onnx = pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    outputs, inputs = weight.shape
    q, d = numbers(weight.numpy(), bits)
    settings = {"K": inputs, "N": outputs, "bits": bits, "block_size": GROUP, "accuracy_level": 4}
    node = onnx.helper.make_node("MatMulNBits", ["x", "q", "d"], ["y"], domain="com.microsoft", **settings)
    graph = onnx.helper.make_graph(
        [node],
        "product",
        [onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["rows", inputs])],
        [onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, ["rows", outputs])],
        [onnx.numpy_helper.from_array(q, "q"), onnx.numpy_helper.from_array(d.astype("float32"), "d")],
    )
    opsets = [onnx.helper.make_opsetid("", 20), onnx.helper.make_opsetid("com.microsoft", 1)]
    model = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=10)
    session = runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return torch.from_numpy(session.run(None, {"x": rows.numpy()})[0])


@pytest.mark.parametrize("bits", [4, 8])
def test_a_product_is_that_of_onnx_runtime(bits: int) -> None:
    draw = torch.Generator().manual_seed(bits)
    weight = torch.randn(96, 576, generator=draw) * 0.05
    rows = torch.randn(7, 576, generator=draw)
    rows[:, 5] *= 30  # a trunk like ours has single huge numbers
    wanted = product(rows, weight, bits)
    held = rounded(weight) if bits == 4 else rounded_words(weight)
    assert torch.linalg.norm(rounded_rows(rows) @ held.T - wanted) < 1e-5 * torch.linalg.norm(wanted)
    assert torch.linalg.norm(rows @ held.T - wanted) > 1e-3 * torch.linalg.norm(wanted)


@given(st.lists(st.floats(-1e4, 1e4, width=32), min_size=GROUP, max_size=GROUP))
def test_rounding_rows_moves_nothing_by_more_than_half_a_step(row: list[float]) -> None:
    # What is smaller has no step of its own: there is a least one, so that nothing is divided by zero.
    x = torch.tensor([[value if abs(value) > 1e-30 else 0.0 for value in row]])
    step = x.abs().max() / 127
    assert ((rounded_rows(x) - x).abs() <= step * 0.501).all()


def test_gradients_pass_rounded_rows_untouched() -> None:
    x = torch.randn(2, 2 * GROUP, requires_grad=True)
    weight = torch.randn(3, 2 * GROUP)
    (rounded_rows(x) @ weight.T).sum().backward()  # type: ignore[no-untyped-call]
    assert x.grad is not None and torch.allclose(x.grad, weight.sum(0).expand(2, -1))


def test_groups_that_share_a_step_are_packed_as_they_were_rounded() -> None:
    weight = torch.randn(6, 192, generator=torch.Generator().manual_seed(0))
    packed = pack(weight, 64)
    assert torch.allclose(unpack(packed), rounded(weight, 64), atol=1e-6)
    assert torch.equal(packed.d[:, 0::2], packed.d[:, 1::2]) and not torch.equal(packed.d, pack(weight).d)


def test_nothing_is_rounded_twice() -> None:
    words = torch.randn(5, 64)
    assert torch.equal(rounded_words(rounded_words(words)), rounded_words(words))


def test_a_trunk_left_as_shipped_computes_what_the_rounded_one_did() -> None:
    torch.manual_seed(1)
    network = Llama(SHAPE).eval()
    ids = torch.randint(4, 40, (2, 9))

    def logits() -> torch.Tensor:
        with torch.no_grad():
            return network.logits(network.read(network.embed(ids))[0])

    plain = logits()
    round_as_shipped(network, is_rounded=True)
    shipped = logits()
    leave_as_shipped(network)
    assert torch.allclose(logits(), shipped, atol=1e-5)
    assert not torch.allclose(plain, shipped, atol=1e-3)
