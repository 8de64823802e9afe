"""Words that turn out to be options where what stands before their dash vanishes: `find $x-delete`, x being empty.

Unquoted, blanks in a variable end the word there (`$IFS-delete`); quoted, an empty one at its head is enough.
"""

from __future__ import annotations

from collections.abc import Iterator

from sayso.targets.bash.syntax.quote import quote
from sayso.targets.bash.syntax.tree import Literal, Operand, Script, Word, commands


def with_options(text: str, script: Script) -> Iterator[str]:
    """The command once more for each word in it that may turn out an option, with that option in its place."""
    for command in commands(script):
        for one in command.arguments:
            if not isinstance(one, Operand) or text[one.word.start : one.word.end] != one.word.text:
                continue
            for option in hidden_options(one.word):
                yield f"{text[: one.word.start]}{quote(option)}{text[one.word.end :]}"


def hidden_options(word: Word) -> Iterator[str]:
    """`$x-delete` -> -delete; nothing for `$x/a-b` and `a"$x-y"`."""
    if word.value is not None:
        return
    empty = True
    for at, part in enumerate(word.parts):
        if isinstance(part, Literal):
            empty = empty and not part.text
            continue
        rest = "".join(one.text if isinstance(one, Literal) else "" for one in word.parts[at + 1 :])
        follows = next((one.text for one in word.parts[at + 1 :] if isinstance(one, Literal) and one.text), "")
        if follows.startswith("-") and (empty or not part.quoted):
            yield rest
