"""The Bash target and its task, as values."""

from __future__ import annotations

from sayso.core.types import Target, Task
from sayso.targets.bash import language
from sayso.targets.bash._cookbook import default_system
from sayso.targets.bash._released import SYSTEMS as RELEASED
from sayso.targets.bash.corpus import load
from sayso.targets.bash.execute import run
from sayso.targets.bash.metrics import metrics

BASH = Target(
    name="bash",
    normalise=language.normalise,
    template=language.template,
    split=language.split,
    join=language.join,
    risk=language.risk,
    check=language.check,
    explain=language.explain,
    run=run,
)

COMMAND = Task(
    name="bash/command",
    target=BASH,
    load=load,
    metrics=metrics,
    systems={"default": default_system, "cookbook": default_system, **RELEASED},
)
