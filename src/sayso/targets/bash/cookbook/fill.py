"""A recipe's command with values in its slots: converted to what the utility wants and quoted for where they stand.

`{name}` is a slot, `{name|size}` passes it through a conversion, `<? … ?>` is left out when a slot inside has no value.
Whatever a value holds, it stays one word and starts no command.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable, Collection, Mapping
from pathlib import PurePosixPath

from sayso.cookbook.entry import Recipe, Slot
from sayso.targets.bash.cookbook.value_outline import is_plain, outline, same_outline, stand_in
from sayso.targets.bash.syntax.quote import FIND_TESTS
from sayso.targets.bash.syntax.quote import quote as quote_word

SLOT = re.compile(r"\{([a-z]+)(?:\|([a-z]+))?\}")
OPTIONAL = re.compile(r"<\?(.*?)\?>", re.S)

PATHS = frozenset(
    ("file", "csvfile", "jsonfile", "archive", "tarball", "zipfile", "gzfile", "debfile", "pyfile", "shfile", "cfile",
     "tsvfile", "inifile", "starred", "dir", "path", "newname", "device")
)  # fmt: skip
# Neither begins with a dash, nor with ~+ and the like, nor with a set that holds a dash.
HEAD = r"(?!-|~[+\d-]|\[[^\]]*-)[\w./~+-]*"
SAFE_GLOB = re.compile(rf"{HEAD}[*?][\w.*?/+-]*|{HEAD}\[[\w-]+\][\w.*?/+-]*|\[\w-\w\][\w.*?/+-]*")
SAFE_BRACES = re.compile(rf"{HEAD}\{{\w+\.\.\w+\}}[\w./+-]*")
SAFE_VARIABLE = re.compile(r"\$(?:[A-Z_][A-Z0-9_]*|\{[A-Z_][A-Z0-9_]*\})(?:/[\w./-]*)?")
HOME = re.compile(r"~(?:[A-Za-z_][\w-]*)?")
SAFE_COMMAND = re.compile(r"(?![-=])[\w./~+-][\w ./=:,@%+~-]*")
# What starts a script of each kind; one of the shell is started by its own first line.
STARTED_BY = {"sh": "./", "bash": "./", "py": "python3 ", "pl": "perl ", "rb": "ruby ", "js": "node "}
SCRIPT = re.compile(rf"(?!-)[\w.-]+\.({'|'.join(STARTED_BY)})(?=\s|$)")
FIXED = re.compile(r"grep -\w*F")
# Characters that nobody sees, as Bash writes them; sed knows the same names.
UNSEEN = {"\t": r"$'\t'", "\r": r"$'\r'", "\n": r"$'\n'"}
SPECIAL_ALONE = frozenset(".*[^$\\")
UNITS_OF_TIME = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800, "mo": 2592000, "y": 31536000}
WORDS_OF_TIME = {"s": "second", "m": "minute", "h": "hour", "d": "day", "w": "week", "mo": "month", "y": "year"}
DAY = UNITS_OF_TIME["d"]


def render(recipe: Recipe, values: Mapping[str, str]) -> str:
    """The command; a slot that nothing fills shows its placeholder in capitals. "" where a value would act in it."""
    known = {name: value for name, slot in recipe.slots.items() if (value := value_for(slot, values))}

    def keep(part: re.Match[str]) -> str:
        inside = [slot[1] for slot in SLOT.finditer(part[1]) if slot[1] in recipe.slots]
        return part[1] if all(name in known for name in inside) else ""

    command = OPTIONAL.sub(keep, recipe.command)
    filled = fill(command, recipe.slots, known)
    odd = {name for name, value in known.items() if not is_plain(value) and not SAFE_VARIABLE.fullmatch(value)}
    tame = {name: stand_in(recipe.slots[name], value) if name in odd else value for name, value in known.items()}
    if tame == known:
        return filled
    built = outline(fill(command, recipe.slots, tame))
    if same_outline(built, outline(filled)):
        return filled
    # ssh and watch hand their words to a shell, which reads them a second time.
    again = fill(command, recipe.slots, known, twice=odd)
    return again if same_outline(built, outline(again)) else ""


def value_for(slot: Slot, values: Mapping[str, str]) -> str:
    """What the request gave, else the default; "." says nothing where the part may be left out."""
    value = values.get(slot.name) or slot.default
    return "" if slot.optional and slot.type == "dir" and value == "." else value


def fill(
    command: str, slots: Mapping[str, Slot], known: Mapping[str, str], twice: Collection[str] = frozenset()
) -> str:
    """The command with the values that are known; those of the slots in `twice` are quoted for two shells."""
    out: list[str] = []
    quote = ""
    around: list[str] = []  # the quotes around each bracket that is open: inside "$(…)" they begin anew
    at = 0
    while at < len(command):
        match = SLOT.match(command, at)
        if match and match[1] in slots:
            slot = slots[match[1]]
            if slot.name in known:
                value = meant(slot, match[2], known[slot.name], command)
                if slot.type in PATHS and command[match.end() : match.end() + 1] == "/":
                    value = value.rstrip("/") or value  # photos/ in {dir}/*
                written = inserted(slot, match[2] or "", value, quote)
                out.append(quote_word(written) if slot.name in twice and not quote else written)
            else:
                out.append(PLACEHOLDERS.get(match[2] or "", slot.shown))
            at = match.end()
            continue
        character = command[at]
        if character == "\\" and quote != "'" and at + 1 < len(command):
            out.append(command[at : at + 2])
            at += 2
            continue
        if character in "'\"" and quote in ("", character):
            quote = "" if quote else character
        elif character == "(" and (not quote or (quote == '"' and command[at - 1 : at] == "$")):
            around.append(quote)
            quote = ""
        elif character == ")" and not quote and around:
            quote = around.pop()
        out.append(character)
        at += 1
    return "".join(out)


def meant(slot: Slot, conversion: str | None, value: str, command: str) -> str:
    """One sign alone is looked for itself, and is no regular expression."""
    is_regex = slot.type == "pattern" and not conversion and not FIXED.search(command)
    return "\\" + value if is_regex and value in SPECIAL_ALONE else value


def inserted(slot: Slot, conversion: str, value: str, quote: str) -> str:
    """A value as it must be written at its place: bare, or inside the quotes that the command has there."""
    if conversion in FLAGS:
        return FLAGS[conversion](value)
    if slot.type in ("command", "script") and conversion != "word":
        text = as_command(slot, value)
        return text if not quote else within(text, quote)
    text = CONVERSIONS[conversion](value) if conversion else TYPE_CONVERSIONS.get(slot.type, str)(value)
    if quote:
        return within(text, quote)
    if text in UNSEEN and slot.type in ("pattern", "text", "character"):
        return UNSEEN[text]
    if slot.type in PATHS:
        return path_word(text)
    if slot.type == "pattern" and text.startswith("-"):
        return "-e " + shlex.quote(text)
    return shlex.quote(text)


def within(text: str, quote: str) -> str:
    if quote == "'":
        return text.replace("'", "'\\''")
    return re.sub(r'([\\"$`])', r"\\\1", text)


def path_word(text: str) -> str:
    """A path as one word: ~ and safe globs keep their meaning, a leading dash loses its own."""
    if SAFE_VARIABLE.fullmatch(text):
        return f'"{text}"'
    if SAFE_GLOB.fullmatch(text) or SAFE_BRACES.fullmatch(text):
        return text
    if text.startswith("-") or text in FIND_TESTS:
        text = "./" + text
    home, slash, rest = text.partition("/")
    if HOME.fullmatch(home):
        return home + slash + (shlex.quote(rest) if rest else "")
    return shlex.quote(text)


def as_command(slot: Slot, value: str) -> str:
    """A command that the user gave, as it stands where it is plain words; otherwise handed to a shell of its own."""
    if match := SCRIPT.match(value):
        value = STARTED_BY[match[1]] + value
    return value if SAFE_COMMAND.fullmatch(value) else "bash -c " + shlex.quote(value)


def in_find_units(size: str) -> str:
    """10M -> 10M, 500B -> 500c, 1.5G -> 1536M: find takes whole numbers, and c, k, M, G."""
    number, unit = float(size[:-1]), size[-1]
    units = "BKMGTP"
    at = units.index(unit)
    while at > 3 or (at and number != int(number)):
        number, at = number * 1024, at - 1
    return f"{math.ceil(number)}{'ckMG'[at]}"


def in_plain_units(size: str) -> str:
    """10M -> 10M, 500B -> 500: as truncate, split and head -c read sizes."""
    found = in_find_units(size)
    return found[:-1] if found.endswith("c") else found[:-1] + found[-1].upper()


def in_bytes(size: str) -> int:
    """2K -> 2048"""
    return math.ceil(float(size[:-1]) * (1 << 10 * "BKMGTP".index(size[-1])))


def seconds(span: str) -> int:
    match = re.fullmatch(r"(\d+)([a-z]+)", span)
    assert match  # the slot type admits nothing else
    return int(match[1]) * UNITS_OF_TIME[match[2]]


def age_test(span: str, sign: str) -> str:
    """3d, "-" -> -mtime -3; 90m, "+" -> -mmin +90"""
    length = seconds(span)
    if length % DAY == 0 and length:
        return f"-mtime {sign}{length // DAY}"
    return f"-mmin {sign}{math.ceil(length / 60)}"


def in_words(span: str) -> str:
    """3d -> 3 days"""
    match = re.fullmatch(r"(\d+)([a-z]+)", span)
    assert match
    return f"{match[1]} {WORDS_OF_TIME[match[2]]}{'' if match[1] == '1' else 's'}"


def minute_and_hour(time: str) -> str:
    """2:30 -> 30 2, as the first two fields of a line of a crontab."""
    hour, _, rest = time.partition(":")
    return f"{int(rest[:2] or 0)} {int(hour)}"


def hour_and_minute(time: str) -> str:
    """7 -> 7:00"""
    hour, _, rest = time.partition(":")
    return f"{int(hour)}:{rest[:2] or '00'}"


def how_often(span: str) -> str:
    """15m -> */15 * * * *, 2h -> 0 */2 * * *: the five fields of a line of a crontab, to whole hours above one."""
    minutes = max(1, math.ceil(seconds(span) / 60))
    hours, days = math.ceil(minutes / 60), math.ceil(minutes / 1440)
    if minutes < 60:
        return f"{every(minutes)} * * * *"
    if hours < 24:
        return f"0 {every(hours)} * * *"
    return f"0 0 {every(days)} * *" if days != 7 else "0 0 * * 0"


def every(number: int) -> str:
    return "*" if number == 1 else f"*/{number}"


def base_name(path: str) -> str:
    name = PurePosixPath(path.rstrip("/") or "/").name
    return name if name not in ("", ".", "..", "~") else "archive"


def for_regex(text: str) -> str:
    """Literal text in a basic regular expression."""
    return re.sub(r"([\\.*\[\]^$])", r"\\\1", text).replace("\n", "\\n")


def for_sed(text: str) -> str:
    """Unseen characters by the names that sed has for them."""
    return text.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")


# These write whole flags and stand outside quotes.
FLAGS: Mapping[str, Callable[[str], str]] = {
    "newer": lambda span: age_test(span, "-"),
    "older": lambda span: age_test(span, "+"),
}

CONVERSIONS: Mapping[str, Callable[[str], str]] = {
    "find": in_find_units,
    "unit": in_plain_units,
    "bytes": lambda size: str(in_bytes(size)),
    "days": lambda span: str(math.ceil(seconds(span) / DAY)),
    "minutes": lambda span: str(max(1, math.ceil(seconds(span) / 60))),
    "seconds": lambda span: str(seconds(span)),
    "words": in_words,
    "ago": lambda span: f"{in_words(span)} ago",
    "cron": minute_and_hour,
    "clock": hour_and_minute,
    "often": how_often,
    "base": base_name,
    "stem": lambda path: PurePosixPath(path).stem or "program",
    "next": lambda number: str(int(number) + 1),
    "sed": lambda text: for_sed(for_regex(text).replace("/", "\\/")),
    "sedto": lambda text: for_sed(re.sub(r"([\\/&])", r"\\\1", text)),
    "sedline": lambda text: text.replace("\\", "\\\\").replace("\n", "\\n"),
    "regex": for_regex,
    "key": lambda pair: for_regex(pair.partition("=")[0]),
    "head": lambda name: name.partition("*")[0],
    "tail": lambda name: name.partition("*")[2],
    "awk": lambda text: re.sub(r'(["\\])', r"\\\1", text).replace("\n", "\\n"),
    "word": str,
}

TYPE_CONVERSIONS: Mapping[str, Callable[[str], str]] = {
    "hour": lambda time: str(int(time.partition(":")[0])),
}

PLACEHOLDERS = {
    "newer": "-mtime -DAYS",
    "older": "-mtime +DAYS",
    "cron": "0 HOUR",
    "clock": "HOUR:00",
    "often": "*/MINUTES * * * *",
}
