"""The page that shows requests one by one: what it holds, what cannot break out of it, that a browser can use it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sayso.core.errors import UserError
from sayso.core.types import System
from sayso.metrics.match import Match
from sayso.runs.evaluate import evaluate
from sayso.runs.examples_page import fill, page_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from tests.runs.conftest import Toy


def same(text: str) -> str:
    return text


def written(toy: Toy) -> str:
    task = replace(toy.task, metrics=lambda workspace: (Match("match@1", 1, same, "raw"),))
    for name, wrong in (("careful", 3), ("careless", 1)):
        subject = replace(toy.subject(name), task=task)
        evaluate(subject, System(toy.reverser(wrong=wrong)), toy.workspace, toy.results, toy.settings)
    return page_of(task, "dev", toy.workspace, toy.results)[0]


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    document: dict[str, Any] = json.loads(found[1])
    return document


def test_every_systems_candidates_have_verdicts(toy: Toy) -> None:
    document = data_of(written(toy))
    assert document["systems"] == ["careful", "careless"] and document["scores"] == ["match@1"]
    stone, river = document["examples"][:2]
    assert stone["references"] == ["enots"]
    assert [one["verdicts"]["match@1"] for one in stone["answers"]["careful"]["candidates"]] == [0.0, 1.0]
    assert river["answers"]["careful"]["candidates"][0] == {"text": "revir", "verdicts": {"match@1": 1.0}}


def test_no_text_ends_the_block_that_it_stands_in() -> None:
    page = fill({"examples": ["</script><script>alert(1)</script>", "<!-- data -->", "\u2028"]})
    assert "alert(1)</script>" not in page
    assert data_of(page)["examples"][0] == "</script><script>alert(1)</script>"


def test_half_a_letter_leaves_a_page_that_can_be_written() -> None:
    page = fill({"examples": ["a\ud800b"]})
    assert page.encode()
    assert data_of(page)["examples"] == ["a\ud800b"]


def test_without_stored_answers_there_is_nothing_to_show(toy: Toy) -> None:
    with pytest.raises(UserError, match="no answers"):
        page_of(toy.task, "dev", toy.workspace, toy.results)


@pytest.mark.browser
def test_it_filters_sorts_and_links(toy: Toy, browser: Chrome, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(written(toy), "utf-8")
    browser.get(f"{path.as_uri()}#toy%3Adev%3A1")
    assert browser.execute_script("return document.getElementById('toy:dev:1').open") is True
    assert "revir" in browser.execute_script("return document.getElementById('toy:dev:1').innerText")

    def choose(name: str, value: str) -> str:
        told = f"const one = document.getElementById('{name}'); one.value = '{value}';"
        browser.execute_script(told + " one.dispatchEvent(new Event('input'));")
        return str(browser.execute_script("return document.getElementById('shown').textContent"))

    assert choose("state", "right") == "8 of 12"
    assert choose("system", "careless") == "0 of 12"
    assert choose("state", "differ") == "8 of 12"
    assert choose("words", "retsnal") == "0 of 12"
    assert choose("words", "nretnal") == "1 of 12"
    for name, value in (("state", ""), ("words", ""), ("order", "easy")):
        choose(name, value)
    assert browser.execute_script("return document.querySelector('main details .count').textContent") == "1 of 2 right"
    browser.find_element("css selector", "#state option[value=differ]").click()  # as a person does
    assert browser.find_element("id", "shown").text == "8 of 12"
