"""What `sayso fix --hook SHELL` prints: lines that remember the last command and its exit code, and a function `fix`.

Nothing is written to disk: the shell keeps both in variables. bash puts the first candidate into its history (press Up)
and fills the line on Ctrl-x Ctrl-f; zsh fills the next line; fish fills the line on Ctrl-x Ctrl-f. With `--keep-stderr`
(bash and zsh) standard error goes through `apps/stderr_relay.py`, which keeps that of the last command that failed.
"""

from __future__ import annotations

BASH = r"""
# sayso fix: `fix` after a command that failed; Ctrl-x Ctrl-f puts the repair on the line.
__sayso_after() {
  local code=$?
  __sayso_code=$code
  __sayso_line=$(HISTTIMEFORMAT= history 1)
  __sayso_line=${__sayso_line#*[[:digit:]][* ] }
  if declare -F __sayso_close >/dev/null; then __sayso_close; fi
  return $code
}
PROMPT_COMMAND="__sayso_after${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
__sayso_ask() {
  local line=$1 kept=$2
  shift 2
  SAYSO_LAST_COMMAND=$line SAYSO_LAST_EXIT=$__sayso_code SAYSO_LAST_STDERR=$kept @SAYSO@ fix "$@"
}
fix() {
  __sayso_ask "$__sayso_line" "${__sayso_kept-}" --no-menu "$@" || return
  local first
  first=$(__sayso_ask "$__sayso_line" "${__sayso_kept-}" --fill "$@" 2>/dev/null)
  [ -n "$first" ] && history -s "$first"
}
__sayso_fix_line() {
  local first kept=${__sayso_kept-}
  [ -z "$READLINE_LINE" ] || kept= # what was said was said of another line
  first=$(__sayso_ask "${READLINE_LINE:-$__sayso_line}" "$kept" --fill 2>/dev/null)
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
  (( ! $+functions[__sayso_close] )) || __sayso_close
}
typeset -ga preexec_functions precmd_functions
preexec_functions+=(__sayso_before)
precmd_functions=(__sayso_after $precmd_functions)
__sayso_ask() {
  SAYSO_LAST_COMMAND=$__sayso_line SAYSO_LAST_EXIT=$__sayso_code SAYSO_LAST_STDERR=${__sayso_kept-} @SAYSO@ fix "$@"
}
fix() {
  local first
  __sayso_ask --no-menu "$@" || return
  first=$(__sayso_ask --fill "$@" 2>/dev/null)
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

# Programs that read from standard error or draw on it are left alone; so is `fix`.
LEFT_ALONE = (
    "su sudo doas ssh mosh sftp ftp telnet tmux screen vi vim nvim nano emacs less more man info top htop watch fzf "
    "dialog whiptail gdb ipython psql mysql sqlite3 passwd script exec fix"
)
# Left alone where nothing but flags follows: then they talk; `python3 load.py` and `bash -c "…"` run something.
TALKING = "bash sh zsh fish dash ksh python python3 node irb ruby lua perl php R"
# PS0 is expanded once a line was read, in this very shell: what it sets tells the trap that a line begins.
KEEP_BASH = r"""
# Standard error of each command goes through a process of ours, which keeps the last that failed for `fix`.
if [[ $- == *i* && -t 2 && -z $(trap -p DEBUG) ]] && ((BASH_VERSINFO[0] * 10 + BASH_VERSINFO[1] >= 44)); then
  read -r __sayso_tty __sayso_relay __sayso_kept __sayso_answers __sayso_token <<<"$(@SAYSO@ fix --relay $$)"
  __sayso_number=0 __sayso_begins=0 __sayso_open=0 __sayso_ran=0
  PS0="${PS0-}"'${__sayso_token:$((__sayso_begins=1,__sayso_ran=1,0)):0}'
  __sayso_before() {
    local line
    if ((__sayso_begins)); then
      __sayso_begins=0
      line=$(HISTTIMEFORMAT= history 1)
      line=" ${line#*[[:digit:]][* ] } "
      if [[ $line =~ [[:space:]\|\;\&\(](@LEFT@)[[:space:]\|\;\&\)] || $line =~ @ALONE@ ]]; then :
      elif [[ -c $__sayso_tty ]] && kill -0 "$__sayso_relay" 2>/dev/null; then
        exec {__sayso_screen}>&2 2>"$__sayso_tty"
        __sayso_open=1
      fi
    fi
  }
  trap '__sayso_before "$_"; : "$_"' DEBUG
  __sayso_close() {
    local got answers code=$__sayso_code
    ((__sayso_ran)) || return 0
    __sayso_ran=0 __sayso_begins=0
    if ((__sayso_open)); then
      exec 2>&"$__sayso_screen" {__sayso_screen}>&-
      __sayso_open=0
    elif [[ $__sayso_line == fix || $__sayso_line == 'fix '* ]]; then return 0
    else code=0 # nothing is known of it, and what was kept is another's
    fi
    [[ -c $__sayso_tty ]] && kill -0 "$__sayso_relay" 2>/dev/null || return 0
    exec {answers}<>"$__sayso_answers"
    printf '\036%s %d %d\036' "$__sayso_token" $((++__sayso_number)) "$code" >"$__sayso_tty"
    while read -t 1 -r -u "$answers" got; do [[ $got == "$__sayso_number" ]] && break; done
    exec {answers}>&-
  }
fi
"""

KEEP_ZSH = r"""
# Standard error of each command goes through a process of ours, which keeps the last that failed for `fix`.
if [[ -o interactive && -t 2 ]]; then
  read -r __sayso_tty __sayso_relay __sayso_kept __sayso_answers __sayso_token <<<"$(@SAYSO@ fix --relay $$)"
  typeset -gi __sayso_number=0 __sayso_open=0 __sayso_ran=0
  __sayso_divert() {
    __sayso_ran=1
    [[ " $1 " =~ '[[:space:]|;&(](@LEFT@)[[:space:]|;&)]' || " $1 " =~ '@ALONE@' ]] && return 0
    [[ -c $__sayso_tty ]] && kill -0 $__sayso_relay 2>/dev/null || return 0
    exec {__sayso_screen}>&2 2>$__sayso_tty
    __sayso_open=1
  }
  __sayso_close() {
    (( __sayso_ran )) || return 0
    __sayso_ran=0
    local got answers code=$__sayso_code
    if (( __sayso_open )); then
      exec 2>&$__sayso_screen {__sayso_screen}>&-
      __sayso_open=0
    elif [[ $__sayso_next == fix || $__sayso_next == 'fix '* ]]; then return 0
    else code=0 # nothing is known of it, and what was kept is another's
    fi
    [[ -c $__sayso_tty ]] && kill -0 $__sayso_relay 2>/dev/null || return 0
    exec {answers}<>$__sayso_answers
    printf '\036%s %d %d\036' $__sayso_token $((++__sayso_number)) $code >$__sayso_tty
    while read -t 1 -r -u $answers got; do [[ $got == $__sayso_number ]] && break; done
    exec {answers}>&-
  }
  preexec_functions+=(__sayso_divert)
fi
"""

# One of them, flags, and the end of a command.
ALONE = {
    "bash": r"[[:space:]\|\;\&\(](@TALKING@)([[:space:]]+-[^[:space:]]*)*[[:space:]]*([\|\;\&\)]|$)",
    "zsh": r"[[:space:]|;&(](@TALKING@)([[:space:]]+-[^[:space:]]*)*[[:space:]]*([|;&)]|$)",
}
HOOKS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
KEEPING = {"bash": KEEP_BASH, "zsh": KEEP_ZSH}


def hook(shell: str, program: str, keeps_stderr: bool = False) -> str:
    """The lines for a shell; `program` is how it finds us."""
    text = HOOKS[shell].lstrip("\n") + (KEEPING[shell] if keeps_stderr else "")
    alone = ALONE[shell] if keeps_stderr else ""
    parts = {"@SAYSO@": program, "@ALONE@": alone, "@LEFT@": LEFT_ALONE, "@TALKING@": TALKING}
    for mark, part in parts.items():
        text = text.replace(mark, part if mark in ("@SAYSO@", "@ALONE@") else part.replace(" ", "|"))
    return text
