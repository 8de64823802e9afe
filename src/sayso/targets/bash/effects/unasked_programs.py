"""Programs of sed and awk that may run without a question: what is listed here, and nothing else of the language."""

from __future__ import annotations

import itertools
import re

from sayso.targets.bash.effects.awk import READINGS, TOKEN, awk_effect
from sayso.targets.bash.effects.sed import sed_effect

# sed: `5`, `$`, `/x/`, `2,/x/`, `1~2`, then a letter without an argument, or a substitution without w and e.
ADDRESS = r"(?:\d+(?:~\d+)?|\$|/(?P<{0}>(?:[^/\\\n]|\\.)*)/I?)"
SED_COMMAND = re.compile(
    rf"\s*(?:{ADDRESS.format('a')}(?:,(?:{ADDRESS.format('b')}|\+\d+))?)?\s*!?\s*"
    r"(?:[pdqPDnNgGhHx=]|s(?P<mark>[/|,#:@!])(?P<regex>(?:(?!(?P=mark))[^\\\n]|\\.)*)(?P=mark)"
    r"(?:(?!(?P=mark))[^\\\n]|\\.)*(?P=mark)[gpiI\d]*)\s*(?:;|$)"
)
# awk: functions that only compute, and words of the language that start and write nothing.
FUNCTIONS = {
    "length", "substr", "index", "split", "tolower", "toupper", "int", "sprintf", "gsub", "sub", "match", "sqrt",
    "exp", "log", "sin", "cos", "atan2", "rand", "srand", "strftime", "systime", "mktime", "gensub", "asort",
    "asorti", "strtonum", "if", "for", "while",
}  # fmt: skip
FORBIDDEN = {"getline", "system", "close", "fflush", "function", "func", "|", "|&", "@", ">>", "ENVIRON", "PROCINFO"}


def is_plain_sed(program: str) -> bool:
    """`2,5p`, `/x/d`, `s/a/b/g; 1q`"""
    at = 0
    while at < len(program):
        found = SED_COMMAND.match(program, at)
        if found is None or found.end() == at:
            return False
        for part in (found["a"], found["b"], found["regex"]):
            # Whether a mark inside [...] ends the expression depends on the sed.
            if part and part.count("[") != part.count("]"):
                return False
        at = found.end()
    return bool(program.strip()) and sed_effect(program) == "reads"


def is_plain_awk(program: str) -> bool:
    """`{print $1}`, `$3 > 100`, `{n += $2} END {print n}`"""
    if awk_effect(program) != "reads":
        return False
    tokens = [found[0] for found in TOKEN.finditer(READINGS[0].sub(" ", program)) if found.lastgroup != "blank"]
    every = {found[0] for found in TOKEN.finditer(program)}
    if every & FORBIDDEN:
        return False
    calls = {token for token, after in itertools.pairwise(tokens) if after == "(" and re.match(r"[A-Za-z_]", token)}
    return calls <= FUNCTIONS | {"print", "printf", "in", "return", "exit", "else", "do"}
