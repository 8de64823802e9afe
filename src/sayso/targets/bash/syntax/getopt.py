"""Flags and operands in the usual syntax: clusters, values glued or apart, sub-commands, and commands that are run."""

from __future__ import annotations

import re
from dataclasses import replace

from sayso.targets.bash.knowledge.utilities import MOST_WORDS, FlagEntry, find_subcommand
from sayso.targets.bash.syntax.reader import UNKNOWN, Reader
from sayso.targets.bash.syntax.tree import Flag, Inner, InnerScript, Operand, Operator, Word
from sayso.targets.bash.syntax.types import guess_type, is_assignment

SIGNAL = re.compile(r"-(\d+|[A-Z][A-Z0-9+]*)")


def read_getopt(reader: Reader, syntax: str) -> None:
    ended = False
    seen = 0
    while reader.at < len(reader.words):
        word = reader.words[reader.at]
        lead = word.lead
        if not ended and lead == "--" and word.value == "--":
            reader.out.append(Operator("--", word.start, word.end))
            reader.at += 1
            ended = True
        elif not ended and len(lead) > 1 and lead[0] == "-" and _is_flag(reader, word, lead, syntax):
            reader.at += 1
            _flag(reader, word, lead, syntax)
        elif not seen and syntax in ("tar", "ps") and _bundle(reader, word, syntax):
            continue
        elif not seen and not ended and syntax == "subcommands":
            syntax = _subcommand(reader)
        else:
            if _rest_is_command(reader, word, seen):
                return
            reader.out.append(Operand(word, ""))
            reader.at += 1
            seen += 1
            # ssh alone goes on reading flags after its first operand, the host.
            stops = syntax in ("first", "words") and not is_assignment(word) and reader.entry.name != "ssh"
            ended = ended or stops
    _type_operands(reader)


def _subcommand(reader: Reader) -> str:
    """`commit` of git: flags of its own follow. Those of one that is not known are read as of any utility."""
    ahead = reader.words[reader.at : reader.at + MOST_WORDS]
    found = find_subcommand(reader.entry.name, [word.value or "" for word in ahead], reader.find_entry)
    taken = len(found.name.split()) - len(reader.entry.name.split()) if found else 1
    reader.out += [Operand(word, "Word" if word.value else "") for word in ahead[:taken]]
    reader.at += taken
    reader.entry = found or UNKNOWN
    reader.is_known = found is not None and found.syntax != "open"
    return reader.entry.syntax


def _is_flag(reader: Reader, word: Word, lead: str, syntax: str) -> bool:
    if lead[1] == "-" and syntax != "words":
        return True
    if lead[1].isdigit() and reader.entry.operands[:1] == ("Number",):
        return False  # seq -5 10
    letters = lead[1:]
    if syntax in ("words", "mode"):
        return word.value is not None and all("-" + c in reader.entry.index for c in letters)
    return True


def _flag(reader: Reader, word: Word, lead: str, syntax: str) -> None:
    if lead.startswith("--"):
        _long_flag(reader, word, lead)
    elif bare := _bare(reader, word, lead, syntax):
        reader.out.append(bare)
    elif not reader.is_known or syntax == "single":
        _single_flag(reader, word, lead)
    else:
        _cluster(reader, word, lead)


def _bare(reader: Reader, word: Word, lead: str, syntax: str) -> Flag | None:
    """`head -5`, `kill -9`, `kill -TERM`: a value that stands for a flag."""
    entry = reader.entry.index.get("-NUM")
    if entry and lead[1].isdigit() and "-" + lead[1] not in reader.entry.index:
        return reader.make(entry.same or "-NUM", word, (word.after(1),), entry.arguments, "bare")
    if syntax == "signal" and SIGNAL.fullmatch(lead) and lead not in reader.entry.index:
        return reader.make("-s", word, (word.after(1),), ("Signal",), "bare")
    return None


def _long_flag(reader: Reader, word: Word, lead: str) -> None:
    name, equals, _ = lead.partition("=")
    # What expands inside the name may make it any other.
    entry = reader.entry.flag(name) if equals or word.value is not None else None
    reader.note_instead(entry)
    if equals:
        types = entry.arguments if entry and entry.arguments else ("",)
        flag = reader.make(name, word, (word.after(len(name) + 1),), types, "equals")
    elif entry and entry.arguments and not entry.optional:
        flag = reader.make(name, word, reader.take(1), entry.arguments[:1], "separate")
    else:
        flag = reader.make(name, word, (), (), "separate")
    reader.out.append(flag if entry or not reader.is_known else replace(flag, known=False))


def _single_flag(reader: Reader, word: Word, lead: str) -> None:
    """A flag of an unknown utility, or of one whose long flags have one dash."""
    name, equals, _ = lead.partition("=")
    entry = reader.entry.index.get(lead) or reader.entry.index.get(name)
    if entry is None:
        short = reader.entry.index.get(lead[:2])
        if short and short.arguments:
            reader.out.append(reader.make(lead[:2], word, (word.after(2),), short.arguments, "glued"))
            return
    if equals:
        reader.out.append(reader.make(name, word, (word.after(len(name) + 1),), ("",), "equals"))
    elif entry and entry.arguments and not entry.optional:
        reader.out.append(reader.make(lead, word, reader.take(len(entry.arguments)), entry.arguments, "separate"))
    else:
        plain = word.value is not None
        flag = reader.make(lead, word, () if plain else (word.after(len(lead)),), () if plain else ("",), "glued")
        reader.out.append(flag if entry or not reader.is_known else replace(flag, known=False))


def _cluster(reader: Reader, word: Word, lead: str) -> None:
    """`-xzf name` -> -x, -z, -f name; the first letter that takes a value ends it."""
    if lead in reader.entry.index and len(lead) > 2:
        entry = reader.entry.index[lead]
        reader.note_instead(entry)
        values = reader.take(len(entry.arguments)) if not entry.optional else ()
        reader.out.append(reader.make(lead, word, values, entry.arguments[: len(values)], "separate"))
        return
    at = 0
    while at + 1 < len(lead):
        at += 1
        name = "-" + lead[at]
        found = reader.entry.index.get(name)
        if (pair := "-" + lead[at : at + 2]) in reader.entry.index and len(pair) == 3:  # wget -mnp
            name, found, at = pair, reader.entry.index[pair], at + 1
        if found is None:
            bare = reader.entry.index.get("-NUM")
            if bare and lead[at:].isdigit():
                number = reader.make(bare.same or "-NUM", word, (word.after(at),), bare.arguments, "bare")
                reader.out.append(replace(number, start=_letter(reader, word, at)))
                return
            rest = "-" + lead[at:]
            reader.out.append(Flag(rest, word.start, word.end, (), (), "glued", False))
            return
        reader.note_instead(found)
        if found.arguments:
            glued = at + 1 < len(lead) or word.value is None
            if glued:
                flag = reader.make(name, word, (word.after(at + 1),), found.arguments, "glued")
            elif found.optional:
                flag = reader.make(name, word, (), (), "separate")
            else:
                flag = reader.make(name, word, reader.take(1), found.arguments, "separate")
            reader.out.append(flag if at == 1 else replace(flag, start=_letter(reader, word, at)))
            return
        start = _letter(reader, word, at) if len(lead) > 2 else word.start
        end = word.start + at + 1 if _is_verbatim(reader, word) else word.end
        reader.out.append(Flag(name, start, end, (), (), "cluster" if len(lead) > 2 else "separate"))
    if word.value is None:
        reader.out.append(Operand(word.after(len(lead)), ""))


def _letter(reader: Reader, word: Word, at: int) -> int:
    """Where the letter at an index of a cluster stands; the first takes the dash with it."""
    return word.start + at if at > 1 and _is_verbatim(reader, word) else word.start


def _is_verbatim(reader: Reader, word: Word) -> bool:
    """Whether its positions are its own, and not those of a text that holds it."""
    return word.text == word.value and word.end - word.start == len(word.text)


def _bundle(reader: Reader, word: Word, syntax: str) -> bool:
    """`tar xzf a.tgz`, `ps aux`: letters without a dash; values follow in order."""
    value = word.value
    if not value or reader.at != 1 or not all(_letter_entry(reader, c, syntax) for c in value):
        return False
    reader.at += 1
    for at, letter in enumerate(value):
        entry = _letter_entry(reader, letter, syntax)
        assert entry is not None
        name = "-" + letter if syntax == "tar" else letter
        plain = word.text == value
        start, end = (word.start + at, word.start + at + 1) if plain else (word.start, word.end)
        values = reader.take(1) if entry.arguments and not entry.optional else ()
        reader.out.append(
            Flag(
                name,
                start,
                end if not values else max(end, values[-1].end),
                values,
                entry.arguments[:1] if values else (),
                "bundle",
            )
        )
    return True


def _letter_entry(reader: Reader, letter: str, syntax: str) -> FlagEntry | None:
    return reader.entry.index.get("-" + letter if syntax == "tar" else letter)


def _rest_is_command(reader: Reader, word: Word, seen: int) -> bool:
    """Where the operands say so, what is left is a command or shell text: xargs, sudo, ssh."""
    spec = reader.entry.operands
    if not spec or not spec[-1].startswith(("Command", "Script")):
        return False
    before = len(spec) - 1
    if spec[0].startswith("Assignment"):
        if is_assignment(word):
            return False
    elif seen < before:
        return False
    rest = reader.words[reader.at :]
    if spec[-1].startswith("Command"):
        reader.out.append(Inner(reader.inner(rest)))
    else:
        reader.out.append(InnerScript(rest, reader.script(rest)))
    _type_operands(reader)
    return True


def _type_operands(reader: Reader) -> None:
    """Give every operand the type that its place has in the utility's synopsis."""
    places = [i for i, a in enumerate(reader.out) if isinstance(a, Operand) and not a.type]
    spec = tuple(kind for kind in reader.entry.operands if not kind.startswith(("Command", "Script")))
    types = operand_types(spec[1:] if reader.instead else spec, len(places))
    for place, given in zip(places, types, strict=True):
        operand = reader.out[place]
        assert isinstance(operand, Operand)
        reader.out[place] = Operand(operand.word, given or guess_type(operand.word))


def operand_types(spec: tuple[str, ...], n: int) -> list[str]:
    """["Regex", "File…"] for 3 operands -> Regex, File, File; what the synopsis has no place for gets ""."""
    repeat = next((i for i, name in enumerate(spec) if name.endswith("…")), None)
    if repeat is None:
        names = [name.rstrip("?") for name in spec[:n]]
        return names + [""] * (n - len(names))
    before = [name.rstrip("?") for name in spec[:repeat]]
    after = [name.rstrip("?") for name in spec[repeat + 1 :]]
    middle = spec[repeat].rstrip("…")
    if n <= len(before):
        return before[:n]
    left = n - len(before)
    return before + [middle] * max(0, left - len(after)) + after[max(0, len(after) - left) :]
