"""What we print, taken by a foreign server: npm's `@stoplight/prism-cli`, which holds every request to the description.

    npm install --ignore-scripts --prefix FOLDER @stoplight/prism-cli
    python -m benchmarks.prism --prism FOLDER --data DATA

For the dev requests of our two specs the first call of the system, where it has no findings and lacks nothing, and
beside it the call that is annotated. Loopback alone; the server is stopped at the end.
"""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from sayso.core.types import Example, Workspace
from sayso.targets import TASKS
from sayso.targets.api.specs.calls import findings, leaves, missing, parse_call
from sayso.targets.api.specs.described import SPECS, api_of_request, brought, own_spec, reader_for
from sayso.targets.api.specs.model import Api
from sayso.targets.api.specs.shapes import http_of, secret_header
from sayso.targets.api.specs.system import clock_of

SECONDS = 60.0
SECRET = "nobody:nothing"


@contextmanager
def serving(prism: Path, spec: Path) -> Iterator[int]:
    """Prism on a free port of loopback."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = int(held.getsockname()[1])
    command = [str(prism), "mock", "--host", "127.0.0.1", "--port", str(port), str(spec)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(port, server)
            yield port
        finally:
            server.terminate()


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    begun = time.monotonic()
    while time.monotonic() - begun < SECONDS and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("prism did not start")


def answered(api: Api, port: int, text: str) -> str:
    """ "taken", or the status with what the server says against the request."""
    call = parse_call(text)
    operation = api.find(call.operation)
    assert operation is not None
    path = urlsplit(api.servers[0]).path.rstrip("/") if api.servers else ""
    request = http_of(replace(api, servers=(f"http://127.0.0.1:{port}",)), operation, call)
    headers = dict(request.headers)
    for secret in request.secrets:
        if found := secret_header(secret, SECRET):
            headers[found[0]] = found[1]
    parts = urlsplit(request.url)
    where = parts.path.removeprefix(path) + (f"?{parts.query}" if parts.query else "")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request(request.method, where, (request.body or "").encode() or None, headers)
        answer = connection.getresponse()
        body = answer.read()
    finally:
        connection.close()
    if answer.status < 300:
        return "taken"
    try:
        told = json.loads(body)
    except ValueError:
        told = {}
    said = told.get("validation") or [{"message": told.get("title", "")}] if isinstance(told, dict) else []
    return f"{answer.status} {'; '.join(str(one.get('message', ''))[:80] for one in said)}".strip()


def printed(example: Example, cache: Path) -> str:
    """The first call where it may go out; "" elsewhere."""
    found = reader_for(*brought(example.request), cache).read(example.request.text, clock_of(example.request), 1)
    if not found or found[0].filled.missing:
        return ""
    return "" if findings(parse_call(found[0].text), found[0].operation) else found[0].text


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prism", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--prism", type=Path, required=True, help="folder that npm installed it into")
    parser.add_argument("--data", type=Path, required=True, help="the folder with the corpora")
    parser.add_argument("--cache", type=Path, default=Path("~/.cache/sayso").expanduser())
    args = parser.parse_args(argv)
    program = args.prism / "node_modules" / ".bin" / "prism"
    if not program.exists():
        print(f"skipped: {program} is not there; npm install --ignore-scripts @stoplight/prism-cli", file=sys.stderr)
        return 3
    asked = [one for one in TASKS["api/own-specs"].load(Workspace(args.data, args.cache), "dev") if one.references]
    for name in SPECS:
        counts: dict[str, Counter[str]] = {"printed": Counter(), "annotated": Counter()}
        with serving(program, own_spec(name)) as port:
            for one in asked:
                if brought(one.request)[1] != name:
                    continue
                api = api_of_request(one.request)
                annotated = parse_call(one.references[0])
                operation = api.find(annotated.operation)
                assert operation is not None
                if not missing(operation, dict(leaves(annotated.arguments, operation.slots))):
                    counts["annotated"][answered(api, port, one.references[0])] += 1
                if text := printed(one, args.cache):
                    counts["printed"][answered(api, port, text)] += 1
                else:
                    counts["printed"]["not sent: findings, or something is missing"] += 1
        print(json.dumps({"spec": name, **{kind: dict(found.most_common()) for kind, found in counts.items()}}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
