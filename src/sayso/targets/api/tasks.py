"""The api target and its tasks, as values: six of Okapi, four of SCAN, described APIs, requests of our own."""

from __future__ import annotations

from sayso.core.types import Target, Task, nothing_absent
from sayso.targets.api import language, offers
from sayso.targets.api.corpus.described import loaders as described_loaders
from sayso.targets.api.corpus.elsewhere import DRAWN, cluster_of, stand_elsewhere
from sayso.targets.api.corpus.free import load_free
from sayso.targets.api.corpus.okapi import loaders
from sayso.targets.api.corpus.strangers import load_strangers
from sayso.targets.api.execute import run
from sayso.targets.api.metrics import (
    absent,
    described_metrics,
    described_own,
    free_metrics,
    no_server,
    okapi_metrics,
    scan_metrics,
    strangers_metrics,
)
from sayso.targets.api.systems.induced import SYSTEMS as GRAMMARS
from sayso.targets.api.systems.shipped import SYSTEMS as PARSERS
from sayso.targets.api.systems.shipped import open_any_domain

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
    draft=language.drafts,
    answered_by="api/free",
    openers={"induced": offers.open_grammar, "api-parser": offers.open_parser},
    corpora={"okapi": offers.count_okapi},
    made_from={"spec": offers.target_of_spec},
)

FREE = Task(
    name="api/free",
    target=API,
    load=load_free,
    metrics=free_metrics,
    systems={"default": open_any_domain},
    absent=absent,
)

STRANGERS = Task(
    name="api/strangers",
    target=API,
    load=load_strangers,
    metrics=strangers_metrics,
    systems={"default": open_any_domain},
    absent=absent,
)

PAPERS = {
    f"api/{name}": Task(
        name=f"api/{name}",
        target=API,
        load=load,
        metrics=scan_metrics if name.startswith("scan-") else okapi_metrics,
        # A grammar where it is sure, else the parser: for Okapi no grammar ever is, for SCAN every one.
        systems={"default": GRAMMARS[name] if name in GRAMMARS else PARSERS[name]},
        absent=nothing_absent if name.startswith("scan-") else absent,
        slices=stand_elsewhere(name),
        cluster=cluster_of(name),
        drawn=DRAWN.get(name.partition("-")[0], "examples"),
    )
    for name, load in loaders().items()
}

DESCRIBED = {
    f"api/{name}": Task(
        name=f"api/{name}",
        target=API,
        load=load,
        metrics=described_own if name == "own-specs" else described_metrics,
        systems={"default": offers.open_described},
        absent=no_server if name == "own-specs" else nothing_absent,
    )
    for name, load in described_loaders().items()
}

TASKS = {FREE.name: FREE, STRANGERS.name: STRANGERS, **PAPERS, **DESCRIBED}
