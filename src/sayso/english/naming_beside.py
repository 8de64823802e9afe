"""What the words beside a token show it to be: an ending in brackets, a status and no time, two texts to exchange."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sayso.english.tokens import Token
from sayso.english.words import listed

EXCHANGING = listed("naming_beside.exchanging")
"""Verbs that take two signs: "change : to =" means both."""
COMPARED = {">": "greater than", "<": "less than", ">=": "at least", "<=": "at most"}
ENDINGS = re.compile(
    r"\.?(?:jpe?g|png|gif|svg|mp3|mp4|pdf|csv|tsv|txt|json|xml|html?|ya?ml|md|log|py|js|ts|sh|wav|mov|mkv|avi|docx?"
    r"|xlsx?)"
)
STATUS = re.compile(r"[1-5][0-9]{2}s")
"""Answers of a web server, unless one of these words says that it is a time."""
TIMED = listed("naming_beside.timed")
REPLACING = listed("naming_beside.replacing")
WHERE = listed("naming_beside.where")
NO_TEXTS = listed("naming_beside.no_texts")
"""Words that stand for something else than themselves, and so are no texts."""


def told_apart(tokens: Sequence[Token]) -> list[Token]:
    """What a neighbour shows to be of another kind: "pictures (jpg)" names an ending, "count 404s" no seconds."""
    found = list(tokens)
    for at, token in enumerate(tokens):
        before = tokens[at - 1].text.lower() if at else ""
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if (before, after) == ("(", ")") and ENDINGS.fullmatch(token.text):
            found[at] = token._replace(kind="extension", value=f".{token.text.lower().lstrip('.')}")
        elif token.kind == "timespan" and STATUS.fullmatch(token.text) and before not in TIMED:
            found[at] = token._replace(kind="number", value=token.text[:3])
    return exchanged(found)


def exchanged(tokens: list[Token]) -> list[Token]:
    """ "replace teh with the in a.txt" names two texts, whatever words they are."""
    words = [token.text.lower() for token in tokens]
    for at, verb in enumerate(words[:-3]):
        old, new = tokens[at + 1], tokens[at + 3]
        following = words[at + 4] if at + 4 < len(words) else ""
        in_file = following in WHERE and at + 5 < len(tokens) and tokens[at + 5].kind in ("file", "path", "glob")
        is_said = verb in REPLACING or (verb in EXCHANGING and in_file)
        if not is_said or words[at + 2] not in ("with", "by", "to", "for") or (following and following not in WHERE):
            continue
        if {old.kind, new.kind} <= {"word", "name"} and not {words[at + 1], words[at + 3]} & NO_TEXTS:
            tokens[at + 1], tokens[at + 3] = (one._replace(kind="string", value=one.text) for one in (old, new))
    return tokens


def compared(tokens: Sequence[Token]) -> list[Token]:
    """ "age > 30" says greater than, "age >= 30" at least."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        sign, used = token.text, 1
        if at + 1 < len(tokens) and tokens[at + 1].text == "=" and tokens[at + 1].start == token.end:
            sign, used = f"{token.text}=", 2
        beside = [one.kind for one in (*tokens[max(0, at - 1) : at], *tokens[at + used : at + used + 1])]
        if sign in COMPARED and token.kind == "mark" and beside in (["word", "number"], ["name", "number"]):
            end = tokens[at + used - 1].end
            found += [Token(word, "word", token.start, end, word) for word in COMPARED[sign].split()]
            at += used
        else:
            found.append(token)
            at += 1
    return found
