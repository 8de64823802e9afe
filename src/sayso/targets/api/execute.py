"""How one call is run: on a service in this process, over rows made for the call; it never touches the network."""

from __future__ import annotations

import time
from importlib.util import find_spec

from sayso.core.errors import MissingPart, RunFailed
from sayso.core.types import Outcome, Request, Sandbox, Unscored

SERVICE = ("odata_query", "sqlalchemy", "starlette")
"""What the service is made of."""


def lacking() -> list[str]:
    """The packages of the service that are not installed."""
    return [name for name in SERVICE if find_spec(name) is None]


def run(call: str, request: Request, sandbox: Sandbox) -> Outcome:
    """The service's JSON; raises MissingPart where it cannot be made, BadInstruction where the call is no request."""
    if without := lacking():
        raise MissingPart(f"an API call runs on a service that needs {', '.join(without)}", "pip install 'sayso[api]'")
    from sayso.targets.api.executed.judge import CLOCKS
    from sayso.targets.api.executed.seeding import seeded
    from sayso.targets.api.requests.odata import query_of, url_of
    from sayso.targets.api.service.app import ROOT, open_service
    from sayso.targets.api.service.calling import client_of
    from sayso.targets.api.service.model import graph_model

    started = time.process_time()
    query = query_of(call, CLOCKS[0])
    rows = seeded(query, graph_model(), CLOCKS[0].now, 0)
    if isinstance(rows, Unscored):
        raise RunFailed(f"no rows can be made for the call: it {rows.reason}", "`sayso explain` says what it asks")
    answer = client_of(open_service(graph_model(), rows)).get(url_of(query, ROOT))
    right = answer.status == 200
    spent = time.process_time() - started
    return Outcome(0 if right else 1, answer.body if right else b"", b"" if right else answer.body, cpu_seconds=spent)
