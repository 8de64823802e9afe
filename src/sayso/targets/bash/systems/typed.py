"""A request that is itself one command as people type it is its own answer: `ls -la`, `tar -xzf a.tar.gz`.

Only where nothing in it could be English: its tool and flags are known, it has a flag, and no other word beside quotes
is of letters alone ("sort a.txt with -r"). What a line would do must be known as well: a program in quotes
(`awk 'BEGIN{system(…)}'`) may do anything. Anything else is read as every request is.
"""

from __future__ import annotations

import re

from sayso.core.types import Candidate
from sayso.targets.bash.knowledge.utilities import find_utility
from sayso.targets.bash.language import Parsed
from sayso.targets.bash.review.check import findings
from sayso.targets.bash.safety.unasked_deeds import QUOTES
from sayso.targets.bash.syntax.tree import Flag, commands

NO_ENGLISH = re.compile(r"-[\w=,./:+-]+|[A-Za-z]|(?=\S*[^A-Za-z])[\w./~*?@%+=:-]*[\w/~*?.]")
AS_SURE = 0.97
WHY = "as it was typed"


def as_typed(text: str) -> Candidate | None:
    line = text.strip()
    tool, _, rest = line.partition(" ")
    if find_utility(tool) is None or not all(map(NO_ENGLISH.fullmatch, QUOTES.sub(" ", rest).split())):
        return None
    read = Parsed(line)
    parts = list(commands(read.script)) if read.script else []
    if len(parts) != 1 or not any(isinstance(one, Flag) for one in parts[0].arguments):
        return None
    if read.risk.level == "unknown" or findings(line):
        return None
    return Candidate(line, AS_SURE, (WHY,))
