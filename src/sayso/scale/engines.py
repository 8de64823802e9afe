"""`map` over an engine: in order, streaming, with bounded work in flight, and no item lost to another item's error.

Two engines live here, serial and processes; ray.py has the third. Leaves out: retries of ordinary exceptions.
"""

from __future__ import annotations

import multiprocessing
import os
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import islice
from typing import Generic, Protocol, TypeVar

from sayso.scale.tie import end_group, tie_to_asker

A = TypeVar("A")
B = TypeVar("B")

# Small enough that a chunk of sandbox runs takes about a second, large enough that dispatch costs little per item.
CHUNK = 32


@dataclass(frozen=True)
class Done(Generic[B]):
    value: B


@dataclass(frozen=True)
class Failed:
    """What one item raised; `error` is a line, `trace` the rest."""

    error: str
    trace: str = ""


Result = Done[B] | Failed


class Engine(Protocol):
    def chunks(self, fn: Callable[[A], B], chunks: Iterable[Sequence[A]]) -> Iterator[list[Result[B]]]:
        """The results of each chunk, in order, reading only as many chunks ahead as keep the workers busy."""
        ...


def map(
    fn: Callable[[A], B],
    items: Iterable[A],
    engine: Engine | None = None,
    chunk: int = CHUNK,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Result[B]]:
    """One result per item, in order. `progress` is told how many more are done; pass chunk=1 for items of minutes."""
    for results in (engine or Serial()).chunks(fn, chunked(items, chunk)):
        yield from results
        if progress:
            progress(len(results))


def chunked(items: Iterable[A], size: int) -> Iterator[list[A]]:
    """[1, 2, 3], 2 -> [1, 2], [3]"""
    stream = iter(items)
    while chunk := list(islice(stream, size)):
        yield chunk


def apply(fn: Callable[[A], B], chunk: Sequence[A]) -> list[Result[B]]:
    """Run a chunk where we are; an exception becomes that item's result and the rest go on."""
    results: list[Result[B]] = []
    for item in chunk:
        try:
            results.append(Done(fn(item)))
        except Exception as error:
            results.append(Failed(f"{type(error).__name__}: {error}", traceback.format_exc()))
    return results


@dataclass(frozen=True)
class Serial:
    def chunks(self, fn: Callable[[A], B], chunks: Iterable[Sequence[A]]) -> Iterator[list[Result[B]]]:
        for chunk in chunks:
            yield apply(fn, chunk)


@dataclass(frozen=True)
class Processes:
    """Worker processes on this machine. A worker that dies takes down neither the run nor any other item.

    None of them outlives the process that asked, whatever ends that.
    """

    workers: int = 0
    _context: str = field(default="forkserver", repr=False)  # fork is unsafe once a library has started threads

    def chunks(self, fn: Callable[[A], B], chunks: Iterable[Sequence[A]]) -> Iterator[list[Result[B]]]:
        workers = self.workers or os.cpu_count() or 1
        waiting: deque[tuple[Sequence[A], Future[list[Result[B]]]]] = deque()
        pool = self._pool(workers)
        try:
            for chunk in chunks:
                waiting.append((chunk, submit(pool, fn, chunk)))
                if len(waiting) >= 2 * workers:
                    results, pool = self._next(fn, waiting, pool, workers)
                    yield results
            while waiting:
                results, pool = self._next(fn, waiting, pool, workers)
                yield results
        finally:
            stop(pool)

    def _next(
        self,
        fn: Callable[[A], B],
        waiting: deque[tuple[Sequence[A], Future[list[Result[B]]]]],
        pool: ProcessPoolExecutor,
        workers: int,
    ) -> tuple[list[Result[B]], ProcessPoolExecutor]:
        """The oldest chunk's results. If the pool broke, that chunk runs apart and the others go to a fresh pool."""
        chunk, future = waiting.popleft()
        try:
            return future.result(), pool
        except BrokenProcessPool:
            stop(pool)
            pool = self._pool(workers)
            for _ in range(len(waiting)):
                other, done = waiting.popleft()
                finished = done.done() and not done.cancelled() and done.exception() is None
                waiting.append((other, done if finished else submit(pool, fn, other)))
            return self._one_by_one(fn, chunk), pool

    def _one_by_one(self, fn: Callable[[A], B], chunk: Sequence[A]) -> list[Result[B]]:
        """Each item alone, twice at most: what kills its worker again is that item's failure and no other's."""
        results: list[Result[B]] = []
        for item in chunk:
            for _ in range(2):
                pool = self._pool(1)
                try:
                    results.extend(pool.submit(apply, fn, [item]).result())
                    break
                except BrokenProcessPool:
                    continue
                finally:
                    stop(pool)
            else:
                results.append(Failed("the worker process died on this item"))
        return results

    def _pool(self, workers: int) -> ProcessPoolExecutor:
        context = multiprocessing.get_context(self._context)
        return ProcessPoolExecutor(workers, mp_context=context, initializer=tie_to_asker)


def submit(pool: ProcessPoolExecutor, fn: Callable[[A], B], chunk: Sequence[A]) -> Future[list[Result[B]]]:
    try:
        return pool.submit(apply, fn, chunk)
    except BrokenProcessPool as error:  # broken between two chunks: found out when its turn comes
        broken: Future[list[Result[B]]] = Future()
        broken.set_exception(error)
        return broken


def stop(pool: ProcessPoolExecutor) -> None:
    """Leave no worker behind, also when the caller stops listening half-way."""
    workers = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        # Also where it is dead already: the pool ends all once it misses one, and what they started would stay.
        if not worker.pid or not end_group(worker.pid):
            worker.terminate()
    for worker in workers:
        worker.join()
