"""Commands that take a request in another sense: text to be removed for files, a value for a bound, all for the first.

Like `lost_words`, each rule is one that hardly any recipe breaks for its own phrasings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from sayso.cookbook.fitting import FOLDERS
from sayso.core.types import Doubt
from sayso.english.constants import word_set

GROSS, FAR, HALF, SOME, LITTLE = 0.01, 0.2, 0.45, 0.65, 0.8

REMOVES_TEXT = re.compile(
    r"^(?:please |can you |how (?:do|can) i )*(?:remove|delete|strip|trim|drop|cut|erase|get rid of) (?:all |any "
    r"|the |every |each "
    r"|empty |blank |duplicate |duplicated |leading |trailing |extra |double |multiple |and |first |last |\d+ )*"
    r"(?:whitespaces?|white space|spaces?|blanks?|tabs?|lines?|comments?|columns?|rows?|characters?|quotes?|commas?"
    r"|words?|headers?"
    r"|newlines?|carriage returns?|line endings?)\b(?!.*\bfile ?names?\b)",
    re.I,
)
DELETES_FILES = re.compile(r"-delete\b|(?:^|[|;&] *|-exec |xargs (?:-\S+ )*)(?:sudo )?(?:rm|unlink|shred)(?: |$)")
BOUND = re.compile(
    r"[<>]|\b(?:less|more|fewer|greater|larger|bigger|smaller|higher|lower|older|newer|longer|shorter|above|below"
    r"|over|under|between|least"
    r"|most|than|up|upwards?|min|max\w*|minimum|exceed\w*|within|from|until|since|before|after|to|beyond|starting"
    r"|last|first|top"
    r"|every|past|half|random\w*|long|short|through|next|skip|except|without|percent|limit|reach\w*|beat\w*|cheap\w*"
    r"|exact\w*|drop|head"
    r"|tail|ago|running|big|small|large|days?|hours?|minutes?|times?)\b|%|\d ?[-–] ?\d|\+",
    re.I,
)
BOUNDED = re.compile(r"\$\w+(?: \+ 0)? [<>]=? (\d+)")
EACH_TIME = re.compile(
    r"\b(?:every|all|each) (?:the |single )?(?:occurr?en[cs]es?|instances?|appearances?|mentions?)\b", re.I
)
ONCE_ONLY = re.compile(r"sed (?:-\S+ )*['\"](?:0,|s(\W).*?\1.*?\1(?:\d+)?['\"])")
FROM_TO = re.compile(r"\b(?:lines?|rows?) (\d+) ?(?:-|–|to|through|until) ?(\d+)\b", re.I)
NOT_EMPTY = re.compile(
    r"\b(?:not|isn'?t|aren'?t|non)[ -](?:completely |fully )?empty\b|\bwith (?:files|stuff|things) in it\b", re.I
)
NEEDS_EMPTY = re.compile(r"^(?:sudo )?rmdir\b|(?<!! )(?<!-not )-empty\b")
COMPARES_FOLDERS = re.compile(r"\b(?:folders|directories|dirs|trees)\b|\bfolder\b.*\bfolder\b", re.I)
FLAT_DIFF = re.compile(r"^diff (?!.*-\w*r)(?!.*--recursive)(?!.*<\()")
CONTENTS = re.compile(r"\bcontents? of (?:all |every |each |the |my )*(?:[\w.*-]+ )?files?\b", re.I)
NEW_FOLDER = re.compile(r"\b(?:into|in|to) a (?:new )?(?:folder|directory|dir)(?: called| named)? ([\w.-]+)", re.I)
MOVES = re.compile(r"^(?:mv|cp) ")
COUNTED = re.compile(
    r"^(?:please |can you )*count (?:the |all )*(?:number of |how many |missing |empty |distinct |unique |different )",
    re.I,
)
COUNTS = re.compile(
    r"\bwc\b|-\w*c\b|count|length|\+\+|\+=|NR|NF|total|uniq -|stat|\bdu\b|rev-list|\$\(\(|\bss\b|\bls\b|--", re.I
)
# Nouns that say whose thing it is, and what must then be in the command.
SUBJECTS = {
    "docker": r"docker|podman|container",
    "container": r"docker|podman|lxc|container",
    "containers": r"docker|podman|lxc|container|kubectl",
    "kubernetes": "kubectl",
    "pods": "kubectl",
    "npm": "npm|npx|package|node",
    "git": r"git\b|\.git",
    "commit": "git|svn|commit",
    "commits": "git|svn|commit",
    "stash": "git",
    "branches": r"branch|checkout|switch|merge|rebase|push|log|diff|pull|fetch|prune|refs",
    "tmux": "tmux",
    "crontab": "cron",
    "mysql": "mysql|maria",
    "postgres": "psql|pg_|postgres|createdb|dropdb",
    "zip": r"zip|\.zip|7z|jar",
}
SUBJECT = re.compile(rf"\b(?:{'|'.join(SUBJECTS)})\b", re.I)
OWNERS = re.compile(r"\b(?:for|by|to|of) (?:the )?(?:group|user) ([a-z_][\w-]*)\b", re.I)
NO_OWNERS = word_set(
    "and or in to of on is that which who with can id ids name names only also the so at by i has account accounts "
    "file files"
)
NOUNS = word_set("file files folder directory line lines row rows column")
NAMELESS = re.compile(
    r"(?:^|[|;&] *)(?:sudo )?(?:awk|cut|sort|head|tail|grep|sed|wc|cat|uniq|tr|jq|nl)\b[^|;&<>]*? (file|folder"
    r"|directory|lines?|columns?)(?= |$)"
)
GREPS = re.compile(
    r"(?:^|[|;&] *)grep (?!.*-\w*[rR])(?!.*--recursive)(?:-\S+ )*(?:'[^']*'|\"[^\"]*\"|\S+) ([\w./-]+)(?= *(?:$|\|))"
)

KIND_OF_FILE = re.compile(r"\b([a-z]{1,5}\d?) files?\b", re.I)
NO_KINDS = word_set(
    "all the these those my any some text log big large small old new more many two three four of other its both "
    "most in hosts group file"
)
RUNS_NOTHING = re.compile(r"xargs (?:-[0rtx] |-[nPL] ?\d+ |-d ?'\\n' )*['\"]\W")

Sense = tuple[float, Callable[[str, str], bool], str]


def found_in(asked: re.Pattern[str], command: re.Pattern[str]) -> Callable[[str, str], bool]:
    """Whether a request says the one while a command does the other."""
    return lambda request, text: asked.search(request) is not None and command.search(text) is not None


def bounds_a_value(asked: str, text: str) -> bool:
    return any(re.search(rf"\b{number}\b", asked) for number in BOUNDED.findall(text)) and not BOUND.search(asked)


def counts_rows_wrongly(asked: str, text: str) -> bool:
    """ "rows 2-5" are four, so `tail -n +2 | head -n 5` shows one too many."""
    return any(
        re.search(rf"tail -n \+{first} .*head -n {last}\b", text)
        for first, last in FROM_TO.findall(asked)
        if first != "1"
    )


def forgets_to_make(asked: str, text: str) -> bool:
    return any(name in text for name in NEW_FOLDER.findall(asked)) and MOVES.match(text) is not None


def searches_a_folder(asked: str, text: str) -> bool:
    """grep without -r looks into no folder."""
    places = [place for place in GREPS.findall(text) if place.strip("./")]
    return any(place.endswith("/") or place.strip("./").lower() in FOLDERS for place in places)


def takes_kind_for_place(asked: str, text: str) -> bool:
    """ "grep for x in tsx files" is no search in a folder tsx."""
    kinds = [kind for kind in KIND_OF_FILE.findall(asked) if kind.lower() not in NO_KINDS]
    words = re.sub(r"'[^']*'|\"[^\"]*\"", "Q", text).split()
    return any(kind in words[1:] for kind in kinds) and "/" not in asked


ALL_GONE = re.compile(r"\bfind(?: [\w./~]+)?(?: -type \w)?(?: -print0?)? \| xargs (?:-\S+ )*rm\b")
FOLDER_AS_FILE = re.compile(
    r"-type f -name '?(?:node_modules|__pycache__|\.git|\.svn|\.?venv|\.idea|\.vscode|\.cache|\.tox"
    r"|\.pytest_cache)'?(?= |$)"
)
WEEKDAY = re.compile(r"\b(?:every|each|on) (?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.I)
EVERY_DAY = re.compile(r"echo ['\"]?[\d*]+ [\d*]+ \* \* \* ")
ORDERED = re.compile(r"\bsorted by (?:date|size|time|age|name)\b", re.I)
ORDERS = re.compile(r"sort|\bls\b.*-\w*[tSUX]|\bls\b|tac|order|--top|uniq|du\b.*\|", re.I)
ACCESSED = re.compile(r"\b(?:not|never|haven'?t been|hasn'?t been|last|n't)\b.*\b(?:accessed|opened|read|used)\b", re.I)
CHANGED = re.compile(r"-m(?:time|min)\b(?!.*-a(?:time|min))")
MERGED = re.compile(r"--merged\b")
# In find, what is done binds closer than -o: without brackets only the last name has it done.
LAST_ONLY = re.compile(
    r"^(?:sudo )?find (?:(?!\\\(|[|;]| -prune| -exec| -print).)* -o "
    r"(?:(?!\\\(|[|;]| -prune).)*-(?:delete|exec|print0|printf|ok)\b"
)


RUNS_WHAT_IT_MARKS = re.compile(r"chmod \+x \S+ && \./")
RUN = re.compile(r"\b(?:runs?|running|execute|start|launch)\b(?!\.\w)", re.I)
ONTO_ITSELF = re.compile(
    r"\bfind (?P<place>[\w~/][\w./~-]*) .*\b(?:mv|cp) (?:-\S+ )*\{\} (?P=place)/?(?: |$)"
    r"|\bmv (?:-\S+ )*(?:\S+ )*?(?P<name>[^\s-]\S*) (?P=name)(?: |$)"
    r"|\$\{\w+%(?P<ending>\.\w+)\}(?P=ending)(?!\w)"
)


def takes_merged(asked: str, text: str) -> bool:
    return MERGED.search(text) is not None and not re.search(r"merged|git branch", asked, re.I)


# Never first: each would destroy what was to stay.
RUINS: Sequence[Sense] = (
    (GROSS, found_in(REMOVES_TEXT, DELETES_FILES), "deletes files, where text is to go"),
    (GROSS, lambda asked, text: ALL_GONE.search(text) is not None, "deletes all that it finds"),
)
SENSES: Sequence[Sense] = (
    (FAR, lambda asked, text: LAST_ONLY.search(text) is not None, "acts only on the last of the names"),
    (HALF, lambda asked, text: FOLDER_AS_FILE.search(text) is not None, "takes a folder for a file"),
    (HALF, found_in(WEEKDAY, EVERY_DAY), "runs every day"),
    (SOME, lambda asked, text: ORDERED.search(asked) is not None and not ORDERS.search(text), "does not sort"),
    (HALF, found_in(ACCESSED, CHANGED), "asks when it was changed, not when it was read"),
    (LITTLE, takes_merged, "takes only what was merged"),
    (GROSS, lambda asked, text: ONTO_ITSELF.search(text) is not None, "moves things to where they are"),
    (HALF, lambda asked, text: bool(RUNS_WHAT_IT_MARKS.search(text)) and not RUN.search(asked), "runs it, too"),
    (HALF, bounds_a_value, "takes a value for a bound"),
    (FAR, found_in(EACH_TIME, ONCE_ONLY), "replaces only one of all"),
    (HALF, counts_rows_wrongly, "takes the last line for how many"),
    (FAR, found_in(NOT_EMPTY, NEEDS_EMPTY), "needs what is empty"),
    (SOME, found_in(COMPARES_FOLDERS, FLAT_DIFF), "does not go into the folders"),
    (SOME, found_in(CONTENTS, re.compile(r"^ls\b")), "lists names, where the contents are meant"),
    (SOME, forgets_to_make, "does not make the folder first"),
    (HALF, lambda asked, text: bool(COUNTED.search(asked)) and not COUNTS.search(text), "does not count"),
    (FAR, takes_kind_for_place, "takes a kind of file for a name"),
    (GROSS, lambda asked, text: RUNS_NOTHING.search(text) is not None, "runs no command"),
    (FAR, searches_a_folder, "grep looks into no folder without -r"),
)  # fmt: skip


def other_senses(asked: str, text: str) -> Iterator[Doubt]:
    """What speaks against a command because it does something else with what was said."""
    for factor, is_other, reason in RUINS:
        if is_other(asked, text):
            yield Doubt(factor, reason, "barred")
    for factor, is_other, reason in SENSES:
        if is_other(asked, text):
            yield Doubt(factor, reason, "unfit")
    subject = next(
        (word for word in map(str.lower, SUBJECT.findall(asked)) if not re.search(SUBJECTS[word], text, re.I)), ""
    )
    if subject:
        yield Doubt(FAR, f"has nothing to do with {subject}", "unfit")
    for name in OWNERS.findall(asked):
        if name.lower() not in NO_OWNERS and name.lower() not in text.lower():
            yield Doubt(HALF, f"does not use {name}", "unfit")
    if (noun := NAMELESS.search(text)) and re.search(rf"\b{noun[1]} [\w./-]*\.\w", asked):
        yield Doubt(GROSS, f'takes "{noun[1]}" for a name', "unfit")
