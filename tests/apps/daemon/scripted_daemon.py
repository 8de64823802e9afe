"""A real background process whose answers are scripted: run by the tests as a program.

Words such as ASKED_WITHIN=0.5 are seconds of `server` that a test does not want to wait for in full.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from typing import Any

from sayso.apps.daemon import server
from sayso.apps.daemon.__main__ import main
from sayso.core.errors import BadBundle


def answering(question: Mapping[str, Any]) -> dict[str, Any]:
    text = str(question.get("text", ""))
    word, _, value = text.partition(" ")
    if word == "sleep":
        time.sleep(float(value))
    elif word == "refuse":
        raise BadBundle("weights.bin is cut short", "install sayso again")
    elif word == "break":
        raise ZeroDivisionError("a bug")
    elif word == "die":
        os._exit(9)
    return {"echo": text, "pid": os.getpid()}


if __name__ == "__main__":
    descriptors = []
    for word in sys.argv[1:]:
        name, _, seconds = word.partition("=")
        if seconds:
            assert isinstance(getattr(server, name), float)
            setattr(server, name, float(seconds))
        else:
            descriptors.append(word)
    sys.exit(main(descriptors, answering))
