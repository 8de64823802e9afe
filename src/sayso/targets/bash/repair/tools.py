"""Repairs that one tool asks for: what git, apt, pip, npm, make, ssh, tar and their like say themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tomllib import loads

from sayso.targets.bash.repair.scene import Repair, Scene, near
from sayso.targets.bash.repair.spelling import DATA
from sayso.targets.bash.syntax.line_edits import (
    flags,
    has_flag,
    piped,
    places,
    read_line,
    unwrapped,
    with_flag,
    without_flags,
)
from sayso.targets.bash.syntax.quote import quote
from sayso.targets.bash.syntax.tree import Operand

DENIED = (
    r"[Pp]ermission denied|Operation not permitted|are you root|must be (?:run as )?root|superuser|EACCES|"
    r"Interactive authentication required|requires? root|you (?:need|must) (?:to )?be root|Access denied|not permitted"
)
PLAIN = re.compile(r"[\w./:@+=,~ -]*")
BAD_PATTERN = r"Unmatched|Invalid (?:regular|preceding|back|content|range|char)|Trailing backslash|missing terminating"
NO_BRANCH = (
    r"branch '([^']+)' not found|pathspec '([^']+)' did not match|invalid reference: (\S+)"
    r"|(?:merge: |')([^'\s]+?)'? - not something we can merge"
)


@cache
def advice() -> tuple[dict[str, str], ...]:
    return tuple(loads(Path(DATA).read_text(encoding="utf-8"))["advice"])


def advised(scene: Scene) -> Iterator[Repair]:
    """`[[advice]]`: what standard error says, and what to type then; {command} and \\1 are filled in."""
    for row in advice():
        found = scene.heard(row["heard"])
        inside = re.search(row["command"], scene.text) if "command" in row else found
        if not found or not inside:
            continue
        if "wrong" in row:
            text = re.sub(row["wrong"], row["type"], scene.text, count=1)
        else:
            groups = inside if inside.re.groups else found
            if groups is found and not all(PLAIN.fullmatch(one or "") for one in found.groups()):
                continue  # what a program prints is not to become shell text
            text = groups.expand(row["type"].replace("{command}", scene.text.replace("\\", "\\\\")))
            text = re.sub(r"^git (?=\w)", lambda _: git_there(scene), text)
        yield Repair(text, row["why"], float(row.get("sure", 0.9)))


def git_there(scene: Scene) -> str:
    """`git -C app push` -> `git -C app `: what git says to type holds for the repository that it was asked about."""
    found = re.search(r"\bgit (?:-C (?:'[^']*'|\"[^\"]*\"|\S+) )+", scene.text)
    return found[0] if found else "git "


def denied(scene: Scene) -> Iterator[Repair]:
    """sudo, and what it cannot help with: redirects, cd, programs that are not executable, keys open to others."""
    if not scene.line or not scene.heard(DENIED) or scene.heard(r"Permission denied \((?:publickey|password)"):
        return
    first = scene.line.stages[0]
    name = first.name.value if first.name and first.name.value else ""
    if scene.failure.exit_code == 126 and "/" in name:
        runs = f"{first.words[0].text}"
        yield Repair(f"chmod +x {runs} && {scene.text}", f"{name} is not marked as a program", 0.93)
        yield Repair(scene.replaced(first.words[0], f"bash {runs}"), "bash reads it without the mark", 0.7)
        return
    for redirect in scene.line.stages[-1].redirects:
        if redirect.operator in (">", ">>") and redirect.target and redirect.descriptor in ("", "1"):
            if not scene.heard(re.escape(redirect.target.value or "\0")):
                continue
            bare = (scene.text[: redirect.start].rstrip() + scene.text[redirect.end :]).removeprefix("sudo ")
            flag = " -a" if redirect.operator == ">>" else ""
            line = read_line(bare)
            if line:
                yield Repair(piped(line, f"sudo tee{flag} {redirect.target.text}"), "sudo tee may write there", 0.94)
                return
    if first.utility in ("cd", "pushd") and len(first.words) > 1:
        yield Repair(
            scene.replaced(first.words[0], "sudo ls"), "sudo cannot change this shell's folder, but can look", 0.85
        )
    elif first.utility not in ("sudo", "doas"):
        yield Repair(
            f"{scene.text[: first.start]}sudo {scene.text[first.start :]}", "sudo runs it with root's rights", 0.9
        )


def too_long(scene: Scene) -> Iterator[Repair]:
    if not scene.line or not scene.heard(r"[Aa]rgument (?:list|line) too long"):
        return
    command = scene.line.first
    globs = [word for word in command.words[1:] if "*" in word.text and word.text == word.value]
    if not globs:
        return
    folder, _, pattern = globs[0].text.rpartition("/")
    found = f"find {folder or '.'} -maxdepth 1 -name '{pattern}'"
    rest = [word for word in command.words[1:] if word not in globs]
    options = " ".join(word.text for word in rest if word.text.startswith("-"))
    others = [word.text for word in rest if not word.text.startswith("-")]
    if command.utility == "rm":
        yield Repair(f"{found} -delete", "find hands over no list", 0.95)
    elif command.utility in ("mv", "cp") and others:
        run = " ".join(filter(None, [command.utility, options, f"-t {others[-1]}"]))
        yield Repair(f"{found} -exec {run} {{}} +", "find hands over as many names as fit", 0.95)
    else:
        run = " ".join(filter(None, [command.utility, options, *others]))
        yield Repair(f"{found} -exec {run} {{}} +", "find hands over as many names as fit", 0.93)


def names_for_xargs(scene: Scene) -> Iterator[Repair]:
    if scene.line and scene.heard(r"xargs: unmatched (?:single|double) quote|xargs: unterminated quote"):
        for command in scene.named("xargs"):
            yield Repair(with_flag(scene.line, command, "-d '\\n'"), "xargs -d takes each line for one name", 0.94)


def pattern(scene: Scene) -> Iterator[Repair]:
    """grep without a pattern, or with one that it cannot read; sed whose command does not end."""
    if not scene.line:
        return
    for command in scene.named("grep", "egrep", "rg"):
        words = [one.word for one in command.arguments if isinstance(one, Operand)]
        if scene.heard(r"^Usage: grep") and not words and not has_flag(command, "-e", "-f"):
            end = command.words[-1].end
            rest = " PATTERN ." if has_flag(command, "-r", "-R") else " PATTERN FILE"
            yield Repair(scene.text[:end] + rest + scene.text[end:], "grep needs a pattern, then where to look", 0.8)
        if scene.heard(BAD_PATTERN):
            bare = read_line(without_flags(scene.line, command, "-E", "-G", "-P")) or scene.line
            grep = next(one for one in bare.stages if unwrapped(one).utility == command.utility)
            yield Repair(with_flag(bare, unwrapped(grep), "-F"), "grep -F takes the text as it stands", 0.92)
        if scene.heard(r"invalid option|unrecognized option|unknown option"):
            dashed = next(
                (w for w in command.words[1:] if w.text[0] in "'\"" and (w.value or "").startswith("-")), None
            )
            if dashed:
                text = scene.text[: dashed.start] + "-e " + scene.text[dashed.start :]
                yield Repair(text, "-e: what follows is the pattern, though it begins with a dash", 0.95)
        waits = not scene.said and scene.failure.exit_code in (130, None) and len(scene.line.stages) == 1
        if waits and len(words) == 1 and not has_flag(command, "-r", "-R"):
            end = command.words[-1].end
            grown = read_line(scene.text[:end] + " ." + scene.text[end:])
            if grown:
                yield Repair(with_flag(grown, grown.first, "-r"), "without a file grep waits for input", 0.75)
    for command in scene.named("sed"):
        if scene.heard(r"unterminated 's' command|unterminated substitute"):
            word = next((w for w in command.words[1:] if (w.value or "").startswith("s")), None)
            if word and word.value:
                yield Repair(scene.replaced(word, quote(word.value + word.value[1])), "the s command is closed", 0.95)


def listed_names(scene: Scene) -> Iterator[Repair]:
    """Targets of a Makefile, scripts of package.json, users: the nearest of those that exist."""
    for heard, path, pattern in (
        (r"No rule to make target '(?P<name>[^']+)'", "Makefile", r"^([\w.-]+)\s*:(?!=)"),
        (r"Missing script: [\"'](?P<name>[^\"']+)", "package.json", r'"([\w:.-]+)"\s*:'),
        (r"invalid user: '?(?P<name>[^':]+)", "/etc/passwd", r"^([^:]+):"),
        (r"invalid group: '?(?P<name>[^':]+)", "/etc/group", r"^([^:]+):"),
        (r"user '?(?P<name>[\w-]+)'? does not exist", "/etc/passwd", r"^([^:]+):"),
        (r"'(?P<name>[^']+)' does not appear to be a git repository", ".git/config", r'^\[remote "([^"]+)"\]'),
        (r"No manual entry for (?P<name>\S+)", "", ""),
    ):
        found = scene.heard(heard)
        word = scene.word(found["name"]) if found else None
        if not found or not word:
            continue
        known = set(re.findall(pattern, scene.here.text(path), re.M)) if path else set(scene.here.programs) | _known()
        for at, name in enumerate(near(found["name"], known)):
            yield Repair(
                scene.replaced(word, quote(name)), f"{name} is there, {found['name']} is not", 0.92 - 0.05 * at
            )


def _known() -> set[str]:
    from sayso.targets.bash.knowledge.utilities import utility_names

    return {name for name in utility_names() if " " not in name}


def repository(scene: Scene) -> str:
    """The folder that `git -C` names, with a / behind; "" for the one that we stand in."""
    values = (one.values[0].value for command in scene.named("git") for one in flags(command, "-C") if one.values)
    return "".join(f"{value}/" for value in values if value)


def branch(scene: Scene) -> Iterator[Repair]:
    """A branch that git does not know: near names that git keeps as files, and main for master."""
    found = scene.heard(NO_BRANCH)
    name = next((one for one in found.groups() if one), "") if found else ""
    word = scene.word(name) if name else None
    if not word:
        return
    there = repository(scene)
    heads = [one.rstrip("/") for one in scene.here.names(f"{there}.git/refs/heads")]
    heads += re.findall(r" refs/heads/(\S+)", scene.here.text(f"{there}.git/packed-refs"))
    swapped = {"main": "master", "master": "main"}
    for at, one in enumerate([*near(name, {*heads, *([swapped[name]] if name in swapped else [])})]):
        yield Repair(scene.replaced(word, quote(one)), f"there is a branch {one}", 0.93 - 0.05 * at)
    if name in swapped and not near(name, heads):
        yield Repair(scene.replaced(word, swapped[name]), f"the branch may be called {swapped[name]}", 0.8)
    for command in scene.named("git"):
        if re.search(r"\bgit (?:checkout|switch) [^-]", scene.text) and not any(places(command)):
            flag = "-b" if "checkout" in scene.text else "-c"
            yield Repair(scene.replaced(word, f"{flag} {word.text}"), f"{flag} makes the branch", 0.6)


def port_in_use(scene: Scene) -> Iterator[Repair]:
    if not scene.heard(r"[Aa]ddress already in use|EADDRINUSE|port is already allocated|Only one usage of each socket"):
        return
    said = scene.heard(r":::?(\d{2,5})\b|port (\d{2,5})\b|0\.0\.0\.0:(\d{2,5})|127\.0\.0\.1:(\d{2,5})")
    port = next((one for one in said.groups() if one), "") if said else ""
    written = re.search(r"(?<![\d.])(\d{4,5})(?![\d.])", scene.text)
    if written and (not port or port == written[1]):
        other = str(int(written[1]) + 1)
        text = scene.text[: written.start()] + other + scene.text[written.end() :]
        yield Repair(text, f"port {written[1]} is taken; {other} may be free", 0.88)
        port = port or written[1]
    if port:
        yield Repair(f"lsof -i :{port}", f"shows what uses port {port}", 0.85)
        yield Repair(f"fuser -k {port}/tcp", f"ends what uses port {port}", 0.4)


RULES = (advised, denied, too_long, names_for_xargs, pattern, listed_names, branch, port_in_use)
