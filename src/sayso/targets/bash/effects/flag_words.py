"""Whether a word may become a flag, or several words, in the place where it stands; and patterns that may."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from sayso.targets.bash.effects.flags import Cause
from sayso.targets.bash.effects.held import Held, part_kind
from sayso.targets.bash.effects.takes_more import ENDS_FLAGS, MANY, takes_more
from sayso.targets.bash.syntax.quote import has_braces
from sayso.targets.bash.syntax.tree import Command, Expansion, Flag, Literal, Operand, Operator, Substitution, Word

FIND_ACTS = ("-delete", "-exec", "-execdir", "-ok", "-okdir", "-fls", "-fprint", "-fprint0", "-fprintf")
PATTERN = re.compile(r"[*?\[]")
LITERAL_NAME = re.compile(r"[A-Za-z_]\w*(\[(\d+|@|\*)\])?")


def may_lead_with_dash(word: Word, held: Held) -> bool:
    """Whether its first character is not in sight and may be a dash; what may be empty shows what follows it."""
    for at, part in enumerate(word.parts):
        if isinstance(part, Literal):
            if not part.text:
                continue
            if at and part.text[0] == "-":
                return True
            return not part.quoted and _is_open_pattern(part.text)
        if isinstance(part, Substitution) and part.opener != "$(":
            return False
        kind = part_kind(part, held)
        if kind in (None, "outside"):
            return True
        if isinstance(part, Expansion) and "%" not in part.text:
            return False
    return False


def _is_open_pattern(text: str) -> bool:
    """Whether a name that fits this pattern may begin with a dash."""
    if text[0] == "[":
        inside = text[1 : text.find("]", 2)] if "]" in text else text[1:]
        return inside[:1] in ("!", "^") or "-" in (inside[:1], inside[-1:]) or bool(re.search(r"[!-,]-|:", inside))
    return text[0] in "*?" or text[:2] in ("@(", "+(", "!(")


def splits(word: Word, held: Held) -> bool:
    """Whether it may become several words, or none."""
    return any(
        isinstance(part, (Expansion, Substitution))
        and (not part.quoted or _is_list(part))
        and not (isinstance(part, Substitution) and part.opener != "$(")
        and part_kind(part, held) not in ("number", "plain")
        for part in word.parts
    )


def _is_list(part: Expansion | Substitution) -> bool:
    """`"$@"` and `"${a[@]}"` are several words even where they are quoted."""
    return isinstance(part, Expansion) and bool(re.match(r"\$(@|\{@|\{!?\w+\[@\]|\{!\w+@\})", part.text))


def may_be_flags(command: Command, held: Held) -> Iterator[Cause]:
    """Words of a utility, flags of which write or run something, that may be such flags."""
    name = command.utility
    if not takes_more(name):
        return
    if name in ("test", "["):
        yield from _test_words(command.words[1:], held)
        return
    ended = False
    for argument in command.arguments:
        if isinstance(argument, Operator) and argument.text == "--":
            ended = True
        elif isinstance(argument, Operand):
            if _is_open(argument.word, held, name, ended):
                yield "unknown", f"{argument.word.text} may be a flag"
            ended = ended or name in ENDS_FLAGS
        elif isinstance(argument, Flag) and not argument.inner and not argument.script:
            yield from _open_flag(argument, held, name)


def _is_open(word: Word, held: Held, name: str, ended: bool) -> bool:
    bare = "".join(part.text for part in word.parts if isinstance(part, Literal) and not part.quoted)
    if name in MANY and (splits(word, held) or PATTERN.search(bare) or has_braces(word)):
        return True
    if ended:
        return False
    if has_braces(word) and (word.value is None or re.search(r"\{\W|\.\.\W", bare)):
        return True
    if name == "find" and word.value is not None:
        return bool(PATTERN.search(bare)) and any(fnmatchcase(flag, word.value) for flag in FIND_ACTS)
    if splits(word, held) or may_lead_with_dash(word, held):
        return True
    return word.value is None and word.lead.startswith("-")


def _open_flag(flag: Flag, held: Held, name: str) -> Iterator[Cause]:
    for word in flag.values:
        bare = "".join(part.text for part in word.parts if isinstance(part, Literal) and not part.quoted)
        pattern = name == "find" and word.value is not None and PATTERN.search(bare) is not None
        if splits(word, held) or (pattern and any(fnmatchcase(act, word.value or "") for act in FIND_ACTS)):
            yield "unknown", f"{word.text} may be a flag"


def _test_words(words: Sequence[Word], held: Held) -> Iterator[Cause]:
    """`[ $n -gt 3 ]`: what n holds may be `-v a[$(f)]`, and the subscript is evaluated."""
    for at, word in enumerate(words):
        if splits(word, held):
            yield "unknown", f"{word.text} may be a flag"
        if word.value in ("-v", "-R") and at + 1 < len(words) and not LITERAL_NAME.fullmatch(words[at + 1].value or ""):
            yield "unknown", words[at + 1].text
        after = words[at + 1].value if at + 1 < len(words) else ""
        if word.value is None and (after is None or "[" in after):
            yield "unknown", f"{word.text} may be a flag"


def each_found(command: Command) -> Iterator[Cause]:
    """`find -exec uniq {} +`: the second name is written. Not every -execdir puts `./` before a name."""
    for argument in command.arguments:
        if not isinstance(argument, Flag) or not argument.inner:
            continue
        name = argument.inner.utility
        if argument.closer == "+" and name in MANY:
            yield "unknown", f"{name} {{}} +"
        if argument.name.endswith("dir") and takes_more(name) and any(w.value == "{}" for w in argument.inner.words):
            yield "unknown", f"{argument.name} {name} {{}}"
