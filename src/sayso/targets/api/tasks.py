"""The api target and its ten tasks, as values."""

from __future__ import annotations

from sayso.core.types import Target, Task
from sayso.targets.api import language
from sayso.targets.api.corpus.okapi import loaders
from sayso.targets.api.execute import run
from sayso.targets.api.metrics import okapi_metrics, scan_metrics
from sayso.targets.api.systems.induced import SYSTEMS as GRAMMARS
from sayso.targets.api.systems.shipped import SYSTEMS as PARSERS

API = Target(
    name="api",
    normalise=language.normalise,
    template=language.template,
    split=language.split,
    join=language.join,
    risk=language.risk,
    check=language.check,
    explain=language.explain,
    run=run,
)

TASKS = {
    f"api/{name}": Task(
        name=f"api/{name}",
        target=API,
        load=load,
        metrics=scan_metrics if name.startswith("scan-") else okapi_metrics,
        # A grammar where it is sure, else the parser: for Okapi no grammar ever is, for SCAN every one.
        systems={"default": GRAMMARS[name] if name in GRAMMARS else PARSERS[name]},
    )
    for name, load in loaders().items()
}
