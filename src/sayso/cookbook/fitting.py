"""How well a term of a request fits a typed slot, and the value that it gives there.

The tables of `slot_types` say which kinds of constant fit; here stands what they cannot say: a comma is `,`, "pdfs" end
in pdf, a quoted 'my file.txt' is a file, and "directly" is nobody's folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from sayso.cookbook.slot_types import NAMED_BY_PATH, TYPES
from sayso.english.constants import word_set
from sayso.english.lexicon import Lexicon, Term

Fit = tuple[float, str] | None
VOICED_EXTENSION = frozenset(
    ("file", "script", "sourc", "code", "document", "extens", "suffix", "log", "imag", "video", "note")
)
# Names of kinds of file that are words of their own: "every word" names no kind.
KINDS_AS_WORDS = word_set("text word log backup header shell temporary c go java python bash excel rust ruby perl")
ALL_OF_THEM = word_set("every each all any of the")
FILE_NAME = re.compile(r"[^/*?\n]*[^/*?\s]\.[A-Za-z]\w{0,4}")
BRACES = re.compile(r"[^{}\s*?\[\]]*\{\w+\.\.\w+\}[^{}\s*?\[\]]*")
# "daily" and "family" are good names of folders; "directly" is none.
NOUNS_IN_LY = "dai|week|month|hour|year|ear|fami|assemb|rep|supp|ju|anoma|app|multip|comp|imp|f|re"
ADVERB = re.compile(rf"(?!(?:{NOUNS_IN_LY})ly$)[a-z]{{3,}}ly")
NEVER = word_set(
    "but only either neither both except without instead together anywhere everywhere again once twice per other "
    "others another same different most least more less than until unless since because not no its whose nothing "
    "everything anything something thats directly named called altogether overall somewhere nowhere although though "
    "besides afterwards whatever whenever"
)
"""Words of the grammar that are nobody's file, folder, text or program."""
LINKS = word_set("of in at from on for is are that which with and or each every")
"""Words that are no value even after "the word": "the first word of each line"."""
PEOPLE = frozenset(("user", "group", "host", "branch"))
FOLDERS = word_set(
    "archive archives assets attic backup backups bin books build cache code config configs data desktop dist docs "
    "documents downloads drafts exports home images inbox invoices keep lib log logs mail media movies music new news "
    "notes old out output outputs packages photos pics pictures private processed projects public reports results "
    "samples scans scripts server site source src static stuff target temp templates test tests tmp tools trash "
    "uploads users videos web website work www"
)
"""Words that people often call a folder by: "in photos" and "to archive" name one."""
MANNERS = word_set(
    "alphabetical ascending background bits bytes capitals chronological columns days descending detail details "
    "foreground full general gigabytes hex hours human kilobytes lowercase megabytes minutes numerical numeric order "
    "parallel particular percent place pairs random reverse seconds size sizes time total uppercase use gb kb mb"
)
"""Ways of doing, which are no folders: "in reverse", "in megabytes"."""
DESCRIBING = word_set(
    "ending ends starting starts beginning begins containing contains matching having larger smaller bigger older newer"
)
"""What tells which files are meant, and is none itself: "files ending in ~"."""
ALL_OF_IT = word_set("repo repository project codebase computer machine system disk")
"""What is meant as a whole, as all is behind "this": "the history of the repo", "in this project"."""
NO_FIELDS = word_set(
    "alphabet alphabetical alphabetically ascending chronological column columns descending field fields first "
    "frequency header headers key keys last length line lines number numbers numeric numerical numerically random "
    "reverse row rows second third value values percent"
)
"""Words that name no column of a table: "sort it by length"."""
INTO = word_set("in inside under below within into to from of")
ACRONYMS = word_set(
    "ALL AND ANY API ASCII BOM CPU CPUS CSV CSVS DHCP DNS EOF FTP GB GID GIT GPU GUI HTML HTTP HTTPS ID IDS IO IP IPS "
    "ISO JPG JSON KB MAC MB MD NO NOT OK ONLY OR OS PATH PDF PDFS PID PIDS PNG PPID RAM SQL SSD SSH SSL SVG TB TCP "
    "TLS TSV TTY TXT UDP UID URL URLS USB UTC UTF UUID VPN XML YAML YML ZIP CI CD PR PC HDD LAN TTL UTF-8 IN THE "
    "POSIX RSA DSA BSD GNU"
)
"""Capitals that are spelt so by habit and are nobody's text."""
LITERALLY = word_set("word string text phrase literally called named")
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
