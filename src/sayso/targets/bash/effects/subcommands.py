"""What a sub-command does: `git status` reads, `git -C d clean -n` too, `git clean` destroys (`data/subcommands.toml`).

Which word is the sub-command, and which words are values of flags before it, the knowledge base has said already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.types import RiskLevel
from sayso.targets.bash.effects.effects import Tool, tools
from sayso.targets.bash.effects.flags import ORDER, Cause, flag_names, level_of
from sayso.targets.bash.syntax.tree import Command, Expansion, Inner, InnerScript, Operand, Operator, Substitution, Word

MOST_WORDS = 3
# Settings of git that can start no program.
GIT_SETTING = re.compile(r"(color|column|advice|user|log|i18n)\.[\w.-]+=[\w@ .:+-]*|core\.(quotepath|abbrev)=\w*", re.I)
# Flags of listings and diffs that only choose what is shown.
SHOWS = re.compile(
    r"-[pqvzsu]|-\d+|-n\d*|-[UMC]\d*|-[wb]|--(stat|shortstat|numstat|patch|name-only|name-status|oneline|all|graph|color"
    r"|no-color|include-untracked|only-untracked|cached|raw|summary|porcelain|verbose|quiet|recursive|word-diff|decorate"
    r"|no-decorate|reverse|merges|no-merges|abbrev-commit|relative-date|date|format|pretty|since|until|author|grep"
    r"|max-count|expire|short|long|tags|heads|refs|exit-code|index|abbrev)(=[^=]*)?"
)
# A transport that git hands to a program.
GIT_PROGRAM = re.compile(r"(ext|fd)::")


def subcommand(command: Command) -> Iterator[Cause]:
    """The level of the sub-command with its flags and operands."""
    tool = tools()[command.utility]
    operands = [argument.word for argument in command.arguments if isinstance(argument, Operand)]
    words = [*tool.path, *(_plain(word) for word in operands)]
    taken = _known_words(tool, words)
    path = " ".join(words[:taken])
    if command.utility in PARTICULAR:
        yield from PARTICULAR[command.utility](command, operands)
    if len(words) == len(tool.path):
        if tool.bare != "reads":
            yield level_of(tool.bare), command.utility
        return
    level = _level(tool, words, taken)
    if level is None:
        yield "unknown", " ".join([command.utility, *words[len(tool.path) : len(tool.path) + 2]]).rstrip()
        return
    cause = path.removeprefix(" ".join(tool.path)).strip()
    said = dict(_said(command, operands[0]))
    for token in said:
        above = max(
            (found for name in said[token] if (found := tool.levels.get(f"{path} {name}"))), key=_order, default=""
        )
        if above and _order(above) > ORDER[level]:
            level, cause = level_of(above), f"{cause} {token}"
    rest = operands[taken - len(tool.path) :]
    for word in _before_dashes(command, operands[1:]) if level == "reads" else ():
        # Flags of sub-commands that the knowledge base has without theirs.
        if len(word.lead) > 1 and word.lead[0] == "-" and not SHOWS.fullmatch(word.value or ""):
            yield "unknown", f"{command.utility} {cause} {word.text}"
    if level != "reads" and not _only_reads(tool, command, path, level, list(said.values()), rest):
        yield level, f"{command.utility} {cause}"


def _order(level: str) -> int:
    return ORDER[level_of(level)]


def _plain(word: Word) -> str:
    """The word as the tool gets it; "" where that is only known when it runs."""
    return word.value or ""


def _known_words(tool: Tool, words: list[str]) -> int:
    """How many words make up the longest sub-command that has an entry."""
    return next((n for n in range(MOST_WORDS, 0, -1) if len(words) >= n and " ".join(words[:n]) in tool.levels), 0)


def _level(tool: Tool, words: list[str], taken: int) -> RiskLevel | None:
    """The level of the longest entry; a further word where others have entries needs one of its own."""
    if not taken or not all(words[:taken]):
        return None
    path = " ".join(words[:taken])
    if len(words) > taken:
        beside = [key for key in tool.levels if key.startswith(path + " ") and key[len(path) + 1] not in "-."]
        if words[taken] == "" and beside != [f"{path} *"] and beside:
            return None
        if beside:
            found = tool.levels.get(f"{path} *")
            return level_of(found) if found else None
    return level_of(tool.levels[path])


def _said(command: Command, first: Word) -> Iterator[tuple[str, set[str]]]:
    """Flags, `--` and `.` after the sub-command as written, with all that they are called: `-d`, `--dry-run=client`."""
    for flag, names in flag_names(command):
        if flag.start >= first.start or command.utility in LOOSE:
            value = flag.values[0].value if flag.values else None
            yield flag.name, names | ({f"{name}={value}" for name in names} if value is not None else set())
    for argument in command.arguments:
        if isinstance(argument, Operator):
            yield argument.text, {argument.text}
        elif isinstance(argument, Operand) and argument.word.value == ".":
            yield ".", {"."}


def _only_reads(
    tool: Tool, command: Command, path: str, level: RiskLevel, said: list[set[str]], rest: list[Word]
) -> bool:
    if level == "unknown" or any(isinstance(a, (Inner, InnerScript)) for a in command.arguments):
        return False
    top = path.split(" ", 1)[0]
    if top in tool.rehearsed and any(tokens & tool.rehearses for tokens in said):
        return True
    look = tool.looks.get(path)
    if look is None or not all(tokens & (look.quiet | look.shows) for tokens in said if tokens not in ({"--"}, {"."})):
        return False
    if any(tokens & look.shows for tokens in said):
        return True
    return len(rest) <= look.operands and not any(_splits(word) for word in rest)


def _splits(word: Word) -> bool:
    """Whether it may become several words."""
    return any(isinstance(part, (Expansion, Substitution)) and not part.quoted for part in word.parts)


def _git(command: Command, operands: list[Word]) -> Iterator[Cause]:
    first = operands[0].start if operands else command.end
    for flag, _ in flag_names(command):
        if flag.start < first and flag.name in ("-c", "--exec-path", "--config-env"):
            value = flag.values[0].value if flag.values else None
            if flag.name != "-c" or value is None or not GIT_SETTING.fullmatch(value):
                yield "unknown", flag.name
    what = _plain(operands[0]) if operands else ""
    for word in operands[1:]:
        if GIT_PROGRAM.match(word.value or ""):
            yield "unknown", word.text
        if what == "push" and word.lead[:1] in ("+", ":"):
            yield "destroys", f"git push {word.text}"
    named = {name for _, names in flag_names(command) for name in names}
    if what == "checkout" and len(operands) > 2 and not named & {"-b", "-B", "--orphan", "-t", "--track"}:
        yield "destroys", f"git checkout {operands[2].text}"
    # Only --soft leaves both the files and what is staged; the commit itself stays in the reflog.
    if what == "reset" and (named & {"--hard", "--merge", "--keep"} or "--soft" not in named):
        yield "destroys", "git reset"


def _before_dashes(command: Command, operands: list[Word]) -> Iterator[Word]:
    ends = next((one.start for one in command.arguments if isinstance(one, Operator) and one.text == "--"), command.end)
    yield from (word for word in operands if word.start < ends)


def _tmux(command: Command, operands: list[Word]) -> Iterator[Cause]:
    """`#(…)` in a format runs; a `;` begins another of its commands."""
    for word in command.words[1:]:
        if "#(" in word.text or "#(" in (word.value or ""):
            yield "unknown", word.text
    for word in operands:
        if _plain(word).endswith(";"):
            yield "unknown", word.text


PARTICULAR = {"git": _git, "tmux": _tmux}
# Flags of these may stand before the sub-command and belong to it.
LOOSE = {"apt", "apt-get", "aptitude", "systemctl", "kubectl", "yum", "dnf", "brew", "nmcli"}
