"""What one step leaves for the next: a stream to read, a thing that "it" stands for, a folder that is "there"."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from sayso.core.types import Request
from sayso.english.constants import word_set
from sayso.targets.bash.request.constants_used import constants_of
from sayso.targets.bash.safety.unasked_deeds import QUOTES
from sayso.targets.bash.systems.composed_deeds import CALLED, NAMED

STREAM = "stream.txt"
"""Stands for what the step before prints, while its reader is asked for."""
FOLDERS, FILES = r"folder|directory|dir|repo|repository|project|clone", r"file|archive|zip|tarball|script|copy|backup"
ORIGINAL = "original"
IT = re.compile(r"(?<![\w'-])(?:it|them|those|these|that one|the results?|the output|that)(?![\w'-])", re.I)
ITS = re.compile(r"(?<![\w'-])(?:its|their)\s+(?P<what>[\w-]+)", re.I)
IN_IT = re.compile(
    r"(?<![\w'-])(?P<into>into|inside|within|in|to|from|under)\s+(?:it|there)(?![\w'-])|\bthere\b|\b(?<!\bgo )inside$",
    re.I,
)
THE_KIND = re.compile(
    rf"(?<![\w'-])(?:the|that|this|the new|the whole) (?P<kind>{FOLDERS}|{FILES}|branch|{ORIGINAL})"
    r"(?=$|\s+(?:to|into|in|with|by|as|on|for|from|at|onto|is|and)\b|\s*[,.?!])",
    re.I,
)
ENTER = re.compile(
    r"(?:(?:cd|chdir|go|change|change dir(?:ectory)?|step|move|switch)\s+(?:back\s+)?(?P<to>in(?:to)?|inside|to)"
    r"|(?P<bare>enter|cd))\s+(?:the\s+|that\s+|this\s+|my\s+)?"
    rf"(?:(?:new\s+|cloned\s+)?(?P<kind>{FOLDERS})\s*)?(?:(?:called|named)\s+)?(?P<name>\"[^\"]+\"|'[^']+'|[\w./~$-]+)?"
    rf"(?:\s+(?P<after>{FOLDERS}))?",
    re.I,
)
PRONOUNS = ("it", "there", "that", "this", "them")
COPIES = re.compile(r"(?:copy|cp|back ?up|duplicate)\b", re.I)
PLACES = re.compile(r"(?:copy|cp|move|mv|put|save|extract|unpack|unzip|install|clone|download)\b", re.I)
OVER = re.compile(
    r"(?<![\w'-])(?:it|them|those|these|the (?:lines?|rows|results?|output|rest|values|names))(?![\w'-])", re.I
)
LISTERS = word_set("find ls locate tree fd grep rg")
"""What names files, or lines of them, that nobody has named: "them" is only what it prints."""
FILTERS = word_set("sort uniq head tail grep wc nl cat tac rev awk sed tr cut shuf column paste fold fmt jq tee")
"""What reads lines and prints lines: `gzip` behind a list of names would pack the names."""
PIPED = re.compile(rf"(?P<head>[^|;&<>]*?)\s*(?:<\s*)?{re.escape(STREAM)}(?P<rest>(?:\s*\|[^;&]*|\s*>[^;&|]*)?)")
FILLERS = word_set("cp mv ln rsync tar unzip zip")
"""What puts something into a place that may have been there before."""
RESHAPES = re.compile(r"(?:copy|cp|back ?up|duplicate|split|cut|convert|compress|gzip|zip|pack|sort)\b", re.I)
"""Acts behind which there is an original."""
FETCHED = re.compile(r"[a-z]+://[^\s'\"]*/(?P<name>[\w.@+-]+\.[\w.]+)['\"]?(?:\s|$)")
PACKED = {"gzip": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstd": ".zst"}
PLAIN_NAME = re.compile(r"(?:~?/)?(?:[\w@+ -][\w.@+ -]*|\.[\w@+-][\w.@+ -]*)(?:/(?!\.\.?(?:/|$))[\w.@+ -]+)*/?")
"""The name of one thing, below a folder or not; neither a pattern nor a way up."""
CATTED = re.compile(rf"cat {re.escape(STREAM)} \|\s*(?P<rest>.+)")


@dataclass(frozen=True)
class Left:
    """`thing` is what "it" stands for, `place` what is "there"; `is_inside`: the line has gone into that folder.

    `kinds` holds the last folder, file and branch that was named; `is_sure` that "it" can be nothing else.
    """

    act: str = ""
    thing: str = ""
    place: str = ""
    is_inside: bool = False
    is_sure: bool = False
    kinds: dict[str, str] = field(default_factory=dict)


def kind_of(noun: str) -> str:
    noun = noun.lower()
    return "folder" if re.fullmatch(FOLDERS, noun) else noun if noun in ("branch", ORIGINAL) else "file"


def entered(act: str, left: Left) -> str:
    """The folder that an act goes into, "" where it does something else: "cd into it", "enter the src directory"."""
    found = ENTER.fullmatch(act)
    if not found:
        return ""
    name, kind = found["name"] or "", found["kind"] or found["after"]
    if name.lower() in PRONOUNS or not name:
        return quoted(left.place or left.kinds.get("folder", "")) if name or kind else ""
    is_plain = found["bare"] or found["to"].lower() != "to" or act.lower().startswith(("cd", "go", "chdir"))
    is_folder = kind or "/" in name or name == left.place
    if not (is_folder or (is_plain and not act.lower().startswith("switch"))):
        return ""
    return quoted(name.strip("\"'"))


def quoted(name: str) -> str:
    """As the shell must have it; a home folder stays open."""
    return name if re.fullmatch(r"[\w./~$-]*", name) else shlex.quote(name)


def resolved(act: str, left: Left) -> str | None:
    """An act that stands for itself: "check its size" -> "check the size of docs.tar.gz"; None where it cannot."""
    said = act
    place = "" if left.is_inside else left.place
    if found := unquoted(IN_IT, said):
        if not place and not left.is_inside and not left.thing:
            return None
        word = found["into"] or ("into" if PLACES.match(said) else "in")
        there = place or ("" if left.is_inside else left.thing)
        said = spliced(said, found, f"{word} {spoken(there)}" if there else "here" if PLACES.match(said) else "")
    if found := unquoted(THE_KIND, said):
        name = left.kinds.get(kind_of(found["kind"]), "")
        if not name or (left.is_inside and name == left.place):
            return None if name == "" else spliced(said, found, "this folder")
        said = spliced(
            said, found, f"the folder {spoken(name)}" if kind_of(found["kind"]) == "folder" else spoken(name)
        )
    if found := unquoted(ITS, said):
        what = found["what"]
        if left.is_inside:
            said = spliced(said, found, f"the {what}")
        elif left.thing:
            said = spliced(said, found, f"the {what} of {spoken(left.thing)}")
        else:
            return None
    if found := unquoted(IT, said):
        if not left.thing or left.is_inside:
            return None
        is_folder = left.thing == left.kinds.get("folder")
        said = spliced(said, found, f"the folder {spoken(left.thing)}" if is_folder else spoken(left.thing))
    return " ".join(said.split())


def spoken(name: str) -> str:
    """A name as a request has it: in quotes where it is several words."""
    return f'"{name}"' if " " in name and not name.startswith("the .") else name


def may_be_lost(act: str, said: str, left: Left, commands: Iterable[str]) -> bool:
    """Whether an act may lose what stands in for "it", as `said` has it.

    It must be a plain name: what `*`, `$X`, `~` or `/` stands for is more than whoever says "it" has in mind. And
    nothing goes that a command before has just put there: "copy docs to backup and delete it" is not said of the copy.
    """
    parts = (part for command in commands for part in re.split(r"\s+(?:&&|\|\|?)\s+", command))
    filled = {made_by(part)[0] for part in parts if part.split(maxsplit=1)[0] in FILLERS}
    names = {name for name in (left.thing, left.place, *left.kinds.values()) if name and name in said}
    return all(
        name.startswith("the .") or (PLAIN_NAME.fullmatch(name) and (name not in filled or name in act))
        for name in names
    )


def says_kind(act: str, left: Left) -> bool:
    """Whether it says "that file" or "the folder", and one of its kind was named: no other can be meant."""
    found = unquoted(THE_KIND, act)
    return found is not None and kind_of(found["kind"]) in left.kinds


def unquoted(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first match outside quotes."""
    return pattern.search(QUOTES.sub(lambda match: "\x00" * len(match[0]), text))


def spliced(text: str, found: re.Match[str], new: str) -> str:
    return text[: found.start()] + new + text[found.end() :]


def over_stream(act: str) -> Iterator[str]:
    """An act as it would be asked of a file that holds the stream."""
    if found := unquoted(OVER, act):
        yield spliced(act, found, f"the lines of {STREAM}" if "line" in found[0].lower() else STREAM)
    elif not any(token.kind in ("file", "path", "url") for token in constants_of(Request(act))):
        yield f"{act} in {STREAM}"


def piped(command: str) -> str:
    """The command as it reads a pipe, "" where it would not: `tr a b < stream.txt` -> `tr a b`."""
    if command.count(STREAM) != 1:
        return ""
    if found := CATTED.fullmatch(command):
        return found["rest"]
    found = PIPED.fullmatch(command)
    words = found["head"].split() if found else []
    if not found or not words or words[0] not in FILTERS or (words[0] == "sed" and " -i" in found["head"]):
        return ""
    return f"{found['head'].strip()}{found['rest']}"


def leaves(left: Left, act: str, command: str) -> Left:
    """What is left behind an act that a command did."""
    if command.startswith("cd "):
        name = command[3:].strip("'\"")
        return replace(left, act=act, place=name, thing="", is_inside=True, kinds={**left.kinds, "folder": name})
    kinds, place = dict(left.kinds), left.place
    if called := CALLED.search(act):
        kinds[kind_of(called["kind"] or called["noun"])] = called["name"] or called["word"]
    for noun in re.finditer(rf"\bthe ([\w./-]+) (?P<kind>{FOLDERS}|branch)\b", act, re.I):
        kinds[kind_of(noun["kind"])] = noun[1]
    for token in constants_of(Request(act)):
        if token.kind == "file":
            kinds["file"] = token.value
    names = [token.value for token in constants_of(Request(act)) if token.kind in NAMED]
    names += [f"the {token.text} files" for token in constants_of(Request(act)) if token.kind == "extension"][-1:]
    thing = names[0] if names else left.thing
    if names and RESHAPES.match(act):
        kinds[ORIGINAL] = names[0]
    made, kind, fetched = "", "", ""
    for one in re.split(r"\s+(?:&&|\|\|?)\s+", command):
        name, its = made_by(one, fetched)
        fetched = name_of(one) or fetched
        if name:
            made, kind = name, its
            kinds[kind] = name
            if kind == "folder":
                place = name
    if command.split(maxsplit=1)[0] in LISTERS:
        # "find the old logs and pack them": they are what is listed, and no name stands for that.
        return Left(act, "", place, left.is_inside, False, {})
    if made:
        thing = thing if COPIES.match(act) and names else made
    is_new = kind == "folder" and made != left.place
    return Left(act, thing, place, left.is_inside and not is_new, bool(made), kinds)


def name_of(command: str) -> str:
    """What a download is called where nothing else is said: `curl -L https://x.org/a.tgz` -> a.tgz"""
    found = FETCHED.search(command)
    return found["name"] if found else ""


def made_by(command: str, fetched: str = "") -> tuple[str, str]:
    """What a command makes, and whether that is a folder, a file or a branch: `git clone u/a.git` -> a, folder.

    `fetched` is the name of what a command before it prints.
    """
    try:
        words = shlex.split(command)
    except ValueError:
        return "", ""
    if ">" in words[:-1]:
        return words[words.index(">") + 1], "file"
    if ">>" in words[:-1]:
        return words[words.index(">>") + 1], "file"
    operands = [word for word in words[1:] if not word.startswith("-")]
    if not words or not (operands or fetched):
        return "", ""
    match words[0]:
        case "wget" | "curl":
            for flag in ("-o", "-O", "--output", "--output-document"):
                if flag in words[:-1] and not FETCHED.search(words[words.index(flag) + 1]):
                    return words[words.index(flag) + 1], "file"
            keeps = words[0] == "wget" or any(re.match(r"-\w*O|--remote-name", word) for word in words)
            return (name_of(command), "file") if keeps and name_of(command) else ("", "")
        case "gzip" | "bzip2" | "xz" | "zstd" if not re.search(r" -\w*[dckt]| --", command):
            return operands[-1] + PACKED[words[0]], "file"
        case "gunzip" | "bunzip2" | "unxz" | "unzstd":
            return re.sub(r"\.(?:gz|bz2|xz|zst)$", "", operands[-1]), "file"
        case "python" | "python3" if operands[:1] == ["venv"]:
            return operands[-1], "folder"
        case "mkdir":
            return operands[-1], "folder"
        case "touch" | "tee":
            return operands[-1], "file"
        case "zip":
            return operands[0], "file"
        case "tar":
            archive = next((word for word in (*operands, fetched) if re.search(r"\.(?:tar|t[gbx]z)\b", word)), "")
            if re.match(r"-?\w*c|--create", words[1]):
                return archive, "file"
            return (unpacked(archive, words), "folder") if re.match(r"-?\w*x|--extract", words[1]) else ("", "")
        case "unzip":
            return unpacked(operands[0], words), "folder"
        case "mv" | "cp" | "ln" | "rsync" if len(operands) > 1:
            target = operands[-1].rstrip("/")
            return (target, "file") if PurePosixPath(target).suffix else (target, "folder")
        case "git" if operands[0] == "clone":
            given = operands[2] if len(operands) > 2 else operands[1]
            return PurePosixPath(given.rstrip("/")).name.removesuffix(".git"), "folder"
        case "git" if operands[0] in ("switch", "checkout", "branch") and len(operands) > 1:
            return operands[-1], "branch"
        case _:
            return "", ""


def unpacked(archive: str, words: list[str]) -> str:
    """The folder that an archive is unpacked into: where it says, else the one that it is named for."""
    for flag in ("-C", "-d"):
        if flag in words[:-1]:
            return words[words.index(flag) + 1]
    return re.sub(r"\.(?:zip|t[gbx]z|tar(?:\.\w+)?)$", "", PurePosixPath(archive).name)
