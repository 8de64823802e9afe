"""Run inside a network namespace: `silent_machine.py PLAN REPORT` runs commands in turn and records what they send.

The namespace has an interface with a default route, a name server that answers every name with the address of a sink,
and that sink. Everything that is sent, on loopback too, is read from the kernel; nothing is sent further.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

HERE, NAMES, SINK, HERE6 = "192.0.2.2", "192.0.2.53", "192.0.2.80", "2001:db8::2"  # RFC 5737, RFC 3849
SENT = 4  # PACKET_OUTGOING: every packet is seen once, by its sender
PROTOCOLS = {1: "ICMP", 6: "TCP", 17: "UDP", 58: "ICMPv6"}
KERNELS_OWN = (130, 131, 132, 133, 134, 135, 136, 137, 143)  # ICMPv6 that an interface sends by itself


def make_network() -> str:
    """An interface that leads nowhere; "" or why there is none."""
    kinds = (["dummy"], ["veth", "peer", "name", "nowhere"])
    if not any(quietly("ip", "link", "add", "out0", "type", *kind) for kind in kinds):
        return "neither a dummy nor a veth interface can be made"
    quietly("ip", "link", "set", "nowhere", "up")
    quietly("ip", "link", "set", "out0", "addrgenmode", "none")
    needed = [["ip", "link", "set", "lo", "up"], ["ip", "link", "set", "out0", "arp", "off"]]
    needed += [["ip", "addr", "add", f"{address}/24", "dev", "out0"] for address in (HERE, NAMES, SINK)]
    needed += [["ip", "link", "set", "out0", "up"], ["ip", "route", "add", "default", "dev", "out0"]]
    for words in needed:
        if not quietly(*words):
            return f"`{' '.join(words)}` failed"
    if quietly("ip", "-6", "addr", "add", f"{HERE6}/64", "dev", "out0", "nodad"):
        quietly("ip", "-6", "route", "add", "default", "dev", "out0")
    return ""


def quietly(*words: str) -> bool:
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


class Recorder:
    """What was sent and what was looked up, so far."""

    def __init__(self) -> None:
        self.packets: list[str] = []
        self.lookups: list[str] = []
        self.received: list[str] = []
        self.wire = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))  # ETH_P_ALL
        self.wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        self.names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.names.bind((NAMES, 53))
        self.sinks = [socket.create_server((SINK, port)) for port in (80, 443)]
        for work in (self.watch, self.answer_names, *(lambda one=one: self.sink(one) for one in self.sinks)):
            threading.Thread(target=work, daemon=True).start()

    def watch(self) -> None:
        while True:
            packet, (interface, protocol, kind, *_) = self.wire.recvfrom(65535)
            if kind == SENT and (words := in_words(packet, protocol)):
                self.packets.append(f"{interface} {words}")

    def answer_names(self) -> None:
        while True:
            question, asker = self.names.recvfrom(4096)
            name, end = read_name(question)
            self.lookups.append(name)
            is_a = question[end : end + 2] == b"\0\1"
            head = question[:2] + b"\x81\x80\0\1" + (b"\0\1" if is_a else b"\0\0") + b"\0\0\0\0"
            found = b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4" + socket.inet_aton(SINK) if is_a else b""
            self.names.sendto(head + question[12 : end + 4] + found, asker)

    def sink(self, listener: socket.socket) -> None:
        while True:
            caller, _ = listener.accept()
            with caller, contextlib.suppress(OSError):
                caller.settimeout(1)
                self.received.append(repr(caller.recv(200)))


def in_words(packet: bytes, protocol: int) -> str:
    """ "UDP 192.0.2.2:4711 > 192.0.2.53:53"; "" for what an interface sends by itself."""
    if protocol == 0x0800:
        head, number = (packet[0] & 15) * 4, packet[9]
        sender, receiver = (socket.inet_ntop(socket.AF_INET, packet[at : at + 4]) for at in (12, 16))
    elif protocol == 0x86DD:
        head, number = 40, packet[6]
        sender, receiver = (socket.inet_ntop(socket.AF_INET6, packet[at : at + 16]) for at in (8, 24))
        if number == 0:  # multicast reports carry options of their own
            head, number = 40 + (packet[41] + 1) * 8, packet[40]
        if number == 58 and packet[head] in KERNELS_OWN:
            return ""
    else:
        return f"protocol {protocol:#06x}"
    name = PROTOCOLS.get(number, f"protocol {number}")
    if number not in (6, 17):
        return f"{name} {sender} > {receiver}"
    ports = struct.unpack("!HH", packet[head : head + 4])
    return f"{name} {sender}:{ports[0]} > {receiver}:{ports[1]}"


def read_name(question: bytes) -> tuple[str, int]:
    parts, at = [], 12
    while question[at]:
        parts.append(question[at + 1 : at + 1 + question[at]].decode("ascii", "replace"))
        at += question[at] + 1
    return ".".join(parts), at + 1


def tree(folders: list[str]) -> dict[str, Any]:
    """Everything there: path → what changes when it is written."""
    found: dict[str, Any] = {}
    for folder in folders:
        for path in Path(folder).rglob("*"):
            with contextlib.suppress(OSError):
                status = path.lstat()
                found[str(path)] = "folder" if path.is_dir() else [status.st_mtime_ns, status.st_size, status.st_ino]
    return found


def run_step(step: dict[str, Any]) -> dict[str, Any]:
    if step.get("page"):
        return look_at_page(step["words"])
    done = subprocess.run(step["words"], capture_output=True, text=True, input=step.get("input", ""), check=False)
    return {"words": step["words"], "code": done.returncode, "out": done.stdout, "err": done.stderr}


def look_at_page(words: list[str]) -> dict[str, Any]:
    """Start what serves a page on loopback, look at it once, and stop it."""
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    told = json.loads(process.stdout.readline() or "{}")
    if url := told.get("url", ""):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor())
        told["page"] = opener.open(url, timeout=20).read().decode()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    port = url.split("/")[2].split(":")[1] if url else ""
    return {"words": words, "code": process.returncode, "out": told.get("page", ""), "err": err, "port": port}


def main(plan_file: str, report_file: str) -> int:
    plan = json.loads(Path(plan_file).read_text())
    if why := make_network():
        Path(report_file).write_text(json.dumps({"why": why}))
        return 0
    recorder = Recorder()
    before = tree(plan["watched"])
    first, *others = plan["steps"]
    steps = [run_step(first)]
    answered = time.monotonic()
    for step in others:
        time.sleep(max(0.0, answered + step.get("not_before", 0) - time.monotonic()))
        steps.append(run_step(step))
    time.sleep(0.3)  # the last packets are still being read
    after = tree(plan["watched"])
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    report = {
        "steps": steps,
        "packets": recorder.packets,
        "lookups": recorder.lookups,
        "received": recorder.received,
        "changed": changed,
        "seconds": time.monotonic() - answered,
        "cpu": sum(os.times()[:4]),
    }
    Path(report_file).write_text(json.dumps(report))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
