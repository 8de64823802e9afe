"""Commands that parse and still cannot be what was asked for: words of the grammar as files, names torn apart.

Only the request and the words of a candidate are looked at; whatever is not plainly wrong passes without a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sayso.cookbook.fitting import ACRONYMS, DESCRIBING, is_grammar
from sayso.core.types import Doubt
from sayso.english.constants import word_set
from sayso.english.lexicon import are_several
from sayso.english.tokens import Token
from sayso.targets.bash.syntax.called import READERS, TAKES_NAMES, Called, read_commands

MISREAD, TORN, FOREIGN, CASE_LOST, UNCOUNTED = 0.003, 0.002, 0.65, 0.7, 0.72
KIND_LOST = 0.06

NO_FILES = frozenset((".", "..", "/", "~", "/dev/null"))
# What stands beside a word that is a name after all: "the branch other", "the other folder".
NAMES_IT = word_set(
    "called named name word string text phrase literally branch user group folder directory file for tag package"
)
FILE_NAME = re.compile(r"[^/*?]*[^/*?\s]\.[A-Za-z]\w{0,4}|\.(?!ssh\b|git\b|vim\b|env\b|aws\b|kube\b)[A-Za-z]\w{0,4}")
# Where the place of `mv` and `cp` is said in another way than as the last word.
ELSEWHERE = re.compile(r"-\w*[tTS]|--t|--suf|\$|`|.*\{.*,")
COUNTS = re.compile(r"\|\s*wc (?:-[lwmc]|--\w+)+\s*$|^\s*wc\b|\bgrep -\w*c\b|\| length\b|\bjq length\b")
COUNTING = re.compile(
    r"count|how (?:many|much|often|big|large|long)|numb|\bno\.|total|amount|sum|times|frequen|length|size|tally|quantit"
    r"|statist|calculat|\bwc\b|\bnr\b|#|compute|occurr|characters|words|long|any|whether|exist|most|more|less|fewer|percent|share|\bper\b",
    re.I,
)
GLOBSTAR = re.compile(r"[\w./~-]*\*\*/[\w.*/-]*")
GLUED = re.compile(r"-\w*\.[A-Za-z]\w*")
ENDING = re.compile(r"\*\.([A-Za-z]\w*)$")
# Kinds of file that have endings of their own, so that the ending need not be said.
KINDS = re.compile(
    r"image|pictur|photo|pic\b|video|movie|clip|film|music|audio|song|sound|python|ruby|perl|java|script|markdown|text"
    r"|word|excel|spreadsheet|slides|presentation|source|code|header|archiv|compress|zip|tar|backup|temp|log|object"
    r"|librar|document|shell|bash|config|web|page|\bc\b|c\+\+|latex|tex|class|yaml|rust|fortran|gzipped|note|book"
    r"|extension|ending|type",
    re.I,
)
SAME_ENDING = {
    "jpg": ("jpeg",), "jpeg": ("jpg",), "yml": ("yaml",), "yaml": ("yml",), "htm": ("html",), "html": ("htm",),
    "tif": ("tiff",), "tiff": ("tif",), "gz": ("tgz", "gzip"), "js": ("javascript",), "cpp": ("cc",), "cc": ("cpp",),
}  # fmt: skip
CAPITALS = re.compile(r"(?<![\w./$-])[A-Z]{3,}(?![\w./-])")


def plausibility_doubts(asked: str, constants: Sequence[Token], text: str) -> Iterator[Doubt]:
    """What the words of a command say against it."""
    commands = read_commands(text)
    words = asked.lower().replace(",", " ").split()
    named = [token for token in constants if is_file(token)]
    yield from torn_names(constants, commands, text)
    for command in commands:
        if reason := misread(command, words, named):
            yield Doubt(MISREAD, reason, "unfit")
            break
    yield from foreign_globs(asked, commands)
    for at, word in enumerate(words):
        if are_several(words, at) and not any(
            one in text.lower() for one in (word[:-1], *SAME_ENDING.get(word[:-1], ()))
        ):
            yield Doubt(KIND_LOST, f"says nothing of {word}", "unfit")
    if COUNTS.search(text) and not COUNTING.search(asked):
        yield Doubt(UNCOUNTED, "counts, where nothing was to be counted", "unfit")
    capitals = set() if asked.isupper() else set(CAPITALS.findall(asked)) - ACRONYMS
    for word in sorted(capitals):
        if word not in text and any(word.lower() in command.operands for command in commands):
            yield Doubt(CASE_LOST, f"looks for {word.lower()} where {word} was said", "unfit")


def is_file(token: Token) -> bool:
    """Whether a constant is surely a file or folder: date/time is none."""
    if token.kind == "path":
        return token.value[0] in "/~." and token.value not in NO_FILES and "$" not in token.value
    return token.kind == "file" and "$" not in token.value


def torn_names(constants: Sequence[Token], commands: Sequence[Called], text: str) -> Iterator[Doubt]:
    """A name with a blank in it that stands in the command without quotes is two names; a command or a text is not."""
    bare = " ".join(re.sub(r"'[^']*'|\"[^\"]*\"", " ", text).split())
    for token in constants:
        words = token.value.split()
        if token.kind not in ("string", "file") or len(words) < 2 or not re.fullmatch(r"[\w\s.()&+-]+", token.value):
            continue
        runs = any(follows(command.words, words[0]) for command in commands)
        takes = any(command.words[0] in TAKES_NAMES and set(words) <= set(command.words) for command in commands)
        if " ".join(words) in bare and takes and not runs:
            yield Doubt(TORN, f"tears {token.text} apart", "unfit")


def follows(words: Sequence[str], word: str) -> bool:
    """Whether a word is run as a command, or printed."""
    runs_another = words[0] in ("xargs", "sudo", "time", "nohup", "watch")
    if words[0] in (word, "echo", "printf") or (runs_another and word in words):
        return True
    return any(one in ("-exec", "-execdir", "do", "then") and other == word for one, other in pairwise(words))


def misread(command: Called, words: Sequence[str], named: Sequence[Token]) -> str:
    """What is plainly wrong with the operands of one command, "" where nothing is."""
    name, operands = command.words[0], command.operands
    if name in ("echo", "printf"):
        return ""
    for word in operands:
        is_none = is_grammar(word) or (word in DESCRIBING and name in TAKES_NAMES - {"grep"})
        if word in words and is_none and not is_a_name(word, words):
            return f'takes "{word}" for a name'
        if name in TAKES_NAMES and word in words and are_several(words, words.index(word)):
            return f'takes "{word}" for a file'
        if name in READERS and named and word.isalpha() and word in words and not is_a_name(word, words):
            return f'takes "{word}" for a file'
    for word in command.words[1:]:
        if GLUED.fullmatch(word) and any(token.value.endswith(word.lstrip("-")) for token in named):
            return f"takes {word} for an option"
    if name in ("mv", "cp") and not any(ELSEWHERE.match(word) for word in command.words):
        return misplaced(name, operands)
    if name == "date" and is_torn_date(command.words):
        return "tears the date apart"
    if name in ("grep", "jq") and not command.is_fed and reads_nothing(command):
        return "waits for input, where a file was named" if named else "waits for input"
    return ""


def misplaced(name: str, operands: Sequence[str]) -> str:
    """`mv` and `cp` need a place, and for several files a folder."""
    if len(operands) < 2:
        return f"says not where to {'move' if name == 'mv' else 'copy'} it" if operands else ""
    if re.search(r"[*?]", operands[-1]) and not operands[-1].endswith("/"):
        return f"writes over what {operands[-1]} already names"
    several = len(operands) > 2 or re.search(r"[*?]|\{.*(?:,|\.\.).*\}", operands[0])
    last = operands[-1]
    if several and FILE_NAME.fullmatch(last) and last not in ("..", "."):
        return f"puts several files into {last}"
    return ""


def is_torn_date(words: Sequence[str]) -> bool:
    """date -d last monday: the option takes one word only."""
    behind = next((words[at + 2 :] for at, word in enumerate(words) if word in ("-d", "--date")), ())
    return any(word[0] not in "-+" for word in behind if word)


def reads_nothing(command: Called) -> bool:
    """Whether `grep` or `jq` has what it looks for and nothing where it could look."""
    options = [word for word in command.words[1:] if word.startswith("-")]
    if command.words[0] == "jq":
        alone = not any(re.match(r"-\w*[nf]|--null-input|--from-file", one) for one in options)
        return alone and len(command.operands) == 1
    if any(re.match(r"-(?!-)\w*[rRefV]|--(?:recursive|regexp|file|version|help)", one) for one in options):
        return False
    return len(command.operands) == 1


def is_a_name(word: str, words: Sequence[str]) -> bool:
    """Whether the words beside it say that a word of the request is a name."""
    places = [at for at, one in enumerate(words) if one == word]
    around = {one for at in places for one in (*words[max(0, at - 1) : at], *words[at + 1 : at + 2])}
    return bool(around & NAMES_IT)


def is_said(ending: str, asked: str) -> bool:
    """Whether a request names an ending: pdf, .pdf, pdfs, and jpeg for jpg."""
    names = (ending, *SAME_ENDING.get(ending, ()))
    return any(re.search(rf"(?<![a-z0-9]){re.escape(name)}(?:s|\b)", asked) for name in names)


def foreign_globs(asked: str, commands: Sequence[Called]) -> Iterator[Doubt]:
    """A pattern of file names that nobody asked for."""
    low = asked.lower()
    for word in (word for command in commands for word in command.words[1:]):
        ending = ENDING.search(word)
        if ending and not is_said(ending[1].lower(), low) and not KINDS.search(asked):
            yield Doubt(FOREIGN, f"has {word}, which was not asked for", "unfit")
            return
        if GLOBSTAR.fullmatch(word) and "**" not in asked:
            yield Doubt(
                MISREAD, "means ** to reach every folder below, which it does not unless the shell is told to", "unfit"
            )
            return
