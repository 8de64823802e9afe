"""A request as the sentence encoder reads it: constants said as words of their kind, then pieces of words as in BERT.

"report.csv" is "csv file" and "/srv/www" is "folder": names say nothing about what is asked. A word without pieces in
the vocabulary, which was cut, is [UNK].
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

from sayso.english.tokens import CONSTANT_KINDS, Token, tokenise

UNKNOWN, FIRST, LAST = "[UNK]", "[CLS]", "[SEP]"
INSIDE = "##"
LONGEST_WORD, MOST_TOKENS = 40, 60
SUFFIX = re.compile(r"\.([A-Za-z][A-Za-z0-9]{0,5})$")
TELLING = {
    "csv": "csv file",
    "tsv": "tsv file",
    "json": "json file",
    "zip": "zip file",
    "jar": "zip file",
    "deb": "deb file",
    "py": "python file",
    "sh": "shell script",
    "c": "c file",
    "gz": "gzip file",
    "log": "log file",
    "xml": "xml file",
    "pdf": "pdf file",
    "iso": "iso image",
    "mp3": "audio file",
    "wav": "audio file",
    "mp4": "video file",
    "mkv": "video file",
    "jpg": "image file",
    "jpeg": "image file",
    "png": "image file",
    "gif": "image file",
} | dict.fromkeys(("tar", "tgz", "tbz", "tbz2", "txz"), "tar archive")
ARCHIVE = re.compile(r"(?i)\.tar\.\w+$")
KINDS: Mapping[str, str] = {
    "glob": "files",
    "regex": "pattern",
    "size": "100 mb",
    "number": "5",
    "date": "date",
    "time": "5 pm",
    "timespan": "7 days",
    "permission": "755",
    "string": "text",
    "user_host": "host",
    "url": "url",
    "variable": "variable",
    "name": "name",
}


def described(text: str) -> str:
    """'copy "my notes" into /srv/report.csv' -> 'copy text into csv file'"""
    return " ".join(said(token) for token in tokenise(text)[:MOST_TOKENS] if token.kind != "mark")


def said(token: Token) -> str:
    if token.kind not in CONSTANT_KINDS:
        return token.text
    if token.kind in ("file", "path"):
        return file_words(token.text)
    if token.kind == "extension":
        return token.value.lstrip(".") or token.text
    if token.kind == "glob" and (suffix := SUFFIX.search(token.value)):
        return f"{suffix[1]} files"
    return KINDS.get(token.kind, token.text)


def file_words(name: str) -> str:
    """What a name says that it is the name of: a folder where it has no suffix."""
    if name.startswith("/dev/"):
        return "device"
    if ARCHIVE.search(name):
        return "tar archive"
    suffix = SUFFIX.search(name)
    return TELLING.get(suffix[1].lower(), "file") if suffix else "folder"


class WordPieces:
    """Greedy longest pieces of lower-case words without accents (BERT, uncased)."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self.pieces = tuple(pieces)
        self.ids = {piece: at for at, piece in enumerate(self.pieces)}
        self.unknown, self.first, self.last = (self.ids[one] for one in (UNKNOWN, FIRST, LAST))
        self.longest = max(map(len, self.pieces))

    def encode(self, text: str, most: int) -> list[int]:
        """Ids of a text between the marks for its first and last, `most` at the most."""
        found: list[int] = []
        for word in words_of(text):
            found += self.word(word)
            if len(found) > most:
                break
        return [self.first, *found[: most - 2], self.last]

    def word(self, word: str) -> list[int]:
        found: list[int] = []
        at = 0
        while at < len(word):
            for end in range(min(len(word), at + self.longest), at, -1):
                piece = word[at:end] if at == 0 else INSIDE + word[at:end]
                if piece in self.ids:
                    found.append(self.ids[piece])
                    at = end
                    break
            else:
                return [self.unknown]
        return found if len(word) <= LONGEST_WORD else [self.unknown]


def words_of(text: str) -> list[str]:
    """Words and single marks: "What's up?" -> what ' s up ?"""
    plain = unicodedata.normalize("NFD", text.lower())
    letters = "".join(one for one in plain if unicodedata.category(one) not in ("Mn", "Cc", "Cf") or one in "\t\n\r")
    return re.findall(r"[^\W_]+|[^\w\s]|_", letters)


def kept_pieces(pieces: Sequence[str], texts: Iterable[str], size: int, wanted: Callable[[str], bool]) -> list[str]:
    """The vocabulary cut to `size`: marks, single characters, what the texts need, then the commonest that are wanted.

    BERT's vocabulary stands in the order of frequency. Texts that were counted are cut as they were before.
    """
    whole = WordPieces(pieces)
    needed = {UNKNOWN, FIRST, LAST, *(one for one in pieces if len(one.removeprefix(INSIDE)) == 1 and wanted(one))}
    for text in texts:
        needed.update(pieces[one] for one in whole.encode(text, 512))
    rest = [one for one in pieces if one not in needed and wanted(one)][: max(0, size - len(needed))]
    kept = needed.union(rest)
    return [one for one in pieces if one in kept]
