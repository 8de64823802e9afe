"""What a command changes in the shell itself and so in the commands after it: functions, variables, prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.targets.bash.effects.flags import Cause, flag_names
from sayso.targets.bash.syntax.tree import Command, Compound, Expansion, Node, Operand, Script, Word, children, commands

# Variables that change which programs run.
RUN_BY_NAME = re.compile(
    r"(LD_\w+|DYLD_\w+|(\w*_)?PATH|BASH_ENV|BASH_FUNC\w*|ENV|\w*PAGER|\w*EDITOR|GIT_\w+|LESSOPEN|LESSCLOSE"
    r"|PROMPT_COMMAND|SHELL|BROWSER|PERL5OPT|PERL5LIB|PYTHONSTARTUP|PYTHONWARNINGS|RUBYOPT|NODE_OPTIONS"
    r"|JAVA_TOOL_OPTIONS|RSYNC_RSH)\+?(=|$)"
)
# What programs read besides their words carries options, files to write and programs to run: TAR_OPTIONS, PIP_LOG,
# MANOPT. These are known to change only how something is shown.
HARMLESS = re.compile(
    r"(LC_\w+|LANG|LANGUAGE|TZ|COLUMNS|LINES|TERM|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|FORCE_COLOR|GREP_COLORS?|LS_COLORS"
    r"|BLOCK_SIZE|BLOCKSIZE|DU_BLOCK_SIZE|DF_BLOCK_SIZE|LS_BLOCK_SIZE|TIME_STYLE|QUOTING_STYLE|POSIXLY_CORRECT"
    r"|POSIX_ME_HARDER|TIMEFORMAT|DEBIAN_FRONTEND|BC_LINE_LENGTH|SYSTEMD_COLORS|SYSTEMD_LESS)\+?(=|$)"
)
# Names that programs read, where they may be exported already.
CARRIES = re.compile(
    r"\w*_(OPTIONS|OPTS|OPT|LOG|TRACE\w*|CONFIG|CONFIG_HOME|HOME|RC|ARGS|FLAGS)|\w*RC|LESS\w*|MANOPT|HOME"
    r"|XDG_\w+|PIP_\w+|GREP_OPTIONS|MALLOC_\w+|SHELLOPTS|BASHOPTS|BASH_XTRACEFD|ZIPOPT|UNZIP|GZIP|POSIXLY_\w+"
    r"|(\w+_)?(PROXY|proxy)|TMPDIR|HISTFILE|DOCKER_\w+|KUBECONFIG|SSH_\w+|PYTHON\w+|PERL\w+|NPM_\w+|npm_\w+"
    r"|CARGO_\w+|RIPGREP_CONFIG_PATH|FZF_\w+|SYSTEMD_\w+|OPENSSL_\w+|CURL_\w+"
)
# Built-ins that start no program: what is set before them reaches nobody.
STARTS_NOTHING = {
    ":", "[", "break", "cd", "continue", "dirs", "echo", "exit", "export", "false", "getopts", "hash", "jobs", "kill",
    "let", "local", "mapfile", "popd", "printf", "pushd", "pwd", "read", "readarray", "readonly", "return", "set",
    "shift", "shopt", "test", "times", "true", "type", "typeset", "ulimit", "umask", "unset", "wait", "declare",
}  # fmt: skip
TAKES_LATER = re.compile(r"-[a-zA-Z]*k[a-zA-Z]*|keyword")
EXPORTS_ALL = re.compile(r"-[a-zA-Z]*[ak][a-zA-Z]*|allexport|keyword")
SEARCH_PATH = re.compile(r"(\w*_)?PATH\+?|IFS\+?")
# A prompt runs the substitutions in it; so does a value that is read as one (`${x@P}`).
PROMPT = re.compile(r"PS[0-4]\b")
AS_PROMPT = re.compile(r"@P\}$")
SETS_FOR_ONE = {"env", "sudo", "doas"}
DECLARES = {"export", "declare", "typeset", "local", "readonly"}


def sets_by_name(name: str) -> bool:
    """Whether programs take more than text from a variable of this name."""
    return RUN_BY_NAME.match(name) is not None or CARRIES.fullmatch(name) is not None


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
    yield from _carried(every)
    names = [name for command in every for name in _set_by(command)]
    for name in names:
        if RUN_BY_NAME.match(name) and (len(every) > 1 or not SEARCH_PATH.fullmatch(name)):
            yield "unknown", f"{name}="
        elif SEARCH_PATH.fullmatch(name) and len(every) == 1:
            yield "reads", name


def _carried(every: list[Command]) -> Iterator[Cause]:
    """Variables that reach a program, which may take options from them: set before it, exported, or exported before."""
    starts = [one for one in every if one.name is not None and one.utility not in STARTS_NOTHING]
    if not starts:
        return
    exports_all = any(
        one.utility == "set" and any(EXPORTS_ALL.fullmatch(word.value or "") for word in one.words[1:]) for one in every
    )
    for command in every:
        if command.utility == "set" and any(TAKES_LATER.fullmatch(word.value or "") for word in command.words[1:]):
            yield "unknown", "set -k"
        if command.name is None:
            names = [one.name.rstrip("+").partition("[")[0] for one in command.assignments]
            doubtful = [name for name in names if exports_all or CARRIES.fullmatch(name)]
        elif command.utility in SETS_FOR_ONE:
            doubtful = [re.split(r"\+?=", word.lead)[0] for word in _settings_of(command)]
        elif command.utility in DECLARES:
            exports = command.utility == "export" or any("x" in (word.value or "") for word in _flags_of(command))
            names = [re.split(r"\+?=", word.lead)[0] for word in command.words[1:] if word.lead[:1] != "-"]
            doubtful = [name for name in names if exports or exports_all or CARRIES.fullmatch(name)]
        else:
            doubtful = [name for name in _set_by(command) if CARRIES.fullmatch(name)]
        if command.name is not None and command.utility not in STARTS_NOTHING:
            doubtful += [one.name.rstrip("+") for one in command.assignments]
        yield from (("unknown", f"{name}=") for name in doubtful if not HARMLESS.fullmatch(name))


def _settings_of(command: Command) -> Iterator[Word]:
    """`env A=1 B=2 ls` -> A=1, B=2"""
    for argument in command.arguments:
        if isinstance(argument, Operand) and re.match(r"[A-Za-z_][\w%]*=", argument.word.lead):
            yield argument.word


def _flags_of(command: Command) -> Iterator[Word]:
    yield from (word for word in command.words[1:] if word.lead[:1] == "-")


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
