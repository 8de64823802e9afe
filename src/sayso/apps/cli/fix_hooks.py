"""What `sayso fix --hook SHELL` prints: lines that remember the last command and its exit code, and a function `fix`.

Nothing is written to disk: the shell keeps both in variables. bash puts the first candidate into its history (press Up)
and fills the line on Ctrl-x Ctrl-f; zsh fills the next line; fish fills the line on Ctrl-x Ctrl-f.
"""

from __future__ import annotations

BASH = r"""
# sayso fix: `fix` after a command that failed; Ctrl-x Ctrl-f puts the repair on the line.
__sayso_after() {
  local code=$?
  __sayso_code=$code
  __sayso_line=$(HISTTIMEFORMAT= history 1)
  __sayso_line=${__sayso_line#*[[:digit:]][* ] }
  return $code
}
PROMPT_COMMAND="__sayso_after${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
fix() {
  SAYSO_LAST_COMMAND=$__sayso_line SAYSO_LAST_EXIT=$__sayso_code @SAYSO@ fix --no-menu "$@" || return
  local first
  first=$(SAYSO_LAST_COMMAND=$__sayso_line SAYSO_LAST_EXIT=$__sayso_code @SAYSO@ fix --fill "$@" 2>/dev/null)
  [ -n "$first" ] && history -s "$first"
}
__sayso_fix_line() {
  local first line=${READLINE_LINE:-$__sayso_line}
  first=$(SAYSO_LAST_COMMAND=$line SAYSO_LAST_EXIT=$__sayso_code @SAYSO@ fix --fill 2>/dev/null)
  [ -n "$first" ] && READLINE_LINE=$first READLINE_POINT=${#first}
}
if [[ $- == *i* ]]; then
  for __sayso_map in emacs vi-insert vi-command; do bind -m $__sayso_map -x '"\C-x\C-f": __sayso_fix_line'; done
  unset __sayso_map
fi 2>/dev/null
"""

ZSH = r"""
# sayso fix: `fix` after a command that failed puts the repair on the next line; it is not run.
__sayso_before() { __sayso_next=$1 }
__sayso_after() {
  __sayso_said=$?
  [[ $__sayso_next == fix || $__sayso_next == 'fix '* ]] || __sayso_code=$__sayso_said __sayso_line=$__sayso_next
}
typeset -ga preexec_functions precmd_functions
preexec_functions+=(__sayso_before)
precmd_functions=(__sayso_after $precmd_functions)
fix() {
  local first
  SAYSO_LAST_COMMAND=$__sayso_line SAYSO_LAST_EXIT=$__sayso_code @SAYSO@ fix --no-menu "$@" || return
  first=$(SAYSO_LAST_COMMAND=$__sayso_line SAYSO_LAST_EXIT=$__sayso_code @SAYSO@ fix --fill "$@" 2>/dev/null)
  [[ -n $first ]] && print -rz -- "$first"
}
"""

FISH = r"""
# sayso fix: `fix` after a command that failed; Ctrl-x Ctrl-f puts the repair on the line.
function __sayso_after --on-event fish_postexec
    set -l code $status
    if not string match -q -r '^\s*fix\b' -- $argv[1]
        set -g __sayso_code $code
        set -g __sayso_line $argv[1]
    end
end
function fix
    SAYSO_LAST_COMMAND="$__sayso_line" SAYSO_LAST_EXIT="$__sayso_code" @SAYSO@ fix --no-menu $argv
end
function __sayso_fix_line
    set -lx SAYSO_LAST_COMMAND (commandline -b | string collect)
    set -lx SAYSO_LAST_EXIT "$__sayso_code"
    test -n "$SAYSO_LAST_COMMAND"; or set SAYSO_LAST_COMMAND "$__sayso_line"
    set -l first (@SAYSO@ fix --fill 2>/dev/null | string collect)
    test -n "$first"; and commandline -r -- "$first"
end
if status is-interactive
    bind -M default \cx\cf __sayso_fix_line
    bind -M insert \cx\cf __sayso_fix_line
end
"""

HOOKS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def hook(shell: str, program: str) -> str:
    """The lines for a shell; `program` is how it finds us."""
    return HOOKS[shell].lstrip("\n").replace("@SAYSO@", program)
