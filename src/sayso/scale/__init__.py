"""One map for every scale: `map` streams results, `map_shards` keeps them in files and resumes.

Functions are top-level and values pickle, so the same call runs here, in processes, or on a Ray cluster.
"""

from __future__ import annotations

from sayso.core.errors import UnknownName
from sayso.scale.engines import Done, Engine, Failed, Processes, Result, Serial, map
from sayso.scale.shards import ShardReport, map_shards, read_shards

__all__ = [
    "Done",
    "Engine",
    "Failed",
    "Processes",
    "Result",
    "Serial",
    "ShardReport",
    "map",
    "map_shards",
    "open_engine",
    "read_shards",
]

ENGINES = ("serial", "processes", "ray")


def open_engine(name: str, workers: int = 0, address: str = "") -> Engine:
    """The engine that `--engine NAME --workers N --address ADDR` asks for; 0 workers means one per core."""
    if name == "serial":
        return Serial()
    if name == "processes":
        return Processes(workers)
    if name == "ray":
        from sayso.scale.ray import Ray

        return Ray(address, workers)
    raise UnknownName("engine", name, ENGINES)
