"""Few-bit numbers, safetensors and adapters in numpy alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadBundle
from sayso.neural.weights import FUSED, GROUP, Adapter, TrunkShape, graph_weights, numbers, read_tensors, whole

np = pytest.importorskip("numpy")

SHAPE = TrunkShape(20, 64, 2, 1, 1, 96, 1e4, 1e-5, bits=8)


def matrix(seed: int, outputs: int, inputs: int) -> Any:
    return np.random.default_rng(seed).normal(0, 0.1, (outputs, inputs)).astype(np.float32)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 1000), st.sampled_from([4, 8]))
def test_numbers_are_near_and_rounding_twice_changes_nothing(seed: int, bits: int) -> None:
    weight = matrix(seed, 3, 2 * GROUP)
    q, d = numbers(weight, bits)
    assert q.shape == (3, 2, 4 * bits) and d.shape == (3, 2)
    near = whole(q, d, bits)
    # Half a step, or a whole one where the largest of the other sign has no number of its own.
    reach = np.abs(d.astype(np.float32)).repeat(GROUP).reshape(weight.shape) * (1.01 if bits == 4 else 0.51) + 1e-4
    assert (np.abs(near - weight) <= reach).all()
    again = numbers(near, bits)
    assert np.array_equal(whole(*again, bits), near)


def test_a_group_of_zeros_stays_zero() -> None:
    for bits in (4, 8):
        assert not whole(*numbers(np.zeros((2, GROUP), np.float32), bits), bits).any()


def test_minima_are_read() -> None:
    q = np.arange(16, dtype=np.uint8).reshape(1, 1, 16)  # low halves 0..15, high halves 0
    found = whole(q, np.array([[0.5]], np.float16), 4, np.array([[-1.0]], np.float16))
    assert found[0, :6].tolist() == [-1.0, -1.0, -0.5, -1.0, 0.0, -1.0]


def stored(bits: int) -> dict[str, Any]:
    made: dict[str, Any] = dict(zip(("embed.q", "embed.d"), numbers(matrix(1, 20, 64), 8), strict=True))
    for name in ("norm", "layers.0.input_norm", "layers.0.post_norm"):
        made[name] = np.ones(64, np.float16)
    for place, fused in enumerate(FUSED):
        q, d = numbers(matrix(place, *SHAPE.matrix(fused)), bits)
        made |= {f"layers.0.{fused}.q": q, f"layers.0.{fused}.d": d}
    return made


def test_numbers_that_are_right_already_are_passed_on() -> None:
    kept = stored(8)
    assert graph_weights(kept, SHAPE)["layers.0.down.q"] is kept["layers.0.down.q"]


def test_an_adapter_changes_its_part_of_a_fused_matrix_only() -> None:
    kept = stored(4)
    a, b = matrix(8, 4, 64), matrix(9, 32, 4)
    adapter = Adapter({"layers.0.self_attn.k_proj.a": a, "layers.0.self_attn.k_proj.b": b}, 2.0)
    plain, changed = graph_weights(kept, SHAPE), graph_weights(kept, SHAPE, adapter)
    difference = whole(changed["layers.0.qkv.q"], changed["layers.0.qkv.d"], 8) - whole(
        plain["layers.0.qkv.q"], plain["layers.0.qkv.d"], 8
    )
    assert np.abs(difference[:64]).max() == np.abs(difference[96:]).max() == 0
    assert np.abs(difference[64:96] - 2.0 * b @ a).max() < 0.01
    assert np.array_equal(changed["layers.0.out.q"], plain["layers.0.out.q"])


def test_safetensors_are_read_without_their_package() -> None:
    save = pytest.importorskip("safetensors.numpy").save
    content = {"a": np.arange(6, dtype=np.uint8).reshape(2, 3), "b": np.ones((2, 2), np.float16), "c": matrix(3, 2, 2)}
    found = read_tensors(save(content), "here")
    assert found.keys() == content.keys()
    assert all(np.array_equal(found[name], one) and found[name].dtype == one.dtype for name, one in content.items())


@pytest.mark.parametrize("content", [b"", b"\x02\0\0\0\0\0\0\0[]", b"not weights at all, and long enough"])
def test_what_is_no_safetensors_is_named(content: bytes) -> None:
    with pytest.raises(BadBundle, match="here holds no weights"):
        read_tensors(content, "here")


def test_an_unknown_type_is_named() -> None:
    header = json.dumps({"x": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]}}).encode()
    with pytest.raises(BadBundle, match="BF16"):
        read_tensors(len(header).to_bytes(8, "little") + header + b"\0\0", "here")
