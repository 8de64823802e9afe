"""What a request means, as a unit vector: a small sentence encoder (MiniLM) in ONNX Runtime, on one thread.

`Encoder.embed` is the network; `Meaning` compares a request with known ones whose vectors were made before. Nothing is
read before the first request needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.core.errors import BadBundle, MissingPart
from sayso.neural import fields
from sayso.neural.arrays import shaped
from sayso.neural.bundle import MANIFEST, Bundle, load_bundle, reading
from sayso.neural.graphs import check_graph
from sayso.neural.meaning_words import WordPieces, described
from sayso.neural.onnx_runtime import load_onnxruntime
from sayso.neural.weights import MOST, as_float, check_types, read_tensors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

GRAPH, WEIGHTS, PIECES = "graph.onnx", "weights.safetensors", "pieces.json"
KIND = "meaning"
CURE = "make it again as docs/concepts/meaning.md says"
MATRICES = ("qkv", "out", "up", "down")
SIZES = ("vocabulary", "width", "heads", "layers", "feed_forward", "places", "bits", "group")
ROWS = 64
"""Texts that are read at a time."""
STEPS = 127
REMEMBERED = 16
AT_A_TIME = 512
"""Known requests that are floats at a time, while they are compared."""
HIDDEN = -1.0
"""Less than the cosine of any two requests."""


@dataclass(frozen=True)
class MeaningShape:
    """The sizes of a BERT-shaped encoder. `places`: the longest text in pieces, marks included."""

    vocabulary: int
    width: int
    heads: int
    layers: int
    feed_forward: int
    places: int = 48
    epsilon: float = 1e-12
    bits: int = 8
    group: int = 64
    """Weights of a matrix that share a step."""

    def matrix(self, name: str) -> tuple[int, int]:
        """(outputs, inputs)"""
        return {
            "qkv": (3 * self.width, self.width),
            "out": (self.width, self.width),
            "up": (self.feed_forward, self.width),
            "down": (self.width, self.feed_forward),
        }[name]


class Encoder:
    """Sentences to unit vectors. `stored` is what `models.meaning.stored_weights` makes for the graph of its shape."""

    def __init__(self, graph: bytes, stored: Mapping[str, Array], pieces: WordPieces, shape: MeaningShape) -> None:
        try:
            onnxruntime = load_onnxruntime()
        except ImportError as error:
            raise MissingPart(f"the encoder needs the package {error.name}", f"pip install {error.name}") from error
        self.pieces, self.shape = pieces, shape
        # Copies, since a view would keep the whole file.
        self.words, self.steps, self.places = (stored[name].copy() for name in ("words.q", "words.d", "places"))
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = settings.inter_op_num_threads = 1
        settings.log_severity_level = 4
        settings.enable_mem_pattern = False  # every length has a plan of its own
        given = {name: one if name.endswith(".q") else as_float(one) for name, one in stored.items() if is_given(name)}
        value = onnxruntime.OrtValue.ortvalue_from_numpy
        settings.add_external_initializers(list(given), [value(one) for one in given.values()])
        check_graph(graph, given, "the encoder")
        try:
            self._session = onnxruntime.InferenceSession(graph, settings, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime has its own exceptions, all of them bare
            line = str(error).strip().splitlines()[0]
            raise BadBundle(f"the encoder's graph cannot be used: {line}", CURE) from error
        inputs, self._outputs = self._session.get_inputs(), [one.name for one in self._session.get_outputs()]
        if [(one.name, one.shape[2:]) for one in inputs] != [("x", [shape.width])] or self._outputs[0] != "vectors":
            raise BadBundle("the encoder's graph reads or gives something else than one vector", CURE)

    def embed(self, texts: Sequence[str]) -> Array:
        """Unit vectors (text, width) in float32, of texts with their constants described."""
        return self.embed_described([described(text) for text in texts])

    def embed_described(self, texts: Sequence[str]) -> Array:
        """The same of texts that are as `described` leaves them."""
        import numpy as np

        found = np.empty((len(texts), self.shape.width), np.float32)
        rows = [self.pieces.encode(text, self.shape.places) for text in texts]
        # Texts of one length go together, so that nothing has to be filled up and hidden.
        order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
        start = 0
        for end in range(1, len(order) + 1):
            if end == len(order) or end - start == ROWS or len(rows[order[end]]) != len(rows[order[start]]):
                found[order[start:end]] = self.forward(np.array([rows[at] for at in order[start:end]]))
                start = end
        return found

    def forward(self, ids: Array) -> Array:
        """Unit vectors of ids (row, time)."""
        import numpy as np

        (vectors,) = self._run(ids, self._outputs[:1])
        if vectors.shape != (len(ids), self.shape.width):
            raise BadBundle(f"the encoder's graph gives vectors of shape {vectors.shape}", CURE)
        return np.asarray(vectors, np.float32)

    @property
    def token_width(self) -> int:
        return self.shape.width * (len(self._outputs) - 1)

    def tokens(self, ids: Array) -> Array:
        """Vectors (row, time, width) of the layers that the graph gives beside its unit vectors, one after another."""
        import numpy as np

        found = self._run(ids, self._outputs[1:])
        if any(one.shape != (*ids.shape, self.shape.width) for one in found):
            raise BadBundle(f"the encoder's graph gives layers of shape {found[0].shape}", CURE)
        return np.concatenate(found, axis=-1, dtype=np.float32)

    def _run(self, ids: Array, outputs: Sequence[str]) -> list[Array]:
        import numpy as np

        words = self.words[ids].astype(np.float32) * self.steps[ids][..., None]  # (row, time, width)
        try:
            found: list[Array] = self._session.run(list(outputs), {"x": words + self.places[: ids.shape[1]]})
        except Exception as error:  # as above
            raise BadBundle(
                f"the encoder's graph cannot be run: {str(error).strip().splitlines()[0][:200]}", CURE
            ) from error
        return found


def is_given(name: str) -> bool:
    """Whether a weight is part of the graph; words and places are looked up before it."""
    return name != "places" and not name.startswith("words.")


def rounded(weight: Array) -> tuple[Array, Array]:
    """A matrix -> int8 of its shape, and the step of each row."""
    import numpy as np

    weight = np.asarray(weight, np.float32)
    d = np.maximum(np.abs(weight).max(1), 1e-12) / STEPS
    return np.rint(weight / d[:, None]).astype(np.int8), d.astype(np.float32)


def load_encoder(bundle: Bundle, graph: bytes = b"") -> Encoder:
    """The encoder of a bundle of kind "meaning"; another graph of the same weights may give its layers too."""
    with reading(bundle, "encoder", CURE):
        if bundle.kind != KIND:
            raise ValueError(f"it is of kind {bundle.kind}")
        shape = read_shape(bundle)
        pieces = fields.texts(bundle.read_json(PIECES), bundle.place(PIECES))
        stored = read_tensors(bundle.read(WEIGHTS), bundle.place(WEIGHTS))
        check_weights(stored, shape, bundle.place(WEIGHTS))
        if len(set(pieces)) != shape.vocabulary:
            raise ValueError("its words are not its pieces")
        return Encoder(graph or bundle.read(GRAPH), stored, WordPieces(pieces), shape)


def read_shape(bundle: Bundle) -> MeaningShape:
    place = f"{bundle.place(MANIFEST)}: settings.shape"
    given = fields.table(fields.field(bundle.settings, "shape", bundle.place(MANIFEST)), place)
    sizes = {name: fields.whole(fields.field(given, name, place), f"{place}.{name}", 1, MOST) for name in SIZES}
    shape = MeaningShape(**sizes, epsilon=fields.number(given.get("epsilon", 1e-12), f"{place}.epsilon", 0.0, 1.0))
    grouped = shape.group >= 16 and not any(size % shape.group for size in (shape.width, shape.feed_forward))
    if shape.bits not in (4, 8) or shape.width % shape.heads or not grouped or shape.places < 2:
        raise BadBundle(f"{place} has sizes that no encoder has", CURE)
    return shape


def check_weights(stored: Mapping[str, Array], shape: MeaningShape, place: str) -> None:
    """Every weight of an encoder of this shape, in its size and type."""

    def fit(name: str, *size: int) -> None:
        shaped(stored.get(name), f"{place}: {name}", *size)

    fit("words.q", shape.vocabulary, shape.width)
    fit("words.d", shape.vocabulary)
    fit("places", shape.places, shape.width)
    for end in ("weight", "bias"):
        fit(f"norm.{end}", shape.width)
    for layer in range(shape.layers):
        for name in MATRICES:
            outputs, inputs = shape.matrix(name)
            groups = inputs // shape.group
            fit(f"layers.{layer}.{name}.q", outputs, groups, shape.group * shape.bits // 8)
            fit(f"layers.{layer}.{name}.d", outputs, groups)
            fit(f"layers.{layer}.{name}.bias", outputs)
        for norm in (f"layers.{layer}.norm{n}.{end}" for n in (1, 2) for end in ("weight", "bias")):
            fit(norm, shape.width)
    check_types(stored, place, words="i1")


def settings_of(shape: MeaningShape) -> dict[str, Any]:
    return {"shape": asdict(shape)}


@dataclass(frozen=True)
class Nearness:
    """Cosines of a request with every known one, with the best of each group of them, and the best of all."""

    each: Array
    groups: Array
    best: float

    def nearest(self, limit: int) -> list[int]:
        """Positions of the nearest known requests, best first."""
        import numpy as np

        limit = min(limit, len(self.each))
        found = np.argpartition(-self.each, limit - 1)[:limit] if limit else np.empty(0, int)
        return [int(at) for at in sorted(found, key=lambda at: (-self.each[at], at)) if self.each[at] > HIDDEN]


@dataclass(frozen=True)
class Vectors:
    """Unit vectors as they are stored, eight bits each and without a step: their length is known."""

    rows: Array
    lengths: Array

    def cosines(self, vector: Array) -> Array:
        """With each of them; they are floats some at a time, since all together take four times the memory."""
        import numpy as np

        found = np.empty(len(self.rows), np.float32)
        floats = np.empty((min(AT_A_TIME, len(self.rows)), self.rows.shape[1]), np.float32)
        for first in range(0, len(self.rows), AT_A_TIME):
            some = self.rows[first : first + AT_A_TIME]
            floats[: len(some)] = some
            # Not "@", whose threads turn idly for longer than the product takes.
            np.einsum("ij,j->i", floats[: len(some)], vector, out=found[first : first + len(some)])
        return np.asarray(found / self.lengths)


class Meaning:
    """Known requests as vectors, in groups of neighbours that mean the same; `starts` are the first of each group."""

    def __init__(self, encoder: Callable[[], Encoder], vectors: Callable[[], Vectors], starts: Sequence[int]) -> None:
        self._encoder, self._vectors, self.starts = encoder, vectors, tuple(starts)
        self.likeness = lru_cache(REMEMBERED)(self._likeness)
        self.nearness = lru_cache(REMEMBERED)(self._nearness)

    @cached_property
    def vectors(self) -> Vectors:
        return self._vectors()

    def _likeness(self, text: str) -> Array:
        """The cosine of every known request with this one."""
        return self.vectors.cosines(self._encoder().embed([text])[0])

    def _nearness(self, text: str, hidden: frozenset[int] = frozenset()) -> Nearness:
        """The known requests beside this one, some of them hidden."""
        import numpy as np

        each = self.likeness(text)
        if hidden:
            each = each.copy()
            each[list(hidden)] = HIDDEN
        groups = np.maximum.reduceat(each, self.starts)
        return Nearness(each, groups, float(groups.max()))


def pack_vectors(vectors: Array) -> bytes:
    """Unit vectors as `unpack_vectors` reads them."""
    q, _ = rounded(vectors)
    return bytes(q.tobytes())


def unpack_vectors(raw: bytes, width: int) -> Vectors:
    """What `pack_vectors` wrote."""
    import numpy as np

    rows = np.frombuffer(raw, np.int8).reshape(-1, width)
    squares = np.einsum("ij,ij->i", rows, rows, dtype=np.float32)
    return Vectors(rows, np.sqrt(np.maximum(squares, 1.0)))


def open_encoder(folder: Path) -> Callable[[], Encoder]:
    """The encoder in a bundle, which is read when the first request is asked, and once."""
    return lru_cache(1)(lambda: load_encoder(load_bundle(folder)))
