"""Words of a request that a command does not heed: not, folders, live, in bytes; names and order are beside this.

Retrieval finds what shares most words, and one word may turn the meaning around. Each rule here is one that hardly any
recipe breaks for its own phrasings; what is not plainly lost passes without a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sayso.core.types import Doubt
from sayso.targets.bash.evidence.lost_names import lost_names
from sayso.targets.bash.safety.sweeping import left_out

HALF, SOME, LITTLE = 0.45, 0.65, 0.8
GROSS, FAR = 0.01, 0.2
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`")

FOLDER = r"(?:folders?|director(?:y|ies)|dirs?|subfolders?|subdirector(?:y|ies)|subdirs?)"
ALL = (
    r"(?:(?:all|every|each|any|the|a|an|my|this|that|those|these|empty|whole|entire|hidden|old|big|largest|biggest"
    r"|of|\d+) )*"
)
# The folder is what is dealt with, not where: "delete every folder named tmp", not "delete files in the folder tmp".
FOLDERS_MEANT = re.compile(
    rf"^(?:please |can you |how (?:do|can) i )*(?:delete|remove|find|list|show|get rid of|search for|count|erase"
    rf"|move|copy"
    rf"|which|what|how many) {ALL}(?:[\w.-]+ )?{FOLDER}(?! structure| tree| listing| size| contents?| permissions?"
    rf"| names? in)\b",
    re.I,
)
FILES_TOO = re.compile(
    r"\bfiles?\b|\bcontents?\b|everything|anything|\bsizes?\b|what is in|what's in|whats in|thing|photos?|pictures?",
    re.I,
)
FILES_MEANT = re.compile(
    rf"^(?:please |can you |how (?:do|can) i )*(?:delete|remove|find|list|show|get rid of|search for|count|erase) {ALL}"
    r"(?:[\w.*-]+ )?files?\b",
    re.I,
)
COPIES_FOLDER = re.compile(
    rf"\b(?:copy|duplicate|clone)(?: of)? (?:the |my |this |that |whole |entire )*(?:{FOLDER} [\w./~-]"
    rf"|[\w./~-]+ {FOLDER}\b)",
    re.I,
)
DELETES_FOLDER = re.compile(
    rf"\b(?:delete|remove|get rid of|erase|rm|trash) (?:the |my |this |that |whole |entire )*(?:{FOLDER} [\w./~-]"
    rf"|[\w./~-]+ {FOLDER}\b)",
    re.I,
)
NO_CASE = re.compile(
    r"ignor(?:e|ing)(?: the| upper)?(?:/?lower)? ?case|case.?insensitiv|regardless of (?:the )?case|(?:don'?t"
    r"|not) care about (?:the )?(?:case|capital|upper)"
    r"|whatever the case|no matter the case|upper ?(?:case)? or lower",
    re.I,
)
CASELESS = re.compile(
    r"-\w*[if]|\bI\b|/I|tolower|toupper|nocase|-i?name|-\w*f\b|:lower:|\[Aa|ascii_downcase|/i|a-z|ignore|case"
)
LIVE = re.compile(
    r"\b(?:live(?! (?:in|on|at|under))|follow (?:the )?\S+$|and follow(?: it| them)?$"
    r"|as (?:it|they) (?:grows?|comes?|changes?|happens?"
    r"|gets? written)|in real ?time|continuously)\b",
    re.I,
)
GOES_ON = re.compile(
    r"-\w*[fFw]\w*|watch|follow|inotify|\btop\b|htop|while |-F|stream|monitor|-w\b|--live|tcpdump|ping|iostat|vmstat"
    r"|attach"
)
RECURSIVE = re.compile(r"(?<!non )(?<!non-)(?<!not )\brecursiv", re.I)
GOES_DOWN = re.compile(r"-\w*[rR]|find|tree|\*\*|recurs|rsync|du\b|tar|git|--max-depth|zip|\.\.|walk|rm -")
EVERYWHERE = re.compile(
    r"/|\b(?:root|system|machine|computer|disk|disc|drive|everywhere|anywhere|whole|entire|filesystem|server|box|pc"
    r"|laptop|global)",
    re.I,
)
AT_ROOT = re.compile(
    r"(?:^|[|;&(]\s*|sudo )(?:find|du(?: -\S+)*|grep -\w*[rR]\w*(?: -\S+)*(?: \S+)?|chmod(?: \S+)*"
    r"|chown(?: \S+)*) /(?=\s|$)"
)
ELSEWHERE = re.compile(r"(?:^|[|;&(]\s*|sudo )(?:find|grep -\w*[rR]\w*(?: -\S+)* \S+) (/[\w./]+)")
KNOWN_PLACES = re.compile(
    r"\b(?:logs?|cron\w*|trash|bin|kernel|boot\w*|servers?|users?|temp\w* f|packages?|cache\w*|installed"
    r"|processe?s?)\b",
    re.I,
)
MACHINE_WIDE = re.compile(r"-perm|-nouser|-nogroup|2>|-xdev|-mount")
"""Signs of a search that is meant for all files there are."""
COUNTED = re.compile(
    r"^(?:please |can you |tell me |show me )*how many (?!days|hours|minutes|seconds|weeks|months|years|pixels"
    r"|levels|bits|times|percent)",
    re.I,
)
COUNTS = re.compile(
    r"\bwc\b|-\w*c\w*|count|NR|NF|length|\+\+|\+=|\$#|\$\{#|total|\bdu\b|nproc|--shortstat|--stat|\bfree\b|\bdf\b"
    r"|rev-list|\buniq\b|\bls\b|stat|describe|ulimit|\bss\b|\bps\b|\$\(\(",
    re.I,
)
HUMAN = re.compile(r"(?:du|df|ls|free)(?: +\S+)*? +-\w*h\w*")
NOT = re.compile(
    r"\b(?:no|not|none|nor|never|neither|cannot|without|w/o|except|exclu\w*|ignor\w*|skip\w*|omit\w*|leav\w*|drop\w*"
    r"|remov\w*|delet\w*"
    r"|strip\w*|filter\w* out|lack\w*|miss\w*|other|others|but|rest|instead|un\w+|outside|hid\w+|minus|besides|else"
    r"|than|non|clean\w*"
    r"|comment\w*|blank\w*|empty|get rid|rid|keep\w*|only|just|differ\w*|free|avoid\w*|invert\w*|fail\w*|absent|out"
    r"|forgot\w*|away|aside"
    r"|hide|real|actual|active|effective|bare|pure|human|regular|normal|visible|set|sub\w*)\b|n['’]?t\b|non-|anti"
    r"|-v\b|all but",
    re.I,
)
LACKING = re.compile(
    r"\b(?:(?:do|does|did)(?: not|n['’]?t)(?: yet)? (?:contain|mention|include|hold|start|begin)"
    r"|(?:not|never) (?:contain|mention|includ|match|start|begin)ing|not yet merged|not merged"
    r"|without (?:the (?:word|string|text|line|phrase)|[\"'`]|any \w+ in)|(?:with|having) no extension"
    r"|no file extension)",
    re.I,
)
LACKS = re.compile(
    r"!|-not\b|-\w*[vLN]|--(?:no|not|invert|exclude|files-without|ignore|unmerged)|!=|comm |uniq -u|prune|== 0"
    r"|-size -|next|/d\b|d'|\[\^|without|empty|diff|%|case|-x\b|unless|<"
)
CONTENT_NOT = re.compile(
    r"\b(?:contain|mention|includ|hold|with the word)\w* .*\b(?:but|and) not (?:the word )?([A-Za-z]\w*)", re.I
)
FLAT_COPY = re.compile(r"(?:sudo )?cp (?!-\S*[raR])(?!.*(?: -\w*[raR]|/\.|\*))")
FLAT_DELETION = re.compile(r"(?:sudo )?rm (?!-\S*[rR])(?!.* -\w*[rR])")


@dataclass(frozen=True)
class Rule:
    """Where `asked` is found in a request, a command without `heeded` is doubted."""

    factor: float
    asked: re.Pattern[str]
    heeded: Callable[[str], bool]
    reason: str


RULES: Sequence[Rule] = (
    Rule(SOME, NO_CASE, lambda text: CASELESS.search(text) is not None, "minds the case"),
    Rule(SOME, LIVE, lambda text: GOES_ON.search(text) is not None, "shows it once, and not live"),
    Rule(LITTLE, RECURSIVE, lambda text: GOES_DOWN.search(text) is not None, "does not go into the folders below"),
    Rule(HALF, COPIES_FOLDER, lambda text: not FLAT_COPY.match(text), "cp copies no folder without -r"),
    Rule(HALF, DELETES_FOLDER, lambda text: not FLAT_DELETION.match(text), "rm removes no folder without -r"),
    Rule(HALF, LACKING, lambda text: LACKS.search(text) is not None, "does not heed the not"),
    Rule(SOME, COUNTED, lambda text: COUNTS.search(text) is not None, "does not count"),
    Rule(SOME, re.compile(r"\bin bytes\b", re.I), lambda text: not HUMAN.search(text), "does not say it in bytes"),
)  # fmt: skip


def lost_words(asked: str, text: str) -> Iterator[Doubt]:
    """What speaks against a command: a word of the request that it does not heed, or heeds though it is not there."""
    plain = " ".join(QUOTED.sub(" X ", asked).split())
    for rule in RULES:
        if rule.asked.search(plain if rule.asked is not LACKING else asked) and not rule.heeded(text):
            yield Doubt(rule.factor, rule.reason, "unfit")
    if reason := other_kind(plain, text):
        yield Doubt(HALF, reason, "unfit")
    if left_out(asked, text) and not NOT.search(plain):
        yield Doubt(SOME, "leaves out what nobody wanted left out", "unfit")
    if set_aside(plain, text):
        yield Doubt(FAR, "stays out of a folder, where a word is meant", "unfit")
    if AT_ROOT.search(text) and not EVERYWHERE.search(plain) and not MACHINE_WIDE.search(text):
        yield Doubt(GROSS, "goes through the whole machine", "unfit")
    elif place := elsewhere(plain, text):
        deletes = re.search(r"-delete|\brm\b", text) is not None
        yield Doubt(GROSS if deletes else FAR, f"looks in {place}, which nobody named", "unfit")
    yield from lost_names(plain, text)


def elsewhere(asked: str, text: str) -> str:
    """A folder far from here that a command goes through and no word of the request speaks of."""
    found = ELSEWHERE.search(text)
    if not found or KNOWN_PLACES.search(asked) or MACHINE_WIDE.search(text):
        return ""
    return "" if found[1].lower().rstrip("/") in asked.lower() else found[1]


def set_aside(asked: str, text: str) -> bool:
    """Whether "mention a but not b" was read as a folder b to stay out of."""
    found = CONTENT_NOT.search(asked)
    return found is not None and re.search(rf"--exclude(?:-dir)?=\W?{re.escape(found[1])}\b", text) is not None


def other_kind(asked: str, text: str) -> str:
    """Files where folders are meant, or folders where files are."""
    kinds = set(re.findall(r"-type (\w)", text))
    if kinds == {"f"} and FOLDERS_MEANT.search(asked) and not FILES_TOO.search(asked):
        return "takes files, where folders are meant"
    if kinds == {"d"} and FILES_MEANT.search(asked) and not re.search(FOLDER, asked, re.I):
        return "takes folders, where files are meant"
    return ""
