"""The words of one command while they are read: what is left, what was found, and shell text inside a word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sayso.core.errors import BadInstruction
from sayso.targets.bash.knowledge.utilities import Find, FlagEntry, Utility
from sayso.targets.bash.syntax.tree import MAX_DEPTH, Argument, Command, Flag, Literal, Script, Word

# text, offset of its first character, span to use instead, depth -> script or None
ParseText = Callable[[str, int, tuple[int, int] | None, int], Script | None]
ReadArguments = Callable[[tuple[Word, ...], ParseText, int, Find], tuple[Argument, ...]]

UNKNOWN = Utility("", "", "getopt", (), ())


def utility_name(word: Word) -> str:
    """/bin/find -> "find"; "" where the name is not a plain word."""
    value = word.value
    if value is None:
        return ""
    return value.rsplit("/", 1)[-1] if "/" in value else value


class Reader:
    """Reads the words of one command from left to right into `out`."""

    def __init__(
        self,
        words: tuple[Word, ...],
        entry: Utility | None,
        parse: ParseText,
        depth: int,
        find: Find,
        read: ReadArguments,
    ) -> None:
        self.words = words
        self.entry = entry or UNKNOWN
        self.is_known = entry is not None and entry.syntax != "open"
        self.parse = parse
        self.depth = depth
        self.find_entry = find
        self.read = read
        self.at = 1
        self.out: list[Argument] = []
        self.instead = False

    def make(self, name: str, word: Word, values: tuple[Word, ...], types: tuple[str, ...], style: str) -> Flag:
        end = max(word.end, values[-1].end) if values else word.end
        return self.with_script(Flag(name, word.start, end, values, types, style))

    def with_script(self, flag: Flag) -> Flag:
        if flag.types == ("Script",) and flag.values:
            return replace(flag, script=self.script(flag.values))
        return flag

    def take(self, n: int) -> tuple[Word, ...]:
        taken = self.words[self.at : self.at + n]
        self.at += len(taken)
        return taken

    def note_instead(self, entry: FlagEntry | None) -> None:
        self.instead = self.instead or bool(entry and entry.instead)

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

    def inner(self, words: tuple[Word, ...]) -> Command:
        """The command that this one runs."""
        if self.depth >= MAX_DEPTH:
            message = f"commands that run commands, more than {MAX_DEPTH} levels deep"
            raise BadInstruction(message, offset=words[0].start)
        return Command(
            words[0].start,
            words[-1].end,
            words[0],
            utility_name(words[0]),
            words,
            self.read(words, self.parse, self.depth + 1, self.find_entry),
        )
