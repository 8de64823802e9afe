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
  SAYSO_LAST_COMMAND=$__sayso_line SAYSO_LAST_EXIT=$__sayso_code sayso fix --no-menu "$@" || return
  local first
  first=$(SAYSO_LAST_COMMAND=$__sayso_line SAYSO_LAST_EXIT=$__sayso_code sayso fix --fill "$@" 2>/dev/null)
  [ -n "$first" ] && history -s "$first"
}
__sayso_fix_line() {
  local first
  first=$(SAYSO_LAST_COMMAND=${READLINE_LINE:-$__sayso_line} SAYSO_LAST_EXIT=$__sayso_code sayso fix --fill 2>/dev/null)
  [ -n "$first" ] && READLINE_LINE=$first READLINE_POINT=${#first}
}
if [[ $- == *i* ]]; then bind -x '"\C-x\C-f": __sayso_fix_line' 2>/dev/null; fi
"""

ZSH = r"""
# sayso fix: `fix` after a command that failed puts the repair on the next line; it is not run.
__sayso_before() { __sayso_next=$1 }
__sayso_after() { __sayso_code=$?; __sayso_line=$__sayso_next }
typeset -ga preexec_functions precmd_functions
preexec_functions+=(__sayso_before)
precmd_functions=(__sayso_after $precmd_functions)
fix() {
  local first
  SAYSO_LAST_COMMAND=$__sayso_line SAYSO_LAST_EXIT=$__sayso_code sayso fix --no-menu "$@" || return
  first=$(SAYSO_LAST_COMMAND=$__sayso_line SAYSO_LAST_EXIT=$__sayso_code sayso fix --fill "$@" 2>/dev/null)
  [[ -n $first ]] && print -z -- "$first"
}
"""

FISH = r"""
# sayso fix: `fix` after a command that failed; Ctrl-x Ctrl-f puts the repair on the line.
function __sayso_after --on-event fish_postexec
    set -g __sayso_code $status
    string match -q -r '^\s*fix\b' -- $argv[1]; or set -g __sayso_line $argv[1]
end
function fix
    SAYSO_LAST_COMMAND="$__sayso_line" SAYSO_LAST_EXIT="$__sayso_code" sayso fix --no-menu $argv
end
function __sayso_fix_line
    set -l line (commandline)
    test -n "$line"; or set line "$__sayso_line"
    set -l first (SAYSO_LAST_COMMAND="$line" SAYSO_LAST_EXIT="$__sayso_code" sayso fix --fill 2>/dev/null)
    test -n "$first"; and commandline -r -- $first
end
bind \cx\cf __sayso_fix_line
"""

HOOKS = {"bash": BASH.lstrip("\n"), "zsh": ZSH.lstrip("\n"), "fish": FISH.lstrip("\n")}
