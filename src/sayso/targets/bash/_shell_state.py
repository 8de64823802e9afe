"""What a command changes in the shell itself and so in the commands after it: functions, variables, prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.targets.bash._flags import Cause, flag_names
from sayso.targets.bash._tree import Command, Compound, Expansion, Node, Script, children, commands

# Variables that change which programs run.
RUN_BY_NAME = re.compile(
    r"(LD_\w+|DYLD_\w+|(\w*_)?PATH|BASH_ENV|BASH_FUNC\w*|ENV|\w*PAGER|\w*EDITOR|GIT_\w+|LESSOPEN|LESSCLOSE"
    r"|PROMPT_COMMAND|SHELL|BROWSER|PERL5OPT|PERL5LIB|PYTHONSTARTUP|PYTHONWARNINGS|RUBYOPT|NODE_OPTIONS"
    r"|JAVA_TOOL_OPTIONS|RSYNC_RSH)\+?(=|$)"
)
SEARCH_PATH = re.compile(r"(\w*_)?PATH\+?|IFS\+?")
# A prompt runs the substitutions in it; so does a value that is read as one (`${x@P}`).
PROMPT = re.compile(r"PS[0-4]\b")
AS_PROMPT = re.compile(r"@P\}$")
DECLARES = {"export", "declare", "typeset", "local", "readonly"}


def called_functions(script: Script) -> set[str]:
    """Functions that are called as such: what they do was weighed where they are defined.

    `sudo f`, `xargs f` and `sh -c f` run a program of that name, whatever the function is.
    """
    defined = {node.name for node in _functions(script)}
    if not defined:
        return set()
    direct = {id(command) for command in _commands_below(script)}
    return defined - {command.utility for command in commands(script) if id(command) not in direct}


def _functions(node: Node | Script) -> Iterator[Compound]:
    if isinstance(node, Compound) and node.kind == "function":
        yield node
    for child in children(node):
        yield from _functions(child)


def bombs(script: Script) -> Iterator[Cause]:
    """A function that comes back to itself, by whatever way, may start itself without end."""
    calls = {node.name: {command.utility for command in _commands_below(node)} for node in _functions(script)}
    for name in calls:
        reached: set[str] = set()
        ahead = [name]
        while ahead:
            for called in calls.get(ahead.pop(), set()) - reached:
                reached.add(called)
                ahead.append(called)
        if name in reached:
            yield "destroys", f"{name}() calls itself"


def settings(script: Script) -> Iterator[Cause]:
    """`PATH=.; ls`: what a later command is depends on it. Alone it only changes the shell."""
    every = list(commands(script))
    names = [name for command in every for name in _set_by(command)]
    for name in names:
        if RUN_BY_NAME.match(name) and (len(every) > 1 or not SEARCH_PATH.fullmatch(name)):
            yield "unknown", f"{name}="
        elif SEARCH_PATH.fullmatch(name) and len(every) == 1:
            yield "reads", name


def _set_by(command: Command) -> Iterator[str]:
    """The variables that a command sets for those after it."""
    if command.name is None:
        yield from (assignment.name.rstrip("+") for assignment in command.assignments)
    elif command.utility in DECLARES:
        yield from (re.split(r"\+?=", word.lead)[0] for word in command.words[1:] if "=" in word.lead)
    elif command.utility in ("read", "mapfile", "readarray", "unset"):
        yield from (word.value for word in command.words[1:] if word.value)
    elif command.utility == "printf":
        yield from (flag.values[0].value or "" for flag, _ in flag_names(command) if flag.name == "-v" and flag.values)


def _commands_below(node: Node | Script) -> Iterator[Command]:
    if isinstance(node, Command):
        yield node
    for child in children(node):
        yield from _commands_below(child)


def prompts(command: Command) -> Iterator[Cause]:
    """Values that are read as prompts, whose substitutions run."""
    for word in command.words:
        for part in word.parts:
            if isinstance(part, Expansion) and AS_PROMPT.search(part.text):
                yield "unknown", part.text
    given = [a.value for a in command.assignments if a.value and PROMPT.match(a.name)]
    given += [word for word in command.words[1:] if command.utility in DECLARES and PROMPT.match(word.lead)]
    for one in given:
        if re.search(r"\$\(|`", one.value if one.value is not None else "`"):
            yield "unknown", one.text
