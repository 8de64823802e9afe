"""The Ray engine: the same map on a cluster. The only file that imports ray.

Ray restarts the chunk of a worker or a node that died; the function must therefore be safe to run twice on an item.
"""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sayso.core.errors import MachineError, MissingPart
from sayso.core.silence import silence
from sayso.scale.engines import Failed, Result, apply

A = TypeVar("A")
B = TypeVar("B")

RETRIES = 5


@dataclass(frozen=True)
class Ray:
    """`address` as `ray start` printed it, "auto" for the cluster this machine is part of, "" for one of its own."""

    address: str = ""
    workers: int = 0

    def chunks(self, fn: Callable[[A], B], chunks: Iterable[Sequence[A]]) -> Iterator[list[Result[B]]]:
        ray = connect(self.address, self.workers)
        run = ray.remote(max_retries=RETRIES)(apply)
        window = 2 * max(1, self.workers or int(ray.cluster_resources().get("CPU", 1)))
        waiting: deque[tuple[Sequence[A], Any]] = deque()
        try:
            for chunk in chunks:
                waiting.append((chunk, run.remote(fn, chunk)))
                if len(waiting) >= window:
                    yield collect(ray, *waiting.popleft())
            while waiting:
                yield collect(ray, *waiting.popleft())
        finally:
            for _, reference in waiting:
                ray.cancel(reference, force=True)


def collect(ray: Any, chunk: Sequence[A], reference: Any) -> list[Result[Any]]:
    """A chunk whose workers died every time is that chunk's failure; the others go on."""
    try:
        results: list[Result[Any]] = ray.get(reference)
        return results
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError, ray.exceptions.NodeDiedError) as error:
        return [Failed(f"the Ray worker died {RETRIES + 1} times: {type(error).__name__}") for _ in chunk]
    except ray.exceptions.RayTaskError as error:  # `apply` keeps what an item raises, so this is the way to the job
        reason = next((line.strip() for line in reversed(str(error).splitlines()) if line.strip()), "unknown")
        raise MachineError(
            f"a Ray worker cannot load the job: {reason}",
            "install the same sayso, and what the job imports, on every node",
        ) from error


def connect(address: str, workers: int) -> Any:
    """Ray itself, connected once per process."""
    silence("ray")
    try:
        import ray
    except ImportError as error:
        raise MissingPart("the ray engine needs Ray", "pip install 'sayso[ray]'") from error
    if not ray.is_initialized():
        check_reachable(address)
        # Without an address Ray would join any cluster that it finds on this machine, where no number may be asked for.
        options: dict[str, Any] = {"address": address} if address else {"address": "local", "num_cpus": workers or None}
        try:
            start(ray, options)
        except (ConnectionError, RuntimeError, ValueError) as error:
            if address:
                raise unreachable(address, error) from error
            # One of our own, on a machine too busy for the time that Ray gives its parts to come up.
            ray.shutdown()
            try:
                start(ray, options)
            except (ConnectionError, RuntimeError, ValueError) as again:
                raise unreachable(address, again) from again
    return ray


def start(ray: Any, options: dict[str, Any]) -> None:
    ray.init(**options, include_dashboard=False, log_to_driver=False, configure_logging=False)


def check_reachable(address: str) -> None:
    """Ask the address once: Ray itself keeps trying for minutes where nothing listens."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=5).close()
        except OSError as error:
            raise unreachable(address, error) from error


def unreachable(address: str, error: Exception) -> MachineError:
    return MachineError(
        f"cannot reach a Ray cluster at {address or 'this machine'}: {error}",
        "start one with `ray start --head`, then pass the address that it prints",
    )
