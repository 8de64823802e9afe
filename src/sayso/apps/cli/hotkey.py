"""`sayso hotkey bash|zsh|fish`: a key that turns the words on the line into a command. It fills the line, no more.

Pressed again on what it filled in, it gives the next candidate; the shell's own undo gives the request back. Where the
answer is "I don't know" the line stays, and pressed again it gives a guess.
"""

from __future__ import annotations

import argparse
import re

from sayso.apps.cli import output
from sayso.core.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

KEYMAPS = ("emacs", "vi")
KEY = re.compile(r"(?:(C)-(?=[a-z])|(M)-)?([a-z0-9])")
# Keys that the terminal or every shell needs for something else.
TAKEN = {
    **{"C-c": "it interrupts", "C-d": "it ends input", "C-z": "it suspends", "C-i": "it is Tab"},
    **dict.fromkeys(("C-m", "C-j"), "it is Enter"),
    **dict.fromkeys(("C-s", "C-q"), "terminals stop and go on by it"),
}
WHERE = {"bash": "~/.bashrc", "zsh": "~/.zshrc", "fish": "~/.config/fish/config.fish"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=list(WHERE), metavar="SHELL", help="bash, zsh or fish")
    parser.add_argument(
        "--key", default="C-g", metavar="KEY", help="C-g (Ctrl-g), M-s (Alt-s), or a sequence: 'C-x s' (C-g)"
    )
    parser.add_argument("--keymap", choices=KEYMAPS, help="bind in this keymap only; both unless given")
    parser.epilog = (
        "Prints lines for the shell's start-up file: `sayso hotkey bash >> ~/.bashrc`, "
        "`sayso hotkey zsh --key M-s >> ~/.zshrc`, `sayso hotkey fish --keymap vi >> ~/.config/fish/config.fish`. "
        "Type what you want in English, press the key, and the line holds the command; press it again for the next "
        "candidate, undo (Ctrl-_, or u in vi's command mode) for your words. The line is never run by it."
    )


def run(args: argparse.Namespace) -> int:
    keymaps = (args.keymap,) if args.keymap else KEYMAPS
    text = SNIPPETS[args.shell](read_keys(args.key), keymaps, program())
    if args.json:
        output.print_json(
            {
                "shell": args.shell,
                "key": args.key,
                "keymaps": list(keymaps),
                "append_to": WHERE[args.shell],
                "snippet": text,
            }
        )
    else:
        print(text, end="")
    return 0


def read_keys(text: str) -> list[tuple[str, str]]:
    """ "C-x s" -> [("C", "x"), ("", "s")]"""
    keys: list[tuple[str, str]] = []
    for word in text.split():
        match = KEY.fullmatch(word)
        if match is None:
            raise UserError(f'"{word}" is no key', "write Ctrl-g as C-g, Alt-s as M-s, two keys as 'C-x s'")
        if word in TAKEN:
            raise UserError(f"{word} cannot be used: {TAKEN[word]}", "choose another key, such as C-g or M-s")
        keys.append((match[1] or match[2] or "", match[3]))
    if not keys or not keys[0][0]:
        raise UserError("a key must begin with Ctrl or Alt, or it could no longer be typed", "such as --key C-g")
    return keys


def program() -> str:
    """How a new shell finds us: by name where PATH has this very program, else by its path."""
    import shlex
    import shutil
    import sys
    from pathlib import Path

    own = Path(sys.argv[0]).absolute()
    found = shutil.which("sayso")
    if found and Path(found).resolve() == own.resolve():
        return "sayso"
    return shlex.quote(str(own)) if own.name == "sayso" and own.is_file() else "sayso"


def bash(keys: Sequence[tuple[str, str]], keymaps: Sequence[str], program: str) -> str:
    sequence = "".join({"C": f"\\C-{key}", "M": f"\\e{key}", "": key}[way] for way, key in keys)
    maps = [name for one in keymaps for name in {"emacs": ["emacs"], "vi": ["vi-insert", "vi-command"]}[one]]
    bound = "\n".join(f"""  bind -m {name} -x '"{sequence}": _sayso_fill'""" for name in maps)
    return BASH.replace("@BIND@", bound).replace("@SAYSO@", program).replace("@FAILED@", FAILED)


def zsh(keys: Sequence[tuple[str, str]], keymaps: Sequence[str], program: str) -> str:
    sequence = "".join({"C": f"^{key.upper()}", "M": f"^[{key}", "": key}[way] for way, key in keys)
    maps = [name for one in keymaps for name in {"emacs": ["emacs"], "vi": ["viins", "vicmd"]}[one]]
    bound = "\n".join(f"  bindkey -M {name} '{sequence}' _sayso_fill" for name in maps)
    return ZSH.replace("@BIND@", bound).replace("@SAYSO@", program).replace("@FAILED@", FAILED)


def fish(keys: Sequence[tuple[str, str]], keymaps: Sequence[str], program: str) -> str:
    sequence = "".join({"C": f"\\c{key}", "M": f"\\e{key}", "": key}[way] for way, key in keys)
    maps = [name for one in keymaps for name in {"emacs": ["default"], "vi": ["insert", "default"]}[one]]
    bound = "\n".join(f"    bind -M {name} {sequence} _sayso_fill" for name in dict.fromkeys(maps))
    return FISH.replace("@BIND@", bound).replace("@SAYSO@", program).replace("@FAILED@", FAILED)


SNIPPETS: dict[str, Callable[[Sequence[tuple[str, str]], Sequence[str], str], str]] = {
    "bash": bash,
    "zsh": zsh,
    "fish": fish,
}

# `sayso bash --fill N` prints what to know of the N-th candidate on its first line, then the candidate itself. Where it
# prints none, the line counts as filled: the next press asks for N + 1.
BASH = r"""
# sayso: a key that turns the words on the line into a command (made by `sayso hotkey bash`)
if [[ $- == *i* && ${BASH_VERSINFO[0]} -ge 4 ]]; then
  _sayso_fill() {
    local both found note
    if [[ -n ${_sayso_filled-} && $READLINE_LINE == "$_sayso_filled" ]]; then
      _sayso_nth=$((_sayso_nth + 1))
    else
      _sayso_said=$READLINE_LINE _sayso_nth=1
    fi
    [[ $_sayso_said == *[![:space:]]* ]] || return 0
    both=$(@SAYSO@ bash --fill "$_sayso_nth" -- "$_sayso_said" 2>/dev/null </dev/null) || both="@FAILED@"
    [[ $both != "@FAILED@" ]] || { printf '%s\n' "$both" >&2; return 0; }
    note=${both%%$'\n'*} found=${both#"$note"} found=${found#$'\n'}
    [[ -z $note ]] || printf '%s\n' "$note" >&2
    [[ -n $found ]] || found=$READLINE_LINE
    _sayso_filled=$found READLINE_LINE=$found READLINE_POINT=${#found}
  }
@BIND@
fi
"""

ZSH = r"""
# sayso: a key that turns the words on the line into a command (made by `sayso hotkey zsh`)
if [[ -o interactive ]]; then
  _sayso_fill() {
    emulate -L zsh
    local both found note
    if [[ -n ${_sayso_filled-} && $BUFFER == "$_sayso_filled" ]]; then
      _sayso_nth=$((_sayso_nth + 1))
    else
      _sayso_said=$BUFFER _sayso_nth=1
    fi
    [[ $_sayso_said == *[![:space:]]* ]] || return 0
    both=$(@SAYSO@ bash --fill "$_sayso_nth" -- "$_sayso_said" 2>/dev/null </dev/null) || both="@FAILED@"
    [[ $both != "@FAILED@" ]] || { zle -M -- "$both"; return 0 }
    note=${both%%$'\n'*} found=${both#"$note"} found=${found#$'\n'}
    zle -M -- "$note"
    [[ -n $found ]] || found=$BUFFER
    _sayso_filled=$found BUFFER=$found CURSOR=${#found}
  }
  zle -N _sayso_fill
@BIND@
fi
"""

FISH = r"""
# sayso: a key that turns the words on the line into a command (made by `sayso hotkey fish`)
if status is-interactive
    function _sayso_fill
        set -l line (commandline -b | string collect)
        if set -q _sayso_filled; and test "$line" = "$_sayso_filled"
            set -g _sayso_nth (math $_sayso_nth + 1)
        else
            set -g _sayso_said "$line"
            set -g _sayso_nth 1
        end
        string match -qr '\S' -- "$_sayso_said"; or return 0
        set -l both (@SAYSO@ bash --fill $_sayso_nth -- "$_sayso_said" 2>/dev/null </dev/null)
        or begin
            printf '\n%s\n' "@FAILED@" >&2
            commandline -f repaint
            return 0
        end
        if test -n "$both[1]"
            printf '\n%s\n' "$both[1]" >&2
            commandline -f repaint
        end
        set -l found (string join \n -- $both[2..-1] | string collect)
        test -n "$found"; or set found "$line"
        set -g _sayso_filled "$found"
        commandline -r -- "$found"
    end
@BIND@
end
"""
FAILED = "sayso failed: run it by hand to see why"
