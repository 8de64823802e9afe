"""How well a term of a request fits a typed slot, and the value that it gives there.

The tables of `slot_types` say which kinds of constant fit; here stands what they cannot say: a comma is `,`, "pdfs" end
in pdf, a quoted 'my file.txt' is a file, and "directly" is nobody's folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from sayso.cookbook.slot_types import NAMED_BY_PATH, TYPES
from sayso.english.lexicon import Lexicon, Term
from sayso.english.words import listed

Fit = tuple[float, str] | None
VOICED_EXTENSION = frozenset(
    ("file", "script", "sourc", "code", "document", "extens", "suffix", "log", "imag", "video", "note")
)
# Names of kinds of file that are words of their own: "every word" names no kind.
KINDS_AS_WORDS = listed("fitting.kinds_as_words")
ALL_OF_THEM = listed("fitting.all_of_them")
FILE_NAME = re.compile(r"[^/*?\n]*[^/*?\s]\.[A-Za-z]\w{0,4}")
BRACES = re.compile(r"[^{}\s*?\[\]]*\{\w+\.\.\w+\}[^{}\s*?\[\]]*")
# "daily" and "family" are good names of folders; "directly" is none.
NOUNS_IN_LY = "dai|week|month|hour|year|ear|fami|assemb|rep|supp|ju|anoma|app|multip|comp|imp|f|re"
ADVERB = re.compile(rf"(?!(?:{NOUNS_IN_LY})ly$)[a-z]{{3,}}ly")
NEVER = listed("fitting.never")
"""Words of the grammar that are nobody's file, folder, text or program."""
LINKS = listed("fitting.links")
"""Words that are no value even after "the word": "the first word of each line"."""
PEOPLE = frozenset(("user", "group", "host", "branch"))
FOLDERS = listed("fitting.folders")
"""Words that people often call a folder by: "in photos" and "to archive" name one."""
MANNERS = listed("fitting.manners")
"""Ways of doing, which are no folders: "in reverse", "in megabytes"."""
DESCRIBING = listed("fitting.describing")
"""What tells which files are meant, and is none itself: "files ending in ~"."""
ALL_OF_IT = listed("fitting.all_of_it")
"""What is meant as a whole, as all is behind "this": "the history of the repo", "in this project"."""
NO_FIELDS = listed("fitting.no_fields")
"""Words that name no column of a table: "sort it by length"."""
INTO = listed("fitting.into")
ACRONYMS = listed("fitting.acronyms")
"""Capitals that are spelt so by habit and are nobody's text."""
LITERALLY = listed("fitting.literally")
"""After these the name of a character is the word itself."""


def fit(kind_of_slot: str, term: Term, following: str, lexicon: Lexicon, before: str = "") -> Fit:
    """How well a term fits a slot type, and its value, or None; `following` is the stem of the next word, `before` the
    word before."""
    slot_type = TYPES[kind_of_slot]
    word = term.text.lower()
    if term.kind == "word" and (word in LINKS or (is_grammar(word) and before not in LITERALLY)):
        return None
    if kind_of_slot in SPECIAL:
        found = SPECIAL[kind_of_slot](term, following, lexicon, before)
    else:
        prior = slot_type.fits.get(term.kind)
        found = None if prior is None else (prior, term.value if term.kind != "variable" else term.text)
    if kind_of_slot in PEOPLE and word in lexicon.extensions and word not in KINDS_AS_WORDS and before not in LITERALLY:
        return None
    if found and kind_of_slot in NAMED_BY_PATH:
        found = as_name(kind_of_slot, found, term, following, lexicon, before)
    if found is None or not found[1]:
        return None
    if slot_type.pattern and not re.fullmatch(slot_type.pattern, found[1]):
        return None
    return found


def is_grammar(word: str) -> bool:
    return word in NEVER or ADVERB.fullmatch(word) is not None


def as_name(kind: str, found: tuple[float, str], term: Term, following: str, lexicon: Lexicon, before: str) -> Fit:
    """A name of a file in quotes is a file; "all python files" and "every pdf" name none."""
    fits = TYPES[kind].fits
    if term.kind == "string" and FILE_NAME.fullmatch(term.value):
        return max(found[0], fits.get("file", 0.0) - 0.2), found[1]
    if term.text.lower() in MANNERS and before in ("in", "by", "as"):
        return None
    is_all = before in ("this", "these") or (before == "the" and term.text.lower() in ALL_OF_IT)
    if term.kind == "word" and is_all and following != "directori":
        return None
    if term.kind == "word" and term.text.lower() in DESCRIBING and before not in LITERALLY:
        return None
    kind_of_file = extension_of(term.text.lower(), lexicon)
    if term.kind in ("word", "name") and kind_of_file and before not in LITERALLY:
        unmistakable = term.text.lower() not in KINDS_AS_WORDS and before in ALL_OF_THEM
        if following in VOICED_EXTENSION or (unmistakable and following != "directori"):
            return None
    return found


def extension_of(word: str, lexicon: Lexicon) -> str:
    """python, py, pdfs -> py, py, pdf"""
    found = lexicon.extensions.get(word, "")
    if not found and word.endswith("s") and word[:-1] not in KINDS_AS_WORDS:
        found = lexicon.extensions.get(word[:-1].rstrip("'’"), "")
    return found


def fit_text(prior: float | None, term: Term, lexicon: Lexicon, before: str) -> Fit:
    """The name of a character is that character, unless the word is asked for: "the word comma"."""
    named = lexicon.characters.get(term.text.lower()) if term.kind == "word" else None
    if named and before not in LITERALLY:
        return 1.0, named
    return None if prior is None else (prior, term.value if term.kind != "variable" else term.text)


def fit_extension(term: Term, following: str, lexicon: Lexicon, before: str) -> Fit:
    """.py, *.py, py files, python files, every pdf, pdfs -> py, pdf"""
    if term.kind == "extension":
        return 3.0, term.value[1:]
    if term.kind == "glob":
        match = re.fullmatch(r"\*\.([\w.]+)", term.value)
        return (2.5, match[1]) if match else None
    if term.kind not in ("word", "name"):
        return None
    word = term.text.lower()
    named = extension_of(word, lexicon)
    if following in VOICED_EXTENSION:
        if named:
            return 2.6, named
        if len(word) <= 5 and word not in lexicon.stop:
            return 0.4, word
    if named and word not in KINDS_AS_WORDS and (word == f"{named}s" or before in ALL_OF_THEM - {"the"}):
        return 2.4, named
    return (0.7 if len(word) > 1 else -0.5, named) if named else None


def fit_dir(term: Term, following: str, lexicon: Lexicon, before: str) -> Fit:
    """A path that ends like a file is seldom a folder."""
    prior = TYPES["dir"].fits.get(term.kind)
    if term.kind == "path" and re.search(r"\w\.[A-Za-z]\w{0,4}$", term.value):
        prior = TYPES["dir"].fits["file"]
    return None if prior is None else (prior, term.text if term.kind == "variable" else term.value)


def fit_newname(term: Term, following: str, lexicon: Lexicon, before: str) -> Fit:
    """A glob makes no name; a{1..9}.txt makes nine."""
    if term.kind == "glob" and BRACES.fullmatch(term.value):
        return 2.5, term.value
    prior = TYPES["newname"].fits.get(term.kind)
    return None if prior is None else (prior, term.text if term.kind == "variable" else term.value)


def fit_number(term: Term, following: str, lexicon: Lexicon, before: str) -> Fit:
    """12, twelve, 3rd, "the third column" -> 3"""
    if term.kind == "number":
        return 3.0, term.value
    if term.kind == "name" and (match := re.fullmatch(r"(\d+)(?:st|nd|rd|th)", term.text)):
        return 3.0, match[1]
    word = term.text.lower()
    # "the first line" is a place in the file, not a count.
    if word in lexicon.ordinals and (following in ("column", "word") or (following == "line" and word != "first")):
        return 2.5, lexicon.ordinals[word]
    return None


def fit_character(term: Term, following: str, lexicon: Lexicon, before: str) -> Fit:
    """a comma -> ,"""
    if term.kind in ("string", "sign"):
        return 2.5, term.value
    named = lexicon.characters.get(term.text.lower())
    return (1.0, named) if named else None


def fit_variable(term: Term, following: str, lexicon: Lexicon, before: str) -> Fit:
    """$HOME, ${HOME}, HOME -> HOME"""
    if term.kind == "variable":
        return 3.0, term.text.strip("${}").partition("=")[0]
    return (2.0, term.text) if term.kind in ("word", "name") and term.text.isupper() and len(term.text) > 1 else None


def fit_remotepath(term: Term, following: str, lexicon: Lexicon, before: str) -> Fit:
    return (3.0, term.value) if term.kind == "user_host" and ":" in term.value else None


def fit_host(term: Term, following: str, lexicon: Lexicon, before: str) -> Fit:
    """A URL is a host with something around it."""
    if term.kind == "url":
        host = re.sub(r"^\w+://", "", term.value).partition("/")[0]
        return 1.0, host
    prior = TYPES["host"].fits.get(term.kind)
    return None if prior is None else (prior, term.value)


SPECIAL: Mapping[str, Callable[[Term, str, Lexicon, str], Fit]] = {
    "dir": fit_dir,
    "newname": fit_newname,
    "extension": fit_extension,
    "number": fit_number,
    "character": fit_character,
    "variable": fit_variable,
    "remotepath": fit_remotepath,
    "host": fit_host,
    "pattern": lambda term, _, lexicon, before: fit_text(TYPES["pattern"].fits.get(term.kind), term, lexicon, before),
    "text": lambda term, _, lexicon, before: fit_text(TYPES["text"].fits.get(term.kind), term, lexicon, before),
}
