"""A trunk in ONNX Runtime, on one thread: reads prompts, then goes one id on for any rows; keys and values stay inside.

The package is imported when a trunk is loaded, so that a thin client never pays for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sayso.core.errors import BadBundle, MissingPart
from sayso.text.vocabulary import PAD
from sayso.translate._weights import TrunkShape

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


@dataclass(frozen=True)
class Read:
    """What the rows have read: keys and values of every layer, and how many places of each row count."""

    cache: Sequence[Any]
    lengths: Array


class Trunk:
    """Log-probabilities of the next id, as beam search wants them."""

    def __init__(self, graph: bytes, weights: Mapping[str, Array], shape: TrunkShape, threads: int = 1) -> None:
        try:
            import numpy as np
            import onnxruntime
        except ImportError as error:
            raise MissingPart(f"the trunk needs the package {error.name}", 'pip install "sayso[train]"') from error
        self.shape = shape
        self._values = onnxruntime.OrtValue.ortvalue_from_numpy
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = settings.inter_op_num_threads = threads
        settings.log_severity_level = 4
        # Shapes change with every step: a plan of memory made for one would be kept and never fit again.
        settings.enable_mem_pattern = False
        names = list(weights)
        settings.add_external_initializers(names, [self._values(weights[name]) for name in names])
        try:
            self._session = onnxruntime.InferenceSession(graph, settings, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime has its own exceptions, all of them bare
            line = str(error).strip().splitlines()[0]
            raise BadBundle(f"the trunk's graph cannot be used: {line}", "export the trunk again") from error
        inputs = [one.name for one in self._session.get_inputs()]
        self._before = [name for name in inputs if ".past_" in name]
        self._outputs = [one.name for one in self._session.get_outputs()]
        empty = np.zeros((1, shape.key_heads, 0, shape.head), np.float32)
        self._nothing = [self._values(empty)] * len(self._before)

    def start(self, prompts: Sequence[Sequence[int]]) -> tuple[Array, Read]:
        """After every prompt, one row each; shorter ones are filled up behind, where nothing looks."""
        import numpy as np

        lengths = np.array([len(prompt) for prompt in prompts], np.int32)
        ids = np.full((len(prompts), lengths.max()), PAD, np.int64)
        for row, prompt in zip(ids, prompts, strict=True):
            row[: len(prompt)] = prompt
        rows = np.zeros(len(prompts), np.int64)
        return self._run(ids, rows, lengths, lengths[:, None].astype(np.int64) - 1, self._nothing)

    def step(self, state: Read, last: Array, parents: Array) -> tuple[Array, Read]:
        """One id on for every row, each continuing one of the rows before."""
        import numpy as np

        lengths = state.lengths[parents] + np.int32(1)
        return self._run(last[:, None], parents, lengths, np.zeros((len(last), 1), np.int64), state.cache)

    def _run(
        self, ids: Array, parents: Array, lengths: Array, last: Array, before: Sequence[Any]
    ) -> tuple[Array, Read]:
        import numpy as np

        given = {
            "ids": ids,
            "parents": parents,
            "last": last,
            "seen": lengths - np.int32(1),
            "total": np.array(lengths.max(), np.int32),
        }
        feeds = {name: self._values(np.ascontiguousarray(one)) for name, one in given.items()}
        feeds |= zip(self._before, before, strict=True)
        logits, *cache = self._session.run_with_ort_values(self._outputs, feeds)
        return log_softmax(logits.numpy()), Read(cache, lengths)


def log_softmax(logits: Array) -> Array:
    import numpy as np

    shifted = logits - logits.max(-1, keepdims=True)
    logs: Array = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True, dtype=np.float32))
    return logs
