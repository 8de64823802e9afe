"""The Ray engine on a real cluster of two nodes on this machine."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sayso import scale
from sayso.core.errors import MachineError

pytestmark = [pytest.mark.ray, pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def cluster(jobs: ModuleType, jobs_folder: Path, one_ray: None) -> Iterator[str]:
    ray = pytest.importorskip("ray", exc_type=ImportError)
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(jobs_folder))  # what a job imports must be installed on every node
        nodes: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        nodes.add_node(num_cpus=1)
        nodes.wait_for_nodes()
    yield nodes.address
    ray.shutdown()
    nodes.shutdown()


def test_the_cluster_gives_what_the_serial_map_gives(cluster: str, jobs: ModuleType) -> None:
    ray: Any = __import__("ray")
    engine = scale.open_engine("ray", address=cluster)
    assert list(scale.map(jobs.double_unless_three, range(200), engine, chunk=9))[:3] == [
        scale.Done(0),
        scale.Done(2),
        scale.Done(4),
    ]
    ours = [r.value if isinstance(r, scale.Done) else r.error for r in scale.map(jobs.double, range(200), engine, 9)]
    assert ours == [2 * n for n in range(200)]
    assert len([node for node in ray.nodes() if node["Alive"]]) == 2


def test_a_worker_killed_in_the_middle_changes_nothing(cluster: str, jobs: ModuleType, tmp_path: Path) -> None:
    items = [(n, str(tmp_path)) for n in range(120)]
    killed: list[int] = []

    def kill_one_worker() -> None:
        deadline = time.monotonic() + 30
        while not killed and time.monotonic() < deadline:
            if (tmp_path / "log").exists():
                killed.extend(kill_ray_worker())
            time.sleep(0.05)

    thread = threading.Thread(target=kill_one_worker)
    thread.start()
    report = scale.map_shards(jobs.slow_double, items, tmp_path / "out", scale.open_engine("ray", address=cluster), 10)
    thread.join()
    assert killed, "no worker was found to kill"
    assert (report.items, report.failed) == (120, 0)
    got = [result.value for result in scale.read_shards(tmp_path / "out") if isinstance(result, scale.Done)]
    assert got == [2 * n for n in range(120)]


def kill_ray_worker() -> list[int]:
    """Kill -9 one process that is running our chunk; its title says so."""
    for entry in Path("/proc").iterdir():
        try:
            title = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if title.startswith(b"ray::") and b"apply" in title:
            os.kill(int(entry.name), signal.SIGKILL)
            return [int(entry.name)]
    return []


def test_a_job_that_the_nodes_cannot_import_is_one_clear_line(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "only_here.py").write_text("def same(n):\n    return n\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    job = __import__("only_here").same
    with pytest.raises(MachineError, match="No module named 'only_here'") as caught:
        list(scale.map(job, [1], scale.open_engine("ray", address=cluster)))
    assert "every node" in caught.value.hint


def test_an_address_where_nothing_answers_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    __import__("ray").shutdown()
    with pytest.raises(MachineError, match=r"cannot reach a Ray cluster at 127\.0\.0\.1:1") as caught:
        list(scale.map(abs, [1], scale.open_engine("ray", address="127.0.0.1:1")))
    assert "ray start --head" in caught.value.hint
