"""Cleaning of scraped commands (NL2Bash §3.2): prompts, `sudo` and the folders of utilities go."""

from __future__ import annotations

import re
from functools import lru_cache

from sayso.core.errors import BadInstruction
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Command, Inner, commands

# "$ ls", "# ls", "% ls", "user@host:~$ ls"; without a blank behind it, `$` begins a variable and `#` a comment.
PROMPT = re.compile(r"(?:[\w.@:~/\[\]-]*[$#]|%)\s+(?=\S)")
FOLDER = re.compile(r"/(?:usr/)?(?:local/)?s?bin/")
CONTINUED = re.compile(r"(?<!\\)\\$")


@lru_cache(maxsize=20_000)
def clean(command: str) -> str:
    r"""'$ sudo /bin/rm -f x \' -> 'rm -f x'; text that is no command loses only its prompt and what follows it."""
    text = command.strip()
    prompt = PROMPT.match(text)
    text = CONTINUED.sub("", text[prompt.end() :] if prompt else text).rstrip()
    try:
        script = parse(text)
    except BadInstruction:
        return text
    cuts = {cut for found in commands(script) for cut in _cuts(found, text)}
    for start, end in sorted(cuts, reverse=True):
        text = text[:start] + text[end:]
    return text


def _cuts(command: Command, text: str) -> list[tuple[int, int]]:
    """The spans to leave out of one command; none where a name stands elsewhere than in the text itself."""
    name = command.name
    if name is None or text[name.start : name.end] != name.text:
        return []
    if command.utility == "sudo":
        inner = [argument.command for argument in command.arguments if isinstance(argument, Inner)]
        return [(name.start, inner[0].start)] if inner else []
    found = FOLDER.match(name.text)
    return [(name.start, name.start + found.end())] if found else []
