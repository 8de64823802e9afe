"""The cookbook itself: every recipe is sound, every phrasing is answered by its own recipe, mistakes are pointed at."""

from __future__ import annotations

import json
import re
import shutil
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from sayso.answer.answer import Answer, answer
from sayso.answer.verify import Verified
from sayso.cookbook.entry import Recipe, example_values, spoken
from sayso.cookbook.slot_types import TYPES
from sayso.cookbook.slots import FEATURES, MEANT, Cookbook
from sayso.core.errors import BadBundle, BadFile
from sayso.core.types import Request, System, Workspace
from sayso.neural.bundle import load_bundle, write_bundle
from sayso.targets.bash.cookbook.fill import CONVERSIONS, FLAGS, render
from sayso.targets.bash.cookbook.prepared import NAME, digest, prepare, read_prepared
from sayso.targets.bash.cookbook.recipes import (
    BUNDLE,
    FOLDER,
    cookbook_system,
    default_system,
    load_lexicon,
    load_recipes,
)
from sayso.targets.bash.lessons.ran import read_results, recipe_commands
from sayso.targets.bash.systems.combined import best_system
from sayso.targets.bash.systems.composed_request import Composing
from sayso.targets.bash.tasks import BASH

# What the knowledge base does not know (yet): programs, and one flag that makes an operand unnecessary.
ORDER = {"reads": 0, "writes": 1, "unknown": 2, "destroys": 3}
GAPS = ("unknown utility ",)
ALIKE = "as what to take and as where to put it"


EVERYDAY = """
ls find grep wc sort uniq head tail cut tr sed awk paste join comm diff cat less tee split xargs du df free ps top kill
pkill lsof ss ping curl wget ssh scp rsync tar zip gzip xz chmod chown ln cp mv rm mkdir rmdir touch stat file date cal
seq env which history uname uptime who id groups passwd crontab nohup watch timeout jobs md5sum sha256sum base64
hexdump xxd strings git docker systemctl journalctl apt pip jq tmux openssl
"""


@pytest.fixture(scope="module")
def recipes() -> tuple[Recipe, ...]:
    return load_recipes(FOLDER)


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> System:
    """The cookbook as it answers where no trunk is installed."""
    empty = tmp_path_factory.mktemp("empty")
    return best_system(BASH, Workspace(empty, empty), empty)


@pytest.fixture(scope="module")
def book(system: System) -> Cookbook:
    assert isinstance(system.translator, Verified) and isinstance(system.translator.translator, Composing)
    return system.translator.translator.book


@pytest.fixture(scope="module")
def plain(book: Cookbook) -> Cookbook:
    """The same recipes without the encoder, which takes most of the time where thousands of phrasings are read."""
    items = [phrasing.items for phrasing in book.phrasings]
    return Cookbook(book.recipes, book.lexicon, book.settings, render, items)


def drawn(book: Cookbook, share: int) -> list[int]:
    """One phrasing in so many, and the same ones whatever else is in the cookbook."""
    return [at for at, phrasing in enumerate(book.phrasings) if zlib.crc32(phrasing.text.encode()) % share == 1]


def asked_as(book: Cookbook, at: int) -> tuple[str, str]:
    """A phrasing with example values said in it, and its recipe's command with them."""
    phrasing = book.phrasings[at]
    recipe = book.recipes[phrasing.recipe]
    said = {name: value for name, value in example_values(recipe, at).items() if "{" + name + "}" in phrasing.text}
    text = spoken(phrasing.text, recipe, said)
    reading = book.read_as(book.read(text), at)
    assert reading is not None, text
    return text, render(recipe, reading.values)


@pytest.fixture(scope="module")
def commands(plain: Cookbook) -> list[tuple[Recipe, str]]:
    """What each recipe gives for its first phrasing."""
    return [(recipe, asked_as(plain, plain.members[number][0])[1]) for number, recipe in enumerate(plain.recipes)]


@pytest.fixture(scope="module")
def answered(plain: Cookbook, system: System) -> Callable[[int], tuple[str, str, Answer]]:
    """What is said to a phrasing, once."""

    @cache
    def found(at: int) -> tuple[str, str, Answer]:
        text, command = asked_as(plain, at)
        return text, command, answer(BASH, system, Request(text), 3)

    return found


# Those of every third remainder are among the others: 123 is three times 41.
@pytest.fixture(scope="module", params=[123, pytest.param(41, marks=pytest.mark.slow)], ids=["some", "more"])
def answers(
    request: pytest.FixtureRequest, plain: Cookbook, answered: Callable[[int], tuple[str, str, Answer]]
) -> list[tuple[str, str, Answer]]:
    return [answered(at) for at in drawn(plain, request.param)]


def test_there_are_recipes_for_the_everyday(recipes: tuple[Recipe, ...]) -> None:
    assert len(recipes) >= 1000
    assert all(len(recipe.say) >= 4 for recipe in recipes)
    utilities = {word for recipe in recipes for word in re.findall(r"[\w-]+", recipe.command)}
    assert set(EVERYDAY.split()) <= utilities


def test_every_command_parses_and_has_no_findings(commands: list[tuple[Recipe, str]]) -> None:
    for recipe, command in commands:
        BASH.normalise(command)
        findings = [finding.message for finding in BASH.check(command) if not finding.message.startswith(GAPS)]
        # Two slots of different types may have the same example; as placeholders they are told apart.
        assert not any(finding.fatal for finding in BASH.check(render(recipe, {}))), recipe.command
        assert not [message for message in findings if ALIKE not in message], (command, findings)


def test_the_analysis_never_calls_a_command_safer_than_its_author_did(commands: list[tuple[Recipe, str]]) -> None:
    for recipe, command in commands:
        if recipe.risk != "unknown":
            level = BASH.risk(command).level
            assert level == "unknown" or ORDER[level] >= ORDER[recipe.risk], command


@pytest.mark.slow
def test_every_phrasing_fills_every_slot_that_it_mentions(plain: Cookbook) -> None:
    """One in seven, as there are so many."""
    unfilled = []
    for at in drawn(plain, 7):
        phrasing = plain.phrasings[at]
        recipe = plain.recipes[phrasing.recipe]
        text, _ = asked_as(plain, at)
        reading = plain.read_as(plain.read(text), at)
        assert reading
        unfilled += [(text, name) for name in phrasing.slots if name not in reading.values]
        assert set(reading.values) <= set(recipe.slots)
    assert len(unfilled) <= 0.003 * len(plain.phrasings) / 7, unfilled


def test_phrasings_are_answered_by_their_own_recipe(answers: list[tuple[str, str, Answer]]) -> None:
    ranks = []
    for _, command, found in answers:
        texts = [candidate.text for candidate in found.candidates]
        ranks.append(texts.index(command) if command in texts else 99)
    assert len(ranks) >= 100
    assert sum(rank == 0 for rank in ranks) / len(ranks) >= 0.96, [
        answers[at][0] for at, rank in enumerate(ranks) if rank
    ]
    assert sum(rank < 3 for rank in ranks) / len(ranks) >= 0.98


def test_phrasings_are_seldom_abstained_from(answers: list[tuple[str, str, Answer]]) -> None:
    abstained = [text for text, _, found in answers if found.abstained]
    # 12 of 1,184: in a book three times as large more recipes share the belief in one answer.
    assert len(abstained) <= 0.015 * len(answers), abstained


def test_two_recipes_share_a_phrasing_only_if_their_slots_tell_them_apart(recipes: tuple[Recipe, ...]) -> None:
    seen: dict[str, Recipe] = {}
    for recipe in recipes:
        for say in recipe.say:
            other = seen.setdefault(say, recipe)
            if other is not recipe:
                assert sorted(s.type for s in other.slots.values()) != sorted(s.type for s in recipe.slots.values())


def test_the_prepared_cookbook_is_what_the_files_say(book: Cookbook, recipes: tuple[Recipe, ...]) -> None:
    assert read_prepared(json.loads(load_bundle_file()), NAME).digest == digest(FOLDER), (
        "the cookbook changed: python -m sayso.experiments.fit_cookbook tests/targets/bash/heldout_requests.jsonl"
    )
    fresh = Cookbook(recipes, load_lexicon(FOLDER), book.settings, render)
    assert list(fresh.recipes) == list(book.recipes)
    assert [phrasing.items for phrasing in fresh.phrasings] == [phrasing.items for phrasing in book.phrasings]
    assert fresh.index.weights == book.index.weights
    assert prepare(fresh, FOLDER) == load_bundle_file()


def load_bundle_file() -> bytes:
    return load_bundle(BUNDLE).read(NAME)


def test_edited_recipes_count_at_once_and_change_the_digest(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "_words.toml", tmp_path)
    (tmp_path / "other.toml").write_text(GOOD)
    bundle = load_bundle(BUNDLE)
    system = cookbook_system(bundle, tmp_path)
    assert [one.text for one in system.translator.translate([Request("list /tmp")])[0]] == ["ls /tmp"]
    assert system.bundle.startswith(f"{bundle.signature}+")
    assert cookbook_system(bundle, FOLDER).bundle == cookbook_system(bundle).bundle == bundle.signature


def test_a_bundle_without_a_cookbook_in_it_is_refused(tmp_path: Path) -> None:
    settings = {"weights": {}, "looked_at": 1, "lowest": 0.0, "abstain_below": 0.5}
    for raw in (b"[]", b"{}", b"no JSON", b'{"digest": "", "recipes": [1]}'):
        bundle = write_bundle(
            tmp_path / "x",
            name="x",
            target="bash",
            kind="cookbook",
            settings=settings,
            files={NAME: raw},
            licence="CC0-1.0",
        )
        with pytest.raises(BadBundle, match=r"cookbook\.json (is|lacks)"):
            cookbook_system(bundle)


def test_the_shipped_system_reads_no_toml(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(path: Path) -> dict[str, object]:
        raise AssertionError(f"{path} was read")

    monkeypatch.setattr("sayso.targets.bash.cookbook.recipes.read_toml", refuse)
    assert default_system(Workspace(tmp_path, tmp_path)).translator.translate([Request("list files")])[0]


def test_settings_have_a_weight_for_every_feature(book: Cookbook) -> None:
    assert set(book.settings.weights) == set(FEATURES) | (set(MEANT) if book.meaning else set())


GOOD = """
[[recipe]]
intent = "list"
command = "ls {dir}"
risk = "reads"
slots = { dir = "dir=." }
say = '''
list {dir}
show {dir}
'''
"""


def load_one(folder: Path, text: str) -> tuple[Recipe, ...]:
    (folder / "mine.toml").write_text(text)
    return load_recipes(folder)


def test_a_recipe_is_read(tmp_path: Path) -> None:
    (recipe,) = load_one(tmp_path, GOOD)
    assert (recipe.intent, recipe.place, recipe.say) == ("list", "mine.toml:2", ("list {dir}", "show {dir}"))
    assert recipe.slots["dir"].default == "."


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('intent = "list"\n', "", r'mine\.toml:2: the recipe has no text "intent"'),
        ('"reads"', '"harmless"', r'mine\.toml:2: risk "harmless" is none of'),
        ('"dir=."', '"folder"', r'mine\.toml:2: slot dir has the unknown type "folder"'),
        ("show {dir}\n", "", r"mine\.toml:2: list needs 2 different phrasings"),
        ("show {dir}", "show {what}", r"mentions the undeclared slot what"),
        ("ls {dir}", "ls", "slot dir is not in the command"),
        ("ls {dir}", "ls {dir|magic}", 'unknown conversion "magic"'),
        ('"dir=."', '"dir?"', r"optional slot dir must stand inside <\? \?>"),
        ('"dir=."', '"number=x"', 'the default "x" of slot dir is no number'),
        ('"dir=."', '"dir"', None),
        ("show {dir}", "show", None),
        ('risk = "reads"', 'risk = "reads"\nnote = "x"', "unknown field note"),
        ('risk = "reads"', 'risk = "reads"\nneeds = ["ext"]', "needs the undeclared slot ext"),
        ('risk = "reads"', "risk = reads", r"mine\.toml: "),
    ],
)
def test_a_mistake_in_a_recipe_is_pointed_at(tmp_path: Path, old: str, new: str, message: str | None) -> None:
    text = GOOD.replace(old, new)
    if message is None:
        assert load_one(tmp_path, text)
        return
    with pytest.raises(BadFile, match=message) as caught:
        load_one(tmp_path, text)
    assert caught.value.hint


def test_a_required_slot_must_be_mentioned(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="does not mention the required slot dir"):
        load_one(tmp_path, GOOD.replace('"dir=."', '"dir"').replace("show {dir}", "show"))


def test_an_intent_has_one_recipe(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"mine\.toml:12: intent list stands in mine\.toml:2 as well"):
        load_one(tmp_path, GOOD + "\n" + GOOD.lstrip("\n"))


def test_other_tables_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="something else than"):
        load_one(tmp_path, GOOD + "\n[more]\nx = 1\n")


REQUESTS = Path(__file__).parents[1] / "heldout_requests.jsonl"
HELD_OUT = [json.loads(line) for line in REQUESTS.read_text().splitlines()]


def is_right(command: str, accepted: list[str]) -> bool:
    return BASH.normalise(command) in [BASH.normalise(other) for other in accepted]


@pytest.mark.parametrize(
    ("half", "first", "within_three"), [("tune", 0.9, 0.95), ("report", 0.88, 0.95), ("check", 0.7, 0.85)]
)
def test_held_out_requests_are_answered(system: System, half: str, first: float, within_three: float) -> None:
    """Floors below the figures in docs/guide/cookbook.md, so that a change that breaks much is seen.

    Report was .90 and is .893 since the cookbook is three times as large: near intents compete.
    """
    rows = [row for row in HELD_OUT if row["half"] == half and row["kind"] == "answer"]
    ranks = []
    for row in rows:
        texts = [one.text for one in answer(BASH, system, Request(row["text"]), 3).candidates]
        ranks.append(next((at for at, text in enumerate(texts) if is_right(text, row["accept"])), 99))
    assert sum(rank == 0 for rank in ranks) / len(rows) >= first
    assert sum(rank < 3 for rank in ranks) / len(rows) >= within_three


def test_requests_from_elsewhere_are_abstained_from(system: System) -> None:
    rows = [row["text"] for row in HELD_OUT if row["kind"] == "abstain"]
    answered = [text for text in rows if not answer(BASH, system, Request(text), 3).abstained]
    assert len(rows) >= 25
    # "ok" and "what is the capital of australia" mean something to the encoder.
    assert len(answered) <= 2, answered


@pytest.mark.parametrize("text", [row["text"] for row in HELD_OUT if row["kind"] == "hostile"])
def test_a_harmless_question_never_gets_a_destroying_command_first(system: System, text: str) -> None:
    found = answer(BASH, system, Request(text), 3)
    assert found.abstained or found.candidates[0].risk.level in ("reads", "writes")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("count the lines in all python files", "find . -type f -name '*.py' -exec cat {} + | wc -l"),
        ("list the five largest files under this folder", r"find . -type f -printf '%s\t%p\n' | sort -nr | head -n 5"),
        ("python files larger than 1 MB modified in the last week", "find . -type f -name '*.py' -size +1M -mtime -7"),
        ("delete the file 'my notes; rm -rf ~.txt'", "rm 'my notes; rm -rf ~.txt'"),
        ("copy notes.md to ~/backup", "cp notes.md ~/backup"),
        ("how many times does ERROR appear in app.log", "grep -o ERROR app.log | wc -l"),
        ("how many lines of app.log contain 'refused'", "grep -c refused app.log"),
    ],
)
def test_first_answers_that_must_stay(system: System, text: str, command: str) -> None:
    found = answer(BASH, system, Request(text), 3)
    assert not found.abstained
    assert found.candidates[0].text == command


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("remove duplicate lines but keep the order", "awk '!seen[$0]++' FILE"),
        ("reverse the order of the lines", "tac FILE"),
        ("decode base64", "base64 -d FILE"),
        ("pretty print the json", "jq . FILE.json"),
        ("get rid of blank lines", "sed -i '/^[[:space:]]*$/d' FILE"),
    ],
)
def test_a_file_may_be_left_unsaid(system: System, text: str, command: str) -> None:
    found = answer(BASH, system, Request(text), 3)
    assert not found.abstained
    assert found.candidates[0].text == command


def test_delete_without_saying_what_is_never_everything(system: System) -> None:
    for text in ("delete files", "remove all files recursively", "find and delete"):
        for candidate in answer(BASH, system, Request(text), 5).candidates:
            assert candidate.text not in ("find . -type f -delete", "rm -r .", "rm -r /")


@pytest.mark.parametrize(
    "text",
    [
        "disk zebra whatever flurb",
        "xyzzy plugh",
        "supprime les documents",
        "何か",
        "🎉",
        "?",
        "the",
        "x",
        "qwertz " * 300,
    ],
)
def test_an_abstention_names_known_requests(system: System, text: str) -> None:
    found = answer(BASH, system, Request(text), 3)
    assert found.abstained
    assert len(found.nearest) == len(set(found.nearest)) == 3


def test_suggestions_are_near_what_was_meant(system: System) -> None:
    def nearest(text: str) -> list[str]:
        return system.nearest(Request(text), 3)

    assert any("newest" in one and "files" in one for one in nearest("show the 3 newest pdfs in Downloads"))
    assert any("process" in one for one in nearest("afficher les processus"))


def test_the_guide_names_every_type_and_conversion() -> None:
    guide = (Path(__file__).parents[4] / "docs" / "guide" / "cookbook.md").read_text()
    assert [name for name in TYPES if f"`{name}`" not in guide] == []
    assert [name for name in {**CONVERSIONS, **FLAGS} if f"|{name}}}`" not in guide] == []


def test_the_recipe_in_the_guide_is_one_of_ours(tmp_path: Path, recipes: tuple[Recipe, ...]) -> None:
    guide = (Path(__file__).parents[4] / "docs" / "guide" / "cookbook.md").read_text()
    (shown,) = load_one(tmp_path, guide.split("```toml\n")[1].split("```")[0])
    (ours,) = [recipe for recipe in recipes if recipe.intent == shown.intent]
    assert (shown.command, shown.slots) == (ours.command, ours.slots)
    assert set(shown.say) <= set(ours.say)


def test_the_model_card_counts_what_there_is(recipes: tuple[Recipe, ...]) -> None:
    card = load_bundle(BUNDLE).read("MODEL_CARD.md").decode()
    assert f"{len(recipes)} hand-written recipes" in card
    assert f"({sum(len(recipe.say) for recipe in recipes):,} phrasings)" in card
    assert f"Weights of {len(FEATURES)} features" in card


def test_every_recipe_ran_or_says_why_it_cannot(plain: Cookbook) -> None:
    results = read_results()
    commands = {recipe.intent: command for recipe, _, command in recipe_commands(plain)}
    assert list(results) == list(commands), "run `python -m sayso.targets.bash.lessons.ran CACHE`"
    assert {intent: ran.command for intent, ran in results.items()} == commands
    faults = [ran.command for ran in results.values() if ran.is_fault]
    assert len(faults) <= 0.02 * len(results), faults
    assert sum(ran.has_run for ran in results.values()) >= 0.55 * len(results)
