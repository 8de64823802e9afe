"""What is sent goes to the description's own server alone, its key is seen nowhere; each failure is a line."""

from __future__ import annotations

import time

import pytest
from tests.targets.api.specs.shop import bad_server

from sayso.core.errors import RunFailed, SaysoError, UserError
from sayso.targets.api.specs.model import Scheme
from sayso.targets.api.specs.sending import MASK, send
from sayso.targets.api.specs.shapes import Http, Secret

KEY = "s3cret-value"
TOKEN = (Secret("SHOP_TOKEN", Scheme("bearer")),)


def keys(name: str) -> str | None:
    return KEY if name == "SHOP_TOKEN" else None


def test_a_key_is_sent_and_masked_in_what_comes_back() -> None:
    with bad_server() as (address, seen):
        answer = send(Http("GET", f"{address}/x", secrets=TOKEN), keys)
    assert answer.status == 200 and KEY not in answer.text and MASK in answer.text
    assert seen[0][2]["Authorization"] == f"Bearer {KEY}"


def test_a_server_that_is_busy_is_asked_again_after_a_while() -> None:
    waits: list[float] = []
    with bad_server() as (address, seen):
        answer = send(Http("GET", f"{address}/busy"), keys, wait=waits.append)
    assert answer.status == 200 and len(seen) == 3 and waits == [0.5, 1.0]
    assert all("tried again" in one for one in answer.said)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_redirect_to_another_host_is_refused(method: str) -> None:
    with bad_server() as (address, seen), pytest.raises(RunFailed, match="another host"):
        send(Http(method, f"{address}/away", secrets=TOKEN), keys)
    assert len(seen) == 1


def test_a_page_of_html_is_said() -> None:
    with bad_server() as (address, _):
        answer = send(Http("GET", f"{address}/html"), keys)
    assert answer.said == ("the server answered with a page of HTML, not with data: is this address right?",)


def test_a_server_that_hangs_is_left() -> None:
    with bad_server() as (address, _), pytest.raises(RunFailed, match="did not answer within"):
        send(Http("GET", f"{address}/hang"), keys, seconds=0.2)


@pytest.mark.parametrize("way", ["drip-headers", "drip-line", "drip-body"])
def test_a_server_that_sends_a_little_now_and_then_is_left_too(way: str) -> None:
    start = time.monotonic()
    with bad_server() as (address, _), pytest.raises(RunFailed, match="did not answer within"):
        send(Http("GET", f"{address}/{way}"), keys, seconds=0.4)
    assert time.monotonic() - start < 2.5


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (Http("GET", "http://shop.example/x", secrets=TOKEN), "unencrypted"),
        (Http("GET", "https://a:b@shop.example/x"), "holds a name or password"),
        (Http("GET", "https://api.example/x"), "names no server"),
        (Http("GET", "http://127.0.0.1:9/x", secrets=(Secret("OTHER", Scheme("key")),)), "OTHER is not set"),
        (Http("GET", "http://127.0.0.1:9/x"), "cannot be asked"),
    ],
)
def test_what_is_not_sent_says_why_without_the_key(request_: Http, says: str) -> None:
    with pytest.raises(SaysoError, match=says) as error:
        send(request_, keys)
    assert KEY not in str(error.value) + error.value.hint
    assert isinstance(error.value, UserError | RunFailed)
