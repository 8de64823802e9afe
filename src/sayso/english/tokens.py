"""Requests in English as typed tokens: words, marks, and constants such as paths, sizes and dates (NL2Bash §5, §6.1).

Spans index into the text, only white space lies between them, and no text makes the tokeniser fail or crawl.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from sayso.english.constants import Token, kind_of, value_of, word_set
from sayso.english.phrases import join_phrases
from sayso.english.words import listed

__all__ = ["CONSTANT_KINDS", "Token", "tokenise"]

# Everything but "word" and "mark": text that comes from the user's machine and not from English.
CONSTANT_KINDS = word_set(
    "path file glob regex extension size number date time timespan permission string user_host url variable option name"
)

_SENTENCE_MARKS = ".,;:!?"
_OPENERS = {")": "(", "]": "[", "}": "{", ">": "<"}
_CLOSERS = {opener: closer for closer, opener in _OPENERS.items()}
# After these a lone dot is the current folder, at the end of the request too.
_PLACE_WORDS = listed("tokens.place_words")
# A lone slash after these stands between two words; elsewhere it is the root folder.
_SLASHED = listed("tokens.slashed")


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(
        {
            # A quote opens a string where no word runs into it: "don't" and "users' files" hold none.
            "opener": r"""["“]|(?<!\w)['`‘]""",
            # The string ends on its line. ' inside a word (it's) does not close it; `this' closes with either mark.
            # No possessive loops: Python 3.11.2, which Debian 12 has, reads them wrongly.
            '"': r'"(?:[^"\\\n]|\\.)*"',
            "'": r"'(?:[^'\\\n]|\\.|'(?=\w))*'(?!\w)",
            "`": r"`[^`'\n]*[`']",
            "“": r"“[^“”\n]*”",
            "‘": r"‘(?:[^‘’\n]|’(?=\w))*’(?!\w)",
            "chunk": r"""(?:[^\s"'’`“”‘]|(?<=\w)['’](?=\w))+|\S""",
            "separator": r"[,;()<>|&:=]",
            "word": r"[A-Za-z](?:\+\+|#|(?:\.[A-Za-z])+)(?!\w)|\w+(?:['’-]\w+)*|\S",
        }[name]
    )


def tokenise(text: str) -> list[Token]:
    """'copy "my file.txt" to /tmp' -> word copy, string "my file.txt" (value my file.txt), word to, path /tmp"""
    return join_phrases(list(_pieces(text)), text)


def _pieces(text: str) -> Iterator[Token]:
    done = 0
    previous = ""
    for start, end in [*_quoted(text), (len(text), len(text))]:
        for match in _pattern("chunk").finditer(text, done, start):
            follows = text[match.end() + 1 : match.end() + 2]
            for token in _chunk(match[0], match.start(), previous, follows):
                previous = token.text.lower()
                yield token
        if start < end:
            yield Token(text[start:end], "string", start, end, text[start + 1 : end - 1])
            previous = ""
        done = end


def _quoted(text: str) -> Iterator[tuple[int, int]]:
    """The spans of quoted strings. A quote that found no partner on its line is not tried there again."""
    at = 0
    hopeless: dict[str, int] = {}
    while opener := _pattern("opener").search(text, at):
        start, mark = opener.start(), opener[0]
        at = opener.end()
        if start < hopeless.get(mark, 0):
            continue
        if closed := _pattern(mark).match(text, start):
            at = closed.end()
            yield start, at
        else:
            line_end = text.find("\n", start)
            hopeless[mark] = len(text) if line_end < 0 else line_end


def _chunk(chunk: str, start: int, previous: str, follows: str) -> Iterator[Token]:
    """The tokens of a run without blanks or quotes: one constant, or words and marks."""
    if chunk.isalpha():
        yield _token(chunk, kind_of(chunk) or "word", start)
        return
    if chunk == ".." or (chunk == "." and (previous in _PLACE_WORDS or follows.islower())):
        yield _token(chunk, "path", start)
        return
    if chunk == "/" and previous in _SLASHED and follows.isalpha():
        yield _token(chunk, "mark", start)
        return
    left, right = _trim(chunk)
    yield from _marks(chunk[:left], start)
    core = chunk[left:right]
    if kind := kind_of(core):
        yield _token(core, kind, start + left)
    elif core:
        yield from _parts(core, start + left)
    yield from _marks(chunk[right:], start + right)


def _trim(chunk: str) -> tuple[int, int]:
    """Where the inside of a chunk begins and ends once brackets around it and sentence marks after it are off."""
    left, right = 0, len(chunk)
    if chunk[:2] in ("$?", "$!", "$#") and len(chunk) == 2:
        return left, right
    if chunk[0].isalnum() and chunk[-1].isalnum():
        return left, right
    surplus = {closer: chunk.count(closer) - chunk.count(opener) for closer, opener in _OPENERS.items()}
    while right > left:
        first, last = chunk[left], chunk[right - 1]
        if last in _SENTENCE_MARKS:
            right -= 1
        elif surplus.get(last, 0) > 0:
            surplus[last] -= 1
            right -= 1
        elif first in _CLOSERS and surplus[_CLOSERS[first]] < 0:
            surplus[_CLOSERS[first]] += 1
            left += 1
        elif last in ")>" and first == _OPENERS[last]:
            left += 1
            right -= 1
        else:
            break
    return left, right


def _parts(core: str, start: int) -> Iterator[Token]:
    """What lies between commas, brackets and colons may be a constant again: "(a.txt,b.txt)"."""
    done = 0
    for mark in [*_pattern("separator").finditer(core), None]:
        end = mark.start() if mark else len(core)
        part = core[done:end]
        kind = kind_of(part.rstrip(".!?")) if done or mark else ""
        if kind:
            inner = part.rstrip(".!?")
            yield _token(inner, kind, start + done)
            yield from _marks(part[len(inner) :], start + done + len(inner))
        else:
            for word in _pattern("word").finditer(part):
                yield _word(word[0], start + done + word.start())
        if mark:
            yield _token(mark[0], "mark", start + end)
            done = mark.end()


def _word(word: str, start: int) -> Token:
    if word.isalpha():
        return _token(word, "word", start)
    if not any(character.isalnum() for character in word):
        return _token(word, "mark", start)
    return _token(word, kind_of(word) or "word", start)


def _token(text: str, kind: str, start: int) -> Token:
    return Token(text, kind, start, start + len(text), value_of(text, kind))


def _marks(run: str, start: int) -> Iterator[Token]:
    for at, mark in enumerate(run, start):
        yield Token(mark, "mark", at, at + 1, mark)
