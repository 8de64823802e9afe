"""`sayso api --spec FILE …`: any API that a description tells of. Only `--send` reaches a server, and it asks first."""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import time
from pathlib import Path

from sayso.apps import conversation, settings
from sayso.apps.cli import api_requests, keyboard, output, proposals
from sayso.apps.cli.parser import whole_number
from sayso.apps.cli.progress import Progress
from sayso.apps.requests import clean, read_request
from sayso.core.errors import MissingPart, UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from sayso.targets.api.specs import Spec


BARE = "\0"
"""What `--check` is without a call."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--spec", metavar="FILE", help="ask the API that this describes: OpenAPI, Swagger or OData metadata"
    )
    parser.add_argument("--list", action="store_true", help="with --spec: its operations, and stop")
    parser.add_argument("--send", action="store_true", help="with --spec: send the request to its server, after asking")
    parser.add_argument(
        "--mock", action="store_true", help="with --spec: serve it on 127.0.0.1, answering with examples"
    )
    parser.add_argument(
        "--port", type=whole_number(0, 65535), default=0, metavar="N", help="with --mock: on this port (a free one)"
    )
    parser.add_argument("--teach", metavar="CALL", help="with --spec: this call answers the request; learn it")


def opened(path: str) -> Spec:
    """The description at a path, made ready; a bar shows how far, where that takes long."""
    from sayso.targets.api.specs import open_api

    progress = Progress()
    try:
        return open_api(Path(path), settings.workspace().cache, progress, taught_file(path))
    finally:
        progress.close()


def taught_file(path: str) -> Path:
    """What was taught lies with the user's data, by where the description lies: many are called openapi.yaml."""
    place = Path(path).resolve()
    name = re.sub(r"[^\w.-]+", "_", place.name)
    digest = hashlib.sha256(os.fsencode(place)).hexdigest()[:12]
    return Path(settings.user_folder("data")) / "taught" / f"{name}-{digest}.jsonl"


def run(args: argparse.Namespace) -> int:
    start = time.perf_counter()
    if args.teach is not None:
        return teach(args)
    spec = opened(args.spec)
    for warning in spec.reader.api.warnings[:5]:
        output.note(output.comment(warning))
    if args.list:
        return listing(spec, args.json)
    if args.mock:
        return mock(spec, args.port)
    if args.check is not None:
        return check(spec, args.check, args.json)
    text = read_request(args.request)
    name = text.split(" ", 1)[0]
    if name in spec.reader.places and (text == name or text[len(name) :].lstrip().startswith("{")):
        return send(spec, text, args.json) if args.send else check(spec, text, args.json, args.shape)
    shape = answered(spec, text, args.k, args.now, args.tz)
    if not shape["abstained"]:
        first = shape["candidates"][0]["text"]
        conversation.keep(conversation.Last(text, first, target=f"{proposals.PREFIX}{Path(args.spec).resolve()}"))
    if args.send and not shape["abstained"] and not shape["missing"]:
        return send(spec, shape["candidates"][0]["text"], args.json)
    if args.json:
        output.print_json({**shape, "seconds": round(time.perf_counter() - start, 4)})
    else:
        print("\n".join(answer_lines(shape, output.colours(settings.load().colour), args.shape)))
    return 0


def answered(spec: Spec, text: str, k: int, now: str = "", zone: str = "") -> dict[str, Any]:
    """The request shape of the JSON interface, with operation, arguments, what is missing and what is wrong."""
    from sayso.core.types import Piece, Request

    clock = api_requests.clock_of(now, zone)
    request = Request(clean(text), (Piece("text", clock.now.astimezone(clock.zone).isoformat(), "now"),))
    system = spec.system
    candidates = system.translator.translate([request], k)[0]
    remarks = system.remarks(request, k)
    rows: list[dict[str, Any]] = []
    for one in candidates:
        risk = spec.calls.risk(one.text)
        rows.append(
            {"text": one.text, "score": one.score, "risk": risk.level, "risky": list(risk.words), "why": list(one.why)}
        )
    return {
        "target": "api",
        "request": text,
        "candidates": rows,
        "abstained": bool(remarks.reason),
        "reason": remarks.reason,
        "question": remarks.question.text if remarks.question else "",
        **remarks.facts,
        "requests": spec.shapes(rows[0]["text"]) if rows else {},
    }


def answer_lines(shape: Mapping[str, Any], coloured: bool, wanted: str) -> list[str]:
    """The request in the shape that was wanted; below it, as comments, what there is to say of it."""
    if shape["abstained"]:
        return [f"# I don't know: {output.comment(shape['reason'])}."]
    first, requests = shape["candidates"][0], shape["requests"]
    notes = [f"about {shape['right']:.0%} of such calls are right, {first['risk']}", *requests.get("said", [])]
    if shape["unused"]:
        notes.append(f"not used: {', '.join(shape['unused'])}")
    notes += [one for one in shape["findings"] if not one.endswith("is missing")]
    if wanted == "call" or wanted not in requests:
        lines = [output.paint(output.visible(first["text"]), output.BOLD, coloured)]
    elif shape["missing"]:
        lines = [f"# {output.comment(first['text'])}"]
    else:
        lines = [
            output.paint(output.visible(line), output.BOLD, coloured) for line in str(requests[wanted]).split("\n")
        ]
        lines.append(f"# {output.comment(first['text'])}")
    lines += [output.paint(f"# {output.comment(note)}", output.DIM, coloured) for note in notes]
    return [*lines, f"# {output.comment(shape['question'])}"] if shape["question"] else lines


def listing(spec: Spec, as_json: bool) -> int:
    rows = spec.listing()
    api = spec.reader.api
    if as_json:
        output.print_json(
            {
                "title": api.title,
                "format": api.format,
                "servers": list(api.servers),
                "operations": rows,
                "warnings": list(api.warnings),
            }
        )
        return 0
    width = min(40, max((len(row["operation"]) for row in rows), default=0))
    for row in rows:
        what = f"{row['summary']} " if row["summary"] else ""
        print(output.visible(f"{row['operation']:<{width}}  {what}({row['method']} {row['path']})"))
    return 0


def check(spec: Spec, call: str, as_json: bool, wanted: str = "") -> int:
    """What is wrong with a call, or with the description where none is given."""
    if call == BARE:
        return check_description(spec, as_json)
    normal = spec.calls.normalise(call)  # raises BadInstruction
    found = spec.check(call)
    shapes = spec.shapes(call)
    if as_json:
        output.print_json(
            {
                "target": "api",
                "call": call,
                "canonical": normal,
                "findings": [one.message for one in found],
                "requests": shapes,
            }
        )
        return 0
    print(output.visible(str(shapes.get(wanted, normal)) if wanted and not found else normal))
    for one in found:
        print(f"# {output.comment(one.message)}")
    return 0


def check_description(spec: Spec, as_json: bool) -> int:
    """What a strict reader would say of the description; it is used all the same."""
    api = spec.reader.api
    found = [*api.warnings, *spec.problems()]
    if as_json:
        output.print_json(
            {"title": api.title, "format": api.format, "operations": len(api.operations), "findings": found}
        )
        return 0
    print(output.visible(f"{api.title}: {api.format}, {len(api.operations)} operations"))
    for one in found:
        print(f"# {output.comment(one)}")
    return 0


def secret_of(name: str) -> str | None:
    """From the environment, else from the keyring where there is one."""
    if value := os.environ.get(name):
        return value
    try:
        import keyring
    except ImportError:
        return None
    try:
        found = keyring.get_password("sayso", name)
    except Exception:  # a keyring may raise anything of its own, with the secret's name in it
        return None
    return found if isinstance(found, str) else None


def host_of(url: str) -> str:
    from urllib.parse import urlsplit

    return urlsplit(url).netloc


def send(spec: Spec, call: str, as_json: bool) -> int:
    """Sends a call after the user said yes; what changes something is asked twice."""
    http = spec.http(call)
    found = spec.check(call)
    if found:
        raise UserError(f"this call is not sent: {found[0].message}", "say the rest of it, or mend the call")
    risk = spec.calls.risk(call)
    if not keyboard.can_ask():
        raise UserError(
            "--send asks before it sends, and there is nobody to ask", "run it in a terminal, or take the curl command"
        )
    lines = [f"{http.method} {http.url}", *(f"{name}: {value}" for name, value in http.headers)]
    lines += [http.body] if http.body is not None else []
    # A description says which variable it wants, and where that goes: a stranger's may want any.
    lines += [f"with the secret in ${secret.variable}, to {host_of(http.url)}" for secret in http.secrets]
    keyboard.say("".join(f"{output.visible(line)}\n" for line in lines))
    if not keyboard.agrees(f"Send this ({risk.level})?", by_default=False):
        output.note("nothing was sent")
        return 0
    if risk.level != "reads" and not keyboard.agrees(f"It {risk.level}. Really send it?", by_default=False):
        output.note("nothing was sent")
        return 0
    answer = spec.send(http, secret_of)
    for one in answer.said:
        output.note(output.comment(one))
    if as_json:
        output.print_json(
            {
                "target": "api",
                "call": call,
                "status": answer.status,
                "type": answer.kind,
                "answer": answer.text,
                "said": list(answer.said),
            }
        )
    else:
        output.note(f"{answer.status} {answer.kind}")
        print(output.visible(answer.text))
    return 0 if answer.status < 400 else 1


def mock(spec: Spec, port: int) -> int:
    from sayso.targets.api.specs import serve_mock

    try:
        import uvicorn
    except ImportError as error:
        raise MissingPart("the mock server needs uvicorn", "pip install 'sayso[api]'") from error
    import socket

    listener = socket.socket()
    listener.bind(("127.0.0.1", port))
    output.note(f"{spec.reader.api.title} on http://127.0.0.1:{listener.getsockname()[1]} (Ctrl-C ends it)")
    config = uvicorn.Config(serve_mock(spec), log_level="warning", server_header=False)
    uvicorn.Server(config).run(sockets=[listener])
    return 0


def teach(args: argparse.Namespace) -> int:
    from sayso.targets.api.specs import teach as taught

    request = read_request(args.request)
    progress = Progress()
    try:
        found = taught(
            Path(args.spec), settings.workspace().cache, taught_file(args.spec), request, args.teach, progress
        )
    finally:
        progress.close()
    if args.json:
        output.print_json({"target": "api", **found})
        return 0
    n = len(found["examples"])
    print(f"# right of {n} taught: {found['right_before']} before, {found['right_after']} after")
    for row in found["examples"]:
        mark = "right" if row["after"] == row["call"] else "still"
        print(f"# {mark}: {output.comment(row['request'])}: {output.comment(row['after'])}")
    for one in found["findings"]:
        print(f"# {output.comment(one)}")
    return 0
