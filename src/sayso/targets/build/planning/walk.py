"""What a document tells to do, step by step, with the folder that each step is done in: only acts that fit the tree.

An act is taken over as written only where it can do no more than the tree's own build files: a script of the tree, a
copy within it, a call of make in one of its folders, a variable that its build files read. Everything else a document
says is left to the planners, who write commands of their own.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sayso.targets.build.planning.heeded import is_for_others
from sayso.targets.build.planning.plan import PREFIX, Ground, Said
from sayso.targets.build.planning.told import FILLED_IN, simple_commands
from sayso.targets.build.reading.tree import Evidence

Kind = Literal["enter", "configure", "build", "install", "script", "copy", "set"]
MAKES = ("make", "gmake")
SHELLS = ("sh", "bash", "dash")
INTERPRETERS = (*SHELLS, "python", "python3", "perl")
PLAIN = re.compile(r"[\w./+=:,@%-]+")
SETTING = re.compile(r"(?P<name>[A-Za-z_]\w*)=(?P<value>[\w./+:,@%-]*)")
NOT_SET = re.compile(
    r"PATH|HOME|IFS|SHELL|ENV|BASH_ENV|LD_\w+|PYTHON\w*|PERL\w*|PREFIX|prefix|DESTDIR|CC|CXX|\w*FLAGS|V|VERBOSE|DEBUG"
    r"|MAKE\w*|TMPDIR|LANG|LC_\w+|USER|\w*_PROXY|\w*_proxy"
)
"""Variables that concern one machine or one person, or that lead elsewhere than the build."""
LEADS_OUT = re.compile(r"\.\.|(?:^|[=:,@%]|^-\w+)/")
"""In an argument: a way up, or a path from the root, at its beginning or after a sign or short flags."""
BOOTSTRAPS = re.compile(r"(?:configure|autogen|bootstrap|buildconf)(?:\.sh|\.pl)?|(?:Makefile|Build)\.PL|setup\.py")
READ_BY = {
    "configure": re.compile(r"configure(?:\.ac|\.in)?"),
    "autogen.sh": re.compile(r"autogen\.sh"),
    "autoreconf": re.compile(r"configure\.(?:ac|in)"),
    "cmake": re.compile(r"CMakeLists\.txt"),
    "meson": re.compile(r"meson\.build"),
    "make": re.compile(r"(?:GNU)?[Mm]akefile(?:\.\w+)?|configure|CMakeLists\.txt"),
}
"""What a tool must find in the folder that it is called in."""
ASIDE = re.compile(
    r"(?i)test|check|bench|demo|example|clean|deploy|publish|release\.|uninstall|upload|docker|debug|run\b"
)
FETCHES = re.compile(
    r"\bgit\s+(?:submodule|clone|pull|fetch|push)|\b(?:curl|wget|rsync|scp|ssh)\b|\bsvn\s+co|\b(?:pip3?|npm|apt|apt-get)\s+install\b"
)
BUILDS = re.compile(
    r"(?m)^[^#\n]*?(?:^|[\s;&|(])(?:g?make|\./configure|cmake|meson|ninja|gcc|g\+\+|cc|\$\{?(?:CC|MAKE)\}?)[ \t\n]"
)
DESTROYS = re.compile(r"\brm\s+(?:-\w+\s+)*[\"']?(?:~|/|\$\{?HOME)|\bsudo\b")
NO_GOALS = re.compile(
    r"(?i)(?:dist)?clean|check|tests?|dist|uninstall|help|docs?|html|pdf|install-?strip|examples?|tags|bench\w*"
)
FILES = re.compile(
    r"(?i)(?:^|/)(?:(?:gnu)?makefile[\w.-]*|configure[\w.]*|CMakeLists\.txt|meson\.build|setup\.py|\w+\.PL|[\w.-]+\.(?:mk|mak|sh|in|cmake))$"
)


@dataclass(frozen=True)
class Act:
    """One thing told, as it would be typed in `folder`; `words` are those of the call without settings before it."""

    kind: Kind
    folder: str
    words: tuple[str, ...]
    cause: Evidence
    settings: tuple[str, ...] = ()
    sure: bool = True
    """Whether it is told as a step: neither under a condition nor as one of several ways."""
    checked: bool = False
    """Whether each of its words was looked at, so that it may be planned as it is written."""

    @property
    def command(self) -> str:
        return shlex.join([*self.settings, *self.words])


def walk(ground: Ground) -> list[Act]:
    """In the order of the documents; a document starts in the folder that it lies in."""
    acts: list[Act] = []
    file, section, folder = "", "", ""
    for said in ground.said:
        if is_for_others(said):
            continue
        if said.cause.file != file:
            file, section = said.cause.file, said.section
            folder = posixpath.dirname(file)
            folder = folder if not re.search(r"(?i)^docs?(?:/|$)", folder) else ""
        elif said.section != section:
            section = said.section
            if not stays(ground, folder, said):
                folder = ""
        for settings, words in settled_commands(said.command):
            if words and words[0] in ("cd", "pushd"):
                place = entered(ground, folder, words[1:])
                if place != folder and place:
                    acts.append(Act("enter", place, ("cd", place), said.cause))
                folder = place
            else:
                folder = fitting(ground, folder, words)
                acts += act_of(ground, folder, words, settings, said)
    return acts


def stays(ground: Ground, folder: str, said: Said) -> bool:
    """Whether a new section goes on in the folder of the one before: only where its first command leads out of it."""
    return said.command.startswith(("cd ..", "cd ../")) and folder in ground.folders


def entered(ground: Ground, folder: str, words: Sequence[str]) -> str:
    """The folder after `cd`, from where one is or from the top. One that is not in the tree changes nothing: it is the
    checkout's own, or one that the build makes."""
    if not words or not PLAIN.fullmatch(words[0]):
        return folder
    for start in (folder, ""):
        place = posixpath.normpath(posixpath.join(start, words[0]))
        place = "" if place == "." else place
        if place in ground.folders or any(one.startswith(f"{place}/") for one in ground.folders if place):
            return place
    return folder


def fitting(ground: Ground, folder: str, words: Sequence[str]) -> str:
    """The folder itself where it has what a tool reads, else the top where that has it: `cd NAME` was then said of the
    checkout, in which a folder happens to have the same name."""
    wanted = READ_BY.get(words[0].rpartition("/")[2]) if words else None
    if not folder or wanted is None or any(map(wanted.fullmatch, ground.folders.get(folder, ()))):
        return folder
    return "" if any(map(wanted.fullmatch, ground.folders[""])) else folder


def settled_commands(command: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """ "A=1 ./configure && make" -> (("A=1",), ("./configure",)), ((), ("make",)); nothing after `||`, which is for
    when something fails."""
    for part in re.split(r"\s*(?:&&|;|\n)\s*", command.partition("||")[0].strip()):
        bare = re.sub(r"^(?:[$%>#]\s+)?(?:(?:sudo|doas|env|time)\s+)*", "", part.strip())
        settings: list[str] = []
        while (found := re.match(r"(\w+=[^\s'\"$`]*)\s+(?=\S)", bare)) and SETTING.fullmatch(found[1]):
            settings.append(found[1])
            bare = bare[found.end() :]
        for words in simple_commands(bare) or ():
            yield tuple(settings), words
            break


def act_of(ground: Ground, folder: str, words: tuple[str, ...], settings: tuple[str, ...], said: Said) -> Iterator[Act]:
    """The act that a simple command is, if it is any that can be planned."""
    if FILLED_IN.search(" ".join(words)):
        return
    sure = said.kind == "step"
    kept = tuple(one for one in settings if is_read(ground, one))
    tool, rest = words[0].rpartition("/")[2], words[1:]
    if tool == "export" or (len(words) == 1 and SETTING.fullmatch(tool)):
        for one in rest or (tool,):
            if is_read(ground, one):
                yield Act("set", folder, (one,), said.cause, sure=sure)
    elif tool in MAKES:
        yield from make_act(ground, folder, rest, said, sure)
    elif tool == "cp" and (copied := copy_words(ground, folder, words)):
        yield Act("copy", folder, copied, said.cause, sure=sure, checked=True)
    elif tool in ("cmake", "meson", "ninja"):
        kind: Kind = "install" if {"install", "--install"} & set(rest) else "build"
        yield Act(
            kind if kind == "install" or "--build" in rest or tool == "ninja" else "configure",
            folder,
            words,
            said.cause,
            kept,
            sure,
        )
    elif tool in ("pip", "pip3") and "install" in rest and any(one.startswith(".") for one in rest):
        yield Act("install", folder, words, said.cause, kept, sure)
    elif BOOTSTRAPS.fullmatch(tool) or (
        tool in INTERPRETERS and rest and BOOTSTRAPS.fullmatch(rest[0].removeprefix("./"))
    ):
        does: Kind = "install" if "install" in rest else "configure"
        checked = script_call(ground, folder, words)
        yield Act(does, folder, checked or words, said.cause, kept, sure, bool(checked))
    elif call := script_call(ground, folder, words):
        does = "build" if builds_itself(ground, folder, call) else "script"
        does = "install" if re.search(r"(?i)install", " ".join(words)) else does
        yield Act(does, folder, call, said.cause, kept, sure, checked=True)


def make_act(ground: Ground, folder: str, rest: tuple[str, ...], said: Said, sure: bool) -> Iterator[Act]:
    place, kept = folder, []
    waiting = list(rest)
    while waiting:
        word = waiting.pop(0)
        if word in ("-C", "--directory") and waiting:
            place = entered(ground, folder, [waiting[0]])
            if waiting.pop(0).strip("/") not in (place, place.removeprefix(f"{folder}/")):
                return
        else:
            kept.append(word)
    goals = [word for word in kept if not word.startswith("-") and "=" not in word]
    if goals and all(NO_GOALS.fullmatch(word) for word in goals):
        return
    kind: Kind = "install" if any("install" in word for word in goals) else "build"
    yield Act(kind, place, ("make", *kept), said.cause, sure=sure)


def builds_itself(ground: Ground, folder: str, call: Sequence[str]) -> bool:
    """Whether a script is a way to build it all, and not what comes before another."""
    path = next(filter(None, (in_tree(ground, folder, word) for word in call)), "")
    return bool(BUILDS.search(ground.text(path)))


def is_plain_make(act: Act) -> bool:
    """Whether a call of make names only goals, and variables that a build may be given."""
    words = act.words[1:]
    return act.words[0] == "make" and all(re.fullmatch(r"[A-Za-z_][\w.-]*", one) or is_own(one) for one in words)


def is_own(setting: str) -> bool:
    """Whether it sets a variable that concerns the build alone, to a value that leads nowhere else."""
    found = SETTING.fullmatch(setting)
    if not found or NOT_SET.fullmatch(found["name"]):
        return False
    return not LEADS_OUT.search(found["value"])


def is_read(ground: Ground, setting: str) -> bool:
    """Whether a build file of the tree reads the variable, and it is one that a build may be given."""
    if not is_own(setting):
        return False
    name = re.compile(rf"\b{re.escape(setting.partition('=')[0])}\b")
    files = [path for path in ground.files if FILES.search(path) and path.count("/") < 3][:200]
    return any(name.search(ground.text(path)) for path in files)


def in_tree(ground: Ground, folder: str, word: str) -> str:
    """The path from the top that a word names, "" where it is no file of the tree."""
    if not PLAIN.fullmatch(word) or word.startswith(("/", "-")):
        return ""
    path = posixpath.normpath(posixpath.join(folder, word))
    return path if path in ground.files else ""


def stays_inside(folder: str, word: str) -> bool:
    return (
        bool(PLAIN.fullmatch(word))
        and not word.startswith(("/", "-"))
        and not posixpath.normpath(posixpath.join(folder, word)).startswith("..")
    )


def copy_words(ground: Ground, folder: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """A copy of one file of the tree to a name in the tree that is free; nothing else is a copy that may be planned."""
    names = [word for word in words[1:] if not re.fullmatch(r"-[fpv]+", word)]
    if len(names) != 2 or not in_tree(ground, folder, names[0]) or not stays_inside(folder, names[1]):
        return ()
    target = posixpath.normpath(posixpath.join(folder, names[1]))
    if target in ground.folders:
        target = posixpath.join(target, posixpath.basename(names[0])).removeprefix("./")
    # A folder that is not listed may be a link to one outside.
    if posixpath.dirname(target) not in ground.folders:
        return ()
    return () if target in ground.files else ("cp", *names)


def script_call(ground: Ground, folder: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """A script of the tree with plain arguments; places to install to become the prefix."""
    by, rest = ((words[0],), words[1:]) if words[0] in INTERPRETERS else ((), words)
    if not rest or (not by and "/" not in rest[0]):
        return ()
    path = in_tree(ground, folder, rest[0])
    if not path or ASIDE.search(posixpath.basename(path)):
        return ()
    text = ground.text(path)
    if not text or FETCHES.search(text) or DESTROYS.search(text):
        return ()
    given = [
        re.sub(r"^(--?prefix[= ])?(?:/usr(?:/local)?|/opt(?:/[\w.+-]+)?)$", rf"\g<1>{PREFIX}", one) for one in rest[1:]
    ]
    if not all(PLAIN.fullmatch(one) for one in given):
        return ()
    if any(LEADS_OUT.search(re.sub(rf"{PREFIX}(?=/|$)", "p", one, count=1)) for one in given):
        return ()
    if any(ASIDE.fullmatch(one) for one in given):
        return ()
    if not by and not ground.files[path]:
        by = ("sh",)
    return (*by, *rest[:1], *given)


def entered_folders(acts: Sequence[Act]) -> dict[str, Evidence]:
    """Folders below the top that documents tell to go to or to build in, in their order."""
    found: dict[str, Evidence] = {}
    for act in acts:
        # A document that lies in a folder leads nobody there.
        if act.folder and posixpath.dirname(act.cause.file) != act.folder:
            found.setdefault(act.folder, act.cause)
    return found
