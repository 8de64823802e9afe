"""The tokens of a request as people name things in it: files with a blank in their name, runs of files, lone signs.

`tokenise` knows what a piece looks like; here its neighbours decide: "a file called budget 2023.xlsx" names one file,
"a1.txt .. a9.txt" nine, and the # of "lines with a #" is what is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sayso.english.naming_beside import EXCHANGING, compared, told_apart
from sayso.english.stems import misspellings
from sayso.english.tokens import Token, tokenise
from sayso.english.words import listed

JSON_OBJECT = re.compile(r'\{[^{}"]*"[^{}]*\}')
LONGEST_NAME = 4
"""Words before the one with the ending: "called ⟨notes from the trip⟩.md" is not believed."""
CUES = listed("naming.cues")
# What may follow "called" and is no part of a name.
NO_NAME = listed("naming.no_name")
RUNS = listed("naming.runs")
# Between these two names "to" says from where to where, not from which to which.
TWO_ENDS = listed("naming.two_ends")
SIGNS = frozenset("#;|@%=+_~^$!\"'`:,*\\-/<>")
SIGN_CUES = listed("naming.sign_cues")
# How people write in haste; typing mistakes that are seen again and again stand in a table of `text`.
SHORT = {
    "w/": "with", "w/o": "without", "whch": "which", "wich": "which", "dont": "don't", "doesnt": "doesn't",
    "isnt": "isn't", "arent": "aren't", "havent": "haven't", "hasnt": "hasn't", "didnt": "didn't", "cant": "can't",
    "incl": "including", "excl": "excluding", "nr": "number", "nrs": "numbers", "recursiv": "recursively",
    "recursivly": "recursively", "col": "column", "cols": "columns", "b4": "before", "msg": "message",
    "msgs": "messages", "ext": "extension", "exts": "extensions", "num": "number", "nums": "numbers",
    "thru": "through", "btw": "between", "pkg": "package", "pkgs": "packages", "proc": "process",
    "procs": "processes", "desc": "descending", "asc": "ascending", "avg": "average", "uniq": "unique",
    "w/out": "without", "perms": "permissions", "subdir": "subfolder", "subdirs": "subfolders",
}  # fmt: skip
SAID_FULLY = frozenset(("w/", "w/o", "w/out", "b4"))
"""What is never a name itself; the others may be, where a name is wanted: "sort it by msg"."""
SETTING = listed("naming.setting")
ARROWS = {"-": ">", "=": ">"}
SPELT = listed("naming.spelt")
KEPT_IN = listed("naming.kept_in")
SENDING = listed("naming.sending")
OTHER_PART = listed("naming.other_part")
SCHEME = re.compile(r"[a-z]{2,10}://")
PERCENT = re.compile(r"(\d{1,9})%")
RANGE = re.compile(r"(\d{1,9})(?:-|\.\.)(\d{1,9})")
BETWEEN = re.compile(r"\{(\d{1,9})\.\.(\d{1,9})\}")
NUMBERED = re.compile(r"(.*?)(\d{1,6})(\D*)", re.S)


def request_tokens(text: str) -> list[Token]:
    """The tokens of a request, marks left out; a sign that stands for itself is of kind "sign"."""
    plain = told_apart(compared([part for token in with_json(tokenise(text), text) for part in ends(token)]))
    tokens = [signed(plain, at, text) for at in range(len(plain))]
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        used, token = joined(tokens, at, text)
        if token.kind != "mark":
            found.append(token)
        at += used
    return uncounted(found)


def uncounted(tokens: list[Token]) -> list[Token]:
    """ "5 folders named day1 to day5" says how many twice."""
    runs = [match for token in tokens if token.kind == "glob" and (match := BETWEEN.search(token.value))]
    counts = {str(int(match[2]) - int(match[1]) + 1) for match in runs}
    return [token for token in tokens if token.kind != "number" or token.value not in counts]


def joined(tokens: Sequence[Token], at: int, text: str) -> tuple[int, Token]:
    """How many tokens from `at` on are one, and that one."""
    first = tokens[at]
    is_named = at > 0 and tokens[at - 1].text.lower() in CUES
    if not is_named and not is_literal(tokens, at) and (meant := meant_by(first)):
        is_name = first.text.lower() in SHORT and first.text.lower() not in SAID_FULLY
        return 1, first._replace(kind="word", text=meant, value=first.text if is_name else meant)
    if [one.text.lower() for one in tokens[at : at + 2]] == ["according", "to"]:
        meant = "in" if at + 2 < len(tokens) and tokens[at + 2].kind in ("file", "path") else "by"
        return 2, Token(meant, "word", first.start, tokens[at + 1].end, meant)
    if at and tokens[at - 1].text.lower() in SETTING and (used := paired(tokens, at)):
        last = tokens[at + used - 1]
        said = text[first.start : last.end]
        return used, Token(said, "variable", first.start, last.end, said)
    if used := glued(tokens, at):
        last = tokens[at + used - 1]
        said = text[first.start : last.end]
        return used, Token(said, "word" if first.kind == "mark" else "name", first.start, last.end, said)
    if first.text == "HOME" and not text.isupper():  # the value of HOME is no folder here
        return 1, first._replace(kind="variable")
    if SCHEME.fullmatch(first.text):
        return 1, first._replace(kind="string", value=first.text)
    if is_named and first.kind == "option":
        return 1, first._replace(kind="file", value=first.text)
    following = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
    if (
        is_named and following in OTHER_PART and first.kind in ("word", "name", "number")
    ):  # a file called taxes something
        return 2, Token(
            text[first.start : tokens[at + 1].end], "glob", first.start, tokens[at + 1].end, f"{first.text}*"
        )
    if far := on_host(tokens, at):
        return far[0], Token(
            text[first.start : tokens[at + far[0] - 1].end],
            "user_host",
            first.start,
            tokens[at + far[0] - 1].end,
            far[1],
        )
    is_kept = at > 0 and tokens[at - 1].text.lower() in KEPT_IN and first.text.istitle() and following.islower()
    if is_kept and tokens[at + 1].text.istitle() and (used := announced(tokens, at, text)) > 1:
        last = tokens[at + used - 1]
        return used, first._replace(
            text=text[first.start : last.end], kind="string", end=last.end, value=text[first.start : last.end]
        )
    if is_named and (used := announced(tokens, at, text)) > 1:
        last = tokens[at + used - 1]
        said = text[first.start : last.end]
        return used, Token(said, "file" if last.kind == "file" else "string", first.start, last.end, said)
    if run := numbered_run(tokens, at):
        used, braces = run
        last = tokens[at + used - 1]
        return used, Token(text[first.start : last.end], "glob", first.start, last.end, braces)
    return 1, first


def on_host(tokens: Sequence[Token], at: int) -> tuple[int, str] | None:
    """ "bob@db1 in /srv/in", to which something is sent, is one place: bob@db1:/srv/in"""
    three = tokens[at : at + 3]
    if len(three) < 3 or three[0].kind != "user_host" or "@" not in three[0].value or ":" in three[0].value:
        return None
    sends = any(token.text.lower() in SENDING for token in tokens[:at])
    is_place = three[1].text.lower() in ("in", "into", "under", "at") and three[2].kind == "path"
    return (3, f"{three[0].value}:{three[2].value}") if sends and is_place else None


def glued(tokens: Sequence[Token], at: int) -> int:
    """How many tokens are an arrow, or what is filled up with = as base64 is: aGVsbG8=; 0 for all others."""
    first, last = tokens[at], at + 1
    touches = last < len(tokens) and tokens[last].start == first.end
    if touches and first.kind == "mark" and ARROWS.get(first.text) == tokens[last].text:
        return 2
    while last < len(tokens) and tokens[last].text in ("=", "==") and tokens[last].start == tokens[last - 1].end:
        last += 1
    is_open = last < len(tokens) and tokens[last].start == tokens[last - 1].end and tokens[last].kind != "mark"
    return last - at if first.kind in ("word", "name") and last > at + 1 and not is_open else 0


def paired(tokens: Sequence[Token], at: int) -> int:
    """How many tokens are a setting and its value: debug=true; 0 for all others."""
    three = tokens[at : at + 3]
    touch = len(three) == 3 and three[0].end == three[1].start and three[1].end == three[2].start
    return 3 if touch and three[1].text == "=" and three[0].kind in ("word", "name") and three[2].kind != "mark" else 0


def ends(token: Token) -> list[Token]:
    """ "lines 5-10" names both numbers; 5% is 5 percent."""
    if token.kind == "number" and (share := PERCENT.fullmatch(token.text)):
        sign = token.end - 1
        return [
            Token(share[1], "number", token.start, sign, share[1]),
            Token("percent", "word", sign, token.end, "percent"),
        ]
    match = RANGE.fullmatch(token.text) if token.kind == "number" else None
    if not match:
        return [token]
    low, high = match.span(1), match.span(2)
    return [
        Token(match[at], "number", token.start + first, token.start + last, match[at])
        for at, (first, last) in ((1, low), (2, high))
    ]


def is_literal(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word is spoken of as it is spelt: "replace teh with the"."""
    before = tokens[at - 1].text.lower() if at else ""
    return before in SPELT or (before in ("every", "all") and at > 1 and tokens[at - 2].text.lower() in SPELT)


def meant_by(token: Token) -> str:
    """The word that stands for "w/" or "teh"; "" for all others."""
    typed = token.text.lower()
    return SHORT.get(typed) or (misspellings().get(typed, "") if token.kind == "word" else "")


def announced(tokens: Sequence[Token], at: int, text: str) -> int:
    """How many tokens after "called" are one name: up to one with an ending, or Words Written So."""
    capitals = 0
    for count, token in enumerate(tokens[at : at + LONGEST_NAME + 1]):
        if count and text[tokens[at + count - 1].end : token.start] != " ":
            break
        if token.kind == "file":
            return count + 1
        if token.kind not in ("word", "number", "name", "date") or token.text.lower() in NO_NAME:
            break
        capitals += capitals == count and token.text.istitle()
    return capitals


def numbered_run(tokens: Sequence[Token], at: int) -> tuple[int, str] | None:
    """a1.txt .. a9.txt -> a{1..9}.txt; "to" counts only where nothing goes from one file to another."""
    if tokens[at].kind not in ("file", "name", "path"):
        return None
    between = 0
    while at + 1 + between < len(tokens) and (tokens[at + 1 + between].text.lower() in {".", *RUNS, "to"}):
        between += 1
    last = at + 1 + between
    if not between or last >= len(tokens) or tokens[last].kind != tokens[at].kind:
        return None
    dots = "".join(token.text.lower() for token in tokens[at + 1 : last])
    if dots not in RUNS and (dots != "to" or TWO_ENDS & {token.text.lower() for token in tokens[:at]}):
        return None
    one, other = NUMBERED.fullmatch(tokens[at].value), NUMBERED.fullmatch(tokens[last].value)
    if not one or not other or (one[1], one[3]) != (other[1], other[3]) or int(other[2]) - int(one[2]) < 2:
        return None
    return last - at + 1, f"{one[1]}{{{one[2]}..{other[2]}}}{one[3]}"


def signed(tokens: Sequence[Token], at: int, text: str) -> Token:
    """A mark that stands alone after "a", "with" and the like is meant itself: "lines with a #"."""
    token = tokens[at]
    if len(token.text) != 1 or token.text not in SIGNS or not at:
        return token
    before, after = text[token.start - 1], text[token.end : token.end + 1]
    alone = before in " (" and (not after.strip() or after in ").?!,;")
    said = tokens[at - 1].text.lower()
    is_end = said == "in" and at > 1 and tokens[at - 2].text.lower().startswith("end")  # files ending in ~
    is_other = said in ("to", "into", "and", "for") and any(one.text.lower() in EXCHANGING for one in tokens[:at])
    return token._replace(kind="sign") if alone and (said in SIGN_CUES or is_end or is_other) else token


def with_json(tokens: Sequence[Token], text: str) -> list[Token]:
    """A JSON object in the request is one string: POST {"a": 1} to …"""
    found = [match.span() for match in JSON_OBJECT.finditer(text)]
    if not found:
        return list(tokens)
    outside = [token for token in tokens if not any(start <= token.start < end for start, end in found)]
    inside = [Token(text[start:end], "string", start, end, text[start:end]) for start, end in found]
    return sorted([*outside, *inside], key=lambda token: token.start)
