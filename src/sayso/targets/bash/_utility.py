"""A utility's words read as flags, values and operands, by the syntax that the knowledge base gives it (NL2Bash §2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from sayso.core.errors import BadInstruction
from sayso.targets.bash._knowledge import MOST_WORDS, Find, FlagEntry, Utility, find_subcommand, find_utility
from sayso.targets.bash._tree import (
    MAX_DEPTH,
    Argument,
    Command,
    Flag,
    Inner,
    InnerScript,
    Literal,
    Operand,
    Operator,
    Script,
    Word,
)
from sayso.targets.bash._types import guess_type, is_assignment

# text, offset of its first character, span to use instead, depth -> script or None
ParseText = Callable[[str, int, tuple[int, int] | None, int], Script | None]

EXEC_FLAGS = {"-exec", "-execdir", "-ok", "-okdir"}
FIND_OPERATORS = {"(", ")", "!", "-not", "-o", "-or", "-a", "-and", ","}
# Options that stand before the paths, on GNU or BSD.
FIND_OPTION = re.compile(r"-([HLPEXdsx]|O\d)")
TEST_BINARY = re.compile(r"=|==|!=|<|>|=~|-(eq|ne|lt|le|gt|ge|nt|ot|ef|a|o)")
SIGNAL = re.compile(r"-(\d+|[A-Z][A-Z0-9+]*)")
UNKNOWN = Utility("", "", "getopt", (), ())


def utility_name(word: Word) -> str:
    """/bin/find -> "find"; "" where the name is not a plain word."""
    value = word.value
    if value is None:
        return ""
    return value.rsplit("/", 1)[-1] if "/" in value else value


def read_arguments(
    words: tuple[Word, ...], parse: ParseText, depth: int, find: Find = find_utility
) -> tuple[Argument, ...]:
    """The arguments of the command that these words make up, the first being its name."""
    if len(words) == 1:
        return ()
    name = utility_name(words[0])
    entry = find(name) if name else None
    reader = _Reader(words, entry, parse, depth, find)
    syntax = entry.syntax if entry else "getopt"
    if syntax == "find":
        reader.find()
    elif syntax == "dd":
        reader.assignments()
    elif syntax == "test":
        reader.test()
    else:
        reader.getopt(syntax)
    return tuple(reader.out)


def entry_at(command: Command, place: int, find: Find = find_utility) -> Utility | None:
    """The entry that a flag at this character belongs to: git's before `commit`, that of `git commit` after it."""
    entry = find(command.utility)
    if entry is None or entry.syntax != "subcommands":
        return entry
    words = [argument.word for argument in command.arguments if isinstance(argument, Operand)]
    if not words or place < words[0].start:
        return entry
    return find_subcommand(entry.name, [word.value or "" for word in words], find)


def inner_command(words: tuple[Word, ...], parse: ParseText, depth: int, find: Find = find_utility) -> Command:
    """The command that another one runs."""
    if depth >= MAX_DEPTH:
        raise BadInstruction(f"commands that run commands, more than {MAX_DEPTH} levels deep", offset=words[0].start)
    return Command(
        words[0].start,
        words[-1].end,
        words[0],
        utility_name(words[0]),
        words,
        read_arguments(words, parse, depth + 1, find),
    )


class _Reader:
    """Reads the words of one command from left to right into `out`."""

    def __init__(
        self, words: tuple[Word, ...], entry: Utility | None, parse: ParseText, depth: int, find: Find
    ) -> None:
        self.words = words
        self.entry = entry or UNKNOWN
        self.is_known = entry is not None and entry.syntax != "open"
        self.parse = parse
        self.depth = depth
        self.find_entry = find
        self.at = 1
        self.out: list[Argument] = []
        self.instead = False

    # --- the usual syntax --------------------------------------------------------------------------------------------

    def getopt(self, syntax: str) -> None:
        ended = False
        seen = 0
        while self.at < len(self.words):
            word = self.words[self.at]
            lead = word.lead
            if not ended and lead == "--" and word.value == "--":
                self.out.append(Operator("--", word.start, word.end))
                self.at += 1
                ended = True
            elif not ended and len(lead) > 1 and lead[0] == "-" and self.is_flag(word, lead, syntax):
                self.at += 1
                self.flag(word, lead, syntax)
            elif not seen and syntax in ("tar", "ps") and self.bundle(word, syntax):
                continue
            elif not seen and not ended and syntax == "subcommands":
                syntax = self.subcommand()
            else:
                if self.rest_is_command(word, seen):
                    return
                self.out.append(Operand(word, ""))
                self.at += 1
                seen += 1
                # ssh alone goes on reading flags after its first operand, the host.
                stops = syntax in ("first", "words") and not is_assignment(word) and self.entry.name != "ssh"
                ended = ended or stops
        self.type_operands()

    def subcommand(self) -> str:
        """`commit` of git: flags of its own follow. Those of one that is not known are read as of any utility."""
        ahead = self.words[self.at : self.at + MOST_WORDS]
        found = find_subcommand(self.entry.name, [word.value or "" for word in ahead], self.find_entry)
        taken = len(found.name.split()) - len(self.entry.name.split()) if found else 1
        self.out += [Operand(word, "Word" if word.value else "") for word in ahead[:taken]]
        self.at += taken
        self.entry = found or UNKNOWN
        self.is_known = found is not None and found.syntax != "open"
        return self.entry.syntax

    def is_flag(self, word: Word, lead: str, syntax: str) -> bool:
        if lead[1] == "-" and syntax != "words":
            return True
        if lead[1].isdigit() and self.entry.operands[:1] == ("Number",):
            return False  # seq -5 10
        letters = lead[1:]
        if syntax in ("words", "mode"):
            return word.value is not None and all("-" + c in self.entry.index for c in letters)
        return True

    def flag(self, word: Word, lead: str, syntax: str) -> None:
        if lead.startswith("--"):
            self.long_flag(word, lead)
        elif bare := self.bare(word, lead, syntax):
            self.out.append(bare)
        elif not self.is_known or syntax == "single":
            self.single_flag(word, lead)
        else:
            self.cluster(word, lead)

    def bare(self, word: Word, lead: str, syntax: str) -> Flag | None:
        """`head -5`, `kill -9`, `kill -TERM`: a value that stands for a flag."""
        entry = self.entry.index.get("-NUM")
        if entry and lead[1].isdigit() and "-" + lead[1] not in self.entry.index:
            return self.make(entry.same or "-NUM", word, (word.after(1),), entry.arguments, "bare")
        if syntax == "signal" and SIGNAL.fullmatch(lead) and lead not in self.entry.index:
            return self.make("-s", word, (word.after(1),), ("Signal",), "bare")
        return None

    def make(self, name: str, word: Word, values: tuple[Word, ...], types: tuple[str, ...], style: str) -> Flag:
        end = max(word.end, values[-1].end) if values else word.end
        return self.with_script(Flag(name, word.start, end, values, types, style))

    def with_script(self, flag: Flag) -> Flag:
        if flag.types == ("Script",) and flag.values:
            return replace(flag, script=self.script(flag.values))
        return flag

    def long_flag(self, word: Word, lead: str) -> None:
        name, equals, _ = lead.partition("=")
        entry = self.entry.flag(name)
        self.note_instead(entry)
        if equals:
            types = entry.arguments if entry and entry.arguments else ("",)
            flag = self.make(name, word, (word.after(len(name) + 1),), types, "equals")
        elif entry and entry.arguments and not entry.optional:
            flag = self.make(name, word, self.take(1), entry.arguments[:1], "separate")
        else:
            flag = self.make(name, word, (), (), "separate")
        self.out.append(flag if entry or not self.is_known else replace(flag, known=False))

    def single_flag(self, word: Word, lead: str) -> None:
        """A flag of an unknown utility, or of one whose long flags have one dash."""
        name, equals, _ = lead.partition("=")
        entry = self.entry.index.get(lead) or self.entry.index.get(name)
        if entry is None:
            short = self.entry.index.get(lead[:2])
            if short and short.arguments:
                self.out.append(self.make(lead[:2], word, (word.after(2),), short.arguments, "glued"))
                return
        if equals:
            self.out.append(self.make(name, word, (word.after(len(name) + 1),), ("",), "equals"))
        elif entry and entry.arguments and not entry.optional:
            self.out.append(self.make(lead, word, self.take(len(entry.arguments)), entry.arguments, "separate"))
        else:
            plain = word.value is not None
            flag = self.make(lead, word, () if plain else (word.after(len(lead)),), () if plain else ("",), "glued")
            self.out.append(flag if entry or not self.is_known else replace(flag, known=False))

    def cluster(self, word: Word, lead: str) -> None:
        """`-xzf name` -> -x, -z, -f name; the first letter that takes a value ends it."""
        if lead in self.entry.index and len(lead) > 2:
            entry = self.entry.index[lead]
            self.note_instead(entry)
            values = self.take(len(entry.arguments)) if not entry.optional else ()
            self.out.append(self.make(lead, word, values, entry.arguments[: len(values)], "separate"))
            return
        at = 0
        while at + 1 < len(lead):
            at += 1
            name = "-" + lead[at]
            found = self.entry.index.get(name)
            if (pair := "-" + lead[at : at + 2]) in self.entry.index and len(pair) == 3:  # wget -mnp
                name, found, at = pair, self.entry.index[pair], at + 1
            if found is None:
                bare = self.entry.index.get("-NUM")
                if bare and lead[at:].isdigit():
                    number = self.make(bare.same or "-NUM", word, (word.after(at),), bare.arguments, "bare")
                    self.out.append(replace(number, start=self.letter(word, at)))
                    return
                rest = "-" + lead[at:]
                self.out.append(Flag(rest, word.start, word.end, (), (), "glued", False))
                return
            self.note_instead(found)
            if found.arguments:
                glued = at + 1 < len(lead) or word.value is None
                if glued:
                    flag = self.make(name, word, (word.after(at + 1),), found.arguments, "glued")
                elif found.optional:
                    flag = self.make(name, word, (), (), "separate")
                else:
                    flag = self.make(name, word, self.take(1), found.arguments, "separate")
                self.out.append(flag if at == 1 else replace(flag, start=self.letter(word, at)))
                return
            start = self.letter(word, at) if len(lead) > 2 else word.start
            end = word.start + at + 1 if self.is_verbatim(word) else word.end
            self.out.append(Flag(name, start, end, (), (), "cluster" if len(lead) > 2 else "separate"))
        if word.value is None:
            self.out.append(Operand(word.after(len(lead)), ""))

    def letter(self, word: Word, at: int) -> int:
        """Where the letter at an index of a cluster stands; the first takes the dash with it."""
        return word.start + at if at > 1 and self.is_verbatim(word) else word.start

    def is_verbatim(self, word: Word) -> bool:
        """Whether its positions are its own, and not those of a text that holds it."""
        return word.text == word.value and word.end - word.start == len(word.text)

    def note_instead(self, entry: FlagEntry | None) -> None:
        self.instead = self.instead or bool(entry and entry.instead)

    def take(self, n: int) -> tuple[Word, ...]:
        taken = self.words[self.at : self.at + n]
        self.at += len(taken)
        return taken

    def bundle(self, word: Word, syntax: str) -> bool:
        """`tar xzf a.tgz`, `ps aux`: letters without a dash; values follow in order."""
        value = word.value
        if not value or self.at != 1 or not all(self.letter_entry(c, syntax) for c in value):
            return False
        self.at += 1
        for at, letter in enumerate(value):
            entry = self.letter_entry(letter, syntax)
            assert entry is not None
            name = "-" + letter if syntax == "tar" else letter
            plain = word.text == value
            start, end = (word.start + at, word.start + at + 1) if plain else (word.start, word.end)
            values = self.take(1) if entry.arguments and not entry.optional else ()
            self.out.append(
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

    def letter_entry(self, letter: str, syntax: str) -> FlagEntry | None:
        return self.entry.index.get("-" + letter if syntax == "tar" else letter)

    # --- operands ----------------------------------------------------------------------------------------------------

    def rest_is_command(self, word: Word, seen: int) -> bool:
        """Where the operands say so, what is left is a command or shell text: xargs, sudo, ssh."""
        spec = self.entry.operands
        if not spec or not spec[-1].startswith(("Command", "Script")):
            return False
        before = len(spec) - 1
        if spec[0].startswith("Assignment"):
            if is_assignment(word):
                return False
        elif seen < before:
            return False
        rest = self.words[self.at :]
        if spec[-1].startswith("Command"):
            self.out.append(Inner(inner_command(rest, self.parse, self.depth, self.find_entry)))
        else:
            self.out.append(InnerScript(rest, self.script(rest)))
        self.type_operands()
        return True

    def script(self, words: tuple[Word, ...]) -> Script | None:
        """Shell text made of words joined by blanks, as ssh and `sh -c` read it."""
        if any(word.value is None for word in words):
            return self.parse_expanding(words)
        if len(words) == 1:
            value, word = words[0].value or "", words[0]
            at = word.text.find(value)
            if at >= 0 and len(word.text) == word.end - word.start:
                return self.parse(value, word.start + at, None, self.depth)
        return self.parse(" ".join(w.value or "" for w in words), 0, (words[0].start, words[-1].end), self.depth)

    def parse_expanding(self, words: tuple[Word, ...]) -> Script | None:
        """Double-quoted shell text with `$x` inside: read with the expansions left as they are written."""
        texts = []
        for word in words:
            for part in word.parts:
                if not isinstance(part, Literal) and not hasattr(part, "text"):
                    return None
                texts.append(getattr(part, "text", ""))
            texts.append(" ")
        return self.parse("".join(texts), 0, (words[0].start, words[-1].end), self.depth)

    def type_operands(self) -> None:
        """Give every operand the type that its place has in the utility's synopsis."""
        places = [i for i, a in enumerate(self.out) if isinstance(a, Operand) and not a.type]
        spec = tuple(kind for kind in self.entry.operands if not kind.startswith(("Command", "Script")))
        types = operand_types(spec[1:] if self.instead else spec, len(places))
        for place, given in zip(places, types, strict=True):
            operand = self.out[place]
            assert isinstance(operand, Operand)
            self.out[place] = Operand(operand.word, given or guess_type(operand.word))

    # --- find, dd, test ----------------------------------------------------------------------------------------------

    def find(self) -> None:
        index = self.entry.index
        in_expression = False
        while self.at < len(self.words):
            word = self.words[self.at]
            value = word.value
            self.at += 1
            if value in FIND_OPERATORS and value is not None:
                in_expression = True
                self.out.append(Operator(value, word.start, word.end))
            elif len(word.lead) > 1 and word.lead[0] == "-":
                entry = index.get(value or "") or self.find_pattern(value or "")
                is_option = bool(FIND_OPTION.fullmatch(value or ""))
                if value in ("-H", "-L", "-P") and self.out and not isinstance(self.out[-1], Flag):
                    entry = None  # these are only known before the paths
                in_expression = in_expression or not is_option or any(isinstance(a, Operand) for a in self.out)
                self.primary(word, value or word.lead, entry)
            else:
                self.out.append(Operand(word, "Path" if not in_expression else "Stray"))

    def find_pattern(self, name: str) -> FlagEntry | None:
        if re.fullmatch(r"-newer[aBcm][aBcmt]", name):
            return FlagEntry((name,), ("DateTime" if name.endswith("t") else "File",))
        if re.fullmatch(r"-O\d", name):
            return FlagEntry((name,))
        return None

    def primary(self, word: Word, name: str, entry: FlagEntry | None) -> None:
        if name in EXEC_FLAGS:
            self.exec_flag(word, name)
            return
        values = self.take(len(entry.arguments)) if entry else ()
        types = entry.arguments[: len(values)] if entry else ()
        flag = self.make(name, word, values, types, "separate")
        self.out.append(flag if entry else replace(flag, known=False))

    def exec_flag(self, word: Word, name: str) -> None:
        """`-exec … \\;` or `-exec … {} +`."""
        start = self.at
        closer = ""
        while self.at < len(self.words):
            value = self.words[self.at].value
            if value == ";" or (value == "+" and self.at > start and self.words[self.at - 1].value == "{}"):
                closer = value
                break
            self.at += 1
        inside = self.words[start : self.at]
        end = self.words[min(self.at, len(self.words) - 1)].end
        if closer:
            self.at += 1
        inner = inner_command(inside, self.parse, self.depth, self.find_entry) if inside else None
        self.out.append(Flag(name, word.start, end, inside, ("Command",), "separate", True, inner, None, closer))

    def assignments(self) -> None:
        for word in self.words[1:]:
            name, equals, _ = word.lead.partition("=")
            if not equals:
                self.at += 1
                plain = re.fullmatch(r"--?\w+", word.value or "")
                self.out.append(Flag(word.lead, word.start, word.end) if plain else Operand(word, guess_type(word)))
                continue
            entry = self.entry.index.get(name)
            flag = self.make(name, word, (word.after(len(name) + 1),), entry.arguments if entry else ("",), "equals")
            self.out.append(flag if entry or not self.is_known else replace(flag, known=False))

    def test(self) -> None:
        while self.at < len(self.words):
            word = self.words[self.at]
            value = word.value or ""
            self.at += 1
            entry = self.entry.index.get(value)
            joins = value == "-a" and bool(self.out) and not isinstance(self.out[-1], Operator)
            if entry and self.at < len(self.words) and not joins:
                self.out.append(self.make(value, word, self.take(1), entry.arguments, "separate"))
            elif TEST_BINARY.fullmatch(value) or value in ("!", "(", ")", "]"):
                self.out.append(Operator(value, word.start, word.end))
            else:
                self.out.append(Operand(word, guess_type(word)))


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
