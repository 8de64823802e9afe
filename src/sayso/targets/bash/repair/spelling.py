"""Repairs of names: programs that are not there, sub-commands and flags that do not exist."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from tomllib import loads
from typing import Any

from sayso.targets.bash.effects.risk import risk_of
from sayso.targets.bash.knowledge.utilities import utility_names
from sayso.targets.bash.repair.scene import BUILTINS, Repair, Scene, near
from sayso.targets.bash.review.check import findings
from sayso.targets.bash.syntax.line_edits import operands
from sayso.targets.bash.syntax.tree import Command, Flag, Word

DATA = Path(__file__).parents[1] / "data" / "repairs.toml"
NOT_FOUND = (
    r"(?:^|: )(?P<name>[^\s:']+): (?:command )?not found",
    r"command not found: (?P<name>\S+)",
    r"Unknown command:? '?(?P<name>[^\s']+?)'?$",
    r"Command '(?P<name>[^']+)' not found",
    r"(?P<name>[^\s:']+): No such file or directory$",
)
INSTALLERS = {
    "apt": "sudo apt install {}", "dnf": "sudo dnf install {}", "pacman": "sudo pacman -S {}",
    "apk": "sudo apk add {}", "zypper": "sudo zypper install {}", "brew": "brew install {}",
}  # fmt: skip


@cache
def table() -> dict[str, Any]:
    return loads(DATA.read_text(encoding="utf-8"))


def missing_program(scene: Scene) -> Iterator[Repair]:
    command = _not_found(scene)
    if command is None or command.name is None:
        return
    typed = command.name.value or ""
    installed = {*scene.here.programs, *BUILTINS}
    yield from _told(scene, command.name)
    yield from _apart(scene, command, installed)
    if "/" not in typed and typed in scene.here.names("."):
        yield Repair(
            scene.replaced(command.name, f"./{typed}"), f"{typed} lies in this folder, which is not searched", 0.9
        )
    if other := table()["elsewhere"].get(typed):
        yield Repair(scene.replaced(command.name, other), f"{typed} is called {other} here", 0.88)
    if alternative := [name for name in table()["instead"].get(typed, []) if name.split()[0] in installed]:
        yield Repair(scene.replaced(command.name, alternative[0]), f"{alternative[0]} does the same", 0.86)
    known = {name for name in utility_names() if " " not in name}
    guesses = near(typed, installed & known or known) or near(typed, installed) or near(typed, known)
    for at, name in enumerate(guesses):
        text = scene.replaced(command.name, name)
        odd = sum(not one.message.startswith("unknown utility") for one in findings(text, scene.here.find))
        if odd and _is_name(typed):
            continue  # a program that there is, with flags of its own: no slip for another
        destroys = risk_of(text).level == "destroys" and sorted(name) != sorted(typed)
        sure = (0.6 if _is_name(typed) else 0.85) - 0.05 * at - 0.1 * odd - 0.2 * destroys
        yield Repair(text, f"{name}, which is spelt almost like {typed}", sure)
    yield from _installing(scene, typed)


def _not_found(scene: Scene) -> Command | None:
    """The command whose program is missing: by what the shell said, else by looking."""
    if not scene.line:
        return None
    for pattern in NOT_FOUND:
        for found in re.finditer(pattern, scene.plain, re.M):
            for command in scene.commands:
                if command.name and command.name.value == found["name"]:
                    return command
    if scene.said and scene.failure.exit_code not in (127, None):
        return None
    known = {*scene.here.programs, *BUILTINS, *utility_names()}
    for command in scene.commands:
        name = command.name.value if command.name else None
        if name and "/" not in name and name not in known and not scene.said:
            return command
    return None


def _told(scene: Scene, name: Word) -> Iterator[Repair]:
    """Ubuntu and others say themselves what may be meant."""
    for found in re.finditer(r"^\s+command '([\w.+][\w.+-]*)' from (?:deb|snap) (\S+)", scene.plain, re.M):
        if found[1] != name.value:
            yield Repair(scene.replaced(name, found[1]), f"{found[1]}, which the system suggests", 0.8)


def _apart(scene: Scene, command: Command, installed: Collection[str]) -> Iterator[Repair]:
    """`cd..`, `ls-l`, `gitstatus`: a blank is missing; `x = 5`: two are too many."""
    assert command.name
    typed = command.name.value or ""
    rest = scene.text[command.name.end :].lstrip()
    if re.fullmatch(r"\w+", typed) and (found := re.match(r"=\s*(\S.*)", rest)):
        value = found[1].strip()
        yield Repair(f"{scene.text[: command.name.start]}{typed}={value}", "no blanks around = in the shell", 0.9)
    for at in range(len(typed) - 1, 1, -1):
        head, tail = typed[:at], typed[at:]
        if head not in installed and head not in utility_names():
            continue
        is_flag = re.fullmatch(r"-{1,2}\w[\w=-]*", tail) is not None
        is_place = tail in ("..", ".", "~", "/") or tail.startswith(("../", "/", "~/"))
        is_sub = f"{head} {tail}" in utility_names()
        if is_flag or is_place or is_sub:
            yield Repair(scene.replaced(command.name, f"{head} {tail}"), f"a blank after {head}", 0.92)
            return


def _is_name(typed: str) -> bool:
    """Whether there is a program of this very name, here or not."""
    return typed in utility_names() or typed in table()["packages"]


def _installing(scene: Scene, typed: str) -> Iterator[Repair]:
    package = table()["packages"].get(typed) or (typed if typed in utility_names() else "")
    if not package:
        return
    for manager, command in INSTALLERS.items():
        if manager in scene.here.programs:
            yield Repair(command.format(package), f"{typed} is not installed; the package {package} has it", 0.83)
            return


def subcommand(scene: Scene) -> Iterator[Repair]:
    """A sub-command that the tool does not know: what the tool suggests first, then what is near."""
    for command in scene.commands:
        entry = scene.here.find(command.utility)
        has_verbs = command.utility in table()["verbs"]
        if not has_verbs and (entry is None or entry.syntax != "subcommands"):
            continue
        words = [one.word for one in operands(command) if one.word.value]
        if not words:
            continue
        typed = words[0].value or ""
        known = [name.split()[1] for name in utility_names() if name.startswith(f"{command.utility} ")]
        known += table()["verbs"].get(command.utility, "").split()
        if typed in known:
            continue
        suggested = [one for one in _suggestions(scene) if one != typed]
        for at, name in enumerate(suggested[:3]):
            yield Repair(scene.replaced(words[0], name), f"{command.utility} itself suggests {name}", 0.95 - 0.03 * at)
        for at, name in enumerate(near(typed, known)):
            why = f"{command.utility} {name}, which is spelt almost like {typed}"
            yield Repair(scene.replaced(words[0], name), why, 0.85 - 0.05 * at)


def second_word(scene: Scene) -> Iterator[Repair]:
    """`git stash aply`: a sub-command of a sub-command."""
    found = scene.heard(r"(?:unexpected token|[Uu]nknown (?:sub)?command:?|invalid choice:) '?\"?([\w-]+)")
    for command in scene.commands if found else ():
        words = [one.word for one in operands(command)]
        known = table()["verbs"].get(f"{command.utility} {words[0].value}", "").split() if len(words) > 1 else []
        for at, name in enumerate(near(words[1].value or "", known) if known else []):
            yield Repair(
                scene.replaced(words[1], name), f"{name}, which is spelt almost like {words[1].text}", 0.9 - 0.05 * at
            )


def _suggestions(scene: Scene) -> list[str]:
    """What tools offer: git's list, "Did you mean 'x'?", "maybe you meant "x""."""
    found = re.search(
        r"(?:most similar commands? (?:is|are)|Did you mean (?:this|one of these)\??)[:\s]*\n((?:\s+.+\n?)+)",
        scene.plain,
    )
    listed = (
        [line.split("#")[0].split()[-1] for line in found[1].splitlines() if line.split("#")[0].split()]
        if found
        else []
    )
    quoted = re.findall(r"(?:did you mean|maybe you meant|similar name exists:|Did you mean)\W+([\w-]+)", scene.plain)
    found_names = [*listed, *(one for one in quoted if one not in ("this", "one", "of"))]
    return [one for one in dict.fromkeys(found_names) if re.fullmatch(r"[\w.:][\w.:-]*", one)]


BAD_FLAG = (
    r"(?:unrecogni[sz]ed|unknown|invalid|illegal|bad|unexpected|no such) (?:option|flag|argument|predicate|switch)s?:? "
    r"(?:-- |: )?'?(?P<flag>-{0,2}[\w=#-]+)'?",
    r"(?:unknown|unrecognized) (?:option|predicate|shorthand flag):? '(?P<flag>[^']+)'",
    r"option '?(?P<flag>--?[\w-]+)'?:? (?:is unknown|not recognized)",
)


def flag(scene: Scene) -> Iterator[Repair]:
    """A flag that the utility does not have: near ones, two dashes for one, another dialect's name."""
    if found := scene.heard(r"did you mean '(--[\w-]+)' \(with two dashes\)"):
        typed = scene.word(found[1][1:])
        if typed:
            yield Repair(scene.replaced(typed, found[1]), "a long flag begins with two dashes", 0.95)
    yield from _ambiguous(scene)
    named = _named_flag(scene)
    if scene.said and named is None:
        return
    for command in scene.commands:
        for one in command.arguments:
            if isinstance(one, Flag) and ((named is None and not one.known) or (named and _is(one, named, scene))):
                yield from _other_flag(scene, command, one)


def _named_flag(scene: Scene) -> str | None:
    for pattern in BAD_FLAG:
        if found := scene.heard(pattern):
            return found["flag"]
    return None


def _is(flag: Flag, named: str, scene: Scene) -> bool:
    written = scene.text[flag.start : flag.end]
    bare = named.lstrip("-").split("=")[0]
    return flag.name.lstrip("-") == bare or written.lstrip("-").split("=")[0].split(" ")[0] == bare


def _other_flag(scene: Scene, command: Command, one: Flag) -> Iterator[Repair]:
    entry = scene.entry(command)
    written = scene.text[one.start : one.end]
    word = next((w for w in command.words if w.start <= one.start < w.end), None)
    if word is None:
        return
    typed = word.text.split("=")[0]
    if entry is None:
        return
    longs = [name for name in entry.index if name.startswith("--")]
    rest = word.text[len(typed) :]
    names = longs if typed.startswith("--") else [name for name in entry.index if len(name) > 2]
    bare = {name.lstrip("-"): name for name in names}
    for at, name in enumerate(near(typed.lstrip("-"), bare)):
        why = f"{entry.name} {bare[name]}, which is spelt almost like {typed}"
        yield Repair(scene.replaced(word, bare[name] + rest), why, 0.88 - 0.05 * at)
    letter = one.name[1:]
    if len(one.name) == 2:
        swapped = f"-{letter.swapcase()}"
        if swapped in entry.index and not typed.startswith("--"):
            at = scene.text.index(letter, one.start)
            text = scene.text[:at] + letter.swapcase() + scene.text[at + 1 :]
            yield Repair(text, f"{entry.name} has {swapped}, not {one.name}", 0.75)
        without = scene.text[: one.start] + scene.text[one.end :] if written != word.text else scene.replaced(word, "")
        text = re.sub(r"\s{2,}", " ", re.sub(r"(?<=\s)-(?=\s)", "", without)).strip()
        yield Repair(text, f"without {one.name}, which {entry.name} does not have", 0.55)


def dialect(scene: Scene) -> Iterator[Repair]:
    """What another system's flag is called here."""
    if scene.heard(NOT_FOUND[0]):
        return
    for row in table()["dialect"]:
        if any(scene.named(row["utility"])) and re.search(row["wrong"], scene.text):
            text = re.sub(row["wrong"], row["right"], scene.text, count=1)
            yield Repair(text, row["why"], 0.94)


def one_dash(scene: Scene) -> Iterator[Repair]:
    """`mkdir -verbose`: read as letters, of which one or another is unknown."""
    if scene.said and not scene.heard(r"(?:invalid|unknown|illegal|unrecognized) option"):
        return
    for command in scene.commands:
        entry = scene.entry(command)
        for word in command.words[1:] if entry and entry.syntax == "getopt" else ():
            name = f"-{word.text.split('=')[0]}"
            if entry and re.fullmatch(r"-[a-z][a-z-]{2,}(?:=.*)?", word.text) and name in entry.index:
                yield Repair(scene.replaced(word, f"-{word.text}"), "a long flag begins with two dashes", 0.93)


def _ambiguous(scene: Scene) -> Iterator[Repair]:
    found = scene.heard(r"option '(--[\w-]+)(?:=\S*)?' is ambiguous; possibilities:((?: '--[\w-]+')+)")
    word = scene.word(found[1]) if found else None
    if found and word:
        for at, name in enumerate(re.findall(r"--[\w-]+", found[2])[:3]):
            yield Repair(scene.replaced(word, name), f"{found[1]} may mean {name}", 0.85 - 0.05 * at)


RULES = (missing_program, subcommand, second_word, flag, one_dash, dialect)
