"""The command tree: what a Bash one-liner is made of, as frozen values with character positions (NL2Bash §2).

Positions count characters of the whole instruction. What stands inside `sh -c '…'` keeps true positions where the
quoted text is verbatim; where quoting changed it, its nodes carry the span of the word that holds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

# Deeper nesting than this is refused; nobody types it, and every walk over the tree may be recursive.
MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Literal:
    """Characters as the utility sees them; quoted ones do not glob, split or expand."""

    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Expansion:
    """`$x`, `${x:-y}`, `$((1+2))`, kept as written; `inner` holds the substitutions inside it."""

    text: str
    quoted: bool
    inner: tuple[Substitution, ...] = ()


@dataclass(frozen=True, slots=True)
class Substitution:
    """`$(…)`, `` `…` ``, `<(…)` or `>(…)`; opener is one of "$(", "<(", ">(" (back quotes read as "$(")."""

    opener: str
    body: Script
    quoted: bool
    start: int
    end: int


Part = Literal | Expansion | Substitution


@dataclass(frozen=True, slots=True)
class Word:
    """One shell word. `value` is what the utility receives when nothing in it expands, else None."""

    text: str
    start: int
    end: int
    parts: tuple[Part, ...]
    value: str | None

    @property
    def lead(self) -> str:
        """The literal characters it begins with: `-k$n` -> "-k"."""
        if self.value is not None:
            return self.value
        out = []
        for part in self.parts:
            if not isinstance(part, Literal):
                break
            out.append(part.text)
        return "".join(out)

    def after(self, n: int) -> Word:
        """The word without its first n literal characters: `-n5`.after(2) -> `5`."""
        parts: list[Part] = []
        left = n
        for part in self.parts:
            if left and isinstance(part, Literal):
                cut = part.text[left:]
                left = max(0, left - len(part.text))
                if not cut:
                    continue
                part = Literal(cut, part.quoted)
            parts.append(part)
        plain = self.text.startswith(self.lead[:n])
        return Word(
            self.text[n:] if plain else self.text,
            self.start + n if plain else self.start,
            self.end,
            tuple(parts),
            None if self.value is None else self.value[n:],
        )


@dataclass(frozen=True, slots=True)
class Flag:
    """One option with its values: `-n 5`, `-n5`, `--lines=5`, find's `-name x`, dd's `if=x`, one letter of `-xzf`.

    `style` says how the value is attached; `inner` is the command of `-exec`, `script` the text of `sh -c`.
    """

    name: str
    start: int
    end: int
    values: tuple[Word, ...] = ()
    types: tuple[str, ...] = ()
    style: str = "separate"
    known: bool = True
    inner: Command | None = None
    script: Script | None = None
    closer: str = ""


@dataclass(frozen=True, slots=True)
class Operand:
    """An argument that belongs to no flag, with its type."""

    word: Word
    type: str


@dataclass(frozen=True, slots=True)
class Operator:
    """`(`, `)`, `!`, `-o`, `-a`, `,` of find, or the `--` that ends options."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Inner:
    """The command that xargs, sudo, env, nohup … runs."""

    command: Command


@dataclass(frozen=True, slots=True)
class InnerScript:
    """Shell text handed to another shell: `ssh host '…'`, `watch '…'`. `script` is None where it cannot be read."""

    words: tuple[Word, ...]
    script: Script | None


Argument = Flag | Operand | Operator | Inner | InnerScript


@dataclass(frozen=True, slots=True)
class Assignment:
    """`NAME=value` before a command or alone; `inner` are the substitutions in a subscript: `a[$(f)]=1`."""

    name: str
    value: Word | None
    start: int
    end: int
    inner: tuple[Substitution, ...] = ()


@dataclass(frozen=True, slots=True)
class Redirect:
    """`2> file`, `<<< word`, `<<EOF`. A here-document keeps the substitutions of its body in `inner`."""

    descriptor: str
    operator: str
    target: Word | None
    start: int
    end: int
    inner: tuple[Substitution, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """A utility with its arguments. `utility` is the base name, "" where it is not a plain word."""

    start: int
    end: int
    name: Word | None
    utility: str
    words: tuple[Word, ...]
    arguments: tuple[Argument, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Pipeline:
    start: int
    end: int
    items: tuple[Node, ...]
    operators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """`a && b || c`, left to right with equal precedence."""

    start: int
    end: int
    items: tuple[Node, ...]
    operators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    start: int
    end: int
    body: Node


@dataclass(frozen=True, slots=True)
class Block:
    """A subshell `( … )` or a group `{ …; }`."""

    start: int
    end: int
    kind: str
    body: Script
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Compound:
    """`if`, `for`, `while`, `until`, `case`, `select`, `[[ ]]`, `(( ))` or a function: recognised, not interpreted.

    `bodies` are the scripts inside, in order; `words` are the values it runs over; `text` is all of it as written.
    """

    start: int
    end: int
    kind: str
    name: str
    bodies: tuple[Script, ...]
    words: tuple[Word, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    text: str = ""


Node = Command | Pipeline | Chain | Negation | Block | Compound


@dataclass(frozen=True, slots=True)
class Script:
    """Nodes in order; `separators[i]` follows item i and is ";", "&", "\\n" or "" after the last."""

    start: int
    end: int
    items: tuple[Node, ...]
    separators: tuple[str, ...]


def scripts_in(word: Word) -> Iterator[Substitution]:
    """The substitutions inside one word, outermost first."""
    for part in word.parts:
        if isinstance(part, Substitution):
            yield part
        elif isinstance(part, Expansion):
            yield from part.inner


def commands(node: Node | Script) -> Iterator[Command]:
    """Every command in the tree in source order, those inside words, `-exec`, xargs and `sh -c` included."""
    if isinstance(node, Command):
        yield node
        yield from _inside(node)
        return
    for child in children(node):
        yield from commands(child)


def children(node: Node | Script) -> Iterator[Node | Script]:
    """The direct parts of a node that hold commands, those inside its own words and redirects included."""
    if isinstance(node, (Script, Pipeline, Chain)):
        yield from node.items
    elif isinstance(node, Negation):
        yield node.body
    elif isinstance(node, Block):
        yield node.body
        yield from _redirected(node.redirects)
    elif isinstance(node, Compound):
        for word in node.words:
            yield from (s.body for s in scripts_in(word))
        yield from node.bodies
        yield from _redirected(node.redirects)


def _redirected(redirects: tuple[Redirect, ...]) -> Iterator[Script]:
    for redirect in redirects:
        if redirect.target:
            yield from (s.body for s in scripts_in(redirect.target))
        yield from (s.body for s in redirect.inner)


def substitutions(command: Command) -> Iterator[Substitution]:
    """The substitutions in a command's own words, assignments and redirects."""
    for word in command.words:
        yield from scripts_in(word)
    for assignment in command.assignments:
        yield from assignment.inner
        if assignment.value:
            yield from scripts_in(assignment.value)
    for redirect in command.redirects:
        if redirect.target:
            yield from scripts_in(redirect.target)
        yield from redirect.inner


def inner_commands(command: Command) -> Iterator[Command | Script]:
    """What the arguments of a command run: `-exec`, xargs, `sh -c`, ssh."""
    for argument in command.arguments:
        if isinstance(argument, Inner):
            yield argument.command
        elif isinstance(argument, InnerScript) and argument.script:
            yield argument.script
        elif isinstance(argument, Flag):
            if argument.inner:
                yield argument.inner
            if argument.script:
                yield argument.script


def _inside(command: Command) -> Iterator[Command]:
    for substitution in substitutions(command):
        yield from commands(substitution.body)
    for inner in inner_commands(command):
        yield from _without_words(inner) if isinstance(inner, Command) else commands(inner)


def _without_words(command: Command) -> Iterator[Command]:
    """An inner command's substitutions belong to the outer command's words, which were already walked."""
    yield command
    for inner in inner_commands(command):
        yield from _without_words(inner) if isinstance(inner, Command) else commands(inner)


def with_redirects(node: Node, redirects: tuple[Redirect, ...], end: int) -> Node:
    """The node with redirects added where the shell puts them: on the last command of a pipeline or chain."""
    if isinstance(node, (Pipeline, Chain)):
        last = with_redirects(node.items[-1], redirects, end)
        return replace(node, items=(*node.items[:-1], last), end=end)
    if isinstance(node, Negation):
        return replace(node, body=with_redirects(node.body, redirects, end), end=end)
    return replace(node, redirects=(*node.redirects, *redirects), end=end)
