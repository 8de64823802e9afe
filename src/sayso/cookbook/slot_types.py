"""What may stand in a typed slot: for each type the kinds of constant that fit, how well, and the value they give.

A word without a kind (`firefox`, `main`) fits the open types only; where it stands in the request then decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

TAR = r"(?i).+\.(?:tar(?:\.\w+)?|tgz|tbz2?|txz)"
# Files whose settings do not stand as NAME=VALUE on lines of their own.
NO_TABLE = r"(?i).*(?<!\.json)(?<!\.jsonl)(?<!\.csv)(?<!\.tsv)(?<!\.xml)"
PLAIN_NAME = r"[A-Za-z0-9_.][\w.+:@/-]*"

FILES = {"file": 3.0, "path": 2.5, "string": 1.0, "glob": 1.5, "name": 1.0, "variable": 1.0, "word": 0.0}
NAMES = {"name": 1.5, "string": 1.5, "word": 0.0, "file": 0.3}


@dataclass(frozen=True)
class SlotType:
    """`fits` says how well kinds of token fit; `pattern` must match the whole value; `shown` is the placeholder."""

    shown: str
    fits: Mapping[str, float]
    pattern: str = ""
    examples: tuple[str, ...] = ()
    spans: int = 1
    """How many words a value without quotes may have."""
    special: bool = False
    """Whether a value of this type says more about the request than that it names a file."""
    nouns: tuple[str, ...] = ()
    """Stems of the words that name such a thing: what follows one of them is likely one."""


TYPES: Mapping[str, SlotType] = {
    "file": SlotType("FILE", FILES, examples=("report.txt", "notes.md", "data/old.log"), nouns=("file",)),
    "csvfile": SlotType("FILE.csv", FILES, r"(?i).+\.csv", ("sales.csv", "people.csv"), special=True),
    "jsonfile": SlotType("FILE.json", FILES, r"(?i).+\.json", ("data.json", "users.json"), special=True),
    "tsvfile": SlotType("FILE.tsv", FILES, r"(?i).+\.(?:tsv|tab)", ("rows.tsv", "people.tsv"), special=True),
    "inifile": SlotType("FILE", FILES, NO_TABLE, ("app.conf", "settings.ini"), nouns=("file",)),
    "archive": SlotType("ARCHIVE", FILES, TAR, ("site.tar.gz", "work.tgz"), special=True),
    "tarball": SlotType("ARCHIVE.tar.gz", FILES, TAR, ("site.tar.gz", "work.tar.xz"), special=True),
    "zipfile": SlotType("ARCHIVE.zip", FILES, r"(?i).+\.(?:zip|jar)", ("photos.zip",), special=True),
    "gzfile": SlotType("FILE.gz", FILES, r"(?i).+(?<!\.tar)\.gz", ("dump.sql.gz",), special=True),
    "debfile": SlotType("FILE.deb", FILES, r"(?i).+\.deb", ("editor.deb",), special=True),
    "pyfile": SlotType("FILE.py", FILES, r"(?i).+\.py", ("train.py",), special=True),
    "shfile": SlotType("FILE.sh", FILES, r"(?i).+\.(?:sh|bash)", ("backup.sh",), special=True),
    "cfile": SlotType("FILE.c", FILES, r"(?i).+\.c", ("main.c",), special=True),
    "dir": SlotType(
        "FOLDER",
        {"path": 3.0, "place": 2.6, "name": 1.0, "string": 1.0, "file": -0.6, "variable": 1.5, "word": 0.0},
        examples=("/var/www", "src/app", "~/projects"),
        nouns=("directori", "under", "below", "beneath", "insid", "inside", "within"),
    ),
    "path": SlotType(
        "PATH",
        {"path": 3.0, "file": 3.0, "place": 2.0, "name": 1.5, "string": 2.0, "glob": 2.0, "variable": 1.5, "word": 0.0},
        examples=("report.txt", "/srv/data", "old/notes.md"),
        nouns=(
            "file",
            "directori",
        ),
    ),
    "newname": SlotType(
        "NAME",
        {"path": 3.0, "file": 3.0, "name": 2.0, "string": 2.5, "extension": 0.5, "variable": 1.0, "word": 0.0},
        examples=("result.txt", "drafts/new.md"),
        nouns=(
            "file",
            "directori",
        ),
    ),
    "name": SlotType(
        "NAME",
        {"file": 3.0, "string": 2.5, "glob": 2.5, "name": 2.5, "extension": 0.3, "path": 0.5, "word": 0.0},
        examples=("config.yaml", "node_modules", "setup.cfg"),
        nouns=(
            "file",
            "directori",
        ),
    ),
    "extension": SlotType(
        "EXT",
        {"extension": 3.0, "glob": 2.5, "word": 0.0, "name": 0.0},
        r"[A-Za-z0-9_]+(?:\.[A-Za-z0-9]+)*",
        ("py", "log", "csv"),
        nouns=("extens",),
    ),
    "glob": SlotType("'*.EXT'", {"glob": 3.0, "string": 2.5}, r"(?s).*[*?\[].*", ("'*.tmp'", "'img_*'")),
    "starred": SlotType("'*.EXT'", {"glob": 3.0}, r"[\w.-]*\*[\w.-]*", ("draft_*.txt", "*.jpeg")),
    "assignment": SlotType("NAME=VALUE", {"variable": 3.0, "string": 2.0, "name": 2.0}, r"\w[\w.-]*=.*", ("PORT=80",)),
    "pattern": SlotType(
        "TEXT",
        {
            "string": 3.0,
            "sign": 2.5,
            "regex": 2.5,
            "name": 1.5,
            "variable": 1.5,
            "number": 0.3,
            "file": 0.2,
            "url": 0.3,
            "word": 0.0,
            "option": 0.2,
            "user_host": 0.3,
            "path": 0.1,
            "permission": 0.0,
            "extension": 0.0,
            "time": 0.5,
            "date": 0.5,
        },
        examples=("'connection refused'", "main_loop", "'DEBUG'"),
        spans=4,
        nouns=(
            "word",
            "string",
            "text",
        ),
    ),
    "text": SlotType(
        "TEXT",
        {
            "string": 3.0,
            "sign": 2.5,
            "name": 1.5,
            "variable": 1.0,
            "number": 0.6,
            "file": 0.5,
            "url": 0.8,
            "word": 0.0,
            "option": 0.2,
            "user_host": 0.8,
            "path": 0.5,
            "extension": 0.2,
            "time": 0.5,
            "date": 0.5,
            "size": 0.0,
            "regex": 0.5,
        },
        examples=("'red apples'", "'green pears'", "'blue plums'"),
        spans=6,
        nouns=(
            "word",
            "string",
            "text",
        ),
    ),
    "number": SlotType("N", {"number": 3.0, "ordinal": 2.5}, r"\d{1,18}", ("7", "12", "3")),
    "port": SlotType("PORT", {"number": 3.0}, r"\d{1,5}", ("8080", "5432")),
    "size": SlotType("SIZE", {"size": 3.0}, r"\d+(?:\.\d+)?[BKMGTP]", ("10 MB", "200 kB")),
    "timespan": SlotType("TIME", {"timespan": 3.0}, r"\d+(?:s|m|h|d|w|mo|y)", ("3 days", "2 weeks")),
    "date": SlotType("DATE", {"date": 3.0}, examples=("2024-05-01",)),
    "hour": SlotType("HOUR", {"time": 3.0, "number": 0.5}, r"\d{1,2}(?::\d\d){0,2}", ("3am", "17:00")),
    "permission": SlotType(
        "MODE", {"permission": 3.0, "number": 2.5}, r"[0-7]{3,4}|[ugoa]*[-+=][rwxXst,ugoa=+-]*", ("755", "u+x", "644")
    ),
    "user": SlotType("USER", NAMES, r"[A-Za-z_][\w.-]*\$?", ("alice", "www-data"), nouns=("user",)),
    "group": SlotType("GROUP", NAMES, r"[A-Za-z_][\w.-]*", ("developers", "wheel"), nouns=("group",)),
    "host": SlotType(
        "HOST",
        {"user_host": 3.0, "name": 1.5, "file": 1.0, "string": 1.0, "word": 0.0},
        r"[A-Za-z0-9][\w.-]*(?:/\d{1,2})?",
        ("example.com", "10.0.0.7"),
        nouns=(
            "host",
            "machin",
        ),
    ),
    "remote": SlotType(
        "USER@HOST",
        {"user_host": 3.0, "name": 1.0, "file": 0.5, "word": 0.0},
        r"(?:[A-Za-z_][\w.-]*@)?[A-Za-z0-9][\w.-]*",
        ("bob@db1", "root@10.0.0.7"),
    ),
    "remotepath": SlotType(
        "USER@HOST:PATH",
        {"user_host": 3.0},
        r"[A-Za-z0-9_][\w.@-]*:\S*",
        ("bob@db1:/srv", "root@10.0.0.7:/tmp"),
        special=True,
    ),
    "url": SlotType("URL", {"url": 3.0, "user_host": 1.0}, examples=("https://example.com/file.iso",)),
    "process": SlotType("PROGRAM", NAMES, PLAIN_NAME, ("firefox", "gunicorn"), nouns=("process",)),
    "program": SlotType(
        "PROGRAM",
        NAMES,
        PLAIN_NAME,
        ("ffmpeg", "node"),
        nouns=(
            "process",
            "command",
        ),
    ),
    "service": SlotType("SERVICE", NAMES, PLAIN_NAME, ("nginx", "postgresql"), nouns=("servic",)),
    "package": SlotType("PACKAGE", NAMES, PLAIN_NAME, ("htop", "ripgrep"), nouns=("packag",)),
    "container": SlotType("CONTAINER", NAMES, PLAIN_NAME, ("webapp", "redis1"), nouns=("contain",)),
    "image": SlotType(
        "IMAGE", {**NAMES, "path": 1.5, "user_host": 1.0}, PLAIN_NAME, ("nginx", "myapp"), nouns=("imag",)
    ),
    "session": SlotType("SESSION", NAMES, PLAIN_NAME, ("mainwork",), nouns=("session",)),
    "branch": SlotType(
        "BRANCH", {**NAMES, "path": 1.5}, PLAIN_NAME, ("develop", "fix-login", "release-2"), nouns=("branch",)
    ),
    "commit": SlotType(
        "COMMIT",
        {"name": 1.5, "word": 0.0, "number": 0.5, "file": 0.0},
        r"[0-9a-f]{6,40}|HEAD[~^\d]*",
        ("a1b2c3d",),
        nouns=("commit",),
    ),
    "field": SlotType(
        "FIELD",
        {"name": 1.5, "string": 1.5, "word": 0.0, "extension": 1.0},
        r"[A-Za-z_]\w*(?:\.\w+)*",
        ("price", "address_line"),
        nouns=(
            "column",
            "field",
            "key",
        ),
    ),
    "variable": SlotType(
        "NAME",
        {"variable": 3.0, "name": 0.5, "word": 0.0},
        r"[A-Z_][A-Z0-9_]*",
        ("JAVA_HOME", "LANG"),
        nouns=("variabl",),
    ),
    "device": SlotType("/dev/DEVICE", {"path": 3.0}, r"/dev/\w[\w/]*", ("/dev/sdb1", "/dev/sdc")),
    "character": SlotType("','", {"string": 2.0, "sign": 2.5, "word": 0.0}, r"(?s).", ("';'", "'|'")),
    "command": SlotType(
        "COMMAND",
        {"string": 3.0, "word": 0.0, "file": 0.5, "path": 0.5, "name": 0.5},
        pattern=r"(?s)[\w./~$].*",
        examples=("'df -h'", "'make test'"),
        spans=6,
    ),
    "script": SlotType(
        "COMMAND",
        {"string": 3.0, "file": 2.5, "path": 2.5, "name": 0.5, "word": 0.0},
        pattern=r"(?s)[\w./~$].*",
        examples=("./backup.sh", "'make all'"),
        spans=6,
    ),
}

NAMED_BY_PATH = frozenset(
    (*(name for name, one in TYPES.items() if one.fits is FILES), "dir", "path", "newname", "name")
)
"""Types whose values are names of files or folders."""
