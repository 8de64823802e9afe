"""From the name of an argument in a manual (`FILE`, `num`, `<commit>`) and the words about it to a type of ours."""

from __future__ import annotations

import re
from functools import lru_cache

# The first rule whose pattern is found as a whole word in the placeholder gives the type, so order matters:
# a `script-file` is a file, `max-filesize` a size.
RULES: tuple[tuple[str, str], ...] = (
    ("File", r"\w+[-_]file(?:name)?s?|\w*files?|filenames?|file-?names?"),
    ("String", r"suffix|prefix|label|header|headers|password|passwd|passphrase|text|title|message|msg|comment|data|str|"
               r"user:password|summary|subject"),
    ("Regex", r"patterns?|pat|regexp?|regex|globs?|re|ere|wildcards?"),
    ("Size", r"size|sizes|\w+size|bytes|rate|bandwidth|speed|buflen|mem|memory|memlimit"),
    ("Permission", r"mode|perms?|permissions?|umask|octal|chmod"),
    ("Timespan", r"sec|secs|seconds?|interval|delay|timeout|duration|minutes?|mins|days?|hours?|msec|millis\w*|period|"
                 r"timespan|age|lifetime|ms|usec|fractional seconds"),
    ("DateTime", r"dates?|datetime|timestamp|time|stamp|since|until|expire_date|yyyy.*|date-time|time-?spec|mmdd\w*"),
    ("User", r"users?|username|login|[er]?uid|owner|logname|userlist|account|uname|user_?id|euser|ruser"),
    ("Group", r"groups?|[er]?gid|grp|groupname|gname|grplist|group-?list|group_?id"),
    ("Signal", r"signals?|sig|signum|signame|sigspec"),
    ("Process", r"pids?|ppid|process|pidlist|processes|pgrp|pgid|sid|jobspec|sesslist|cmdlist"),
    ("URL", r"urls?|uri|mirror|baseurl|proxy|\w*href|webpage"),
    ("Host", r"hosts?|hostname|addr|address|addresses|ip|ipaddr\w*|server|machine|domain|destination|gateway|"
             r"nameserver|ip_?address|inet\w*|bind_address|netmask|network|subnet|cidr|sshlogin"),
    ("Assignment", r"name=value|key=value|var=val(?:ue)?|variable=value|name=val|assignment|key=val|name=string"),
    ("Variable", r"vars?|variable|varname|env|envvar"),
    ("Marker", r"replace-str|replstr|replacement-string"),
    ("Script", r"commands?|cmd|cmdline|command-line|script|shell-command|commandstring|command_string|hook|shellcmd"),
    ("Utility", r"program|prog|utility|pager|editor|shell|executable|browser|interpreter|compressor"),
    ("Format", r"format|fmt|formats|template|fmtstr|gfmt|lfmt"),
    ("Separator", r"delims?|delimiters?|sep|separators?|char|character|ifs|fs"),
    ("Fields", r"fields?|fieldlist|field_list|keydef|keyspec|field-?list|pos\d?.*|ranges?"),
    ("Directory", r"dirs?|dirname|directory|directories|folder|workdir|cwd|root|chroot|mountpoint|mount-point|home_dir|"
                  r"\w+[-_]?dir|\w+[-_]directory|sysroot|prefix-dir"),
    ("Path", r"paths?|pathspec|pathname|path-name|\w+[-_]path|dest|dst|source|src|target|location|link_name|link-name"),
    ("File", r"archive|input|output|infile|outfile|logfile|config|image|device|dev|fifo|socket|tarball|database|db|"
             r"keyring|cert\w*|library|lib|reference|member|pkcs11|ca_key|image-file"),
    ("Number", r"n|num|nums|numbers?|nr|counts?|cols?|columns?|rows?|lines?|width|height|length|len|depth|levels?|x|k|"
               r"max|min|percent\w*|priority|prio|niceness|increment|adjustment|max[-_]\w+|min[-_]\w+|integer|int|limit|"
               r"threads?|jobs|cores?|cpus?|fd|weight|offset|skip|ttl|mark|retries|tries|attempts|times|digits?|bits|"
               r"factor|ratio|quality|seed|score|threshold|amount|hops|nlines|uint|blocks|margin|copies|filenum|ports?|"
               r"number-of-\w+|m"),
    ("Word", r"types?|kinds?|method|algorithm|algo|words?|control|options?|opts?|\w+opts|keywords?|action|style|how|"
             r"\w+[-_]style|colou?r|encoding|charset|protocol|ciphers?|strategy|locale|lang|language|policy|features?|"
             r"flags?|attributes?|attrs?|attr_list|list|\w+list|units?|fs-?type|fstype|vfstype|what|state|branch|ref|"
             r"commit|rev|revision|object|tag|remote|service|severity|facility|order|radix|check|class|section|tty|"
             r"\w+[-_]spec|spec|never|auto|always|ctx|context|name[-_]format|driver|profile|when|where|key|id"),
)  # fmt: skip
COMPILED = tuple((kind, re.compile(rf"(?:^|[^a-z])(?:{pattern})(?:$|[^a-z])")) for kind, pattern in RULES)
# Where the placeholder says nothing (`ARG`, `name`, `value`), the words about the flag may.
WORDING: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("DateTime", r"\b(?:time|date) described by|use it instead of current time"),
        ("Timespan", r"\b(?:in|of|for|every|per|after) (?:\w+ )?(?:seconds|minutes|hours|days|milliseconds)\b"),
        ("Size", r"\b(?:size in|in (?:bytes|blocks|kilobytes|megabytes)|number of bytes)\b"),
        ("Directory", r"\b(?:in|into|to|from|the) (?:the )?(?:given |specified |this )?director(?:y|ies)\b"),
        ("Variable", r"\b(?:environment|shell) variable\b|\bremove variable\b"),
        ("File", r"\b(?:from|to|into|in) (?:the )?(?:given |specified |this )?file\b|\bfile ?name\b|\bsame inode\b"),
        ("Regex", r"\b(?:regular expression|glob pattern|shell pattern|wildcard)\b"),
        ("Number", r"\b(?:number of|at most|at least|maximum|minimum|how many)\b"),
        ("Host", r"\b(?:host ?name|ip address)\b"),
        ("User", r"\buser ?name\b"),
    )
)
COUNTED = re.compile(r"\bn(?: (?:seconds|minutes|hours|days)\b|\*24)")
SELECTED = re.compile(r"\bonly these (?:bytes|characters|fields)\b")
PERMISSION = re.compile(r"permission|octal|chmod|umask|file mode|mode bits|access mode|rwx|symbolic mode")
CHOICE = re.compile(r"[\w-]+(?:[|/][\w-]+)+")
VAGUE = {"arg", "argument", "value", "val", "name", "string", "args", "id", "x", "param", "parameter"}


def argument_type(placeholder: str, wording: str = "") -> str:
    """`FILE` -> File, `<n>` -> Number, `never|auto|always` -> Word; String where nothing fits."""
    name = re.sub(r"[<>\[\]{}()\"'`]+|\.\.+|…", " ", placeholder).strip().lower()
    if CHOICE.fullmatch(name.replace(" ", "")):
        found = {_by_name(part) for part in re.split(r"[|/]", name.replace(" ", ""))}
        return found.pop() or "Word" if len(found) == 1 else "Word"
    if (kind := _by_name(name)) not in ("Assignment", "String"):
        name = re.split(r"[,=:]", name)[0].strip() or name
        kind = _by_name(name)
    return _told(kind, name, wording[:300].lower())


def _told(kind: str, name: str, words: str) -> str:
    """The type with what the words about the flag say."""
    if words.startswith("| "):
        return "Word"  # -e k | m | g
    if kind == "Permission" and not PERMISSION.search(words):
        return "Word"
    if kind == "Number" and COUNTED.search(words):
        return "Timespan"
    if name == "list" and SELECTED.search(words):
        return "Fields"
    if kind and name not in VAGUE:
        return kind
    told = next((found for found, pattern in WORDING if pattern.search(words)), "") if name in VAGUE else ""
    return told or kind or "String"


@lru_cache(maxsize=4096)
def _by_name(name: str) -> str:
    return next((kind for kind, pattern in COMPILED if pattern.search(name)), "")
