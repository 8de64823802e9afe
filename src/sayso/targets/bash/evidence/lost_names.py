"""Names without a mark that a request says and a command does not use: of programs, of texts to look for, of folders.

A bare word is no constant, so that nothing else misses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.types import Doubt
from sayso.english.constants import word_set

HALF, FAR = 0.45, 0.2

TOOLS = word_set(
    "push commit revert rebase stash gzip gunzip unzip untar tar chmod chown chgrp curl wget rsync scp ssh jq awk sed "
    "grep tee nohup tmux shred gpg openssl md5sum sha256sum base64 kubectl pip gcc systemctl journalctl crontab"
)
SAME_TOOL = {
    "revert": ("restore", "checkout", "undo"),
    "untar": ("tar",), "grep": ("rg", "ack"), "gunzip": ("gzip", "zcat", "unzip"), "ssh": ("scp", "sftp", "rsync"),
    "pip": ("python",),
    "crontab": ("cron",), "tar": ("tgz",), "gzip": ("gz", "-z", "tar"), "unzip": ("gunzip", "7z", "bsdtar", "jar"),
    "curl": ("wget",), "wget": ("curl",), "awk": ("cut",), "base64": ("openssl",),
    "systemctl": ("service",), "chmod": ("setfacl",), "scp": ("rsync",), "rsync": ("scp",),
}  # fmt: skip
FIRST_ONLY = frozenset(("push", "commit"))
"""What is something else as the first word: "push the block in by 4 spaces"."""
CONTAINED = re.compile(
    r"\b(?:lines?|rows?|files?|entries|records) (?:that |which )?(?:contain(?:ing|s)?|mention(?:ing|s)?"
    r"|with the word|including)"
    r"(?: the)?(?: word| string| text)? ([A-Za-z]\w+)(?= (?:from|in|of|to|and|or|but)\b|$)",
    re.I,
)
NO_CONTENTS = word_set(
    "both neither either only more fewer less only whitespace html json xml uppercase lowercase any at one two three "
    "text data "
    "itself nothing everything something non ascii utf unicode punctuation markup binary code it them error errors todo"
)
NAMED_FOLDER = re.compile(
    r"\b(?:the|my|our) (?P<before>[A-Za-z][\w-]*) (?:folder|directory|dir)\b(?! [/~.]|[\w/])"
    r"|\b(?:folder|directory|dir)(?: called| named) (?P<called>[A-Za-z][\w.-]*)"
    r"|\b(?:in|into|from|under|inside|of|to) the (?:folder|directory|dir) (?P<after>[A-Za-z][\w.-]*)",
    re.I,
)
NO_NAMES = word_set(
    "same current this that present working home root parent new old other first last next whole entire empty right "
    "top main each every "
    "and or in to of on at by is are was were with without into from for that which who where as under inside then "
    "so but not only all it "
    "its tree structure size sizes listing name names path paths content contents here there above below recursively "
    "has have called "
    "leading outer one start previous web backup sshfs remaining corresponding respective containing after whose "
    "something usual "
    "permission permissions containing contains i you we above given specified source destination target temp "
    "temporary "
    "biggest largest smallest newest oldest latest except excluding itself owned older newer over larger bigger "
    "smaller less more than "
    "download downloads documents desktop user users git hidden two deepest remote local system nested if when like "
    "using based be"
)
PLACES = {"pictures", "photos", "documents", "downloads", "desktop", "music", "videos", "movies"}


def lost_names(asked: str, text: str) -> Iterator[Doubt]:
    """The names in a request, quoted text left out, that do not stand in the command."""
    for tool in lost_tools(asked, text):
        yield Doubt(HALF, f"does not {tool}", "unfit")
    for word in contents_named(asked):
        if word.lower() not in text.lower():
            yield Doubt(FAR, f"does not look for {word}", "unfit")
    for name in folders_named(asked):
        if name.lower() not in text.lower():
            yield Doubt(HALF, f"does not use the folder {name}", "unfit")


def lost_tools(asked: str, text: str) -> Iterator[str]:
    """Programs and deeds of programs that are named as what to do: "gzip it", "and push"."""
    low = text.lower()
    for found in re.finditer(r"(?:^|, |\b(?:and|then|to|please|with|use|using|via) )([a-z0-9]+)\b", asked.lower()):
        tool = found[1]
        is_other = tool in FIRST_ONLY and not found.start()
        if tool in TOOLS and not is_other and not any(name.lower() in low for name in (tool, *SAME_TOOL.get(tool, ()))):
            yield tool


def contents_named(asked: str) -> Iterator[str]:
    """ "lines containing X": a bare word is no constant, and still must be used."""
    for found in CONTAINED.finditer(asked):
        if found[1].lower() not in NO_CONTENTS and not found[1].lower().endswith(("s", "ly", "ing", "ed")):
            yield found[1]


def folders_named(asked: str) -> Iterator[str]:
    for found in NAMED_FOLDER.finditer(asked):
        name = found["before"] or found["called"] or found["after"]
        if (
            name.lower() not in NO_NAMES
            and name.lower() not in PLACES
            and not name.lower().endswith(("ly", "ed", "est"))
        ):
            yield name.rstrip(".")
