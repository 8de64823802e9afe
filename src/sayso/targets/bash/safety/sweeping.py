"""A command that loses whatever it meets, for a request that meant only some: "delete old files", find . -delete.

Or all but what was named, all that is here where one thing was named, files where text was meant, what lies far from
here, what a pattern already names. Other words left out make a command less likely; this would lose what nobody meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from sayso.core.types import Asked, Evidence
from sayso.english.constants import word_set
from sayso.english.stems import stem
from sayso.english.words import listed
from sayso.targets.bash.safety.unasked_deeds import LOSSES, stems_of
from sayso.targets.bash.syntax.called import Called

# What is to be lost is only some, where one of these follows the verb closely,
LIMITS = listed("sweeping.limits")
# or one of these at any distance, or any word but these that says which of several things: "the useless files".
COMPARED = listed("sweeping.compared")
THINGS, ANY = (
    word_set("files folders directories dirs subfolders subdirectories things stuff items"),
    listed("sweeping.any"),
)
NEAR = 4
GONE_BY = f"{LOSSES} rid clean clear throw trash discard"
TEMPORARY = "temp(?!l)|tmp"
DELETES = re.compile(r"\s-delete\b|\brm\b")
SPARES = re.compile(
    r"\b(?:except\w*|exclud\w*|but|keep\w*|kept|only|just|rest|remain\w*|others?|else|not|never|no|non|without|lack\w*"
    r"|besides|apart|aside|unless|than|leav\w*|preserv\w*|spar\w*|retain\w*|stays?|skip\w*|ignor\w*|outside|down to)\b"
    r"|n['’]?t\b",
    re.I,
)
# Options of find that choose nothing, and those behind which another command begins.
CHOOSES_NOTHING = re.compile(r"-(?:type|maxdepth|mindepth|print0?|depth|xdev|mount|follow|[LHP])")
ACTS = frozenset(("-delete", "-exec", "-execdir", "-ok", "-okdir"))
EVERYTHING = re.compile(r"\.?/?|~/?|(?:[^*?\s]*/)?\*|\.\*")
HERE = re.compile(r"\.?/?\*?|~/?\*?|\.\*")
# A home or a folder of the system, all of it: whoever really means that types it.
ROOTS = re.compile(
    r"(?:/|~/?|\$\{?HOME\}?/?|/home(?:/[\w.-]+)?/?|/(?:root|etc|usr|var|bin|sbin|lib\w*|boot|dev|proc|sys)/?)(?:/?\*)?"
)
# Words by which a request speaks of all that there is: "it" is one thing.
WHOLE = re.compile(
    r"\b(?:everything|(?<!it )(?<!them )(?<!this )(?<!that )all(?! of (?:it|them|this|that)\b)|every\w*|any\w*|each"
    r"|contents?|whole|entire\w*|what\w*|files|folders|directories|dirs|stuff|things"
    r"|(?:this|current|working) (?:folder|directory|dir|place))\b|\*",
    re.I,
)
BEFORE = frozenset(("sudo", "time", "nice", "command"))
# Where the place of `mv` and `cp` is said in another way than as the last word.
NAMES_PLACE = re.compile(r"-\w*[tTS]|--t|--suf|\$|`|.*\{.*,")
ALL_GONE = re.compile(r"\bfind(?: [\w./~]+)?(?: -type \w)?(?: -print0?)? \| xargs (?:-\S+ )*rm\b")
REMOVES_TEXT = re.compile(
    r"^(?:please |can you |how (?:do|can) i )*(?:remove|delete|strip|trim|drop|cut|erase|get rid of) (?:all |any |the "
    r"|every |each |empty |blank |duplicate |duplicated |leading |trailing |extra |double |multiple |and |first |last "
    r"|\d+ )*(?:whitespaces?|white space|spaces?|blanks?|tabs?|lines?|comments?|columns?|rows?|characters?|quotes?"
    r"|commas?|words?|headers?|newlines?|carriage returns?|line endings?)\b(?!.*\bfile ?names?\b)",
    re.I,
)
DELETES_FILES = re.compile(r"-delete\b|(?:^|[|;&] *|-exec |xargs (?:-\S+ )*)(?:sudo )?(?:rm|unlink|shred)(?: |$)")
FAR_AWAY = re.compile(r"(?:^|[|;&(]\s*|sudo )find (/[\w./]*)(?=\s|$)")
# Words that speak of the whole machine, or of places that everybody knows to lie far from here.
WIDE = re.compile(
    r"(?<!\w)/(?!\w)|\b(?:root|system|machine|computer|disk|disc|drive|everywhere|anywhere|whole|entire|filesystem|box|pc"
    r"|laptop|global\w*|logs?|cron\w*|trash|bin|kernel|boot\w*|servers?|users?|packages?|cache\w*|installed"
    r"|processe?s?|temp(?:orary)? (?:folders?|director\w+|dirs?|files?))\b",
    re.I,
)
# What is to stay is named, and how a command says that something stays.
STAYS = re.compile(
    r"\b(?:except(?:ing)?|excluding|other than|(?:all|every\w*|any\w*)(?: \w+){0,2} but|but not|apart from|besides"
    r"|aside from)\b"
    r"|(?:\bnot|\bwithout|n['’]?t)\s+(?:(?:a|the|any|being|been|have|having|be)\s+)*(?:permissions?|owned?|owner|named?"
    r"|called|match\w*|belong\w*|end\w*|contain\w*|executable|readable|writable"
    r"|(?P<measured>modified|changed|accessed|touched|used|older|newer|larger|smaller|bigger))\b",
    re.I,
)
DELETES_MANY = re.compile(
    r"-delete\b|-exec(?:dir)? (?:sudo )?rm\b|\bxargs (?:-\S+(?: [\d{'\\]\S*)? )*(?:sudo )?rm\b|(?<!\S)rm\b[^|;&]*\*"
)
SPARED = re.compile(
    r"(?<!\S)(?:\\?!|-not)(?=\s)|!\(|\[[!^]|--exclude|--ignore|-prune\b|--invert|(?:^|\s)-\w*[vL]\w*\b|\+\d|head -n ?-"
    r"|\bcomm\b|!=|!~|-ne\b|-nouser|-nogroup|\bcontinue\b|\|\||\bif !|NR ?>|\+\+"
)
MEASURED = re.compile(r"-(?:[mac](?:time|min)|size|newer\w*) ")
NEGATED = re.compile(
    r"(?<![\w-])grep (?:-\S+ )*-\w*[vL]\w*(?: --?\S+)* (?P<one>'[^']+'|\"[^\"]+\"|[^\s|;'\"]+)"
    r"|(?<=\s)(?:!|-not)\s+-i?name (?P<other>'[^']+'|\"[^\"]+\"|[^\s|;'\"]+)"
)


def sweeping(asked: Asked, text: str, commands: Sequence[Called]) -> Iterator[Evidence]:
    """Whether everything would go where the request names only a part of it."""
    if asked.limit and not is_heeded(asked.limit, text) and sweeps(commands):
        yield Evidence("sweeping", f"deletes everything, and {asked.limit} was said")
    elif not WHOLE.search(asked.request.text) and sweeps(commands, HERE):
        yield Evidence("sweeping", "deletes everything here, and nobody said so")
    if sweeps(commands, ROOTS):
        yield Evidence("sweeping", "deletes all of a home or of a system's folder")
    if not asked.spares and DELETES.search(text) and left_out(asked.request.text, text):
        yield Evidence("sweeping", "deletes all but what was named")
    if DELETES_MANY.search(text) and takes_what_stays(asked.request.text, text):
        yield Evidence("sweeping", "deletes what was to stay, too")
    if ALL_GONE.search(text):
        yield Evidence("sweeping", "deletes all that it finds")
    if REMOVES_TEXT.search(asked.request.text) and DELETES_FILES.search(text):
        yield Evidence("sweeping", "deletes files, where text is to go")
    if pattern := overwritten(commands):
        yield Evidence("sweeping", f"writes over what {pattern} already names")
    if place := far_away(asked.request.text, text):
        yield Evidence("sweeping", f"deletes in {place}, which nobody named")


def spares(text: str) -> bool:
    """ "all but these": something is to stay."""
    return SPARES.search(text) is not None


def takes_what_stays(request: str, text: str) -> bool:
    """Whether a request names what is to stay, and a command leaves nothing out."""
    found = STAYS.search(request)
    if not found or SPARED.search(text):
        return False
    return not (found["measured"] and MEASURED.search(text)) and not ("sub" in request and "-maxdepth" in text)


def limit_of(words: Sequence[str]) -> str:
    """delete all the old files -> "old", delete my useless files -> "useless"; "" where all may go."""
    for at, verb in enumerate(words):
        if stem(verb) not in stems_of(GONE_BY):
            continue
        behind = words[at + 1 :]
        for place, word in enumerate(behind):
            if word in COMPARED or (word in LIMITS and place < NEAR):
                return word
        named = next((place for place, word in enumerate(behind[: NEAR + 1]) if word in THINGS), 0)
        if which := [word for word in behind[:named] if word not in ANY]:
            return which[-1]
    return ""


def is_heeded(word: str, text: str) -> bool:
    """Whether a command says the word, as the name of a folder perhaps; `/tmp` is temporary."""
    # No folder is old for its name; what is downloaded lies in Downloads.
    form = TEMPORARY if word.startswith("temp") else rf"{word}(?![a-z])" if word in LIMITS else stem(word)
    return re.search(rf"(?<![a-z])(?:{form})", text.lower()) is not None


def sweeps(commands: Sequence[Called], where: re.Pattern[str] | None = None) -> bool:
    """find . -type f -delete -> True; find . -name '*.o' -delete -> False; with `where`, only in such a place."""
    found = [plain(command.words) for command in commands]
    return any(
        (finds_all(words, found[at + 1 :]) and (where is None or starts_in(words, where)))
        or removes_all(words, where or EVERYTHING)
        for at, words in enumerate(found)
        if words
    )


def plain(words: Sequence[str]) -> list[str]:
    return list(words[1:] if words[0] in BEFORE else words)


def finds_all(words: Sequence[str], behind: Sequence[Sequence[str]]) -> bool:
    """Whether a `find` without a condition hands what it finds to `rm`, or deletes it."""
    if words[0] != "find":
        return False
    chosen = takewhile(lambda word: word not in ACTS, words[1:])
    if any(word in ("!", "(") or (word.startswith("-") and not CHOOSES_NOTHING.fullmatch(word)) for word in chosen):
        return False
    handed = bool(behind) and behind[0][:1] == ["xargs"] and "rm" in behind[0]
    return handed or "-delete" in words or ("rm" in words and not ACTS.isdisjoint(words))


def starts_in(words: Sequence[str], where: re.Pattern[str]) -> bool:
    """Whether a `find` begins in such a place; one that names none begins here."""
    places = list(takewhile(lambda word: not word.startswith(("-", "!", "(")), words[1:]))
    return not places or any(map(where.fullmatch, places))


def removes_all(words: Sequence[str], which: re.Pattern[str] = EVERYTHING) -> bool:
    """rm -rf *, rm build/*"""
    return words[0] == "rm" and any(map(which.fullmatch, Called(tuple(words), False).operands))


def overwritten(commands: Sequence[Called]) -> str:
    """mv scan_*.png page_*.png -> page_*.png, of which the last loses what it holds; "" where there is no such."""
    for words in (plain(command.words) for command in commands):
        operands = Called(tuple(words), False).operands
        if words[:1] in (["mv"], ["cp"]) and len(operands) > 1 and not any(map(NAMES_PLACE.match, words[1:])):
            last = operands[-1]
            if re.search(r"[*?]", last) and not last.endswith("/"):
                return last
    return ""


def far_away(asked: str, text: str) -> str:
    """A folder below the root in which a command deletes, and of which no word of the request speaks; "" for none."""
    found = FAR_AWAY.search(text)
    if not found or not DELETES_FILES.search(text) or WIDE.search(asked):
        return ""
    return "" if found[1].rstrip("/") and found[1].lower().rstrip("/") in asked.lower() else found[1]


def left_out(asked: str, text: str) -> bool:
    """Whether what a request names is what a command leaves out: grep -v NAME."""
    names = [(found["one"] or found["other"]).strip("'\"*.^$\\/") for found in NEGATED.finditer(text)]
    return any(len(name) > 1 and name.lower() in asked.lower() for name in names)
