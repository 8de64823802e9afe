"""Runs commands called `reads` in the sandbox, over files and variables that mean harm, and tells what changed.

Every command gets the same home folder: data, a repository, archives, files named like flags, and variables that hold
flags, programs and subscripts. A batch of commands is one run of the sandbox; after each the folder is compared and,
where it changed, made anew. A program's own log and cache (`.npm`, `.cache`, `.rpmdb`) do not count. What leaves the
machine or ends a process is not seen, since there is no network.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.core.types import FileSpec, Limits, Sandbox

BATCH = 150
SECONDS_EACH = 2
LAB, HOME = "/opt/lab", "/home/user"
# A subscript that is evaluated runs what stands in it.
TRAP = "a[$(touch pwned)0]"
VARIABLES = {
    "x": TRAP,
    "y": "-delete",
    "O1": "-opwned",
    "OPTS": "-o pwned",
    "SEDOPT": "-i",
    "SEDALL": "-i p",
    "SEDPROG": "w pwned",
    "AWKPROG": '{print>"pwned"}',
    "TAROPT": "--index-file=pwned",
    "tarx": "xf t.tar",
    "DATEARG": "2030-01-01",
    "GITOUT": "--output=pwned",
    "gitcmd": "stash",
    "FILEOPT": "-C -m a.txt",
    "ENVSET": "GIT_EXTERNAL_DIFF=./evil.sh",
    "two": "a.txt pwned",
    "new": "pwned",
    "n": "3",
    "d1": "d -delete",
    "lettero": "opwned",
    "longo": "output=pwned",
    "del": "delete",
    "prompt": "$(touch pwned)",
    "V1": "-v",
    "SPLIT": "-Stouch pwned",
    "NICE": "-n 1 touch pwned",
    "TIME": "1 touch pwned",
    "STD": "-oL touch pwned",
    "PFV": "-va[$(touch${IFS}pwned)]",
    "TESTV": "-v a[$(touch${IFS}pwned)]",
}
FILES = {
    "a.txt": "3 x\n1 y\n2 x\n",
    "b.txt": "2 x\n7 z\n",
    "key": "s3cret\n",
    "flags.txt": "-opwned\n",
    "deletes.txt": "-delete\n",
    "tarlist": "--checkpoint=1\n--checkpoint-action=exec=./evil.sh\na.txt\n",
    "evil.num": TRAP + "\n",
    "prog.sed": "w pwned\n",
    "prog.awk": '{print > "pwned"}\n',
    "j.json": '{"a": 1}\n',
    "magic": "0 string x x\n",
    "-opwned": "x\n",
    "d/c.txt": "x\n",
    "d/x -opwned": "x\n",
    "d/-opwned": "x\n",
    "home/.curlrc": "output = /home/user/pwned\n",
    "home/.gitconfig": '[core]\n\tfsmonitor = "touch /home/user/pwned; false"\n',
    "wgetrc": "logfile = /home/user/pwned\n",
}
MAKE = f"""
mkdir -p {LAB} && mv lab/* {LAB}/ && mv {LAB}/files {LAB}/home && cd {LAB}/home
printf '#!/bin/sh\\ntouch {HOME}/pwned\\n' > evil.sh; chmod +x evil.sh; mkdir bin; cp evil.sh bin/ls
mkdir e; tar cf t.tar d a.txt; gzip -c a.txt > z.gz; xz -c a.txt > z.xz; zip -q z.zip a.txt b.txt
bzip2 -c a.txt > z.bz2; zstd -qc a.txt > z.zst; lz4 -qc a.txt > z.lz4; echo a.txt | cpio -o > c.cpio
if command -v git; then
  git init -q . && git config user.email a@b && git config user.name a && git add -f a.txt b.txt && git commit -qm one
  echo 4 >> a.txt; git commit -qam two; echo 5 >> a.txt; git stash -q; git status
fi
cd {HOME}
"""
DRIVER = f"""
shown() {{
  find {HOME}/ /tmp/ /srv/ /mnt/ -mindepth 1 -name .npm -prune -o -name .cache -prune -o -name .rpmdb -prune \\
    -o -printf '%p %y %m %s %l %C@\\n' 2>/dev/null
}}
fresh() {{
  find {HOME} /tmp /srv /mnt -mindepth 1 -delete; cp -a {LAB}/home/. {HOME}/
  GIT_OPTIONAL_LOCKS=1 git status >/dev/null 2>&1; shown > {LAB}/before
}}
fresh
for at in {LAB}/commands/*; do
  timeout -k 1 {SECONDS_EACH} bash "$at" -delete < {LAB}/home/flags.txt >/dev/null 2>&1
  shown > {LAB}/after
  if ! cmp -s {LAB}/before {LAB}/after; then
    echo "${{at##*/}}" $(diff {LAB}/before {LAB}/after | grep '^[<>]' | cut -d' ' -f2 | sort -u | head -3)
    fresh
  fi
done
echo end
"""


@dataclass(frozen=True)
class Proof:
    """A command that changed something, and the first files that show it."""

    command: str
    changed: tuple[str, ...]


def prove(commands: Sequence[str], sandbox: Sandbox, batch: int = BATCH) -> list[Proof]:
    """The commands that changed a file; a batch that does not come to its end is run in halves."""
    return [proof for at in range(0, len(commands), batch) for proof in _batch(commands[at : at + batch], sandbox)]


def _batch(commands: Sequence[str], sandbox: Sandbox) -> Iterator[Proof]:
    specs = [FileSpec(f"lab/files/{name}", text.encode()) for name, text in FILES.items()]
    specs += [FileSpec(f"lab/commands/{at:05}", f"{text}\n".encode()) for at, text in enumerate(commands)]
    exported = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in VARIABLES.items())
    # Git keeps the times of files in its index whenever it looks; that is its own business.
    script = f"{{ {MAKE} }} >/dev/null 2>&1\nexport GIT_OPTIONAL_LOCKS=0\n{exported}{DRIVER}"
    seconds = SECONDS_EACH * len(commands) + 10.0
    outcome = sandbox.run(script, specs, Limits(cpu_seconds=seconds, wall_seconds=2 * seconds))
    lines = outcome.stdout.decode(errors="replace").splitlines()
    if lines[-1:] != ["end"]:
        if len(commands) == 1:
            yield Proof(commands[0], ("the run did not come to its end",))
            return
        half = len(commands) // 2
        yield from _batch(commands[:half], sandbox)
        yield from _batch(commands[half:], sandbox)
        return
    for line in lines[:-1]:
        at, *changed = line.split()
        yield Proof(commands[int(at)], tuple(changed))


def load(path: Path) -> Iterator[tuple[str, str]]:
    """(family, command) of a file with a heading for each family; `⏎` stands for the end of a line."""
    family = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            family = line[2:]
        elif line:
            yield family, line.replace("⏎", "\n")


def called_reads(commands: Iterable[str], level: Callable[[str], str]) -> list[str]:
    return [command for command in dict.fromkeys(commands) if level(command) == "reads"]
