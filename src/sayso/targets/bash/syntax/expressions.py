"""Arguments that are no flags and operands: the expressions of find and test, the assignments of dd."""

from __future__ import annotations

import re
from dataclasses import replace

from sayso.targets.bash.knowledge.utilities import FlagEntry
from sayso.targets.bash.syntax.reader import Reader
from sayso.targets.bash.syntax.tree import Flag, Operand, Operator, Word
from sayso.targets.bash.syntax.types import guess_type

EXEC_FLAGS = {"-exec", "-execdir", "-ok", "-okdir"}
FIND_OPERATORS = {"(", ")", "!", "-not", "-o", "-or", "-a", "-and", ","}
# Options that stand before the paths, on GNU or BSD.
FIND_OPTION = re.compile(r"-([HLPEXdsx]|O\d)")
TEST_BINARY = re.compile(r"=|==|!=|<|>|=~|-(eq|ne|lt|le|gt|ge|nt|ot|ef|a|o)")


def read_find(reader: Reader) -> None:
    index = reader.entry.index
    in_expression = False
    while reader.at < len(reader.words):
        word = reader.words[reader.at]
        value = word.value
        reader.at += 1
        if value in FIND_OPERATORS and value is not None:
            in_expression = True
            reader.out.append(Operator(value, word.start, word.end))
        elif len(word.lead) > 1 and word.lead[0] == "-":
            entry = index.get(value or "") or _find_pattern(value or "")
            is_option = bool(FIND_OPTION.fullmatch(value or ""))
            if value in ("-H", "-L", "-P") and reader.out and not isinstance(reader.out[-1], Flag):
                entry = None  # these are only known before the paths
            in_expression = in_expression or not is_option or any(isinstance(a, Operand) for a in reader.out)
            _primary(reader, word, value or word.lead, entry)
        else:
            reader.out.append(Operand(word, "Path" if not in_expression else "Stray"))


def _find_pattern(name: str) -> FlagEntry | None:
    if re.fullmatch(r"-newer[aBcm][aBcmt]", name):
        return FlagEntry((name,), ("DateTime" if name.endswith("t") else "File",))
    if re.fullmatch(r"-O\d", name):
        return FlagEntry((name,))
    return None


def _primary(reader: Reader, word: Word, name: str, entry: FlagEntry | None) -> None:
    if name in EXEC_FLAGS:
        _exec_flag(reader, word, name)
        return
    values = reader.take(len(entry.arguments)) if entry else ()
    types = entry.arguments[: len(values)] if entry else ()
    flag = reader.make(name, word, values, types, "separate")
    reader.out.append(flag if entry else replace(flag, known=False))


def _exec_flag(reader: Reader, word: Word, name: str) -> None:
    """`-exec … \\;` or `-exec … {} +`."""
    start = reader.at
    closer = ""
    while reader.at < len(reader.words):
        value = reader.words[reader.at].value
        if value == ";" or (value == "+" and reader.at > start and reader.words[reader.at - 1].value == "{}"):
            closer = value
            break
        reader.at += 1
    inside = reader.words[start : reader.at]
    end = reader.words[min(reader.at, len(reader.words) - 1)].end
    if closer:
        reader.at += 1
    inner = reader.inner(inside) if inside else None
    reader.out.append(Flag(name, word.start, end, inside, ("Command",), "separate", True, inner, None, closer))


def read_assignments(reader: Reader) -> None:
    for word in reader.words[1:]:
        name, equals, _ = word.lead.partition("=")
        if not equals:
            reader.at += 1
            plain = re.fullmatch(r"--?\w+", word.value or "")
            reader.out.append(Flag(word.lead, word.start, word.end) if plain else Operand(word, guess_type(word)))
            continue
        entry = reader.entry.index.get(name)
        flag = reader.make(name, word, (word.after(len(name) + 1),), entry.arguments if entry else ("",), "equals")
        reader.out.append(flag if entry or not reader.is_known else replace(flag, known=False))


def read_test(reader: Reader) -> None:
    while reader.at < len(reader.words):
        word = reader.words[reader.at]
        value = word.value or ""
        reader.at += 1
        entry = reader.entry.index.get(value)
        joins = value == "-a" and bool(reader.out) and not isinstance(reader.out[-1], Operator)
        if entry and reader.at < len(reader.words) and not joins:
            reader.out.append(reader.make(value, word, reader.take(1), entry.arguments, "separate"))
        elif TEST_BINARY.fullmatch(value) or value in ("!", "(", ")", "]"):
            reader.out.append(Operator(value, word.start, word.end))
        else:
            reader.out.append(Operand(word, guess_type(word)))
