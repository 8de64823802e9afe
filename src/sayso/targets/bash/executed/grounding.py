"""What a command needs in order to have something to work on, read from its typed arguments and from the request.

`ground` gives facts: folders that are searched, files that are named, patterns, ages, sizes, permissions, owners and
variables. `fixtures` turns facts into file trees. Conditions on the time of a status change are read as ages too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from sayso.core.errors import BadInstruction
from sayso.english.tokens import tokenise
from sayso.targets.bash.executed.dates import moment
from sayso.targets.bash.executed.facts import (
    COUNTERS,
    DAY,
    DOTTED,
    FILLER,
    GREPS,
    HERE,
    HOME,
    KNOWN_VARIABLES,
    MAKERS,
    MINUTE,
    MOST_COUNTED,
    NOON,
    NUMBERED,
    PLACERS,
    SCRIPT,
    SEARCHERS,
    TOGETHER,
    UNITS,
    Facts,
    add,
)
from sayso.targets.bash.executed.samples import expand_braces, fill_glob, is_glob, match_texts
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import (
    Command,
    Expansion,
    Flag,
    Literal,
    Operand,
    Script,
    Word,
    commands,
    inner_commands,
)

PACKED = {"gzip": ".gz", "gunzip": ".gz", "bunzip2": ".bz2", "unxz": ".xz", "unzip": ".zip", "tar": ".tar.gz"}
"""How an archive is called that a variable names."""
# A request that wants names with blanks to be dealt with.
UNPLAIN = re.compile(r"space|blank|special char|newline|\bsafe|null")
# $name, ${name} or ${name:-else}
VARIABLE = re.compile(r"\$\{?(\w+)(?::?-[^}]*)?\}?")


def ground(command: str, request: str) -> Facts:
    """The facts of one command for one request; a command that does not parse leaves those of the request."""
    facts = Facts()
    try:
        tree: Script | None = parse(command)
    except BadInstruction:
        tree = None
    nodes = list(commands(tree)) if tree else []
    handed = {(inner.start, inner.end) for node in nodes for inner in inner_commands(node)}
    facts.utilities |= {node.utility for node in nodes} & {"sort"}
    for node in nodes:
        _read(node, facts, piped=(node.start, node.end) not in handed)
        bare = not any(isinstance(argument, Operand) for argument in node.arguments)
        facts.is_shallow |= node.utility == "ls" and bare and (node.start, node.end) not in handed
        facts.utilities.add(node.utility)
        prompts = any(isinstance(argument, Flag) and argument.name in ("-p", "-s") for argument in node.arguments)
        facts.asks_person |= node.utility == "read" and (prompts or (tree is not None and node in tree.items))
    _read_request(request, facts)
    _read_variables(command, facts)
    lower = request.lower()
    facts.only_files = (
        "file" in lower and "regular" not in lower and not TOGETHER.search(request) and "d" not in facts.types
    )
    # Who writes -iname for "jpg files" does not mean that case matters; who writes -name may.
    facts.asks_case = "case" in lower or not folds_case(nodes)
    forced = re.search(r"\brm\s+-\w*f", command)
    facts.asks_force = bool(forced and re.search("force|prompt|confirm|asking", lower))
    if re.search(r"\$\{?0\b|BASH_SOURCE", command):
        add(facts.files, SCRIPT)
    facts.asks_spaces = UNPLAIN.search(lower) is not None
    if not facts.roots and facts.utilities & {*SEARCHERS, *GREPS}:
        facts.roots.append(".")
    return facts


def folds_case(nodes: Sequence[Command]) -> bool:
    """Whether a command takes capitals for small letters somewhere."""
    flags = {
        argument.name
        for node in nodes
        if node.utility == "find" or node.utility in GREPS
        for argument in node.arguments
        if isinstance(argument, Flag)
    }
    return bool(flags & {"-iname", "-ipath", "-iregex", "-iwholename", "-i", "--ignore-case"})


def ground_request(request: str) -> Facts:
    """The facts of a request alone: its constants are taken for what they look like."""
    facts = Facts(roots=["."], is_shallow=True)
    _read_request(request, facts)
    for token in tokenise(request):
        value = token.value
        if token.kind in ("glob", "extension"):
            add(facts.names, value if is_glob(value) else f"*.{value.lstrip('*.')}")
        elif token.kind == "file" and "/" not in value:
            add(facts.files, value)
        elif token.kind == "size":
            _read_test("-size", value, facts)
        elif token.kind == "timespan" and (span := re.fullmatch(r"(\d+)([mhdw])", value)):
            unit = {"m": MINUTE, "h": 3600.0, "d": DAY, "w": 7 * DAY}[span[2]]
            facts.ages.append((int(span[1]) * unit, unit, ""))
        elif token.kind == "permission":
            _read_mode(value, facts)
        elif token.kind == "string" and len(value) < 60:
            add(facts.texts, value)
    facts.asks_links = "link" in request.lower()
    facts.asks_empty = "empty" in request.lower()
    return facts


def _read(command: Command, facts: Facts, piped: bool) -> None:
    if command.utility == "find":
        _read_find(command, facts)
    elif command.utility in GREPS:
        _read_grep(command, facts, piped)
    else:
        _read_other(command, facts)
    for redirect in command.redirects:
        if redirect.operator.startswith("<") and redirect.operator not in ("<<", "<<<", "<<-") and redirect.target:
            if redirect.target.value:
                add(facts.files, redirect.target.value)
        elif redirect.target and redirect.target.value and redirect.operator.startswith((">", "&>")):
            add(facts.targets, redirect.target.value)
            add(facts.parents, _parent(redirect.target.value))


def _read_find(command: Command, facts: Facts) -> None:
    dialect = regex_dialect(command)
    for argument in command.arguments:
        if isinstance(argument, Operand):
            path = resolve(argument.word)
            if argument.type == "Path" and path not in (FILLER, DOTTED):
                for one in expand_braces(path):
                    add(facts.roots, one)
        elif isinstance(argument, Flag):
            value = next((resolve(word) for word in argument.values), "")
            _read_test(argument.name, value, facts, dialect)
    if not any(isinstance(argument, Operand) for argument in command.arguments):
        add(facts.roots, ".")


def regex_dialect(command: Command) -> str:
    """What find reads -regex as: its own dialect, unless it is told another, or -E as on other systems."""
    told = next((word.value or "" for before, word in pairwise(command.words) if before.value == "-regextype"), "")
    if re.search("extended|egrep|awk", told) or any(word.value == "-E" for word in command.words):
        return "extended"
    return "basic" if re.search("basic|sed|grep|^ed$", told) else "emacs"


def held(name: str) -> str:
    """What a variable holds that nothing sets and whose place asks for nothing."""
    return DOTTED if re.search("file|path|name", name, re.I) else FILLER


def resolve(word: Word) -> str:
    """What the utility gets where variables that nothing sets hold FILLER: `"*.$x"` -> *.maple; else ""."""
    if word.value is not None:
        return word.value
    out = []
    for part in word.parts:
        if isinstance(part, Literal):
            out.append(part.text)
        elif isinstance(part, Expansion) and (name := VARIABLE.fullmatch(part.text)):
            out.append({"HOME": HOME, "PWD": HERE, "USER": "user"}.get(name[1], held(name[1])))
        else:
            return ""
    return "".join(out)


def _read_test(name: str, value: str, facts: Facts, dialect: str = "emacs") -> None:
    """One test of find: what must exist on either side of it."""
    if name in ("-name", "-iname"):
        add(facts.names, value)
    elif name in ("-lname", "-ilname"):
        add(facts.linked, value)
        facts.asks_links = True
    elif name in NUMBERED and value.isdecimal():
        facts.numbered.append((name, value))
    elif name in ("-links", "-samefile"):
        facts.asks_names = True
    elif name in ("-nouser", "-nogroup"):
        facts.ownerless = True
    elif name in ("-path", "-ipath", "-wholename", "-iwholename"):
        add(facts.paths, value)
    elif name in ("-regex", "-iregex"):
        for text in match_texts(value, dialect, "kit"):
            add(facts.paths, text)
    elif name in ("-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin", "-used"):
        number = re.fullmatch(r"([-+]?)(\d+(?:\.\d+)?)", value)
        unit = MINUTE if name.endswith("min") else DAY
        if number:
            facts.ages.append((float(number[2]) * unit, unit, number[1]))
    elif name.startswith("-newer") and name.endswith("t"):
        if (date := moment(value, float(NOON))) is not None:
            facts.dates.append(date)
    elif name in ("-anewer", "-cnewer") or (name.startswith("-newer") and not name.endswith("t")):
        add(facts.marks, value)
    elif name == "-size":
        number = re.fullmatch(r"[-+]?(\d+)([cwbkMGKm]?)", value)
        if number:
            facts.sizes.append((int(number[1]), UNITS[number[2]]))
    elif name == "-perm":
        _read_mode(value, facts)
    elif name == "-user":
        add(facts.users, value)
    elif name == "-group":
        add(facts.groups, value)
    elif name in ("-type", "-xtype"):
        add(facts.types, value)
        facts.asks_links |= value == "l"
    elif name in ("-maxdepth", "-mindepth") and value.isdecimal():
        facts.depth = max(facts.depth, min(int(value) + 1, 8))
        facts.is_shallow = True
    elif name == "-empty":
        facts.asks_empty = True
    elif name in ("-fprint", "-fprint0", "-fprintf", "-fls"):
        add(facts.targets, value)
        add(facts.parents, _parent(value))
    elif name == "-prune":
        facts.prunes = True
    elif name in ("-L", "-follow", "-H"):
        facts.asks_links = True


def _read_mode(value: str, facts: Facts) -> None:
    octal = re.fullmatch(r"[-+/]?([0-7]{1,4})", value)
    if octal:
        facts.modes.append(int(octal[1], 8))
        return
    mode = 0
    for who, what in re.findall(r"([ugoa]*)[-+=]([rwxst]+)", value):
        bits = sum({"r": 4, "w": 2, "x": 1}.get(letter, 0) for letter in what)
        for letter in who.replace("a", "ugo") or "ugo":
            mode |= bits << {"u": 6, "g": 3, "o": 0}[letter]
            mode |= {"u": 0o4000, "g": 0o2000, "o": 0}[letter] if "s" in what else 0
        mode |= 0o1000 if "t" in what else 0
    facts.modes.append(mode)


def _read_grep(command: Command, facts: Facts, piped: bool) -> None:
    """Patterns over content, or over names where the names come through a pipe."""
    known, named = len(facts.texts), len(facts.files) + len(facts.roots)
    dialect = {"egrep": "extended", "fgrep": "fixed"}.get(command.utility, "basic")
    flags = {argument.name for argument in command.arguments if isinstance(argument, Flag)}
    dialect = "extended" if flags & {"-E", "-P"} else "fixed" if "-F" in flags else dialect
    recursive = bool(flags & {"-r", "-R", "--recursive"}) or command.utility == "rgrep"
    for argument in command.arguments:
        if isinstance(argument, Flag):
            value = next((word.value or "" for word in argument.values), "")
            if argument.name in ("-e", "--regexp") and value:
                facts.texts += match_texts(value, dialect)
            elif argument.name in ("--include", "--exclude"):
                add(facts.names, value)
            elif argument.name in ("-f", "--file"):
                add(facts.files, value)
        elif isinstance(argument, Operand) and argument.type == "Regex" and argument.word.value is None:
            add(facts.texts, resolve(argument.word))
        elif isinstance(argument, Operand) and argument.word.value:
            if argument.type == "Regex":
                facts.texts += match_texts(argument.word.value, dialect)
            elif recursive or argument.word.value in (".", ".."):
                add(facts.roots, argument.word.value)
            elif argument.word.value not in ("-", "{}"):
                add(facts.files, argument.word.value)
    patterns = [argument.word.value or "" for argument in command.arguments if isinstance(argument, Operand)]
    facts.whole_lines |= any("$" in pattern for pattern in patterns) or bool(flags & {"-x", "--line-regexp"})
    if piped and facts.utilities & {"find", "ls"} and named == len(facts.files) + len(facts.roots):
        for text in facts.texts[known:]:
            if "/" in text.strip("/ ") or text[:1] == text[-1:] == "/":
                add(facts.paths, f"*/{text.strip('/')}/*")
            for name in [name for name in facts.names if is_glob(name)][:2]:
                add(facts.names, fill_glob(name, re.sub(r"[/*?\[\]]", "", text)))
            add(facts.names, re.sub(r"[/*?\[\]]", "", text if not text.startswith((".", " ")) else f"kit{text}"))
            add(facts.names, re.sub(r"[/*?\[\]]", "", f"kit{text}x"))


def _read_other(command: Command, facts: Facts) -> None:
    flags = {argument.name for argument in command.arguments if isinstance(argument, Flag)}
    whole = bool(flags & {"-r", "-R", "--recursive"})
    if command.utility in ("comm", "join") and "sort" not in facts.utilities:
        facts.wants_sorted = True
    if command.utility in ("readlink", "realpath"):
        facts.asks_links = True
        words = [argument.word.value for argument in command.arguments if isinstance(argument, Operand)]
        for pointer in words if command.utility == "readlink" else ():
            add(facts.pointers, pointer or "")
    unpacks = (
        command.utility in ("gunzip", "bunzip2", "unzip", "zcat", "bzcat", "unxz", "xzcat")
        or (command.utility in ("gzip", "bzip2", "xz") and flags & {"-d", "-l", "--decompress", "-t"})
        or (command.utility == "tar" and flags & {"-x", "-t", "--extract", "--list"})
    )
    if command.utility in COUNTERS:
        numbers = [int(n) for word in command.words[1:] for n in re.findall(r"\d+", word.value or "") if len(n) < 4]
        facts.count = max(facts.count, *(n for n in numbers if n <= MOST_COUNTED), 0)
    for argument in command.arguments:
        if isinstance(argument, Flag):
            for word, kind in zip(argument.values, argument.types, strict=False):
                if word.value and kind in ("File", "Path") and argument.inner is None:
                    _place(command, word.value, kind, whole, bool(unpacks), facts)
                elif kind == "Directory" and (folder := resolve(word)):
                    add(facts.folders, folder)
                elif word.value and kind == "Separator":
                    add(facts.separators, word.value)
    operands = [argument for argument in command.arguments if isinstance(argument, Operand)]
    places = command.utility in PLACERS and len(operands) > 1
    for position, operand in enumerate(operands):
        value = operand.word.value or (resolve(operand.word) if len(operand.word.parts) > 1 else "")
        if is_glob(value) and re.search(r"""^['"]|\\[*?\[]""", operand.word.text):
            value = re.sub(r"[*?]", lambda star: f"[{star[0]}]", value)  # the shell leaves it as it is
        if not value or value in ("-", "{}"):
            continue
        if command.utility in ("which", "type", "whereis", "hash"):
            add(facts.programs, value)
            continue
        if command.utility == "shopt":
            add(facts.options, value)
            continue
        if places and position == len(operands) - 1:
            add(facts.targets, value)
            add(facts.parents, _parent(value))
            if (
                value.endswith("/")
                or len(operands) > 2
                or is_glob(operands[0].word.value or "*")
                or operands[0].word.value == "{}"
            ):
                add(facts.folders, value)
        elif operand.type in ("File", "Path", "Directory"):
            _place(command, value, operand.type, whole, bool(unpacks), facts)
        elif operand.type in ("Regex", "Program") and command.utility in ("sed", "awk", "gawk", "perl"):
            facts.texts += re.findall(r"/\^?([\w .-]+)\$?/", value)[:3]


def _parent(path: str) -> str:
    """/srv/a/b -> /srv/a; what lies in the work folder, or is worked out by the shell, has none"""
    above, slash, _ = path.rstrip("/").rpartition("/")
    return above if slash and not is_glob(above) and not path.startswith("/dev/") else ""


def _place(command: Command, value: str, kind: str, whole: bool, unpacks: bool, facts: Facts) -> None:
    """Put a named path on the list that says what it has to be."""
    if command.utility in MAKERS:
        add(facts.targets, value)
        flags = {argument.name for argument in command.arguments if isinstance(argument, Flag)}
        for path in expand_braces(value) if not flags & {"-p", "--parents"} else ():
            add(facts.parents, _parent(path))
        return
    for path in expand_braces(value):
        ending = "." in path.rsplit("/", 1)[-1].strip(".")
        if unpacks:
            add(facts.archives, path)
        elif command.utility == "cpio":
            add(facts.folders, path)
        elif command.utility in SEARCHERS and not ending:
            add(facts.roots, path)
            facts.is_shallow |= command.utility == "ls"
        elif kind == "Directory" or path.endswith("/") or path in (".", "..", "~") or (whole and not ending):
            add(facts.roots if command.utility in SEARCHERS or whole else facts.folders, path)
        else:
            facts.is_shallow |= is_glob(path)
            add(facts.files, path)


def _read_request(request: str, facts: Facts) -> None:
    """Constants of the request exist too: a candidate may name what the reference does not."""
    known = {path.rstrip("/") for path in (*facts.roots, *facts.files, *facts.folders, *facts.targets, *facts.marks)}
    for token in tokenise(request):
        value = token.value.strip()
        if "$" in value or value.rstrip("/") in known or value in facts.names or any(c in value for c in "*?[ \\"):
            continue
        if token.kind == "path" and value.startswith(("/", "~", ".")) and "/" in value:
            ending = "." in value.rsplit("/", 1)[-1].strip(".")
            add(facts.files if ending else facts.folders, value)


def _read_variables(command: str, facts: Facts) -> None:
    """A variable that the command reads and nothing sets gets a value of the kind its place asks for."""
    try:
        tree = parse(command)
    except BadInstruction:
        return
    assigned = set(re.findall(r"\b(?:for|select|read)\s+(\w+)", command))
    for node in commands(tree):
        for argument in node.arguments:
            if isinstance(argument, Operand):
                _value(argument.word, argument.type, node.utility, assigned, facts)
            elif isinstance(argument, Flag) and argument.inner is None and node.utility != "find":
                for word, kind in zip(argument.values, argument.types, strict=False):
                    _value(word, kind, node.utility, assigned, facts)
    for name in re.findall(r"\$\{?(\w+)", command):
        if name not in assigned and name not in KNOWN_VARIABLES and name not in facts.variables and name != "0":
            facts.variables[name] = held(name)
    for name in re.findall(r"(?<![\w$])([A-Za-z_]\w*)\+=", command):
        facts.variables.setdefault(name, held(name))
    for inside in re.findall(r"\(\((.*?)\)\)|\blet\s+(\S+)", command):
        for name in re.findall(r"[A-Za-z_]\w*", " ".join(inside)):
            if name not in assigned and name not in KNOWN_VARIABLES:
                facts.variables[name] = "7"
    if re.search(r"\$[@*](?!\w)|\$\{[@*]", command):
        facts.variables.setdefault("1", FILLER)


def _value(word: Word, kind: str, utility: str, assigned: set[str], facts: Facts) -> None:
    for part in word.parts:
        name = VARIABLE.fullmatch(part.text) if isinstance(part, Expansion) else None
        if name is None or name[1] in assigned or name[1] in KNOWN_VARIABLES or name[1] in facts.variables:
            continue
        whole = len(word.parts) == 1
        if whole and utility in MAKERS:
            facts.variables[name[1]] = f"new_{name[1]}"
        elif whole and (utility in SEARCHERS or kind == "Directory"):
            facts.variables[name[1]] = f"at_{name[1]}"
            add(facts.roots, f"at_{name[1]}")
        elif whole and kind in ("File", "Path") and utility not in MAKERS:
            ending = PACKED.get(utility, "")
            facts.variables[name[1]] = f"the_{name[1]}{ending}"
            add(facts.archives if ending else facts.files, f"the_{name[1]}{ending}")
        elif kind in ("Number", "Timespan", "Size"):
            facts.variables[name[1]] = "3"
            if kind == "Timespan":
                facts.ages.append((3 * DAY, DAY, ""))
        else:
            facts.variables[name[1]] = held(name[1])
