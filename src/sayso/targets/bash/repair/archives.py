"""Repairs of packing and unpacking: archives of another kind, in the wrong place, or without what goes into them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.targets.bash.repair.scene import Repair, Scene, near
from sayso.targets.bash.syntax.line_edits import flags, has_flag, operands, places, with_flag, without_flags
from sayso.targets.bash.syntax.quote import quote_path
from sayso.targets.bash.syntax.tree import Command, Word

ARCHIVE = re.compile(r"\.(?:tar(?:\.\w+)?|t[gbx]z2?|zip)$")
OTHER_KIND = r"not in (?:gzip|bzip2) format|File format not recognized|not a bzip2 file"
NO_MODE = r"Old option '\w' requires an argument|You must specify one of|invalid option"


def tar(scene: Scene) -> Iterator[Repair]:
    for command in scene.named("tar"):
        assert scene.line
        words = [word for word in command.words[1:] if not word.text.startswith("-") and word.value]
        zipped = [word for word in words if (word.value or "").endswith(".zip")]
        if scene.heard(r"does not look like a tar archive") and zipped:
            yield Repair(f"unzip {zipped[0].text}", "a .zip file is unpacked by unzip", 0.95)
        if scene.heard(OTHER_KIND):
            yield Repair(without_flags(scene.line, command, "-z", "-j", "-J"), "tar finds out the kind by itself", 0.93)
        if scene.heard(NO_MODE) and words and ARCHIVE.search(words[0].value or ""):
            yield Repair(scene.replaced(words[0], f"-xf {words[0].text}"), "tar -xf unpacks it", 0.93)
        if scene.heard(r"Refusing to \w+ archive contents \w+ terminal") and not has_flag(command, "-f"):
            yield Repair(with_flag(scene.line, command, "-f"), "tar -f names the archive", 0.9)
        yield from _contents(scene, command, words)


def _contents(scene: Scene, command: Command, words: list[Word]) -> Iterator[Repair]:
    """The archive and what goes into it changed places, or there is only the archive."""
    if scene.heard(r"Cowardly refusing to create an empty archive") and len(words) == 1:
        inside = quote_path(ARCHIVE.sub("", words[0].value or ""))
        yield Repair(scene.replaced(words[0], f"{words[0].text} {inside}"), "tar needs what goes into it", 0.8)
    found = scene.heard(r"^tar: ([^:]+): Cannot stat: No such file")
    target = next((one.values[0] for one in flags(command, "-f") if one.values), None)
    given = next((word for word in words if found and word.value == found[1] and ARCHIVE.search(found[1])), None)
    if target and given and target.start < given.start:
        text = scene.text[: given.start] + target.text + scene.text[given.end :]
        text = text[: target.start] + given.text + text[target.end :]
        yield Repair(text, "the archive comes first, then what goes into it", 0.95)


def zipped(scene: Scene) -> Iterator[Repair]:
    for command in scene.named("gunzip", "gzip"):
        names = [word for word in places(command) if word.text.endswith(".zip")]
        if scene.heard(r"unknown suffix") and names:
            yield Repair(f"unzip {names[0].text}", "a .zip file is unpacked by unzip", 0.95)
    for command in scene.named("unzip") if scene.heard(r"cannot find or open") else ():
        there = {name.removesuffix(".zip"): name for name in scene.here.names(".") if name.endswith(".zip")}
        for operand in operands(command)[:1]:
            for name in near((operand.word.value or "").removesuffix(".zip"), there)[:1]:
                yield Repair(scene.replaced(operand.word, quote_path(there[name])), f"{there[name]} is there", 0.92)


RULES = (tar, zipped)
