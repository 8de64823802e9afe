"""Fixtures for every test: no test touches the user's folders, and a missing component is a failure under CI=true."""

from __future__ import annotations

import fcntl
import gc
import json
import lzma
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from sayso.core.silence import SWITCHES, silence
from sayso.core.types import Workspace

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

# Tests import these libraries themselves, some before any code of ours.
for library in SWITCHES:
    silence(library)
# A loaded machine misses hypothesis's 200 ms without anything being wrong.
settings.register_profile("sayso", deadline=None)
settings.load_profile("sayso")


MARKED_TORCH = re.compile(r"^pytestmark = .*\btorch\b", re.M)
USER_FOLDERS = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")


@pytest.fixture(scope="session")
def untouched_homes() -> list[Path]:
    """Homes that a test left as it found them: thousands of new ones cost pytest half a minute to remove again."""
    return []


LONGEST = (
    "test_readme.py",
    "scale/test_ray.py",
    "training/test_together.py",
    "apps/daemon/test_launch.py",
    "benchmarks/test_startup_promises.py",
    "contracts/test_translators.py",
    "targets/bash/cookbook/test_cookbook.py",
    "training/test_trunk.py",
    "targets/bash/corpus/test_stats.py",
    "targets/bash/test_language_on_nl2bash.py",
    "targets/bash/systems/test_combined.py",
    "training/test_export.py",
    "targets/bash/test_golden.py",
    "targets/bash/test_language_fuzz.py",
    "targets/api/test_api_stats.py",
    "targets/bash/lessons/test_grammar.py",
    "targets/bash/executed/test_executed.py",
    "models/test_toys.py",
    "training/test_checkpoint.py",
    "training/test_stacked.py",
    "apps/test_silence.py",
    "sandbox/test_hostile.py",
    "apps/test_no_network.py",
    "apps/judge/test_judge_page.py",
    "targets/bash/everyday/test_everyday.py",
    "experiments/test_path.py",
    "apps/daemon/test_flat_memory.py",
    "training/test_lanes.py",
)
"""By the seconds that `pytest --durations=200` shows; the others are short enough to come in any order."""
WITH_RAY = (
    "scale/test_ray.py",
    "targets/bash/executed/test_executed_engines.py",
    "apps/cli/test_mine_command.py",
    "targets/build/test_miniature.py",
)
"""Two Rays at once wait for each other: one worker runs all of these, and nobody waits."""
LEDGER = Path(__file__).parents[1] / "results" / "ledger.jsonl"


HELD: list[bool] = []


@contextmanager
def alone_with_ray() -> Iterator[None]:
    """Of all processes that test here, this one; asked for again while it is, it is so already."""
    if HELD:
        yield
        return
    with Path(tempfile.gettempdir(), f"sayso-tests-ray-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        HELD.append(True)
        try:
            yield
        finally:
            HELD.clear()


@pytest.fixture(scope="module")
def one_ray() -> Iterator[None]:
    """For what keeps Ray running over several tests."""
    with alone_with_ray():
        yield


@pytest.fixture(autouse=True)
def one_ray_at_a_time(request: pytest.FixtureRequest) -> Iterator[None]:
    """Two that start at once on two cores wait for each other until one gives up."""
    if request.node.get_closest_marker("ray") is None or "one_ray" in request.fixturenames:
        yield
        return
    with alone_with_ray():
        yield


@pytest.fixture(autouse=True)
def checkout_stays_clean() -> Iterator[None]:
    """A test that runs something on test while it stands in this checkout would be counted in the tracked ledger."""
    before = LEDGER.stat().st_size if LEDGER.exists() else 0
    yield
    after = LEDGER.stat().st_size if LEDGER.exists() else 0
    assert after == before, f"this test, or one beside it, wrote to {LEDGER}: stand in a folder of its own"


@pytest.fixture(autouse=True)
def user_folders(
    tmp_path_factory: pytest.TempPathFactory, untouched_homes: list[Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """Point every user folder at a temporary one; gives the home."""
    fresh = not untouched_homes
    home = tmp_path_factory.mktemp("home") if fresh else untouched_homes.pop()
    folders = {name: home / name.removeprefix("XDG_").removesuffix("_HOME").lower() for name in USER_FOLDERS}
    for name, folder in folders.items():
        if fresh:
            folder.mkdir(mode=0o700)
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setenv("HOME", str(home))
    # This machine's pages are read by tests that say so, and by no process that a test leaves behind.
    monkeypatch.setenv("MANPATH", "/no-manual-pages-in-tests")
    yield home
    if is_untouched(home, [*folders.values()]):
        untouched_homes.append(home)


def is_untouched(home: Path, folders: list[Path]) -> bool:
    """Whether there is nothing but these folders, all of them empty and the user's own."""
    if set(os.listdir(home)) != {one.name for one in folders}:  # noqa: PTH208 - before and after each of 11,000 tests
        return False
    own = [stat.S_IFDIR | 0o700] * (len(folders) + 1)
    return [one.lstat().st_mode for one in (home, *folders)] == own and not any(map(os.listdir, folders))


@pytest.fixture(scope="session")
def need() -> Callable[[str, str], None]:
    """need("bwrap", "install bubblewrap"): skip where a program is missing, fail under CI=true."""

    def check(program: str, cure: str) -> None:
        if shutil.which(program) is None:
            missing(f"{program} is not installed: {cure}")

    return check


def missing(why: str) -> None:
    """Skip with the reason, or fail under CI=true, where everything must be there."""
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The quick run does not import what it would deselect whole: torch alone takes each worker seconds."""
    if "not torch" not in config.option.markexpr:
        return None
    files = [collection_path] if collection_path.suffix == ".py" else list(collection_path.glob("test_*.py"))
    return True if files and all(MARKED_TORCH.search(file.read_text()) for file in files) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Eleven thousand tests are made and none is let go of: nobody looks for garbage among them, then or later.

    That would be a fifth of the time that quick tests take. Who counts objects says `gc.unfreeze()` first.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files begin, so that no worker is left alone with one at the end; those with Ray come together."""
    here = Path(__file__).parent
    ranks = {here / name: rank for rank, name in enumerate(LONGEST)}
    ranks |= {here / name: ranks[here / WITH_RAY[0]] for name in WITH_RAY}
    items.sort(key=lambda item: ranks.get(item.path, len(LONGEST)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: Any, log: Any) -> object:
    """With `-n`, a file stays in one process, so that what it sets up is made once."""
    from xdist.scheduler.loadscope import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return "ray" if file.removeprefix("tests/") in WITH_RAY else file

    config.option.loadscopereorder = False  # ours is by seconds, theirs by the number of tests
    return ByFile(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """For `pytest.importorskip` at the top of a module."""
    report = yield
    if is_missing_package(report):
        report.outcome = "failed"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """For `pytest.importorskip` inside a test or a fixture."""
    report = yield
    if is_missing_package(report):
        report.outcome = "failed"
    return report


def is_missing_package(report: pytest.CollectReport | pytest.TestReport) -> bool:
    """Whether something is skipped under CI=true because a package cannot be imported."""
    return os.environ.get("CI") == "true" and report.skipped and "could not import" in str(report.longrepr)


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of the real corpora; tests that ask for it are skipped, with the reason, where it is not."""
    folder = os.environ.get("SAYSO_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("the real corpora are not on this machine: set SAYSO_DATA to their folder")
    return Path(folder)


@pytest.fixture
def workspace(corpora: Path, tmp_path: Path) -> Workspace:
    """The real corpora with an empty cache and no sandbox."""
    return Workspace(data=corpora, cache=tmp_path / "cache")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory, need: Callable[[str, str], None]) -> Iterator[Chrome]:
    """Headless Chromium with an empty profile; a missing one is a failure under CI=true."""
    need("chromium", "apt-get install chromium")
    need("chromedriver", "apt-get install chromium-driver")
    pytest.importorskip("selenium")
    chromium, driver = shutil.which("chromium") or "", shutil.which("chromedriver") or ""
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    home = tmp_path_factory.mktemp("browser")
    options = ChromeOptions()
    options.binary_location = chromium
    for flag in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1200,900",
        f"--user-data-dir={home / 'profile'}",
    ):  # fmt: skip
        options.add_argument(flag)
    chrome = Chrome(options=options, service=Service(driver, env={**os.environ, "HOME": str(home)}))
    try:
        yield chrome
    finally:
        chrome.quit()


@pytest.fixture(scope="session")
def small_notebooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a notebooks corpus of our own, of a size that is mined at once: the real one takes minutes."""
    zstandard = pytest.importorskip("zstandard")
    folder = tmp_path_factory.mktemp("small") / "notebooks"
    folder.mkdir()

    def notebook(repository: str, path: str, pairs: list[tuple[str, str]], graded: bool = False) -> dict[str, object]:
        cells: list[dict[str, object]] = []
        for number, (text, code) in enumerate(pairs):
            about = (
                {"solution": True, "grade": False, "grade_id": f"{repository}-{number}", "points": 2}
                if graded
                else None
            )
            cells.append({"type": "markdown", "source": text})
            cells.append({"type": "code", "source": code, "executed": True, "nbgrader": about})
        return {"repo": repository, "path": path, "lang": "python", "kernel": "python3", "nbformat": 4, "cells": cells}

    lessons = [
        ("# Load the prices", "import pandas as pd\nprices = pd.read_csv('prices.csv')"),
        ("Show all files", "import os\nprint(os.listdir('.'))"),
        ("Plot the prices by day", "prices.plot(x='day', y='price')"),
        ("Count the lines of the notes", "n = len(open('notes.txt').readlines())\nprint(n)"),
    ]
    tasks = [
        ("Define the area of a circle.", "def area(r):\n    return 3.14 * r ** 2"),
        ("Sum the even numbers of `xs`.", "total = sum(x for x in xs if x % 2 == 0)"),
        ("Show the mean of the table.", "df.groupby('kind').mean()"),
    ]
    others = [(text, code.replace("total", "result").replace("x ", "number ")) for text, code in tasks]
    rows = [
        notebook("one/lessons", "a.ipynb", lessons),
        notebook("two/homework", "anna.ipynb", tasks, graded=True),
        notebook("two/homework", "bert.ipynb", others, graded=True),
        notebook("three/exam", "exam.ipynb", tasks[::-1], graded=True),
    ]
    splits = {"train": "one/lessons", "dev": "two/homework", "test": "three/exam"}
    files: dict[str, list[dict[str, object]]] = {"notebooks": rows, "notebooks_more": []}
    for split, repository in splits.items():
        files[f"examples_{split}"] = [{"repo": repository, "path": "none.ipynb", "cell": 0}]
    for name, content in files.items():
        text = "".join(json.dumps(row) + "\n" for row in content)
        (folder / f"{name}.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(text.encode()))
    return folder.parent


@pytest.fixture(scope="session")
def small_nl2bash(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an NL2Bash of our own, six pairs of which four are "published": the real one takes long."""
    data = tmp_path_factory.mktemp("small-nl2bash")
    rows = [
        ("list all the files", "ls -la"),
        ("list all files", "ls -a"),
        ("Print the lines of a.txt (sorted)", "sort a.txt | uniq"),
        ("find /Tmp", "sudo find /tmp"),
        ("run a script", "python x.py"),
        ("go there and look", "cd x && ls"),
    ]
    published = {"train": [0, 2], "dev": [1], "test": [3]}
    files = {"all": [*range(len(rows))]} | {f"split_paper/{split}": members for split, members in published.items()}
    for name, members in files.items():
        for column, ending in enumerate(("nl", "cm")):
            filtered = "" if name == "all" else ".filtered"
            path = data / "nl2bash" / f"{name}.{ending}{filtered}.xz"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(lzma.compress("".join(f"{rows[at][column]}\n" for at in members).encode()))
    (data / "nl2bash" / "random_tokens.txt").write_text("0\n10\n11\n")
    return data
