"""What a command takes over from a request stands in it as text: it expands nothing, is no option, stays one word.

Every source of commands passes here, whatever wrote the words: recipes, a model, follow-ups, repairs, history. It is
decided on the tree. A variable that the request plainly names, alone or before a slash, may expand inside quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from sayso.core.errors import BadInstruction
from sayso.core.types import Evidence
from sayso.english.tokens import tokenise
from sayso.targets.bash.safety.said_options import said_options
from sayso.targets.bash.syntax.called import TAKES_NAMES
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.quote import FIND_TESTS, has_braces
from sayso.targets.bash.syntax.tree import (
    Argument,
    Command,
    Compound,
    Expansion,
    Flag,
    Inner,
    InnerScript,
    Literal,
    Node,
    Operand,
    Redirect,
    Script,
    Substitution,
    Word,
    children,
    inner_commands,
    substitutions,
)

SIMPLE = re.compile(r"\$\{?(?:([A-Za-z_]\w*|\d+)|([@*#?$!-]))\}?")
# A parameter with more in its braces than its name, and arithmetic.
INVOLVED = re.compile(r"\$\{[!#]?([A-Za-z_]\w*|\d+|[@*])(?=[^\w}])|\$\{[!#](\w+)\}")
ARITHMETIC = re.compile(r"\$\(\(|\$\[")
RUNS = re.compile(r"(?:\$|<|>)\((?!\()\s*([^\s()]*)|`\s*([^\s`]*)[^`]*`")
# A variable that is plainly named: alone, in quotes, in a path or a list of paths.
PLAIN = re.compile(r"""(?:^|[\s"'`(=:/@.])\$(?:(\w+)|\{(\w+)\})(?=[/:*]|[.,;?!)]*["'`)]*[.,;?!]*(?:\s|$))""")
NUMBERS = frozenset("?$#")
"""Parameters that hold a number and are never empty."""
BEHIND = re.compile(r"[\w/.:*\s]")
"""What may stand behind a variable at the head of a word: if that is empty, the word begins so."""
TILDE = re.compile(r"~(?:[+-]|\d)")
DASHED = re.compile(r"(?:^|[{,])-|\.\.-|(?:\{,|,\}|,,).*\}-")
"""Braces that give a word with a dash in front."""
SET = re.compile(r"\[[!^]?(?:-|[^\]]*-\])")
PLACED = re.compile(
    r"(?:^|\s)(?:in|under|below|inside|within|of|from|at|into|to|through)\s+['\"\\]?([!(),])['\"]?(?:\s|$)"
)


def taken_over(asked: str, text: str, before: str = "", script: Script | None = None) -> Iterator[Evidence]:
    """Why a command must not be shown: the first thing in it that comes from the request and acts.

    `before` is a command that the new one was made from: what stood in it already is not of the request. `script` is
    the text where somebody has parsed it.
    """
    for reason in acting(asked, text, before, script=script):
        yield Evidence("taken_over", reason)
        return


def acting(
    asked: str, text: str, before: str = "", *, options: bool = True, script: Script | None = None
) -> Iterator[str]:
    """Everything of a request that acts in a command, in words; `options`: whether an option is looked at as well."""
    source = read_source(asked)
    if not source.is_suspect:
        return
    try:
        script = script or parse(text)
        earlier = frozenset(word.text for word in all_words(parse(before))) if before else frozenset()
    except BadInstruction:
        return
    for command, words in visited(script, source.commands):
        if isinstance(command, Command):
            if options:
                yield from _options(source, command, earlier, bool(before))
            yield from _torn(source, command)
        for word, splits in words:
            if word.text not in earlier:
                yield from _word(source, word, text, splits)


@dataclass(frozen=True)
class Source:
    """A request with what a shell would act on in it."""

    text: str

    @cached_property
    def is_suspect(self) -> bool:
        """A quick look, which spares most requests the long one."""
        return re.search(r"[$`{~!(\[]|[<>]\(|(?:^|[\s'\"\\,])-\S", self.text) is not None or bool(self.names)

    @cached_property
    def parameters(self) -> frozenset[str]:
        return frozenset(one or other for one, other in SIMPLE.findall(self.text))

    @cached_property
    def plain(self) -> frozenset[str]:
        """Those that it plainly asks for."""
        return frozenset(one or other for one, other in PLAIN.findall(self.text)) - {"_"}

    @cached_property
    def involved(self) -> frozenset[str]:
        return frozenset(one or other for one, other in INVOLVED.findall(self.text))

    @cached_property
    def computes(self) -> bool:
        return ARITHMETIC.search(self.text) is not None

    @cached_property
    def programs(self) -> frozenset[str]:
        """The first words of what substitutions in the request would run."""
        return frozenset(one or other for one, other in RUNS.findall(self.text))

    @cached_property
    def quoted(self) -> tuple[str, ...]:
        if not re.search(r"[\"'`“‘]", self.text):
            return ()
        return tuple(token.value for token in tokenise(self.text) if token.kind == "string")

    @cached_property
    def commands(self) -> frozenset[str]:
        """Texts in quotes: one that is run as a whole is a command that the user gave, and is rated as such."""
        return frozenset(self.quoted)

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Names in quotes with white space of any kind inside, as the words that they would fall into."""
        return tuple(words for one in self.quoted if len(words := tuple(one.split())) > 1)

    @cached_property
    def operators(self) -> frozenset[str]:
        """Signs in the place of a folder, which find takes for a part of its tests."""
        return frozenset(PLACED.findall(self.text))


@lru_cache(maxsize=64)
def read_source(asked: str) -> Source:
    return Source(asked)


Words = list[tuple[Word, bool]]
"""Words, and whether the shell splits what unquoted expansions in them give."""


def visited(node: Node | Script, given: frozenset[str], nested: bool = False) -> Iterator[tuple[Node | None, Words]]:
    """Every command of a tree with its words; texts of the user's that are run as a whole are left out."""
    if isinstance(node, Command):
        own: Words = [] if nested else [(word, True) for word in node.words]
        own += [(one.value, False) for one in node.assignments if one.value]
        own += [(word, True) for word in _targets(node.redirects)]
        yield node, own
        if not nested:  # an inner command's substitutions are in the outer command's words
            for one in substitutions(node):
                yield from visited(one.body, given)
        whole = {id(script) for script, words in _texts(node) if _is_given(words, given)}
        for inner in inner_commands(node):
            if id(inner) not in whole:
                yield from visited(inner, given, isinstance(inner, Command))
        return
    if isinstance(node, Compound):
        splits = node.kind in ("for", "select")
        yield None, [(word, splits) for word in node.words]
    if not isinstance(node, Script):
        yield None, [(word, True) for word in _targets(getattr(node, "redirects", ()))]
    for child in children(node):
        yield from visited(child, given)


def _is_given(words: tuple[Word, ...], given: frozenset[str]) -> bool:
    values = [word.value or "" for word in words]
    return " ".join(values) in given or any(value in given for value in values)


def _targets(redirects: tuple[Redirect, ...]) -> list[Word]:
    return [one.target for one in redirects if one.target]


def _texts(command: Command) -> Iterator[tuple[Script, tuple[Word, ...]]]:
    """The scripts that a command is given as text, with the words that hold them."""
    for argument in command.arguments:
        if isinstance(argument, InnerScript) and argument.script:
            yield argument.script, argument.words
        elif isinstance(argument, Flag) and argument.script:
            yield argument.script, argument.values


def all_words(node: Node | Script) -> Iterator[Word]:
    return (word for _, words in visited(node, frozenset()) for word, _ in words)


def _word(source: Source, word: Word, text: str, splits: bool) -> Iterator[str]:
    for at, part in enumerate(word.parts):
        if isinstance(part, Expansion) and not _may_expand(source, word, at, part, splits):
            yield f"{part.text} would expand, and stands in the request"
        elif isinstance(part, Substitution) and _is_said(source, text[part.start : part.end]):
            yield f"{text[part.start : part.end]} would run, and stands in the request"
    bare = word.parts[0].text if word.parts and isinstance(word.parts[0], Literal) and not word.parts[0].quoted else ""
    if TILDE.match(bare) and bare[:2] in source.text:
        yield f"{bare} would expand, and stands in the request"
    if has_braces(word) and "{" in source.text and DASHED.search(word.value or word.text):
        yield f"{word.text} would give an option, and stands in the request"
    if SET.match(bare) and bare[:2] in source.text:
        yield f"{word.text} would give an option, and stands in the request"


def _may_expand(source: Source, word: Word, at: int, part: Expansion, splits: bool) -> bool:
    """Whether an expansion is none of the request's, or one that it plainly asks for and that stays in its word."""
    simple = SIMPLE.fullmatch(part.text)
    if simple is None:
        named = INVOLVED.match(part.text)
        if named is None:
            return not source.computes
        return (named[1] or named[2]) not in source.involved
    name = simple[1] or simple[2]
    if name not in source.parameters or name in NUMBERS:
        return True
    if name not in source.plain or (splits and not part.quoted):
        return False
    if any(isinstance(one, Literal) and one.text for one in word.parts[:at]):
        return True
    behind = next((one.text for one in word.parts[at + 1 :] if isinstance(one, Literal) and one.text), "")
    return not behind or BEHIND.match(behind) is not None


def _is_said(source: Source, written: str) -> bool:
    run = RUNS.match(written)
    return run is not None and (run[1] or run[2]) in source.programs


def plainly_named(asked: str, word: Word) -> bool:
    """Whether a word has unquoted variables, and the request plainly names each."""
    expansions = [part for part in word.parts if not isinstance(part, Literal)]
    found = [SIMPLE.fullmatch(part.text) for part in expansions if isinstance(part, Expansion) and not part.quoted]
    if not found or len(found) < len(expansions):
        return False
    return all(one is not None and one[1] in read_source(asked).plain for one in found)


def _options(source: Source, command: Command, earlier: frozenset[str], edits: bool) -> Iterator[str]:
    """Words that the utility reads as options or tests, and that the request has as something else."""
    given = {start for one in command.arguments for start in _given(one)}
    options = said_options(source.text, edits)
    for at, word in enumerate(command.words):
        if word.start in given or word.text in earlier:
            continue
        if command.utility == "find" and word.value in FIND_TESTS and word.value in source.operators:
            yield f"{word.value} would be one of find's tests, and the request names it as a place"
        if word.lead.startswith("-") and options.is_text(word.lead, [one.text for one in command.words[:at]]):
            yield f"{word.lead} would be an option, and the request does not ask for one"


def _given(argument: Argument) -> Iterator[int]:
    """Where the words of an argument begin that are no options of this command."""
    if isinstance(argument, Operand):
        yield argument.word.start
    elif isinstance(argument, InnerScript):
        yield from (word.start for word in argument.words)
    elif isinstance(argument, (Inner, Flag)):
        inner = argument.command if isinstance(argument, Inner) else argument.inner
        yield from (word.start for word in (inner.words if inner else ()))
        yield from (word.start for word in (argument.values if isinstance(argument, Flag) else ()))


def _torn(source: Source, command: Command) -> Iterator[str]:
    """A name in quotes that has become several."""
    if command.utility not in TAKES_NAMES or not source.names:
        return
    values = tuple(word.value for word in command.words[1:])
    for name in source.names:
        if any(values[at : at + len(name)] == name for at in range(len(values))):
            yield f'tears "{" ".join(name)}" apart'
