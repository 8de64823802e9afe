"""A trunk in ONNX Runtime, on one thread: reads prompts, then goes one id on for any rows; keys and values stay inside.

They lie in memory that every step writes on in, so that a row is copied only where two continue it. The package is
imported when a trunk is loaded, so that a thin client never pays for it.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sayso.core.errors import BadBundle, BadRequest, MissingPart
from sayso.english.vocabulary import PAD
from sayso.neural.graphs import check_graph
from sayso.neural.onnx_runtime import load_onnxruntime
from sayso.neural.weights import TrunkShape

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

ROWS, PLACES = 4, 128  # that memory has room for at first: most requests, their answers and no more
AHEAD = 64  # places behind a prompt, for its answer: memory that has to grow is there twice for a while
PIECE = 64  # ids that a prompt which may be gone on with is read by
KEPT = 384  # places of memory that is used again: four rows of 1,536 are 216 MiB, which few requests want


@dataclass(frozen=True)
class Bound:
    """A run of some rows with all that it reads and writes, at fixed addresses."""

    binding: Any
    ids: Array
    last: Array
    seen: Array
    total: Array
    logits: Array


class Memory:
    """Keys and values of all layers for some rows, and what runs over them. One search at a time uses it."""

    def __init__(self, session: Any, shape: TrunkShape) -> None:
        self.session, self.shape = session, shape
        inputs, outputs = session.get_inputs(), session.get_outputs()
        self.before = [one.name for one in inputs if ".past_" in one.name]
        self.asks_many = is_asked_at_many(inputs)
        self.after = [one.name for one in outputs if ".present_" in one.name]
        self.make(ROWS, PLACES)

    def make(self, rows: int, places: int) -> None:
        import numpy as np

        shape = self.shape
        self.cache = np.empty((len(self.before), rows, shape.key_heads, places, shape.head), np.float32)
        self.bound: dict[int, Bound] = {}

    def make_room(self, rows: int, places: int, ahead: int = 0) -> None:
        """Room for so many rows and places, and some ahead if the trunk has them; what is there is kept."""
        kept, most = self.cache, self.shape.places
        _, had_rows, _, had_places, _ = kept.shape
        if places > most:
            raise BadRequest(f"the trunk has {most:,} places, and {places:,} are asked for", "ask for less")
        places = min(places + ahead, most)
        if rows > had_rows or places > had_places:
            self.make(enough(had_rows, rows), min(enough(had_places, places), most))
            self.cache[:, :had_rows, :, :had_places] = kept

    def run(self, ids: Array, lengths: Sequence[int], last: Sequence[int] | None = None) -> Array:
        """Logits (rows, vocabulary) at the places `last` of ids (rows, time); overwritten by the next run."""
        rows, time = ids.shape
        if time == 1:
            bound = self.bound.get(rows) or self.bind(rows, 1)
            self.bound[rows] = bound
        else:
            bound = self.bind(rows, time)
        return self.go(bound, ids, lengths, last)

    def run_at(self, ids: Array, lengths: Sequence[int], places: Array) -> Array:
        """Logits (rows, asked, vocabulary) at several places (rows, asked) of each row."""
        if not self.asks_many:
            raise BadBundle("the trunk's graph answers at one place of a row", "export the trunk again")
        rows, time = ids.shape
        bound = self.bind(rows, time, places.shape[1])
        return self.go(bound, ids, lengths, places.ravel()).reshape(*places.shape, -1)

    def go(self, bound: Bound, ids: Array, lengths: Sequence[int], last: Sequence[int] | Array | None) -> Array:
        bound.ids[:] = ids
        bound.seen[:] = lengths
        bound.seen[:] -= 1
        bound.total[...] = max(lengths)
        if last is not None:
            bound.last.ravel()[:] = last
        try:
            self.session.run_with_iobinding(bound.binding, giving_back() if ids.shape[1] > KEPT else None)
        except Exception as error:  # the runtime has its own exceptions, all of them bare
            line = str(error).strip().splitlines()[0][:200]
            raise BadBundle(f"the trunk's graph cannot be run: {line}", "export the trunk again") from error
        return bound.logits.reshape(-1, bound.logits.shape[-1])

    def bind(self, rows: int, time: int, asked: int = 1) -> Bound:
        import numpy as np

        value = load_onnxruntime().OrtValue.ortvalue_from_numpy  # which looks at the array and copies nothing
        given: dict[str, Array] = {
            "ids": np.zeros((rows, time), np.int64),
            "last": np.zeros((rows, asked, 1) if self.asks_many else (rows, 1), np.int64),
            "seen": np.zeros(rows, np.int32),
            "total": np.zeros((), np.int32),
        }
        logits = np.empty((*given["last"].shape[:-1], self.shape.vocabulary), np.float32)
        binding = self.session.io_binding()
        for name, one in given.items():
            binding.bind_ortvalue_input(name, value(one))
        binding.bind_ortvalue_output("logits", value(logits))
        # Memory that goes in and comes out at one address is written in place.
        for before, after, layer in zip(self.before, self.after, self.cache, strict=True):
            both = value(layer[:rows])
            binding.bind_ortvalue_input(before, both)
            binding.bind_ortvalue_output(after, both)
        return Bound(binding, logits=logits, **given)


@dataclass
class Read:
    """What the rows have read: in which rows of the memory they lie, and how many places of each count."""

    memory: Memory
    places: list[int]
    lengths: list[int]


@dataclass
class Kept:
    """A prompt that was read, with the memory that holds it; whoever has it gives it back with the next prompt."""

    memory: Memory
    ids: list[int]


class Trunk:
    """Log-probabilities of the next id, as beam search wants them. What was read is stepped from once."""

    def __init__(self, graph: bytes, weights: Mapping[str, Array], shape: TrunkShape, threads: int = 1) -> None:
        try:
            import numpy  # noqa: F401

            onnxruntime = load_onnxruntime()
        except ImportError as error:
            raise MissingPart(f"the trunk needs the package {error.name}", f"pip install {error.name}") from error
        self.shape = shape
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = settings.inter_op_num_threads = threads
        settings.log_severity_level = 4
        # Shapes change with every step: a plan of memory made for one would be kept and never fit again.
        settings.enable_mem_pattern = False
        names, value = list(weights), onnxruntime.OrtValue.ortvalue_from_numpy
        settings.add_external_initializers(names, [value(weights[name]) for name in names])
        check_graph(graph, weights, "the trunk")
        try:
            self._session = onnxruntime.InferenceSession(graph, settings, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime has its own exceptions, all of them bare
            line = str(error).strip().splitlines()[0]
            raise BadBundle(f"the trunk's graph cannot be used: {line}", "export the trunk again") from error
        if not speaks(self._session, shape):
            raise BadBundle("the trunk's graph reads or gives something else than a trunk", "export the trunk again")
        self._spare: list[Memory] = []

    def start(self, prompts: Sequence[Sequence[int]]) -> tuple[Array, Read]:
        """After every prompt, one row each; shorter ones are filled up behind, where nothing looks."""
        import numpy as np

        lengths = [len(prompt) for prompt in prompts]
        ids = np.full((len(prompts), max(lengths)), PAD, np.int64)
        for row, prompt in zip(ids, prompts, strict=True):
            row[: len(prompt)] = prompt
        read = self.take(lengths)
        memory = read.memory
        memory.make_room(len(prompts), max(lengths), AHEAD)
        logits = memory.run(ids, lengths, [length - 1 for length in lengths])
        return log_softmax(logits.copy()), read

    def take(self, lengths: list[int]) -> Read:
        """Memory for rows of such lengths, given back when nobody has what is returned any more."""
        try:
            memory = self._spare.pop()
        except IndexError:  # the first search, or another one is under way
            memory = Memory(self._session, self.shape)
        read = Read(memory, [*range(len(lengths))], lengths)
        weakref.finalize(read, keep, memory, self._spare).atexit = False
        return read

    def likelihoods(self, prompts: Sequence[Sequence[int]], answers: Sequence[Sequence[int]]) -> list[float]:
        """The log-probability of each answer after its prompt; nothing is kept.

        Prompts are read in the order of their ids, one row after the other, so that what two neighbours begin with is
        read once: more rows in a run make none of them cheaper.
        """
        import numpy as np

        rows = [[*prompt, *answer[:-1]] for prompt, answer in zip(prompts, answers, strict=True)]
        read = self.take([0])
        memory, before, found = read.memory, list[int](), [0.0] * len(rows)
        memory.make_room(1, max(map(len, rows), default=0))
        for at in sorted(range(len(rows)), key=lambda at: rows[at]):
            row, answer, asked = rows[at], answers[at], len(prompts[at]) - 1
            start = min(same_beginning(before, row), asked)
            ids, places = np.array([row[start:]], np.int64), np.arange(asked - start, len(row) - start)[None]
            told = log_softmax(memory.run_at(ids, [len(row)], places))
            found[at] = float(told[0, range(len(answer)), answer].sum())
            before = row
        return found

    def go_on(
        self, prompt: Sequence[int], kept: Kept | None = None, rows: int = 1, ahead: int = AHEAD
    ) -> tuple[Array, Read, Kept]:
        """After one prompt, of which only what differs from the one that is kept is read; room for what follows.

        It is read in whole pieces counted from its beginning, so that the numbers are the same whatever was kept.
        """
        import numpy as np

        ids = list(prompt)
        kept = kept or Kept(Memory(self._session, self.shape), [])
        memory = kept.memory
        start = min(same_beginning(kept.ids, ids), len(ids) - 1) // PIECE * PIECE
        kept.ids = []  # nothing is sure of a memory that a run has left half-written
        memory.make_room(rows, len(ids), ahead)
        logits = None
        for first in range(start, len(ids), PIECE):
            piece = np.array([ids[first : first + PIECE]], np.int64)
            logits = memory.run(piece, [first + piece.shape[1]], [piece.shape[1] - 1])
        assert logits is not None
        return log_softmax(logits.copy()), Read(memory, [0], [len(ids)]), Kept(memory, ids)

    def step(self, state: Read, last: Array, parents: Array) -> tuple[Array, Read]:
        """One id on for every row, each continuing one of the rows before."""
        memory, origins = state.memory, [state.places[parent] for parent in parents.tolist()]
        memory.make_room(len(origins), max(state.lengths) + 1)
        places = settle(origins)
        lengths = [0] * len(places)
        ids = last.copy()[:, None]
        for row, (place, origin, parent) in enumerate(zip(places, origins, parents.tolist(), strict=True)):
            before = state.lengths[parent]
            if place != origin:
                memory.cache[:, place, :, :before] = memory.cache[:, origin, :, :before]
            lengths[place] = before + 1
            ids[place] = last[row]
        logits = memory.run(ids, lengths)
        state.places, state.lengths = places, [lengths[place] for place in places]
        return log_softmax(logits[places]), state


def giving_back() -> Any:
    """What a run is told that works on much at a time, so that the runtime keeps no memory for another like it."""
    options = load_onnxruntime().RunOptions()
    options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    return options


def keep(memory: Memory, spare: list[Memory]) -> None:
    """Memory that is no longer used, for the next search, unless it is large."""
    if memory.cache.shape[3] <= KEPT:
        spare.append(memory)


def same_beginning(one: Sequence[int], other: Sequence[int]) -> int:
    """[1, 2, 3], [1, 2, 4] -> 2"""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def enough(had: int, needed: int) -> int:
    """What there is where that will do, else at least twice as much."""
    return had if had >= needed else max(needed, 2 * had)


def settle(origins: Sequence[int]) -> list[int]:
    """Rows of memory, 0 to n - 1, for n rows that continue what lies at `origins`: the same wherever that is possible.

    [0, 0, 2] -> [0, 1, 2] and [5, 1, 1] -> [0, 1, 2]. A row that moves goes to a place that none continues.
    """
    free = set(range(len(origins)))
    settled = []
    for origin in origins:
        settled.append(origin if origin in free else -1)
        free.discard(origin)
    left = iter(sorted(free))
    return [next(left) if place < 0 else place for place in settled]


def speaks(session: Any, shape: TrunkShape) -> bool:
    """Whether a graph takes and gives what `Memory` binds, in its sizes."""
    memory = [shape.key_heads, "places", shape.head]
    many: list[Any] = ["asked"] if is_asked_at_many(session.get_inputs()) else []
    given = {"ids": ["time"], "last": [*many, 1], "seen": [], "total": []}
    made: dict[str, list[Any]] = {"logits": [*many, shape.vocabulary]}
    for layer in range(shape.layers):
        for kind in ("keys", "values"):
            given[f"layers.{layer}.past_{kind}"] = made[f"layers.{layer}.present_{kind}"] = memory
    return all(
        {one.name: one.shape[1:] for one in found} == wanted
        for found, wanted in ((session.get_inputs(), given), (session.get_outputs(), made))
    )


def is_asked_at_many(inputs: Sequence[Any]) -> bool:
    """Older exports answer at one place of each row alone."""
    return any(one.name == "last" and len(one.shape) == 3 for one in inputs)


def log_softmax(logits: Array) -> Array:
    """In place."""
    import numpy as np

    logits -= logits.max(-1, keepdims=True)
    logits -= np.log(np.exp(logits).sum(-1, keepdims=True, dtype=np.float32))
    return logits
