"""Which programs a command calls that a machine may lack, and the package that has each where it is known."""

from __future__ import annotations

import re

from sayso.core.errors import BadInstruction
from sayso.english.constants import word_set
from sayso.targets.bash.repair.scene import BUILTINS
from sayso.targets.bash.repair.spelling import table
from sayso.targets.bash.request.called_tools import called_words
from sayso.targets.bash.review.check import functions_in
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import commands

MORE_BUILTINS = word_set(
    """
    : . [ [[ bind break builtin caller compgen complete compopt continue coproc disown enable fc if for while until case
    function select logout mapfile readarray shopt suspend typeset then else elif fi do done esac in
    """
)
ENGLISH = word_set(
    """
    age units dot display info batch indent black http finger compress composer glances toilet uuid host time file tree
    screen at sensors stress open service convert identify import join split
    """
)
"""Names of tools that are words: "with age over a week" says to use nothing."""
PROGRAM = re.compile(r"[A-Za-z0-9_][\w.+@-]*")


def programs_called(text: str) -> dict[str, str]:
    """Program → its package, "" where nobody has told: "ls | fuser c" -> {"ls": "", "fuser": "psmisc"}

    None of what the shell does itself, the command defines, or is given by its path.
    """
    try:
        script = parse(text)
    except BadInstruction:
        return {}
    names = [one.name.value for one in commands(script) if one.name is not None and one.name.value]
    own = {*BUILTINS, *MORE_BUILTINS, *(one.name for one in functions_in(script))}
    packages = table()["packages"]
    return {
        name: packages.get(name, "") for name in dict.fromkeys(names) if name not in own and PROGRAM.fullmatch(name)
    }


def packages_named(request: str) -> dict[str, str]:
    """Program → its package, of those that a request says to use: "trim a.mp3 with sox" -> {"sox": "sox"}"""
    packages = table()["packages"]
    return {
        word: packages[word]
        for _, word, is_cued in called_words(request)
        if is_cued and word in packages.keys() - ENGLISH
    }
