"""`sayso completion bash|zsh|fish`: commands, actions, options and the words they take, from the parsers themselves."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from sayso.apps.cli import output
from sayso.apps.cli.names import ASKED
from sayso.apps.cli.outline import Option, Place, places

WHERE = {
    "bash": "~/.local/share/bash-completion/completions/sayso",
    "zsh": "a folder of $fpath, as _sayso",
    "fish": "~/.config/fish/completions/sayso.fish",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=list(WHERE), metavar="SHELL", help="bash, zsh or fish")
    parser.epilog = (
        "Prints the lines. Examples: `sayso completion bash > ~/.local/share/bash-completion/completions/sayso`; "
        "in ~/.zshrc, behind compinit, `source <(sayso completion zsh)`; "
        "`sayso completion fish > ~/.config/fish/completions/sayso.fish`. What is not known, such as a file's name, "
        "the shell completes as it always does."
    )
    parser.add_argument(
        "--names", choices=list(ASKED), metavar="OF", help="names of this kind, as the lines ask for them"
    )
    parser.add_argument("--typed", default="", metavar="LINE", help="with --names: what stands on the line")


def run(args: argparse.Namespace) -> int:
    if args.names:  # what the lines ask for when a name is wanted
        print("\n".join(ASKED[args.names](args.typed.split())))
        return 0
    text = SCRIPTS[args.shell](list(places()))
    if args.json:
        output.print_json({"shell": args.shell, "write_to": WHERE[args.shell], "script": text})
    else:
        print(text, end="")
    return 0


def bash(found: list[Place]) -> str:
    def typed(one: Place | Option, words: str) -> str:
        asking = f'" $(sayso completion bash --names {quoted(one.asked)} --typed="${{COMP_WORDS[*]}}" 2> /dev/null)"'
        return f"words={quoted(words)}{asking if one.asked else ''} ;;"

    arms = [f"    {quoted(' '.join(one.words))}) {typed(one, ' '.join(words_behind(one)))}" for one in found]
    values = [f"    {quoted(key)}) {typed(option, ' '.join(option.values))}" for key, option in valued(found)]
    return filled(BASH, found, "\n".join(arms), "\n".join(values), " ".join(commands(found)))


def zsh(found: list[Place]) -> str:
    def described(pairs: list[tuple[str, str]]) -> str:
        return " ".join(quoted(f"{word.replace(':', chr(92) + ':')}:{short(said)}") for word, said in pairs)

    def typed(one: Place | Option, pairs: list[tuple[str, str]]) -> str:
        asking = f' ${{(f)"$(sayso completion zsh --names {quoted(one.asked)} --typed="$words" 2> /dev/null)"}}'
        return f"known=({described(pairs)}{asking if one.asked else ''}) ;;"

    arms = [f"    {quoted(' '.join(one.words))}) {typed(one, explained(one))}" for one in found if explained(one)]
    values = [
        f"    {quoted(key)}) {typed(option, [(value, '') for value in option.values])}" for key, option in valued(found)
    ]
    names = [(one.words[0], one.summary) for one in found if len(one.words) == 1]
    return filled(ZSH, found, "\n".join(arms), "\n".join(values), described(names))


def fish(found: list[Place]) -> str:
    lines = ["# sayso: what can be typed after it (made by `sayso completion fish`)", "complete -c sayso -e"]
    lines.append(f"complete -c sayso -n __fish_use_subcommand -f -a help -d {quoted_in_fish(HELP)}")
    helped = quoted_in_fish(" ".join(commands(found)))
    lines.append(f"complete -c sayso -n '__fish_seen_subcommand_from help' -f -a {helped}")
    for one in found:
        first, *rest = one.words
        if not rest:
            said = quoted_in_fish(short(one.summary))
            lines.append(f"complete -c sayso -n __fish_use_subcommand -f -a {first} -d {said}")
        seen = f"__fish_seen_subcommand_from {first}" + (f"; and __fish_seen_subcommand_from {rest[0]}" if rest else "")
        names = [name for name, _ in one.actions]
        for name, summary in one.actions:
            unseen = f"{seen}; and not __fish_seen_subcommand_from {' '.join(names)}"
            lines.append(f"complete -c sayso -n '{unseen}' -f -a {name} -d {quoted_in_fish(short(summary))}")
        if one.values or one.asked:
            lines.append(f"complete -c sayso -n '{seen}' -f -a {known_in_fish(one)}")
        for option in one.options:
            flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
            # A system may also be a file: only what the parser itself lists is all that there is.
            only = "-x" if option.action.choices else "-r"
            taking = f" {only} -a {known_in_fish(option)}" if option.values or option.asked else ""
            taking = taking or (" -r" if option.takes_value else "")
            lines.append(f"complete -c sayso -n '{seen}' {flags}{taking} -d {quoted_in_fish(short(told(option)))}")
    return "\n".join([*lines, ""])


HELP = "what a command does, and its options"
SCRIPTS: dict[str, Callable[[list[Place]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}


def filled(script: str, found: list[Place], arms: str, values: str, names: str) -> str:
    acting = "|".join(one.words[0] for one in found if one.actions)
    parts = {"@ARMS@": arms, "@VALUES@": values, "@COMMANDS@": names, "@ACTING@": acting, "@HELP@": HELP}
    for mark, text in parts.items():
        script = script.replace(mark, text)
    return script.lstrip("\n")


def commands(found: list[Place]) -> list[str]:
    return [one.words[0] for one in found if len(one.words) == 1]


def words_behind(one: Place) -> list[str]:
    return [word for word, _ in explained(one)]


def explained(one: Place) -> list[tuple[str, str]]:
    """(word, what it does) for all that may follow; of two spellings of a flag the longer."""
    options = [(max(option.flags, key=len), told(option)) for option in one.options]
    return [*one.actions, *((value, "") for value in one.values), *options]


def valued(found: list[Place]) -> list[tuple[str, Option]]:
    """("eval --split", the option): those whose values are known."""
    return [
        (f"{' '.join(one.words)} {flag}", option)
        for one in found
        for option in one.options
        if option.values or option.asked
        for flag in option.flags
    ]


def told(option: Option) -> str:
    return (option.action.help or "").replace("%(default)s", str(option.action.default)).replace("%%", "%")


def short(text: str) -> str:
    """One line that fits beside a word."""
    line = " ".join(text.split()).partition("; ")[0]
    return line if len(line) <= 70 else f"{line[:69]}…"


def quoted(text: str) -> str:
    """For bash and zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def known_in_fish(one: Place | Option) -> str:
    asking = f'(sayso completion fish --names "{one.asked}" --typed=(commandline -cp) 2> /dev/null)'
    return quoted_in_fish(" ".join([*one.values, *([asking] if one.asked else [])]))


def quoted_in_fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


# Options may stand before a command; the first word that is none is the command, the next may be its action.
BASH = r"""
# sayso: what can be typed after it (made by `sayso completion bash`)
_sayso() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words='' place='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ ${COMP_WORDS[at]} == -* ]] && continue
    case $place in
    '') place=${COMP_WORDS[at]} ;;
    @ACTING@) place="$place ${COMP_WORDS[at]}" ;;
    esac
  done
  case "$place $previous" in
@VALUES@
    *)
    case $place in
    '') words='@COMMANDS@ help --help --version' ;;
    help) words='@COMMANDS@' ;;
@ARMS@
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _sayso sayso
"""

ZSH = r"""
#compdef sayso
# sayso: what can be typed after it (made by `sayso completion zsh`)
_sayso() {
  local previous=${words[CURRENT-1]} place='' one
  local -a typed=("${(@)words[2,CURRENT-1]}")
  for one in $typed; do
    [[ $one == -* ]] && continue
    case $place in
    '') place=$one ;;
    (@ACTING@)) place="$place $one" ;;
    esac
  done
  local -a known
  case "$place $previous" in
@VALUES@
    *)
    case $place in
    '') known=(@COMMANDS@ 'help:@HELP@') ;;
    help) known=(@COMMANDS@) ;;
@ARMS@
    esac ;;
  esac
  (( $#known )) && _describe sayso known || _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
compdef _sayso sayso
"""
