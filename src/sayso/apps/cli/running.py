"""Run a command in the user's own shell and folder: only after a question, and a default of No.

`--yes`, and Enter for Yes, are for commands of which every word is on a list (`Target.unasked`).
"""

from __future__ import annotations

import os

from sayso.apps import settings
from sayso.apps.cli import keyboard
from sayso.apps.cli.marks import MISSING
from sayso.apps.cli.output import comment, risk_of
from sayso.apps.cli.unseen import refuse_unseen
from sayso.core.errors import MissingPart, UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# Shells that read what candidates are written in; for others (fish, csh, dash) bash is taken.
READ_BASH = ("bash", "zsh", "ksh", "mksh")


def asks(one: Mapping[str, Any], yes: bool = False) -> bool:
    """Whether somebody has to be asked. `yes` answers for commands that read and are on the list, and for no other."""
    return not (yes and not why_asked(one))


def why_asked(one: Mapping[str, Any]) -> str:
    """Why this very text must not run by itself; "" where it may. Looked at here, whoever made the candidate."""
    from sayso.targets import find_target

    if one["risk"] != "reads":
        return f"it {does(one)}"
    return find_target("bash").unasked(one["text"])


def may_run(one: Mapping[str, Any], yes: bool = False) -> bool:
    """Whether the user wants it, who has seen it; UserError where nobody can be asked, something is to be filled in, or
    not all of it is seen."""
    refuse_unseen(one["text"])
    if missing := ", ".join(unsaid(one)):
        raise UserError(
            f"{missing} stands for what the request did not say", "name it in the request, or edit the command"
        )
    why = why_asked(one)
    if yes and not why:
        return True
    if not keyboard.can_ask():
        cure = "read the command, then run it yourself" if why else "add --yes"
        raise UserError(f"there is no terminal to ask in before this runs ({why or f'it {does(one)}'})", cure)
    question = f"it {does(one)}: run it?" if one["risk"] != "reads" else f"{why}: run it?" if why and yes else "run it?"
    return keyboard.agrees(question, by_default=not why)


def unsaid(one: Mapping[str, Any]) -> list[str]:
    """Placeholders of a candidate that nobody has filled in: ["FILE"]"""
    return [reason.removeprefix(MISSING) for reason in one.get("why", ()) if reason.startswith(MISSING)]


def does(one: Mapping[str, Any]) -> str:
    """ "destroys (rm -rf)" """
    return comment(risk_of({**one, "risk": "may do anything"} if one["risk"] == "unknown" else one))


def shell() -> str:
    own = settings.personal("SHELL")
    return own if os.path.basename(own) in READ_BASH else "bash"  # noqa: PTH119


def run_in_shell(command: str) -> int:
    """The exit code, as a shell would tell it. Ctrl-C goes to the command, and we wait for what it makes of it."""
    import signal
    import subprocess

    from sayso.core.silence import as_found

    # A handler, unlike SIG_IGN, is not handed on to the command.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        code = subprocess.call([shell(), "-c", command], env=as_found())
    except OSError as error:
        raise no_shell(error) from error
    finally:
        signal.signal(signal.SIGINT, before)
    return 128 - code if code < 0 else code


def no_shell(error: OSError) -> MissingPart:
    return MissingPart(f"{shell()} cannot be started: {error.strerror}", "set SHELL to your shell")


def run_captured(command: str) -> dict[str, Any]:
    """The same without a terminal, for --json: what it printed and how it ended."""
    import subprocess

    from sayso.core.silence import as_found

    try:
        done = subprocess.run(
            [shell(), "-c", command], stdin=subprocess.DEVNULL, capture_output=True, check=False, env=as_found()
        )
    except OSError as error:
        raise no_shell(error) from error
    code = 128 - done.returncode if done.returncode < 0 else done.returncode
    out, err = (stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr))
    return {"exit_code": code, "stdout": out, "stderr": err}
