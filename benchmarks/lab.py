"""`python -m benchmarks.lab --jupyter PATH [--classic] [--picture FILE]`: `%sayso` in a real JupyterLab or Notebook 7.

Headless Chromium types into it as a person does, and what must be seen is waited for. PATH is the `jupyter` of an
environment with jupyterlab, notebook, pandas and sayso; that of the tests has none of the first three.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

PATIENCE = 90.0
ASK = "%%sayso\nmean price\nof each kind"
RAN = re.compile(r"\[\d+\]")
LOAD = """%xmode Minimal
import pandas as pd
prices = pd.DataFrame(
    {'day': [1, 2, 3], 'kind': list('aab'), 'price': [1.5, 2.0, 4.0]})"""
TEXTS = """return [...document.querySelectorAll('.jp-CodeCell .cm-content')].map(
  one => [...one.querySelectorAll('.cm-line')].map(line => line.textContent).join('\\n'))"""
UP = "document.querySelector('.jp-WindowedPanel-outer')?.scrollBy(0, -300)"
"""Until the last repair is seen."""
CALM = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
}


def notebook() -> str:
    cells = [
        {"cell_type": "markdown", "id": "a1", "metadata": {}, "source": "# Prices"},
        {"cell_type": "code", "id": "a2", "metadata": {}, "source": LOAD, "outputs": [], "execution_count": None},
        {"cell_type": "code", "id": "a3", "metadata": {}, "source": "", "outputs": [], "execution_count": None},
    ]
    spec = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return json.dumps({"cells": cells, "metadata": spec, "nbformat": 4, "nbformat_minor": 5})


@contextmanager
def served(jupyter: str, folder: Path, classic: bool) -> Iterator[str]:
    """The address of a server that stands in a folder of its own."""
    home, token = folder / "home", secrets.token_hex(16)
    for plugin, chosen in CALM.items():
        package, name = plugin.split(":")
        path = home / "settings" / package / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(chosen))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    variables = {
        **os.environ,
        **dict.fromkeys(("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"), str(home)),
        **{name: str(home) for name in os.environ if name.startswith("XDG_")},
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
    }
    words = [
        jupyter,
        "notebook" if classic else "lab",
        "--no-browser",
        "--allow-root",
        f"--port={port}",
        "--ip=127.0.0.1",
    ]
    words += [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={folder / 'work'}"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(words, env=variables, stdout=log, stderr=log, cwd=folder)
        try:
            until(lambda: listens(port), "a server")
            where = "notebooks" if classic else "doc/tree"
            yield f"http://127.0.0.1:{port}/{where}/prices.ipynb?token={token}"
        finally:
            server.terminate()
            server.wait(timeout=30)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def until(ready: Any, what: str) -> Any:
    deadline = time.monotonic() + PATIENCE
    while not (found := ready()):
        if time.monotonic() > deadline:
            raise SystemExit(f"waited {PATIENCE:.0f} s for {what}")
        time.sleep(0.1)
    return found


def opened(folder: Path) -> Chrome:
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = shutil.which("chromium") or sys.exit("chromium is not installed")
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"):
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={folder / 'profile'}")
    options.add_argument("--window-size=1100,1000")
    return Chrome(options=options, service=Service(shutil.which("chromedriver") or ""))


class Page:
    """What a person does in a notebook, and what is to be seen there."""

    def __init__(self, browser: Chrome) -> None:
        self.browser = browser

    def texts(self) -> list[str]:
        """Of the code cells, in their order."""
        return [str(one) for one in self.browser.execute_script(TEXTS)]

    def below(self, text: str) -> list[str]:
        """What stands below the cell with a text."""
        found = self.texts()
        return found[found.index(text) + 1 :]

    def shown(self) -> str:
        script = "return [...document.querySelectorAll('.jp-OutputArea-output')].map(one => one.innerText).join('\\n')"
        return str(self.browser.execute_script(script))

    def prompt(self, number: int) -> str:
        """[3]: of a cell that ran, [*]: of one that runs, [ ]: before."""
        script = "return [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')].map(one => one.innerText)"
        return str(self.browser.execute_script(script)[number])

    def keys(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.browser, duration=0).send_keys(*keys).perform()

    def run(self, number: int) -> None:
        """The code cell with a number; without a kernel a front end heeds no key, and an error drops what waits."""
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.by import By
        from selenium.webdriver.common.keys import Keys

        def tried() -> bool:
            self.browser.find_elements(By.CSS_SELECTOR, ".jp-CodeCell .cm-content")[number].click()
            chord = ActionChains(self.browser, duration=0).key_down(Keys.SHIFT).send_keys(Keys.ENTER)
            chord.key_up(Keys.SHIFT).perform()
            deadline = time.monotonic() + 3
            while not (ran := RAN.search(self.prompt(number))):
                if time.monotonic() > deadline and "*" not in self.prompt(number):
                    break
                time.sleep(0.05)
            return ran is not None

        until(tried, f"cell {number} to run")

    def type(self, text: str) -> None:
        """Into the last cell, and run it."""
        from selenium.webdriver.common.by import By

        until(lambda: self.texts()[-1] == "", f"an empty cell at the end of {self.texts()}")
        number = len(self.texts()) - 1
        self.browser.find_elements(By.CSS_SELECTOR, ".jp-CodeCell .cm-content")[number].click()
        self.keys(text)
        until(lambda: self.texts()[number] == text, f"{text!r} in cell {number}, not {self.texts()}")
        self.run(number)


def played(page: Page) -> dict[str, float]:
    """Seconds until each thing that must be seen was."""
    seconds: dict[str, float] = {}

    def seen(what: str, ready: Any) -> None:
        begun = time.monotonic()
        until(ready, f"{what}:\n{page.texts()}\n{page.shown()[-2000:]}")
        seconds[what] = round(time.monotonic() - begun, 2)

    def repaired(wrong: str, error: str, right: str) -> None:
        page.type(wrong)
        seen(error, lambda: error in page.shown())
        page.type("%sayso fix")
        seen(right, lambda: right in page.texts())
        page.run(page.texts().index(right))

    seen("the notebook", lambda: len(page.texts()) == 2)
    page.run(0)
    page.type("%load_ext sayso")
    repaired("prices.grupby('kind').price.mean()", "has no attribute 'grupby'", "prices.groupby('kind').price.mean()")
    seen("what it computes", lambda: "Name: price" in page.shown())
    repaired("prices['prce'].max()", "KeyError: 'prce'", "prices['price'].max()")
    page.type("%sayso names")
    seen("what is read of the kernel", lambda: "columns day:int64, kind:" in page.shown())
    for order in (ASK, "%sayso pick 2"):
        page.type(order)
        seen(f"a cell below {order}", lambda order=order: "".join(page.below(order)).strip())
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lab", description=(__doc__ or "").partition(":")[0])
    parser.add_argument("--jupyter", default=shutil.which("jupyter"), help="the program (on PATH)")
    parser.add_argument("--classic", action="store_true", help="Notebook 7 instead of JupyterLab")
    parser.add_argument("--picture", type=Path, help="a PNG of the last screen")
    args = parser.parse_args()
    if not args.jupyter:
        raise SystemExit("no jupyter: pip install jupyterlab notebook pandas sayso, in an environment of its own")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "work").mkdir()
        (folder / "work" / "prices.ipynb").write_text(notebook())
        with served(args.jupyter, folder, args.classic) as address:
            browser = opened(folder)
            try:
                browser.get(address)
                page = Page(browser)
                try:
                    seconds = played(page)
                finally:
                    if args.picture:
                        browser.execute_script(UP)
                        time.sleep(1)
                        browser.save_screenshot(str(args.picture))
            finally:
                browser.quit()
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
