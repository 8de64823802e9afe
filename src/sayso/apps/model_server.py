"""The user's own model: a server that speaks OpenAI's chat protocol, asked only where `model.url` is set.

It is asked by the process that the user started, never by the one in the background, so that no key is kept there, and
only where sayso itself is not sure. What is sent is the request and nothing else of this machine. The client is
`runs.chat`, as for `--system openai:…`; a deadline around it holds for a server that drips even its headers.
"""

from __future__ import annotations

import threading

from sayso.apps import settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

SURE = 0.9
"""A first candidate as sure as this is not asked about."""
LONGEST = 2_000
"""Characters of a proposal."""


def proposals(
    text: str, answer: Mapping[str, Any], chosen: settings.Settings, note: Callable[[str], None]
) -> list[str]:
    """Commands that the server proposes; none where sayso is sure, refuses, or the server fails, which is noted."""
    found = answer["candidates"]
    if answer.get("reason") or (found and not answer["abstained"] and found[0]["score"] >= SURE):
        return []
    from sayso.core.errors import SaysoError
    from sayso.core.types import Request
    from sayso.runs.chat import ChatTranslator, find_server, said_of

    key = settings.personal("SAYSO_MODEL_KEY")
    try:
        server = find_server(f"{chosen.model_url.rstrip('/')}#{chosen.model_name or 'default'}")
    except SaysoError as error:
        note(f"model.url: {error.message}; answering without it (`sayso config set model.url …`)")
        return []
    if key and not server.may_be_told_secrets:
        note("the key is not sent: model.url is neither https nor this machine")
    heard: list[str] = []
    failed: list[str] = []

    def ask() -> None:
        client = ChatTranslator(server, "bash", key, seconds=chosen.model_seconds)
        try:
            heard.extend(usable(read_texts(client.ask(Request(text)), key)))
        except Exception as error:  # of a server that may send anything; the answer stands without it
            failed.append(said_of(error, key))

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(chosen.model_seconds)
    if thread.is_alive():
        failed.append(f"no answer within {chosen.model_seconds:g} s")
    if failed:
        note(f"your model at {server.host}:{server.port} gave nothing: {failed[0]}")
        return []
    return heard


def read_texts(content: bytes, key: str) -> list[str]:
    from sayso.runs.chat import read_choices

    return [one.text for one in read_choices(content, key)]


def usable(texts: list[str]) -> list[str]:
    """One line each, without a copied prompt; what is longer than any command is none."""
    from sayso.apps.answering import MOST_SAID

    lines = [one.strip().removeprefix("$ ").strip("`").strip() for one in texts]
    return [one for one in lines if one and "\n" not in one and len(one) <= LONGEST][:MOST_SAID]
