"""Names and order of flags in the canonical form, and the few cases in which order or place has a meaning."""

from __future__ import annotations

from collections.abc import Sequence

from sayso.targets.bash.knowledge.utilities import Utility
from sayso.targets.bash.syntax.tree import Argument, Flag, Operand

# Of flags in one set the last one wins, so their order is kept where two of them meet.
RIVALS: dict[str, tuple[set[str], ...]] = {
    "cat": ({"-b", "-n"},),
    "cp": ({"-f", "-i", "-n"}, {"-H", "-L", "-P", "-d", "-a"}),
    "date": ({"-d", "-r", "-f"},),
    "df": ({"-h", "-H", "-k", "-m", "-B"},),
    "diff": ({"-u", "-U", "-c", "-C", "-y", "-e", "-n"}, {"-x", "-X"}),
    "du": ({"-h", "-k", "-m", "-b", "-B"}, {"-D", "-H", "-L", "-P"}),
    "echo": ({"-e", "-E"},),
    "grep": (
        {"-E", "-F", "-G", "-P"}, {"-H", "-h"}, {"-l", "-L", "-c"}, {"-A", "-B", "-C"}, {"-r", "-R"}, {"-e", "-f"},
        {"--include", "--exclude", "--exclude-dir"},
    ),
    "gzip": ({f"-{level}" for level in range(1, 10)},),
    "head": ({"-n", "-c"}, {"-q", "-v"}),
    "ln": ({"-f", "-i"}, {"-L", "-P"}),
    "ls": (
        {"-t", "-S", "-U", "-X", "-v", "-f", "-c", "-u"}, {"-l", "-1", "-C", "-x", "-m", "-g", "-o", "-n"},
        {"-a", "-A", "-f"},
    ),
    "mv": ({"-f", "-i", "-n"},),
    "readlink": ({"-f", "-e", "-m"},),
    "rm": ({"-f", "-i", "-I"},),
    "rsync": ({"--include", "--exclude", "--include-from", "--exclude-from", "-f", "-F", "-C"},),
    "sed": ({"-e", "-f"},),
    "sort": ({"-n", "-g", "-h", "-M", "-V", "-R"},),
    "ssh": ({"-t", "-T"}, {"-X", "-x", "-Y"}),
    "sudo": ({"-i", "-s"},),
    "tail": ({"-n", "-c"}, {"-q", "-v"}, {"-f", "-F"}),
    "touch": ({"-d", "-r", "-t"},),
    "xargs": ({"-I", "-i", "-L", "-l", "-n"}, {"-0", "-d", "-E", "-e"}),
}  # fmt: skip
# Here a flag may act on what stands after it.
PLACED = {
    "apt-cache", "c++", "cc", "clang", "cmake", "convert", "cpio", "curl", "dc", "display", "elinks", "emacs", "ffmpeg",
    "ffprobe", "g++", "gcc", "gdb", "gpg", "gpg2", "identify", "iptables", "java", "jq", "mogrify", "mount", "mysql",
    "nmap", "perl", "php", "psql", "ruby", "screen", "set", "shopt", "sqlite3", "ssh-keygen", "tcpdump", "unzip", "vi",
    "vim", "zip",
}  # fmt: skip
PLACED_FLAGS = {"tar": {"-C", "--exclude", "-T", "-X", "-K"}}
DEFAULTS = {("head", "-n", "10"), ("tail", "-n", "10"), ("split", "-l", "1000"), ("xargs", "-n", "")}
SPELLINGS = {"egrep": ("grep", "-E"), "fgrep": ("grep", "-F")}
Written = list[tuple[str, list[str]]]


def canonical_name(flag: Flag, utility: Utility) -> str:
    """--lines -> -n, --recursive -> -r; the first short name, else the first name."""
    entry = utility.flag(flag.name)
    if entry is None:
        return flag.name
    if entry.same and (not flag.values or flag.style == "bare"):
        return entry.same
    if utility.name == "xargs" and "-i" in entry.names:
        return "-I"
    if utility.syntax == "find":
        return entry.names[0] if flag.name in entry.names else flag.name
    short = next((name for name in entry.names if len(name) == 2), None)
    if short is None or (flag.name.startswith("--") and len(flag.values) > 1):
        return next((name for name in entry.names if name.startswith("--")), entry.names[0])
    return short


def keeps_order(name: str, flags: Sequence[Flag]) -> bool:
    return name in PLACED or any(flag.name in PLACED_FLAGS.get(name, ()) for flag in flags)


def single_pattern(utility: Utility, flags: list[Flag], rest: list[Argument]) -> tuple[list[Flag], list[Argument]]:
    """grep -e x f -> grep x f: one pattern given as a flag is an operand like any other."""
    if utility.name not in ("grep", "egrep", "fgrep", "sed"):
        return flags, rest
    given = [f for f in flags if (entry := utility.flag(f.name)) and entry.instead]
    if len(given) != 1 or given[0].name not in ("-e", "--regexp", "--expression") or not given[0].values:
        return flags, rest
    word = given[0].values[0]
    if not word.lead or word.lead.startswith("-"):
        return flags, rest
    return [f for f in flags if f is not given[0]], [Operand(word, given[0].types[0]), *rest]


def drop_defaults(name: str, written: Written) -> Written:
    """head -n 10 -> head."""
    return [(flag, texts) for flag, texts in written if (name, *texts) not in DEFAULTS]


def in_order(name: str, utility: Utility, written: Written) -> list[str]:
    """Flags sorted by name; rivals and repeated flags keep their order; ps' letters stay one word."""
    present = {flag for flag, _ in written}
    rank: dict[str, str] = {}
    for rivals in RIVALS.get(name, ()):
        if len(meeting := rivals & present) > 1:
            rank |= dict.fromkeys(meeting, min(meeting))
    ordered = sorted(written, key=lambda item: (rank.get(item[0], item[0]).lower(), rank.get(item[0], item[0])))
    if utility.syntax == "ps":
        letters = "".join(flag for flag, texts in ordered if flag[0] != "-" and len(texts) == 1)
        ordered = [item for item in ordered if item[0][0] == "-" or len(item[1]) > 1]
        return [letters] * bool(letters) + [text for _, texts in ordered for text in texts]
    unique: Written = []
    for item in ordered:
        if len(item[1]) > 1 or item not in unique:
            unique.append(item)
    return [text for _, texts in unique for text in texts]
